// seal -- writes and checks the checksum of a result file's header.
#include "store/seal.h"

#include "store/header.h"
#include "store/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

// Bytes of the file that the seal leaves out.
typedef struct Range {
    uint64_t offset, bytes;
} Range;

typedef struct Ranges {
    Range *list;  // [count] owned
    size_t count, capacity;
} Ranges;

static bool add_range(Ranges *ranges, uint64_t offset, uint64_t bytes, Error *err)
{
    if (ranges->count == ranges->capacity) {
        size_t capacity = 2 * ranges->capacity + 16;
        Range *grown = realloc(ranges->list, capacity * sizeof *grown);
        if (!grown)
            return fail(err, ERROR_INTERNAL, "out of memory");
        ranges->list = grown;
        ranges->capacity = capacity;
    }
    ranges->list[ranges->count++] = (Range){offset, bytes};
    return true;
}

static int by_offset(const void *left, const void *right)
{
    const Range *a = left, *b = right;
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

// The CRC of what lies between the ranges.
static bool compute(int file, const char *path, Ranges *ranges, uint32_t *seal, Error *err)
{
    uLong    crc = crc32_z(0, NULL, 0);
    off_t    end = lseek(file, 0, SEEK_END);
    uint64_t place = 0;
    bool     read = true;
    if (ranges->count > 0)
        qsort(ranges->list, ranges->count, sizeof *ranges->list, by_offset);
    for (size_t i = 0; read && i < ranges->count; i++) {
        const Range *range = &ranges->list[i];
        read = add_to_crc(file, path, place, range->offset, &crc, err);
        place = range->offset + range->bytes > place ? range->offset + range->bytes : place;
    }
    read = read && add_to_crc(file, path, place, end > 0 ? (uint64_t)end : 0, &crc, err);
    *seal = (uint32_t)crc;
    return read;
}

bool seal_write(int file, const char *path, const Layout *layout, Error *err)
{
    Ranges   ranges = {0};
    uint32_t seal = 0;
    bool     written = true;
    for (size_t i = 0; written && i < layout->section_count; i++) {
        const Section *section = &layout->sections[i];
        for (size_t k = 0; written && k < section->dataset_count; k++) {
            const Dataset *data = &section->datasets[k];
            if (dataset_is_data(data))
                written = add_range(&ranges, data->offset,
                                    dataset_count(data) * header_type_bytes(data, section->group), err);
        }
    }
    written = written && compute(file, path, &ranges, &seal, err) &&
              output_write(file, path, &seal, sizeof seal, layout->seal->offset, err);
    free(ranges.list);
    return written;
}

// The place of a dataset. A scale without values has none.
static bool add_dataset(hid_t section, const char *name, Ranges *ranges, Error *err)
{
    hid_t    id = H5Dopen2(section, name, H5P_DEFAULT);
    hid_t    type = id >= 0 ? H5Dget_type(id) : -1;
    hid_t    space = id >= 0 ? H5Dget_space(id) : -1;
    hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    haddr_t  offset = id >= 0 ? H5Dget_offset(id) : HADDR_UNDEF;
    bool     known = count >= 0 && type >= 0;
    if (known && offset != HADDR_UNDEF)
        known = add_range(ranges, (uint64_t)offset, (uint64_t)count * H5Tget_size(type), err);
    else if (!known)
        h5_fail(err, ERROR_INPUT, "dataset '%s' is damaged", name);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (id >= 0)
        H5Dclose(id);
    return known;
}

// Adds the data of one group: everything in the journal, elsewhere `status` and what comes after it.
static bool add_section(hid_t file, const char *label, Ranges *ranges, Error *err)
{
    char       name[512];
    H5G_info_t info = {0};
    hid_t      section = H5Gopen2(file, label, H5P_DEFAULT);
    bool       known = section >= 0 && H5Gget_info(section, &info) >= 0, data = strcmp(label, "journal") == 0;
    if (!known)
        h5_fail(err, ERROR_INPUT, "group '%s' is damaged", label);
    for (hsize_t i = 0; known && i < info.nlinks; i++) {
        ssize_t length =
            H5Lget_name_by_idx(section, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        if (length < 0 || (size_t)length >= sizeof name)
            known = h5_fail(err, ERROR_INPUT, "group '%s' is damaged", label);
        data = data || (known && strcmp(name, "status") == 0);
        known = known && (!data || add_dataset(section, name, ranges, err));
    }
    if (section >= 0)
        H5Gclose(section);
    return known;
}

static bool read_seal(hid_t hdf5, uint32_t *seal, Error *err)
{
    hid_t id = H5Dopen2(hdf5, "/journal/header_crc32", H5P_DEFAULT);
    hid_t space = id >= 0 ? H5Dget_space(id) : -1;
    bool  read = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Dread(id, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, seal) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (id >= 0)
        H5Dclose(id);
    return read || fail(err, ERROR_INPUT, "not a result file, or damaged: it has no /journal/header_crc32");
}

bool seal_check(hid_t hdf5, int file, Error *err)
{
    char       label[512];
    Ranges     ranges = {0};
    H5G_info_t info = {0};
    uint32_t   stored = 0, seal = 0;
    bool       known = read_seal(hdf5, &stored, err);
    if (known && H5Gget_info(hdf5, &info) < 0)
        known = h5_fail(err, ERROR_INPUT, "damaged");
    for (hsize_t i = 0; known && i < info.nlinks; i++) {
        ssize_t length =
            H5Lget_name_by_idx(hdf5, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, label, sizeof label, H5P_DEFAULT);
        if (length < 0 || (size_t)length >= sizeof label)
            known = h5_fail(err, ERROR_INPUT, "damaged");
        known = known && add_section(hdf5, label, &ranges, err);
    }
    known = known && compute(file, "header", &ranges, &seal, err);
    free(ranges.list);
    return known && (seal == stored || fail(err, ERROR_INPUT, "damaged: its header is not as it was made"));
}
