// spectrum_plot -- pictures of a spectrum: radius, damping ratio and period error over Omega, limits over zeta.
//
// Drawn as plot draws: STEM.png and STEM.svg from the script STEM.gp, which stays beside them. Lines are theory, marks
// the kernel.
#pragma once

#include "analysis/linear/spectrum.h"
#include "base/outputs.h"

// Draws rows (Chung and Hulbert 1993, figures 1-3).
//   stem   without an ending; no control characters
//   rows   [entry_count][zeta_count][omega_count], as spectrum_rows() writes them, Omega ascending
// Errors: those of figure_check_stem() and gnuplot_draw().
bool spectrum_plot_rows(const Spectrum *spectrum, const SpectrumRow *rows, size_t omega_count, size_t zeta_count,
                        const char *stem, const Outputs *outputs, Error *err);

// Draws limits (Fang 2018, figures 4-5); those that are infinite are named only.
//   limits  [entry_count][zeta_count], zeta ascending
// Errors: as spectrum_plot_rows().
bool spectrum_plot_limits(const Spectrum *spectrum, const SpectrumLimit *limits, size_t zeta_count, const char *stem,
                          const Outputs *outputs, Error *err);
