"""Values of Python as TOML, in which scenarios are written."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def text(value: str) -> str:
    """A text in quotes."""
    return '"' + "".join(_ESCAPES.get(c, c if c >= " " else f"\\u{ord(c):04x}") for c in value) + '"'


def key(name: str) -> str:
    """A key, in quotes where it must be."""
    bare = name != "" and all(c.isascii() and (c.isalnum() or c in "_-") for c in name)
    return name if bare else text(name)


def value(given: Any) -> str:
    """A number, a text (a quantity, a formula, a name), a truth value, a list or a table."""
    if hasattr(given, "to_toml"):
        return str(given.to_toml())
    if isinstance(given, (bool, np.bool_)):
        return "true" if given else "false"
    if isinstance(given, (int, np.integer)):
        return str(int(given))
    if isinstance(given, (float, np.floating)):
        number = float(given)
        if not math.isfinite(number):
            raise ValueError(f"a value of a scenario must be a finite number, not {number}")
        return repr(number)
    if isinstance(given, str):
        return text(given)
    if isinstance(given, Mapping):
        return "{ " + ", ".join(f"{key(_name(k))} = {value(v)}" for k, v in given.items()) + " }"
    if isinstance(given, np.ndarray):
        return value(given.tolist())
    if isinstance(given, Sequence):
        return "[" + ", ".join(value(v) for v in given) + "]"
    raise TypeError(f"a value of a scenario is a number, a text, a list or a table, not {type(given).__name__}")


def _name(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError(f"a key is a text, not {type(given).__name__}")
    return given


def settings(changes: Mapping[str, Any]) -> list[str]:
    """Changes as the command line writes them: ``path=value``."""
    if not isinstance(changes, Mapping):
        raise TypeError(f"changes are a mapping from paths to values, not {type(changes).__name__}")
    return [f"{_name(path)}={value(new)}" for path, new in changes.items()]


def table(entries: Mapping[str, Any]) -> str:
    """The lines of a table; entries that are None are left out."""
    return "".join(f"{key(k)} = {value(v)}\n" for k, v in entries.items() if v is not None)
