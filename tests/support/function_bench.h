// function_bench -- the kernels' own functions on an OpenCL device: their errors in ulp, and their bits at every lane
// count.
#pragma once

#include "catalog/functions.h"

enum { BENCH_WIDTHS_MOST = 6 };

typedef struct BenchFunction {
    const char *name;
    const char *value;                               // OpenCL C: what a kernel computes of `a` and `b`
    long double (*exact)(long double, long double);  // the same; x86-64's long double has 11 bits more than a double
    bool bounded;                                    // it is within [-1, 1], whatever the rounding
} BenchFunction;

// How a range's arguments are drawn.
typedef enum Shape {
    UNIFORM,       // low..high
    MAGNITUDES,    // either sign, the exponents of two from low to high (both arguments, each its own)
    POSITIVE,      // the same without signs
    NEAR_TURNS,    // within two units in the last place of k pi/2, k up to 2^high
    NEAR_ONE,      // 1 + d, |d| up to 2^high
    NEAR_OCTANTS,  // first argument within 2^-40..2^-1 of the second times tan(pi/8), 1 or their inverses
    BELOW_ONE,     // 1 - d of either sign, 0 <= d up to 2^high
    POWERS,        // POSITIVE, and a second one whose power of the first is anywhere in the range
    POWERS_OF_ONE  // NEAR_ONE, the second one likewise
} Shape;

typedef struct Range {
    int    function;  // its place in the table
    Shape  shape;
    double low, high;
    double bound;  // ulp
} Range;

// A value that is exact: bit for bit, but any NaN will do for NaN.
typedef struct Special {
    int    function;
    double a, b, value;
} Special;

typedef struct Bench Bench;

// Fills the rows of elementary.h's functions, or of the others: the place in the table is a Function, and names of the
// rest stay NULL.
void bench_take(bool elementary, BenchFunction table[FUNCTION_COUNT]);

// Builds the functions once per lane count of one precision, on the first CPU device, or on the first device at all.
//   header     "real.h", or those of the kernels' files that are needed behind it, as #include lines
//   functions  [count] borrowed; one without a name is passed over
//   lanes      [width_count] borrowed
Bench *bench_open(const char *header, const BenchFunction *functions, size_t count, bool single, const int *lanes,
                  size_t width_count);
void   bench_close(Bench *bench);
bool   bench_is_single(const Bench *bench);

// Fails where an error is above its range's bound, or where lane counts disagree.
void bench_check_ranges(Bench *bench, const Range *ranges, size_t count);

// Fails where a value differs at any lane count, ordinary arguments in the other lanes.
void bench_check_specials(Bench *bench, const Special *specials, size_t count);

// Of every function that functions.def says to be there: its bound holds on [-1.6, 1.6] and with ordinary arguments,
// zeros, infinities, NaN, subnormals and huge ones in neighbouring lanes, so that the rare paths run in some lanes of a
// group only; and a planted error, relatively 1e-15 in a double and 5e-7 in a float, is seen.
void bench_check_rows(Bench *bench);

// Applies a function to x, ordinary arguments in the other lanes, checks the bound, and gives the result.
double bench_value(Bench *bench, int function, double x, double bound);
