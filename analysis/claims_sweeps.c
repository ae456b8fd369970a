// claims_sweeps -- the sweeps that claims are measured by, as few groups as will do: each group is a kernel to compile.
#include "analysis/claims_lab.h"

const LabText lab_texts[LAB_SWEEPS] = {
    [LAB_MODES] =
        {"problem 1",
         "problem: modal_oscillators\n"
         "parameters: {k1: 1, k2: 100, x01: 1, x02: 1}\n"
         "methods:\n"
         "  - generalized_alpha: {rho_inf: [0.9, 0.6, 0.5, 0.3]}\n"
         "  - theta2: {theta: [0.001, 0.07, 0.15, 0.45]}\n"
         "step: [0.01, 0.02, 0.05, 0.1, 0.2]\n"
         "end: 50\n"
         "newton: {mode: paper, tolerance: 1.0e-5}\n"
         "metrics: [status, steps, updates, condition_max, condition_last,\n"
         "  {decay_rate: {of: slow, label: decay_slow}}, {decay_rate: {of: fast, label: decay_fast}}]\n"
         "trajectory: {every: 1, fields: [x, condition], where: {step: 0.05}}\n"},
    [LAB_PENDULUM] =
        {"problem 2",
         "problem: pendulum\n"
         "parameters: {x0: [1, 2]}\n"
         "methods:\n"
         "  - generalized_alpha: {rho_inf: 0.6}\n"
         "  - theta2: {theta: 0.07}\n"
         "step: [0.01, 0.05, 0.06, 0.1]\n"
         "steps: 50001\n"
         "newton: {mode: paper, tolerance: [1.0e-9, 1.0e-8, 2.0e-8, 1.0e-7, 1.0e-6]}\n"
         "metrics: [status, updates, updates_per_step_max, amplitude_final]\n"},
    [LAB_POLAR] =
        {"problem 3",
         "problem: elastic_pendulum_polar\n"
         "parameters: {eps: [1.0e-2, 1.0e-3, 1.0e-4], k: [1, 1.0000000000002, 1.0000000000004, 1.0000000000006,\n"
         "  1.0000000000008, 1.000000000001, 1.0000000000012, 1.0000000000014]}\n"
         "methods:\n"
         "  - generalized_alpha: {rho_inf: 0.6}\n"
         "  - theta2: {theta: 0.07}\n"
         "  - {label: generalized_alpha_printed, generalized_alpha: {rho_inf: 0.6}, parameters: {variant: printed}}\n"
         "  - {label: theta2_printed, theta2: {theta: 0.07}, parameters: {variant: printed}}\n"
         "step: [0.02, 0.05]\n"
         "end: 50\n"
         "newton: {mode: paper, tolerance: [1.0e-10, 2.0e-10, 3.0e-10, 1.0e-9, 3.0e-9, 1.0e-8, 1.0e-7, 1.0e-6]}\n"
         "metrics: [status, updates, failed_solves, condition_max, condition_mean, energy_drift,\n"
         "  high_frequency_amplitude, radius_error_max, angle_error_max, visually_correct, x_max,\n"
         "  {amplitude_initial: {of: slow, label: slow_initial}}, {amplitude_final: {of: slow, label: slow_final}}]\n"},
    [LAB_CARTESIAN] =
        {"problem 4",
         "problem: elastic_pendulum_cartesian\n"
         "parameters: {eps: [1.0e-2, 1.0e-3, 1.0e-4], k: [0, 0.5, 1]}\n"
         "methods:\n"
         "  - generalized_alpha: {rho_inf: 0.6}\n"
         "  - theta2: {theta: 0.07}\n"
         "  - {label: generalized_alpha_printed, generalized_alpha: {rho_inf: 0.6}, parameters: {variant: printed}}\n"
         "  - {label: theta2_printed, theta2: {theta: 0.07}, parameters: {variant: printed}}\n"
         "step: [0.02, 0.05]\n"
         "end: 50\n"
         "newton: {mode: paper, tolerance: [1.0e-8, 1.0e-7, 1.0e-6, 1.0e-5]}\n"
         "metrics: [status, updates, failed_solves, condition_max, condition_mean, energy_drift,\n"
         "  high_frequency_amplitude, radius_error_max, angle_error_max, visually_correct, x_max,\n"
         "  {amplitude_initial: {of: slow, label: slow_initial}}, {amplitude_final: {of: slow, label: slow_final}}]\n"},
    [LAB_TRUE_POLAR] =
        {"problem 3, exactly",
         "problem: elastic_pendulum_polar\n"
         "parameters: {eps: [1.0e-2, 1.0e-1]}\n"
         "methods:\n"
         "  - {label: right, dopri5_adaptive: {rtol: 1.0e-13, atol: 1.0e-13}}\n"
         "  - {label: printed, dopri5_adaptive: {rtol: 1.0e-13, atol: 1.0e-13}, parameters: {variant: printed}}\n"
         "step: 0.05\n"
         "end: 10\n"
         "metrics: [status, energy_drift, angle_error_max]\n"},
    [LAB_TRUE_CARTESIAN] =
        {"problem 4, exactly",
         "problem: elastic_pendulum_cartesian\n"
         "parameters: {eps: [1.0e-2, 1.0e-1]}\n"
         "methods:\n"
         "  - {label: right, dopri5_adaptive: {rtol: 1.0e-13, atol: 1.0e-13}}\n"
         "  - {label: printed, dopri5_adaptive: {rtol: 1.0e-13, atol: 1.0e-13}, parameters: {variant: printed}}\n"
         "step: 0.05\n"
         "end: 10\n"
         "metrics: [status, energy_drift, angle_error_max]\n"},
};
