// rare -- the probability that a metric of a sweep lies beyond a value, by subset simulation in its factors.
//
// The factors are those of the sweep's random design; its points are not used. A factor is a function of independent
// normal numbers: those of correlated factors are mixed by the design's Cholesky factor first.
#pragma once

#include "analysis/distribution/spread.h"
#include "analysis/rare/subset.h"
#include "engine/point_list.h"

struct Rare;

typedef struct RareRequest {
    const char *path;    // of the sweep, for messages
    const char *metric;  // NAME, or of a metric with a number per coordinate NAME[i] or NAME[COORDINATE]
    double      value;
    bool        below;  // P(metric < value) in place of P(metric > value)
    uint64_t    samples, runs, seed;
    unsigned    failed;  // SpreadFailed: drop, such a point is not in the event; worst, it is
    Device     *device;  // NULL: the reference
    Notice     *notice;  // of the kernels that are compiled; or NULL
    const volatile sig_atomic_t *signals;
    void (*level)(const struct Rare *rare, void *user);  // at the end of each level; or NULL
    void *user;
} RareRequest;

// The estimate of a group. Release with rare_free(), also after a failure.
typedef struct Rare {
    const RareRequest *request;
    const Plan        *plan;
    const Group       *group;
    const Variable    *variable;
    size_t             component;
    SubsetRequest      asked;
    Subset             subset;
    uint64_t           failed_count;  // points that failed, or have no number
    PointList          list;
    Arena              arena;
} Rare;

// Finds the metric and checks the group: one random design, and no grid around it.
// Errors: ERROR_USAGE, ERROR_INPUT, ERROR_INTERNAL.
bool rare_make(const RareRequest *request, const Plan *plan, const Group *group, Rare *rare, Error *err);

// Builds the kernel and runs all levels.
// Errors: those of subset_run(), engine_compose(), engine_build() and engine_run(); ERROR_FAILED (a point failed, where
// that is refused).
bool rare_run(Rare *rare, Error *err);

// The value of a factor, by its number, at a point of the normal numbers.
double rare_factor(const Rare *rare, size_t factor, const double *point);

// The threshold of the metric that stands for one of the subset's.
double rare_threshold(const Rare *rare, double threshold);
void   rare_free(Rare *rare);
