"""A bar in notebooks, where a run takes long enough to be waited for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

SOON = 0.5
"""Runs that end before this show no bar, s."""


def in_notebook() -> bool:
    """Whether this is a notebook, which can show a bar."""
    try:
        from IPython import get_ipython  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        return False
    return type(get_ipython()).__name__ == "ZMQInteractiveShell"


class Bar:
    """A bar that is drawn again as the part done grows."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._handle: Any = None

    def __call__(self, part: float) -> None:
        if time.monotonic() - self._begun < SOON:
            return
        from IPython.display import HTML, display  # type: ignore[import-not-found,import-untyped,unused-ignore]

        drawn = HTML(f"<progress max='1' value='{part:.4f}' style='width:20em'></progress> {100 * part:.0f} %")
        if self._handle is None:
            self._handle = display(drawn, display_id=True)
        else:
            self._handle.update(drawn)

    def close(self) -> None:
        """Takes it away."""
        if self._handle is not None:
            from IPython.display import HTML

            self._handle.update(HTML(""))


def chosen(progress: bool | Callable[[float], object] | None) -> Callable[[float], object] | None:
    """The bar that is wanted: without a word one in notebooks."""
    if callable(progress):
        return progress
    wanted = in_notebook() if progress is None else progress
    return Bar() if wanted and in_notebook() else None
