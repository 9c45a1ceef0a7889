"""The benchmark's work done by other tools, so that both are measured in the same hour on the same machine.

    python peers.py w1 --velocity 5e-6 --stiffness 1e4 --duration 200 --rtol 1e-6,1e-8 --runs 7
    python peers.py w1e --rtol 1e-6 --every 51
    python peers.py w2 --damping 0.02 --periods 10000
    python peers.py w1-reference --velocity 5e-6 --stiffness 1e4 --duration 200
    python peers.py w1e-reference --pairs 50

Each measurement is one JSON object on a line of stdout: seconds of the best and the worst of several runs, the end
state or the period, its error, and what failed. A time counts only where nothing failed. Times leave out
compilation. `slider.py` and `belt.py` hold the equations. All of it runs on one thread.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"  # before anything reads them

import argparse
import json
import time
from pathlib import Path

REFERENCE = Path(__file__).resolve().parent.parent / "reference.json"


def emit(**row):
    print(json.dumps(row), flush=True)


def measured(work, runs):
    """Best and worst seconds of `runs` calls, and what the last call gave."""
    seconds, result = [], None
    for _ in range(runs):
        begin = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - begin)
    return dict(runs=runs, best_s=min(seconds), worst_s=max(seconds)), result


def stored(key):
    return json.loads(REFERENCE.read_text())[key]["runs"] if REFERENCE.exists() else []


def same(x, y):
    return abs(x - y) <= 1e-9 * abs(y)


def w1(args):
    import slider

    V, K = args.velocity, args.stiffness
    T = args.duration or slider.duration(V, K)
    known = [
        r["end"]
        for r in stored("w1")
        if same(V, r["velocity"]) and same(K, r["stiffness"]) and same(T, r["duration"])
    ]
    for form in args.form:
        solve = slider.numbalsoda(form)
        for rtol in args.rtol:
            clock, (end, claimed, evaluations) = measured(lambda: solve(V, K, T, rtol), args.runs)
            error = slider.relative_error(end, known[0]) if end and known else None
            emit(work="w1", peer="numbalsoda", form=form, velocity=V, stiffness=K, duration=T, rtol=rtol, **clock,
                 end=end, error=error, evaluations=evaluations, failed=int(end is None),
                 silent_nan=int(end is None and claimed))


def w1e(args):
    import slider

    chosen = list(enumerate(slider.pairs()))[:: args.every]
    known = {r["pair"]: r["end"] for r in stored("w1e")}
    for form in args.form:
        solve = slider.numbalsoda(form)
        for rtol in args.rtol:
            def all_pairs():
                return [(i, *solve(V, K, slider.duration(V, K), rtol)) for i, (V, K) in chosen]

            clock, ends = measured(all_pairs, args.runs)
            errors = sorted(slider.relative_error(end, known[i]) for i, end, *_ in ends if end and i in known)
            emit(work="w1e", peer="numbalsoda", form=form, every=args.every, pairs=len(chosen), rtol=rtol, **clock,
                 best_ms_per_pair=1e3 * clock["best_s"] / len(chosen), compared=len(errors),
                 error_median=errors[len(errors) // 2] if errors else None, error=errors[-1] if errors else None,
                 evaluations=sum(n for *_, n in ends), failed=sum(end is None for _, end, *_ in ends),
                 silent_nan=sum(end is None and claimed for _, end, claimed, _ in ends))


def reference(V, K, T, coarse, fine):
    """The end state at `fine`, and how far the one at `coarse` is from it."""
    import slider

    rough, _ = slider.radau(V, K, T, coarse)
    end, steps = slider.radau(V, K, T, fine)
    return dict(velocity=V, stiffness=K, duration=T, end=end, rtol=[coarse, fine],
                difference=slider.relative_error(rough, end), steps=steps)


def w1_reference(args):
    import slider

    V, K = args.velocity, args.stiffness
    T = args.duration or slider.duration(V, K)
    emit(work="w1-reference", **reference(V, K, T, 1e-11, 1e-12))


def w1e_reference(args):
    import slider

    pairs = slider.pairs()
    for i in slider.reference_indices(args.pairs):
        V, K = pairs[i]
        emit(work="w1e-reference", pair=i, **reference(V, K, slider.duration(V, K), 1e-9, 1e-10))


def w2(args):
    import belt

    exact = belt.exact_period(args.damping)
    run = belt.heyoka(args.damping)
    run(3)  # warm
    clock, (times, steps) = measured(lambda: run(args.periods), args.runs)
    # The first period differs (it starts at x = 0); the mean is over the second half.
    half = len(times) // 2
    complete = len(times) == args.periods
    period = (times[-1] - times[half]) / (len(times) - 1 - half) if complete else None
    emit(work="w2", peer="heyoka", damping=args.damping, periods=args.periods, tolerance=belt.TOLERANCE, **clock,
         best_us_per_period=1e6 * clock["best_s"] / args.periods, steps=steps, period=period, exact_period=exact,
         error=abs(period / exact - 1.0) if complete else None, failed=int(not complete))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    works = parser.add_subparsers(required=True)

    def command(name, work):
        sub = works.add_parser(name)
        sub.set_defaults(work=work)
        return sub

    def numbers(text):
        return [float(x) for x in text.split(",")]

    def single(sub):
        sub.add_argument("--velocity", type=float, default=5e-6, help="m/s")
        sub.add_argument("--stiffness", type=float, default=1e4, help="N/m")
        sub.add_argument("--duration", type=float, help="s; 40 loading times unless given")

    def solver(sub, rtol, runs):
        sub.add_argument("--rtol", type=numbers, default=rtol, help="one or several, with commas")
        sub.add_argument("--form", type=lambda x: x.split(","), default=["log"], help="log, phi or both")
        sub.add_argument("--runs", type=int, default=runs)

    sub = command("w1", w1)
    single(sub)
    solver(sub, [1e-6, 1e-7, 1e-8, 1e-9, 1e-10], 7)
    sub = command("w1e", w1e)
    solver(sub, [1e-6], 3)
    sub.add_argument("--every", type=int, default=1, help="take every n-th pair of the grid")
    single(command("w1-reference", w1_reference))
    command("w1e-reference", w1e_reference).add_argument("--pairs", type=int, default=50)
    sub = command("w2", w2)
    sub.add_argument("--damping", type=float, default=0.02)
    sub.add_argument("--periods", type=int, default=10000)
    sub.add_argument("--runs", type=int, default=3)

    args = parser.parse_args()
    args.work(args)


if __name__ == "__main__":
    main()
