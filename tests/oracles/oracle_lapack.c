// oracle_lapack -- LAPACK's eigenvalues of the matrices that the kernels have, against linear theory.
//
// One step of x'' + 2 zeta omega x' + omega^2 x = 0 is probed as in test_amplification, which compares the entries.
// Here the eigenvalues mu are compared with the roots of the method's characteristic equation, written in z = h lambda,
// with lambda the oscillator's own eigenvalues: a growth factor R(z), a two-step formula, or, where both lambda come
// together, a polynomial in Omega^2 = |z|^2 and 2 zeta Omega = -2 Re z. From them come damping and period error for
// Omega -> 0, the radius where it has a closed form, and its limit for Omega -> infinity.
#include "kernel_case.h"

#include <complex.h>
#include <float.h>
#include <lapacke.h>

enum { MOST_SIZE = 4, MOST_SETTINGS = 5, MOST_PARAMETERS = 2, ZETAS = 2, OMEGAS = 9, LOW = 4 };

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
    bool whole;  // for both lambda at once
    Limits (*limits)(const double *p);
    double (*radius)(double omega);              // for zeta = 0; NULL: not known here
    double (*radius_infinity)(const double *p);  // NULL: none
    double settings[MOST_SETTINGS][MOST_PARAMETERS];
    size_t setting_count;
    double cancelling;  // largest weight of slopes that cancel within a step; 0: none is above 1
} Row;

// The first four are low, each twice the one before; the last stands for infinity.
static const double omegas[OMEGAS] = {0.05, 0.1, 0.2, 0.4, 0.5, 1.0, 1.9, 5.0, 1e4};
static const double zetas[ZETAS] = {0.0, 0.2};

static double stiffness(Complex z)
{
    return (double)(creall(z) * creall(z) + cimagl(z) * cimagl(z));
}

static double damping(Complex z)
{
    return (double)(-2.0L * creall(z));
}

static int factor(Complex R, Complex c[MOST_SIZE])
{
    c[0] = -R;
    c[1] = 1.0L;
    return 1;
}

static int theta1_at(Complex z, double theta1, Complex c[MOST_SIZE])
{
    return factor((1.0L + (1.0L - theta1) * z) / (1.0L - theta1 * z), c);
}

static int theta1(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return theta1_at(z, p[0], c);
}

static int backward_euler(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return (void)p, theta1_at(z, 1.0, c);
}

static int trapezoidal(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return (void)p, theta1_at(z, 0.5, c);
}

// Wu 2018, eq. 12, for y' = lambda y.
static int theta2_at(Complex z, long double theta, Complex c[MOST_SIZE])
{
    c[0] = theta / 3.0L;
    c[1] = -(1.0L + theta / 3.0L + 0.5L * (1.0L - theta) * z);
    c[2] = 1.0L - (0.5L + theta / 6.0L) * z;
    return 2;
}

static int theta2(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return theta2_at(z, p[0], c);
}

static int bdf2(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return (void)p, theta2_at(z, 1.0L, c);
}

// The exponential up to a power; `last` is the coefficient of one power more.
static int exponential(Complex z, int order, long double last, Complex c[MOST_SIZE])
{
    Complex term = 1.0L, sum = 1.0L;
    for (int k = 1; k <= order; ++k) {
        term *= z / k;
        sum += term;
    }
    return factor(sum + last * cpowl(z, order + 1), c);
}

static int explicit_euler(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return (void)p, exponential(z, 1, 0.0L, c);
}

static int rk2(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return (void)p, exponential(z, 2, 0.0L, c);
}

static int rk4(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return (void)p, exponential(z, 4, 0.0L, c);
}

// Dormand and Prince 1980: of order 5 with six stages, so that one coefficient is their own.
static int dopri5(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return (void)p, exponential(z, 5, 1.0L / 600.0L, c);
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

static int newmark(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return alpha_family(z, 0.0L, 0.0L, p[0], p[1], c);
}

// Second order and as much damping of high frequencies as am and af allow.
static int optimal(Complex z, long double am, long double af, Complex c[MOST_SIZE])
{
    return alpha_family(z, am, af, 0.25L * (1.0L - am + af) * (1.0L - am + af), 0.5L - am + af, c);
}

static int generalized_alpha(Complex z, const double *p, Complex c[MOST_SIZE])
{
    const long double rho = p[0];
    return optimal(z, (2.0L * rho - 1.0L) / (rho + 1.0L), rho / (rho + 1.0L), c);
}

static int hht_alpha(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return optimal(z, 0.0L, -p[0], c);
}

static int wbz_alpha(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return optimal(z, p[0], 0.0L, c);
}

// a_{n+1} is the acceleration at t_n: A = E, F = 1.
static int chung_lee(Complex z, const double *p, Complex c[MOST_SIZE])
{
    return three_terms(z, (Linear){0.0L, 1.0L}, (Linear){1.0L, 0.0L}, (Linear){-0.5L, 1.5L},
                       (Linear){0.5L - p[0], p[0]}, c);
}

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

static Limits limits_theta1(const double *p)
{
    const double t = p[0];
    return (Limits){t - 0.5, 2, (t * t * t + (1.0 - t) * (1.0 - t) * (1.0 - t)) / 3.0, 2};
}

static Limits limits_backward_euler(const double *p)
{
    return (void)p, limits_theta1((const double[]){1.0});
}

static Limits limits_trapezoidal(const double *p)
{
    return (void)p, limits_theta1((const double[]){0.5});
}

static Limits limits_theta2(const double *p)
{
    const double t = p[0], rest = 3.0 - t;
    return (Limits){t * (3.0 + t) / (4.0 * rest * rest), 4, (3.0 + 5.0 * t) / (12.0 * rest), 2};
}

static Limits limits_bdf2(const double *p)
{
    return (void)p, limits_theta2((const double[]){1.0});
}

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

static Limits limits_newmark(const double *p)
{
    return (Limits){0.5 * (p[1] - 0.5), 2, p[1] == 0.5 ? 0.5 * p[0] - 1.0 / 24.0 : NAN, 2};
}

static Limits limits_leapfrog(const double *p)
{
    return (void)p, (Limits){0.0, 2, -1.0 / 24.0, 2};
}

static Limits limits_explicit_euler(const double *p)
{
    return (void)p, (Limits){-0.5, 2, 1.0 / 3.0, 2};
}

static Limits limits_rk2(const double *p)
{
    return (void)p, (Limits){-1.0 / 8.0, 4, -1.0 / 6.0, 2};
}

static Limits limits_rk4(const double *p)
{
    return (void)p, (Limits){1.0 / 144.0, 6, 1.0 / 120.0, 4};
}

// R e^{-z} = 1 + z^6/3600 - z^7/2100 + ...
static Limits limits_dopri5(const double *p)
{
    return (void)p, (Limits){1.0 / 3600.0, 6, -1.0 / 2100.0, 6};
}

static Limits limits_unknown(const double *p)
{
    return (void)p, (Limits){NAN, 2, NAN, 2};
}

static double radius_one(double omega)
{
    return (void)omega, 1.0;
}

static double radius_backward_euler(double omega)
{
    return 1.0 / sqrt(1.0 + omega * omega);
}

static double radius_explicit_euler(double omega)
{
    return sqrt(1.0 + omega * omega);
}

static double infinity_zero(const double *p)
{
    return (void)p, 0.0;
}

static double infinity_one(const double *p)
{
    return (void)p, 1.0;
}

static double infinity_theta1(const double *p)
{
    return (1.0 - p[0]) / p[0];
}

static double infinity_theta2(const double *p)
{
    return 3.0 * (1.0 - p[0]) / (3.0 + p[0]);
}

static double infinity_parameter(const double *p)
{
    return p[0];
}

static const Row rows[] = {
    {.method = "backward_euler",
     .characteristic = backward_euler,
     .limits = limits_backward_euler,
     .radius = radius_backward_euler,
     .radius_infinity = infinity_zero,
     .setting_count = 1},
    {.method = "trapezoidal",
     .characteristic = trapezoidal,
     .limits = limits_trapezoidal,
     .radius = radius_one,
     .radius_infinity = infinity_one,
     .setting_count = 1},
    {.method = "implicit_midpoint",
     .characteristic = trapezoidal,
     .limits = limits_trapezoidal,
     .radius = radius_one,
     .radius_infinity = infinity_one,
     .setting_count = 1},
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
     .characteristic = bdf2,
     .limits = limits_bdf2,
     .radius_infinity = infinity_zero,
     .setting_count = 1},
    {.method = "tr_bdf2",
     .parameters = {"gamma"},
     .characteristic = tr_bdf2,
     .limits = limits_unknown,
     .radius_infinity = infinity_zero,
     .settings = {{0.5}, {0.6}},
     .setting_count = 2},
    {.method = "bathe",
     .parameters = {"rho_inf"},
     .characteristic = bathe,
     .limits = limits_unknown,
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
     .settings = {{-0.3}, {-0.1}, {0.0}},
     .setting_count = 3},
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
     .limits = limits_leapfrog,
     .setting_count = 1},
    {.method = "velocity_verlet",
     .characteristic = velocity_verlet,
     .whole = true,
     .limits = limits_leapfrog,
     .setting_count = 1},
    {.method = "symplectic_euler",
     .characteristic = symplectic_euler,
     .whole = true,
     .limits = limits_leapfrog,
     .setting_count = 1},
    {.method = "chung_lee",
     .parameters = {"beta"},
     .characteristic = chung_lee,
     .whole = true,
     .limits = limits_unknown,
     .settings = {{1.0}, {28.0 / 27.0}},
     .setting_count = 2},
    {.method = "explicit_euler",
     .characteristic = explicit_euler,
     .limits = limits_explicit_euler,
     .radius = radius_explicit_euler,
     .setting_count = 1},
    {.method = "rk2", .characteristic = rk2, .limits = limits_rk2, .setting_count = 1},
    {.method = "rk4", .characteristic = rk4, .limits = limits_rk4, .setting_count = 1},
    {.method = "dopri5",
     .characteristic = dopri5,
     .limits = limits_dopri5,
     .setting_count = 1,
     .cancelling = 25360.0 / 2187.0},
};

// All roots at once, by Durand and Kerner's iteration, which ends at their rounding.
static void roots(const Complex c[MOST_SIZE], int degree, Complex found[MOST_SIZE])
{
    for (int i = 0; i < degree; ++i)
        found[i] = cpowl(0.4L + 0.9L * I, i);
    for (int turn = 0; turn < 200; ++turn)
        for (int i = 0; i < degree; ++i) {
            Complex value = c[degree], others = c[degree];
            for (int k = degree - 1; k >= 0; --k)
                value = value * found[i] + c[k];
            for (int k = 0; k < degree; ++k)
                others *= k == i ? 1.0L : found[i] - found[k];
            if (cabsl(others) > 0.0L)
                found[i] -= value / others;
        }
}

// Every eigenvalue that theory has for a point.
static void theory(const Row *row, double omega, double zeta, const double *p, size_t n, Complex found[MOST_SIZE])
{
    const long double across = sqrtl(1.0L - (long double)zeta * zeta);
    const Complex     z[2] = {omega * (-zeta + I * across), omega * (-zeta - I * across)};
    size_t            count = 0;
    for (int i = 0; i < (row->whole ? 1 : 2); ++i) {
        Complex   c[MOST_SIZE] = {0}, some[MOST_SIZE];
        const int degree = row->characteristic(z[i], p, c);
        roots(c, degree, some);
        assert_true(count + (size_t)degree <= n);
        for (int k = 0; k < degree; ++k)
            found[count++] = some[k];
    }
    assert_int_equal(count, n);
}

// The eigenvalues of a kernel's matrix, and how much each moves with it: by at most condition times the size of the
// change.
typedef struct Spectrum {
    size_t  n;
    Complex values[MOST_SIZE];
    double  condition[MOST_SIZE];
    double  size;  // of the matrix, the Frobenius norm
    double  omega;
} Spectrum;

// Rows of a method's state: x, v, its own vectors, and x and v one step back.
static size_t state_size(const Card *method)
{
    const size_t size = 2 + method->state_count + (method->history ? 2 : 0);
    assert_true(size <= MOST_SIZE);
    return size;
}

// What row i of the state is multiplied by to have the unit of x.
static double unit_of(const Card *method, size_t i, double h)
{
    const size_t own = 2 + method->state_count;
    return i == 0 || i == own ? 1.0 : i == 1 || i == own + 1 ? h : h * h;
}

// Points: every setting, Omega and zeta, each as often as there are unit states.
static size_t point_number(size_t setting, size_t omega, size_t zeta, size_t n)
{
    return ((setting * OMEGAS + omega) * ZETAS + zeta) * n;
}

static void add_axis(Text *text, const char *name, const Row *row, size_t n, int which)
{
    double values[MOST_SETTINGS * OMEGAS * ZETAS * MOST_SIZE];
    size_t count = 0;
    for (size_t s = 0; s < row->setting_count; ++s)
        for (size_t o = 0; o < OMEGAS; ++o)
            for (size_t z = 0; z < ZETAS; ++z)
                for (size_t unit = 0; unit < n; ++unit)
                    values[count++] = which == -2 ? omegas[o] : which == -1 ? zetas[z] : row->settings[s][which];
    text_add(text, "%s: ", name);
    add_list(text, values, count);
}

static void build_method(Ran *ran, Device *device, const Row *row, size_t n)
{
    Text text = {0};
    text_add(&text, "problem: harmonic_oscillator\ndesign: zip\nparameters: {omega: 1, ");
    add_axis(&text, "zeta", row, n, -1);
    text_add(&text, "}\nmethods:\n  - %s: {", row->method);
    for (int i = 0; i < MOST_PARAMETERS && row->parameters[i]; ++i) {
        text_add(&text, "%s", i == 0 ? "" : ", ");
        add_axis(&text, row->parameters[i], row, n, i);
    }
    text_add(&text, "}\n");
    add_axis(&text, "step", row, n, -2);
    text_add(&text, "\nsteps: 1\nnewton: {tolerance: 0}\nmetrics: [status]\n");
    build_text(ran, device, 8, text.text);
    text_free(&text);
}

// One step from unit states. That of x is added to the others: the floor guard measures rounding by x and v, so that a
// solve to the last bit needs a state where they do not vanish.
static void probe(Ran *ran, size_t n, double *states)
{
    Error        err = {0};
    const Group *group = group_at(ran, 0);
    const size_t count = (size_t)group->point_count;
    for (size_t i = 0; i < n; ++i)
        for (size_t p = 0; p < count; ++p)
            states[i * count + p] = i == 0 || i == p % n ? 1.0 / unit_of(group->method, i, group_step(group, p)) : 0.0;
    if (!program_probe(ran->programs[0], count, n, states, &err))
        fail_msg("%s: %s", group->label, err.message);
    for (size_t i = 0; i < n; ++i)
        for (size_t p = 0; p < count; ++p)
            states[i * count + p] *= unit_of(group->method, i, group_step(group, p));
}

// dgeev gives unit left and right eigenvectors y and x of each eigenvalue, whose condition is 1/|y* x|; those of a pair
// stand in two columns, real and imaginary part.
static Spectrum spectrum(const double *states, size_t n, size_t count, size_t point, double omega)
{
    double           a[MOST_SIZE * MOST_SIZE], re[MOST_SIZE], im[MOST_SIZE];
    double           left[MOST_SIZE * MOST_SIZE], right[MOST_SIZE * MOST_SIZE], sum = 0.0;
    Spectrum         s = {.n = n, .omega = omega};
    const lapack_int size = (lapack_int)n;
    for (size_t i = 0; i < n; ++i)
        for (size_t unit = 0; unit < n; ++unit) {
            const double *became = &states[i * count + point];
            a[i * n + unit] = unit == 0 ? became[0] : became[unit] - became[0];
            sum += a[i * n + unit] * a[i * n + unit];
        }
    s.size = sqrt(sum);
    assert_int_equal(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'V', 'V', size, a, size, re, im, left, size, right, size), 0);
    for (size_t k = 0; k < n; ++k) {
        const size_t first = im[k] < 0.0 ? k - 1 : k;
        Complex      product = 0.0L;
        for (size_t i = 0; i < n; ++i) {
            const double *y = &left[i * n + first], *x = &right[i * n + first];
            product += im[k] == 0.0 ? (Complex)(y[0] * x[0]) : (y[0] - I * y[1]) * (x[0] + I * x[1]);
        }
        s.values[k] = re[k] + I * im[k];
        s.condition[k] = (double)(1.0L / cabsl(product));
    }
    return s;
}

// Rounding of the matrix that was probed, a few units for each of its entries, and of dgeev, which is exact for a
// matrix as near: eight units of its size together.
static double unsure(const Row *row, const Spectrum *s, size_t k)
{
    return 8.0 * 0.5 * DBL_EPSILON * fmax(1.0, row->cancelling * s->omega) * (1.0 + s->size) * s->condition[k];
}

// Pairs every root of theory with the eigenvalue nearest to it, each taken once. Returns the largest distance in units
// of its bound.
static double compare(const Row *row, size_t setting, double zeta, const Spectrum *s)
{
    Complex expected[MOST_SIZE];
    bool    taken[MOST_SIZE] = {false};
    double  worst = 0.0;
    theory(row, s->omega, zeta, row->settings[setting], s->n, expected);
    for (size_t i = 0; i < s->n; ++i) {
        size_t nearest = s->n;
        for (size_t k = 0; k < s->n; ++k)
            if (!taken[k] &&
                (nearest == s->n || cabsl(s->values[k] - expected[i]) < cabsl(s->values[nearest] - expected[i])))
                nearest = k;
        assert_true(nearest < s->n);
        taken[nearest] = true;
        const double distance = (double)cabsl(s->values[nearest] - expected[i]), bound = unsure(row, s, nearest);
        if (!(distance <= bound))
            fail_msg("%s, setting %zu, Omega %g, zeta %g: eigenvalue %.17g %+.17g i, theory %.17g %+.17g i, bound %.1e",
                     row->method, setting, s->omega, zeta, (double)creall(s->values[nearest]),
                     (double)cimagl(s->values[nearest]), (double)creall(expected[i]), (double)cimagl(expected[i]),
                     bound);
        worst = fmax(worst, distance / bound);
    }
    return worst;
}

// Index of the eigenvalue of largest modulus, of a pair the upper one.
static size_t principal(const Spectrum *s)
{
    size_t most = 0;
    for (size_t k = 1; k < s->n; ++k) {
        const long double larger = cabsl(s->values[k]) - cabsl(s->values[most]);
        if (larger > 0.0L || (larger == 0.0L && cimagl(s->values[k]) > cimagl(s->values[most])))
            most = k;
    }
    return most;
}

// A quantity at Omega, 2 Omega and 4 Omega over its limit's Omega^power is 1 + O(Omega^2): two extrapolations from
// neighbours leave out the square, and differ by 15 times what the better one is off by. Three of the low values serve,
// the larger ones for a high power, which is soon lost in rounding.
static double check_limit(const char *method, size_t setting, const char *what, double limit, int power,
                          const double values[LOW], double rounding)
{
    const int first = power > 4 ? 1 : 0;
    double    ratio[3];
    for (int i = 0; i < 3; ++i)
        ratio[i] = values[first + i] / (limit * pow(omegas[first + i], power));
    const double better = (4.0 * ratio[0] - ratio[1]) / 3.0, worse = (4.0 * ratio[1] - ratio[2]) / 3.0;
    const double bound = 0.2 * fabs(better - worse) + 2.0 * rounding / fabs(limit * pow(omegas[first], power));
    if (!(fabs(better - 1.0) <= bound && bound <= 0.01))
        fail_msg("%s, setting %zu: %s is %.9g of its limit for Omega -> 0, bound %.1e", method, setting, what, better,
                 bound);
    return fabs(better - 1.0);
}

static void check_low(const Row *row, size_t setting, const Spectrum low[LOW], double worst[2])
{
    const Limits limits = row->limits(row->settings[setting]);
    const bool   none = fabs(limits.damping) < 1e-15;  // rounding of a formula that has 0 there
    double       decay[LOW], late[LOW], noise = 0.0;
    for (int i = 0; i < LOW; ++i) {
        const size_t  k = principal(&low[i]);
        const Complex mu = low[i].values[k];
        decay[i] = -(double)logl(cabsl(mu));
        late[i] = (double)(omegas[i] / cargl(mu) - 1.0L);
        noise = fmax(noise, unsure(row, &low[i], k));
        assert_true(cimagl(mu) > 0.0L);
        if (none)
            assert_near(decay[i], 0.0, unsure(row, &low[i], k));
    }
    if (!isnan(limits.damping) && !none)
        worst[0] = fmax(
            worst[0], check_limit(row->method, setting, "damping", limits.damping, limits.damping_power, decay, noise));
    if (!isnan(limits.period))
        worst[1] = fmax(worst[1], check_limit(row->method, setting, "period error", limits.period, limits.period_power,
                                              late, noise / omegas[0]));
}

// Double roots there (theta2 at theta = 1) are approached as Omega^(-1/2), the triple ones of the alpha family faster.
static void check_infinity(const Row *row, size_t setting, const Spectrum *s)
{
    const double radius = (double)cabsl(s->values[principal(s)]), limit = row->radius_infinity(row->settings[setting]);
    if (!(fabs(radius - limit) <= 1.0 / sqrt(omegas[OMEGAS - 1])))
        fail_msg("%s, setting %zu: spectral radius %.9g at Omega %g, its limit is %.9g", row->method, setting, radius,
                 omegas[OMEGAS - 1], limit);
}

static void check_row(Device *device, const Card *method, const Row *row)
{
    const size_t n = state_size(method);
    double       share = 0.0, worst[2] = {NAN, NAN};
    Ran          ran;
    build_method(&ran, device, row, n);
    const size_t count = (size_t)group_at(&ran, 0)->point_count;
    double      *states = calloc(n * count, sizeof *states);
    assert_non_null(states);
    probe(&ran, n, states);
    for (size_t setting = 0; setting < row->setting_count; ++setting) {
        Spectrum undamped[OMEGAS];
        for (size_t o = 0; o < OMEGAS - (row->radius_infinity ? 0 : 1); ++o)
            for (size_t z = 0; z < ZETAS; ++z) {
                const Spectrum s = spectrum(states, n, count, point_number(setting, o, z, n), omegas[o]);
                share = fmax(share, compare(row, setting, zetas[z], &s));
                if (z == 0)
                    undamped[o] = s;
            }
        check_low(row, setting, undamped, worst);
        for (size_t o = 0; row->radius && o < OMEGAS - 1; ++o) {
            const size_t k = principal(&undamped[o]);
            assert_near((double)cabsl(undamped[o].values[k]), row->radius(omegas[o]), unsure(row, &undamped[o], k));
        }
        if (row->radius_infinity)
            check_infinity(row, setting, &undamped[OMEGAS - 1]);
    }
    print_message("%-18s eigenvalues at %.2f of their bound", row->method, share);
    for (int i = 0; i < 2; ++i)
        if (!isnan(worst[i]))
            print_message(", %s within %.0e of its limit", i == 0 ? "damping" : "period error", worst[i]);
    print_message("\n");
    free(states);
    ran_free(&ran);
}

static void test_eigenvalues(void **state)
{
    Catalog catalog;
    Error   err = {0};
    if (!catalog_read(&catalog, &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const Card *method = catalog_find(&catalog, CARD_METHOD, rows[i].method);
        if (!method)
            fail_msg("the catalog has no method '%s'", rows[i].method);
        check_row(*state, method, &rows[i]);
    }
    catalog_free(&catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_eigenvalues)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
