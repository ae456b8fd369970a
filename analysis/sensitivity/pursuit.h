// pursuit -- the terms of a sparse regression, taken one by one with their leave-one-out error.
//
// Orthogonal least squares (Chen, Billings and Luo 1989): the next term is the one that lessens the sum of squared
// residuals most when all coefficients are fitted anew. Least-angle regression (Blatman and Sudret 2011) takes the term
// most correlated with the residual, which may depend on terms already taken, and needs a least-squares fit of each
// model on its path for the error. Here a term that depends on others is never taken, and the leave-one-out error of
// each model follows from that of the one before.
//
// The criterion that ends the path is the leave-one-out error times n / (n - k) (1 + tr(C^-1) / n), for k terms at n
// points with C = A'A / n (Chapelle, Vapnik and Bengio 2002).
#pragma once

#include "analysis/sensitivity/regressors.h"

// A regression, and room to solve it. The first part is borrowed; pursuit_make_room() makes the second, in its arena.
typedef struct Pursuit {
    const Regressors *regressors;
    const Basis      *basis;    // the candidates; the first is the constant
    const double     *gram;     // [stride][stride]: sums of weight * term * term
    double           *moments;  // [candidate]: sums of weight * term * value
    size_t            stride;
    double           *weights;  // [point]; 0: the point is left out of the fit
    const double     *counts;   // [point]: weights for the error of points left out
    const double     *values;   // [point]
    size_t            most;     // terms that may be taken

    double *rows;                  // [most][stride]: products of the orthonormal columns with the candidates
    double *columns;               // [most][point]: the orthonormal columns
    double *inverse;               // [most][most]: of the triangle between terms and orthonormal columns
    double *lengths;               // [candidate]: squared, of the part orthogonal to the terms taken; -1: taken
    double *products;              // [candidate] with the residual
    double *residuals, *leverage;  // [point]
} Pursuit;

// The results of a pursuit. Whoever declares it owns it, `terms` excepted.
typedef struct PursuitFound {
    size_t *terms;  // [most] of the pursuit; borrowed; the first `count` are written
    size_t  count;
    double  corrected;  // mean squared error by leave-one-out, times the correction above
    double  left_out;   // sum of counts * error^2 over the points left out of the fit
} PursuitFound;

// Makes room for `most` terms among at most `stride` candidates. Errors: ERROR_INTERNAL (memory).
bool pursuit_make_room(Pursuit *pursuit, Arena *arena, Error *err);

// Finds the terms of the model with the least corrected error on the path.
void pursuit_find(Pursuit *pursuit, PursuitFound *found);
