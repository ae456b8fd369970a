//: metric: oscillation
//: title: Amplitude, decay and period of one coordinate
//: past: 2
//: after_turn: 1
//: state: [first_amplitude, last_amplitude, first_time, sum_t, sum_l, sum_tt, sum_tl, first_crossing, last_crossing]
//: counts: [extrema, crossings]
//: options: [of, window]
//: results:
//:   amplitude_initial: {unit: "1", about: magnitude of the first interpolated extremum}
//:   amplitude_final:   {unit: "1", about: magnitude of the last interpolated extremum}
//:   decay_rate:        {unit: 1/s, about: "minus the least-squares slope of ln|extremum| over time; NaN with fewer than two"}
//:   damping_ratio:     {unit: "1", about: decay_rate period/(2 pi)}
//:   period:            {unit: s, about: mean time between interpolated upward zero crossings; NaN with fewer than two}
//:   period_error:      {unit: "1", about: period over the exact one minus 1, needs: [period]}

// An extremum is a middle observation that its neighbours do not pass; the parabola through the three gives its height
// and time. The sums run over extrema after the first that is not zero, in time and logarithm relative to it, so that
// nothing large cancels. Before the second step there are no three observations: a missing one is not a number, and no
// comparison holds then.

#include "extremum.h"

static void M(start)(const Observation *o, M(State) *m)
{
    m->first_amplitude = ZERO;
    m->last_amplitude = ZERO;
    m->first_time = ZERO;
    m->sum_t = ZERO;
    m->sum_l = ZERO;
    m->sum_tt = ZERO;
    m->sum_tl = ZERO;
    m->first_crossing = ZERO;
    m->last_crossing = ZERO;
    m->extrema = (whole)(0);
    m->crossings = (whole)(0);
}

static void M(add_extremum)(mask at, real y, real t, M(State) *m)
{
    const mask first = at & (m->extrema == 0);
    m->first_amplitude = choose(first, real_abs(y), m->first_amplitude);
    m->last_amplitude = choose(at, real_abs(y), m->last_amplitude);
    m->first_time = choose(first, t, m->first_time);
    const real fall = real_log(real_abs(y) / m->first_amplitude);
    const real dt = choose(at, t - m->first_time, ZERO), dl = choose(at, fall, ZERO);
    m->sum_t = m->sum_t + dt;
    m->sum_l = m->sum_l + dl;
    m->sum_tt = m->sum_tt + dt * dt;
    m->sum_tl = m->sum_tl + dt * dl;
    m->extrema = count(m->extrema, at);
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real now = OF(o), y = OF_BEFORE(o, 1), rise = now - y, rise_before = y - OF_BEFORE(o, 2);
    const mask in = WITHIN(o->t) & WITHIN(o->before);
    const mask turned = turns(rise_before, rise) & in & WITHIN(TIME_AFTER(to_real(o->step - 2), o->h, o->p));
    if (any_lane(turned)) {
        const real sum = rise_before + rise, part = sum / (2.0 * (rise - rise_before));
        const real top = y - 0.25 * sum * part;
        M(add_extremum)(turned & (top != ZERO), top, o->before - o->h * part, m);
    }
    const mask rose = (y < ZERO) & (now >= ZERO) & in;
    if (any_lane(rose)) {
        const real crossing = o->before - o->h * y / rise;
        m->first_crossing = choose(rose & (m->crossings == 0), crossing, m->first_crossing);
        m->last_crossing = choose(rose, crossing, m->last_crossing);
        m->crossings = count(m->crossings, rose);
    }
}

static real M(amplitude_initial)(const Observation *o, const M(State) *m)
{
    return choose(m->extrema > 0, m->first_amplitude, NOT_A_NUMBER);
}

static real M(amplitude_final)(const Observation *o, const M(State) *m)
{
    return choose(m->extrema > 0, m->last_amplitude, NOT_A_NUMBER);
}

static real M(decay_rate)(const Observation *o, const M(State) *m)
{
    const real n = to_real(m->extrema);
    return choose(m->extrema > 1, -(n * m->sum_tl - m->sum_t * m->sum_l) / (n * m->sum_tt - m->sum_t * m->sum_t),
                  NOT_A_NUMBER);
}

static real M(period)(const Observation *o, const M(State) *m)
{
    return choose(m->crossings > 1, (m->last_crossing - m->first_crossing) / to_real(m->crossings - 1), NOT_A_NUMBER);
}

static real M(damping_ratio)(const Observation *o, const M(State) *m)
{
    return M(decay_rate)(o, m) * M(period)(o, m) / TWO_PI;
}
static real M(period_error)(const Observation *o, const M(State) *m) { return M(period)(o, m) / period(o->p) - 1.0; }
