// plot_map -- every point a cell whose edges lie halfway to its neighbours; a group with one axis is a strip, one with
// none a single cell.
#include "analysis/plot/plot_map.h"

#include "analysis/plot/gnuplot.h"
#include "analysis/plot/plot_clip.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 3, MOST_CELLS = 1 << 20, KEY_ROOM = 80, BOX_GAP = 22, BOX_WIDTH = 20 };

static const char no_value_colour[] = "#eeeeee";

// What lies along x or y of a panel: an axis of a grid, the points of a zip, or nothing, which is one cell.
typedef struct Span {
    size_t  axis;    // of the group; SIZE_MAX: none
    size_t  count;   // of the values
    double *values;  // [count]; owned
    double *edges;   // [count + 1]; owned
} Span;

// A panel's part of a group: what it spans, the other axes at their middle value.
typedef struct Panel {
    const PlotGroup *group;
    Span             spans[2];                // along x and y
    uint64_t         start[STORE_READ_RANK];  // index of the fixed axes, 0 for those that are spanned
    uint64_t         count[STORE_READ_RANK];
    double          *status, *number;  // [cells], the span along x outermost; number: what is drawn, NaN for none
    size_t           cells;
} Panel;

// What the colours of all panels mean.
typedef struct Legend {
    PlotClip clip;
    bool     categories;  // the metric is the status: no scale
    bool     status[STATUS_COUNT];
    bool     no_value;  // points that are ok and have no number
} Legend;

// The first two axes with more than one value; returns their number.
static size_t find_axes(const Points *points, size_t axes[2])
{
    size_t found = 0;
    axes[0] = axes[1] = SIZE_MAX;
    for (size_t i = 0; i < points->axis_count && found < 2 && !points->zip; ++i)
        if (points->axes[i].count > 1)
            axes[found++] = i;
    return found;
}

bool plot_map_possible(const PlotGroup *group)
{
    size_t axes[2];
    return group->metric.variable && find_axes(&group->points, axes) == 2;
}

static int compare_numbers(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

// edges[count + 1] around ascending values: halfway to the neighbours on the axis's scale, and as far beyond the ends.
static void find_edges(const double *values, size_t count, double *edges)
{
    const bool logarithmic = figure_is_logarithmic(values, count);
    double    *sorted = edges + 1;
    memcpy(sorted, values, count * sizeof *values);
    if (count == 1) {
        edges[0] = values[0] - 0.5;
        edges[1] = values[0] + 0.5;
        return;
    }
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

static bool make_span(const Points *points, size_t axis, size_t count, Span *span, Error *err)
{
    *span = (Span){.axis = axis,
                   .count = count,
                   .values = malloc(count * sizeof *span->values),
                   .edges = malloc((count + 1) * sizeof *span->edges)};
    if (!span->values || !span->edges)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; i < count; ++i)
        span->values[i] = axis == SIZE_MAX ? (double)i : points->axes[axis].values[i];
    find_edges(span->values, count, span->edges);
    return true;
}

static void free_panel(Panel *panel)
{
    for (int k = 0; k < 2; ++k) {
        free(panel->spans[k].values);
        free(panel->spans[k].edges);
    }
    free(panel->status);
    free(panel->number);
}

static uint64_t cell_point(const Panel *panel, size_t cell)
{
    const Points *points = &panel->group->points;
    const size_t  place[2] = {cell / panel->spans[1].count, cell % panel->spans[1].count};
    size_t        index[STORE_READ_RANK] = {0};
    if (points->zip)
        return place[0];
    for (size_t i = 0; i < points->axis_count; ++i)
        index[i] = (size_t)panel->start[i];
    for (int k = 0; k < 2; ++k)
        if (panel->spans[k].axis != SIZE_MAX)
            index[panel->spans[k].axis] = place[k];
    return figure_point(points, index);
}

static bool read_panel(const PlotGroup *group, Panel *panel, Error *err)
{
    const Points        *points = &group->points;
    const StoreVariable *metric = group->metric.variable;
    size_t               axes[2];
    find_axes(points, axes);
    *panel = (Panel){.group = group, .cells = points->zip ? (size_t)points->count : 1};
    for (size_t i = 0; i < points->axis_count && !points->zip; ++i) {
        const bool spans = i == axes[0] || i == axes[1];
        panel->start[i] = spans ? 0 : points->axes[i].count / 2;
        panel->count[i] = spans ? points->axes[i].count : 1;
        panel->cells *= (size_t)panel->count[i];
    }
    if (points->zip)
        panel->count[0] = points->count;
    if (panel->cells > MOST_CELLS)
        return fail(err, ERROR_USAGE, "group '%s': a map of %zu cells; choose --kind curves", points->group->label,
                    panel->cells);
    for (int k = 0; k < 2; ++k) {
        const size_t count = axes[k] != SIZE_MAX ? points->axes[axes[k]].count : k || !points->zip ? 1 : panel->cells;
        if (!make_span(points, axes[k], count, &panel->spans[k], err))
            return false;
    }
    panel->status = malloc(panel->cells * sizeof *panel->status);
    panel->number = malloc(panel->cells * sizeof *panel->number);
    if (!panel->status || !panel->number)
        return fail(err, ERROR_INTERNAL, "out of memory");
    if (!store_read_numbers(points->file, points->group, points->status, panel->start, panel->count, panel->status,
                            err) ||
        (metric &&
         !store_read_numbers(points->file, points->group, metric, panel->start, panel->count, panel->number, err)))
        return false;
    for (size_t i = 0; i < panel->cells; ++i)
        panel->number[i] = metric ? figure_value(group, cell_point(panel, i), panel->number[i]) : (double)NAN;
    return true;
}

// Which of its kinds a cell is: a status, or STATUS_OK for one with a colour of the scale, or none.
typedef enum CellKind { CELL_VALUE = STATUS_COUNT, CELL_NO_VALUE } CellKind;

static int cell_kind(const Panel *panel, const Legend *legend, size_t cell)
{
    const double status = panel->status[cell];
    if (!(status >= 0.0 && status < STATUS_COUNT))
        return STATUS_NOT_RUN;
    if (legend->categories || status != (double)STATUS_OK)
        return (int)status;
    return isfinite(panel->number[cell]) ? CELL_VALUE : CELL_NO_VALUE;
}

// Finds what the colours stand for.
static bool make_legend(const Panel *panels, size_t count, Legend *legend, Error *err)
{
    size_t cells = 0, finite = 0;
    for (size_t k = 0; k < count; ++k)
        cells += panels[k].cells;
    double *values = malloc((cells + 1) * sizeof *values);
    if (!values)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t k = 0; k < count; ++k)
        for (size_t i = 0; i < panels[k].cells; ++i) {
            const int kind = cell_kind(&panels[k], legend, i);
            if (kind == CELL_VALUE)
                values[finite++] = panels[k].number[i];
            else if (kind == CELL_NO_VALUE)
                legend->no_value = true;
            else
                legend->status[kind] = true;
        }
    legend->clip = plot_clip_find(values, finite);
    free(values);
    return true;
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
    const size_t place[2] = {cell / panel->spans[1].count, cell % panel->spans[1].count};
    double       values[2], low[2], high[2];
    for (int k = 0; k < 2; ++k) {
        const Span *span = &panel->spans[k];
        values[k] = span->values[place[k]];
        const size_t i = find_cell(span->edges, span->count, values[k]);
        low[k] = span->edges[i];
        high[k] = span->edges[i + 1];
    }
    text_add(script, "%.9g %.9g %.9g %.9g %.9g %.9g ", values[0], values[1], low[0], high[0], low[1], high[1]);
    gnuplot_number(script, last);
    text_add(script, "\n");
}

// Adds the block $NAMEpanel or, where there are several of a name, $NAMEpanel_kind, with the cells of one kind.
static void add_block(Text *script, const Panel *panel, const Legend *legend, size_t number, int kind)
{
    if (kind == CELL_VALUE || kind == CELL_NO_VALUE)
        text_add(script, kind == CELL_VALUE ? "$ok%zu << END\n" : "$none%zu << END\n", number);
    else
        text_add(script, "$status%zu_%d << END\n", number, kind);
    for (size_t i = 0; i < panel->cells; ++i)
        if (cell_kind(panel, legend, i) == kind)
            add_cell(script, panel, i, kind == CELL_VALUE ? panel->number[i] : 0.0);
    text_add(script, "END\n");
}

static bool has_values(const Panel *panel, const Legend *legend)
{
    for (size_t i = 0; i < panel->cells; ++i)
        if (cell_kind(panel, legend, i) == CELL_VALUE)
            return true;
    return false;
}

static void add_title(Text *script, const PlotFrame *frame, const Figure *figure, const Panel *panel)
{
    const Points *points = &panel->group->points;
    bool          show[STORE_READ_RANK], some = false;
    Text          more = {0};
    for (size_t i = 0; i < points->axis_count; ++i) {
        show[i] = !points->zip && i != panel->spans[0].axis && i != panel->spans[1].axis;
        some = some || show[i];
    }
    if (!panel->group->metric.variable)
        text_add(&more, "has no %s%s", figure->metric, some ? "; " : "");
    if (some)
        figure_place(&more, points, cell_point(panel, 0), show);
    figure_title(script, frame, points->group->label, more.text);
    text_free(&more);
}

static void add_span(Text *script, const char *which, const Points *points, const Span *span)
{
    const double low = span->edges[0], high = span->edges[span->count];
    Text         label = {0};
    if (span->axis != SIZE_MAX)
        figure_name(&label, points->axes[span->axis].name, points->axes[span->axis].unit);
    else if (span->count > 1)
        text_add(&label, "point");
    figure_axis(script, which, label.text ? label.text : "", span->values, span->count, low, high);
    if (!label.text)
        text_add(script, "unset %stics\n", which);
    text_free(&label);
}

// Adds the entries of the legend to a plot command: all of them, whatever the panel shows.
static void add_entries(Text *script, const Legend *legend)
{
    static const char entry[] = ", \\\n  keyentry with boxes fs solid fc rgb '%s' title '%s' noenhanced";
    for (int status = 0; status < STATUS_COUNT; ++status)
        if (legend->status[status])
            text_add(script, entry, figure_status_colour(status), plan_status_names[status]);
    if (legend->no_value)
        text_add(script, entry, no_value_colour, "no value");
}

static void add_panel(Text *script, const PlotFrame *frame, const Figure *figure, const Panel *panel,
                      const Legend *legend, size_t number, bool last)
{
    static const char cells[] =
        ", \\\n  %s using 1:2:3:4:5:6 with boxxyerror fc rgb '%s' fs solid border rgb '%s' notitle";
    char block[32];
    add_title(script, frame, figure, panel);
    add_span(script, "x", &panel->group->points, &panel->spans[0]);
    add_span(script, "y", &panel->group->points, &panel->spans[1]);
    if (last)
        figure_key(script, frame, PLOT_ALL_COLUMNS, 8);
    else
        text_add(script, "unset key\n");
    text_add(script, "plot $ok%zu using 1:2:3:4:5:6:(shown($7)) with boxxyerror fc palette z fs solid notitle", number);
    for (int status = 0; status < STATUS_COUNT; ++status) {
        snprintf(block, sizeof block, "$status%zu_%d", number, status);
        if (legend->status[status])
            text_add(script, cells, block, figure_status_colour(status), figure_status_colour(status));
    }
    snprintf(block, sizeof block, "$none%zu", number);
    if (legend->no_value)
        text_add(script, cells, block, no_value_colour, no_value_colour);
    if (last)
        add_entries(script, legend);
    text_add(script, "\n");
}

// Adds the palette and its range.
static void add_scale(Text *script, const PlotMetric *metric, const Legend *legend)
{
    const PlotClip *clip = &legend->clip;
    const double    low = clip->low <= clip->high ? clip->low : 0.0, high = clip->low <= clip->high ? clip->high : 0.0,
                 room = low == high ? fmax(fabs(low), 1.0) * 0.5 : 0.0;
    Text label = {0};
    figure_name(&label, metric->name, metric->unit);
    text_add(script,
             "set encoding utf8\n"
             "set palette defined (0 '#440154', 0.13 '#472878', 0.25 '#3b528b', 0.38 '#2c718e', 0.5 '#21918c', 0.63 "
             "'#28ae80', "
             "0.75 '#5ec962', 0.88 '#addc30', 1 '#fde725')\n"
             "set cbrange [%.9g:%.9g]\nshown(value) = value < %.9g ? %.9g : value > %.9g ? %.9g : value\n"
             "set cblabel ",
             low - room, high + room, low, low, high, high);
    gnuplot_quote(script, label.text ? label.text : "");
    text_add(script, " noenhanced\n");
    if (clip->logarithmic)
        text_add(script, "set logscale cb\n%s", high > 100.0 * low ? "set format cb '10^{%L}'\n" : "");
    text_free(&label);
}

// The colour box stands right of the first row, whichever panel draws it.
static void add_box(Text *script, const PlotFrame *frame)
{
    const double width = figure_width(frame), height = figure_height(frame);
    text_add(script, "set colorbox user origin screen %.5f,%.5f size screen %.5f,%.5f\n",
             (width - frame->right + BOX_GAP) / width,
             1.0 - (double)(frame->above + frame->head + frame->height) / height, BOX_WIDTH / width,
             (double)frame->height / height);
}

static const PlotMetric *shared_metric(const Figure *figure)
{
    for (size_t i = 0; i < figure->group_count; ++i)
        if (figure->groups[i].metric.variable)
            return &figure->groups[i].metric;
    return NULL;
}

// The height of the legend: as many rows as its entries need.
static unsigned legend_height(const PlotFrame *frame, const Legend *legend)
{
    size_t entries = legend->no_value, longest = strlen("no value");
    for (int status = 0; status < STATUS_COUNT; ++status)
        if (legend->status[status]) {
            const size_t length = strlen(plan_status_names[status]);
            longest = length > longest ? length : longest;
            ++entries;
        }
    return figure_key_height(frame, entries, longest);
}

// The characters of the longest label along y. Powers of ten are short.
static size_t longest_label(const Panel *panels, size_t count)
{
    size_t longest = 0;
    for (size_t i = 0; i < count; ++i) {
        const Span  *span = &panels[i].spans[1];
        const size_t length =
            figure_is_logarithmic(span->values, span->count) ? 0 : figure_longest_label(span->values, span->count);
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void write_script(const Figure *figure, const Panel *panels, size_t count, const Legend *legend,
                         const Text *notes, Text *script)
{
    const unsigned columns = (unsigned)(count < MOST_COLUMNS ? count : MOST_COLUMNS);
    PlotFrame      frame = {.rows = (unsigned)(count + columns - 1) / columns,
                            .columns = columns,
                            .width = 400,
                            .height = 360,
                            .left = 90,
                            .right = 130,
                            .above = 85,
                            .between_columns = 105,
                            .between_rows = 115};
    size_t         boxed = count;  // the panel that draws the colour box: one that has a colour of it
    const unsigned room = figure_label_room(longest_label(panels, count));
    frame.left += room;
    frame.between_columns += room;
    frame.below = KEY_ROOM + legend_height(&frame, legend);
    figure_fit(&frame, figure, notes);
    add_scale(script, shared_metric(figure), legend);
    for (size_t i = 0; i < count; ++i) {
        for (int kind = 0; kind <= CELL_NO_VALUE; ++kind)
            add_block(script, &panels[i], legend, i, kind);
        boxed = boxed == count && has_values(&panels[i], legend) ? i : boxed;
    }
    figure_begin(script, figure, &frame);
    for (size_t i = 0; i < count; ++i) {
        text_add(script, "unset colorbox\n");
        if (i == boxed)
            add_box(script, &frame);
        add_panel(script, &frame, figure, &panels[i], legend, i, i + 1 == count);
    }
    figure_end(script);
}

bool plot_map(const Figure *figure, Text *script, Text *notes, Error *err)
{
    const PlotMetric *metric = shared_metric(figure);
    Panel            *panels = calloc(figure->group_count, sizeof *panels);
    Legend            legend = {.categories = strcmp(metric->variable->name, "status") == 0};
    bool              ok = panels != NULL || fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; ok && i < figure->group_count; ++i)
        ok = read_panel(&figure->groups[i], &panels[i], err);
    if (ok && make_legend(panels, figure->group_count, &legend, err)) {
        plot_clip_say(notes, &legend.clip, metric->name);
        if (!legend.categories && legend.clip.count == 0)
            text_add(notes, "%s: no point has a value\n", metric->name);
        write_script(figure, panels, figure->group_count, &legend, notes, script);
        ok = text_check(notes, err) && text_check(script, err);
    } else {
        ok = false;
    }
    for (size_t i = 0; panels && i < figure->group_count; ++i)
        free_panel(&panels[i]);
    free(panels);
    return ok;
}
