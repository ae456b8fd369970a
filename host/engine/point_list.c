// point_list -- a list of points built once and run as often as it is filled in.
#include "engine/point_list.h"

#include <stdio.h>

static void say(const PointList *list, bool launches)
{
    ProgressCompile compile = {
        .number = (size_t)(list->group - list->plan->groups) + 1, .count = list->plan->group_count, .launch = launches};
    snprintf(compile.name, sizeof compile.name, "%s", list->group->label);
    if (list->device && (!launches || device_compiles_late(list->device)))
        notice_begin(list->notice, 0, &compile);
}

bool point_list_build(PointList *list, size_t room, bool samples, Arena *arena, Error *err)
{
    uint64_t *points = arena_take(arena, room, sizeof *points, err);
    say(list, false);
    const bool ok = points && group_pick(list->group, points, room, arena, &list->points, err) &&
                    results_make(&list->points, room, samples ? room : 0, &list->results, err) &&
                    engine_compose(&list->engine, list->plan, &list->points, err) &&
                    (!list->solves || engine_solve(&list->engine, list->signals, err)) &&
                    engine_build(&list->engine, list->device, 0, err);
    notice_end(list->notice, 0);
    return ok;
}

void point_list_begin(const PointList *list)
{
    say(list, true);
}

void point_list_end(const PointList *list)
{
    notice_end(list->notice, 0);
}

// The first slice has come back: its kernel is compiled.
static void see_slice(const Progress *slice, void *user)
{
    (void)slice;
    point_list_end(user);
}

bool point_list_run(PointList *list, size_t count, Error *err)
{
    Group           *points = &list->points;
    const size_t     slots = list->results.slot_capacity > 0 ? count : 0;
    const RunOptions options = {.signals = list->signals, .progress = see_slice, .user = list};
    const Batch      batch = {.group = points, .point_count = count, .slot_count = slots};
    points->dims[0].count = points->point_count = count;
    if (slots > 0) {
        points->block_points = count;
        points->trajectory.slot_count = points->trajectory.selected_count[0] = count;
    }
    return engine_run(&list->engine, &batch, &options, &list->results, err);
}

void point_list_free(PointList *list)
{
    engine_free(&list->engine);
    results_free(&list->results);
}
