// plausible -- holds statuses, states and counters of a batch to the plan.
#include "plan/plausible.h"

#include <inttypes.h>
#include <math.h>

// The most updates that a point may have made: an attempt that begins within the budget may exceed it by its own.
static double most_updates(const Group *group, uint64_t point)
{
    if (group->method->unknown == UNKNOWN_NONE)
        return 0.0;
    return floor(group->substeps.budget * (double)group_steps(group, point)) - 1.0 +
           (double)group->method->stages * group_value(group, group->newton.max_updates, point);
}

static bool check_counter(const Group *group, const char *name, uint64_t point, bool ok, int64_t count, Error *err)
{
    const double steps = (double)group_steps(group, point);
    double       least = 0.0, most = INFINITY;
    if (strcmp(name, "steps") == 0) {
        least = ok ? steps : 0.0;
        most = steps;
    } else if (strcmp(name, "updates") == 0 || strcmp(name, "updates_per_step_max") == 0) {
        most = most_updates(group, point);
    } else if (strcmp(name, "depth_max") == 0) {
        most = group->substeps.max_depth;
    }
    return ((double)count >= least && (double)count <= most) ||
           fail(err, ERROR_DEVICE,
                "point %" PRIu64 " of group '%s' counts %" PRId64 " %s, of at least %.0f, at most %g", point,
                group->label, count, name, least, most);
}

static bool check_counters(const Batch *batch, const Results *results, size_t i, bool ok, Error *err)
{
    const Group *group = batch->group;
    for (size_t v = 0; v < group->variable_count; ++v) {
        const Variable *variable = &group->variables[v];
        const Card     *card = variable->source == SOURCE_METRIC ? group->instances[variable->instance].card : NULL;
        if (card && strcmp(card->name, "counters") == 0 &&
            !check_counter(group, card->results[variable->result].name, batch->first_point + i, ok,
                           (int64_t)results_value(results, v, i, 0), err))
            return false;
    }
    return true;
}

static bool check_state(const Batch *batch, const Results *results, size_t i, bool ok, Error *err)
{
    const Group *group = batch->group;
    for (size_t v = 0; v < group->variable_count; ++v) {
        const Variable *variable = &group->variables[v];
        if (variable->source != SOURCE_X_FINAL && variable->source != SOURCE_V_FINAL)
            continue;
        for (size_t e = 0; e < variable->width; ++e) {
            const double value = results_value(results, v, i, e);
            if (ok ? !isfinite(value) : !isnan(value))
                return fail(
                    err, ERROR_DEVICE, "point %" PRIu64 " of group '%s' %s", batch->first_point + i, group->label,
                    ok ? "ended well, but its final state is not finite" : "failed, but its final state is a number");
        }
    }
    return true;
}

bool plausible_results(const Batch *batch, const Results *results, Error *err)
{
    for (size_t i = 0; i < batch->point_count; ++i) {
        const int  status = (int)results_value(results, 0, i, 0);  // the first variable of every group
        const bool ok = status == STATUS_OK;
        if (status <= STATUS_NOT_RUN || status >= STATUS_COUNT)
            return fail(err, ERROR_DEVICE, "point %" PRIu64 " of group '%s' has status %d, which no point ends with",
                        batch->first_point + i, batch->group->label, status);
        if (!check_state(batch, results, i, ok, err) || !check_counters(batch, results, i, ok, err))
            return false;
    }
    return true;
}
