// plot_convergence -- errors over the step, and work over errors: a curve for each method.
//
// A curve follows the step, the steps or the tolerance of its group. The order that is printed is the least-squares
// slope over four neighbouring points between which the slope varies least: there neither large steps nor rounding
// decide the error.
#include "analysis/plot/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 4 };

static const char   work_name[] = "evaluations";
static const double steepest_change = 0.5, flattest = 0.4;

// The axis that a curve follows.
static const PointsAxis *axis_of(const PlotGroup *group)
{
    static const char *const names[] = {"rtol", "atol", "step", "steps", "tolerance"};
    const PointsAxis        *axis = plot_file_axis(group, group->view->x);
    for (size_t i = 0; !group->view->x && !axis && i < sizeof names / sizeof *names; ++i) {
        axis = plot_file_axis(group, names[i]);
        axis = axis && axis->count > 1 ? axis : NULL;
    }
    return axis;
}

static bool is_possible(const PlotGroup *group)
{
    return group->metric.variable && axis_of(group);
}

// Reads a metric along a curve: NaN where a point failed.
static double *read_along(const PlotSlice *curve, const PlotMetric *metric, Arena *arena, Error *err)
{
    PlotSlice slice = *curve;
    if (!plot_slice_fill(&slice, metric, arena, err))
        return NULL;
    for (size_t i = 0; i < slice.count; ++i)
        slice.values[i] = slice.status[i] == (double)STATUS_OK ? slice.values[i] : (double)NAN;
    return slice.values;
}

// The value along x of a convergence plot: the step, of an axis of steps too.
static double step_of(const PlotSlice *curve, size_t i)
{
    const double value = curve->axes[0]->values[i], length = curve->group->points.end - curve->group->points.begin;
    return strcmp(curve->axes[0]->name, "steps") == 0 ? length / value : value;
}

// The least-squares slope of ln y over ln x among WINDOW neighbours, and how far the slopes between them lie apart.
static double slope_of(const double *x, const double *y, double *spread)
{
    double sums[4] = {0.0}, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < WINDOW; ++i) {
        const double a = log(x[i]), b = log(y[i]);
        sums[0] += a;
        sums[1] += b;
        sums[2] += a * a;
        sums[3] += a * b;
        const double slope = i > 0 ? (b - log(y[i - 1])) / (a - log(x[i - 1])) : (double)NAN;
        low = fmin(low, slope);
        high = fmax(high, slope);
    }
    *spread = high - low;
    return (WINDOW * sums[3] - sums[0] * sums[1]) / (WINDOW * sums[2] - sums[0] * sums[0]);
}

// The order of a series that is sorted by x; NaN where none shows.
//   first  written: where its window begins
static double order_of(const Series *series, size_t *first)
{
    double least = steepest_change, order = (double)NAN;
    for (size_t i = 0; i + WINDOW <= series->count; ++i) {
        double       spread = INFINITY;
        const double slope = slope_of(series->x + i, series->y + i, &spread);
        if (spread < least && slope > flattest) {
            least = spread;
            order = slope;
            *first = i;
        }
    }
    return order;
}

// A triangle for the order, unless there is one in the panel already.
static void add_slope(SeriesPicture *picture, const Series *series, size_t first, double order)
{
    const double rounded = round(order), x0 = series->x[first], x1 = series->x[first + WINDOW - 1], part = 0.35;
    for (size_t i = 0; i < picture->slope_count; ++i)
        if (picture->slopes[i].panel == series->panel && picture->slopes[i].order == rounded)
            return;
    if (fabs(order - rounded) > 0.25 || !(x0 < x1))
        return;
    const double from = x0 * pow(x1 / x0, 0.5 - part), to = x0 * pow(x1 / x0, 0.5 + part);
    series_slope(picture, (SeriesSlope){series->panel, from, to, series->y[first] * pow(to / x0, order), rounded});
}

// The curves of a group: one, or one for each value of the family.
typedef struct Curves {
    SeriesPicture    *picture;
    const PlotMetric *work;  // NULL: errors over the step
    size_t            panel;
} Curves;

static bool add_curve(const Curves *curves, const PlotSlice *curve, const char *name, Error *err)
{
    SeriesPicture *picture = curves->picture;
    Arena         *arena = &picture->figure->arena;
    Text          *said = picture->figure->said;
    const size_t   entry = series_entry(picture, name);
    Series        *series = series_add(picture, curves->panel, entry, SERIES_BOTH, curve->count, err);
    double        *errors = series ? read_along(curve, &curve->group->metric, arena, err) : NULL;
    size_t         first = 0;
    if (!errors || (curves->work && !(series->y = read_along(curve, curves->work, arena, err))))
        return false;
    *(curves->work ? &series->x : &series->y) = errors;
    if (curves->work)
        return true;
    for (size_t i = 0; i < curve->count; ++i)
        series->x[i] = step_of(curve, i);
    series_sort(series);
    const double order = order_of(series, &first);
    text_add(said, "  %s: ", name);
    if (isfinite(order))
        text_add(said, "order %.2f from step %.3g to %.3g\n", order, series->x[first], series->x[first + WINDOW - 1]);
    else
        text_add(said, "no order shows: errors have no constant slope over %d neighbouring steps\n", WINDOW);
    if (isfinite(order))
        add_slope(picture, series, first, order);
    return true;
}

static bool add_group(Curves *curves, const PlotGroup *group, Error *err)
{
    const PointsAxis *family = plot_file_axis(group, group->view->family);
    const char       *label = group->points.group->label;
    const size_t      most = FIGURE_COLOURS, values = family ? family->count : 1, count = values < most ? values : most;
    bool              ok = true;
    if (count < values)
        text_add(&curves->picture->figure->notes, "%s: %zu of %zu values of %s are drawn\n", label, count, values,
                 family->name);
    for (size_t k = 0; ok && k < count; ++k) {
        PlotSlice slice = {.group = group, .axes = {axis_of(group), family}, .axis_count = family ? 2 : 1};
        Text      name = {0};
        for (size_t d = 0; d < group->points.dim_count; ++d)
            slice.place[d] = plot_file_place_of(group, d);
        const size_t    value = plot_kind_spread(values, count, k);
        const PlotSlice curve = plot_slice_line(&slice, value);
        text_add(&name, "%s", label);
        if (family)
            text_add(&name, ", %s = %.4g", family->name, family->values[value]);
        plot_slice_rest(&name, ", ", &slice, 2);
        ok = text_check(&name, err) && add_curve(curves, &curve, name.text, err);
        text_free(&name);
    }
    return ok;
}

static bool add_picture(const PlotFile *file, const PlotRequest *request, bool work, Figure *figure, Error *err)
{
    SeriesPicture *picture = series_make(figure, request, err);
    const char    *cost = request->view.y ? request->view.y : work_name;
    Curves         curves = {.picture = picture};
    Text           more = {0};
    if (!picture || !series_panel(picture, "", &more, &curves.panel, err))
        return false;
    picture->x.scale = PLOT_SCALE_LOG;
    picture->x.whole = picture->y.whole = true;
    picture->y.scale = request->scale == PLOT_SCALE_CHOSEN ? PLOT_SCALE_LOG : request->scale;
    figure->legend = true;
    for (size_t i = 0; i < file->group_count; ++i) {
        const PlotGroup *group = &file->groups[i];
        PlotMetric       metric = {0};
        if (work && !plot_file_metric(file, group, cost, false, &figure->arena, &metric, err))
            return false;
        if (!is_possible(group) || (work && !metric.variable)) {
            plot_kind_lack(figure, group,
                           !group->metric.variable ? file->metric
                           : !axis_of(group)       ? "axis step, steps or tolerance"
                                                   : cost);
            continue;
        }
        const PlotMetric *error = &group->metric;
        picture->x.name = work ? error->name : "step";
        picture->x.unit = work ? error->unit : "s";
        picture->y.name = work ? metric.name : error->name;
        picture->y.unit = work ? metric.unit : error->unit;
        curves.work = work ? &metric : NULL;
        if (!add_group(&curves, group, err))
            return false;
    }
    if (picture->count == 0)
        return fail(err, ERROR_USAGE, "%s: no group has both '%s' and '%s' over its step, steps or tolerance",
                    request->path, file->metric, cost);
    return series_draw(picture, file, err);
}

static bool add_convergence(const PlotFile *file, const PlotRequest *request, Figure *figure, Error *err)
{
    return add_picture(file, request, false, figure, err);
}

static bool add_work(const PlotFile *file, const PlotRequest *request, Figure *figure, Error *err)
{
    return add_picture(file, request, true, figure, err);
}

const PlotMaker plot_convergence = {"no group has an error over its step, steps or tolerance", is_possible, PLOT_ERROR,
                                    add_convergence};
const PlotMaker plot_convergence_work = {"no group has an error over its step, steps or tolerance", is_possible,
                                         PLOT_ERROR, add_work};
