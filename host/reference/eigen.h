// eigen -- linear algebra of the reference: solves and singular values by LAPACK, norms.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Solves matrix d = right by LU with partial pivoting.
//   matrix  [n][n], row-major
//   right   [n]; on success holds d
// False when a pivot is zero or not finite.
bool eigen_solve(size_t n, const double *matrix, double *right);

// Condition number in the 2-norm, sigma_max/sigma_min, by one-sided Jacobi, which finds small singular values to high
// relative accuracy. 1 where n = 1; INFINITY for a singular matrix; NaN where an element is not finite.
double eigen_condition(size_t n, const double *matrix);

// max |vector[i]|.
double eigen_inf_norm(size_t count, const double *vector);

// Whether every element is a finite number.
bool eigen_all_finite(size_t count, const double *vector);
