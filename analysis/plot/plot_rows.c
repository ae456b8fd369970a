// plot_rows -- ranges and scales of the panels of a picture over time.
#include "analysis/plot/trajectories.h"

#include "base/sort.h"

#include <math.h>

enum { MOST_SORTED = 4096 };

static const double far_beyond = 1000.0;

// The time from which on a field keeps, within 2 % of its whole range, to where it is in the last quarter.
static double settling_time(const PlotCurve *curve, const PlotRow *row)
{
    const double *numbers = trajectories_numbers(curve, row);
    const size_t  used = curve->last - curve->first, late = curve->first + used * 3 / 4;
    size_t        i = curve->last;
    if (used == 0)
        return 0.0;
    // A curve that ends early has nothing to show behind its end.
    while (i > curve->first && !isfinite(numbers[i - 1]))
        --i;
    const FigureRange whole = figure_range(numbers + curve->first, i - curve->first),
                      rest = figure_range(numbers + late, i > late ? i - late : 0);
    if (i < curve->last || rest.low > rest.high)
        return curve->time[i > curve->first ? i - 1 : curve->first];
    const double room = 0.02 * (whole.high - whole.low);
    while (i > curve->first && numbers[i - 1] >= rest.low - room && numbers[i - 1] <= rest.high + room)
        --i;
    // A curve that covers more than half of its range in the last quarter does not settle.
    return rest.high - rest.low > 0.5 * (whole.high - whole.low) ? curve->time[curve->last - 1]
                                                                 : curve->time[i < curve->last ? i : curve->last - 1];
}

// A field that settles early in all curves is shown until then, unless a time was asked for.
static void find_time(const Trajectories *picture, PlotRow *row)
{
    const PlotRequest *request = picture->request;
    double             settled = 0.0;
    row->time = picture->time;
    if (!row->settles || request->from > 0.0 || request->to > 0.0)
        return;
    for (size_t i = 0; i < picture->count; ++i)
        settled = fmax(settled, settling_time(&picture->curves[i], row));
    settled *= 1.5;
    row->zoomed = settled > 0.0 && settled < 0.3 * row->time.high;
    row->time.high = row->zoomed ? settled : row->time.high;
}

// The value below which a fiftieth of a curve's positive numbers lie: passes through zero end there. 0 without any.
static double smallest_shown(const PlotCurve *curve, const PlotRow *row)
{
    static const size_t part = 50;
    const double       *numbers = trajectories_numbers(curve, row);
    const size_t        every = (curve->last - curve->first) / MOST_SORTED + 1;
    double              sorted[MOST_SORTED];
    size_t              count = 0;
    for (size_t i = curve->first; i < curve->last; i += every)
        if (isfinite(numbers[i]) && numbers[i] > 0.0)
            sorted[count++] = numbers[i];
    sort_numbers(sorted, count);
    return count > 0 ? sorted[count / part] : 0.0;
}

// The range of a panel: of all numbers, or on a logarithmic scale of the positive ones, passes through zero left out.
// Groups side by side are to be compared, and have one range. A linear scale leaves out numbers far beyond the
// magnitude that half of the curves do not exceed.
static PlotPanel find_panel(const Trajectories *picture, const PlotRow *row, size_t column, bool logarithmic)
{
    PlotPanel   panel = {.logarithmic = logarithmic, .range = figure_range(NULL, 0)};
    FigureRange ranges[PLOT_MOST_CURVES];
    double      sorted[PLOT_MOST_CURVES], magnitudes[PLOT_MOST_CURVES];
    size_t      count = 0;
    for (size_t i = 0; i < picture->count; ++i) {
        const PlotCurve *curve = &picture->curves[i];
        const bool       inside = curve->column == column || picture->apart;
        ranges[i] = trajectories_range(curve, row, curve->first, inside ? curve->last : curve->first);
        magnitudes[i] = fmax(fabs(ranges[i].low), fabs(ranges[i].high));
        if (ranges[i].low <= ranges[i].high)
            sorted[count++] = magnitudes[i];
    }
    sort_numbers(sorted, count);
    const double usual = count > 0 && !logarithmic ? sorted[(count - 1) / 2] : 0.0;
    for (size_t i = 0; i < picture->count; ++i) {
        const PlotCurve *curve = &picture->curves[i];
        if (ranges[i].low > ranges[i].high)
            continue;
        if (usual > 0.0 && magnitudes[i] > far_beyond * usual) {
            ++panel.beyond;
            panel.furthest = fmax(panel.furthest, magnitudes[i]);
            continue;
        }
        if (logarithmic)
            ranges[i].low = smallest_shown(curve, row);
        if (logarithmic && !(ranges[i].low > 0.0))
            continue;
        figure_take_in(&panel.range, ranges[i].low);
        figure_take_in(&panel.range, ranges[i].high);
        panel.filled = panel.filled || curve->column == column;
    }
    return panel;
}

// A logarithmic scale is chosen for numbers that are nowhere negative and span more than a linear one can show.
static PlotPanel choose_panel(const Trajectories *picture, const PlotRow *row, size_t column)
{
    const PlotScale scale = picture->request->scale;
    const PlotPanel linear = find_panel(picture, row, column, false);
    if (scale == PLOT_SCALE_LINEAR || (scale == PLOT_SCALE_CHOSEN && !row->spans))
        return linear;
    const PlotPanel logarithmic = find_panel(picture, row, column, true);
    const bool      spans = linear.range.low >= 0.0 && logarithmic.range.high >= 30.0 * logarithmic.range.low;
    return logarithmic.filled && (spans || scale == PLOT_SCALE_LOG) ? logarithmic : linear;
}

bool plot_rows_find(Trajectories *picture, Error *err)
{
    const size_t fields = picture->row_count;
    picture->row_count = 0;
    for (size_t i = 0; i < fields; ++i) {
        PlotRow *row = &picture->rows[picture->row_count];
        bool     filled = false;
        *row = picture->rows[i];
        for (size_t column = 0; column < picture->column_count; ++column) {
            row->panels[column] = choose_panel(picture, row, column);
            filled = filled || row->panels[column].filled;
        }
        find_time(picture, row);
        picture->row_count += filled;
    }
    return picture->row_count > 0 ||
           fail(err, ERROR_USAGE, "%s: there is no number to draw: points that failed, or what no method here has",
                picture->file->file.path);
}
