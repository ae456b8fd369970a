// build -- number of lanes, and compiler options as text.
#include "device/build.h"

#include "compose/compose.h"

#include <stdio.h>

// Of so many unknowns the matrices of all lanes have room.
enum { SMALL = 32 };

int build_lanes(const DeviceInfo *info, Precision precision, const Group *group)
{
    const int lanes = precision == PRECISION_SINGLE ? info->lanes_single : info->lanes_double;
    const int filled = build_lanes_filled(group->point_count), room = build_lanes_most(precision, group);
    // Larger states do not fit the registers twice.
    const int most = filled < room ? filled : room;
    const int some = group->dofs >= 8 && lanes > 8 ? 8 : lanes;
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
