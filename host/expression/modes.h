// modes -- natural modes of a mass and a stiffness matrix of numbers, and the damping matrices that they give.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// The damping matrix of each mode for a damping ratio of 1, in ascending order of the natural frequencies omega:
// 2 omega M phi (M phi)', where phi' M phi = 1. Their sum by ratios zeta is the damping in which mode i has the ratio
// zeta_i and no mode moves another (Clough and Penzien 1993, Dynamics of Structures, eq. 12-57b).
//   mass, stiffness  [n][n] of numbers
//   modes            [n][n][n] written: matrices, symmetric to the bit
// False with *why set: a matrix is not symmetric, M not positive definite, K not positive semidefinite, or no memory.
//
// The eigenvectors are found by Jacobi's rotations (Golub and Van Loan 2013, Matrix Computations, 8.5), in an order of
// operations of its own: LAPACK's has other last digits on other processors, and a sweep's numbers must not.
bool modes_damping(size_t n, const double *mass, const double *stiffness, double *modes, const char **why);
