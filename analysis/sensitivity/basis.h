// basis -- products of polynomials of several factors, in the order of their degree.
//
// A term is a product of p_k of some factors, of degrees k > 0. Its degree is (sum k^q)^(1/q), with 0 < q <= 1: the
// hyperbolic norm of Blatman and Sudret 2011, with q = 1 the total degree. A q below 1 leaves out terms of many
// factors.
#pragma once

#include "base/arena.h"

#include <stdint.h>

enum { BASIS_ORDER = 12 };  // most factors of a term

typedef struct BasisTerm {
    uint16_t factors[BASIS_ORDER];  // ascending
    uint8_t  degrees[BASIS_ORDER];  // of each, above 0
    uint8_t  order;                 // number of factors; 0: the constant
} BasisTerm;

// The terms of a basis. Whoever declares it owns it; basis_make() fills it in.
typedef struct Basis {
    BasisTerm    *terms;  // [room]; in the arena
    size_t        count, room;
    size_t        factor_count;
    const size_t *most;  // [factor]: highest degree of each; borrowed
    double        norm;  // q
} Basis;

// Makes a basis of the constant alone.
// Errors: ERROR_INTERNAL (memory).
bool basis_make(size_t room, size_t factor_count, const size_t *most, double norm, Arena *arena, Basis *basis,
                Error *err);

// Adds the terms above degree - 1, up to degree. False where they do not all fit: the basis then stays as it is.
bool basis_add(Basis *basis, size_t degree);
