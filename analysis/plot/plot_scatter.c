// plot_scatter -- a point of the picture for each point of the file: one number over another.
#include "analysis/plot/series.h"

#include <math.h>
#include <string.h>

enum { MOST_COLOURS = 8 };

typedef struct Scatter {
    const PlotGroup  *group;
    PlotMetric        across;                // along x: a metric, or where it has no variable an axis
    size_t            axis;                  // number of it
    Series           *series[MOST_COLOURS];  // one, or one for each value of the family
    size_t            used[MOST_COLOURS];
    const PointsAxis *family;
    bool              placed[STORE_READ_RANK];  // by dimension
    size_t            place[STORE_READ_RANK];   // where placed
    size_t            colours, every, panel;
} Scatter;

static bool is_possible(const PlotGroup *group)
{
    return group->metric.variable != NULL;
}

// Finds the dimensions along which the view says where an axis stands.
static void find_places(Scatter *scatter)
{
    const PlotGroup *group = scatter->group;
    memset(scatter->placed, 0, sizeof scatter->placed);
    for (size_t i = 0; i < group->view->at.count; ++i) {
        const PointsAxis *axis = plot_file_axis(group, group->view->at.items[i].name);
        if (!axis)
            continue;
        scatter->placed[axis->dim] = true;
        scatter->place[axis->dim] = plot_file_place_of(group, axis->dim);
    }
}

// Whether the view leaves a point out: it says where an axis stands, and this is another place.
static bool is_elsewhere(const Scatter *scatter, uint64_t point)
{
    const Points *points = &scatter->group->points;
    for (size_t d = 0; d < points->dim_count; ++d)
        if (scatter->placed[d] && points_index(points, d, point) != scatter->place[d])
            return true;
    return false;
}

// The colour of a point; MOST_COLOURS: its value of the family is not drawn.
static size_t colour_of(const Scatter *scatter, uint64_t point)
{
    const PointsAxis *family = scatter->family;
    if (!family)
        return 0;
    const double value = family->values[points_index(&scatter->group->points, family->dim, point)];
    for (size_t k = 0; k < scatter->colours; ++k)
        if (value == family->values[plot_kind_spread(family->count, scatter->colours, k)])
            return k;
    return MOST_COLOURS;
}

// numbers: status, along x where that is a metric, the metric.
static bool see(uint64_t first, size_t count, double *const *numbers, void *user, Error *err)
{
    Scatter          *scatter = user;
    const Points     *points = &scatter->group->points;
    const PlotMetric *metric = &scatter->group->metric, *across = &scatter->across;
    const size_t      width = points_width(points, metric->variable),
                 across_width = across->variable ? points_width(points, across->variable) : 0;
    (void)err;
    for (size_t i = 0; i < count; ++i) {
        const uint64_t point = first + i;
        if (point % scatter->every || numbers[0][i] != (double)STATUS_OK || is_elsewhere(scatter, point))
            continue;
        const size_t colour = colour_of(scatter, point);
        if (colour == MOST_COLOURS || scatter->used[colour] == scatter->series[colour]->count)
            continue;
        Series      *series = scatter->series[colour];
        const size_t at = scatter->used[colour]++;
        series->x[at] = across->variable
                            ? plot_file_value(points, across, point, numbers[1][i * across_width + across->component])
                            : points_axis_value(points, scatter->axis, point);
        series->y[at] =
            plot_file_value(points, metric, point, numbers[across->variable ? 2 : 1][i * width + metric->component]);
    }
    return true;
}

static bool add_group(SeriesPicture *picture, Scatter *scatter, Error *err)
{
    const PlotGroup     *group = scatter->group;
    const Points        *points = &group->points;
    const StoreVariable *variables[3] = {points->status};
    const char          *label = points->group->label;
    size_t               count = 1;
    find_places(scatter);
    scatter->family = plot_file_axis(group, group->view->family);
    scatter->colours = !scatter->family                        ? 1
                       : scatter->family->count < MOST_COLOURS ? scatter->family->count
                                                               : MOST_COLOURS;
    memset(scatter->used, 0, sizeof scatter->used);
    if (scatter->family && scatter->colours < scatter->family->count)
        text_add(&picture->figure->notes, "%s: %zu of %zu values of %s are drawn\n", label, scatter->colours,
                 scatter->family->count, scatter->family->name);
    for (size_t k = 0; k < scatter->colours; ++k) {
        const char *name =
            scatter->family
                ? arena_format(&picture->figure->arena, err, "%s = %.4g", scatter->family->name,
                               scatter->family->values[plot_kind_spread(scatter->family->count, scatter->colours, k)])
                : label;
        const size_t room = (size_t)(points->count / scatter->every + 1);
        scatter->series[k] =
            name ? series_add(picture, scatter->panel, series_entry(picture, name), SERIES_MARKS, room, err) : NULL;
        if (!scatter->series[k])
            return false;
    }
    if (scatter->across.variable)
        variables[count++] = scatter->across.variable;
    variables[count++] = group->metric.variable;
    return points_read(points, variables, count, see, scatter, err);
}

// Adds a panel where the group needs one, and its points.
static bool draw_group(SeriesPicture *picture, Scatter *scatter, const PointsAxis *axis, Error *err)
{
    const PlotGroup *group = scatter->group;
    const bool       own = group->view->family != NULL;
    Text             more = {0};
    picture->x.name = axis ? axis->name : scatter->across.name;
    picture->x.unit = axis ? axis->unit : scatter->across.unit;
    if (axis)
        picture->x.scale = figure_is_logarithmic(axis->values, axis->count) ? PLOT_SCALE_LOG : PLOT_SCALE_LINEAR;
    picture->x.whole = axis != NULL;
    picture->y.name = group->metric.name;
    picture->y.unit = group->metric.unit;
    return ((!own && picture->panel_count > 0) ||
            series_panel(picture, own ? group->points.group->label : "", &more, &scatter->panel, err)) &&
           add_group(picture, scatter, err);
}

static bool add_scatter(const PlotFile *file, const PlotRequest *request, Figure *figure, Error *err)
{
    SeriesPicture *picture = series_make(figure, request, err);
    uint64_t       points = 0;
    Scatter        scatter = {0};
    bool           ok = picture != NULL;
    for (size_t i = 0; i < file->group_count; ++i)
        points += file->groups[i].metric.variable ? file->groups[i].points.count : 0;
    scatter.every = (size_t)(points / SERIES_POINTS + 1);
    if (scatter.every > 1)
        text_add(&figure->notes, "every %zu-th of %zu points is drawn\n", scatter.every, (size_t)points);
    figure->legend = true;
    for (size_t i = 0; ok && i < file->group_count; ++i) {
        const PlotGroup  *group = &file->groups[i];
        const PointsAxis *axis = plot_file_axis(group, request->view.x);
        scatter.group = group;
        scatter.across = (PlotMetric){0};
        scatter.axis = axis ? (size_t)(axis - group->points.axes) : group->points.axis_count;
        ok = axis || plot_file_metric(file, group, request->view.x, false, &figure->arena, &scatter.across, err);
        if (ok && group->metric.variable && (axis || scatter.across.variable))
            ok = draw_group(picture, &scatter, axis, err);
        else if (ok)
            plot_kind_lack(figure, group, group->metric.variable ? request->view.x : file->metric);
    }
    if (ok && picture->count == 0)
        ok = fail(err, ERROR_USAGE, "%s: no group has '%s', neither as an axis nor as a metric", request->path,
                  request->view.x);
    return ok && series_draw(picture, file, err);
}

const PlotMaker plot_scatter = {"no group has the metric", is_possible, PLOT_METRIC, add_scatter};
