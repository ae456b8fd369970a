// plot_curves -- rows of panels for metrics, columns for axes: groups that have the same axis share a column, those
// without one are a level in all of them.
#include "analysis/plot/plot_curves.h"

#include "analysis/plot/gnuplot.h"
#include "analysis/plot/plot_clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 4, MOST_COLUMNS = 8 };

// A metric of the rows, by name: groups look for their own.
typedef struct CurveRow {
    PlotMetric metric;
    PlotClip   clip;  // of what is drawn
} CurveRow;

typedef struct Grid {
    CurveRow    rows[MOST_ROWS];
    size_t      row_count;
    const char *columns[MOST_COLUMNS];
    size_t      column_count;
} Grid;

// The first axis with more than one value; axis_count where there is none.
static size_t find_axis(const Points *points)
{
    size_t axis = 0;
    while (axis < points->axis_count && points->axes[axis].count < 2)
        ++axis;
    return axis;
}

bool plot_curves_possible(const PlotGroup *group)
{
    return group->metric.variable && find_axis(&group->points) < group->points.axis_count;
}

// The number of values along the group's axis; 1 where it has none.
static size_t value_count(const Points *points)
{
    const size_t axis = find_axis(points);
    return axis < points->axis_count ? points->axes[axis].count : 1;
}

// Groups whose axis finds no more room are named in the notes.
static void find_columns(const Figure *figure, Grid *grid, Text *notes)
{
    for (size_t i = 0; i < figure->group_count; ++i) {
        if (!plot_curves_possible(&figure->groups[i]))
            continue;
        const Points *points = &figure->groups[i].points;
        const char   *name = points->axes[find_axis(points)].name;
        size_t        column = 0;
        while (column < grid->column_count && strcmp(grid->columns[column], name) != 0)
            ++column;
        if (column == MOST_COLUMNS)
            text_add(notes, "%s is not drawn: there is room for %d axes\n", points->group->label, MOST_COLUMNS);
        else if (column == grid->column_count)
            grid->columns[grid->column_count++] = name;
    }
}

// Reads a variable along an axis, the others at their middle value.
static bool read_along(const Points *points, const StoreVariable *variable, size_t axis, double *numbers, Error *err)
{
    uint64_t start[STORE_READ_RANK] = {0}, count[STORE_READ_RANK] = {0};
    for (size_t i = 0; i < points->axis_count && !points->zip; ++i) {
        start[i] = i == axis ? 0 : points->axes[i].count / 2;
        count[i] = i == axis ? points->axes[i].count : 1;
    }
    count[0] = points->zip ? points->count : count[0];
    return store_read_numbers(points->file, points->group, variable, start, count, numbers, err);
}

static uint64_t point_along(const Points *points, size_t axis, size_t i)
{
    size_t index[STORE_READ_RANK];
    for (size_t k = 0; k < points->axis_count; ++k)
        index[k] = points->zip || k == axis ? i : points->axes[k].count / 2;
    return figure_point(points, index);
}

// Reads what is drawn of a group: its values along its axis, NaN where a point is not ok or the group lacks the metric.
//   values  written; [value_count()], to be freed
static bool read_values(const PlotGroup *group, const PlotMetric *metric, double **values, Error *err)
{
    const Points *points = &group->points;
    const size_t  axis = find_axis(points), count = value_count(points);
    PlotGroup     drawn = *group;
    drawn.metric = *metric;
    drawn.metric.variable = store_read_variable(points->group, metric->variable->name);
    double *numbers = malloc(2 * count * sizeof *numbers), *status = numbers + count;
    *values = numbers;
    if (!numbers)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; i < count; ++i)
        numbers[i] = status[i] = (double)NAN;
    if (drawn.metric.variable && points_is_metric(points, drawn.metric.variable) &&
        (!read_along(points, drawn.metric.variable, axis, numbers, err) ||
         !read_along(points, points->status, axis, status, err)))
        return false;
    for (size_t i = 0; i < count && drawn.metric.variable != points->status; ++i)
        numbers[i] = status[i] == (double)STATUS_OK ? figure_value(&drawn, point_along(points, axis, i), numbers[i])
                                                    : (double)NAN;
    return true;
}

static bool find_range(const Figure *figure, CurveRow *row, Error *err)
{
    double *all = NULL;
    size_t  count = 0, room = 0;
    bool    ok = true;
    for (size_t g = 0; g < figure->group_count; ++g)
        room += value_count(&figure->groups[g].points);
    all = malloc((room + 1) * sizeof *all);
    if (!all)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t g = 0; ok && g < figure->group_count; ++g) {
        const PlotGroup *group = &figure->groups[g];
        double          *values = NULL;
        ok = read_values(group, &row->metric, &values, err);
        for (size_t i = 0; ok && i < value_count(&group->points); ++i)
            if (isfinite(values[i]))
                all[count++] = values[i];
        free(values);
    }
    row->clip = plot_clip_find(all, count);
    free(all);
    return ok;
}

// The figure's metric, then the others in the order of the file, as far as there is something to see: not the same
// number everywhere.
static bool find_rows(const Figure *figure, bool only, Grid *grid, Error *err)
{
    const PlotGroup *group = figure->groups;
    while (!plot_curves_possible(group))
        ++group;
    const StoreGroup *stored = group->points.group;
    grid->rows[grid->row_count] = (CurveRow){.metric = group->metric};
    if (!find_range(figure, &grid->rows[grid->row_count++], err))
        return false;
    for (const StoreVariable *variable = group->points.status + 1;
         !only && variable < stored->variables + stored->variable_count; ++variable) {
        CurveRow row = {.metric = {.variable = variable, .name = variable->name, .unit = variable->unit}};
        if (grid->row_count == MOST_ROWS || variable == group->metric.variable ||
            !points_is_metric(&group->points, variable))
            continue;
        if (!find_range(figure, &row, err))
            return false;
        if (row.clip.least < row.clip.most)
            grid->rows[grid->row_count++] = row;
    }
    return true;
}

// Adds data block $cROW_GROUP. A group without an axis has one number, which is drawn as a level.
static bool add_block(Text *script, const PlotGroup *group, const PlotMetric *metric, size_t row, size_t number,
                      Error *err)
{
    const Points *points = &group->points;
    const size_t  axis = find_axis(points);
    double       *values = NULL;
    const bool    ok = read_values(group, metric, &values, err);
    text_add(script, "$c%zu_%zu << END\n", row, number);
    for (size_t i = 0; ok && i < value_count(points); ++i) {
        text_add(script, "%.9g ", axis < points->axis_count ? points->axes[axis].values[i] : 0.0);
        gnuplot_number(script, values[i]);
        text_add(script, "\n");
    }
    text_add(script, "END\n");
    free(values);
    return ok;
}

static bool is_level(const PlotGroup *group)
{
    return find_axis(&group->points) == group->points.axis_count;
}

static bool in_column(const PlotGroup *group, const char *column)
{
    return is_level(group) || strcmp(group->points.axes[find_axis(&group->points)].name, column) == 0;
}

// The label, and where the axes stand that are not drawn along.
static void make_name(const PlotGroup *group, Text *name)
{
    const Points *points = &group->points;
    const size_t  axis = find_axis(points);
    bool          show[STORE_READ_RANK], some = false;
    for (size_t i = 0; i < points->axis_count; ++i) {
        show[i] = !points->zip && i != axis && points->axes[i].count > 1;
        some = some || show[i];
    }
    text_add(name, some ? "%s, " : "%s", points->group->label);
    if (some)
        figure_place(name, points, point_along(points, axis, 0), show);
}

static size_t longest_name(const Figure *figure)
{
    size_t longest = 0;
    for (size_t i = 0; i < figure->group_count; ++i) {
        Text name = {0};
        make_name(&figure->groups[i], &name);
        longest = name.length > longest ? name.length : longest;
        text_free(&name);
    }
    return longest;
}

// The range of an axis with some room at both ends.
static void add_x_axis(Text *script, const PointsAxis *axis)
{
    const bool logarithmic = figure_is_logarithmic(axis->values, axis->count);
    double     low = axis->values[0], high = axis->values[0];
    Text       label = {0};
    for (size_t i = 0; i < axis->count; ++i) {
        low = fmin(low, axis->values[i]);
        high = fmax(high, axis->values[i]);
    }
    const double factor = pow(high / low, 0.04), room = 0.04 * (high - low);
    figure_name(&label, axis->name, axis->unit);
    figure_axis(script, "x", label.text ? label.text : "", axis->values, axis->count,
                logarithmic ? low / factor : low - room, logarithmic ? high * factor : high + room);
    text_free(&label);
}

static bool is_status(const CurveRow *row)
{
    return strcmp(row->metric.name, "status") == 0;
}

static bool is_logarithmic(const PlotClip *clip)
{
    return clip->logarithmic && clip->high >= 100.0 * clip->low;
}

// Statuses are named; a metric that no point has leaves an empty panel that says so.
static void add_y_axis(Text *script, const CurveRow *row)
{
    const PlotClip *clip = &row->clip;
    const bool      logarithmic = is_logarithmic(clip);
    Text            label = {0};
    figure_name(&label, row->metric.name, row->metric.unit);
    text_add(script, "set ylabel ");
    gnuplot_quote(script, label.text ? label.text : "");
    text_free(&label);
    text_add(script, " noenhanced\n%sset logscale y\nset format y '%s'\nset ytics autofreq\nunset label\n",
             logarithmic ? "" : "un", logarithmic ? "10^{%L}" : "%g");
    const double factor = logarithmic ? pow(clip->high / clip->low, 0.05) : 1.0, room = 0.05 * (clip->high - clip->low);
    if (clip->count == 0) {
        text_add(script, "set yrange [0:1]\nunset ytics\nset label 'no point has a value' at graph 0.5,0.5 center\n");
    } else if (is_status(row)) {
        text_add(script, "set yrange [-0.5:%g]\nset ytics noenhanced (", STATUS_COUNT - 0.5);
        for (int status = 0; status < STATUS_COUNT; ++status)
            text_add(script, "%s'%s' %d", status ? ", " : "", plan_status_names[status], status);
        text_add(script, ")\n");
    } else if (clip->low < clip->high) {
        text_add(script, "set yrange [%.9g:%.9g]\n", logarithmic ? clip->low / factor : clip->low - room,
                 logarithmic ? clip->high * factor : clip->high + room);
    } else {
        text_add(script, "set yrange [%.9g:%.9g]\n", clip->low - fmax(fabs(clip->low), 1.0) * 0.5,
                 clip->low + fmax(fabs(clip->low), 1.0) * 0.5);
    }
}

// The first group that has the axis of a column.
static const PlotGroup *column_group(const Figure *figure, const char *column)
{
    const PlotGroup *group = figure->groups;
    while (is_level(group) || !in_column(group, column))
        ++group;
    return group;
}

// axis: of the column.
static void add_curve(Text *script, const PlotGroup *group, const PointsAxis *axis, size_t row, size_t number)
{
    const char *colour = figure_colours[number % PLOT_COLOURS];
    if (is_level(group))
        text_add(script, "$c%zu_%zu using (%.9g):2:(%.9g):(0) with vectors nohead lw 1.5 dt 2 lc rgb '%s' ", row,
                 number, axis->values[0], axis->values[axis->count - 1] - axis->values[0], colour);
    else
        text_add(script, "$c%zu_%zu using 1:2 %s lc rgb '%s' pt 7 ps %s ", row, number,
                 group->points.zip ? "with points" : "smooth unique with linespoints", colour,
                 group->points.zip ? "0.9" : "0.5");
}

static void add_panel(Text *script, const Figure *figure, const Grid *grid, const PlotFrame *frame, size_t row,
                      size_t column)
{
    const PlotGroup  *first = column_group(figure, grid->columns[column]);
    const bool        titled = row + 1 == grid->row_count;
    size_t            drawn = 0;
    const PointsAxis *axis = &first->points.axes[find_axis(&first->points)];
    add_x_axis(script, axis);
    add_y_axis(script, &grid->rows[row]);
    if (titled)
        figure_key(script, frame, grid->column_count > 1 ? (int)column : PLOT_ALL_COLUMNS, 10);
    else
        text_add(script, "unset key\n");
    for (size_t i = 0; i < figure->group_count; ++i) {
        const PlotGroup *group = &figure->groups[i];
        if (!in_column(group, grid->columns[column]))
            continue;
        text_add(script, drawn++ ? ", \\\n  " : "plot ");
        add_curve(script, group, axis, row, i);
        text_add(script, titled ? "title " : "notitle");
        if (!titled)
            continue;
        Text legend = {0};
        make_name(group, &legend);
        gnuplot_quote(script, legend.text ? legend.text : "");
        text_add(script, " noenhanced");
        text_free(&legend);
    }
    text_add(script, "\n");
}

// The characters of the longest label along y: of a status, or of a number that is not a power of ten.
static size_t longest_label(const Grid *grid)
{
    size_t longest = 0;
    for (size_t row = 0; row < grid->row_count; ++row) {
        const PlotClip *clip = &grid->rows[row].clip;
        const double    ends[] = {clip->low, clip->high};
        size_t          length = clip->count == 0 || is_logarithmic(clip) ? 0 : figure_longest_label(ends, 2);
        for (int status = 0; status < STATUS_COUNT && is_status(&grid->rows[row]); ++status)
            length = strlen(plan_status_names[status]) > length ? strlen(plan_status_names[status]) : length;
        longest = length > longest ? length : longest;
    }
    return longest;
}

bool plot_curves(const Figure *figure, bool only, Text *script, Text *notes, Error *err)
{
    Grid grid = {0};
    bool ok = find_rows(figure, only, &grid, err);
    find_columns(figure, &grid, notes);
    text_add(script, "set encoding utf8\n");
    for (size_t row = 0; ok && row < grid.row_count; ++row)
        for (size_t i = 0; ok && i < figure->group_count; ++i)
            ok = add_block(script, &figure->groups[i], &grid.rows[row].metric, row, i, err);
    if (!ok)
        return false;
    for (size_t row = 0; row < grid.row_count; ++row)
        plot_clip_say(notes, &grid.rows[row].clip, grid.rows[row].metric.name);
    // With one axis the metrics themselves fill two columns.
    const bool     folded = grid.column_count == 1 && grid.row_count > 1;
    PlotFrame      frame = {.rows = (unsigned)(folded ? (grid.row_count + 1) / 2 : grid.row_count),
                            .columns = (unsigned)(folded ? 2 : grid.column_count),
                            .width = folded || grid.column_count > 1 ? 430 : 640,
                            .height = 250,
                            .left = 100,
                            .right = 30,
                            .above = 60,
                            .between_columns = 115,
                            .between_rows = 75};
    const unsigned room = figure_label_room(longest_label(&grid));
    frame.left += room;
    frame.between_columns += room;
    frame.below = 80 + figure_key_height(&frame, figure->group_count, longest_name(figure));
    figure_fit(&frame, figure, notes);
    figure_begin(script, figure, &frame);
    for (size_t row = 0; row < grid.row_count; ++row)
        for (size_t column = 0; column < grid.column_count; ++column)
            add_panel(script, figure, &grid, &frame, row, column);
    figure_end(script);
    return text_check(notes, err) && text_check(script, err);
}
