// keys -- numbers the different keys it is shown, a key being a row of doubles: 0, 1, 2, ... in the order of their
// coming.
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

// Set `width`, leave the rest zero; release with keys_free().
typedef struct Keys {
    size_t    width;  // doubles per key; may be 0: then all keys are one
    double   *rows;   // [count][width]
    size_t    count, room;
    uint32_t *slots;  // [slot_count] number of a key plus 1, or 0
    size_t    slot_count;
} Keys;

// The number of a key. Equal means the same numbers; NaN equals NaN, and -0 equals 0.
//   key     [width]
//   number  written
// Errors: ERROR_INTERNAL (memory, more than 2^32 - 2 keys).
bool keys_find(Keys *keys, const double *key, uint32_t *number, Error *err);
void keys_free(Keys *keys);
