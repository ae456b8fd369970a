// theory_explicit -- matrices and limits of the explicit methods. Coefficients at low frequency are those of the series
// of the eigenvalue about 1.
#include "analysis/linear/theory_parts.h"

static Matrix explicit_euler(double O, double zeta, const double *p)
{
    return (void)p, linear(1.0, 1.0, oscillator(O, zeta));
}

static LowFrequency explicit_euler_low(const double *p)
{
    return (void)p, (LowFrequency){2, -0.5};
}

static double explicit_euler_limit(double zeta, const double *p)
{
    (void)p;
    return zeta <= 1.0 ? 2.0 * zeta : 2.0 * (zeta - sqrt(zeta * zeta - 1.0));
}

static Matrix symplectic_euler(double O, double zeta, const double *p)
{
    const double left = 1.0 - 2.0 * zeta * O;
    return (void)p, (Matrix){2, {{1.0 - O * O, left}, {-O * O, left}}};
}

static double symplectic_euler_limit(double zeta, const double *p)
{
    return (void)p, 2.0 * (sqrt(1.0 + zeta * zeta) - zeta);
}

// r_m adds r_m/(2 omega) to zeta.
static Matrix variational_explicit(double O, double zeta, const double *p)
{
    return symplectic_euler(O, zeta + 0.5 * p[0], p);
}

// r_m is physical damping.
static LowFrequency mass_damping_low(const double *p)
{
    return p[0] > 0.0 ? (LowFrequency){1, 0.5 * p[0]} : (LowFrequency){0, 0.0};
}

static double variational_explicit_limit(double zeta, const double *p)
{
    return symplectic_euler_limit(zeta + 0.5 * p[0], p);
}

// Fang 2018, eq. 26.
static Matrix chung_lee(double O, double zeta, const double *p)
{
    const double beta = p[0], square = O * O, d = 2.0 * zeta * O;
    return (Matrix){
        3,
        {{1.0 - beta * square, 1.0 - beta * d, 0.5 - beta}, {-1.5 * square, 1.0 - 1.5 * d, -0.5}, {-square, -d, 0.0}}};
}

static LowFrequency chung_lee_low(const double *p)
{
    return (LowFrequency){4, 0.5 * (p[0] - 1.0)};
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

static double central_difference_limit(double zeta, const double *p)
{
    return (void)zeta, (void)p, 2.0;
}

// The force at the predicted velocity h v + h^2 a.
static Matrix velocity_verlet(double O, double zeta, const double *p)
{
    const double square = O * O, d = 2.0 * zeta * O;
    const double ax = -square, av = -square - d, aa = -0.5 * square - d;
    (void)p;
    return (Matrix){3, {{1.0, 1.0, 0.5}, {0.5 * ax, 1.0 + 0.5 * av, 0.5 + 0.5 * aa}, {ax, av, aa}}};
}

static double velocity_verlet_limit(double zeta, const double *p)
{
    return (void)p, 2.0 * (sqrt(4.0 * zeta * zeta + 1.0) - 2.0 * zeta);
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
static double yoshida4_limit(double zeta, const double *p)
{
    return (void)p, zeta == 0.0 ? 2.0 * sqrt(3.0 * (1.0 - 1.0 / cbrt(2.0))) : (double)NAN;
}

// The stability polynomial: sum of weights[k] L^k.
static Matrix polynomial(size_t degree, const double *weights, Matrix L)
{
    Matrix sum = linear(weights[degree], 0.0, L);
    while (degree-- > 0)
        sum = matrix_plus(matrix_times(sum, L), weights[degree], matrix_identity(L.n));
    return sum;
}

static Matrix rk2(double O, double zeta, const double *p)
{
    const double weights[] = {1.0, 1.0, 1.0 / 2.0};
    return (void)p, polynomial(2, weights, oscillator(O, zeta));
}

static LowFrequency rk2_low(const double *p)
{
    return (void)p, (LowFrequency){4, -1.0 / 8.0};
}

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

static Matrix rk4(double O, double zeta, const double *p)
{
    const double weights[] = {1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0};
    return (void)p, polynomial(4, weights, oscillator(O, zeta));
}

static LowFrequency rk4_low(const double *p)
{
    return (void)p, (LowFrequency){6, 1.0 / 144.0};
}

static double rk4_limit(double zeta, const double *p)
{
    return (void)p, zeta == 0.0 ? 2.0 * sqrt(2.0) : (double)NAN;
}

// Order 5, and 1/600 in place of 1/720 (Hairer, Norsett and Wanner 1993, section II.5).
static Matrix dopri5(double O, double zeta, const double *p)
{
    const double weights[] = {1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 600.0};
    return (void)p, polynomial(6, weights, oscillator(O, zeta));
}

static LowFrequency dopri5_low(const double *p)
{
    return (void)p, (LowFrequency){6, 1.0 / 3600.0};
}

// Cardano: with q = Omega^2 = t + 25/3, t^3 + 50/3 t + 13975/27 = 0 has one real root.
static double dopri5_limit(double zeta, const double *p)
{
    const double half = 13975.0 / 54.0, third = 50.0 / 9.0, root = sqrt(half * half + third * third * third);
    const double t = cbrt(root - half) - cbrt(root + half);
    return (void)p, zeta == 0.0 ? sqrt(t + 25.0 / 3.0) : (double)NAN;
}

static const Theory theories[] = {
    {"central_difference", {"r_m"}, central_difference, "", NULL, "2", central_difference_limit, mass_damping_low},
    {"chung_lee",
     {"beta"},
     chung_lee,
     "",
     NULL,
     "2 (sqrt(4 zeta^2 + 4 beta - 3) - 2 zeta)/(4 beta - 3)",
     chung_lee_limit,
     chung_lee_low},
    {"dopri5",
     {NULL},
     dopri5,
     "",
     NULL,
     "0.99718900863253 at zeta 0, a root of O^6 - 25 O^4 + 225 O^2 - 200",
     dopri5_limit,
     dopri5_low},
    {"explicit_euler",
     {NULL},
     explicit_euler,
     "",
     NULL,
     "2 zeta for zeta <= 1, 2 (zeta - sqrt(zeta^2 - 1)) above",
     explicit_euler_limit,
     explicit_euler_low},
    {"rk2",
     {NULL},
     rk2,
     "",
     NULL,
     "the root of O^3 - 4 zeta O^2 + 8 zeta^2 O - 8 zeta for zeta <= 1, 2 (zeta - sqrt(zeta^2 - 1)) above",
     rk2_limit,
     rk2_low},
    {"rk4", {NULL}, rk4, "", NULL, "2 sqrt(2) at zeta 0", rk4_limit, rk4_low},
    {"symplectic_euler",
     {NULL},
     symplectic_euler,
     "",
     NULL,
     "2 (sqrt(1 + zeta^2) - zeta)",
     symplectic_euler_limit,
     conserves},
    {"variational_explicit",
     {"r_m"},
     variational_explicit,
     "",
     NULL,
     "2 (sqrt(1 + z^2) - z), z = zeta + r_m/(2 omega)",
     variational_explicit_limit,
     mass_damping_low},
    {"velocity_verlet",
     {NULL},
     velocity_verlet,
     "",
     NULL,
     "2 (sqrt(4 zeta^2 + 1) - 2 zeta)",
     velocity_verlet_limit,
     conserves},
    {"yoshida4", {NULL}, yoshida4, "", NULL, "2 sqrt(3 (1 - 2^(-1/3))) at zeta 0", yoshida4_limit, conserves},
};
const TheoryRows theory_explicit_rows = {theories, sizeof theories / sizeof *theories};
