"""Results as xarray Datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._table import Series

if TYPE_CHECKING:
    import xarray  # type: ignore[import-untyped,import-not-found,unused-ignore]

    from ._result import Result


def main_table(result: Result) -> str:
    """The motion, the map, or the first table there is."""
    names = result.tables
    for name in ("series", "map"):
        if name in names:
            return name
    if not names:
        raise ValueError("this analysis gives no table: its values stand in `.values`")
    return names[0]


def to_xarray(result: Result) -> xarray.Dataset:
    """The main table on its dimensions."""
    import xarray as xr  # type: ignore[import-untyped,import-not-found,unused-ignore]

    name = main_table(result)
    if result.cases:
        parts = {case: result.case(case) for case in result.cases}
        tables = {case: part.table(name) for case, part in parts.items() if name in part.tables}
    else:
        tables = {"": result.table(name)}
    if name == "map":
        found = _maps(result, tables)
    else:
        found = _along(tables)
    if result.cases:
        found = found.assign_coords(case=list(tables))
        for value, quantity in result.values.items():
            entries = [quantity.value.get(case) for case in tables]
            if value not in found and value not in found.coords and all(_plain(x) for x in entries):
                unit = quantity.unit if isinstance(quantity.unit, str) else ""
                found[value] = xr.DataArray([np.nan if x is None else x for x in entries], dims="case")
                found[value].attrs["units"] = unit
    found.attrs.update({"status": result.status, "title": str(result.provenance.get("spec", {}).get("title", ""))})
    return found


def _plain(x: Any) -> bool:
    return x is None or (isinstance(x, (int, float)) and not isinstance(x, bool))


def _missing(like: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Room for values, of which some may be missing."""
    if like.dtype.kind in "fi":
        return np.full(shape, np.nan)
    return np.full(shape, "", dtype=like.dtype)


def _along(tables: dict[str, Series]) -> xarray.Dataset:
    """Tables over their first column; rows of several cases on the union of its values."""
    import xarray as xr  # type: ignore[import-untyped,import-not-found,unused-ignore]

    first = next(iter(tables.values()))
    along = first.columns[0]
    if list(tables) == [""]:
        data = {n: (along, first[n], {"units": first.units[n]}) for n in first.columns[1:]}
        return xr.Dataset(data, {along: (along, first[along], {"units": first.units[along]})})
    # A time that stands twice, before and after an event, is two rows.
    keys = [_counted(t[along]) for t in tables.values()]
    union, places = np.unique(np.concatenate(keys), return_inverse=True)
    splits = np.split(places.ravel(), np.cumsum([len(k) for k in keys])[:-1])
    found = xr.Dataset(coords={along: (along, union["x"], {"units": first.units[along]})})
    for name in [n for n in first.columns[1:] if all(n in t for t in tables.values())]:
        room = _missing(first[name], (len(tables), len(union)))
        for i, (table, place) in enumerate(zip(tables.values(), splits)):
            room[i, place] = table[name]
        found[name] = (("case", along), room, {"units": first.units[name]})
    return found


def _counted(x: NDArray[Any]) -> NDArray[Any]:
    """Values with the number of earlier ones that are equal and stand before them."""
    count = np.zeros(len(x), dtype=np.int64)
    for i in range(1, len(x)):
        if x[i] == x[i - 1]:
            count[i] = count[i - 1] + 1
    out = np.empty(len(x), dtype=[("x", np.float64), ("k", np.int64)])
    out["x"], out["k"] = x, count
    return out


def _maps(result: Result, tables: dict[str, Series]) -> xarray.Dataset:
    """Maps with their axes as dimensions; points that are not done are missing."""
    import xarray as xr  # type: ignore[import-untyped,import-not-found,unused-ignore]

    first = next(iter(tables.values()))
    spec = result.provenance["spec"]
    spec = next(iter(spec["cases"].values())) if result.cases else spec
    axes = [axis["parameter"] for axis in spec["analysis"]["axes"]]
    values = {a: _in_order(np.concatenate([t[a] for t in tables.values()])) for a in axes}
    coords = {a: (a, values[a], {"units": first.units[a]}) for a in axes}
    found = xr.Dataset(coords=coords)
    shape = tuple(len(values[a]) for a in axes)
    several = list(tables) != [""]
    for name in [n for n in first.columns if n not in axes]:
        room = _missing(first[name], ((len(tables),) if several else ()) + shape)
        if room.dtype.kind == "U":
            width = max(t[name].dtype.itemsize for t in tables.values())
            room = room.astype(f"<U{max(1, width // 4)}")
        for i, table in enumerate(tables.values()):
            place = tuple(_place(values[a], table[a]) for a in axes)
            (room[i] if several else room)[place] = table[name]
        dims = (["case"] if several else []) + axes
        found[name] = (dims, room, {"units": first.units[name]})
    return found


def _in_order(x: NDArray[Any]) -> NDArray[Any]:
    """Different values in the order in which they first come."""
    different, first = np.unique(x, return_index=True)
    return np.asarray(different[np.argsort(first)])


def _place(values: NDArray[Any], x: NDArray[Any]) -> NDArray[Any]:
    order = np.argsort(values)
    return np.asarray(order[np.searchsorted(values, x, sorter=order)])
