// scale -- a coarse search for the first change, and from there back where it goes faster than a line.
#include "analysis/conform/judgement/scale.h"

#include <math.h>
#include <stdbool.h>

// Exponents of the steps, and of the changes beside the size: the first that is seen, and the one that is wanted.
enum { FIRST = -240, LAST = 240, BETWEEN = 16, SEEN = -40, WANTED = -2 };

// The largest change beside the size of its row; of a function that is 0 without a size: infinite, or 0.
static long double change_at(ScaleFunction *function, const void *user, size_t rows, const long double *here,
                             const long double *sizes, bool still, long double step)
{
    long double there[SCALE_ROWS], most = 0.0L;
    function(user, step, there);
    for (size_t i = 0; i < rows; ++i) {
        const long double size = fabsl(sizes[i]), change = fabsl(there[i] - here[i]);
        if (change > 0.0L && (still || size > 0.0L))
            most = fmaxl(most, still ? INFINITY : change / size);
    }
    return most;
}

long double scale_find(ScaleFunction *function, const void *user, size_t rows, const long double *sizes)
{
    long double here[SCALE_ROWS];
    bool        still = true;
    function(user, 0.0L, here);
    sizes = sizes ? sizes : here;
    for (size_t i = 0; i < rows; ++i)
        still = still && !(fabsl(sizes[i]) > 0.0L);
    for (int e = FIRST; e <= LAST; e += BETWEEN) {
        const long double step = ldexpl(1.0L, e), change = change_at(function, user, rows, here, sizes, still, step);
        if (!(change > ldexpl(1.0L, SEEN)))
            continue;
        if (isinf(change))
            return still ? step : ldexpl(step, -BETWEEN);
        long double far = step * ldexpl(1.0L, WANTED) / change;
        while (far > step && change_at(function, user, rows, here, sizes, still, far) > 1.0L)
            far *= 0.25L;
        return far;
    }
    return 0.0L;
}
