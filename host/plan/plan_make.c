// plan_make -- turns a spec into groups, points, blocks and bytes.
#include "plan/plan_make.h"
#include "plan/curves.h"

static const uint64_t block_trajectory_bytes = UINT64_C(16) << 20;
enum { MOST_BLOCK_POINTS = 1024 };

// The node of a key that every sweep file has.
static const YamlNode *require(const Plan *plan, const char *key, Error *err)
{
    const YamlNode *node = yaml_find(plan->spec->root, key);
    if (!node)
        yaml_fail(plan->spec->root, err, "the sweep file lacks the key '%s'", key);
    return node;
}

static bool find_problem(Plan *plan, Error *err)
{
    const YamlNode *node = require(plan, "problem", err);
    const char     *name = NULL;
    plan->parameters = yaml_find(plan->spec->root, "parameters");
    if (node && node->kind == YAML_MAPPING)
        return (plan->problem = system_read(plan, node, err)) != NULL;
    if (node && node->kind == YAML_SEQUENCE)
        return yaml_fail(node, err, "problem: expected a name, a path, or a mapping with a system of your own");
    if (!node || !yaml_text(node, "problem", &name, err))
        return false;
    return (plan->problem = own_find(plan, node, CARD_PROBLEM, err)) != NULL;
}

static bool read_title(Plan *plan, Error *err)
{
    const YamlNode *node = yaml_said(plan->spec->root, "title");
    plan->title = plan->problem->title;
    return !node || yaml_line(node, "title", &plan->title, err);
}

static bool read_precision(Plan *plan, Error *err)
{
    static const char *const precisions[] = {"double", "single"};
    const YamlNode          *node = yaml_find(plan->spec->root, "precision");
    size_t                   index = 0;
    if (node && !yaml_choice(node, "precision", precisions, 2, &index, err))
        return false;
    plan->precision = (Precision)index;
    return true;
}

static bool check_times(const Plan *plan, Error *err)
{
    static const char *const times[] = {"step", "end", "steps"};
    const YamlNode          *root = plan->spec->root, *last = root;
    size_t                   given = 0;
    for (size_t i = 0; i < 3; ++i) {
        const YamlNode *node = yaml_find(root, times[i]);
        given += node != NULL || together_has(plan, times[i]);
        // The override is at fault where there is one.
        if (node && (last == root || !last->origin->override))
            last = node;
    }
    return given == 2 ? true
                      : yaml_fail(given < 2 ? root : last, err,
                                  "give exactly two of step, end and steps, not %zu of them", given);
}

static bool add_bytes(const Entry *entry, uint64_t *total, uint64_t rows, const Variable *variable, Error *err)
{
    uint64_t bytes;
    if (__builtin_mul_overflow(rows, (uint64_t)variable->width, &bytes) ||
        __builtin_mul_overflow(bytes, (uint64_t)group_type_bytes(variable->type), &bytes) ||
        __builtin_add_overflow(*total, bytes, total) || *total > INT64_MAX)
        return yaml_fail(entry->node, err, "group '%s': '%s' would take more than 2^63 bytes, store less", entry->label,
                         variable->name);
    return true;
}

// Blocks and bytes of a group, once its points and variables are known.
static bool make_blocks(Plan *plan, const Entry *entry, Group *group, Error *err)
{
    uint64_t trajectory_bytes = 0;
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        const uint64_t  rows = variable->trajectory ? group->trajectory.slot_count : group->point_count;
        if ((variable->trajectory && !add_bytes(entry, &trajectory_bytes, 1, variable, err)) ||
            !add_bytes(entry, &plan->data_bytes, rows, variable, err))
            return false;
    }
    group->block_points = MOST_BLOCK_POINTS;
    if (trajectory_bytes > block_trajectory_bytes / MOST_BLOCK_POINTS)
        group->block_points = block_trajectory_bytes / trajectory_bytes;
    if (group->block_points == 0)
        group->block_points = 1;
    group->first_block = plan->block_count;
    group->block_count = (group->point_count - 1) / group->block_points + 1;
    plan->block_count += group->block_count;
    plan->point_count += group->point_count;
    if (plan->point_count > PLAN_POINTS)
        return yaml_fail(entry->node, err, "with group '%s' the sweep has more than 2^40 points, use fewer values",
                         entry->label);
    return true;
}

static bool make_groups(Plan *plan, Error *err)
{
    const YamlNode *methods = require(plan, "methods", err);
    Entry          *entries = NULL;
    if (!methods || !entry_read_all(methods, &plan->arena, &entries, &plan->group_count, err))
        return false;
    plan->groups = arena_take(&plan->arena, plan->group_count, sizeof *plan->groups, err);
    for (size_t i = 0; plan->groups && i < plan->group_count; ++i) {
        if (!group_make(plan, &entries[i], &plan->groups[i], err) ||
            !make_blocks(plan, &entries[i], &plan->groups[i], err))
            return false;
    }
    return plan->groups && together_check(plan, err) && design_check(plan, err) && trajectory_check_where(plan, err);
}

bool plan_make(const Spec *spec, const Catalog *catalog, Plan *plan, Error *err)
{
    *plan = (Plan){.spec = spec, .catalog = catalog, .computed_by = plan_kernels, .numbers = PLAN_NUMBERS};
    const bool fine = read_precision(plan, err) && curves_read(plan, err) && find_problem(plan, err) &&
                      observe_read(plan, err) && curves_add_data(plan, err) && curves_check(plan, err) &&
                      read_title(plan, err) && together_read(plan, err) && begin_read(plan, err) &&
                      design_read(plan, err) && check_times(plan, err) && make_groups(plan, err) &&
                      settings_make(plan, err);
    if (!fine)
        plan_free(plan);
    return fine;
}
