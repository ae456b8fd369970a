// eigen -- linear algebra by LAPACK: solves, singular values, eigenvalues; norms.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Solves matrix d = right by LU with partial pivoting.
//   matrix  [n][n], row-major
//   right   [n]; on success holds d
// False when a pivot is zero or not finite.
bool eigen_solve(size_t n, const double *matrix, double *right);

// The same of several right sides.
//   right  [count][n]; on success holds the solutions
bool eigen_solve_all(size_t n, size_t count, const double *matrix, double *right);

// The pivots of that elimination, in its order: a 0 and the pivots after it belong to a singular matrix.
//   matrix  [n][n], row-major, finite
//   pivots  [n] written
void eigen_pivots(size_t n, const double *matrix, double *pivots);

// Condition number in the 2-norm, sigma_max/sigma_min, by one-sided Jacobi, which finds small singular values to high
// relative accuracy. 1 where n = 1; INFINITY for a singular matrix; NaN where an element is not finite.
double eigen_condition(size_t n, const double *matrix);

// max |vector[i]|.
double eigen_inf_norm(size_t count, const double *vector);

// Whether every element is a finite number.
bool eigen_all_finite(size_t count, const double *vector);

enum { EIGEN_VALUES_MOST = 16 };

// The eigenvalues, conjugate pairs side by side with the positive imaginary part first.
//   n                1..EIGEN_VALUES_MOST
//   matrix           [n][n], row-major
//   real, imaginary  [n] written
//   condition        [n] written: how many times an error of the matrix moves each eigenvalue, to first order.
//                    NULL: not wanted
//   norm             written with condition: the 1-norm of the matrix
// False where an element is not finite, or LAPACK's iteration does not end.
bool eigen_values(size_t n, const double *matrix, double *real, double *imaginary, double *condition, double *norm);
