// recorded -- the attributes of a result file, of a group or of a variable, as they are recorded: a name with a text or
// a number.
#pragma once

#include "store/store_read.h"

typedef struct Recorded {
    const char *name, *text;  // text NULL: a number
    double      number;
} Recorded;

// Zero-initialise it; release with recorded_free(), also where recorded_read() failed.
typedef struct RecordedList {
    Recorded *items;  // [count] in the order of creation
    size_t    count;
    Arena     arena;
} RecordedList;

// Lists the attributes, and of a group its kernel, that are one text or one number; arrays and references, as HDF5's
// scales have, are left out.
//   group     NULL: of the file
//   variable  of the group, or NULL: of the group
//   list      zeroed; written
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool recorded_read(const StoreFile *file, const StoreGroup *group, const StoreVariable *variable, RecordedList *list,
                   Error *err);
void recorded_free(RecordedList *list);

// The attribute of that name, or NULL.
const Recorded *recorded_find(const RecordedList *list, const char *name);
