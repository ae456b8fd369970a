# sweeps -- texts of sweep files that several checks run: pendulums, and an oscillator.

# Few points of two groups, one of which has a trajectory.
FEW = """problem: pendulum
parameters: {x0: [0.5, 1.0, 1.5], zeta: {linear: [0, 0.3, 4]}}
methods: [theta2: {theta: [0.1, 0.5]}, {label: other, theta1: {}}]
step: 0.1
steps: 20
metrics: [updates, energy_drift, decay_rate, x_final]
trajectory: {every: 2, where: {x0: [1.0], zeta: [0.1]}}
"""
LINE = """problem: pendulum
parameters: {x0: {linear: [0.5, 1.5, 20]}}
methods: [theta2]
step: 0.1
steps: 20
metrics: [updates, energy_drift]
"""
# Explicit Euler overflows where omega and the step are large.
OVERFLOWING = """problem: harmonic_oscillator
parameters: {omega: {linear: [1, 100, 12]}}
methods: [explicit_euler, rk4]
step: {log: [0.01, 1, 20]}
steps: 600
substeps: {max_depth: 0}
metrics: [status, x_max, energy_drift]
trajectory: {samples: 20, fields: [x], where: {omega: 1, step: 0.01}}
"""


def grid(x0, zeta, end, where, metrics="status, updates, energy_drift, x_final, error_max"):
    """So many values of x0 and zeta, some of which have trajectories, by two methods."""
    return f"""problem: pendulum
parameters: {{x0: {{linear: [0.5, 1.5, {x0}]}}, zeta: {{linear: [0, 0.3, {zeta}]}}}}
methods: [theta2: {{theta: [0.1, 0.5]}}, {{label: other, theta1: {{}}}}]
step: [0.1, 0.05]
end: {end}
metrics: [{metrics}]
trajectory: {{every: 2, fields: [x, energy], where: {where}}}
"""


def design(samples, steps=10, stored=3):
    """Four points for each sample; so many states of each are stored."""
    return f"""problem: pendulum
parameters: {{x0: {{uniform: [0.5, 1.5]}}, zeta: {{uniform: [0, 0.3]}}}}
methods: [rk4]
step: 0.1
steps: {steps}
metrics: [status, x_max, steps, energy_drift]
design: {{saltelli: {{samples: {samples}}}}}
trajectory: {{samples: {stored}, fields: [v]}}
"""


# Trajectories of some points, of all, of points that go together, and of a design, whose blocks have more than 64 KiB; more blocks
# than one; several groups.
TRAJECTORIES = {
    "selected": """problem: pendulum
parameters: {x0: {linear: [0.5, 1.5, 41]}, zeta: {linear: [0, 0.3, 30]}}
methods: [theta2: {theta: [0.1, 0.5]}, {label: other, theta1: {}}]
step: 0.1
steps: 20
metrics: [status, updates, energy_drift, decay_rate, x_final]
trajectory: {every: 2, where: {x0: [0.5, 1.5], zeta: [0, 0.3]}}
""",
    "all": """problem: pendulum
parameters: {x0: {linear: [0.5, 1.5, 30]}, zeta: {linear: [0, 0.3, 50]}}
methods: [theta2]
step: [0.1, 0.05]
end: 2
metrics: [status, updates, energy_drift]
trajectory: {samples: 15, fields: [x, energy]}
""",
    "together": """problem: pendulum
design: zip
parameters: {x0: {linear: [0.5, 1.5, 3000]}, zeta: {linear: [0, 0.3, 3000]}}
methods: [rk4, theta1]
step: 0.1
steps: 10
metrics: [status, x_max]
trajectory: {every: 5, where: {x0: [0.5, 1.0, 1.5]}}
""",
    "design": design(1024, stored=9),
}
