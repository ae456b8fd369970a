// break_times.h -- times that steps meet exactly: which come next, and what time a force sees beside them.
//
// An entry of the sweep's `breaks` has the times a + k every, k = 0 .. count - 1, of each of its a. The prologue makes
// a function of each entry from those below. A force sees times within the piece between two breaks, by 16 roundings,
// so that a formula that computes the break in its own way is on the right side of it.

static void acceleration_within(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    acceleration(smaller(larger(t, p->break_from), p->break_below), x, v, p, a);
}
#undef acceleration
#define acceleration(t, x, v, p, a) acceleration_within(t, x, v, p, a)

#if JACOBIAN_GIVEN
static void jacobian_within(real t, const real x[DOF], const real v[DOF], const Params *p, MATRIX(dadx), MATRIX(dadv))
{
    jacobian(smaller(larger(t, p->break_from), p->break_below), x, v, p, dadx, dadv);
}
#undef jacobian
#define jacobian(t, x, v, p, dadx, dadv) jacobian_within(t, x, v, p, dadx, dadv)
#endif

// How far apart two times count as one: 16 roundings.
#define BREAK_NEAR (SINGLE ? 0x1p-20 : 0x1p-49)
static real break_near(real t) { return t * BREAK_NEAR; }

// The first time after t, of the single time a and the one found before.
static real break_once_after(real found, real a, real t) { return choose((a > t) & (a < found), a, found); }

// The last time up to t, likewise.
static real break_once_until(real found, real a, real t) { return choose((a <= t) & (a > found), a, found); }

// The whole number at x or below it, of those that a count of times may be.
static real break_number(real x)
{
    return to_real(to_whole(smaller(larger(x, ZERO), ZERO + (SINGLE ? 0x1p30 : 0x1p52))));
}

// The same of a + k every. The quotient says k but for its rounding.
static real break_after(real found, real a, real every, real times, real t)
{
    const real near = break_number((t - a) / every);
    for (int i = 2; i >= -1; --i) {
        const real k = larger(near + i, ZERO), time = a + k * every;
        found = choose((k < times) & (time > t) & (time < found), time, found);
    }
    return found;
}

static real break_until(real found, real a, real every, real times, real t)
{
    const real near = smaller(break_number((t - a) / every), break_number(times));
    for (int i = -1; i <= 1; ++i) {
        const real k = near + i, time = a + k * every;
        found = choose((k >= 0.0) & (k < times) & (time <= t) & (time > found), time, found);
    }
    return found;
}
