// test_elementary -- functions of kernels/elementary.h: ulps, special values, and the same bits at every lane count.
#include "support/function_bench.h"
#include "support/test.h"

#include <float.h>

static const int LANES[] = {1, 2, 4, 8, 16};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

enum {
#define FUNCTION(NAME, ...) NAME,
#include "catalog/functions.def"
};
static const char HEADER[] = "#include \"real.h\"\n#include \"elementary.h\"\n";

// Of the tangent, in ulp; below 2^30, or 2^17 in single precision, it is 0.9.
#define HUGE_ANGLE_BOUND 1.9

// A range's ends in double precision, and in single.
typedef struct Ends {
    Range  range;
    double single_low, single_high;
} Ends;

static const Ends RANGES[] = {
    {{POW, POWERS, -1074, 1024, 0.9}, -149, 128},
    {{POW, POWERS, -2, 2, 0.9}, -2, 2},
    {{POW, POWERS_OF_ONE, 0, -3, 0.9}, 0, -3},
    {{POW, MAGNITUDES, -3, 6, 0.9}, -3, 6},
    {{POW, POSITIVE, -6, 7, 0.9}, -6, 7},
    {{POW, POSITIVE, -1074, -1022, 0.9}, -149, -126},
    {{TAN, UNIFORM, -1.6, 1.6, 0.9}, -1.6, 1.6},
    {{TAN, UNIFORM, -100000.0, 100000.0, 0.9}, -100000.0, 100000.0},
    {{TAN, MAGNITUDES, -1074, 29, 0.9}, -149, 16},
    {{TAN, NEAR_TURNS, 0, 28, 0.9}, 0, 15},
    {{TAN, MAGNITUDES, 30, 1024, HUGE_ANGLE_BOUND}, 17, 128},
    {{TAN, NEAR_TURNS, 0, 35, HUGE_ANGLE_BOUND}, 0, 20},
    {{TANH, UNIFORM, -1, 1, 0.9}, -1, 1},
    {{TANH, UNIFORM, -45, 45, 0.9}, -45, 45},
    {{TANH, UNIFORM, -750, 715, 0.9}, -110, 95},
    {{TANH, MAGNITUDES, -1074, 11, 0.9}, -149, 8},
    {{SINH, UNIFORM, -1, 1, 0.9}, -1, 1},
    {{SINH, UNIFORM, -45, 45, 0.9}, -45, 45},
    {{SINH, UNIFORM, -750, 715, 0.9}, -110, 95},
    {{SINH, MAGNITUDES, -1074, 11, 0.9}, -149, 8},
    {{COSH, UNIFORM, -1, 1, 0.9}, -1, 1},
    {{COSH, UNIFORM, -45, 45, 0.9}, -45, 45},
    {{COSH, UNIFORM, -750, 715, 0.9}, -110, 95},
    {{COSH, MAGNITUDES, -1074, 11, 0.9}, -149, 8},
    {{EXPM1, UNIFORM, -1, 1, 1.1}, -1, 1},
    {{EXPM1, UNIFORM, -45, 45, 1.1}, -45, 45},
    {{EXPM1, UNIFORM, -750, 715, 1.1}, -110, 95},
    {{EXPM1, MAGNITUDES, -1074, 11, 1.1}, -149, 8},
    {{EXPM1, UNIFORM, 0.3, 1.5, 1.1}, 0.3, 1.5},
    {{ASIN, UNIFORM, -1, 1, 2.2}, -1, 1},
    {{ASIN, UNIFORM, 0.4, 0.95, 2.2}, 0.4, 0.95},
    {{ASIN, MAGNITUDES, -1074, 1, 2.2}, -149, 1},
    {{ASIN, BELOW_ONE, 0, -1, 2.2}, 0, -1},
    {{ACOS, UNIFORM, -1, 1, 2.2}, -1, 1},
    {{ACOS, UNIFORM, 0.4, 0.95, 2.2}, 0.4, 0.95},
    {{ACOS, MAGNITUDES, -1074, 1, 2.2}, -149, 1},
    {{ACOS, BELOW_ONE, 0, -1, 2.2}, 0, -1},
    {{ATAN, UNIFORM, -4, 4, 1.6}, -4, 4},
    {{ATAN, MAGNITUDES, -4, 4, 1.6}, -4, 4},
    {{ATAN, MAGNITUDES, -1074, 1024, 1.6}, -149, 128},
    {{HYPOT, UNIFORM, -10, 10, 1.3}, -10, 10},
    {{HYPOT, MAGNITUDES, -5, 5, 1.3}, -5, 5},
    {{HYPOT, MAGNITUDES, -1074, 1024, 1.3}, -149, 128},
    {{HYPOT, MAGNITUDES, 495, 505, 1.3}, 55, 65},
    {{HYPOT, MAGNITUDES, -505, -495, 1.3}, -65, -55},
    {{HYPOT, MAGNITUDES, -1074, -1019, 1.3}, -149, -123},
    {{HYPOT, MAGNITUDES, 1020, 1024, 1.3}, 124, 128},
    {{CBRT, UNIFORM, -10, 10, 0.6}, -10, 10},
    {{CBRT, MAGNITUDES, -1074, 1024, 0.6}, -149, 128},
    {{CBRT, MAGNITUDES, -1074, -1022, 0.6}, -149, -126},
    {{CBRT, POSITIVE, 0, 3, 0.6}, 0, 3},
    {{LOG1P, UNIFORM, -1, 1, 0.6}, -1, 1},
    {{LOG1P, UNIFORM, -0.3, 0.5, 0.6}, -0.3, 0.5},
    {{LOG1P, UNIFORM, 0, 100, 0.6}, 0, 100},
    {{LOG1P, MAGNITUDES, -60, 1, 0.6}, -60, 1},
    {{LOG1P, POSITIVE, -1074, 1024, 0.6}, -149, 128},
    {{LOG1P, BELOW_ONE, 0, -1, 0.6}, 0, -1},
    {{FLOOR, UNIFORM, -10, 10, 0}, -10, 10},
    {{FLOOR, MAGNITUDES, -1074, 1024, 0}, -149, 128},
    {{FLOOR, MAGNITUDES, 45, 56, 0}, 18, 26},
    {{FMOD, UNIFORM, -10, 10, 0}, -10, 10},
    {{FMOD, MAGNITUDES, -2, 60, 0}, -2, 60},
    {{FMOD, MAGNITUDES, -1074, 1024, 0}, -149, 128},
    {{FMOD, MAGNITUDES, -1074, -1017, 0}, -149, -121},
    {{SIGN, MAGNITUDES, -1074, 1024, 0}, -149, 128},
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

// These give back zeros and NaN, the first of them the smallest number of single precision too.
static const int UNMOVED[] = {TAN, TANH, SINH, ASIN, ATAN, LOG1P, EXPM1, CBRT, FLOOR, SIGN};
enum { SMALLEST_UNMOVED = 7 };

TEST(test_errors_and_widths)
{
    Range ranges[LENGTH(RANGES)];
    for (size_t i = 0; i < LENGTH(RANGES); ++i) {
        ranges[i] = RANGES[i].range;
        if (bench_is_single(*state)) {
            ranges[i].low = RANGES[i].single_low;
            ranges[i].high = RANGES[i].single_high;
        }
    }
    bench_check_ranges(*state, ranges, LENGTH(ranges));
}

// Every function that elementary.h has: see bench_check_rows().
TEST(test_rows)
{
    bench_check_rows(*state);
}

TEST(test_special_values)
{
    static const double unmoved[] = {0.0, -0.0, NAN, 0x1p-149, -0x1p-149};
    bench_check_specials(*state, SPECIALS, LENGTH(SPECIALS));
    for (size_t i = 0; i < LENGTH(UNMOVED); ++i)
        for (size_t k = 0; k < (i < SMALLEST_UNMOVED ? LENGTH(unmoved) : 3); ++k)
            bench_check_specials(*state, &(Special){UNMOVED[i], unmoved[k], 0.0, unmoved[k]}, 1);
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

static int run_precision(bool single)
{
    BenchFunction table[FUNCTION_COUNT];
    bench_take(true, table);
    Bench    *bench = bench_open(HEADER, table, FUNCTION_COUNT, single, LANES, LENGTH(LANES));
    const int failed = test_run(single ? "elementary, single" : "elementary, double", bench);
    bench_close(bench);
    return failed;
}

int main(void)
{
    return run_precision(false) + run_precision(true);
}
