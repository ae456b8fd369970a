// problem -- problem file of kernels/problems compiled as C, for the reference.
//
// The build writes one ReferenceProblem per problem file: the physics is the one thing the reference shares with the
// kernels. A problem whose card leaves `dofs` to a parameter has an entry for each number of them. Functions the
// problem's card does not provide are NULL. Matrices are row-major, [dofs][dofs].
#pragma once

#include "catalog/problem_c.h"

#include <stdbool.h>
#include <stddef.h>

// The largest number of degrees of freedom a card may declare.
enum { REFERENCE_DOFS = CARD_DOFS };

typedef struct ReferenceProblem {
    const char *name;
    size_t      dofs;
    bool        first_order;   // u' = rate(t, u), as kernels/first_order.h shows it
    size_t      params_bytes;  // size of the problem's Params, which the functions take as `params`
    void (*load)(void *params, const double *values);     // values in card order, a choice as its index
    void (*curves)(void *params, const double *numbers);  // of the card's tables, once for params; NULL: it has none
#define real double
    PROBLEM_FUNCTIONS(PROBLEM_MEMBER)
#undef real
} ReferenceProblem;

extern const ReferenceProblem *const reference_problems[];  // made by the build
extern const size_t                  reference_problem_count;
