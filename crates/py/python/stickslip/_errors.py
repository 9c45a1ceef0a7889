"""Errors, with the diagnostics of the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Place:
    """A place in a text: lines and columns are counted from 1."""

    file: str
    line: int
    column: int


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong."""

    code: str
    """A stable name, as the command line prints it: ``scenario::unknown-key``."""
    message: str
    """What happened."""
    hint: str | None
    """What one can do."""
    place: Place | None
    """Where, if there is a place in a text."""
    label: str | None = None
    """What was expected."""
    case: str | None = None
    """The case it arises in, where it does not arise in all."""
    text: str = ""
    """All of it as the command line prints it."""

    def __str__(self) -> str:
        return self.text or f"error[{self.code}]: {self.message}"


def diagnostics(text: str) -> list[Diagnostic]:
    """The diagnostics that the engine gives as JSON."""

    def one(d: dict[str, Any]) -> Diagnostic:
        line = int(d["line"])
        place = Place(str(d["file"]), line, int(d["column"])) if line > 0 else None
        return Diagnostic(
            d["code"], d["message"], d.get("hint"), place, d.get("label"), d.get("case"), d.get("text", "")
        )

    return [one(d) for d in json.loads(text)]


class ScenarioError(ValueError):
    """A wrong scenario, or a request that can't be served; ``diagnostics`` say what, where, and what to do."""

    diagnostics: list[Diagnostic]

    def __init__(self, message: str, diagnostics: list[Diagnostic] | None = None) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics or [])

    @classmethod
    def from_json(cls, text: str) -> ScenarioError:
        """Made by the engine."""
        all_of_them = diagnostics(text)
        return cls("\n\n".join(str(d) for d in all_of_them), all_of_them)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.diagnostics))


class StoreError(ScenarioError):
    """A folder that does not take these results: it holds those of another scenario, or other files."""
