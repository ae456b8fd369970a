// scale -- how far an argument that is 0 may be moved until a function has changed by as much as a part of its size.
//
// The unit of an argument is the user's, and its own value is its scale. Where it is 0 the function says what is far: a
// step grows by 2^16 at a time until the function has changed by more than rounding, 2^-40 of its size, and from there
// as a line to a quarter of its size. A function that is 0 itself has no size: the first step that moves it serves.
#pragma once

#include <stddef.h>

enum { SCALE_ROWS = 512 };

// Writes f, of so many rows, with its argument moved by `by`.
typedef void ScaleFunction(const void *user, long double by, long double *rows);

//   rows   at most SCALE_ROWS
//   sizes  [rows] of f; NULL: those where the argument is not moved
// 0 where nothing moves f.
long double scale_find(ScaleFunction *function, const void *user, size_t rows, const long double *sizes);
