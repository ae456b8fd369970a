// measures -- certificates of metrics: every number of a point's results from the states that its walk has shown.
//
// A kernel's results of a point - how it ended, its last state, its metrics, the samples of its trajectory - are
// compared with the results of formulas that have no text in common with the metric files: from the kernel's own
// states, in long double, with a bound on rounding that is added up along the trajectory (gauges/ball.h,
// gauges/gauge.h). States are compared bit by bit. Counts are sums over the substeps that were seen. Energies,
// coordinates and solutions are the problem file's in long double (scalars.h); tables of solutions are taken as they
// are.
//
// A metric of a user's file has no formula here: it is not judged, and measures_knows() says so.
#pragma once

#include "analysis/conform/judgement/substep.h"
#include "device/device.h"

typedef struct Measures Measures;  // a group's points, and the measures of each so far

// A thread's working memory.
typedef struct MeasuresRoom MeasuresRoom;

// Numbers of results, a metric or a stored field of a point each.
typedef struct MeasuresCount {
    uint64_t         metrics, certified;
    uint64_t         open;   // certified ones of which rounding leaves nothing to be demanded
    CertificateShare worst;  // the largest part of a bound that was used, and by which formula
    uint64_t         point;  // where that is, in the group
} MeasuresCount;

// Whether there is a formula for a variable of the group.
bool measures_knows(const Group *group, const Variable *variable);

//   plan, group, exact  borrowed
//   reference           the results are the reference's, which does not compute all of them
//   measures            written: release with measures_free()
// Errors: ERROR_INTERNAL.
bool measures_make(const Plan *plan, const Group *group, const Exact *exact, bool reference, Measures **measures,
                   Error *err);
void measures_free(Measures *measures);

// Room for a thread, in the arena. Errors: ERROR_INTERNAL.
bool measures_make_room(const Measures *measures, Arena *arena, MeasuresRoom **room, Error *err);

// Forgets the states seen, and takes the kernel's results of a batch.
//   batch, results  borrowed until measures_judge(); the results are of a run by themselves, not of the walk
// Errors: ERROR_INTERNAL.
bool measures_begin(Measures *measures, const Batch *batch, const Results *results, Error *err);

// Sees a point after a substep was tried. Different points may be seen by different threads.
//   point   in the batch
//   before  NULL at t = 0
// Errors: ERROR_INTERNAL.
bool measures_see(Measures *measures, MeasuresRoom *room, size_t point, const WalkState *before, const WalkState *after,
                  Error *err);

// Judges the results of the batch, whose walk has ended.
//   count  added to
// Errors: ERROR_INTERNAL.
bool measures_judge(Measures *measures, MeasuresCount *count, Error *err);
