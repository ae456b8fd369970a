// sides -- inside of diff: a group of two files side by side.
#pragma once

#include "store/content.h"
#include "store/diff.h"
#include "store/match.h"
#include "store/recorded.h"

enum { SIDE_A, SIDE_B, DIFF_SIDES };

typedef struct DiffSide {
    const StoreFile *file;        // borrowed
    int              descriptor;  // of the file, open for reading; borrowed
    Content          content;
    RecordedList     recorded;  // of the group
} DiffSide;

// A group that both files have. Zero-initialise it but for the files and descriptors.
typedef struct FileSides {
    DiffSide      sides[DIFF_SIDES];
    QuantityPair *quantities;  // [quantity_count] by which points are found: old is of A, new of B
    const char  **names;       // [quantity_count]
    size_t        quantity_count;
    bool          in_place;  // each point of B stands at the same place in A
    Arena         arena;
} FileSides;

// Opens the group of both files, and closes it. Errors: those of content_open() and recorded_read().
bool sides_open(FileSides *pair, const char *label, Error *err);
void sides_close(FileSides *pair);

// Finds the quantities that make a point.
//   apart  written: why no point can be looked for, in the arena; or NULL
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool sides_pair(FileSides *pair, const char **apart, Error *err);

// Whether axes of the groups have the same values, to the last bit. Errors: ERROR_INPUT.
bool sides_same_axes(const FileSides *pair, size_t a, size_t b, bool *same, Error *err);

// Compares the recorded settings of the files, or of the groups of a pair and of their variables, and adds the
// differences.
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool diff_settings(Diff *diff, const StoreFile *a, const StoreFile *b, const FileSides *pair, Error *err);

// Compares the points of a pair.
//   group  its members that are not yet written are written
// Errors: those of reading.
bool diff_points(FileSides *pair, const DiffTolerance *tolerance, DiffGroup *group, Error *err);
