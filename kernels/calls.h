// calls.h -- functions that are called, for a problem with so many calls that compilers would take minutes over copies.
//
// Only the composed text of such a problem has this file. Between it and the problem's file stand the functions that
// the problem calls, by these macros, and `static` no longer inlines.

#define CALLED(name) \
    static real called_##name(real a) { return real_##name(a); }
#define CALLED_2(name) \
    static real called_##name(real a, real b) { return real_##name(a, b); }

#define EACH_CALL(function)         \
    ROLLED                          \
    for (int i = 0; i < count; ++i) \
        calls[i] = function(calls[i]);

// Each of some numbers becomes the function of it.
#define CALLED_ALL(name) \
    static void all_real_##name(real *calls, int count) { EACH_CALL(real_##name) }

// real_sin() and real_cos() of |x| <= COMMON_ANGLE: the same bits, and no branch.
static real common_sin(real x)
{
    const real a = real_abs(x), q = real_fma(a, ONE_OVER_PI, ROUNDER), n = q - ROUNDER;
    const real r = real_fma(n, -2.0 * HALF_PI_3, real_fma(n, -2.0 * HALF_PI_2, real_fma(n, -2.0 * HALF_PI_1, a)));
    return signed_as(sine_of(r), as_whole(q) << 1, x);
}

static real common_cos(real x)
{
    const real a = real_abs(x), q = real_fma(a, TWO_OVER_PI, ROUNDER), n = q - ROUNDER;
    const real r = real_fma(n, -HALF_PI_3, real_fma(n, -HALF_PI_2, real_fma(n, -HALF_PI_1, a)));
    real       s, c;
    turned_sincos(as_whole(q), r, x, &s, &c);
    return c;
}

// Of sines and cosines. The loop over angles of which none is huge has no branch in it, so that a compiler of one lane
// makes vectors of it.
#define CALLED_ANGLES(name)                                         \
    static void all_real_##name(real *calls, int count)             \
    {                                                               \
        mask common = YES;                                          \
        ROLLED                                                      \
        for (int i = 0; i < count; ++i)                             \
            common = common & (real_abs(calls[i]) <= COMMON_ANGLE); \
        if (all_lanes(common)) {                                    \
            EACH_CALL(common_##name)                                \
        } else {                                                    \
            EACH_CALL(real_##name)                                  \
        }                                                           \
    }

#define CALLS(function, calls, count) all_##function(calls, count)
