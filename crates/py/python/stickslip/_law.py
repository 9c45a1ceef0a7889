"""Friction laws over arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._toml import key, value

Array = NDArray[np.float64]


class Law:
    """A friction law with its parameters, over arrays of numbers. Made by :func:`law`."""

    def __init__(self, name: str, parameters: Mapping[str, Any]) -> None:
        if not isinstance(name, str):
            raise TypeError(f"the name of a law is a text, not {type(name).__name__}")
        self.name = name
        self.parameters = dict(parameters)
        table = "".join(f", {key(k)} = {value(v)}" for k, v in parameters.items())
        self._native = _native.Law(f"law = {value(name)}{table}")

    @property
    def text(self) -> str:
        """A scenario that holds the law."""
        return self._native.text

    @property
    def table(self) -> dict[str, Any]:
        """The law as a scenario holds it: ``s.set({"contact.friction": law.table})``."""
        return {"law": self.name, **self.parameters}

    @property
    def states(self) -> dict[str, str]:
        """Names of the states, with their units."""
        return {name: unit for name, unit, _ in self._native.states}

    @property
    def claims(self) -> list[str]:
        """What the law promises: ``odd``, ``memoryless``, ``set-valued``, .."""
        return self._native.claims

    @property
    def unit(self) -> str:
        """The unit of force: N, or Pa for a law that works with pressures; then ``n`` is a pressure."""
        return self._native.force_unit

    def steady(self, v: ArrayLike, n: ArrayLike = 1.0, derivative: bool = False) -> Any:
        """Friction in steady sliding at the velocities ``v`` (m/s) under the normal forces ``n`` (N).

        With ``derivative`` also its exact derivative in the velocity, along the states that the law has settled to. Of a
        set-valued law it is the force in slip; at rest as it sets out forwards.
        """
        arrays, shape = _together({"v": v, "n": n})
        force, slope = self._native.steady(*arrays.values())
        found = _shaped(force, shape)
        return (found, _shaped(slope, shape)) if derivative else found

    def force(
        self,
        v: ArrayLike,
        n: ArrayLike = 1.0,
        states: Mapping[str, ArrayLike] | None = None,
        derivative: bool = False,
    ) -> Any:
        """Friction at velocities, normal forces and states by name; states that are not given are as the law starts.

        With ``derivative`` also the exact derivatives, a dictionary by ``v``, ``n`` and the names of the states.
        """
        arrays, given, shape = self._inputs(v, n, states)
        force, slopes = self._native.force(arrays["v"], arrays["n"], given, derivative)
        return (_shaped(force, shape), self._named(slopes, shape)) if derivative else _shaped(force, shape)

    def rates(
        self,
        v: ArrayLike,
        n: ArrayLike = 1.0,
        states: Mapping[str, ArrayLike] | None = None,
        derivative: bool = False,
    ) -> Any:
        """The rate of each state, a dictionary by name.

        With ``derivative`` also the exact derivatives, for each state a dictionary by ``v``, ``n`` and states.
        """
        arrays, given, shape = self._inputs(v, n, states)
        found = self._native.rates(arrays["v"], arrays["n"], given, derivative)
        rates = {name: _shaped(rate, shape) for name, (rate, _) in zip(self.states, found)}
        if not derivative:
            return rates
        return rates, {name: self._named(slopes, shape) for name, (_, slopes) in zip(self.states, found)}

    def _named(self, slopes: list[_native.Column], shape: tuple[int, ...]) -> dict[str, Any]:
        return {name: _shaped(slope, shape) for name, slope in zip(["v", "n", *self.states], slopes)}

    def _inputs(
        self, v: ArrayLike, n: ArrayLike, states: Mapping[str, ArrayLike] | None
    ) -> tuple[dict[str, bytes], list[tuple[int, bytes]], tuple[int, ...]]:
        known = list(self.states)
        for name in states or {}:
            if name not in known:
                raise KeyError(f"`{self.name}` has no state {name!r}; there are {', '.join(known) or 'none'}")
        arrays, shape = _together({"v": v, "n": n, **{f"state {k}": x for k, x in (states or {}).items()}})
        given = [(known.index(name), arrays[f"state {name}"]) for name in states or {}]
        return arrays, given, shape

    def plot(self, v: ArrayLike | None = None, n: float = 1.0, ax: Any = None) -> Any:
        """Draws the steady curve with matplotlib; over six decades of velocity unless ``v`` is given."""
        import matplotlib.pyplot as plt  # type: ignore[import-untyped,import-not-found,unused-ignore]

        speeds = np.geomspace(1e-6, 1.0, 200) if v is None else np.asarray(v, dtype=np.float64)
        ax = ax or plt.gca()
        ax.plot(speeds, self.steady(speeds, n) / n, label=self.name)
        if v is None:
            ax.set_xscale("log")
        ax.set_xlabel("slip velocity (m/s)")
        ax.set_ylabel("friction over normal force")
        return ax

    def __repr__(self) -> str:
        return f"law({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in self.parameters.items())])})"


def law(name: str, /, **parameters: Any) -> Law:
    """A friction law by its name in the catalogue, with its parameters: numbers in SI, or texts with a unit.

    >>> stribeck = law("stribeck", mu_s=0.5, mu_k=0.3, v_s="5 cm/s")
    >>> force, slope = stribeck.steady([0.01, 0.1], n=10, derivative=True)
    >>> stribeck.rates(0.1)
    {}

    Wrong parameters raise a ``ScenarioError`` that says what was expected.
    """
    return Law(name, parameters)


def _together(given: Mapping[str, ArrayLike]) -> tuple[dict[str, bytes], tuple[int, ...]]:
    """Arrays of one shape as bytes; a single number stays one."""
    arrays = {}
    for name, x in given.items():
        array = np.asarray(x)
        if array.dtype.kind not in "fiu":
            raise TypeError(f"`{name}` is an array of numbers, not of {array.dtype}")
        array = array.astype(np.float64, copy=False)
        if not np.isfinite(array).all():
            raise ValueError(f"`{name}` holds a number that is not finite")
        if name == "n" and (array < 0).any():
            raise ValueError("`n` holds a negative normal force")
        arrays[name] = array
    shape = np.broadcast_shapes(*(a.shape for a in arrays.values()))
    out = {k: (a if a.size == 1 else np.broadcast_to(a, shape)).tobytes() for k, a in arrays.items()}
    if 0 in shape:
        out = {k: b"" for k in out}
    return out, shape


def _shaped(column: _native.Column, shape: tuple[int, ...]) -> Any:
    """The answer in the shape of what was asked: a number for numbers."""
    found = np.asarray(column)
    if shape == ():
        return float(found[0])
    return found.reshape(shape) if found.size == int(np.prod(shape)) else np.broadcast_to(found, shape)


def _document() -> None:
    """Lists the laws of the catalogue in the help of :func:`law`."""
    lines = ["", "Laws of the catalogue, with their parameters and units:", ""]
    for kind, name, about, parameters in _native.catalogue():
        if kind == "friction":
            first = about.strip().split("\n")[0]
            listed = ", ".join(f"{p} [{unit}]" for p, unit, _ in parameters)
            lines += [f"{name}: {first}", f"    {listed}"]
    law.__doc__ = (law.__doc__ or "") + "\n".join(f"    {line}" if line else "" for line in lines) + "\n"


_document()
