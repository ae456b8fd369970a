// test_functions -- the kernels' own sin, cos, exp, log and atan2: ulps, and the same bits at every lane count.
#include "support/function_bench.h"
#include "support/test.h"

static const int DOUBLE_LANES[] = {1, 4, 8, 16, 32};
static const int SINGLE_LANES[] = {1, 16, 32};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static long double exact_sin_squared(long double x, long double unused)
{
    return (void)unused, sinl(x) * sinl(x);
}
// BOTH is the sine of real_sincos(), whose cosine is real_cos(). SLOPE is real_sin_slope(); SHARED, real_sin() beside
// derivatives.
enum {
#define FUNCTION(NAME, ...) NAME,
#include "catalog/functions.def"
    BOTH,
    SIN_SQUARED,
    SLOPE,
    SHARED,
    FUNCTIONS
};
static const char HEADER[] = "#include \"real.h\"\n"
                             "static real sine_of_both(real x) { real s, c; real_sincos(x, &s, &c); return s; }\n";

static const Range DOUBLE_RANGES[] = {
    {SIN, UNIFORM, -1.6, 1.6, 1.6},        {SIN, UNIFORM, -1e5, 1e5, 1.6},
    {SIN, MAGNITUDES, -1074, 0, 1.6},      {SIN, MAGNITUDES, 10, 40, 1.6},
    {SIN, MAGNITUDES, 29, 1024, 1.6},      {SIN, NEAR_TURNS, 0, 35, 1.6},
    {COS, UNIFORM, -1.6, 1.6, 1.6},        {COS, UNIFORM, -1e5, 1e5, 1.6},
    {COS, MAGNITUDES, -1074, 0, 1.6},      {COS, MAGNITUDES, 10, 40, 1.6},
    {COS, MAGNITUDES, 29, 1024, 1.6},      {COS, NEAR_TURNS, 0, 35, 1.6},
    {EXP, UNIFORM, -1.0, 1.0, 1.2},        {EXP, UNIFORM, -708.0, 710.0, 1.2},
    {EXP, UNIFORM, -746.0, -700.0, 1.2},   {EXP, MAGNITUDES, -1074, 11, 1.2},
    {LOG, POSITIVE, -1074, 1024, 1.2},     {LOG, UNIFORM, 0.25, 4.0, 1.2},
    {LOG, NEAR_ONE, 0, -2, 1.2},           {LOG, POSITIVE, -1074, -1022, 1.2},
    {ATAN2, UNIFORM, -1.0, 1.0, 1.6},      {ATAN2, MAGNITUDES, -8, 8, 1.6},
    {ATAN2, MAGNITUDES, -1074, 1024, 1.6}, {ATAN2, NEAR_OCTANTS, 0, 0, 1.6},
    {BOTH, MAGNITUDES, -5, 10, 1.6},       {BOTH, MAGNITUDES, -40, 200, 1.6},
    {SIN_SQUARED, UNIFORM, -7, 7, 5.1},    {SIN_SQUARED, MAGNITUDES, -500, 200, 5.1},
    {SIN_SQUARED, NEAR_TURNS, 0, 35, 5.1}, {SLOPE, UNIFORM, -1.6, 1.6, 1.7},
    {SLOPE, UNIFORM, -1e5, 1e5, 1.7},      {SLOPE, MAGNITUDES, -1074, 0, 1.7},
    {SLOPE, MAGNITUDES, 10, 40, 1.7},      {SLOPE, MAGNITUDES, 29, 1024, 1.7},
    {SLOPE, NEAR_TURNS, 0, 35, 1.7},       {SHARED, UNIFORM, -1e5, 1e5, 1.6},
    {SHARED, MAGNITUDES, -1074, 0, 1.6},   {SHARED, MAGNITUDES, 29, 1024, 1.6},
};

static const Range SINGLE_RANGES[] = {
    {SIN, UNIFORM, -1.6, 1.6, 1.6},        {SIN, UNIFORM, -1e5, 1e5, 1.6},     {SIN, MAGNITUDES, -149, 0, 1.6},
    {SIN, MAGNITUDES, 16, 128, 1.6},       {SIN, NEAR_TURNS, 0, 20, 1.6},      {COS, UNIFORM, -1.6, 1.6, 1.6},
    {COS, UNIFORM, -1e5, 1e5, 1.6},        {COS, MAGNITUDES, -149, 0, 1.6},    {COS, MAGNITUDES, 16, 128, 1.6},
    {COS, NEAR_TURNS, 0, 20, 1.6},         {EXP, UNIFORM, -1.0, 1.0, 1.2},     {EXP, UNIFORM, -105.0, 89.0, 1.2},
    {EXP, MAGNITUDES, -149, 8, 1.2},       {LOG, POSITIVE, -149, 128, 1.2},    {LOG, NEAR_ONE, 0, -2, 1.2},
    {LOG, POSITIVE, -149, -126, 1.2},      {ATAN2, UNIFORM, -1.0, 1.0, 1.6},   {ATAN2, MAGNITUDES, -8, 8, 1.6},
    {ATAN2, MAGNITUDES, -149, 128, 1.6},   {ATAN2, NEAR_OCTANTS, 0, 0, 1.6},   {BOTH, MAGNITUDES, -5, 10, 1.6},
    {BOTH, MAGNITUDES, -40, 100, 1.6},     {SIN_SQUARED, UNIFORM, -7, 7, 5.1}, {SIN_SQUARED, MAGNITUDES, -60, 100, 5.1},
    {SIN_SQUARED, NEAR_TURNS, 0, 20, 5.1}, {SLOPE, UNIFORM, -1.6, 1.6, 1.7},   {SLOPE, UNIFORM, -1e5, 1e5, 1.7},
    {SLOPE, MAGNITUDES, -149, 0, 1.7},     {SLOPE, MAGNITUDES, 16, 128, 1.7},  {SLOPE, NEAR_TURNS, 0, 20, 1.7},
    {SHARED, UNIFORM, -1e5, 1e5, 1.6},     {SHARED, MAGNITUDES, 16, 128, 1.6},
};

static const Special SPECIALS[] = {
    {SIN, 0.0, 0, 0.0},
    {SIN, -0.0, 0, -0.0},
    {SIN, INFINITY, 0, NAN},
    {SIN, -INFINITY, 0, NAN},
    {SIN, NAN, 0, NAN},
    {COS, 0.0, 0, 1.0},
    {COS, -0.0, 0, 1.0},
    {COS, 0x1p-30, 0, 1.0},
    {COS, INFINITY, 0, NAN},
    {COS, -INFINITY, 0, NAN},
    {COS, NAN, 0, NAN},
    {EXP, 0.0, 0, 1.0},
    {EXP, -0.0, 0, 1.0},
    {EXP, INFINITY, 0, INFINITY},
    {EXP, -INFINITY, 0, 0.0},
    {EXP, 1e30, 0, INFINITY},
    {EXP, -1e30, 0, 0.0},
    {EXP, NAN, 0, NAN},
    {LOG, 1.0, 0, 0.0},
    {LOG, 0.0, 0, -INFINITY},
    {LOG, -0.0, 0, -INFINITY},
    {LOG, -1.0, 0, NAN},
    {LOG, -INFINITY, 0, NAN},
    {LOG, INFINITY, 0, INFINITY},
    {LOG, NAN, 0, NAN},
    {ATAN2, 0.0, 0.0, 0.0},
    {ATAN2, -0.0, 0.0, -0.0},
    {ATAN2, 0.0, -0.0, M_PI},
    {ATAN2, -0.0, -0.0, -M_PI},
    {ATAN2, 0.0, 2.0, 0.0},
    {ATAN2, -0.0, 2.0, -0.0},
    {ATAN2, 0.0, -2.0, M_PI},
    {ATAN2, -0.0, -2.0, -M_PI},
    {ATAN2, 3.0, 0.0, M_PI_2},
    {ATAN2, 3.0, -0.0, M_PI_2},
    {ATAN2, -3.0, 0.0, -M_PI_2},
    {ATAN2, -3.0, -0.0, -M_PI_2},
    {ATAN2, 5.0, 5.0, M_PI_4},
    {ATAN2, 5.0, -5.0, 3 * M_PI_4},
    {ATAN2, -5.0, 5.0, -M_PI_4},
    {ATAN2, -5.0, -5.0, -3 * M_PI_4},
    {ATAN2, INFINITY, INFINITY, M_PI_4},
    {ATAN2, INFINITY, -INFINITY, 3 * M_PI_4},
    {ATAN2, -INFINITY, INFINITY, -M_PI_4},
    {ATAN2, -INFINITY, -INFINITY, -3 * M_PI_4},
    {ATAN2, INFINITY, 1.0, M_PI_2},
    {ATAN2, -INFINITY, -1.0, -M_PI_2},
    {ATAN2, 1.0, INFINITY, 0.0},
    {ATAN2, -1.0, INFINITY, -0.0},
    {ATAN2, 1.0, -INFINITY, M_PI},
    {ATAN2, -1.0, -INFINITY, -M_PI},
    {ATAN2, NAN, 1.0, NAN},
    {ATAN2, 1.0, NAN, NAN},
    {ATAN2, NAN, INFINITY, NAN},
    {ATAN2, INFINITY, NAN, NAN},
    {ATAN2, 0.0, NAN, NAN},
    {SIN_SQUARED, 0.0, 0, 0.0},
    {SIN_SQUARED, -0.0, 0, 0.0},
    {SIN_SQUARED, INFINITY, 0, NAN},
    {SIN_SQUARED, NAN, 0, NAN},
    {SLOPE, INFINITY, 0, NAN},
    {SLOPE, NAN, 0, NAN},
    {SHARED, -0.0, 0, -0.0},
    {SHARED, -INFINITY, 0, NAN},
};

TEST(test_errors_and_widths)
{
    if (bench_is_single(*state))
        bench_check_ranges(*state, SINGLE_RANGES, LENGTH(SINGLE_RANGES));
    else
        bench_check_ranges(*state, DOUBLE_RANGES, LENGTH(DOUBLE_RANGES));
}

// Every function that real.h has: see bench_check_rows().
TEST(test_rows)
{
    bench_check_rows(*state);
}

TEST(test_special_values)
{
    bench_check_specials(*state, SPECIALS, LENGTH(SPECIALS));
}

// The numbers nearest to a multiple of pi/2 of all doubles and of all floats: the cosine is the distance.
TEST(test_worst_reductions)
{
    const bool   single = bench_is_single(*state);
    const double x = single ? 16367173.0 * 0x1p72 : 6381956970095103.0 * 0x1p797;
    const double distance = fabs(bench_value(*state, COS, x, 1.6));
    assert_true(distance > 0.0 && distance < (single ? 2e-9 : 5e-19));
}

static int run_precision(bool single, const int *lanes, size_t count)
{
    BenchFunction table[FUNCTIONS] = {[SIN_SQUARED] = {"sin_squared", "real_sin_squared(a)", exact_sin_squared, true}};
    bench_take(false, table);
    table[SLOPE] = (BenchFunction){"slope", "real_sin_slope(a)", table[COS].exact, true};
    table[SHARED] = (BenchFunction){"shared", "sine_shared(a)", table[SIN].exact, true};
    table[BOTH] = (BenchFunction){"both", "sine_of_both(a)", table[SIN].exact, true};
    Bench    *bench = bench_open(HEADER, table, FUNCTIONS, single, lanes, count);
    const int failed = test_run(single ? "functions, single" : "functions, double", bench);
    bench_close(bench);
    return failed;
}

int main(void)
{
    return run_precision(false, DOUBLE_LANES, LENGTH(DOUBLE_LANES)) +
           run_precision(true, SINGLE_LANES, LENGTH(SINGLE_LANES));
}
