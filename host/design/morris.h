// morris -- trajectories of Morris' design.
#pragma once

#include "design/sampling.h"

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
