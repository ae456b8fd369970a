// real.h -- lanes, precision and the only mathematics that a kernel file may use.
//
// A `real` is LANES points side by side: one number on a GPU, a vector of 8 to 32 on a CPU device. Nothing outside this
// file (and functions.h) knows the precision or the lane count. OpenCL's relations give 1 for scalars and -1 for
// vectors, and its `any` and `all` test the sign bit, so they are used here only: elsewhere a comparison gives a
// `mask`, masks combine with & | and !, and choose(), any_lane() and all_lanes() consume them.
//
// Every device computes the same bits at every lane count: contraction is off, fma is written where it is meant, and
// the transcendental functions are our own. Build options: LANES (1, 2, 4, 8, 16, 32), SINGLE (0, 1), LOCAL_SIZE (work
// items of a work group).

#pragma OPENCL FP_CONTRACT OFF

// Vectors wider than the processor's are passed in memory, to functions of this text alone: no reason to warn.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpsabi"
#endif

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

#if SINGLE
#define SCALAR float
#define SCALAR_WHOLE int
#define REAL_MAX FLT_MAX
#define EPSILON FLT_EPSILON
#define SQRT_EPSILON 3.4526698e-4f
#define CBRT_EPSILON 4.9215667e-3f
#define SQRT_POWER 0x1p-11f
#define CBRT_POWER 0x1p-7f
#define NEXT_TO_NOTHING 0x1p-90f
#else
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SCALAR double
#define SCALAR_WHOLE long
#define REAL_MAX DBL_MAX
#define EPSILON DBL_EPSILON
#define SQRT_EPSILON 1.4901161193847656e-8
#define CBRT_EPSILON 6.0554544523933395e-6
#define SQRT_POWER 0x1p-26
#define CBRT_POWER 0x1p-17
#define NEXT_TO_NOTHING 0x1p-700
#endif

#if LANES == 1
typedef SCALAR       real;
typedef SCALAR_WHOLE whole;  // as wide as a real, so that both share the rows of a buffer
#define VECTOR(name) name
#define YES ((mask)1)
#else
#define VECTOR(name) PASTE(name, LANES)
#if LANES == 32 && defined(__OPENCL_C_VERSION__)
#include "wide.h"
#endif
typedef PASTE(SCALAR, LANES) real;
typedef PASTE(SCALAR_WHOLE, LANES) whole;
#define YES ((mask)(-1))
#endif
typedef whole mask;

#define NO ((mask)(0))
#define ZERO ((real)(0.0))
#define ONE ((real)(1.0))
#define PI 3.14159265358979323846
#define TWO_PI 6.28318530717958647693
#define SQRT_HALF 0.70710678118654752440
#define REAL_INFINITY ((real)(INFINITY))
#define NOT_A_NUMBER as_real((whole)(PASTE(as_, SCALAR_WHOLE)((SCALAR)NAN)))

#if SINGLE
static real  as_real(whole n) { return VECTOR(as_float)(n); }
static whole as_whole(real x) { return VECTOR(as_int)(x); }
static real  to_real(whole n) { return VECTOR(convert_float)(n); }
static whole to_whole(real x) { return VECTOR(convert_int)(x); }
#else
static real         as_real(whole n) { return VECTOR(as_double)(n); }
static whole        as_whole(real x) { return VECTOR(as_long)(x); }
static real         to_real(whole n) { return VECTOR(convert_double)(n); }
static whole        to_whole(real x) { return VECTOR(convert_long)(x); }
#endif

// Around the condition of a path that is all but never taken, so that it alone pays for the registers it needs.
#define UNLIKELY(condition) __builtin_expect(condition, 0)

// Loops over degrees of freedom unroll into registers where there are few of them; many would make code without end.
#if DOF <= 12
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("nounroll")
#endif
#define EACH_DOF(i) EACH_DOF_FROM(0, i)
#define EACH_DOF_FROM(first, i) \
    UNROLL                      \
    for (int i = first; i < DOF; ++i)

// A loop over the numbers of a State's vectors: one for each degree of freedom, and behind them their tangents, where a
// sweep asks for derivatives (tangent.h).
#ifndef TANGENTS
#define STATE_DOF DOF
#endif
#define EACH_OF_STATE(i) \
    UNROLL               \
    for (int i = 0; i < STATE_DOF; ++i)

// Text of a metric's file that is there where its results have derivatives; the prologue defines it anew for those.
#define TANGENT(...)

static real  choose(mask m, real a, real b) { return m ? a : b; }
static whole choose_whole(mask m, whole a, whole b) { return m ? a : b; }

#if LANES == 1
static SCALAR_WHOLE or_lanes(whole n) { return n; }  // the bits that are set in any lane
static bool         any_lane(mask m) { return m != 0; }
static bool         all_lanes(mask m) { return m != 0; }
static whole        count(whole n, mask m) { return n + m; }  // one more where m holds
static real         load(global const SCALAR *from) { return *from; }
static void         save(global SCALAR *to, real x) { *to = x; }
static void         spread(real x, SCALAR to[LANES]) { to[0] = x; }  // lane by lane into an array
static void         spread_whole(whole n, SCALAR_WHOLE to[LANES]) { to[0] = n; }
#else
#if LANES >= 16
static SCALAR_WHOLE or_lanes(whole n)
{
#if LANES == 32
    const PASTE(SCALAR_WHOLE, 16) sixteen = n.lo | n.hi;
    const PASTE(SCALAR_WHOLE, 8) a = sixteen.lo | sixteen.hi;
#else
    const PASTE(SCALAR_WHOLE, 8) a = n.lo | n.hi;
#endif
    const PASTE(SCALAR_WHOLE, 4) b = a.lo | a.hi;
    const PASTE(SCALAR_WHOLE, 2) c = b.lo | b.hi;
    return c.x | c.y;
}
#elif LANES == 8
static SCALAR_WHOLE or_lanes(whole n)
{
    const PASTE(SCALAR_WHOLE, 4) b = n.lo | n.hi;
    const PASTE(SCALAR_WHOLE, 2) c = b.lo | b.hi;
    return c.x | c.y;
}
#elif LANES == 4
static SCALAR_WHOLE or_lanes(whole n)
{
    const PASTE(SCALAR_WHOLE, 2) c = n.lo | n.hi;
    return c.x | c.y;
}
#else
static SCALAR_WHOLE or_lanes(whole n) { return n.x | n.y; }
#endif
#if LANES >= 8 && defined(__AVX512F__) && defined(__OPENCL_C_VERSION__)
// Where comparisons give a bit to each lane, the bits become the bytes of one register.
static bool any_lane(mask m)
{
#if LANES == 32
    const char16 bytes = convert_char16((m.lo | m.hi) != 0);
#else
    const PASTE(char, LANES) bytes = VECTOR(convert_char)(m != 0);
#endif
#if LANES >= 16
    return (as_long2(bytes).x | as_long2(bytes).y) != 0;
#else
    return as_long(bytes) != 0;
#endif
}
#else
// An OR tree over halves: the builtin any() becomes a long chain of shuffles on a CPU device.
static bool any_lane(mask m) { return or_lanes(m) != 0; }
#endif
static bool all_lanes(mask m) { return !any_lane(~m); }
#if LANES > 4
// Sums of a quarter of the lanes, or of an eighth.
typedef PASTE(SCALAR, 4) Sums;
static Sums sum_some(real x)
{
#if LANES == 32
    const PASTE(SCALAR, 16) sixteen = x.lo + x.hi;
    const PASTE(SCALAR, 8) eight = sixteen.lo + sixteen.hi;
    return eight.lo + eight.hi;
#elif LANES == 16
    const PASTE(SCALAR, 8) eight = x.lo + x.hi;
    return eight.lo + eight.hi;
#else
    return x.lo + x.hi;
#endif
}
static bool any_sum(PASTE(SCALAR_WHOLE, 4) m)
{
    const PASTE(SCALAR_WHOLE, 2) c = m.lo | m.hi;
    return (c.x | c.y) != 0;
}
#endif
static whole count(whole n, mask m) { return n - m; }
static real  load(global const SCALAR *from) { return VECTOR(vload)(0, from); }
static void  save(global SCALAR *to, real x) { VECTOR(vstore)(x, 0, to); }
static void  spread(real x, SCALAR to[LANES]) { VECTOR(vstore)(x, 0, to); }
static void  spread_whole(whole n, SCALAR_WHOLE to[LANES]) { VECTOR(vstore)(n, 0, to); }
#endif

static real collect(const SCALAR from[LANES])  // the other way round
{
#if LANES == 1
    return from[0];
#else
    return VECTOR(vload)(0, from);
#endif
}

static SCALAR_WHOLE sum_lanes(whole n)
{
    SCALAR_WHOLE each[LANES], sum = 0;
    spread_whole(n, each);
    for (int lane = 0; lane < LANES; ++lane)
        sum += each[lane];
    return sum;
}

// The smallest number of any lane.
static SCALAR_WHOLE least_lane(whole n)
{
    SCALAR_WHOLE each[LANES], least;
    spread_whole(n, each);
    least = each[0];
    for (int lane = 1; lane < LANES; ++lane)
        least = each[lane] < least ? each[lane] : least;
    return least;
}

static whole load_whole(global const SCALAR *from) { return as_whole(load(from)); }
static void  save_whole(global SCALAR *to, whole n) { save(to, as_real(n)); }

static real real_fma(real a, real b, real c) { return fma(a, b, c); }
static real real_sqrt(real x) { return sqrt(x); }  // correctly rounded everywhere
// LLVM makes one instruction of the larger of two absolute values, where it does not see PoCL's fabs() clear a bit.
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if __has_builtin(__builtin_elementwise_abs)
static real real_abs(real x) { return __builtin_elementwise_abs(x); }
#else
static real real_abs(real x) { return fabs(x); }
#endif
static real larger(real a, real b) { return choose(a > b, a, b); }  // b where either is NaN
static real smaller(real a, real b) { return choose(a < b, a, b); }
static real real_max(real a, real b) { return choose((a > b) | (a != a), a, b); }  // NaN where either is
static real real_min(real a, real b) { return choose((a < b) | (a != a), a, b); }
// The power of two at x > 0 or below, 0 of one below the normal numbers; and 1 over a power of two, exactly.
static real power_below(real x) { return as_real(as_whole(x) & as_whole(REAL_INFINITY)); }
static real power_inverse(real p) { return as_real(2 * as_whole(ONE) - as_whole(p)); }
static mask is_finite(real x) { return real_abs(x) <= REAL_MAX; }

// Tests of all lanes that mostly pass. Of whole numbers: whether one of the bits is set in any lane. By sums of lanes,
// of numbers x >= 0: false where none is above the limit or NaN, nor their sum; true where one is. Of any numbers: true
// where all are finite, and their sum is.
#if LANES > 4
static bool any_bit(whole n, SCALAR_WHOLE bits)
{
#if LANES == 32
    const PASTE(SCALAR_WHOLE, 16) sixteen = n.lo | n.hi;
    const PASTE(SCALAR_WHOLE, 8) eight = sixteen.lo | sixteen.hi;
    return any_sum((eight.lo | eight.hi) & bits);
#elif LANES == 16
    const PASTE(SCALAR_WHOLE, 8) eight = n.lo | n.hi;
    return any_sum((eight.lo | eight.hi) & bits);
#else
    return any_sum((n.lo | n.hi) & bits);
#endif
}
static bool any_above(real x, SCALAR limit) { return any_sum(~(sum_some(x) <= limit)); }
static bool all_finite(real x)
{
    const Sums s = sum_some(x);
    return !any_sum(~((s <= REAL_MAX) & (s >= -REAL_MAX)));
}
#else
static bool any_above(real x, SCALAR limit) { return any_lane(!(x <= limit)); }
static bool all_finite(real x) { return all_lanes(is_finite(x)); }
#endif

#include "functions.h"

// From here on every function is inlined: a call would pass its lanes through memory and spill the registers around it.
#define static static inline __attribute__((always_inline))

// From here on the builtins are out of reach: at LANES 1 they would compile, and differ from device to device. Some
// compilers have them as macros.
#undef sin
#define sin use_real_sin
#undef cos
#define cos use_real_cos
#undef tan
#define tan use_real_sin_over_real_cos
#undef exp
#define exp use_real_exp
#undef log
#define log use_real_log
#undef pow
#define pow use_real_exp_and_real_log
#undef atan2
#define atan2 use_real_atan2
#undef sqrt
#define sqrt use_real_sqrt
#undef fma
#define fma use_real_fma
#undef mad
#define mad use_real_fma
#undef fabs
#define fabs use_real_abs
#undef fmax
#define fmax use_real_max
#undef fmin
#define fmin use_real_min
#undef max
#define max use_real_max
#undef min
#define min use_real_min
#undef select
#define select use_choose
#undef any
#define any use_any_lane
#undef all
#define all use_all_lanes
#undef isnan
#define isnan use_is_finite
#undef isinf
#define isinf use_is_finite
#undef isfinite
#define isfinite use_is_finite
