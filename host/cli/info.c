// info -- `pendula info FILE.h5`: contents of a result file, its missing and failed points, and its devices.
#include "base/json.h"
#include "base/outputs.h"
#include "base/utf8.h"
#include "plan/spec.h"
#include "store/failures.h"
#include "store/history.h"
#include "store/verify.h"
#include "terminal/commands.h"
#include "terminal/options.h"
#include "terminal/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct InfoArguments {
    const char *path;
    bool        json, sweep, stats;
} InfoArguments;

static bool check(void *arguments, Error *err)
{
    const InfoArguments *given = arguments;
    return !given->sweep || !(given->stats || given->json) ||
           fail(err, ERROR_USAGE, "--sweep excludes --stats and --json");
}

static const Option info_options[] = {OPTION_ROW_JSON(InfoArguments, json),
                                      {"stats", 0, NULL, OPTION_FLAG(InfoArguments, stats),
                                       "print the least, mean and greatest number of each metric, and where they are"},
                                      {"sweep", 0, NULL, OPTION_FLAG(InfoArguments, sweep),
                                       "print the sweep file of which the file is the result, overrides included"}};

const Usage info_command_usage = {
    USAGE_OPTIONS(info_options), .arguments = ARGUMENTS_ONE(InfoArguments, path, "FILE.h5", "result file"),
    .check = check,
    .about =
        "Tells what is in a result file: groups, axes, metrics, how its points ended, where on each axis they failed, "
        "and, from the log beside it, which devices computed it and how fast."};

// A line has a key and its value; the lines of a group are indented.
static const TableColumn file_lines[] = {{.name = "key", .width = 12, .left = true},
                                         {.name = "value", .gap = 1, .left = true}},
                         group_lines[] = {{.name = "key", .gap = 2, .width = 12, .left = true},
                                          {.name = "value", .gap = 1, .left = true}};

static void add_line(Table *table, const char *key, const Text *value)
{
    table_row(table);
    table_word(table, "key", key);
    table_word(table, "value", value->text);
    table_end_row(table);
}

static bool add_attribute(Table *table, const StoreFile *file, const StoreGroup *group, const char *attribute,
                          const char *key, Error *err)
{
    char *value SCOPED(scoped_free) = NULL;
    Text  shown SCOPED(text_free) = {0};
    if (!store_read_text(file, group, attribute, &value, err))
        return false;
    if (value && *value) {
        utf8_show(&shown, value, false);
        add_line(table, key, &shown);
    }
    return true;
}

static void add_axis(Table *table, const Points *points, const PointsAxis *axis)
{
    const PointsDim *dim = &points->dims[axis->dim];
    Text             line SCOPED(text_free) = {0};
    text_add(&line, "%s: ", axis->name);
    if (axis->count > 0)
        text_add(&line, "%zu value%s, %.6g", axis->count, axis->count == 1 ? "" : "s", axis->values[0]);
    if (axis->count > 1)
        text_add(&line, " to %.6g", axis->values[axis->count - 1]);
    if (strcmp(axis->unit, "1") != 0)
        text_add(&line, " %s", axis->unit);
    if (dim->together)
        text_add(&line, ", along %s", dim->name);
    add_line(table, "axis", &line);
}

static void add_variables(Table *table, const Points *points, const char *key, bool trajectories)
{
    const StoreGroup *group = points->group;
    Text              names SCOPED(text_free) = {0};
    for (const StoreVariable *variable = points->status; variable < group->variables + group->variable_count;
         ++variable)
        if (points_is_trajectory(variable) == trajectories)
            text_add(&names, "%s%s", names.length ? ", " : "", variable->name);
    if (names.length)
        add_line(table, key, &names);
}

static void add_statuses(Table *table, const Points *points, const uint64_t counts[POINTS_COUNTS])
{
    Text   line SCOPED(text_free) = {0};
    size_t listed = 0;
    text_add(&line, "%" PRIu64 ":", points->count);
    for (int i = 0; i < STATUS_COUNT; ++i)
        if (counts[i])
            text_add(&line, "%s %" PRIu64 " %s", listed++ ? "," : "", counts[i], plan_status_names[i]);
    if (counts[POINTS_UNKNOWN])
        text_add(&line, "%s %" PRIu64 " with a status that does not exist", listed++ ? "," : "",
                 counts[POINTS_UNKNOWN]);
    add_line(table, "points", &line);
}

// Where points failed: a line for each axis whose parts differ in it.
static bool add_failures(Table *table, const Points *points, Error *err)
{
    Failures failures;
    for (size_t i = 0; i < points->axis_count; ++i) {
        Text   line SCOPED(text_free) = {0};
        size_t some = 0;
        if (!failures_count(points, &points->axes[i], &failures, err))
            return false;
        text_add(&line, "%s:", points->axes[i].name);
        for (size_t k = 0; k < failures.count; ++k) {
            if (failures.failed[k] == 0)
                continue;
            text_add(&line, "%s %.4g", some++ ? "," : "", failures.low[k]);
            if (!failures.each)
                text_add(&line, " to %.4g", failures.high[k]);
            text_add(&line, " %.3g %%", 100.0 * (double)failures.failed[k] / (double)failures.computed[k]);
        }
        if (failures.count > 1)
            add_line(table, "failed", &line);
    }
    return true;
}

static bool add_group(Text *text, const StoreFile *file, const StoreGroup *group, Error *err)
{
    Points   points SCOPED(points_close) = {0};
    Table    table = {TABLE(text, FORMAT_TEXT, group_lines)};
    uint64_t counts[POINTS_COUNTS];
    bool     ok = points_open(file, group, &points, err) && points_count(&points, counts, err);
    text_add(text, "\n%s\n", group->label);
    ok = ok && add_attribute(&table, file, group, "method", "method", err);
    for (size_t i = 0; ok && i < points.axis_count; ++i)
        add_axis(&table, &points, &points.axes[i]);
    if (ok) {
        add_statuses(&table, &points, counts);
        ok = counts[STATUS_OK] + counts[STATUS_NOT_RUN] == points.count || add_failures(&table, &points, err);
        add_variables(&table, &points, "per point", false);
        add_variables(&table, &points, "trajectories", true);
    }
    return ok;
}

static void add_devices(Table *table, const History *found)
{
    for (size_t i = 0; i < found->count; ++i) {
        const HistoryDevice *device = &found->devices[i];
        Text                 line SCOPED(text_free) = {0}, name SCOPED(text_free) = {0};
        utf8_show(&name, device->name, false);
        text_add(&line, "%s: %.0f block%s in %zu run%s, %.4g s", name.text ? name.text : "", device->blocks,
                 device->blocks == 1.0 ? "" : "s", device->runs, device->runs == 1 ? "" : "s", device->seconds);
        if (device->compute_seconds > 0.0)
            text_add(&line, " (computing %.4g s, %.3g steps/s)", device->compute_seconds,
                     device->steps / device->compute_seconds);
        add_line(table, "device", &line);
    }
}

static bool add_file(Text *text, const StoreFile *file, Error *err)
{
    static const struct {
        const char *attribute, *key;
    } facts[] = {
        {"title", "title"},     {"problem", "problem"},         {"precision", "precision"},     {"program", "program"},
        {"version", "version"}, {"computed_by", "computed by"}, {"fingerprint", "fingerprint"}, {"history", "retries"}};
    Table table = {TABLE(text, FORMAT_TEXT, file_lines)};
    Text  blocks SCOPED(text_free) = {0};
    bool  ok = true;
    for (size_t i = 0; ok && i < sizeof facts / sizeof *facts; ++i)
        ok = add_attribute(&table, file, NULL, facts[i].attribute, facts[i].key, err);
    const uint64_t wanted = file->part_end - file->part_first;
    text_add(&blocks, "%" PRIu64 " of %" PRIu64 " done%s", file->blocks_done, wanted,
             file->blocks_done < wanted ? "; `pendula run --resume` goes on" : "");
    if (file->part)
        text_add(&blocks, "; shard %s of %" PRIu64 " blocks, `pendula merge` puts them together", file->part,
                 file->block_count);
    add_line(&table, "blocks", &blocks);
    History found SCOPED(history_free) = {0};
    history_read(file->path, &found);
    add_devices(&table, &found);
    for (size_t i = 0; ok && i < file->group_count; ++i)
        ok = add_group(text, file, &file->groups[i], err);
    return ok;
}

static void add_status_counts(Text *text, const uint64_t counts[POINTS_COUNTS])
{
    json_open(text, "status", "{");
    for (int i = 0; i < STATUS_COUNT; ++i)
        if (counts[i])
            json_member_whole(text, plan_status_names[i], counts[i]);
    text_add(text, "}");
}

static bool add_failures_object(Text *text, const Points *points, Error *err)
{
    Failures failures;
    json_open(text, "failures", "{");
    for (size_t i = 0; i < points->axis_count; ++i) {
        if (!failures_count(points, &points->axes[i], &failures, err))
            return false;
        json_open(text, points->axes[i].name, "[");
        for (size_t k = 0; k < failures.count; ++k) {
            json_open(text, NULL, "{");
            json_member_number(text, "from", failures.low[k]);
            json_member_number(text, "to", failures.high[k]);
            text_add(text, ", \"computed\": %" PRIu64 ", \"failed\": %" PRIu64 "}", failures.computed[k],
                     failures.failed[k]);
        }
        text_add(text, "]");
    }
    text_add(text, "}");
    return true;
}

static bool add_group_object(Text *text, const StoreFile *file, const StoreGroup *group, uint64_t *points_all,
                             uint64_t counts_all[POINTS_COUNTS], Error *err)
{
    Points   points SCOPED(points_close) = {0};
    char    *method SCOPED(scoped_free) = NULL;
    uint64_t counts[POINTS_COUNTS];
    bool     ok = points_open_design(file, group, &points, err) && points_count(&points, counts, err) &&
              store_read_text(file, group, "method", &method, err);
    if (ok) {
        text_add(text, "{");
        json_member_string(text, "label", group->label);
        json_member_string(text, "method", method);
        json_member_whole(text, "points", points.count);
        add_status_counts(text, counts);
        ok = add_failures_object(text, &points, err);
        text_add(text, "}");
        *points_all += points.count;
        for (int i = 0; i < POINTS_COUNTS; ++i)
            counts_all[i] += counts[i];
    }
    return ok;
}

static void add_device_objects(Text *text, const StoreFile *file)
{
    History found SCOPED(history_free) = {0};
    history_read(file->path, &found);
    json_open(text, "devices", "[");
    for (size_t i = 0; i < found.count; ++i) {
        const HistoryDevice *device = &found.devices[i];
        json_open(text, NULL, "{");
        json_member_string(text, "name", device->name);
        text_add(text,
                 ", \"runs\": %zu, \"blocks\": %.0f, \"steps\": %.0f, \"seconds\": %.6g, \"compute_seconds\": %.6g}",
                 device->runs, device->blocks, device->steps, device->seconds, device->compute_seconds);
    }
    text_add(text, "]");
}

static bool add_object(Text *text, const StoreFile *file, Error *err)
{
    Text     groups SCOPED(text_free) = {0};
    uint64_t points = 0, counts[POINTS_COUNTS] = {0};
    bool     ok = true;
    for (size_t i = 0; ok && i < file->group_count; ++i) {
        text_add(&groups, i ? ", " : "");
        ok = add_group_object(&groups, file, &file->groups[i], &points, counts, err);
    }
    text_add(text, "{\"points\": %" PRIu64, points);
    add_status_counts(text, counts);
    text_add(text, ", \"blocks\": %" PRIu64 ", \"missing\": %" PRIu64, file->part_end - file->part_first,
             file->part_end - file->part_first - file->blocks_done);
    if (file->part)
        json_member_string(text, "shard", file->part);
    add_device_objects(text, file);
    text_add(text, ", \"groups\": [%s]}\n", groups.text ? groups.text : "");
    return ok && text_check(&groups, err);
}

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

// Adds the sweep file from which a result file was made; where it was overridden by -s, with the overrides in it, a
// line for each key.
static bool add_sweep(const StoreFile *file, Text *text, Error *err)
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

static bool add_group_stats(Table *table, const StoreFile *file, const StoreGroup *group, Error *err)
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

// Adds a table row for each metric of each group: how many points have a finite number, the least, the mean and the
// greatest of these, and at which values of the axes the least and the greatest are.
//   json  a list of objects in place of the table
static bool add_stats(const StoreFile *file, bool json, Text *text, Error *err)
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
        ok = add_group_stats(&table, file, &file->groups[i], err);
    table_end(&table);
    return ok && text_check(text, err);
}

static bool tell(void *arguments, Error *err)
{
    const InfoArguments *given = arguments;
    StoreFile            file SCOPED(store_read_close) = {0};
    Text                 text SCOPED(text_free) = {0};
    bool ok = given->sweep ? store_read_open(given->path, &file, err) : verify_open(given->path, &file, err);
    options_log(&file.notes);
    // To a file or a program it goes as it is; a terminal is shown no characters that it would obey.
    if (ok && given->sweep)
        ok = add_sweep(&file, &text, err) &&
             (isatty(STDOUT_FILENO) ? options_print(&text, err) : outputs_write(&(Outputs){0}, "-", &text, err));
    else if (ok)
        ok = (given->stats  ? add_stats(&file, given->json, &text, err)
              : given->json ? add_object(&text, &file, err)
                            : add_file(&text, &file, err)) &&
             options_print(&text, err);
    return ok;
}

OPTIONS_COMMAND(info_command, InfoArguments, info_command_usage, tell, 0)
