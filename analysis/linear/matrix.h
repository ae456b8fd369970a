// matrix -- amplification matrices: small square matrices, passed by value.
//
// A method's step on the oscillator x'' + 2 zeta omega x' + omega^2 x = 0 is a matrix A on its state. Scaled by the
// step h, the state is [x, h v], then the method's own vectors (accelerations as h^2 a), then [x, h v] one step back of
// a two-step method; A then depends on Omega = omega h and zeta only.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { MATRIX_MOST = 8 };

typedef struct Matrix {
    size_t n;  // <= MATRIX_MOST
    double a[MATRIX_MOST][MATRIX_MOST];
} Matrix;

// Of a matrix of two rows.
Matrix matrix_inverse(Matrix m);
double matrix_determinant(Matrix m);

// The effect of a matrix on an oscillation (Wu 2018, section 3; Chung and Hulbert 1993). mu is the complex pair of
// largest modulus, the motion itself; the other eigenvalues are the method's own.
typedef struct Mode {
    double radius;         // largest |eigenvalue|; NaN where the matrix is not finite
    double damping_ratio;  // -ln|mu|/|arg mu|, the numerical (and, with zeta, physical) damping; NaN: all are real
    double period_error;   // Omega/|arg mu| - 1, relative; NaN: all are real
} Mode;

Mode matrix_mode(Matrix m, double omega_h);

// radius alone.
double matrix_radius(Matrix m);

// Whether no eigenvalue exceeds 1 by more than 1e-10 plus its shift by rounding of the matrix, both times `slack`.
// Eigenvalues that (nearly) coincide, as where all tend to -1, are uncertain: the radius alone does not decide.
bool matrix_is_stable(Matrix m, double slack);

// The same for any excess.
bool matrix_is_within(Matrix m, double excess, double slack);
