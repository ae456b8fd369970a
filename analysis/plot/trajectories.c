// trajectories -- choice among the stored trajectories, and their reading.
#include "analysis/plot/trajectories.h"
#include "store/damage.h"

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
static bool all_have(const PlotFile *file, const char *axis, uint64_t least)
{
    for (size_t i = 0; i < file->group_count; ++i) {
        const StoreVariable *variable = plot_fields_first(&file->groups[i]);
        const size_t         dimension = variable ? find_dimension(variable, axis) : 0;
        if (variable && (dimension == plot_fields_rank(variable) || variable->shape[dimension] < least))
            return false;
    }
    return true;
}

// The first axis along which every group stores more than one trajectory, or NULL.
static const char *find_shared(const PlotFile *file)
{
    const StoreVariable *first = plot_fields_first(plot_fields_group(file));
    for (size_t d = 0; d < plot_fields_rank(first); ++d)
        if (first->shape[d] > 1 && all_have(file, axis_of(first->dims[d]), 2) &&
            !coordinates_find(&file->groups[0].view->at, axis_of(first->dims[d])))
            return axis_of(first->dims[d]);
    return NULL;
}

// All values where there is room for them, else a few.
static size_t limit(uint64_t length, size_t most, size_t few)
{
    return length <= most ? (size_t)length : few;
}

// The index along a dimension at which the view sets it, by the nearest value; else the middle one.
static bool find_place(const PlotGroup *group, const char *dimension, uint64_t length, uint64_t *place, Error *err)
{
    const NamedValue    *at = coordinates_find(&group->view->at, axis_of(dimension));
    const StoreVariable *scale = at ? store_read_variable(group->points.group, dimension) : NULL;
    *place = length / 2;
    if (!scale || scale->rank != 1 || scale->count != length)
        return true;
    double *values = calloc(length + 1, sizeof *values);
    bool    ok = (values || fail(err, ERROR_INTERNAL, "out of memory")) &&
              store_read_numbers(group->points.file, group->points.group, scale, NULL, NULL, values, err);
    for (uint64_t i = 0; ok && i < length; ++i)
        if (i == 0 || fabs(values[i] - at->value) < fabs(values[*place] - at->value))
            *place = i;
    free(values);
    return ok;
}

// A group adds a column, or one line to every column. Along `varied` several curves are drawn, elsewhere one value.
static bool add_group(Trajectories *picture, const PlotGroup *group, size_t number, Error *err)
{
    const char          *family = group->view->family;
    const StoreVariable *variable = plot_fields_first(group);
    const size_t         rank = plot_fields_rank(variable);
    size_t               varied = find_dimension(variable, picture->shared ? picture->shared : family);
    bool                 ok = true;
    // A dimension that the view sets is not varied.
    while (!picture->shared && !family && varied < rank &&
           (variable->shape[varied] < 2 || coordinates_find(&group->view->at, axis_of(variable->dims[varied]))))
        ++varied;
    const uint64_t values = varied < rank ? variable->shape[varied] : 1;
    const size_t   lines = picture->shared ? limit(values, PLOT_MOST_COLUMNS, 3) : limit(values, MOST_VALUES, 5),
                 own = picture->apart ? picture->column_count : 0, columns = picture->shared ? lines : own + 1;
    for (size_t k = 0; k < lines && picture->count < PLOT_MOST_CURVES; ++k) {
        PlotCurve *curve = &picture->curves[picture->count++];
        *curve = (PlotCurve){.group = group,
                             .variable = variable,
                             .rank = rank,
                             .varied = varied,
                             .column = picture->shared ? k : own,
                             .line = picture->above ? k : number};
        for (size_t d = 0; d < rank && ok; ++d) {
            ok = d == varied || find_place(group, variable->dims[d], variable->shape[d], &curve->index[d], err);
            curve->index[d] = d == varied ? plot_kind_spread((size_t)variable->shape[d], lines, k) : curve->index[d];
        }
    }
    picture->column_count = columns > picture->column_count ? columns : picture->column_count;
    return ok;
}

bool trajectories_choose(Trajectories *picture, Error *err)
{
    const PlotFile *file = picture->file;
    const char     *family = picture->request->view.family;
    size_t          groups = 0, drawn = 0;
    bool            varied = false, ok = true;
    for (size_t i = 0; i < file->group_count; ++i) {
        const StoreVariable *variable = plot_fields_first(&file->groups[i]);
        groups += variable != NULL;
        varied = varied || (variable && find_dimension(variable, family) < plot_fields_rank(variable));
    }
    picture->shared = groups > 1 && !family ? find_shared(file) : NULL;
    picture->apart = groups > 1 && varied && !picture->shared;
    picture->above = picture->apart || groups == 1;
    for (size_t i = 0; ok && i < file->group_count; ++i) {
        if (!plot_fields_first(&file->groups[i]))
            continue;
        if (drawn < (picture->apart ? PLOT_MOST_COLUMNS : PLOT_MOST_LINES))
            ok = add_group(picture, &file->groups[i], drawn++, err);
        else
            ++picture->left_out;
    }
    return ok;
}

// Reads a number of a variable for each sample of a curve. Its dimensions are found by their names: a swept step gives
// each of its values a row of times.
static bool read_samples(const PlotCurve *curve, const StoreVariable *variable, size_t coordinate, double *numbers,
                         Error *err)
{
    const Points *points = &curve->group->points;
    uint64_t      start[STORE_READ_RANK] = {0}, count[STORE_READ_RANK];
    bool          alike = false;
    for (size_t i = 0; i < variable->rank; ++i) {
        const bool sample = strcmp(variable->dims[i], "sample") == 0;
        size_t     d = 0;
        while (d < curve->rank && strcmp(variable->dims[i], curve->variable->dims[d]) != 0)
            ++d;
        start[i] = sample ? 0 : d < curve->rank ? curve->index[d] : coordinate;
        count[i] = sample ? curve->samples : 1;
        alike = alike || (sample && variable->shape[i] == curve->samples);
    }
    for (size_t i = 0; i < variable->rank; ++i)
        alike = alike && start[i] + count[i] <= variable->shape[i];
    if (alike)
        return store_read_numbers(points->file, points->group, variable, start, count, numbers, err);
    return damage_fail(points->file->path, points->group->label, err, "field '%s'", variable->name);
}

static bool read_times(const PlotCurve *curve, Error *err)
{
    const Points        *points = &curve->group->points;
    const StoreVariable *time = store_read_variable(points->group, "time");
    if (!time || time->rank == 0 || time->shape[time->rank - 1] != curve->samples)
        return fail(err, ERROR_INPUT, "%s: group '%s': no times for its trajectories", points->file->path,
                    points->group->label);
    return read_samples(curve, time, 0, curve->time, err);
}

// Entries of a sweep may differ in their fields, and in their number of degrees of freedom.
static bool read_row(const PlotCurve *curve, const PlotRow *row, Error *err)
{
    const StoreVariable *variable = store_read_variable(curve->group->points.group, row->variable->name);
    double              *numbers = curve->numbers + row->number * curve->samples;
    if (variable && variable->rank > 0 && !(row->per_dof && row->coordinate >= variable->shape[variable->rank - 1]))
        return read_samples(curve, variable, row->coordinate, numbers, err);
    for (size_t i = 0; i < curve->samples; ++i)
        numbers[i] = (double)NAN;
    return true;
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

bool trajectories_read(Trajectories *picture, Error *err)
{
    Arena      *arena = &picture->figure->arena;
    bool        any = false;
    FigureRange stored = figure_range(NULL, 0);
    picture->time = stored;
    for (size_t i = 0; i < picture->count; ++i) {
        PlotCurve *curve = &picture->curves[i];
        curve->samples = (size_t)curve->variable->shape[curve->rank];
        curve->time = arena_take(arena, curve->samples, sizeof *curve->time, err);
        curve->numbers = arena_take(arena, curve->samples, picture->row_count * sizeof *curve->numbers, err);
        if (!curve->time || !curve->numbers || !read_times(curve, err))
            return false;
        for (size_t k = 0; k < picture->row_count; ++k)
            if (!read_row(curve, &picture->rows[k], err))
                return false;
        find_window(curve, picture->request->from, picture->request->to);
        any = any || curve->last > curve->first + 1;
        for (size_t k = 0; k < curve->samples; ++k)
            figure_take_in(k >= curve->first && k < curve->last ? &picture->time : &stored, curve->time[k]);
    }
    return any || fail(err, ERROR_USAGE, "%s: fewer than two samples in the time asked for; trajectories end at %g s",
                       picture->file->file.path, fmax(fmax(stored.high, picture->time.high), 0.0));
}

const double *trajectories_numbers(const PlotCurve *curve, const PlotRow *row)
{
    return curve->numbers + row->number * curve->samples;
}

FigureRange trajectories_range(const PlotCurve *curve, const PlotRow *row, size_t first, size_t last)
{
    return figure_range(trajectories_numbers(curve, row) + first, last - first);
}

// Whether every group whose trajectories are drawn has an axis.
static bool all_groups_have(const Trajectories *picture, const char *name)
{
    for (size_t i = 0; i < picture->count; ++i)
        if (!plot_file_axis(picture->curves[i].group, name))
            return false;
    return true;
}

// Adds where all axes along a dimension stand, or only the axes that all groups drawn share.
static bool add_together(Text *text, const Trajectories *picture, const Points *points, size_t dim, double index,
                         Error *err)
{
    bool     show[POINTS_AXES];
    uint64_t stride = 1;
    if (!(index >= 0.0 && index < (double)points->dims[dim].count))
        return damage_fail(points->file->path, points->group->label, err, "the selection of its trajectories");
    for (size_t i = 0; i < points->axis_count; ++i)
        show[i] = points->axes[i].dim == dim && (!picture || all_groups_have(picture, points->axes[i].name));
    for (size_t d = dim + 1; d < points->dim_count; ++d)
        stride *= points->dims[d].count;
    plot_file_place(text, points, (uint64_t)index * stride, show);
    return true;
}

// Adds "eps = 0.001" for a dimension of the curve. That of axes which go together has no value but an index.
//   picture  NULL: all of such axes, not only those that groups share
static bool add_value(Text *text, const Trajectories *picture, const PlotCurve *curve, size_t dimension, Error *err)
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
    if (points->dims[dimension].together)
        return add_together(text, picture, points, dimension, value, err);
    text_add(text, "%s = %.4g", axis_of(name), value);
    return true;
}

// Whether lines differ in a dimension, so that the legend has it.
static bool in_legend(const Trajectories *picture, const PlotCurve *curve, size_t dimension)
{
    if (dimension == curve->varied)
        return !picture->shared;
    return !picture->above && !all_have(picture->file, axis_of(curve->variable->dims[dimension]), 1);
}

const char *trajectories_name(const Trajectories *picture, const PlotCurve *curve, TrajectoryWords words, Error *err)
{
    const bool          title = words == TRAJECTORY_TITLE, first = title && picture->shared;
    const Trajectories *all = title && !picture->above ? picture : NULL;
    Text                text = {0};
    if (words == TRAJECTORY_WHOLE || title == picture->above)
        text_add(&text, "%s", curve->group->points.group->label);
    // The axis that makes the columns stands first above them.
    bool ok = !first || add_value(&text, all, curve, curve->varied, err);
    for (size_t d = 0; ok && d < curve->rank; ++d)
        if ((words == TRAJECTORY_WHOLE || title != in_legend(picture, curve, d)) && !(first && d == curve->varied))
            ok = add_value(&text, all, curve, d, err);
    const char *name = text_keep(&text, &picture->figure->arena, err);
    return ok ? name : NULL;
}
