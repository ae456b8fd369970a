// lhs -- strata of Latin hypercubes.
#pragma once

#include "design/sampling.h"

// The stratum of a point of a Latin hypercube along a factor: a random permutation of 0..samples - 1 by a Feistel
// network, applied again while it leads beyond samples.
uint64_t lhs_stratum(const Sampling *sampling, size_t factor, uint64_t point);

// Strata of a Latin hypercube whose centred L2 discrepancy (Hickernell 1998) random exchanges have lowered.
//   strata  [factor_count][samples] written
// Errors: ERROR_INTERNAL (memory).
bool lhs_optimise(const Sampling *sampling, uint32_t *strata, Error *err);
