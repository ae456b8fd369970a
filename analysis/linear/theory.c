// theory -- matrices, radii and limits of all methods, family by family, and the table of them.
//
// O is Omega = omega h and d = 2 zeta O, so that the scaled acceleration of [x, h v] is -O^2 x - d h v. Coefficients at
// low frequency are those of the series of the eigenvalue about 1.
#include "analysis/linear/theory.h"

#include <math.h>
#include <string.h>

// Functions of a row that are one formula.
#define MATRIX(name, ...)                                      \
    static Matrix name(double O, double zeta, const double *p) \
    {                                                          \
        return (void)O, (void)zeta, (void)p, __VA_ARGS__;      \
    }
#define NUMBER(name, formula)                        \
    static double name(double zeta, const double *p) \
    {                                                \
        return (void)zeta, (void)p, formula;         \
    }
#define LOW(name, power, coefficient)                       \
    static LowFrequency name(const double *p)               \
    {                                                       \
        return (void)p, (LowFrequency){power, coefficient}; \
    }

NUMBER(zero, 0.0)
NUMBER(one, 1.0)
NUMBER(first_parameter, p[0])
NUMBER(infinite, (double)INFINITY)
LOW(conserves, 0, 0.0)

// h times the derivative of [x, h v].
static Matrix oscillator(double O, double zeta)
{
    return (Matrix){2, {{0.0, 1.0}, {-O * O, -2.0 * zeta * O}}};
}

// a I + b L
static Matrix linear(double a, double b, Matrix L)
{
    return matrix_plus(matrix_plus((Matrix){.n = L.n}, a, matrix_identity(L.n)), b, L);
}

// (I - c L)^-1
static Matrix implicit(double c, Matrix L)
{
    return matrix_inverse(linear(1.0, -c, L));
}

// The theta family: Wu 2018, eq. 12-14. The implicit midpoint rule, in whatever variables, has the matrix of the
// trapezoidal rule.

static Matrix theta_first(double O, double zeta, double theta1)
{
    const Matrix L = oscillator(O, zeta);
    return matrix_times(implicit(theta1, L), linear(1.0, 1.0 - theta1, L));
}

// On [x_n, h v_n, x_{n-1}, h v_{n-1}].
static Matrix theta_second(double O, double zeta, double theta)
{
    const Matrix L = oscillator(O, zeta), S = implicit(0.5 + theta / 6.0, L);
    const Matrix now = matrix_times(S, linear(1.0 + theta / 3.0, 0.5 * (1.0 - theta), L));
    Matrix       m = {.n = 4};
    for (size_t i = 0; i < 2; ++i) {
        for (size_t j = 0; j < 2; ++j) {
            m.a[i][j] = now.a[i][j];
            m.a[i][2 + j] = -theta / 3.0 * S.a[i][j];
        }
        m.a[2 + i][i] = 1.0;
    }
    return m;
}

MATRIX(backward_euler, theta_first(O, zeta, 1.0))
MATRIX(trapezoidal, theta_first(O, zeta, 0.5))
MATRIX(theta1, theta_first(O, zeta, p[0]))
MATRIX(bdf2, theta_second(O, zeta, 1.0))
MATRIX(theta2, theta_second(O, zeta, p[0]))
NUMBER(theta1_radius, (1.0 - p[0]) / p[0])
NUMBER(theta2_radius, 3.0 * (1.0 - p[0]) / (3.0 + p[0]))
LOW(backward_euler_low, 2, 0.5)
LOW(theta1_low, 2, p[0] - 0.5)
LOW(bdf2_low, 4, 0.25)
LOW(theta2_low, 4, p[0] * (3.0 + p[0]) / (4.0 * (3.0 - p[0]) * (3.0 - p[0])))

// Composite methods: a trapezoidal rule to the inner point g, then BDF2 on the points 0, g, 1 (Bank et al. 1985), or
// the second formula of Noh and Bathe 2019.

static Matrix tr_bdf2(double O, double zeta, const double *p)
{
    const double g = p[0], r = (1.0 - g) / g, part = (1.0 - g) * (1.0 + r) / (1.0 + 2.0 * r);
    const Matrix L = oscillator(O, zeta), inner = matrix_times(implicit(0.5 * g, L), linear(1.0, 0.5 * g, L));
    const Matrix points = linear(-r * r / (1.0 + 2.0 * r), (1.0 + r) * (1.0 + r) / (1.0 + 2.0 * r), inner);
    return matrix_times(implicit(part, L), points);
}

static LowFrequency tr_bdf2_low(const double *p)
{
    const double root = p[0] * (1.0 - p[0]) / (2.0 - p[0]);
    return (LowFrequency){4, root * root / 8.0};
}

// The inner point, written without the pole that (2 - sqrt(2 + 2 rho))/(1 - rho) has at rho = 1.
static double bathe_point(double rho)
{
    return 2.0 / (2.0 + sqrt(2.0 + 2.0 * rho));
}

static LowFrequency bathe_low(const double *p)
{
    const double rho = p[0], g = bathe_point(rho), root = g * (1.0 - g) / (2.0 - g * (1.0 - rho));
    return (LowFrequency){4, (1.0 - rho) * (1.0 + rho) * root * root / 8.0};
}

static Matrix bathe(double O, double zeta, const double *p)
{
    const double rho = p[0], g = bathe_point(rho);
    const double q1 = (rho + 1.0) / (2.0 * g * (rho - 1.0) + 4.0), q0 = (g - 1.0) * q1 + 0.5, q2 = 0.5 - g * q1;
    const Matrix L = oscillator(O, zeta), inner = matrix_times(implicit(0.5 * g, L), linear(1.0, 0.5 * g, L));
    return matrix_times(implicit(q2, L), matrix_plus(linear(1.0, q0, L), q1, matrix_times(L, inner)));
}

// The alpha family on [x, h v, h^2 a]: Chung and Hulbert 1993; Wu 2018, eq. 3-9.

// The matrix of a new acceleration that is rx x + rv h v + ra h^2 a.
static Matrix newmark_matrix(double beta, double gamma, double rx, double rv, double ra)
{
    return (Matrix){3,
                    {{1.0 + beta * rx, 1.0 + beta * rv, 0.5 - beta + beta * ra},
                     {gamma * rx, 1.0 + gamma * rv, 1.0 - gamma + gamma * ra},
                     {rx, rv, ra}}};
}

static Matrix alpha_family(double O, double zeta, double am, double af, double beta, double gamma)
{
    const double square = O * O, d = 2.0 * zeta * O, part = 1.0 - af;
    const double den = 1.0 - am + d * part * gamma + square * part * beta;
    const double ra = -(am + d * part * (1.0 - gamma) + square * part * (0.5 - beta)) / den;
    return newmark_matrix(beta, gamma, -square / den, -(d + square * part) / den, ra);
}

static Matrix generalized_alpha(double O, double zeta, const double *p)
{
    const double am = (2.0 * p[0] - 1.0) / (p[0] + 1.0), af = p[0] / (p[0] + 1.0);
    return alpha_family(O, zeta, am, af, (1.0 - am + af) * (1.0 - am + af) / 4.0, 0.5 - am + af);
}

static LowFrequency generalized_alpha_low(const double *p)
{
    const double d = (1.0 - p[0]) / (1.0 + p[0]);
    return (LowFrequency){4, 0.5 * d * d * d};
}

MATRIX(hht_alpha, alpha_family(O, zeta, 0.0, -p[0], (1.0 - p[0]) * (1.0 - p[0]) / 4.0, 0.5 - p[0]))
MATRIX(wbz_alpha, alpha_family(O, zeta, p[0], 0.0, (1.0 - p[0]) * (1.0 - p[0]) / 4.0, 0.5 - p[0]))
MATRIX(newmark, alpha_family(O, zeta, 0.0, 0.0, p[0], p[1]))
NUMBER(alpha_radius, (1.0 + p[0]) / (1.0 - p[0]))
LOW(hht_low, 4, -p[0] * (1.0 + p[0]) * (1.0 + p[0]) / 8.0)
LOW(wbz_low, 4, -p[0] * (1.0 - p[0]) * (1.0 - p[0]) / 8.0)

// Gamma above 1/2 damps at first order, whatever beta.
LOW(newmark_low, p[1] == 0.5 ? 0 : 2, 0.5 * (p[1] - 0.5))

static bool average_acceleration(const double *p)
{
    return p[0] == 0.25 && p[1] == 0.5;
}

NUMBER(average_acceleration_radius, average_acceleration(p) ? 1.0 : (double)NAN)

// The eigenvalues at infinity solve beta z^2 - (2 beta - gamma - 1/2) z + beta - gamma + 1/2 = 0.
static double newmark_radius(double zeta, const double *p)
{
    const double beta = p[0], gamma = p[1], half = beta - 0.5 * (gamma + 0.5);
    const double square = 0.25 * (gamma + 0.5) * (gamma + 0.5) - beta;
    (void)zeta;
    if (beta == 0.0)
        return (double)NAN;
    return square > 0.0 ? (fabs(half) + sqrt(square)) / beta : sqrt((beta - gamma + 0.5) / beta);
}

// Hughes 1987, section 9.1.
static double newmark_limit(double zeta, const double *p)
{
    const double lack = 0.5 * p[1] - p[0], z = zeta * (p[1] - 0.5);
    if (p[1] < 0.5)
        return (double)NAN;
    return lack > 0.0 ? (z + sqrt(lack + z * z)) / lack : (double)INFINITY;
}

// Kane, Marsden, Ortiz and West 2000: a_{n+1} = -O^2 x_{n+1} - d (x_{n+1} - x_n), damping by the step's mean velocity.
static Matrix incremental_newmark(double O, double zeta, const double *p)
{
    const double beta = p[0], gamma = p[1], square = O * O, d = 2.0 * zeta * O;
    const double den = 1.0 + beta * (square + d);
    Matrix       m = {3, {{(1.0 + beta * d) / den, 1.0 / den, (0.5 - beta) / den}, {0.0, 1.0, 1.0 - gamma}, {0.0}}};
    for (size_t j = 0; j < 3; ++j) {
        m.a[2][j] = -(square + d) * m.a[0][j] + (j == 0 ? d : 0.0);
        m.a[1][j] += gamma * m.a[2][j];
    }
    return m;
}

// -1 is an eigenvalue where (gamma - 2 beta) (O^2 + 4 zeta O) = 2.
static double incremental_newmark_limit(double zeta, const double *p)
{
    const double lack = p[1] - 2.0 * p[0];
    if (p[1] < 0.5)
        return (double)NAN;
    return lack > 0.0 ? sqrt(4.0 * zeta * zeta + 2.0 / lack) - 2.0 * zeta : (double)INFINITY;
}

// Methods that linearise once. A velocity in the force is the old one; Rayleigh damping is implicit, and physical.

// [(1 + h r_m) + h (h + r_k) K] h v_{n+1} = h v + h^2 F, x_{n+1} = x + h v_{n+1}
static Matrix sofa_euler(double O, double zeta, const double *p)
{
    const double d = 2.0 * zeta * O, den = 1.0 + O * p[0] + O * O + O * p[1];
    const double vx = -O * O / den, vv = (1.0 - d) / den;
    return (Matrix){2, {{1.0 + vx, vv}, {vx, vv}}};
}

// The method's own damping is that of backward Euler.
static LowFrequency sofa_euler_low(const double *p)
{
    return p[0] + p[1] > 0.0 ? (LowFrequency){1, 0.5 * (p[0] + p[1])} : backward_euler_low(p);
}

// -1 is an eigenvalue where O^2 - 4 z O + 4 = 0.
static double sofa_euler_limit(double zeta, const double *p)
{
    const double z = zeta - 0.5 * (p[0] + p[1]);
    return z > 1.0 ? 2.0 * (z - sqrt(z * z - 1.0)) : (double)INFINITY;
}

// [(1 + h gamma r_m) + (h^2 beta + h gamma r_k) K] a_{n+1} = F - K d - r_m (v + h (1 - gamma) a),
// d = (h + r_k) v + (h^2 (1/2 - beta) + h r_k (1 - gamma)) a
static Matrix sofa_newmark(double O, double zeta, const double *p)
{
    const double beta = p[0], gamma = p[1], r_m = O * p[2], r_k = O * p[3], d = 2.0 * zeta * O, square = O * O;
    const double den = 1.0 + gamma * (r_m + r_k) + beta * square;
    const double aa = -((0.5 - beta) * square + (1.0 - gamma) * (r_k + r_m)) / den;
    return newmark_matrix(beta, gamma, -square / den, -(d + square + r_k + r_m) / den, aa);
}

NUMBER(sofa_newmark_radius, zeta == 0.0 ? average_acceleration_radius(zeta, p) : (double)NAN)

static LowFrequency sofa_newmark_low(const double *p)
{
    return p[2] + p[3] > 0.0 ? (LowFrequency){1, 0.5 * (p[2] + p[3])} : newmark_low(p);
}

static double sofa_newmark_limit(double zeta, const double *p)
{
    if (!average_acceleration(p) || (zeta > 0.0 && p[2] + p[3] > 0.0))
        return (double)NAN;
    return zeta > 0.0 ? 2.0 * (sqrt(1.0 + zeta * zeta) - zeta) : (double)INFINITY;
}

// Explicit methods of one evaluation. r_m is physical damping, and adds r_m/(2 omega) to zeta.

MATRIX(explicit_euler, linear(1.0, 1.0, oscillator(O, zeta)))

static Matrix symplectic_euler(double O, double zeta, const double *p)
{
    const double left = 1.0 - 2.0 * zeta * O;
    return (void)p, (Matrix){2, {{1.0 - O * O, left}, {-O * O, left}}};
}

MATRIX(variational_explicit, symplectic_euler(O, zeta + 0.5 * p[0], p))
NUMBER(explicit_euler_limit, zeta <= 1.0 ? 2.0 * zeta : 2.0 * (zeta - sqrt(zeta * zeta - 1.0)))
NUMBER(symplectic_euler_limit, 2.0 * (sqrt(1.0 + zeta * zeta) - zeta))
NUMBER(variational_explicit_limit, symplectic_euler_limit(zeta + 0.5 * p[0], p))
NUMBER(central_difference_limit, 2.0)
NUMBER(velocity_verlet_limit, 2.0 * (sqrt(4.0 * zeta * zeta + 1.0) - 2.0 * zeta))
LOW(explicit_euler_low, 2, -0.5)
LOW(mass_damping_low, p[0] > 0.0 ? 1 : 0, 0.5 * p[0])
LOW(chung_lee_low, 4, 0.5 * (p[0] - 1.0))

// Fang 2018, eq. 26.
static Matrix chung_lee(double O, double zeta, const double *p)
{
    const double beta = p[0], square = O * O, d = 2.0 * zeta * O;
    return (Matrix){
        3,
        {{1.0 - beta * square, 1.0 - beta * d, 0.5 - beta}, {-1.5 * square, 1.0 - 1.5 * d, -0.5}, {-square, -d, 0.0}}};
}

static double chung_lee_limit(double zeta, const double *p)
{
    const double b = 4.0 * p[0] - 3.0;
    return 2.0 * (sqrt(4.0 * zeta * zeta + b) - 2.0 * zeta) / b;
}

// Half a kick, a drift, half a kick that sees the new velocity.
static Matrix central_difference(double O, double zeta, const double *p)
{
    const double square = O * O, d = (2.0 * zeta + p[0]) * O;
    const double half_x = -0.5 * square, half_v = 1.0 - 0.5 * d;
    const double x = 1.0 + half_x, after = 1.0 / (1.0 + 0.5 * d);
    return (Matrix){2, {{x, half_v}, {after * (half_x - 0.5 * square * x), after * (half_v - 0.5 * square * half_v)}}};
}

// The force at the predicted velocity h v + h^2 a.
static Matrix velocity_verlet(double O, double zeta, const double *p)
{
    const double square = O * O, d = 2.0 * zeta * O;
    const double ax = -square, av = -square - d, aa = -0.5 * square - d;
    (void)p;
    return (Matrix){3, {{1.0, 1.0, 0.5}, {0.5 * ax, 1.0 + 0.5 * av, 0.5 + 0.5 * aa}, {ax, av, aa}}};
}

// A half drift, a kick by the force at the velocity that half of it would make, a half drift, over the part w.
static Matrix yoshida_part(double w, double O, double zeta)
{
    const double square = O * O, d = 2.0 * zeta * O;
    const Matrix drift = {2, {{1.0, 0.5 * w}, {0.0, 1.0}}};
    const double ax = -square * (1.0 - 0.5 * w * d), av = -d * (1.0 - 0.5 * w * d);
    const Matrix kick = {2, {{1.0, 0.0}, {w * ax, 1.0 + w * av}}};
    return matrix_times(drift, matrix_times(kick, drift));
}

static Matrix yoshida4(double O, double zeta, const double *p)
{
    const double outer = 1.0 / (2.0 - cbrt(2.0)), inner = 1.0 - 2.0 * outer;
    const Matrix end = yoshida_part(outer, O, zeta), middle = yoshida_part(inner, O, zeta);
    return (void)p, matrix_times(end, matrix_times(middle, end));
}

// Half the trace of the undamped matrix is 1 - q/2 + q^2/24 + k q^3 with q = Omega^2 and k = c/(288 (1 - c)^2), c the
// cube root of 2. It comes back to 1 at q = 12 (c - 1)/c and stays above -1 till then.
NUMBER(yoshida4_limit, zeta == 0.0 ? 2.0 * sqrt(3.0 * (1.0 - 1.0 / cbrt(2.0))) : (double)NAN)

// Runge-Kutta methods, by their stability polynomial: sum of weights[k] L^k. That of dopri5 has order 5, and 1/600 in
// place of 1/720 (Hairer, Norsett and Wanner 1993, section II.5).

static Matrix polynomial(size_t degree, double O, double zeta)
{
    static const double weights[] = {1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 600.0};
    const Matrix        L = oscillator(O, zeta);
    Matrix              sum = linear(weights[degree], 0.0, L);
    while (degree-- > 0)
        sum = matrix_plus(matrix_times(sum, L), weights[degree], matrix_identity(L.n));
    return sum;
}

MATRIX(rk2, polynomial(2, O, zeta))
MATRIX(rk4, polynomial(4, O, zeta))
MATRIX(dopri5, polynomial(6, O, zeta))
NUMBER(rk4_limit, zeta == 0.0 ? 2.0 * sqrt(2.0) : (double)NAN)
LOW(rk2_low, 4, -1.0 / 8.0)
LOW(rk4_low, 6, 1.0 / 144.0)
LOW(dopri5_low, 6, 1.0 / 3600.0)

// |1 + z + z^2/2| = 1 at z = Omega (-zeta + i sqrt(1 - zeta^2)): a cubic in Omega that grows everywhere, from -8 zeta
// at 0 to 64 - 72 zeta + 32 zeta^2 > 0 at 4.
static double rk2_limit(double zeta, const double *p)
{
    double low = 0.0, high = 4.0;
    if (zeta > 1.0)
        return explicit_euler_limit(zeta, p);
    while (low < 0.5 * (low + high) && 0.5 * (low + high) < high) {
        const double O = 0.5 * (low + high);
        const bool   above = ((O - 4.0 * zeta) * O + 8.0 * zeta * zeta) * O > 8.0 * zeta;
        *(above ? &high : &low) = O;
    }
    return zeta > 0.0 ? high : 0.0;
}

// Cardano: with q = Omega^2 = t + 25/3, t^3 + 50/3 t + 13975/27 = 0 has one real root.
static double dopri5_limit(double zeta, const double *p)
{
    const double half = 13975.0 / 54.0, third = 50.0 / 9.0, root = sqrt(half * half + third * third * third);
    const double t = cbrt(root - half) - cbrt(root + half);
    return (void)p, zeta == 0.0 ? sqrt(t + 25.0 / 3.0) : (double)NAN;
}

const Theory theory_rows[] = {
    {"central_difference", central_difference, NULL, central_difference_limit, mass_damping_low},
    {"chung_lee", chung_lee, NULL, chung_lee_limit, chung_lee_low},
    {"dopri5", dopri5, NULL, dopri5_limit, dopri5_low},
    {"explicit_euler", explicit_euler, NULL, explicit_euler_limit, explicit_euler_low},
    {"rk2", rk2, NULL, rk2_limit, rk2_low},
    {"rk4", rk4, NULL, rk4_limit, rk4_low},
    {"symplectic_euler", symplectic_euler, NULL, symplectic_euler_limit, conserves},
    {"variational_explicit", variational_explicit, NULL, variational_explicit_limit, mass_damping_low},
    {"velocity_verlet", velocity_verlet, NULL, velocity_verlet_limit, conserves},
    {"yoshida4", yoshida4, NULL, yoshida4_limit, conserves},
    {"backward_euler", backward_euler, zero, infinite, backward_euler_low},
    {"bathe", bathe, first_parameter, infinite, bathe_low},
    {"bdf2", bdf2, zero, infinite, bdf2_low},
    {"generalized_alpha", generalized_alpha, first_parameter, infinite, generalized_alpha_low},
    {"hht_alpha", hht_alpha, alpha_radius, infinite, hht_low},
    {"implicit_midpoint", trapezoidal, one, infinite, conserves},
    {"incremental_newmark", incremental_newmark, average_acceleration_radius, incremental_newmark_limit, newmark_low},
    {"incremental_potential", backward_euler, zero, infinite, backward_euler_low},
    {"newmark", newmark, newmark_radius, newmark_limit, newmark_low},
    {"sofa_euler", sofa_euler, zero, sofa_euler_limit, sofa_euler_low},
    {"sofa_newmark", sofa_newmark, sofa_newmark_radius, sofa_newmark_limit, sofa_newmark_low},
    {"theta1", theta1, theta1_radius, infinite, theta1_low},
    {"theta2", theta2, theta2_radius, infinite, theta2_low},
    {"tr_bdf2", tr_bdf2, zero, infinite, tr_bdf2_low},
    {"trapezoidal", trapezoidal, one, infinite, conserves},
    {"variational_implicit", trapezoidal, one, infinite, conserves},
    {"wbz_alpha", wbz_alpha, alpha_radius, infinite, wbz_low},
};
const size_t theory_row_count = sizeof theory_rows / sizeof *theory_rows;

const Theory *theory_find(const char *method)
{
    for (size_t i = 0; i < theory_row_count; ++i)
        if (strcmp(theory_rows[i].method, method) == 0)
            return &theory_rows[i];
    return NULL;
}
