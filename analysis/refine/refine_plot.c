// refine_plot -- a panel for each chart: boxes over two axes, a strip along one.
#include "analysis/refine/refine_print.h"

#include <math.h>
#include <string.h>

// The class ok, or below the first level, is the lightest; the boundary is drawn over all of them, in black.
static const char *colour_of(const RefineRequest *request, size_t class)
{
    static const char *const bands[REFINE_LEVELS + 1] = {"#deebf7", "#9ecae1", "#6baed6",
                                                         "#3182bd", "#08519c", "#3f007d"};
    static const char *const ended[STATUS_COUNT] = {"#ffffff", "#9ecae1", "#e6550d", "#fdae6b",
                                                    "#bdbdbd", "#8c6d31", "#cc79a7"};
    if (request->what == REFINE_METRIC && class <= request->level_count)
        return bands[class];
    if (request->what == REFINE_METRIC)
        class -= request->level_count;
    return ended[request->what == REFINE_OK || request->what == REFINE_METRIC ? class + 1 : class];
}

typedef struct ChartPanel {
    const Refinement  *refinement;
    const RefineChart *chart;
    size_t             number;
    Figure            *figure;
    int                shown;  // whose cells are written
    uint64_t           counts[REFINE_CLASSES], boundary;
} ChartPanel;

// The kind of a cell in the picture: its class, the boundary, or nothing where none of its points was run.
enum { BOUNDARY = -1, UNKNOWN = -2 };

static int class_of(const Cell *cell)
{
    return cell->classes == 0 ? UNKNOWN : cells_is_mixed(cell) ? BOUNDARY : __builtin_ctz(cell->classes);
}

static void count_cell(const Cell *cell, void *user)
{
    ChartPanel *panel = user;
    const int class = class_of(cell);
    if (class == BOUNDARY)
        ++panel->boundary;
    else if (class != UNKNOWN)
        ++panel->counts[class];
}

// A box: its middle, and its ends.
static void add_box(const Cell *cell, void *user)
{
    ChartPanel *panel = user;
    double      ends[2][2] = {{0.0}, {-0.5, 0.5}}, numbers[6];
    if (class_of(cell) != panel->shown)
        return;
    for (size_t a = 0; a < panel->refinement->axis_count; ++a)
        refine_ends(panel->refinement, panel->chart, cell, a, &ends[a][0], &ends[a][1]);
    for (size_t a = 0; a < 2; ++a) {
        numbers[a] = 0.5 * (ends[a][0] + ends[a][1]);
        numbers[2 + 2 * a] = ends[a][0];
        numbers[3 + 2 * a] = ends[a][1];
    }
    gnuplot_numbers(&panel->figure->script, numbers, 6);
}

static void add_block(ChartPanel *panel, int shown)
{
    panel->shown = shown;
    text_add(&panel->figure->script, "$panel%zu_%d << END\n", panel->number, shown + 1);
    cells_each(&panel->chart->cells, add_box, panel);
    text_add(&panel->figure->script, "END\n");
}

static void add_data(ChartPanel *panel)
{
    cells_each(&panel->chart->cells, count_cell, panel);
    for (int c = 0; c < REFINE_CLASSES; ++c)
        if (panel->counts[c] > 0)
            add_block(panel, c);
    if (panel->boundary > 0)
        add_block(panel, BOUNDARY);
}

static void add_scale(ChartPanel *panel, const char *which, size_t axis)
{
    const RefineAxis *along = &panel->refinement->axes[axis];
    const double     *values = along->axis->values, first = values[0], last = values[along->axis->count - 1];
    const bool        logarithmic = along->logarithmic && first > 0.0;
    figure_scale(panel->figure, which, along->axis->name, along->axis->unit, logarithmic,
                 (FigureRange){fmin(first, last), fmax(first, last)});
}

// A cell's edge has its own colour, so that nothing shines through between two.
static void add_layer(ChartPanel *panel, int shown, const char *colour)
{
    text_add(figure_layer(panel->figure),
             "$panel%zu_%d using 1:2:3:4:5:6 with boxxyerror fc rgb '%s' lw 0.6 fs solid border rgb '%s' notitle",
             panel->number, shown + 1, colour, colour);
}

// The legend stands at the first panel, a layer for each entry.
static void add_entries(Figure *figure, const RefineRequest *request, const bool *seen)
{
    size_t entry = 0;
    for (size_t c = 0; c <= REFINE_CLASSES; ++c) {
        if (c < REFINE_CLASSES && !seen[c])
            continue;
        text_add(figure_layer(figure), "keyentry with boxes fs solid fc rgb '%s' ",
                 c < REFINE_CLASSES ? colour_of(request, c) : "#000000");
        figure_layer_title(figure, entry++);
    }
}

static void add_title(ChartPanel *panel)
{
    const Group *group = panel->refinement->group;
    Text         more = {0};
    for (size_t i = 0; i < group->axis_count; ++i)
        if (!refine_axis(panel->refinement, &group->axes[i]))
            text_add(&more, "%s%s = %.4g", more.length ? ", " : "", group->axes[i].name, panel->chart->fixed[i]);
    figure_title(panel->figure, group->label, &more);
}

static void draw_panel(ChartPanel *panel, const bool *seen)
{
    const RefineRequest *request = panel->refinement->request;
    Figure              *figure = panel->figure;
    add_title(panel);
    add_scale(panel, "x", 0);
    if (panel->refinement->axis_count == 2)
        add_scale(panel, "y", 1);
    else
        text_add(&figure->script, "unset ylabel\nunset ytics\nset yrange [-0.5:0.5]\n");
    figure_key(figure, panel->number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    for (int c = 0; c < REFINE_CLASSES; ++c)
        if (panel->counts[c] > 0)
            add_layer(panel, c, colour_of(request, (size_t)c));
    if (panel->boundary > 0)
        add_layer(panel, BOUNDARY, "#000000");
    if (panel->number == 0)
        add_entries(figure, request, seen);
    figure_end_panel(figure);
}

// Lists the panels. Returns how many charts are left out.
static size_t list_panels(const Refinement *refinements, size_t count, ChartPanel *panels, size_t *panel_count)
{
    size_t left_out = 0;
    for (size_t g = 0; g < count; ++g)
        for (size_t c = 0; c < refinements[g].chart_count; ++c)
            if (*panel_count < REFINE_PANELS && refinements[g].axis_count < 3) {
                panels[*panel_count] = (ChartPanel){
                    .refinement = &refinements[g], .chart = &refinements[g].charts[c], .number = *panel_count};
                ++*panel_count;
            } else {
                ++left_out;
            }
    return left_out;
}

bool refine_plot(const Refinement *refinements, size_t count, const char *title, const char *stem,
                 const Outputs *outputs, Text *said, Error *err)
{
    ChartPanel   panels[REFINE_PANELS];
    bool         seen[REFINE_CLASSES] = {false};
    size_t       panel_count = 0;
    const size_t left_out = list_panels(refinements, count, panels, &panel_count);
    if (panel_count == 0)
        return fail(err, ERROR_USAGE, "a picture shows one or two axes: choose them by --along");
    const size_t columns = panel_count < 3 ? panel_count : panel_count == 4 ? 2 : 3;
    Figure       figure = {.title = title ? title : "",
                           .stem = stem,
                           .rows = (unsigned)((panel_count + columns - 1) / columns),
                           .columns = (unsigned)columns,
                           .panel = {columns == 1 ? 640 : 360, refinements->axis_count == 2 ? 360 : 90},
                           .around = {80, 40, 75, 80},
                           .between = {80, 95}};
    text_add(&figure.script, "set encoding utf8\n");
    for (size_t i = 0; i < panel_count; ++i) {
        panels[i].figure = &figure;
        add_data(&panels[i]);
        for (size_t c = 0; c < REFINE_CLASSES; ++c)
            seen[c] = seen[c] || panels[i].counts[c] > 0;
    }
    for (size_t c = 0; c < REFINE_CLASSES; ++c)
        if (seen[c])
            refine_add_class(refinements->request, c, figure_entry(&figure));
    text_add(figure_entry(&figure), "boundary");
    figure_begin(&figure);
    for (size_t i = 0; i < panel_count; ++i)
        draw_panel(&panels[i], seen);
    const bool ok = figure_draw(&figure, outputs, err);
    if (ok)
        text_add(said, "%s.png, %s.svg; script %s.gp\n", stem, stem, stem);
    if (ok && left_out > 0)
        text_add(said, "  the first %d charts are drawn, not %zu more\n", REFINE_PANELS, left_out);
    figure_free(&figure);
    return ok;
}
