// eigenvalues -- eigenvalues of a small nonsymmetric matrix, by LAPACK, and how well they are determined.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { EIGENVALUES_MOST = 16 };

// The eigenvalues, conjugate pairs side by side with the positive imaginary part first.
//   n                1..EIGENVALUES_MOST
//   matrix           [n][n], row-major
//   real, imaginary  [n] written
//   condition        [n] written: how many times an error of the matrix moves each eigenvalue, to first order.
//                    NULL: not wanted
//   norm             written with condition: the 1-norm of the matrix
// False where an element is not finite, or LAPACK's iteration does not end.
bool eigenvalues_find(size_t n, const double *matrix, double *real, double *imaginary, double *condition, double *norm);
