"""The peers, one request at a time: a line of JSON in, a line of JSON out.

    {"work": "w1", "form": "log", "velocity": 5e-6, "stiffness": 1e4, "duration": 200, "rtol": 1e-6, "seconds": 0.05}
    {"work": "w2", "damping": 0.02, "periods": 10000, "seconds": 0.05}
    {"work": "w4", "rtol": 1e-8, "seconds": 0.05}
    {"work": "n1", "blocks": 100, "step": 0.01, "duration": 5, "seconds": 0.05}
    {"work": "f2", "folder": "matrices", "seconds": 0.05}
    {"work": "f3", "folder": "matrices", "shift": 3, "count": 20, "seconds": 0.05}

A request is run once, and again until `seconds` have passed; the answer has the shortest processor time. What can't be imported
or fails is answered with `error`. Compilation is outside of every clock.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"  # before anything reads them

import functools
import json
import sys
import time

# A peer that prints must not disturb the answers.
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


@functools.cache
def slider_solver(form):
    import slider

    return slider.numbalsoda(form)


@functools.cache
def belt_runner(damping):
    import belt

    run = belt.heyoka(damping)
    run(3)
    return run


def slider_run(r):
    solve = slider_solver(r["form"])

    def answer(found):
        end, claimed, evaluations = found
        return dict(end=end, claimed=claimed, evaluations=evaluations)

    return lambda: solve(r["velocity"], r["stiffness"], r["duration"], r["rtol"]), answer


def belt_run(r):
    run = belt_runner(r["damping"])

    def answer(found):
        times, steps = found
        if len(times) < r["periods"]:
            return dict(error=f"stopped after {len(times)} periods")
        # The first period differs (it starts at x = 0); the mean is over the second half.
        half = len(times) // 2
        return dict(period=(times[-1] - times[half]) / (len(times) - 1 - half), steps=steps)

    return lambda: run(r["periods"]), answer


def steps_run(r):
    import steps

    def answer(found):
        positions, end = found
        return dict(largest=float(positions.max()), end=[float(x) for x in end])

    return steps.siconos(r["blocks"], r["step"], r["duration"]), answer


@functools.cache
def step_runner(rtol):
    import step

    return step.numbalsoda(rtol), step.reference()


def step_run(r):
    run, reference = step_runner(r["rtol"])
    run()

    def answer(y):
        off = y[:, 0] - reference[-len(y):]
        found = dict(off=float(abs(off).max()))
        if r.get("reference"):
            found["reference"] = reference.tolist()
        return found

    return run, answer


def system_run(r):
    import body

    return body.umfpack(r["folder"])


def spectrum_run(r):
    import body

    return body.slepc(r["folder"], r["shift"], r["count"])


def serve(request):
    work, answer = {"f2": system_run, "f3": spectrum_run, "w1": slider_run, "w4": step_run, "w2": belt_run, "n1": steps_run}[request["work"]](request)
    best, runs, spent = float("inf"), 0, 0.0
    while runs == 0 or spent < request["seconds"]:
        begin = time.process_time()
        found = work()
        once = time.process_time() - begin
        best, runs, spent = min(best, once), runs + 1, spent + once
    return dict(best=best, runs=runs, spent=spent, **answer(found))


for line in sys.stdin:
    try:
        reply = serve(json.loads(line))
    except Exception as e:  # whatever a peer throws is its result
        reply = dict(error=f"{type(e).__name__}: {e}"[:200])
    print(json.dumps(reply), file=ANSWERS, flush=True)
