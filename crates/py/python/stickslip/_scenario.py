"""Scenarios: text in, results out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _executors, _native
from ._axes import Axis, Values, axes, axis
from ._errors import Diagnostic, ScenarioError, diagnostics
from ._fit import Fit, record, wanted
from ._progress import Bar, chosen
from ._result import Result
from ._stepping import Step, Stepper
from ._toml import settings, table

StrPath = str | os.PathLike[str]


class Scenario:
    """A scenario as text. It never changes: :meth:`set` and the questions (:meth:`map`, :meth:`stability`, ..) give new ones.

    >>> s = Scenario(\"\"\"
    ... structure = { kind = "spring-block", mass = 1, stiffness = 100 }
    ... contact = { normal = { law = "weight" }, friction = { law = "coulomb", mu_s = 0.6, mu_k = 0.35 } }
    ... drive = { kind = "belt", velocity = 0.1 }
    ... analysis = { kind = "transient", duration = "30 s" }
    ... \"\"\")
    >>> s.check()
    []
    >>> s.set({"drive.velocity": "2 cm/s"}).run().regime
    'stick-slip'
    """

    def __init__(self, text: str, *, name: str = "scenario", folder: StrPath | None = None) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a scenario is a text, not {type(text).__name__}; a file is read by stickslip.open")
        self._native = _native.Scenario(text, name, folder)
        self._files: dict[str, bytes] = {}

    @classmethod
    def _of(cls, native: _native.Scenario) -> Scenario:
        made = cls.__new__(cls)
        made._native = native
        made._files = {}
        return made

    @property
    def text(self) -> str:
        """The text, with all that was set: it gives the same results anywhere."""
        return self._native.text

    @property
    def name(self) -> str:
        """Its name."""
        return self._native.name

    @property
    def title(self) -> str | None:
        """Its title."""
        return self._native.title

    @property
    def cases(self) -> list[str]:
        """Names of the cases; empty without cases."""
        return [] if self._native.cases == [""] else self._native.cases

    def set(self, changes: Mapping[str, Any]) -> Scenario:
        """With other values: ``s.set({"drive.velocity": "2 mm/s", "structure.stiffness": 120})``. This one stays as it is."""
        return Scenario._of(self._native.set(settings(changes)))

    def check(self) -> list[Diagnostic]:
        """What is wrong with it; an empty list when all is well."""
        found = self._native.check()
        return [] if found is None else diagnostics(found)

    def resolved(self) -> dict[str, Any]:
        """Every value, given or default, in SI: what ``stickslip explain`` shows."""
        import json

        found: dict[str, Any] = json.loads(self._native.spec())
        return found

    def run(
        self,
        *,
        store: StrPath | None = None,
        threads: int | None = None,
        executor: Any = None,
        progress: bool | Callable[[float], object] | None = None,
    ) -> Result:
        """Runs it. No file is written unless ``store`` names a folder; an unfinished map there goes on.

        ``threads`` share out the points of a map; ``executor`` computes them elsewhere: an executor of ``concurrent.futures``
        or ``mpi4py.futures``, or a client of dask. Ctrl-C stops early, with what there is and the status ``partial``.
        """
        if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int)):
            raise TypeError(f"`threads` is a number of threads, not {type(threads).__name__}")
        if threads is not None and threads < 1:
            raise ValueError(f"`threads` = {threads}: expected at least 1")
        bar = chosen(progress)
        try:
            if executor is not None:
                return Result(_executors.run(self._native, executor, store, bar))
            return Result(self._native.run(store, threads, bar))
        finally:
            if isinstance(bar, Bar):
                bar.close()

    def ask(self, kind: str, *, nested: bool = False, **keys: Any) -> Scenario:
        """The same model under another analysis of the catalogue. With ``nested`` the present one becomes its ``each``."""
        return Scenario._of(self._native.with_analysis(table({"kind": kind, **keys}), nested))

    def map(
        self,
        ranges: Mapping[str, Values],
        *,
        collect: Sequence[str] = ("regime",),
        each: Mapping[str, Any] | None = None,
    ) -> Scenario:
        """This analysis at each point of one or two ranges: ``s.map({"drive.velocity": geom("1 um/s", "1 m/s", 100)})``."""
        names = [collect] if isinstance(collect, str) else list(collect)
        return self.ask("map", nested=True, axes=axes(ranges), collect=names, each=each)

    def stability(self, along: Mapping[str, Values] | None = None, **keys: Any) -> Scenario:
        """Eigenvalues of steady sliding, along a range where one is given."""
        return self.ask("stability", along=_along(along), **keys)

    def limit_cycle(self, along: Mapping[str, Values] | None = None, **keys: Any) -> Scenario:
        """The periodic motion and its multipliers, followed along a range where one is given."""
        return self.ask("limit-cycle", along=_along(along), **keys)

    def frequency_response(
        self, frequency: Mapping[str, Values] | None = None, *, levels: Mapping[str, Values] | None = None, **keys: Any
    ) -> Scenario:
        """The response to a periodic force over its frequency: ``{"parameters.omega": lin("0.5 rad/s", "1.6 rad/s", 111)}``."""
        return self.ask("frequency-response", frequency=_along(frequency), levels=_along(levels), **keys)

    def compare(self, laws: Sequence[Any], *, collect: Sequence[str] = ("regime",), **keys: Any) -> Scenario:
        """This analysis with other laws, matched to the scenario's own: does the conclusion survive?"""
        listed = [getattr(law, "table", law) for law in laws]
        names = [collect] if isinstance(collect, str) else list(collect)
        return self.ask("compare", nested=True, laws=listed, collect=names, **keys)

    def fit(
        self,
        data: Any,
        free: Any,
        *,
        of: str = "velocity-step",
        columns: Mapping[str, str] | None = None,
        **keys: Any,
    ) -> Fit:
        """Fits the parameters ``free`` to measurements, at once.

        ``data`` is a DataFrame, a dictionary of arrays, the name of a file in the scenario's folder, or a list of these;
        columns in memory are in SI. ``of`` says what was measured: ``velocity-step``, ``slide-hold-slide``, ``free-decay``,
        ``force-displacement``, ``force-velocity``, ``approach-pressure``.
        """
        listed = data if isinstance(data, (list, tuple)) else [data]
        records, files = [], {}
        for number, one in enumerate(listed):
            entry, held = record(one, of, columns, number)
            records.append(entry)
            files.update(held)
        analysis = table({"kind": "fit", "records": records, "parameters": wanted(free), **keys})
        base = self._native
        if files:
            base = _native.Scenario(self.text, self.name, base.folder, files)
        asked = Scenario._of(base.with_analysis(analysis, False))
        return Fit(asked.text, asked.run())

    def stepper(self) -> Stepper:
        """Its motion step by step: ``st.do_step(t, h, {"drive.velocity": 0.2})``."""
        return Stepper(self._native.stepper())

    def stream(self, every: float | str, *, inputs: Callable[[Step | None], Mapping[str, Any]] | None = None) -> Iterator[Step]:
        """The motion in parts of ``every`` (s, or a text such as ``"0.1 s"``), up to the duration of the analysis.

        Each part has its columns (``part.rows``), its events, and the values at its end. ``inputs`` is called with the part
        before, and may change values by path: a controller.
        """
        length = _native.quantity(every, "s") if isinstance(every, str) else float(every)
        if not length > 0:
            raise ValueError(f"`every` = {every}: expected a time above 0")
        end = self._duration()
        stepper, last = self.stepper(), None
        count = 0
        while end is None or stepper.t < end * (1 - 1e-12):
            count += 1
            t = stepper.t
            until = count * length if end is None else min(count * length, end)
            last = stepper.do_step(t, until - t, inputs(last) if inputs else None)
            yield last
            if last.status != "ok":
                return

    def _duration(self) -> float | None:
        """The duration as a time; None where it is counted in cycles: then the stream has no end."""
        duration = self.resolved().get("analysis", {}).get("duration")
        if isinstance(duration, dict) and duration.get("unit") == "s":
            return float(duration["value"])
        return float(duration) if isinstance(duration, (int, float)) else None

    def __repr__(self) -> str:
        cases = f", {len(self.cases)} cases" if self.cases else ""
        return f"<Scenario {self.title or self.name!r}{cases}>"

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self.text)}</pre>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (self.text, self.name, self._native.folder))


def _again(text: str, name: str, folder: StrPath | None) -> Scenario:
    return Scenario(text, name=name, folder=folder)


def _along(given: Mapping[str, Values] | Axis | None) -> Axis | None:
    return given if given is None or isinstance(given, Axis) else axis(given)


def open(path: StrPath) -> Scenario:
    """Reads a scenario file; files that it names lie in its folder."""
    return Scenario._of(_native.Scenario.open(Path(path)))


__all__ = ["Scenario", "ScenarioError", "open"]
