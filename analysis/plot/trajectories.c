// trajectories -- choice among the stored trajectories, and their reading.
#include "analysis/plot/trajectories.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 8 };  // of an axis, drawn as lines

// A dimension's axis: `where` selects values into a scale trajectory_AXIS.
static const char *axis_of(const char *dimension)
{
    static const char prefix[] = "trajectory_";
    return strncmp(dimension, prefix, sizeof prefix - 1) == 0 ? dimension + sizeof prefix - 1 : dimension;
}

// The dimension that belongs to an axis; NULL: the first with more than one value. The rank where there is none.
static size_t find_dimension(const StoreVariable *variable, const char *axis)
{
    const size_t rank = plot_fields_rank(variable);
    for (size_t i = 0; i < rank; ++i)
        if (axis ? strcmp(axis_of(variable->dims[i]), axis) == 0 : variable->shape[i] > 1)
            return i;
    return rank;
}

// Whether every group that stores trajectories has the axis, with so many values.
static bool all_have(const Figure *figure, const char *axis, uint64_t least)
{
    for (size_t i = 0; i < figure->group_count; ++i) {
        const StoreVariable *variable = plot_fields_first(&figure->groups[i]);
        const size_t         dimension = variable ? find_dimension(variable, axis) : 0;
        if (variable && (dimension == plot_fields_rank(variable) || variable->shape[dimension] < least))
            return false;
    }
    return true;
}

// The first axis along which every group stores more than one trajectory, or NULL.
static const char *find_shared(const Figure *figure)
{
    const StoreVariable *first = NULL;
    for (size_t i = 0; !first && i < figure->group_count; ++i)
        first = plot_fields_first(&figure->groups[i]);
    for (size_t d = 0; first && d < plot_fields_rank(first); ++d)
        if (first->shape[d] > 1 && all_have(figure, axis_of(first->dims[d]), 2))
            return axis_of(first->dims[d]);
    return NULL;
}

// k-th of `count` indices spread over 0 .. length - 1, both ends included.
static uint64_t spread(uint64_t length, size_t count, size_t k)
{
    return count < 2 ? length / 2 : (length - 1) * k / (count - 1);
}

// All values where there is room for them, else a few.
static size_t limit(uint64_t length, size_t most, size_t few)
{
    return length <= most ? (size_t)length : few;
}

// The curves of a group: along `varied` so many of them, elsewhere the middle value.
static void add_curves(Trajectories *trajectories, const PlotGroup *group, size_t varied, size_t lines)
{
    const StoreVariable *variable = plot_fields_first(group);
    const size_t         rank = plot_fields_rank(variable);
    for (size_t k = 0; k < lines && trajectories->count < PLOT_MOST_CURVES; ++k) {
        PlotCurve *curve = &trajectories->curves[trajectories->count++];
        *curve = (PlotCurve){.group = group,
                             .variable = variable,
                             .rank = rank,
                             .varied = varied,
                             .column = trajectories->shared  ? k
                                       : trajectories->apart ? trajectories->column_count
                                                             : 0};
        for (size_t d = 0; d < rank; ++d)
            curve->index[d] = d == varied ? spread(variable->shape[d], lines, k) : variable->shape[d] / 2;
    }
}

// A group that adds a column, or one line to every column.
static void add_group(Trajectories *trajectories, const PlotGroup *group)
{
    const StoreVariable *variable = plot_fields_first(group);
    const size_t         varied = find_dimension(variable, trajectories->shared), rank = plot_fields_rank(variable);
    const uint64_t       values = varied < rank ? variable->shape[varied] : 1;
    const size_t         columns = trajectories->shared ? limit(values, PLOT_MOST_COLUMNS, 3) : 1;
    if (trajectories->apart) {
        add_curves(trajectories, group, varied, limit(values, MOST_VALUES, 5));
        ++trajectories->column_count;
        return;
    }
    add_curves(trajectories, group, varied, trajectories->shared ? columns : limit(values, MOST_VALUES, 5));
    trajectories->column_count = columns > trajectories->column_count ? columns : trajectories->column_count;
}

void trajectories_choose(const Figure *figure, Trajectories *trajectories)
{
    size_t groups = 0, drawn = 0;
    bool   varied = false;
    for (size_t i = 0; i < figure->group_count; ++i) {
        const StoreVariable *variable = plot_fields_first(&figure->groups[i]);
        groups += variable != NULL;
        varied = varied || (variable && find_dimension(variable, NULL) < plot_fields_rank(variable));
    }
    trajectories->figure = figure;
    trajectories->shared = groups > 1 ? find_shared(figure) : NULL;
    trajectories->apart = groups > 1 && varied && !trajectories->shared;
    for (size_t i = 0; i < figure->group_count; ++i) {
        if (!plot_fields_first(&figure->groups[i]))
            continue;
        if (drawn++ < (trajectories->apart ? PLOT_MOST_COLUMNS : PLOT_MOST_LINES))
            add_group(trajectories, &figure->groups[i]);
        else
            ++trajectories->left_out;
    }
    trajectories->column_count = trajectories->column_count ? trajectories->column_count : 1;
}

static bool read_times(PlotCurve *curve, Error *err)
{
    const Points        *points = &curve->group->points;
    const StoreVariable *time = store_read_variable(points->group, "time");
    uint64_t             start[STORE_READ_RANK] = {0}, count[STORE_READ_RANK];
    if (!time || time->rank == 0 || time->shape[time->rank - 1] != curve->samples)
        return fail(err, ERROR_INPUT, "%s: group '%s': no times for its trajectories", points->file->path,
                    points->group->label);
    // A swept step gives each of its values a row of times: the dimension is found by its name.
    for (size_t i = 0; i + 1 < time->rank; ++i) {
        count[i] = 1;
        for (size_t d = 0; d < curve->rank; ++d)
            if (strcmp(time->dims[i], curve->variable->dims[d]) == 0)
                start[i] = curve->index[d];
    }
    count[time->rank - 1] = curve->samples;
    return store_read_numbers(points->file, points->group, time, start, count, curve->time, err);
}

static bool read_field(const PlotCurve *curve, const PlotField *field, double *numbers, Error *err)
{
    const Points        *points = &curve->group->points;
    const StoreVariable *variable = store_read_variable(points->group, field->variable->name);
    uint64_t             start[STORE_READ_RANK] = {0}, count[STORE_READ_RANK];
    const size_t         rank = curve->rank + (field->per_dof ? 2 : 1);
    bool alike = !variable || (variable->rank == rank && variable->shape[curve->rank] == curve->samples);
    // Entries of a sweep may differ in their number of degrees of freedom.
    if (!variable || (alike && field->per_dof && field->coordinate >= variable->shape[rank - 1])) {
        for (size_t i = 0; i < curve->samples; ++i)
            numbers[i] = (double)NAN;
        return true;
    }
    for (size_t d = 0; alike && d < variable->rank; ++d) {
        const bool before = d < curve->rank;
        alike = !before || variable->shape[d] == curve->variable->shape[d];
        start[d] = before ? curve->index[d] : d > curve->rank ? field->coordinate : 0;
        count[d] = d == curve->rank ? curve->samples : 1;
    }
    if (!alike)
        return fail(err, ERROR_INPUT, "%s: group '%s': field '%s' is damaged", points->file->path, points->group->label,
                    variable->name);
    return store_read_numbers(points->file, points->group, variable, start, count, numbers, err);
}

// Times end with NaN where another point of the group takes more samples. A time meant is met within rounding.
static void find_window(PlotCurve *curve, double from, double to)
{
    const double room = 1e-9 * fmax(fabs(from), fabs(to));
    while (curve->first < curve->samples && curve->time[curve->first] < from - room)
        ++curve->first;
    curve->last = curve->first;
    while (curve->last < curve->samples && isfinite(curve->time[curve->last]) &&
           (to == 0.0 || curve->time[curve->last] <= to + room))
        ++curve->last;
}

bool trajectories_read(Trajectories *trajectories, const PlotFields *fields, double from, double to, Error *err)
{
    bool   any = false;
    double end = 0.0;
    for (size_t i = 0; i < trajectories->count; ++i) {
        PlotCurve *curve = &trajectories->curves[i];
        curve->samples = (size_t)curve->variable->shape[curve->rank];
        curve->time = calloc(curve->samples + 1, sizeof *curve->time);
        curve->numbers = calloc(curve->samples + 1, fields->count * sizeof *curve->numbers);
        if (!curve->time || !curve->numbers)
            return fail(err, ERROR_INTERNAL, "out of memory");
        if (!read_times(curve, err))
            return false;
        for (size_t k = 0; k < fields->count; ++k)
            if (!read_field(curve, &fields->items[k], curve->numbers + k * curve->samples, err))
                return false;
        find_window(curve, from, to);
        any = any || curve->last > curve->first + 1;
        for (size_t k = 0; k < curve->samples && isfinite(curve->time[k]); ++k)
            end = fmax(end, curve->time[k]);
    }
    return any || fail(err, ERROR_USAGE, "%s: fewer than two samples in the time asked for; trajectories end at %g s",
                       trajectories->figure->file.path, end);
}

void trajectories_free(Trajectories *trajectories)
{
    for (size_t i = 0; i < trajectories->count; ++i) {
        free(trajectories->curves[i].time);
        free(trajectories->curves[i].numbers);
    }
    *trajectories = (Trajectories){0};
}

const double *trajectories_numbers(const PlotCurve *curve, size_t field)
{
    return curve->numbers + field * curve->samples;
}

bool trajectories_extremes(const PlotCurve *curve, size_t field, size_t first, size_t last, double extremes[2])
{
    const double *numbers = trajectories_numbers(curve, field);
    extremes[0] = INFINITY;
    extremes[1] = -INFINITY;
    for (size_t i = first; i < last; ++i) {
        if (!isfinite(numbers[i]))
            continue;
        extremes[0] = fmin(extremes[0], numbers[i]);
        extremes[1] = fmax(extremes[1], numbers[i]);
    }
    return extremes[0] <= extremes[1];
}

// Whether every group whose trajectories are drawn has an axis.
static bool all_groups_have(const Trajectories *trajectories, const char *name)
{
    for (size_t i = 0; i < trajectories->count; ++i) {
        const Points *points = &trajectories->curves[i].group->points;
        size_t        axis = 0;
        while (axis < points->axis_count && strcmp(points->axes[axis].name, name) != 0)
            ++axis;
        if (axis == points->axis_count)
            return false;
    }
    return true;
}

// Adds where all axes of a zip's point stand, or those axes that all groups drawn share.
static bool add_point(Text *text, const Trajectories *trajectories, const Points *points, double point, Error *err)
{
    bool show[STORE_READ_RANK];
    if (!(point >= 0.0 && point < (double)points->count))
        return fail(err, ERROR_INPUT, "%s: group '%s': the points of its trajectories are damaged", points->file->path,
                    points->group->label);
    for (size_t i = 0; i < points->axis_count; ++i)
        show[i] = !trajectories || all_groups_have(trajectories, points->axes[i].name);
    figure_place(text, points, (uint64_t)point, show);
    return true;
}

// Adds "eps = 0.001" for a dimension of the curve. The dimension of a zip has no value but the point's number.
//   trajectories  NULL: all of a zip's axes, not only what its groups share
static bool add_value(Text *text, const Trajectories *trajectories, const PlotCurve *curve, size_t dimension,
                      Error *err)
{
    const Points        *points = &curve->group->points;
    const char          *name = curve->variable->dims[dimension];
    const StoreVariable *scale = store_read_variable(points->group, name);
    const uint64_t       one = 1;
    double               value = (double)curve->index[dimension];
    if (scale && scale->rank == 1 &&
        !store_read_numbers(points->file, points->group, scale, &curve->index[dimension], &one, &value, err))
        return false;
    text_add(text, "%s", text->length ? ", " : "");
    if (points->zip)
        return add_point(text, trajectories, points, value, err);
    text_add(text, "%s = %.4g", axis_of(name), value);
    return true;
}

bool trajectories_place(const PlotCurve *curve, Text *text, Error *err)
{
    text_add(text, "%s", curve->group->points.group->label);
    for (size_t d = 0; d < curve->rank; ++d)
        if (!add_value(text, NULL, curve, d, err))
            return false;
    return true;
}

// Whether a group stands above its column, where all lines are its own.
static bool stands_above(const Trajectories *trajectories)
{
    bool alone = true;
    for (size_t i = 1; i < trajectories->count; ++i)
        alone = alone && trajectories->curves[i].group == trajectories->curves[0].group;
    return trajectories->apart || alone;
}

// Whether lines differ in a dimension, so that the legend has it.
static bool in_legend(const Trajectories *trajectories, const PlotCurve *curve, size_t dimension)
{
    if (dimension == curve->varied)
        return !trajectories->shared;
    return !stands_above(trajectories) && !all_have(trajectories->figure, axis_of(curve->variable->dims[dimension]), 1);
}

bool trajectories_name(const Trajectories *trajectories, const PlotCurve *curve, Text *text, Error *err)
{
    if (!stands_above(trajectories))
        text_add(text, "%s", curve->group->points.group->label);
    for (size_t d = 0; d < curve->rank; ++d)
        if (in_legend(trajectories, curve, d) && !add_value(text, NULL, curve, d, err))
            return false;
    return true;
}

bool trajectories_title(const Trajectories *trajectories, const PlotCurve *curve, Text *text, Error *err)
{
    const bool above = stands_above(trajectories);
    if (above)
        text_add(text, "%s", curve->group->points.group->label);
    if (trajectories->shared && !add_value(text, trajectories, curve, curve->varied, err))
        return false;
    for (size_t d = 0; d < curve->rank; ++d)
        if (d != curve->varied && !in_legend(trajectories, curve, d) &&
            !add_value(text, above ? NULL : trajectories, curve, d, err))
            return false;
    return true;
}

size_t trajectories_line(const Trajectories *trajectories, size_t curve)
{
    const bool above = stands_above(trajectories);
    size_t     before = 0;
    for (size_t i = 0; i < curve; ++i)
        before += above ? trajectories->curves[i].column == trajectories->curves[curve].column
                        : trajectories->curves[i].group != trajectories->curves[i + 1].group;
    return before;
}
