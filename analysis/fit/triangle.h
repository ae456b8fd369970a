// triangle -- a matrix of least squares as its triangular factor, to which rows are added one at a time.
//
// Rows [J_i | r_i] of k + 1 numbers are turned by Givens rotations into
//
//     [ R  q ]        R  k rows and columns, upper triangle:   R^T R = J^T J,  R^T q = J^T r
//     [ 0  w ]        w^2 + q^T q = r^T r
//
// so that |J s + r|^2 = |R s + q|^2 + w^2 for each s. The normal matrix J^T J, which squares the condition number, is
// never formed. A triangle is (k + 1) x (k + 1) numbers, row after row; below the diagonal they are 0.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { TRIANGLE_MOST = 32 };  // parameters

// Numbers of a triangle of k parameters.
static inline size_t triangle_size(size_t k)
{
    return (k + 1) * (k + 1);
}

// Adds a row of k + 1 numbers, which is used up.
void triangle_add(double *triangle, size_t k, double *row);

// r^T r.
double triangle_squares(const double *triangle, size_t k);

// |J s + r|^2.
double triangle_squares_at(const double *triangle, size_t k, const double *s);

// Element j of J^T r, and the length of column j of J.
double triangle_gradient(const double *triangle, size_t k, size_t j);
double triangle_length(const double *triangle, size_t k, size_t j);

// Minimises |J s + r|^2 + damping |D s|^2 by the free elements of s; the others keep their values.
//   scale  [k] diagonal of D, > 0
//   free   [k]
//   s      [k] written where free; 0 along a direction without any size
void triangle_solve(const double *triangle, size_t k, double damping, const double *scale, const bool *free, double *s);

// Singular values of J with each free column over its length, and its right singular vectors. A column of zeros stays
// one. Those of the other columns are 0 and stand behind all others.
//   values   [k] written, descending
//   vectors  [k][k] written, row i that of values[i]
void triangle_spectrum(const double *triangle, size_t k, const bool *free, double *values, double *vectors);

// (J^T J)^-1 of the free columns, 0 in the rows and columns of the others. Directions along which J has at most `part`
// of its largest singular value, its columns over their lengths, are left out.
//   inverse  [k][k] written
//   vectors  [k][k] written, those of triangle_spectrum(); the directions that are left out stand behind the others
// Returns how many are left out.
size_t triangle_invert(const double *triangle, size_t k, const bool *free, double part, double *inverse,
                       double *vectors);
