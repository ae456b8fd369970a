// plan -- `pendula plan SWEEP.yaml`: what a sweep would compute, store and take; nothing is written.
#include "terminal/commands.h"
#include "cli/plan_object.h"
#include "terminal/sweep_argument.h"

#include <inttypes.h>
#include <math.h>

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

static void add_group(Text *text, const Group *group)
{
    const uint64_t steps = pilot_steps(group);
    text_add(text, "%s: %s\n", group->label, group->method->title);
    add_axes(text, group);
    text_add(text, "  %" PRIu64 " point%s, %.4g steps, %" PRIu64 " block%s, ", group->point_count,
             group->point_count == 1 ? "" : "s", (double)steps, group->block_count, group->block_count == 1 ? "" : "s");
    add_bytes(text, plan_object_bytes(group));
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

static bool tell(void *arguments, Error *err)
{
    PlanArguments *given = arguments;
    Text           text = {0};
    bool           ok = sweep_argument_read(&given->sweep, err);
    if (ok) {
        PilotEstimate estimate;
        if (!given->unmeasured)
            pilot_estimate(given->device, &given->sweep.plan, pilot_seconds, &estimate);
        if (given->json)
            plan_object_add(&given->sweep.plan, given->unmeasured ? NULL : &estimate, &text);
        else
            add_plan(&text, given);
        if (!given->json && !given->unmeasured)
            add_time(&text, &estimate);
        ok = options_print(&text, err);
    }
    text_free(&text);
    sweep_argument_free(&given->sweep);
    return ok;
}

bool plan_command(int argc, char **argv, Error *err)
{
    PlanArguments given = {.device = options_device()};
    return options_run(&plan_usage, argc, argv, &given, tell, err);
}
