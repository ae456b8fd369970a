// batch -- consecutive points of one group that are computed together, always whole blocks.
#pragma once

#include "plan/group.h"

typedef struct Batch {
    const Group *group;          // borrowed
    uint64_t     first_point;    // a block's first point
    size_t       point_count;    // whole blocks
    uint64_t     first_slot;     // number of the batch's first stored trajectory in the group
    size_t       slot_count;     // stored trajectories of the batch: slots first_slot .. first_slot + slot_count - 1
    const unsigned char *given;  // [point_count] 1: the point's results are known, and it is not computed; NULL: none's
    size_t               given_points, given_slots;  // how many of each are given
    const struct Solution *solution;                 // borrowed; NULL where the group's metrics need none
} Batch;

// The batch that begins with block `block` of the group (counted from 0 in the group) and spans `block_count` blocks.
Batch batch_make(const Group *group, uint64_t block, uint64_t block_count);
