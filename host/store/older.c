// older -- sweep, structure, journal and checksums of a file, read in this order.
#include "store/older.h"

#include "plan/part.h"
#include "store/blocks.h"
#include "store/header.h"
#include "store/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool read_sources(Older *older, const StoreFile *file, Error *err)
{
    const Plan *plan = &older->origin.plan;
    older->sources = arena_take(&older->arena, plan->group_count, sizeof *older->sources, err);
    for (size_t g = 0; older->sources && g < plan->group_count; g++) {
        const StoreGroup *group = store_read_group(file, plan->groups[g].label);
        char             *text SCOPED(scoped_free) = NULL;
        if (!group)
            return fail(err, ERROR_INPUT, "%s: group '%s' is missing", older->path, plan->groups[g].label);
        if (!store_read_source(file, group, &text, err))
            return false;
        older->sources[g] = arena_copy(&older->arena, text ? text : "", err);
        if (!older->sources[g])
            return false;
    }
    return older->sources != NULL;
}

// Of a shard the plan is that of the shard.
static bool take_part(Older *older, const StoreFile *file, Error *err)
{
    uint64_t index, count;
    if (file->part && strcmp(file->part, part_shared) == 0)
        part_share(&older->origin.plan);
    else if (file->part)
        return !part_read(file->part, &index, &count) || part_take(&older->origin.plan, index, count, err);
    return true;
}

bool older_read_history(const StoreFile *file, Plan *plan, Error *err)
{
    char *text SCOPED(scoped_free) = NULL;
    return store_read_text(file, NULL, "history", &text, err) &&
           (!text || (plan->history = arena_copy(&plan->arena, text, err)));
}

bool older_read(const char *path, const Spec *sweep, Older *older, Error *err)
{
    StoreFile file SCOPED(store_read_close) = {0};
    older->path = path;
    return store_read_open(older->path, &file, err) && origin_read(&file, sweep, &older->origin, err) &&
           take_part(older, &file, err) && older_read_history(&file, &older->origin.plan, err) &&
           read_sources(older, &file, err);
}

static bool check_blocks(Older *older, Error *err)
{
    const Plan *plan = &older->origin.plan;
    older->whole = arena_take(&older->arena, plan->block_count, sizeof *older->whole, err);
    if (!older->whole ||
        !output_read(older->file, older->path, older->whole, plan->block_count, older->layout.done->offset, err))
        return false;
    for (size_t g = 0; g < plan->group_count; g++) {
        const Group *group = &plan->groups[g];
        for (uint64_t b = group->first_block; b < group->first_block + group->block_count; b++) {
            const bool done = older->whole[b] == 1;
            bool       whole = false;
            if (done && !blocks_check(older->file, older->path, &older->layout, g, b, &whole, err))
                return false;
            older->whole[b] = whole;
            older->blocks += whole;
            older->damaged += done && !whole;
        }
    }
    return true;
}

bool older_open(const char *path, const Spec *sweep, Older *older, Error *err)
{
    if (!older_read(path, sweep, older, err) || !layout_make(&older->origin.plan, &older->layout, err) ||
        !output_open(path, false, &older->file, err))
        return false;
    const char *unsaid;
    older->opened = true;
    return header_check(path, older->file, &older->origin.plan, older->sources, &older->layout, &unsaid, err) &&
           check_blocks(older, err);
}

void older_close(Older *older)
{
    if (older->opened)
        close(older->file);
    layout_free(&older->layout);
    origin_free(&older->origin);
    arena_free(&older->arena);
    *older = (Older){0};
}
