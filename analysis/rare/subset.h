// subset -- the probability of a rare event by subset simulation, of any function of independent normal numbers.
//
// S. K. Au and J. L. Beck, Estimation of small failure probabilities in high dimensions by subset simulation, Probab.
// Eng. Mech. 16 (2001) 263-277. The event g > V is reached through events g >= b_1, g >= b_2, ..., each about ten times
// less likely than the one before. Points of a level are drawn inside its event by Markov chains, which begin at the
// points of the level before that lie there:
//
//   level 0   n independent points         b_1: a tenth of them lie at or above it
//   level 1   n / 10 chains of ten points, g >= b_1 at each of them      b_2: likewise
//   ...
//   level m   b would lie above V: the points with g > V are counted
//
// The estimate is the product of the levels' shares. Chains are those of conditional sampling with a correlation that
// follows the acceptance: I. Papaioannou, W. Betz, K. Zwirglmaier and D. Straub, MCMC algorithms for subset simulation,
// Probab. Eng. Mech. 41 (2015) 89-103, sections 3 and 4. All chains of all runs move together: a step of the chains is
// one batch of points. The correlation is adapted after each step by the mean acceptance of a run's chains, where the
// paper adapts it after some whole chains.
//
// A random number is a function of the seed, the run, the level, the step, the chain and the coordinate: results do not
// depend on the machine.
#pragma once

#include "analysis/distribution/interval.h"
#include "base/arena.h"

#include <stddef.h>

enum {
    SUBSET_CHAIN = 10,       // points of a chain: the inverse of the share that a level keeps
    SUBSET_LEAST = 100,      // points of a level, fewest
    SUBSET_MOST = 1000000,   // and most
    SUBSET_LEVELS = 20,      // most levels: beyond a probability of 1e-20 nothing is looked for
    SUBSET_RUNS = 64,        // most runs
    SUBSET_DIMENSION = 4096  // most coordinates
};

// A level that has ended.
typedef struct SubsetLevel {
    double threshold;    // of its event; -INFINITY of the first
    double share;        // of its points that lie in the next event, or in the event that is asked for
    double acceptance;   // of its chains' steps; NaN of the first
    double correlation;  // gamma of Au and Beck, equation 29: how much its points count less than independent ones
    double probability;  // of its event: the product of the shares before
} SubsetLevel;

// A run: an estimate of its own.
typedef struct SubsetRun {
    SubsetLevel levels[SUBSET_LEVELS];
    size_t      level_count;
    double      probability;
    // Coefficient of variation, the levels taken as independent (Au and Beck, equation 30 without the correlation of
    // levels), and the interval of a lognormal distribution with it.
    double           variation;
    IntervalEstimate interval;
    double          *values[SUBSET_LEVELS];  // [samples] of each level, in the order of its points: [step][chain]
} SubsetRun;

struct Subset;

typedef struct SubsetRequest {
    size_t   dimension;
    size_t   samples;  // of a level: a multiple of SUBSET_CHAIN
    size_t   runs;
    double   threshold;  // V
    uint64_t seed;
    // Evaluates g. -INFINITY: never in the event; INFINITY: always.
    //   points  [count][dimension] independent standard normal
    //   values  [count] written; not NaN
    bool (*evaluate)(const double *points, size_t count, double *values, void *user, Error *err);
    void (*level)(const struct Subset *subset, void *user);  // called at the end of each level; or NULL
    void *user;
} SubsetRequest;

// Release with subset_free(), also after a failure.
typedef struct Subset {
    const SubsetRequest *request;
    SubsetRun           *runs;    // [request->runs]
    size_t               active;  // runs that have not reached V
    size_t               level;   // that ended last
    uint64_t             point_count;
    // The mean of the runs. The interval is that of Student's t of their logarithms, put around the mean, or of a
    // single run its own.
    IntervalEstimate probability;
    double          *nearest;   // [dimension] the point of the event that is nearest to the origin
    double           distance;  // of it; INFINITY: none was met
    Arena            arena;
} Subset;

// Runs all levels.
//   request  borrowed; must outlive the subset
//   subset   written
// Errors: ERROR_USAGE (numbers out of range), ERROR_FAILED (a level whose points are no higher than those before, or no
// point above V after SUBSET_LEVELS levels; names both), ERROR_INTERNAL (memory), those of evaluate().
bool subset_run(const SubsetRequest *request, Subset *subset, Error *err);

// The probability beyond another threshold, at most V, from the same points: the same estimate and interval as at V.
IntervalEstimate subset_beyond(const Subset *subset, double threshold);

void subset_free(Subset *subset);
