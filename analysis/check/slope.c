// slope -- a ladder of differences for each row.
#include "analysis/check/slope.h"

#include <math.h>

enum { LEVELS = 15, FIRST = 3, BELOW = 3 };

typedef struct Rung {
    long double central, extrapolated, bend, change;
    long double least;  // the error by rounding of f alone
} Rung;

// Takes the best rung of a row. Rounding grows by fours from rung to rung, so that the rungs below give its size here,
// also where two rungs agree by chance.
static Derivative choose_rung(const Rung (*rungs)[SLOPE_ROWS], size_t row)
{
    Derivative best = {NAN, INFINITY};
    for (int k = 2; k < LEVELS - BELOW; ++k) {
        const Rung *now = &rungs[k][row];
        long double error = now->change;
        for (int j = k + 1; isfinite(error) && j < LEVELS; ++j)
            error = fmaxl(error, ldexpl(rungs[j][row].change, -2 * (j - k)));
        error += now->least + (now->bend > 0.5L * rungs[k - 1][row].bend ? now->bend : 0.0L);
        if (error < best.error)
            best = (Derivative){now->extrapolated, error};
    }
    return best;
}

void slope_find(SlopeFunction *function, const void *user, size_t rows, long double scale, Derivative *slopes)
{
    Rung        rungs[LEVELS][SLOPE_ROWS];
    long double here[SLOPE_ROWS], above[SLOPE_ROWS], below[SLOPE_ROWS];
    function(user, 0.0L, here);
    for (int k = 0; k < LEVELS; ++k) {
        const long double h = ldexpl(scale, -FIRST - 2 * k);
        function(user, h, above);
        function(user, -h, below);
        for (size_t i = 0; i < rows; ++i) {
            Rung *rung = &rungs[k][i];
            rung->central = (above[i] - below[i]) / (2.0L * h);
            rung->extrapolated = k ? (16.0L * rung->central - rungs[k - 1][i].central) / 15.0L : rung->central;
            rung->change = k ? fabsl(rung->extrapolated - rungs[k - 1][i].extrapolated) : INFINITY;
            rung->bend = fabsl(above[i] - 2.0L * here[i] + below[i]) / h;
            rung->least = 0x1p-63L * fabsl(here[i]) / h;
        }
    }
    for (size_t i = 0; i < rows; ++i)
        slopes[i] = choose_rung((const Rung(*)[SLOPE_ROWS])rungs, i);
}
