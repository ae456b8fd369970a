// info_parts -- the sweep with its overrides, and a pass over the points of each group.
#include "cli/info_parts.h"

#include "plan/spec.h"
#include "store/points.h"
#include "terminal/options.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Takes the overrides apart, a line each.
static bool read_overridden(const StoreFile *file, const char *sweep, char *overrides, Text *text, Error *err)
{
    Words words SCOPED(options_free_words) = {0};
    Spec  spec SCOPED(spec_free) = {0};
    char *rest = NULL;
    bool  ok = true;
    for (char *line = strtok_r(overrides, "\n", &rest); ok && line; line = strtok_r(NULL, "\n", &rest))
        ok = options_add_word(&words, line, err);
    ok = ok && spec_read_text(file->path, sweep, words.items, words.count, &spec, err);
    for (size_t i = 0; ok && i < spec.root->count; ++i) {
        yaml_write(spec.root->keys[i], text);
        text_add(text, ": ");
        yaml_write(spec.root->items[i], text);
        text_add(text, "\n");
    }
    return ok;
}

bool info_parts_sweep(const StoreFile *file, Text *text, Error *err)
{
    char *sweep SCOPED(scoped_free) = NULL, *overrides SCOPED(scoped_free) = NULL;
    bool  ok =
        store_read_text(file, NULL, "sweep", &sweep, err) && store_read_text(file, NULL, "overrides", &overrides, err);
    if (ok && !sweep)
        ok = fail(err, ERROR_INPUT, "%s: it does not hold its sweep", file->path);
    if (ok && overrides && *overrides)
        ok = read_overridden(file, sweep, overrides, text, err);
    else if (ok)
        text_add(text, "%s", sweep);
    return ok && text_check(text, err);
}

// Statistics of the numbers of a column.
typedef struct Stats {
    const StoreVariable *variable;
    size_t               component;  // SIZE_MAX: it has one number a point
    uint64_t             count, least_at, greatest_at;
    double               least, greatest, mean;
} Stats;

typedef struct StatsPass {
    const Points         *points;
    const StoreVariable **variables;  // [variable_count] the status first
    size_t                variable_count;
    Stats                *stats;  // [stats_count] of all columns, one variable after the other
    size_t                stats_count;
} StatsPass;

static void take_in(Stats *stats, double number, uint64_t point)
{
    if (!isfinite(number))
        return;
    ++stats->count;
    stats->mean += (number - stats->mean) / (double)stats->count;
    if (stats->count == 1 || number < stats->least) {
        stats->least = number;
        stats->least_at = point;
    }
    if (stats->count == 1 || number > stats->greatest) {
        stats->greatest = number;
        stats->greatest_at = point;
    }
}

static bool see_slab(uint64_t first, size_t count, double *const *numbers, void *user, Error *err)
{
    StatsPass *pass = user;
    Stats     *stats = pass->stats;
    (void)err;
    for (size_t v = 1; v < pass->variable_count; ++v) {
        const size_t width = points_width(pass->points, pass->variables[v]);
        for (size_t c = 0; c < width; ++c, ++stats)
            for (size_t i = 0; i < count; ++i)
                if (numbers[0][i] != (double)STATUS_NOT_RUN)
                    take_in(stats, numbers[v][i * width + c], first + i);
    }
    return true;
}

static bool list_columns(StatsPass *pass, Arena *arena, Error *err)
{
    const Points     *points = pass->points;
    const StoreGroup *group = points->group;
    size_t            columns = 0;
    pass->variables = arena_take(arena, group->variable_count, sizeof *pass->variables, err);
    if (!pass->variables)
        return false;
    for (const StoreVariable *v = points->status; v < group->variables + group->variable_count; ++v)
        if (points_width(points, v) > 0) {
            pass->variables[pass->variable_count++] = v;
            columns += points_width(points, v);
        }
    pass->stats = arena_take(arena, columns, sizeof *pass->stats, err);
    for (size_t v = 1; pass->stats && v < pass->variable_count; ++v) {
        const StoreVariable *variable = pass->variables[v];
        const bool           vector = variable->rank > points->status->rank;
        for (size_t c = 0; c < points_width(points, variable); ++c)
            pass->stats[pass->stats_count++] = (Stats){.variable = variable, .component = vector ? c : SIZE_MAX};
    }
    return pass->stats != NULL;
}

static void add_place(Table *table, const char *name, const Points *points, uint64_t point)
{
    Text place SCOPED(text_free) = {0};
    for (size_t i = 0; i < points->axis_count; ++i)
        text_add(&place, "%s%s=%.6g", i > 0 ? "," : "", points->axes[i].name, points_axis_value(points, i, point));
    table_word(table, name, place.text ? place.text : "");
    table->text->failed = table->text->failed || place.failed;
}

static void add_row(Table *table, const Points *points, const Stats *stats)
{
    table_row(table);
    table_word(table, "group", points->group->label);
    if (stats->component == SIZE_MAX)
        table_word(table, "metric", stats->variable->name);
    else
        table_format(table, "metric", "%s[%zu]", stats->variable->name, stats->component);
    table_whole(table, "count", (int64_t)stats->count);
    if (stats->count > 0) {
        table_number(table, "least", stats->least);
        table_number(table, "mean", stats->mean);
        table_number(table, "greatest", stats->greatest);
        add_place(table, "least_at", points, stats->least_at);
        add_place(table, "greatest_at", points, stats->greatest_at);
    }
    table_end_row(table);
}

static bool add_group(Table *table, const StoreFile *file, const StoreGroup *group, Error *err)
{
    Points    points SCOPED(points_close) = {0};
    Arena     arena SCOPED(arena_free) = {0};
    StatsPass pass = {.points = &points};
    bool      ok = points_open(file, group, &points, err) && list_columns(&pass, &arena, err) &&
              points_read(&points, pass.variables, pass.variable_count, see_slab, &pass, err);
    for (size_t i = 0; ok && i < pass.stats_count; ++i)
        add_row(table, &points, &pass.stats[i]);
    return ok;
}

bool info_parts_stats(const StoreFile *file, bool json, Text *text, Error *err)
{
    static const TableColumn columns[] = {
        {.name = "group", .width = 20, .left = true},
        {.name = "metric", .gap = 1, .width = 22, .left = true},
        {.name = "count", .gap = 1, .width = 9},
        {.name = "least", .gap = 2, .width = 11, .digits = 5},
        {.name = "mean", .gap = 2, .width = 11, .digits = 5},
        {.name = "greatest", .gap = 2, .width = 11, .digits = 5},
        {.name = "least_at", .heading = "least at", .gap = 2, .width = 30, .left = true},
        {.name = "greatest_at", .heading = "greatest at", .gap = 2, .left = true}};
    Table table = {TABLE(text, json ? FORMAT_JSON : FORMAT_TEXT, columns)};
    bool  ok = true;
    table_begin(&table);
    if (!json)
        table_heading(&table);
    for (size_t i = 0; ok && i < file->group_count; ++i)
        ok = add_group(&table, file, &file->groups[i], err);
    table_end(&table);
    return ok && text_check(text, err);
}
