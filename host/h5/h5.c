// h5 -- HDF5's switches, error texts and scalar attributes.
#include "h5/h5.h"

#include "base/file.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void h5_begin(void)
{
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    h5_plugins(false);
}

void h5_plugins(bool loaded)
{
    H5PLset_loading_state(loaded ? H5PL_ALL_PLUGIN : 0);
}

void h5_close(hid_t object)
{
    if (object >= 0)
        H5Idec_ref(object);
}

void h5_leave(const hid_t *object)
{
    h5_close(*object);
}

hid_t h5_keep(hid_t file)
{
    void *descriptor = NULL;
    if (file >= 0 && H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) >= 0 && descriptor)
        fcntl(*(const int *)descriptor, F_SETFD, FD_CLOEXEC);
    return file;
}

// The reason of the innermost call, and whether any call got no memory: outer calls give another reason for that.
static herr_t add_reason(unsigned depth, const H5E_error2_t *entry, void *user)
{
    H5Watch *watch = user;
    if (depth == 0 && entry->desc)
        snprintf(watch->reason, sizeof watch->reason, "%s", entry->desc);
    if (entry->desc && (strstr(entry->desc, "memory allocation failed") || strstr(entry->desc, "after H5MM_")))
        watch->no_memory = true;
    return 0;
}

static herr_t keep_first(hid_t stack, void *user)
{
    H5Watch *watch = user;
    if (!watch->reason[0])
        H5Ewalk2(stack, H5E_WALK_UPWARD, add_reason, watch);
    return 0;
}

// HDF5 itself goes on where locks are ENOSYS alone.
hid_t h5_open(const char *path, Error *err)
{
    const hid_t access SCOPED(h5_leave) = H5Pcreate(H5P_FILE_ACCESS);
    const bool  ready = access >= 0 && H5Pset_file_locking(access, file_find_lack(path) == 0, true) >= 0;
    const hid_t file = ready ? h5_keep(H5Fopen(path, H5F_ACC_RDONLY, access)) : -1;
    if (file < 0)
        h5_fail(err, ERROR_INPUT, "cannot be opened");
    return file;
}

void h5_watch(H5Watch *watch)
{
    *watch = (H5Watch){0};
    H5Eset_auto2(H5E_DEFAULT, keep_first, watch);
}

void h5_unwatch(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

// HDF5 reports a failed system call with time, buffer addresses and sizes; the errno text alone helps.
// NULL where no system call failed.
static const char *errno_text(char *reason, int *number)
{
    static const char before[] = "errno = ";
    static const char mark[] = "error message = '";
    char             *start = strstr(reason, mark);
    if (!start)
        return NULL;
    const char *digits = strstr(reason, before);
    *number = digits ? (int)strtol(digits + sizeof before - 1, NULL, 10) : 0;
    start += sizeof mark - 1;
    start[strcspn(start, "'")] = '\0';
    return start;
}

bool h5_fail(Error *err, ErrorKind kind, const char *format, ...)
{
    char        message[4096];
    va_list     arguments;
    H5E_auto2_t keep = NULL;
    void       *watch = NULL;
    H5Watch     found = {0};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, add_reason, &found);
    H5Eget_auto2(H5E_DEFAULT, &keep, &watch);
    if (keep == keep_first)
        found = *(const H5Watch *)watch;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (found.no_memory)
        return fail(err, ERROR_INTERNAL, "%s: out of memory", message);
    int         number = 0;
    const char *system = errno_text(found.reason, &number);
    if (!system)
        return fail(err, kind, "%s%s%s", message, found.reason[0] ? ": " : "", found.reason);
    fail(err, ERROR_IO, "%s: %s", message, system);
    err->code = number;
    return false;
}

bool h5_find_link(hid_t group, hsize_t number, char name[H5_NAME_BYTES], H5L_info_t *link, Error *err)
{
    const H5_index_t order = H5_INDEX_CRT_ORDER;
    const ssize_t length = H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, number, name, H5_NAME_BYTES, H5P_DEFAULT);
    if (length < 0 || H5Lget_info_by_idx(group, ".", order, H5_ITER_INC, number, link, H5P_DEFAULT) < 0)
        return h5_fail(err, ERROR_INPUT, "cannot be read");
    return length < H5_NAME_BYTES || fail(err, ERROR_INPUT, "has an object with too long a name: '%.60s'", name);
}

bool h5_write_numbers(hid_t object, const char *name, hid_t type, hid_t memory_type, const void *values, hsize_t count)
{
    hid_t space SCOPED(h5_leave) = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool  written = attribute >= 0 && H5Awrite(attribute, memory_type, values) >= 0;
    return attribute >= 0 && H5Aclose(attribute) >= 0 && written;
}

hid_t h5_text_type(const char *text)
{
    const size_t bytes = !text ? H5T_VARIABLE : *text ? strlen(text) + 1 : 2;
    bool         plain = text != NULL;
    for (const char *c = text; plain && *c; c++)
        plain = (unsigned char)*c < 0x80;
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, bytes) >= 0 && H5Tset_strpad(type, H5T_STR_NULLTERM) >= 0 &&
        H5Tset_cset(type, plain ? H5T_CSET_ASCII : H5T_CSET_UTF8) >= 0)
        return type;
    h5_close(type);
    return -1;
}

static bool read_fixed_text(hid_t dataset, hid_t type, char **text, Error *err)
{
    *text = calloc(H5Tget_size(type) + 1, 1);
    if (!*text)
        return fail(err, ERROR_INTERNAL, "out of memory");
    if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) >= 0)
        return true;
    free(*text);
    *text = NULL;
    return h5_fail(err, ERROR_INPUT, "cannot be read");
}

bool h5_read_dataset_text(hid_t section, const char *name, char **text, Error *err)
{
    *text = NULL;
    const htri_t exists = H5Lexists(section, name, H5P_DEFAULT);
    if (exists <= 0)
        return exists == 0 || h5_fail(err, ERROR_INPUT, "dataset '%s' cannot be read", name);
    const hid_t id SCOPED(h5_leave) = H5Dopen2(section, name, H5P_DEFAULT),
                   type SCOPED(h5_leave) = id >= 0 ? H5Dget_type(id) : -1,
                   space SCOPED(h5_leave) = type >= 0 ? H5Dget_space(id) : -1;
    if (space < 0)
        return h5_fail(err, ERROR_INPUT, "dataset '%s' cannot be read", name);
    return H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
           H5Sget_simple_extent_type(space) != H5S_SCALAR || read_fixed_text(id, type, text, err) ||
           within(err, "dataset '%s'", name);
}

bool h5_write_text(hid_t object, const char *name, const char *text)
{
    hid_t type SCOPED(h5_leave) = h5_text_type(NULL);
    return type >= 0 && h5_write_numbers(object, name, type, type, &text, 0);
}

bool h5_write_double(hid_t object, const char *name, double number)
{
    return h5_write_numbers(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &number, 0);
}

bool h5_write_whole(hid_t object, const char *name, int64_t number)
{
    return h5_write_numbers(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &number, 0);
}

// Variable-length texts are read with the library's allocator, so they are copied into ours.
static bool read_variable_text(hid_t attribute, char **text, Error *err)
{
    char *stored = NULL;
    hid_t type SCOPED(h5_leave) = h5_text_type(NULL);
    bool  read = type >= 0 && H5Aread(attribute, type, &stored) >= 0;
    if (!read)
        h5_fail(err, ERROR_INPUT, "cannot be read");
    else if (stored && strlen(stored) > H5_TEXT_BYTES)
        read = fail(err, ERROR_INPUT, "damaged: longer than any text of the program");
    else if (!(*text = strdup(stored ? stored : "")))
        read = fail(err, ERROR_INTERNAL, "out of memory");
    if (stored)
        H5free_memory(stored);
    return read;
}

bool h5_read_text(hid_t object, const char *name, char **text, Error *err)
{
    *text = NULL;
    htri_t exists = H5Aexists(object, name);
    if (exists < 0)
        return h5_fail(err, ERROR_INPUT, "its attributes cannot be read");
    if (!exists)
        return true;
    hid_t attribute SCOPED(h5_leave) = H5Aopen(object, name, H5P_DEFAULT);
    hid_t type SCOPED(h5_leave) = attribute >= 0 ? H5Aget_type(attribute) : -1;
    hid_t space SCOPED(h5_leave) = type >= 0 ? H5Aget_space(attribute) : -1;
    if (space < 0)
        return h5_fail(err, ERROR_INPUT, "attribute '%s' cannot be read", name);
    return H5Tis_variable_str(type) <= 0 || H5Sget_simple_extent_type(space) != H5S_SCALAR ||
           read_variable_text(attribute, text, err) || within(err, "attribute '%s'", name);
}
