// diff -- two result files compared: their recorded settings, their common points, and the results of these.
//
// Nothing but the files is needed. Groups are compared that have the same label. A point has a value of each axis that
// its group has in one of the files, and parameters, a step, steps and an end: it is looked for by these values, to the
// last bit, wherever it stands. Stored rows are read in slabs, so that the files may be larger than memory.
#pragma once

#include "store/store_read.h"

typedef struct DiffTolerance {
    double relative, absolute;  // numbers may differ by relative * max(|a|, |b|) + absolute; both 0: by no bit
} DiffTolerance;

// Something recorded in which the files differ.
typedef struct DiffSetting {
    const char *where;  // "" of the file, "GROUP", "GROUP/VARIABLE"
    const char *name;   // of an attribute or of an axis
    const char *a, *b;  // in a few words; NULL: not there; both NULL: long texts
} DiffSetting;

// The largest difference of a variable, and the point that has it.
typedef struct DiffWorst {
    bool     found;  // some difference is a number other than 0
    double   difference;
    uint64_t a, b;    // number of the point in each file
    double  *values;  // [axis_count] of the group's axes
} DiffWorst;

typedef struct DiffVariable {
    const char *name;
    const char *apart;      // why it is not compared; or NULL
    uint64_t    compared;   // points
    uint64_t    differ;     // of these, beyond the tolerance
    uint64_t    unbounded;  // of these, where one number is NaN or infinite: the difference is not a number
    DiffWorst   absolute, relative;
} DiffVariable;

typedef struct DiffGroup {
    const char   *label;
    const char   *apart;      // why its points are not compared; or NULL
    uint64_t      points[2];  // of each file; 0: it does not have the group
    uint64_t      common;     // points of the second file that the first one has
    uint64_t      only[2];    // points that the other file does not have
    uint64_t      not_run;    // points in common that one of the files has not computed: they are not compared
    const char  **axes;       // [axis_count] names of axes of one of the files
    size_t        axis_count;
    DiffVariable *variables;  // [variable_count] in common; the first is the status
    size_t        variable_count;
} DiffGroup;

// Zero-initialise it; release with diff_free(), also where diff_files() failed.
typedef struct Diff {
    DiffSetting *settings;  // [setting_count]
    size_t       setting_count;
    DiffGroup   *groups;  // [group_count] groups of the first file, then groups of the second alone
    size_t       group_count;
    Arena        arena;
} Diff;

// Compares two open files, whose blocks verify_open() has checked.
//   a, b  borrowed; must outlive the diff
//   diff  zeroed; written
// Memory: about 100 MB; and where groups differ in their axes 24 to 40 bytes for each value of each axis of a grid or
// for each point of a design, and a bit for each point. Errors: ERROR_IO, ERROR_INPUT, ERROR_INTERNAL.
bool diff_files(const StoreFile *a, const StoreFile *b, const DiffTolerance *tolerance, Diff *diff, Error *err);
void diff_free(Diff *diff);

// Points that were compared, and whether some differ beyond the tolerance.
uint64_t diff_compared(const Diff *diff);
bool     diff_differs(const Diff *diff);
