// file -- a whole file into memory.
#pragma once

#include "base/memory.h"

// Reads a file into the arena, NUL-terminated.
//   limit   more bytes than that are refused
//   text    written; owned by the arena
//   length  written; without the final NUL. NULL: not wanted
// Errors: ERROR_IO (missing, a directory, unreadable), ERROR_INPUT (longer than limit), ERROR_INTERNAL.
bool file_read(const char *path, size_t limit, Arena *arena, char **text, size_t *length, Error *err);
