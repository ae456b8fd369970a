// seal -- checksum of all parts of a result file that are written only once.
//
// HDF5 keeps texts in a heap without checksums, and a damaged length there crashes the library or lets it spin. So a
// file is given to HDF5 only after its seal was checked by plain reads. The seal is a trailer behind the end of HDF5's
// file, where HDF5 programs do not look; one that opens the file for writing cuts it off.
//
//   offset    0        first range            next range   HDF5's end            trailer
//             | header | variable or journal | header | ... | ranges | count | table CRC | header CRC | mark |
//                                                              16 n      8         4            4         8   bytes
//
// The ranges (offset and length, ascending) are the variables and the journal, and in a shard the coordinates of points
// of other shards. The header's CRC-32 covers every byte
// before the trailer outside the ranges, the table's the ranges and their count. Numbers are little-endian.
#include "store/header.h"

#include "store/damage.h"
#include "store/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

// The end of the trailer, as it is in the file.
typedef struct Tail {
    uint64_t count;  // of the ranges before it
    uint32_t table_crc, header_crc;
    char     mark[8];
} Tail;

_Static_assert(sizeof(ByteRange) == 16 && sizeof(Tail) == 24, "the trailer is written as it lies in memory");

static const char mark[sizeof((Tail *)0)->mark] = "PENDULA\n";

// A damaged count must not ask for all memory.
enum { MOST_RANGES = 1 << 20 };

static int by_offset(const void *left, const void *right)
{
    const ByteRange *a = left, *b = right;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

static bool add_to_crc(int file, const char *path, uint64_t from, uint64_t to, uLong *crc, Error *err)
{
    unsigned char bytes[16384];
    while (from < to) {
        size_t count = to - from < sizeof bytes ? (size_t)(to - from) : sizeof bytes;
        if (!output_read(file, path, bytes, count, from, err))
            return false;
        *crc = crc32_z(*crc, bytes, count);
        from += count;
    }
    return true;
}

// The CRC of the bytes between the ranges, which are in order, up to `end`.
static bool compute(int file, const char *path, const ByteRange *ranges, uint64_t count, uint64_t end,
                    uint32_t *header_crc, Error *err)
{
    uLong    crc = crc32_z(0, NULL, 0);
    uint64_t place = 0;
    bool     read = true;
    for (uint64_t i = 0; read && i < count; i++) {
        read = add_to_crc(file, path, place, ranges[i].offset, &crc, err);
        place = ranges[i].offset + ranges[i].bytes;
    }
    read = read && add_to_crc(file, path, place, end, &crc, err);
    *header_crc = (uint32_t)crc;
    return read;
}

static uint32_t table_crc(const ByteRange *ranges, uint64_t count)
{
    uLong crc = crc32_z(crc32_z(0, NULL, 0), (const Bytef *)&count, sizeof count);
    return (uint32_t)(count > 0 ? crc32_z(crc, (const Bytef *)ranges, count * sizeof *ranges) : crc);
}

static bool file_bytes(int file, const char *path, uint64_t *bytes, Error *err)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return fail(err, ERROR_IO, "%s: %s", path, strerror(errno));
    *bytes = (uint64_t)info.st_size;
    return true;
}

static void add_range(ByteRange *ranges, uint64_t *count, uint64_t offset, uint64_t bytes)
{
    if (bytes > 0)
        ranges[(*count)++] = (ByteRange){offset, bytes};
}

// The places of all data, and of the coordinates that are not a shard's own: [count] ranges in order.
static bool list_ranges(const Plan *plan, const Layout *layout, Arena *arena, ByteRange **ranges, uint64_t *count,
                        Error *err)
{
    size_t most = 0;
    for (size_t i = 0; i < layout->section_count; i++)
        most += layout->sections[i].dataset_count;
    *count = 0;
    *ranges = arena_take(arena, 2 * most, sizeof **ranges, err);
    if (!*ranges)
        return false;
    for (size_t i = 0; i < layout->section_count; i++) {
        const Section *section = &layout->sections[i];
        for (size_t k = 0; k < section->dataset_count; k++) {
            const Dataset *data = &section->datasets[k];
            const uint64_t bytes = header_type_bytes(data, section->group), length = layout_dataset_count(data);
            uint64_t       first, end;
            header_values(plan, data, section->group, &first, &end);
            if (layout_is_data(data)) {
                add_range(*ranges, count, data->offset, length * bytes);
            } else {
                add_range(*ranges, count, data->offset, first * bytes);
                add_range(*ranges, count, data->offset + end * bytes, (length - end) * bytes);
            }
        }
    }
    return true;
}

void seal_sort_ranges(ByteRange *ranges, uint64_t count)
{
    if (count > 0)
        qsort(ranges, count, sizeof *ranges, by_offset);
}

bool seal_write_ranges(int file, const char *path, ByteRange *ranges, uint64_t count, Error *err)
{
    Tail     tail = {.count = count};
    uint64_t end = 0;
    seal_sort_ranges(ranges, count);
    memcpy(tail.mark, mark, sizeof mark);
    if (tail.count > MOST_RANGES)
        return fail(err, ERROR_INPUT, "%s: %llu runs of data, at most %d fit into a result file", path,
                    (unsigned long long)tail.count, MOST_RANGES);
    if (!file_bytes(file, path, &end, err) || !compute(file, path, ranges, tail.count, end, &tail.header_crc, err))
        return false;
    tail.table_crc = table_crc(ranges, tail.count);
    return output_write(file, path, ranges, tail.count * sizeof *ranges, end, err) &&
           output_write(file, path, &tail, sizeof tail, end + tail.count * sizeof *ranges, err);
}

bool seal_write(int file, const char *path, const Plan *plan, const Layout *layout, Error *err)
{
    Arena      arena SCOPED(arena_free) = {0};
    ByteRange *ranges = NULL;
    uint64_t   count = 0;
    return list_ranges(plan, layout, &arena, &ranges, &count, err) && seal_write_ranges(file, path, ranges, count, err);
}

// Whether the ranges are in order, and in front of the trailer.
static bool in_order(const ByteRange *ranges, uint64_t count, uint64_t end)
{
    uint64_t place = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (ranges[i].offset < place || ranges[i].offset > end || ranges[i].bytes > end - ranges[i].offset)
            return false;
        place = ranges[i].offset + ranges[i].bytes;
    }
    return true;
}

static bool check_ranges(int file, const Tail *tail, ByteRange *ranges, uint64_t end, Error *err)
{
    uint32_t header_crc = 0;
    if (!output_read(file, "trailer", ranges, tail->count * sizeof *ranges, end, err))
        return false;
    if (table_crc(ranges, tail->count) != tail->table_crc || !in_order(ranges, tail->count, end))
        return fail(err, ERROR_INPUT, "damaged: its trailer is not as it was made; " DAMAGE_ANEW);
    if (!compute(file, "header", ranges, tail->count, end, &header_crc, err))
        return false;
    return header_crc == tail->header_crc ||
           fail(err, ERROR_INPUT, "damaged: its header is not as it was made; " DAMAGE_ANEW);
}

// Whether a file is text, as sweep files and tables are. A result file, however short it was cut, begins with the
// signature of HDF5, whose first byte begins no text in UTF-8.
static bool is_text(int file, uint64_t bytes, bool *text, Error *err)
{
    unsigned char head[64];
    const size_t  count = bytes < sizeof head ? (size_t)bytes : sizeof head;
    if (count > 0 && !output_read(file, "beginning", head, count, 0, err))
        return false;
    *text = count > 0 && head[0] != 0x89;
    for (size_t i = 0; i < count; ++i)
        *text = *text && head[i] != 0x7f && (head[i] >= ' ' || (head[i] >= '\t' && head[i] <= '\r'));
    return true;
}

static bool read_tail(int file, Tail *tail, uint64_t *bytes, Error *err)
{
    bool text = false;
    if (!file_bytes(file, "result file", bytes, err) ||
        (*bytes >= sizeof *tail && !output_read(file, "trailer", tail, sizeof *tail, *bytes - sizeof *tail, err)))
        return false;
    if (*bytes >= sizeof *tail && memcmp(tail->mark, mark, sizeof mark) == 0)
        return true;
    if (!is_text(file, *bytes, &text, err))
        return false;
    return text
               ? fail(err, ERROR_INPUT,
                      "not a result file, but text: `pendula run` makes one of a sweep file, and of a table "
                      "`pendula sensitivity FILE.csv --inputs A,B --outputs Y` reads the columns")
               : fail(err, ERROR_INPUT,
                      "not a result file, or damaged: it does not end as one does; cut off, changed by another program "
                      "or made by an older version; " DAMAGE_ANEW);
}

bool seal_read(int file, uint32_t *header_crc, Error *err)
{
    Tail     tail;
    uint64_t bytes = 0;
    if (!read_tail(file, &tail, &bytes, err))
        return false;
    *header_crc = tail.header_crc;
    return true;
}

bool seal_check(int file, Error *err)
{
    Tail     tail;
    uint64_t bytes = 0;
    if (!read_tail(file, &tail, &bytes, err))
        return false;
    const uint64_t room = (bytes - sizeof tail) / sizeof(ByteRange);
    if (tail.count > room || tail.count > MOST_RANGES)
        return fail(err, ERROR_INPUT, "damaged: its trailer is not as it was made; " DAMAGE_ANEW);
    Arena      arena SCOPED(arena_free) = {0};
    ByteRange *ranges = arena_take(&arena, tail.count, sizeof *ranges, err);
    return ranges && check_ranges(file, &tail, ranges, bytes - sizeof tail - tail.count * sizeof *ranges, err);
}
