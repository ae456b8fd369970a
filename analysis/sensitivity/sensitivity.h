// sensitivity -- indices of the outputs of a result file: which factor they depend on, and how far.
//
// A table has a row for each factor (or group of factors) and, with second order, for each pair; its numbers depend on
// the index that the group's design serves:
//
//   saltelli                            sobol    S1 S1_conf ST ST_conf, of pairs S2 S2_conf
//   morris                              morris   mu mu_star mu_star_conf sigma
//   local                               local    derivative error elasticity sd share output_sd
//   one_at_a_time                       swing    least most swing
//   random, lhs, sobol, points, grid    given    S1 S1_conf pawn pawn_dummy
//   the same, A and B of saltelli       delta    delta delta_conf
//   random, lhs, points                 shapley  shapley shapley_conf
//   random, lhs, sobol, points, saltelli's A and B, with derivatives
//                                       dgsm     nu nu_conf ST_bound ST_bound_conf
//   the same, A and B of saltelli       chaos    S1 S1_conf ST ST_conf, of pairs S2 S2_conf, shapley shapley_conf
#pragma once

#include "analysis/sensitivity/study.h"
#include "base/text.h"
#include "terminal/coordinates.h"
#include "terminal/table.h"

typedef enum SensitivityIndex {
    SENSITIVITY_SOBOL,
    SENSITIVITY_MORRIS,
    SENSITIVITY_LOCAL,
    SENSITIVITY_SWING,
    SENSITIVITY_GIVEN,
    SENSITIVITY_CHAOS,
    SENSITIVITY_DELTA,
    SENSITIVITY_SHAPLEY,
    SENSITIVITY_DGSM,
    SENSITIVITY_COUNT,
    SENSITIVITY_AUTO = SENSITIVITY_COUNT  // the one that the design serves
} SensitivityIndex;

extern const char *const sensitivity_names[SENSITIVITY_COUNT];  // "sobol", ...

enum { SENSITIVITY_NUMBERS = 8, SENSITIVITY_LOCAL_SPREAD = 5 };

// The names of an index's numbers, in the order of SensitivityRow; NULL behind the last.
extern const char *const sensitivity_numbers[SENSITIVITY_COUNT][SENSITIVITY_NUMBERS + 1];

// Whether they are in the unit of the output; others have none.
extern const bool sensitivity_has_unit[SENSITIVITY_COUNT][SENSITIVITY_NUMBERS];

// Words of a request: how the first-order index is found, and what becomes of failed points.
enum { SENSITIVITY_ESTIMATORS = 4, SENSITIVITY_RULES = 4 };
extern const char *const sensitivity_estimators[SENSITIVITY_ESTIMATORS];  // "saltelli", ..., "auto"
extern const char *const sensitivity_rules[SENSITIVITY_RULES];            // "drop", ...

// The coordinate along which each place has a table.
typedef enum SensitivityOver {
    SENSITIVITY_OVER_NOTHING,
    SENSITIVITY_OVER_TIME,    // the samples of trajectories
    SENSITIVITY_OVER_SAMPLES  // the first N, N/2, N/4, .. base samples: how estimates converge
} SensitivityOver;

extern const char *const sensitivity_over_names[SENSITIVITY_OVER_SAMPLES + 1];  // "", "time", "samples"

typedef struct SensitivityRequest {
    const char      *path;
    const char     **metrics;  // [metric_count]; none: all
    size_t           metric_count;
    const char     **labels;  // [label_count] of groups; none: all
    size_t           label_count;
    SensitivityIndex index;
    unsigned         estimator;  // VarianceEstimator
    StudyFailed      failed;
    SensitivityOver  over;
    size_t           replicates;  // of the bootstrap; 0: the index's own
    uint64_t         seed;
    double           within;  // the half width that is wanted; 0: none was said
    // Standard deviations of factors, of local; NULL, or not of a factor: that of its distribution.
    const Coordinates *deviations;
} SensitivityRequest;

typedef struct SensitivityRow {
    const char *factor, *other;  // of a pair; else other is NULL
    double      numbers[SENSITIVITY_NUMBERS];
} SensitivityRow;

// Indices of one output at one row of the study and one place along time or samples.
typedef struct SensitivityTable {
    SensitivityIndex   index;
    const Study       *study;
    const StudyOutput *output;
    uint64_t           row;
    double             place;  // time, or the number of samples; NaN: over nothing
    StudyTally         tally;
    double             mean, deviation;     // of the output over the design
    const char        *estimator, *reason;  // how the first-order index was found, and why so; static texts, or NULL
    double             quality;             // Q2 of an expansion; NaN: there is none
    size_t             slices[2];           // of PAWN: the least and the largest number of a factor; 0: not found
    const char        *trouble;             // why there are no indices; NULL: there are. Static text
    SensitivityRow    *rows;                // [row_count]
    size_t             row_count;
} SensitivityTable;

// The index that is asked for, or the one that the design serves. Errors: ERROR_USAGE (the design does not serve it:
// one that would is named).
bool sensitivity_choose(const SensitivityRequest *request, const Study *study, SensitivityIndex *index, Error *err);

// Finds the tables of a group one by one.
//   see  called with each table, which is valid during the call
// Errors: ERROR_USAGE (no such metric; the design does not serve the index: another one is named), those of
// study_scan().
typedef bool SensitivitySee(const SensitivityTable *table, void *user, Error *err);
bool sensitivity_find(const SensitivityRequest *request, Study *study, SensitivitySee *see, void *user, Error *err);

// Each makes one index of one output of a study. The table's study, output, row and index are set.
//   tables  [width], the width that sensitivity_find_width() says: places, where they are samples, are written
//   arena   owns the table rows
typedef bool    SensitivityMake(const SensitivityRequest *request, SensitivityTable *tables, Arena *arena, Error *err);
SensitivityMake sensitivity_make_sobol, sensitivity_make_morris, sensitivity_make_local, sensitivity_make_swing,
    sensitivity_make_given, sensitivity_make_chaos, sensitivity_make_delta, sensitivity_make_shapley,
    sensitivity_make_dgsm;

// Deviations that a request gives are of the index local, of factors that are there, and 0 or more. Errors:
// ERROR_USAGE.
bool sensitivity_check_deviations(const SensitivityRequest *request, const Study *study, SensitivityIndex index,
                                  Error *err);

// Fills in the deviation of each factor of a local table, the output's by its derivatives g and these s, to first order
// sqrt(sum (g_i s_i)^2), and the share (g_i s_i)^2 of its square (the delta method). Errors: ERROR_INPUT,
// ERROR_INTERNAL.
bool sensitivity_spread(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err);

// More than one place has sobol only.
size_t sensitivity_find_width(const SensitivityRequest *request, const Study *study, const StudyOutput *output);

// Table rows for the study's factors, or its groups of them, and behind them for each pair of these where `pairs`;
// numbers are NaN.
bool sensitivity_take_rows(SensitivityTable *table, bool groups, bool pairs, Arena *arena, Error *err);

// The number of factors of a table: they come before the pairs.
size_t sensitivity_factors(const SensitivityTable *table);

// Sets mean and deviation from the finite ones of numbers[count]; trouble where there is none.
void sensitivity_describe(SensitivityTable *table, const double *numbers, size_t count);

// The text for an outcome without indices; NULL: it has them.
const char *sensitivity_trouble(int outcome);

// What an index takes for granted of the rows that it was found of, as a clause: where they are others, it means
// nothing.
const char *sensitivity_assumes(const SensitivityTable *table);

// Adds lines on a table that stand above its rows, and below them; each begins with two spaces.
void sensitivity_say(Text *text, const SensitivityRequest *request, const SensitivityTable *table);
void sensitivity_say_after(Text *text, const SensitivityRequest *request, const SensitivityTable *table);

// Prints tables: a heading, rows, and in text notes on them.
//   studies  [study_count] all studies of the tables: their axes are columns
//   keep     called with each table too; NULL: nothing is
bool sensitivity_print(const SensitivityRequest *request, Study *studies, size_t study_count, Format format, Text *text,
                       SensitivitySee *keep, void *user, Error *err);
