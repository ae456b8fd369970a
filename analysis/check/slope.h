// slope -- derivative of a function by central differences, with a bound on its error that the differences give.
//
// With steps h that fall by fours, D(h) = (f(h) - f(-h))/(2 h), and R(h) = (16 D(h) - D(4 h))/15, whose error is of
// order h^4, the best R is that with the least error. It is taken as the change from the R before it, which while
// truncation rules is 256 times that of R(h). Rounding grows by fours as h falls, so that it is also taken as no less
// than the change of each R(h/4^j) over 4^j, and 2^-63 |f|/h. Where f has a kink its second difference over h,
// |f(h) - 2 f(0) + f(-h)|/h, does not fall with h, and is added: no derivative is demanded there.
#pragma once

#include <stddef.h>

enum { SLOPE_ROWS = 512 };

typedef struct Derivative {
    long double value, error;
} Derivative;

// Writes f, of so many rows, with its argument moved by `by`.
typedef void SlopeFunction(const void *user, long double by, long double *rows);

//   rows    at most SLOPE_ROWS
//   scale   over which f changes: the longest step is an eighth of it
//   slopes  [rows] written; of a row that is not finite the error is infinite
void slope_find(SlopeFunction *function, const void *user, size_t rows, long double scale, Derivative *slopes);
