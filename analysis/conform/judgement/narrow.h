// narrow -- problem file in the kernels' own precision: where its accelerations overflow or are NaN.
//
// On the way to an acceleration numbers may become too large for the precision that in long double do not, as the
// square of a distance. Only whether there is a result is asked of this, not its digits.
#pragma once

#include "analysis/conform/judgement/exact.h"

typedef struct Narrow {
    void  *library;
    size_t bytes;  // of the file's struct Params
    void (*load)(void *params, const long double *values);
    // Whether all components are numbers.
    int (*finite)(long double t, const long double *x, const long double *v, const void *params);
} Narrow;

// Compiles a problem.
//   narrow  zeroed; written; release with narrow_free()
// Errors: those of exact_make().
bool narrow_make(const Card *problem, size_t dofs, bool single, Narrow *narrow, Error *err);
void narrow_free(Narrow *narrow);
