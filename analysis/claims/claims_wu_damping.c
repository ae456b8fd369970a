// claims_wu_damping -- Wu 2018: what the methods damp, and which parameters are said to damp alike.
#include "analysis/claims/claims_measure.h"
#include "analysis/claims/claims_tables.h"

#include <math.h>

#define ALPHA "generalized_alpha"

// -ln(radius) of one step, undamped.
static double damping(Lab *lab, const char *method, double value, double omega)
{
    return -log(measure_radius(lab, method, value, omega, 0.0));
}

// The theta that damps low frequencies as rho_inf does: theta (3 + theta)/(4 (3 - theta)^2) = d^3/2 with
// d = (1 - rho_inf)/(1 + rho_inf), the coefficients of Omega^4.
static double equivalent_theta(double rho_inf)
{
    const double d = (1.0 - rho_inf) / (1.0 + rho_inf), d3 = d * d * d;
    return 3.0 * (sqrt(1.0 + 16.0 * d3) - 1.0 - 4.0 * d3) / (2.0 * (1.0 - 2.0 * d3));
}

// Where a function that falls through 0 between low and high does so.
static double find_zero(double (*function)(double), double low, double high)
{
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        if (function(middle) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static void measure_no_damping(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = fabs(measure_largest_radius(lab, ALPHA, 1.0, 0.0) - 1.0);
    n[1] = fabs(measure_largest_radius(lab, "theta2", 0.0, 0.0) - 1.0);
    n[2] = fabs(damping(lab, ALPHA, 1.0, 1.0));
    n[3] = fabs(damping(lab, "theta2", 0.0, 1.0));
}

static void judge_no_damping(const Claim *claim, const double *n, Finding *finding)
{
    bool holds = true;
    for (int i = 0; i < 4; ++i)
        holds = holds && n[i] <= claim->given[0];
    finding_say(finding, "largest radius off 1 by %.0e and %.0e; damping at Omega = 1: %.0e and %.0e", n[0], n[1], n[2],
                n[3]);
    finding_judge(finding, holds);
}

static void measure_growing(Lab *lab, const Claim *claim, double *n)
{
    static const double theta[] = {0.0, 0.07, 0.15, 0.45, 0.75, 1.0}, omega[] = {0.1, 1.0, 10.0, 1000.0};
    (void)claim;
    for (int o = 0; o < 4; ++o) {
        n[o] = (double)INFINITY;
        for (int i = 0; i + 1 < 6; ++i)
            n[o] =
                fmin(n[o], damping(lab, "theta2", theta[i + 1], omega[o]) - damping(lab, "theta2", theta[i], omega[o]));
    }
}

static void judge_growing(const Claim *claim, const double *n, Finding *finding)
{
    (void)claim;
    finding_say(finding, "the damping of a step grows at least by %.1e, %.1e, %.2g, %.2g at Omega 0.1, 1, 10, 1000",
                n[0], n[1], n[2], n[3]);
    finding_judge(finding, n[0] > 0.0 && n[1] > 0.0 && n[2] > 0.0 && n[3] > 0.0);
}

// Damping per theta, over that at theta = 0.01.
static const double linear_theta[] = {0.05, 0.1, 0.15, 0.2, 0.45, 1.0};
enum { LINEAR = sizeof linear_theta / sizeof *linear_theta };

static void measure_linear(Lab *lab, const Claim *claim, double *n)
{
    const double unit = damping(lab, "theta2", 0.01, 0.1) / 0.01;
    (void)claim;
    for (int i = 0; i < LINEAR; ++i)
        n[i] = damping(lab, "theta2", linear_theta[i], 0.1) / linear_theta[i] / unit;
}

static void judge_linear(const Claim *claim, const double *n, Finding *finding)
{
    int held = 0;
    finding_say(finding, "damping per theta, over that at 0.01:");
    for (int i = 0; i < LINEAR; ++i)
        finding_say(finding, "%s %.3g at %g", i ? "," : "", n[i], linear_theta[i]);
    while (held < LINEAR && fabs(n[held] - 1.0) <= claim->given[0])
        ++held;
    finding_judge(finding, held == LINEAR);
    if (held > 0 && held < LINEAR)
        finding_only_if(finding, "theta is no more than %g", linear_theta[held - 1]);
}

static void measure_good_damping(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = 1.0 - measure_radius(lab, ALPHA, 0.6, 0.1, 0.0);
    n[1] = 1.0 - measure_radius(lab, ALPHA, 0.6, 1e4, 0.0);
}

static void judge_good_damping(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "a step takes %.1e of the amplitude at Omega = 0.1, %.2f of it at 1e4", n[0], n[1]);
    finding_judge(finding, n[0] <= claim->given[0] && n[1] >= claim->given[1]);
}

static void measure_stability(Lab *lab, const Claim *claim, double *n)
{
    static const double theta[] = {0.0, 0.07, 0.5, 1.0}, zeta[] = {0.0, 0.2, 1.0};
    (void)claim;
    for (int i = 0; i < 12; ++i)
        n[i] = measure_largest_radius(lab, "theta2", theta[i / 3], zeta[i % 3]) - 1.0;
}

static void judge_stability(const Claim *claim, const double *n, Finding *finding)
{
    double most = n[0];
    for (int i = 1; i < 12; ++i)
        most = n[i] <= most ? most : n[i];
    finding_say(finding, "the radius exceeds 1 by no more than %.0e", fmax(most, 0.0));
    finding_judge(finding, most <= claim->given[0]);
}

static void measure_euler_and_bdf(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = damping(lab, "backward_euler", 0.0, 0.1);
    n[1] = damping(lab, "theta2", 1.0, 0.1);
}

static void judge_euler_and_bdf(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "%.2e of the amplitude a step against %.2e, %.0f times as much", n[0], n[1], n[0] / n[1]);
    finding_judge(finding, n[0] >= claim->given[0] * n[1]);
}

static void measure_runge_kutta(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = damping(lab, "rk2", 0.0, 0.5);
    n[1] = damping(lab, "rk4", 0.0, 0.5);
    n[2] = damping(lab, "trapezoidal", 0.0, 0.5);
}

static void judge_runge_kutta(const Claim *claim, const double *n, Finding *finding)
{
    const bool        holds[] = {n[0] > claim->given[0], n[1] > claim->given[0]};
    const char *const names[] = {"explicit midpoint rule", "classical one of order 4"};
    finding_say(finding,
                "-ln(radius) at Omega = 0.5: %.1e (rk2, below 0: it grows), %.1e (rk4), %.0e (trapezoidal rule)", n[0],
                n[1], fabs(n[2]));
    finding_settings(finding, "the method is the ", holds, names, 2);
}

static void judge_no_damping_of_tr(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "-ln(radius) at Omega = 0.5: %.0e", fabs(n[2]));
    finding_judge(finding, fabs(n[2]) <= claim->given[0]);
}

// Problem 1: figures 1 and 2.

static void measure_figure_1(Lab *lab, const Claim *claim, double *n)
{
    const At    *alpha = AT({"step", 0.05}, {"rho_inf", 0.6}), *second = AT({"step", 0.05}, {"theta", 0.07});
    const size_t samples = lab_samples(lab, LAB_MODES, ALPHA, alpha);
    (void)claim;
    n[0] = 0.0;
    for (size_t i = 0; i < samples; ++i)
        n[0] = fmax(n[0], fabs(lab_sample(lab, LAB_MODES, ALPHA, "x", alpha, i, 0) -
                               lab_sample(lab, LAB_MODES, "theta2", "x", second, i, 0)));
    n[1] = lab_number(lab, LAB_MODES, ALPHA, "slow", alpha);
    n[2] = lab_number(lab, LAB_MODES, "theta2", "slow", second);
}

static void judge_figure_1(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "the curves are at most %.1e apart; decay %.2e/s and %.2e/s", n[0], n[1], n[2]);
    finding_judge(finding, n[0] <= claim->given[0]);
}

static const double mode_steps[] = {0.01, 0.02, 0.05, 0.1, 0.2};
enum { MODE_STEPS = sizeof mode_steps / sizeof *mode_steps };

static void measure_figure_2(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    for (int i = 0; i < MODE_STEPS; ++i)
        n[i] = lab_number(lab, LAB_MODES, "theta2", "fast", AT({"step", mode_steps[i]}, {"theta", 0.07})) /
               lab_number(lab, LAB_MODES, ALPHA, "fast", AT({"step", mode_steps[i]}, {"rho_inf", 0.6}));
    n[MODE_STEPS] = damping(lab, "theta2", 0.07, 1e4) / damping(lab, ALPHA, 0.6, 1e4);
}

static void judge_figure_2(const Claim *claim, const double *n, Finding *finding)
{
    bool        holds[MODE_STEPS];
    const char *names[] = {"0.01", "0.02", "0.05", "0.1", "0.2"};
    finding_say(finding, "decay of the fast mode with theta2 over that with generalized_alpha:");
    for (int i = 0; i < MODE_STEPS; ++i) {
        holds[i] = n[i] > claim->given[0];
        finding_say(finding, "%s %.2f at step %g", i ? "," : "", n[i], mode_steps[i]);
    }
    finding_say(finding, "; %.2f as Omega grows", n[MODE_STEPS]);
    finding_settings(finding, "the step is ", holds, names, MODE_STEPS);
}

// Pairs. `given`: rho_inf, theta, the share by which decay rates may differ, and the share that is still a rough match.
static void measure_pair(Lab *lab, const Claim *claim, double *n)
{
    const double rho_inf = claim->given[0], theta = claim->given[1];
    n[0] = lab_number(lab, LAB_DECAY, ALPHA, "decay_rate", AT({"rho_inf", rho_inf}));
    n[1] = lab_number(lab, LAB_DECAY, "theta2", "decay_rate", AT({"theta", theta}));
    n[2] = equivalent_theta(rho_inf);
    n[3] = damping(lab, "theta2", n[2], 0.2) / damping(lab, ALPHA, rho_inf, 0.2);
    n[4] = measure_most_damping(lab, "theta2", theta) / measure_most_damping(lab, ALPHA, rho_inf);
}

static void judge_pair(const Claim *claim, const double *n, Finding *finding)
{
    const double off = fabs(n[1] / n[0] - 1.0);
    finding_say(finding,
                "decay %.3e/s with generalized_alpha, %.3e/s with theta2 (ratio %.3f); equal at theta %.5f (there the "
                "ratio is %.3f)",
                n[0], n[1], n[1] / n[0], n[2], n[3]);
    finding_judge(finding, off <= claim->given[2]);
    if (off > claim->given[2] && off <= claim->given[3])
        finding_only_if(finding, "a difference of %.0f %% counts as none", ceil(100.0 * off));
}

static void measure_pairs_at_most(Lab *lab, const Claim *claim, double *n)
{
    static const double pairs[4][2] = {{0.9, 0.001}, {0.6, 0.07}, {0.5, 0.15}, {0.3, 0.45}};
    (void)claim;
    for (int i = 0; i < 4; ++i)
        n[i] = measure_most_damping(lab, "theta2", pairs[i][1]) / measure_most_damping(lab, ALPHA, pairs[i][0]);
}

static void judge_pairs_at_most(const Claim *claim, const double *n, Finding *finding)
{
    bool              holds[4];
    const char *const names[] = {"(0.9, 0.001)", "(0.6, 0.07)", "(0.5, 0.15)", "(0.3, 0.45)"};
    for (int i = 0; i < 4; ++i)
        holds[i] = fabs(n[i] - 1.0) <= claim->given[0];
    finding_say(finding, "largest decay of theta2 over that of generalized_alpha: %.2f, %.2f, %.2f, %.2f", n[0], n[1],
                n[2], n[3]);
    finding_settings(finding, "the pair is ", holds, names, 4);
}

// What BDF2, which damps most, takes at low frequency beyond what rho_inf takes: the coefficients of Omega^4.
static double beyond_theta2(double rho_inf)
{
    const double d = (1.0 - rho_inf) / (1.0 + rho_inf);
    return 0.5 * d * d * d - 0.25;
}

static void measure_reach(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = find_zero(beyond_theta2, 0.0, 1.0);
    n[1] = damping(lab, "theta2", 1.0, 0.02);
    n[2] = damping(lab, ALPHA, n[0], 0.02);
    n[3] = damping(lab, ALPHA, 0.0, 0.02);
}

static void judge_reach(const Claim *claim, const double *n, Finding *finding)
{
    const bool agrees = fabs(n[2] / n[1] - 1.0) <= claim->given[0];
    finding_say(finding,
                "damping of a step at Omega = 0.02: %.3e with theta 1, which is the most; %.3e with rho_inf %.5f, %.3e "
                "with rho_inf 0",
                n[1], n[2], n[0], n[3]);
    finding_judge(finding, n[3] <= n[1]);
    if (n[3] > n[1] && agrees)
        finding_only_if(finding, "rho_inf is at least %.5f", n[0]);
}

// How far the radius at infinity of rho_inf is above that of its equivalent.
static double sharper(double rho_inf)
{
    const double theta = equivalent_theta(rho_inf);
    return rho_inf - 3.0 * (1.0 - theta) / (3.0 + theta);
}

static const double matched_rho[] = {0.6, 0.3, 0.2, 0.15};

static void measure_matched(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = find_zero(sharper, 0.12, 0.5);
    for (int i = 0; i < 4; ++i) {
        n[1 + i] = measure_radius(lab, ALPHA, matched_rho[i], 1e4, 0.0);
        n[5 + i] = measure_radius(lab, "theta2", equivalent_theta(matched_rho[i]), 1e4, 0.0);
    }
}

static void judge_matched(const Claim *claim, const double *n, Finding *finding)
{
    bool all = true, none = true, agrees = true;
    (void)claim;
    finding_say(finding, "radius at Omega = 1e4, generalized_alpha and theta2:");
    for (int i = 0; i < 4; ++i) {
        const bool holds = n[5 + i] < n[1 + i];
        all = all && holds;
        none = none && !holds;
        agrees = agrees && holds == (matched_rho[i] < n[0]);
        finding_say(finding, "%s %.3f and %.3f at rho_inf %g", i ? "," : "", n[1 + i], n[5 + i], matched_rho[i]);
    }
    finding_judge(finding, all);
    if (!all && !none && agrees)
        finding_only_if(finding, "rho_inf is below %.4f", n[0]);
}

#define PAIR_RUN "x'' = -x to t = 1000, step 0.2, decay of the extrema; equal theta from the closed form"
#define PAIR_RULE "decay rates within 10 %; up to 30 % only if that counts as equal"

static const Claim rows[] = {
    {"sections 2.2 and 2.3", "rho_inf = 1 and theta = 0 do not damp.", "kernels' matrices, undamped, Omega 0.01 to 1e4",
     "radius 1 within 1e-6", measure_no_damping, judge_no_damping, .given = {1e-6}},
    {"section 2.3", "A larger theta damps more.", "kernels' matrices, theta 0, 0.07, 0.15, 0.45, 0.75, 1",
     "growth at every Omega", measure_growing, judge_growing, .given = {0}},
    {"section 2.3", "The damping of the theta method is linear in theta.",
     "kernels' matrices at Omega = 0.1, theta 0.01 to 1", "damping per theta within 10 % of that at 0.01",
     measure_linear, judge_linear, .given = {0.1}},
    {"section 2.2", "Generalized-alpha damps high frequencies while it spares low ones.",
     "kernel's matrix, rho_inf 0.6, Omega 0.1 and 1e4", "less than 1e-5 a step at 0.1, more than 0.1 at 1e4",
     measure_good_damping, judge_good_damping, .given = {1e-5, 0.1}},
    {"section 1", "Implicit methods permit large steps: the theta method is stable whatever the step.",
     "kernel's matrix, theta 0, 0.07, 0.5, 1, zeta 0, 0.2, 1, Omega 0.01 to 1e4", "radius at most 1 + 1e-6",
     measure_stability, judge_stability, .given = {1e-6}},
    {"section 1", "The trapezoidal rule has no numerical damping.", "kernel's matrix, undamped, Omega = 0.5",
     "radius 1 within 1e-12", measure_runge_kutta, judge_no_damping_of_tr, .given = {1e-12}},
    {"section 1", "Runge-Kutta methods damp.", "kernels' matrices of rk2 and rk4, undamped, Omega = 0.5",
     "-ln(radius) above 1e-6", measure_runge_kutta, judge_runge_kutta, .given = {1e-6}},
    {"section 2.3.3", "Backward Euler damps much more than BDF2.", "kernels' matrices at Omega = 0.1",
     "ten times as much", measure_euler_and_bdf, judge_euler_and_bdf, .given = {10}},
    {"figure 1", "At (0.6, 0.07) the slow curves of both methods lie on each other.", "problem 1 to t = 50, step 0.05",
     "at most 0.02 apart, the width of a line", measure_figure_1, judge_figure_1, .given = {0.02}},
    {"figure 2", "At (0.6, 0.07) the theta method damps the mode omega = 10 far more than generalized-alpha.",
     "problem 1 to t = 50, step 0.01 to 0.2", "at least twice the decay", measure_figure_2, judge_figure_2,
     .given = {2}},
    {"section 3, pair (0.9, 0.001)", "Both parameters damp alike.", PAIR_RUN, PAIR_RULE, measure_pair, judge_pair,
     .given = {0.9, 0.001, 0.1, 0.3}},
    {"section 3, pair (0.6, 0.07)", "Both parameters damp alike.", PAIR_RUN, PAIR_RULE, measure_pair, judge_pair,
     .given = {0.6, 0.07, 0.1, 0.3}},
    {"section 3, pair (0.5, 0.15)", "Both parameters damp alike.", PAIR_RUN, PAIR_RULE, measure_pair, judge_pair,
     .given = {0.5, 0.15, 0.1, 0.3}},
    {"section 3, pair (0.3, 0.45)", "Both parameters damp alike.", PAIR_RUN, PAIR_RULE, measure_pair, judge_pair,
     .given = {0.3, 0.45, 0.1, 0.3}},
    {"section 3", "The pairs damp alike at the step size of the largest damping.",
     "kernels' matrices, largest -ln(radius)/Omega for Omega 0.1 to 100", "within 10 %", measure_pairs_at_most,
     judge_pairs_at_most, .given = {0.1}},
    {"section 3", "Every rho_inf has a theta of similar damping.",
     "closed form of the low-frequency damping, and kernels' matrices at Omega = 0.02",
     "theta = 1 damps as much as rho_inf = 0; the closed form's limit must agree with the kernels within 1 %",
     measure_reach, judge_reach, .given = {0.01}},
    {"abstract and section 3.1", "Matched at low frequency, the theta method damps high frequencies more.",
     "theta from the closed form for rho_inf 0.6, 0.3, 0.2, 0.15; kernels' matrices at Omega = 1e4",
     "the smaller radius; the limit is where the closed forms cross", measure_matched, judge_matched, .given = {0}},
};

const ClaimTable claims_wu_damping = {"Wu 2018", rows, sizeof rows / sizeof *rows};
