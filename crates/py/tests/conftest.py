"""Scenarios that several tests use."""

import pytest

import stickslip as ss

BELT = """
[structure]
kind = "spring-block"
mass = 1
stiffness = 1

[contact]
normal = { law = "constant", force = 1 }
friction = { law = "coulomb", mu_s = 0.4, mu_k = 0.25 }

[drive]
kind = "belt"
velocity = 0.1

[analysis]
kind = "transient"
duration = 40
"""


@pytest.fixture
def belt() -> ss.Scenario:
    """A block on a belt: each cycle is known in closed form."""
    return ss.Scenario(BELT)
