// test_functions -- the kernels' own sin, cos, exp, log and atan2: ulps, and the same bits at every lane count.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SAMPLES = 1 << 18, WIDTHS_MAX = 4, FUNCTIONS = 7 };

static const int DOUBLE_LANES[] = {1, 4, 8, 16};
static const int SINGLE_LANES[] = {1, 16};

// The references are x86-64's long double functions: 11 bits more than a double, so their own error does not
// show.
typedef long double (*Exact)(long double a, long double b);
static long double exact_sin(long double x, long double unused)
{
    return (void)unused, sinl(x);
}
static long double exact_cos(long double x, long double unused)
{
    return (void)unused, cosl(x);
}
static long double exact_exp(long double x, long double unused)
{
    return (void)unused, expl(x);
}
static long double exact_log(long double x, long double unused)
{
    return (void)unused, logl(x);
}
static long double exact_atan2(long double y, long double x)
{
    return atan2l(y, x);
}
static long double exact_sin_squared(long double x, long double unused)
{
    return (void)unused, sinl(x) * sinl(x);
}
// BOTH is the sine of real_sincos(), whose cosine is real_cos().
typedef enum Function { SIN, COS, EXP, LOG, ATAN2, BOTH, SIN_SQUARED } Function;
static const Exact       EXACT[FUNCTIONS] = {exact_sin,   exact_cos, exact_exp,        exact_log,
                                             exact_atan2, exact_sin, exact_sin_squared};
static const char *const NAMES[FUNCTIONS] = {"sin", "cos", "exp", "log", "atan2", "both", "sin_squared"};

// One kernel per function; the second argument is read by atan2 only.
static const char SOURCE[] =
    "#include \"real.h\"\n"
    "#define APPLY(name, value) \\\n"
    "kernel void apply_##name(global const SCALAR *first, global const SCALAR *second, global SCALAR *out) \\\n"
    "{ \\\n"
    "    const size_t at = get_global_id(0) * LANES; \\\n"
    "    const real a = load(first + at), b = load(second + at); \\\n"
    "    save(out + at, value); \\\n"
    "}\n"
    "APPLY(sin, real_sin(a))\n"
    "APPLY(cos, real_cos(a))\n"
    "APPLY(exp, real_exp(a))\n"
    "APPLY(log, real_log(a))\n"
    "APPLY(atan2, real_atan2(a, b))\n"
    "APPLY(sin_squared, real_sin_squared(a))\n"
    "static real sine_of_both(real x) { real s, c; real_sincos(x, &s, &c); return s; }\n"
    "APPLY(both, sine_of_both(a))\n";

// How a range's arguments are drawn.
typedef enum Shape {
    UNIFORM,      // low..high
    MAGNITUDES,   // either sign, the exponents of two from low to high (both arguments, each its own)
    POSITIVE,     // the same without signs
    NEAR_TURNS,   // within two units in the last place of k pi/2, k up to 2^high
    NEAR_ONE,     // 1 + d, |d| up to 2^high
    NEAR_OCTANTS  // first argument within 2^-40..2^-1 of the second times tan(pi/8), 1 or their inverses
} Shape;

typedef struct Range {
    Function function;
    Shape    shape;
    double   low, high;
    double   bound;  // ulp
} Range;

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
    {SIN_SQUARED, NEAR_TURNS, 0, 35, 5.1},
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
    {SIN_SQUARED, NEAR_TURNS, 0, 20, 5.1},
};

// A value that is exact: bit for bit, but any NaN will do for NaN.
typedef struct Special {
    Function function;
    double   a, b, value;
} Special;

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
};

// An OpenCL device with the functions built once per lane count of one precision.
typedef struct Bench {
    bool             single;
    size_t           width_count;
    const int       *lanes;
    size_t           scalar;  // bytes
    cl_context       context;
    cl_command_queue queue;
    cl_mem           first, second, out;
    cl_program       programs[WIDTHS_MAX];
    double          *a, *b;                // [SAMPLES] arguments, rounded to the precision
    unsigned char   *staging;              // [SAMPLES] scalars
    unsigned char   *results[WIDTHS_MAX];  // [SAMPLES] scalars
} Bench;

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    assert_non_null(memory);
    return memory;
}

// The first CPU device, or the first device at all where there is none.
static cl_device_id find_device(void)
{
    cl_platform_id platforms[16];
    cl_uint        count = 0;
    assert_int_equal(clGetPlatformIDs(16, platforms, &count), CL_SUCCESS);
    const cl_device_type types[] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_ALL};
    cl_device_id         device = NULL;
    for (int t = 0; t < 2 && !device; ++t) {
        for (cl_uint i = 0; i < count && i < 16 && !device; ++i)
            clGetDeviceIDs(platforms[i], types[t], 1, &device, NULL);
    }
    assert_non_null(device);
    return device;
}

static cl_program build(const Bench *bench, cl_device_id device, int lanes)
{
    const char *text = SOURCE;
    cl_int      status = CL_SUCCESS;
    cl_program  program = clCreateProgramWithSource(bench->context, 1, &text, NULL, &status);
    assert_int_equal(status, CL_SUCCESS);
    char options[1024];
    snprintf(options, sizeof options, "-cl-std=CL1.2 -D LANES=%d -D SINGLE=%d %s -I %s/kernels", lanes, bench->single,
             bench->single ? "-cl-single-precision-constant" : "", PENDULA_SOURCE_DIR);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        static char log[1 << 16];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fail_msg("%s: %s", options, log);
    }
    return program;
}

static int open_bench(void **state, bool single, const int *lanes, size_t width_count)
{
    Bench *bench = allocate(sizeof *bench);
    *bench = (Bench){.single = single, .width_count = width_count, .lanes = lanes};
    bench->scalar = single ? sizeof(float) : sizeof(double);
    const cl_device_id device = find_device();
    cl_int             status = CL_SUCCESS;
    bench->context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    assert_int_equal(status, CL_SUCCESS);
    bench->queue = clCreateCommandQueue(bench->context, device, 0, &status);
    assert_int_equal(status, CL_SUCCESS);
    cl_mem *const buffers[] = {&bench->first, &bench->second, &bench->out};
    for (int i = 0; i < 3; ++i) {
        *buffers[i] = clCreateBuffer(bench->context, 0, SAMPLES * bench->scalar, NULL, &status);
        assert_int_equal(status, CL_SUCCESS);
    }
    for (size_t w = 0; w < width_count; ++w) {
        bench->programs[w] = build(bench, device, lanes[w]);
        bench->results[w] = allocate(SAMPLES * bench->scalar);
    }
    bench->a = allocate(SAMPLES * sizeof(double));
    bench->b = allocate(SAMPLES * sizeof(double));
    bench->staging = allocate(SAMPLES * bench->scalar);
    *state = bench;
    return 0;
}

static int open_double(void **state)
{
    return open_bench(state, false, DOUBLE_LANES, sizeof DOUBLE_LANES / sizeof *DOUBLE_LANES);
}

static int open_single(void **state)
{
    return open_bench(state, true, SINGLE_LANES, sizeof SINGLE_LANES / sizeof *SINGLE_LANES);
}

static int close_bench(void **state)
{
    Bench *bench = *state;
    for (size_t w = 0; w < bench->width_count; ++w) {
        clReleaseProgram(bench->programs[w]);
        free(bench->results[w]);
    }
    clReleaseMemObject(bench->first);
    clReleaseMemObject(bench->second);
    clReleaseMemObject(bench->out);
    clReleaseCommandQueue(bench->queue);
    clReleaseContext(bench->context);
    free(bench->a);
    free(bench->b);
    free(bench->staging);
    free(bench);
    return 0;
}

static double result_at(const Bench *bench, size_t width, size_t i)
{
    if (bench->single)
        return (double)((const float *)(const void *)bench->results[width])[i];
    return ((const double *)(const void *)bench->results[width])[i];
}

static void write_arguments(Bench *bench, cl_mem buffer, const double *values)
{
    for (size_t i = 0; i < SAMPLES; ++i) {
        const float rounded = (float)values[i];
        memcpy(bench->staging + i * bench->scalar, bench->single ? (const void *)&rounded : (const void *)&values[i],
               bench->scalar);
    }
    assert_int_equal(
        clEnqueueWriteBuffer(bench->queue, buffer, CL_TRUE, 0, SAMPLES * bench->scalar, bench->staging, 0, NULL, NULL),
        CL_SUCCESS);
}

// Applies a function to all arguments at every lane count.
static void apply(Bench *bench, Function function)
{
    write_arguments(bench, bench->first, bench->a);
    write_arguments(bench, bench->second, bench->b);
    for (size_t w = 0; w < bench->width_count; ++w) {
        char name[32];
        snprintf(name, sizeof name, "apply_%s", NAMES[function]);
        cl_int    status = CL_SUCCESS;
        cl_kernel kernel = clCreateKernel(bench->programs[w], name, &status);
        assert_int_equal(status, CL_SUCCESS);
        clSetKernelArg(kernel, 0, sizeof(cl_mem), &bench->first);
        clSetKernelArg(kernel, 1, sizeof(cl_mem), &bench->second);
        clSetKernelArg(kernel, 2, sizeof(cl_mem), &bench->out);
        const size_t items = SAMPLES / (size_t)bench->lanes[w], group = 16;
        assert_int_equal(clEnqueueNDRangeKernel(bench->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL),
                         CL_SUCCESS);
        assert_int_equal(clEnqueueReadBuffer(bench->queue, bench->out, CL_TRUE, 0, SAMPLES * bench->scalar,
                                             bench->results[w], 0, NULL, NULL),
                         CL_SUCCESS);
        clReleaseKernel(kernel);
    }
}

static uint64_t next(uint64_t *seed)  // splitmix64
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double uniform(uint64_t *seed, double low, double high)
{
    return low + (high - low) * ((double)(next(seed) >> 11) * 0x1p-53);
}

static double magnitude(uint64_t *seed, double low, double high, bool single)
{
    const int    exponent = (int)floor(uniform(seed, low, high));
    const double x = ldexp(uniform(seed, 1.0, 2.0), exponent);
    return single && x > FLT_MAX ? FLT_MAX : x;
}

static double random_sign(uint64_t *seed)
{
    return next(seed) & 1 ? 1.0 : -1.0;
}

static double near_turn(uint64_t *seed, double bits, bool single)
{
    const double k = floor(magnitude(seed, 0, bits, single));
    double       x = (double)(k * 1.57079632679489661923132169163975144L) * random_sign(seed);
    for (uint64_t n = next(seed) % 3; n > 0; --n)
        x = single ? (double)nextafterf((float)x, INFINITY) : nextafter(x, INFINITY);
    return x;
}

static double near_octant(uint64_t *seed, double b)
{
    const double tangents[] = {0.41421356237309504880, 1.0, 2.41421356237309504880};
    return b * tangents[next(seed) % 3] * (1.0 + random_sign(seed) * magnitude(seed, -40, 0, false)) *
           random_sign(seed);
}

static void draw(Bench *bench, const Range *range, uint64_t seed)
{
    for (size_t i = 0; i < SAMPLES; ++i) {
        double a = 0.0, b = 0.0;
        switch (range->shape) {
        case UNIFORM:
            a = uniform(&seed, range->low, range->high);
            b = uniform(&seed, range->low, range->high);
            break;
        case MAGNITUDES:
            a = random_sign(&seed) * magnitude(&seed, range->low, range->high, bench->single);
            b = random_sign(&seed) * magnitude(&seed, range->low, range->high, bench->single);
            break;
        case POSITIVE: a = magnitude(&seed, range->low, range->high, bench->single); break;
        case NEAR_TURNS: a = near_turn(&seed, range->high, bench->single); break;
        case NEAR_ONE: a = 1.0 + random_sign(&seed) * magnitude(&seed, -52, range->high, false); break;
        case NEAR_OCTANTS:
            b = uniform(&seed, -1.0, 1.0);
            a = near_octant(&seed, b);
            break;
        }
        bench->a[i] = bench->single ? (double)(float)a : a;
        bench->b[i] = bench->single ? (double)(float)b : b;
    }
}

// |value - exact| in units in the last place of exact; an infinite value counts as the power of two beyond
// the largest number.
static double ulps(long double value, long double exact, bool single)
{
    const int         digits = single ? FLT_MANT_DIG : DBL_MANT_DIG;
    const int         lowest = single ? FLT_MIN_EXP : DBL_MIN_EXP, highest = single ? FLT_MAX_EXP : DBL_MAX_EXP;
    const long double beyond = ldexpl(1.0L, highest);
    if (isnan(exact) || isnan(value))
        return isnan(exact) && isnan(value) ? 0.0 : INFINITY;
    const long double x = fmaxl(fminl(value, beyond), -beyond), y = fmaxl(fminl(exact, beyond), -beyond);
    int               exponent = lowest;
    if (y != 0.0L)
        frexpl(y, &exponent);
    exponent = exponent < lowest ? lowest : exponent > highest ? highest : exponent;
    return (double)(fabsl(x - y) / ldexpl(1.0L, exponent - digits));
}

// The largest error of the results at the first lane count, each result multiplied by `factor`.
static double worst_ulps(const Bench *bench, Function function, long double factor, size_t *where)
{
    double worst = 0.0;
    for (size_t i = 0; i < SAMPLES; ++i) {
        const long double exact = EXACT[function](bench->a[i], bench->b[i]);
        const double      error = ulps(result_at(bench, 0, i) * factor, exact, bench->single);
        if (!(error <= worst)) {
            worst = error;
            *where = i;
        }
    }
    return worst;
}

static void check_widths_agree(const Bench *bench, Function function)
{
    for (size_t w = 1; w < bench->width_count; ++w) {
        if (!memcmp(bench->results[0], bench->results[w], SAMPLES * bench->scalar))
            continue;
        for (size_t i = 0; i < SAMPLES; ++i) {
            if (memcmp(bench->results[0] + i * bench->scalar, bench->results[w] + i * bench->scalar, bench->scalar) !=
                0)
                fail_msg("%s(%a, %a): %a at %d lane, %a at %d lanes", NAMES[function], bench->a[i], bench->b[i],
                         result_at(bench, 0, i), bench->lanes[0], result_at(bench, w, i), bench->lanes[w]);
        }
    }
}

static void check_bounded_by_one(const Bench *bench, Function function)
{
    for (size_t i = 0; (function == SIN || function == COS) && i < SAMPLES; ++i)
        assert_true(fabs(result_at(bench, 0, i)) <= 1.0);
}

static void check_range(Bench *bench, const Range *range, uint64_t seed)
{
    draw(bench, range, seed);
    apply(bench, range->function);
    check_widths_agree(bench, range->function);
    check_bounded_by_one(bench, range->function);
    size_t       where = 0;
    const double worst = worst_ulps(bench, range->function, 1.0L, &where);
    print_message("%s %-5s shape %d, %g to %g: %.3f ulp at (%a, %a)\n", bench->single ? "single" : "double",
                  NAMES[range->function], (int)range->shape, range->low, range->high, worst, bench->a[where],
                  bench->b[where]);
    if (!(worst <= range->bound))
        fail_msg("%s(%a, %a) = %a: %g ulp, bound %g", NAMES[range->function], bench->a[where], bench->b[where],
                 result_at(bench, 0, where), worst, range->bound);
}

static void test_double_errors_and_widths(void **state)
{
    for (size_t i = 0; i < sizeof DOUBLE_RANGES / sizeof *DOUBLE_RANGES; ++i)
        check_range(*state, &DOUBLE_RANGES[i], 1000 + i);
}

static void test_single_errors_and_widths(void **state)
{
    for (size_t i = 0; i < sizeof SINGLE_RANGES / sizeof *SINGLE_RANGES; ++i)
        check_range(*state, &SINGLE_RANGES[i], 2000 + i);
}

// Every argument of a function: ordinary ones, zeros, infinities, NaN, subnormals and huge ones in
// neighbouring lanes, so that the rare paths run in some lanes of a group only.
static void test_mixed_lanes(void **state)
{
    Bench       *bench = *state;
    const double largest = bench->single ? FLT_MAX : DBL_MAX, smallest = bench->single ? FLT_TRUE_MIN : DBL_TRUE_MIN;
    const double odd[] = {0.0,      -0.0,     INFINITY,  -INFINITY, NAN,   largest,
                          -largest, smallest, -smallest, 1e30,      -3e25, 1.0};
    for (Function function = SIN; function <= ATAN2; ++function) {
        const Range ordinary = {function, MAGNITUDES, -3, 5, 2.0};
        draw(bench, &ordinary, 77);
        uint64_t seed = 5;
        for (size_t i = 0; i < SAMPLES; ++i) {
            if (next(&seed) % 4 == 0)
                bench->a[i] = odd[next(&seed) % (sizeof odd / sizeof *odd)];
            if (next(&seed) % 4 == 0)
                bench->b[i] = odd[next(&seed) % (sizeof odd / sizeof *odd)];
            if (bench->single) {
                bench->a[i] = (double)(float)bench->a[i];
                bench->b[i] = (double)(float)bench->b[i];
            }
        }
        apply(bench, function);
        check_widths_agree(bench, function);
        size_t       where = 0;
        const double worst = worst_ulps(bench, function, 1.0L, &where);
        if (!(worst <= ordinary.bound))
            fail_msg("%s(%a, %a) = %a: %g ulp", NAMES[function], bench->a[where], bench->b[where],
                     result_at(bench, 0, where), worst);
    }
}

static void test_special_values(void **state)
{
    Bench *bench = *state;
    for (size_t s = 0; s < sizeof SPECIALS / sizeof *SPECIALS; ++s) {
        const Special *special = &SPECIALS[s];
        for (size_t i = 0; i < SAMPLES; ++i) {
            bench->a[i] = i % 3 ? 1.25 : special->a;
            bench->b[i] = i % 3 ? 1.25 : special->b;
        }
        apply(bench, special->function);
        for (size_t w = 0; w < bench->width_count; ++w) {
            const double value = result_at(bench, w, 0);
            const double due = bench->single ? (double)(float)special->value : special->value;
            const bool   same = isnan(due) ? isnan(value) != 0 : value == due && signbit(value) == signbit(due);
            if (!same)
                fail_msg("%s(%a, %a) at %d lanes: %a, not %a", NAMES[special->function], special->a, special->b,
                         bench->lanes[w], value, due);
        }
    }
}

// The numbers nearest to a multiple of pi/2 of all doubles and of all floats: the cosine is the distance.
static void test_worst_reductions(void **state)
{
    Bench       *bench = *state;
    const double x = bench->single ? 16367173.0 * 0x1p72 : 6381956970095103.0 * 0x1p797;
    for (size_t i = 0; i < SAMPLES; ++i) {
        bench->a[i] = i % 5 ? 0.5 : x;
        bench->b[i] = 0.0;
    }
    apply(bench, COS);
    check_widths_agree(bench, COS);
    const double distance = fabs(result_at(bench, 0, 0));
    assert_true(distance > 0.0 && distance < (bench->single ? 2e-9 : 5e-19));
    size_t where = 0;
    assert_true(worst_ulps(bench, COS, 1.0L, &where) <= 1.6);
}

// The bounds can fail: a relative error of 1e-15 in a double, or of 5e-7 in a float, is seen in every
// function.
static void test_planted_error_is_seen(void **state)
{
    Bench            *bench = *state;
    const long double factor = bench->single ? 1.0L + 5e-7L : 1.0L + 1e-15L;
    for (Function function = SIN; function <= ATAN2; ++function) {
        const Range range = {function, POSITIVE, -2, 2, 2.0};
        draw(bench, &range, 99);
        apply(bench, function);
        size_t where = 0;
        assert_true(worst_ulps(bench, function, 1.0L, &where) <= range.bound);
        assert_true(worst_ulps(bench, function, factor, &where) > range.bound);
    }
}

int main(void)
{
    const struct CMUnitTest in_double[] = {
        cmocka_unit_test(test_double_errors_and_widths), cmocka_unit_test(test_mixed_lanes),
        cmocka_unit_test(test_special_values),           cmocka_unit_test(test_worst_reductions),
        cmocka_unit_test(test_planted_error_is_seen),
    };
    const struct CMUnitTest in_single[] = {
        cmocka_unit_test(test_single_errors_and_widths), cmocka_unit_test(test_mixed_lanes),
        cmocka_unit_test(test_special_values),           cmocka_unit_test(test_worst_reductions),
        cmocka_unit_test(test_planted_error_is_seen),
    };
    const int failed = cmocka_run_group_tests_name("functions, double", in_double, open_double, close_bench);
    return failed + cmocka_run_group_tests_name("functions, single", in_single, open_single, close_bench);
}
