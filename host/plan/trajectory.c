// trajectory -- reads `trajectory:` but for its fields.
#include "plan/plan_make.h"
#include "base/suggest.h"
#include "plan/axis.h"

#include <math.h>
#include <string.h>

static const char *const trajectory_keys[] = {"every", "samples", "times", "fields", "where"};
enum { MOST_SAMPLES = 2147483647, MOST_TIMES = 4096 };

static const YamlNode *where_node(const Plan *plan)
{
    return yaml_said(yaml_find(plan->spec->root, "trajectory"), "where");
}

// The most and the fewest steps of any point.
static void find_steps(const Group *group, uint64_t *fewest, uint64_t *most)
{
    double least, largest, first, last;
    group_find_ends(group, group->steps_given ? group->steps : group->step, &least, &largest);
    group_find_begins(group, &first, &last);
    *fewest = (uint64_t)(group->steps_given ? least : fmax(1.0, round((group->end.value - last) / largest)));
    *most = (uint64_t)(group->steps_given ? largest : fmax(1.0, round((group->end.value - first) / least)));
}

static bool read_times(Plan *plan, const YamlNode *node, Group *group, Error *err)
{
    const Range range = {.least = -INFINITY, .most = INFINITY};
    Trajectory *trajectory = &group->trajectory;
    double      last = group_first_end(group), first, begin, *times;
    AxisText    text;
    group_find_begins(group, &first, &begin);
    if (!axis_read(node, "trajectory.times", &range, &text, err))
        return false;
    if (text.form == FORM_RANDOM || text.count > MOST_TIMES)
        return yaml_fail(node, err,
                         "trajectory.times: at most %d times, as a list, {linear: [a, b, n]} or {log: [a, b, n]}",
                         MOST_TIMES);
    times = arena_take(&plan->arena, text.count, sizeof *times, err);
    if (!times || !axis_fill(&text, "trajectory.times", &range, true, times, err))
        return false;
    trajectory->times = times;
    trajectory->sample_count = text.count;
    trajectory->single = plan->precision == PRECISION_SINGLE;
    for (size_t k = 0; k < text.count; ++k) {
        const YamlNode *at = node->kind == YAML_SEQUENCE ? node->items[k] : node;
        if (k > 0 && group_sample_time(group, k) <= group_sample_time(group, k - 1))
            return yaml_fail(at, err, "trajectory.times: %.10g does not come after %.10g", times[k], times[k - 1]);
        if (times[k] < begin)
            return yaml_fail(at, err, "trajectory.times: %.10g lies before the begin of a run, %.10g", times[k], begin);
        // The last step's end may be off by rounding.
        if (times[k] > last + 1e-9 * (last - begin))
            return yaml_fail(at, err, "trajectory.times: %.10g lies behind the end of a run, %.10g", times[k], last);
    }
    return true;
}

static bool read_samples(Plan *plan, const YamlNode *node, Group *group, Error *err)
{
    const YamlNode *times = yaml_find(node, "times"), *every = yaml_find(node, "every"),
                   *samples = yaml_find(node, "samples");
    Trajectory *trajectory = &group->trajectory;
    int64_t     number = 0;
    uint64_t    fewest, most;
    find_steps(group, &fewest, &most);
    if (times && (every || samples))
        return yaml_fail(times, err, "trajectory: 'times' beside '%s': give one of them", every ? "every" : "samples");
    if (times)
        return read_times(plan, times, group, err);
    if (every && samples)
        return yaml_fail(samples, err, "trajectory: 'samples' beside 'every': give one of them");
    if (!every && !samples)
        return yaml_fail(node, err,
                         "trajectory: give 'every' (steps between samples), 'samples' (their number) or 'times'");
    if (every) {
        if (!yaml_whole(every, "trajectory.every", 1, INT64_C(1) << 52, &number, err))
            return false;
        trajectory->every = (uint64_t)number;
        if (most / trajectory->every >= MOST_SAMPLES)
            return yaml_fail(every, err, "trajectory.every: %llu samples are too many, at most %d",
                             (unsigned long long)(most / trajectory->every + 1), MOST_SAMPLES);
        trajectory->sample_count = (size_t)(most / trajectory->every + 1);
        return true;
    }
    if (!yaml_whole(samples, "trajectory.samples", 2, MOST_SAMPLES, &number, err))
        return false;
    if ((uint64_t)number - 1 > fewest)
        return yaml_fail(samples, err,
                         "trajectory.samples: %lld samples need %lld steps, but there is a point with %llu",
                         (long long)number, (long long)number - 1, (unsigned long long)fewest);
    trajectory->sample_count = (size_t)number;
    return true;
}

static size_t nearest_index(const Group *group, const Axis *axis, double value)
{
    size_t nearest = 0;
    double least = INFINITY;
    for (size_t i = 0; i < axis->count; ++i) {
        const double apart = fabs(group_axis_at(group, axis, i) - value);
        if (apart < least) {
            least = apart;
            nearest = i;
        }
    }
    return nearest;
}

// Marks, in chosen[axis->count], the indices nearest to the values that `where` lists for an axis.
static bool mark_axis(Plan *plan, const Group *group, const YamlNode *node, const Axis *axis, bool *chosen, Error *err)
{
    enum { MOST = 1000 };
    const Range range = {.least = -INFINITY, .most = INFINITY};
    AxisText    text;
    if (!axis_read(node, "trajectory.where", &range, &text, err))
        return false;
    if (text.form == FORM_RANDOM)
        return yaml_fail(node, err, "trajectory.where: give values of axis '%s', not a distribution", axis->name);
    if (text.count > MOST)
        return yaml_fail(node, err, "trajectory.where: %zu values, at most %d", text.count, MOST);
    double *values = arena_take(&plan->arena, text.count, sizeof *values, err);
    if (!values || !axis_fill(&text, "trajectory.where", &range, false, values, err))
        return false;
    for (size_t i = 0; i < text.count; ++i) {
        const double taken = group_axis_at(group, axis, nearest_index(group, axis, values[i]));
        for (size_t k = 0; k < axis->count; ++k)
            chosen[k] = chosen[k] || group_axis_at(group, axis, k) == taken;
        // The value may differ from the axis's by rounding and be meant; a larger difference is a warning.
        if (fabs(taken - values[i]) > 1e-9 * fmax(fabs(taken), fabs(values[i])) &&
            !plan_warn(plan, text.form == FORM_LIST ? node->items[i] : node, err,
                       "trajectory.where: axis '%s' has no value %.10g, %.10g is taken", axis->name, values[i], taken))
            return false;
    }
    return true;
}

// The ascending list of marked indices.
static bool list_marked(const bool *chosen, size_t count, Arena *arena, size_t **selected, size_t *selected_count,
                        Error *err)
{
    *selected_count = 0;
    for (size_t i = 0; i < count; ++i)
        *selected_count += chosen[i];
    *selected = arena_take(arena, *selected_count, sizeof **selected, err);
    for (size_t i = 0, next = 0; *selected && i < count; ++i)
        if (chosen[i])
            (*selected)[next++] = i;
    return *selected != NULL;
}

// Selects the indices along a dimension that all its axes choose.
static bool select_on_dim(Plan *plan, Group *group, size_t dim, Error *err)
{
    Trajectory  *trajectory = &group->trajectory;
    const size_t count = group->dims[dim].count;
    bool        *all = arena_take(&plan->arena, count, sizeof *all, err);
    bool        *chosen = all ? arena_take(&plan->arena, count, sizeof *chosen, err) : NULL;
    if (!chosen)
        return false;
    memset(all, true, count * sizeof *all);
    for (size_t i = 0; i < group->axis_count; ++i) {
        const YamlNode *node = yaml_find(where_node(plan), group->axes[i].name);
        if (group->axes[i].dim != dim || !node)
            continue;
        memset(chosen, false, count * sizeof *chosen);
        if (!mark_axis(plan, group, node, &group->axes[i], chosen, err))
            return false;
        for (size_t k = 0; k < count; ++k)
            all[k] = all[k] && chosen[k];
    }
    if (!list_marked(all, count, &plan->arena, &trajectory->selected[dim], &trajectory->selected_count[dim], err))
        return false;
    trajectory->slot_count *= trajectory->selected_count[dim];
    return trajectory->selected_count[dim] > 0 ||
           yaml_fail(where_node(plan), err, "trajectory.where: no point of group '%s' has all these values",
                     group->label);
}

bool trajectory_make(Plan *plan, Group *group, Error *err)
{
    const YamlNode *node = yaml_said(plan->spec->root, "trajectory");
    Trajectory     *trajectory = &group->trajectory;
    if (!node)
        return true;
    if (!yaml_is_mapping(node, "trajectory", err) ||
        !yaml_check_keys(node, "trajectory", trajectory_keys, sizeof trajectory_keys / sizeof *trajectory_keys, err) ||
        !read_samples(plan, node, group, err))
        return false;
    if (where_node(plan) && !yaml_is_mapping(where_node(plan), "trajectory.where", err))
        return false;
    trajectory->stored = true;
    trajectory->slot_count = 1;
    trajectory->selected = arena_take(&plan->arena, group->dim_count, sizeof *trajectory->selected, err);
    trajectory->selected_count = arena_take(&plan->arena, group->dim_count, sizeof *trajectory->selected_count, err);
    bool ok = trajectory->selected && trajectory->selected_count;
    for (size_t i = 0; ok && i < group->dim_count; ++i)
        ok = select_on_dim(plan, group, i, err);
    return ok;
}

bool trajectory_check_where(const Plan *plan, Error *err)
{
    const YamlNode *where = where_node(plan);
    for (size_t i = 0; where && i < where->count; ++i) {
        const char *name = where->keys[i]->text, *near = NULL;
        bool        known = false;
        for (size_t g = 0; g < plan->group_count; ++g)
            for (size_t a = 0; a < plan->groups[g].axis_count; ++a) {
                const char *axis = plan->groups[g].axes[a].name;
                known = known || strcmp(axis, name) == 0;
                near = suggest(name, &axis, 1) ? axis : near;
            }
        if (!known)
            return yaml_fail(where->items[i]->origin->override ? where->items[i] : where->keys[i], err,
                             "trajectory.where: '%.60s' is no axis of this sweep", name) ||
                   suggest_add(err, near, "");
    }
    return true;
}
