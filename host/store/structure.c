// structure -- links, objects, types, storage and attributes of a result file, each refused unless it is known.
//
//   file   group   group   journal      hard links only, each object has one name
//            |       |        |
//         datasets  ...     ...         numbers, or one text; contiguous, or in chunks as `pack` makes them
//            |
//         attributes                    numbers, texts, and the lists of dimension scales
#include "store/structure.h"

#include "base/utf8.h"
#include "store/damage.h"
#include "store/layout.h"
#include "store/pack_copy.h"

#include <hdf5_hl.h>
#include <string.h>

// More than any sweep makes: it has at most 1000 methods and as many metrics.
enum { MOST_GROUPS = 4096, MOST_DATASETS = 4096, MOST_ATTRIBUTES = 1024 };
// Bytes of an attribute. The list of datasets that a scale belongs to is the longest.
enum { MOST_ATTRIBUTE_BYTES = 65536, MOST_LIST_BYTES = 1 << 20, MOST_TEXT_BYTES = 1024 };
// Deflate makes 1032 bytes of one at most. A whole file unpacks to less, and the axes, which are read at once, to less
// again: a number that is read counts eight bytes.
enum { DEFLATE_RATIO = 1032, FILE_RATIO = 256, AXES_RATIO = 32, NUMBER_BYTES = 8 };
static const uint64_t file_room = UINT64_C(64) << 20, axes_room = UINT64_C(32) << 20;

// Totals of the objects checked so far.
typedef struct StructureWalk {
    uint64_t file_bytes;  // of the file
    uint64_t contiguous;  // bytes of datasets in one piece
    uint64_t unpacked;    // bytes of datasets in chunks
    uint64_t axes;        // bytes of datasets before the status and in the journal, eight a number
    haddr_t  root;        // address of the root group
    bool     computed;    // from the status on
    Error   *err;
} StructureWalk;

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

// Puts the kind and the name of an object before the message about it.
static bool say_of(Error *err, const char *kind, const char *name)
{
    const Error why = *err;
    fail(err, why.kind, "%s '%.300s' %.3000s", kind, name, why.message);
    err->code = why.code;
    return false;
}

// Whether a terminal may be shown the name as it is: the program writes no other.
static bool check_name(const char *name, Error *err)
{
    Text shown SCOPED(text_free) = {0};
    utf8_show(&shown, name, false);
    return (!shown.failed && shown.text && strcmp(shown.text, name) == 0 && strlen(name) < H5_NAME_BYTES) ||
           fail(err, ERROR_INPUT, "has a name that is too long, or has characters that cannot be shown");
}

static bool is_number(hid_t type)
{
    const H5T_class_t class = H5Tget_class(type);
    const size_t bytes = H5Tget_size(type);
    return (class == H5T_INTEGER && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)) ||
           (class == H5T_FLOAT && (bytes == 4 || bytes == 8));
}

static bool is_fixed_text(hid_t type)
{
    return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
}

static bool is_reference(hid_t type)
{
    return H5Tget_class(type) == H5T_REFERENCE && H5Tequal(type, H5T_STD_REF_OBJ) > 0;
}

// The scales of a dataset: a list of references for each dimension.
static bool is_dimension_list(hid_t type)
{
    const hid_t base SCOPED(h5_leave) = H5Tget_class(type) == H5T_VLEN ? H5Tget_super(type) : -1;
    return base >= 0 && is_reference(base);
}

// The datasets of a scale: pairs of a reference and the number of a dimension.
static bool is_reference_list(hid_t type)
{
    if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2)
        return false;
    const hid_t first SCOPED(h5_leave) = H5Tget_member_type(type, 0),
                      second SCOPED(h5_leave) = H5Tget_member_type(type, 1);
    return first >= 0 && second >= 0 && is_reference(first) && is_number(second);
}

// The type of an attribute, and how many bytes it may have; a text of any length lies elsewhere.
static bool fits(hid_t type, const char *name, bool scalar, hsize_t bytes)
{
    if (H5Tcommitted(type) != 0)
        return false;
    if (strcmp(name, "DIMENSION_LIST") == 0)
        return is_dimension_list(type) && bytes <= LAYOUT_RANK * sizeof(hvl_t);
    if (strcmp(name, "REFERENCE_LIST") == 0)
        return is_reference_list(type) && bytes <= MOST_LIST_BYTES;
    if (strcmp(name, "CLASS") == 0 || strcmp(name, "NAME") == 0)
        return is_fixed_text(type) && scalar && bytes <= MOST_TEXT_BYTES;
    if (H5Tis_variable_str(type) > 0)
        return scalar;
    return (is_number(type) || (is_fixed_text(type) && scalar)) && bytes <= MOST_ATTRIBUTE_BYTES;
}

static herr_t check_attribute(hid_t object, const char *name, const H5A_info_t *info, void *user)
{
    Error      *err = user;
    const hid_t id SCOPED(h5_leave) = H5Aopen(object, name, H5P_DEFAULT),
                   type SCOPED(h5_leave) = id >= 0 ? H5Aget_type(id) : -1,
                   space SCOPED(h5_leave) = type >= 0 ? H5Aget_space(id) : -1;
    bool good = space >= 0 || h5_fail(err, ERROR_INPUT, "cannot be read");
    good = good && check_name(name, err);
    if (good && !fits(type, name, H5Sget_simple_extent_type(space) == H5S_SCALAR, info->data_size))
        good = fail(err, ERROR_INPUT, "is of a type or a length that the program does not write");
    return good || say_of(err, "attribute", name) ? 0 : -1;
}

static bool check_attributes(hid_t object, Error *err)
{
    H5O_info_t info;
    if (H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS) < 0)
        return h5_fail(err, ERROR_INPUT, "cannot be read");
    if (info.num_attrs > MOST_ATTRIBUTES)
        return fail(err, ERROR_INPUT, "has %llu attributes, %d are possible", (unsigned long long)info.num_attrs,
                    MOST_ATTRIBUTES);
    *err = (Error){0};
    return H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, check_attribute, err) >= 0 ||
           (err->kind == ERROR_NONE ? h5_fail(err, ERROR_INPUT, "cannot be read") : false);
}

// Only filters that `pack` writes, and each once.
static bool check_filters(hid_t list, Error *err)
{
    unsigned  seen = 0;
    const int count = H5Pget_nfilters(list);
    for (int i = 0; i < count; i++) {
        unsigned           flags;
        size_t             values = 0;
        const H5Z_filter_t filter = H5Pget_filter2(list, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
        const unsigned     bit = filter > 0 && filter <= H5Z_FILTER_FLETCHER32 ? 1u << filter : 0;
        if (!bit || (seen & bit))
            return fail(err, ERROR_INPUT, "is stored by a filter that the program does not use (number %d)", filter);
        seen |= bit;
    }
    return count >= 0 || h5_fail(err, ERROR_INPUT, "cannot be read");
}

// Where its values are, before HDF5 is asked how many there are: of a virtual dataset it would look into other files.
static bool check_layout(hid_t list, Error *err)
{
    const H5D_layout_t layout = H5Pget_layout(list);
    if (layout == H5D_VIRTUAL)
        return fail(err, ERROR_INPUT, "is a virtual dataset, whose values lie in other files");
    if (H5Pget_external_count(list) != 0)
        return fail(err, ERROR_INPUT, "has its values in other files");
    if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
        return fail(err, ERROR_INPUT, "is stored in a way that the program does not use");
    return check_filters(list, err);
}

// The contents that a dataset claims.
typedef struct StructureClaim {
    uint64_t count, bytes;
    int      rank;
    bool     text;
} StructureClaim;

static bool read_claim(hid_t type, hid_t space, StructureClaim *claim, Error *err)
{
    hsize_t   shape[LAYOUT_RANK];
    const int rank = H5Sget_simple_extent_type(space) == H5S_NULL ? -1 : H5Sget_simple_extent_ndims(space);
    *claim = (StructureClaim){.count = 1, .rank = rank, .text = is_fixed_text(type)};
    if (rank < 0 || rank > LAYOUT_RANK || H5Sget_simple_extent_dims(space, shape, NULL) != rank)
        return fail(err, ERROR_INPUT, "has no shape");
    for (int i = 0; i < rank; i++)
        claim->count = times(claim->count, shape[i]);
    claim->bytes = times(claim->count, H5Tget_size(type));
    if (H5Tcommitted(type) != 0 || (!is_number(type) && !(claim->text && rank == 0)))
        return fail(err, ERROR_INPUT, "is of a type that the program does not write");
    if (claim->text && claim->bytes > H5_TEXT_BYTES)
        return fail(err, ERROR_INPUT, "is longer than any text of the program");
    return claim->count > 0 || fail(err, ERROR_INPUT, "has a dimension of no length");
}

bool structure_is_bare(hid_t id)
{
    static const char mark[] = "This is a netCDF dimension but not a netCDF variable";
    char              name[128] = "";
    return H5DSis_scale(id) > 0 && H5DSget_scale_name(id, name, sizeof name) > 0 &&
           strncmp(name, mark, sizeof mark - 1) == 0;
}

static bool check_contiguous(hid_t id, const StructureClaim *claim, StructureWalk *walk)
{
    const haddr_t offset = H5Dget_offset(id);
    if (offset == HADDR_UNDEF)
        return structure_is_bare(id) || fail(walk->err, ERROR_INPUT, "has no values in the file");
    walk->contiguous = plus(walk->contiguous, claim->bytes);
    return (walk->contiguous <= walk->file_bytes && offset <= walk->file_bytes - claim->bytes) ||
           fail(walk->err, ERROR_INPUT, "would be larger than the file");
}

// The stored chunks are counted, so that none is made up of a fill value.
static bool check_chunked(hid_t id, hid_t list, hid_t type, const StructureClaim *claim, StructureWalk *walk)
{
    hsize_t  chunk[LAYOUT_RANK];
    uint64_t bytes = H5Tget_size(type);
    if (H5Pget_chunk(list, LAYOUT_RANK, chunk) != claim->rank)
        return h5_fail(walk->err, ERROR_INPUT, "cannot be read");
    for (int i = 0; i < claim->rank; i++)
        bytes = times(bytes, chunk[i]);
    if (bytes > CHUNK_BYTES)
        return fail(walk->err, ERROR_INPUT, "has chunks of %llu bytes, at most %d are possible",
                    (unsigned long long)bytes, CHUNK_BYTES);
    const hsize_t stored = H5Dget_storage_size(id);
    walk->unpacked = plus(walk->unpacked, claim->bytes);
    return (stored <= walk->file_bytes && claim->bytes <= times(stored, DEFLATE_RATIO) &&
            walk->unpacked <= plus(file_room, times(walk->file_bytes, FILE_RATIO))) ||
           fail(walk->err, ERROR_INPUT, "would unpack to more than the file can hold");
}

// Limits the datasets that are read at once.
static bool check_axes(const StructureClaim *claim, StructureWalk *walk)
{
    if (!walk->computed && !claim->text)
        walk->axes = plus(walk->axes, times(claim->count, NUMBER_BYTES));
    return walk->axes <= plus(axes_room, times(walk->file_bytes, AXES_RATIO)) ||
           fail(walk->err, ERROR_INPUT, "would take more memory than a file of this size needs");
}

static bool check_stored(hid_t id, hid_t list, StructureWalk *walk)
{
    const hid_t    type SCOPED(h5_leave) = H5Dget_type(id), space SCOPED(h5_leave) = type >= 0 ? H5Dget_space(id) : -1;
    StructureClaim claim = {0};
    bool           good =
        space >= 0 ? read_claim(type, space, &claim, walk->err) : h5_fail(walk->err, ERROR_INPUT, "cannot be read");
    if (good && H5Pget_layout(list) == H5D_CHUNKED)
        good = check_chunked(id, list, type, &claim, walk) && check_axes(&claim, walk);
    else if (good)
        good = check_contiguous(id, &claim, walk);
    return good;
}

static bool check_dataset(hid_t section, const char *name, StructureWalk *walk)
{
    walk->computed = walk->computed || strcmp(name, "status") == 0;
    const hid_t id SCOPED(h5_leave) = H5Dopen2(section, name, H5P_DEFAULT),
                   list SCOPED(h5_leave) = id >= 0 ? H5Dget_create_plist(id) : -1;
    bool good = list >= 0 || h5_fail(walk->err, ERROR_INPUT, "cannot be read");
    good = (good && check_layout(list, walk->err)) || say_of(walk->err, "dataset", name);
    good = good && (check_attributes(id, walk->err) || within(walk->err, "dataset '%.300s'", name));
    return good && (check_stored(id, list, walk) || say_of(walk->err, "dataset", name));
}

// A hard link is to an object of its kind that has no other name, so that nothing is checked twice.
static bool check_link(hid_t parent, const char *name, const H5L_info_t *link, H5O_type_t wanted, StructureWalk *walk)
{
    H5O_info_t info;
    if (link->type != H5L_TYPE_HARD)
        return fail(walk->err, ERROR_INPUT,
                    link->type == H5L_TYPE_SOFT       ? "is a soft link, not an object"
                    : link->type == H5L_TYPE_EXTERNAL ? "is a link into another file"
                                                      : "is a link of an unknown kind");
    if (!check_name(name, walk->err))
        return false;
    if (H5Oget_info_by_name2(parent, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
        return h5_fail(walk->err, ERROR_INPUT, "cannot be read");
    if (info.type != wanted)
        return fail(walk->err, ERROR_INPUT, "is not a %s", wanted == H5O_TYPE_GROUP ? "group" : "dataset");
    return (info.rc == 1 && info.addr != walk->root) || fail(walk->err, ERROR_INPUT, "has several names");
}

// The check of a link.
typedef bool WalkLink(hid_t group, const char *name, const H5L_info_t *link, StructureWalk *walk);

static bool walk_dataset(hid_t section, const char *name, const H5L_info_t *link, StructureWalk *walk)
{
    return check_link(section, name, link, H5O_TYPE_DATASET, walk) ? check_dataset(section, name, walk)
                                                                   : say_of(walk->err, "dataset", name);
}

// Without an index of the order of creation HDF5 would sort all links for each.
static bool check_order(hid_t id, Error *err)
{
    unsigned    order = 0;
    const hid_t list SCOPED(h5_leave) = H5Gget_create_plist(id);
    const bool  read =
        (list >= 0 && H5Pget_link_creation_order(list, &order) >= 0) || h5_fail(err, ERROR_INPUT, "cannot be read");
    return read && ((order & H5P_CRT_ORDER_INDEXED) || fail(err, ERROR_INPUT, "has objects in no order"));
}

// Checks the links of a group in the order of creation.
static bool walk_links(hid_t id, size_t most, WalkLink *see, StructureWalk *walk)
{
    H5G_info_t info;
    if (H5Gget_info(id, &info) < 0)
        return h5_fail(walk->err, ERROR_INPUT, "cannot be read");
    if (info.nlinks > most)
        return fail(walk->err, ERROR_INPUT, "has %llu objects, %zu are possible", (unsigned long long)info.nlinks,
                    most);
    bool good = check_order(id, walk->err);
    for (hsize_t i = 0; good && i < info.nlinks; i++) {
        char       name[H5_NAME_BYTES];
        H5L_info_t link;
        good = h5_find_link(id, i, name, &link, walk->err) && see(id, name, &link, walk);
    }
    return good;
}

static bool walk_group(hid_t file, const char *name, const H5L_info_t *link, StructureWalk *walk)
{
    if (!check_link(file, name, link, H5O_TYPE_GROUP, walk))
        return say_of(walk->err, "group", name);
    const hid_t id SCOPED(h5_leave) = H5Gopen2(file, name, H5P_DEFAULT);
    walk->computed = false;
    return ((id >= 0 || h5_fail(walk->err, ERROR_INPUT, "cannot be read")) && check_attributes(id, walk->err) &&
            walk_links(id, MOST_DATASETS, walk_dataset, walk)) ||
           within(walk->err, "group '%.300s'", name);
}

bool structure_check(hid_t file, uint64_t file_bytes, Error *err)
{
    StructureWalk walk = {.file_bytes = file_bytes, .err = err};
    const hid_t   root SCOPED(h5_leave) = H5Gopen2(file, "/", H5P_DEFAULT);
    H5O_info_t    info;
    bool          good =
        (root >= 0 && H5Oget_info2(root, &info, H5O_INFO_BASIC) >= 0) || h5_fail(err, ERROR_INPUT, "cannot be read");
    walk.root = good ? info.addr : HADDR_UNDEF;
    good = good && check_attributes(root, err) && walk_links(root, MOST_GROUPS, walk_group, &walk);
    if (good || err->kind != ERROR_INPUT)
        return good;
    const Error why = *err;
    return fail(err, ERROR_INPUT, "damaged or not written by pendula: %.3500s; " DAMAGE_COPY, why.message);
}
