// blocks -- the stored rows of blocks, and their bytes read in pieces.
#include "store/blocks.h"

#include "plan/results.h"

#include "h5/h5.h"
#include "store/output.h"

#include <zlib.h>

void blocks_rows(const Group *group, bool trajectory, uint64_t first_point, uint64_t end_point, uint64_t *first,
                 uint64_t *end)
{
    *first = first_point;
    *end = end_point;
    if (trajectory) {
        *first = group_slot(group, first_point, NULL);
        *end = end_point < group->point_count ? group_slot(group, end_point, NULL) : group->trajectory.slot_count;
    }
}

// Reads a run of numbers of a dataset as boxes: one index in each dimension before a certain one, a range in that, all
// indices behind it.
static bool read_boxes(hid_t id, hid_t type, hid_t space, uint64_t first, uint64_t count, char *bytes)
{
    hsize_t    shape[LAYOUT_RANK], start[LAYOUT_RANK], box[LAYOUT_RANK];
    const int  rank = H5Sget_simple_extent_dims(space, shape, NULL);
    const bool known = rank > 0 && rank <= LAYOUT_RANK;
    bool       read = known;
    while (read && count > 0) {
        uint64_t stride = 1, rest = first, taken = 1;
        for (int d = 1; d < rank; d++)
            stride *= shape[d];
        bool inside = false;
        for (int d = 0; d < rank; d++) {
            start[d] = rest / stride;
            rest %= stride;
            box[d] = inside ? shape[d] : 1;
            if (!inside && rest == 0 && count >= stride) {
                const uint64_t left = shape[d] - start[d];
                box[d] = count / stride < left ? count / stride : left;
                taken = box[d] * stride;
                inside = true;
            }
            stride /= d + 1 < rank ? shape[d + 1] : 1;
        }
        const hid_t memory SCOPED(h5_leave) = H5Screate_simple(rank, box, NULL);
        read = memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, box, NULL) >= 0 &&
               H5Dread(id, type, memory, space, H5P_DEFAULT, bytes) >= 0;
        bytes += taken * H5Tget_size(type);
        first += taken;
        count -= taken;
    }
    return read;
}

static bool read_packed(hid_t id, const char *path, uint64_t first, size_t count, void *bytes, Error *err)
{
    const hid_t type SCOPED(h5_leave) = H5Dget_type(id), space SCOPED(h5_leave) = H5Dget_space(id);
    return (type >= 0 && space >= 0 &&
            read_boxes(id, type, space, first / H5Tget_size(type), count / H5Tget_size(type), bytes)) ||
           h5_fail(err, ERROR_INPUT, "%s: packed points cannot be read", path);
}

bool blocks_read(int file, const char *path, const BlockColumn *column, uint64_t first, size_t count, void *bytes,
                 Error *err)
{
    return column->packed ? read_packed(column->packed, path, first, count, bytes, err)
                          : output_read(file, path, bytes, count, column->offset + first, err);
}

bool blocks_crc(int file, const char *path, const Group *group, const BlockColumn *columns, size_t count,
                uint64_t first_point, uint64_t end_point, uint32_t *crc, Error *err)
{
    unsigned char bytes[65536];
    uLong         sum = crc32_z(0, NULL, 0);
    for (size_t i = 0; i < count; i++) {
        uint64_t first, end;
        blocks_rows(group, columns[i].trajectory, first_point, end_point, &first, &end);
        uint64_t       place = first * columns[i].row_bytes;
        const uint64_t last = end * columns[i].row_bytes;
        while (place < last) {
            const size_t some = last - place < sizeof bytes ? (size_t)(last - place) : sizeof bytes;
            if (!blocks_read(file, path, &columns[i], place, some, bytes, err))
                return false;
            sum = crc32_z(sum, bytes, some);
            place += some;
        }
    }
    *crc = (uint32_t)sum;
    return true;
}

bool blocks_check(int file, const char *path, const Layout *layout, size_t group, uint64_t block, bool *whole,
                  Error *err)
{
    const Section *section = &layout->sections[group];
    const Group   *of = section->group;
    const uint64_t first = (block - of->first_block) * of->block_points, rest = of->point_count - first,
                   count = rest < of->block_points ? rest : of->block_points;
    uint32_t stored, found;
    if (!output_read(file, path, &stored, sizeof stored, layout->crc->offset + block * sizeof stored, err) ||
        !blocks_crc(file, path, of, section->columns, of->variable_count, first, first + count, &found, err))
        return false;
    *whole = stored == found;
    return true;
}

bool blocks_fill(int file, const char *path, const Layout *layout, size_t group, uint64_t first_point,
                 uint64_t end_point, Error *err)
{
    const Section *section = &layout->sections[group];
    bool           filled = true;
    for (size_t i = 0; filled && i < section->group->variable_count; i++) {
        const BlockColumn *column = &section->columns[i];
        uint64_t           first, end;
        blocks_rows(section->group, column->trajectory, first_point, end_point, &first, &end);
        filled = output_fill_range(file, path, column->offset + first * column->row_bytes,
                                   (end - first) * column->row_bytes, err);
    }
    return filled;
}

// The fill value again and again.
static void repeat(VariableType type, void *numbers, size_t count)
{
    int32_t *halves = numbers;
    int64_t *wholes = numbers;
    for (size_t i = 0; i < count; i++)
        if (type == TYPE_I32)
            halves[i] = (int32_t)results_fill(type);
        else
            wholes[i] = results_fill(type);
}

bool blocks_mark(int file, const char *path, const Layout *layout, size_t group, uint64_t first_point,
                 uint64_t end_point, Error *err)
{
    enum { PIECE = 1 << 17 };
    const Section *section = &layout->sections[group];
    Arena          arena SCOPED(arena_free) = {0};
    int64_t       *numbers = arena_take(&arena, PIECE, sizeof *numbers, err);
    bool           marked = numbers != NULL;
    for (size_t i = 0; marked && i < section->group->variable_count; i++) {
        const Variable *variable = &section->group->variables[i];
        if (variable->source != SOURCE_METRIC || results_fill(variable->type) == 0)
            continue;
        const size_t   bytes = group_type_bytes(variable->type);
        const uint64_t end = end_point * variable->width;
        repeat(variable->type, numbers, PIECE);
        for (uint64_t at = first_point * variable->width; marked && at < end; at += PIECE) {
            const size_t some = end - at < PIECE ? (size_t)(end - at) : PIECE;
            marked = output_write(file, path, numbers, some * bytes, section->columns[i].offset + at * bytes, err);
        }
    }
    return marked;
}
