// times.h -- samples of a trajectory at given times: the state between two steps, by the cubics of between.h.
//
// The prologue lists the times before this file, ascending: SAMPLE_TIMES of them in TIMES.

#include "between.h"

// The time of sample k, of the last one behind it.
static real sample_time(whole k)
{
    SCALAR_WHOLE each[LANES];
    SCALAR       times[LANES];
    spread_whole(k, each);
    for (int lane = 0; lane < LANES; ++lane)
        times[lane] = TIMES[each[lane] < SAMPLE_TIMES ? each[lane] : SAMPLE_TIMES - 1];
    return collect(times);
}

// The first step whose end reaches the time of sample k, at most the last one; -1 behind the last sample. The quotient
// may be rounded to the next step.
static whole time_step(whole k, real h, real begin, whole steps)
{
    SCALAR_WHOLE each[LANES], lasts[LANES];
    SCALAR       times[LANES], sizes[LANES], begins[LANES], found[LANES];
    spread_whole(k, each);
    spread_whole(steps, lasts);
    spread(sample_time(k), times);
    spread(h, sizes);
    spread(begin, begins);
    for (int lane = 0; lane < LANES; ++lane) {
        SCALAR_WHOLE n = (SCALAR_WHOLE)((times[lane] - begins[lane]) / sizes[lane]);
        while (n > 0 && (SCALAR)(n - 1) * sizes[lane] + begins[lane] >= times[lane])
            n -= 1;
        while (n < lasts[lane] && (SCALAR)n * sizes[lane] + begins[lane] < times[lane])
            n += 1;
        found[lane] = PASTE(as_, SCALAR)((SCALAR_WHOLE)(each[lane] < SAMPLE_TIMES ? n : -1));
    }
    return as_whole(collect(found));
}

// The state at a time of the step that has come to its end.
//   before  the state at its beginning
static void time_state(real t, whole step, const Seen *before, const State *end, const Params *p, real h, State *there)
{
    Seen        now;
    Observation o;
    block_see(end, &now);
    o.s = &now;
    o.p = p;
    o.h = h;
    o.before = TIME_AFTER(to_real(step - 1), h, p);
    o.t = TIME_AFTER(to_real(step), h, p);
    between(&o, (t - o.before) / h, before->x, before->v, there->x, there->v);
#ifdef TANGENTS
    between_tangents(&o, (t - o.before) / h, before->x, before->v, there->x, there->v);
#endif
}
