// own_modes -- damping of an oscillation by eight methods, computed another way than in analysis/linear.
//
// Steps are written from the methods' definitions, in long double; their matrices' characteristic polynomials and the
// roots of these need no library.
#pragma once

// A mode of a method.
typedef struct Own {
    double damping;  // -ln(largest |z|)
    double ratio;    // -ln|z|/|arg z| of the complex pair of largest modulus; NaN without
} Own;

Own own_mode(const char *method, double p, double omega);

// The largest damping over Omega by nested scans: each takes the best place of the one before and its neighbours.
double own_max_decay(const char *method, double p);
