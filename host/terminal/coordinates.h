// coordinates -- values by name on the command line: "NAME=VALUE,...".
#pragma once

#include "base/error.h"

#include <stddef.h>

enum { COORDINATES_MOST = 256 };

typedef struct NamedValue {
    char   name[128];
    double value;
} NamedValue;

// Zero-initialise it.
typedef struct Coordinates {
    NamedValue items[COORDINATES_MOST];  // [count]
    size_t     count;
} Coordinates;

// Reads the value of an option and adds it to the coordinates.
//   option  its name, for messages
// Errors: ERROR_USAGE (another form, a name that is given twice, too many).
bool coordinates_read(const char *option, const char *text, Coordinates *coordinates, Error *err);

// The value of that name; NULL: there is none.
const NamedValue *coordinates_find(const Coordinates *coordinates, const char *name);
