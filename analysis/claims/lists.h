// lists -- functions of lists of numbers, as formulas name them.
//
//   log2 ceil isnan isfinite, and a sweep file's functions of one argument    of each number
//   max min        NaN where one is NaN                           fmax   of elements that are not NaN
//   maxs mins counts medians    of every k neighbours: maxs(list, k). NaN counts in mins alone
//   rises          differences of neighbours
//   all            1 where all hold                               count  how many hold
//   first          the number of the first that holds, or -1      leading  how many hold before the first that fails
//   nearest        the number of the element nearest to 0         from   a list without its first k: from(list, k)
//   spectral_radius determinant inverse          of the entries of a matrix, row by row; the latter two of two rows
//   pendulum       [x, v] at t of x'' = -sin x - 2 zeta x' from (x0, v0): pendulum(zeta, x0, v0, t)
#pragma once

#include <stddef.h>

enum { LISTS_LEAST_ROOM = 2 };

// Applies a function to its arguments, joined to one list.
//   out  written; with room for `count` numbers, and for LISTS_LEAST_ROOM
// Returns how many numbers it gives; 0: the function is unknown, or does not take these arguments.
size_t lists_apply(const char *name, const double *x, size_t count, double *out);
