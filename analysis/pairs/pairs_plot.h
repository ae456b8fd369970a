// pairs_plot -- picture of pairs: TO's parameter over FROM's, and the damping of both methods at one pair.
//
// Drawn as plot draws: STEM.png and STEM.svg from the script STEM.gp, which stays beside them. Further equivalents are
// lighter, values without one are shaded, and Wu's pairs by eye are diamonds. The panels beside it show the damping of
// a chosen pair over Omega, by theory; where a method has no theory they are left out.
#pragma once

#include "analysis/pairs/pairs.h"
#include "base/outputs.h"

// The pair that has an equivalent and is nearest to a value of FROM's parameter; NaN: the one in the middle. NULL where
// no pair has one.
const Pair *pairs_plot_choose(const Pairs *pairs, double value);

// Draws.
//   curve  the same at more values, for a smooth line; or the pairs themselves
//   pair   for the panels over Omega; NULL: without them
//   stem   without an ending; no control characters
// Errors: those of figure_check_stem() and gnuplot_draw().
bool pairs_plot(const Pairs *pairs, const Pairs *curve, const Pair *pair, const char *stem, const Outputs *outputs,
                Error *err);
