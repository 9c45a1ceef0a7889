"""Motions step by step."""

import numpy as np
import pytest

import stickslip as ss

RATE_STATE = """
[structure]
kind = "spring-block"
mass = "1.2 kg"
stiffness = "100 N/cm"

[contact]
normal = { law = "weight" }
friction = { law = "rate-state", form = "sinh", mu_0 = 0.369, a = 0.011, b = 0.025, v_0 = "1 um/s", d_c = "0.9 um", eta = "14 s/m" }

[drive]
kind = "pull"
velocity = "5 um/s"

[start]
state = "steady-sliding"
scale = { rates = { velocity = 1.05 } }

[analysis]
kind = "transient"
duration = "20 s"
"""


def probed(s, quantity, times):
    return np.array(s.set({"output.probes": [{"quantity": quantity, "at": list(times)}]}).run()[f"probe.{quantity}"].value)


def test_steps_are_the_transient_at_communication_points(belt):
    times = 0.1 * np.arange(1, 401)
    stepper = belt.stepper()
    x = [stepper.do_step(stepper.t, t - stepper.t)["x"] for t in times]
    assert np.abs(x - probed(belt, "x", times)).max() < 1e-12
    assert stepper.trusted and stepper.ledger.residual < 1e-9


def test_steps_of_a_stiff_law_agree_to_its_tolerance():
    s = ss.Scenario(RATE_STATE)
    times = np.arange(1.0, 21.0)
    stepper = s.stepper()
    x = np.array([stepper.do_step(t - 1, 1.0)["elongation"] for t in times])
    assert np.abs(x / probed(s, "elongation", times) - 1).max() < 1e-6


def test_events_happen_inside_a_step(belt):
    step = belt.stepper().do_step(0.0, 5.0)
    left = [e for e in step.events if e.from_ == "stick"]
    assert len(left) == 1 and 0 < left[0].t < 5 and left[0].coordinates["x"] == pytest.approx(0.4, abs=1e-12)
    assert step["mode"] in ("stick", "slip+") and step.t == 5.0


def test_inputs_that_stay_the_same_change_nothing(belt):
    one, other = belt.stepper(), belt.stepper()
    for k in range(100):
        a, b = one.do_step(0.2 * k, 0.2), other.do_step(0.2 * k, 0.2, {"drive.velocity": 0.1})
    assert a["x"] == pytest.approx(b["x"], abs=1e-12)


def test_a_belt_that_jumps_tears_a_sticking_block_loose(belt):
    stepper = belt.stepper()
    assert stepper.do_step(0.0, 2.0)["mode"] == "stick"
    step = stepper.do_step(2.0, 1e-3, {"drive.velocity": 0.5})
    assert [e.to for e in step.events] == ["slip+"] and step.events[0].t == 2.0
    assert 'velocity = 0.5' in stepper.text


def test_a_controller_in_the_loop(belt):
    """A force held over each step acts as a given force does: with friction off the block is an oscillator under steps."""
    free = belt.set({"contact.friction": {"law": "coulomb", "mu": 0.0}, "drive": {"kind": "force", "force": 0.0}})
    stepper, h, x, v = free.stepper(), 0.1, 0.0, 0.0
    for k in range(100):
        u = 0.3 - 0.5 * v
        step = stepper.do_step(k * h, h, {"drive.force": u})
        # x'' = u - x, exactly.
        x, v = u + (x - u) * np.cos(h) + v * np.sin(h), -(x - u) * np.sin(h) + v * np.cos(h)
        assert step["x"] == pytest.approx(x, abs=1e-9)


def test_a_stream_has_all_rows_in_order(belt):
    parts = list(belt.stream("0.5 s"))
    assert len(parts) == 80 and parts[-1].t == 40.0
    t = np.concatenate([p.rows.t for p in parts])
    assert (np.diff(t) >= 0).all()
    assert "x" in parts[0].rows and parts[0].units["x"] == "m"


def test_wrong_steps_are_refused(belt):
    stepper = belt.stepper()
    stepper.do_step(0.0, 1.0)
    for t, h, inputs in [(0.0, 1.0, {}), (1.0, -1.0, {}), (1.0, float("nan"), {}), (1.0, 1.0, {"drive.veloc": 1})]:
        with pytest.raises((ss.ScenarioError, ValueError)):
            stepper.do_step(t, h, inputs)
    assert stepper.t == 1.0 and stepper.do_step(1.0, 1.0).t == 2.0
    with pytest.raises(ss.ScenarioError):
        belt.stability().stepper()
    with pytest.raises(ValueError):
        next(belt.stream(0.0))
