// verify -- the blocks of each group, and their checksums.
#include "store/verify.h"

#include "base/file.h"
#include "h5/h5.h"
#include "plan/part.h"
#include "store/content.h"
#include "store/damage.h"
#include "store/output.h"

#include <string.h>

typedef struct Journal {
    int       file;  // open for reading
    uint8_t  *done;  // [block_count]
    uint32_t *crc;   // [block_count]
    Arena     arena;
} Journal;

static bool open_journal(const StoreFile *file, Journal *journal, Error *err)
{
    return output_open(file->path, false, &journal->file, err) &&
           verify_read_journal(file, &journal->arena, &journal->done, &journal->crc, err);
}

static void close_journal(Journal *journal)
{
    file_close(&journal->file);
    arena_free(&journal->arena);
}

static bool check_block(const Content *content, const Journal *journal, VerifyBlock *block, Verification *found,
                        Error *err)
{
    const Group   *group = &content->group;
    const uint64_t end = block->first_point + block->point_count;
    uint32_t       crc = 0;
    Error          why = {0};
    block->state = VERIFY_MISSING;
    if (journal->done[block->block] != 1)
        return true;
    if (!blocks_crc(journal->file, content->file->path, group, content->columns, group->variable_count,
                    block->first_point, end, &crc, &why)) {
        // Packed data have checksums of their own.
        block->state = VERIFY_DAMAGED;
        if (content->file->packed && why.kind == ERROR_INPUT)
            return true;
        *err = why;
        return false;
    }
    for (size_t i = 0; i < group->variable_count; i++) {
        uint64_t first, last;
        blocks_rows(group, content->columns[i].trajectory, block->first_point, end, &first, &last);
        found->bytes += (last - first) * content->columns[i].row_bytes;
    }
    block->state = crc == journal->crc[block->block] ? VERIFY_WHOLE : VERIFY_DAMAGED;
    return true;
}

static VerifyBlock find_block(const Group *group, uint64_t number)
{
    const uint64_t first = number * group->block_points, rest = group->point_count - first;
    return (VerifyBlock){.label = group->label,
                         .block = group->first_block + number,
                         .first_point = first,
                         .point_count = rest < group->block_points ? rest : group->block_points};
}

static bool check_group(const Content *content, const Journal                               *journal,
                        bool (*see)(const VerifyBlock *block, void *user, Error *err), void *user, Verification *found,
                        Error *err)
{
    const Group *group = &content->group;
    for (uint64_t b = 0; b < group->block_count; b++) {
        VerifyBlock block = find_block(group, b);
        // Blocks of other shards are not looked for.
        if (block.block < content->file->part_first || block.block >= content->file->part_end)
            continue;
        if (!check_block(content, journal, &block, found, err))
            return false;
        ++found->blocks[block.state];
        found->points[block.state] += block.point_count;
        if (block.state != VERIFY_WHOLE && !see(&block, user, err))
            return false;
    }
    return true;
}

// Reads a dataset of the journal, which has a number for each block.
static bool read_numbers(const StoreFile *file, const char *name, hid_t type, void *numbers, Error *err)
{
    const hid_t id SCOPED(h5_leave) = H5Dopen2(file->handle, name, H5P_DEFAULT),
                   space SCOPED(h5_leave) = id >= 0 ? H5Dget_space(id) : -1;
    return (space >= 0 && H5Sget_simple_extent_npoints(space) == (hssize_t)file->block_count &&
            H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0) ||
           h5_fail(err, ERROR_INPUT, "%s: its journal cannot be read", file->path);
}

bool verify_read_journal(const StoreFile *file, Arena *arena, uint8_t **done, uint32_t **crc, Error *err)
{
    *done = arena_take(arena, file->block_count, sizeof **done, err);
    *crc = arena_take(arena, file->block_count, sizeof **crc, err);
    return *done && *crc && read_numbers(file, "/journal/block_done", H5T_NATIVE_UINT8, *done, err) &&
           read_numbers(file, "/journal/block_crc32", H5T_NATIVE_UINT32, *crc, err);
}

bool verify_file(const StoreFile *file, bool (*see)(const VerifyBlock *block, void *user, Error *err), void *user,
                 Verification *found, Error *err)
{
    Journal journal SCOPED(close_journal) = {.file = -1};
    *found = (Verification){.bytes = 0};
    bool ok = open_journal(file, &journal, err);
    for (size_t g = 0; ok && g < file->group_count; g++) {
        Content content SCOPED(content_close) = {0};
        ok = content_open(file, &file->groups[g], &content, err) &&
             check_group(&content, &journal, see, user, found, err);
    }
    return ok;
}

const char *verify_remedy(const StoreFile *file)
{
    if (file->packed)
        return DAMAGE_COPY;
    if (file->retried)
        return DAMAGE_ANEW;
    return file->part && strcmp(file->part, part_shared) != 0 ? "`pendula run --resume` with its --shard computes them"
                                                              : "`pendula run --resume` computes them";
}

static bool refuse(const StoreFile *file, const VerifyBlock *block, Error *err)
{
    return block->state != VERIFY_DAMAGED ||
           fail(err, ERROR_INPUT, "%s: points %llu to %llu of group '%s' are damaged; %s", file->path,
                (unsigned long long)block->first_point,
                (unsigned long long)(block->first_point + block->point_count - 1), block->label, verify_remedy(file));
}

static bool refuse_damaged(const VerifyBlock *block, void *user, Error *err)
{
    return refuse(user, block, err);
}

// The most that a file's variables can take, eight bytes a number.
static uint64_t find_bytes(const StoreFile *file)
{
    uint64_t bytes = 0;
    for (size_t g = 0; g < file->group_count; g++)
        for (size_t v = 0; v < file->groups[g].variable_count; v++) {
            const uint64_t count = file->groups[g].variables[v].count;
            bytes = count > (UINT64_MAX - bytes) / 8 ? UINT64_MAX : bytes + 8 * count;
        }
    return bytes;
}

bool verify_open(const char *path, StoreFile *file, Error *err)
{
    Verification found;
    if (!store_read_open(path, file, err))
        return false;
    const bool large = find_bytes(file) > VERIFY_MOST;
    if (large)
        text_add(&file->notes, "%s: larger than 4 GiB: its checksums were not looked at; `pendula verify` does\n",
                 path);
    if (large || verify_file(file, refuse_damaged, file, &found, err))
        return true;
    store_read_close(file);
    return false;
}

bool verify_point(const StoreFile *file, const StoreGroup *group, uint64_t point, Error *err)
{
    Journal      journal SCOPED(close_journal) = {.file = -1};
    Content      content SCOPED(content_close) = {0};
    Verification found = {.bytes = 0};
    if (!open_journal(file, &journal, err) || !content_open(file, group, &content, err))
        return false;
    VerifyBlock block = find_block(&content.group, point / content.group.block_points);
    return check_block(&content, &journal, &block, &found, err) && refuse(file, &block, err);
}
