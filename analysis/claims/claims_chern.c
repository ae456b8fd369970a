// claims_chern -- Chern 2024 (CSE 291), the slides on incremental potentials.
#include "analysis/claims/claims_measure.h"
#include "analysis/claims/claims_tables.h"

#include <math.h>

// Symplectic Euler, undamped, below and above Omega = 2.

static void measure_symplectic(Lab *lab, const Claim *claim, double *n)
{
    static const double omega[] = {0.1, 1.0, 1.999, 2.001};
    Matrix              found[4];
    (void)claim;
    lab_matrices(lab, "symplectic_euler", 0.0, 0.0, omega, 4, found);
    n[0] = n[1] = 0.0;
    for (int i = 0; i < 3; ++i) {
        n[0] = fmax(n[0], fabs(matrix_determinant(found[i]) - 1.0));
        n[1] = fmax(n[1], fabs(matrix_radius(found[i]) - 1.0));
    }
    n[2] = matrix_radius(found[3]);
    // Of a conjugate pair, |lambda - 1|^2 is the characteristic polynomial at 1.
    n[3] = sqrt(1.0 - found[1].a[0][0] - found[1].a[1][1] + matrix_determinant(found[1]));
    lab_limits(lab, "symplectic_euler", 0.0, (const double[]){0.0}, 1, n + 4);
}

static void judge_symplectic(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding,
                "up to Omega = 1.999 the determinant is 1 within %.0e and |lambda| within %.0e; at 2.001 the radius "
                "is %.4f; limit %.9f",
                n[0], n[1], n[2], n[4]);
    finding_judge(finding, n[0] <= claim->given[0] && n[1] <= claim->given[0] && n[2] > 1.0 + claim->given[0]);
}

static void judge_eigenvalues(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "at Omega = 1 |lambda - 1| = %.4f, while |lambda| is 1 within %.0e", n[3], n[1]);
    finding_judge(finding, n[3] <= claim->given[0]);
}

static void measure_backward(Lab *lab, const Claim *claim, double *n)
{
    static const double omega[] = {0.01, 1.0, 1e4};
    Matrix              found[3];
    (void)claim;
    lab_matrices(lab, "backward_euler", 0.0, 0.0, omega, 3, found);
    n[0] = measure_largest_radius(lab, "backward_euler", 0.0, 0.0);
    for (int i = 0; i < 3; ++i)
        n[1 + i] = matrix_determinant(found[i]);
}

static void judge_backward(const Claim *claim, const double *n, Finding *finding)
{
    (void)claim;
    finding_say(finding,
                "largest |lambda| for Omega from 0.01 to 1e4: 1 - %.1e; determinant %.6f, %.3f, %.0e at 0.01, 1, "
                "1e4",
                1.0 - n[0], n[1], n[2], n[3]);
    finding_judge(finding, n[0] < 1.0 && n[1] < 1.0 && n[2] < 1.0 && n[3] < 1.0);
}

// The matrices on two places have the traces and determinants of those on place and velocity.
static void measure_two_step(Lab *lab, const Claim *claim, double *n)
{
    static const double omega[] = {0.1, 1.5};
    Matrix              symplectic[2], backward[2];
    (void)claim;
    lab_matrices(lab, "symplectic_euler", 0.0, 0.0, omega, 2, symplectic);
    lab_matrices(lab, "backward_euler", 0.0, 0.0, omega, 2, backward);
    n[0] = n[1] = 0.0;
    for (int i = 0; i < 2; ++i) {
        const double square = omega[i] * omega[i], per = 1.0 / (1.0 + square);
        n[0] = fmax(n[0], fmax(fabs(symplectic[i].a[0][0] + symplectic[i].a[1][1] - (2.0 - square)),
                               fabs(matrix_determinant(symplectic[i]) - 1.0)));
        n[1] = fmax(n[1], fmax(fabs(backward[i].a[0][0] + backward[i].a[1][1] - 2.0 * per),
                               fabs(matrix_determinant(backward[i]) - per)));
    }
}

static void judge_two_step(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "trace and determinant agree within %.0e (symplectic) and %.0e (backward)", n[0], n[1]);
    finding_judge(finding, n[0] <= claim->given[0] && n[1] <= claim->given[0]);
}

static void measure_minimum(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = measure_apart(lab, "incremental_potential", "backward_euler");
    n[1] = measure_apart(lab, "incremental_potential", "symplectic_euler");
}

static void judge_minimum(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "the paths are %.0e apart (symplectic Euler: %.0e)", n[0], n[1]);
    finding_judge(finding, n[0] <= claim->given[0]);
}

// d(K + V)/dt = -2 R, R = zeta omega v^2 = 2 zeta omega K, over 5 s.
static void measure_energy_law(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = lab_number(lab, LAB_ENERGY, "rk4", "energy_initial", NOWHERE) -
           lab_number(lab, LAB_ENERGY, "rk4", "energy_final", NOWHERE);
    n[1] = 4.0 * 0.1 * 3.0 * lab_number(lab, LAB_ENERGY, "rk4", "kinetic_integral", NOWHERE);
}

static void judge_energy_law(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "the energy falls by %.9f J, the integral of 2 R is %.9f J", n[0], n[1]);
    finding_judge(finding, fabs(n[0] / n[1] - 1.0) <= claim->given[0]);
}

// Backward Euler as a minimum on x'' + 2 zeta omega x' + omega^2 x = 0, omega = 3, zeta = 0.1, step 0.01, to t = 5. The
// rate at which the energy falls, where the dissipation sees (q - q^(n))/h, the iterate q^(k), or is left out.
static double dissipation_rate(double weight, bool iterate)
{
    const double h = 0.01, omega = 3.0, zeta = 0.1;
    double       q = 1.0, v = 0.0;
    for (int n = 0; n < 500; ++n) {
        const double ahead = q + h * v, damp = weight * 2.0 * zeta * omega / h;
        double       now = q, next = q;
        // Newton's method on the gradient; with the iterate in place of q^(n) it is done again for each.
        for (int i = 0; i < (iterate ? 400 : 1); ++i) {
            const double about = iterate ? now : q;
            next = (ahead / (h * h) + damp * about) / (1.0 / (h * h) + damp + omega * omega);
            now = next;
        }
        v = (next - q) / h;
        q = next;
    }
    return -log((v * v + omega * omega * q * q) / (omega * omega)) / 5.0;
}

static void measure_dissipation(Lab *lab, const Claim *claim, double *n)
{
    (void)lab;
    (void)claim;
    n[0] = dissipation_rate(1.0, true);
    n[1] = dissipation_rate(1.0, false);
    n[2] = dissipation_rate(0.0, false);
}

static void judge_dissipation(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(
        finding,
        "the energy falls at %.3f/s with the iterate q^(k), at %.3f/s with q^(n), at %.3f/s without dissipation "
        "(exact: 0.6/s on top of that)",
        n[0], n[1], n[2]);
    finding_judge(finding, fabs(n[0] - n[2] - claim->given[0]) <= claim->given[1] * claim->given[0]);
}

// Newmark as a minimum on x'' = -x, beta 1/4, gamma 1/2, step 0.04: a^(n) = sign M^-1 dU. Error at t = 2.
static double sign_error(double sign)
{
    const double h = 0.04, beta = 0.25, gamma = 0.5;
    double       q = 1.0, v = 0.0, a = sign * q;
    for (int n = 0; n < 50; ++n) {
        const double ahead = q + h * v + 0.5 * h * h * (1.0 - 2.0 * beta) * a;
        q = ahead / (1.0 + beta * h * h);
        const double a1 = sign * q;
        v += h * ((1.0 - gamma) * a + gamma * a1);
        a = a1;
    }
    return fabs(q - cos(2.0));
}

static void measure_sign(Lab *lab, const Claim *claim, double *n)
{
    (void)lab;
    (void)claim;
    n[0] = sign_error(1.0);
    n[1] = sign_error(-1.0);
}

static void judge_sign(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "error at t = 2: %.2g with + as printed, %.1e with -", n[0], n[1]);
    finding_judge(finding, n[0] <= claim->given[0]);
}

static void measure_newmark(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = measure_order(lab, "incremental_newmark", NULL, 0.0, 0.0);
    n[1] = measure_order(lab, "incremental_newmark", NULL, 0.0, 0.2);
}

static void judge_newmark(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "order %.2f undamped, %.2f with dissipation", n[0], n[1]);
    finding_settings(finding, "", (const bool[]){n[0] >= claim->given[0], n[1] >= claim->given[0]},
                     (const char *const[]){"there is no dissipation", "there is dissipation"}, 2);
}

// Barrier: at each step the lowest place and the failed solves, by the minimum and by backward Euler's root.

static const double barrier_steps[] = {0.01, 0.02, 0.05, 0.1, 0.2};
enum { BARRIER_STEPS = sizeof barrier_steps / sizeof *barrier_steps };

static void measure_barrier(Lab *lab, const Claim *claim, double *n)
{
    static const char *const groups[] = {"incremental_potential", "backward_euler"};
    (void)claim;
    for (int g = 0; g < 2; ++g)
        for (int i = 0; i < BARRIER_STEPS; ++i) {
            const At    *at = AT({"step", barrier_steps[i]});
            const size_t samples = lab_samples(lab, LAB_BARRIER, groups[g], at);
            double       lowest = (double)INFINITY;
            for (size_t k = 0; k < samples; ++k) {
                const double x = lab_sample(lab, LAB_BARRIER, groups[g], "x", at, k, 0);
                // A place that is no number must not be lost in a comparison.
                lowest = x >= lowest ? lowest : x;
            }
            n[2 * BARRIER_STEPS * g + i] = lowest;
            n[2 * BARRIER_STEPS * g + BARRIER_STEPS + i] = lab_number(lab, LAB_BARRIER, groups[g], "failed_solves", at);
        }
}

static void judge_barrier(const Claim *claim, const double *n, Finding *finding)
{
    bool   holds = true;
    double lowest = n[0];
    (void)claim;
    for (int i = 0; i < BARRIER_STEPS; ++i) {
        holds = holds && n[i] > 0.0 && n[BARRIER_STEPS + i] == 0.0;
        lowest = n[i] >= lowest ? lowest : n[i];
    }
    finding_say(
        finding,
        "lowest place %.4f m, no lower with any step; failed solves at step 0.05, 0.1, 0.2: %.0f, %.0f, %.0f by "
        "the minimum, %.0f, %.0f, %.0f by the root",
        lowest, n[7], n[8], n[9], n[17], n[18], n[19]);
    finding_judge(finding, holds);
}

// Friction.

static double velocity(Lab *lab, double smooth, double phi, double g, double v0, size_t sample)
{
    const At *at = AT({"v_smooth", smooth}, {"phi", phi}, {"g", g}, {"v0", v0});
    return lab_sample(lab, LAB_FRICTION, "trapezoidal", "v", at, sample, 0);
}

// Friction per mass over the first 0.05 s: what the slope adds less what the velocity gains.
static double friction(Lab *lab, double phi, double g, double v0)
{
    return g * sin(phi) - (velocity(lab, 0.01, phi, g, v0, 5) - v0) / 0.05;
}

static void measure_amonton(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = friction(lab, 0.2, 9.81, 2) / (9.81 * cos(0.2));
    n[1] = friction(lab, 0.2, 4.905, 2) / (4.905 * cos(0.2));
    n[2] = friction(lab, 0.6, 9.81, 2) / (9.81 * cos(0.6));
    n[3] = friction(lab, 0.2, 9.81, 1) / (9.81 * cos(0.2));
}

static void judge_amonton(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding,
                "friction over normal force: %.6f, %.6f at half the gravity, %.6f on a steeper slope; mu is 0.5", n[0],
                n[1], n[2]);
    finding_judge(finding, fabs(n[0] - 0.5) <= claim->given[0] && fabs(n[1] - 0.5) <= claim->given[0] &&
                               fabs(n[2] - 0.5) <= claim->given[0]);
}

static void judge_coulomb(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "friction over normal force: %.9f at 2 m/s, %.9f at 1 m/s", n[0], n[3]);
    finding_judge(finding, fabs(n[0] - n[3]) <= claim->given[0]);
}

static void measure_threshold(Lab *lab, const Claim *claim, double *n)
{
    (void)claim;
    n[0] = velocity(lab, 0.01, 0.4589, 9.81, 1, 6000);
    n[1] = velocity(lab, 0.01, 0.4683, 9.81, 1, 6000);
}

static void judge_threshold(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "after 60 s %.4f m/s where tan phi = %.3f, %.4f m/s where it is %.3f; mu is 0.5, v(0) 1 m/s",
                n[0], tan(0.4589), n[1], tan(0.4683));
    finding_judge(finding, n[0] <= claim->given[0] && n[1] > 1.0);
}

// R = mu |v| without the normal force, mass 1: v' = g sin phi - mu sign(v), v > 0 all along where the slope wins.
static void measure_no_normal(Lab *lab, const Claim *claim, double *n)
{
    const double phi = 0.2, g = 9.81, mu = 0.5, gain = g * sin(phi) - mu, rest = gain > 0.0 ? INFINITY : 1.0 / -gain;
    (void)claim;
    n[0] = rest > 60.0 ? 1.0 + 60.0 * gain : 0.0;
    n[1] = velocity(lab, 0.01, phi, g, 1, 6000);
}

static void judge_no_normal(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "tan phi = %.3f, mu = 0.5: after 60 s %.1f m/s with R = mu |v|, %.4f m/s with mu N |v|",
                tan(0.2), n[0], n[1]);
    finding_judge(finding, fabs(n[0]) <= claim->given[0]);
}

static void measure_creep(Lab *lab, const Claim *claim, double *n)
{
    static const double smooth[] = {1e-1, 1e-2, 1e-3};
    (void)claim;
    for (int i = 0; i < 3; ++i)
        n[i] = velocity(lab, smooth[i], 0.2, 9.81, 1, 6000) / smooth[i];
}

static void judge_creep(const Claim *claim, const double *n, Finding *finding)
{
    finding_say(finding, "the block creeps at %.4f, %.4f, %.4f of the smoothing velocity of 0.1, 0.01, 0.001 m/s", n[0],
                n[1], n[2]);
    finding_judge(finding, fmax(n[0], fmax(n[1], n[2])) <= claim->given[0]);
    if (n[0] > claim->given[0] && fabs(n[1] - n[0]) <= 1e-3 * n[0] && fabs(n[2] - n[0]) <= 1e-3 * n[0])
        finding_only_if(finding, "the smoothing velocity tends to 0: the creep is %.3f of it", n[0]);
}

#define FRICTION_RUN "block on an incline, mu = 0.5, trapezoidal rule, step 0.01"

static const Claim rows[] = {
    {"stability, symplectic Euler", "The determinant is 1, and the method is stable while dt^2 omega^2 < 4.",
     "kernel's matrix at Omega 0.1, 1, 1.999, 2.001", "within 1e-9 below, radius above 1 beyond", measure_symplectic,
     judge_symplectic, .given = {1e-9}},
    {"stability, symplectic Euler, eigenvalues", "Both eigenvalues are 1 while dt^2 omega^2 < 4.",
     "kernel's matrix at Omega = 1", "|lambda - 1| within 1e-9 as printed", measure_symplectic, judge_eigenvalues,
     .given = {1e-9}},
    {"stability, backward Euler", "Determinant and eigenvalues are below 1 for every dt^2 omega^2.",
     "kernel's matrix, Omega 0.01 to 1e4", "below 1", measure_backward, judge_backward, .given = {0}},
    {"stability, matrices", "The matrices on (q^(n-1), q^(n)) are those of symplectic and backward Euler.",
     "kernels' matrices at Omega 0.1 and 1.5", "trace and determinant within 1e-12", measure_two_step, judge_two_step,
     .given = {1e-12}},
    {"incremental variation", "Backward Euler is the minimum of an incremental potential.",
     "pendulum from (1, 0.5) to t = 2, 50 steps, both kernels", "the same path within 1e-9", measure_minimum,
     judge_minimum, .given = {1e-9}},
    {"energy dissipation", "For quadratic K and R, d(K + V)/dt = -2 R.",
     "damped oscillator, omega 3, zeta 0.1, rk4, step 0.001, 5 s", "within 1e-5", measure_energy_law, judge_energy_law,
     .given = {1e-5}},
    {"adding dissipation", "The dissipation function is taken at (q - q^(k))/dt.",
     "damped oscillator, omega 3, zeta 0.1, step 0.01, 5 s, q^(k) the iterate, in plain C",
     "the physical rate of 0.6/s within 10 %", measure_dissipation, judge_dissipation, .given = {0.6, 0.1}},
    {"Newmark algorithm, acceleration", "The acceleration is + M^-1 dU.",
     "x'' = -x to t = 2, step 0.04, beta 1/4, gamma 1/2, in plain C", "error at most 0.01 as printed", measure_sign,
     judge_sign, .given = {0.01}},
    {"Newmark algorithm", "Newmark's method as a minimum is of higher order than backward Euler.",
     "pendulum from (1, 0.5) to t = 2, 100 and 200 steps, zeta 0 and 0.2", "order at least 1.8", measure_newmark,
     judge_newmark, .given = {1.8}},
    {"contact and line search", "A barrier keeps bodies apart where the line search never crosses it.",
     "particle that falls 1 m on a barrier, 5 s, step 0.01 to 0.2", "above the ground, and no failed solve",
     measure_barrier, judge_barrier, .given = {0}},
    {"dry friction, first law", "Friction is proportional to the normal force.", FRICTION_RUN,
     "the ratio mu within 1e-6, at two gravities and two slopes", measure_amonton, judge_amonton, .given = {1e-6}},
    {"dry friction, Coulomb's law", "Once moving, friction is independent of the speed.", FRICTION_RUN,
     "the same within 1e-6 at 1 and 2 m/s", measure_amonton, judge_coulomb, .given = {1e-6}},
    {"dry friction, cone", "A block stops where tan phi is below mu and slides where it is above.",
     FRICTION_RUN ", 60 s, slopes 1 % to either side", "below the smoothing velocity of 0.01 m/s; faster than at first",
     measure_threshold, judge_threshold, .given = {0.01}},
    {"dry friction, rest", "Inside the cone the tangential velocity is 0.", FRICTION_RUN ", 60 s, phi = 0.2",
     "a thousandth of the smoothing velocity", measure_creep, judge_creep, .given = {1e-3}},
    {"dissipation function for dry friction", "R(v) = mu |v|.",
     FRICTION_RUN ", 60 s, phi = 0.2; as printed in closed form", "at rest within 0.1 m/s where tan phi is below mu",
     measure_no_normal, judge_no_normal, .given = {0.1}},
};

const ClaimTable claims_chern = {"Chern 2024 (CSE 291)", rows, sizeof rows / sizeof *rows};
