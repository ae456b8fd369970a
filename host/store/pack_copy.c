// pack_copy -- groups, attributes and values copied through HDF5, chunk by chunk.
#include "store/pack_copy.h"

#include <hdf5_hl.h>
#include <stdlib.h>
#include <string.h>

enum { DEFLATE_LEVEL = 6 };

static const char packed_text[] = "shuffle, deflate 6, fletcher32";

// A dataset that is copied.
typedef struct PackDataset {
    hid_t   from, to, type;
    bool    computed;  // a variable of points: blocks have its checksums, and the seal leaves it out
    int     rank;
    hsize_t shape[LAYOUT_RANK], chunk[LAYOUT_RANK];
} PackDataset;

static bool add_range(Packing *packing, uint64_t offset, uint64_t bytes)
{
    if (packing->range_count == packing->range_capacity) {
        const uint64_t more = 2 * packing->range_capacity + 64;
        ByteRange     *ranges = realloc(packing->ranges, more * sizeof *ranges);
        if (!ranges)
            return fail(packing->err, ERROR_INTERNAL, "out of memory");
        packing->ranges = ranges;
        packing->range_capacity = more;
    }
    packing->ranges[packing->range_count++] = (ByteRange){offset, bytes};
    return true;
}

// Axes and the journal are more than the bytes of the points.
static bool show(Packing *packing, uint64_t bytes)
{
    const PackRequest *request = packing->request;
    packing->bytes += bytes;
    const double share = (double)packing->bytes / (double)(packing->total_bytes + 1);
    if (request->progress)
        request->progress((uint64_t)((double)packing->points * (share < 1.0 ? share : 1.0)), packing->points,
                          request->user);
    return !outputs_interrupted() ||
           fail(packing->err, ERROR_STOPPED, "stopped by a signal: '%s' was not made; the same command starts again",
                request->to);
}

// HDF5 makes these itself when a scale is made or attached.
static bool is_of_scales(const char *name)
{
    static const char *const names[] = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"};
    return card_lists(names, sizeof names / sizeof *names, name);
}

static herr_t copy_attribute(hid_t object, const char *name, const H5A_info_t *info, void *to)
{
    (void)info;
    if (is_of_scales(name))
        return 0;
    const hid_t from SCOPED(h5_leave) = H5Aopen(object, name, H5P_DEFAULT), type SCOPED(h5_leave) = H5Aget_type(from),
                     space SCOPED(h5_leave) = H5Aget_space(from);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    void          *values SCOPED(scoped_free) = count >= 0 ? calloc((size_t)count + 1, H5Tget_size(type)) : NULL;
    const hid_t    made = values ? H5Acreate2(*(hid_t *)to, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    const bool     read = made >= 0 && H5Aread(from, type, values) >= 0;
    bool           copied = read && H5Awrite(made, type, values) >= 0;
    if (read)
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
    copied = made >= 0 && H5Aclose(made) >= 0 && copied;
    return copied ? 0 : -1;
}

static bool copy_attributes(hid_t from, hid_t to)
{
    return H5Aiterate2(from, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, copy_attribute, &to) >= 0;
}

// Attaches the scale of the same name in the new file.
static herr_t attach_scale(hid_t id, unsigned dimension, hid_t scale, void *data)
{
    const PackDataset *dataset = data;
    char               path[2048];
    (void)id;
    const ssize_t length = H5Iget_name(scale, path, sizeof path);
    const hid_t   same SCOPED(h5_leave) =
        length > 0 && (size_t)length < sizeof path ? H5Dopen2(dataset->to, path, H5P_DEFAULT) : -1;
    return (same >= 0 && H5DSattach_scale(dataset->to, same, dimension) >= 0) ? 0 : -1;
}

static bool copy_scales(PackDataset *dataset)
{
    char name[256] = "";
    if (H5DSis_scale(dataset->from) > 0)
        return H5DSget_scale_name(dataset->from, name, sizeof name) >= 0 && H5DSset_scale(dataset->to, name) >= 0;
    bool copied = true;
    for (int d = 0; copied && d < dataset->rank; d++)
        copied = H5DSiterate_scales(dataset->from, (unsigned)d, NULL, attach_scale, dataset) >= 0;
    return copied;
}

// Chunks are runs of consecutive numbers of about the same length: one index in each dimension before a certain one, a
// range there, all indices behind it.
static void choose_chunk(PackDataset *dataset)
{
    uint64_t most = CHUNK_BYTES / H5Tget_size(dataset->type);
    for (int d = dataset->rank - 1; d >= 0; d--) {
        const uint64_t whole = dataset->shape[d], parts = (whole + most - 1) / most;
        dataset->chunk[d] = (whole + parts - 1) / parts;
        most = parts > 1 ? 1 : most / whole;
    }
}

static uint64_t dataset_bytes(const PackDataset *dataset)
{
    uint64_t bytes = H5Tget_size(dataset->type);
    for (int d = 0; d < dataset->rank; d++)
        bytes *= dataset->shape[d];
    return bytes;
}

// A dimension without values has no place in the file.
static bool has_values(const PackDataset *dataset)
{
    return H5Dget_offset(dataset->from) != HADDR_UNDEF;
}

static bool is_chunked(const PackDataset *dataset)
{
    return dataset->rank > 0 && dataset_bytes(dataset) >= PACK_LEAST && has_values(dataset);
}

// Numbers behind the edge of the last chunk are zeros, so that equal files stay equal.
static bool set_chunks(const PackDataset *dataset, hid_t list)
{
    return H5Pset_chunk(list, dataset->rank, dataset->chunk) >= 0 && H5Pset_shuffle(list) >= 0 &&
           H5Pset_deflate(list, DEFLATE_LEVEL) >= 0 && H5Pset_fletcher32(list) >= 0 &&
           H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC) >= 0;
}

static bool copy_box(const Packing *packing, const PackDataset *dataset, const hsize_t *start, const hsize_t *box)
{
    const hid_t space SCOPED(h5_leave) = H5Dget_space(dataset->from),
                      memory SCOPED(h5_leave) = H5Screate_simple(dataset->rank, box, NULL);
    return (space >= 0 && memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, box, NULL) >= 0 &&
            H5Dread(dataset->from, dataset->type, memory, space, H5P_DEFAULT, packing->chunk) >= 0 &&
            H5Dwrite(dataset->to, dataset->type, memory, space, H5P_DEFAULT, packing->chunk) >= 0) ||
           h5_fail(packing->err, ERROR_IO, "%s: cannot be written", packing->request->to);
}

static bool copy_chunk(Packing *packing, const PackDataset *dataset, const hsize_t *start)
{
    hsize_t  box[LAYOUT_RANK], bytes;
    haddr_t  offset;
    unsigned filters;
    uint64_t count = H5Tget_size(dataset->type);
    for (int d = 0; d < dataset->rank; d++) {
        const hsize_t left = dataset->shape[d] - start[d];
        box[d] = dataset->chunk[d] < left ? dataset->chunk[d] : left;
        count *= box[d];
    }
    return copy_box(packing, dataset, start, box) &&
           ((H5Dget_chunk_info_by_coord(dataset->to, start, &filters, &offset, &bytes) >= 0 && offset != HADDR_UNDEF) ||
            h5_fail(packing->err, ERROR_IO, "%s: a chunk has no place", packing->request->to)) &&
           (!dataset->computed || add_range(packing, offset, bytes)) && show(packing, count);
}

static bool copy_chunks(Packing *packing, const PackDataset *dataset)
{
    hsize_t start[LAYOUT_RANK] = {0};
    for (;;) {
        if (!copy_chunk(packing, dataset, start))
            return false;
        int d = dataset->rank - 1;
        while (d >= 0 && (start[d] += dataset->chunk[d]) >= dataset->shape[d])
            start[d--] = 0;
        if (d < 0)
            return true;
    }
}

static bool copy_values(Packing *packing, const PackDataset *dataset)
{
    if (is_chunked(dataset))
        return copy_chunks(packing, dataset);
    if (!has_values(dataset))
        return true;
    // A text has no chunks, and any length.
    const uint64_t bytes = dataset_bytes(dataset);
    void          *values = bytes > CHUNK_BYTES ? malloc(bytes) : packing->chunk;
    if (!values)
        return fail(packing->err, ERROR_INTERNAL, "out of memory");
    const bool copied = (H5Dread(dataset->from, dataset->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
                         H5Dwrite(dataset->to, dataset->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0) ||
                        h5_fail(packing->err, ERROR_IO, "%s: cannot be written", packing->request->to);
    if (values != packing->chunk)
        free(values);
    return copied && show(packing, bytes);
}

static bool make_dataset(const Packing *packing, PackDataset *dataset, hid_t section, const char *name)
{
    const hid_t access SCOPED(h5_leave) = H5Pcreate(H5P_DATASET_ACCESS),
                       space SCOPED(h5_leave) = H5Dget_space(dataset->from);
    dataset->rank = H5Sget_simple_extent_dims(space, dataset->shape, NULL);
    if (dataset->rank > 0)
        choose_chunk(dataset);
    // Chunked, or as in the file.
    const bool  chunked = is_chunked(dataset);
    const hid_t list SCOPED(h5_leave) = header_creation_list(!chunked && has_values(dataset));
    // Without a cache each chunk is written at once, and has its place.
    if (access >= 0 && H5Pset_chunk_cache(access, 0, 0, 1.0) >= 0 && list >= 0 &&
        (!chunked || set_chunks(dataset, list)))
        dataset->to = H5Dcreate2(section, name, dataset->type, space, H5P_DEFAULT, list, access);
    return (dataset->to >= 0 && copy_scales(dataset) && copy_attributes(dataset->from, dataset->to)) ||
           h5_fail(packing->err, ERROR_IO, "%s: dataset '%s' cannot be made", packing->request->to, name);
}

// Where objects of a group are copied to.
typedef struct PackSection {
    Packing *packing;
    hid_t    to;
    bool     computed;  // from the status on
} PackSection;

static bool copy_dataset(hid_t group, const char *name, void *data)
{
    PackSection *section = data;
    section->computed = section->computed || strcmp(name, "status") == 0;
    const hid_t from SCOPED(h5_leave) = H5Dopen2(group, name, H5P_DEFAULT), type SCOPED(h5_leave) = H5Dget_type(from);
    PackDataset dataset = {.from = from, .to = -1, .type = type, .computed = section->computed};
    const bool  copied =
        make_dataset(section->packing, &dataset, section->to, name) && copy_values(section->packing, &dataset);
    if (dataset.to >= 0 && H5Dclose(dataset.to) < 0 && copied)
        return h5_fail(section->packing->err, ERROR_IO, "%s: cannot be written", section->packing->request->to);
    return copied;
}

// Goes over the objects of a group in the order of their creation.
static bool walk(hid_t group, bool (*see)(hid_t group, const char *name, void *user), void *user, Error *err)
{
    H5G_info_t info;
    bool       good = H5Gget_info(group, &info) >= 0 || h5_fail(err, ERROR_INPUT, "cannot be read");
    for (hsize_t i = 0; good && i < info.nlinks; i++) {
        char       name[H5_NAME_BYTES];
        H5L_info_t link;
        good = h5_find_link(group, i, name, &link, err) && see(group, name, user);
    }
    return good;
}

static bool copy_group(hid_t file, const char *name, void *data)
{
    Packing    *packing = data;
    const hid_t from SCOPED(h5_leave) = H5Gopen2(file, name, H5P_DEFAULT),
                     list SCOPED(h5_leave) = H5Pcreate(H5P_GROUP_CREATE);
    const hid_t to SCOPED(h5_leave) =
        from >= 0 && header_order_links(list) ? H5Gcreate2(packing->to, name, H5P_DEFAULT, list, H5P_DEFAULT) : -1;
    PackSection section = {packing, to, false};
    bool        copied = to >= 0 && copy_attributes(from, to);
    if (!copied)
        h5_fail(packing->err, ERROR_IO, "%s: group '%s' cannot be made", packing->request->to, name);
    return copied && walk(from, copy_dataset, &section, packing->err);
}

bool pack_copy(Packing *packing, const char *inside)
{
    packing->to = header_create_file(inside, false);
    bool copied = packing->to >= 0 && copy_attributes(packing->from, packing->to) &&
                  h5_write_text(packing->to, header_packed, packed_text) &&
                  h5_write_whole(packing->to, header_unpacked_crc, packing->header_crc);
    if (!copied)
        h5_fail(packing->err, ERROR_IO, "%s: cannot be made", packing->request->to);
    copied = copied && walk(packing->from, copy_group, packing, packing->err);
    // Closing writes the data that HDF5 still holds, so a full disk may show only here.
    if (packing->to >= 0 && H5Fclose(packing->to) < 0 && copied)
        copied = h5_fail(packing->err, ERROR_IO, "%s: cannot be written", packing->request->to);
    return copied;
}
