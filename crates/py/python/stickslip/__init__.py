"""Stickslip: a laboratory for dynamic friction. Any friction law, on any structure, under any analysis, from one text.

>>> import stickslip as ss
>>> s = ss.open("slider.toml")  # doctest: +SKIP
>>> r = s.set({"drive.velocity": "2 mm/s"}).run()  # doctest: +SKIP
>>> r.status, r.regime, float(r["amplitude_pp"])  # doctest: +SKIP

The text of a scenario is the truth: every call writes it (``.text``), and the command line gives the same results from it.
"""

from ._axes import Range, geom, lin
from ._errors import Diagnostic, Place, ScenarioError, StoreError
from ._fit import Fit
from ._law import Law, law
from ._native import version as _version
from ._result import Event, Events, Health, Ledger, Quantity, Result
from ._scenario import Scenario, open
from ._stepping import Step, Stepper
from ._table import Series

__version__ = _version()

__all__ = [
    "Diagnostic",
    "Event",
    "Events",
    "Fit",
    "Health",
    "Law",
    "Ledger",
    "Place",
    "Quantity",
    "Range",
    "Result",
    "Scenario",
    "ScenarioError",
    "Series",
    "Step",
    "Stepper",
    "StoreError",
    "geom",
    "law",
    "lin",
    "open",
]
