// iterate -- inside of certificates: an iterate of Newton's method, and the step to the next.
#pragma once

#include "analysis/conform/certificate/solve.h"

// An iterate and its bounds. The matrices stand in the room of the substep.
typedef struct Iterate {
    Vector      u, f;                     // the residual's bounds are its own rounding
    long double off[CERTIFICATE_DOFS];    // how far the kernel's residual may be from f
    long double moved[CERTIFICATE_DOFS];  // how far its iterate may be from u
    long double size[CERTIFICATE_DOFS];   // of the unknowns, by which they are compared
    SolveMatrix J, inverse;               // the matrix
    SolveMatrix slopes, bends;            // the derivatives, and how they change on the way
    SolveMatrix error;                    // how far the entries of the kernel's matrix may be off
    bool        first;                    // it is the guess
    bool        finite, fits;             // the residual is a number; it is one in the kernel's precision too
    bool        bent;                     // how the derivatives change is known
    bool        turned;                   // the update that led here was one of steepest descent
    bool        singular, pivots;         // no pivots in long double; the kernel has some in any case
} Iterate;

// Gives an iterate its matrices.
//   which  of the iterates of a solve, 0 to CERTIFICATE_ITERATES - 1
void iterate_make(const Judge *judge, size_t which, Iterate *it);

// A matrix for what is found and used at once.
SolveMatrix iterate_spare(const Judge *judge);

// Sets the first iterate: the guess of a solve.
void iterate_begin(const Judge *judge, const Solve *solve, Iterate *it);

// The iterate, with how far the kernel's may be from it.
Vector iterate_known(const Judge *judge, const Iterate *it);

// Whether the kernel's iterate may be another.
bool iterate_is_off(const Judge *judge, const Iterate *it);

// Finds the matrix at an iterate by the differences that the kernel takes; an analytic one as exactly as can be.
void iterate_matrix(const Judge *judge, const Solve *solve, Iterate *it);

// Inverts a matrix that was found, and looks whether the kernel's may be singular.
void iterate_invert(const Judge *judge, Iterate *matrix);

// Goes to u - J^-1 f, or a part of that way. False where no part may do.
//   ends  written: no part must do
bool iterate_step(const Judge *judge, const Solve *solve, const Iterate *from, const Iterate *matrix, Iterate *to,
                  bool *ends);

// Carries the error of the iterate before through the step. Both have their matrices, where these are made anew.
//   off  the iterate before was off at all
void iterate_carry(const Judge *judge, const Solve *solve, const Iterate *from, const Iterate *matrix, bool off,
                   Iterate *to);
