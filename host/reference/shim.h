// shim -- the words of a problem file, as plain C doubles and libm.
//
// Included before a problem file when the build compiles it for the reference. On a device real.h gives the same words
// lanes, other precisions and math functions of our own; here they mean what a textbook means.
#pragma once

#include <math.h>

// Loops of a problem file may carry #pragma unroll, which means nothing here.
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

typedef double real;
typedef int    mask;

#define SCALAR double
#define UNROLL
#define EACH_DOF(i) EACH_DOF_FROM(0, i)
#define EACH_DOF_FROM(first, i) for (int i = first; i < DOF; ++i)
#define ZERO 0.0
#define ONE 1.0
#define PI 3.14159265358979323846
#define TWO_PI 6.28318530717958647692
#define SQRT_HALF 0.70710678118654752440
#define NOT_A_NUMBER ((double)NAN)
#define REAL_INFINITY ((double)INFINITY)

#define choose(condition, yes, no) ((condition) ? (yes) : (no))

#define real_sin sin
#define real_sincos(x, s, c) (*(s) = sin(x), *(c) = cos(x))
#define real_cos cos
#define real_exp exp
#define real_log log
#define real_atan2 atan2
#define real_pow pow
#define real_tan tan
#define real_tanh tanh
#define real_sinh sinh
#define real_cosh cosh
#define real_asin asin
#define real_acos acos
#define real_atan atan
#define real_hypot hypot
#define real_cbrt cbrt
#define real_log1p log1p
#define real_expm1 expm1
#define real_floor floor
#define real_fmod fmod
#define real_sqrt sqrt
#define real_abs fabs
#define real_fma fma

static inline double real_sin_squared(double x)
{
    return sin(x) * sin(x);
}

static inline double real_sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
}

static inline double real_max(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

static inline double real_min(double a, double b)
{
    return a < b || isnan(a) ? a : b;
}
