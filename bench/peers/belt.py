"""A block on a belt with two Coulomb coefficients: the work W2, thousands of stick-slip periods, event by event.

    m x'' + c x' + k x = friction,    m = k = normal force = 1,  mu_s = 0.4, mu_k = 0.25, belt speed 0.1

The block sticks (x' = belt speed) until k x + c x' reaches mu_s, then slips under mu_k until x' is the belt speed
again. It starts sticking at x = 0; the damping c is the parameter. Tolerance 1e-9.
"""

import math

MU_S, MU_K, BELT = 0.4, 0.25, 0.1
TOLERANCE = 1e-9


def leave(c):
    """Where stick ends."""
    return MU_S - c * BELT


def exact_period(c):
    """The slip phase is a damped oscillation about MU_K: its end by bisection, then the time of the stick phase."""
    decay = 0.5 * c
    omega = math.sqrt(1.0 - decay * decay)
    q0 = leave(c) - MU_K
    s0 = (BELT + decay * q0) / omega

    def at(t):
        cos, sin, shrink = math.cos(omega * t), math.sin(omega * t), math.exp(-decay * t)
        q = shrink * (q0 * cos + s0 * sin)
        return q, shrink * omega * (s0 * cos - q0 * sin) - decay * q

    # The velocity starts at the belt's, falls below it and comes back in the second half turn.
    low = math.pi / omega
    high = low
    while at(high)[1] < BELT:
        high += 1e-3
        if high > 2.0 * math.pi / omega:
            raise ValueError("no stick: the damping is too large for a stick-slip cycle")
    low = high - 1e-3
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if at(middle)[1] < BELT else (low, middle)
    return high + (leave(c) - MU_K - at(high)[0]) / BELT


def heyoka(c):
    """Taylor integration with one terminal event per switch; a 0/1 parameter holds the phase."""
    import heyoka as peer

    x, v = peer.make_vars("x", "v")
    slipping = peer.par[0]
    system = [(x, v), (v, slipping * (MU_K - c * v - x))]
    up = peer.event_direction.positive

    times, wanted = [], [0]

    def slip(ta, _sign):
        ta.pars[0] = 1.0
        return True

    def stick(ta, _sign):
        ta.pars[0], ta.state[1] = 0.0, BELT
        times.append(ta.time)
        return len(times) < wanted[0]

    # Outside its own phase each event function is held at -1, so that it cannot fire.
    events = [
        peer.t_event((1.0 - slipping) * (x - leave(c)) - slipping, callback=slip, direction=up),
        peer.t_event(slipping * (v - BELT) - (1.0 - slipping), callback=stick, direction=up),
    ]
    # Compiled once, outside of every clock.
    ta = peer.taylor_adaptive(system, [0.0, BELT], pars=[0.0], tol=TOLERANCE, t_events=events)

    def run(periods):
        """Times at which stick begins, and steps."""
        times.clear()
        wanted[0] = periods
        ta.time, ta.state[:], ta.pars[:] = 0.0, [0.0, BELT], [0.0]
        ta.reset_cooldowns()
        outcome = ta.propagate_until(1e3 * periods)
        return times.copy(), int(outcome[3])

    return run
