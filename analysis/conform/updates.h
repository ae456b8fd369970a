// updates -- inside of certificates: the updates that a solve of Newton's method may take, and whether it may fail.
//
// The iteration is done again in long double from the kernel's own state, with the kernel's differences. Beside each
// residual stands how far the kernel's may be from it: what rounding leaves in the residual before and after the
// update, in the differences that its matrix is made of, in the solution of the linear equation, and what all this was
// before, carried through the update to first order. Where a residual is nearer to its threshold than that, the solve
// may end there or go on.
#pragma once

#include "analysis/conform/equations.h"

typedef struct Updates {
    bool     accepted;     // it may be
    uint64_t least, most;  // updates of a solve that is
    bool     failed;       // it may fail
    uint64_t fails[2];     // updates of a solve that does: one number or the other
    Vector   u;            // where it is accepted first
} Updates;

Updates updates_possible(const Judge *judge, const Solve *solve);
