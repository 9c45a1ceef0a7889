"""What calls cost: printed, never judged. The Rust side of each pair is in `bench`."""

import threading
import time

import numpy as np

import stickslip as ss

TEXT = """
structure = { kind = "spring-block", mass = 1, stiffness = 100, damping = 0.5 }
contact = { normal = { law = "weight" }, friction = { law = "stribeck", mu_s = 0.6, mu_k = 0.35, v_s = "5 cm/s" } }
drive = { kind = "belt", velocity = 0.1 }
analysis = { kind = "transient", duration = "DURATION" }
"""


def best(work, times=20):
    """The shortest of several runs, s."""
    found = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        found.append(time.perf_counter() - begun)
    return min(found)


short = ss.Scenario(TEXT.replace("DURATION", "1 s"))
long = ss.Scenario(TEXT.replace("DURATION", "30 s"))
print(f"read {best(lambda: ss.Scenario(short.text)) * 1e6:.0f} us, set {best(lambda: short.set({'drive.velocity': 0.2})) * 1e6:.0f} us, "
      f"check {best(short.check) * 1e6:.0f} us")
print(f"runs of 1 s and 30 s: {best(short.run) * 1e3:.2f} ms, {best(long.run) * 1e3:.2f} ms")
series = long.run().series
print(f"{len(series.columns)} columns x {len(series)} rows to numpy: {best(lambda: [ss.Series(series._table)[n] for n in series]) * 1e3:.3f} ms")


def two():
    """Two runs side by side."""
    threads = [threading.Thread(target=long.run) for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


print(f"two threads take {best(two) / best(long.run):.2f} of one")
v = np.geomspace(1e-6, 1, 100_000)
for name, parameters in [("stribeck", dict(mu_s=0.5, mu_k=0.3, v_s=0.05)), ("lugre", dict(mu_s=0.5, mu_c=0.3, v_s=0.01, sigma_0=1e5))]:
    law = ss.law(name, **parameters)
    print(f"{name}: force {best(lambda: law.force(v), 5) / len(v) * 1e9:.0f} ns, steady {best(lambda: law.steady(v), 5) / len(v) * 1e9:.0f} ns an entry")
stepper = long.stepper()
print(f"a step {best(lambda: stepper.do_step(stepper.t, 1e-3)) * 1e6:.0f} us, "
      f"with an input {best(lambda: stepper.do_step(stepper.t, 1e-3, {'drive.velocity': 0.1 + 1e-3 * stepper.t})) * 1e6:.0f} us")
