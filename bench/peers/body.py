"""A meshed body on a belt: the works F2 (a nonsymmetric system) and F3 (eigenvalues of the quadratic problem).

The matrices come in a folder, as the caller wrote them: `starts` and `columns` of one symmetric pattern, the values `K`,
`C` and `M` row after row, and `KT`, those of K column after column.

UMFPACK is called as its library is (Debian: libumfpack5, which works with the BLAS that is installed: libopenblas0-serial is
the fast one); its solution is refined, which is its default. SLEPc needs the complex build (Debian:
python3-slepc4py-complex, python3-petsc4py-complex); `PETSC_COMPLEX` and `SLEPC_COMPLEX` name the folders of these builds.
"""

import functools
import os
import sys
from pathlib import Path


@functools.cache
def matrices(folder):
    import numpy as np
    import scipy.sparse as sp

    def read(name, kind):
        return np.fromfile(Path(folder) / name, dtype=kind)

    starts, columns = read("starts", np.int64), read("columns", np.int32)
    n = len(starts) - 1
    full = {k: sp.csr_matrix((read(k, float), columns.astype(np.int64), starts), shape=(n, n)) for k in ("K", "C", "M")}
    columns_first = sp.csc_matrix((read("KT", float), columns.astype(np.int64), starts), shape=(n, n))
    for matrix in (*full.values(), columns_first):
        matrix.eliminate_zeros()
    return full, columns_first


def umfpack(folder):
    """Ordering, analysis, factors and a solution for a load of ones."""
    import ctypes
    import ctypes.util

    import numpy as np

    name = ctypes.util.find_library("umfpack")
    if name is None:
        raise ImportError("there is no UMFPACK")
    library = ctypes.CDLL(name)
    K = matrices(folder)[1]
    n = K.shape[0]

    def at(array):
        return ctypes.c_void_p(array.ctypes.data)

    starts, rows, values = K.indptr.astype(np.int64), K.indices.astype(np.int64), K.data
    load, control, info = np.ones(n), np.zeros(20), np.zeros(90)
    library.umfpack_dl_defaults(at(control))
    size = ctypes.c_int64(n)

    def run():
        x, symbolic, numeric = np.zeros(n), ctypes.c_void_p(), ctypes.c_void_p()
        matrix = at(starts), at(rows), at(values)
        status = [
            library.umfpack_dl_symbolic(size, size, *matrix, ctypes.byref(symbolic), at(control), at(info)),
            library.umfpack_dl_numeric(*matrix, symbolic, ctypes.byref(numeric), at(control), at(info)),
            library.umfpack_dl_solve(ctypes.c_int64(0), *matrix, at(x), at(load), numeric, at(control), at(info)),
        ]
        library.umfpack_dl_free_symbolic(ctypes.byref(symbolic))
        library.umfpack_dl_free_numeric(ctypes.byref(numeric))
        if any(status):
            raise ArithmeticError(f"UMFPACK: {status}")
        return x

    def answer(x):
        return dict(residual=float(np.linalg.norm(K @ x - load) / np.linalg.norm(load)))

    return run, answer


def slepc(folder, shift, count):
    """Eigenvalues nearest to a shift on the imaginary axis, their vectors and true errors: TOAR and MUMPS."""
    for name, variable in (("PETSC_COMPLEX", "PETSC_DIR"), ("SLEPC_COMPLEX", "SLEPC_DIR")):
        if name in os.environ:
            os.environ[variable] = os.environ[name]
            sys.path.insert(0, str(Path(os.environ[name]) / "lib/python3/dist-packages"))
    import slepc4py

    slepc4py.init([])
    import numpy as np
    from petsc4py import PETSc
    from slepc4py import SLEPc

    if PETSc.ScalarType().dtype.kind != "c":
        raise ImportError("this PETSc has real numbers alone")
    full = matrices(folder)[0]

    def of(matrix):
        index = matrix.indptr.astype("i4"), matrix.indices.astype("i4")
        return PETSc.Mat().createAIJ(matrix.shape, csr=(*index, matrix.data.astype(complex)))

    operators = [of(full[k]) for k in "KCM"]

    def run():
        problem = SLEPc.PEP().create(PETSc.COMM_SELF)
        problem.setOperators(operators)
        problem.setDimensions(count)
        problem.setTarget(1j * shift)
        problem.setWhichEigenpairs(SLEPc.PEP.Which.TARGET_MAGNITUDE)
        problem.setTolerances(1e-10, 200)
        problem.setType(SLEPc.PEP.Type.TOAR)
        transform = problem.getST()
        transform.setType("sinvert")
        solver = transform.getKSP()
        solver.setType("preonly")
        solver.getPC().setType("lu")
        solver.getPC().setFactorSolverType("mumps")
        problem.solve()
        found = []
        for i in range(min(problem.getConverged(), count)):
            x = operators[0].createVecRight()
            value = problem.getEigenpair(i, x, None)
            problem.computeError(i, SLEPc.PEP.ErrorType.BACKWARD)
            found.append((value, x))
        problem.destroy()
        return found

    def residual(value, x):
        terms = [value * value * (full["M"] @ x), value * (full["C"] @ x), full["K"] @ x]
        return float(np.linalg.norm(sum(terms)) / sum(np.linalg.norm(term) for term in terms))

    def answer(found):
        return dict(values=[[value.real, value.imag] for value, _ in found],
                    residual=max(residual(value, x.getArray()) for value, x in found))

    return run, answer
