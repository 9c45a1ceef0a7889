"""Scenarios, diagnostics and results."""

import json
import math
import os
import pickle
import signal
import threading

import numpy as np
import pytest

import stickslip as ss


def test_set_leaves_the_old_scenario_as_it_was(belt):
    before = belt.text
    faster = belt.set({"drive.velocity": "20 cm/s"})
    assert belt.text == before and "0.1" in belt.text
    assert 'velocity = "20 cm/s"' in faster.text
    assert faster.run()["amplitude_pp"] == ss.Scenario(faster.text).run()["amplitude_pp"]


def test_amplitude_of_stick_slip_is_exact(belt):
    """Stick ends at mu_s N / k; the slip that follows about mu_k N / k has the radius sqrt((mu_s - mu_k)^2 + (v/omega)^2)."""
    r = belt.set({"analysis.duration": 400}).run()
    assert (r.status, r.regime) == ("ok", "stick-slip")
    assert float(r["amplitude_pp"]) == pytest.approx(2 * math.hypot(0.15, 0.1), rel=1e-9)
    assert r["amplitude_pp"].unit == "m"
    assert r.ledger.residual < 1e-10


def test_names_are_those_of_the_summary(belt):
    r = belt.run()
    assert set(r.summary) >= {"status", "regime", "values", "ledger", "health", "provenance"}
    assert {n: q.value for n, q in r.values.items()} == {n: e["value"] for n, e in r.summary["values"].items()}
    with pytest.raises(KeyError):
        r["no such value"]
    json.dumps(r.summary)


def test_run_writes_no_file(belt, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    belt.run()
    assert not list(tmp_path.iterdir())


def test_series_are_seen_without_a_copy(belt):
    series = belt.run().series
    x = series.x
    assert x is series["x"] and not x.flags.writeable and not x.flags.owndata
    assert series.units["rate.x"] == "m/s"
    assert set(series.mode) == {"stick", "slip+"}
    with pytest.raises(ValueError):
        x[0] = 1.0
    with pytest.raises(AttributeError):
        series.nothing
    with pytest.raises(KeyError):
        series["nothing"]


def test_numbers_outlive_their_result(belt):
    x = belt.run().series.x
    for _ in range(20):
        belt.run()
    assert np.isfinite(x).all() and x.max() < 1


def test_events_are_typed(belt):
    events = belt.run().events
    first = [e for e in events if e.from_ == "stick"][0]
    assert first["from"] == "stick" and first.to == "slip+" and first.kind == "transition"
    assert first.coordinates["x"] == pytest.approx(0.4, abs=1e-12)
    assert len(events.to_pandas()) == len(events)


def test_a_wrong_key_has_its_place_code_and_hint(belt):
    text = belt.text.replace("velocity", "velocty")
    [d] = [d for d in ss.Scenario(text).check() if d.code == "scenario::unknown-key"]
    line = text.split("\n").index("velocty = 0.1") + 1
    assert (d.place.line, d.place.column) == (line, 1)
    assert d.hint == "did you mean `velocity`?"
    with pytest.raises(ss.ScenarioError) as caught:
        ss.Scenario(text).run()
    assert d in caught.value.diagnostics
    assert str(d).startswith("error[scenario::unknown-key]")
    assert belt.check() == []


@pytest.mark.parametrize(
    "changes",
    [
        {"drive.velocity": "3 kg"},
        {"structure.mass": -1},
        {"contact.friction.mu_s": 0.1},
        {"no.such": 1},
        {"drive.velocity": "2 blinks"},
        {"analysis.kind": "guess"},
    ],
)
def test_wrong_values_raise_with_diagnostics(belt, changes):
    with pytest.raises(ss.ScenarioError) as caught:
        belt.set(changes).run()
    assert caught.value.diagnostics and all(d.code for d in caught.value.diagnostics)
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == caught.value.diagnostics


def test_wrong_types_are_type_errors(belt):
    for bad in (lambda: ss.Scenario(5), lambda: belt.set(5), lambda: belt.set({1: 2}), lambda: belt.set({"a": object()})):
        with pytest.raises(TypeError):
            bad()
    with pytest.raises(TypeError):
        belt.run(threads="two")
    with pytest.raises(TypeError):
        ss.lin(0, 1, 2.5)
    for bad in (float("nan"), float("inf"), [1.0, float("nan")], np.array([np.nan])):
        with pytest.raises(ValueError):
            belt.set({"drive.velocity": bad})


def test_text_that_is_not_toml_is_refused_at_once():
    with pytest.raises(ss.ScenarioError) as caught:
        ss.Scenario("[structure\n")
    assert caught.value.diagnostics[0].code == "scenario::syntax"


def test_cases_are_a_dimension(belt):
    pytest.importorskip("xarray")
    cases = ss.Scenario(
        belt.text
        + """
[[case]]
name = "soft"
set = { "structure.stiffness" = 0.5 }

[[case]]
name = "hard"
set = { "structure.stiffness" = 2 }
"""
    )
    r = cases.run()
    assert r.cases == ["soft", "hard"] and set(r["amplitude_pp"].value) == {"soft", "hard"}
    data = r.to_xarray()
    assert list(data.case.values) == ["soft", "hard"] and data.x.attrs["units"] == "m"
    hard = data.x.sel(case="hard").dropna("t")
    own = r.case("hard").series
    assert np.array_equal(hard.values, own.x) and np.array_equal(hard.t.values, own.t)
    assert float(data.amplitude_pp.sel(case="soft")) == float(r.case("soft")["amplitude_pp"])
    frame = r.to_pandas()
    assert set(frame["case"]) == {"soft", "hard"}
    # What is set goes to every case, and stands in the text.
    faster = cases.set({"drive.velocity": 0.2})
    assert ss.Scenario(faster.text).run()["amplitude_pp"] == faster.run()["amplitude_pp"]


def test_to_xarray_has_time_as_coordinate(belt):
    pytest.importorskip("xarray")
    r = belt.run()
    data = r.to_xarray()
    assert data.x.dims == ("t",) and data.t.attrs["units"] == "s"
    assert np.array_equal(data["rate.x"].values, r.series["rate.x"])


def test_arrow_takes_the_series_with_units(belt):
    pa = pytest.importorskip("pyarrow")
    series = belt.run().series
    table = pa.table(series)
    assert table.schema.field("x").metadata == {b"unit": b"m"}
    assert np.array_equal(table.column("x").to_numpy(), series.x)
    assert table.column("mode").to_pylist() == list(series.mode)
    del series
    assert table.column("x").to_numpy().max() < 1


def test_ctrl_c_gives_a_partial_result(belt):
    long = belt.set({"analysis.duration": {"cycles": 50_000_000}, "analysis.max_steps": 1_000_000_000})
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    r = long.run()
    assert r.status == "partial"
    assert len(r.series) > 10


def test_threads_of_python_run_side_by_side(belt):
    found = []
    threads = [threading.Thread(target=lambda: found.append(belt.run()["amplitude_pp"].value)) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(set(found)) == 1 and len(found) == 4


def test_report_is_shown_in_notebooks(belt):
    page = belt.run()._repr_html_()
    assert "<svg" in page and "amplitude_pp" in page
    assert belt.run().html().lower().startswith("<!doctype html")
