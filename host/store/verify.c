// verify -- what a block of a group is, found from the file, and its checksum.
#include "store/verify.h"

#include "h5/h5.h"
#include "store/blocks.h"
#include "store/output.h"
#include "store/points.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A group as its file describes it: as much of a Group as blocks are found by.
typedef struct Verified {
    const StoreFile *file;
    Points           points;
    Group            group;
    BlockColumn     *columns;  // [column_count]
    size_t           column_count;
    Arena            arena;
} Verified;

typedef struct Journal {
    int       file;  // open for reading
    uint8_t  *done;  // [block_count]
    uint32_t *crc;   // [block_count]
} Journal;

static bool fail_damaged(const Verified *verified, const char *what, Error *err)
{
    return fail(err, ERROR_INPUT, "%s: group '%s': %s is damaged", verified->file->path, verified->points.group->label,
                what);
}

// The indices along a dimension of the points of which trajectories are stored: all, or those of a scale
// trajectory_DIMENSION, which has values of the axis, or indices where points go together.
static bool find_selected(Verified *verified, const StoreVariable *field, size_t d, Error *err)
{
    static const char    prefix[] = "trajectory_";
    const Points        *points = &verified->points;
    const bool           selected = strncmp(field->dims[d], prefix, sizeof prefix - 1) == 0;
    const size_t         count = (size_t)field->shape[d];
    const StoreVariable *scale = store_read_variable(points->group, field->dims[d]);
    double              *values = arena_take(&verified->arena, count, sizeof *values, err);
    size_t              *found = arena_take(&verified->arena, count, sizeof *found, err), next = 0;
    if (!values || !found)
        return false;
    if (selected ? !scale || scale->count != count : count != points->dims[d].count)
        return fail_damaged(verified, "the selection of its trajectories", err);
    if (selected && !store_read_numbers(points->file, points->group, scale, NULL, NULL, values, err))
        return false;
    const PointsAxis *axis = NULL;
    for (size_t i = 0; selected && !points->dims[d].together && i < points->axis_count; i++)
        axis = points->axes[i].dim == d ? &points->axes[i] : axis;
    for (size_t i = 0; i < points->dims[d].count && next < count; i++)
        if (!selected || (axis ? axis->values[i] == values[next] : (double)i == values[next]))
            found[next++] = i;
    verified->group.trajectory.selected[d] = found;
    verified->group.trajectory.selected_count[d] = count;
    return next == count || fail_damaged(verified, "the selection of its trajectories", err);
}

static bool find_trajectories(Verified *verified, const StoreVariable *field, Error *err)
{
    Group       *group = &verified->group;
    Trajectory  *trajectory = &group->trajectory;
    const size_t rank = group->dim_count;
    if (field->rank <= rank || strcmp(field->dims[rank], "sample") != 0)
        return fail_damaged(verified, "the shape of its trajectories", err);
    trajectory->stored = true;
    trajectory->slot_count = 1;
    trajectory->selected = arena_take(&verified->arena, rank, sizeof *trajectory->selected, err);
    trajectory->selected_count = arena_take(&verified->arena, rank, sizeof *trajectory->selected_count, err);
    if (!trajectory->selected || !trajectory->selected_count)
        return false;
    for (size_t d = 0; d < rank; d++) {
        trajectory->slot_count *= (size_t)field->shape[d];
        if (!find_selected(verified, field, d, err))
            return false;
    }
    return true;
}

// Address and bytes of a dataset.
static bool find_place(const Verified *verified, const StoreVariable *variable, uint64_t *offset, uint64_t *bytes,
                       Error *err)
{
    hid_t         section = H5Gopen2(verified->file->handle, verified->points.group->label, H5P_DEFAULT);
    hid_t         id = section >= 0 ? H5Dopen2(section, variable->name, H5P_DEFAULT) : -1;
    hid_t         type = id >= 0 ? H5Dget_type(id) : -1;
    const haddr_t place = type >= 0 ? H5Dget_offset(id) : HADDR_UNDEF;
    *offset = place;
    *bytes = type >= 0 ? variable->count * H5Tget_size(type) : 0;
    if (type >= 0)
        H5Tclose(type);
    h5_close(id);
    h5_close(section);
    return place != HADDR_UNDEF || fail_damaged(verified, variable->name, err);
}

static bool add_column(Verified *verified, const StoreVariable *variable, Error *err)
{
    BlockColumn *column = &verified->columns[verified->column_count++];
    uint64_t     bytes;
    column->trajectory = points_is_trajectory(variable);
    if (column->trajectory && !verified->group.trajectory.stored && !find_trajectories(verified, variable, err))
        return false;
    const uint64_t rows = column->trajectory ? verified->group.trajectory.slot_count : verified->group.point_count;
    if (!find_place(verified, variable, &column->offset, &bytes, err))
        return false;
    column->row_bytes = rows > 0 ? bytes / rows : 0;
    return rows > 0 && bytes % rows == 0 ? true : fail_damaged(verified, variable->name, err);
}

static bool read_whole(Verified *verified, const char *attribute, uint64_t *whole, Error *err)
{
    double number = 0.0;
    bool   found = false;
    if (!store_read_number(verified->file, verified->points.group, attribute, &number, &found, err))
        return false;
    *whole = (uint64_t)number;
    return found && number >= 0.0 ? true : fail_damaged(verified, attribute, err);
}

static bool open_group(const StoreFile *file, const StoreGroup *from, Verified *verified, Error *err)
{
    Group *group = &verified->group;
    *verified = (Verified){.file = file};
    if (!points_open_design(file, from, &verified->points, err) ||
        !read_whole(verified, "first_block", &group->first_block, err) ||
        !read_whole(verified, "block_points", &group->block_points, err))
        return false;
    group->dim_count = verified->points.dim_count;
    group->point_count = verified->points.count;
    group->dims = arena_take(&verified->arena, group->dim_count, sizeof *group->dims, err);
    verified->columns = arena_take(&verified->arena, from->variable_count, sizeof *verified->columns, err);
    if (!group->dims || !verified->columns)
        return false;
    for (size_t d = 0; d < group->dim_count; d++)
        group->dims[d] = (Dim){.name = verified->points.dims[d].name, .count = verified->points.dims[d].count};
    if (group->block_points == 0)
        return fail_damaged(verified, "block_points", err);
    group->block_count = (group->point_count + group->block_points - 1) / group->block_points;
    if (group->first_block > file->block_count || group->block_count > file->block_count - group->first_block)
        return fail_damaged(verified, "first_block", err);
    for (const StoreVariable *variable = verified->points.status; variable < from->variables + from->variable_count;
         variable++)
        if (!add_column(verified, variable, err))
            return false;
    return true;
}

static void close_group(Verified *verified)
{
    points_close(&verified->points);
    arena_free(&verified->arena);
}

static bool check_block(const Verified *verified, const Journal *journal, VerifyBlock *block, Verification *found,
                        Error *err)
{
    const uint64_t end = block->first_point + block->point_count;
    uint32_t       crc = 0;
    block->state = VERIFY_MISSING;
    if (journal->done[block->block] != 1)
        return true;
    if (!blocks_crc(journal->file, verified->file->path, &verified->group, verified->columns, verified->column_count,
                    block->first_point, end, &crc, err))
        return false;
    for (size_t i = 0; i < verified->column_count; i++) {
        uint64_t first, last;
        blocks_rows(&verified->group, verified->columns[i].trajectory, block->first_point, end, &first, &last);
        found->bytes += (last - first) * verified->columns[i].row_bytes;
    }
    block->state = crc == journal->crc[block->block] ? VERIFY_WHOLE : VERIFY_DAMAGED;
    return true;
}

static bool check_group(const Verified *verified, const Journal                             *journal,
                        bool (*see)(const VerifyBlock *block, void *user, Error *err), void *user, Verification *found,
                        Error *err)
{
    const Group *group = &verified->group;
    for (uint64_t b = 0; b < group->block_count; b++) {
        const uint64_t first = b * group->block_points, rest = group->point_count - first;
        VerifyBlock    block = {.label = verified->points.group->label,
                                .block = group->first_block + b,
                                .first_point = first,
                                .point_count = rest < group->block_points ? rest : group->block_points};
        // Blocks of other shards are not looked for.
        if (block.block < verified->file->part_first || block.block >= verified->file->part_end)
            continue;
        if (!check_block(verified, journal, &block, found, err))
            return false;
        ++found->blocks[block.state];
        found->points[block.state] += block.point_count;
        if (block.state != VERIFY_WHOLE && !see(&block, user, err))
            return false;
    }
    return true;
}

static bool read_journal(const StoreFile *file, Journal *journal, Arena *arena, Error *err)
{
    const hid_t done = H5Dopen2(file->handle, "/journal/block_done", H5P_DEFAULT),
                crc = H5Dopen2(file->handle, "/journal/block_crc32", H5P_DEFAULT);
    journal->done = arena_take(arena, file->block_count, sizeof *journal->done, err);
    journal->crc = arena_take(arena, file->block_count, sizeof *journal->crc, err);
    const bool read = journal->done && journal->crc && done >= 0 && crc >= 0 &&
                      H5Dread(done, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, journal->done) >= 0 &&
                      H5Dread(crc, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, journal->crc) >= 0;
    h5_close(done);
    h5_close(crc);
    return read || h5_fail(err, ERROR_INPUT, "%s: its journal cannot be read", file->path);
}

bool verify_file(const StoreFile *file, bool (*see)(const VerifyBlock *block, void *user, Error *err), void *user,
                 Verification *found, Error *err)
{
    Journal journal = {.file = -1};
    Arena   arena = {0};
    *found = (Verification){.bytes = 0};
    bool ok = output_open(file->path, false, &journal.file, err) && read_journal(file, &journal, &arena, err);
    for (size_t g = 0; ok && g < file->group_count; g++) {
        Verified verified;
        ok = open_group(file, &file->groups[g], &verified, err) &&
             check_group(&verified, &journal, see, user, found, err);
        close_group(&verified);
    }
    if (journal.file >= 0)
        close(journal.file);
    arena_free(&arena);
    return ok;
}

static bool refuse_damaged(const VerifyBlock *block, void *user, Error *err)
{
    const StoreFile *file = user;
    return block->state != VERIFY_DAMAGED ||
           fail(err, ERROR_INPUT,
                "%s: points %llu to %llu of group '%s' are damaged; `pendula run --resume` computes them anew",
                file->path, (unsigned long long)block->first_point,
                (unsigned long long)(block->first_point + block->point_count - 1), block->label);
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
    if (find_bytes(file) > VERIFY_MOST || verify_file(file, refuse_damaged, file, &found, err))
        return true;
    store_read_close(file);
    return false;
}
