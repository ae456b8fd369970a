// condition -- inside of certificates: bounds on the condition number that a kernel finds of a matrix.
//
// By Weyl's inequality no singular value moves by more than the norm of the matrix's perturbation. The perturbation is
// the error of the entries and the rounding of the number's computation: for two unknowns by a closed form; for more by
// Jacobi's rotations, which are backward stable (Demmel and Veselic 1992).
#pragma once

#include "analysis/conform/certificate/iterate.h"

// Bounds the condition number in the 2-norm that the kernel has of a matrix.
//   from    the iterate before that of the matrix; NULL: that is the guess
//   bounds  [2] written: the least and the most
void condition_bound(const Judge *judge, const Solve *solve, const Iterate *matrix, const Iterate *from,
                     long double *bounds);
