// claims_wu_stiff -- Wu 2018, problems 3 and 4: counts, condition numbers, damping of the fast mode, equations.
#include "analysis/claims_measure.h"
#include "analysis/claims_tables.h"

#include <math.h>
#include <stdio.h>

#define WU "Wu 2018"
#define ALPHA "generalized_alpha"
#define ALPHA_PRINTED "generalized_alpha_printed"

enum { STATUS_FINE = STATUS_OK, MOST_TEXT = 48 };

static const double polar_tolerances[] = {1e-10, 3e-10, 1e-9, 3e-9, 1e-8, 1e-7, 1e-6}, stiffnesses[] = {1e-2, 1e-3, 1e-4},
                    stretches[] = {0, 0.5, 1};
enum { POLAR_TOLERANCES = sizeof polar_tolerances / sizeof *polar_tolerances };
static const char *const tolerance_names[] = {"the tolerance is 1e-10", "3e-10", "1e-9", "3e-9", "1e-8", "1e-7", "1e-6"};

static double polar(Lab *lab, const char *group, const char *variable, double eps, double k, double tolerance)
{
    return lab_number(lab, LAB_POLAR, group, variable, AT({"eps", eps}, {"k", k}, {"tolerance", tolerance}));
}

static double cartesian(Lab *lab, const char *group, const char *variable, double eps, double step, double tolerance)
{
    return lab_number(lab, LAB_CARTESIAN, group, variable,
                      AT({"eps", eps}, {"k", 1}, {"step", step}, {"tolerance", tolerance}));
}

// Counts. `given`: eps, the count stated, the share by which it may be missed.

static void measure_polar_count(Lab *lab, const Claim *claim, double *n)
{
    for (int i = 0; i < POLAR_TOLERANCES; ++i)
        n[i] = polar(lab, claim->word, "updates", claim->given[0], 1, polar_tolerances[i]);
}

static void judge_polar_count(const Claim *claim, const double *n, Finding *finding)
{
    const double stated = claim->given[1];
    const double off = n[POLAR_TOLERANCES - 1] / stated - 1.0;
    finding_say(finding, "%.0f updates at tolerance 1e-6 (%+.2f %%); %.0f at 1e-8, %.0f at 3e-10", n[POLAR_TOLERANCES - 1],
                100.0 * off, n[4], n[1]);
    finding_judge(finding, fabs(off) <= claim->given[2]);
}

static const double floor_tolerances[] = {1e-10, 1.1e-10, 1.15e-10, 1.2e-10, 1.5e-10, 2e-10};
static const double nudges[] = {1,
                                1.00000000000022,
                                1.00000000000044,
                                1.00000000000067,
                                1.00000000000089,
                                1.00000000000111,
                                1.00000000000133,
                                1.00000000000155};
enum { FLOORS = sizeof floor_tolerances / sizeof *floor_tolerances, NUDGES = sizeof nudges / sizeof *nudges };

// n[i], n[FLOORS + i]: least and most updates at a tolerance over the nudges; then those far from the floor.
static void measure_floor(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    for (int i = 0; i < FLOORS; ++i) {
        n[i] = (double)INFINITY;
        n[FLOORS + i] = 0.0;
        for (int j = 0; j < NUDGES; ++j) {
            const double updates = lab_number(lab, LAB_FLOOR, ALPHA, "updates",
                                              AT({"k", nudges[j]}, {"tolerance", floor_tolerances[i]}));
            n[i] = fmin(n[i], updates);
            n[FLOORS + i] = fmax(n[FLOORS + i], updates);
        }
    }
    n[2 * FLOORS] = polar(lab, ALPHA, "updates", 1e-3, 1, 1e-6);
    n[2 * FLOORS + 1] = polar(lab, ALPHA, "updates", 1e-3, 1, 1e-8);
}

static void judge_floor(const Claim *claim, const double *n, Finding *finding)
{
    const double stated = claim->given[1], between = claim->given[2] * stated;
    const bool   far = fabs(n[2 * FLOORS] - stated) <= between || fabs(n[2 * FLOORS + 1] - stated) <= between;
    int          first = -1, last = -1;
    finding_say(finding, "%.0f at tolerance 1e-6, %.0f at 1e-8; with r(0) moved by 0 to 7 units in its last place",
                n[2 * FLOORS], n[2 * FLOORS + 1]);
    for (int i = 0; i < FLOORS; ++i) {
        finding_say(finding, "%s %.0f to %.0f at %g", i ? "," : "", n[i], n[FLOORS + i], floor_tolerances[i]);
        if (n[FLOORS + i] >= stated - between && n[i] <= stated + between) {
            first = first < 0 ? i : first;
            last = i;
        }
    }
    finding_judge(finding, far);
    if (!far && first >= 0)
        finding_only_if(finding, "the tolerance is about %g, at the rounding floor, where a unit in the last place moves "
                                 "the count by up to %.0f",
                        floor_tolerances[first], n[FLOORS + last] - n[last]);
    // The count may also be passed over from one tolerance to the next.
    for (int i = 0; !far && first < 0 && i + 1 < FLOORS; ++i)
        if (n[i] > stated && n[FLOORS + i + 1] < stated)
            finding_only_if(finding, "the tolerance is between %g and %g, at the rounding floor, where a unit in the last "
                                     "place moves the count by up to %.0f",
                            floor_tolerances[i], floor_tolerances[i + 1], n[FLOORS + i] - n[i]);
}

static void measure_cartesian_count(Lab *lab, const Claim *claim, double *n)
{
    char group[MOST_TEXT];
    snprintf(group, sizeof group, "%s_printed", claim->word);
    n[0] = cartesian(lab, group, "updates", claim->given[0], 0.02, 1e-5);
    n[1] = cartesian(lab, claim->word, "updates", claim->given[0], 0.02, 1e-5);
    n[2] = cartesian(lab, group, "updates", claim->given[0], 0.02, 1e-6);
}

static void judge_cartesian_count(const Claim *claim, const double *n, Finding *finding)
{
    const double stated = claim->given[1];
    finding_say(finding,
                "%.0f updates with the printed equation (%+.2f %%), %.0f with the right one; %.0f with the printed one at "
                "tolerance 1e-6",
                n[0], 100.0 * (n[0] / stated - 1.0), n[1], n[2]);
    finding_judge(finding, fabs(n[0] / stated - 1.0) <= claim->given[2]);
}

// theta2's count over generalized_alpha's, at every tolerance; NaN where generalized_alpha does not end.
static void measure_count_ratio(Lab *lab, const Claim *claim, double *n)
{
    for (int i = 0; i < POLAR_TOLERANCES; ++i) {
        const double tolerance = polar_tolerances[i], eps = claim->given[0];
        n[i] = polar(lab, "theta2", "updates", eps, 1, tolerance) / polar(lab, ALPHA, "updates", eps, 1, tolerance);
    }
}

// Between which ratios it holds: given[1], given[2].
static void judge_count_ratio(const Claim *claim, const double *n, Finding *finding)
{
    bool holds[POLAR_TOLERANCES];
    finding_say(finding, "updates of theta2 over those of generalized_alpha:");
    for (int i = 0; i < POLAR_TOLERANCES; ++i) {
        holds[i] = n[i] > claim->given[1] && n[i] < claim->given[2];
        finding_say(finding, "%s %.3f at %g", i ? "," : "", n[i], polar_tolerances[i]);
    }
    finding_settings(finding, holds, tolerance_names, POLAR_TOLERANCES);
}

static void measure_stiffness_counts(Lab *lab, const Claim *claim, double *n)
{
    for (int i = 0; i < 3; ++i)
        n[i] = polar(lab, claim->word, "updates", stiffnesses[i], 1, 1e-6);
}

static void judge_same_counts(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "%.0f, %.0f, %.0f at eps 1e-2, 1e-3, 1e-4", n[0], n[1], n[2]);
    finding_judge(finding, fabs(n[1] / n[0] - 1.0) <= claim->given[0] && fabs(n[2] / n[0] - 1.0) <= claim->given[0]);
}

static void measure_less_stiff(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    for (int i = 0; i < 3; ++i) {
        n[i] = polar(lab, ALPHA, "updates", stiffnesses[i], 1, 1e-6);
        n[3 + i] = polar(lab, "theta2", "updates", stiffnesses[i], 1, 1e-6);
        n[6 + i] = cartesian(lab, ALPHA, "updates", stiffnesses[i], 0.02, 1e-6);
        n[9 + i] = cartesian(lab, "theta2", "updates", stiffnesses[i], 0.02, 1e-6);
    }
}

static void judge_less_stiff(const Claim *claim, const double *n, Finding *finding)
{
    static const char *const names[] = {"problem 3 is solved by generalized_alpha", "problem 3 by theta2",
                                        "problem 4 by generalized_alpha", "problem 4 by theta2"};
    bool                     holds[4];
    (void)claim;
    finding_say(finding, "updates at eps 1e-2, 1e-3, 1e-4:");
    for (int i = 0; i < 4; ++i) {
        const double *c = n + 3 * i;
        holds[i] = c[0] < claim->given[0] * c[1] && c[1] < claim->given[0] * c[2];
        finding_say(finding, "%s %.0f, %.0f, %.0f (%s, problem %d)", i ? ";" : "", c[0], c[1], c[2],
                    i % 2 ? "theta2" : ALPHA, 3 + i / 2);
    }
    finding_settings(finding, holds, names, 4);
}

static void measure_endless(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    for (int i = 0; i < POLAR_TOLERANCES; ++i) {
        n[i] = polar(lab, ALPHA, "status", 1e-4, 1, polar_tolerances[i]);
        n[POLAR_TOLERANCES + i] = polar(lab, "theta2", "status", 1e-4, 1, polar_tolerances[i]);
        n[2 * POLAR_TOLERANCES + i] = polar(lab, ALPHA, "updates", 1e-4, 1, polar_tolerances[i]);
        n[3 * POLAR_TOLERANCES + i] = polar(lab, "theta2", "updates", 1e-4, 1, polar_tolerances[i]);
    }
}

static void judge_endless(const Claim *claim, const double *n, Finding *finding)
{
    bool holds[POLAR_TOLERANCES];
    (void)claim;
    finding_say(finding, "updates of generalized_alpha and theta2:");
    for (int i = 0; i < POLAR_TOLERANCES; ++i) {
        const bool endless = n[i] == STATUS_BUDGET_EXCEEDED || n[i] == STATUS_DEPTH_EXCEEDED;
        holds[i] = endless && n[POLAR_TOLERANCES + i] == STATUS_FINE;
        finding_say(finding, "%s %s%.0f and %.0f at %g", i ? "," : "", endless ? "over " : "",
                    n[2 * POLAR_TOLERANCES + i], n[3 * POLAR_TOLERANCES + i], polar_tolerances[i]);
    }
    finding_settings(finding, holds, tolerance_names, POLAR_TOLERANCES);
}

// Problem 3 at eps = 1e-3 under all settings: both equations, every stretch and tolerance.
static double polar_extreme(Lab *lab, const char *group, const char *variable, double eps)
{
    double most = 0.0;
    for (int i = 0; i < POLAR_TOLERANCES; ++i)
        for (int k = 0; k < 3; ++k) {
            const double number = polar(lab, group, variable, eps, stretches[k], polar_tolerances[i]);
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
    finding_say(finding,
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
    n[0] = polar(lab, claim->word, "high_frequency_amplitude", 1e-3, 1, 1e-6) / 1e-3;
    n[1] = polar(lab, claim->word, "amplitude_final", 1e-3, 1, 1e-6) /
           polar(lab, claim->word, "amplitude_initial", 1e-3, 1, 1e-6);
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
    n[0] = cartesian(lab, ALPHA_PRINTED, "condition_max", 1e-2, 0.02, 1e-5);
    n[1] = cartesian(lab, "theta2_printed", "condition_max", 1e-2, 0.02, 1e-5);
}

static void judge_low_condition(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "%.2f with generalized_alpha, %.2f with theta2, at most", n[0], n[1]);
    finding_judge(finding, n[0] < claim->given[0] && n[1] < claim->given[0]);
}

static void measure_excessive(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = cartesian(lab, ALPHA, "amplitude_final", 1e-2, 0.05, 1e-5) /
           cartesian(lab, ALPHA, "amplitude_initial", 1e-2, 0.05, 1e-5);
    n[1] = cartesian(lab, "theta2", "amplitude_final", 1e-2, 0.05, 1e-5) /
           cartesian(lab, "theta2", "amplitude_initial", 1e-2, 0.05, 1e-5);
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
        n[i] = cartesian(lab, groups[i], "high_frequency_amplitude", 1e-2, 0.05, 1e-6) /
               polar(lab, groups[i], "high_frequency_amplitude", 1e-2, 1, 1e-6);
        n[2 + i] = cartesian(lab, groups[i], "updates", 1e-2, 0.05, 1e-6) / polar(lab, groups[i], "updates", 1e-2, 1, 1e-6);
        n[4 + i] = cartesian(lab, groups[i], "condition_max", 1e-2, 0.05, 1e-6) /
                   polar(lab, groups[i], "condition_max", 1e-2, 1, 1e-6);
    }
}

static const char *const method_names[] = {"the method is generalized_alpha", "the method is theta2"};

static void judge_coordinates(const Claim *claim, const double *n, Finding *finding)
{
    bool holds[2];
    for (int i = 0; i < 2; ++i)
        holds[i] = fabs(n[i] - 1.0) <= claim->given[0];
    finding_say(finding,
                "the fast coordinate over the last quarter, Cartesian over polar: %.2f with generalized_alpha, %.2f with "
                "theta2",
                n[0], n[1]);
    finding_settings(finding, holds, method_names, 2);
}

static void judge_strenuous(const Claim *claim, const double *n, Finding *finding)
{
    bool holds[2];
    for (int i = 0; i < 2; ++i)
        holds[i] = n[2 + i] > claim->given[0] && n[4 + i] > claim->given[0];
    finding_say(finding, "Cartesian over polar: updates %.2f and %.2f, largest condition number %.2f and %.2f "
                         "(generalized_alpha, theta2)",
                n[2], n[3], n[4], n[5]);
    finding_settings(finding, holds, method_names, 2);
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
        for (int t = 0; t < POLAR_TOLERANCES; ++t)
            add_run(polar(lab, ALPHA, "visually_correct", eps, k, polar_tolerances[t]),
                    polar(lab, "theta2", "visually_correct", eps, k, polar_tolerances[t]), n);
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
    finding_say(finding,
                "of %.0f runs, %.0f are right with generalized_alpha alone and %.0f with theta2 alone", n[2], n[0], n[1]);
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
    n[1] = cartesian(lab, "theta2", "radius_error_max", 1e-2, 0.02, 1e-6);
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
    {WU, "table 1, problem 3, eps = 1e-2", "Generalized-alpha needs 1302 Newton updates.", POLAR_RUN,
     "within 0.5 % at tolerance 1e-6", measure_polar_count, judge_polar_count, ALPHA, {1e-2, 1302, 0.005}},
    {WU, "table 2, problem 3, eps = 1e-2", "The theta method needs 1940 Newton updates.", POLAR_RUN,
     "within 0.5 % at tolerance 1e-6", measure_polar_count, judge_polar_count, "theta2", {1e-2, 1940, 0.005}},
    {WU, "table 1, problem 3, eps = 1e-3", "Generalized-alpha needs 2243 Newton updates.",
     POLAR_RUN ", tolerance 1e-10 to 2e-10 and 1e-8, 1e-6", "within 1 % away from the rounding floor", measure_floor,
     judge_floor, ALPHA, {1e-3, 2243, 0.01}},
    {WU, "table 2, problem 3, eps = 1e-3", "The theta method needs 1946 Newton updates.", POLAR_RUN,
     "within 1 % at tolerance 1e-6", measure_polar_count, judge_polar_count, "theta2", {1e-3, 1946, 0.01}},
    {WU, "section 3.3", "At eps = 1e-3 the theta method needs only 87 % of the updates of generalized-alpha.",
     POLAR_RUN ALL_TOLERANCES, "a ratio below 0.9", measure_count_ratio, judge_count_ratio, NULL, {1e-3, 0, 0.9}},
    {WU, "section 3.3.2", "At eps = 1e-2 generalized-alpha needs fewer updates than the theta method.",
     POLAR_RUN ALL_TOLERANCES, "a ratio above 1", measure_count_ratio, judge_count_ratio, NULL, {1e-2, 1, 1e9}},
    {WU, "table 2, problem 3", "The theta method needs about as many updates at eps = 1e-2 as at smaller eps.",
     POLAR_RUN ", tolerance 1e-6", "within 1 %", measure_stiffness_counts, judge_same_counts, "theta2", {0.01}},
    {WU, "section 2.4", "Less stiff problems need fewer Newton updates.",
     POLAR_RUN "; problem 4, step 0.02; tolerance 1e-6", "at least 1 % fewer from each eps to the next larger one",
     measure_less_stiff, judge_less_stiff, NULL, {0.99}},
    {WU, "section 3.3.1", "At eps = 1e-4 generalized-alpha divides its steps without end while the theta method solves.",
     POLAR_RUN ALL_TOLERANCES ", 200 updates a step permitted", "one ends by its budget, the other well",
     measure_endless, judge_endless, NULL, {0}},
    {WU, "section 3.3 and figure 4", "At eps = 1e-3 the radius reaches +-6 with generalized-alpha.",
     POLAR_RUN ALL_TOLERANCES "; also k = 0 and 0.5, and the printed equation", "|r - 1| of at least 5 in some run",
     measure_radius_reached, judge_radius_reached, NULL, {1e-3, 5}},
    {WU, "section 3.3 and figure 5", "At eps = 1e-3 the condition number of generalized-alpha grows almost to 6e4.",
     POLAR_RUN ALL_TOLERANCES "; also k = 0 and 0.5", "5e4 to 7e4 at most", measure_condition, judge_condition, NULL,
     {5e4, 7e4}},
    {WU, "section 3.3 and figure 5", "At eps = 1e-3 the theta method is far better conditioned than generalized-alpha.",
     POLAR_RUN ALL_TOLERANCES "; also k = 0 and 0.5", "half the condition number on average", measure_condition,
     judge_condition_advantage, NULL, {0.5}},
    {WU, "section 3.3 and figure 3", "With the theta method at eps = 1e-3 the fast mode dies and the slow one does not.",
     POLAR_RUN ", tolerance 1e-6", "1 % of the stretch left, 99 % of the swing", measure_fast_mode, judge_fast_mode,
     "theta2", {0.01, 0.99}},
    {WU, "section 3.3 and figure 4", "With generalized-alpha at eps = 1e-3 the fast mode stays alive.",
     POLAR_RUN ", tolerance 1e-6", "half the stretch left", measure_fast_mode, judge_fast_mode_lives, ALPHA, {0.5}},
    {WU, "table 1, problem 4, eps = 1e-2, h = 0.02", "Generalized-alpha needs 2640 Newton updates.", CARTESIAN_RUN,
     "within 1 % with the printed equation", measure_cartesian_count, judge_cartesian_count, ALPHA, {1e-2, 2640, 0.01}},
    {WU, "table 2, problem 4, eps = 1e-2, h = 0.02", "The theta method needs 2534 Newton updates.", CARTESIAN_RUN,
     "within 1 % with the printed equation", measure_cartesian_count, judge_cartesian_count, "theta2",
     {1e-2, 2534, 0.01}},
    {WU, "section 3.4.2 and figure 19", "At eps = 1e-2 and h = 0.02 condition numbers stay below 10.", CARTESIAN_RUN,
     "below 10 with both methods", measure_low_condition, judge_low_condition, NULL, {10}},
    {WU, "section 3.4.2 and figure 16", "At eps = 1e-2 and h = 0.05 generalized-alpha damps the swing excessively.",
     "problem 4, right equation, to t = 50, tolerance 1e-5, " STIFF, "a tenth of the amplitude is lost",
     measure_excessive, judge_excessive, NULL, {0.9}},
    {WU, "section 2.5.4", "The change to Cartesian coordinates does not affect the damping.",
     "problems 3 and 4, right equations, to t = 50, eps 1e-2, step 0.05, tolerance 1e-6, " STIFF,
     "the fast coordinate over the last quarter within 10 %", measure_coordinates, judge_coordinates, NULL, {0.1}},
    {WU, "section 2.5.4", "Cartesian coordinates are a harder test of conditioning and Newton's method.",
     "problems 3 and 4, right equations, to t = 50, eps 1e-2, step 0.05, tolerance 1e-6, " STIFF,
     "more updates and a larger condition number, by 1 % at least", measure_coordinates, judge_strenuous, NULL, {1.01}},
    {WU, "section 5", "The theta method never fails where generalized-alpha does not.",
     "problems 3 and 4, right equations, eps 1e-2 to 1e-4, k 0, 0.5, 1, step 0.02 and 0.05, tolerance 1e-10 to 1e-5",
     "no run is right with generalized-alpha alone", measure_never_worse, judge_never_worse, NULL, {0}},
    {WU, "eq. 15", "Problem 3 is the pendulum on a spring: its energy is conserved.", "problem 3 " EXACT_RUN,
     "within 1e-6 as printed (r'' with theta^2/r^3 for r theta'^2, no Coriolis term)", measure_equation, judge_equation,
     NULL, {1e-6, 3}},
    {WU, "eq. 16, gravity", "Problem 4 is problem 3 in other coordinates: its energy is conserved.",
     "problem 4 " EXACT_RUN ", with 1/eps^2", "within 1e-6 as printed (the gradient of the angle has a wrong sign)",
     measure_equation, judge_equation, NULL, {1e-6, 4}},
    {WU, "eq. 16, spring", "The spring of stiffness eps^2 is stiff.", "problem 4 to t = 10 at eps = 0.01, r(0) = 1.01",
     "|r - 1| within 0.1 as printed", measure_soft_spring, judge_soft_spring, NULL, {0.1}},
    {WU, "sections 2.5.3 and 2.5.4", "Problems 3 and 4 have the same initial data.", "arithmetic, k = 0",
     "within rounding", measure_initial_data, judge_initial_data, NULL, {1e-15}},
};

const ClaimTable claims_wu_stiff = {rows, sizeof rows / sizeof *rows};
