// batch -- the points and the slots of a run of blocks.
#include "plan/batch.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

Batch batch_make(const Group *group, uint64_t block, uint64_t block_count)
{
    // The numbers of blocks are limited to the group's before they are multiplied, so that no product overflows.
    const uint64_t first = smaller(block, group->block_count),
                   blocks = smaller(block_count, group->block_count - first);
    const uint64_t begin = smaller(first * group->block_points, group->point_count);
    const uint64_t end = smaller((first + blocks) * group->block_points, group->point_count);
    const uint64_t first_slot = group_slot(group, begin, NULL);
    return (Batch){.group = group,
                   .first_point = begin,
                   .point_count = (size_t)(end - begin),
                   .first_slot = first_slot,
                   .slot_count = (size_t)(group_slot(group, end, NULL) - first_slot)};
}
