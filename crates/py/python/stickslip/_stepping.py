"""Motions step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from . import _native
from ._result import Events, Ledger
from ._table import Series
from ._toml import settings


class Step(Mapping[str, Any]):
    """The end of a step: ``step["x"]``, ``step["rate.x"]``, the names of the series; and what happened in the step."""

    def __init__(self, part: _native.Part) -> None:
        self.rows = Series(part.rows)
        """The motion in the step, with its start and its end."""
        self.events = Events(part.events)
        """What happened in it."""
        self.status = part.status
        """``ok``, or ``partial`` where Ctrl-C ended it early."""

    @property
    def series(self) -> Series:
        """The motion in the step."""
        return self.rows

    @property
    def t(self) -> float:
        """The time at its end, s."""
        return float(self.rows["t"][-1])

    @property
    def units(self) -> dict[str, str]:
        """Units of the outputs."""
        return self.rows.units

    def __getitem__(self, name: str) -> Any:
        last = self.rows[name][-1]
        return str(last) if isinstance(last, np.str_) else last.item()

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows.columns)

    def __len__(self) -> int:
        return len(self.rows.columns)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("rows", "events", "status") or name not in self.rows:
            raise AttributeError(name)
        return self[name]

    def __repr__(self) -> str:
        return f"<Step to t = {self.t:g} s: {dict(self)}>"


class Stepper:
    """A motion that goes on from call to call, for controllers, live plots and co-simulation."""

    def __init__(self, native: _native.Stepper) -> None:
        self._native = native

    @property
    def t(self) -> float:
        """The time it has reached, s."""
        return self._native.t

    @property
    def text(self) -> str:
        """The scenario with the inputs as they are."""
        return self._native.text

    @property
    def ledger(self) -> Ledger:
        """The energy of all steps together."""
        return Ledger(**dict(self._native.ledger))

    @property
    def trusted(self) -> bool:
        """Whether the energy balances to what a run is trusted with."""
        return self._native.trusted

    def do_step(self, t: float, h: float, inputs: Mapping[str, Any] | None = None) -> Step:
        """Steps from ``t``, where the motion is, to ``t + h``.

        ``inputs`` are values by path, ``{"drive.velocity": 0.2}``: they change at ``t`` and hold until they are changed again.
        Events inside the step happen at their own times.
        """
        return Step(self._native.do_step(float(t), float(h), settings(inputs or {})))
