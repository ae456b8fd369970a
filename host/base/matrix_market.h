// matrix_market -- small matrices of real numbers from Matrix Market files.
//
// Source: Boisvert, Pozo, Remington 1996, The Matrix Market Exchange Formats (NISTIR 5935): `matrix` in `coordinate` or
// `array` format, of `real` or `integer` numbers, `general`, `symmetric` or `skew-symmetric`.
#pragma once

#include "base/arena.h"

typedef struct MarketMatrix {
    size_t  rows, columns;
    double *values;  // [rows][columns]
} MarketMatrix;

// Reads the text of a file.
//   path    named in messages
//   text    NUL-terminated
//   most    rows and columns at most
//   matrix  written; its values belong to the arena
// Errors: ERROR_INPUT ("path:line: problem, remedy"), ERROR_INTERNAL.
bool matrix_market_read(const char *path, const char *text, size_t most, Arena *arena, MarketMatrix *matrix,
                        Error *err);
