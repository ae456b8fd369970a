// plot_family -- a metric over one axis, a curve for each value of another one.
#include "analysis/plot/series.h"

#include <math.h>
#include <string.h>

enum { MOST_CURVES = 8 };

// Adds the curve of one value of the family; of a group without that axis its only one.
static bool add_curve(SeriesPicture *picture, const PlotSlice *whole, const PlotMetric *metric, size_t panel,
                      size_t entry, size_t value, PlotPicks *picks, Error *err)
{
    const PointsAxis *along = whole->axes[0];
    PlotSlice         slice = *whole;
    Arena             work = {0};
    if (slice.axis_count == 2)
        slice.place[slice.axes[1]->dim] = value;
    slice.axis_count = 1;
    slice.count = along->count;
    Series *series =
        plot_picks_read(&slice, metric, false, &work, picks, err)
            ? series_add(picture, panel, entry, picks->each > 1 ? SERIES_LINES : SERIES_BOTH, picks->count, err)
            : NULL;
    for (size_t i = 0; series && i < picks->count; ++i) {
        series->x[i] = along->values[picks->cells[i]];
        series->y[i] = picks->values[i];
    }
    if (series)
        series_sort(series);
    arena_free(&work);
    return series != NULL;
}

// A group has a panel: the values of its other axes are its second line.
static bool add_group(SeriesPicture *picture, const PlotSlice *slice, const PlotMetric *metric, const PlotView *view,
                      Error *err)
{
    const PlotGroup  *group = slice->group;
    const PointsAxis *family = slice->axis_count == 2 ? slice->axes[1] : NULL;
    const size_t      values = family ? family->count : 1, curves = values < MOST_CURVES ? values : MOST_CURVES;
    size_t            panel = 0;
    PlotPicks         picks = {.each = 1};
    Text              more = {0};
    plot_slice_rest(&more, "", slice, 2);
    bool ok = series_panel(picture, group->points.group->label, &more, &panel, err);
    if (curves < values)
        text_add(&picture->figure->notes, "%s: %zu of %zu values of %s are drawn\n", group->points.group->label, curves,
                 values, view->family);
    for (size_t k = 0; ok && k < curves; ++k) {
        const size_t value = plot_kind_spread(values, curves, k);
        Text         name = {0};
        if (family)
            text_add(&name, "%s = %.4g", family->name, family->values[value]);
        else
            text_add(&name, "without %s", view->family);
        ok = text_check(&name, err) &&
             add_curve(picture, slice, metric, panel, series_entry(picture, name.text), value, &picks, err);
        text_free(&name);
    }
    plot_picks_say(&picture->figure->notes, &picks, group->points.group->label, false);
    return ok;
}

bool plot_family_add(const PlotFile *file, const PlotRequest *request, Figure *figure, Error *err)
{
    SeriesPicture   *picture = series_make(figure, request, err);
    const PlotGroup *first = file->groups;
    while (!first->metric.variable)
        ++first;
    if (!picture)
        return false;
    picture->y.name = first->metric.name;
    picture->y.unit = first->metric.unit;
    picture->x.whole = true;
    figure->legend = true;
    for (size_t i = 0; i < file->group_count; ++i) {
        const PlotGroup  *group = &file->groups[i];
        const PlotSlice   slice = plot_slice_find(group, 2);
        const PointsAxis *along = slice.axis_count > 0 ? slice.axes[0] : NULL;
        if (!group->metric.variable || !along || strcmp(along->name, request->view.family) == 0 ||
            (picture->x.name && strcmp(along->name, picture->x.name) != 0)) {
            plot_kind_lack(figure, group, group->metric.variable ? "such axes" : file->metric);
            continue;
        }
        picture->x.name = along->name;
        picture->x.unit = along->unit;
        picture->x.scale = figure_is_logarithmic(along->values, along->count) ? PLOT_SCALE_LOG : PLOT_SCALE_LINEAR;
        if (!add_group(picture, &slice, &first->metric, &request->view, err))
            return false;
    }
    return series_draw(picture, file, err);
}
