// curve -- tables of a sweep file as functions of one argument: their samples, and the rows that kernels read.
//
// Between two samples a function is a piece; kernels find the piece of an argument and evaluate it from one row:
//
//     linear  x y slope        value y + (X - x) slope
//     cubic   x y d c e        value y + (X - x) (d + (X - x) (c + (X - x) e))
//     hold    x y              value y, until the next sample
//     next    x y              value of the next sample, from x on
//
// A table may be of several records, of which a parameter of the problem chooses one by its number. Where a record's
// rows are, and how a row is found, stands before all rows, in a head for each record of each table:
//
//     number of its first row's x, rows, lowest, highest, per_unit, number of its first cell
//
// Cells of one length, as many as there are pieces, divide the arguments between the ends; kernels compute the cell of
// an argument. Of even pieces it is the piece, or the one beside it. Of uneven ones each cell has the number of the row
// that its arguments come after; those before the next cell come before the next one's, or in its piece.
//
// A map is a table of two arguments on a grid. Its first record has the abscissae of the first argument, each with its
// number, and the record behind it of that number the values there over the second argument.
//
// Host programs (the reference, certificates) evaluate the samples themselves: of a row they read x, y and d.
#pragma once

#include "base/arena.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

// Ways between samples and outside of them: the name in C and the words of a sweep file.
typedef enum CurveBetween { CURVE_LINEAR, CURVE_CUBIC, CURVE_HOLD, CURVE_NEXT, CURVE_BETWEEN_COUNT } CurveBetween;
typedef enum CurveOutside { CURVE_REFUSE, CURVE_ZERO, CURVE_END, CURVE_OUTSIDE_COUNT } CurveOutside;
extern const char *const curve_between_names[CURVE_BETWEEN_COUNT], *const curve_outside_names[CURVE_OUTSIDE_COUNT];

// Samples of a table that stand together.
typedef struct CurveRecord {
    size_t first, count;     // of the table's samples
    double lowest, highest;  // arguments within: the ends, and what rounding may add to them
    double per_unit;         // cells per unit of the argument
    bool   even;             // cells are the pieces, or those beside them
} CurveRecord;

// The most numbers of a sample.
enum { CURVE_COLUMNS = 3 };

// A table.
typedef struct Curve {
    const char   *name;
    CurveBetween  between;
    CurveOutside  outside;
    const char   *of;              // the parameter that chooses a record, from 0 on; NULL: there is one record
    size_t        count, columns;  // of samples: 2, or 3 with the number of the record before them
    const double *samples;  // [count][columns] argument, ascending in a record, and value, in the sweep's precision
    CurveRecord  *records;  // [record_count] each of curve_least() samples or more
    size_t        record_count;
    bool          map;   // of two arguments; `between` is linear, `of` NULL
    uint64_t      head;  // number of the first of its heads' numbers among those of all
} Curve;

// The tables that a problem asks for.
typedef struct CurveSet {
    const Curve  *list;  // [count]
    size_t        count;
    const double *numbers;  // [number_count] the heads and the rows of all
    uint64_t      number_count;
} CurveSet;

// The fewest samples.
size_t curve_least(CurveBetween between);

// Numbers of a row.
size_t curve_width(CurveBetween between);

// The most numbers of a problem's tables, in each precision: heads and kernels count them.
#define CURVE_NUMBERS (UINT64_C(1) << 30)
#define CURVE_NUMBERS_SINGLE (UINT64_C(1) << 24)

// Completes the records of a curve whose name, ways and samples are set: lowest, highest, per_unit, even.
//   epsilon  of the sweep's precision
void curve_measure(Curve *curve, double epsilon);

// Lists the heads and the rows of curves and sets where each begins.
//   list     [count] borrowed; head is written
//   single   the precision of the kernels
//   numbers  written, in the arena
// Errors: ERROR_INPUT (more than CURVE_NUMBERS or CURVE_NUMBERS_SINGLE), ERROR_INTERNAL.
bool curve_list(Curve *list, size_t count, bool single, Arena *arena, CurveSet *curves, Error *err);

// The value of a table at x by its definition; NaN where it is refused.
//   record  the number of the record; 0 where there is one
//   size    written: the size of the terms that it is a sum of
long double curve_at(const CurveSet *curves, size_t index, size_t record, long double x, long double *size);

// Adds what a kernel needs before a problem's file, behind kernels/curve.h: a function for each table and its
// derivative.
void curve_write_kernel(const CurveSet *curves, Text *text);

// The same in C, where `real` is known, and CALLED_OFF(y, size): the value y of a call whose terms are of a size.
void curve_write_c(const CurveSet *curves, Text *text);
