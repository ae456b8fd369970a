// header_check -- compares an existing result file with the file that its plan would create.
#include "store/header.h"

#include "store/settings.h"
#include "store/structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char replaced[] = "--force replaces it";

// Where values have no address, nothing is continued or copied.
static bool check_packed(hid_t file, Error *err)
{
    return H5Aexists(file, header_packed) <= 0 ||
           fail(err, ERROR_INPUT,
                H5Aexists(file, "history") > 0 ? "packed, and its failed points were tried again: it is only read"
                                               : "packed; `pendula pack --unpack` makes the file that it was");
}

// The advice to a run that is to resume a file of another version.
static const char began[] = "the program that began it continues it, --force replaces it";

// A file holds results of one computer and of one version of the numbers.
static bool check_computer(hid_t file, const Plan *plan, const char **advice, Error *err)
{
    char *computer SCOPED(scoped_free) = NULL, *numbers SCOPED(scoped_free) = NULL;
    bool  same = h5_read_text(file, "computed_by", &computer, err) && h5_read_text(file, "numbers", &numbers, err);
    if (same && computer && strcmp(computer, plan->computed_by) != 0) {
        *advice = strcmp(computer, plan_reference) == 0 ? "-d reference continues it, --force replaces it"
                                                        : "a device continues it, --force replaces it";
        same = fail(err, ERROR_INPUT, "computed by %s, not by %s, and a file holds results of one of them", computer,
                    plan->computed_by);
    } else if (same && numbers && strtol(numbers, NULL, 10) != plan->numbers) {
        *advice = began;
        same = fail(err, ERROR_INPUT, "its numbers are of version %.20s, those of this program of version %d", numbers,
                    plan->numbers);
    }
    return same;
}

// A shard is continued as the same shard.
static bool check_part(hid_t file, const Plan *plan, const char **advice, Error *err)
{
    char *stored SCOPED(scoped_free) = NULL;
    if (!h5_read_text(file, "shard", &stored, err))
        return false;
    const bool same = (!stored && !plan->part) || (stored && plan->part && strcmp(stored, plan->part) == 0);
    *advice = same ? NULL : replaced;
    return same || fail(err, ERROR_INPUT, "%s%.40s, not %s%s", stored ? "shard " : "the whole sweep",
                        stored ? stored : "", plan->part ? "shard " : "the whole sweep", plan->part ? plan->part : "");
}

// A file that was tried again is continued as that.
static bool check_history(hid_t file, const Plan *plan, const char **advice, Error *err)
{
    char *stored SCOPED(scoped_free) = NULL;
    if (!h5_read_text(file, "history", &stored, err))
        return false;
    const bool same = strcmp(stored ? stored : "", plan->history ? plan->history : "") == 0;
    *advice = same ? NULL : "remove it to begin anew";
    return same || fail(err, ERROR_INPUT, "of another retry");
}

static bool check_fingerprint(hid_t file, const Plan *plan, const char **advice, Error *err)
{
    char wanted[FINGERPRINT_DIGITS + 1], *stored SCOPED(scoped_free) = NULL, *settings SCOPED(scoped_free) = NULL;
    attributes_fingerprint(plan, wanted);
    if (!h5_read_text(file, "fingerprint", &stored, err))
        return false;
    if (!stored)
        return fail(err, ERROR_INPUT, "not a pendula result file: it has no fingerprint");
    if (strcmp(stored, wanted) == 0)
        return true;
    if (!check_computer(file, plan, advice, err) || !h5_read_text(file, "settings", &settings, err))
        return false;
    *advice = "--force replaces it, and --reuse takes what is the same into another file";
    return settings_fail(settings ? settings : "", plan->settings, err);
}

// The fingerprint covers the cards' files; the composed source also holds the helper files they include.
static bool check_source(hid_t section, const char *wanted, const char **advice, Error *err)
{
    char *stored SCOPED(scoped_free) = NULL;
    if (H5Aexists(section, header_source) > 0) {
        *advice = began;
        return fail(err, ERROR_INPUT, "made by an older version of the program, which laid files out otherwise");
    }
    if (!h5_read_dataset_text(section, header_source, &stored, err))
        return false;
    bool same = stored && strcmp(stored, wanted) == 0;
    *advice = same ? NULL : replaced;
    return same || fail(err, ERROR_INPUT, "the composed kernel has changed since the file was made");
}

static bool check_shape(hid_t id, const Dataset *dataset, Error *err)
{
    hsize_t shape[LAYOUT_RANK] = {0};
    hid_t   space SCOPED(h5_leave) = H5Dget_space(id);
    int     rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    bool    same = rank >= 0 && (size_t)rank == dataset->rank && H5Sget_simple_extent_dims(space, shape, NULL) >= 0;
    for (size_t i = 0; same && i < dataset->rank; i++)
        same = shape[i] == dataset->dims[i]->length;
    return same || fail(err, ERROR_INPUT, "damaged: wrong shape");
}

static bool check_type(hid_t id, const Dataset *dataset, const Group *group, Error *err)
{
    hid_t type SCOPED(h5_leave) = H5Dget_type(id);
    return (type >= 0 && H5Tequal(type, header_type(dataset, group)) > 0) ||
           fail(err, ERROR_INPUT, "damaged: wrong type");
}

// The writer trusts the address, so it must be that of one contiguous run of bytes inside the file.
static bool check_place(hid_t id, Dataset *dataset, const Group *group, uint64_t file_bytes, Error *err)
{
    if (dataset->kind == DATASET_BARE)
        return true;
    hid_t    list SCOPED(h5_leave) = H5Dget_create_plist(id);
    bool     contiguous = list >= 0 && H5Pget_layout(list) == H5D_CONTIGUOUS && H5Pget_external_count(list) == 0;
    haddr_t  offset = H5Dget_offset(id);
    uint64_t bytes = layout_dataset_count(dataset) * header_type_bytes(dataset, group);
    if (!contiguous || offset == HADDR_UNDEF)
        return fail(err, ERROR_INPUT, "not stored in one piece (a packed or copied file cannot be continued)");
    if (offset > file_bytes || bytes > file_bytes - offset)
        return fail(err, ERROR_INPUT, "damaged: it ends behind the end of the file");
    dataset->offset = (uint64_t)offset;
    return true;
}

static bool check_dataset(hid_t section, Dataset *dataset, const Group *group, uint64_t file_bytes, Error *err)
{
    hid_t id SCOPED(h5_leave) = H5Dopen2(section, dataset->name, H5P_DEFAULT);
    return (id >= 0 ? check_shape(id, dataset, err) && check_type(id, dataset, group, err) &&
                          check_place(id, dataset, group, file_bytes, err)
                    : h5_fail(err, ERROR_INPUT, "missing, or cannot be read")) ||
           within(err, "dataset '%s'", dataset->name);
}

static bool check_link_count(hid_t id, size_t wanted, Error *err)
{
    H5G_info_t info;
    if (H5Gget_info(id, &info) < 0)
        return h5_fail(err, ERROR_INPUT, "cannot be read");
    return info.nlinks == wanted ||
           fail(err, ERROR_INPUT, "damaged: %llu objects instead of %zu", (unsigned long long)info.nlinks, wanted);
}

static bool check_section(hid_t file, Section *section, const char *source, uint64_t file_bytes, const char **advice,
                          Error *err)
{
    hid_t id SCOPED(h5_leave) = H5Gopen2(file, section->name, H5P_DEFAULT);
    bool  same = id >= 0 || h5_fail(err, ERROR_INPUT, "missing, or cannot be read");
    same = same && (!section->group || check_source(id, source, advice, err)) &&
           check_link_count(id, section->dataset_count + (section->group != NULL), err);
    for (size_t i = 0; same && i < section->dataset_count; i++)
        same = check_dataset(id, &section->datasets[i], section->group, file_bytes, err);
    return same || within(err, "group '%s'", section->name);
}

bool header_check(const char *path, int file, const Plan *plan, const char *const *sources, Layout *layout,
                  const char **advice, Error *err)
{
    *advice = NULL;
    h5_begin();
    const uint64_t bytes = (uint64_t)lseek(file, 0, SEEK_END);
    const hid_t    hdf5 SCOPED(h5_leave) = seal_check(file, err) ? h5_open(path, err) : -1;
    bool           same = hdf5 >= 0 && structure_check(hdf5, bytes, err) && check_packed(hdf5, err) &&
                check_fingerprint(hdf5, plan, advice, err) && check_part(hdf5, plan, advice, err) &&
                check_history(hdf5, plan, advice, err) && check_link_count(hdf5, layout->section_count, err);
    for (size_t i = 0; same && i < layout->section_count; i++)
        same = check_section(hdf5, &layout->sections[i], i < plan->group_count ? sources[i] : NULL, bytes, advice, err);
    layout_place(layout);
    return same || within(err, "%s", path);
}
