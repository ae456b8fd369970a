// claims_wu_counts -- Wu 2018, problems 3 and 4: how many Newton updates are needed, and where there is no end to them.
#include "analysis/claims/claims_measure.h"
#include "analysis/claims/claims_tables.h"

#include <math.h>
#include <stdio.h>

#define ALPHA "generalized_alpha"

enum { MOST_TEXT = 48 };

static const char *const tolerance_names[] = {"1e-10", "3e-10", "1e-9", "3e-9", "1e-8", "1e-7", "1e-6"};
static const double      stiffnesses[] = {1e-2, 1e-3, 1e-4};

// `given`: eps, the count stated, the share by which it may be missed.

static void measure_polar_count(Lab *lab, const Claim *claim, double *n)
{
    for (int i = 0; i < MEASURE_TOLERANCES; ++i)
        n[i] = measure_polar(lab, claim->word, "updates", claim->given[0], 1, measure_tolerances[i]);
}

static void judge_polar_count(const Claim *claim, const double *n, Finding *finding)
{
    const double stated = claim->given[1];
    const double off = n[MEASURE_TOLERANCES - 1] / stated - 1.0;
    finding_say(finding, "%.0f updates at tolerance 1e-6 (%+.2f %%); %.0f at 1e-8, %.0f at 3e-10",
                n[MEASURE_TOLERANCES - 1], 100.0 * off, n[4], n[1]);
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
            const double updates =
                lab_number(lab, LAB_FLOOR, ALPHA, "updates", AT({"k", nudges[j]}, {"tolerance", floor_tolerances[i]}));
            n[i] = fmin(n[i], updates);
            n[FLOORS + i] = fmax(n[FLOORS + i], updates);
        }
    }
    n[2 * FLOORS] = measure_polar(lab, ALPHA, "updates", 1e-3, 1, 1e-6);
    n[2 * FLOORS + 1] = measure_polar(lab, ALPHA, "updates", 1e-3, 1, 1e-8);
}

static void judge_floor(const Claim *claim, const double *n, Finding *finding)
{
    const double stated = claim->given[1], between = claim->given[2] * stated;
    const bool   far = fabs(n[2 * FLOORS] - stated) <= between || fabs(n[2 * FLOORS + 1] - stated) <= between;
    int          first = -1;
    finding_say(finding, "%.0f at tolerance 1e-6, %.0f at 1e-8; with r(0) moved by 0 to 7 units in its last place",
                n[2 * FLOORS], n[2 * FLOORS + 1]);
    for (int i = 0; i < FLOORS; ++i) {
        finding_say(finding, "%s %.0f to %.0f at %g", i ? "," : "", n[i], n[FLOORS + i], floor_tolerances[i]);
        if (first < 0 && n[FLOORS + i] >= stated - between && n[i] <= stated + between)
            first = i;
    }
    finding_judge(finding, far);
    if (!far && first >= 0)
        finding_only_if(finding,
                        "the tolerance is about %g, at the rounding floor, where a unit in the last place moves the "
                        "count by up to %.0f",
                        floor_tolerances[first], n[FLOORS + first] - n[first]);
}

static void measure_cartesian_count(Lab *lab, const Claim *claim, double *n)
{
    char group[MOST_TEXT];
    snprintf(group, sizeof group, "%s_printed", claim->word);
    n[0] = measure_cartesian(lab, group, "updates", claim->given[0], 0.02, 1e-5);
    n[1] = measure_cartesian(lab, claim->word, "updates", claim->given[0], 0.02, 1e-5);
    n[2] = measure_cartesian(lab, group, "updates", claim->given[0], 0.02, 1e-6);
}

static void judge_cartesian_count(const Claim *claim, const double *n, Finding *finding)
{
    const double stated = claim->given[1];
    finding_say(
        finding,
        "%.0f updates with the printed equation (%+.2f %%), %.0f with the right one; %.0f with the printed one at "
        "tolerance 1e-6",
        n[0], 100.0 * (n[0] / stated - 1.0), n[1], n[2]);
    finding_judge(finding, fabs(n[0] / stated - 1.0) <= claim->given[2]);
}

// theta2's count over generalized_alpha's, at every tolerance; NaN where generalized_alpha does not end.
static void measure_count_ratio(Lab *lab, const Claim *claim, double *n)
{
    for (int i = 0; i < MEASURE_TOLERANCES; ++i) {
        const double tolerance = measure_tolerances[i], eps = claim->given[0];
        n[i] = measure_polar(lab, "theta2", "updates", eps, 1, tolerance) /
               measure_polar(lab, ALPHA, "updates", eps, 1, tolerance);
    }
}

// Between which ratios it holds: given[1], given[2].
static void judge_count_ratio(const Claim *claim, const double *n, Finding *finding)
{
    bool holds[MEASURE_TOLERANCES];
    finding_say(finding, "updates of theta2 over those of generalized_alpha:");
    for (int i = 0; i < MEASURE_TOLERANCES; ++i) {
        holds[i] = n[i] > claim->given[1] && n[i] < claim->given[2];
        finding_say(finding, "%s %.3f at %g", i ? "," : "", n[i], measure_tolerances[i]);
    }
    finding_settings(finding, "the tolerance is ", holds, tolerance_names, MEASURE_TOLERANCES);
}

static void measure_stiffness_counts(Lab *lab, const Claim *claim, double *n)
{
    for (int i = 0; i < 3; ++i)
        n[i] = measure_polar(lab, claim->word, "updates", stiffnesses[i], 1, 1e-6);
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
        n[i] = measure_polar(lab, ALPHA, "updates", stiffnesses[i], 1, 1e-6);
        n[3 + i] = measure_polar(lab, "theta2", "updates", stiffnesses[i], 1, 1e-6);
        n[6 + i] = measure_cartesian(lab, ALPHA, "updates", stiffnesses[i], 0.02, 1e-6);
        n[9 + i] = measure_cartesian(lab, "theta2", "updates", stiffnesses[i], 0.02, 1e-6);
    }
}

static void judge_less_stiff(const Claim *claim, const double *n, Finding *finding)
{
    static const char *const names[] = {"problem 3 by generalized_alpha", "problem 3 by theta2",
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
    finding_settings(finding, "it is ", holds, names, 4);
}

static void measure_endless(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    for (int i = 0; i < MEASURE_TOLERANCES; ++i) {
        n[i] = measure_polar(lab, ALPHA, "status", 1e-4, 1, measure_tolerances[i]);
        n[MEASURE_TOLERANCES + i] = measure_polar(lab, "theta2", "status", 1e-4, 1, measure_tolerances[i]);
        n[2 * MEASURE_TOLERANCES + i] = measure_polar(lab, ALPHA, "updates", 1e-4, 1, measure_tolerances[i]);
        n[3 * MEASURE_TOLERANCES + i] = measure_polar(lab, "theta2", "updates", 1e-4, 1, measure_tolerances[i]);
    }
}

static void judge_endless(const Claim *claim, const double *n, Finding *finding)
{
    bool holds[MEASURE_TOLERANCES];
    (void)claim;
    finding_say(finding, "updates of generalized_alpha and theta2:");
    for (int i = 0; i < MEASURE_TOLERANCES; ++i) {
        const bool endless = n[i] == STATUS_BUDGET_EXCEEDED || n[i] == STATUS_DEPTH_EXCEEDED;
        holds[i] = endless && n[MEASURE_TOLERANCES + i] == STATUS_OK;
        finding_say(finding, "%s %s%.0f and %.0f at %g", i ? "," : "", endless ? "over " : "",
                    n[2 * MEASURE_TOLERANCES + i], n[3 * MEASURE_TOLERANCES + i], measure_tolerances[i]);
    }
    finding_settings(finding, "the tolerance is ", holds, tolerance_names, MEASURE_TOLERANCES);
}

#define STIFF "rho_inf 0.6, theta 0.07, raw residual, k = 1"
#define POLAR_RUN "problem 3 to t = 50, step 0.05, " STIFF
#define ALL_TOLERANCES ", tolerance 1e-10 to 1e-6"
#define CARTESIAN_RUN "problem 4 to t = 50, step 0.02, tolerance 1e-5, " STIFF

static const Claim rows[] = {
    {"table 1, problem 3, eps = 1e-2", "Generalized-alpha needs 1302 Newton updates.", POLAR_RUN,
     "within 0.5 % at tolerance 1e-6", measure_polar_count, judge_polar_count, .word = ALPHA,
     .given = {1e-2, 1302, 0.005}},
    {"table 2, problem 3, eps = 1e-2", "The theta method needs 1940 Newton updates.", POLAR_RUN,
     "within 0.5 % at tolerance 1e-6", measure_polar_count, judge_polar_count, .word = "theta2",
     .given = {1e-2, 1940, 0.005}},
    {"table 1, problem 3, eps = 1e-3", "Generalized-alpha needs 2243 Newton updates.",
     POLAR_RUN ", tolerance 1e-10 to 2e-10 and 1e-8, 1e-6", "within 1 % away from the rounding floor", measure_floor,
     judge_floor, .word = ALPHA, .given = {1e-3, 2243, 0.01}},
    {"table 2, problem 3, eps = 1e-3", "The theta method needs 1946 Newton updates.", POLAR_RUN,
     "within 1 % at tolerance 1e-6", measure_polar_count, judge_polar_count, .word = "theta2",
     .given = {1e-3, 1946, 0.01}},
    {"section 3.3", "At eps = 1e-3 the theta method needs only 87 % of the updates of generalized-alpha.",
     POLAR_RUN ALL_TOLERANCES, "a ratio below 0.9", measure_count_ratio, judge_count_ratio, .given = {1e-3, 0, 0.9}},
    {"section 3.3.2", "At eps = 1e-2 generalized-alpha needs fewer updates than the theta method.",
     POLAR_RUN ALL_TOLERANCES, "a ratio above 1", measure_count_ratio, judge_count_ratio, .given = {1e-2, 1, 1e9}},
    {"table 2, problem 3", "The theta method needs about as many updates at eps = 1e-2 as at smaller eps.",
     POLAR_RUN ", tolerance 1e-6", "within 1 %", measure_stiffness_counts, judge_same_counts, .word = "theta2",
     .given = {0.01}},
    {"section 2.4", "Less stiff problems need fewer Newton updates.",
     POLAR_RUN "; problem 4, step 0.02; tolerance 1e-6", "at least 1 % fewer from each eps to the next larger one",
     measure_less_stiff, judge_less_stiff, .given = {0.99}},
    {"section 3.3.1", "At eps = 1e-4 generalized-alpha divides its steps without end while the theta method solves.",
     POLAR_RUN ALL_TOLERANCES ", 200 updates a step permitted", "one ends by its budget, the other well",
     measure_endless, judge_endless, .given = {0}},
    {"table 1, problem 4, eps = 1e-2, h = 0.02", "Generalized-alpha needs 2640 Newton updates.", CARTESIAN_RUN,
     "within 1 % with the printed equation", measure_cartesian_count, judge_cartesian_count, .word = ALPHA,
     .given = {1e-2, 2640, 0.01}},
    {"table 2, problem 4, eps = 1e-2, h = 0.02", "The theta method needs 2534 Newton updates.", CARTESIAN_RUN,
     "within 1 % with the printed equation", measure_cartesian_count, judge_cartesian_count, .word = "theta2",
     .given = {1e-2, 2534, 0.01}},
};

const ClaimTable claims_wu_counts = {"Wu 2018", rows, sizeof rows / sizeof *rows};
