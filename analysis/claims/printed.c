// printed -- formulas as printed and as they should be, run in plain C on the oscillator and the pendulum.
#include "analysis/claims/printed.h"

#include <math.h>

// Paths are those of the pendulum from (1, 0.5) to t = 2, at every step, the first place included.
enum { STEPS = 50, PATH = STEPS + 1, MOST_ITERATIONS = 200 };

static Motion find_slope(double zeta, Motion y)
{
    return (Motion){y.v, -sin(y.x) - 2.0 * zeta * y.v};
}

static Motion along(Motion y, double h, Motion slope)
{
    return (Motion){y.x + h * slope.x, y.v + h * slope.v};
}

Motion printed_pendulum(double zeta, Motion y, double end)
{
    enum { FINE = 4000 };
    const double h = end / FINE;
    for (int n = 0; n < FINE; ++n) {
        const Motion k1 = find_slope(zeta, y), k2 = find_slope(zeta, along(y, 0.5 * h, k1)),
                     k3 = find_slope(zeta, along(y, 0.5 * h, k2)), k4 = find_slope(zeta, along(y, h, k3));
        y.x += h / 6.0 * (k1.x + 2.0 * (k2.x + k3.x) + k4.x);
        y.v += h / 6.0 * (k1.v + 2.0 * (k2.v + k3.v) + k4.v);
    }
    return y;
}

// Wu 2018.

// Section 2.1.1, of u and the width: theta2's equation in the first step of problem 2, f(u) = u - W + c sin(X + c u),
// u = 0 the first guess.
static void difference_error(const double *a, double *out)
{
    const double u = a[0], width = a[1], c = 0.05 * (0.5 + 0.07 / 50.0), X = 1.0, exact = 1.0 + c * c * cos(X + c * u);
    const double up = u + width + c * sin(X + c * (u + width)), down = u - width + c * sin(X + c * (u - width));
    *out = fabs((up - down) / (2.0 * width) / exact - 1.0);
}

// generalized_alpha on x'' = -x, rho_inf = 0.6: one step from (x, v, a).
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

// Of the number of steps, and whether every second one is taken as two halves: the error at t = 4.
static void alpha_error(const double *a, double *out)
{
    const double h = 4.0 / a[0];
    double       state[3] = {1.0, 0.0, -1.0};
    for (int i = 0; i < (int)a[0]; ++i) {
        const bool halved = a[1] != 0.0 && i % 2;
        for (int half = 0; half < (halved ? 2 : 1); ++half)
            alpha_step(halved ? 0.5 * h : h, state);
    }
    *out = fmax(fabs(state[0] - cos(4.0)), fabs(state[1] + sin(4.0)));
}

// The theta that damps low frequencies as rho_inf does: theta (3 + theta)/(4 (3 - theta)^2) = d^3/2 with
// d = (1 - rho_inf)/(1 + rho_inf), the coefficients of Omega^4.
static void equivalent_theta(const double *a, double *out)
{
    const double d = (1.0 - a[0]) / (1.0 + a[0]), d3 = d * d * d;
    *out = 3.0 * (sqrt(1.0 + 16.0 * d3) - 1.0 - 4.0 * d3) / (2.0 * (1.0 - 2.0 * d3));
}

// The rho_inf whose radius at infinity is that of its equivalent, 3 (1 - theta)/(3 + theta).
static void matched_rho(const double *a, double *out)
{
    double low = 0.12, high = 0.5;
    (void)a;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        double       theta;
        equivalent_theta(&middle, &theta);
        if (middle - 3.0 * (1.0 - theta) / (3.0 + theta) > 0.0)
            low = middle;
        else
            high = middle;
    }
    *out = 0.5 * (low + high);
}

// Fang 2018.

// Of zeta, omega and the step: the largest error of eq. 22 as printed, iterated over the 8 s of section 4.1.
static void half_implicit_error(const double *a, double *out)
{
    const double zeta = a[0], omega = a[1], h = a[2], O = omega * h, free = sqrt(1.0 - zeta * zeta) * omega;
    double       x = 1.0, v = h;
    *out = 0.0;
    for (int i = 1; i <= 800; ++i) {
        const double t = i * h, decay = exp(-zeta * omega * t), pushed = (1.0 - 2.0 * zeta * O) * v;
        const double x1 = (2.0 - O * O) * x + pushed;
        v = -O * O * x + pushed;
        x = x1;
        *out = fmax(*out, fabs(x - decay * (cos(free * t) + (1.0 + zeta * omega) / free * sin(free * t))));
    }
}

// Degletagne 2015.

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

// Of m: the error of the mean velocity of one step of x'' = -x, h = 0.1.
static void mean_velocity_error(const double *a, double *out)
{
    const double   h = 0.1, q = 1.0, p = 0.5, exact = (q * cos(h) + p * sin(h) - q) / h;
    const HalfStep half = {a[0], false, spring_force, spring_slope};
    *out = fabs(2.0 / h * half_step(&half, q, p, h) - exact);
}

// Of whether the old estimate is put back.
static void half_step_path(const double *a, double *out)
{
    const double   h = 2.0 / STEPS;
    const HalfStep half = {4.0 / (h * h), a[0] != 0.0, pendulum_force, pendulum_slope};
    double         x = 1.0, p = 0.5;
    out[0] = x;
    for (int i = 1; i <= STEPS; ++i) {
        const double res = half_step(&half, x, p, h), v = 2.0 / h * res;
        p = v + 0.5 * h * pendulum_force(x + res);
        x += h * v;
        out[i] = x;
    }
}

// Of K, what the energy changes by over 8 s: momentum after a step is (M + h^2/4) v + (h/2) F as printed,
// (M + h^2/4 K) v + (h/2) F with K = -omega^2.
static void energy_growth(const double *a, double *out)
{
    const double omega = acos(-1.0), h = 0.01;
    double       x = 1.0, p = 1.0;
    const double first = 0.5 * (p * p + omega * omega * x * x);
    for (int i = 0; i < 800; ++i) {
        const double force = -omega * omega * x, v = (p + 0.5 * h * force) / (1.0 + 0.25 * h * h * omega * omega);
        p = (1.0 + 0.25 * h * h * a[0]) * v + 0.5 * h * force;
        x += h * v;
    }
    *out = 0.5 * (p * p + omega * omega * x * x) / first - 1.0;
}

// Section 5.2, of the number of steps and what is added: the next step begins with a_(k+1) = (F + added)/m. Error at
// t = 2.
static void runge_kutta_error(const double *a, double *out)
{
    const Motion right = printed_pendulum(0.0, (Motion){1.0, 0.5}, 2.0);
    const double h = 2.0 / a[0];
    double       x = 1.0, v = 0.5, pull = pendulum_force(x);
    for (int i = 0; i < (int)a[0]; ++i) {
        const double k2v = v + 0.5 * h * pull, k2a = pendulum_force(x + 0.5 * h * v);
        const double k3v = v + 0.5 * h * k2a, k3a = pendulum_force(x + 0.5 * h * k2v);
        const double k4v = v + h * k3a, k4a = pendulum_force(x + h * k3v);
        x += h / 6.0 * (v + 2.0 * (k2v + k3v) + k4v);
        v += h / 6.0 * (pull + 2.0 * (k2a + k3a) + k4a);
        pull = pendulum_force(x) + a[1];
    }
    *out = fmax(fabs(x - right.x), fabs(v - right.v));
}

// Section 6 with r_m = 0, of the number of steps and the share of the first kick: v += h a, x += h v. Error of x at
// t = 2.
static void leapfrog_error(const double *a, double *out)
{
    const Motion right = printed_pendulum(0.0, (Motion){1.0, 0.5}, 2.0);
    const double h = 2.0 / a[0];
    double       x = 1.0, v = 0.5 + (a[1] - 1.0) * h * pendulum_force(1.0);
    for (int i = 0; i < (int)a[0]; ++i) {
        v += h * pendulum_force(x);
        x += h * v;
    }
    *out = fabs(x - right.x);
}

static void leapfrog_path(const double *a, double *out)
{
    double x = 1.0, v = 0.5;
    (void)a;
    out[0] = x;
    for (int i = 1; i <= STEPS; ++i) {
        v += 0.04 * pendulum_force(x);
        x += 0.04 * v;
        out[i] = x;
    }
}

// The note of 2020.

// Its iteration, of
//   the sign of tau/2 in the residual of the velocity: +1 right, -1 as printed
//   whether R_q is left out
//   the first guess of the velocity: 0 for the current one, 1 for none, 2 for that at t = 0
//   the number of steps, at most STEPS
// gives the iterations a step, the largest |R_q| after the first iteration of a step, and the path.
static void note(const double *a, double *out)
{
    const double threshold = 1e-13, tau = 2.0 / a[3];
    double       q = 1.0, v = 0.5;
    out[0] = out[1] = 0.0;
    out[2] = q;
    for (int n = 1; n <= (int)a[3]; ++n) {
        double q1 = q, v1 = a[2] == 0.0 ? v : a[2] == 1.0 ? 0.0 : 0.5, change = 1.0;
        for (int i = 0; i < MOST_ITERATIONS && fabs(change) >= threshold; ++i) {
            const double R_q = q1 - q - 0.5 * tau * (v + v1), K = cos(q1);
            const double R_v = v1 - v + a[0] * 0.5 * tau * (sin(q) + sin(q1));
            out[1] = i > 0 ? fmax(out[1], fabs(R_q)) : out[1];
            change = (-R_v + (a[1] != 0.0 ? 0.0 : 0.5 * tau * K * R_q)) / (1.0 + 0.25 * tau * tau * K);
            v1 += change;
            q1 = q + 0.5 * tau * (v + v1);
            out[0] += 1.0 / a[3];
        }
        q = q1;
        v = v1;
        out[2 + n] = q;
    }
}

// Chern 2024.

// Backward Euler as a minimum on x'' + 2 zeta omega x' + omega^2 x = 0, omega = 3, zeta = 0.1, step 0.01, to t = 5: the
// rate at which the energy falls, of the weight of the dissipation and whether it sees the iterate q^(k), not q^(n).
static void dissipation_rate(const double *a, double *out)
{
    const double h = 0.01, omega = 3.0, zeta = 0.1;
    const bool   iterate = a[1] != 0.0;
    double       q = 1.0, v = 0.0;
    for (int n = 0; n < 500; ++n) {
        const double ahead = q + h * v, damp = a[0] * 2.0 * zeta * omega / h;
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
    *out = -log((v * v + omega * omega * q * q) / (omega * omega)) / 5.0;
}

// Newmark as a minimum on x'' = -x, beta 1/4, gamma 1/2, step 0.04, of the sign in a^(n) = sign M^-1 dU. Error at t
// = 2.
static void newmark_error(const double *a, double *out)
{
    const double h = 0.04, beta = 0.25, gamma = 0.5;
    double       q = 1.0, v = 0.0, pull = a[0] * q;
    for (int n = 0; n < 50; ++n) {
        const double ahead = q + h * v + 0.5 * h * h * (1.0 - 2.0 * beta) * pull;
        q = ahead / (1.0 + beta * h * h);
        const double next = a[0] * q;
        v += h * ((1.0 - gamma) * pull + gamma * next);
        pull = next;
    }
    *out = fabs(q - cos(2.0));
}

const Measure printed_measures[] = {
    {.name = "difference_error", .arguments = "vv", .outs = 1, .plain = difference_error},
    {.name = "alpha_error", .arguments = "vv", .outs = 1, .plain = alpha_error},
    {.name = "equivalent_theta", .arguments = "v", .outs = 1, .plain = equivalent_theta},
    {.name = "matched_rho", .arguments = "", .outs = 1, .plain = matched_rho},
    {.name = "half_implicit_error", .arguments = "vvv", .outs = 1, .plain = half_implicit_error},
    {.name = "mean_velocity_error", .arguments = "v", .outs = 1, .plain = mean_velocity_error},
    {.name = "half_step_path", .arguments = "v", .outs = PATH, .plain = half_step_path},
    {.name = "energy_growth", .arguments = "v", .outs = 1, .plain = energy_growth},
    {.name = "runge_kutta_error", .arguments = "vv", .outs = 1, .plain = runge_kutta_error},
    {.name = "leapfrog_error", .arguments = "vv", .outs = 1, .plain = leapfrog_error},
    {.name = "leapfrog_path", .arguments = "", .outs = PATH, .plain = leapfrog_path},
    {.name = "note", .arguments = "vvvv", .outs = 2 + PATH, .plain = note},
    {.name = "dissipation_rate", .arguments = "vv", .outs = 1, .plain = dissipation_rate},
    {.name = "newmark_error", .arguments = "v", .outs = 1, .plain = newmark_error},
};
const size_t printed_measure_count = sizeof printed_measures / sizeof *printed_measures;
