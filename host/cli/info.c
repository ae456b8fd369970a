// info -- `pendula info FILE.h5`: contents of a result file, and how many of its blocks are done.
#include "store/points.h"
#include "base/utf8.h"
#include "terminal/commands.h"
#include "terminal/options.h"
#include "terminal/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    const Options *options = state->input;
    return options_take_one(options->target, "result file", key, value, state);
}

static const struct argp info_argp = {
    .parser = parse_option,
    .args_doc = "FILE.h5",
    .doc = "Tells what is in a result file: groups, axes, metrics, and how its points ended.",
};

// A line has a key and what it says; those of a group are indented.
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
    char *value = NULL;
    Text  shown = {0};
    if (!store_read_text(file, group, attribute, &value, err))
        return false;
    if (value && *value) {
        utf8_show(&shown, value, false);
        add_line(table, key, &shown);
    }
    text_free(&shown);
    free(value);
    return true;
}

static void add_axis(Table *table, const Points *points, const PointsAxis *axis)
{
    const PointsDim *dim = &points->dims[axis->dim];
    Text             line = {0};
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
    text_free(&line);
}

static void add_variables(Table *table, const Points *points, const char *key, bool trajectories)
{
    const StoreGroup *group = points->group;
    Text              names = {0};
    for (const StoreVariable *variable = points->status; variable < group->variables + group->variable_count;
         ++variable)
        if (points_is_trajectory(variable) == trajectories)
            text_add(&names, "%s%s", names.length ? ", " : "", variable->name);
    if (names.length)
        add_line(table, key, &names);
    text_free(&names);
}

static void add_statuses(Table *table, const Points *points, const uint64_t counts[POINTS_COUNTS])
{
    Text   line = {0};
    size_t listed = 0;
    text_add(&line, "%" PRIu64 ":", points->count);
    for (int i = 0; i < STATUS_COUNT; ++i)
        if (counts[i])
            text_add(&line, "%s %" PRIu64 " %s", listed++ ? "," : "", counts[i], plan_status_names[i]);
    if (counts[POINTS_UNKNOWN])
        text_add(&line, "%s %" PRIu64 " with a status that does not exist", listed++ ? "," : "",
                 counts[POINTS_UNKNOWN]);
    add_line(table, "points", &line);
    text_free(&line);
}

static bool add_group(Text *text, const StoreFile *file, const StoreGroup *group, Error *err)
{
    Points   points = {0};
    Table    table = {TABLE(text, FORMAT_TEXT, group_lines)};
    uint64_t counts[POINTS_COUNTS];
    bool     ok = points_open(file, group, &points, err) && points_count(&points, counts, err);
    text_add(text, "\n%s\n", group->label);
    ok = ok && add_attribute(&table, file, group, "method", "method", err);
    for (size_t i = 0; ok && i < points.axis_count; ++i)
        add_axis(&table, &points, &points.axes[i]);
    if (ok) {
        add_statuses(&table, &points, counts);
        add_variables(&table, &points, "per point", false);
        add_variables(&table, &points, "trajectories", true);
    }
    points_close(&points);
    return ok;
}

static bool add_file(Text *text, const StoreFile *file, Error *err)
{
    static const struct {
        const char *attribute, *key;
    } facts[] = {
        {"title", "title"},     {"problem", "problem"},         {"precision", "precision"},    {"program", "program"},
        {"version", "version"}, {"computed_by", "computed by"}, {"fingerprint", "fingerprint"}};
    Table table = {TABLE(text, FORMAT_TEXT, file_lines)};
    Text  blocks = {0};
    bool  ok = true;
    for (size_t i = 0; ok && i < sizeof facts / sizeof *facts; ++i)
        ok = add_attribute(&table, file, NULL, facts[i].attribute, facts[i].key, err);
    text_add(&blocks, "%" PRIu64 " of %" PRIu64 " done%s", file->blocks_done, file->block_count,
             file->blocks_done < file->block_count ? "; `pendula run --resume` goes on" : "");
    add_line(&table, "blocks", &blocks);
    text_free(&blocks);
    for (size_t i = 0; ok && i < file->group_count; ++i)
        ok = add_group(text, file, &file->groups[i], err);
    return ok;
}

bool info_command(int argc, char **argv, Error *err)
{
    const char *path = NULL;
    StoreFile   file = {0};
    Text        text = {0};
    bool        done = false;
    bool        ok = options_parse(&info_argp, argc, argv, &path, &done, err);
    if (ok && !done)
        ok = store_read_open(path, &file, err) && add_file(&text, &file, err) && options_print(&text, err);
    text_free(&text);
    store_read_close(&file);
    return ok;
}
