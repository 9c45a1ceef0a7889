"""A bar in notebooks, where a run takes long enough to be waited for."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any

SOON = 0.5
"""Runs that end before this show no bar, s."""


def in_notebook() -> bool:
    """Whether this is a notebook, which can show a bar. A program that has not loaded IPython is none."""
    if "IPython" not in sys.modules:
        return False
    try:
        ipython: Any = importlib.import_module("IPython")
    except ImportError:
        return False
    return type(ipython.get_ipython()).__name__ == "ZMQInteractiveShell"


class Bar:
    """A bar that is drawn again as the part done grows."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._handle: Any = None

    def __call__(self, part: float) -> None:
        if time.monotonic() - self._begun < SOON:
            return
        shown: Any = importlib.import_module("IPython.display")
        drawn = shown.HTML(f"<progress max='1' value='{part:.4f}' style='width:20em'></progress> {100 * part:.0f} %")
        if self._handle is None:
            self._handle = shown.display(drawn, display_id=True)
        else:
            self._handle.update(drawn)

    def close(self) -> None:
        """Takes it away."""
        if self._handle is not None:
            shown: Any = importlib.import_module("IPython.display")
            self._handle.update(shown.HTML(""))


def chosen(progress: bool | Callable[[float], object] | None) -> Callable[[float], object] | None:
    """The bar that is wanted: without a word one in notebooks."""
    if callable(progress):
        return progress
    wanted = in_notebook() if progress is None else progress
    return Bar() if wanted and in_notebook() else None
