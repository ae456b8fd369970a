// reference -- a batch's points, one by one on all cores.
#include "reference/reference.h"

#include "plan/derivatives.h"
#include "reference/crew.h"
#include "reference/point.h"

// Common data of the threads of one reference_run().
typedef struct Running {
    const Plan             *plan;
    const ReferenceOptions *options;
    const Batch            *batch;
    Results                *results;      // [REFERENCE_NUDGES] where close_calls, else [1]
    bool                   *close_calls;  // [batch->point_count], or NULL: every point runs once
} Running;

static bool run_nudged(const Running *work, PointRun *run, size_t i, Error *err)
{
    static const int nudges[REFERENCE_NUDGES] = {0, -1, 1, -2, 2, -3, 3, -4, 4};
    decisions_first(run->decisions);
    for (int n = 0; n < REFERENCE_NUDGES; ++n) {
        run->nudge = nudges[n];
        run->results = &work->results[n];
        if (!point_run(run, work->batch->first_point + i, err))
            return false;
        decisions_again(run->decisions);
    }
    work->close_calls[i] = run->decisions->close;
    return true;
}

static bool run_points(Crew *crew, void *shared, Error *err)
{
    const Running *work = shared;
    PointRun       run;
    Decisions      decisions = {0};
    size_t         i;
    bool           ok = point_make(work->plan, work->batch, work->options->stop, work->results, &run, err);
    if (work->close_calls)
        run.decisions = &decisions;
    while (ok && crew_next(crew, &i)) {
        if (work->batch->given && work->batch->given[i])
            continue;
        ok = work->close_calls ? run_nudged(work, &run, i, err) : point_run(&run, work->batch->first_point + i, err);
    }
    point_free(&run);
    decisions_free(&decisions);
    return ok;
}

bool reference_check(const Group *group, Error *err)
{
    return point_problem(group->problem, group->dofs, err) && method_check(group->method, err);
}

bool reference_computes(const Group *group, size_t variable)
{
    const Variable *v = &group->variables[variable];
    return v->source == SOURCE_METRIC ? gauge_knows(group->instances[v->instance].card) : derivatives_walked(v);
}

static bool run_batch(Running work, Error *err)
{
    Crew crew = {
        .threads = work.options->threads, .count = work.batch->point_count, .work = run_points, .shared = &work};
    return crew_run(&crew, err);
}

bool reference_run(const Plan *plan, const Batch *batch, const ReferenceOptions *options, Results *results, Error *err)
{
    return run_batch((Running){plan, options, batch, results, NULL}, err);
}

bool reference_run_nudged(const Plan *plan, const Batch *batch, const ReferenceOptions *options,
                          Results results[REFERENCE_NUDGES], bool *close_calls, Error *err)
{
    return run_batch((Running){plan, options, batch, results, close_calls}, err);
}
