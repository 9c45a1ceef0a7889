"""One rate-and-state velocity step without inertia: the work W4, the forward model of a fit.

    mu' = k (V - v),    v = v0 exp((mu - mu0 - b ln(v0 th/Dc))/a),    th' = 1 - v th/Dc

mu0 = 0.6, a = 0.005, b = 0.01, Dc = 10 um, k = 1e-3 /um; V from 1 to 10 um/s at t = 10 s; 0 to 40 s, 4,001 samples.
Before the step nothing moves: the peer starts at it. The error is the largest of mu against DOP853 at 1e-13.
"""

import math

import numpy as np
from numba import cfunc

a, b, Dc, k, mu0, vref, V1 = 0.005, 0.01, 10.0, 1e-3, 0.6, 1.0, 10.0
T = np.arange(4001) * 0.01
FIRST = 1000


def reference():
    from scipy.integrate import solve_ivp

    def f(t, y):
        v = vref * math.exp((y[0] - mu0 - b * math.log(vref * y[1] / Dc)) / a)
        return (k * (V1 - v), 1.0 - v * y[1] / Dc)

    at = T[FIRST:]
    s = solve_ivp(f, (10.0, 40.0), (mu0, Dc / vref), method="DOP853", t_eval=at, rtol=1e-13, atol=1e-14)
    return np.concatenate([np.full(FIRST, mu0), s.y[0]])


def numbalsoda(rtol):
    import numbalsoda as nl

    @cfunc(nl.lsoda_sig)
    def g(t, y, dy, p):
        v = vref * math.exp((y[0] - mu0 - b * math.log(vref * y[1] / Dc)) / a)
        dy[0] = k * (p[0] - v)
        dy[1] = 1.0 - v * y[1] / Dc

    start, at, p = np.array([mu0, Dc / vref]), T[FIRST:], np.array([V1])
    address = g.address

    def run():
        y, _ = nl.lsoda(address, start, at, p, rtol=rtol, atol=0.01 * rtol)
        return y

    run.keep = g  # the compiled code lives as long as its function
    return run
