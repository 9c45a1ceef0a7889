"""What the command line adds: shards of a map, and units for co-simulation, checked by FMPy."""

import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import stickslip as ss

PROGRAM = os.environ.get("STICKSLIP") or shutil.which("stickslip")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="STICKSLIP names no program")


def program(*words, folder):
    return subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True)


@pytest.fixture
def picture(belt, tmp_path):
    ranges = {"drive.velocity": ss.lin(0.05, 0.3, 23), "structure.stiffness": ss.geom(0.5, 5, 10)}
    m = belt.map(ranges, collect=["regime", "amplitude_pp"])
    (tmp_path / "map.toml").write_text(m.text)
    return m


def test_shards_merge_into_the_bytes_of_a_local_run(picture, tmp_path):
    for i in (1, 2, 3):
        assert program("run", "map.toml", "--shard", f"{i}/3", "--out", f"part-{i}", folder=tmp_path).returncode == 0
    missing = program("merge", "part-1", "part-3", "--out", "whole", folder=tmp_path)
    assert missing.returncode == 2 and "77 of 230 points are missing" in missing.stderr
    assert not (tmp_path / "whole").exists()
    assert program("merge", "part-2", "part-1", "part-3", "--out", "whole", folder=tmp_path).returncode == 0
    picture.run(store=tmp_path / "here")
    assert (tmp_path / "whole/map.parquet").read_bytes() == (tmp_path / "here/map.parquet").read_bytes()


def test_parts_of_another_map_are_refused(picture, belt, tmp_path):
    (tmp_path / "other.toml").write_text(belt.map({"drive.velocity": ss.lin(0.05, 0.3, 5)}).text)
    program("run", "map.toml", "--shard", "1/2", "--out", "a", folder=tmp_path)
    program("run", "other.toml", "--shard", "2/2", "--out", "b", folder=tmp_path)
    foreign = program("merge", "a", "b", "--out", "c", folder=tmp_path)
    assert foreign.returncode == 2 and "data::foreign-points" in foreign.stderr
    assert program("run", "map.toml", "--shard", "3/2", folder=tmp_path).returncode == 2


def test_a_unit_in_fmpy_is_the_transient(belt, tmp_path):
    fmpy = pytest.importorskip("fmpy")
    (tmp_path / "case.toml").write_text(belt.text)
    done = program("export", "case.toml", "--fmu", "case.fmu", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    unit = str(tmp_path / "case.fmu")
    described = fmpy.read_model_description(unit, validate=True)
    variables = {v.name: v for v in described.modelVariables}
    assert variables["x"].causality == "output" and variables["x"].unit == "m"
    assert variables["rate.x"].unit == "m/s" and variables["drive.velocity"].causality == "parameter"
    assert float(variables["structure.stiffness"].start) == 1.0 and variables["structure.stiffness"].unit == "N/m"

    def simulated(**start):
        found = fmpy.simulate_fmu(
            unit, stop_time=40, output_interval=0.25, output=["x", "rate.x", "mode"], start_values=start
        )
        return found["time"], found["x"], found["rate.x"]

    def transient(s, times):
        probes = [{"quantity": q, "at": list(times)} for q in ("x", "rate.x")]
        r = s.set({"output.probes": probes}).run()
        return r["probe.x"].value, r["probe.rate.x"].value

    t, x, v = simulated()
    own_x, own_v = transient(belt, t[1:])
    assert x[0] == 0 and np.abs(x[1:] - own_x).max() < 1e-8
    # Rates may jump at an event on a communication point: elsewhere they agree.
    assert np.median(np.abs(v[1:] - own_v)) < 1e-8 and np.abs(v[1:] - own_v).max() < 1e-8
    t, x, _ = simulated(**{"structure.stiffness": 2.0, "drive.velocity": 0.15})
    own_x, _ = transient(belt.set({"structure.stiffness": 2.0, "drive.velocity": 0.15}), t[1:])
    assert np.abs(x[1:] - own_x).max() < 1e-8


def test_a_unit_changes_its_parameters_between_steps_and_goes_back(belt, tmp_path):
    fmpy = pytest.importorskip("fmpy")
    from fmpy.fmi3 import FMU3Slave

    (tmp_path / "case.toml").write_text(belt.text)
    assert program("export", "case.toml", "--fmu", "case.fmu", folder=tmp_path).returncode == 0
    described = fmpy.read_model_description(str(tmp_path / "case.fmu"))
    at = {v.name: v.valueReference for v in described.modelVariables}
    unit = FMU3Slave(
        guid=described.guid,
        unzipDirectory=fmpy.extract(str(tmp_path / "case.fmu"), str(tmp_path / "unit")),
        modelIdentifier=described.coSimulation.modelIdentifier,
        instanceName="one",
    )
    unit.instantiate()
    unit.enterInitializationMode()
    unit.exitInitializationMode()
    unit.doStep(0.0, 2.0)
    state = unit.getFMUState()
    unit.setFloat64([at["drive.velocity"]], [0.5])
    unit.doStep(2.0, 1.0)
    stepper = belt.stepper()
    stepper.do_step(0.0, 2.0)
    x = stepper.do_step(2.0, 1.0, {"drive.velocity": 0.5})["x"]
    assert unit.getFloat64([at["x"]])[0] == pytest.approx(x, abs=1e-12)
    unit.setFMUState(state)
    unit.doStep(2.0, 1.0)
    own = belt.set({"output.probes": [{"quantity": "x", "at": [3.0]}]}).run()["probe.x"].value[0]
    assert unit.getFloat64([at["x"]])[0] == pytest.approx(own, abs=1e-12)
    with pytest.raises(Exception):
        unit.doStep(0.0, 1.0)
    with pytest.raises(Exception):
        unit.setFloat64([at["x"]], [1.0])
    unit.freeFMUState(state)
    unit.terminate()
    unit.freeInstance()


def test_what_does_not_go_in_steps_is_refused(belt, tmp_path):
    (tmp_path / "map.toml").write_text(belt.stability().text)
    done = program("export", "map.toml", "--fmu", "case.fmu", folder=tmp_path)
    assert done.returncode == 2 and "fmu::not-served" in done.stderr
    assert not pathlib.Path(tmp_path / "case.fmu").exists()
