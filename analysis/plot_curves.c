// plot_curves -- rows of panels for metrics, columns for axes: groups that have the same axis share a column.
#include "analysis/plot_curves.h"

#include "analysis/gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 4, MOST_COLUMNS = 3 };

typedef struct Grid {
    PlotMetric  rows[MOST_ROWS];  // by name: groups look for their own
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

static void find_columns(const PlotSheet *sheet, Grid *grid)
{
    for (size_t i = 0; i < sheet->group_count; ++i) {
        if (!plot_curves_possible(&sheet->groups[i]))
            continue;
        const Points *points = &sheet->groups[i].points;
        const char   *name = points->axes[find_axis(points)].name;
        size_t        column = 0;
        while (column < grid->column_count && strcmp(grid->columns[column], name) != 0)
            ++column;
        if (column == grid->column_count && column < MOST_COLUMNS)
            grid->columns[grid->column_count++] = name;
    }
}

// The sheet's metric, then the others in the order of the file.
static void find_rows(const PlotSheet *sheet, bool only, Grid *grid)
{
    const PlotGroup *group = sheet->groups;
    while (!plot_curves_possible(group))
        ++group;
    const StoreGroup *stored = group->points.group;
    grid->rows[grid->row_count++] = group->metric;
    for (const StoreVariable *variable = group->points.status + 1; !only && variable < stored->variables + stored->variable_count; ++variable)
        if (grid->row_count < MOST_ROWS && variable != group->metric.variable && points_is_metric(&group->points, variable))
            grid->rows[grid->row_count++] = (PlotMetric){.variable = variable, .name = variable->name, .unit = variable->unit};
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
    return plot_point(points, index);
}

// Adds data block $cROW_GROUP; `row` is its metric.
static bool add_block(Text *script, const PlotGroup *group, const PlotMetric *row, size_t number, size_t index, Error *err)
{
    const Points     *points = &group->points;
    const size_t      axis = find_axis(points), count = points->axes[axis].count;
    PlotGroup         drawn = *group;
    double           *numbers = malloc(2 * count * sizeof *numbers), *status = numbers + count;
    drawn.metric = *row;
    drawn.metric.variable = store_read_variable(points->group, row->variable->name);
    bool ok = numbers != NULL || fail(err, ERROR_INTERNAL, "out of memory");
    text_add(script, "$c%zu_%zu << END\n", number, index);
    if (ok && drawn.metric.variable && points_is_metric(points, drawn.metric.variable))
        ok = read_along(points, drawn.metric.variable, axis, numbers, err) && read_along(points, points->status, axis, status, err);
    else if (ok)
        for (size_t i = 0; i < count; ++i)
            numbers[i] = status[i] = (double)NAN;
    for (size_t i = 0; ok && i < count; ++i) {
        text_add(script, "%.9g ", points->axes[axis].values[i]);
        gnuplot_number(script, status[i] == (double)STATUS_OK ? plot_value(&drawn, point_along(points, axis, i), numbers[i]) : (double)NAN);
        text_add(script, "\n");
    }
    text_add(script, "END\n");
    free(numbers);
    return ok;
}

static bool in_column(const PlotGroup *group, const char *column)
{
    return plot_curves_possible(group) && strcmp(group->points.axes[find_axis(&group->points)].name, column) == 0;
}

static void add_legend_text(Text *script, const PlotGroup *group)
{
    const Points *points = &group->points;
    const size_t  axis = find_axis(points);
    bool          show[STORE_READ_RANK];
    Text          text = {0};
    text_add(&text, "%s", points->group->label);
    for (size_t i = 0; i < points->axis_count; ++i)
        show[i] = !points->zip && i != axis && points->axes[i].count > 1;
    size_t before = text.length;
    text_add(&text, ", ");
    plot_place(&text, points, point_along(points, axis, 0), show);
    if (text.length == before + 2 && text.text)
        text.text[before] = '\0';
    gnuplot_quote(script, text.text ? text.text : "");
    text_free(&text);
}

static void add_panel(Text *script, const PlotSheet *sheet, const Grid *grid, size_t row, size_t column)
{
    const char       *name = grid->columns[column];
    const PlotMetric *metric = &grid->rows[row];
    const PointsAxis *axis = NULL;
    Text              label = {0};
    for (size_t i = 0; !axis && i < sheet->group_count; ++i)
        if (in_column(&sheet->groups[i], name))
            axis = &sheet->groups[i].points.axes[find_axis(&sheet->groups[i].points)];
    plot_name(&label, axis->name, axis->unit);
    text_add(script, "set xlabel ");
    gnuplot_quote(script, label.text ? label.text : "");
    text_add(script, " noenhanced\n%sset logscale x\nset ylabel ", plot_is_logarithmic(axis->values, axis->count) ? "" : "un");
    text_free(&label);
    label = (Text){0};
    plot_name(&label, metric->name, metric->unit);
    gnuplot_quote(script, label.text ? label.text : "");
    text_add(script, " noenhanced\n%s\nplot ", row == 0 ? "set key above" : "unset key");
    text_free(&label);
    for (size_t i = 0, drawn = 0; i < sheet->group_count; ++i) {
        const PlotGroup *group = &sheet->groups[i];
        if (!in_column(group, name))
            continue;
        text_add(script, "%s$c%zu_%zu using 1:2 %s lc rgb '%s' pt 7 ps 0.5 title ", drawn++ ? ", \\\n  " : "", row, i,
                 group->points.zip ? "with points" : "smooth unique with linespoints", plot_colours[i % PLOT_COLOURS]);
        add_legend_text(script, group);
        text_add(script, " noenhanced");
    }
    text_add(script, "\n");
}

bool plot_curves(const PlotSheet *sheet, bool only, Text *script, Error *err)
{
    Grid grid = {0};
    bool ok = true;
    find_columns(sheet, &grid);
    find_rows(sheet, only, &grid);
    text_add(script, "set encoding utf8\n");
    for (size_t row = 0; ok && row < grid.row_count; ++row)
        for (size_t i = 0; ok && i < sheet->group_count; ++i)
            if (plot_curves_possible(&sheet->groups[i]))
                ok = add_block(script, &sheet->groups[i], &grid.rows[row], row, i, err);
    if (!ok)
        return false;
    const PlotFrame frame = {.rows = (unsigned)grid.row_count, .columns = (unsigned)grid.column_count, .width = grid.column_count > 1 ? 420 : 640,
                             .height = 230, .left = 95, .right = 30, .above = 120, .below = 60, .between_columns = 110, .between_rows = 65};
    plot_begin(script, sheet, &frame);
    for (size_t row = 0; row < grid.row_count; ++row)
        for (size_t column = 0; column < grid.column_count; ++column)
            add_panel(script, sheet, &grid, row, column);
    plot_end(script);
    return text_check(script, err);
}
