// axis -- a number, an axis or a distribution as written in a sweep file: `0.1`, `[0.1, 0.2]`, `{log: [a, b, n]}`,
// `{normal: [mean, deviation]}`.
//
// Reading and filling are two steps, so that the number of points is known, and refused where it is too large, before
// any memory is taken for values.
#pragma once

#include "base/yaml.h"
#include "design/distribution.h"

// Range of the values permitted.
typedef struct Range {
    double least, most;
    bool   least_open, most_open;  // the end itself is not permitted
    bool   whole;                  // a whole number
} Range;

typedef enum AxisForm { FORM_NUMBER, FORM_LIST, FORM_LINEAR, FORM_LOG, FORM_RANDOM } AxisForm;

typedef struct AxisText {
    const YamlNode *node;  // borrowed
    AxisForm        form;
    double          first, last;   // the number; or both ends of linear and log; or the median of a distribution
    size_t          count;         // of values, 1 for a number; 0 for a distribution, whose design says how many
    Distribution    distribution;  // but for the values of a choice, see axis_values()
} AxisText;

// Why a range does not permit a value; NULL where it does.
//   text  [AXIS_TEXT] overwritten; borrowed by the text returned
enum { AXIS_TEXT = 160 };
const char *axis_refuses(const Range *range, double value, char *text);

enum { AXIS_LONGEST = 1 << 24 };

// Reads a node.
//   what   the thing's name in messages, e.g. "axis 'eps'"
//   axis   written; borrows node
// Errors: ERROR_INPUT or ERROR_USAGE (another form, no values, too many, a value out of range, a log axis that touches
// or crosses zero, numbers that make no distribution).
bool axis_read(const YamlNode *node, const char *what, const Range *range, AxisText *axis, Error *err);

// Gives a distribution that is a choice its values, in the arena. Errors: ERROR_INTERNAL (memory).
bool axis_values(AxisText *axis, Arena *arena, Error *err);

// Reads a distribution that an option of a command line names for something: `{uniform: [0, 1]}`.
//   option  "--distribution", with which messages begin, before `name`
//   what    the thing's name in messages
// Errors: ERROR_USAGE (those of axis_read(), values in place of a distribution), ERROR_INTERNAL (memory).
bool axis_read_distribution(const char *option, const char *name, const char *what, const char *text, Arena *arena,
                            Distribution *distribution, Error *err);

// Writes the values of an axis that is not a distribution, values[axis->count]. Both ends of a linear or log axis come
// out exactly as written.
//   distinct  refuse equal values
// Errors: ERROR_INPUT or ERROR_USAGE (equal values, a value that is not whole), ERROR_INTERNAL.
bool axis_fill(const AxisText *axis, const char *what, const Range *range, bool distinct, double *values, Error *err);
