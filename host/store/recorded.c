// recorded -- attributes read by their index in the order of creation.
#include "store/recorded.h"

#include "h5/h5.h"
#include "store/header.h"

#include <stdlib.h>
#include <string.h>

static bool read_number(hid_t attribute, Recorded *item, bool *listed, Error *err)
{
    const hid_t type SCOPED(h5_leave) = H5Aget_type(attribute), space SCOPED(h5_leave) = H5Aget_space(attribute);
    const bool  known = type >= 0 && space >= 0;
    *listed = known && (H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER) &&
              H5Sget_simple_extent_type(space) == H5S_SCALAR;
    return (known && (!*listed || H5Aread(attribute, H5T_NATIVE_DOUBLE, &item->number) >= 0)) ||
           h5_fail(err, ERROR_INPUT, "cannot be read");
}

static bool read_item(hid_t object, hid_t attribute, RecordedList *list, Error *err)
{
    char         *text SCOPED(scoped_free) = NULL;
    const ssize_t length = H5Aget_name(attribute, 0, NULL);
    char         *name = length >= 0 ? arena_take(&list->arena, (size_t)length + 1, 1, err) : NULL;
    Recorded     *item = &list->items[list->count];
    bool          listed = true;
    if (length < 0 || (name && H5Aget_name(attribute, (size_t)length + 1, name) < 0))
        return h5_fail(err, ERROR_INPUT, "its name cannot be read");
    if (!name || !h5_read_text(object, name, &text, err))
        return false;
    item->name = name;
    item->text = text ? arena_copy(&list->arena, text, err) : NULL;
    const bool read = text ? item->text != NULL : read_number(attribute, item, &listed, err);
    list->count += read && listed;
    return read || within(err, "attribute '%s'", name);
}

static bool read_items(hid_t object, RecordedList *list, Error *err)
{
    H5O_info_t info;
    if (H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS) < 0)
        return h5_fail(err, ERROR_INPUT, "its attributes cannot be read");
    list->items = arena_take(&list->arena, (size_t)info.num_attrs + 1, sizeof *list->items, err);
    bool read = list->items != NULL;
    for (hsize_t i = 0; read && i < info.num_attrs; i++) {
        const hid_t attribute SCOPED(h5_leave) =
            H5Aopen_by_idx(object, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
        read = attribute >= 0 ? read_item(object, attribute, list, err)
                              : h5_fail(err, ERROR_INPUT, "its attributes cannot be read");
    }
    return read;
}

// A group's kernel is recorded too, whether it is a dataset or, as in files of older versions, one of the attributes.
static bool read_source(const StoreFile *file, const StoreGroup *group, RecordedList *list, Error *err)
{
    char *text SCOPED(scoped_free) = NULL;
    if (recorded_find(list, header_source))
        return true;
    if (!store_read_source(file, group, &text, err))
        return false;
    const char *kept = text ? arena_copy(&list->arena, text, err) : NULL;
    if (kept)
        list->items[list->count++] = (Recorded){.name = header_source, .text = kept};
    return !text || kept;
}

bool recorded_read(const StoreFile *file, const StoreGroup *group, const StoreVariable *variable, RecordedList *list,
                   Error *err)
{
    const hid_t id SCOPED(h5_leave) = store_read_object(file, group, variable);
    const bool  read = id >= 0 ? read_items(id, list, err) : h5_fail(err, ERROR_INPUT, "its attributes cannot be read");
    return (read || within(err, "%s", file->path)) && (!group || variable || read_source(file, group, list, err));
}

void recorded_free(RecordedList *list)
{
    arena_free(&list->arena);
    *list = (RecordedList){0};
}

const Recorded *recorded_find(const RecordedList *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}
