// coordinates -- values by name on the command line: "NAME=VALUE,...".
#pragma once

#include "terminal/options.h"

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

// For a parser function: reads a list and adds it to what is there. Returns 0, or the code that makes options_parse()
// stop, with ERROR_USAGE filled (another form, a name that is given twice, too many).
//   option  its name, for messages
error_t coordinates_parse(const char *option, const char *text, Coordinates *coordinates, struct argp_state *state);

// The value of that name; NULL: there is none.
const NamedValue *coordinates_find(const Coordinates *coordinates, const char *name);
