# roster -- the peers: how each is built, what it runs, and what is equal to the kernels' work and what is not.
from dataclasses import dataclass

from workloads import WORKLOADS

SUNDIALS = ["-lsundials_nvecserial", "-lsundials_sunmatrixdense", "-lsundials_sunlinsoldense", "-lm"]
FULL = ("-O3", "-march=native")
FAST = ("-Ofast", "-march=native")


@dataclass(frozen=True)
class Peer:
    name: str
    file: str
    mode: str  # {name} and {method} are the workload's
    workloads: tuple
    package: str  # where the library comes from: a Debian package, for Python peers those of PyPI
    needs: str  # a header, or Python modules
    equal: str
    unequal: str
    like: str = ""  # the method that its results are compared with, where that is not the workload's
    finer: int = 1  # of so many steps for each of the peer's
    tight: float = 0.0  # tolerance for the comparison, where that of the timed runs is too coarse; the kernels' then is rounding
    own_steps: bool = False  # another algorithm, at the tolerance where its error is that of the kernels
    libraries: tuple = ()
    pkg_config: str = ""
    flags: tuple = FULL
    compiler: str = "gcc"

    @property
    def python(self):
        return self.file.endswith(".py")


IN_X = ("analytic Jacobian; the unknown is x, whose rounding limits the tolerance below h = 0.006; two half steps more at "
        "the start")
PAPER = "algorithm, Newton's tolerance, its Jacobian by central differences"

PENDULA = Peer("pendula", "with_pendula.py", "{name} {method}", tuple(WORKLOADS), "numpy", "pendula", "", "")
STUDY = Peer("the study", "study.py", "", (), "numba SALib", "pendula, numba, SALib", "", "")

PEERS = [
    Peer("ARKODE midpoint", "arkode.c", "each", ("W1", "W2", "W4n4", "W4n8", "W5"), "libsundials-dev",
         "arkode/arkode_arkstep.h", "step, implicit, order 2; its result is that of implicit_midpoint",
         "the method is the implicit midpoint rule; x and v are both unknowns; the Jacobian is by forward differences and "
         "used again for up to 20 steps; Newton stops by the update, at 1e-10 times 0.1; results are compared "
         "with both solved to rounding",
         like="implicit_midpoint: {}", tight=1e-13, libraries=("-lsundials_arkode", *SUNDIALS)),
    Peer("CVODE BDF", "cvode.c", "bdf", ("W1", "W2", "W4n4", "W4n8", "W5"), "libsundials-dev", "cvode/cvode.h",
         "the largest error at the end, to half a decade of tolerance", "order and steps vary; dense Jacobian by differences, "
         "reused; a 'step' is one of the kernels' that it replaces", own_steps=True,
         libraries=("-lsundials_cvode", "-lsundials_sunnonlinsolfixedpoint", *SUNDIALS)),
    Peer("CVODE Adams", "cvode.c", "adams", ("W1", "W2", "W3", "W4n4", "W4n8", "W5"), "libsundials-dev", "cvode/cvode.h",
         "the largest error at the end, to half a decade of tolerance", "order and steps vary; fixed-point iteration without a "
         "Jacobian; a 'step' is one of the kernels' that it replaces", own_steps=True,
         libraries=("-lsundials_cvode", "-lsundials_sunnonlinsolfixedpoint", *SUNDIALS)),
    Peer("PETSc TSALPHA2 each", "petsc.c", "each", ("W1", "W4n4", "W4n8"), "libpetsc-real-dev", "petscts.h",
         "algorithm, Newton's tolerance", IN_X,
         libraries=("-lm",), pkg_config="PETSc", compiler="mpicc"),
    Peer("PETSc TSALPHA2 batch", "petsc.c", "batch", ("W1", "W4n4", "W4n8"), "libpetsc-real-dev", "petscts.h",
         "algorithm, Newton's tolerance",
         "all systems of a worker are one: Newton goes on until the last of them is done; " + IN_X,
         libraries=("-lm",), pkg_config="PETSc", compiler="mpicc"),
    Peer("GSL rk4", "gsl.c", "each", ("W3",), "libgsl-dev", "gsl/gsl_odeiv2.h", "method and step",
         "takes every step once more in two halves for an error estimate, and returns these: rk4 at h/2 for the work of three",
         finer=2, libraries=("-lgsl", "-lgslcblas", "-lm")),
    Peer("odeint each", "odeint.cpp", "each", ("W3", "W6"), "libboost-dev", "boost/numeric/odeint.hpp", "algorithm", "on W3 sin is libm's",
         libraries=("-lm",), compiler="g++"),
    Peer("odeint ensemble", "odeint.cpp", "ensemble", ("W3", "W6"), "libboost-dev", "boost/numeric/odeint.hpp", "algorithm",
         "128 systems are one state; on W3 sin is libm's", libraries=("-lm",), compiler="g++"),
    Peer("odeint ensemble -Ofast", "odeint.cpp", "ensemble", ("W3", "W6"), "libboost-dev", "boost/numeric/odeint.hpp", "algorithm",
         "128 systems are one state; -Ofast: other rounding, on W3 vector sin of 4 ulp", libraries=("-lm",), flags=FAST,
         compiler="g++"),
    Peer("numba", "with_numba.py", "{name}", ("W1", "W2", "W3", "W6"), "numba", "numba", PAPER, "W2's two unknowns by Cramer's rule"),
    Peer("JAX vmap", "with_jax.py", "{name}", ("W1", "W2", "W3", "W6"), "jax", "jax", PAPER,
         "W2's two unknowns by Cramer's rule; Newton goes on until the last system of a worker is done")]

# Shown by --work-precision, each at several steps.
METHODS = ["generalized_alpha: {rho_inf: 0.6}", "theta2: {theta: 0.07}", "implicit_midpoint: {}", "rk4: {}", "dopri5: {}"]
