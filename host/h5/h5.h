// h5 -- HDF5 helpers that creating, checking and reading a result file share.
#pragma once

#include "base/error.h"

#include <hdf5.h>
#include <stdint.h>

// Call before anything else of HDF5. A full disk would make HDF5 crash in its exit handler, so that is not installed;
// and its own error printing is switched off, because errors are reported through Error. Filters of plugins are not
// loaded: a file would choose which code runs.
void h5_begin(void);

// Whether filters of plugins are loaded from here on, for files that the user names.
void h5_plugins(bool loaded);

// Closes an object of any kind. Does nothing with a negative one, as calls return it that fail.
void h5_close(hid_t object);

// The same at the end of a scope: `const hid_t type SCOPED(h5_leave) = H5Dget_type(id);`.
void h5_leave(const hid_t *object);

// No text of a result file is longer: sweeps, settings and kernels have a hundred kilobytes.
enum { H5_REASON_BYTES = 512, H5_TEXT_BYTES = 1 << 24 };

// Why the first call failed since h5_watch(), which calls that close objects would make HDF5 forget; "": none did.
typedef struct H5Watch {
    char reason[H5_REASON_BYTES];
    bool no_memory;
} H5Watch;

// Keeps for h5_fail() why a call of HDF5 fails first, from here to h5_unwatch().
//   watch  written; borrowed until h5_unwatch()
void h5_watch(H5Watch *watch);
void h5_unwatch(void);

// Like fail(), followed by HDF5's innermost reason. Where that is a system call that failed, as reads of a broken disk
// do, the kind is ERROR_IO whatever was asked for, and err->code its errno. Where HDF5 got no memory it is
// ERROR_INTERNAL. HDF5 remembers the reason until its next call, also one that closes an object, except where it is
// watched. Always false.
bool h5_fail(Error *err, ErrorKind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Opens a file for reading: locked where the file system has locks, so that no HDF5 program opens it for writing, and
// kept from the programs that this process starts. Negative on failure.
// Errors: ERROR_INPUT, ERROR_IO.
hid_t h5_open(const char *path, Error *err);

// Keeps an open file from the programs that this process starts: HDF5 does not. Returns the file.
hid_t h5_keep(hid_t file);

// Longer names of objects are not read.
enum { H5_NAME_BYTES = 256 };

// Finds a link of a group by its number in the order of creation. HDF5's iterators free memory that they have not
// filled where a read fails, so links are counted up.
// Errors: ERROR_INPUT (unreadable, too long a name), ERROR_IO, ERROR_INTERNAL.
bool h5_find_link(hid_t group, hsize_t number, char name[H5_NAME_BYTES], H5L_info_t *link, Error *err);

// Attributes: a text is a variable-length UTF-8 scalar, which every reader sees as a string of any length.
// False on failure; HDF5's error stack has the reason.
bool h5_write_text(hid_t object, const char *name, const char *text);
bool h5_write_double(hid_t object, const char *name, double number);
bool h5_write_whole(hid_t object, const char *name, int64_t number);

// The same of values of any type.
//   type   in the file; memory_type  of values
//   count  of a list; 0: a scalar
bool h5_write_numbers(hid_t object, const char *name, hid_t type, hid_t memory_type, const void *values, hsize_t count);

// The type of a text of fixed length: ASCII, and UTF-8 only where it has other letters, since Octave reads no UTF-8.
// NULLTERM and of two bytes or more, as netCDF's library reads it. NULL: of texts of any length, as attributes have
// them. To be closed; negative on failure.
hid_t h5_text_type(const char *text);

// Reads a scalar dataset of such a type.
//   text  written: owned by the caller (free()); NULL where there is no dataset of that name, or no text
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool h5_read_dataset_text(hid_t section, const char *name, char **text, Error *err);

// Reads a text attribute.
//   text  written: the text, owned by the caller (free()); NULL where the object has no such attribute or it is not a
//   text scalar
// Errors: ERROR_INPUT (the attribute cannot be read), ERROR_INTERNAL.
bool h5_read_text(hid_t object, const char *name, char **text, Error *err);
