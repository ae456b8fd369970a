// points -- axes of a group, and its metrics in slabs.
#include "store/points.h"
#include "store/damage.h"
#include "store/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// So many numbers of each variable are in memory at a time, unless one row of the last dimension is longer.
enum { SLAB_NUMBERS = 1 << 18 };

bool points_read_axis(const Points *points, const PointsAxis *axis, uint64_t first, size_t count, double *values,
                      Error *err)
{
    const uint64_t length = count;
    return store_read_numbers(points->file, points->group, store_read_variable(points->group, axis->name), &first,
                              &length, values, err);
}

static bool is_of_design(const StoreVariable *variable)
{
    return strcmp(variable->name, layout_design_sample) == 0 || strcmp(variable->name, layout_design_role) == 0 ||
           strcmp(variable->name, layout_attempt) == 0;
}

static bool add_axis(Points *points, const StoreVariable *variable, size_t dim, bool read, Error *err)
{
    if (variable->count != points->dims[dim].count || points->axis_count == POINTS_AXES)
        return damage_fail(points->file->path, points->group->label, err, "axis '%s'", variable->name);
    PointsAxis *axis = &points->axes[points->axis_count++];
    *axis = (PointsAxis){.name = variable->name,
                         .unit = variable->unit,
                         .about = variable->about,
                         .count = (size_t)variable->count,
                         .dim = dim};
    if (!read)
        return true;
    axis->values = arena_take(&points->arena, axis->count, sizeof *axis->values, err);
    return axis->values && store_read_numbers(points->file, points->group, variable, NULL, NULL, axis->values, err);
}

// A dimension has its axis's name, or it has no values: then the variables before the status that lie along it are its
// axes.
static bool read_dim(Points *points, size_t dim, bool design, Error *err)
{
    PointsDim           *about = &points->dims[dim];
    const StoreVariable *scale;
    *about = (PointsDim){.name = points->status->dims[dim], .count = (size_t)points->status->shape[dim]};
    scale = store_read_variable(points->group, about->name);
    if (scale)
        return add_axis(points, scale, dim, true, err);
    about->together = true;
    const size_t before = points->axis_count;
    for (const StoreVariable *variable = points->group->variables; variable < points->status; ++variable)
        if (variable->rank == 1 && strcmp(variable->dims[0], about->name) == 0 && !is_of_design(variable) &&
            !add_axis(points, variable, dim, !design, err))
            return false;
    return points->axis_count > before || points->status->rank == 1 ||
           fail(err, ERROR_INPUT, "%s: group '%s': no values for dimension '%s'", points->file->path,
                points->group->label, about->name);
}

static bool read_dims(Points *points, bool design, Error *err)
{
    points->dim_count = points->status->rank;
    for (size_t i = 0; i < points->dim_count; ++i)
        if (!read_dim(points, i, design, err))
            return false;
    return true;
}

static bool read_setting(const Points *points, const char *name, double *value, Error *err)
{
    bool found = false;
    *value = (double)NAN;
    return store_read_number(points->file, points->group, name, value, &found, err);
}

static bool read_begin(Points *points, Error *err)
{
    char *name = NULL;
    if (!store_read_text(points->file, points->group, "begins_at", &name, err))
        return false;
    if (!name)
        return true;
    points->begins_at = arena_copy(&points->arena, name, err);
    free(name);
    return points->begins_at && read_setting(points, points->begins_at, &points->begin, err);
}

static bool open_points(const StoreFile *file, const StoreGroup *group, bool design, Points *points, Error *err)
{
    *points = (Points){.file = file, .group = group, .status = store_read_variable(group, "status")};
    if (!points->status)
        return fail(err, ERROR_INPUT, "%s: group '%s' has no status: not a result file of this program", file->path,
                    group->label);
    const StoreVariable *status = points->status;
    points->count = status->count;
    points->axes = arena_take(&points->arena, POINTS_AXES, sizeof *points->axes, err);
    points->dims = arena_take(&points->arena, STORE_READ_RANK, sizeof *points->dims, err);
    const bool ok = points->axes && points->dims && read_dims(points, design, err) &&
                    read_setting(points, "step", &points->step, err) &&
                    read_setting(points, "steps", &points->steps, err) &&
                    read_setting(points, "end", &points->end, err) && read_begin(points, err);
    if (!ok)
        points_close(points);
    return ok;
}

bool points_open(const StoreFile *file, const StoreGroup *group, Points *points, Error *err)
{
    return open_points(file, group, false, points, err);
}

bool points_open_design(const StoreFile *file, const StoreGroup *group, Points *points, Error *err)
{
    return open_points(file, group, true, points, err);
}

void points_close(Points *points)
{
    arena_free(&points->arena);
    *points = (Points){0};
}

size_t points_width(const Points *points, const StoreVariable *variable)
{
    const StoreVariable *status = points->status;
    const size_t         rank = status->rank;
    const bool           one = variable->rank == rank;
    if (variable < status || (!one && (variable->rank != rank + 1 || strcmp(variable->dims[rank], "dof") != 0)))
        return 0;
    for (size_t i = 0; i < rank; ++i)
        if (strcmp(variable->dims[i], status->dims[i]) != 0)
            return 0;
    return one ? 1 : (size_t)variable->shape[rank];
}

bool points_is_metric(const Points *points, const StoreVariable *variable)
{
    return variable->rank == points->status->rank && points_width(points, variable) == 1;
}

const StoreVariable *points_find(const Points *points, const char *name, size_t *component)
{
    const StoreVariable *variable = store_read_address(points->group, name, component);
    if (!variable || points_width(points, variable) == 0)
        return NULL;
    return points_is_metric(points, variable) == (*component == SIZE_MAX) ? variable : NULL;
}

size_t points_metrics(const Points *points, const char **names, size_t most)
{
    const StoreGroup *group = points->group;
    size_t            count = 0;
    for (const StoreVariable *variable = points->status + 1; variable < group->variables + group->variable_count;
         ++variable)
        if (points_is_metric(points, variable) && count < most)
            names[count++] = variable->name;
    return count;
}

bool points_is_trajectory(const StoreVariable *variable)
{
    return !variable->scale && strcmp(variable->name, "time") != 0 &&
           card_lists(variable->dims, variable->rank, "sample");
}

size_t points_index(const Points *points, size_t dim, uint64_t point)
{
    for (size_t i = points->dim_count - 1; i > dim; --i)
        point /= points->dims[i].count;
    return (size_t)(point % points->dims[dim].count);
}

double points_axis_value(const Points *points, size_t axis, uint64_t point)
{
    return points->axes[axis].values[points_index(points, points->axes[axis].dim, point)];
}

double points_begin(const Points *points, uint64_t point)
{
    for (size_t i = 0; points->begins_at && i < points->axis_count; ++i)
        if (strcmp(points->axes[i].name, points->begins_at) == 0)
            return points_axis_value(points, i, point);
    return points->begin;
}

double points_steps(const Points *points, uint64_t point)
{
    double step = points->step, steps = points->steps;
    for (size_t i = 0; i < points->axis_count; ++i) {
        const PointsAxis *axis = &points->axes[i];
        if (strcmp(axis->name, "steps") == 0)
            steps = points_axis_value(points, i, point);
        else if (strcmp(axis->name, "step") == 0)
            step = points_axis_value(points, i, point);
    }
    const double whole = isnan(steps) ? round((points->end - points_begin(points, point)) / step) : steps;
    return whole < 1.0 ? 1.0 : whole;
}

// A slab: one index in each dimension before `along`, a range there, all of the later dimensions.
typedef struct Slab {
    uint64_t start[STORE_READ_RANK + 1], count[STORE_READ_RANK + 1];  // one more for a component
    size_t   along, rank;
    uint64_t row;      // numbers per index of `along`
    uint64_t longest;  // range along `along`
} Slab;

static Slab first_slab(const StoreVariable *variable)
{
    Slab slab = {.rank = variable->rank, .row = 1, .longest = 1};
    if (variable->rank == 0)
        return slab;
    for (size_t i = 0; i < variable->rank; ++i)
        slab.count[i] = 1;
    slab.along = variable->rank - 1;
    while (slab.along > 0 && slab.row * variable->shape[slab.along] <= SLAB_NUMBERS) {
        slab.count[slab.along] = variable->shape[slab.along];
        slab.row *= variable->shape[slab.along--];
    }
    slab.longest = slab.row < SLAB_NUMBERS ? SLAB_NUMBERS / slab.row : 1;
    if (slab.longest > variable->shape[slab.along])
        slab.longest = variable->shape[slab.along];
    slab.count[slab.along] = slab.longest;
    return slab;
}

// Moves on; false behind the last slab.
static bool next_slab(const StoreVariable *variable, Slab *slab)
{
    if (slab->rank == 0)
        return false;
    size_t i = slab->along;
    slab->start[i] += slab->count[i];
    while (slab->start[i] >= variable->shape[i]) {
        if (i == 0)
            return false;
        slab->start[i] = 0;
        ++slab->start[--i];
    }
    const uint64_t left = variable->shape[slab->along] - slab->start[slab->along];
    slab->count[slab->along] = left < slab->longest ? left : slab->longest;
    return true;
}

// The part of a variable that a scan reads: one index of a dimension that the status lacks, or all of them.
typedef struct Part {
    uint64_t first, count;
} Part;

// Reads slab after slab of some variables.
static bool scan(const Points *points, const StoreVariable *const *variables, const Part *parts, size_t variable_count,
                 PointsShow *show, void *user, Error *err)
{
    Arena    arena SCOPED(arena_free) = {0};
    Slab     slab = first_slab(points->status);
    uint64_t first = 0;
    double **numbers = arena_take(&arena, variable_count, sizeof *numbers, err);
    bool     ok = numbers != NULL, more = points->count > 0;
    for (size_t i = 0; ok && i < variable_count; ++i) {
        numbers[i] = arena_take(&arena, (size_t)(slab.row * slab.longest * parts[i].count), sizeof **numbers, err);
        ok = numbers[i] != NULL;
    }
    while (ok && more) {
        const uint64_t count = slab.row * (slab.rank ? slab.count[slab.along] : 1);
        for (size_t i = 0; ok && i < variable_count; ++i) {
            slab.start[slab.rank] = parts[i].first;
            slab.count[slab.rank] = parts[i].count;
            ok = store_read_numbers(points->file, points->group, variables[i], variables[i]->rank ? slab.start : NULL,
                                    variables[i]->rank ? slab.count : NULL, numbers[i], err);
        }
        ok = ok && show(first, (size_t)count, numbers, user, err);
        first += count;
        more = next_slab(points->status, &slab);
    }
    return ok;
}

// Hands a slab to a caller that cannot fail.
typedef struct Seer {
    PointsSee *see;
    void      *user;
} Seer;

static bool see_slab(uint64_t first, size_t count, double *const *numbers, void *user, Error *err)
{
    const Seer *seer = user;
    (void)err;
    seer->see(first, count, numbers, seer->user);
    return true;
}

bool points_scan(const Points *points, const StoreVariable *const *variables, size_t variable_count, PointsSee *see,
                 void *user, Error *err)
{
    return points_scan_components(points, variables, NULL, variable_count, see, user, err);
}

bool points_scan_components(const Points *points, const StoreVariable *const *variables, const size_t *components,
                            size_t variable_count, PointsSee *see, void *user, Error *err)
{
    Part parts[POINTS_METRICS];
    Seer seer = {see, user};
    for (size_t i = 0; i < variable_count; ++i)
        parts[i] = (Part){components && components[i] != SIZE_MAX ? components[i] : 0, 1};
    return scan(points, variables, parts, variable_count, see_slab, &seer, err);
}

bool points_scan_component(const Points *points, const StoreVariable *variable, size_t component, PointsSee *see,
                           void *user, Error *err)
{
    const StoreVariable *variables[] = {points->status, variable};
    const size_t         components[] = {SIZE_MAX, component};
    return points_scan_components(points, variables, components, 2, see, user, err);
}

bool points_read(const Points *points, const StoreVariable *const *variables, size_t variable_count, PointsShow *show,
                 void *user, Error *err)
{
    Arena arena SCOPED(arena_free) = {0};
    Part *parts = arena_take(&arena, variable_count, sizeof *parts, err);
    for (size_t i = 0; parts && i < variable_count; ++i)
        parts[i].count = points_width(points, variables[i]);
    return parts && scan(points, variables, parts, variable_count, show, user, err);
}

static void count_slab(uint64_t first, size_t count, double *const *numbers, void *user)
{
    uint64_t *counts = user;
    (void)first;
    for (size_t i = 0; i < count; ++i) {
        const bool known = numbers[0][i] >= 0.0 && numbers[0][i] < STATUS_COUNT;
        ++counts[known ? (size_t)numbers[0][i] : POINTS_UNKNOWN];
    }
}

bool points_count(const Points *points, uint64_t counts[POINTS_COUNTS], Error *err)
{
    memset(counts, 0, POINTS_COUNTS * sizeof *counts);
    return points_scan(points, &points->status, 1, count_slab, counts, err);
}
