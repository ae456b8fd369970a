// study_hold -- points and outputs in arrays, as a group that can be studied.
#include "analysis/sensitivity/study.h"
#include "store/held.h"
#include "store/layout.h"

#include <math.h>
#include <string.h>

// A number of a factor, or of an output behind the factors.
static double number_of(const StudyArrays *arrays, size_t column, size_t point)
{
    const size_t d = arrays->factor_count;
    if (arrays->columns)
        return arrays->columns[column][point];
    return column < d ? arrays->x[point * d + column] : arrays->y[point * arrays->output_count + column - d];
}

const char study_arrays[] = "arrays";

// The dimension of the points, which names no axis.
static const char *const along[] = {"point"};

static bool check_name(const char *const *before, size_t count, const char *name, const char *what, Error *err)
{
    const char *const own[] = {along[0], "status", layout_design_sample, layout_design_role, layout_attempt};
    if (!name || !*name)
        return fail(err, ERROR_USAGE, "%s %zu has no name", what, count);
    for (size_t i = 0; i < sizeof own / sizeof *own; ++i)
        if (strcmp(name, own[i]) == 0)
            return fail(err, ERROR_USAGE, "no %s can be called '%s'", what, name);
    for (size_t i = 0; i < count; ++i)
        if (strcmp(name, before[i]) == 0)
            return fail(err, ERROR_USAGE, "'%.60s' is the name of two columns", name);
    return true;
}

static bool check(const StudyArrays *arrays, Error *err)
{
    const size_t d = arrays->factor_count;
    if (arrays->point_count == 0 || d == 0 || arrays->output_count == 0)
        return fail(err, ERROR_USAGE, "%zu points, %zu factors and %zu outputs: at least one of each is needed",
                    arrays->point_count, d, arrays->output_count);
    if (d > POINTS_AXES)
        return fail(err, ERROR_USAGE, "%zu factors, at most %d", d, POINTS_AXES);
    if (!(arrays->columns || (arrays->x && arrays->y)) || !arrays->factors || !arrays->outputs)
        return fail(err, ERROR_USAGE, "the points, the outputs or their names are NULL");
    for (size_t i = 0; i < d; ++i)
        if (!check_name(arrays->factors, i, arrays->factors[i], "factor", err))
            return false;
    for (size_t i = 0; i < arrays->output_count; ++i)
        if (!check_name(arrays->outputs, i, arrays->outputs[i], "output", err) ||
            !check_name(arrays->factors, d, arrays->outputs[i], "output", err))
            return false;
    for (size_t i = 0; i < arrays->point_count * d; ++i)
        if (!isfinite(number_of(arrays, i % d, i / d)))
            return fail(err, ERROR_USAGE, "point %zu has no finite '%s': leave it out", i / d, arrays->factors[i % d]);
    return true;
}

// A column of a table as a variable.
static bool add_column(const StudyArrays *arrays, size_t column, const char *name, StoreFile *file, StoreGroup *group,
                       Error *err)
{
    const uint64_t points = arrays->point_count;
    double        *numbers = held_add_numbers(file, group, name, 1, along, &points, err);
    for (uint64_t i = 0; numbers && i < points; ++i)
        numbers[i] = number_of(arrays, column, i);
    return numbers != NULL;
}

static bool add_status(uint64_t points, StoreFile *file, StoreGroup *group, Error *err)
{
    int8_t *status = arena_take(&file->arena, points, sizeof *status, err);
    if (!status)
        return false;
    memset(status, STATUS_OK, points);
    held_add(group,
             &(StoreVariable){
                 .name = "status", .type = TYPE_I8, .rank = 1, .shape = {points}, .dims = {along[0]}, .held = status});
    return true;
}

static bool hold(const StudyArrays *arrays, StoreFile *file, Error *err)
{
    const size_t d = arrays->factor_count, n = arrays->point_count, outputs = arrays->output_count;
    StoreGroup  *group = held_group(file, "points", d + 1 + outputs, err);
    bool         ok = group && held_add_text(file, group, NULL, study_arrays, "true", err);
    for (size_t i = 0; ok && i < d; ++i) {
        const char *distribution = arrays->distributions ? arrays->distributions[i] : NULL;
        ok = add_column(arrays, i, arrays->factors[i], file, group, err) &&
             (!distribution || held_add_text(file, group, group->variables[i].name, "distribution", distribution, err));
    }
    ok = ok && add_status(n, file, group, err);
    for (size_t i = 0; ok && i < outputs; ++i)
        ok = add_column(arrays, d + i, arrays->outputs[i], file, group, err);
    return ok;
}

bool study_hold(const StudyArrays *arrays, StoreFile *file, Error *err)
{
    *file = (StoreFile){0};
    if (!check(arrays, err) || !held_open(arrays->path ? arrays->path : "arrays", 1, file, err))
        return false;
    if (hold(arrays, file, err))
        return true;
    store_read_close(file);
    return false;
}
