// plot_rows -- ranges and scales of the panels of a picture over time.
#include "analysis/plot/plot_rows.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SORTED = 4096 };

static const double far_beyond = 1000.0;

typedef struct TrajectoryRows {
    const Trajectories *trajectories;
    const PlotRequest  *request;
    double              from, to;  // time of all trajectories
} TrajectoryRows;

// The time from which on a field keeps, within 2 % of its whole range, to where it is in the last quarter.
static double settling_time(const PlotCurve *curve, size_t field)
{
    const double *numbers = trajectories_numbers(curve, field);
    const size_t  used = curve->last - curve->first, late = curve->first + used * 3 / 4;
    double        whole[2], rest[2];
    size_t        i = curve->last;
    if (used == 0)
        return 0.0;
    // A curve that ends early has nothing to show behind its end.
    while (i > curve->first && !isfinite(numbers[i - 1]))
        --i;
    if (i < curve->last || !trajectories_extremes(curve, field, curve->first, i, whole) ||
        !trajectories_extremes(curve, field, late, i, rest))
        return curve->time[i > curve->first ? i - 1 : curve->first];
    const double room = 0.02 * (whole[1] - whole[0]);
    while (i > curve->first && numbers[i - 1] >= rest[0] - room && numbers[i - 1] <= rest[1] + room)
        --i;
    // What covers all of its range also late does not settle.
    return rest[1] - rest[0] > 0.5 * (whole[1] - whole[0]) ? curve->time[curve->last - 1]
                                                           : curve->time[i < curve->last ? i : curve->last - 1];
}

static void find_time(TrajectoryRows *rows)
{
    rows->from = INFINITY;
    rows->to = -INFINITY;
    for (size_t i = 0; i < rows->trajectories->count; ++i) {
        const PlotCurve *curve = &rows->trajectories->curves[i];
        if (curve->first == curve->last)
            continue;
        rows->from = fmin(rows->from, curve->time[curve->first]);
        rows->to = fmax(rows->to, curve->time[curve->last - 1]);
    }
}

// A field that settles early in all curves is shown until then, unless a time was asked for.
static void find_row_time(const TrajectoryRows *rows, PlotRow *row)
{
    const PlotRequest *request = rows->request;
    double             settled = 0.0;
    row->from = rows->from;
    row->to = rows->to;
    if (!plot_fields_settles(&row->field) || request->from > 0.0 || request->to > 0.0)
        return;
    for (size_t i = 0; i < rows->trajectories->count; ++i)
        settled = fmax(settled, settling_time(&rows->trajectories->curves[i], row->number));
    settled *= 1.5;
    row->zoomed = settled > 0.0 && settled < 0.3 * rows->to;
    row->to = row->zoomed ? settled : row->to;
}

static int compare_numbers(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

// The value below which a fiftieth of a curve's positive numbers lie: passes through zero end there. 0 without any.
static double smallest_shown(const PlotCurve *curve, size_t field)
{
    static const size_t part = 50;
    const double       *numbers = trajectories_numbers(curve, field);
    const size_t        every = (curve->last - curve->first) / MOST_SORTED + 1;
    double              sorted[MOST_SORTED];
    size_t              count = 0;
    for (size_t i = curve->first; i < curve->last; i += every)
        if (isfinite(numbers[i]) && numbers[i] > 0.0)
            sorted[count++] = numbers[i];
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    return count > 0 ? sorted[count / part] : 0.0;
}

// The magnitude that half of the curves do not exceed; 0 without any.
static double usual_magnitude(const TrajectoryRows *rows, const PlotRow *row, size_t column)
{
    double sorted[MOST_SORTED], extremes[2];
    size_t count = 0;
    for (size_t i = 0; i < rows->trajectories->count && count < MOST_SORTED; ++i) {
        const PlotCurve *curve = &rows->trajectories->curves[i];
        if ((curve->column == column || rows->trajectories->apart) &&
            trajectories_extremes(curve, row->number, curve->first, curve->last, extremes))
            sorted[count++] = fmax(fabs(extremes[0]), fabs(extremes[1]));
    }
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    return count > 0 ? sorted[(count - 1) / 2] : 0.0;
}

// The range of a panel: of all numbers, or on a logarithmic scale of the positive ones, passes through zero left out.
// Groups side by side are to be compared, and have one range.
static PlotPanel find_panel(const TrajectoryRows *rows, const PlotRow *row, size_t column, bool logarithmic)
{
    PlotPanel    panel = {.logarithmic = logarithmic, .low = INFINITY, .high = -INFINITY};
    const double usual = logarithmic ? 0.0 : usual_magnitude(rows, row, column);
    for (size_t i = 0; i < rows->trajectories->count; ++i) {
        const PlotCurve *curve = &rows->trajectories->curves[i];
        double           extremes[2];
        if ((curve->column != column && !rows->trajectories->apart) ||
            !trajectories_extremes(curve, row->number, curve->first, curve->last, extremes))
            continue;
        const double magnitude = fmax(fabs(extremes[0]), fabs(extremes[1]));
        if (usual > 0.0 && magnitude > far_beyond * usual) {
            ++panel.beyond;
            panel.furthest = fmax(panel.furthest, magnitude);
            continue;
        }
        if (logarithmic)
            extremes[0] = smallest_shown(curve, row->number);
        if (logarithmic && !(extremes[0] > 0.0))
            continue;
        panel.low = fmin(panel.low, extremes[0]);
        panel.high = fmax(panel.high, extremes[1]);
        panel.filled = panel.filled || curve->column == column;
    }
    return panel;
}

// A logarithmic scale is chosen for numbers that are nowhere negative and span more than a linear one can show.
static PlotPanel choose_panel(const TrajectoryRows *rows, const PlotRow *row, size_t column)
{
    const PlotScale scale = rows->request->scale;
    const PlotPanel linear = find_panel(rows, row, column, false);
    if (scale == PLOT_SCALE_LINEAR || (scale == PLOT_SCALE_CHOSEN && !plot_fields_spans(&row->field)))
        return linear;
    const PlotPanel logarithmic = find_panel(rows, row, column, true);
    const bool      spans = linear.low >= 0.0 && logarithmic.high >= 30.0 * logarithmic.low;
    return logarithmic.filled && (spans || scale == PLOT_SCALE_LOG) ? logarithmic : linear;
}

bool plot_rows_find(const Trajectories *trajectories, const PlotFields *fields, const PlotRequest *request,
                    PlotRow *rows, size_t *count, Error *err)
{
    TrajectoryRows all = {.trajectories = trajectories, .request = request};
    find_time(&all);
    *count = 0;
    for (size_t i = 0; i < fields->count; ++i) {
        PlotRow row = {.field = fields->items[i], .number = i};
        bool    filled = false;
        for (size_t column = 0; column < trajectories->column_count; ++column) {
            row.panels[column] = choose_panel(&all, &row, column);
            filled = filled || row.panels[column].filled;
        }
        find_row_time(&all, &row);
        if (filled)
            rows[(*count)++] = row;
    }
    return *count > 0 ||
           fail(err, ERROR_USAGE, "%s: there is no number to draw: points that failed, or what no method here has",
                trajectories->figure->file.path);
}
