// excerpt -- one point of a group as a group of its own, so that what runs groups runs the point alone.
//
// It has the group's axes, each with the point's value, and the group's variables: its kernel is the group's, its
// results are those of the point.
#pragma once

#include "plan/group.h"

// Zero-initialise it; release with excerpt_free().
typedef struct Excerpt {
    Group group;  // what it borrows belongs to the group that it was made from, but for what is in the arena
    Arena arena;
} Excerpt;

// Makes the group of a point.
//   group    borrowed; must outlive the excerpt
//   point    of the group
//   excerpt  written; zeroed on failure
// Errors: ERROR_INTERNAL (memory).
bool excerpt_make(const Group *group, uint64_t point, Excerpt *excerpt, Error *err);
void excerpt_free(Excerpt *excerpt);
