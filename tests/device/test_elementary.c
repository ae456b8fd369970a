// test_elementary -- functions of kernels/elementary.h: ulps, special values, and the same bits at every lane count.
#include "support/function_bench.h"
#include "support/test.h"

#include <float.h>
#include <math.h>

static const int LANES[] = {1, 2, 4, 8, 16};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

EXACT(tan)
EXACT(tanh)
EXACT(sinh)
EXACT(cosh)
EXACT(asin)
EXACT(acos)
EXACT(atan)
EXACT(cbrt)
EXACT(log1p)
EXACT(expm1)
EXACT(floor)

static long double exact_pow(long double x, long double y)
{
    return powl(x, y);
}
static long double exact_hypot(long double x, long double y)
{
    return hypotl(x, y);
}
static long double exact_fmod(long double x, long double y)
{
    return fmodl(x, y);
}
static long double exact_sign(long double x, long double unused)
{
    return (void)unused, x > 0.0L ? 1.0L : x < 0.0L ? -1.0L : x;
}

typedef enum Function {
    POW,
    TAN,
    TANH,
    SINH,
    COSH,
    ASIN,
    ACOS,
    ATAN,
    HYPOT,
    CBRT,
    LOG1P,
    EXPM1,
    FLOOR,
    FMOD,
    SIGN,
    FUNCTIONS
} Function;
static const BenchFunction TABLE[FUNCTIONS] = {
    {"pow", "real_pow(a, b)", exact_pow, false},       {"tan", "real_tan(a)", exact_tan, false},
    {"tanh", "real_tanh(a)", exact_tanh, true},        {"sinh", "real_sinh(a)", exact_sinh, false},
    {"cosh", "real_cosh(a)", exact_cosh, false},       {"asin", "real_asin(a)", exact_asin, false},
    {"acos", "real_acos(a)", exact_acos, false},       {"atan", "real_atan(a)", exact_atan, false},
    {"hypot", "real_hypot(a, b)", exact_hypot, false}, {"cbrt", "real_cbrt(a)", exact_cbrt, false},
    {"log1p", "real_log1p(a)", exact_log1p, false},    {"expm1", "real_expm1(a)", exact_expm1, false},
    {"floor", "real_floor(a)", exact_floor, false},    {"fmod", "real_fmod(a, b)", exact_fmod, false},
    {"sign", "real_sign(a)", exact_sign, true},
};
static const char HEADER[] = "#include \"real.h\"\n#include \"elementary.h\"\n";

// The bounds of kernels/elementary.h, in ulp.
static const double BOUNDS[FUNCTIONS] = {
    [POW] = 0.9,   [TAN] = 0.9,  [TANH] = 0.9,  [SINH] = 0.9,  [COSH] = 0.9, [ASIN] = 2.2, [ACOS] = 2.2, [ATAN] = 1.6,
    [HYPOT] = 1.3, [CBRT] = 0.6, [LOG1P] = 0.6, [EXPM1] = 1.1, [FLOOR] = 0,  [FMOD] = 0,   [SIGN] = 0,
};
#define HUGE_ANGLE_BOUND 1.9

static const Range DOUBLE_RANGES[] = {
    {POW, POWERS, -1074, 1024, 0.9},
    {POW, POWERS, -2, 2, 0.9},
    {POW, POWERS_OF_ONE, 0, -3, 0.9},
    {POW, MAGNITUDES, -3, 6, 0.9},
    {POW, POSITIVE, -6, 7, 0.9},
    {POW, POSITIVE, -1074, -1022, 0.9},
    {TAN, UNIFORM, -1.6, 1.6, 0.9},
    {TAN, UNIFORM, -100000.0, 100000.0, 0.9},
    {TAN, MAGNITUDES, -1074, 29, 0.9},
    {TAN, NEAR_TURNS, 0, 28, 0.9},
    {TAN, MAGNITUDES, 30, 1024, HUGE_ANGLE_BOUND},
    {TAN, NEAR_TURNS, 0, 35, HUGE_ANGLE_BOUND},
    {TANH, UNIFORM, -1, 1, 0.9},
    {TANH, UNIFORM, -45, 45, 0.9},
    {TANH, UNIFORM, -750, 715, 0.9},
    {TANH, MAGNITUDES, -1074, 11, 0.9},
    {SINH, UNIFORM, -1, 1, 0.9},
    {SINH, UNIFORM, -45, 45, 0.9},
    {SINH, UNIFORM, -750, 715, 0.9},
    {SINH, MAGNITUDES, -1074, 11, 0.9},
    {COSH, UNIFORM, -1, 1, 0.9},
    {COSH, UNIFORM, -45, 45, 0.9},
    {COSH, UNIFORM, -750, 715, 0.9},
    {COSH, MAGNITUDES, -1074, 11, 0.9},
    {EXPM1, UNIFORM, -1, 1, 1.1},
    {EXPM1, UNIFORM, -45, 45, 1.1},
    {EXPM1, UNIFORM, -750, 715, 1.1},
    {EXPM1, MAGNITUDES, -1074, 11, 1.1},
    {EXPM1, UNIFORM, 0.3, 1.5, 1.1},
    {ASIN, UNIFORM, -1, 1, 2.2},
    {ASIN, UNIFORM, 0.4, 0.95, 2.2},
    {ASIN, MAGNITUDES, -1074, 1, 2.2},
    {ASIN, BELOW_ONE, 0, -1, 2.2},
    {ACOS, UNIFORM, -1, 1, 2.2},
    {ACOS, UNIFORM, 0.4, 0.95, 2.2},
    {ACOS, MAGNITUDES, -1074, 1, 2.2},
    {ACOS, BELOW_ONE, 0, -1, 2.2},
    {ATAN, UNIFORM, -4, 4, 1.6},
    {ATAN, MAGNITUDES, -4, 4, 1.6},
    {ATAN, MAGNITUDES, -1074, 1024, 1.6},
    {HYPOT, UNIFORM, -10, 10, 1.3},
    {HYPOT, MAGNITUDES, -5, 5, 1.3},
    {HYPOT, MAGNITUDES, -1074, 1024, 1.3},
    {HYPOT, MAGNITUDES, 495, 505, 1.3},
    {HYPOT, MAGNITUDES, -505, -495, 1.3},
    {HYPOT, MAGNITUDES, -1074, -1019, 1.3},
    {HYPOT, MAGNITUDES, 1020, 1024, 1.3},
    {CBRT, UNIFORM, -10, 10, 0.6},
    {CBRT, MAGNITUDES, -1074, 1024, 0.6},
    {CBRT, MAGNITUDES, -1074, -1022, 0.6},
    {CBRT, POSITIVE, 0, 3, 0.6},
    {LOG1P, UNIFORM, -1, 1, 0.6},
    {LOG1P, UNIFORM, -0.3, 0.5, 0.6},
    {LOG1P, UNIFORM, 0, 100, 0.6},
    {LOG1P, MAGNITUDES, -60, 1, 0.6},
    {LOG1P, POSITIVE, -1074, 1024, 0.6},
    {LOG1P, BELOW_ONE, 0, -1, 0.6},
    {FLOOR, UNIFORM, -10, 10, 0},
    {FLOOR, MAGNITUDES, -1074, 1024, 0},
    {FLOOR, MAGNITUDES, 45, 56, 0},
    {FMOD, UNIFORM, -10, 10, 0},
    {FMOD, MAGNITUDES, -2, 60, 0},
    {FMOD, MAGNITUDES, -1074, 1024, 0},
    {FMOD, MAGNITUDES, -1074, -1017, 0},
    {SIGN, MAGNITUDES, -1074, 1024, 0},
};

static const Range SINGLE_RANGES[] = {
    {POW, POWERS, -149, 128, 0.9},
    {POW, POWERS, -2, 2, 0.9},
    {POW, POWERS_OF_ONE, 0, -3, 0.9},
    {POW, MAGNITUDES, -3, 6, 0.9},
    {POW, POSITIVE, -6, 7, 0.9},
    {POW, POSITIVE, -149, -126, 0.9},
    {TAN, UNIFORM, -1.6, 1.6, 0.9},
    {TAN, UNIFORM, -100000.0, 100000.0, 0.9},
    {TAN, MAGNITUDES, -149, 16, 0.9},
    {TAN, NEAR_TURNS, 0, 15, 0.9},
    {TAN, MAGNITUDES, 17, 128, HUGE_ANGLE_BOUND},
    {TAN, NEAR_TURNS, 0, 20, HUGE_ANGLE_BOUND},
    {TANH, UNIFORM, -1, 1, 0.9},
    {TANH, UNIFORM, -45, 45, 0.9},
    {TANH, UNIFORM, -110, 95, 0.9},
    {TANH, MAGNITUDES, -149, 8, 0.9},
    {SINH, UNIFORM, -1, 1, 0.9},
    {SINH, UNIFORM, -45, 45, 0.9},
    {SINH, UNIFORM, -110, 95, 0.9},
    {SINH, MAGNITUDES, -149, 8, 0.9},
    {COSH, UNIFORM, -1, 1, 0.9},
    {COSH, UNIFORM, -45, 45, 0.9},
    {COSH, UNIFORM, -110, 95, 0.9},
    {COSH, MAGNITUDES, -149, 8, 0.9},
    {EXPM1, UNIFORM, -1, 1, 1.1},
    {EXPM1, UNIFORM, -45, 45, 1.1},
    {EXPM1, UNIFORM, -110, 95, 1.1},
    {EXPM1, MAGNITUDES, -149, 8, 1.1},
    {EXPM1, UNIFORM, 0.3, 1.5, 1.1},
    {ASIN, UNIFORM, -1, 1, 2.2},
    {ASIN, UNIFORM, 0.4, 0.95, 2.2},
    {ASIN, MAGNITUDES, -149, 1, 2.2},
    {ASIN, BELOW_ONE, 0, -1, 2.2},
    {ACOS, UNIFORM, -1, 1, 2.2},
    {ACOS, UNIFORM, 0.4, 0.95, 2.2},
    {ACOS, MAGNITUDES, -149, 1, 2.2},
    {ACOS, BELOW_ONE, 0, -1, 2.2},
    {ATAN, UNIFORM, -4, 4, 1.6},
    {ATAN, MAGNITUDES, -4, 4, 1.6},
    {ATAN, MAGNITUDES, -149, 128, 1.6},
    {HYPOT, UNIFORM, -10, 10, 1.3},
    {HYPOT, MAGNITUDES, -5, 5, 1.3},
    {HYPOT, MAGNITUDES, -149, 128, 1.3},
    {HYPOT, MAGNITUDES, 55, 65, 1.3},
    {HYPOT, MAGNITUDES, -65, -55, 1.3},
    {HYPOT, MAGNITUDES, -149, -123, 1.3},
    {HYPOT, MAGNITUDES, 124, 128, 1.3},
    {CBRT, UNIFORM, -10, 10, 0.6},
    {CBRT, MAGNITUDES, -149, 128, 0.6},
    {CBRT, MAGNITUDES, -149, -126, 0.6},
    {CBRT, POSITIVE, 0, 3, 0.6},
    {LOG1P, UNIFORM, -1, 1, 0.6},
    {LOG1P, UNIFORM, -0.3, 0.5, 0.6},
    {LOG1P, UNIFORM, 0, 100, 0.6},
    {LOG1P, MAGNITUDES, -60, 1, 0.6},
    {LOG1P, POSITIVE, -149, 128, 0.6},
    {LOG1P, BELOW_ONE, 0, -1, 0.6},
    {FLOOR, UNIFORM, -10, 10, 0},
    {FLOOR, MAGNITUDES, -149, 128, 0},
    {FLOOR, MAGNITUDES, 18, 26, 0},
    {FMOD, UNIFORM, -10, 10, 0},
    {FMOD, MAGNITUDES, -2, 60, 0},
    {FMOD, MAGNITUDES, -149, 128, 0},
    {FMOD, MAGNITUDES, -149, -121, 0},
    {SIGN, MAGNITUDES, -149, 128, 0},
};

static const Special SPECIALS[] = {
    {POW, NAN, 0.0, 1.0},
    {POW, NAN, -0.0, 1.0},
    {POW, 0.0, 0.0, 1.0},
    {POW, 0.0, -0.0, 1.0},
    {POW, INFINITY, 0.0, 1.0},
    {POW, INFINITY, -0.0, 1.0},
    {POW, -2.0, 0.0, 1.0},
    {POW, -2.0, -0.0, 1.0},
    {POW, 1.0, NAN, 1.0},
    {POW, 1.0, INFINITY, 1.0},
    {POW, 1.0, -INFINITY, 1.0},
    {POW, 1.0, 1e30, 1.0},
    {POW, -1.0, INFINITY, 1.0},
    {POW, -1.0, -INFINITY, 1.0},
    {POW, -1.0, 1e30, 1.0},
    {POW, -1.0, 3.0, -1.0},
    {POW, 0.0, -3.0, INFINITY},
    {POW, -0.0, -3.0, -INFINITY},
    {POW, 0.0, -2.0, INFINITY},
    {POW, -0.0, -2.0, INFINITY},
    {POW, -0.0, -2.5, INFINITY},
    {POW, 0.0, 3.0, 0.0},
    {POW, -0.0, 3.0, -0.0},
    {POW, -0.0, 2.0, 0.0},
    {POW, -0.0, 2.5, 0.0},
    {POW, 0.0, INFINITY, 0.0},
    {POW, -0.0, -INFINITY, INFINITY},
    {POW, -2.0, 0.5, NAN},
    {POW, -2.0, -2.5, NAN},
    {POW, -2.0, 3.0, -8.0},
    {POW, -2.0, 4.0, 16.0},
    {POW, -2.0, -3.0, -0.125},
    {POW, 0.5, INFINITY, 0.0},
    {POW, 0.5, -INFINITY, INFINITY},
    {POW, -0.5, INFINITY, 0.0},
    {POW, -0.5, -INFINITY, INFINITY},
    {POW, 2.0, INFINITY, INFINITY},
    {POW, 2.0, -INFINITY, 0.0},
    {POW, -2.0, INFINITY, INFINITY},
    {POW, -2.0, -INFINITY, 0.0},
    {POW, INFINITY, 2.0, INFINITY},
    {POW, INFINITY, -2.0, 0.0},
    {POW, INFINITY, 0.5, INFINITY},
    {POW, INFINITY, -0.5, 0.0},
    {POW, INFINITY, INFINITY, INFINITY},
    {POW, INFINITY, -INFINITY, 0.0},
    {POW, -INFINITY, 3.0, -INFINITY},
    {POW, -INFINITY, 2.0, INFINITY},
    {POW, -INFINITY, 2.5, INFINITY},
    {POW, -INFINITY, -3.0, -0.0},
    {POW, -INFINITY, -2.0, 0.0},
    {POW, -INFINITY, -2.5, 0.0},
    {POW, NAN, 1.0, NAN},
    {POW, 2.0, NAN, NAN},
    {POW, 0.0, NAN, NAN},
    {POW, INFINITY, NAN, NAN},
    {POW, -INFINITY, NAN, NAN},
    {POW, NAN, INFINITY, NAN},
    {POW, 2.0, 10.0, 1024.0},
    {POW, 3.0, 5.0, 243.0},
    {POW, 10.0, 1e30, INFINITY},
    {POW, -10.0, 1e30, INFINITY},
    {POW, 10.0, -1e30, 0.0},
    {POW, 9.0, 0.5, 3.0},
    {POW, 2.0, -149.0, 0x1p-149},
    {POW, 7.0, 1.0, 7.0},
    {POW, -7.0, 1.0, -7.0},
    {TAN, 0.0, 0, 0.0},
    {TAN, -0.0, 0, -0.0},
    {TAN, NAN, 0, NAN},
    {TAN, 0x1p-149, 0, 0x1p-149},
    {TAN, -0x1p-149, 0, -0x1p-149},
    {TANH, 0.0, 0, 0.0},
    {TANH, -0.0, 0, -0.0},
    {TANH, NAN, 0, NAN},
    {TANH, 0x1p-149, 0, 0x1p-149},
    {TANH, -0x1p-149, 0, -0x1p-149},
    {SINH, 0.0, 0, 0.0},
    {SINH, -0.0, 0, -0.0},
    {SINH, NAN, 0, NAN},
    {SINH, 0x1p-149, 0, 0x1p-149},
    {SINH, -0x1p-149, 0, -0x1p-149},
    {ASIN, 0.0, 0, 0.0},
    {ASIN, -0.0, 0, -0.0},
    {ASIN, NAN, 0, NAN},
    {ASIN, 0x1p-149, 0, 0x1p-149},
    {ASIN, -0x1p-149, 0, -0x1p-149},
    {ATAN, 0.0, 0, 0.0},
    {ATAN, -0.0, 0, -0.0},
    {ATAN, NAN, 0, NAN},
    {ATAN, 0x1p-149, 0, 0x1p-149},
    {ATAN, -0x1p-149, 0, -0x1p-149},
    {CBRT, 0.0, 0, 0.0},
    {CBRT, -0.0, 0, -0.0},
    {CBRT, NAN, 0, NAN},
    {LOG1P, 0.0, 0, 0.0},
    {LOG1P, -0.0, 0, -0.0},
    {LOG1P, NAN, 0, NAN},
    {LOG1P, 0x1p-149, 0, 0x1p-149},
    {LOG1P, -0x1p-149, 0, -0x1p-149},
    {EXPM1, 0.0, 0, 0.0},
    {EXPM1, -0.0, 0, -0.0},
    {EXPM1, NAN, 0, NAN},
    {EXPM1, 0x1p-149, 0, 0x1p-149},
    {EXPM1, -0x1p-149, 0, -0x1p-149},
    {FLOOR, 0.0, 0, 0.0},
    {FLOOR, -0.0, 0, -0.0},
    {FLOOR, NAN, 0, NAN},
    {SIGN, 0.0, 0, 0.0},
    {SIGN, -0.0, 0, -0.0},
    {SIGN, NAN, 0, NAN},
    {TAN, INFINITY, 0, NAN},
    {TAN, -INFINITY, 0, NAN},
    {TANH, INFINITY, 0, 1.0},
    {TANH, -INFINITY, 0, -1.0},
    {SINH, INFINITY, 0, INFINITY},
    {SINH, -INFINITY, 0, -INFINITY},
    {ASIN, INFINITY, 0, NAN},
    {ASIN, -INFINITY, 0, NAN},
    {ATAN, INFINITY, 0, M_PI_2},
    {ATAN, -INFINITY, 0, -M_PI_2},
    {CBRT, INFINITY, 0, INFINITY},
    {CBRT, -INFINITY, 0, -INFINITY},
    {LOG1P, INFINITY, 0, INFINITY},
    {LOG1P, -INFINITY, 0, NAN},
    {EXPM1, INFINITY, 0, INFINITY},
    {EXPM1, -INFINITY, 0, -1.0},
    {FLOOR, INFINITY, 0, INFINITY},
    {FLOOR, -INFINITY, 0, -INFINITY},
    {SIGN, INFINITY, 0, 1.0},
    {SIGN, -INFINITY, 0, -1.0},
    {COSH, INFINITY, 0, INFINITY},
    {COSH, -INFINITY, 0, INFINITY},
    {ACOS, INFINITY, 0, NAN},
    {ACOS, -INFINITY, 0, NAN},
    {TANH, 30.0, 0, 1.0},
    {TANH, -1e30, 0, -1.0},
    {SINH, 1e30, 0, INFINITY},
    {SINH, -1e30, 0, -INFINITY},
    {COSH, 0.0, 0, 1.0},
    {COSH, -0.0, 0, 1.0},
    {COSH, -1e30, 0, INFINITY},
    {COSH, NAN, 0, NAN},
    {ASIN, 1.0, 0, M_PI_2},
    {ASIN, -1.0, 0, -M_PI_2},
    {ASIN, 1.5, 0, NAN},
    {ASIN, -1e30, 0, NAN},
    {ACOS, 1.0, 0, 0.0},
    {ACOS, -1.0, 0, M_PI},
    {ACOS, 0.0, 0, M_PI_2},
    {ACOS, -0.0, 0, M_PI_2},
    {ACOS, -1.5, 0, NAN},
    {ACOS, 1e30, 0, NAN},
    {ACOS, NAN, 0, NAN},
    {ATAN, 1.0, 0, M_PI_4},
    {ATAN, -1e30, 0, -M_PI_2},
    {CBRT, 27.0, 0, 3.0},
    {CBRT, -0.125, 0, -0.5},
    {CBRT, 0x1p-147, 0, 0x1p-49},
    {CBRT, 0x1p126, 0, 0x1p42},
    {LOG1P, -1.0, 0, -INFINITY},
    {LOG1P, -1.5, 0, NAN},
    {LOG1P, -1e30, 0, NAN},
    {EXPM1, 1e30, 0, INFINITY},
    {EXPM1, -1e30, 0, -1.0},
    {EXPM1, -50.0, 0, -1.0},
    {FLOOR, -0.5, 0, -1.0},
    {FLOOR, 0.5, 0, 0.0},
    {FLOOR, 2.5, 0, 2.0},
    {FLOOR, -2.5, 0, -3.0},
    {FLOOR, 3.0, 0, 3.0},
    {FLOOR, -3.0, 0, -3.0},
    {FLOOR, 0x1.fffffep-1, 0, 0.0},
    {FLOOR, 8388607.5, 0, 8388607.0},
    {FLOOR, -8388607.5, 0, -8388608.0},
    {FLOOR, 0x1p60, 0, 0x1p60},
    {FLOOR, 0x1p-149, 0, 0.0},
    {FLOOR, -0x1p-149, 0, -1.0},
    {SIGN, 0x1p-149, 0, 1.0},
    {SIGN, -0x1p-149, 0, -1.0},
    {SIGN, 3.5, 0, 1.0},
    {HYPOT, 0.0, 0.0, 0.0},
    {HYPOT, -0.0, 0.0, 0.0},
    {HYPOT, 3.0, -4.0, 5.0},
    {HYPOT, -5.0, 12.0, 13.0},
    {HYPOT, 0.0, -7.0, 7.0},
    {HYPOT, INFINITY, NAN, INFINITY},
    {HYPOT, NAN, -INFINITY, INFINITY},
    {HYPOT, INFINITY, 1.0, INFINITY},
    {HYPOT, 1.0, -INFINITY, INFINITY},
    {HYPOT, NAN, 1.0, NAN},
    {HYPOT, 0.0, NAN, NAN},
    {HYPOT, 0x1p-149, 0.0, 0x1p-149},
    {FMOD, 5.5, 2.0, 1.5},
    {FMOD, -5.5, 2.0, -1.5},
    {FMOD, 5.5, -2.0, 1.5},
    {FMOD, 6.0, 3.0, 0.0},
    {FMOD, -6.0, 3.0, -0.0},
    {FMOD, 1.0, 2.0, 1.0},
    {FMOD, 0.0, 2.0, 0.0},
    {FMOD, -0.0, 2.0, -0.0},
    {FMOD, 1.0, 0.0, NAN},
    {FMOD, 1.0, -0.0, NAN},
    {FMOD, 0.0, 0.0, NAN},
    {FMOD, INFINITY, 1.0, NAN},
    {FMOD, -INFINITY, 1.0, NAN},
    {FMOD, INFINITY, INFINITY, NAN},
    {FMOD, 1.5, INFINITY, 1.5},
    {FMOD, -1.5, -INFINITY, -1.5},
    {FMOD, 0.0, INFINITY, 0.0},
    {FMOD, NAN, 1.0, NAN},
    {FMOD, 1.0, NAN, NAN},
    {FMOD, INFINITY, NAN, NAN},
    {FMOD, 0.0, NAN, NAN},
    {FMOD, 0x1p127, 3.0, 2.0},
    {FMOD, 0x1.8p127, 0x1p-149, 0.0},
    {FMOD, -0x1p-148, 0x1.8p-148, -0x1p-148},
};

TEST(test_errors_and_widths)
{
    if (bench_is_single(*state))
        bench_check_ranges(*state, SINGLE_RANGES, LENGTH(SINGLE_RANGES));
    else
        bench_check_ranges(*state, DOUBLE_RANGES, LENGTH(DOUBLE_RANGES));
}

TEST(test_mixed_lanes)
{
    for (int function = 0; function < FUNCTIONS; ++function)
        bench_check_mixed(*state, function, function == TAN ? HUGE_ANGLE_BOUND : BOUNDS[function]);
}

TEST(test_special_values)
{
    bench_check_specials(*state, SPECIALS, LENGTH(SPECIALS));
}

// The remainder of the largest number by the smallest, a third more and a little below it, in either precision.
TEST(test_far_remainders)
{
    const bool    single = bench_is_single(*state);
    const double  most = single ? FLT_MAX : DBL_MAX, least = single ? FLT_TRUE_MIN : DBL_TRUE_MIN;
    const Special far[] = {{FMOD, most, 3.0 * least, fmod(most, 3.0 * least)},
                           {FMOD, -most, 5.0 * least, fmod(-most, 5.0 * least)},
                           {FMOD, most, 1.75, fmod(most, 1.75)},
                           {FMOD, 3.0 * least, -2.0 * least, least}};
    bench_check_specials(*state, far, LENGTH(far));
}

// The numbers nearest to a multiple of pi/2 of all doubles and of all floats.
TEST(test_worst_reductions)
{
    const bool   single = bench_is_single(*state);
    const double x = single ? 16367173.0 * 0x1p72 : 6381956970095103.0 * 0x1p797;
    assert_true(fabs(bench_value(*state, TAN, x, HUGE_ANGLE_BOUND)) > (single ? 5e8 : 2e18));
}

// The bounds can fail.
TEST(test_planted_error_is_seen)
{
    for (int function = 0; function < FUNCTIONS; ++function) {
        const Range range = {function, POSITIVE, -2, 2, BOUNDS[function]};
        bench_check_planted(*state, &range);
    }
}

static int run_precision(bool single)
{
    Bench    *bench = bench_open(HEADER, TABLE, FUNCTIONS, single, LANES, LENGTH(LANES));
    const int failed = test_run(single ? "elementary, single" : "elementary, double", bench);
    bench_close(bench);
    return failed;
}

int main(void)
{
    return run_precision(false) + run_precision(true);
}
