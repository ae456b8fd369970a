// plan -- `pendula plan SWEEP.yaml`: points, storage and estimated time of a sweep; nothing is written.
#include "terminal/commands.h"
#include "base/json.h"
#include "cli/pilot.h"
#include "terminal/sweep_argument.h"

#include <inttypes.h>

typedef struct PlanArguments {
    SweepArgument sweep;
    const char   *device;
    bool          unmeasured, json;
} PlanArguments;

static const double pilot_seconds = 0.25;

static const Option plan_options[] = {
    SWEEP_ARGUMENT_SET(PlanArguments, sweep),
    {"device", 'd', "DEVICE", OPTION_TEXT(PlanArguments, device),
     "the device to estimate the time for, as for `pendula run`"},
    {"no-time", 0, NULL, OPTION_FLAG(PlanArguments, unmeasured), "compile and measure nothing"},
    OPTION_ROW_JSON(PlanArguments, json)};

static const Usage plan_usage = {
    USAGE_OPTIONS(plan_options), .arguments = SWEEP_ARGUMENT(PlanArguments, sweep),
    .about = "Tells what a sweep would compute: groups, axes, points, steps, blocks and bytes, and about how long it "
             "would take. Writes nothing.",
    .notes = "The time is measured: of each group some points run to their end, which says how many substeps and "
             "Newton updates there are, and the beginnings of some batches for a part of a second. Compiling is "
             "measured apart."};

static void add_bytes(Text *text, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double                   amount = (double)bytes;
    size_t                   unit = 0;
    for (; amount >= 1024.0; ++unit)
        amount /= 1024.0;
    text_add(text, unit ? "%.1f %s" : "%.0f %s", amount, units[unit]);
}

static void add_duration(Text *text, double seconds)
{
    if (seconds < 1.0)
        text_add(text, "less than a second");
    else if (seconds < 120.0)
        text_add(text, "%.0f s", seconds);
    else if (seconds < 7200.0)
        text_add(text, "%.0f minutes", seconds / 60.0);
    else if (seconds < 172800.0)
        text_add(text, "%.1f hours", seconds / 3600.0);
    else
        text_add(text, "%.3g days", seconds / 86400.0);
}

static void add_axis(Text *text, const Axis *axis)
{
    text_add(text, "  %-12s %6zu value%s %.6g", axis->name, axis->count,
             axis->count == 1 ? ": " : "s:", axis->values[0]);
    if (axis->count > 1)
        text_add(text, "%s%.6g", axis->count > 2 ? " .. " : ", ", axis->values[axis->count - 1]);
    text_add(text, "\n");
}

// Axes that go together are in no order: their least and their most.
static void add_together(Text *text, const Group *group, size_t dim)
{
    if (group->sampling && dim + 1 == group->dim_count)
        text_add(text, "  %-12s %6zu points of the design %s\n", group->dims[dim].name, group->dims[dim].count,
                 group->sampling_text);
    else
        text_add(text, "  %-12s %6zu values together\n", group->dims[dim].name, group->dims[dim].count);
    for (size_t i = 0; i < group->axis_count; ++i) {
        const Axis *axis = &group->axes[i];
        double      least, most;
        if (axis->dim != dim)
            continue;
        if (!axis->values) {
            text_add(text, "    %-10s %s\n", axis->name, axis->distribution);
            continue;
        }
        group_find_ends(group, (Quantity){.axis = (int)i}, &least, &most);
        text_add(text, "    %-10s from %.6g to %.6g\n", axis->name, least, most);
    }
}

static void add_axes(Text *text, const Group *group)
{
    for (size_t d = 0; d < group->dim_count; ++d) {
        if (group->dims[d].together)
            add_together(text, group, d);
        for (size_t i = 0; i < group->axis_count; ++i)
            if (group->axes[i].dim == d && !group->dims[d].together)
                add_axis(text, &group->axes[i]);
    }
}

// Bytes of a group's variables in the result file.
static uint64_t count_bytes(const Group *group)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        const uint64_t  rows = variable->trajectory ? group->trajectory.slot_count : group->point_count;
        bytes += rows * variable->width * group_type_bytes(variable->type);
    }
    return bytes;
}

static void add_group(Text *text, const Group *group)
{
    const uint64_t steps = pilot_steps(group);
    text_add(text, "%s: %s\n", group->label, group->method->title);
    add_axes(text, group);
    text_add(text, "  %" PRIu64 " point%s, %.4g steps, %" PRIu64 " block%s, ", group->point_count,
             group->point_count == 1 ? "" : "s", (double)steps, group->block_count, group->block_count == 1 ? "" : "s");
    add_bytes(text, count_bytes(group));
    if (group->trajectory.stored)
        text_add(text, ", %zu trajector%s of %zu samples", group->trajectory.slot_count,
                 group->trajectory.slot_count == 1 ? "y" : "ies", group->trajectory.sample_count);
    text_add(text, "\n");
}

// Where the time cannot be estimated, plan says so and goes on.
static void add_time(Text *text, const PilotEstimate *estimate)
{
    text_add(text, "time: ");
    if (estimate->known) {
        add_duration(text, estimate->seconds);
        text_add(text, " for %.4g substeps and updates%s, estimated on %s from %.2f s of batches; beside that ",
                 estimate->work, estimate->ended ? "" : " (roughly, points take long)", estimate->device,
                 estimate->measured);
        add_duration(text, estimate->compile_seconds);
        text_add(text, " to compile what the caches do not have, and writing\n");
    } else {
        text_add(text, "not estimated: %s\n", estimate->why.message);
    }
}

static void add_plan(Text *text, const PlanArguments *arguments)
{
    const Plan *plan = &arguments->sweep.plan;
    double      steps = 0.0;
    text_add(text, "%s\nproblem %s, %s precision\n\n", plan->title, plan->problem->name,
             plan->precision == PRECISION_SINGLE ? "single" : "double");
    for (size_t g = 0; g < plan->group_count; ++g) {
        add_group(text, &plan->groups[g]);
        steps += (double)pilot_steps(&plan->groups[g]);
    }
    text_add(text, "\ntotal: %zu group%s, %" PRIu64 " point%s, %.4g steps, %" PRIu64 " block%s, ", plan->group_count,
             plan->group_count == 1 ? "" : "s", plan->point_count, plan->point_count == 1 ? "" : "s", steps,
             plan->block_count, plan->block_count == 1 ? "" : "s");
    add_bytes(text, plan->data_bytes);
    text_add(text, "\n");
    for (size_t i = 0; i < plan->warning_count; ++i)
        text_add(text, "warning: %s\n", plan->warnings[i]);
}

static void object_axis(Text *text, const Group *group, size_t i)
{
    const Axis *axis = &group->axes[i];
    double      least, most;
    group_find_ends(group, (Quantity){.axis = (int)i}, &least, &most);
    json_open(text, NULL, "{");
    json_member_string(text, "name", axis->name);
    json_member_string(text, "unit", axis->unit);
    json_member_string(text, "dimension", group->dims[axis->dim].name);
    json_member_whole(text, "count", axis->count);
    json_member_number(text, "least", least);
    json_member_number(text, "greatest", most);
    if (axis->distribution)
        json_member_string(text, "distribution", axis->distribution);
    text_add(text, "}");
}

static void object_group(Text *text, const Group *group)
{
    json_open(text, NULL, "{");
    json_member_string(text, "label", group->label);
    json_member_string(text, "method", group->method->name);
    json_member_whole(text, "points", group->point_count);
    json_member_whole(text, "steps", pilot_steps(group));
    json_member_whole(text, "blocks", group->block_count);
    json_member_whole(text, "bytes", count_bytes(group));
    json_member_whole(text, "trajectories", group->trajectory.stored ? group->trajectory.slot_count : 0);
    json_open(text, "axes", "[");
    for (size_t i = 0; i < group->axis_count; ++i)
        object_axis(text, group, i);
    text_add(text, "]}");
}

static void object_time(Text *text, const PilotEstimate *estimate)
{
    json_open(text, "time", "{");
    if (estimate->known) {
        json_member_string(text, "device", estimate->device);
        json_member_number(text, "seconds", estimate->seconds);
        json_member_number(text, "compile_seconds", estimate->compile_seconds);
        json_member_number(text, "substeps_and_updates", estimate->work);
    } else {
        json_member_string(text, "not_estimated", estimate->why.message);
    }
    text_add(text, "}");
}

// A plan as an object of JSON.
//   estimate  NULL: the time was not asked for
static void add_object(const Plan *plan, const PilotEstimate *estimate, Text *text)
{
    text_add(text, "{");
    json_member_string(text, "title", plan->title);
    json_member_string(text, "problem", plan->problem->name);
    json_member_string(text, "precision", plan->precision == PRECISION_SINGLE ? "single" : "double");
    json_member_whole(text, "points", plan->point_count);
    json_member_whole(text, "blocks", plan->block_count);
    json_member_whole(text, "bytes", plan->data_bytes);
    json_open(text, "groups", "[");
    for (size_t g = 0; g < plan->group_count; ++g)
        object_group(text, &plan->groups[g]);
    text_add(text, "]");
    json_open(text, "warnings", "[");
    for (size_t i = 0; i < plan->warning_count; ++i)
        json_member_string(text, NULL, plan->warnings[i]);
    text_add(text, "]");
    if (estimate)
        object_time(text, estimate);
    text_add(text, "}\n");
}

static bool tell(void *arguments, Error *err)
{
    PlanArguments *given = arguments;
    Text           text SCOPED(text_free) = {0};
    bool           ok = sweep_argument_read(&given->sweep, err);
    if (ok) {
        PilotEstimate estimate;
        if (!given->unmeasured)
            pilot_estimate(given->device, &given->sweep.plan, pilot_seconds, &estimate);
        if (given->json)
            add_object(&given->sweep.plan, given->unmeasured ? NULL : &estimate, &text);
        else
            add_plan(&text, given);
        if (!given->json && !given->unmeasured)
            add_time(&text, &estimate);
        ok = options_print(&text, err);
    }
    sweep_argument_free(&given->sweep);
    return ok;
}

bool plan_command(int argc, char **argv, Error *err)
{
    PlanArguments given = {.device = options_device()};
    return options_run(&plan_usage, argc, argv, &given, tell, err);
}
