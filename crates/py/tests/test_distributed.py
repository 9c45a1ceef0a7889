"""Maps on other engines, and stores."""

import concurrent.futures as cf
import multiprocessing
import os
import signal
import threading

import numpy as np
import pytest

import stickslip as ss
from stickslip import _native, _worker


@pytest.fixture
def picture(belt):
    ranges = {"drive.velocity": ss.lin(0.05, 0.3, 25), "structure.stiffness": ss.geom(0.5, 5, 20)}
    return belt.map(ranges, collect=["regime", "amplitude_pp"])


def same(a, b):
    a, b = a.table("map"), b.table("map")
    assert a.columns == b.columns
    for name in a.columns:
        assert np.array_equal(a[name], b[name]), name


@pytest.fixture(scope="module")
def pool():
    with cf.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


def test_processes_give_the_bytes_of_a_local_run(picture, pool, tmp_path):
    here = picture.run(store=tmp_path / "here", threads=2)
    there = picture.run(store=tmp_path / "there", executor=pool)
    same(here, there)
    assert (tmp_path / "here/map.parquet").read_bytes() == (tmp_path / "there/map.parquet").read_bytes()
    assert there.status == here.status == "ok" and there.health.resumed == 0
    assert not (tmp_path / "there/.points").exists()


def test_a_range_is_a_pure_function(picture):
    gather = picture._native.gather()
    request = gather.range(0, 10, 20)
    once, again = _native.points(request), _native.points(request)
    assert once == again
    assert (gather.add(once), gather.add(again)) == (10, 0)
    assert gather.missing() == [(0, 0, 10), (0, 20, 500)]
    with pytest.raises(RuntimeError):
        gather.add(once[:-1])
    with pytest.raises(ValueError):
        _native.points(b"nonsense")


def test_points_of_another_map_are_an_error(picture, belt):
    other = belt.map({"drive.velocity": ss.lin(0.05, 0.3, 25)}, collect=["regime"])
    foreign = _native.points(other._native.gather().range(0, 0, 5))
    with pytest.raises(RuntimeError, match="of another map"):
        picture._native.gather().add(foreign)


class DyingExecutor(cf.ThreadPoolExecutor):
    """Loses every third range with its worker."""

    count = 0

    def submit(self, fn, /, *args, **kwargs):
        type(self).count += 1
        lost = type(self).count % 3 == 0

        def work():
            if lost:
                raise KilledWorker
            return fn(*args, **kwargs)

        return super().submit(work)


class KilledWorker(Exception):
    """As dask calls it."""


def test_a_worker_that_dies_loses_only_its_range(picture):
    with DyingExecutor(2) as executor:
        same(picture.run(), picture.run(executor=executor))


def test_a_broken_pool_keeps_what_came(picture, tmp_path, monkeypatch):
    class Broken(cf.ThreadPoolExecutor):
        left = 2

        def submit(self, fn, /, *args, **kwargs):
            type(self).left -= 1
            gone = type(self).left < 0

            def work():
                if gone:
                    raise cf.BrokenExecutor("a process died")
                return fn(*args, **kwargs)

            return super().submit(work)

    with Broken(1) as executor:
        part = picture.run(executor=executor, store=tmp_path / "m")
    assert part.status == "partial" and 0 < len(part.table("map")) < 500
    whole = picture.run(store=tmp_path / "m")
    assert whole.status == "ok" and whole.health.resumed == len(part.table("map"))
    same(whole, picture.run())


def test_errors_of_workers_are_raised(picture):
    class Wrong(cf.ThreadPoolExecutor):
        def submit(self, fn, /, *args, **kwargs):
            return super().submit(_worker.compute, b"nonsense")

    with Wrong(1) as executor, pytest.raises(ValueError):
        picture.run(executor=executor)
    with pytest.raises(TypeError):
        picture.run(executor=5)


def test_a_store_goes_on_and_refuses_another_map(picture, belt, tmp_path):
    store = tmp_path / "m"
    big = belt.set({"analysis.duration": 4000}).map(
        {"drive.velocity": ss.lin(0.05, 0.3, 300), "structure.stiffness": ss.geom(0.5, 5, 300)}
    )
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    part = big.run(store=store)
    assert part.status == "partial" and (store / ".points").is_dir()
    before = sorted(p.name for p in store.rglob("*"))
    with pytest.raises(ss.StoreError) as caught:
        picture.run(store=store)
    assert caught.value.diagnostics[0].code == "store::changed"
    assert sorted(p.name for p in store.rglob("*")) == before
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    more = big.run(store=store)
    assert len(more.table("map")) > len(part.table("map"))
    # Results of another scenario that is finished are left alone too.
    picture.run(store=tmp_path / "done")
    with pytest.raises(ss.StoreError):
        belt.run(store=tmp_path / "done")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign/letter.txt").write_text("mine")
    with pytest.raises(ss.StoreError):
        belt.run(store=tmp_path / "foreign")


def test_dask_gives_the_same(picture):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        same(picture.run(), picture.run(executor=client))
