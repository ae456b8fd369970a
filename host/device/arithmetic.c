// arithmetic -- check of a device's arithmetic: the same bits as on every other device.
//
// Kernels are written so that their results do not depend on the compiler: contraction is off, fma stands where it is
// meant, division and root are rounded correctly, denormals are kept, comparisons with NaN are false. A compiler may do
// otherwise all the same, and never says so. A kernel of expressions that give it the occasion runs once on a device;
// its results are compared with the results of the same expressions in this program. The verdict is remembered in the
// cache of compiled programs, under all that decides a program's binary.
#include "device/binary.h"
#include "device/build.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

typedef enum Trait { CONTRACTION, FMA, DIVISION, ROOT, DENORMALS, COMPARISON, TRAIT_COUNT } Trait;

static const char *const trait_names[TRAIT_COUNT] = {"contraction off", "fma",       "division",
                                                     "square root",     "denormals", "comparison with NaN"};

// Expressions of the check, in the syntax that OpenCL C and C have in common. In a contraction c is near a b or -a b,
// so that rounding once shows; c is denormal for denormals, and NaN for comparisons.
// clang-format off
#define EXPRESSIONS(X)                             \
    X(CONTRACTION, c + a * b)                      \
    X(CONTRACTION, (a * b) - c)                    \
    X(CONTRACTION, c - a * b)                      \
    X(CONTRACTION, c - (-a) * b)                   \
    X(CONTRACTION, -(a * b) - c)                   \
    X(CONTRACTION, c - (-(a * b)))                 \
    X(CONTRACTION, (a + ONE) * c)                  \
    X(CONTRACTION, (ONE - a) * c)                  \
    X(CONTRACTION, fma(a, b, c * a) + c)           \
    X(CONTRACTION, fma(ONE, a * b, c))             \
    X(CONTRACTION, fma(ONE, -(a * b), c))          \
    X(CONTRACTION, fma(-ONE, a * b, c))            \
    X(CONTRACTION, fma(-ONE, -(a * b), c))         \
    X(CONTRACTION, fma(ONE, c, a * b))             \
    X(CONTRACTION, fma(ONE, c, -(a * b)))          \
    X(CONTRACTION, fma(-ONE, c, a * b))            \
    X(CONTRACTION, fabs(a * b) + c)                \
    X(CONTRACTION, (a > b ? a * b : -(a * b)) + c) \
    X(FMA, fma(a, b, c))                           \
    X(FMA, fma(-a, b, c))                          \
    X(DIVISION, c / a)                             \
    X(DIVISION, ONE / a)                           \
    X(DIVISION, a / (ONE + ONE + ONE))             \
    X(ROOT, sqrt(a))                               \
    X(ROOT, ONE / sqrt(a))                         \
    X(DENORMALS, a * c)                            \
    X(DENORMALS, c + c)                            \
    X(DENORMALS, fma(a, c, c))                     \
    X(COMPARISON, c < a ? b : a)                   \
    X(COMPARISON, c >= a ? b : a)                  \
    X(COMPARISON, !(c <= a) ? b : a)               \
    X(COMPARISON, fabs(c) <= b ? b : a)
// clang-format on

#define COUNT(trait, ...) +1
enum { EXPRESSION_COUNT = 0 EXPRESSIONS(COUNT), NUMBERS = 64 };
#undef COUNT

_Static_assert(EXPRESSION_COUNT <= 64, "a verdict is the bits of a number");

// A vector, but a short one: the compiler takes half the time of one of 16.
enum { MOST_LANES = 4 };

typedef struct Expression {
    Trait       trait;
    const char *text;
} Expression;

#define EXPRESSION(trait, ...) {trait, #__VA_ARGS__},
static const Expression expressions[EXPRESSION_COUNT] = {EXPRESSIONS(EXPRESSION)};
#undef EXPRESSION

// Vectors of NUMBERS values: a, b and c of each expression, and its results in this program. Each expression has values
// of its own, since a product of two uses is rarely contracted.
typedef struct TrialNumbers {
    double in[EXPRESSION_COUNT][3][NUMBERS], out[EXPRESSION_COUNT][NUMBERS];
} TrialNumbers;

static void fill(bool single, TrialNumbers *numbers)
{
    const double tiny = single ? FLT_MIN : DBL_MIN;
    uint64_t     state = 1;
    for (size_t e = 0; e < EXPRESSION_COUNT; ++e)
        for (size_t n = 0; n < NUMBERS; ++n) {
            double x[3];
            for (int k = 0; k < 3; ++k) {
                state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                x[k] = 1 + (double)(state >> 11) * 0x1p-53;
                x[k] = single ? (float)x[k] : x[k];
            }
            const double product = single ? (float)x[0] * (float)x[1] : x[0] * x[1];
            switch (expressions[e].trait) {
            case CONTRACTION:
            case FMA: x[2] = n % 3 == 0 ? -product : n % 3 == 1 ? product : x[2]; break;
            case DENORMALS: x[2] = single ? (float)(x[2] * tiny) / 16 : x[2] * tiny / 16; break;
            case COMPARISON: x[2] = NAN; break;
            default: break;
            }
            for (int k = 0; k < 3; ++k)
                numbers->in[e][k][n] = x[k];
        }
}

// Their values here. The compiler of this file contracts nothing.
#define ONE ((real)1)
#define VALUES(trait, ...)                                                     \
    for (size_t n = 0; n < NUMBERS; ++n) {                                     \
        const real a = (real)in[0][n], b = (real)in[1][n], c = (real)in[2][n]; \
        (void)a, (void)b, (void)c;                                             \
        (*out)[n] = (__VA_ARGS__);                                             \
    }                                                                          \
    in += 3, ++out;
static void compute_double(const double (*in)[NUMBERS], double (*out)[NUMBERS])
{
    typedef double real;
    EXPRESSIONS(VALUES)
}

static void compute_single(const double (*in)[NUMBERS], double (*out)[NUMBERS])
{
    typedef float real;
    EXPRESSIONS(VALUES)
}
#undef VALUES
#undef ONE

static const char prologue[] =  //
    OPENCL_WIDE_VECTORS "#pragma OPENCL FP_CONTRACT OFF\n"
                        "#if SINGLE\n"
                        "#define SCALAR float\n"
                        "#else\n"
                        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                        "#define SCALAR double\n"
                        "#endif\n"
                        "#define PASTE_(a, b) a##b\n"
                        "#define PASTE(a, b) PASTE_(a, b)\n"
                        "#if LANES == 1\n"
                        "#define REAL SCALAR\n"
                        "#define LOAD(i, from) ((from)[i])\n"
                        "#define STORE(x, i, to) ((to)[i] = (x))\n"
                        "#else\n"
                        "#define REAL PASTE(SCALAR, LANES)\n"
                        "#define LOAD PASTE(vload, LANES)\n"
                        "#define STORE PASTE(vstore, LANES)\n"
                        "#endif\n"
                        "#define ONE ((REAL)(1.0))\n"
                        "kernel void arithmetic(global const SCALAR *in, global SCALAR *out)\n"
                        "{\n"
                        "    const size_t n = get_global_id(0);\n"
                        "    REAL a, b, c;\n";

static void write_source(Text *source)
{
    text_add(source, "%s", prologue);
    for (size_t e = 0; e < EXPRESSION_COUNT; ++e)
        text_add(source,
                 "    a = LOAD(n, in + %zu), b = LOAD(n, in + %zu), c = LOAD(n, in + %zu);\n"
                 "    STORE(%s, n, out + %zu);\n",
                 3 * e * NUMBERS, (3 * e + 1) * NUMBERS, (3 * e + 2) * NUMBERS, expressions[e].text, e * NUMBERS);
    text_add(source,
             "}\n"
             "#ifdef LAUNCH\n"
             "#define ARGUMENTS(HEAD, NEXT) HEAD(IN, global const SCALAR *, in) NEXT(OUT, global SCALAR *, out)\n"
             "LAUNCH(arithmetic, ARGUMENTS)\n"
             "#endif\n");
}

// Computes on the device; the numbers are of the precision there. False where a call fails.
static bool run(Device *device, const char *source, const char *options, size_t items, const void *in, size_t in_bytes,
                void *out, size_t out_bytes)
{
    cl_int     code = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(device->context, 1, &source, NULL, &code);
    cl_kernel  kernel = NULL;
    cl_mem     from = NULL, to = NULL;
    if (code == CL_SUCCESS)
        code = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    if (code == CL_SUCCESS)
        kernel = clCreateKernel(program, "arithmetic", &code);
    if (code == CL_SUCCESS)
        from = clCreateBuffer(device->context, CL_MEM_READ_ONLY, in_bytes, NULL, &code);
    if (code == CL_SUCCESS)
        to = clCreateBuffer(device->context, CL_MEM_WRITE_ONLY, out_bytes, NULL, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueWriteBuffer(device->queue, from, CL_TRUE, 0, in_bytes, in, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 0, sizeof from, &from) | clSetKernelArg(kernel, 1, sizeof to, &to);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(device->queue, to, CL_TRUE, 0, out_bytes, out, 0, NULL, NULL);
    if (to)
        clReleaseMemObject(to);
    if (from)
        clReleaseMemObject(from);
    opencl_release(&program, &kernel);
    return code == CL_SUCCESS;
}

// The expressions that differ, a bit each. False where the device did not compute them.
static bool examine(Device *device, bool single, int lanes, const char *source, const char *options, uint64_t *wrong)
{
    enum { IN = 3 * EXPRESSION_COUNT * NUMBERS, OUT = EXPRESSION_COUNT * NUMBERS };
    const size_t  number = single ? sizeof(float) : sizeof(double);
    TrialNumbers *numbers = malloc(sizeof *numbers);
    void         *in = malloc(IN * number), *out = calloc(OUT, number);
    bool          ok = numbers && in && out;
    *wrong = 0;
    if (ok) {
        fill(single, numbers);
        const double *given = &numbers->in[0][0][0];
        (single ? compute_single : compute_double)(numbers->in[0], numbers->out);
        for (size_t i = 0; i < IN; ++i)
            if (single)
                ((float *)in)[i] = (float)given[i];
            else
                ((double *)in)[i] = given[i];
        opencl_lock(device);
        ok = run(device, source, options, NUMBERS / (size_t)lanes, in, IN * number, out, OUT * number);
        opencl_unlock(device);
    }
    for (size_t i = 0; ok && i < OUT; ++i) {
        const double there = single ? (double)((float *)out)[i] : ((double *)out)[i];
        if (there != (&numbers->out[0][0])[i])
            *wrong |= UINT64_C(1) << i / NUMBERS;
    }
    free(out);
    free(in);
    free(numbers);
    return ok;
}

// Which of the things kept are broken, each with its first expression and their number.
static void write_verdict(bool single, uint64_t wrong, Text *verdict)
{
    text_add(verdict, " does not keep, in %s precision:", single ? "single" : "double");
    const char *comma = "";
    for (int trait = 0; trait < TRAIT_COUNT; ++trait) {
        const char *first = NULL;
        int         more = -1;
        for (size_t e = 0; e < EXPRESSION_COUNT; ++e)
            if (wrong >> e & 1 && (int)expressions[e].trait == trait) {
                first = first ? first : expressions[e].text;
                ++more;
            }
        if (!first)
            continue;
        text_add(verdict, "%s %s in %s", comma, trait_names[trait], first);
        if (more > 0)
            text_add(verdict, " and %d more", more);
        comma = ",";
    }
    text_add(verdict, "; kernels with such expressions differ in their last bits from other devices'");
}

// What is compiled for a precision, and the cache's key of what it finds.
typedef struct Examination {
    int  lanes;
    char options[BUILD_OPTIONS_SIZE];
    Text source, key;
} Examination;

static void make_question(const Device *device, Precision precision, Examination *question)
{
    const bool single = precision == PRECISION_SINGLE;
    const int  all = single ? device->info.lanes_single : device->info.lanes_double;
    *question = (Examination){.lanes = all < MOST_LANES ? all : MOST_LANES};
    build_options(&device->info, precision, question->lanes, build_local_size(&device->info), question->options);
    write_source(&question->source);
    binary_key(device, question->source.text, question->options, &question->key);
}

// The wrong expressions that the cache remembers. False: it does not.
static bool recall(const Device *device, const Examination *question, uint64_t *wrong)
{
    Text       entry = {0};
    const bool found = question->key.length > 0 && cache_read(&device->cache, &question->key, &entry);
    *wrong = found ? strtoull(entry.text, NULL, 16) : 0;
    text_free(&entry);
    return found;
}

static void remember(const Device *device, const Examination *question, uint64_t wrong)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIx64, wrong);
    if (question->key.length > 0)
        cache_write(&device->cache, &question->key, text, strlen(text));
}

static void free_question(Examination *question)
{
    text_free(&question->key);
    text_free(&question->source);
}

// Without double precision there is nothing to ask.
static bool is_answered(const Device *device, Precision precision)
{
    const bool single = precision == PRECISION_SINGLE;
    return device->arithmetic[single].asked || (!single && !device->info.fp64);
}

bool arithmetic_is_known(const Device *device, Precision precision)
{
    Examination question;
    uint64_t    wrong;
    if (is_answered(device, precision))
        return true;
    make_question(device, precision, &question);
    const bool known = recall(device, &question, &wrong);
    free_question(&question);
    return known;
}

const char *device_arithmetic(Device *device, Precision precision)
{
    const bool  single = precision == PRECISION_SINGLE;
    Arithmetic *known = &device->arithmetic[single];
    if (!is_answered(device, precision)) {
        Examination question;
        uint64_t    wrong;
        make_question(device, precision, &question);
        bool done = recall(device, &question, &wrong);
        if (!done) {
            done = examine(device, single, question.lanes, question.source.text, question.options, &wrong);
            if (done)
                remember(device, &question, wrong);
        }
        if (!done || wrong)
            text_add(&known->verdict, "device '%s'", device->info.name);
        if (!done)
            text_add(&known->verdict, ": its arithmetic could not be examined, a small kernel does not run there");
        else if (wrong)
            write_verdict(single, wrong, &known->verdict);
        known->asked = true;
        free_question(&question);
    }
    return known->verdict.text;
}
