// ball -- elementary functions of numbers with bounds.
#include "gauges/ball.h"

#include "expression/evaluate.h"

static long double off(int function, long double a, long double b, long double f, long double p, long double q)
{
#define LIBM(name) name##l
#define FUNCTION(NAME, name, arguments, file, ulp, value, off, ...) \
    if (function == FUNCTION_##NAME)                                \
        return off;
#include "catalog/functions.def"
    return INFINITY;
}

Ball ball_call(Roundoff u, int function, Ball a, Ball b)
{
    const long double f = evaluate_call_long(function, a.at, b.at),
                      beyond = 2.0L * functions_table[function].ulp - BALL_ROUNDINGS;
    const long double by = a.off > 0.0L || b.off > 0.0L ? off(function, a.at, b.at, f, a.off, b.off) : 0.0L;
    return ball_rounded(u, f, beyond > 0.0L ? by + beyond * u * fabsl(f) : by);
}
