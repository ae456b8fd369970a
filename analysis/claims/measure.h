// measure -- the measures that formulas of the ledger name.
//
//   radius(METHOD, value, Omega, zeta)       the spectral radius of a kernel's step on the oscillator, at the value of
//                                            the method's first parameter (not read where there is none)
//   largest_radius(METHOD, value, zeta)      the largest for Omega from 1e-2 to 1e4
//   most_damping(METHOD, value)              the largest of -ln(radius)/Omega, undamped, for Omega from 0.1 to 100: the
//                                            most that a method takes from a motion in a unit of its time
//   limits(METHOD, value, zeta)              the Omega up to which the kernel's step is stable
//   passes(METHOD, OTHER, value)             the zeta up to which the limit of METHOD, which has no parameter, is not
//                                            beyond that of OTHER
//   matrix(METHOD, value, Omega, zeta)       the entries of the kernel's matrix, row by row
//   spectral_radius determinant inverse      of such a list of entries
//   error(SWEEP.GROUP[AXES], v, t)           the larger of the errors of x_final and v_final, for the pendulum
//                                            x'' = -sin x - 2 zeta x' from (1, v) to t
//   order(SWEEP.GROUP[AXES], v, t, steps)    log2 of the ratio of that error at so many steps and at twice as many
//
// A list in place of a number gives a list, the last argument fastest. Formulas as printed are in printed.h.
#pragma once

#include "analysis/claims/formula.h"

enum { PLACE_AXES = 8, MEASURE_VALUES = 4 };

// An axis with the values that are looked at.
typedef struct PlaceAxis {
    const char   *name;
    const double *values;
    size_t        count;
} PlaceAxis;

// Numbers of a sweep.
typedef struct Place {
    const char *sweep, *group, *variable;  // variable: NULL where only the group is named
    PlaceAxis   axes[PLACE_AXES];
    size_t      axis_count;
} Place;

// A measure and its arguments as they were read.
typedef struct MeasureCall {
    const struct Measure *measure;
    const Scope          *scope;
    const char           *method, *other;
    Place                 place;
    Value                 values[MEASURE_VALUES];
    size_t                count;
} MeasureCall;

typedef struct Measure {
    const char *name;
    const char *arguments;  // m: a method, o: another, p: a place, v: numbers
    size_t      outs;       // how many numbers `plain` or `each` gives for each combination of numbers
    void (*plain)(const double *numbers, double *out);
    void (*each)(const MeasureCall *call, const double *numbers, double *out);
    bool (*whole)(const MeasureCall *call, Value *value, Error *err);  // for all combinations
} Measure;

// The measure, or NULL.
const Measure *measure_find(const char *name);

// Whether it asks the lab.
bool measure_needs_lab(const Measure *measure);

// Errors: ERROR_INPUT (wrong lists), ERROR_INTERNAL. What goes wrong in the lab is kept there, and gives NaN.
bool measure_call(const MeasureCall *call, Value *value, Error *err);

// The numbers of a place.
bool measure_place(const Scope *scope, const Place *place, Value *value, Error *err);
