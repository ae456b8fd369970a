// plot_map -- every point a cell whose edges lie halfway to its neighbours.
#include "analysis/plot_map.h"

#include "analysis/gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 12, MOST_COLUMNS = 3, MOST_CELLS = 1 << 20 };

// A panel's part of a group: two axes, the others fixed.
typedef struct Panel {
    const PlotGroup *group;
    size_t           across, down;            // axes: along x and along y
    uint64_t         start[STORE_READ_RANK];  // index of the fixed axes, 0 for the two
    uint64_t         count[STORE_READ_RANK];
    double          *edges[2];         // [count + 1] along x and y
    double          *status, *number;  // [cells] in row-major order of the axes
    size_t           cells;
} Panel;

// The values' range over all panels, and what else the legend must tell.
typedef struct Legend {
    double least, most;
    bool   status[STATUS_COUNT];
    bool   no_value;  // points that are ok and have no number
    bool   logarithmic;
} Legend;

// The first two axes with more than one value. False where there are none.
static bool find_axes(const Points *points, size_t axes[2])
{
    size_t found = 0;
    for (size_t i = 0; i < points->axis_count && found < 2 && !points->zip; ++i)
        if (points->axes[i].count > 1)
            axes[found++] = i;
    return found == 2;
}

bool plot_map_possible(const PlotGroup *group)
{
    size_t axes[2];
    return group->metric.variable && find_axes(&group->points, axes);
}

static int compare_numbers(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

// edges[count + 1] around ascending values: halfway to the neighbours on the axis's scale, and as far beyond the ends.
static void find_edges(const double *values, size_t count, double *edges)
{
    const bool logarithmic = plot_is_logarithmic(values, count);
    double    *sorted = edges + 1;
    memcpy(sorted, values, count * sizeof *values);
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    for (size_t i = 0; logarithmic && i < count; ++i)
        sorted[i] = log(sorted[i]);
    const double last_gap = (sorted[count - 1] - sorted[count - 2]) / 2.0, last = sorted[count - 1];
    edges[0] = sorted[0] - (sorted[1] - sorted[0]) / 2.0;
    for (size_t i = 1; i < count; ++i)
        edges[i] = (edges[i] + edges[i + 1]) / 2.0;
    edges[count] = last + last_gap;
    for (size_t i = 0; logarithmic && i <= count; ++i)
        edges[i] = exp(edges[i]);
}

static bool read_panel(const PlotGroup *group, Panel *panel, Error *err)
{
    const Points *points = &group->points;
    size_t        axes[2];
    find_axes(points, axes);
    *panel = (Panel){.group = group, .across = axes[0], .down = axes[1], .cells = 1};
    for (size_t i = 0; i < points->axis_count; ++i) {
        const bool spans = i == axes[0] || i == axes[1];
        panel->start[i] = spans ? 0 : points->axes[i].count / 2;
        panel->count[i] = spans ? points->axes[i].count : 1;
        panel->cells *= (size_t)panel->count[i];
    }
    if (panel->cells > MOST_CELLS)
        return fail(err, ERROR_USAGE, "group '%s': a map of %zu cells; choose --kind curves", points->group->label,
                    panel->cells);
    for (int k = 0; k < 2; ++k)
        panel->edges[k] = malloc((points->axes[axes[k]].count + 1) * sizeof *panel->edges[k]);
    panel->status = malloc(panel->cells * sizeof *panel->status);
    panel->number = malloc(panel->cells * sizeof *panel->number);
    if (!panel->edges[0] || !panel->edges[1] || !panel->status || !panel->number)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (int k = 0; k < 2; ++k)
        find_edges(points->axes[axes[k]].values, points->axes[axes[k]].count, panel->edges[k]);
    return store_read_numbers(points->file, points->group, points->status, panel->start, panel->count, panel->status,
                              err) &&
           store_read_numbers(points->file, points->group, group->metric.variable, panel->start, panel->count,
                              panel->number, err);
}

static void free_panel(Panel *panel)
{
    free(panel->edges[0]);
    free(panel->edges[1]);
    free(panel->status);
    free(panel->number);
}

static uint64_t cell_point(const Panel *panel, size_t cell)
{
    const Points *points = &panel->group->points;
    size_t        index[STORE_READ_RANK];
    for (size_t i = 0; i < points->axis_count; ++i)
        index[i] = (size_t)panel->start[i];
    index[panel->across] = cell / (size_t)panel->count[panel->down];
    index[panel->down] = cell % (size_t)panel->count[panel->down];
    return plot_point(points, index);
}

static bool cell_is_ok(const Panel *panel, size_t cell)
{
    return panel->status[cell] == (double)STATUS_OK;
}

static void add_to_legend(const Panel *panel, Legend *legend)
{
    for (size_t i = 0; i < panel->cells; ++i) {
        const double value = plot_value(panel->group, cell_point(panel, i), panel->number[i]);
        if (!cell_is_ok(panel, i)) {
            const double status = panel->status[i];
            legend->status[status >= 0.0 && status < STATUS_COUNT ? (size_t)status : STATUS_NOT_RUN] = true;
        } else if (isfinite(value)) {
            legend->least = fmin(legend->least, value);
            legend->most = fmax(legend->most, value);
        } else {
            legend->no_value = true;
        }
    }
}

// The cell of a value among ascending edges.
static size_t find_cell(const double *edges, size_t count, double value)
{
    size_t i = 0;
    while (i + 1 < count && edges[i + 1] <= value)
        ++i;
    return i;
}

static void add_cell(Text *script, const Panel *panel, size_t cell, double last)
{
    const Points  *points = &panel->group->points;
    const uint64_t point = cell_point(panel, cell);
    const size_t   axes[2] = {panel->across, panel->down};
    double         values[2], low[2], high[2];
    for (int k = 0; k < 2; ++k) {
        const PointsAxis *axis = &points->axes[axes[k]];
        values[k] = axis->values[points_index(points, axes[k], point)];
        const size_t i = find_cell(panel->edges[k], axis->count, values[k]);
        low[k] = panel->edges[k][i];
        high[k] = panel->edges[k][i + 1];
    }
    text_add(script, "%.9g %.9g %.9g %.9g %.9g %.9g ", values[0], values[1], low[0], high[0], low[1], high[1]);
    gnuplot_number(script, last);
    text_add(script, "\n");
}

// Data blocks: $ok0 with the values of panel 0, $status0_4 with its points of status 4, $none0 with those without a
// value.
static void add_data(Text *script, const Panel *panel, size_t number)
{
    text_add(script, "$ok%zu << END\n", number);
    for (size_t i = 0; i < panel->cells; ++i) {
        const double value = plot_value(panel->group, cell_point(panel, i), panel->number[i]);
        if (cell_is_ok(panel, i) && isfinite(value))
            add_cell(script, panel, i, value);
    }
    text_add(script, "END\n$none%zu << END\n", number);
    for (size_t i = 0; i < panel->cells; ++i)
        if (cell_is_ok(panel, i) && !isfinite(plot_value(panel->group, cell_point(panel, i), panel->number[i])))
            add_cell(script, panel, i, 0.0);
    text_add(script, "END\n");
    for (int status = 0; status < STATUS_COUNT; ++status) {
        if (status == STATUS_OK)
            continue;
        text_add(script, "$status%zu_%d << END\n", number, status);
        for (size_t i = 0; i < panel->cells; ++i)
            if (panel->status[i] == (double)status)
                add_cell(script, panel, i, 0.0);
        text_add(script, "END\n");
    }
}

static void add_title(Text *script, const Panel *panel)
{
    const Points *points = &panel->group->points;
    bool          show[STORE_READ_RANK];
    Text          fixed = {0};
    for (size_t i = 0; i < points->axis_count; ++i)
        show[i] = i != panel->across && i != panel->down;
    plot_place(&fixed, points, cell_point(panel, 0), show);
    text_add(script, "set title ");
    gnuplot_quote(script, points->group->label);
    if (fixed.length) {
        text_add(script, ".\"\\n\".");
        gnuplot_quote(script, fixed.text);
    }
    text_add(script, " noenhanced\n");
    text_free(&fixed);
}

static void add_panel(Text *script, const PlotFrame *frame, const Panel *panel, const Legend *legend, size_t number,
                      bool last)
{
    const Points *points = &panel->group->points;
    const size_t  axes[2] = {panel->across, panel->down};
    Text          label = {0};
    add_title(script, panel);
    for (int k = 0; k < 2; ++k) {
        const PointsAxis *axis = &points->axes[axes[k]];
        plot_name(&label, axis->name, axis->unit);
        plot_axis(script, k ? "y" : "x", label.text ? label.text : "", axis->values, axis->count, panel->edges[k][0],
                  panel->edges[k][axis->count]);
        text_free(&label);
        label = (Text){0};
    }
    text_add(script, last ? "set colorbox\n" : "unset colorbox\n");
    if (last)
        plot_key(script, frame, PLOT_ALL_COLUMNS, 8);
    else
        text_add(script, "unset key\n");
    text_add(script, "plot $ok%zu using 1:2:3:4:5:6:7 with boxxyerror fc palette z fs solid notitle", number);
    for (int status = 0; status < STATUS_COUNT; ++status)
        if (legend->status[status])
            text_add(
                script,
                ", \\\n  $status%zu_%d using 1:2:3:4:5:6 with boxxyerror fc rgb '%s' fs solid border rgb '%s' %s%s%s",
                number, status, plot_status_colour(status), plot_status_colour(status), last ? "title '" : "notitle",
                last ? status_names[status] : "", last ? "' noenhanced" : "");
    if (legend->no_value)
        text_add(script,
                 ", \\\n  $none%zu using 1:2:3:4:5:6 with boxxyerror fc rgb '#eeeeee' fs solid border rgb '#eeeeee' %s",
                 number, last ? "title 'no value'" : "notitle");
    text_add(script, "\n");
}

static void add_scale(Text *script, const PlotMetric *metric, Legend *legend)
{
    Text label = {0};
    plot_name(&label, metric->name, metric->unit);
    if (!(legend->least <= legend->most))
        legend->least = legend->most = 0.0;
    legend->logarithmic = legend->least > 0.0 && legend->most >= 20.0 * legend->least;
    const double room = legend->least == legend->most ? fmax(fabs(legend->least), 1.0) * 0.5 : 0.0;
    text_add(script,
             "set encoding utf8\n"
             "set palette defined (0 '#440154', 0.13 '#472878', 0.25 '#3b528b', 0.38 '#2c718e', 0.5 '#21918c', 0.63 "
             "'#28ae80', "
             "0.75 '#5ec962', 0.88 '#addc30', 1 '#fde725')\n"
             "set cbrange [%.9g:%.9g]\nset cblabel ",
             legend->least - room, legend->most + room);
    gnuplot_quote(script, label.text ? label.text : "");
    text_add(script, " noenhanced\n");
    if (legend->logarithmic)
        text_add(script, "set logscale cb\n%s",
                 legend->most > 100.0 * legend->least ? "set format cb '10^{%L}'\n" : "");
    text_free(&label);
}

static const PlotMetric *shared_metric(const PlotSheet *sheet)
{
    for (size_t i = 0; i < sheet->group_count; ++i)
        if (plot_map_possible(&sheet->groups[i]))
            return &sheet->groups[i].metric;
    return NULL;
}

bool plot_map(const PlotSheet *sheet, Text *script, Error *err)
{
    Panel  panels[MOST_PANELS] = {0};
    Legend legend = {.least = INFINITY, .most = -INFINITY};
    size_t count = 0;
    bool   ok = true;
    for (size_t i = 0; ok && i < sheet->group_count && count < MOST_PANELS; ++i) {
        if (!plot_map_possible(&sheet->groups[i]))
            continue;
        ok = read_panel(&sheet->groups[i], &panels[count++], err);
        if (ok)
            add_to_legend(&panels[count - 1], &legend);
    }
    if (ok) {
        const unsigned columns = (unsigned)(count < MOST_COLUMNS ? count : MOST_COLUMNS),
                       rows = (unsigned)(count + columns - 1) / columns;
        const PlotFrame frame = {.rows = rows,
                                 .columns = columns,
                                 .width = 400,
                                 .height = 360,
                                 .left = 90,
                                 .right = 130,
                                 .above = 85,
                                 .below = 90,
                                 .between_columns = 105,
                                 .between_rows = 115};
        add_scale(script, shared_metric(sheet), &legend);
        for (size_t i = 0; i < count; ++i)
            add_data(script, &panels[i], i);
        plot_begin(script, sheet, &frame);
        for (size_t i = 0; i < count; ++i)
            add_panel(script, &frame, &panels[i], &legend, i, i + 1 == count);
        plot_end(script);
        ok = text_check(script, err);
    }
    for (size_t i = 0; i < count; ++i)
        free_panel(&panels[i]);
    return ok;
}
