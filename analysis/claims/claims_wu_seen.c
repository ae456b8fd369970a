// claims_wu_seen -- Wu 2018, tables 1 and 2, column "visual correctness": what the metrics say of the pictures.
//
// The paper looks at the curves. Here a run looks right where the radius stays within 0.1 of 1 and the angle within
// half a radian of the rigid pendulum's (metric visually_correct). The paper leaves open how much energy its first
// stretch puts into the fast mode: every row looks at k = 0, 0.5 and 1.
#include "analysis/claims/claims_tables.h"

#include <math.h>

#define ALPHA "generalized_alpha"

static const double      stretches[] = {0, 0.5, 1};
static const char *const stretch_names[] = {"0", "0.5", "1"};

// `given`: the problem, eps, the step. n[3 k ...]: the verdict, the errors of radius and angle.
static void measure_seen(Lab *lab, const Claim *claim, double *n)
{
    static const char *const variables[] = {"visually_correct", "radius_error_max", "angle_error_max"};
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i)
            n[3 * k + i] = claim->given[0] == 3
                               ? lab_number(lab, LAB_POLAR, claim->word, variables[i],
                                            AT({"eps", claim->given[1]}, {"k", stretches[k]}, {"tolerance", 1e-6}))
                               : lab_number(lab, LAB_CARTESIAN, claim->word, variables[i],
                                            AT({"eps", claim->given[1]}, {"k", stretches[k]}, {"step", claim->given[2]},
                                               {"tolerance", 1e-5}));
}

static void say_seen(const double *n, Finding *finding)
{
    for (int k = 0; k < 3; ++k) {
        finding_say(finding, "%sk %g: ", k ? "; " : "", stretches[k]);
        if (isnan(n[3 * k + 2]))
            finding_say(finding, "did not end");
        else
            finding_say(finding, "radius off by %.2g, angle by %.2g", n[3 * k + 1], n[3 * k + 2]);
    }
}

static void judge_right(const Claim *claim, const double *n, Finding *finding)
{
    bool holds[3];
    (void)claim;
    for (int k = 0; k < 3; ++k)
        holds[k] = n[3 * k] == 1.0;
    say_seen(n, finding);
    finding_settings(finding, "k is ", holds, stretch_names, 3);
}

static void judge_wrong(const Claim *claim, const double *n, Finding *finding)
{
    bool holds[3];
    (void)claim;
    for (int k = 0; k < 3; ++k)
        holds[k] = n[3 * k] != 1.0;
    say_seen(n, finding);
    finding_settings(finding, "k is ", holds, stretch_names, 3);
}

// "Somewhat": the angle is right, the radius is not.
static void judge_somewhat(const Claim *claim, const double *n, Finding *finding)
{
    bool holds[3];
    (void)claim;
    for (int k = 0; k < 3; ++k)
        holds[k] = n[3 * k + 1] > 0.1 && n[3 * k + 2] < 0.5;
    say_seen(n, finding);
    finding_settings(finding, "k is ", holds, stretch_names, 3);
}

#define RUN_3 "problem 3, right equation, to t = 50, step 0.05, tolerance 1e-6, k 0, 0.5, 1"
#define RUN_4 "problem 4, right equation, to t = 50, tolerance 1e-5, k 0, 0.5, 1"
#define RULE "radius within 0.1 and angle within 0.5 rad of the rigid pendulum's"
#define NOT_RULE "radius off by more than 0.1, or angle by more than 0.5 rad, or no end"

static const Claim rows[] = {
    {"table 1, problem 3, eps = 1e-2", "Generalized-alpha looks right.", RUN_3, RULE, measure_seen, judge_right,
     .word = ALPHA, .given = {3, 1e-2}},
    {"table 1, problem 3, eps = 1e-3", "Generalized-alpha looks somewhat right: the angle does, the radius does not.",
     RUN_3, "angle within 0.5 rad, radius off by more than 0.1", measure_seen, judge_somewhat, .word = ALPHA,
     .given = {3, 1e-3}},
    {"table 1, problem 3, eps = 1e-4", "Generalized-alpha does not look right.", RUN_3, NOT_RULE, measure_seen,
     judge_wrong, .word = ALPHA, .given = {3, 1e-4}},
    {"table 2, problem 3, eps = 1e-2", "The theta method looks right.", RUN_3, RULE, measure_seen, judge_right,
     .word = "theta2", .given = {3, 1e-2}},
    {"table 2, problem 3, eps = 1e-3", "The theta method looks right.", RUN_3, RULE, measure_seen, judge_right,
     .word = "theta2", .given = {3, 1e-3}},
    {"table 2, problem 3, eps = 1e-4", "The theta method looks right.", RUN_3, RULE, measure_seen, judge_right,
     .word = "theta2", .given = {3, 1e-4}},
    {"table 1, problem 4, eps = 1e-2", "Generalized-alpha does not look right.", RUN_4 ", step 0.05", NOT_RULE,
     measure_seen, judge_wrong, .word = ALPHA, .given = {4, 1e-2, 0.05}},
    {"table 1, problem 4, eps = 1e-2, h = 0.02", "Generalized-alpha looks right.", RUN_4 ", step 0.02", RULE,
     measure_seen, judge_right, .word = ALPHA, .given = {4, 1e-2, 0.02}},
    {"table 1, problem 4, eps = 1e-3", "Generalized-alpha does not look right.", RUN_4 ", step 0.05", NOT_RULE,
     measure_seen, judge_wrong, .word = ALPHA, .given = {4, 1e-3, 0.05}},
    {"table 1, problem 4, eps = 1e-4", "Generalized-alpha does not look right.", RUN_4 ", step 0.05", NOT_RULE,
     measure_seen, judge_wrong, .word = ALPHA, .given = {4, 1e-4, 0.05}},
    {"table 1, problem 4, eps = 1e-4, h = 0.02", "Generalized-alpha does not look right.", RUN_4 ", step 0.02",
     NOT_RULE, measure_seen, judge_wrong, .word = ALPHA, .given = {4, 1e-4, 0.02}},
    {"table 2, problem 4, eps = 1e-2", "The theta method does not look right.", RUN_4 ", step 0.05", NOT_RULE,
     measure_seen, judge_wrong, .word = "theta2", .given = {4, 1e-2, 0.05}},
    {"section 3.4.2, eps = 1e-2", "The theta method looks right (table 2 says that it does not).", RUN_4 ", step 0.05",
     RULE, measure_seen, judge_right, .word = "theta2", .given = {4, 1e-2, 0.05}},
    {"table 2, problem 4, eps = 1e-2, h = 0.02", "The theta method looks right.", RUN_4 ", step 0.02", RULE,
     measure_seen, judge_right, .word = "theta2", .given = {4, 1e-2, 0.02}},
    {"table 2, problem 4, eps = 1e-3", "The theta method looks right.", RUN_4 ", step 0.05", RULE, measure_seen,
     judge_right, .word = "theta2", .given = {4, 1e-3, 0.05}},
    {"table 2, problem 4, eps = 1e-4", "The theta method does not look right.", RUN_4 ", step 0.05", NOT_RULE,
     measure_seen, judge_wrong, .word = "theta2", .given = {4, 1e-4, 0.05}},
    {"table 2, problem 4, eps = 1e-4, h = 0.02", "The theta method looks right.", RUN_4 ", step 0.02", RULE,
     measure_seen, judge_right, .word = "theta2", .given = {4, 1e-4, 0.02}},
};

const ClaimTable claims_wu_seen = {"Wu 2018", rows, sizeof rows / sizeof *rows};
