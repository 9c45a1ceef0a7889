"""What a run gives back."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._table import Series

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import xarray  # type: ignore[import-untyped,import-not-found,unused-ignore]


@dataclass(frozen=True)
class Quantity:
    """A value and its unit. A single number converts: ``float(q)``."""

    value: Any
    """A number, a word, a list; with cases a dictionary of these."""
    unit: Any
    """The unit; ``"1"`` for a ratio, empty where a unit has no meaning."""

    def __float__(self) -> float:
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
            raise TypeError(f"this value is no single number: {self.value!r}")
        return float(self.value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self.value, dtype=dtype)

    def __str__(self) -> str:
        shown = f"{self.value:.6g}" if isinstance(self.value, float) else str(self.value)
        return f"{shown} {self.unit}" if self.unit not in ("", "1") else shown


@dataclass(frozen=True)
class Ledger:
    """Energies of a run, J, each integrated on its own."""

    work_in: float
    stored: float
    friction: float
    damping: float
    contact: float
    residual: float
    """What is missing, over the largest of the others."""
    kinetic: float | None = None
    strain: float | None = None
    contact_stored: float | None = None


@dataclass(frozen=True)
class Health:
    """What the solver did, and what it has to say."""

    steps: int = 0
    rejected: int = 0
    newton_iterations: int = 0
    newton_failures: int = 0
    jacobians: int = 0
    events: int = 0
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    resumed: int = 0
    """Points of a map that an earlier run had recorded."""


@dataclass(frozen=True)
class Event:
    """A change of mode, an impact, or what a guard stopped."""

    t: float
    contact: str
    kind: str
    from_: str
    to: str
    friction: float
    coordinates: dict[str, float]
    rates_before: dict[str, float]
    rates_after: dict[str, float]

    def __getitem__(self, name: str) -> Any:
        """As in ``summary.json``: ``event["from"]``."""
        name = "from_" if name == "from" else name
        if name not in self.__dataclass_fields__:
            raise KeyError(name)
        return getattr(self, name)


class Events(Sequence[Event]):
    """Events in order of time; ``.table`` has them as columns."""

    def __init__(self, table: _native.Table) -> None:
        self.table = Series(table)

    def __len__(self) -> int:
        return len(self.table)

    @overload
    def __getitem__(self, i: int) -> Event: ...
    @overload
    def __getitem__(self, i: slice) -> list[Event]: ...
    def __getitem__(self, i: int | slice) -> Event | list[Event]:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        if not -len(self) <= i < len(self):
            raise IndexError(i)
        t = self.table

        def named(prefix: str) -> dict[str, float]:
            return {n[len(prefix) :]: float(t[n][i]) for n in t.columns if n.startswith(prefix)}

        return Event(
            t=float(t["t"][i]),
            contact=str(t["contact"][i]),
            kind=str(t["kind"][i]),
            from_=str(t["from"][i]),
            to=str(t["to"][i]),
            friction=float(t["friction"][i]),
            coordinates=named("coordinates."),
            rates_before=named("rates_before."),
            rates_after=named("rates_after."),
        )

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> pandas.DataFrame:
        """As a DataFrame."""
        return self.table.to_pandas()

    def __repr__(self) -> str:
        return f"<{len(self)} events>"


class Result:
    """The results of a run: ``status``, ``regime``, values by name, tables, events, ledger, health.

    ``r["amplitude_pp"]`` is a :class:`Quantity`. With cases, values are dictionaries by case, as in ``summary.json``, tables
    have a column ``case``, and ``r.case(name)`` gives the results of one.
    """

    def __init__(self, dataset: _native.Dataset, spec: dict[str, Any] | None = None, case: int | None = None) -> None:
        self._dataset = dataset
        self._case = case
        self._cases = dataset.cases
        self._summary: dict[str, Any] | None = spec
        self._tables: dict[str, Series] = {}

    @property
    def _plain(self) -> bool:
        return self._case is not None or self._cases == [""]

    @property
    def _number(self) -> int:
        return self._case or 0

    @property
    def summary(self) -> dict[str, Any]:
        """All of it as in ``summary.json``."""
        if self._summary is None:
            self._summary = json.loads(self._dataset.summary())
        return self._summary

    @property
    def status(self) -> str:
        """``ok``; ``untrusted``, ``failed``, ``partial``."""
        return self._dataset.status

    @property
    def reason(self) -> str | None:
        """Why the status is not ok."""
        return self._dataset.reason

    def _of_case(self, found: Any) -> Any:
        if self._case is None or not isinstance(found, dict):
            return found
        return found.get(self._cases[self._case])

    @property
    def regime(self) -> Any:
        """The motion in one word; with cases a dictionary."""
        return self._of_case(self.summary["regime"])

    @property
    def values(self) -> dict[str, Quantity]:
        """All values by name."""
        found = {}
        for name, entry in self.summary["values"].items():
            value, unit = entry["value"], entry["unit"]
            if self._case is not None:
                case = self._cases[self._case]
                if case not in value:
                    continue
                value, unit = value[case], unit[case] if isinstance(unit, dict) else unit
            found[name] = Quantity(value, unit)
        return found

    def __getitem__(self, name: str) -> Quantity:
        values = self.values
        if name not in values:
            raise KeyError(f"no value {name!r}; there are {', '.join(values)}")
        return values[name]

    def __contains__(self, name: object) -> bool:
        return name in self.values

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def keys(self) -> list[str]:
        """Names of the values."""
        return list(self.values)

    @property
    def cases(self) -> list[str]:
        """Names of the cases; empty without cases."""
        return [] if self._plain else list(self._cases)

    def case(self, name: str) -> Result:
        """The results of one case."""
        if name not in self._cases:
            raise KeyError(f"no case {name!r}; there are {', '.join(self._cases)}")
        return Result(self._dataset, self.summary, self._cases.index(name))

    @property
    def tables(self) -> list[str]:
        """Names of the tables."""
        numbers = [self._number] if self._plain else range(len(self._cases))
        return list(dict.fromkeys(name for i in numbers for name in self._dataset.tables(i)))

    def table(self, name: str) -> Series:
        """A table by its name; with cases all of them, and a column ``case``."""
        if name not in self._tables:
            if name not in self.tables:
                raise KeyError(f"no table {name!r}; there are {', '.join(self.tables) or 'none'}")
            found = self._dataset.table(self._number, name) if self._plain else self._dataset.joined(name)
            self._tables[name] = Series(found)
        return self._tables[name]

    @property
    def series(self) -> Series:
        """The motion in time."""
        if "series" not in self.tables:
            raise AttributeError(f"this analysis gives no motion; its tables: {', '.join(self.tables) or 'none'}")
        return self.table("series")

    @property
    def events(self) -> Any:
        """The events (:class:`Events`); with cases a dictionary of these."""
        if self._plain:
            return Events(self._dataset.events(self._number))
        return {name: Events(self._dataset.events(i)) for i, name in enumerate(self._cases)}

    @property
    def ledger(self) -> Any:
        """The energy balance (:class:`Ledger`), where there is one; with cases a dictionary."""
        return self._typed("ledger", Ledger)

    @property
    def health(self) -> Any:
        """What the solver did (:class:`Health`); with cases a dictionary."""
        return self._typed("health", Health)

    def _typed(self, name: str, kind: type[Any]) -> Any:
        known = kind.__dataclass_fields__

        def one(found: dict[str, Any] | None) -> Any:
            if found is None:
                return None
            return kind(**{k: (float("nan") if v is None else v) for k, v in found.items() if k in known})

        found = self._of_case(self.summary[name])
        return one(found) if self._plain else {case: one(entry) for case, entry in found.items()}

    @property
    def provenance(self) -> Mapping[str, Any]:
        """Where the result comes from: every value of the scenario, the version, the formulation, the seed."""
        found: Mapping[str, Any] = self.summary["provenance"]
        return found

    def to_xarray(self) -> xarray.Dataset:
        """As an xarray Dataset: time, or the axes of a map, as dimensions; cases as a dimension; ``units`` as attributes."""
        from ._convert import to_xarray

        return to_xarray(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The motion, the map, or the first table there is, as a DataFrame."""
        from ._convert import main_table

        return self.table(main_table(self)).to_pandas()

    @property
    def figures(self) -> list[tuple[str, str]]:
        """Title and SVG of each figure of the report."""
        return self._dataset.figures()

    def html(self) -> str:
        """The report as a page."""
        return self._dataset.html()

    def __repr__(self) -> str:
        shown = [self.status] + ([str(self.regime)] if self.regime is not None else [])
        shown += [f"{n} = {q}" for n, q in list(self.values.items())[:4] if isinstance(q.value, (float, int, str))]
        return f"<Result: {', '.join(shown)}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(n)}</td><td>{html.escape(str(q))[:200]}</td></tr>" for n, q in self.values.items()
        )
        why = f"<p>{html.escape(self.reason)}</p>" if self.reason else ""
        head = f"<p><b>{self.status}</b> {html.escape(str(self.regime or ''))}</p>{why}"
        figures = "".join(f"<div style='max-width:720px'>{svg}</div>" for _, svg in self.figures[:4])
        return f"{head}{figures}<details><summary>Values</summary><table>{rows}</table></details>"
