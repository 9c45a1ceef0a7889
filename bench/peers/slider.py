"""The spring slider of Lim and Chen: the work W1 (one run) and W1e (1,000 runs).

State in SI units: spring extension e, slider velocity v, age of the contacts phi.

    e'   = V - v
    v'   = (K e - N mu) / M
    phi' = 1 - |v| phi / D
    mu   = A asinh(c v) + eta v,    2 c = exp(a/A) (phi V0/D)^(b/A) phi/D

This is the sinh-regularised rate-and-state law with its sign absorbed, so it is smooth through v = 0.

Start: steady sliding at V with phi raised by 5 %. A run asks for rtol and atol = rtol * scale, where the
scales of e, v, phi are N a/K, V/1000 and 1e-4 D/V; in the form `log`, where ln phi takes the place of phi and so
cannot turn negative, the third scale is 1. A run of the ensemble lasts 40 loading times a N / (K V).
"""

import math

import numpy as np
from numba import cfunc, njit, types

a, b, A = 0.369, 0.014, 0.011
V0, D, eta = 1e-6, 0.9e-6, 14.0
M = 1.2
N = 9.81 * M
LOADS = 40.0
PIECES = 200

# ln(2 c) = LEVEL + GAIN ln phi
GAIN = 1.0 + b / A
LEVEL = a / A + (b / A) * math.log(V0 / D) - math.log(D)


def steady_friction(V):
    return A * math.asinh(0.5 * math.exp((a - b * math.log(V / V0)) / A)) + eta * V


def start(V, K):
    """(e, v, ln phi) at the start."""
    return N * steady_friction(V) / K, V, math.log(1.05 * D / V)


def duration(V, K):
    return LOADS * a * N / (K * V)


def pairs():
    """The (V, K) of the ensemble: 40 velocities, and for each 25 stiffnesses."""
    return [(V, K) for V in np.logspace(-7, -2, 40).tolist() for K in np.logspace(3, 6, 25).tolist()]


def reference_indices(count):
    """Pairs spread over both axes; the first 20 are those that `--every 51` takes."""
    return [51 * i % 1000 for i in range(count)]


@njit(error_model="numpy", inline="always")
def acceleration(e, v, w, K):
    """v' with w = ln phi. A NaN of a peer that left the domain passes through."""
    c = 0.5 * math.exp(LEVEL + GAIN * w)
    return (K * e - N * (A * math.asinh(v * c) + eta * v)) / M


def numbalsoda(form):
    """LSODA compiled together with the equations. It takes one atol for all, hence the scaled variables."""
    import numbalsoda as peer

    pointer = types.CPointer(types.double)
    signature = types.void(types.double, pointer, pointer, pointer)

    # parameters p: V, K, the three scales, count of evaluations
    @cfunc(signature, error_model="numpy")
    def plain(_t, u, du, p):
        p[5] += 1.0
        v, phi = u[1] * p[3], u[2] * p[4]
        w = math.log(phi) if phi > 0.0 else math.nan
        du[0] = (p[0] - v) / p[2]
        du[1] = acceleration(u[0] * p[2], v, w, p[1]) / p[3]
        du[2] = (1.0 - abs(v) * phi / D) / p[4]

    @cfunc(signature, error_model="numpy")
    def logarithmic(_t, u, du, p):
        p[5] += 1.0
        v, w = u[1] * p[3], u[2]
        du[0] = (p[0] - v) / p[2]
        du[1] = acceleration(u[0] * p[2], v, w, p[1]) / p[3]
        du[2] = math.exp(-w) - abs(v) / D

    address = (logarithmic if form == "log" else plain).address

    def solve(V, K, T, rtol):
        """End state (e, v, phi) or None, whether success was claimed, evaluations."""
        e, v, w = start(V, K)
        scale = np.array([N * a / K, 1e-3 * V, 1.0 if form == "log" else 1e-4 * D / V])
        begin = np.array([e, v, w if form == "log" else math.exp(w)]) / scale
        p = np.array([V, K, *scale, 0.0])
        u, claimed = peer.lsoda(address, begin, np.array([0.0, T]), p, rtol=rtol, atol=rtol, mxstep=10**8)
        end = u[-1] * scale
        if form == "log":
            end[2] = math.exp(min(end[2], 700.0))
        good = claimed and np.isfinite(end).all()
        return (end.tolist() if good else None), bool(claimed), int(p[5])

    solve(5e-6, 1e4, 1e-3, 1e-6)  # compile outside any clock
    return solve


def radau(V, K, T, rtol):
    """End state (e, v, phi) and steps by SciPy's Radau in e/scale, asinh(v/U), ln phi: for references.

    With U far below any velocity of the run, the tolerance on the second variable is a relative one on v.
    """
    from scipy.integrate import solve_ivp

    U, scale = 1e-12, N * a / K

    @njit(error_model="numpy")
    def rates(_t, y):
        e, v = y[0] * scale, U * math.sinh(y[1])
        return np.array(
            [(V - v) / scale, acceleration(e, v, y[2], K) / math.hypot(U, v), math.exp(-y[2]) - abs(v) / D]
        )

    @njit(error_model="numpy")
    def jacobian(_t, y):
        e, v, w = y[0] * scale, U * math.sinh(y[1]), y[2]
        h = math.hypot(U, v)
        c = 0.5 * math.exp(LEVEL + GAIN * w)
        r = A * c / math.hypot(1.0, v * c)
        f = acceleration(e, v, w, K)
        J = np.zeros((3, 3))
        J[0, 1] = -h / scale
        J[1, 0] = K * scale / M / h
        J[1, 1] = -N * (r + eta) / M - f * v / (h * h)
        J[1, 2] = -N * r * v * GAIN / M / h
        J[2, 1] = -math.copysign(h, v) / D
        J[2, 2] = -math.exp(-w)
        return J

    e, v, w = start(V, K)
    y, steps = [e / scale, math.asinh(v / U), w], 0
    # The equations do not know the time, so it may start again in every piece: slips last microseconds, and late
    # in a run of 1e6 s the spacing of floating-point times would limit the step.
    for _ in range(PIECES):
        run = solve_ivp(rates, (0.0, T / PIECES), y, method="Radau", jac=jacobian, rtol=rtol, atol=rtol)
        if not run.success:
            raise RuntimeError(run.message)
        y, steps = run.y[:, -1].tolist(), steps + len(run.t) - 1
    return [y[0] * scale, U * math.sinh(y[1]), math.exp(y[2])], steps


def relative_error(end, reference):
    """Largest relative error of the three end values."""
    return max(abs(x / r - 1.0) for x, r in zip(end, reference))
