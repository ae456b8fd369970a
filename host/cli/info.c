// info -- `pendula info FILE.h5`: contents of a result file, and how many of its blocks are done.
#include "store/points.h"
#include "base/utf8.h"
#include "terminal/commands.h"
#include "terminal/options.h"

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

static bool add_attribute(Text *text, const StoreFile *file, const StoreGroup *group, const char *attribute,
                          const char *key, Error *err)
{
    char *value = NULL;
    if (!store_read_text(file, group, attribute, &value, err))
        return false;
    if (value && *value) {
        text_add(text, "%s%-12s ", group ? "  " : "", key);
        utf8_show(text, value, false);
        text_add(text, "\n");
    }
    free(value);
    return true;
}

static void add_axis(Text *text, const PointsAxis *axis)
{
    text_add(text, "  %-12s %s: ", "axis", axis->name);
    if (axis->count > 0)
        text_add(text, "%zu value%s, %.6g", axis->count, axis->count == 1 ? "" : "s", axis->values[0]);
    if (axis->count > 1)
        text_add(text, " to %.6g", axis->values[axis->count - 1]);
    text_add(text, strcmp(axis->unit, "1") == 0 ? "\n" : " %s\n", axis->unit);
}

static void add_variables(Text *text, const Points *points, const char *key, bool trajectories)
{
    const StoreGroup *group = points->group;
    size_t            listed = 0;
    for (const StoreVariable *variable = points->status; variable < group->variables + group->variable_count;
         ++variable) {
        if (points_is_trajectory(variable) != trajectories)
            continue;
        if (listed++ == 0)
            text_add(text, "  %-12s %s", key, variable->name);
        else
            text_add(text, ", %s", variable->name);
    }
    text_add(text, "%s", listed ? "\n" : "");
}

static bool add_group(Text *text, const StoreFile *file, const StoreGroup *group, Error *err)
{
    Points   points = {0};
    uint64_t counts[POINTS_COUNTS];
    bool     ok = points_open(file, group, &points, err) && points_count(&points, counts, err);
    text_add(text, "\n%s\n", group->label);
    ok = ok && add_attribute(text, file, group, "method", "method", err);
    if (ok) {
        size_t listed = 0;
        for (size_t i = 0; i < points.axis_count; ++i)
            add_axis(text, &points.axes[i]);
        text_add(text, "  %-12s %" PRIu64 "%s:", "points", points.count, points.zip ? " (axes zipped)" : "");
        for (int i = 0; i < STATUS_COUNT; ++i)
            if (counts[i])
                text_add(text, "%s %" PRIu64 " %s", listed++ ? "," : "", counts[i], plan_status_names[i]);
        if (counts[POINTS_UNKNOWN])
            text_add(text, "%s %" PRIu64 " with a status that does not exist", listed++ ? "," : "",
                     counts[POINTS_UNKNOWN]);
        text_add(text, "\n");
        add_variables(text, &points, "per point", false);
        add_variables(text, &points, "trajectories", true);
    }
    points_close(&points);
    return ok;
}

static bool add_file(Text *text, const StoreFile *file, Error *err)
{
    bool ok = add_attribute(text, file, NULL, "title", "title", err) &&
              add_attribute(text, file, NULL, "problem", "problem", err) &&
              add_attribute(text, file, NULL, "precision", "precision", err) &&
              add_attribute(text, file, NULL, "program", "program", err) &&
              add_attribute(text, file, NULL, "version", "version", err) &&
              add_attribute(text, file, NULL, "computed_by", "computed by", err) &&
              add_attribute(text, file, NULL, "fingerprint", "fingerprint", err);
    text_add(text, "%-12s %" PRIu64 " of %" PRIu64 " done%s\n", "blocks", file->blocks_done, file->block_count,
             file->blocks_done < file->block_count ? "; `pendula run --resume` goes on" : "");
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
