// variance_sums -- which sums of a bundle stand where, for variance_add() and variance_find().
//
// a, b, p and q are outputs of A, B, AB_i and BA_i minus the centre.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// The sums of a bundle begin with these; then come sums of each factor, then the sum of q_i p_j of each pair.
enum { SUM_COUNT, SUM_A, SUM_B, SUM_AA, SUM_BB, SUM_AB, SUM_FACTORS };

// Sums of a factor.
enum {
    SUM_P,
    SUM_PP,
    SUM_Q,
    SUM_TOTAL,  // (a - p)^2
    SUM_FIRST,  // (b - p)^2
    SUM_CROSS,  // b (p - a)
    SUMS_OF_FACTOR
};

static inline size_t variance_sums_of(size_t factor)
{
    return SUM_FACTORS + SUMS_OF_FACTOR * factor;
}
