// series -- arithmetic of power series.
#include "analysis/linear/series.h"

#include "expression/evaluate.h"

#include <math.h>

PowerSeries series_power(long double factor, int power, size_t count)
{
    PowerSeries s = {.lead = power};
    if (factor != 0.0L) {
        s.count = count;
        s.c[0] = factor;
    }
    return s;
}

PowerSeries series_number(long double number, size_t count)
{
    return series_power(number, 0, count);
}

// Without coefficients of 0 at its beginning.
static PowerSeries begun(PowerSeries a)
{
    size_t zeros = 0;
    while (zeros < a.count && a.c[zeros] == 0.0L)
        ++zeros;
    if (zeros == a.count)
        return (PowerSeries){0};
    for (size_t i = 0; i + zeros < a.count; ++i)
        a.c[i] = a.c[i + zeros];
    a.lead += (int)zeros;
    a.count -= zeros;
    return a;
}

long double series_coefficient(PowerSeries a, int power)
{
    return power >= a.lead && power < a.lead + (int)a.count ? a.c[power - a.lead] : 0.0L;
}

static PowerSeries added(PowerSeries a, long double sign, PowerSeries b)
{
    if (a.count == 0 || b.count == 0) {
        for (size_t i = 0; a.count == 0 && i < b.count; ++i)
            b.c[i] *= sign;
        return a.count == 0 ? b : a;
    }
    const int   lead = a.lead < b.lead ? a.lead : b.lead, a_end = a.lead + (int)a.count, b_end = b.lead + (int)b.count;
    PowerSeries sum = {.lead = lead, .count = (size_t)((a_end < b_end ? a_end : b_end) - lead)};
    if ((a_end < b_end ? a_end : b_end) <= lead)
        return a.lead < b.lead ? a : b;
    for (size_t i = 0; i < sum.count; ++i)
        sum.c[i] = series_coefficient(a, lead + (int)i) + sign * series_coefficient(b, lead + (int)i);
    return begun(sum);
}

PowerSeries series_plus(PowerSeries a, PowerSeries b)
{
    return added(a, 1.0L, b);
}

PowerSeries series_minus(PowerSeries a, PowerSeries b)
{
    return added(a, -1.0L, b);
}

PowerSeries series_times(PowerSeries a, PowerSeries b)
{
    if (a.count == 0 || b.count == 0)
        return (PowerSeries){0};
    PowerSeries product = {.lead = a.lead + b.lead, .count = a.count < b.count ? a.count : b.count};
    for (size_t i = 0; i < product.count; ++i)
        for (size_t k = 0; k <= i; ++k)
            product.c[i] += a.c[k] * b.c[i - k];
    return begun(product);
}

PowerSeries series_over(PowerSeries a, PowerSeries b)
{
    if (b.count == 0)
        return series_number((long double)NAN, a.count);
    if (a.count == 0)
        return a;
    PowerSeries quotient = {.lead = a.lead - b.lead, .count = a.count < b.count ? a.count : b.count};
    for (size_t i = 0; i < quotient.count; ++i) {
        long double rest = a.c[i];
        for (size_t k = 1; k <= i; ++k)
            rest -= b.c[k] * quotient.c[i - k];
        quotient.c[i] = rest / b.c[0];
    }
    return quotient;
}

static bool is_number(PowerSeries a)
{
    bool number = a.count == 0 || a.lead == 0;
    for (size_t i = 1; i < a.count; ++i)
        number = number && a.c[i] == 0.0L;
    return number;
}

PowerSeries series_call(int function, PowerSeries a, PowerSeries b)
{
    const long double value = evaluate_call_long(function, series_coefficient(a, 0), series_coefficient(b, 0));
    return series_number(is_number(a) && is_number(b) ? value : (long double)NAN, a.count > 0 ? a.count : SERIES_MOST);
}

long double series_at_zero(PowerSeries a)
{
    if (a.count > 0 && a.lead < 0)
        return (long double)INFINITY;
    return series_coefficient(a, 0);
}

PowerSeries series_clean(PowerSeries a, long double least)
{
    for (size_t i = 0; i < a.count; ++i)
        if (fabsl(a.c[i]) < least)
            a.c[i] = 0.0L;
    return begun(a);
}
