// content -- a group of a result file as the file describes it: the parts of a Group that find points, blocks and
// stored rows.
//
// Nothing but the file is needed, and no card: a file of another version of the program is read in the same way.
#pragma once

#include "store/blocks.h"
#include "store/points.h"

// Zero-initialise it; release with content_close(), also where content_open() failed.
typedef struct Content {
    const StoreFile *file;     // borrowed
    Points           points;   // the factors of a random design have no values
    Group            group;    // dims, axes, variables, stored trajectories and blocks; axes as in `points`
    BlockColumn     *columns;  // [group.variable_count] where its variables are
    Arena            arena;
} Content;

// Describes a group.
//   file     borrowed; must outlive the content
//   from     group of the file; borrowed
//   content  written
// Errors: ERROR_INPUT (the file's description of the group is damaged), ERROR_INTERNAL.
bool content_open(const StoreFile *file, const StoreGroup *from, Content *content, Error *err);
void content_close(Content *content);

// Reads the values of all axes, eight bytes for each, which content_open() leaves out for points that go together.
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool content_read_axes(Content *content, Error *err);
