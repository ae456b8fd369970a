// plot_bifurcation -- all samples of a metric over an axis, a panel per group.
#include "analysis/plot/series.h"

#include <math.h>
#include <string.h>

static bool is_possible(const PlotGroup *group)
{
    return group->metric.variable && plot_slice_find(group, 1).axes[0];
}

// Reads the samples of all points along the axis: values[axis->count][samples].
static bool read_samples(const PlotSlice *slice, double *values, Error *err)
{
    const Points        *points = &slice->group->points;
    const StoreVariable *variable = slice->group->metric.variable;
    const size_t         d = points->dim_count;
    uint64_t             start[STORE_READ_RANK] = {0}, count[STORE_READ_RANK];
    plot_slice_part(slice, &slice->group->metric, start, count);
    start[d + 1] = start[d];
    count[d + 1] = 1;
    start[d] = 0;
    count[d] = variable->shape[d];
    return store_read_numbers(points->file, points->group, variable, start, count, values, err);
}

static bool add_group(SeriesPicture *picture, const PlotSlice *slice, Error *err)
{
    const PlotGroup  *group = slice->group;
    const PointsAxis *axis = slice->axes[0];
    const size_t      samples = (size_t)group->metric.variable->shape[group->points.dim_count],
                 count = axis->count * samples;
    size_t panel = 0, every = 1;
    Text   more = {0};
    plot_slice_rest(&more, "", slice, 2);
    double *values = arena_take(&picture->figure->arena, count + 1, sizeof *values, err);
    if (!series_panel(picture, group->points.group->label, &more, &panel, err) || !values ||
        !read_samples(slice, values, err))
        return false;
    while (samples > 1 && count / every > SERIES_POINTS)
        ++every;
    if (every > 1)
        text_add(&picture->figure->notes, "%s: every %zu-th sample is drawn\n", group->points.group->label, every);
    Series *series = series_add(picture, panel, 0, SERIES_DOTS, axis->count * ((samples + every - 1) / every), err);
    size_t  at = 0;
    for (size_t i = 0; series && i < axis->count; ++i)
        for (size_t k = 0; k < samples; k += every) {
            series->x[at] = axis->values[i];
            series->y[at++] = values[i * samples + k];
        }
    return series != NULL;
}

static bool add_bifurcation(const PlotFile *file, const PlotRequest *request, Figure *figure, Error *err)
{
    SeriesPicture *picture = series_make(figure, request, err);
    if (!picture)
        return false;
    picture->x.whole = true;
    series_entry(picture, "samples");
    for (size_t i = 0; i < file->group_count; ++i) {
        const PlotGroup *group = &file->groups[i];
        const PlotSlice  slice = plot_slice_find(group, 1);
        if (!is_possible(group)) {
            plot_kind_lack(figure, group, group->metric.variable ? "such axis" : file->metric);
            continue;
        }
        picture->x.name = slice.axes[0]->name;
        picture->x.unit = slice.axes[0]->unit;
        picture->x.scale =
            figure_is_logarithmic(slice.axes[0]->values, slice.axes[0]->count) ? PLOT_SCALE_LOG : PLOT_SCALE_LINEAR;
        picture->y.name = group->metric.name;
        picture->y.unit = group->metric.unit;
        if (!add_group(picture, &slice, err))
            return false;
    }
    return series_draw(picture, file, err);
}

const PlotMaker plot_bifurcation = {
    "no group has samples over an axis; list `poincare` or `section` under `metrics` of the sweep", is_possible,
    PLOT_SAMPLES, add_bifurcation};
