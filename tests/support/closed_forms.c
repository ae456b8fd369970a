// closed_forms -- radii, limits and damping of methods as their papers have them, and the table of them.
//
// O is Omega = omega h. Coefficients at low frequency are those of the series of the eigenvalue about 1.
#include "support/closed_forms.h"

#include "catalog/catalog.h"
#include "support/built_in.h"
#include "support/test.h"

// Functions of a row that are one formula.
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

// The theta family: Wu 2018, eq. 12-14. The implicit midpoint rule, in whatever variables, has the matrix of the
// trapezoidal rule.

NUMBER(theta1_radius, (1.0 - p[0]) / p[0])
NUMBER(theta2_radius, 3.0 * (1.0 - p[0]) / (3.0 + p[0]))
LOW(backward_euler_low, 2, 0.5)
LOW(theta1_low, 2, p[0] - 0.5)
LOW(bdf2_low, 4, 0.25)
LOW(theta2_low, 4, p[0] * (3.0 + p[0]) / (4.0 * (3.0 - p[0]) * (3.0 - p[0])))

// Composite methods: a trapezoidal rule to the inner point g, then BDF2 on the points 0, g, 1 (Bank et al. 1985), or
// the second formula of Noh and Bathe 2019.

static LowFrequency tr_bdf2_low(const double *p)
{
    const double root = p[0] * (1.0 - p[0]) / (2.0 - p[0]);
    return (LowFrequency){4, root * root / 8.0};
}

// The inner point g is written without the pole that (2 - sqrt(2 + 2 rho))/(1 - rho) has at rho = 1.
static LowFrequency bathe_low(const double *p)
{
    const double rho = p[0], g = 2.0 / (2.0 + sqrt(2.0 + 2.0 * rho)), root = g * (1.0 - g) / (2.0 - g * (1.0 - rho));
    return (LowFrequency){4, (1.0 - rho) * (1.0 + rho) * root * root / 8.0};
}

// The alpha family on [x, h v, h^2 a]: Chung and Hulbert 1993; Wu 2018, eq. 3-9.

LOW(generalized_alpha_low, 4, 0.5 * pow((1.0 - p[0]) / (1.0 + p[0]), 3.0))
NUMBER(alpha_radius, (1.0 + p[0]) / (1.0 - p[0]))
NUMBER(hht_radius, fmax((1.0 + p[0]) / (1.0 - p[0]), -p[0] / (1.0 + p[0])))
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
static double newmark_radius(UNUSED double zeta, const double *p)
{
    const double beta = p[0], gamma = p[1], half = beta - 0.5 * (gamma + 0.5);
    const double square = 0.25 * (gamma + 0.5) * (gamma + 0.5) - beta;
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

// -1 is an eigenvalue where (gamma - 2 beta) (O^2 + 4 zeta O) = 2.
static double incremental_newmark_limit(double zeta, const double *p)
{
    const double lack = p[1] - 2.0 * p[0];
    if (p[1] < 0.5)
        return (double)NAN;
    return lack > 0.0 ? sqrt(4.0 * zeta * zeta + 2.0 / lack) - 2.0 * zeta : (double)INFINITY;
}

// Methods that linearise once. A velocity in the force is the old one; Rayleigh damping is implicit, and physical.

// The method's own damping is that of backward Euler.
LOW(sofa_euler_low, p[0] + p[1] > 0.0 ? 1 : 2, p[0] + p[1] > 0.0 ? 0.5 * (p[0] + p[1]) : 0.5)

// -1 is an eigenvalue where O^2 - 4 z O + 4 = 0.
static double sofa_euler_limit(double zeta, const double *p)
{
    const double z = zeta - 0.5 * (p[0] + p[1]);
    return z > 1.0 ? 2.0 * (z - sqrt(z * z - 1.0)) : (double)INFINITY;
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

NUMBER(explicit_euler_limit, zeta <= 1.0 ? 2.0 * zeta : 2.0 * (zeta - sqrt(zeta * zeta - 1.0)))
NUMBER(symplectic_euler_limit, 2.0 * (sqrt(1.0 + zeta * zeta) - zeta))
NUMBER(variational_explicit_limit, symplectic_euler_limit(zeta + 0.5 * p[0], p))
NUMBER(central_difference_limit, 2.0)
NUMBER(velocity_verlet_limit, 2.0 * (sqrt(4.0 * zeta * zeta + 1.0) - 2.0 * zeta))
LOW(explicit_euler_low, 2, -0.5)
LOW(mass_damping_low, p[0] > 0.0 ? 1 : 0, 0.5 * p[0])
LOW(chung_lee_low, 4, 0.5 * (p[0] - 1.0))

NUMBER(chung_lee_limit, 2.0 * (sqrt(4.0 * zeta * zeta + 4.0 * p[0] - 3.0) - 2.0 * zeta) / (4.0 * p[0] - 3.0))

// Half the trace of the undamped matrix is 1 - q/2 + q^2/24 + k q^3 with q = Omega^2 and k = c/(288 (1 - c)^2), c the
// cube root of 2. It comes back to 1 at q = 12 (c - 1)/c and stays above -1 till then.
NUMBER(yoshida4_limit, zeta == 0.0 ? 2.0 * sqrt(3.0 * (1.0 - 1.0 / cbrt(2.0))) : (double)NAN)

// Runge-Kutta methods, by their stability polynomial: sum of weights[k] L^k. That of dopri5 has order 5, and 1/600 in
// place of 1/720 (Hairer, Norsett and Wanner 1993, section II.5).

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

const ClosedForms closed_forms[] = {
    {"central_difference", NULL, central_difference_limit, mass_damping_low},
    {"chung_lee", NULL, chung_lee_limit, chung_lee_low},
    {"dopri5", NULL, dopri5_limit, dopri5_low},
    {"explicit_euler", NULL, explicit_euler_limit, explicit_euler_low},
    {"rk2", NULL, rk2_limit, rk2_low},
    {"rk4", NULL, rk4_limit, rk4_low},
    {"symplectic_euler", NULL, symplectic_euler_limit, conserves},
    {"variational_explicit", NULL, variational_explicit_limit, mass_damping_low},
    {"velocity_verlet", NULL, velocity_verlet_limit, conserves},
    {"yoshida4", NULL, yoshida4_limit, conserves},
    {"backward_euler", zero, infinite, backward_euler_low},
    {"bathe", first_parameter, infinite, bathe_low},
    {"bdf2", zero, infinite, bdf2_low},
    {"generalized_alpha", first_parameter, infinite, generalized_alpha_low},
    {"hht_alpha", hht_radius, infinite, hht_low},
    {"implicit_midpoint", one, infinite, conserves},
    {"incremental_newmark", average_acceleration_radius, incremental_newmark_limit, newmark_low},
    {"incremental_potential", zero, infinite, backward_euler_low},
    {"newmark", newmark_radius, newmark_limit, newmark_low},
    {"sofa_euler", zero, sofa_euler_limit, sofa_euler_low},
    {"sofa_newmark", sofa_newmark_radius, sofa_newmark_limit, sofa_newmark_low},
    {"theta1", theta1_radius, infinite, theta1_low},
    {"theta2", theta2_radius, infinite, theta2_low},
    {"tr_bdf2", zero, infinite, tr_bdf2_low},
    {"trapezoidal", one, infinite, conserves},
    {"variational_implicit", one, infinite, conserves},
    {"wbz_alpha", alpha_radius, infinite, wbz_low},
};
const size_t closed_form_count = sizeof closed_forms / sizeof *closed_forms;

const ClosedForms *closed_forms_of(const char *method)
{
    for (size_t i = 0; i < closed_form_count; ++i)
        if (strcmp(closed_forms[i].method, method) == 0)
            return &closed_forms[i];
    fail_msg("tests/support/closed_forms.c has no row for method '%s'", method);
    return NULL;
}

const Theory *theory_of(const Card *method)
{
    static Arena  kept;
    const Theory *theory = NULL;
    assert_fine(theory_make(method, &kept, &theory, &err));
    if (!theory)
        fail_msg("method '%s' has no amplification matrix: its card has no equations", method->name);
    return theory;
}

const Theory *theory_named(const char *method)
{
    return theory_of(catalog_find(built_in(), CARD_METHOD, method));
}
