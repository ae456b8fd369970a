// spectrum -- radius, damping, period error and stability limits of methods, by theory and by the kernel.
//
// Both are functions of Omega = omega h and zeta (Wu 2018, section 3; Fang 2018, section 4.3). Theory is the matrix of
// analysis/linear/theory, the kernel's is probed. Where a card has no equations, the kernel's matrix stands for
// both.
#pragma once

#include "analysis/linear/probe.h"
#include "analysis/linear/theory.h"
#include "terminal/numbers.h"
#include "terminal/table.h"

// A method and a value for each of its parameters.
typedef struct SpectrumEntry {
    const Card   *method;
    const Theory *theory;      // NULL: the card has no equations
    double       *parameters;  // [parameter_count of the card]
    size_t        probe;       // its number among the probes: entries of one method and the same choices share one
} SpectrumEntry;

// The methods of a spectrum, and their kernels. Zero-initialise it; release with spectrum_close().
typedef struct Spectrum {
    const Catalog *catalog;  // borrowed
    Device        *device;   // borrowed, set by the caller after opening; NULL: theory alone
    SpectrumEntry *entries;  // [entry_count]
    size_t         entry_count;
    Probe        **probes;  // [probe_count], built when they are first needed
    size_t         probe_count;
    Arena          arena;
} Spectrum;

// Finds methods and their settings.
//   catalog          borrowed; must outlive the spectrum
//   methods          [method_count] names; `all`: every method with a matrix
//   settings         [setting_count] "NAME=VALUE" or "METHOD.NAME=VALUE" for every method that has the parameter; VALUE
//                    is a number or choice, or several numbers with commas, each of which makes an entry
// Errors: ERROR_USAGE (unknown method or parameter, one without a matrix, a value out of range), ERROR_INTERNAL.
bool spectrum_open(const Catalog *catalog, const char *const *methods, size_t method_count, const char *const *settings,
                   size_t setting_count, Spectrum *spectrum, Error *err);
void spectrum_close(Spectrum *spectrum);

// Adds "rho_inf = 0.6" for the parameters of an entry; nothing where it has none.
void spectrum_place(Text *text, const SpectrumEntry *entry);

typedef struct SpectrumRow {
    double omega_h, zeta;
    Mode   mode;
    double radius_kernel;  // NaN without a device
} SpectrumRow;

// Computes the rows of all entries.
//   rows  [entry_count][zeta_count][omega_count] written, NaN where there is neither theory nor device; the spectrum's
// Errors: ERROR_USAGE (more than 200000 rows), those of probe_make() and probe_matrices(), ERROR_INTERNAL.
bool spectrum_rows(Spectrum *spectrum, const Numbers *omegas, const Numbers *zetas, SpectrumRow **rows, Error *err);

// The matrices of limits are looked at from the least to the largest of these Omega.
#define SPECTRUM_LEAST 1e-3
#define SPECTRUM_LARGEST 1e4

// The largest Omega up to which the spectral radius is at most 1.
typedef struct SpectrumLimit {
    double zeta;
    double theory;  // INFINITY: none; NaN: the method has no equations
    double kernel;  // INFINITY: none up to SPECTRUM_LARGEST; NaN without a device
} SpectrumLimit;

// Finds the limits of all entries: the kernel's by a scan and repeated division, to 1e-9 of itself. matrix_is_stable()
// decides; where a radius rises from 0 on so slowly that no limit would be found, the limit is 0.
//   limits  [entry_count][zeta_count] written; the spectrum's
// Errors: as spectrum_rows().
bool spectrum_limits(Spectrum *spectrum, const Numbers *zetas, SpectrumLimit **limits, Error *err);

// The search alone, on a probe.
//   critical  [zeta_count] written
bool spectrum_search(Probe *probe, const double *parameters, const double *zetas, size_t zeta_count, double *critical,
                     Error *err);

// Adds the rows of all entries, or their limits. Columns of csv are the numbers, then the method, then every parameter
// that one of the methods has.
//   rows, limits  [entry_count][per_entry]; one of them is NULL
void spectrum_print(Text *text, Format format, const Spectrum *spectrum, const SpectrumRow *rows,
                    const SpectrumLimit *limits, size_t per_entry);

// Pictures are drawn as plot draws: STEM.png and STEM.svg from the script STEM.gp, which stays beside them. Lines are
// theory, marks the kernel.

// Draws rows (Chung and Hulbert 1993, figures 1-3).
//   stem   without an ending; no control characters
//   rows   [entry_count][zeta_count][omega_count], as spectrum_rows() writes them, Omega ascending
// Errors: those of figure_check_stem() and gnuplot_draw().
bool spectrum_plot_rows(const Spectrum *spectrum, const SpectrumRow *rows, size_t omega_count, size_t zeta_count,
                        const char *stem, const Outputs *outputs, Error *err);

// Draws limits (Fang 2018, figures 4-5); infinite limits are named only.
//   limits  [entry_count][zeta_count], zeta ascending
// Errors: as spectrum_plot_rows().
bool spectrum_plot_limits(const Spectrum *spectrum, const SpectrumLimit *limits, size_t zeta_count, const char *stem,
                          const Outputs *outputs, Error *err);
