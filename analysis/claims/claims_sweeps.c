// claims_sweeps -- the sweeps that claims are measured by, in as few groups as will do: each is a kernel to compile.
#include "analysis/claims/claims_lab.h"

// Both stiff pendulums, and the runs at the rounding floor, share their metrics, so that the floor needs no kernel of
// its own.
#define STIFF_METRICS                                                                                         \
    "metrics: [status, updates, condition_max, condition_mean, high_frequency_amplitude, radius_error_max,\n" \
    "  angle_error_max, visually_correct, {amplitude_initial: {of: slow}}, {amplitude_final: {of: slow}}]\n"

#define STIFF_METHODS                                                                                             \
    "methods:\n"                                                                                                  \
    "  - generalized_alpha: {rho_inf: 0.6}\n"                                                                     \
    "  - theta2: {theta: 0.07}\n"                                                                                 \
    "  - {label: generalized_alpha_printed, generalized_alpha: {rho_inf: 0.6}, parameters: {variant: printed}}\n" \
    "  - {label: theta2_printed, theta2: {theta: 0.07}, parameters: {variant: printed}}\n"

// An error per substep near rounding, and as many substeps as that takes.
#define TRUE_METHODS(...)                                                     \
    "methods:\n"                                                              \
    "  - {label: right, dopri5_adaptive: {rtol: 1.0e-12, atol: 1.0e-12}}\n"   \
    "  - {label: printed, dopri5_adaptive: {rtol: 1.0e-12, atol: 1.0e-12},\n" \
    "     parameters: {variant: printed}}\n" __VA_ARGS__ "step: 0.05\n"       \
    "end: 10\n"                                                               \
    "metrics: [status, energy_drift, radius_error_max]\n"

const LabText lab_texts[LAB_SWEEPS] = {
    [LAB_MODES] = {.name = "problem 1",
                   .text = "problem: modal_oscillators\n"
                           "parameters: {k1: 1, k2: 100, x01: 1, x02: 1}\n"
                           "methods:\n"
                           "  - generalized_alpha: {rho_inf: [0.9, 0.6, 0.5, 0.3]}\n"
                           "  - theta2: {theta: [0.001, 0.07, 0.15, 0.45]}\n"
                           "step: [0.01, 0.02, 0.05, 0.1, 0.2]\n"
                           "end: 50\n"
                           "newton: {mode: paper, tolerance: 1.0e-4}\n"
                           "metrics: [status, steps, updates, {decay_rate: {of: slow, label: slow}},\n"
                           "  {decay_rate: {of: fast, label: fast}}]\n"
                           "trajectory: {every: 1, fields: [x, condition], where: {step: 0.05}}\n"},
    // The paper gives neither its step nor its tolerance.
    [LAB_PENDULUM] = {.name = "problem 2",
                      .text = "problem: pendulum\n"
                              "parameters: {x0: [1, 2]}\n"
                              "methods:\n"
                              "  - generalized_alpha: {rho_inf: 0.6}\n"
                              "  - theta2: {theta: 0.07}\n"
                              "step: [0.01, 0.05, 0.06, 0.1]\n"
                              "steps: 50001\n"
                              "newton: {mode: paper, tolerance: [1.0e-9, 1.0e-8, 2.0e-8, 1.0e-7, 1.0e-6]}\n"
                              "metrics: [status, updates, updates_per_step_max]\n"},
    [LAB_POLAR] = {.name = "problem 3",
                   .text = "problem: elastic_pendulum_polar\n"
                           "parameters: {eps: [1.0e-2, 1.0e-3, 1.0e-4], k: [0, 0.5, 1]}\n" STIFF_METHODS "step: 0.05\n"
                           "end: 50\n"
                           "newton: {mode: paper, tolerance: [1.0e-10, 3.0e-10, 1.0e-9, 3.0e-9, 1.0e-8, 1.0e-7,\n"
                           "  1.0e-6]}\n" STIFF_METRICS},
    // r(0) = 1 + k eps moves by one unit in its last place from each k to the next.
    [LAB_FLOOR] = {.name = "problem 3 at the rounding floor",
                   .text = "problem: elastic_pendulum_polar\n"
                           "parameters: {eps: 1.0e-3, k: [1, 1.00000000000022, 1.00000000000044, 1.00000000000067,\n"
                           "  1.00000000000089, 1.00000000000111, 1.00000000000133, 1.00000000000155]}\n"
                           "methods:\n"
                           "  - generalized_alpha: {rho_inf: 0.6}\n"
                           "  - theta2: {theta: 0.07}\n"
                           "step: 0.05\n"
                           "end: 50\n"
                           "newton: {mode: paper, tolerance: [1.0e-10, 1.1e-10, 1.15e-10, 1.2e-10, 1.5e-10, "
                           "2.0e-10]}\n" STIFF_METRICS},
    [LAB_CARTESIAN] = {.name = "problem 4",
                       .text = "problem: elastic_pendulum_cartesian\n"
                               "parameters: {eps: [1.0e-2, 1.0e-3, 1.0e-4], k: [0, 0.5, 1]}\n" STIFF_METHODS
                               "step: [0.02, 0.05]\n"
                               "end: 50\n"
                               "newton: {mode: paper, tolerance: [1.0e-8, 1.0e-6, 1.0e-5]}\n" STIFF_METRICS},
    [LAB_TRUE_POLAR] = {.name = "problem 3 exactly",
                        .text = "problem: elastic_pendulum_polar\n"
                                "parameters: {eps: 0.1, k: 1}\n" TRUE_METHODS("")},
    // A stiffness of eps^2 at eps = 0.01 is that of 1/eps^2 at eps = 100; k keeps r(0) at 1.01.
    [LAB_TRUE_CARTESIAN] = {.name = "problem 4 exactly",
                            .text = "problem: elastic_pendulum_cartesian\n"
                                    "parameters: {eps: 0.1, k: 1}\n" TRUE_METHODS(
                                        "  - {label: soft, dopri5_adaptive: {rtol: 1.0e-12, atol: 1.0e-12},\n"
                                        "     parameters: {variant: printed, eps: 100, k: 1.0e-4}}\n")},
    [LAB_DECAY] = {.name = "undamped oscillator",
                   .text = "problem: harmonic_oscillator\n"
                           "methods:\n"
                           "  - generalized_alpha: {rho_inf: [0.9, 0.6, 0.5, 0.3]}\n"
                           "  - theta2: {theta: [0.001, 0.07, 0.15, 0.45]}\n"
                           "step: 0.2\n"
                           "end: 1000\n"
                           "newton: {tolerance: 0}\n"
                           "metrics: [status, decay_rate]\n"},
    // One update does not meet the tolerance, 0.01 h^5, but does in both halves: so it is in every step.
    [LAB_HALVED] = {.name = "pendulum in halved steps",
                    .text = "problem: pendulum\n"
                            "design: zip\n"
                            "methods:\n"
                            "  - {label: theta1, theta2: {theta: 1}, substeps: {start: theta1}}\n"
                            "  - {label: trapezoidal, theta2: {theta: 1}, substeps: {start: trapezoidal}}\n"
                            "  - {label: variable, theta2: {theta: 1}, substeps: {start: variable}}\n"
                            "end: 1\n"
                            "steps: [16, 32, 64, 128]\n"
                            "newton: {mode: paper, jacobian: analytic, max_updates: 1, tolerance: [9.536743e-9,\n"
                            "  2.980232e-10, 9.313226e-12, 2.910383e-13]}\n"
                            "metrics: [status, failed_solves, x_final, v_final]\n"},
    [LAB_ORDERS] = {.name = "pendulum at three steps",
                    .text = "problem: pendulum\n"
                            "parameters: {zeta: [0, 0.2], x0: 1, v0: 0.5}\n"
                            "methods:\n"
                            "  - explicit_euler\n"
                            "  - symplectic_euler\n"
                            "  - backward_euler\n"
                            "  - chung_lee: {beta: [1, 1.037037037037037]}\n"
                            "  - generalized_alpha: {rho_inf: [0.3, 0.6, 0.9]}\n"
                            "  - theta2: {theta: [0.07, 0.5, 1]}\n"
                            "  - trapezoidal\n"
                            "  - implicit_midpoint\n"
                            "  - variational_implicit\n"
                            "  - central_difference\n"
                            "  - rk2\n"
                            "  - rk4\n"
                            "  - sofa_newmark\n"
                            "  - incremental_potential\n"
                            "  - incremental_newmark\n"
                            "end: 2\n"
                            "steps: [50, 100, 200]\n"
                            "newton: {tolerance: 0}\n"
                            "metrics: [status, x_final, v_final]\n"
                            "trajectory: {every: 1, fields: [x, v], where: {steps: 50}}\n"},
    [LAB_FANG] = {.name = "oscillator of TR-2018-01",
                  .text = "problem: harmonic_oscillator\n"
                          "parameters: {omega: 3.141592653589793, zeta: 0.2, x0: 1, v0: 1}\n"
                          "methods: [explicit_euler, symplectic_euler, backward_euler, chung_lee]\n"
                          "step: 0.01\n"
                          "end: 8\n"
                          "metrics: [status, error_max, {kinetic_max: {from: 4, to: 8}},\n"
                          "  {kinetic_integral: {from: 4, to: 8}}]\n"},
    [LAB_ENERGY] = {.name = "damped oscillator",
                    .text = "problem: harmonic_oscillator\n"
                            "parameters: {omega: 3, zeta: 0.1, x0: 1, v0: 0}\n"
                            "methods: [rk4]\n"
                            "step: 0.001\n"
                            "end: 5\n"
                            "metrics: [status, energy_initial, energy_final, kinetic_integral]\n"},
    [LAB_BARRIER] = {.name = "particle over a barrier",
                     .text = "problem: barrier_particle\n"
                             "methods: [incremental_potential, backward_euler]\n"
                             "step: [0.01, 0.02, 0.05, 0.1, 0.2]\n"
                             "end: 5\n"
                             "metrics: [status, failed_solves]\n"
                             "trajectory: {every: 1, fields: [x]}\n"},
    [LAB_FRICTION] = {.name = "block on an incline",
                      .text =
                          "problem: friction_block\n"
                          "parameters: {mu: 0.5, v_smooth: [1.0e-3, 1.0e-2, 1.0e-1], phi: [0.2, 0.4589, 0.4683, 0.6],\n"
                          "  g: [4.905, 9.81], v0: [1, 2]}\n"
                          "methods: [trapezoidal]\n"
                          "step: 0.01\n"
                          "end: 60\n"
                          "newton: {tolerance: 1.0e-10}\n"
                          "metrics: [status, v_final]\n"
                          "trajectory: {every: 1, fields: [v]}\n"},
};
