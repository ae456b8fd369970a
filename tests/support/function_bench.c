// function_bench -- draws arguments, applies functions at every lane count, compares with long double.
#include "support/function_bench.h"

#include "base/text.h"

#include "support/opencl_case.h"

#include <float.h>

enum { SAMPLES = 1 << 18 };

// An OpenCL device with the functions built once per lane count of one precision.
struct Bench {
    const BenchFunction *functions;
    bool                 single;
    size_t               width_count;
    const int           *lanes;
    size_t               scalar;  // bytes
    cl_context           context;
    cl_command_queue     queue;
    cl_mem               first, second, out;
    cl_program           programs[BENCH_WIDTHS_MOST];
    double              *a, *b;                       // [SAMPLES] arguments, rounded to the precision
    unsigned char       *staging;                     // [SAMPLES] scalars
    unsigned char       *results[BENCH_WIDTHS_MOST];  // [SAMPLES] scalars
};

#define LIBM(name) name##l
#define FUNCTION(NAME, name, arguments, file, ulp, value, ...)    \
    static long double exact_##name(long double a, long double b) \
    {                                                             \
        return (void)b, value;                                    \
    }
#include "catalog/functions.def"

#define OF_1 "(a)"
#define OF_2 "(a, b)"
static const BenchFunction rows[FUNCTION_COUNT] = {
#define FUNCTION(NAME, name, arguments, ...) {#name, "real_" #name OF_##arguments, exact_##name, false},
#include "catalog/functions.def"
};

void bench_take(bool elementary, BenchFunction table[FUNCTION_COUNT])
{
    for (int i = 0; i < FUNCTION_COUNT; ++i) {
        table[i] = functions_table[i].elementary == elementary ? rows[i] : (BenchFunction){0};
        table[i].bounded = i == FUNCTION_SIN || i == FUNCTION_COS || i == FUNCTION_TANH || i == FUNCTION_SIGN;
    }
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    assert_non_null(memory);
    return memory;
}

// One kernel per function.
static void write_source(const char *header, const BenchFunction *functions, size_t count, Text *text)
{
    text_add(text, "%s\n", header);
    for (size_t i = 0; i < count; ++i)
        if (functions[i].name)
            text_add(
                text,
                "kernel void apply_%s(global const SCALAR *first, global const SCALAR *second, global SCALAR *out)\n"
                "{\n"
                "    const size_t at = get_global_id(0) * LANES;\n"
                "    const real a = load(first + at), b = load(second + at);\n"
                "    save(out + at, %s);\n"
                "}\n",
                functions[i].name, functions[i].value);
}

Bench *bench_open(const char *header, const BenchFunction *functions, size_t count, bool single, const int *lanes,
                  size_t width_count)
{
    Bench *bench = allocate(sizeof *bench);
    *bench = (Bench){.functions = functions, .single = single, .width_count = width_count, .lanes = lanes};
    bench->scalar = single ? sizeof(float) : sizeof(double);
    const cl_device_id device = opencl_case_open(&bench->context);
    cl_int             status = CL_SUCCESS;
    bench->queue = clCreateCommandQueue(bench->context, device, 0, &status);
    assert_int_equal(status, CL_SUCCESS);
    cl_mem *const buffers[] = {&bench->first, &bench->second, &bench->out};
    for (int i = 0; i < 3; ++i) {
        *buffers[i] = clCreateBuffer(bench->context, 0, SAMPLES * bench->scalar, NULL, &status);
        assert_int_equal(status, CL_SUCCESS);
    }
    Text text SCOPED(text_free) = {0};
    write_source(header, functions, count, &text);
    for (size_t w = 0; w < width_count; ++w) {
        char options[128];
        snprintf(options, sizeof options, "-D LANES=%d -D SINGLE=%d %s", lanes[w], single,
                 single ? "-cl-single-precision-constant" : "");
        bench->programs[w] = opencl_case_build(bench->context, device, text.text, options);
        bench->results[w] = allocate(SAMPLES * bench->scalar);
    }
    bench->a = allocate(SAMPLES * sizeof(double));
    bench->b = allocate(SAMPLES * sizeof(double));
    bench->staging = allocate(SAMPLES * bench->scalar);
    return bench;
}

void bench_close(Bench *bench)
{
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
}

bool bench_is_single(const Bench *bench)
{
    return bench->single;
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
static void apply(Bench *bench, int function)
{
    write_arguments(bench, bench->first, bench->a);
    write_arguments(bench, bench->second, bench->b);
    for (size_t w = 0; w < bench->width_count; ++w) {
        char name[64];
        snprintf(name, sizeof name, "apply_%s", bench->functions[function].name);
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

static double magnitude(uint64_t *seed, double low, double high, bool single)
{
    const int    exponent = (int)floor(opencl_case_uniform(seed, low, high));
    const double x = ldexp(opencl_case_uniform(seed, 1.0, 2.0), exponent);
    return single && x > FLT_MAX ? FLT_MAX : x;
}

static double random_sign(uint64_t *seed)
{
    return opencl_case_bits(seed) & 1 ? 1.0 : -1.0;
}

static double near_turn(uint64_t *seed, double bits, bool single)
{
    const double k = floor(magnitude(seed, 0, bits, single));
    double       x = (double)(k * 1.57079632679489661923132169163975144L) * random_sign(seed);
    for (uint64_t n = opencl_case_bits(seed) % 3; n > 0; --n)
        x = single ? (double)nextafterf((float)x, INFINITY) : nextafter(x, INFINITY);
    return x;
}

static double near_octant(uint64_t *seed, double b)
{
    const double tangents[] = {0.41421356237309504880, 1.0, 2.41421356237309504880};
    return b * tangents[opencl_case_bits(seed) % 3] * (1.0 + random_sign(seed) * magnitude(seed, -40, 0, false)) *
           random_sign(seed);
}

static double exponent_of_power(uint64_t *seed, bool single)
{
    return single ? opencl_case_uniform(seed, -105.0, 89.0) : opencl_case_uniform(seed, -746.0, 710.0);
}

static void draw(Bench *bench, const Range *range, uint64_t seed)
{
    for (size_t i = 0; i < SAMPLES; ++i) {
        double a = 0.0, b = 0.0;
        switch (range->shape) {
        case UNIFORM:
            a = opencl_case_uniform(&seed, range->low, range->high);
            b = opencl_case_uniform(&seed, range->low, range->high);
            break;
        case MAGNITUDES:
            a = random_sign(&seed) * magnitude(&seed, range->low, range->high, bench->single);
            b = random_sign(&seed) * magnitude(&seed, range->low, range->high, bench->single);
            break;
        case POSITIVE:
            a = magnitude(&seed, range->low, range->high, bench->single);
            b = magnitude(&seed, range->low, range->high, bench->single);
            break;
        case NEAR_TURNS: a = near_turn(&seed, range->high, bench->single); break;
        case NEAR_ONE: a = 1.0 + random_sign(&seed) * magnitude(&seed, -52, range->high, false); break;
        case NEAR_OCTANTS:
            b = opencl_case_uniform(&seed, -1.0, 1.0);
            a = near_octant(&seed, b);
            break;
        case BELOW_ONE: a = random_sign(&seed) * (1.0 - magnitude(&seed, -54, range->high, false)); break;
        case POWERS:
            a = magnitude(&seed, range->low, range->high, bench->single);
            b = exponent_of_power(&seed, bench->single) / log(a);
            break;
        case POWERS_OF_ONE:
            a = 1.0 + random_sign(&seed) * magnitude(&seed, bench->single ? -23 : -52, range->high, false);
            b = exponent_of_power(&seed, bench->single) / log(a);
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
static double worst_ulps(const Bench *bench, int function, long double factor, size_t *where)
{
    double worst = 0.0;
    for (size_t i = 0; i < SAMPLES; ++i) {
        const long double exact = bench->functions[function].exact(bench->a[i], bench->b[i]);
        const double      error = ulps(result_at(bench, 0, i) * factor, exact, bench->single);
        if (!(error <= worst)) {
            worst = error;
            *where = i;
        }
    }
    return worst;
}

static void check_widths_agree(const Bench *bench, int function)
{
    for (size_t w = 1; w < bench->width_count; ++w) {
        if (!memcmp(bench->results[0], bench->results[w], SAMPLES * bench->scalar))
            continue;
        for (size_t i = 0; i < SAMPLES; ++i) {
            if (memcmp(bench->results[0] + i * bench->scalar, bench->results[w] + i * bench->scalar, bench->scalar) !=
                0)
                fail_msg("%s(%a, %a): %a at %d lane, %a at %d lanes", bench->functions[function].name, bench->a[i],
                         bench->b[i], result_at(bench, 0, i), bench->lanes[0], result_at(bench, w, i), bench->lanes[w]);
        }
    }
}

static void check_bounded_by_one(const Bench *bench, int function)
{
    for (size_t i = 0; bench->functions[function].bounded && i < SAMPLES; ++i)
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
                  bench->functions[range->function].name, (int)range->shape, range->low, range->high, worst,
                  bench->a[where], bench->b[where]);
    if (!(worst <= range->bound))
        fail_msg("%s(%a, %a) = %a: %g ulp, bound %g", bench->functions[range->function].name, bench->a[where],
                 bench->b[where], result_at(bench, 0, where), worst, range->bound);
}

void bench_check_ranges(Bench *bench, const Range *ranges, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        check_range(bench, &ranges[i], (bench->single ? 2000 : 1000) + i);
}

static void check_mixed(Bench *bench, int function, double bound)
{
    const double largest = bench->single ? FLT_MAX : DBL_MAX, smallest = bench->single ? FLT_TRUE_MIN : DBL_TRUE_MIN;
    const double odd[] = {0.0,      -0.0,     INFINITY,  -INFINITY, NAN,   largest,
                          -largest, smallest, -smallest, 1e30,      -3e25, 1.0};
    const Range  ordinary = {function, MAGNITUDES, -3, 5, bound};
    uint64_t     seed = 5;
    size_t       where = 0;
    draw(bench, &ordinary, 77);
    for (size_t i = 0; i < SAMPLES; ++i) {
        if (opencl_case_bits(&seed) % 4 == 0)
            bench->a[i] = odd[opencl_case_bits(&seed) % (sizeof odd / sizeof *odd)];
        if (opencl_case_bits(&seed) % 4 == 0)
            bench->b[i] = odd[opencl_case_bits(&seed) % (sizeof odd / sizeof *odd)];
        if (bench->single) {
            bench->a[i] = (double)(float)bench->a[i];
            bench->b[i] = (double)(float)bench->b[i];
        }
    }
    apply(bench, function);
    check_widths_agree(bench, function);
    const double worst = worst_ulps(bench, function, 1.0L, &where);
    if (!(worst <= bound))
        fail_msg("%s(%a, %a) = %a: %g ulp", bench->functions[function].name, bench->a[where], bench->b[where],
                 result_at(bench, 0, where), worst);
}

void bench_check_specials(Bench *bench, const Special *specials, size_t count)
{
    for (size_t s = 0; s < count; ++s) {
        const Special *special = &specials[s];
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
                fail_msg("%s(%a, %a) at %d lanes: %a, not %a", bench->functions[special->function].name, special->a,
                         special->b, bench->lanes[w], value, due);
        }
    }
}

static void check_planted(Bench *bench, const Range *range)
{
    const long double factor = bench->single ? 1.0L + 5e-7L : 1.0L + 1e-15L;
    size_t            where = 0;
    draw(bench, range, 99);
    apply(bench, range->function);
    assert_true(worst_ulps(bench, range->function, 1.0L, &where) <= range->bound);
    assert_true(worst_ulps(bench, range->function, factor, &where) > range->bound);
}

double bench_value(Bench *bench, int function, double x, double bound)
{
    for (size_t i = 0; i < SAMPLES; ++i) {
        bench->a[i] = i % 5 ? 0.5 : x;
        bench->b[i] = 0.0;
    }
    apply(bench, function);
    check_widths_agree(bench, function);
    size_t where = 0;
    assert_true(worst_ulps(bench, function, 1.0L, &where) <= bound);
    return result_at(bench, 0, 0);
}

void bench_check_rows(Bench *bench)
{
    for (int i = 0; i < FUNCTION_COUNT; ++i) {
        const double ulp = functions_table[i].ulp;
        if (!bench->functions[i].name)
            continue;
        // Long double's own rounding is beside that of a bound of 0.5.
        bench_check_ranges(bench, &(Range){i, UNIFORM, -1.6, 1.6, 1.001 * ulp}, 1);
        check_planted(bench, &(Range){i, POSITIVE, -2, 2, 1.001 * ulp});
        check_mixed(bench, i, 1.001 * ulp);
    }
}
