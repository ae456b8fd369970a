// build -- number of lanes, and compiler options as text.
#include "device/build.h"

#include "compose/compose.h"

#include <stdio.h>

// Of so many unknowns the matrices of all lanes have room.
enum { SMALL = 32 };
// Steps of a group, all points together, from which on it is long: some six seconds of two cores.
static const double long_steps = 5e9;

// Whether a group takes twice the lanes: with one degree of freedom and registers of 512 bits it is up to 1.5 times as
// fast, but compiles for up to 1 s longer.
static bool takes_twice(const DeviceInfo *info, Precision precision, const Group *group)
{
    return info->wide && precision == PRECISION_DOUBLE && info->lanes_double == LANES_MOST / 2 &&
           group_state_dofs(group) == 1 &&
           (double)group->point_count * (double)group_steps(group, group->point_count / 2) >= long_steps;
}

int build_lanes(const DeviceInfo *info, Precision precision, const Group *group)
{
    const int lanes = precision == PRECISION_SINGLE ? info->lanes_single : info->lanes_double;
    const int filled = build_lanes_filled(group->point_count), room = build_lanes_most(precision, group);
    const int most = filled < room ? filled : room;
    // Larger states do not fit the registers twice.
    const int some = takes_twice(info, precision, group) ? 2 * lanes
                     : group->dofs >= 8 && lanes > 8     ? lanes / 2
                                                         : lanes;
    return some < most ? some : most;
}

int build_lanes_most(Precision precision, const Group *group)
{
    if (group->dofs <= SMALL)
        return LANES_MOST;
    const size_t bytes = compose_rows(group).matrix * (precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double));
    int          lanes = LANES_MOST;
    while (lanes > 1 && (size_t)lanes * bytes > BUILD_PRIVATE)
        lanes /= 2;
    return lanes;
}

int build_lanes_filled(uint64_t points)
{
    int lanes = 1;
    while (lanes < LANES_MOST && (uint64_t)lanes < points)
        lanes *= 2;
    return lanes;
}

size_t build_local_size(const DeviceInfo *info)
{
    // PoCL keeps the loop variables of a group's work items in memory, of a single one in registers.
    return build_halved(info->gpu ? 64 : 1, info->work_group);
}

size_t build_halved(size_t size, size_t most)
{
    while (size > most && size > 1)
        size /= 2;
    return size;
}

void build_options(const DeviceInfo *info, Precision precision, int lanes, size_t local_size,
                   char options[BUILD_OPTIONS_SIZE])
{
    const bool single = precision == PRECISION_SINGLE;
    snprintf(options, BUILD_OPTIONS_SIZE, "-cl-std=CL1.2 -D LANES=%d -D SINGLE=%d -D LOCAL_SIZE=%zu%s%s", lanes, single,
             local_size, single ? " -cl-single-precision-constant" : "",
             single && info->rounds_single ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
}
