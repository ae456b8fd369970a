// column -- a column of the matrix of a solve: the derivatives of its residual, as the kernel has them.
#pragma once

#include "analysis/conform/certificate/solve.h"

// A column of the matrix df/du, and how far the kernel's may be off, beside its rounding of an entry.
typedef struct MatrixColumn {
    long double at[CERTIFICATE_DOFS], off[CERTIFICATE_DOFS];
} MatrixColumn;

// Column j at the guess u, where the residual is f: by the kernel's differences, or as exactly as can be where its is
// analytic.
MatrixColumn column_find(const Judge *judge, const Solve *solve, const Vector *u, size_t j, const Vector *f);

// Column j by differences of a width; `from` is the residual at u where they are forward, else NULL. Where rounding
// decides between two widths, the kernel's may be either.
MatrixColumn column_between(const Judge *judge, const Solve *solve, const Vector *u, size_t j, long double least,
                            long double most, const Vector *from);

// Column j next to u, by forward differences in which no bounds are.
MatrixColumn column_near(const Judge *judge, const Solve *solve, const Vector *u, size_t j, const Vector *f);
