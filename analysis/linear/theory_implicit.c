// theory_implicit -- matrices, radii and limits of the implicit methods, in the order of the families.
#include "analysis/linear/theory_parts.h"

// The theta family: Wu 2018, eq. 12-14. Coefficients at low frequency, here and below, are those of the series of the
// eigenvalue about 1.

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

static Matrix backward_euler(double O, double zeta, const double *p)
{
    return (void)p, theta_first(O, zeta, 1.0);
}

// The implicit midpoint rule, in whatever variables, has the same matrix.
static Matrix trapezoidal(double O, double zeta, const double *p)
{
    return (void)p, theta_first(O, zeta, 0.5);
}

static Matrix theta1(double O, double zeta, const double *p)
{
    return theta_first(O, zeta, p[0]);
}

static double theta1_radius(double zeta, const double *p)
{
    return (void)zeta, (1.0 - p[0]) / p[0];
}

static LowFrequency theta1_low(const double *p)
{
    return (LowFrequency){2, p[0] - 0.5};
}

static LowFrequency backward_euler_low(const double *p)
{
    return (void)p, (LowFrequency){2, 0.5};
}

static Matrix bdf2(double O, double zeta, const double *p)
{
    return (void)p, theta_second(O, zeta, 1.0);
}

static Matrix theta2(double O, double zeta, const double *p)
{
    return theta_second(O, zeta, p[0]);
}

static double theta2_radius(double zeta, const double *p)
{
    return (void)zeta, 3.0 * (1.0 - p[0]) / (3.0 + p[0]);
}

static LowFrequency theta2_low(const double *p)
{
    return (LowFrequency){4, p[0] * (3.0 + p[0]) / (4.0 * (3.0 - p[0]) * (3.0 - p[0]))};
}

static LowFrequency bdf2_low(const double *p)
{
    return (void)p, (LowFrequency){4, 0.25};
}

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

static Matrix alpha_family(double O, double zeta, double am, double af, double beta, double gamma)
{
    const double square = O * O, d = 2.0 * zeta * O, part = 1.0 - af;
    const double den = 1.0 - am + d * part * gamma + square * part * beta;
    const double rx = -square / den, rv = -(d + square * part) / den;
    const double ra = -(am + d * part * (1.0 - gamma) + square * part * (0.5 - beta)) / den;
    return (Matrix){3,
                    {{1.0 + beta * rx, 1.0 + beta * rv, 0.5 - beta + beta * ra},
                     {gamma * rx, 1.0 + gamma * rv, 1.0 - gamma + gamma * ra},
                     {rx, rv, ra}}};
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

static Matrix hht_alpha(double O, double zeta, const double *p)
{
    return alpha_family(O, zeta, 0.0, -p[0], (1.0 - p[0]) * (1.0 - p[0]) / 4.0, 0.5 - p[0]);
}

static Matrix wbz_alpha(double O, double zeta, const double *p)
{
    return alpha_family(O, zeta, p[0], 0.0, (1.0 - p[0]) * (1.0 - p[0]) / 4.0, 0.5 - p[0]);
}

static LowFrequency hht_low(const double *p)
{
    return (LowFrequency){4, -p[0] * (1.0 + p[0]) * (1.0 + p[0]) / 8.0};
}

static LowFrequency wbz_low(const double *p)
{
    return (LowFrequency){4, -p[0] * (1.0 - p[0]) * (1.0 - p[0]) / 8.0};
}

static double alpha_radius(double zeta, const double *p)
{
    return (void)zeta, (1.0 + p[0]) / (1.0 - p[0]);
}

static Matrix newmark(double O, double zeta, const double *p)
{
    return alpha_family(O, zeta, 0.0, 0.0, p[0], p[1]);
}

static bool average_acceleration(const double *p)
{
    return p[0] == 0.25 && p[1] == 0.5;
}

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

// Gamma above 1/2 damps at first order, whatever beta.
static LowFrequency newmark_low(const double *p)
{
    return p[1] == 0.5 ? (LowFrequency){0, 0.0} : (LowFrequency){2, 0.5 * (p[1] - 0.5)};
}

static double average_acceleration_radius(double zeta, const double *p)
{
    return (void)zeta, average_acceleration(p) ? 1.0 : (double)NAN;
}

// Hughes 1987, section 9.1.
static double newmark_limit(double zeta, const double *p)
{
    const double lack = 0.5 * p[1] - p[0], z = zeta * (p[1] - 0.5);
    if (p[1] < 0.5)
        return (double)NAN;
    return lack > 0.0 ? (z + sqrt(lack + z * z)) / lack : (double)INFINITY;
}

// Methods that linearise once. A velocity in the force is the old one; Rayleigh damping is implicit.

// [(1 + h r_m) + h (h + r_k) K] h v_{n+1} = h v + h^2 F, x_{n+1} = x + h v_{n+1}
static Matrix sofa_euler(double O, double zeta, const double *p)
{
    const double d = 2.0 * zeta * O, den = 1.0 + O * p[0] + O * O + O * p[1];
    const double vx = -O * O / den, vv = (1.0 - d) / den;
    return (Matrix){2, {{1.0 + vx, vv}, {vx, vv}}};
}

// Rayleigh damping is physical; the method's own is that of backward Euler.
static LowFrequency sofa_euler_low(const double *p)
{
    return p[0] + p[1] > 0.0 ? (LowFrequency){1, 0.5 * (p[0] + p[1])} : (LowFrequency){2, 0.5};
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
    const double ax = -square / den, av = -(d + square + r_k + r_m) / den;
    const double aa = -((0.5 - beta) * square + (1.0 - gamma) * (r_k + r_m)) / den;
    return (Matrix){3,
                    {{1.0 + beta * ax, 1.0 + beta * av, 0.5 - beta + beta * aa},
                     {gamma * ax, 1.0 + gamma * av, 1.0 - gamma + gamma * aa},
                     {ax, av, aa}}};
}

static double sofa_newmark_radius(double zeta, const double *p)
{
    return zeta == 0.0 ? average_acceleration_radius(zeta, p) : (double)NAN;
}

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

static const Theory theories[] = {
    {"backward_euler", {NULL}, backward_euler, "0", zero, "infinite", infinite, backward_euler_low},
    {"bathe", {"rho_inf"}, bathe, "rho_inf", first_parameter, "infinite", infinite, bathe_low},
    {"bdf2", {NULL}, bdf2, "0", zero, "infinite", infinite, bdf2_low},
    {"generalized_alpha",
     {"rho_inf"},
     generalized_alpha,
     "rho_inf",
     first_parameter,
     "infinite",
     infinite,
     generalized_alpha_low},
    {"hht_alpha", {"alpha"}, hht_alpha, "(1 + alpha)/(1 - alpha)", alpha_radius, "infinite", infinite, hht_low},
    {"implicit_midpoint", {NULL}, trapezoidal, "1", one, "infinite", infinite, conserves},
    {"incremental_newmark",
     {"beta", "gamma"},
     incremental_newmark,
     "1 at beta 1/4 and gamma 1/2",
     average_acceleration_radius,
     "infinite at 2 beta >= gamma >= 1/2, sqrt(4 zeta^2 + 2/(gamma - 2 beta)) - 2 zeta at a smaller beta",
     incremental_newmark_limit,
     newmark_low},
    {"incremental_potential", {NULL}, backward_euler, "0", zero, "infinite", infinite, backward_euler_low},
    {"newmark",
     {"beta", "gamma"},
     newmark,
     "the largest |z| of beta z^2 - (2 beta - gamma - 1/2) z + beta - gamma + 1/2 = 0, at beta > 0",
     newmark_radius,
     "infinite at 2 beta >= gamma >= 1/2, (z + sqrt(c + z^2))/c at a smaller beta, c = gamma/2 - beta, z = zeta "
     "(gamma - 1/2)",
     newmark_limit,
     newmark_low},
    {"sofa_euler",
     {"r_m", "r_k"},
     sofa_euler,
     "0",
     zero,
     "infinite for z <= 1, 2 (z - sqrt(z^2 - 1)) above, z = zeta - r_m/(2 omega) - r_k omega/2",
     sofa_euler_limit,
     sofa_euler_low},
    {"sofa_newmark",
     {"beta", "gamma", "r_m", "r_k"},
     sofa_newmark,
     "1 at beta 1/4, gamma 1/2 and zeta 0",
     sofa_newmark_radius,
     "at beta 1/4 and gamma 1/2 infinite for zeta = 0, 2 (sqrt(1 + zeta^2) - zeta) for zeta > 0 and r_m = r_k = 0",
     sofa_newmark_limit,
     sofa_newmark_low},
    {"theta1", {"theta1"}, theta1, "(1 - theta1)/theta1", theta1_radius, "infinite", infinite, theta1_low},
    {"theta2", {"theta"}, theta2, "3 (1 - theta)/(3 + theta)", theta2_radius, "infinite", infinite, theta2_low},
    {"tr_bdf2", {"gamma"}, tr_bdf2, "0", zero, "infinite", infinite, tr_bdf2_low},
    {"trapezoidal", {NULL}, trapezoidal, "1", one, "infinite", infinite, conserves},
    {"variational_implicit", {NULL}, trapezoidal, "1", one, "infinite", infinite, conserves},
    {"wbz_alpha", {"alpha"}, wbz_alpha, "(1 + alpha)/(1 - alpha)", alpha_radius, "infinite", infinite, wbz_low},
};
const TheoryRows theory_implicit_rows = {theories, sizeof theories / sizeof *theories};
