// point_list -- points of a group as a list, whose axes are filled in anew for each launch: for searches that choose
// points by the results of those before.
#pragma once

#include "engine/engine.h"
#include "engine/notice.h"

// Of plan, group, device and notice all is borrowed. Release with point_list_free(), also after a failure.
typedef struct PointList {
    const Plan                  *plan;
    const Group                 *group;
    Device                      *device;   // NULL: the reference
    Notice                      *notice;   // of the kernels that are compiled; or NULL
    const volatile sig_atomic_t *signals;  // or NULL
    bool                         solves;   // all points have one motion: the solution for their metrics is made once
    Engine                       engine;
    Group                        points;  // axes[a].values[i] is to be filled in
    Results                      results;
} PointList;

// Builds the kernel for a list of `room` points; `samples`: all of them store their trajectories.
//   list  its borrowed members are set; written
//   arena   owns the list
// Errors: those of group_pick(), results_make(), engine_compose(), engine_solve() and engine_build().
bool point_list_build(PointList *list, size_t room, bool samples, Arena *arena, Error *err);

// Says that the first launch is under way, in which some drivers compile; and that it has come back.
void point_list_begin(const PointList *list);
void point_list_end(const PointList *list);

// Runs the first `count` points into the results. Errors: those of engine_run().
bool point_list_run(PointList *list, size_t count, Error *err);
void point_list_free(PointList *list);
