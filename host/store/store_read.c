// store_read -- lists and reads result files through HDF5.
#include "store/store_read.h"

#include "base/suggest.h"
#include "base/text.h"
#include "plan/part.h"

#include "catalog/card.h"
#include "store/header.h"
#include "store/output.h"
#include "store/structure.h"

#include <hdf5_hl.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The objects of a group: by hard links, as structure_check() saw.
typedef struct Links {
    const char **names;      // [count]
    haddr_t     *addresses;  // [count]
    size_t       count;
} Links;

// Lists a group's links in order of creation.
static bool list_links(hid_t id, Links *links, Arena *arena, Error *err)
{
    H5G_info_t info;
    *links = (Links){0};
    if (H5Gget_info(id, &info) < 0)
        return h5_fail(err, ERROR_INPUT, "cannot be read");
    links->names = arena_take(arena, (size_t)info.nlinks, sizeof *links->names, err);
    links->addresses = arena_take(arena, (size_t)info.nlinks, sizeof *links->addresses, err);
    if (!links->names || !links->addresses)
        return false;
    bool read = true;
    for (hsize_t i = 0; read && i < info.nlinks; i++) {
        char       name[H5_NAME_BYTES];
        H5L_info_t link;
        read = h5_find_link(id, i, name, &link, err) && (links->names[i] = arena_copy(arena, name, err));
        links->addresses[i] = read ? link.u.address : HADDR_UNDEF;
        links->count += read;
    }
    return read;
}

static bool keep_text(hid_t id, const char *attribute, const char **kept, Arena *arena, Error *err)
{
    char *text SCOPED(scoped_free) = NULL;
    if (!h5_read_text(id, attribute, &text, err))
        return false;
    *kept = arena_copy(arena, text ? text : "", err);
    return *kept != NULL;
}

// The name of the object of a group that a list of one reference refers to: where the object lies is compared, and
// nothing is opened.
static bool name_scale(const hvl_t *list, const Links *links, const char **name, Error *err)
{
    for (size_t i = 0; list->len == 1 && i < links->count; i++)
        if (*(const hobj_ref_t *)list->p == links->addresses[i])
            *name = links->names[i];
    return list->len == 0 || **name || fail(err, ERROR_INPUT, "damaged: its dimensions are not those of its group");
}

static bool read_dimension_list(hid_t attribute, hid_t type, hid_t space, const Links *links, StoreVariable *variable,
                                Error *err)
{
    hvl_t lists[STORE_READ_RANK];
    if (H5Sget_simple_extent_npoints(space) != (hssize_t)variable->rank)
        return fail(err, ERROR_INPUT, "damaged: its dimensions are not those of its shape");
    if (H5Aread(attribute, type, lists) < 0)
        return h5_fail(err, ERROR_INPUT, "its dimensions cannot be read");
    bool named = true;
    for (size_t i = 0; named && i < variable->rank; i++)
        named = name_scale(&lists[i], links, &variable->dims[i], err);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, lists);
    return named;
}

// A scale is its own dimension. The others have a list of references to scales for each dimension.
static bool read_dims(hid_t id, StoreVariable *variable, const Links *links, Error *err)
{
    const htri_t listed = H5Aexists(id, "DIMENSION_LIST");
    for (size_t i = 0; i < variable->rank; i++)
        variable->dims[i] = variable->scale ? variable->name : "";
    if (variable->scale || listed == 0)
        return true;
    const hid_t attribute SCOPED(h5_leave) = listed > 0 ? H5Aopen(id, "DIMENSION_LIST", H5P_DEFAULT) : -1,
                          reference SCOPED(h5_leave) = attribute >= 0 ? H5Tvlen_create(H5T_STD_REF_OBJ) : -1,
                          space SCOPED(h5_leave) = reference >= 0 ? H5Aget_space(attribute) : -1;
    return space >= 0 ? read_dimension_list(attribute, reference, space, links, variable, err)
                      : h5_fail(err, ERROR_INPUT, "its dimensions cannot be read");
}

static bool read_shape(hid_t id, StoreVariable *variable, Error *err)
{
    hsize_t shape[STORE_READ_RANK];
    hid_t   space SCOPED(h5_leave) = H5Dget_space(id);
    int     rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    bool    read = rank >= 0 && rank <= STORE_READ_RANK && H5Sget_simple_extent_dims(space, shape, NULL) >= 0;
    variable->rank = read ? (size_t)rank : 0;
    variable->count = 1;
    for (size_t i = 0; i < variable->rank; i++) {
        variable->shape[i] = shape[i];
        read = read && !__builtin_mul_overflow(variable->count, variable->shape[i], &variable->count);
    }
    return read || h5_fail(err, ERROR_INPUT, "its shape cannot be read");
}

// The one number of `_FillValue`, if there is one.
static bool read_fill(hid_t id, StoreVariable *variable, Error *err)
{
    const htri_t exists = H5Aexists(id, attributes_fill);
    const hid_t  attribute SCOPED(h5_leave) = exists > 0 ? H5Aopen(id, attributes_fill, H5P_DEFAULT) : -1,
                          space SCOPED(h5_leave) = attribute >= 0 ? H5Aget_space(attribute) : -1;
    variable->filled = exists > 0;
    return exists == 0 ||
           (space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
            H5Aread(attribute, H5T_NATIVE_DOUBLE, &variable->fill) >= 0) ||
           h5_fail(err, ERROR_INPUT, "attribute '%s' cannot be read", attributes_fill);
}

static VariableType type_of(hid_t type)
{
    const size_t bytes = H5Tget_size(type);
    if (H5Tget_class(type) != H5T_INTEGER)
        return bytes == 4 ? TYPE_F32 : TYPE_F64;
    return bytes == 1 && H5Tget_sign(type) != H5T_SGN_NONE                  ? TYPE_I8
           : bytes < 4 || (bytes == 4 && H5Tget_sign(type) != H5T_SGN_NONE) ? TYPE_I32
                                                                            : TYPE_I64;
}

static bool read_variable(hid_t section, const Links *links, size_t link, StoreVariable *variable, bool *listed,
                          Arena *arena, Error *err)
{
    const char *name = links->names[link];
    hid_t       id SCOPED(h5_leave) = H5Dopen2(section, name, H5P_DEFAULT);
    if (id < 0)
        return h5_fail(err, ERROR_INPUT, "dataset '%s' cannot be read", name);
    *variable = (StoreVariable){.name = name, .scale = H5DSis_scale(id) > 0};
    const hid_t type SCOPED(h5_leave) = H5Dget_type(id);
    *listed = !structure_is_bare(id) && H5Tget_class(type) != H5T_STRING;
    variable->type = type_of(type);
    return (read_shape(id, variable, err) && read_dims(id, variable, links, err) && read_fill(id, variable, err) &&
            keep_text(id, "units", &variable->unit, arena, err) &&
            keep_text(id, "long_name", &variable->about, arena, err)) ||
           within(err, "dataset '%s'", name);
}

// Takes the words of a text attribute of the scale `dof`, one for each degree of freedom. A file of an older version
// has no such text, and the words stay as they are.
//   member  offset of the word in a StoreDof
static bool read_words(hid_t scale, const char *attribute, size_t member, StoreGroup *group, Arena *arena, Error *err)
{
    char       *text SCOPED(scoped_free) = NULL;
    const char *word = NULL;
    if (!h5_read_text(scale, attribute, &text, err))
        return false;
    char *rest = text ? arena_copy(arena, text, err) : NULL;
    if (!rest)
        return !text;
    for (size_t i = 0; i < group->dof_count; i++) {
        word = strsep(&rest, " ");
        memcpy((char *)&group->dofs[i] + member, &word, sizeof word);
    }
    return word || fail(err, ERROR_INPUT, "dataset 'dof': damaged: a word is missing in '%s'", attribute);
}

static bool read_dofs(hid_t section, StoreGroup *group, Arena *arena, Error *err)
{
    static const struct {
        const char *attribute;
        size_t      member;
    } texts[] = {{attributes_meanings, offsetof(StoreDof, name)},
                 {attributes_units, offsetof(StoreDof, unit)},
                 {attributes_velocities, offsetof(StoreDof, velocity)},
                 {attributes_velocity_units, offsetof(StoreDof, velocity_unit)}};
    const StoreVariable *scale = store_read_variable(group, "dof");
    if (!scale || scale->rank != 1)
        return true;
    if (scale->count > CARD_DOFS)
        return fail(err, ERROR_INPUT, "dataset 'dof': damaged: %llu degrees of freedom, at most %d are possible",
                    (unsigned long long)scale->count, CARD_DOFS);
    group->dof_count = (size_t)scale->count;
    group->dofs = arena_take(arena, group->dof_count, sizeof *group->dofs, err);
    bool read = group->dofs != NULL;
    for (size_t i = 0; read && i < group->dof_count; i++) {
        group->dofs[i] = (StoreDof){.name = arena_format(arena, err, "x%zu", i),
                                    .unit = "",
                                    .velocity = arena_format(arena, err, "v%zu", i),
                                    .velocity_unit = ""};
        read = group->dofs[i].name && group->dofs[i].velocity;
    }
    const hid_t id SCOPED(h5_leave) = read ? H5Dopen2(section, scale->name, H5P_DEFAULT) : -1;
    read = read && (id >= 0 || h5_fail(err, ERROR_INPUT, "dataset 'dof' cannot be read"));
    for (size_t t = 0; read && t < sizeof texts / sizeof *texts; t++)
        read = read_words(id, texts[t].attribute, texts[t].member, group, arena, err);
    return read;
}

static bool read_group(hid_t file, const char *label, StoreGroup *group, Arena *arena, Error *err)
{
    Links links;
    hid_t id SCOPED(h5_leave) = H5Gopen2(file, label, H5P_DEFAULT);
    if (id < 0)
        return h5_fail(err, ERROR_INPUT, "group '%s' cannot be read", label);
    *group = (StoreGroup){.label = label};
    bool read = list_links(id, &links, arena, err) &&
                (group->variables = arena_take(arena, links.count, sizeof *group->variables, err));
    for (size_t i = 0; read && i < links.count; i++) {
        bool listed = false;
        read = read_variable(id, &links, i, &group->variables[group->variable_count], &listed, arena, err);
        group->variable_count += listed;
    }
    return (read && read_dofs(id, group, arena, err)) || within(err, "group '%s'", label);
}

static bool read_journal(hid_t file, StoreFile *store, Error *err)
{
    hid_t    id SCOPED(h5_leave) = H5Dopen2(file, "/journal/block_done", H5P_DEFAULT);
    hid_t    space SCOPED(h5_leave) = id >= 0 ? H5Dget_space(id) : -1;
    hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    uint8_t *done SCOPED(scoped_free) = count >= 0 ? calloc((size_t)count + 1, 1) : NULL;
    bool     read = done && H5Dread(id, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, done) >= 0;
    if (!read)
        h5_fail(err, ERROR_INPUT, "its journal cannot be read");
    store->block_count = count >= 0 ? (uint64_t)count : 0;
    for (uint64_t i = 0; read && i < store->block_count; i++)
        store->blocks_done += done[i] == 1;
    return read;
}

static bool read_part(hid_t file, StoreFile *store, Error *err)
{
    char    *part SCOPED(scoped_free) = NULL;
    uint64_t index = 0, count = 1;
    if (!h5_read_text(file, "shard", &part, err))
        return false;
    if (part && !(store->part = arena_copy(&store->arena, part, err)))
        return false;
    if (part && strcmp(part, part_shared) != 0 && !part_read(part, &index, &count))
        return fail(err, ERROR_INPUT, "damaged: no shard is called '%.40s'", part);
    store->part_first = part_begin(index, count, store->block_count);
    store->part_end = part_begin(index + 1, count, store->block_count);
    return true;
}

static bool read_structure(hid_t file, StoreFile *store, Error *err)
{
    Links        links;
    const htri_t known = H5Aexists(file, "fingerprint");
    if (known <= 0)
        return known < 0 ? h5_fail(err, ERROR_INPUT, "cannot be read")
                         : fail(err, ERROR_INPUT, "not a pendula result file: it has no fingerprint");
    store->packed = H5Aexists(file, header_packed) > 0;
    store->retried = H5Aexists(file, "history") > 0;
    bool read = list_links(file, &links, &store->arena, err) &&
                (store->groups = arena_take(&store->arena, links.count, sizeof *store->groups, err));
    for (size_t i = 0; read && i < links.count; i++)
        if (strcmp(links.names[i], "journal") != 0)
            read = read_group(file, links.names[i], &store->groups[store->group_count++], &store->arena, err);
    return read && read_journal(file, store, err) && read_part(file, store, err);
}

bool store_read_open(const char *path, StoreFile *file, Error *err)
{
    bool exists;
    *file = (StoreFile){0};
    int sealed;
    if (!output_exists(path, &exists, err) || !output_open(path, false, &sealed, err))
        return false;
    output_note_locks(path, &file->notes);
    h5_begin();
    const off_t bytes = lseek(sealed, 0, SEEK_END);
    const bool  whole = seal_check(sealed, err);
    const hid_t handle = whole ? h5_open(path, err) : -1;
    close(sealed);
    file->handle = handle;
    file->opened = handle >= 0;
    if (file->opened && (file->path = arena_copy(&file->arena, path, err)) &&
        structure_check(handle, (uint64_t)bytes, err) && read_structure(handle, file, err))
        return true;
    store_read_close(file);
    return within(err, "%s", path);
}

void store_read_close(StoreFile *file)
{
    if (file->opened)
        H5Fclose(file->handle);
    text_free(&file->notes);
    arena_free(&file->arena);
    *file = (StoreFile){0};
}

const StoreGroup *store_read_group(const StoreFile *file, const char *label)
{
    for (size_t i = 0; i < file->group_count; i++)
        if (strcmp(file->groups[i].label, label) == 0)
            return &file->groups[i];
    return NULL;
}

const StoreGroup *store_read_choose(const StoreFile *file, const char *label, Error *err)
{
    const StoreGroup *found = label ? store_read_group(file, label) : file->group_count == 1 ? file->groups : NULL;
    const char       *near = NULL;
    Text              labels SCOPED(text_free) = {0};
    if (found)
        return found;
    for (size_t i = 0; i < file->group_count; ++i) {
        const char *name = file->groups[i].label;
        text_add(&labels, "%s%s", i > 0 ? ", " : "", name);
        near = !near && label ? suggest(label, &name, 1) : near;
    }
    if (label)
        fail(err, ERROR_USAGE, "%s: it has no group '%.60s', but %.2000s", file->path, label,
             labels.text ? labels.text : "none");
    else
        fail(err, ERROR_USAGE, "%s: which group? --group takes one of %.2000s", file->path,
             labels.text ? labels.text : "none");
    suggest_add(err, near, "");
    return NULL;
}

const StoreVariable *store_read_variable(const StoreGroup *group, const char *name)
{
    for (size_t i = 0; i < group->variable_count; i++)
        if (strcmp(group->variables[i].name, name) == 0)
            return &group->variables[i];
    return NULL;
}

// Whether words of that length are a text.
static bool spells(const char *words, size_t length, const char *text)
{
    return strlen(text) == length && strncmp(words, text, length) == 0;
}

// The number between brackets, or the degree of freedom that it names; SIZE_MAX where there is none.
static size_t find_component(const StoreGroup *group, const char *words, size_t length, size_t count)
{
    size_t number = 0, digits = 0;
    for (; digits < length && digits < 9 && words[digits] >= '0' && words[digits] <= '9'; digits++)
        number = 10 * number + (size_t)(words[digits] - '0');
    if (digits == length && digits > 0)
        return number < count ? number : SIZE_MAX;
    for (size_t i = 0; i < group->dof_count && i < count; i++)
        if (spells(words, length, group->dofs[i].name) || spells(words, length, group->dofs[i].velocity))
            return i;
    return SIZE_MAX;
}

const StoreVariable *store_read_address(const StoreGroup *group, const char *name, size_t *component)
{
    const size_t length = strcspn(name, "["), whole = strlen(name);
    *component = SIZE_MAX;
    for (size_t i = 0; i < group->variable_count; i++) {
        const StoreVariable *variable = &group->variables[i];
        if (!spells(name, length, variable->name))
            continue;
        if (length == whole)
            return variable;
        const bool per_dof = variable->rank > 0 && strcmp(variable->dims[variable->rank - 1], "dof") == 0;
        if (!per_dof || name[whole - 1] != ']')
            return NULL;
        *component = find_component(group, name + length + 1, whole - length - 2, group->dof_count);
        return *component == SIZE_MAX ? NULL : variable;
    }
    return NULL;
}

const char *store_read_unit(const StoreGroup *group, const StoreVariable *variable, size_t component)
{
    const char *name = variable->name;
    if (*variable->unit || component >= group->dof_count)
        return variable->unit;
    if (strcmp(name, "x") == 0 || strcmp(name, "x_final") == 0)
        return group->dofs[component].unit;
    return strcmp(name, "v") == 0 || strcmp(name, "v_final") == 0 ? group->dofs[component].velocity_unit : "";
}

int64_t store_read_object(const StoreFile *file, const StoreGroup *group, const StoreVariable *variable)
{
    char path[2 * H5_NAME_BYTES + 2];
    snprintf(path, sizeof path, "/%s%s%s", group ? group->label : "", variable ? "/" : "",
             variable ? variable->name : "");
    return H5Oopen(file->handle, path, H5P_DEFAULT);
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

const char *store_read_held(const StoreFile *file, const StoreGroup *group, const char *of, const char *name,
                            size_t index)
{
    for (size_t i = 0; i < file->text_count; i++) {
        const StoreText *text = &file->texts[i];
        if (text->group == group && is_same(text->of, of) && strcmp(text->name, name) == 0 && index-- == 0)
            return text->text;
    }
    return NULL;
}

static bool read_held_text(const StoreFile *file, const StoreGroup *group, const StoreVariable *variable,
                           const char *name, char **text, Error *err)
{
    const char *found = store_read_held(file, group, variable ? variable->name : NULL, name, 0);
    *text = found ? strdup(found) : NULL;
    return *text || !found || fail(err, ERROR_INTERNAL, "out of memory");
}

static bool read_text(const StoreFile *file, const StoreGroup *group, const StoreVariable *variable,
                      const char *attribute, char **text, Error *err)
{
    if (file->held)
        return read_held_text(file, group, variable, attribute, text, err);
    const hid_t id SCOPED(h5_leave) = store_read_object(file, group, variable);
    return id >= 0 ? h5_read_text(id, attribute, text, err) : h5_fail(err, ERROR_INPUT, "cannot be read");
}

bool store_read_text(const StoreFile *file, const StoreGroup *group, const char *attribute, char **text, Error *err)
{
    return read_text(file, group, NULL, attribute, text, err) || within(err, "%s", file->path);
}

bool store_read_source(const StoreFile *file, const StoreGroup *group, char **text, Error *err)
{
    const hid_t section SCOPED(h5_leave) = store_read_object(file, group, NULL);
    bool        read = section >= 0 ? h5_read_dataset_text(section, header_source, text, err)
                                    : h5_fail(err, ERROR_INPUT, "cannot be read");
    if (read && !*text)
        read = h5_read_text(section, header_source, text, err);
    return read || within(err, "%s: group '%s'", file->path, group->label);
}

bool store_read_attribute(const StoreFile *file, const StoreGroup *group, const StoreVariable *variable,
                          const char *attribute, char **text, Error *err)
{
    return read_text(file, group, variable, attribute, text, err) ||
           within(err, "%s: '%s'", file->path, variable->name);
}

bool store_read_number(const StoreFile *file, const StoreGroup *group, const char *attribute, double *number,
                       bool *found, Error *err)
{
    *found = false;
    if (file->held)
        return true;
    const hid_t  section SCOPED(h5_leave) = store_read_object(file, group, NULL);
    const htri_t exists = section >= 0 ? H5Aexists(section, attribute) : -1;
    const hid_t  id SCOPED(h5_leave) = exists > 0 ? H5Aopen(section, attribute, H5P_DEFAULT) : -1,
                   space SCOPED(h5_leave) = id >= 0 ? H5Aget_space(id) : -1;
    *found = exists > 0;
    return exists == 0 ||
           (space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Aread(id, H5T_NATIVE_DOUBLE, number) >= 0) ||
           h5_fail(err, ERROR_INPUT, "%s: attribute '%s' of group '%s' cannot be read as a number", file->path,
                   attribute, group->label);
}

static double held_number(const StoreVariable *variable, uint64_t i)
{
    double value = (double)NAN;
    switch (variable->type) {
    case TYPE_I8: value = ((const int8_t *)variable->held)[i]; break;
    case TYPE_I32: value = ((const int32_t *)variable->held)[i]; break;
    case TYPE_I64: value = (double)((const int64_t *)variable->held)[i]; break;
    case TYPE_F32: value = (double)((const float *)variable->held)[i]; break;
    case TYPE_F64: value = ((const double *)variable->held)[i]; break;
    }
    return variable->filled && value == variable->fill ? (double)NAN : value;
}

static void read_held(const StoreVariable *variable, const uint64_t *start, const uint64_t *count, double *numbers)
{
    const uint64_t *wide = start ? count : variable->shape;
    uint64_t        some = 1;
    for (size_t i = 0; i < variable->rank; i++)
        some *= wide[i];
    for (uint64_t k = 0; k < some; k++) {
        uint64_t at = start ? 0 : k, rest = k, stride = 1;
        for (size_t i = variable->rank; start && i-- > 0; stride *= variable->shape[i]) {
            at += (start[i] + rest % wide[i]) * stride;
            rest /= wide[i];
        }
        numbers[k] = held_number(variable, at);
    }
}

bool store_read_numbers(const StoreFile *file, const StoreGroup *group, const StoreVariable *variable,
                        const uint64_t *start, const uint64_t *count, double *numbers, Error *err)
{
    if (variable->held) {
        read_held(variable, start, count, numbers);
        return true;
    }
    hid_t   id SCOPED(h5_leave) = store_read_object(file, group, variable);
    hid_t   space SCOPED(h5_leave) = id >= 0 ? H5Dget_space(id) : -1, memory = H5S_ALL;
    bool    ready = space >= 0;
    hsize_t from[STORE_READ_RANK], many[STORE_READ_RANK];
    if (ready && start && variable->rank > 0) {
        for (size_t i = 0; i < variable->rank; i++) {
            from[i] = start[i];
            many[i] = count[i];
        }
        memory = H5Screate_simple((int)variable->rank, many, NULL);
        ready = memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, many, NULL) >= 0;
    }
    bool read =
        ready && H5Dread(id, H5T_NATIVE_DOUBLE, memory, memory == H5S_ALL ? H5S_ALL : space, H5P_DEFAULT, numbers) >= 0;
    if (!read)
        h5_fail(err, ERROR_INPUT, "%s: '%s' of group '%s' cannot be read", file->path, variable->name, group->label);
    uint64_t some = read && variable->filled ? 1 : 0;
    for (size_t i = 0; some && i < variable->rank; i++)
        some *= start ? count[i] : variable->shape[i];
    for (uint64_t i = 0; i < some; i++)
        if (numbers[i] == variable->fill)
            numbers[i] = NAN;
    if (memory > H5S_ALL)
        H5Sclose(memory);
    return read;
}
