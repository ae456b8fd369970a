// claims_note -- the note "Implicit midpoint method" (2020): its scheme, its iteration, its first guesses.
//
// The iteration is run as the note has it, on the pendulum q'' + sin q = 0 from (1, 0.5) to t = 2.
#include "analysis/claims/claims_measure.h"
#include "analysis/claims/claims_tables.h"

#include <math.h>

typedef enum Guess { GUESS_CURRENT, GUESS_ZERO, GUESS_FIRST } Guess;

typedef struct Iteration {
    double sign;     // of tau/2 in the residual of the velocity: +1 right, -1 as printed
    bool   without;  // R_q is left out of the first iteration
    Guess  guess;    // of the velocity: the current one, 0, or that at t = 0
    int    steps;    // at most STEPS
} Iteration;

enum { STEPS = 50, COARSE = 5, MOST = 200 };

// What a run gave.
typedef struct Path {
    double q[STEPS + 1];
    double iterations;  // per step
    double residual;    // largest |R_q| after the first iteration of a step
} Path;

static const double threshold = 1e-13;

static Path run_note(Iteration how)
{
    const double tau = 2.0 / how.steps;
    Path         path = {.q = {1.0}};
    double       q = 1.0, v = 0.5;
    for (int n = 1; n <= how.steps; ++n) {
        double q1 = q, v1 = how.guess == GUESS_CURRENT ? v : how.guess == GUESS_ZERO ? 0.0 : 0.5, change = 1.0;
        for (int i = 0; i < MOST && fabs(change) >= threshold; ++i) {
            const double R_q = q1 - q - 0.5 * tau * (v + v1), K = cos(q1);
            const double R_v = v1 - v + how.sign * 0.5 * tau * (sin(q) + sin(q1));
            path.residual = i > 0 ? fmax(path.residual, fabs(R_q)) : path.residual;
            change = (-R_v + (how.without ? 0.0 : 0.5 * tau * K * R_q)) / (1.0 + 0.25 * tau * tau * K);
            v1 += change;
            q1 = q + 0.5 * tau * (v + v1);
            path.iterations += 1.0 / how.steps;
        }
        q = q1;
        v = v1;
        path.q[n] = q;
    }
    return path;
}

static double path_apart(Lab *lab, const Path *path, const char *group)
{
    const At *at = AT({"steps", STEPS}, {"zeta", 0});
    double    largest = 0.0;
    for (size_t n = 0; n <= STEPS; ++n)
        largest = fmax(largest, fabs(path->q[n] - lab_sample(lab, LAB_ORDERS, group, "x", at, n, 0)));
    return largest;
}

static void measure_scheme(Lab *lab, const Claim *claim, double *n)
{
    const Path path = run_note((Iteration){.sign = 1.0, .steps = STEPS});
    (void)claim;
    n[0] = path_apart(lab, &path, "implicit_midpoint");
    n[1] = path_apart(lab, &path, "trapezoidal");
    n[2] = measure_apart(lab, "implicit_midpoint", "trapezoidal");
}

static void judge_midpoint(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "the note's iteration is %.1e from implicit_midpoint and %.0e from trapezoidal", n[0], n[1]);
    finding_judge(finding, n[0] <= claim->given[0]);
}

static void judge_trapezoidal(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "%.0e from trapezoidal; the two rules are %.1e apart", n[1], n[2]);
    finding_judge(finding, n[1] <= claim->given[0] && n[2] > claim->given[0]);
}

static void measure_sign(Lab *lab, const Claim *claim, double *n)
{
    const Path printed = run_note((Iteration){.sign = -1.0, .steps = STEPS}),
               right = run_note((Iteration){.sign = 1.0, .steps = STEPS});
    (void)claim;
    n[0] = path_apart(lab, &printed, "trapezoidal");
    n[1] = path_apart(lab, &right, "trapezoidal");
    n[2] = printed.iterations;
    n[3] = right.iterations;
}

static void judge_sign(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding,
                "with -tau/2 as printed %.2g from the scheme's solution after %.1f iterations a step, with +tau/2 %.0e "
                "after %.1f",
                n[0], n[2], n[1], n[3]);
    finding_judge(finding, n[0] <= claim->given[0]);
}

static void measure_remark(Lab *lab, const Claim *claim, double *n)
{
    (void)lab;
    (void)claim;
    n[0] = run_note((Iteration){.sign = 1.0, .steps = STEPS, .guess = GUESS_ZERO}).residual;
}

static void judge_remark(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "|R_q| is at most %.0e after the first iteration", n[0]);
    finding_judge(finding, n[0] <= claim->given[0]);
}

static void measure_without(Lab *lab, const Claim *claim, double *n)
{
    (void)lab;
    (void)claim;
    n[0] = run_note((Iteration){.sign = 1.0, .steps = STEPS, .guess = GUESS_ZERO, .without = true}).iterations;
    n[1] = run_note((Iteration){.sign = 1.0, .steps = STEPS, .guess = GUESS_ZERO}).iterations;
}

static void judge_without(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "%.2f iterations a step without R_q, %.2f with it", n[0], n[1]);
    finding_judge(finding, n[0] >= claim->given[0] * n[1]);
}

static void measure_guess(Lab *lab, const Claim *claim, double *n)
{
    (void)lab;
    (void)claim;
    n[0] = run_note((Iteration){.sign = 1.0, .steps = COARSE, .guess = GUESS_FIRST}).iterations;
    n[1] = run_note((Iteration){.sign = 1.0, .steps = COARSE, .guess = GUESS_CURRENT}).iterations;
    n[2] = run_note((Iteration){.sign = 1.0, .steps = COARSE, .guess = GUESS_ZERO}).iterations;
}

static void judge_guess(const Claim *claim, const double *n, Finding *finding)
{
    (void)claim;
    finding_say(finding,
                "iterations a step: %.2f from the guess as printed, which stays what it was at t = 0; %.2f from the "
                "current velocity; %.2f from 0",
                n[0], n[1], n[2]);
    finding_judge(finding, n[0] <= n[1]);
}

#define RUN "pendulum from (1, 0.5) to t = 2, 50 steps, the note's iteration in plain C"
#define COARSE_RUN "pendulum from (1, 0.5) to t = 2, 5 steps, the note's iteration in plain C"

static const Claim rows[] = {
    {"title", "The scheme is the implicit midpoint rule.", RUN "; kernels implicit_midpoint and trapezoidal",
     "within 1e-9 of the midpoint rule", measure_scheme, judge_midpoint, .given = {1e-9}},
    {"scheme and iteration", "The unrolled iteration solves the scheme as printed, which is the trapezoidal rule.",
     RUN "; kernel trapezoidal", "within 1e-12 of it, and the midpoint rule is not", measure_scheme, judge_trapezoidal,
     .given = {1e-12}},
    {"residual form", "R_qdot = M (qdot_1 - qdot) - tau/2 (f + f_1) is the scheme's residual.", RUN,
     "within 1e-9 of the scheme's solution as printed", measure_sign, judge_sign, .given = {1e-9}},
    {"remarks, R_q", "After the first iteration R_q is 0 and can be left out.", RUN ", first guess 0",
     "|R_q| within 1e-15", measure_remark, judge_remark, .given = {1e-15}},
    {"remarks, first iteration", "To leave R_q out of the first iteration too may slow the convergence.",
     RUN ", first guess 0", "at least 1 % more iterations", measure_without, judge_without, .given = {1.01}},
    {"second first guess", "The guess qdot_0^(t+tau) = qdot_0^t serves as well as qdot^t.", COARSE_RUN,
     "no more iterations than from the current velocity", measure_guess, judge_guess, .given = {0}},
};

const ClaimTable claims_note = {"Implicit midpoint method (note, 2020)", rows, sizeof rows / sizeof *rows};
