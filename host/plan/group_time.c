// group_time -- steps, their size and the end of a group: each must be a number, and steps should reach the end.
#include "plan/group_time.h"

#include <math.h>

double group_time_most(const Plan *plan)
{
    return plan->precision == PRECISION_SINGLE ? 2147483647.0 : 0x1p52;
}

// Where the step or the steps are written, the file of points included.
static const YamlNode *time_node(const Plan *plan, const char *key)
{
    const YamlNode *node = yaml_find(plan->spec->root, key);
    return node ? node : yaml_find(plan->spec->root, "points");
}

// check_reach() where points begin at different times: it looks at the first points.
static bool check_reaches(Plan *plan, const Group *group, Error *err)
{
    enum { LOOKED_AT = 1 << 16 };
    const uint64_t count = group->point_count < LOOKED_AT ? group->point_count : LOOKED_AT;
    const double   end = group->end.value;
    double         worst = 0.0, at = 0.0, first = 0.0;
    for (uint64_t p = 0; p < count; ++p) {
        const double begin = group_begin(group, p), step = group_step(group, p),
                     miss = fabs((double)group_steps(group, p) * step - (end - begin)) / (end - begin);
        if (miss > worst) {
            worst = miss;
            at = step;
            first = begin;
        }
    }
    return worst <= 1e-9 ||
           plan_warn(plan, time_node(plan, "step"), err,
                     "step: whole steps do not reach end %.10g of all points; step %.10g from begin %.10g misses it by "
                     "%.3g",
                     end, at, first, worst * (end - first));
}

// step and end: N = round((end - begin)/step) steps must reach end, or a warning says how far they miss it.
static bool check_reach(Plan *plan, const Group *group, Error *err)
{
    const Axis  *axis = group->step.axis < 0 ? NULL : &group->axes[group->step.axis];
    const size_t count = axis ? axis->count : 1;
    const double end = group->end.value, length = end - group_begin(group, 0);
    double       worst = 0.0, at = 0.0;
    size_t       missed = 0;
    if (group_begins(group).axis >= 0)
        return check_reaches(plan, group, err);
    if (axis && !axis->values)
        return plan_warn(plan, time_node(plan, "step"), err,
                         "step: whole steps do not reach end %.10g where the step is random; give steps in its place",
                         end);
    for (size_t i = 0; i < count; ++i) {
        const double step = axis ? axis->values[i] : group->step.value,
                     miss = fabs(fmax(1.0, round(length / step)) * step - length);
        missed += miss > 1e-9 * length;
        if (miss > worst) {
            worst = miss;
            at = step;
        }
    }
    if (missed == 0)
        return true;
    return plan_warn(plan, time_node(plan, "step"), err,
                     "step: whole steps do not reach end %.10g for %zu of %zu values; step %.10g misses it by %.3g",
                     end, missed, count, at, worst);
}

// Where the budget is written; the entry where it is nowhere.
static const YamlNode *budget_node(const Plan *plan, const Entry *entry)
{
    const YamlNode *own = yaml_find(entry->substeps, "budget"),
                   *all = yaml_find(yaml_find(plan->spec->root, "substeps"), "budget");
    return own ? own : all ? all : entry->node;
}

bool group_time_check(Plan *plan, const Entry *entry, const Group *group, Error *err)
{
    const YamlNode *step = time_node(plan, "step"), *steps = time_node(plan, "steps");
    const bool      single = plan->precision == PRECISION_SINGLE;
    double          shortest, longest, fewest, most, first, last;
    group_find_ends(group, group->step, &shortest, &longest);
    group_find_ends(group, group->steps, &fewest, &most);
    double count = group->steps_given ? most : 0.0;
    group_find_begins(group, &first, &last);
    if (group->step_given && group->end_given) {
        if (longest > group->end.value - last && plan->problem->begin)
            return yaml_fail(step, err, "step: %.10g is longer than from begin %.10g to end %.10g", longest, last,
                             group->end.value);
        if (longest > group->end.value && !plan->problem->begin)
            return yaml_fail(step, err, "step: %.10g is longer than end %.10g", longest, group->end.value);
        count = round((group->end.value - first) / shortest);
        if (!(count <= group_time_most(plan)))
            return yaml_fail(step, err,
                             "step: %.10g needs more than %s steps to reach end %.10g, the most for %s precision",
                             shortest, single ? "2^31 - 1" : "2^52", group->end.value, single ? "single" : "double");
        if (!check_reach(plan, group, err))
            return false;
    } else if (group->end_given ? (group->end.value - last) / count == 0.0 : !isfinite(longest * count)) {
        return yaml_fail(steps, err, "steps: %.10g steps are too many for a double to hold their %s", count,
                         group->end_given ? "size" : "end");
    }
    if (group->substeps.budget * count >= 0x1p62)
        return yaml_fail(budget_node(plan, entry), err,
                         "substeps.budget: %.10g times %.10g steps is too large a number of updates",
                         group->substeps.budget, count);
    return true;
}
