// linear_theory -- characteristic equations of the methods on the damped oscillator, and what follows from them.
//
// Each is written in z = h lambda, with lambda the oscillator's own eigenvalues: a growth factor R(z), a two-step
// formula, or, where both lambda come together, a polynomial in Omega^2 = |z|^2 and 2 zeta Omega = -2 Re z. A method
// whose equation is not here is not compared.
#pragma once

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_SIZE = 4, MOST_SETTINGS = 5, MOST_PARAMETERS = 2 };

typedef long double complex Complex;

// What is measured for zeta = 0: -ln|mu| = damping Omega^damping_power and Omega/arg mu - 1 = period Omega^period_power
// for Omega -> 0. NaN: not known here.
typedef struct Limits {
    double damping;
    int    damping_power;
    double period;
    int    period_power;
} Limits;

typedef struct Row {
    const char *method, *parameters[MOST_PARAMETERS];
    // Coefficients of the characteristic equation, from the constant one up; returns the degree.
    int (*characteristic)(Complex z, const double *p, Complex c[MOST_SIZE]);
    bool whole;                         // for both lambda at once
    Limits (*limits)(const double *p);  // NULL: `known`
    Limits known;
    double (*radius)(double omega);                   // for zeta = 0; NULL: not known here
    double (*radius_infinity)(const double *p);       // NULL: none
    double settings[MOST_SETTINGS][MOST_PARAMETERS];  // of a method without parameters those of the functions here
    size_t setting_count;                             // 0: one
    double cancelling;  // largest weight of slopes that cancel within a step; 0: none is above 1
} Row;

static double stiffness(Complex z)
{
    return (double)(creall(z) * creall(z) + cimagl(z) * cimagl(z));
}

static double damping(Complex z)
{
    return (double)(-2.0L * creall(z));
}

// Functions of a row that are one formula.
#define CHARACTERISTIC(name, formula)                                                         \
    static int name(Complex z, __attribute__((unused)) const double *p, Complex c[MOST_SIZE]) \
    {                                                                                         \
        return formula;                                                                       \
    }
#define LIMITS(name, damping, damping_power, period, period_power)     \
    static Limits name(const double *p)                                \
    {                                                                  \
        return (Limits){damping, damping_power, period, period_power}; \
    }
#define INFINITE(name, formula)                                 \
    static double name(__attribute__((unused)) const double *p) \
    {                                                           \
        return formula;                                         \
    }
#define RADIUS(name, formula)                                \
    static double name(__attribute__((unused)) double omega) \
    {                                                        \
        return formula;                                      \
    }

static int factor(Complex R, Complex c[MOST_SIZE])
{
    c[0] = -R;
    c[1] = 1.0L;
    return 1;
}

// With p 1 backward Euler, with 1/2 the trapezoidal rule.
CHARACTERISTIC(theta1, factor((1.0L + (1.0L - p[0]) * z) / (1.0L - p[0] * z), c))

// Wu 2018, eq. 12, for y' = lambda y. With p 1 BDF2.
static int theta2(Complex z, const double *p, Complex c[MOST_SIZE])
{
    const long double theta = p[0];
    c[0] = theta / 3.0L;
    c[1] = -(1.0L + theta / 3.0L + 0.5L * (1.0L - theta) * z);
    c[2] = 1.0L - (0.5L + theta / 6.0L) * z;
    return 2;
}

// The exponential up to the power p[0]; one over p[1] is the coefficient of one power more, 0 where p[1] is.
static int exponential(Complex z, const double *p, Complex c[MOST_SIZE])
{
    const int order = (int)p[0];
    Complex   term = 1.0L, sum = 1.0L;
    for (int k = 1; k <= order; ++k) {
        term *= z / k;
        sum += term;
    }
    return factor(sum + (p[1] > 0.0 ? 1.0L / p[1] : 0.0L) * cpowl(z, order + 1), c);
}

// The trapezoidal rule to g h, then BDF2 on the three points.
static int tr_bdf2(Complex z, const double *p, Complex c[MOST_SIZE])
{
    const long double g = p[0];
    const Complex     inner = (1.0L + 0.5L * g * z) / (1.0L - 0.5L * g * z);
    return factor((inner - (1.0L - g) * (1.0L - g)) / (g * (2.0L - g)) / (1.0L - (1.0L - g) / (2.0L - g) * z), c);
}

// Noh and Bathe 2019: the trapezoidal rule to g h, then weights q of the three slopes.
static int bathe(Complex z, const double *p, Complex c[MOST_SIZE])
{
    const long double rho = p[0], g = (2.0L - sqrtl(2.0L + 2.0L * rho)) / (1.0L - rho);
    const long double q1 = (rho + 1.0L) / (2.0L * g * (rho - 1.0L) + 4.0L), q0 = (g - 1.0L) * q1 + 0.5L;
    const Complex     inner = (1.0L + 0.5L * g * z) / (1.0L - 0.5L * g * z);
    return factor((1.0L + z * (q0 + q1 * inner)) / (1.0L - (0.5L - g * q1) * z), c);
}

// Put (E - 1) x = h v + h^2 b(E) a, (E - 1) v = h g(E) a and A(E) a = -2 zeta omega F(E) v - omega^2 F(E) x, with E the
// step from n to n + 1 and all four linear in E: then A (E - 1)^2 + 2 zeta Omega F g (E - 1) + Omega^2 F (g + b (E -
// 1)) vanishes.
typedef struct Linear {
    long double now, next;
} Linear;

static void add_product(Complex c[MOST_SIZE], long double weight, Linear l, Linear m, Linear n)
{
    c[0] += weight * l.now * m.now * n.now;
    c[1] += weight * (l.next * m.now * n.now + l.now * m.next * n.now + l.now * m.now * n.next);
    c[2] += weight * (l.next * m.next * n.now + l.next * m.now * n.next + l.now * m.next * n.next);
    c[3] += weight * l.next * m.next * n.next;
}

static int three_terms(Complex z, Linear A, Linear F, Linear g, Linear b, Complex c[MOST_SIZE])
{
    static const Linear step = {-1.0L, 1.0L}, one = {1.0L, 0.0L};
    const double        square = stiffness(z);
    for (int i = 0; i < MOST_SIZE; ++i)
        c[i] = 0.0L;
    add_product(c, 1.0L, A, step, step);
    add_product(c, damping(z), F, g, step);
    add_product(c, square, F, g, one);
    add_product(c, square, F, b, step);
    return 3;
}

static int alpha_family(Complex z, long double am, long double af, long double beta, long double gamma,
                        Complex c[MOST_SIZE])
{
    return three_terms(z, (Linear){am, 1.0L - am}, (Linear){af, 1.0L - af}, (Linear){1.0L - gamma, gamma},
                       (Linear){0.5L - beta, beta}, c);
}

CHARACTERISTIC(newmark, alpha_family(z, 0.0L, 0.0L, p[0], p[1], c))

// Second order and as much damping of high frequencies as am and af allow.
static int optimal(Complex z, long double am, long double af, Complex c[MOST_SIZE])
{
    return alpha_family(z, am, af, 0.25L * (1.0L - am + af) * (1.0L - am + af), 0.5L - am + af, c);
}

CHARACTERISTIC(generalized_alpha, optimal(z, (2.0L * p[0] - 1.0L) / (p[0] + 1.0L), p[0] / (p[0] + 1.0L), c))
CHARACTERISTIC(hht_alpha, optimal(z, 0.0L, -p[0], c))
CHARACTERISTIC(wbz_alpha, optimal(z, p[0], 0.0L, c))

// a_{n+1} is the acceleration at t_n: A = E, F = 1.
CHARACTERISTIC(chung_lee, three_terms(z, (Linear){0.0L, 1.0L}, (Linear){1.0L, 0.0L}, (Linear){-0.5L, 1.5L},
                                      (Linear){0.5L - p[0], p[0]}, c))

static int central_difference(Complex z, const double *p, Complex c[MOST_SIZE])
{
    (void)p;
    c[0] = 1.0L - 0.5L * damping(z);
    c[1] = stiffness(z) - 2.0L;
    c[2] = 1.0L + 0.5L * damping(z);
    return 2;
}

// E a = -omega^2 E x - 2 zeta omega (v + h a), (E - 1) v = (h/2) (1 + E) a, (E - 1) x = h v + (h^2/2) a.
static int velocity_verlet(Complex z, const double *p, Complex c[MOST_SIZE])
{
    (void)p;
    c[0] = 0.5L * damping(z);
    c[1] = 1.0L - 2.0L * damping(z);
    c[2] = 1.5L * damping(z) + stiffness(z) - 2.0L;
    c[3] = 1.0L;
    return 3;
}

static int symplectic_euler(Complex z, const double *p, Complex c[MOST_SIZE])
{
    (void)p;
    c[0] = 1.0L - damping(z);
    c[1] = stiffness(z) + damping(z) - 2.0L;
    c[2] = 1.0L;
    return 2;
}

LIMITS(limits_theta1, p[0] - 0.5, 2, (pow(p[0], 3.0) + pow(1.0 - p[0], 3.0)) / 3.0, 2)
LIMITS(limits_theta2, p[0] * (3.0 + p[0]) / (4.0 * pow(3.0 - p[0], 2.0)), 4, (3.0 + 5.0 * p[0]) / (12.0 * (3.0 - p[0])),
       2)
LIMITS(limits_newmark, 0.5 * (p[1] - 0.5), 2, p[1] == 0.5 ? 0.5 * p[0] - 1.0 / 24.0 : NAN, 2)

static Limits limits_generalized_alpha(const double *p)
{
    const double d = (1.0 - p[0]) / (1.0 + p[0]);
    return (Limits){0.5 * d * d * d, 4, 1.0 / 12.0 + 0.375 * d * d, 2};
}

// With E = e^s in the characteristic equation, ln(-Omega^2/s^2) = P2 s^2 + P3 s^3 + ... where gamma = 1/2 - am + af, so
// that s = i Omega (1 + P2 Omega^2/2) - P3 Omega^4/2. Below, a = 1 - am, f = 1 - af and c = gamma + 1/2.
static Limits limits_optimal(double am, double af)
{
    const double a = 1.0 - am, f = 1.0 - af, c = 1.0 + a - f, beta = 0.25 * (1.0 + a - f) * (1.0 + a - f);
    const double P2 = 1.0 / 12.0 + 0.5 * (a - a * a - f + f * f - c + c * c) - beta;
    const double P3 =
        (a - f - c) / 6.0 + 0.5 * (f * f - a * a + c * c) + (a * a * a - f * f * f - c * c * c) / 3.0 - beta + c * beta;
    return (Limits){0.5 * P3, 4, -0.5 * P2, 2};
}

static Limits limits_hht_alpha(const double *p)
{
    return limits_optimal(0.0, -p[0]);
}

static Limits limits_wbz_alpha(const double *p)
{
    return limits_optimal(p[0], 0.0);
}

RADIUS(radius_one, 1.0)
RADIUS(radius_backward_euler, 1.0 / sqrt(1.0 + omega * omega))
RADIUS(radius_explicit_euler, sqrt(1.0 + omega * omega))
INFINITE(infinity_zero, 0.0)
INFINITE(infinity_theta1, (1.0 - p[0]) / p[0])
INFINITE(infinity_theta2, 3.0 * (1.0 - p[0]) / (3.0 + p[0]))
INFINITE(infinity_parameter, p[0])

static const Row rows[] = {
    {.method = "backward_euler",
     .characteristic = theta1,
     .limits = limits_theta1,
     .radius = radius_backward_euler,
     .radius_infinity = infinity_theta1,
     .settings = {{1.0}}},
    {.method = "trapezoidal",
     .characteristic = theta1,
     .limits = limits_theta1,
     .radius = radius_one,
     .radius_infinity = infinity_theta1,
     .settings = {{0.5}}},
    {.method = "implicit_midpoint",
     .characteristic = theta1,
     .limits = limits_theta1,
     .radius = radius_one,
     .radius_infinity = infinity_theta1,
     .settings = {{0.5}}},
    {.method = "theta1",
     .parameters = {"theta1"},
     .characteristic = theta1,
     .limits = limits_theta1,
     .radius_infinity = infinity_theta1,
     .settings = {{0.55}, {0.8}},
     .setting_count = 2},
    {.method = "theta2",
     .parameters = {"theta"},
     .characteristic = theta2,
     .limits = limits_theta2,
     .radius_infinity = infinity_theta2,
     .settings = {{0.0}, {0.07}, {0.45}, {1.0}},
     .setting_count = 4},
    {.method = "bdf2",
     .characteristic = theta2,
     .limits = limits_theta2,
     .radius_infinity = infinity_theta2,
     .settings = {{1.0}}},
    {.method = "tr_bdf2",
     .parameters = {"gamma"},
     .characteristic = tr_bdf2,
     .known = {NAN, 2, NAN, 2},
     .radius_infinity = infinity_zero,
     .settings = {{0.5}, {0.6}},
     .setting_count = 2},
    {.method = "bathe",
     .parameters = {"rho_inf"},
     .characteristic = bathe,
     .known = {NAN, 2, NAN, 2},
     .radius_infinity = infinity_parameter,
     .settings = {{0.0}, {0.3}, {0.8}},
     .setting_count = 3},
    {.method = "generalized_alpha",
     .parameters = {"rho_inf"},
     .characteristic = generalized_alpha,
     .whole = true,
     .limits = limits_generalized_alpha,
     .radius_infinity = infinity_parameter,
     .settings = {{0.0}, {0.3}, {0.6}, {0.9}, {1.0}},
     .setting_count = 5},
    {.method = "hht_alpha",
     .parameters = {"alpha"},
     .characteristic = hht_alpha,
     .whole = true,
     .limits = limits_hht_alpha,
     .settings = {{-0.41421}, {-0.3}, {-0.1}, {0.0}},
     .setting_count = 4},
    {.method = "wbz_alpha",
     .parameters = {"alpha"},
     .characteristic = wbz_alpha,
     .whole = true,
     .limits = limits_wbz_alpha,
     .settings = {{-0.6}, {-0.1}, {0.0}},
     .setting_count = 3},
    {.method = "newmark",
     .parameters = {"beta", "gamma"},
     .characteristic = newmark,
     .whole = true,
     .limits = limits_newmark,
     .settings = {{0.25, 0.5}, {1.0 / 6.0, 0.5}, {0.0, 0.5}, {0.3025, 0.6}},
     .setting_count = 4},
    {.method = "central_difference",
     .characteristic = central_difference,
     .whole = true,
     .known = {0.0, 2, -1.0 / 24.0, 2}},
    {.method = "velocity_verlet", .characteristic = velocity_verlet, .whole = true, .known = {0.0, 2, -1.0 / 24.0, 2}},
    {.method = "symplectic_euler",
     .characteristic = symplectic_euler,
     .whole = true,
     .known = {0.0, 2, -1.0 / 24.0, 2}},
    {.method = "chung_lee",
     .parameters = {"beta"},
     .characteristic = chung_lee,
     .whole = true,
     .known = {NAN, 2, NAN, 2},
     .settings = {{1.0}, {28.0 / 27.0}},
     .setting_count = 2},
    {.method = "explicit_euler",
     .characteristic = exponential,
     .known = {-0.5, 2, 1.0 / 3.0, 2},
     .radius = radius_explicit_euler,
     .settings = {{1}}},
    {.method = "rk2", .characteristic = exponential, .known = {-1.0 / 8.0, 4, -1.0 / 6.0, 2}, .settings = {{2}}},
    {.method = "rk4", .characteristic = exponential, .known = {1.0 / 144.0, 6, 1.0 / 120.0, 4}, .settings = {{4}}},
    // Dormand and Prince 1980: of order 5 with six stages, so that one coefficient is their own. R e^{-z} =
    // 1 + z^6/3600 - z^7/2100 + ...
    {.method = "dopri5",
     .characteristic = exponential,
     .known = {1.0 / 3600.0, 6, -1.0 / 2100.0, 6},
     .settings = {{5, 600}},
     .cancelling = 25360.0 / 2187.0},
};
