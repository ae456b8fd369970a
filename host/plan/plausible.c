// plausible -- holds statuses, states and counters of a batch to the plan.
#include "plan/events.h"
#include "plan/results.h"

#include <inttypes.h>
#include <math.h>

// The most updates that a point may have made: an attempt that begins within the budget may exceed it by its own, and
// trials that look for an event count towards none.
static double most_updates(const Group *group, uint64_t point)
{
    if (group->method->unknown == UNKNOWN_NONE)
        return 0.0;
    if (group->events)
        return INFINITY;
    return floor(group->substeps.budget * (double)group_steps(group, point)) - 1.0 +
           (double)group->method->stages * group_value(group, group->newton.max_updates, point);
}

static int status_of(const Results *results, size_t i)
{
    return ((const int8_t *)results->data[0])[i];  // the first variable of every group
}

static bool check_counter(const Batch *batch, const Results *results, size_t variable, const CardResult *result,
                          Error *err)
{
    const Group *group = batch->group;
    for (size_t i = 0; result->limit != LIMIT_NONE && i < batch->point_count; ++i) {
        const uint64_t point = batch->first_point + i;
        const double   count = results_value(results, variable, i, 0);
        double         least = 0.0, most;
        if (result->limit == LIMIT_STEPS) {
            most = (double)group_steps(group, point);
            least = status_of(results, i) == STATUS_OK && !(group->events && group->events->stop) ? most : 0.0;
        } else {
            most = result->limit == LIMIT_UPDATES ? most_updates(group, point) : group->substeps.max_depth;
        }
        if (!(count >= least && count <= most))
            return fail(err, ERROR_DEVICE,
                        "point %" PRIu64 " of group '%s' counts %.0f %s, of at least %.0f, at most %g", point,
                        group->label, count, result->name, least, most);
    }
    return true;
}

static bool check_state(const Batch *batch, const Results *results, size_t variable, Error *err)
{
    const Group  *group = batch->group;
    const size_t  width = group->variables[variable].width;
    const double *values = results->data[variable];  // final states have this type in both precisions
    for (size_t i = 0; i < batch->point_count; ++i) {
        const bool ok = status_of(results, i) == STATUS_OK;
        for (size_t e = 0; e < width; ++e) {
            const double value = values[i * width + e];
            if (ok ? !isfinite(value) : !isnan(value))
                return fail(
                    err, ERROR_DEVICE, "point %" PRIu64 " of group '%s' %s", batch->first_point + i, group->label,
                    ok ? "ended well, but its final state is not finite" : "failed, but its final state is a number");
        }
    }
    return true;
}

static bool check_statuses(const Batch *batch, const Results *results, Error *err)
{
    for (size_t i = 0; i < batch->point_count; ++i) {
        const int status = status_of(results, i);
        if (status <= STATUS_NOT_RUN || status >= STATUS_COUNT)
            return fail(err, ERROR_DEVICE, "point %" PRIu64 " of group '%s' has status %d, which no point ends with",
                        batch->first_point + i, batch->group->label, status);
    }
    return true;
}

bool plausible_results(const Batch *batch, const Results *results, Error *err)
{
    const Group *group = batch->group;
    bool         ok = check_statuses(batch, results, err);
    for (size_t v = 0; ok && v < group->variable_count; ++v) {
        const Variable *variable = &group->variables[v];
        const Card     *card = variable->source == SOURCE_METRIC ? group->instances[variable->instance].card : NULL;
        if (variable->source == SOURCE_X_FINAL || variable->source == SOURCE_V_FINAL)
            ok = check_state(batch, results, v, err);
        else if (card)
            ok = check_counter(batch, results, v, &card->results[variable->result], err);
    }
    return ok;
}
