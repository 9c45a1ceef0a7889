"""Laws over arrays."""

import numpy as np
import pytest

import stickslip as ss


def test_stribeck_is_its_formula_and_the_slope_is_exact():
    law = ss.law("stribeck", mu_s=0.5, mu_k=0.3, v_s="5 cm/s")
    v = np.geomspace(1e-4, 1, 50)
    force, slope = law.steady(v, n=10, derivative=True)
    bump = 0.2 * np.exp(-((v / 0.05) ** 2))
    assert np.allclose(force, 10 * (0.3 + bump), rtol=1e-14)
    assert np.allclose(slope, 10 * bump * -2 * v / 0.05**2, rtol=1e-12, atol=1e-300)
    assert law.states == {} and law.rates(0.1) == {}


def test_rate_and_state_settles_where_its_rates_vanish():
    p = dict(mu_0=0.6, a=0.01, b=0.015, v_0=1e-6, d_c=1e-5)
    law = ss.law("rate-state", form="log", **p)
    v = np.geomspace(1e-9, 1e-3, 30)
    force, slope = law.steady(v, n=2.0, derivative=True)
    exact = 2.0 * (p["mu_0"] + (p["a"] - p["b"]) * np.log(v / p["v_0"]))
    assert np.allclose(force, exact, rtol=1e-10)
    assert np.allclose(slope * v, 2.0 * (p["a"] - p["b"]), rtol=1e-6)
    rates = law.rates(v, 2.0, states={"phi": p["d_c"] / v})
    assert np.abs(rates["phi"]).max() < 1e-12


def test_derivatives_of_force_and_rates():
    law = ss.law("rate-state", form="log", mu_0=0.6, a=0.01, b=0.015, v_0=1e-6, d_c=1e-5)
    v, phi = np.array([1e-6, 3e-5]), np.array([2.0, 0.1])
    force, by = law.force(v, 5.0, states={"phi": phi}, derivative=True)
    assert np.allclose(by["v"], 5 * 0.01 / v) and np.allclose(by["phi"], 5 * 0.015 / phi)
    assert np.allclose(by["n"], force / 5)
    rates, by = law.rates(v, 5.0, states={"phi": phi}, derivative=True)
    assert np.allclose(rates["phi"], 1 - v * phi / 1e-5)
    assert np.allclose(by["phi"]["v"], -phi / 1e-5) and np.allclose(by["phi"]["phi"], -v / 1e-5)


def test_shapes_follow_numpy():
    law = ss.law("coulomb", mu=0.3)
    assert law.steady(0.1) == pytest.approx(0.3)
    assert law.steady(np.full((2, 1), 0.1), np.array([1.0, 2.0, 3.0])).shape == (2, 3)
    assert law.steady(np.array([])).shape == (0,)
    assert np.array_equal(law.steady([-1, 1], n=[2, 2]), [-0.6, 0.6])


def test_wrong_input_is_refused():
    with pytest.raises(ss.ScenarioError) as caught:
        ss.law("coulom", mu=0.3)
    assert caught.value.diagnostics[0].hint
    with pytest.raises(ss.ScenarioError):
        ss.law("coulomb", mu="3 m")
    with pytest.raises(ss.ScenarioError):
        ss.law("coulomb", mu=0.3, nothing=1)
    law = ss.law("coulomb", mu=0.3)
    with pytest.raises(ValueError):
        law.steady([0.1, np.nan])
    with pytest.raises(ValueError):
        law.steady(0.1, n=-1)
    with pytest.raises(TypeError):
        law.steady(["fast"])
    with pytest.raises(KeyError):
        law.force(0.1, states={"phi": 1})
    with pytest.raises(TypeError):
        ss.law(5)


def test_help_lists_the_catalogue():
    assert "lugre:" in ss.law.__doc__ and "sigma_0 [1/m]" in ss.law.__doc__


def test_law_goes_into_a_scenario(belt):
    law = ss.law("stribeck", mu_s=0.5, mu_k=0.3, v_s="5 cm/s")
    assert belt.set({"contact.friction": law.table}).check() == []
