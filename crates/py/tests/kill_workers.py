"""Workers of a map are killed while it runs, ten times: nothing is lost, nothing is repeated, and the bytes are those of a local run."""

import os
import pathlib
import random
import signal
import sys
import tempfile
import threading
import time

import stickslip as ss

TEXT = """
structure = { kind = "spring-block", mass = 1, stiffness = 1 }
contact = { normal = { law = "constant", force = 1 }, friction = { law = "coulomb", mu_s = 0.4, mu_k = 0.25 } }
drive = { kind = "belt", velocity = 0.1 }
analysis = { kind = "transient", duration = 2000 }
"""
KILLS = int(sys.argv[1]) if len(sys.argv) > 1 else 10


def main() -> None:
    from distributed import Client, LocalCluster

    ranges = {"drive.velocity": ss.geom(0.01, 0.3, 150), "structure.stiffness": ss.geom(0.5, 5, 100)}
    m = ss.Scenario(TEXT).map(ranges, collect=["regime", "amplitude_pp"])
    with tempfile.TemporaryDirectory() as room:
        here, there = pathlib.Path(room, "here"), pathlib.Path(room, "there")
        m.run(store=here, threads=2)
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            client.submit(abs, 1).result()
            killed: list[int] = []
            over = threading.Event()

            def kill() -> None:
                while len(killed) < KILLS and not over.wait(random.uniform(0.3, 0.9)):
                    processes = client.scheduler_info(n_workers=-1)["workers"].values()
                    victims = [p for p in client.run(os.getpid).values()] if processes else []
                    if victims:
                        os.kill(victims[0], signal.SIGKILL)
                        killed.append(victims[0])
                        time.sleep(0.5)

            killer = threading.Thread(target=kill)
            killer.start()
            r = m.run(executor=client, store=there)
            over.set()
            killer.join()
        points = len(r.table("map"))
        same = (here / "map.parquet").read_bytes() == (there / "map.parquet").read_bytes()
        print(f"{len(killed)} workers killed: {r.status}, {points} points, bytes {'identical' if same else 'DIFFERENT'}")
        sys.exit(0 if same and r.status == "ok" else 1)


if __name__ == "__main__":
    main()
