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
//
// The candidates are products of polynomials of several factors, in the order of their degree. A term is a product of
// p_k of some factors, of degrees k > 0. Its degree is (sum k^q)^(1/q), with 0 < q <= 1: the hyperbolic norm of Blatman
// and Sudret 2011, with q = 1 the total degree. A q below 1 leaves out terms of many factors.
#pragma once

#include "analysis/sensitivity/polynomials.h"
#include "base/arena.h"

#include <stdint.h>

enum { BASIS_ORDER = 12 };  // most factors of a term

typedef struct BasisTerm {
    uint16_t factors[BASIS_ORDER];  // ascending
    uint8_t  degrees[BASIS_ORDER];  // of each, above 0
    uint8_t  order;                 // number of factors; 0: the constant
} BasisTerm;

// The terms of a basis. Whoever declares it owns it; pursuit_begin() fills it in.
typedef struct Basis {
    BasisTerm    *terms;  // [room]; in the arena
    size_t        count, room;
    size_t        factor_count;
    const size_t *most;  // [factor]: highest degree of each; borrowed
    double        norm;  // q
} Basis;

// Makes a basis of the constant alone.
// Errors: ERROR_INTERNAL (memory).
bool pursuit_begin(size_t room, size_t factor_count, const size_t *most, double norm, Arena *arena, Basis *basis,
                   Error *err);

// Adds the terms above degree - 1, up to degree. False where they do not all fit: the basis then stays as it is.
bool pursuit_add_terms(Basis *basis, size_t degree);

// The polynomials of each factor at each point, up to a degree that grows. pursuit_tabulate() fills it in; the arrays
// live as long as the arena.
typedef struct Regressors {
    size_t             factor_count, count;           // of factors, of points
    const Polynomials *polynomials;                   // [factor]; borrowed
    double            *places;                        // [factor][point]: t
    double            *tables[POLYNOMIALS_MOST + 1];  // of a degree: [factor][point]; NULL above `degree`
    size_t             degree;
} Regressors;

// Makes the tables of degree 0.
//   x       [factor][point number], finite
//   points  [count]: numbers of the points that are meant
// Errors: ERROR_INTERNAL (memory).
bool pursuit_tabulate(const Polynomials *polynomials, size_t factor_count, const double *const *x, const size_t *points,
                      size_t count, Arena *arena, Regressors *regressors, Error *err);

// Adds the polynomials of the next degree. Errors: ERROR_INTERNAL (memory).
bool pursuit_add_degree(Regressors *regressors, Arena *arena, Error *err);

// Finds the value of a term, of a degree that is there, at each point.
//   column  [point] written
void pursuit_column(const Regressors *regressors, const BasisTerm *term, double *column);

// Adds sign * sum of weight * term_i * term_j over the points start <= point < end to gram[i][j] and gram[j][i], for
// first <= i < basis->count and j <= i.
//   weights  [point], not negative
//   gram     [stride][stride], symmetric
// Errors: ERROR_INTERNAL (memory).
bool pursuit_add_gram(const Regressors *regressors, const Basis *basis, size_t first, size_t start, size_t end,
                      const double *weights, double sign, double *gram, size_t stride, Error *err);

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
