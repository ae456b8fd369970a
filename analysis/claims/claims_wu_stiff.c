// claims_wu_stiff -- Wu 2018, problems 3 and 4: condition numbers, damping of the fast mode, coordinates, equations.
#include "analysis/claims/claims_measure.h"
#include "analysis/claims/claims_tables.h"

#include <math.h>

#define ALPHA "generalized_alpha"
#define ALPHA_PRINTED "generalized_alpha_printed"

static const double stiffnesses[] = {1e-2, 1e-3, 1e-4}, stretches[] = {0, 0.5, 1};

// Problem 3 at eps = 1e-3 under all settings: both equations, every stretch and tolerance.
static double polar_extreme(Lab *lab, const char *group, const char *variable, double eps)
{
    double most = 0.0;
    for (int i = 0; i < MEASURE_TOLERANCES; ++i)
        for (int k = 0; k < 3; ++k) {
            const double number = measure_polar(lab, group, variable, eps, stretches[k], measure_tolerances[i]);
            most = number > most ? number : most;
        }
    return most;
}

static void measure_radius_reached(Lab *lab, const Claim *claim, double *n)
{
    n[0] = polar_extreme(lab, ALPHA, "radius_error_max", claim->given[0]);
    n[1] = polar_extreme(lab, ALPHA_PRINTED, "radius_error_max", claim->given[0]);
}

static void judge_radius_reached(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "|r - 1| is at most %.1e with the right equation, %.1e with the printed one", n[0], n[1]);
    finding_judge(finding, fmax(n[0], n[1]) >= claim->given[1]);
}

static void measure_condition(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    for (int i = 0; i < 2; ++i) {
        const double eps = i == 0 ? 1e-3 : 1e-4;
        n[4 * i] = polar_extreme(lab, ALPHA, "condition_mean", eps);
        n[4 * i + 1] = polar_extreme(lab, ALPHA, "condition_max", eps);
        n[4 * i + 2] = polar_extreme(lab, "theta2", "condition_mean", eps);
        n[4 * i + 3] = polar_extreme(lab, "theta2", "condition_max", eps);
    }
}

static void judge_condition(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(
        finding,
        "at eps 1e-3 %.0f on average and %.0f at most (theta2: %.0f and %.0f); at eps 1e-4 %.3g and %.3g (theta2: "
        "%.3g and %.3g)",
        n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
    finding_judge(finding, n[1] >= claim->given[0] && n[1] <= claim->given[1]);
}

static void judge_condition_advantage(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "on average %.1f against %.1f, a ratio of %.3f", n[2], n[0], n[2] / n[0]);
    finding_judge(finding, n[2] <= claim->given[0] * n[0]);
}

// Fast and slow mode at eps = 1e-3. `given`: the share of the first stretch that may be left, the share of the slow
// amplitude that must be.
static void measure_fast_mode(Lab *lab, const Claim *claim, double *n)
{
    n[0] = measure_polar(lab, claim->word, "high_frequency_amplitude", 1e-3, 1, 1e-6) / 1e-3;
    n[1] = measure_polar(lab, claim->word, "amplitude_final", 1e-3, 1, 1e-6) /
           measure_polar(lab, claim->word, "amplitude_initial", 1e-3, 1, 1e-6);
}

static void judge_fast_mode(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "over the last quarter |r - 1| is %.2g of the first stretch; the slow amplitude keeps %.3f %%",
                n[0], 100.0 * n[1]);
    finding_judge(finding, n[0] <= claim->given[0] && n[1] >= claim->given[1]);
}

static void judge_fast_mode_lives(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "over the last quarter |r - 1| is %.2g of the first stretch", n[0]);
    finding_judge(finding, n[0] >= claim->given[0]);
}

static void measure_low_condition(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = measure_cartesian(lab, ALPHA_PRINTED, "condition_max", 1e-2, 0.02, 1e-5);
    n[1] = measure_cartesian(lab, "theta2_printed", "condition_max", 1e-2, 0.02, 1e-5);
}

static void judge_low_condition(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "%.2f with generalized_alpha, %.2f with theta2, at most", n[0], n[1]);
    finding_judge(finding, n[0] < claim->given[0] && n[1] < claim->given[0]);
}

static void measure_excessive(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = measure_cartesian(lab, ALPHA, "amplitude_final", 1e-2, 0.05, 1e-5) /
           measure_cartesian(lab, ALPHA, "amplitude_initial", 1e-2, 0.05, 1e-5);
    n[1] = measure_cartesian(lab, "theta2", "amplitude_final", 1e-2, 0.05, 1e-5) /
           measure_cartesian(lab, "theta2", "amplitude_initial", 1e-2, 0.05, 1e-5);
}

static void judge_excessive(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "the swing keeps %.3f %% of its amplitude with generalized_alpha, %.3f %% with theta2",
                100.0 * n[0], 100.0 * n[1]);
    finding_judge(finding, n[0] <= claim->given[0]);
}

// Polar against Cartesian coordinates, step 0.05, tolerance 1e-6, k = 1.

static void measure_coordinates(Lab *lab, const Claim *claim, double *n)
{
    static const char *const groups[] = {ALPHA, "theta2"};
    (void)claim;
    for (int i = 0; i < 2; ++i) {
        n[i] = measure_cartesian(lab, groups[i], "high_frequency_amplitude", 1e-2, 0.05, 1e-6) /
               measure_polar(lab, groups[i], "high_frequency_amplitude", 1e-2, 1, 1e-6);
        n[2 + i] = measure_cartesian(lab, groups[i], "updates", 1e-2, 0.05, 1e-6) /
                   measure_polar(lab, groups[i], "updates", 1e-2, 1, 1e-6);
        n[4 + i] = measure_cartesian(lab, groups[i], "condition_max", 1e-2, 0.05, 1e-6) /
                   measure_polar(lab, groups[i], "condition_max", 1e-2, 1, 1e-6);
    }
}

static const char *const method_names[] = {"generalized_alpha", "theta2"};

static void judge_coordinates(const Claim *claim, const double *n, Finding *finding)
{
    bool holds[2];
    for (int i = 0; i < 2; ++i)
        holds[i] = fabs(n[i] - 1.0) <= claim->given[0];
    finding_say(
        finding,
        "the fast coordinate over the last quarter, Cartesian over polar: %.2f with generalized_alpha, %.2f with "
        "theta2",
        n[0], n[1]);
    finding_settings(finding, "the method is ", holds, method_names, 2);
}

static void judge_strenuous(const Claim *claim, const double *n, Finding *finding)
{
    bool holds[2];
    for (int i = 0; i < 2; ++i)
        holds[i] = n[2 + i] > claim->given[0] && n[4 + i] > claim->given[0];
    finding_say(finding,
                "Cartesian over polar: updates %.2f and %.2f, largest condition number %.2f and %.2f "
                "(generalized_alpha, theta2)",
                n[2], n[3], n[4], n[5]);
    finding_settings(finding, "the method is ", holds, method_names, 2);
}

// Runs that fail or look wrong with theta2 and are fine with generalized_alpha: n[0], the other way round: n[1], of
// n[2] runs.
static void add_run(double alpha, double theta, double *n)
{
    n[0] += alpha == 1.0 && theta != 1.0;
    n[1] += theta == 1.0 && alpha != 1.0;
    n[2] += 1.0;
}

static void measure_never_worse(Lab *lab, const Claim *claim, double *n)
{
    static const double tolerances[] = {1e-8, 1e-6, 1e-5}, steps[] = {0.02, 0.05};
    (void)claim;
    n[0] = n[1] = n[2] = 0.0;
    for (int i = 0; i < 9; ++i) {
        const double eps = stiffnesses[i / 3], k = stretches[i % 3];
        for (int t = 0; t < MEASURE_TOLERANCES; ++t)
            add_run(measure_polar(lab, ALPHA, "visually_correct", eps, k, measure_tolerances[t]),
                    measure_polar(lab, "theta2", "visually_correct", eps, k, measure_tolerances[t]), n);
        for (int t = 0; t < 6; ++t) {
            const At *at = AT({"eps", eps}, {"k", k}, {"step", steps[t / 3]}, {"tolerance", tolerances[t % 3]});
            add_run(lab_number(lab, LAB_CARTESIAN, ALPHA, "visually_correct", at),
                    lab_number(lab, LAB_CARTESIAN, "theta2", "visually_correct", at), n);
        }
    }
}

static void judge_never_worse(const Claim *claim, const double *n, Finding *finding)
{
    (void)claim;
    finding_say(finding, "of %.0f runs, %.0f are right with generalized_alpha alone and %.0f with theta2 alone", n[2],
                n[0], n[1]);
    finding_judge(finding, n[2] > 0.0 && n[0] == 0.0);
}

// Equations. Energy is that of the right one.

static void measure_equation(Lab *lab, const Claim *claim, double *n)
{
    const LabSweep sweep = claim->given[1] == 3 ? LAB_TRUE_POLAR : LAB_TRUE_CARTESIAN;
    n[0] = lab_number(lab, sweep, "printed", "energy_drift", NOWHERE);
    n[1] = lab_number(lab, sweep, "right", "energy_drift", NOWHERE);
}

static void judge_equation(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "the energy strays by %.2f of itself as printed, by %.0e with the right equation", n[0], n[1]);
    finding_judge(finding, n[0] <= claim->given[0]);
}

static void measure_soft_spring(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = lab_number(lab, LAB_TRUE_CARTESIAN, "soft", "radius_error_max", NOWHERE);
    n[1] = measure_cartesian(lab, "theta2", "radius_error_max", 1e-2, 0.02, 1e-6);
}

static void judge_soft_spring(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "at eps = 0.01 |r - 1| reaches %.2f with eps^2 as printed, %.3f with 1/eps^2", n[0], n[1]);
    finding_judge(finding, n[0] <= claim->given[0]);
}

// r' = 1/sqrt 2 and th' = -1/sqrt 2 at r = 1, th = pi/4 in Cartesian coordinates.
static void measure_initial_data(Lab *lab, const Claim *claim, double *n)
{
    const double c = cos(0.25 * acos(-1.0)), s = sin(0.25 * acos(-1.0)), rate = sqrt(0.5);
    (void)lab;
    (void)claim;
    n[0] = fmax(fabs(c - sqrt(0.5)), fabs(s - sqrt(0.5)));
    n[1] = fmax(fabs(rate * c + rate * s - 1.0), fabs(rate * s - rate * c));
}

static void judge_initial_data(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "places differ by %.0e, velocities by %.0e", n[0], n[1]);
    finding_judge(finding, n[0] <= claim->given[0] && n[1] <= claim->given[0]);
}

#define STIFF "rho_inf 0.6, theta 0.07, raw residual, k = 1"
#define POLAR_RUN "problem 3 to t = 50, step 0.05, " STIFF
#define ALL_TOLERANCES ", tolerance 1e-10 to 1e-6"
#define CARTESIAN_RUN "problem 4 to t = 50, step 0.02, tolerance 1e-5, " STIFF
#define EXACT_RUN "to t = 10 at eps = 0.1, k = 1, by dopri5_adaptive at 1e-12"

static const Claim rows[] = {
    {"section 3.3 and figure 4", "At eps = 1e-3 the radius reaches +-6 with generalized-alpha.",
     POLAR_RUN ALL_TOLERANCES "; also k = 0 and 0.5, and the printed equation", "|r - 1| of at least 5 in some run",
     measure_radius_reached, judge_radius_reached, .given = {1e-3, 5}},
    {"section 3.3 and figure 5", "At eps = 1e-3 the condition number of generalized-alpha grows almost to 6e4.",
     POLAR_RUN ALL_TOLERANCES "; also k = 0 and 0.5", "5e4 to 7e4 at most", measure_condition, judge_condition,
     .given = {5e4, 7e4}},
    {"section 3.3 and figure 5", "At eps = 1e-3 the theta method is far better conditioned than generalized-alpha.",
     POLAR_RUN ALL_TOLERANCES "; also k = 0 and 0.5", "half the condition number on average", measure_condition,
     judge_condition_advantage, .given = {0.5}},
    {"section 3.3 and figure 3", "With the theta method at eps = 1e-3 the fast mode dies and the slow one does not.",
     POLAR_RUN ", tolerance 1e-6", "1 % of the stretch left, 99 % of the swing", measure_fast_mode, judge_fast_mode,
     .word = "theta2", .given = {0.01, 0.99}},
    {"section 3.3 and figure 4", "With generalized-alpha at eps = 1e-3 the fast mode stays alive.",
     POLAR_RUN ", tolerance 1e-6", "half the stretch left", measure_fast_mode, judge_fast_mode_lives, .word = ALPHA,
     .given = {0.5}},
    {"section 3.4.2 and figure 19", "At eps = 1e-2 and h = 0.02 condition numbers stay below 10.", CARTESIAN_RUN,
     "below 10 with both methods", measure_low_condition, judge_low_condition, .given = {10}},
    {"section 3.4.2 and figure 16", "At eps = 1e-2 and h = 0.05 generalized-alpha damps the swing excessively.",
     "problem 4, right equation, to t = 50, tolerance 1e-5, " STIFF, "a tenth of the amplitude is lost",
     measure_excessive, judge_excessive, .given = {0.9}},
    {"section 2.5.4", "The change to Cartesian coordinates does not affect the damping.",
     "problems 3 and 4, right equations, to t = 50, eps 1e-2, step 0.05, tolerance 1e-6, " STIFF,
     "the fast coordinate over the last quarter within 10 %", measure_coordinates, judge_coordinates, .given = {0.1}},
    {"section 2.5.4", "Cartesian coordinates are a harder test of conditioning and Newton's method.",
     "problems 3 and 4, right equations, to t = 50, eps 1e-2, step 0.05, tolerance 1e-6, " STIFF,
     "more updates and a larger condition number, by 1 % at least", measure_coordinates, judge_strenuous,
     .given = {1.01}},
    {"section 5", "The theta method never fails where generalized-alpha does not.",
     "problems 3 and 4, right equations, eps 1e-2 to 1e-4, k 0, 0.5, 1, step 0.02 and 0.05, tolerance 1e-10 to 1e-5",
     "no run is right with generalized-alpha alone", measure_never_worse, judge_never_worse, .given = {0}},
    {"eq. 15", "Problem 3 is the pendulum on a spring: its energy is conserved.", "problem 3 " EXACT_RUN,
     "within 1e-6 as printed (r'' with theta^2/r^3 for r theta'^2, no Coriolis term)", measure_equation, judge_equation,
     .given = {1e-6, 3}},
    {"eq. 16, gravity", "Problem 4 is problem 3 in other coordinates: its energy is conserved.",
     "problem 4 " EXACT_RUN ", with 1/eps^2", "within 1e-6 as printed (the gradient of the angle has a wrong sign)",
     measure_equation, judge_equation, .given = {1e-6, 4}},
    {"eq. 16, spring", "The spring of stiffness eps^2 is stiff.", "problem 4 to t = 10 at eps = 0.01, r(0) = 1.01",
     "|r - 1| within 0.1 as printed", measure_soft_spring, judge_soft_spring, .given = {0.1}},
    {"sections 2.5.3 and 2.5.4", "Problems 3 and 4 have the same initial data.", "arithmetic, k = 0", "within rounding",
     measure_initial_data, judge_initial_data, .given = {1e-15}},
};

const ClaimTable claims_wu_stiff = {"Wu 2018", rows, sizeof rows / sizeof *rows};
