# workloads -- what is integrated: the problem, its axis, the method and the step of each workload, and where systems start.
#
# W6 is the ensemble that GPU solvers of ordinary differential equations are compared by: sweeps/lorenz_ensemble.yaml.
import math
from dataclasses import dataclass, field

TOLERANCE = 1e-10
PAPER = f"{{mode: paper, tolerance: {TOLERANCE!r}}}"
EXACT = "{mode: robust, tolerance: 1.0e-14}"  # to the rounding floor
SAMPLE = 64  # systems whose final states are compared


@dataclass(frozen=True)
class Workload:
    name: str
    problem: str
    method: str  # an entry of `methods`
    macro: str  # which equations physics.h compiles
    axis: str
    spacing: str  # linear or log
    first: float
    last: float
    dofs: int
    parameters: dict = field(default_factory=dict)
    step: float = 0.01
    single: bool = False
    bound: float = 1e-9  # of what rounding may do between codes of one algorithm

    @property
    def first_order(self):
        return self.problem == "lorenz"

    def value(self, i, count):
        part = i / (count - 1) if count > 1 else 0.0
        if self.spacing == "log":
            return self.first * (self.last / self.first) ** part
        return self.first + (self.last - self.first) * part

    def values(self, count, stride=1):
        """Every stride-th of count values along the axis."""
        return [self.value(i, count) for i in range(0, count, stride)]

    def sweep(self, values, method, step, steps, metrics, newton=PAPER, single=False):
        """The sweep file of these systems. values: those of the axis, their number, evenly spaced, or None: points are given later."""
        axis = f"{{{self.spacing}: [{self.first!r}, {self.last!r}, {values}]}}" if isinstance(values, int) else values
        given = ({} if values is None else {self.axis: axis}) | self.parameters
        lines = [f"problem: {self.problem}", f"parameters: {{{', '.join(f'{name}: {value}' for name, value in given.items())}}}"]
        lines += ["methods:", f"  - {{label: run, {method}}}", f"step: {step!r}", f"steps: {steps}"]
        lines += [f"newton: {newton}", "substeps: {budget: 1000000}", *(["precision: single"] if single else [])]
        return "\n".join(lines + [f"metrics: [{', '.join(metrics)}]", ""])

    def start(self, value):
        """Parameter, positions and velocities of one system, as the cards of the problems have them; of W6 parameter and state."""
        if self.first_order:
            return [value, 1.0, 0.0, 0.0]
        if self.problem == "pendulum":
            return [value, value, 0.0]
        if self.problem == "spring_chain":
            stretch = self.parameters["x0"]
            return [value] + [stretch * ((i + 1) / self.dofs) for i in range(self.dofs)] + [0.0] * self.dofs
        half = math.sqrt(0.5)
        if self.problem == "elastic_pendulum_polar":
            return [value, 1.0 + value, 0.25 * math.pi, half, -half]
        return [value, (1.0 + value) * half, (1.0 + value) * half, 1.0 + 0.5 * value, -0.5 * value]


ALPHA, THETA, RK4 = "generalized_alpha: {rho_inf: 0.6}", "theta2: {theta: 0.07}", "rk4: {}"


def chain(masses):
    return Workload(f"W4n{masses}", "spring_chain", ALPHA, f"CHAIN={masses}", "eps", "log", 0.5, 0.1, masses,
                    {"n": masses, "cubic": 1.0, "x0": 0.1})


WORKLOADS = {w.name: w for w in [
    Workload("W1", "pendulum", ALPHA, "PENDULUM", "x0", "linear", 0.5, 2.5, 1),
    Workload("W2", "elastic_pendulum_cartesian", THETA, "ELASTIC_CARTESIAN", "eps", "log", 1e-1, 1e-3, 2),
    Workload("W3", "pendulum", RK4, "PENDULUM", "x0", "linear", 0.5, 2.5, 1),
    chain(4), chain(8),
    Workload("W5", "elastic_pendulum_polar", THETA, "ELASTIC_POLAR", "eps", "log", 1e-1, 1e-3, 2),
    Workload("W6", "lorenz", RK4, "LORENZ", "rho", "linear", 0.0, 21.0, 3, {}, 0.001, True,
             1e-3)]}  # 1000 steps, a rounding of coordinates up to 20 in each
