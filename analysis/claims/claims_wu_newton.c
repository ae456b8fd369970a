// claims_wu_newton -- Wu 2018: updates in problems 1 and 2, the Jacobian's differences, orders, substeps.
#include "analysis/claims/claims_measure.h"
#include "analysis/claims/claims_tables.h"

#include <float.h>
#include <math.h>

#define ALPHA "generalized_alpha"

// Problem 2. The paper gives neither step nor tolerance: every row looks at all of these.
static const double steps[] = {0.01, 0.05, 0.06, 0.1}, tolerances[] = {1e-9, 1e-8, 2e-8, 1e-7, 1e-6};
enum { STEPS = sizeof steps / sizeof *steps, TOLERANCES = sizeof tolerances / sizeof *tolerances };
enum { SETTINGS = STEPS * TOLERANCES };

static double pendulum_number(Lab *lab, const char *group, const char *variable, double x0, int setting)
{
    return lab_number(
        lab, LAB_PENDULUM, group, variable,
        AT({"step", steps[setting / TOLERANCES]}, {"x0", x0}, {"tolerance", tolerances[setting % TOLERANCES]}));
}

// `word`: the method; `given`: x0, the number stated, what may be between.
static void count_updates(Lab *lab, const Claim *claim, double *n)
{
    for (int s = 0; s < SETTINGS; ++s)
        n[s] = pendulum_number(lab, claim->word, "updates", claim->given[0], s);
}

static void count_excess(Lab *lab, const Claim *claim, double *n)
{
    for (int s = 0; s < SETTINGS; ++s)
        n[s] = 100.0 * (pendulum_number(lab, "theta2", "updates", claim->given[0], s) /
                            pendulum_number(lab, ALPHA, "updates", claim->given[0], s) -
                        1.0);
}

static void count_most_in_a_step(Lab *lab, const Claim *claim, double *n)
{
    for (int s = 0; s < SETTINGS; ++s)
        n[s] = pendulum_number(lab, claim->word, "updates_per_step_max", claim->given[0], s);
}

static void judge_settings(const Claim *claim, const double *n, Finding *finding)
{
    const double stated = claim->given[1], between = claim->given[2];
    int          near = 0, held = 0;
    double       least = n[0], most = n[0];
    for (int s = 0; s < SETTINGS; ++s) {
        least = fmin(least, n[s]);
        most = fmax(most, n[s]);
        held += fabs(n[s] - stated) <= between;
        if (fabs(n[s] - stated) < fabs(n[near] - stated))
            near = s;
    }
    finding_say(finding,
                "%.5g to %.5g; nearest %.5g, at step %g and tolerance %g; within the rule at %d of %d settings", least,
                most, n[near], steps[near / TOLERANCES], tolerances[near % TOLERANCES], held, (int)SETTINGS);
    finding_judge(finding, 2 * held > SETTINGS);
    if (held == 0 || 2 * held > SETTINGS)
        return;
    finding_only_if(finding, "step and tolerance are");
    for (int s = 0, told = 0; s < SETTINGS; ++s)
        if (fabs(n[s] - stated) <= between)
            text_add(&finding->condition, "%s %g and %g", told++ ? " or" : "", steps[s / TOLERANCES],
                     tolerances[s % TOLERANCES]);
}

// Problem 1.

static void measure_linear_updates(Lab *lab, const Claim *claim, double *n)
{
    static const double h[] = {0.01, 0.02, 0.05, 0.1, 0.2}, rho[] = {0.9, 0.6, 0.5, 0.3},
                        theta[] = {0.001, 0.07, 0.15, 0.45};
    (void)claim;
    n[0] = n[1] = 0.0;
    for (int i = 0; i < 20; ++i) {
        const At alpha[] = {{"step", h[i / 4]}, {"rho_inf", rho[i % 4]}, {NULL, 0}};
        const At second[] = {{"step", h[i / 4]}, {"theta", theta[i % 4]}, {NULL, 0}};
        n[0] = fmax(n[0], lab_number(lab, LAB_MODES, ALPHA, "updates", alpha) /
                              lab_number(lab, LAB_MODES, ALPHA, "steps", alpha));
        n[1] = fmax(n[1], lab_number(lab, LAB_MODES, "theta2", "updates", second) /
                              lab_number(lab, LAB_MODES, "theta2", "steps", second));
    }
}

static void judge_linear_updates(const Claim *claim, const double *n, Finding *finding)
{
    (void)claim;
    finding_say(finding, "at most %.4g updates per step with generalized_alpha, %.4g with theta2", n[0], n[1]);
    finding_judge(finding, n[0] == 1.0 && n[1] == 1.0);
}

// Largest over smallest condition number, minus 1, from a sample on.
static double condition_spread(Lab *lab, const char *group, const At *at, size_t from)
{
    const size_t samples = lab_samples(lab, LAB_MODES, group, at);
    double       least = (double)INFINITY, most = 0.0;
    for (size_t i = from; i < samples; ++i) {
        const double condition = lab_sample(lab, LAB_MODES, group, "condition", at, i, 0);
        least = fmin(least, condition);
        most = fmax(most, condition);
    }
    return most / least - 1.0;
}

static void measure_condition_spread(Lab *lab, const Claim *claim, double *n)
{
    const At *alpha = AT({"step", 0.05}, {"rho_inf", 0.6}), *second = AT({"step", 0.05}, {"theta", 0.07});
    (void)claim;
    n[0] = condition_spread(lab, ALPHA, alpha, 1);
    n[1] = condition_spread(lab, "theta2", second, 1);
    n[2] = condition_spread(lab, "theta2", second, 2);
}

static void judge_condition_spread(const Claim *claim, const double *n, Finding *finding)
{
    const double permitted = claim->given[0];
    finding_say(finding, "it varies by %.1e with generalized_alpha, by %.1e with theta2, by %.1e from step 2 on", n[0],
                n[1], n[2]);
    finding_judge(finding, n[0] <= permitted && n[1] <= permitted);
    if (n[0] <= permitted && n[1] > permitted && n[2] <= permitted)
        finding_only_if(finding, "theta2's first step, which another method takes, is left out");
}

// Section 2.1.1: theta2's equation in the first step of problem 2, f(u) = u - W + c sin(X + c u), u = 0 the first
// guess.

static double difference_error(double u, double width)
{
    const double c = 0.05 * (0.5 + 0.07 / 50.0), X = 1.0, exact = 1.0 + c * c * cos(X + c * u);
    const double up = u + width + c * sin(X + c * (u + width)), down = u - width + c * sin(X + c * (u - width));
    return fabs((up - down) / (2.0 * width) / exact - 1.0);
}

static void measure_differences(Lab *lab, const Claim *claim, double *n)
{
    const double root = sqrt(DBL_EPSILON);
    (void)lab;
    (void)claim;
    n[0] = difference_error(0.0, root * 0.0);
    n[1] = difference_error(1e-7, root * 1e-7);
    n[2] = difference_error(0.0, root);
    n[3] = difference_error(0.0, cbrt(DBL_EPSILON));
}

static void judge_differences(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding,
                "error of the derivative at u = 0, where problem 2 starts: %s; at u = 1e-7: %.1e; with the width no "
                "less than sqrt(eps): %.1e at u = 0, and %.1e with the cube root of eps",
                isfinite(n[0]) ? "finite" : "not a number (0/0)", n[1], n[2], n[3]);
    finding_judge(finding, n[0] <= claim->given[0] && n[1] <= claim->given[0]);
    if (!(n[0] <= claim->given[0]) && n[1] <= claim->given[0])
        finding_only_if(finding, "the unknown never vanishes");
}

// Orders. `given`: the order stated and by how much it may be missed.

static void measure_theta2_orders(Lab *lab, const Claim *claim, double *n)
{
    static const double theta[] = {0.07, 0.5, 1.0};
    (void)claim;
    for (int i = 0; i < 6; ++i)
        n[i] = measure_order(lab, "theta2", "theta", theta[i % 3], i < 3 ? 0.0 : 0.2);
}

static void measure_alpha_orders(Lab *lab, const Claim *claim, double *n)
{
    static const double rho[] = {0.3, 0.6, 0.9};
    (void)claim;
    for (int i = 0; i < 6; ++i)
        n[i] = measure_order(lab, ALPHA, "rho_inf", rho[i % 3], i < 3 ? 0.0 : 0.2);
}

static void judge_six_orders(const Claim *claim, const double *n, Finding *finding)
{
    bool holds = true;
    for (int i = 0; i < 6; ++i)
        holds = holds && fabs(n[i] - claim->given[0]) <= claim->given[1];
    finding_say(finding, "order %.2f, %.2f, %.2f undamped, %.2f, %.2f, %.2f damped", n[0], n[1], n[2], n[3], n[4],
                n[5]);
    finding_judge(finding, holds);
}

// Every step in two halves: n[0] the order, n[1] how many steps of the finest run were halved, n[2] its steps.
static void measure_halved(Lab *lab, const Claim *claim, double *n)
{
    const Motion right = measure_pendulum(0.0, (Motion){1.0, 0.0}, 1.0);
    double       errors[2];
    for (int i = 0; i < 2; ++i) {
        const At *at = AT({"steps", i == 0 ? 64 : 128});
        errors[i] = fmax(fabs(lab_number(lab, LAB_HALVED, claim->word, "x_final", at) - right.x),
                         fabs(lab_number(lab, LAB_HALVED, claim->word, "v_final", at) - right.v));
        n[1] = lab_number(lab, LAB_HALVED, claim->word, "failed_solves", at);
    }
    n[0] = log2(errors[0] / errors[1]);
    n[2] = 128;
}

static void judge_halved(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "order %.2f with %.0f of %.0f steps halved", n[0], n[1], n[2]);
    finding_judge(finding, n[1] == n[2] && n[0] >= claim->given[0] && n[0] <= claim->given[1]);
}

// generalized_alpha on x'' = -x, rho_inf = 0.6, in plain C: one step from (x, v, a).
static void alpha_step(double h, double state[3])
{
    const double rho = 0.6, am = (2.0 * rho - 1.0) / (rho + 1.0), af = rho / (rho + 1.0);
    const double gamma = 0.5 - am + af, beta = 0.25 * (1.0 - am + af) * (1.0 - am + af);
    const double x = state[0], v = state[1], a = state[2], ahead = x + h * v + h * h * (0.5 - beta) * a;
    const double u = -(am * a + (1.0 - af) * ahead + af * x) / (1.0 - am + (1.0 - af) * beta * h * h);
    state[0] = ahead + h * h * beta * u;
    state[1] = v + h * ((1.0 - gamma) * a + gamma * u);
    state[2] = u;
}

// The error at t = 4. Every second step is taken as two halves where `halved`.
static double alpha_error(int count, bool halved)
{
    const double h = 4.0 / count;
    double       state[3] = {1.0, 0.0, -1.0};
    for (int i = 0; i < count; ++i)
        for (int half = 0; half < (halved && i % 2 ? 2 : 1); ++half)
            alpha_step(halved && i % 2 ? 0.5 * h : h, state);
    return fmax(fabs(state[0] - cos(4.0)), fabs(state[1] + sin(4.0)));
}

static void measure_alpha_substeps(Lab *lab, const Claim *claim, double *n)
{
    (void)lab;
    (void)claim;
    for (int i = 0; i < 2; ++i)
        n[i] = log2(alpha_error(4096, i == 1) / alpha_error(8192, i == 1));
}

static void judge_alpha_substeps(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "order %.2f with equal steps, %.2f with every second step halved", n[0], n[1]);
    finding_judge(finding, n[1] >= claim->given[0]);
}

#define PENDULUM_RUN "50001 steps, rho_inf 0.6, theta 0.07, raw residual; step 0.01 to 0.1, tolerance 1e-9 to 1e-6"
#define ORDER_RUN "pendulum from (1, 0.5) to t = 2, 100 and 200 steps, zeta 0 and 0.2"
#define HALVED_RUN \
    "pendulum, theta2 with theta 1, one update permitted: every step fails and is halved; 64 and 128 steps"
#define MOST "at more than half of the settings; at fewer, only if these are meant"

static const Claim rows[] = {
    {"table 1, problem 2, x0 = 1", "Generalized-alpha needs 50001 Newton updates.", PENDULUM_RUN, "equal " MOST,
     count_updates, judge_settings, .word = ALPHA, .given = {1, 50001, 0}},
    {"table 1, problem 2, x0 = 2", "Generalized-alpha needs 50001 Newton updates.", PENDULUM_RUN, "equal " MOST,
     count_updates, judge_settings, .word = ALPHA, .given = {2, 50001, 0}},
    {"table 2, problem 2, x0 = 1", "The second-order theta method needs 69295 Newton updates.", PENDULUM_RUN,
     "within 1.5 % " MOST, count_updates, judge_settings, .word = "theta2", .given = {1, 69295, 0.015 * 69295}},
    {"table 2, problem 2, x0 = 2", "The second-order theta method needs 87052 Newton updates.", PENDULUM_RUN,
     "within 1.5 % " MOST, count_updates, judge_settings, .word = "theta2", .given = {2, 87052, 0.015 * 87052}},
    {"section 3.2, x0 = 1", "The theta method uses 39 % more updates than generalized-alpha.", PENDULUM_RUN,
     "within 2 percentage points " MOST, count_excess, judge_settings, .given = {1, 39, 2}},
    {"section 3.2, x0 = 2", "The theta method uses 74 % more updates than generalized-alpha.", PENDULUM_RUN,
     "within 2 percentage points " MOST, count_excess, judge_settings, .given = {2, 74, 2}},
    {"section 3.2", "The equation that generalized-alpha sets up is close to linear: one update solves every step.",
     PENDULUM_RUN ", x0 = 2", "at most one update in any step " MOST, count_most_in_a_step, judge_settings,
     .word = ALPHA, .given = {2, 1, 0}},
    {"section 3.1", "Linear problems take one Newton update per step.",
     "problem 1 to t = 50, step 0.01 to 0.2, the four pairs of parameters, tolerance 1e-4", "one, in every run",
     measure_linear_updates, judge_linear_updates, .given = {0}},
    {"section 3.1", "The condition number stays constant in problem 1, because it is linear.",
     "problem 1 to t = 50, step 0.05, rho_inf 0.6 and theta 0.07", "varies by no more than 1e-6",
     measure_condition_spread, judge_condition_spread, .given = {1e-6}},
    {"section 2.1.1", "A three-point rule of width sqrt(eps) ||x|| gives the Jacobian.",
     "the first equation of problem 2 with the theta method, from rest, h = 0.05, in plain C",
     "a relative error of at most 1e-4, also where the unknown vanishes or is small", measure_differences,
     judge_differences, .given = {1e-4}},
    {"section 2.2", "Generalized-alpha is second-order accurate.", ORDER_RUN ", rho_inf 0.3, 0.6, 0.9",
     "2 within 0.1, in x and v", measure_alpha_orders, judge_six_orders, .given = {2, 0.1}},
    {"section 2.3", "The theta method is second-order accurate.", ORDER_RUN ", theta 0.07, 0.5, 1",
     "2 within 0.1, in x and v", measure_theta2_orders, judge_six_orders, .given = {2, 0.1}},
    {"section 2.3.1", "One first step by the first-order theta method does not cost the order.",
     ORDER_RUN ", theta 0.07, 0.5, 1, first step with 1/2 + theta/50", "2 within 0.1, in x and v",
     measure_theta2_orders, judge_six_orders, .given = {2, 0.1}},
    {"section 2.3.2", "First-order half steps, applied too often, cost the second order.",
     HALVED_RUN ", start with 1/2 + theta/50", "order below 1.5", measure_halved, judge_halved, .word = "theta1",
     .given = {0, 1.5}},
    {"section 2.3.3", "Half steps with 1/2 + theta/50 mostly retain second-order accuracy.",
     HALVED_RUN ", start with 1/2 + theta/50", "order at least 1.8", measure_halved, judge_halved, .word = "theta1",
     .given = {1.8, 9}},
    {"section 2.3.1", "Half steps by the trapezoidal rule retain second order.", HALVED_RUN ", start trapezoidal",
     "order at least 1.8", measure_halved, judge_halved, .word = "trapezoidal", .given = {1.8, 9}},
    {"section 4.1", "A damped first half step of second order may exist on {t_(i-1), t_i, t_(i+1/2)}.",
     HALVED_RUN ", start by the same formula for unequal steps", "order at least 1.8", measure_halved, judge_halved,
     .word = "variable", .given = {1.8, 9}},
    {"section 2.3.2", "Substeps are no issue for generalized-alpha: any step size will do at every step.",
     "x'' = -x to t = 4, rho_inf 0.6, 4096 and 8192 steps, in plain C",
     "order at least 1.8 also where the step changes", measure_alpha_substeps, judge_alpha_substeps, .given = {1.8}},
};

const ClaimTable claims_wu_newton = {"Wu 2018", rows, sizeof rows / sizeof *rows};
