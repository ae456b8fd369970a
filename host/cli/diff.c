// diff -- `pendula diff A.h5 B.h5`: the recorded settings of two result files, and the results of their common points.
#include "base/json.h"
#include "store/diff.h"
#include "store/verify.h"
#include "terminal/commands.h"
#include "terminal/options.h"
#include "terminal/table.h"

#include <inttypes.h>

typedef struct DiffArguments {
    const char   *paths[2];
    DiffTolerance tolerance;
    bool          json;
} DiffArguments;

static const Option diff_options[] = {
    {"rtol", 0, "R", OPTION_NUMBER(DiffArguments, tolerance.relative, NUMBERS_NOT_NEGATIVE),
     "numbers may differ by R max(|a|, |b|) (default: 0, by no bit)"},
    {"atol", 0, "A", OPTION_NUMBER(DiffArguments, tolerance.absolute, NUMBERS_NOT_NEGATIVE),
     "and by A besides (default: 0)"},
    OPTION_ROW_JSON(DiffArguments, json)};

const Usage diff_command_usage = {
    USAGE_OPTIONS(diff_options), .arguments = ARGUMENTS_TWO(DiffArguments, paths, "A.h5 B.h5", "result file"),
    .about =
        "Compares two result files: what they record, and the results of the points that both have. A point is found "
        "by its group and the values of its parameters, step and end, wherever it stands.",
    .notes =
        "Exits with 0 where no result of a point in common differs, with 7 where one does or no point is compared. "
        "NaN is equal to NaN. Statuses are compared exactly. Points that one of the files has not computed are "
        "counted and not compared."};

static void add_settings(Text *text, const Diff *diff)
{
    if (diff->setting_count > 0)
        text_add(text, "recorded differently (A | B):\n");
    for (size_t i = 0; i < diff->setting_count; i++) {
        const DiffSetting *setting = &diff->settings[i];
        text_add(text, "  %s%s%s: ", setting->where, setting->where[0] ? " " : "", setting->name);
        if (!setting->a && !setting->b)
            text_add(text, "differs\n");
        else
            text_add(text, "%s | %s\n", setting->a ? setting->a : "-", setting->b ? setting->b : "-");
    }
}

static void add_point(Text *text, const char *what, const DiffGroup *group, const DiffWorst *worst)
{
    if (!worst->found)
        return;
    text_add(text, "      %s %.3g at ", what, worst->difference);
    for (size_t i = 0; i < group->axis_count; i++) {
        text_add(text, "%s%s=", i ? ", " : "", group->axes[i]);
        json_number(text, worst->values[i]);
    }
    text_add(text, "%spoint %" PRIu64, group->axis_count ? ", " : "", worst->a);
    if (worst->a != worst->b)
        text_add(text, " of A, %" PRIu64 " of B", worst->b);
    text_add(text, "\n");
}

static void add_group(Text *text, const DiffGroup *group)
{
    text_add(text, "%s: %" PRIu64 " point%s in common, %" PRIu64 " only in A, %" PRIu64 " only in B", group->label,
             group->common, group->common == 1 ? "" : "s", group->only[0], group->only[1]);
    if (group->not_run > 0)
        text_add(text, ", %" PRIu64 " in common not computed in both", group->not_run);
    text_add(text, "\n");
    if (group->apart)
        text_add(text, "  not compared: %s\n", group->apart);
    for (size_t i = 0; !group->apart && i < group->variable_count; i++) {
        const DiffVariable *variable = &group->variables[i];
        if (variable->apart) {
            text_add(text, "  %s: not compared: %s\n", variable->name, variable->apart);
            continue;
        }
        text_add(text, "  %s: %" PRIu64 " of %" PRIu64 " differ", variable->name, variable->differ, variable->compared);
        if (variable->unbounded > 0)
            text_add(text, ", %" PRIu64 " of them by NaN or infinity", variable->unbounded);
        text_add(text, "\n");
        add_point(text, "absolute", group, &variable->absolute);
        add_point(text, "relative", group, &variable->relative);
    }
}

static void member_worst(Text *text, const char *key, const DiffGroup *group, const DiffWorst *worst)
{
    json_member(text, key);
    if (!worst->found) {
        text_add(text, "null");
        return;
    }
    text_add(text, "{\"difference\": ");
    json_number(text, worst->difference);
    text_add(text, ", \"points\": [%" PRIu64 ", %" PRIu64 "], \"at\": {", worst->a, worst->b);
    for (size_t i = 0; i < group->axis_count; i++)
        json_member_number(text, group->axes[i], worst->values[i]);
    text_add(text, "}}");
}

static void object_variable(Text *text, const DiffGroup *group, const DiffVariable *variable)
{
    json_open(text, NULL, "{");
    json_member_string(text, "name", variable->name);
    json_member_string(text, "not_compared", variable->apart);
    json_member_whole(text, "compared", variable->compared);
    json_member_whole(text, "differ", variable->differ);
    json_member_whole(text, "unbounded", variable->unbounded);
    member_worst(text, "absolute", group, &variable->absolute);
    member_worst(text, "relative", group, &variable->relative);
    text_add(text, "}");
}

static void object_group(Text *text, const DiffGroup *group)
{
    json_open(text, NULL, "{");
    json_member_string(text, "label", group->label);
    json_member_string(text, "not_compared", group->apart);
    json_member(text, "points");
    text_add(text, "[%" PRIu64 ", %" PRIu64 "]", group->points[0], group->points[1]);
    json_member_whole(text, "common", group->common);
    json_member(text, "only");
    text_add(text, "[%" PRIu64 ", %" PRIu64 "]", group->only[0], group->only[1]);
    json_member_whole(text, "not_run", group->not_run);
    json_open(text, "variables", "[");
    for (size_t i = 0; i < group->variable_count; i++)
        object_variable(text, group, &group->variables[i]);
    text_add(text, "]}");
}

static void add_object(Text *text, const Diff *diff)
{
    text_add(text, "{\"settings\": [");
    for (size_t i = 0; i < diff->setting_count; i++) {
        json_open(text, NULL, "{");
        json_member_string(text, "where", diff->settings[i].where);
        json_member_string(text, "name", diff->settings[i].name);
        json_member_string(text, "a", diff->settings[i].a);
        json_member_string(text, "b", diff->settings[i].b);
        text_add(text, "}");
    }
    text_add(text, "], \"groups\": [");
    for (size_t i = 0; i < diff->group_count; i++)
        object_group(text, &diff->groups[i]);
    text_add(text, "]}\n");
}

// Differences are printed, and are then an error too.
static bool judge(const DiffArguments *given, const Diff *diff, Error *err)
{
    if (diff_differs(diff))
        return fail(err, ERROR_CONFORMANCE, "%s and %s: results of points in common differ", given->paths[0],
                    given->paths[1]);
    return diff_compared(diff) > 0 || fail(err, ERROR_CONFORMANCE, "%s and %s: they have no computed point in common",
                                           given->paths[0], given->paths[1]);
}

static bool diff(void *arguments, Error *err)
{
    const DiffArguments *given = arguments;
    StoreFile            a SCOPED(store_read_close) = {0}, b SCOPED(store_read_close) = {0};
    Diff                 found SCOPED(diff_free) = {0};
    Text                 text SCOPED(text_free) = {0};
    bool                 ok = verify_open(given->paths[0], &a, err) && verify_open(given->paths[1], &b, err) &&
              diff_files(&a, &b, &given->tolerance, &found, err);
    options_log(&a.notes);
    options_log(&b.notes);
    if (ok && given->json) {
        add_object(&text, &found);
    } else if (ok) {
        add_settings(&text, &found);
        for (size_t i = 0; i < found.group_count; i++)
            add_group(&text, &found.groups[i]);
    }
    return ok && text_check(&text, err) && options_print(&text, err) && judge(given, &found, err);
}

OPTIONS_COMMAND(diff_command, DiffArguments, diff_command_usage, diff, 0)
