// header -- creates the HDF5 structure of a result file.
#include "store/header.h"

#include "plan/part.h"

#include <hdf5_hl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "results are written to the file as they lie in memory");

const char header_source[] = "source";
const char header_packed[] = "packed", header_unpacked_crc[] = "unpacked_header_crc32";

// Datasets of 64 KiB and more begin on a page of their own.
enum { ALIGNED_BYTES = 65536, PAGE_BYTES = 4096 };

hid_t header_type(const Dataset *dataset, const Group *group)
{
    switch (dataset->kind) {
    case DATASET_AXIS:
    case DATASET_SELECTED:
    case DATASET_ALONG:
    case DATASET_TABLE:
    case DATASET_TIME: return H5T_IEEE_F64LE;
    case DATASET_SAMPLE:
    case DATASET_SELECTED_POINTS: return H5T_STD_I64LE;
    case DATASET_COUNTER:
    case DATASET_DOF:
    case DATASET_ROLE: return H5T_STD_I32LE;
    case DATASET_BARE: return H5T_IEEE_F32BE;
    case DATASET_ATTEMPT:
    case DATASET_DONE: return H5T_STD_U8LE;
    case DATASET_CRC: return H5T_STD_U32LE;
    case DATASET_CONSTANT: return dataset->whole ? H5T_STD_I64LE : H5T_IEEE_F64LE;
    case DATASET_VARIABLE: break;
    }
    switch (group->variables[dataset->index].type) {
    case TYPE_I8: return H5T_STD_I8LE;
    case TYPE_I32: return H5T_STD_I32LE;
    case TYPE_I64: return H5T_STD_I64LE;
    case TYPE_F32: return H5T_IEEE_F32LE;
    case TYPE_F64: break;
    }
    return H5T_IEEE_F64LE;
}

size_t header_type_bytes(const Dataset *dataset, const Group *group)
{
    return H5Tget_size(header_type(dataset, group));
}

void header_values(const Plan *plan, const Dataset *dataset, const Group *group, uint64_t *first, uint64_t *end)
{
    const bool along =
        dataset->kind == DATASET_ALONG || dataset->kind == DATASET_SAMPLE || dataset->kind == DATASET_ROLE;
    *first = 0;
    *end = layout_dataset_count(dataset);
    if (!plan->part || !along || group->dim_count > 1 || *end * header_type_bytes(dataset, group) < ALIGNED_BYTES)
        return;
    part_points(plan, group, first, end);
    // Which points a process that shares them will compute is not known.
    if (plan->part == part_shared)
        *end = 0;
}

static void list_times(const Dataset *time, const Group *group, double *times)
{
    uint64_t samples = time->dims[time->rank - 1]->length, rows = layout_dataset_count(time) / samples;
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t point = layout_time_point(time, group, row);
        double   step = group_step(group, point), begin = group_begin(group, point);
        size_t   used = group_samples(group, point);
        for (size_t k = 0; k < samples; k++)
            times[row * samples + k] = k >= used ? (double)NAN
                                       : group->trajectory.times
                                           ? group->trajectory.times[k]
                                           : (double)group_sample_step(group, point, k) * step + begin;
    }
}

// The value at index i of a dataset along one dimension that the plan knows: 8 bytes of room.
static void list_value(const Dataset *dataset, const Group *group, uint64_t i, size_t at, void *values)
{
    double  *doubles = values;
    int64_t *wholes = values;
    int32_t *counters = values;
    switch (dataset->kind) {
    case DATASET_AXIS:
    case DATASET_ALONG: doubles[at] = group_axis_at(group, &group->axes[dataset->index], i); break;
    case DATASET_SELECTED: {
        const Axis *axis = &group->axes[dataset->index];
        doubles[at] = group_axis_at(group, axis, group->trajectory.selected[axis->dim][i]);
        break;
    }
    case DATASET_SELECTED_POINTS: wholes[at] = (int64_t)group->trajectory.selected[dataset->index][i]; break;
    case DATASET_SAMPLE: wholes[at] = (int64_t)sampling_sample(group->sampling, i); break;
    case DATASET_ROLE: counters[at] = sampling_role(group->sampling, i); break;
    case DATASET_COUNTER:
    case DATASET_DOF: counters[at] = (int32_t)i; break;
    default: break;
    }
}

void header_list(const Dataset *dataset, const Group *group, uint64_t first, uint64_t count, void *values)
{
    if (dataset->kind == DATASET_TIME)
        list_times(dataset, group, values);
    for (uint64_t i = 0; dataset->kind != DATASET_TIME && i < count; i++)
        list_value(dataset, group, first + i, i, values);
}

static bool write_part(hid_t id, const Dataset *dataset, const Group *group, hsize_t first, hsize_t count, void *values)
{
    hid_t space SCOPED(h5_leave) = H5Dget_space(id), part SCOPED(h5_leave) = H5Screate_simple(1, &count, NULL);
    header_list(dataset, group, first, count, values);
    return space >= 0 && part >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL) >= 0 &&
           H5Dwrite(id, header_type(dataset, group), part, space, H5P_DEFAULT, values) >= 0;
}

// Values of the plan are written in parts, since points may be more than memory holds; times at once.
static bool write_values(hid_t id, const Plan *plan, const Dataset *dataset, const Group *group)
{
    enum { PART = 1 << 16 };
    if (layout_is_data(dataset) || dataset->kind == DATASET_BARE)
        return true;
    if (dataset->kind == DATASET_CONSTANT)
        return H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &dataset->value) >= 0;
    if (dataset->kind == DATASET_TABLE)
        return H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, dataset->samples) >= 0;
    if (dataset->kind == DATASET_ATTEMPT)
        return H5Dwrite(id, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, plan->attempts[group - plan->groups]) >= 0;
    const bool     times = dataset->kind == DATASET_TIME;
    const uint64_t count = layout_dataset_count(dataset);
    void          *values SCOPED(scoped_free) = calloc(times || count < PART ? count : PART, sizeof(double));
    bool           written = values != NULL;
    if (written && times) {
        header_list(dataset, group, 0, count, values);
        written = H5Dwrite(id, header_type(dataset, group), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    }
    uint64_t first, end;
    header_values(plan, dataset, group, &first, &end);
    for (; written && !times && first < end; first += PART)
        written = write_part(id, dataset, group, first, end - first < PART ? end - first : PART, values);
    return written;
}

// A scale's name is the dimension's; netCDF knows a dimension without a variable by this text (its length in ten
// places).
static bool make_scale(hid_t id, const Dataset *dataset)
{
    char name[96];
    if (!layout_is_scale(dataset))
        return true;
    if (dataset->kind != DATASET_BARE)
        return H5DSset_scale(id, dataset->name) >= 0;
    snprintf(name, sizeof name, "This is a netCDF dimension but not a netCDF variable. %10llu",
             (unsigned long long)dataset->length);
    return H5DSset_scale(id, name) >= 0;
}

static bool attach_scales(hid_t section, hid_t id, const Dataset *dataset)
{
    bool attached = true;
    for (size_t i = 0; attached && !layout_is_scale(dataset) && i < dataset->rank; i++) {
        hid_t scale SCOPED(h5_leave) = H5Dopen2(section, dataset->dims[i]->name, H5P_DEFAULT);
        attached = scale >= 0 && H5DSattach_scale(id, scale, (unsigned)i) >= 0;
    }
    return attached;
}

hid_t header_creation_list(bool values)
{
    // A few more than HDF5's 8 attributes stay in the header of their object, where a failing disk is reported when
    // they are read.
    enum { COMPACT = 24 };
    const unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    const hid_t    list = H5Pcreate(H5P_DATASET_CREATE);
    if (list >= 0 && H5Pset_obj_track_times(list, false) >= 0 && H5Pset_attr_creation_order(list, order) >= 0 &&
        H5Pset_attr_phase_change(list, COMPACT, 0) >= 0 && H5Pset_layout(list, H5D_CONTIGUOUS) >= 0 &&
        (!values ||
         (H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY) >= 0 && H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) >= 0)))
        return list;
    h5_close(list);
    return -1;
}

static hid_t dataspace(const Dataset *dataset)
{
    hsize_t shape[LAYOUT_RANK];
    for (size_t i = 0; i < dataset->rank; i++)
        shape[i] = dataset->dims[i]->length;
    return dataset->rank ? H5Screate_simple((int)dataset->rank, shape, NULL) : H5Screate(H5S_SCALAR);
}

static bool create_dataset(hid_t section, const Plan *plan, Dataset *dataset, const Group *group)
{
    hid_t space SCOPED(h5_leave) = dataspace(dataset);
    hid_t list SCOPED(h5_leave) = header_creation_list(dataset->kind != DATASET_BARE);
    hid_t id = H5Dcreate2(section, dataset->name, header_type(dataset, group), space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool  made = id >= 0 && make_scale(id, dataset) && attach_scales(section, id, dataset) &&
                attributes_of_dataset(id, header_type(dataset, group), dataset, group) &&
                write_values(id, plan, dataset, group);
    if (made) {
        haddr_t offset = H5Dget_offset(id);
        dataset->offset = offset == HADDR_UNDEF ? 0 : (uint64_t)offset;
        made = offset != HADDR_UNDEF || dataset->kind == DATASET_BARE;
    }
    return id >= 0 && H5Dclose(id) >= 0 && made;
}

// The kernel is a dataset, since an attribute of its length would be printed by every program that lists a file.
static bool create_source(hid_t section, const char *source)
{
    hid_t space SCOPED(h5_leave) = H5Screate(H5S_SCALAR), type SCOPED(h5_leave) = h5_text_type(source),
                list SCOPED(h5_leave) = header_creation_list(true);
    hid_t id = H5Dcreate2(section, header_source, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool  made = id >= 0 && h5_write_text(id, "long_name", "the composed kernel, as it was compiled") &&
                H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *source ? source : "\0") >= 0;
    return id >= 0 && H5Dclose(id) >= 0 && made;
}

bool header_order_links(hid_t list)
{
    const unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    return list >= 0 && H5Pset_obj_track_times(list, false) >= 0 && H5Pset_link_creation_order(list, order) >= 0 &&
           H5Pset_attr_creation_order(list, order) >= 0;
}

static bool create_section(hid_t file, const Plan *plan, Section *section, const char *source)
{
    hid_t list SCOPED(h5_leave) = H5Pcreate(H5P_GROUP_CREATE);
    hid_t id = header_order_links(list) ? H5Gcreate2(file, section->name, H5P_DEFAULT, list, H5P_DEFAULT) : -1;
    bool  made = id >= 0 && (!section->group || attributes_of_group(id, section->group));
    // The datasets that receive computed points come last.
    const Dataset *computed = section->attempt ? section->attempt : section->variables;
    for (size_t i = 0; made && i < section->dataset_count; i++)
        made = (&section->datasets[i] != computed || create_source(id, source)) &&
               create_dataset(id, plan, &section->datasets[i], section->group);
    return id >= 0 && H5Gclose(id) >= 0 && made;
}

hid_t header_create_file(const char *path, bool aligned)
{
    hid_t creation SCOPED(h5_leave) = H5Pcreate(H5P_FILE_CREATE), access SCOPED(h5_leave) = H5Pcreate(H5P_FILE_ACCESS),
                   file = -1;
    // The caller has the name to itself by a lock of its own. HDF5's would live on, for a moment after the file is
    // closed, in a program that is just being started.
    if (header_order_links(creation) && access >= 0 && H5Pset_file_locking(access, false, true) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
        (!aligned || H5Pset_alignment(access, ALIGNED_BYTES, PAGE_BYTES) >= 0) &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        file = h5_keep(H5Fcreate(path, H5F_ACC_EXCL, creation, access));
    return file;
}

bool header_create(const char *path, const Plan *plan, const char *const *sources, Layout *layout, Error *err)
{
    H5Watch watch;
    h5_begin();
    h5_watch(&watch);
    hid_t file = header_create_file(path, true);
    bool  made = file >= 0 && attributes_of_file(file, plan);
    for (size_t i = 0; made && i < layout->section_count; i++)
        made = create_section(file, plan, &layout->sections[i], i < plan->group_count ? sources[i] : NULL);
    layout_place(layout);
    if (!made)
        h5_fail(err, ERROR_IO, "%s: cannot be created", path);
    // Closing writes the data that HDF5 still holds, so a full disk may show only here.
    if (file >= 0 && H5Fclose(file) < 0 && made)
        made = h5_fail(err, ERROR_IO, "%s: cannot be written", path);
    h5_unwatch();
    return made;
}
