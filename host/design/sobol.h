// sobol -- points of Sobol' sequences, as they are and with Owen's nested scrambling.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOBOL_DIMENSIONS = 512, SOBOL_BITS = 32, SOBOL_DEGREE = 13 };

// The initial values of a dimension other than the first.
typedef struct SobolDirections {
    uint16_t polynomial;             // primitive over GF(2), of degree s
    uint16_t initial[SOBOL_DEGREE];  // [s] odd numbers m_1, m_2, ...
} SobolDirections;

extern const SobolDirections sobol_directions[SOBOL_DIMENSIONS - 1];

// The direction numbers of a dimension: v_k = m_k 2^(32 - k) (Joe and Kuo 2008, eq. 2).
//   dimension   0..SOBOL_DIMENSIONS - 1
//   directions  written
void sobol_find_directions(size_t dimension, uint32_t directions[SOBOL_BITS]);

// Coordinate of point `index` in units of 2^-32, in the order of Antonov and Saleev (Gray code), which is that of Joe
// and Kuo's program: 0, 1/2, 3/4, 1/4, ...
uint32_t sobol_coordinate(const uint32_t directions[SOBOL_BITS], uint32_t index);

// 64 scrambled bits of a coordinate: a random permutation of each binary digit that depends on all digits before it
// (Owen, "Randomly permuted (t, m, s)-nets and (t, s)-sequences", 1995). Points of a net stay a net, each point is
// uniform on [0, 1), and the digits behind the 32nd are random.
uint64_t sobol_scramble(uint32_t coordinate, uint64_t seed, size_t dimension);
