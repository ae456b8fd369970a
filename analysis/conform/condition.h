// condition -- inside of certificates: bounds on the condition number that a kernel finds of a matrix.
//
// By Weyl's inequality no singular value moves by more than the norm of what is added to the matrix. That is what the
// entries may be off, and what finding the number rounds: for two unknowns the operations of a closed form; for more
// those of Jacobi's rotations, which are backward stable (Demmel and Veselic 1992).
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Bounds the condition number in the 2-norm.
//   matrix, off  [n][stride] entries, and how far the kernel's may be from them
//   u            roundoff of its precision
//   limit        its largest number
//   width        it has the matrix times this
//   closed       it has a closed form for two unknowns
//   bounds       written: at least, at most
void condition_bound(size_t n, size_t stride, const long double *matrix, const long double *off, long double u,
                     long double limit, long double width, bool closed, long double bounds[2]);
