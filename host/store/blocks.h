// blocks -- checksums of blocks as they stand in a result file.
//
// A block is consecutive points of a group. Its bytes are the stored rows of each variable of the group, in the order
// of creation: a row for each point, or for each of its stored trajectories.
#pragma once

#include "store/layout.h"

// The stored rows first .. end - 1 of a variable in a run of points of the group.
void blocks_rows(const Group *group, bool trajectory, uint64_t first_point, uint64_t end_point, uint64_t *first,
                 uint64_t *end);

// Reads bytes first .. first + count - 1 of a variable's stored rows: whole numbers.
// Errors: ERROR_IO, ERROR_INPUT (the file ends before, or packed values are damaged).
bool blocks_read(int file, const char *path, const BlockColumn *column, uint64_t first, size_t count, void *bytes,
                 Error *err);

// The CRC-32 of the points first_point .. end_point - 1 of a group in a file.
//   group    its dimensions and stored trajectories are looked at
//   columns  [count] in the order of creation
// Errors: those of blocks_read().
bool blocks_crc(int file, const char *path, const Group *group, const BlockColumn *columns, size_t count,
                uint64_t first_point, uint64_t end_point, uint32_t *crc, Error *err);

// Allocates the space of the stored rows of a run of points of a group.
// Errors: ERROR_IO.
bool blocks_fill(int file, const char *path, const Layout *layout, size_t group, uint64_t first_point,
                 uint64_t end_point, Error *err);

// Writes the fill value into the integer metrics of a run of points that are not computed yet.
// Errors: ERROR_IO, ERROR_INTERNAL.
bool blocks_mark(int file, const char *path, const Layout *layout, size_t group, uint64_t first_point,
                 uint64_t end_point, Error *err);

// Whether the bytes of a block match its checksum in the journal.
//   group  index of the block's group
//   block  numbered through all groups
// Errors: ERROR_IO, ERROR_INPUT (the file ends before).
bool blocks_check(int file, const char *path, const Layout *layout, size_t group, uint64_t block, bool *whole,
                  Error *err);
