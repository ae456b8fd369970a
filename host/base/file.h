// file -- files read as a whole into memory, bytes written to an open file, and whether a file can be locked.
#pragma once

#include "base/arena.h"
#include "base/text.h"

// Reads a file into the arena, NUL-terminated.
//   limit   more bytes than that are refused
//   text    written; owned by the arena
//   length  written; without the final NUL. NULL: not wanted
// Errors: ERROR_IO (missing, a directory, a named pipe, unreadable), ERROR_INPUT (longer than limit), ERROR_INTERNAL.
bool file_read(const char *path, size_t limit, Arena *arena, char **text, size_t *length, Error *err);

// Reads the rest of an open file; path is for the message. Errors: as file_read().
bool file_read_open(int file, const char *path, size_t limit, Text *bytes, Error *err);

// Writes all bytes to an open file; false, with errno, where that fails.
bool file_write_open(int file, const void *bytes, size_t count);

// Closes an open descriptor, for SCOPED(); a negative one is none.
void file_close(const int *file);

// Whether an errno says that the file system has no locks, as NFS and Lustre say where they are mounted so.
bool file_lacks_locks(int reason);

// Why a file that is there cannot be locked: such an errno, or 0 where it could be.
int file_find_lack(const char *path);
