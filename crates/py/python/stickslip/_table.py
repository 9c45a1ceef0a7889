"""Tables of results: columns of numpy, with units."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _native

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]


class Series:
    """Columns of equal length: by name, ``r.series["rate.x"]``, or by attribute, ``r.series.x``.

    Numbers are seen where the engine keeps them, without a copy, and can't be written to; words are arrays of texts. Programs
    that read Arrow (polars, pandas, duckdb, pyarrow) take the object itself: units stand in the metadata of the fields.
    """

    def __init__(self, table: _native.Table) -> None:
        self._table = table
        self._places = {name: (i, unit, kind) for i, (name, unit, kind) in enumerate(table.columns)}
        self._known: dict[str, NDArray[Any]] = {}

    @property
    def name(self) -> str:
        """Name of the table."""
        return self._table.name

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._places)

    @property
    def units(self) -> dict[str, str]:
        """Units by column; empty where a unit has no meaning."""
        return {name: unit for name, (_, unit, _) in self._places.items()}

    def keys(self) -> list[str]:
        """Names of the columns."""
        return self.columns

    def __len__(self) -> int:
        return len(self._table)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name in self._known:
            return self._known[name]
        if name not in self._places:
            raise KeyError(f"no column {name!r}; there are {', '.join(self._places)}")
        i, _, kind = self._places[name]
        if kind == "word":
            words = self._table.words(i)
            if words is None:
                column: NDArray[Any] = np.asarray(self._table.texts(i) or [], dtype=str)
            else:
                column = np.asarray(words or [""], dtype=str)[np.asarray(self._table.column(i))]
        else:
            column = np.asarray(self._table.column(i))
        self._known[name] = column
        return column

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name.startswith("_") or name not in self._places:
            raise AttributeError(f"no column {name!r}")
        return self[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(n for n in self._places if n.isidentifier())]

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> pandas.DataFrame:
        """As a DataFrame; ``.attrs["units"]`` holds the units."""
        import pandas as pd  # type: ignore[import-untyped,import-not-found,unused-ignore]

        frame = pd.DataFrame({name: self[name] for name in self._places})
        frame.attrs["units"] = self.units
        return frame

    def __repr__(self) -> str:
        shown = ", ".join(f"{n} [{u}]" if u not in ("", "1") else n for n, (_, u, _) in self._places.items())
        return f"<{self.name}: {len(self)} rows of {shown}>"

    def _repr_html_(self) -> str:
        heads = "".join(
            f"<th>{html.escape(n)}{f' [{html.escape(u)}]' if u not in ('', '1') else ''}</th>"
            for n, (_, u, _) in self._places.items()
        )
        rows = [0, 1, 2, -3, -2, -1] if len(self) > 6 else list(range(len(self)))

        def cell(name: str, row: int) -> str:
            x = self[name][row]
            return html.escape(f"{x:.6g}" if isinstance(x, (float, np.floating)) else str(x))

        body = "".join("<tr>" + "".join(f"<td>{cell(n, r)}</td>" for n in self._places) + "</tr>" for r in rows)
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table><p>{len(self)} rows</p>"
