// draw -- purposes of the random numbers of a design, strata of Latin hypercubes and trajectories of Morris' design.
#pragma once

#include "design/sampling.h"

// The upper half of a counter holds this and a factor.
typedef enum DrawPurpose {
    DRAW_VALUE,
    DRAW_STRATUM,
    DRAW_LEVEL,
    DRAW_ORDER,
    DRAW_EXCHANGE,
    DRAW_DIMENSION
} DrawPurpose;

static inline uint64_t draw_for(DrawPurpose draw, uint64_t which)
{
    return (uint64_t)draw << 32 | which;
}

// The stratum of a point of a Latin hypercube along a factor: a random permutation of 0..samples - 1 by a Feistel
// network, applied again while it leads beyond samples.
uint64_t lhs_stratum(const Sampling *sampling, size_t factor, uint64_t point);

// Strata of a Latin hypercube whose centred L2 discrepancy (Hickernell 1998) random exchanges have lowered.
//   strata  [factor_count][samples] written
// Errors: ERROR_INTERNAL (memory).
bool lhs_optimise(const Sampling *sampling, uint32_t *strata, Error *err);

// The level of a factor, of `levels`, at a point of a trajectory.
//   trajectory  of all that the seed makes
//   step        0..group_count: points before it have moved as many groups
unsigned morris_level(const Sampling *sampling, size_t factor, uint64_t trajectory, size_t step);

// The group that moves in a step, 1..group_count, and whether its first factor goes up.
size_t morris_moved(const Sampling *sampling, uint64_t trajectory, size_t step, bool *up);

// Chooses `samples` of `optimise` trajectories that are far from each other: the two that are furthest apart, then
// always the one with the largest sum of squared distances to the chosen ones (Campolongo, Cariboni and Saltelli 2007,
// section 3, by the greedy search of Ruano, Ribes and Ferrer 2012). Distances follow their equation 10.
//   chosen  [samples] written, ascending
// Errors: ERROR_INTERNAL (memory).
bool morris_choose(const Sampling *sampling, uint32_t *chosen, Error *err);
