// blocks -- the rows of blocks, and their bytes read in pieces.
#include "store/blocks.h"

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

bool blocks_crc(int file, const char *path, const Group *group, const BlockColumn *columns, size_t count,
                uint64_t first_point, uint64_t end_point, uint32_t *crc, Error *err)
{
    unsigned char bytes[65536];
    uLong         sum = crc32_z(0, NULL, 0);
    for (size_t i = 0; i < count; i++) {
        uint64_t first, end;
        blocks_rows(group, columns[i].trajectory, first_point, end_point, &first, &end);
        uint64_t       place = columns[i].offset + first * columns[i].row_bytes;
        const uint64_t last = columns[i].offset + end * columns[i].row_bytes;
        while (place < last) {
            const size_t some = last - place < sizeof bytes ? (size_t)(last - place) : sizeof bytes;
            if (!output_read(file, path, bytes, some, place, err))
                return false;
            sum = crc32_z(sum, bytes, some);
            place += some;
        }
    }
    *crc = (uint32_t)sum;
    return true;
}

bool blocks_columns(const Layout *layout, size_t group, Arena *arena, BlockColumn **columns, Error *err)
{
    const Section *section = &layout->sections[group];
    const Group   *of = section->group;
    *columns = arena_take(arena, of->variable_count, sizeof **columns, err);
    for (size_t i = 0; *columns && i < of->variable_count; i++) {
        const Variable *variable = &of->variables[i];
        (*columns)[i] = (BlockColumn){.offset = section->variables[i].offset,
                                      .row_bytes = variable->width * group_type_bytes(variable->type),
                                      .trajectory = variable->trajectory};
    }
    return *columns != NULL;
}

bool blocks_check(int file, const char *path, const Layout *layout, const Group *group, const BlockColumn *columns,
                  uint64_t block, bool *whole, Error *err)
{
    const uint64_t first = (block - group->first_block) * group->block_points, rest = group->point_count - first,
                   count = rest < group->block_points ? rest : group->block_points;
    uint32_t stored, found;
    if (!output_read(file, path, &stored, sizeof stored, layout->crc->offset + block * sizeof stored, err) ||
        !blocks_crc(file, path, group, columns, group->variable_count, first, first + count, &found, err))
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
        const Variable *variable = &section->group->variables[i];
        const uint64_t  bytes = variable->width * group_type_bytes(variable->type);
        uint64_t        first, end;
        blocks_rows(section->group, variable->trajectory, first_point, end_point, &first, &end);
        filled =
            output_fill_range(file, path, section->variables[i].offset + first * bytes, (end - first) * bytes, err);
    }
    return filled;
}
