// exact -- problem file in long double: the accelerations that certificates compare a kernel's with.
//
// The file's own text is compiled by the system's C compiler, a user's as an embedded one. Its meaning is shared with
// the kernels; its rounding is not: there are 64 bits where a kernel has 53 or 24.
#pragma once

#include "catalog/problem_c.h"
#include "gauges/ball.h"
#include "plan/plan.h"

// Functions that the card does not provide are NULL.
typedef struct Exact {
    void  *library;
    size_t bytes;  // of the file's struct Params
    // Roundings that an argument can meet on its way: of the file's arithmetic operators, and of the functions of
    // elementary.h that it calls.
    int  operations;
    bool elementary;                                        // it calls some, or tables: bounds move their values, too
    bool jumps;                                             // it may: it calls some, or tables, or chooses
    void (*load)(void *params, const long double *values);  // in card order, a choice as its index
    void (*curves)(void *params, const double *numbers);    // of the card's tables, once for params; NULL: it has none
#define real long double
    PROBLEM_FUNCTIONS(PROBLEM_MEMBER)
#undef real
    // Sine, cosine and their like are counted as they are called, from 1; the one of that number gives its result times
    // 1 + by, a table its value plus by times the size of its terms, in the calling thread, until the next exact_move.
    // 0: none of them.
    void (*move)(int call, long double by);
    int (*calls)(void);  // since then
} Exact;

// Compiles a problem.
//   exact  zeroed; written; release with exact_free()
//   dofs   of the group
// Errors: ERROR_DEVICE (no C compiler), ERROR_KERNEL (the text is no C), ERROR_INTERNAL.
bool exact_make(const Card *problem, size_t dofs, Exact *exact, Error *err);
void exact_free(Exact *exact);

// A problem with a point's parameters, and room to move them. Owned by whoever makes it; one thread at a time.
typedef struct ExactPoint {
    const Exact *exact;
    const Card  *problem;
    size_t       dofs;
    Roundoff     unit;                   // of the kernel's precision
    long double *values, *moved_values;  // [parameters of the problem] the numbers loaded, and room
    void        *params, *moved_params;  // [exact->bytes] loaded, and room
    double      *numbers;                // [parameters of the problem] room
} ExactPoint;

// Makes the room.
//   arena  owns it
// Errors: ERROR_INTERNAL.
bool exact_point_make(const Exact *exact, const Card *problem, size_t dofs, bool single, Arena *arena,
                      ExactPoint *point, Error *err);

// Takes the parameters of a point of a group, as the kernel has them.
void exact_point_load(ExactPoint *point, const Plan *plan, const Group *group, uint64_t number);

// The problem's file in the kernels' own precision. On the way to an acceleration numbers may become too large for that
// precision that in long double do not, as the square of a distance. Only whether there is a result is asked of this,
// not its digits.
typedef struct Narrow {
    void  *library;
    size_t bytes;  // of the file's struct Params
    void (*fill)(void *params, const long double *values);
    void (*curves)(void *params, const double *numbers);  // as of Exact
    // Whether all components of the acceleration are numbers.
    int (*finite)(long double t, const long double *x, const long double *v, const void *params);
} Narrow;

// Compiles a problem in double or single precision.
//   narrow  zeroed; written; release with exact_narrow_free()
// Errors: those of exact_make().
bool exact_narrow_make(const Card *problem, size_t dofs, bool single, Narrow *narrow, Error *err);
void exact_narrow_free(Narrow *narrow);
