// pairs -- damping-equivalent parameters: for values of FROM's parameter the values of TO's that damp alike.
#pragma once

#include "analysis/pairs/roots.h"
#include "analysis/pairs/trial.h"
#include "terminal/table.h"

// Criteria of damping: the number of a method that both methods of a pair have in common.
//
// All but `measured` are numbers of the undamped oscillator, functions of Omega = omega h and the method's parameters.
// mu is the complex pair of largest modulus, radius the largest modulus of all eigenvalues of the amplification matrix
// (Wu 2018, section 3; Chung and Hulbert 1993).
//
//   low_frequency   c of -ln|mu| = c Omega^k + ... as Omega -> 0, from the series of the eigenvalue. Methods of
//   different k have an
//                   equivalent only where both damp nothing
//   high_frequency  the radius as Omega -> infinity
//   radius          -ln(radius) of one step at Omega; in a band the parameter with the least largest |ln(radius ratio)|
//   damping_ratio   xi = -ln|mu|/|arg mu| at Omega; in a band the parameter with the least largest |ln(xi ratio)|
//   decay           -ln(radius)/Omega: over a fixed time omega t the amplitude decays by exp(-decay omega t). TO may
//                   take another step than FROM
//   max_decay       the maximum over Omega of -ln(radius)/Omega, the fastest decay in time that any mode can have
//   measured        a metric of a problem, log_decrement by default, run through the kernel (analysis/pairs/trial)
typedef enum Criterion {
    CRITERION_LOW_FREQUENCY,
    CRITERION_HIGH_FREQUENCY,
    CRITERION_RADIUS,
    CRITERION_DAMPING_RATIO,
    CRITERION_DECAY,
    CRITERION_MAX_DECAY,
    CRITERION_MEASURED,
    CRITERION_COUNT
} Criterion;
extern const char *const criterion_names[CRITERION_COUNT];  // "low_frequency", ...
extern const char *const criterion_about[CRITERION_COUNT];  // a phrase: "-ln(radius) of a step"

// Whether the number is one at an Omega.
bool criterion_takes_omega(Criterion criterion);

// The number; NaN where the method has none there. Not of CRITERION_MEASURED.
//   omega_h  > 0; not read by criteria that take none
//   p        in the row's order
double criterion_number(Criterion criterion, const Theory *theory, const double *p, double omega_h);

// How far rounding may put the number off.
double criterion_noise(Criterion criterion, double omega_h);

enum { PAIR_FROM, PAIR_TO, PAIR_SIDES };

typedef struct PairsRequest {
    const Catalog     *catalog;              // borrowed; must outlive the answers
    Device            *device;               // borrowed; NULL: nothing is run, and `measured` fails
    const char        *methods[PAIR_SIDES];  // FROM, TO
    const char *const *settings;             // [setting_count] as family_make()
    size_t             setting_count;
    Criterion          criterion;
    double             omega_h[PAIR_SIDES];  // Omega of each, >= 0; 0: 1 for both, or FROM's for TO
    double             band[2];              // in place of omega_h: from, to, 0 < from < to; both 0: none
    double             range[2];             // of TO's parameter, ascending; both NaN: all of the card's
    const double      *values;               // [value_count] of FROM's parameter, as given; 0: 21 evenly in its range
    size_t             value_count;
    // The problem that `measured` runs, and that updates and condition numbers are counted on.
    const char        *problem;    // NULL: the default of the criterion; "none": nothing is counted
    const char *const *overrides;  // [override_count] -s KEY=VALUE
    size_t             override_count;
    const char        *metric;  // of `measured`, as a sweep file has it; NULL: log_decrement
} PairsRequest;

// Effects of a method at a pair, besides damping as the criterion has it.
typedef struct PairEffects {
    double period_error;     // at the criterion's Omega, 0.1 where it has none; NaN: no oscillation there
    double radius_infinity;  // NaN: an explicit method
    double updates;          // of a run on the problem; NaN: none was made, or it failed
    double evaluations;      // of the residual, or of the acceleration for an explicit method
    double condition_max;
} PairEffects;

typedef struct Pair {
    double from, to;        // to: NaN where there is no equivalent
    double residual;        // |number of TO/number of FROM - 1|, the plain difference where FROM damps nothing, no less
                            // than rounding leaves open; in a band the largest |logarithm of the ratio|
    double      low, high;  // bracket of `to`
    const Root *roots;      // [root_count] further ones
    size_t      root_count;
    double      number[PAIR_SIDES];  // the criterion's
    const char *reason;              // why there is none; "" where there is
    PairEffects effects[PAIR_SIDES];
    double      cost_ratio;  // TO's evaluations over FROM's; NaN
} Pair;

// The values of FROM's parameter between which equivalents exist.
typedef struct PairsRange {
    double low, high;
} PairsRange;

// Made by pairs_find(), released with pairs_free().
typedef struct Pairs {
    Criterion   criterion;
    Family      families[PAIR_SIDES];
    const char *columns[PAIR_SIDES];  // names of the parameters; METHOD.NAME where both have the same
    double      omega_h[PAIR_SIDES];  // as used; 0: none
    double      band[2];
    const char *problem;      // run; NULL: none
    const char *metric;       // of `measured`; NULL
    double      step, steps;  // of the problem's run; NaN
    double      physical;     // measured: the metric of the companion, which damps nothing of its own; NaN
    Pair       *pairs;        // [count] in the order of the values
    size_t      count;
    PairsRange *ranges;  // [range_count] ascending; of a band none are known
    size_t      range_count;
    Arena       arena;
} Pairs;

// Finds equivalents. Where there are several, the one with the smallest |period error| comes first.
// Errors: ERROR_USAGE (methods, settings, a value out of FROM's range, a criterion's omitted or needless number),
// ERROR_DEVICE (measured without a device), those of trial_make() and trial_run(), ERROR_INTERNAL.
bool pairs_find(const PairsRequest *request, Pairs *pairs, Error *err);
void pairs_free(Pairs *pairs);

// Adds one table row per pair, in their order.
//   csv   header FROM's parameter, TO's, residual, ...; fields without a number are empty, further roots are separated
//         by semicolons
//   json  one object with the criterion and the methods and an array `pairs`; null in place of a missing number
//   text  the criterion, the essential columns, why some have no equivalent, and between which values there are some
void pairs_print(Text *text, Format format, const Pairs *pairs);

typedef struct PairsColumn {
    const char *name, *unit, *about;
} PairsColumn;

// The first few say how good the pair is; in tables further roots and the reason stand behind them.
enum { PAIRS_COLUMNS_FIRST = 3, PAIRS_COLUMNS = 17 };
extern const PairsColumn pairs_words_columns[PAIRS_COLUMNS];

// The number of a column; NaN where there is none.
double pairs_words_number(const Pairs *pairs, const Pair *pair, size_t column);

// Adds the quantity that both methods have in common: "numerical damping of a step, -ln(radius), at Omega = 0.5".
void pairs_words_equal(Text *text, const Pairs *pairs);

// One of the four pairs that Wu found by eye (Wu 2018, section 3), to compare with the computed pairs.
enum { BY_EYE = 4 };
typedef struct ByEye {
    double from, to;
} ByEye;

// The four pairs, where the methods are generalized_alpha and theta2, either way.
//   list   [BY_EYE] written
// Returns how many there are: BY_EYE or 0.
size_t pairs_words_by_eye(const Pairs *pairs, ByEye *list);

// Pairs as a result file, in the layout of sweeps.
//
// The file has one group, `pairs`, whose axis is FROM's parameter: a dimension of its own where all values differ, else
// a coordinate along `point`, as in a zip. Variables are `status` (ok, or not_run where there is no equivalent), TO's
// parameter, the columns of pairs_words, `root_count` (how many equivalents there are) and, where some value has more
// than one, `root_2`, `root_3`, ...: the further ones. Everything that is not a number of a pair is in the attribute
// `settings`, and the group's attributes are FROM's fixed parameters, and step and steps of the problem's run (NaN and
// 0 where they are not known).
// Whether a name is one of a result file: it ends with .h5.
bool pairs_file_is(const char *path);

// Checks that there is room for a file of so many pairs, before anything is computed.
// Errors: ERROR_IO (no such folder, not writable, no space).
bool pairs_file_check(const char *path, size_t count, Error *err);

// Writes the file.
// Errors: those of store_open() and store_write(), ERROR_INTERNAL.
bool pairs_file_write(const char *path, bool replace, const Pairs *pairs, Error *err);

// The picture is drawn as plot draws: STEM.png and STEM.svg from the script STEM.gp, which stays beside them. Further
// equivalents are lighter, values without one are shaded, and Wu's pairs by eye are diamonds. The panels beside it show
// the damping of a chosen pair over Omega, by theory; where a method has no theory they are left out.

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
