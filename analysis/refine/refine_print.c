// refine_print -- a table row for each cell of the boundary, a summary for each group, the points that were run; a
// panel for each chart: boxes over two axes, a strip along one.
#include "analysis/plot/figure.h"
#include "analysis/refine/refine.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// Counts from a walk over the cells of a chart.
typedef struct ChartTally {
    const Refinement  *refinement;
    const RefineChart *chart;
    Table             *table;  // NULL: cells are only counted
    double             parts[REFINE_CLASSES], mixed;
    uint64_t           cells;  // of the boundary
    Text              *text;   // intervals of one axis, in words
    size_t             shown;  // of them
} ChartTally;

// The classes that meet in a cell: "ok|failed".
static void add_classes(const Refinement *refinement, const Cell *cell, Text *text)
{
    bool some = false;
    for (size_t c = 0; c < CELLS_CLASSES; ++c)
        if (cell->classes >> c & 1) {
            text_add(text, "%s", some ? "|" : "");
            refine_add_class(refinement->request, c, text);
            some = true;
        }
}

// The value of a column at a cell: "eps_low" and "eps_high" of an axis that is halved, "step" of another. NaN: the
// group has no such axis.
static double value_of(const ChartTally *tally, const Cell *cell, const char *column)
{
    const Group *group = tally->refinement->group;
    for (size_t i = 0; i < group->axis_count; ++i) {
        const RefineAxis *axis = refine_axis(tally->refinement, &group->axes[i]);
        const char       *name = group->axes[i].name;
        const size_t      length = strlen(name);
        double            ends[2];
        if (strncmp(column, name, length) != 0 || (axis && column[length] != '_') || (!axis && column[length] != '\0'))
            continue;
        if (!axis)
            return tally->chart->fixed[i];
        refine_ends(tally->refinement, tally->chart, cell, (size_t)(axis - tally->refinement->axes), &ends[0],
                    &ends[1]);
        if (strcmp(column + length, "_low") == 0 || strcmp(column + length, "_high") == 0)
            return ends[column[length + 1] == 'h'];
    }
    return (double)NAN;
}

static void add_cell(const ChartTally *tally, const Cell *cell)
{
    Table *table = tally->table;
    Text   between = {0};
    add_classes(tally->refinement, cell, &between);
    table_row(table);
    table_word(table, "label", tally->refinement->group->label);
    for (size_t c = 1; c + 1 < table->column_count; ++c) {
        const double value = value_of(tally, cell, table->columns[c].name);
        if (!isnan(value))
            table_number(table, table->columns[c].name, value);
    }
    table_word(table, "between", between.text);
    table_end_row(table);
    table->text->failed = table->text->failed || between.failed;
    text_free(&between);
}

static void see_cell(const Cell *cell, void *user)
{
    ChartTally  *tally = user;
    const double part = refine_part(tally->refinement, tally->chart, cell);
    if (!cells_is_mixed(cell)) {
        for (size_t c = 0; c < REFINE_CLASSES; ++c)
            if (cell->classes >> c & 1)
                tally->parts[c] += part;
        return;
    }
    ++tally->cells;
    tally->mixed += part;
    if (tally->table)
        add_cell(tally, cell);
}

static ChartTally tally_chart(const Refinement *refinement, const RefineChart *chart, Table *table)
{
    ChartTally tally = {.refinement = refinement, .chart = chart, .table = table};
    cells_each(&chart->cells, see_cell, &tally);
    return tally;
}

static void add_chart_values(const Refinement *refinement, const RefineChart *chart, Text *text)
{
    const Group *group = refinement->group;
    bool         some = false;
    for (size_t i = 0; i < group->axis_count; ++i)
        if (!refine_axis(refinement, &group->axes[i])) {
            text_add(text, "%s%s = %.6g", some ? ", " : "", group->axes[i].name, chart->fixed[i]);
            some = true;
        }
    if (!some)
        text_add(text, "the whole grid");
}

enum { MOST_INTERVALS = 20 };

static void see_interval(const Cell *cell, void *user)
{
    ChartTally *tally = user;
    double      low, high;
    if (!cells_is_mixed(cell) || tally->shown++ >= MOST_INTERVALS)
        return;
    refine_ends(tally->refinement, tally->chart, cell, 0, &low, &high);
    text_add(tally->text, "    %s from %.9g to %.9g: ", tally->refinement->axes->axis->name, low, high);
    add_classes(tally->refinement, cell, tally->text);
    text_add(tally->text, "\n");
}

static void add_chart(const Refinement *refinement, const RefineChart *chart, Text *text)
{
    ChartTally tally = tally_chart(refinement, chart, NULL);
    tally.text = text;
    text_add(text, "  ");
    add_chart_values(refinement, chart, text);
    text_add(text, ": boundary in %" PRIu64 " cell%s", tally.cells, tally.cells == 1 ? "" : "s");
    for (size_t c = 0; c < REFINE_CLASSES; ++c)
        if (tally.parts[c] > 0.0) {
            text_add(text, ", %.4g %% ", 100.0 * tally.parts[c]);
            refine_add_class(refinement->request, c, text);
        }
    text_add(text, tally.mixed > 0.0 ? ", %.2g %% between\n" : "\n", 100.0 * tally.mixed);
    if (refinement->axis_count == 1)
        cells_each(&chart->cells, see_interval, &tally);
    if (tally.shown > MOST_INTERVALS)
        text_add(text, "    and %zu more, which --format csv lists\n", tally.shown - MOST_INTERVALS);
}

static void add_summary(const Refinement *refinement, Text *text)
{
    const RefineRequest *request = refinement->request;
    const double         grid = refine_grid(refinement);
    text_add(text, "%s: ", refinement->group->label);
    if (request->what != REFINE_METRIC)
        text_add(text, request->what == REFINE_OK ? "where points fail" : "where the status changes");
    for (size_t i = 0; i < request->level_count; ++i)
        text_add(text, i == 0 ? "where %2$s crosses %1$.6g" : " or %.6g", request->level[i], request->metric);
    for (size_t a = 0; a < refinement->axis_count; ++a)
        text_add(text, "%s%s", a ? ", " : ", over ", refinement->axes[a].axis->name);
    text_add(text, "\n  %" PRIu64 " points in %zu round%s; a grid of this width has %.4g (%.3g %%)\n",
             refinement->point_count, refinement->rounds, refinement->rounds == 1 ? "" : "s", grid,
             100.0 * (double)refinement->point_count / grid);
    if (refinement->limited)
        text_add(text, "  it ended before the next round would have passed --most: some cells are wider than asked\n");
    if (refinement->stopped)
        text_add(text, "  it was stopped: some cells are wider than asked\n");
    for (size_t c = 0; c < refinement->chart_count; ++c)
        add_chart(refinement, &refinement->charts[c], text);
}

// Adds a column unless there is one of that name.
static bool add_column(TableColumn *columns, size_t *count, Arena *arena, const char *name, const char *end, Error *err)
{
    char *whole = arena_format(arena, err, "%s%s", name, end);
    for (size_t i = 0; whole && i < *count; ++i)
        if (strcmp(columns[i].name, whole) == 0)
            return true;
    if (whole)
        columns[(*count)++] = (TableColumn){.name = whole};
    return whole != NULL;
}

static bool list_columns(const Refinement *refinements, size_t count, Arena *arena, TableColumn **columns,
                         size_t *column_count, Error *err)
{
    size_t most = 2;
    bool   ok = true;
    for (size_t g = 0; g < count; ++g)
        most += 2 * refinements[g].group->axis_count;
    *columns = arena_take(arena, most, sizeof **columns, err);
    *column_count = 0;
    if (!*columns || !add_column(*columns, column_count, arena, "label", "", err))
        return false;
    for (size_t g = 0; g < count; ++g)
        for (size_t i = 0; ok && i < refinements[g].group->axis_count; ++i) {
            const Axis *axis = &refinements[g].group->axes[i];
            const bool  both = refine_axis(&refinements[g], axis) != NULL;
            ok = add_column(*columns, column_count, arena, axis->name, both ? "_low" : "", err) &&
                 (!both || add_column(*columns, column_count, arena, axis->name, "_high", err));
        }
    return ok && add_column(*columns, column_count, arena, "between", "", err);
}

bool refine_print(const Refinement *refinements, size_t count, Format format, Text *text, Error *err)
{
    TableColumn *columns = NULL;
    size_t       column_count = 0;
    Arena        arena = {0};
    if (format == FORMAT_TEXT) {
        for (size_t g = 0; g < count; ++g)
            add_summary(&refinements[g], text);
        return text_check(text, err);
    }
    bool ok = list_columns(refinements, count, &arena, &columns, &column_count, err);
    if (ok) {
        Table table = {.text = text, .format = format, .columns = columns, .column_count = column_count};
        table_begin(&table);
        for (size_t g = 0; g < count; ++g)
            for (size_t c = 0; c < refinements[g].chart_count; ++c)
                tally_chart(&refinements[g], &refinements[g].charts[c], &table);
        table_end(&table);
        ok = text_check(text, err);
    }
    arena_free(&arena);
    return ok;
}

static bool is_shown(const Variable *variable)
{
    return !variable->trajectory && variable->width == 1 && !variable->per_dof && variable->source != SOURCE_STATUS;
}

bool refine_points_begin(RefinePoints *points, const Group *groups, size_t count, Error *err)
{
    size_t most = 3, *column_count = &points->table.column_count;
    for (size_t g = 0; g < count; ++g)
        most += groups[g].axis_count + groups[g].variable_count;
    Arena       *arena = &points->arena;
    TableColumn *columns = arena_take(arena, most, sizeof *columns, err);
    bool         ok = columns && add_column(columns, column_count, arena, "label", "", err);
    for (size_t g = 0; g < count; ++g)
        for (size_t i = 0; ok && i < groups[g].axis_count; ++i)
            ok = add_column(columns, column_count, arena, groups[g].axes[i].name, "", err);
    ok = ok && add_column(columns, column_count, arena, "class", "", err) &&
         add_column(columns, column_count, arena, "status", "", err);
    for (size_t g = 0; g < count; ++g)
        for (size_t v = 0; ok && v < groups[g].variable_count; ++v)
            ok = !is_shown(&groups[g].variables[v]) ||
                 add_column(columns, column_count, arena, groups[g].variables[v].name, "", err);
    if (!ok)
        return false;
    points->table.text = &points->text;
    points->table.format = FORMAT_CSV;
    points->table.columns = columns;
    table_begin(&points->table);
    return true;
}

static void add_number(RefinePoints *points, const RefineSeen *seen, const char *name)
{
    const Group *group = seen->refinement->group;
    for (size_t i = 0; i < group->axis_count; ++i)
        if (strcmp(group->axes[i].name, name) == 0)
            table_number(&points->table, name, seen->values[i]);
    for (size_t v = 0; v < group->variable_count; ++v)
        if (is_shown(&group->variables[v]) && strcmp(group->variables[v].name, name) == 0)
            table_number(&points->table, name, results_value(seen->results, v, seen->point, 0));
}

void refine_points_add(RefinePoints *points, const RefineSeen *seen)
{
    Table *table = &points->table;
    points->class.length = 0;
    refine_add_class(seen->refinement->request, seen->class, &points->class);
    points->text.failed = points->text.failed || points->class.failed;
    table_row(table);
    table_word(table, "label", seen->refinement->group->label);
    for (size_t c = 1; c < table->column_count; ++c) {
        const char *name = table->columns[c].name;
        if (strcmp(name, "class") == 0)
            table_word(table, name, points->class.text);
        else if (strcmp(name, "status") == 0)
            table_word(table, name, plan_status_names[(size_t)results_value(seen->results, 0, seen->point, 0)]);
        else
            add_number(points, seen, name);
    }
    table_end_row(table);
}

void refine_points_free(RefinePoints *points)
{
    text_free(&points->text);
    text_free(&points->class);
    arena_free(&points->arena);
}

// The class ok, or below the first level, is the lightest; the boundary is drawn over all of them, in black.
static const char *colour_of(const RefineRequest *request, size_t class)
{
    static const char *const bands[REFINE_LEVELS + 1] = {"#deebf7", "#9ecae1", "#6baed6",
                                                         "#3182bd", "#08519c", "#3f007d"};
    static const char *const ended[STATUS_COUNT] = {"#ffffff", "#9ecae1", "#e6550d", "#fdae6b",
                                                    "#bdbdbd", "#8c6d31", "#cc79a7", "#dede00"};
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
