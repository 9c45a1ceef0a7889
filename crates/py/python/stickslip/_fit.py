"""Parameters from measurements."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._result import Quantity, Result
from ._toml import value

UNITS = {
    "time": "s",
    "t": "s",
    "load_velocity": "m/s",
    "displacement": "m",
    "velocity": "m/s",
    "force": "N",
    "pressure": "Pa",
    "approach": "m",
}
"""Units of columns in memory, in SI."""
ROLES = {"t": "time", "x": "displacement", "v": "velocity", "mu": "friction"}
"""Short names of columns."""
HOLDS = ("time", "load_velocity", "displacement", "velocity", "friction", "force", "pressure", "approach", "sigma")


class Fit:
    """What a fit found: ``f.parameters``, ``f.intervals``, ``f.table``; ``f.result`` has the rest, ``f.text`` the scenario."""

    def __init__(self, text: str, result: Result) -> None:
        self.text = text
        self.result = result

    @property
    def status(self) -> str:
        """``ok``, or how far it can be relied on."""
        return self.result.status

    @property
    def entries(self) -> dict[str, dict[str, Any]]:
        """For each path ``value``, ``stderr``, ``ci95``, ``identifiable``, as in ``summary.json``."""
        found = self.result["parameters"].value
        return {str(e.get("parameter", e.get("path"))): dict(e) for e in found}

    @property
    def parameters(self) -> dict[str, Quantity]:
        """The values by path."""
        return {path: Quantity(e["value"], e.get("unit", "")) for path, e in self.entries.items()}

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The 95 % intervals by path; those of parameters that the data do not tell are not finite."""
        return {p: _interval(e.get("ci95")) for p, e in self.entries.items()}

    @property
    def table(self) -> Any:
        """A DataFrame with a row for each parameter."""
        import pandas as pd  # type: ignore[import-untyped,import-not-found,unused-ignore]

        rows = []
        for path, e in self.entries.items():
            low, high = self.intervals[path]
            kept = {k: v for k, v in e.items() if k in ("value", "unit", "stderr", "identifiable")}
            rows.append({"parameter": path, **kept, "low": low, "high": high})
        return pd.DataFrame(rows).set_index("parameter")

    def __getitem__(self, path: str) -> Quantity:
        return self.parameters[path]

    def __repr__(self) -> str:
        shown = ", ".join(f"{p} = {q}" for p, q in self.parameters.items())
        return f"<Fit: {self.status}, {shown}>"

    def _repr_html_(self) -> str:
        return self.result._repr_html_()


def _interval(given: Any) -> tuple[float, float]:
    if not isinstance(given, Sequence) or len(given) != 2:
        return (-np.inf, np.inf)
    low, high = (np.nan if x is None else float(x) for x in given)
    return (low, high)


def record(data: Any, of: str, columns: Mapping[str, str] | None, number: int) -> tuple[dict[str, Any], dict[str, bytes]]:
    """A record of a scenario, and its file where the measurements are in memory.

    Columns say what they hold by their name (``time``, ``friction``, ..) or by ``columns``: ``{"friction": "mu"}``.
    """
    if isinstance(data, Mapping) and ("file" in data or "of" in data):
        return dict(data), {}
    if isinstance(data, (str, os.PathLike)):
        entry: dict[str, Any] = {"of": of, "file": os.fspath(data)}
        return ({**entry, "columns": dict(columns)} if columns else entry), {}
    names = [str(name) for name in (data.keys() if hasattr(data, "keys") else data.columns)]
    arrays = {name: np.asarray(data[name]) for name in names}
    given = dict(columns or {})
    if not given:
        for name in names:
            bare = name.split("[")[0].strip()
            role = ROLES.get(bare, bare)
            if role in HOLDS:
                given[role] = name
    used = [name for name in names if name in given.values()]
    for name in used:
        if arrays[name].dtype.kind not in "fiu":
            raise TypeError(f"the column `{name}` holds numbers, not {arrays[name].dtype}")
        if not np.isfinite(arrays[name].astype(np.float64)).all():
            raise ValueError(f"the column `{name}` holds a number that is not finite")
    missing = [name for name in given.values() if name not in names]
    if missing or not used:
        known = ", ".join(names)
        raise KeyError(f"no column {', '.join(missing) or 'whose name says what it holds'} among {known}")
    lengths = {len(arrays[name]) for name in used}
    if len(lengths) != 1:
        raise ValueError("the columns have different lengths")
    roles = {name: role for role, name in given.items()}

    def head(name: str) -> str:
        unit = UNITS.get(roles[name])
        bare = "[" not in name and unit is not None
        return f"{name} [{unit}]" if bare else name

    lines = [",".join(head(name) for name in used)]
    rows = np.column_stack([arrays[name].astype(np.float64) for name in used])
    lines += [",".join(repr(float(x)) for x in row) for row in rows]
    file = f"record-{number}.csv"
    held = {role: name.split("[")[0].strip() for role, name in given.items()}
    return {"of": of, "file": file, "columns": held}, {file: ("\n".join(lines) + "\n").encode()}


def wanted(free: Any) -> list[dict[str, Any]]:
    """The parameters that are fitted: paths, or paths with ``start`` and ``between``."""
    if isinstance(free, str):
        free = [free]
    if isinstance(free, Mapping):
        return [{"parameter": path, **({"between": list(b)} if b is not None else {})} for path, b in free.items()]
    return [{"parameter": p} if isinstance(p, str) else dict(p) for p in free]


__all__ = ["Fit", "record", "value", "wanted"]
