// theory_parts -- inside of theory: the parts of its rows, and the tables of explicit and implicit methods.
//
// O is Omega = omega h and d = 2 zeta O, so that the scaled acceleration of [x, h v] is -O^2 x - d h v.
#pragma once

#include "analysis/linear/theory.h"

#include <math.h>

typedef struct TheoryRows {
    const Theory *rows;
    size_t        count;
} TheoryRows;

extern const TheoryRows theory_explicit_rows, theory_implicit_rows;

// h times the derivative of [x, h v].
static inline Matrix oscillator(double O, double zeta)
{
    return (Matrix){2, {{0.0, 1.0}, {-O * O, -2.0 * zeta * O}}};
}

// a I + b L
static inline Matrix linear(double a, double b, Matrix L)
{
    return matrix_plus(matrix_plus((Matrix){.n = L.n}, a, matrix_identity(L.n)), b, L);
}

// (I - c L)^-1
static inline Matrix implicit(double c, Matrix L)
{
    return matrix_inverse(linear(1.0, -c, L));
}

static inline double zero(double zeta, const double *p)
{
    return (void)zeta, (void)p, 0.0;
}

static inline double one(double zeta, const double *p)
{
    return (void)zeta, (void)p, 1.0;
}

static inline double first_parameter(double zeta, const double *p)
{
    return (void)zeta, p[0];
}

static inline double infinite(double zeta, const double *p)
{
    return (void)zeta, (void)p, (double)INFINITY;
}

static inline LowFrequency conserves(const double *p)
{
    return (void)p, (LowFrequency){0, 0.0};
}
