// included -- kernel files in a text, each with the files that it includes in their place, and framed by #line.
#pragma once

#include "base/text.h"

enum { INCLUDED_MOST = 64 };

// The files already in the text: each is included once.
typedef struct Included {
    const char *paths[INCLUDED_MOST];
    size_t      count;
} Included;

// Adds a file, unless it is there.
//   path     kept, not copied
//   text_of  the file's own text; NULL: that of the embedded file
// Errors: ERROR_INPUT (a file that does not exist, too many files).
bool included_add(Text *out, const char *path, const char *text_of, Included *included, Error *err);
