// test_ball -- elementary functions with bounds: nothing within the arguments' bounds leaves that of the value.
#include "gauges/ball.h"
#include "expression/evaluate.h"

#include "support/test.h"

enum { PARTS = 16 };
static const long double unit = 0x1p-53L;

// How far a function moves where its arguments move by at most p and q; infinite where it is not a number somewhere.
static long double furthest(int function, long double a, long double b, long double p, long double q)
{
    const long double f = evaluate_call_long(function, a, b);
    long double       most = 0.0L;
    for (int i = -PARTS; i <= PARTS; ++i)
        for (int k = -PARTS; k <= PARTS; ++k) {
            const long double moved =
                evaluate_call_long(function, a + p * (long double)i / PARTS, b + q * (long double)k / PARTS);
            most = isnan(moved) ? INFINITY : larger_of(most, fabsl(moved - f));
        }
    return most;
}

// Among jumps, poles and ends of where functions are defined.
TEST(bounds_hold)
{
    static const long double as[] = {0.0L,     0.001L, -0.001L, 0.4L,    -0.7L, 0.999L,
                                     -0.9995L, 1.5L,   -1.57L,  2.9995L, -6.0L};
    static const long double bs[] = {-1.0L, -0.005L, 0.001L, 0.25L, 1.5L, 3.0L};
    static const long double offs[][2] = {{0.01L, 0.01L}, {0.3L, 0.0L}, {0.0L, 0.2L}, {1e-6L, 1e-5L}, {2.0L, 0.0L}};
    const int count[] = {FUNCTION_COUNT, sizeof as / sizeof *as, sizeof bs / sizeof *bs, sizeof offs / sizeof *offs};
    for (int i = 0; i < count[0] * count[1] * count[2] * count[3]; ++i) {
        const long double  a = as[i % count[1]], b = bs[i / count[1] % count[2]];
        const long double *off = offs[i / count[1] / count[2] % count[3]];
        const int          function = i / count[1] / count[2] / count[3];
        const Ball         value = ball_call(unit, function, (Ball){a, off[0]}, (Ball){b, off[1]});
        const long double  q = functions_table[function].arguments == 2 ? off[1] : 0.0L;
        const long double  moved = furthest(function, a, b, off[0], q);
        if (!(moved <= value.off || (isnan(value.at) && isinf(value.off))))
            fail_msg("%s(%Lg, %Lg), off by %Lg and %Lg: off by %Lg, not within %Lg", functions_table[function].name, a,
                     b, off[0], q, moved, value.off);
    }
}

// Where a function is smooth, a bound is no more than a few times too wide.
TEST(bounds_are_near)
{
    static const long double places[][2] = {{0.4L, 0.9L}, {0.7L, 0.45L}};
    for (int i = 0; i < 2 * 3 * FUNCTION_COUNT; ++i) {
        const int         function = i / 6;
        const long double a = places[i % 2][0], b = places[i % 2][1],
                          p = powl(10.0L, -2.0L * (long double)(i / 2 % 3 + 1));
        const long double moved = furthest(function, a, b, p, p);
        const Ball        value = ball_call(unit, function, (Ball){a, p}, (Ball){b, p});
        if (!(value.off <= 5.0L * moved + 1e-15L))
            fail_msg("%s(%Lg, %Lg), off by %Lg: off by %Lg, not %Lg", functions_table[function].name, a, b, p, moved,
                     value.off);
    }
}

// A kernel's function is off by its row's units in the last place, those of the largest number of a binade.
TEST(roundings_are_those_of_rows)
{
    for (int function = 0; function < FUNCTION_COUNT; ++function) {
        const Ball        value = ball_call(unit, function, ball(0.7L), ball(0.45L));
        const long double own = 2.0L * functions_table[function].ulp * unit * fabsl(value.at);
        assert_true(value.off >= (1.0L - 1e-9L) * own && value.off <= own + 3.0L * unit * fabsl(value.at));
    }
    assert_true(ball_call(unit, FUNCTION_SIN, ball(0.0L), ball(0.0L)).off == 0.0L);
}
