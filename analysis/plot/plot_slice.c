// plot_slice -- hyperslabs of metrics, and their sorted values: the ends compared with the values between.
#include "analysis/plot/plot_kind.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

enum { FEWEST = 8, SHARE = 50, LOOKED_AT = 1024, PART = 1 << 19 };

static const double stretch = 9.0, decades = 2.0;

static bool is_whole(const PlotSlice *slice, size_t dim)
{
    for (size_t k = 0; k < slice->axis_count; ++k)
        if (slice->axes[k]->dim == dim)
            return true;
    return false;
}

// How many different values an axis has, of the first LOOKED_AT.
static size_t count_different(const PointsAxis *axis)
{
    double       values[LOOKED_AT];
    const size_t count = axis->count < LOOKED_AT ? axis->count : LOOKED_AT;
    size_t       different = count > 0;
    memcpy(values, axis->values, count * sizeof *values);
    sort_numbers(values, count);
    for (size_t i = 1; i < count; ++i)
        different += values[i] != values[i - 1];
    return different;
}

// The axis along which a dimension is drawn: of axes that go together the one with the most values.
static const PointsAxis *find_along(const Points *points, size_t dim)
{
    const PointsAxis *along = NULL;
    size_t            most = 0;
    for (size_t i = 0; i < points->axis_count && points->dims[dim].count > 1; ++i) {
        const size_t different = points->axes[i].dim == dim ? count_different(&points->axes[i]) : 0;
        along = different > most ? &points->axes[i] : along;
        most = different > most ? different : most;
    }
    return along;
}

// Makes the dimension of an axis whole.
static void take_whole(PlotSlice *slice, const PointsAxis *axis)
{
    if (!axis || slice->axis_count == 2 || is_whole(slice, axis->dim))
        return;
    slice->axes[slice->axis_count++] = axis;
    slice->count *= axis->count;
}

// Whether the view says where an axis along a dimension stands.
static bool is_placed(const PlotGroup *group, size_t dim)
{
    for (size_t i = 0; i < group->points.axis_count; ++i)
        if (group->points.axes[i].dim == dim && coordinates_find(&group->view->at, group->points.axes[i].name))
            return true;
    return false;
}

// The axis of that name, or without one the first whose dimension has a choice and is not taken.
//   together  whether it may be one of axes that go together: they make no side of a map
static const PointsAxis *choose_axis(const PlotSlice *slice, const char *name, const PointsAxis *taken, bool together)
{
    const PlotGroup  *group = slice->group;
    const PointsAxis *axis = plot_file_axis(group, name);
    for (size_t d = 0; !name && !axis && d < group->points.dim_count; ++d)
        if ((together || !group->points.dims[d].together) && !is_placed(group, d) && !is_whole(slice, d) &&
            !(taken && taken->dim == d))
            axis = find_along(&group->points, d);
    return axis;
}

PlotSlice plot_slice_find(const PlotGroup *group, size_t most)
{
    const PlotView   *view = group->view;
    const char       *second = view->family ? view->family : view->y;
    const PointsAxis *taken = most > 1 ? plot_file_axis(group, second) : NULL;
    PlotSlice         slice = {.group = group, .count = 1};
    for (size_t d = 0; d < group->points.dim_count; ++d)
        slice.place[d] = plot_file_place_of(group, d);
    take_whole(&slice, choose_axis(&slice, view->x, taken, most == 1));
    if (most > 1)
        take_whole(&slice, choose_axis(&slice, second, NULL, false));
    if (slice.axis_count == 0 && !view->x)
        take_whole(&slice, choose_axis(&slice, NULL, NULL, true));
    return slice;
}

PlotSlice plot_slice_line(const PlotSlice *slice, size_t second)
{
    PlotSlice line = *slice;
    if (line.axis_count == 2)
        line.place[line.axes[1]->dim] = second;
    line.axis_count = 1;
    line.count = line.axes[0]->count;
    return line;
}

uint64_t plot_slice_point(const PlotSlice *slice, size_t number)
{
    const Points *points = &slice->group->points;
    const size_t  last = slice->axis_count == 2 ? slice->axes[1]->count : 1, places[2] = {number / last, number % last};
    uint64_t      point = 0;
    for (size_t d = 0; d < points->dim_count; ++d) {
        size_t place = slice->place[d];
        for (size_t k = 0; k < slice->axis_count; ++k)
            place = slice->axes[k]->dim == d ? places[k] : place;
        point = point * points->dims[d].count + place;
    }
    return point;
}

void plot_slice_part(const PlotSlice *slice, const PlotMetric *metric, uint64_t *start, uint64_t *count)
{
    const Points *points = &slice->group->points;
    for (size_t d = 0; d < points->dim_count; ++d) {
        start[d] = is_whole(slice, d) ? 0 : slice->place[d];
        count[d] = is_whole(slice, d) ? points->dims[d].count : 1;
    }
    start[points->dim_count] = metric->component;
    count[points->dim_count] = 1;
}

// The metric's variable in the group of a slice; NULL where it has none.
static const StoreVariable *find_variable(const PlotSlice *slice, const PlotMetric *metric)
{
    const Points        *points = &slice->group->points;
    const StoreVariable *variable = store_read_variable(points->group, metric->variable->name);
    return variable && points_width(points, variable) > metric->component ? variable : NULL;
}

// The value drawn of a cell.
static double value_of(const PlotSlice *slice, const PlotMetric *metric, size_t cell, double status, double number)
{
    if (status != (double)STATUS_OK)
        return (double)NAN;
    return plot_file_value(&slice->group->points, metric, metric->per_step ? plot_slice_point(slice, cell) : 0, number);
}

// The reading of a slice in parts: some places along its first dimension, a range of its last one.
typedef struct SliceScan {
    const PlotSlice     *slice;
    const PlotMetric    *metric;
    const StoreVariable *variable;
    uint64_t             start[STORE_READ_RANK], count[STORE_READ_RANK];
    size_t               along;            // the axis of the last dimension
    size_t               inside, outside;  // cells along it, and along the other one
    double              *status, *values;
} SliceScan;

static bool start_scan(SliceScan *scan, Arena *arena, Error *err)
{
    const PlotSlice *slice = scan->slice;
    const bool       both = slice->axis_count == 2;
    scan->variable = find_variable(slice, scan->metric);
    plot_slice_part(slice, scan->metric, scan->start, scan->count);
    scan->along = both && slice->axes[1]->dim > slice->axes[0]->dim;
    scan->inside = slice->axis_count ? slice->axes[scan->along]->count : slice->count;
    scan->outside = scan->inside ? slice->count / scan->inside : 0;
    const size_t room = slice->count < PART ? slice->count : PART;
    scan->status = arena_take(arena, room, sizeof *scan->status, err);
    scan->values = arena_take(arena, room, sizeof *scan->values, err);
    return scan->status && scan->values;
}

static bool read_part(SliceScan *scan, const size_t first[2], const size_t count[2], Error *err)
{
    const PlotSlice *slice = scan->slice;
    const Points    *points = &slice->group->points;
    for (size_t k = 0; k < slice->axis_count; ++k) {
        scan->start[slice->axes[k]->dim] = first[k];
        scan->count[slice->axes[k]->dim] = count[k];
    }
    return store_read_numbers(points->file, points->group, points->status, scan->start, scan->count, scan->status,
                              err) &&
           (!scan->variable || store_read_numbers(points->file, points->group, scan->variable, scan->start, scan->count,
                                                  scan->values, err));
}

// The number of a cell of a run.
static size_t cell_of(const PlotSlice *slice, const PlotRun *run, size_t i)
{
    const size_t last = slice->axis_count == 2 ? slice->axes[1]->count : 1;
    return run->places[0] * last + run->places[1] + i * (run->along == 0 ? last : 1);
}

// Shows a row of a part.
static void show_run(const SliceScan *scan, const PlotRun *run, double *values, PlotSee *see, void *user)
{
    const PlotSlice *slice = scan->slice;
    for (size_t i = 0; i < run->count && scan->variable != slice->group->points.status; ++i)
        values[i] = scan->variable ? value_of(slice, scan->metric, cell_of(slice, run, i), run->status[i], values[i])
                                   : (double)NAN;
    see(run, user);
}

// Reads and shows a part.
//   first, count  [2] along each axis
static bool show_part(SliceScan *scan, const size_t first[2], const size_t count[2], PlotSee *see, void *user,
                      Error *err)
{
    const size_t across = 1 - scan->along, wide = count[scan->along];
    if (!read_part(scan, first, count, err))
        return false;
    for (size_t i = 0; i < count[across]; ++i) {
        PlotRun run = {.places = {first[0], first[1]},
                       .along = scan->along,
                       .count = wide,
                       .status = scan->status + i * wide,
                       .values = scan->values + i * wide};
        run.places[across] += i;
        show_run(scan, &run, scan->values + i * wide, see, user);
    }
    return true;
}

// Shows the parts one after another: as many whole rows as there is room for, else a piece of a row.
static bool show_parts(SliceScan *scan, PlotSee *see, void *user, Error *err)
{
    const size_t across = 1 - scan->along, wide = scan->inside < PART ? scan->inside : PART, high = PART / wide;
    size_t       first[2] = {0}, count[2] = {1, 1};
    for (size_t row = 0; row < scan->outside; row += high)
        for (size_t cell = 0; cell < scan->inside; cell += wide) {
            first[across] = row;
            count[across] = scan->outside - row < high ? scan->outside - row : high;
            first[scan->along] = cell;
            count[scan->along] = scan->inside - cell < wide ? scan->inside - cell : wide;
            if (!show_part(scan, first, count, see, user, err))
                return false;
        }
    return true;
}

bool plot_slice_scan(const PlotSlice *slice, const PlotMetric *metric, PlotSee *see, void *user, Error *err)
{
    Arena      arena = {0};
    SliceScan  scan = {.slice = slice, .metric = metric};
    const bool ok = start_scan(&scan, &arena, err) && (slice->count == 0 || show_parts(&scan, see, user, err));
    arena_free(&arena);
    return ok;
}

static void keep_run(const PlotRun *run, void *user)
{
    PlotSlice *slice = user;
    for (size_t i = 0; i < run->count; ++i) {
        slice->status[cell_of(slice, run, i)] = run->status[i];
        slice->values[cell_of(slice, run, i)] = run->values[i];
    }
}

bool plot_slice_fill(PlotSlice *slice, const PlotMetric *metric, Arena *arena, Error *err)
{
    slice->status = arena_take(arena, slice->count, sizeof *slice->status, err);
    slice->values = arena_take(arena, slice->count, sizeof *slice->values, err);
    return slice->status && slice->values && plot_slice_scan(slice, metric, keep_run, slice, err);
}

static bool wants_logarithmic(double low, double high)
{
    return low > 0.0 && high >= 20.0 * low;
}

// Whether a value so far from the others, which span so much, is left out. All on the scale: decades, or as they are.
static bool is_far(double distance, double span, bool logarithmic)
{
    return span > 0.0 && distance > (logarithmic ? fmax(span, decades) : stretch * span);
}

PlotClip plot_slice_clip(double *values, size_t count)
{
    if (count == 0)
        return (PlotClip){.low = INFINITY, .high = -INFINITY};
    sort_numbers(values, count);
    const size_t share = count / SHARE, some = count < FEWEST ? 0 : share ? share : 1;
    PlotClip     clip = {.least = values[0], .most = values[count - 1], .count = count};
    const bool   logarithmic = wants_logarithmic(clip.least, clip.most);
    double       ends[4] = {clip.least, values[some], values[count - 1 - some], clip.most};
    for (int k = 0; logarithmic && k < 4; ++k)
        ends[k] = log10(ends[k]);
    const double span = ends[2] - ends[1];
    clip.low = is_far(ends[1] - ends[0], span, logarithmic) ? values[some] : clip.least;
    clip.high = is_far(ends[3] - ends[2], span, logarithmic) ? values[count - 1 - some] : clip.most;
    for (size_t i = 0; i < count; ++i)
        clip.beyond += values[i] < clip.low || values[i] > clip.high;
    clip.logarithmic = wants_logarithmic(clip.low, clip.high);
    return clip;
}

void plot_slice_rest(Text *text, const char *before, const PlotSlice *slice, size_t least)
{
    const Points *points = &slice->group->points;
    bool          show[POINTS_AXES], some = false;
    for (size_t i = 0; i < points->axis_count; ++i) {
        show[i] = points->axes[i].count >= least && !is_whole(slice, points->axes[i].dim);
        some = some || show[i];
    }
    text_add(text, "%s", some ? before : "");
    if (some)
        plot_file_place(text, points, plot_slice_point(slice, 0), show);
}

void plot_slice_say(Text *notes, const PlotClip *clip, const char *name, const char *what)
{
    if (clip->beyond == 0)
        return;
    text_add(notes, "%s: the scale ends where %zu of %zu %s lie beyond it,", name, clip->beyond, clip->count, what);
    if (clip->least < clip->low)
        text_add(notes, " down to %.3g%s", clip->least, clip->most > clip->high ? " and" : "");
    if (clip->most > clip->high)
        text_add(notes, " up to %.3g", clip->most);
    text_add(notes, "\n");
}
