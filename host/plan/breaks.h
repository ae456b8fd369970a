// breaks -- times that steps meet exactly, and what is set there.
//
//     breaks: {at: [0, dur], every: tau, count: n}
//     breaks: [{at: [0, dur], every: tau}, {at: 6, set: {c: "c + dose"}}]
//
// A number is a formula of the problem's parameters, which has a value at each point.
#pragma once

#include "expression/expression.h"
#include "plan/plan_make.h"

enum { BREAK_NUMBERS_MOST = 256 };

typedef struct BreakNumber {
    double             value;    // where there is no formula
    const struct Node *formula;  // or NULL
    const char        *text;     // of the formula
} BreakNumber;

// A coordinate or a velocity that gets the value of a formula of t, coordinates, velocities and parameters.
typedef struct BreakSet {
    bool               velocity;
    size_t             dof;
    const struct Node *formula;
    const char        *text;
} BreakSet;

// An entry: the times at[i] + k every, for k = 0 .. count - 1.
typedef struct BreakEntry {
    BreakNumber *at;  // [at_count]
    size_t       at_count;
    bool         repeats;  // else `every` and `count` are of no use
    BreakNumber  every, count;
    BreakSet    *sets;  // [set_count]
    size_t       set_count;
} BreakEntry;

typedef struct Breaks {
    BreakEntry *list;  // [count]
    size_t      count;
    size_t number_count;  // at most BREAK_NUMBERS_MOST, of all entries: each one's at[], and where it repeats every and
                          // count
    struct Expressions *formulas;
} Breaks;

// Makes the names known that formulas of breaks and events may use: t, pi, the problem's parameters, the group's
// coordinates and velocities.
bool breaks_name_all(Expressions *table, const Group *group);

// Reads the mapping of a `set`.
//   what   its key, for messages: "breaks.set"
//   sets   written: [*count], in the table's arena
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool breaks_read_sets(Expressions *table, const Group *group, const YamlNode *node, const char *what, BreakSet **sets,
                      size_t *count, Error *err);
bool breaks_same_sets(const BreakSet *a, size_t a_count, const BreakSet *b, size_t b_count);

// Reads `breaks` of the sweep for a group, whose parameters and coordinates are known; group->breaks stays NULL where
// the sweep has none. With `events` it has an empty list: a step is taken in pieces there too.
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool breaks_make(Plan *plan, Group *group, Error *err);

// The numbers of a point in the order of the entries: at[], every, count. NaN in place of a number that none can be: a
// time that is NaN, an interval of 0 or less, a count below 0.
//   numbers  [breaks->number_count] written
void breaks_numbers(const Group *group, uint64_t point, double *numbers);

// The first time of an entry after t, and the last one up to t; INFINITY and -INFINITY where there is none.
//   numbers  of the entry
double breaks_after(const BreakEntry *entry, const double *numbers, double t);
double breaks_until(const BreakEntry *entry, const double *numbers, double t);

// The first time of any entry after t.
//   numbers  of all entries
double breaks_next(const Group *group, const double *numbers, double t);

// The value that a set gives, of a state.
//   x, v    [dofs]
//   values  of the problem's parameters
double breaks_set_value(const BreakSet *set, double t, const double *x, const double *v, const double *values);

// Why a metric cannot be had beside breaks, as the rest of a sentence; NULL: it can.
const char *breaks_forbid(const Card *metric);

// Whether two groups have the same breaks.
bool breaks_same(const Group *a, const Group *b);

// How far apart two times count as one at time t: 16 roundings of it.
double breaks_near(bool single, double t);
