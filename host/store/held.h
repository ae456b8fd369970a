// held -- results in memory, read by name as those of a file are: what analyses read, and what they give.
//
//   StoreFile file = {0};
//   held_open("points", 1, &file, &err);
//   StoreGroup *group = held_group(&file, "points", 3, &err);
//   held_add(group, &(StoreVariable){.name = "x", .rank = 1, .shape = {n}, .dims = {"point"}, .held = numbers});
//   ... store_read_close(&file);
//
// Names, texts and numbers are borrowed, but for the numbers and texts that the file's arena has.
#pragma once

#include "store/store_read.h"

// Begins results of at most `group_most` groups.
//   path  a word for messages
//   file  written; zeroed on failure; release with store_read_close()
// Errors: ERROR_INTERNAL (memory).
bool held_open(const char *path, size_t group_most, StoreFile *file, Error *err);

// The next group, of at most `variable_most` variables; NULL with err filled (ERROR_INTERNAL).
StoreGroup *held_group(StoreFile *file, const char *label, size_t variable_most, Error *err);

// Adds a variable; its count is that of its shape, and a unit or a line about it that it lacks is "".
void held_add(StoreGroup *group, const StoreVariable *variable);

// Adds doubles of some shape, in the file's arena, and gives them, to be filled: zeros now. NULL with err filled.
//   dims, shape  [rank]
double *held_add_numbers(StoreFile *file, StoreGroup *group, const char *name, size_t rank, const char *const *dims,
                         const uint64_t *shape, Error *err);

// Adds a text of a group (NULL: of all), or of its variable `of`; it is copied. Errors: ERROR_INTERNAL.
bool held_add_text(StoreFile *file, const StoreGroup *group, const char *of, const char *name, const char *text,
                   Error *err);
