// plan_object -- a plan as an object of JSON: groups, axes, sizes, warnings, and the time that a run would take.
#include "cli/plan_object.h"

#include "base/json.h"

uint64_t plan_object_bytes(const Group *group)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        const uint64_t  rows = variable->trajectory ? group->trajectory.slot_count : group->point_count;
        bytes += rows * variable->width * group_type_bytes(variable->type);
    }
    return bytes;
}

static void object_axis(Text *text, const Group *group, size_t i)
{
    const Axis *axis = &group->axes[i];
    double      least, most;
    group_find_ends(group, (Quantity){.axis = (int)i}, &least, &most);
    json_member(text, NULL);
    text_add(text, "{");
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
    json_member(text, NULL);
    text_add(text, "{");
    json_member_string(text, "label", group->label);
    json_member_string(text, "method", group->method->name);
    json_member_whole(text, "points", group->point_count);
    json_member_whole(text, "steps", pilot_steps(group));
    json_member_whole(text, "blocks", group->block_count);
    json_member_whole(text, "bytes", plan_object_bytes(group));
    json_member_whole(text, "trajectories", group->trajectory.stored ? group->trajectory.slot_count : 0);
    json_member(text, "axes");
    text_add(text, "[");
    for (size_t i = 0; i < group->axis_count; ++i)
        object_axis(text, group, i);
    text_add(text, "]}");
}

static void object_time(Text *text, const PilotEstimate *estimate)
{
    json_member(text, "time");
    text_add(text, "{");
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

void plan_object_add(const Plan *plan, const PilotEstimate *estimate, Text *text)
{
    text_add(text, "{");
    json_member_string(text, "title", plan->title);
    json_member_string(text, "problem", plan->problem->name);
    json_member_string(text, "precision", plan->precision == PRECISION_SINGLE ? "single" : "double");
    json_member_whole(text, "points", plan->point_count);
    json_member_whole(text, "blocks", plan->block_count);
    json_member_whole(text, "bytes", plan->data_bytes);
    json_member(text, "groups");
    text_add(text, "[");
    for (size_t g = 0; g < plan->group_count; ++g)
        object_group(text, &plan->groups[g]);
    text_add(text, "]");
    json_member(text, "warnings");
    text_add(text, "[");
    for (size_t i = 0; i < plan->warning_count; ++i)
        json_member_string(text, NULL, plan->warnings[i]);
    text_add(text, "]");
    if (estimate)
        object_time(text, estimate);
    text_add(text, "}\n");
}
