"""Questions that write the text of a scenario."""

import numpy as np
import pytest

import stickslip as ss


def test_map_has_its_axes_as_dimensions(belt):
    pytest.importorskip("xarray")
    m = belt.map({"drive.velocity": ss.geom(0.05, 0.2, 3), "structure.stiffness": [1.0, 4.0]}, collect=["regime", "amplitude_pp"])
    assert ss.Scenario(m.text).text == m.text
    data = m.run(threads=2).to_xarray()
    assert data.regime.dims == ("drive.velocity", "structure.stiffness") and data.regime.shape == (3, 2)
    assert data["drive.velocity"].attrs["units"] == "m/s" and data.amplitude_pp.attrs["units"] == "m"
    one = belt.set({"drive.velocity": 0.2, "structure.stiffness": 4.0}).run()
    assert float(data.amplitude_pp.sel({"drive.velocity": 0.2, "structure.stiffness": 4.0})) == one["amplitude_pp"].value
    frame = m.run().to_pandas()
    assert list(frame.columns) == ["drive.velocity", "structure.stiffness", "regime", "amplitude_pp", "status"]


def test_text_is_the_truth(belt):
    for asked in (
        belt.map({"drive.velocity": ss.lin("5 cm/s", "20 cm/s", 4)}),
        belt.stability(),
        belt.limit_cycle(),
        belt.ask("threshold", nested=True, parameter="drive.velocity", between=[0.01, 5.0], outcome="regime"),
    ):
        assert asked.check() == [], asked.text
        assert asked.run().values == ss.Scenario(asked.text).run().values


def test_limit_cycle_is_the_motion(belt):
    cycle = belt.limit_cycle().run()
    motion = belt.set({"analysis.duration": 400}).run()
    assert float(cycle["amplitude_pp"]) == pytest.approx(float(motion["amplitude_pp"]), rel=1e-8)


def test_frequency_response_of_an_oscillator():
    s = ss.Scenario(
        """
        parameters = { omega = "0.9 rad/s" }
        structure = { kind = "spring-block", mass = 1, stiffness = 1, damping = 0.1 }
        contact = { normal = { law = "constant", force = 1 }, friction = { law = "coulomb", mu = 0 } }
        drive = { kind = "force", force = { sine = { amplitude = 1, omega = "omega" } } }
        analysis = { kind = "transient", duration = "10 s" }
        """
    )
    r = s.frequency_response({"parameters.omega": ss.lin("0.5 rad/s", "1.5 rad/s", 5)}).run()
    table = r.table("response")
    w = table["omega"]
    assert np.allclose(table["amplitude"], 1 / np.hypot(1 - w**2, 0.1 * w), rtol=1e-6)


def test_fit_finds_what_made_the_data():
    law = ss.law("stribeck", mu_s=0.5, mu_k=0.3, v_s=0.05)
    v = np.geomspace(1e-3, 1.0, 40)
    rng = np.random.default_rng(1)
    data = {"velocity": v, "friction": law.steady(v) + 1e-4 * rng.standard_normal(40)}
    s = ss.Scenario(
        """
        structure = { kind = "spring-block", mass = 1, stiffness = 100 }
        contact = { normal = { law = "constant", force = 1 }, friction = { law = "stribeck", mu_s = 0.6, mu_k = 0.2, v_s = 0.1 } }
        drive = { kind = "belt", velocity = 0.1 }
        analysis = { kind = "transient", duration = 1 }
        """
    )
    free = ["contact.friction.mu_s", "contact.friction.mu_k", "contact.friction.v_s"]
    f = s.fit(data, free, of="force-velocity")
    assert f.status == "ok" and list(f.parameters) == free
    for path, exact in zip(free, [0.5, 0.3, 0.05]):
        low, high = f.intervals[path]
        assert low - (high - low) < exact < high + (high - low)
        assert float(f[path]) == pytest.approx(exact, rel=2e-3)
    assert "fit" in f.result.tables
    with pytest.raises(ValueError):
        s.fit({"velocity": v, "friction": np.full(40, np.nan)}, free, of="force-velocity")
    with pytest.raises(KeyError):
        s.fit({"a": v, "b": v}, free)


def test_ranges_are_as_they_are_written():
    assert ss.lin(0, 1, 3).entries() == {"from": 0, "to": 1, "points": 3}
    assert ss.geom("1 um/s", "1 m/s", 7).entries()["scale"] == "log"
    with pytest.raises(TypeError):
        ss.Scenario("").map({"a": "b"})
