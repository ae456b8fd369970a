// claims_sofa -- Degletagne 2015, the solvers of SOFA: formulas as printed beside the right ones.
#include "analysis/claims/claims_measure.h"
#include "analysis/claims/claims_tables.h"

#include <math.h>

static const double omegas[] = {0.1, 1.0, 10.0};

// Section 2.2, undamped: v1 = (v - h omega^2 x)/(1 + Omega^2), then x1 = x + h v as printed.

static void measure_euler(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    for (int i = 0; i < 3; ++i) {
        const double O = omegas[i], per = 1.0 / (1.0 + O * O);
        n[i] = matrix_radius((Matrix){2, {{1.0, 1.0}, {-O * O * per, per}}});
        n[3 + i] = measure_radius(lab, "sofa_euler", 0.0, O, 0.0);
        n[6 + i] = measure_radius(lab, "backward_euler", 0.0, O, 0.0);
    }
}

static void judge_printed_euler(const Claim *claim, const double *n, Finding *finding)
{
    bool holds = true;
    for (int i = 0; i < 3; ++i)
        holds = holds && fabs(n[i] - n[6 + i]) <= claim->given[0];
    finding_say(
        finding,
        "radius at Omega 0.1, 1, 10: %.4f, %.4f, %.4f as printed, without any damping; %.4f, %.4f, %.4f with x + h "
        "v_(k+1); backward Euler %.4f, %.4f, %.4f",
        n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]);
    finding_judge(finding, holds);
}

static void judge_euler(const Claim *claim, const double *n, Finding *finding)
{
    bool holds = true;
    for (int i = 0; i < 3; ++i)
        holds = holds && fabs(n[3 + i] - n[6 + i]) <= claim->given[0];
    finding_say(finding, "radius at Omega 0.1, 1, 10: %.6f, %.6f, %.6f, backward Euler %.6f, %.6f, %.6f", n[3], n[4],
                n[5], n[6], n[7], n[8]);
    finding_judge(finding, holds);
}

// Section 3.

static void measure_newmark(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    for (int i = 0; i < 3; ++i) {
        Matrix linearised, newmark;
        lab_matrices(lab, "sofa_newmark", 0.25, 0.0, &omegas[i], 1, &linearised);
        lab_matrices(lab, "newmark", 0.25, 0.0, &omegas[i], 1, &newmark);
        n[i] = linearised.n == newmark.n
                   ? matrix_largest(matrix_plus(linearised, -1.0, newmark)) / matrix_largest(newmark)
                   : (double)NAN;
    }
}

static void judge_newmark(const Claim *claim, const double *n, Finding *finding)
{
    bool holds = true;
    for (int i = 0; i < 3; ++i)
        holds = holds && n[i] <= claim->given[0];
    finding_say(finding, "matrices at Omega 0.1, 1, 10 differ by %.0e, %.0e, %.0e of themselves", n[0], n[1], n[2]);
    finding_judge(finding, holds);
}

// `word`: a group; `given`: the order, by how much it may be missed.
static void measure_two_orders(Lab *lab, const Claim *claim, double *n)
{
    n[0] = measure_order(lab, claim->word, NULL, 0.0, 0.0);
    n[1] = measure_order(lab, claim->word, NULL, 0.0, 0.2);
}

static void judge_two_orders(const Claim *claim, const double *n, Finding *finding)
{
    static const char *const names[] = {"the force does not depend on the velocity",
                                        "the force depends on the velocity"};
    bool                     holds[2];
    for (int i = 0; i < 2; ++i)
        holds[i] = fabs(n[i] - claim->given[0]) <= claim->given[1];
    finding_say(finding, "order %.2f undamped, %.2f damped", n[0], n[1]);
    finding_settings(finding, "", holds, names, 2);
}

// Section 4.1 as printed, undamped: v1 = 2 (F + p)/M, x1 = x + h v1.
static void measure_variational(Lab *lab, const Claim *claim, double *n)
{
    const double omega = acos(-1.0), h = 0.01, O = omega * h, push = -2.0 * h * omega * omega;
    (void)claim;
    n[0] = matrix_radius((Matrix){2, {{1.0 + push, 2.0}, {push, 2.0}}});
    n[1] = measure_radius(lab, "variational_explicit", 0.0, O, 0.0);
}

static void judge_variational(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "spectral radius %.3f as printed, %.6f with v = (h F + p)/M", n[0], n[1]);
    finding_judge(finding, n[0] <= claim->given[0]);
}

// Section 4.2: the half step res solves (m - K) res = f(q) - K res + 2 p/h by turns, m = 4/h^2, K = df/dq, q = q0 +
// res. As printed the last line of the loop puts the old estimate back.
typedef struct HalfStep {
    double m;
    bool   put_back;
    double (*force)(double q), (*slope)(double q);
} HalfStep;

static double half_step(const HalfStep *s, double q0, double p, double h)
{
    double q = q0, res = 0.0;
    for (int i = 0; i < 60; ++i) {
        res = (s->force(q) - s->slope(q) * res + 2.0 * p / h) / (s->m - s->slope(q));
        q = s->put_back ? q : q0 + res;
    }
    return res;
}

static double spring_force(double q)
{
    return -q;
}

static double spring_slope(double q)
{
    return (void)q, -1.0;
}

static double pendulum_force(double q)
{
    return -sin(q);
}

static double pendulum_slope(double q)
{
    return -cos(q);
}

static void measure_mass_factor(Lab *lab, const Claim *claim, double *n)
{
    const double   h = 0.1, q = 1.0, p = 0.5, exact = (q * cos(h) + p * sin(h) - q) / h;
    const HalfStep printed = {8.0 / h, false, spring_force, spring_slope},
                   right = {4.0 / (h * h), false, spring_force, spring_slope};
    (void)lab;
    (void)claim;
    n[0] = fabs(2.0 / h * half_step(&printed, q, p, h) - exact);
    n[1] = fabs(2.0 / h * half_step(&right, q, p, h) - exact);
}

static void judge_error_beside(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "error %.1e as printed, %.1e with the right formula", n[0], n[1]);
    finding_judge(finding, n[0] <= claim->given[0]);
}

// Momentum after a step: (M + h^2/4) v + (h/2) F as printed, (M + h^2/4 K) v + (h/2) F right; K = -omega^2.
static double energy_growth(double K)
{
    const double omega = acos(-1.0), h = 0.01;
    double       x = 1.0, p = 1.0;
    const double first = 0.5 * (p * p + omega * omega * x * x);
    for (int i = 0; i < 800; ++i) {
        const double force = -omega * omega * x, v = (p + 0.5 * h * force) / (1.0 + 0.25 * h * h * omega * omega);
        p = (1.0 + 0.25 * h * h * K) * v + 0.5 * h * force;
        x += h * v;
    }
    return 0.5 * (p * p + omega * omega * x * x) / first - 1.0;
}

static void measure_momentum(Lab *lab, const Claim *claim, double *n)
{
    const double omega = acos(-1.0);
    (void)lab;
    (void)claim;
    n[0] = energy_growth(1.0);
    n[1] = energy_growth(-omega * omega);
}

static void judge_momentum(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "the energy changes by %+.1f %% over 8 s as printed, by %.0e of itself with K", 100.0 * n[0],
                fabs(n[1]));
    finding_judge(finding, fabs(n[0]) <= claim->given[0]);
}

// The largest distance of a run in plain C from the kernel's implicit midpoint rule.
static double loop_apart(Lab *lab, bool put_back)
{
    const At      *at = AT({"steps", 50}, {"zeta", 0});
    const double   h = 0.04;
    const HalfStep half = {4.0 / (h * h), put_back, pendulum_force, pendulum_slope};
    double         x = 1.0, p = 0.5, largest = 0.0;
    for (size_t i = 1; i <= 50; ++i) {
        const double res = half_step(&half, x, p, h), v = 2.0 / h * res;
        p = v + 0.5 * h * pendulum_force(x + res);
        x += h * v;
        largest = fmax(largest, fabs(x - lab_sample(lab, LAB_ORDERS, "implicit_midpoint", "x", at, i, 0)));
    }
    return largest;
}

static void measure_loop(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = loop_apart(lab, true);
    n[1] = loop_apart(lab, false);
}

static void judge_loop(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(
        finding,
        "from the implicit midpoint rule, which the equations are: %.1e as printed, %.0e where the new estimate is "
        "kept",
        n[0], n[1]);
    finding_judge(finding, n[0] <= claim->given[0]);
}

// Section 5.2: the next step begins with a_(k+1) = (F + extra)/m. Error at t = 2.
static double runge_kutta_error(int steps, double extra)
{
    const Motion right = measure_pendulum(0.0, (Motion){1.0, 0.5}, 2.0);
    const double h = 2.0 / steps;
    double       x = 1.0, v = 0.5, a = pendulum_force(x);
    for (int i = 0; i < steps; ++i) {
        const double k2v = v + 0.5 * h * a, k2a = pendulum_force(x + 0.5 * h * v);
        const double k3v = v + 0.5 * h * k2a, k3a = pendulum_force(x + 0.5 * h * k2v);
        const double k4v = v + h * k3a, k4a = pendulum_force(x + h * k3v);
        x += h / 6.0 * (v + 2.0 * (k2v + k3v) + k4v);
        v += h / 6.0 * (a + 2.0 * (k2a + k3a) + k4a);
        a = pendulum_force(x) + extra;
    }
    return fmax(fabs(x - right.x), fabs(v - right.v));
}

static void measure_runge_kutta(Lab *lab, const Claim *claim, double *n)
{
    (void)lab;
    (void)claim;
    n[0] = runge_kutta_error(100, 1.0);
    n[1] = runge_kutta_error(100, 0.0);
}

static void measure_precision(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = measure_error(lab, "explicit_euler", NULL, 0.0, 0.0, 100);
    n[1] = measure_error(lab, "rk4", NULL, 0.0, 0.0, 100);
}

static void judge_precision(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "errors at 100 steps: explicit Euler %.1e, Runge-Kutta %.1e", n[0], n[1]);
    finding_judge(finding, claim->given[0] * n[1] <= n[0]);
}

// Section 6 with r_m = 0: v += h a, x += h v, from v(0), or from v(0) + (h/2) a(0). Error of x at t = 2.
static double leapfrog_error(int steps, double kick)
{
    const Motion right = measure_pendulum(0.0, (Motion){1.0, 0.5}, 2.0);
    const double h = 2.0 / steps;
    double       x = 1.0, v = 0.5 + (kick - 1.0) * h * pendulum_force(1.0);
    for (int i = 0; i < steps; ++i) {
        v += h * pendulum_force(x);
        x += h * v;
    }
    return fabs(x - right.x);
}

static double leapfrog_apart(Lab *lab)
{
    const At *at = AT({"steps", 50}, {"zeta", 0});
    double    x = 1.0, v = 0.5, largest = 0.0;
    for (size_t i = 1; i <= 50; ++i) {
        v += 0.04 * pendulum_force(x);
        x += 0.04 * v;
        largest = fmax(largest, fabs(x - lab_sample(lab, LAB_ORDERS, "symplectic_euler", "x", at, i, 0)));
    }
    return largest;
}

static void measure_leapfrog(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = log2(leapfrog_error(100, 1.0) / leapfrog_error(200, 1.0));
    n[1] = log2(leapfrog_error(100, 0.5) / leapfrog_error(200, 0.5));
    n[2] = leapfrog_apart(lab);
    n[3] = measure_order(lab, "central_difference", NULL, 0.0, 0.0);
}

static void judge_leapfrog(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(
        finding,
        "order of x %.2f as printed, which is symplectic Euler within %.0e; %.2f from half a kick; %.2f, in x and "
        "v, for the kernel",
        n[0], n[2], n[1], n[3]);
    finding_judge(finding, n[0] >= claim->given[0]);
    if (n[0] < claim->given[0] && n[1] >= claim->given[0])
        finding_only_if(finding, "the first velocity is moved by half a kick, which is not said");
}

// Section 6 with r_m: v1 = cstVel v + cstAcc a, without a force, over a step.
static void measure_damped_leapfrog(Lab *lab, const Claim *claim, double *n)
{
    const double h = 0.01, r_m = 0.1, vel = 1.0 / h - 0.5 * r_m, acc = 1.0 / (1.0 / h + 0.5 * r_m);
    (void)lab;
    (void)claim;
    n[0] = vel;
    n[1] = vel * acc;
    n[2] = exp(-r_m * h);
}

static void judge_damped_leapfrog(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "a step multiplies a free velocity by %.4g as printed, by %.9f with cstVel cstAcc; exact %.9f",
                n[0], n[1], n[2]);
    finding_judge(finding, fabs(n[0] - n[2]) <= claim->given[0]);
}

#define ORDER_RUN "pendulum from (1, 0.5) to t = 2, 100 and 200 steps, zeta 0 and 0.2"
#define OSCILLATOR_RUN "oscillator, omega pi, step 0.01"

static const Claim rows[] = {
    {"section 2.2, position", "Backward Euler moves the position by h v_k.",
     "matrix as printed in plain C, undamped; kernels sofa_euler and backward_euler",
     "backward Euler's radius as printed", measure_euler, judge_printed_euler, .given = {1e-9}},
    {"section 2.2, velocity", "The velocity line is backward Euler's, linearised.",
     "kernels sofa_euler and backward_euler, undamped", "the same spectral radius within 1e-9", measure_euler,
     judge_euler, .given = {1e-9}},
    {"section 3", "The solver is Newmark's scheme with gamma = 1/2 and beta = 1/4.",
     "kernels sofa_newmark and newmark, undamped oscillator", "the same matrix within 1e-9 of it", measure_newmark,
     judge_newmark, .given = {1e-9}},
    {"section 3, accuracy", "Linearised once a step, the scheme keeps Newmark's second order.", ORDER_RUN,
     "2 within 0.1, in x and v", measure_two_orders, judge_two_orders, .word = "sofa_newmark", .given = {2, 0.1}},
    {"section 4.1", "v = 2 (F + p)/M is a variational symplectic step.", OSCILLATOR_RUN,
     "radius 1 within 1e-6 as printed", measure_variational, judge_variational, .given = {1.0 + 1e-6}},
    {"section 4.2, accuracy", "With alpha = 1/2 the implicit solver is of quadratic accuracy.", ORDER_RUN,
     "2 within 0.1, in x and v", measure_two_orders, judge_two_orders, .word = "variational_implicit",
     .given = {2, 0.1}},
    {"section 4.2, matrix", "The matrix of the half step is -K + 4/h(2) M.",
     "one step of x'' = -x from (1, 0.5), h = 0.1, 4/h(2) read as 8/h, in plain C", "mean velocity within 0.01",
     measure_mass_factor, judge_error_beside, .given = {0.01}},
    {"section 4.2, momentum", "The momentum becomes (M + h^2/4) v + (h/2) F.", OSCILLATOR_RUN ", 8 s, in plain C",
     "energy within 1 % as printed", measure_momentum, judge_momentum, .given = {0.01}},
    {"section 4.2, loop", "The loop ends with q(k, i) = q(k, i-1).",
     "pendulum from (1, 0.5) to t = 2, 50 steps, in plain C", "the implicit midpoint rule within 1e-9 as printed",
     measure_loop, judge_loop, .given = {1e-9}},
    {"section 5.1", "The Runge-Kutta method of section 5.1 is second-order.", ORDER_RUN, "2 within 0.1, in x and v",
     measure_two_orders, judge_two_orders, .word = "rk2", .given = {2, 0.1}},
    {"section 5.2", "The Runge-Kutta method of section 5.2 is of order four.", ORDER_RUN, "4 within 0.15, in x and v",
     measure_two_orders, judge_two_orders, .word = "rk4", .given = {4, 0.15}},
    {"section 5", "Runge-Kutta is much more precise than explicit Euler.", "pendulum from (1, 0.5) to t = 2, 100 steps",
     "a thousandth of the error", measure_precision, judge_precision, .given = {1000}},
    {"section 5.2, last line", "The next step begins with a = (F + 1)/m.",
     "pendulum from (1, 0.5) to t = 2, 100 steps, in plain C", "error at most 1e-6 as printed", measure_runge_kutta,
     judge_error_beside, .given = {1e-6}},
    {"section 6, r_m = 0", "The scheme is central differences, of second order.",
     "pendulum from (1, 0.5) to t = 2, 100 and 200 steps, in plain C; kernels", "order at least 1.8", measure_leapfrog,
     judge_leapfrog, .given = {1.8}},
    {"section 6, r_m not 0", "The velocity becomes cstVel v + cstAcc a with cstVel = 1/h - r_m/2.",
     "one step without a force, h = 0.01, r_m = 0.1, in plain C", "the exact decay within 1e-6 as printed",
     measure_damped_leapfrog, judge_damped_leapfrog, .given = {1e-6}},
};

const ClaimTable claims_sofa = {"Degletagne 2015 (SOFA)", rows, sizeof rows / sizeof *rows};
