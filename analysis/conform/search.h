// search -- inside of certificates: how much of an update a line search may take.
#pragma once

#include "analysis/conform/equations.h"

// Where a search begins, and along what: Newton's direction. Both, and the residual, with how far the kernel's may be
// from them.
typedef struct SearchStart {
    Vector u, f, way;
    bool   down;    // the way leads down in any case
    bool   turned;  // the way has become that of steepest descent
} SearchStart;

typedef struct SearchPart {
    long double first;  // the largest part of the way that may do
    long double last;   // the largest that must; 0: none must
    bool        found;  // one may
} SearchPart;

// Armijo's rule (Armijo 1966; Chern 2024, "Line search"): the first of the parts 1, 1/2, ..., 2^-40 of the way by which
// the objective falls by 1e-4 of what its slope promises, but for its rounding. Where the way does not lead down, it
// becomes that of steepest descent, -f; where it may not, either.
//   start  its way is what the part is of
SearchPart search_part(const Judge *judge, const Solve *solve, SearchStart *start);

// The guess is where the objective is a number, or no motion.
void search_guess(const Judge *judge, const Solve *solve, Vector *guess);
