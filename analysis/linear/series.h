// series -- power series in one small number, cut off: c_0 s^lead + c_1 s^(lead + 1) + ...
//
// The first coefficient of a nonzero series is not 0. Every operation keeps as many as its operands know. With one
// coefficient they are plain numbers. They are of long double: damping of a millionth is the difference of numbers near
// 1.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SERIES_MOST = 16 };

typedef struct PowerSeries {
    int         lead;
    size_t      count;  // coefficients that are known; 0: zero
    long double c[SERIES_MOST];
} PowerSeries;

// A number; and factor s^power. `count` coefficients are kept of whatever they are combined with.
PowerSeries series_number(long double number, size_t count);
PowerSeries series_power(long double factor, int power, size_t count);

PowerSeries series_plus(PowerSeries a, PowerSeries b);
PowerSeries series_minus(PowerSeries a, PowerSeries b);
PowerSeries series_times(PowerSeries a, PowerSeries b);
PowerSeries series_over(PowerSeries a, PowerSeries b);  // of a b that is not zero; else of infinite coefficients
PowerSeries series_call(int function, PowerSeries a, PowerSeries b);  // a Function, of series that are numbers

// The value at s = 0: infinite where the series begins with a negative power.
long double series_at_zero(PowerSeries a);

// Coefficient of s^power; 0 where that is before its first.
long double series_coefficient(PowerSeries a, int power);

// The same with every coefficient below `least` taken for 0: it is left by rounding.
PowerSeries series_clean(PowerSeries a, long double least);
