// fit -- orthogonal polynomials on equal intervals, and the roundings of a recursion.
#include "gauges/fit.h"

// The kernel's fit of the points so far, expected at the next one.
typedef struct Recursion {
    long double next, slope, bend;
} Recursion;

// Adds point number k, and returns how far the new roundings may be from no rounding at all at any of the points so
// far.
//   own  written: the rounding that is the point's alone
static long double add_point(Roundoff u, size_t k, long double y, Recursion *r, long double *own)
{
    const long double n = (long double)k, expected = k == 1 ? y : r->next, off = y - expected,
                      part = 3.0L * off / (n * (n + 1.0L) * (n + 2.0L));
    const long double up = (3.0L * n * (n - 1.0L) + 2.0L) * part, tilt = (12.0L * n - 6.0L) * part, curl = 10.0L * part;
    const long double value = expected + up, steeper = r->slope + tilt, bent = r->bend + curl;
    // A product of the three factors of `part` and of a coefficient is rounded no more than ten times.
    const long double in_value = 10.0L * u * fabsl(up) + u * fabsl(value),
                      in_steeper = 10.0L * u * fabsl(tilt) + u * fabsl(steeper),
                      in_bent = 10.0L * u * fabsl(curl) + u * fabsl(bent);
    *r = (Recursion){value + steeper + bent, steeper + 2.0L * bent, bent};
    const long double in_next =
        in_value + in_steeper + in_bent + 2.0L * u * (fabsl(value) + fabsl(steeper) + fabsl(bent));
    const long double in_slope = in_steeper + 2.0L * in_bent + u * fabsl(r->slope);
    *own = u * fabsl(off);
    return k == 1 ? 0.0L : in_next + n * (in_slope + n * in_bent);
}

// The polynomials of first and second degree that are orthogonal to the lower ones on 1 .. n, over their squares' sums.
static long double line_weight(long double n, long double i)
{
    return 12.0L * (i - (n + 1.0L) / 2.0L) / (n * (n * n - 1.0L));
}

static long double curve(long double n, long double i)
{
    const long double from = i - (n + 1.0L) / 2.0L;
    return from * from - (n * n - 1.0L) / 12.0L;
}

static long double curve_weight(long double n, long double i)
{
    return 180.0L * curve(n, i) / (n * (n * n - 1.0L) * (n * n - 4.0L));
}

static void add_off(GaugeFit *fit, long double line, long double curved, long double off)
{
    fit->slope.off += line * off;
    fit->bend.off += curved * off;
}

// Adds the effect of points that are off and of the recursion's roundings to the bounds. The root of the squares left
// over is a norm of the points, so that it moves by no more than their own.
static void find_bounds(Roundoff u, const Ball *points, size_t count, GaugeFit *fit)
{
    const long double n = (long double)count;
    Recursion         r = {0};
    long double       line = 0.0L, curved = 0.0L, squares = 0.0L;
    for (size_t k = 1; k <= count; ++k) {
        const long double i = (long double)k, weight = fabsl(line_weight(n, i)), curve = fabsl(curve_weight(n, i));
        long double       own;
        const long double all = add_point(u, k, points[k - 1].at, &r, &own), off = points[k - 1].off + own;
        line += weight;
        curved += curve;
        add_off(fit, weight, curve, off);
        add_off(fit, line, curved, all);
        squares += off * off;
        fit->scatter.off += sqrtl(i) * all;
    }
    // The sum of the squares is rounded at each point, and so are their factors.
    fit->scatter.off += sqrtl(squares) + 0.5L * (n + 20.0L) * u * fit->scatter.at;
    fit->end_slope = r.slope;
}

GaugeFit fit_points(Roundoff u, const Ball *points, size_t count)
{
    const long double n = (long double)count;
    GaugeFit          fit = {0};
    long double       mean = 0.0L, squares = 0.0L;
    for (size_t k = 1; k <= count; ++k) {
        const long double i = (long double)k, y = points[k - 1].at;
        mean += y / n;
        fit.slope.at += line_weight(n, i) * y;
        fit.bend.at += curve_weight(n, i) * y;
    }
    for (size_t k = 1; k <= count; ++k) {
        const long double i = (long double)k;
        const long double left =
            points[k - 1].at - mean - fit.slope.at * (i - (n + 1.0L) / 2.0L) - fit.bend.at * curve(n, i);
        squares += left * left;
    }
    fit.scatter.at = sqrtl(squares);
    if (u > 0.0L)
        find_bounds(u, points, count, &fit);
    return fit;
}
