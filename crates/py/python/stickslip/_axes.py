"""Ranges of parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from ._toml import table, value

Number = Union[float, int, str]
"""A number in SI, or a text with a unit: ``"2 mm/s"``."""


@dataclass(frozen=True)
class Range:
    """Values from one end to the other, both included. Made by :func:`lin` and :func:`geom`."""

    start: Number
    stop: Number
    points: int | None
    scale: str
    cells: bool = False

    def entries(self) -> dict[str, Any]:
        """The keys of a scenario."""
        found: dict[str, Any] = {"from": self.start, "to": self.stop, "points": self.points}
        if self.scale != "linear":
            found["scale"] = self.scale
        if self.cells:
            found["cells"] = True
        return found


Values = Union[Range, Sequence[Number], "NDArray[np.float64]"]
"""A range, or the values one by one."""


def _points(points: int | None) -> int | None:
    if points is not None and (isinstance(points, bool) or not isinstance(points, (int, np.integer))):
        raise TypeError(f"a number of points is an int, not {type(points).__name__}")
    return None if points is None else int(points)


def lin(start: Number, stop: Number, points: int | None = None, *, cells: bool = False) -> Range:
    """Evenly spaced values, ends included; with ``cells`` at the centres of so many cells.

    >>> lin(50, 150, 3)
    Range(start=50, stop=150, points=3, scale='linear', cells=False)
    """
    return Range(start, stop, _points(points), "linear", cells)


def geom(start: Number, stop: Number, points: int | None = None, *, cells: bool = False) -> Range:
    """Values in equal ratios, ends included: ``geom("1 um/s", "1 m/s", 7)``."""
    return Range(start, stop, _points(points), "log", cells)


class Axis:
    """A parameter that varies, as scenarios write it."""

    def __init__(self, path: str, values: Values) -> None:
        if not isinstance(path, str):
            raise TypeError(f"a path is a text, not {type(path).__name__}")
        self.path = path
        if isinstance(values, Range):
            self.entries: dict[str, Any] = {"parameter": path, **values.entries()}
        elif isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__len__"):
            raise TypeError(f"the values of `{path}` are lin(..), geom(..) or a list, not {type(values).__name__}")
        else:
            self.entries = {"parameter": path, "values": list(values)}

    def to_toml(self) -> str:
        """As an inline table."""
        return value({k: v for k, v in self.entries.items() if v is not None})


def axes(ranges: Mapping[str, Values]) -> list[Axis]:
    """Axes from paths and their values."""
    if not isinstance(ranges, Mapping):
        raise TypeError(f"axes are a mapping from paths to values, not {type(ranges).__name__}")
    return [Axis(path, values) for path, values in ranges.items()]


def axis(given: Mapping[str, Values]) -> Axis:
    """One axis."""
    found = axes(given)
    if len(found) != 1:
        raise ValueError(f"expected one path with its values, not {len(found)}")
    return found[0]


__all__ = ["Axis", "Number", "Range", "Values", "axes", "axis", "geom", "lin", "table"]
