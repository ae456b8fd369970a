// together -- axes that go together: columns of a file of points, and the axes that `zip` lists.
#include "plan/plan_make.h"
#include "base/suggest.h"

#include <string.h>

static const char *const points_keys[] = {"file", "dataset", "columns"};
enum { MOST_NAMES = 1000 };

static bool read_names(Plan *plan, const YamlNode *list, const char *what, const char ***names, Error *err)
{
    if (!yaml_is_sequence(list, what, err))
        return false;
    if (list->count == 0 || list->count > MOST_NAMES)
        return yaml_fail(list, err, "%s: %zu names, 1 to %d are possible", what, list->count, MOST_NAMES);
    *names = arena_take(&plan->arena, list->count, sizeof **names, err);
    for (size_t i = 0; *names && i < list->count; ++i) {
        if (!yaml_text(list->items[i], what, &(*names)[i], err))
            return false;
        for (size_t k = 0; k < i; ++k)
            if (strcmp((*names)[k], (*names)[i]) == 0)
                return yaml_fail(list->items[i], err, "%s: '%.60s' is there twice", what, (*names)[i]);
    }
    return *names != NULL;
}

// No column is used yet.
static bool mark_columns(Plan *plan, Error *err)
{
    plan->column_used = arena_take(&plan->arena, plan->points.column_count, sizeof *plan->column_used, err);
    return plan->column_used != NULL;
}

bool together_read_set(Plan *plan, const YamlNode *list, const char *what, NameSet *set, Error *err)
{
    *set = (NameSet){.node = list, .count = list->count};
    if (!read_names(plan, list, what, &set->names, err))
        return false;
    set->used = arena_take(&plan->arena, set->count, sizeof *set->used, err);
    return set->used != NULL;
}

bool together_check_set(const NameSet *sets, size_t last, const char *what, const char *lists, Error *err)
{
    const NameSet *set = &sets[last];
    for (const NameSet *before = sets; before < set; ++before)
        for (size_t k = 0; k < before->count; ++k)
            for (size_t m = 0; m < set->count; ++m)
                if (strcmp(before->names[k], set->names[m]) == 0)
                    return yaml_fail(set->node->items[m], err, "%s: '%.60s' is in two %s", what, set->names[m], lists);
    return true;
}

// Errors of the file itself name that file and not the sweep file.
static bool read_points(Plan *plan, Error *err)
{
    const YamlNode *node = yaml_said(plan->spec->root, "points"), *file, *dataset, *columns;
    const char     *name = NULL, *set = NULL, *path, **names = NULL;
    if (plan->spec->points) {
        plan->points = point_file_borrow(plan->spec->points);
        return node ? yaml_fail(node, err, "points: the caller gives points too") : mark_columns(plan, err);
    }
    if (!node)
        return true;
    if (!yaml_is_mapping(node, "points", err) ||
        !yaml_check_keys(node, "points", points_keys, sizeof points_keys / sizeof *points_keys, err))
        return false;
    file = yaml_find(node, "file");
    dataset = yaml_find(node, "dataset");
    columns = yaml_find(node, "columns");
    if (!file)
        return yaml_fail(node, err, "points: give the file, as in {file: samples.csv}");
    if (!yaml_text(file, "points.file", &name, err) || (dataset && !yaml_text(dataset, "points.dataset", &set, err)) ||
        (columns && !read_names(plan, columns, "points.columns", &names, err)))
        return false;
    if (dataset && !columns)
        return yaml_fail(dataset, err, "points: name the columns of the dataset, as in columns: [eps, k]");
    path = plan_path(plan, name, err);
    const size_t count = columns ? columns->count : 0;
    if (!path || !(set ? point_file_read_dataset(path, set, names, count, &plan->points, err)
                       : point_file_read_csv(path, names, count, &plan->points, err)))
        return false;
    return mark_columns(plan, err);
}

static bool read_zip(Plan *plan, const YamlNode *list, NameSet *zip, Error *err)
{
    if (!together_read_set(plan, list, "zip", zip, err))
        return false;
    if (zip->count < 2)
        return yaml_fail(list, err, "zip: name two axes or more that go together");
    zip->name = "";
    for (size_t i = 0; zip->name && i < zip->count; ++i)
        zip->name = arena_format(&plan->arena, err, "%s%s%s", zip->name, i ? "_" : "", zip->names[i]);
    return zip->name != NULL;
}

// `zip: [a, b]`, or several such lists.
static bool read_zips(Plan *plan, Error *err)
{
    const YamlNode *node = yaml_said(plan->spec->root, "zip");
    if (!node)
        return true;
    if (!yaml_is_sequence(node, "zip", err))
        return false;
    const bool several = node->count > 0 && node->items[0]->kind == YAML_SEQUENCE;
    plan->zip_count = several ? node->count : 1;
    plan->zips = arena_take(&plan->arena, plan->zip_count, sizeof *plan->zips, err);
    for (size_t i = 0; i < plan->zip_count; ++i)
        if (!plan->zips || !read_zip(plan, several ? node->items[i] : node, &plan->zips[i], err) ||
            !together_check_set(plan->zips, i, "zip", "lists", err))
            return false;
    return true;
}

bool together_read(Plan *plan, Error *err)
{
    return read_points(plan, err) && read_zips(plan, err);
}

bool together_has(const Plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->points.column_count; ++i)
        if (strcmp(plan->points.columns[i].name, name) == 0)
            return true;
    return false;
}

const PointColumn *together_column(Plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->points.column_count; ++i)
        if (strcmp(plan->points.columns[i].name, name) == 0) {
            plan->column_used[i] = true;
            return &plan->points.columns[i];
        }
    return NULL;
}

const char *together_dim(Plan *plan, Design design, const char *axis, bool column)
{
    const char *dim = column || design == DESIGN_ZIP ? group_point_dim : NULL;
    for (size_t i = 0; i < plan->zip_count; ++i)
        for (size_t k = 0; k < plan->zips[i].count; ++k)
            if (strcmp(plan->zips[i].names[k], axis) == 0) {
                plan->zips[i].used[k] = true;
                dim = dim ? dim : plan->zips[i].name;
            }
    return dim;
}

// The name of a parameter, or of a setting that may be an axis, that a wrong name is near to.
static const char *find_near(const Plan *plan, const char *name)
{
    const char              *near = NULL;
    static const char *const settings[] = {"step", "steps", "begin", "tolerance", "max_updates"};
    near = suggest(name, settings, sizeof settings / sizeof *settings);
    for (size_t g = 0; !near && g < plan->group_count; ++g) {
        const Card *cards[] = {plan->problem, plan->groups[g].method};
        for (size_t c = 0; !near && c < 2; ++c)
            for (size_t i = 0; !near && i < cards[c]->parameter_count; ++i)
                near = suggest(name, &cards[c]->parameters[i].name, 1);
    }
    return near;
}

bool together_check(const Plan *plan, Error *err)
{
    for (size_t i = 0; i < plan->points.column_count; ++i)
        if (!plan->column_used[i]) {
            const char *name = plan->points.columns[i].name, *near = find_near(plan, name);
            return point_file_fail(&plan->points, i, POINT_FILE_HEADER, err,
                                   "column '%.60s' is not a parameter or setting of this sweep", name) ||
                   suggest_add(err, near, "; name the columns to take under points.columns");
        }
    for (size_t i = 0; i < plan->zip_count; ++i)
        for (size_t k = 0; k < plan->zips[i].count; ++k)
            if (!plan->zips[i].used[k])
                return yaml_fail(plan->zips[i].node->items[k], err, "zip: '%.60s' is not an axis of this sweep",
                                 plan->zips[i].names[k]);
    return true;
}
