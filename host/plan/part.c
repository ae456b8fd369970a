// part -- blocks dealt out among shards.
#include "plan/part.h"

#include <ctype.h>
#include <stdlib.h>

static bool read_whole(const char **text, uint64_t *whole)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    *whole = strtoull(*text, &end, 10);
    const bool fine = end - *text <= 6;
    *text = end;
    return fine;
}

bool part_read(const char *text, uint64_t *index, uint64_t *count)
{
    if (!read_whole(&text, index) || *text++ != '/' || !read_whole(&text, count))
        return false;
    return *text == '\0' && *index < *count && *count <= PART_MOST;
}

uint64_t part_begin(uint64_t index, uint64_t count, uint64_t blocks)
{
    // At most 2^40 blocks and 2^16 shards.
    return blocks * index / count;
}

bool part_take(Plan *plan, uint64_t index, uint64_t count, Error *err)
{
    plan->part = arena_format(&plan->arena, err, "%llu/%llu", (unsigned long long)index, (unsigned long long)count);
    plan->part_first = part_begin(index, count, plan->block_count);
    plan->part_end = part_begin(index + 1, count, plan->block_count);
    return plan->part != NULL;
}

const char part_shared[] = "shared";

void part_share(Plan *plan)
{
    plan->part = part_shared;
    plan->part_first = 0;
    plan->part_end = plan->block_count;
}

void part_range(const Plan *plan, uint64_t *first, uint64_t *end)
{
    *first = plan->part ? plan->part_first : 0;
    *end = plan->part ? plan->part_end : plan->block_count;
}

static uint64_t clamp(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value < most ? value : most;
}

void part_blocks(const Plan *plan, const Group *group, uint64_t *first, uint64_t *end)
{
    const uint64_t begin = group->first_block, behind = begin + group->block_count;
    part_range(plan, first, end);
    *first = clamp(*first, begin, behind);
    *end = clamp(*end, begin, behind);
}

void part_points(const Plan *plan, const Group *group, uint64_t *first, uint64_t *end)
{
    part_blocks(plan, group, first, end);
    *first = clamp((*first - group->first_block) * group->block_points, 0, group->point_count);
    *end = clamp((*end - group->first_block) * group->block_points, 0, group->point_count);
}
