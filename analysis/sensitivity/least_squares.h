// least_squares -- linear least squares by LAPACK, with the factors for leave-one-out errors and intervals.
#pragma once

#include "base/arena.h"

// A fit. least_squares_find() makes it; its arrays live as long as the arena.
typedef struct LeastSquares {
    size_t  rows, columns;
    size_t  rank;          // of the matrix; less than `columns` where the fit is refused
    size_t *order;         // [column]: the first `rank` of them are independent, the others depend on them
    double *coefficients;  // [column]
    double *leverages;     // [row]: the diagonal of the hat matrix Q Q', in 0..1
    double *orthogonal;    // [column][row]: Q, an orthonormal basis of the columns
    double *inverse;       // [column][column]: coefficients = inverse Q' values; inverse inverse' = (A'A)^-1
} LeastSquares;

// Finds the c with the least |A c - values|, A the matrix, by QR with column pivoting (Businger and Golub 1965).
// The residual of row i, when the fit is made without that row, is (values - A c)_i / (1 - leverages_i).
//   matrix  [column][row], finite
//   values  [row], finite
//   arena   owns the arrays of the fit
// A pivot of at most rows * DBL_EPSILON of the first one is 0: the fit is refused, with `rank` and `order` filled in. A
// caller that drops the columns order[rank..] and tries again has a fit.
// Errors: ERROR_INPUT (the columns depend on each other), ERROR_INTERNAL (memory, LAPACK).
bool least_squares_find(size_t rows, size_t columns, const double *matrix, const double *values, Arena *arena,
                        LeastSquares *fit, Error *err);
