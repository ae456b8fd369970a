// refine_print -- a table row for each cell of the boundary, a summary for each group, the points that were run.
#include "analysis/refine/refine_print.h"

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

// An interval of one axis, in words.
typedef struct Intervals {
    const Refinement  *refinement;
    const RefineChart *chart;
    Text              *text;
    size_t             shown;
} Intervals;

enum { MOST_INTERVALS = 20 };

static void see_interval(const Cell *cell, void *user)
{
    Intervals        *intervals = user;
    const RefineAxis *axis = intervals->refinement->axes;
    double            low, high;
    if (!cells_is_mixed(cell) || intervals->shown++ >= MOST_INTERVALS)
        return;
    refine_ends(intervals->refinement, intervals->chart, cell, 0, &low, &high);
    text_add(intervals->text, "    %s from %.9g to %.9g: ", axis->axis->name, low, high);
    add_classes(intervals->refinement, cell, intervals->text);
    text_add(intervals->text, "\n");
}

static void add_chart(const Refinement *refinement, const RefineChart *chart, Text *text)
{
    const ChartTally tally = tally_chart(refinement, chart, NULL);
    text_add(text, "  ");
    add_chart_values(refinement, chart, text);
    text_add(text, ": boundary in %" PRIu64 " cell%s", tally.cells, tally.cells == 1 ? "" : "s");
    for (size_t c = 0; c < REFINE_CLASSES; ++c)
        if (tally.parts[c] > 0.0) {
            text_add(text, ", %.4g %% ", 100.0 * tally.parts[c]);
            refine_add_class(refinement->request, c, text);
        }
    text_add(text, tally.mixed > 0.0 ? ", %.2g %% between\n" : "\n", 100.0 * tally.mixed);
    Intervals intervals = {refinement, chart, text, 0};
    if (refinement->axis_count == 1)
        cells_each(&chart->cells, see_interval, &intervals);
    if (intervals.shown > MOST_INTERVALS)
        text_add(text, "    and %zu more, which --format csv lists\n", intervals.shown - MOST_INTERVALS);
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

bool refine_print_begin(RefinePoints *points, const Group *groups, size_t count, Error *err)
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

void refine_print_add(RefinePoints *points, const RefineSeen *seen)
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

void refine_print_free(RefinePoints *points)
{
    text_free(&points->text);
    text_free(&points->class);
    arena_free(&points->arena);
}
