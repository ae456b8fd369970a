// effects -- elementary effects of Morris' trajectories.
//
// A Morris trajectory is d + 1 points, each of which differs from the one before in one factor. The elementary effect
// of that factor is the change of the output over the change of the factor on its unit scale, that of its quantiles.
// Over the trajectories a factor has
//   mu       the mean of its effects, and sigma their standard deviation, with r - 1      Morris 1991
//   mu_star  the mean of their magnitudes                         Campolongo, Cariboni and Saltelli 2007
// Of a group of factors that move together, each up or down, effects have no sign: it has mu_star only.
#pragma once

#include "base/arena.h"

#include <stdint.h>

// Of fewer trajectories there is no interval: all of them may have the same effect by chance, and their spread is none.
enum { EFFECTS_LEAST = 8 };

// The trajectories, in order. The arrays are borrowed.
typedef struct EffectsDesign {
    size_t          factor_count;      // d
    size_t          trajectory_count;  // r
    const uint32_t *moved;             // [trajectory][step]: the factor that moves; each moves once
    const double   *steps;             // [trajectory][step]: by how much, with its sign; not 0
    const bool     *joint;             // [factor]: it stands for a group of several factors; NULL: none does
} EffectsDesign;

typedef struct Effect {
    double mu, sigma;  // NaN of a joint factor; sigma also of fewer than two trajectories
    double mu_star;
    double mu_star_conf;  // half of the 95 % interval; NaN of fewer than EFFECTS_LEAST trajectories
} Effect;

typedef struct Effects {
    size_t  used, dropped;  // trajectories; one with an effect that is not finite is dropped
    Effect *factors;        // [factor_count], in the arena; NaN where no trajectory is left
} Effects;

// Finds the effects of one output. Trajectories are independent: the interval of mu_star is Student's, on the scale of
// the logarithm, since magnitudes are skewed, and conf is its longer side.
//   y  [trajectory][factor_count + 1]
// Errors: ERROR_INPUT (a trajectory moves a factor twice, or by nothing), ERROR_INTERNAL (memory).
bool effects_find(const EffectsDesign *design, const double *y, Arena *arena, Effects *found, Error *err);
