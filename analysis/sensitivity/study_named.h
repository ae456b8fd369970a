// study_named -- distributions that a user names for the inputs of a table, and whether its rows can have them.
#pragma once

#include "base/arena.h"
#include "design/distribution.h"

#include <stdint.h>

typedef struct StudyNamed {
    const char  *text;  // as YAML, "{uniform: [0, 1]}"; NULL: the input has none
    Distribution distribution;
} StudyNamed;

// Reads "NAME={uniform: [0, 1]}", with the words of a sweep file.
//   inputs  [count] names
//   named   [count], zeroed; borrows the texts and the arena
// Errors: ERROR_USAGE (another form, no such input, one that is named twice, no distribution), ERROR_INTERNAL.
bool study_named_read(const char *const *texts, size_t text_count, const char *const *inputs, size_t count,
                      StudyNamed *named, Arena *arena, Error *err);

// The first row whose value the distribution cannot have; `count`: there is none.
uint64_t study_named_outside(const StudyNamed *named, const double *values, uint64_t count);

// Whether values differ from their distribution by more than chance does in one of a million tables.
//   values    [count]
//   distance  the largest difference of probabilities
// Errors: ERROR_INTERNAL (memory).
bool study_named_differs(const StudyNamed *named, const double *values, uint64_t count, Arena *arena, double *distance,
                         bool *differs, Error *err);
