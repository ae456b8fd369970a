// updates -- inside of certificates: the updates that a solve of Newton's method may take, and whether it may fail.
//
// The iteration is done again in long double from the kernel's own state, with the kernel's differences. Beside each
// residual stands how far the kernel's may be from it: the rounding of the residual before and after the update, of the
// differences that its matrix is made of and of the solution of the linear equation, and the distance before, carried
// through the update to first order. Where a residual is nearer to its threshold than that, the solve may end there or
// go on.
//
// A line search is done again too: the first part of an update that may lower the objective by as much as is asked, and
// the first that must. Where the two differ, the iterate is off by as much as they are apart.
#pragma once

#include "analysis/conform/certificate/solve.h"

enum { UPDATES_RECORDED = 64, UPDATES_FAILURES = 192 };

typedef struct UpdateRecord {
    bool        tolerance, floor;  // the solve may end after it: below the tolerance, or at the rounding floor above
    long double condition[2];      // of the matrix that it was made by, at least and at most; 0: not asked for
} UpdateRecord;

typedef struct UpdateFailure {
    SolveEnd end;
    uint64_t updates;
} UpdateFailure;

typedef struct Updates {
    bool          accepted;                    // it may be
    uint64_t      least, most;                 // updates of a solve that is
    bool          more;                        // it may have more than are counted
    UpdateRecord  records[UPDATES_RECORDED];   // of the first ones
    UpdateFailure failures[UPDATES_FAILURES];  // [failure_count] how it may fail
    size_t        failure_count;
    Vector        u;                       // where it is accepted, with how far it may be from there
    long double   rows[CERTIFICATE_DOFS];  // sums over the matrix of the last update, but for A, at most
    bool          reached;                 // as many updates as are counted could be made
    Vector        last;                    // where they lead, with how far it may be from there
} Updates;

// Finds the possible ends of a solve, as far as it has no more updates than are counted in the substep. `solve` has a
// guess.
void updates_possible(const Judge *judge, const Solve *solve, Updates *possible);

// Whether a solve may be accepted after so many updates, and by which threshold.
bool updates_may_end(const Updates *possible, uint64_t updates, bool *tolerance, bool *floor);
