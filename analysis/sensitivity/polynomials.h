// polynomials -- polynomials of one factor that are orthonormal under its distribution.
//
// They follow from a recurrence of three terms (Gautschi, "Orthogonal Polynomials", 2004, section 1.3), in the variable
// t = (x - shift) / scale, or (ln x - shift) / scale:
//   root[k + 1] p_k+1 = (t - centre[k]) p_k - root[k] p_k-1,   p_0 = 1
//
//   uniform, loguniform       Legendre's, of x and of ln x
//   normal, lognormal         Hermite's, of x and of ln x
//   beta                      Jacobi's
//   integer                   Chebyshev's of a discrete variable
//   truncated_normal,         the discretised Stieltjes procedure (Gautschi 1982) on Gauss nodes
//   triangular, choice, data  or on the values themselves; of data: Oladyshkin and Nowak 2012
#pragma once

#include "base/error.h"
#include "design/distribution.h"

enum { POLYNOMIALS_MOST = 24 };  // highest degree

// The polynomials of one factor. Whoever declares it owns it; it has no memory of its own.
typedef struct Polynomials {
    size_t degree;     // the highest: less than POLYNOMIALS_MOST of few values, 0 of one value
    bool   logarithm;  // t is of ln x
    double shift, scale;
    double centre[POLYNOMIALS_MOST + 1], root[POLYNOMIALS_MOST + 1];
} Polynomials;

// Makes the polynomials of a distribution that distribution_refuses() does not refuse.
// A choice of m different values has degree m - 1 at most, and so have m whole numbers.
// Errors: ERROR_INTERNAL (memory).
bool polynomials_make(const Distribution *distribution, Polynomials *polynomials, Error *err);

// Makes the polynomials of values without a known distribution: each is as likely as the others.
//   values  [count], finite; the degree is less than the number of different ones
// Errors: ERROR_INPUT (no values, or one that is not finite), ERROR_INTERNAL (memory).
bool polynomials_make_data(const double *values, size_t count, Polynomials *polynomials, Error *err);

// The variable t of a value x; not finite where x is not, or has no logarithm.
double polynomials_place(const Polynomials *polynomials, double x);

// Finds p_0 .. p_degree at t.
//   degree  at most that of the polynomials
//   values  [degree + 1] written
void polynomials_find(const Polynomials *polynomials, double t, size_t degree, double *values);
