// regressors -- the terms of a basis at points: their columns and the products of these.
#pragma once

#include "analysis/sensitivity/basis.h"
#include "analysis/sensitivity/polynomials.h"

// The polynomials of each factor at each point, up to a degree that grows. regressors_make() fills it in; the arrays
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
bool regressors_make(const Polynomials *polynomials, size_t factor_count, const double *const *x, const size_t *points,
                     size_t count, Arena *arena, Regressors *regressors, Error *err);

// Adds the polynomials of the next degree. Errors: ERROR_INTERNAL (memory).
bool regressors_add_degree(Regressors *regressors, Arena *arena, Error *err);

// Finds the value of a term, of a degree that is there, at each point.
//   column  [point] written
void regressors_find(const Regressors *regressors, const BasisTerm *term, double *column);

// Adds sign * sum of weight * term_i * term_j over the points start <= point < end to gram[i][j] and gram[j][i], for
// first <= i < basis->count and j <= i.
//   weights  [point], not negative
//   gram     [stride][stride], symmetric
// Errors: ERROR_INTERNAL (memory).
bool regressors_add_gram(const Regressors *regressors, const Basis *basis, size_t first, size_t start, size_t end,
                         const double *weights, double sign, double *gram, size_t stride, Error *err);
