"""A block on a belt under Coulomb's law, or a chain of them, in steps of fixed length: the works N1 and N1c.

    m x_i'' + k x_i + kc (2 x_i - x_(i-1) - x_(i+1)) = r_i,   r_i in -F sgn(x_i' - belt),   m = k = kc = 1, F = 0.5

All start with the belt's speed 0.2: one block at x = 0, a chain of n at x_i = 0.3 sin(2 pi (i - 1)/n). The belt is a
heavy extra coordinate. Moreau-Jean with theta = 0.5; the multipliers are impulses, so that a relay's bounds are F h.
Projected Gauss-Seidel is the fastest of its solvers for the chain, and no slower than the others for the block.
"""

FORCE, BELT, HEAVY = 0.5, 0.2, 1e12
TOLERANCE = 1e-10


def siconos(blocks, step, duration):
    import numpy as np
    import siconos.kernel as sk
    import siconos.numerics as sn

    n = blocks
    stiffness = np.zeros((n + 1, n + 1))
    for i in range(n):
        stiffness[i, i] += 1.0
    for i in range(n - 1):
        stiffness[i : i + 2, i : i + 2] += [[1.0, -1.0], [-1.0, 1.0]]
    mass = np.diag([1.0] * n + [HEAVY])
    steps = int(round(duration / step))

    def run():
        """Positions of the first block at each step, and all at the end."""
        q = np.zeros(n + 1)
        if n > 1:
            q[:n] = 0.3 * np.sin(2 * np.pi * np.arange(n) / n)
        system = sk.LagrangianLinearTIDS(q, np.full(n + 1, BELT), mass, stiffness, np.zeros((n + 1, n + 1)))
        world = sk.NonSmoothDynamicalSystem(0.0, duration)
        world.insertDynamicalSystem(system)
        rows = np.hstack([np.eye(n), -np.ones((n, 1))])
        law, relation = sk.RelayNSL(n, -FORCE * step, FORCE * step), sk.LagrangianLinearTIR(rows)
        contact = sk.Interaction(law, relation)
        world.link(contact, system)
        problem = sk.Relay(sn.SICONOS_RELAY_PGS)
        problem.numericsSolverOptions().dparam[0] = TOLERANCE
        moves = sk.TimeStepping(world, sk.TimeDiscretisation(0.0, step), sk.MoreauJeanOSI(0.5), problem)
        positions = np.empty(steps + 1)
        positions[0] = system.q()[0]
        k = 1
        while moves.hasNextEvent() and k <= steps:
            moves.computeOneStep()
            positions[k] = system.q()[0]
            k += 1
            moves.nextStep()
        return positions, system.q()[:n].copy()

    return run
