// axis -- a number or an axis as written in a sweep file: `0.1`, `[0.1, 0.2]`, `{log: [a, b, n]}`.
//
// Reading and filling are two steps, so that the number of points is known, and refused where it is too large, before
// any memory is taken for values.
#pragma once

#include "base/yaml.h"

// What a value may be.
typedef struct Range {
    double least, most;
    bool   least_open, most_open;  // the end itself is not permitted
    bool   whole;                  // a whole number
} Range;

typedef enum AxisForm { FORM_NUMBER, FORM_LIST, FORM_LINEAR, FORM_LOG } AxisForm;

typedef struct AxisText {
    const YamlNode *node;  // borrowed
    AxisForm        form;
    double          first, last;  // the number; or both ends of linear and log
    size_t          count;        // of values, 1 for a number
} AxisText;

// Why a range does not permit a value; NULL where it does.
//   text  [AXIS_TEXT] overwritten; borrowed by what is returned
enum { AXIS_TEXT = 160 };
const char *axis_refuses(const Range *range, double value, char *text);

enum { AXIS_LONGEST = 1 << 24 };

// Reads a node.
//   what   the thing's name in messages, e.g. "axis 'eps'"
//   axis   written; borrows node
// Errors: ERROR_INPUT or ERROR_USAGE (another form, no values, too many, a value out of range, a log axis that touches
// or crosses zero).
bool axis_read(const YamlNode *node, const char *what, const Range *range, AxisText *axis, Error *err);

// Writes the values, values[axis->count]. Both ends of a linear or log axis come out exactly as written.
//   distinct  refuse equal values
// Errors: ERROR_INPUT or ERROR_USAGE (equal values, a value that is not whole), ERROR_INTERNAL.
bool axis_fill(const AxisText *axis, const char *what, const Range *range, bool distinct, double *values, Error *err);
