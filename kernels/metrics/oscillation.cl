//: metric: oscillation
//: title: Amplitude, decay and period of one coordinate
//: past: 2
//: after_turn: 1
//: state: [first_amplitude, last_amplitude, first_time, sum_t, sum_l, sum_tt, sum_tl, first_crossing, last_crossing]
//: tangents: [first_amplitude, last_amplitude, first_time, sum_t, sum_l, sum_tt, sum_tl, first_crossing, last_crossing]
//: tangent_state: [last, older]
//: counts: [extrema, crossings]
//: options: [of, window]
//: results:
//:   amplitude_initial: {unit: "1", tangent: true, about: magnitude of the first interpolated extremum}
//:   amplitude_final:   {unit: "1", tangent: true, about: magnitude of the last interpolated extremum}
//:   decay_rate:        {unit: 1/s, tangent: true, about: "minus the least-squares slope of ln|extremum| over time; NaN with fewer than two"}
//:   damping_ratio:     {unit: "1", tangent: true, about: decay_rate period/(2 pi)}
//:   period:            {unit: s, tangent: true, about: mean time between interpolated upward zero crossings; NaN with fewer than two}
//:   period_error:      {unit: "1", about: period over the exact one minus 1, needs: [period]}

// An extremum is a middle observation that its neighbours do not pass; the parabola through the three gives its height
// and time. The sums run over extrema after the first that is not zero, in time and logarithm relative to it, so that
// nothing large cancels. Before the second step there are no three observations: a missing one is not a number, and no
// comparison holds then.
//
// Derivatives are those of these very numbers: of the parabola's height and time, of the line's zero, and of the sums.

#include "extremum.h"
#include "turning.h"

TANGENT(static void M(begin_tangents)(const Observation *o, M(State) *m) {
    real d[TANGENTS];
    EACH_TANGENT(j) {
        m->d_first_amplitude[j] = m->d_last_amplitude[j] = m->d_first_time[j] = ZERO;
        m->d_sum_t[j] = m->d_sum_l[j] = m->d_sum_tt[j] = m->d_sum_tl[j] = ZERO;
        m->d_first_crossing[j] = m->d_last_crossing[j] = ZERO;
    }
    TURNING_BEGIN(m, YES)
    OF_TANGENTS(o, d);
    TURNING_NEXT(m, YES, OF(o), d);
})

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
    TANGENT(M(begin_tangents)(o, m);)
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

// Behind an extremum that has been added: top = y - sum part/4, part = sum/(2 bend), its time o->before - h part.
TANGENT(static void M(derive_extremum)(const Observation *o, mask at, mask first, real top, real part, real bend,
                                       const real d[TANGENTS], M(State) *m) {
    const real size = real_abs(top), dt = o->before - o->h * part - m->first_time,
               fall = real_log(size / m->first_amplitude);
    EACH_TANGENT(j) {
        const real d_sum = d[j] - m->d_older[j], d_bend = (d[j] - m->d_last[j]) - (m->d_last[j] - m->d_older[j]);
        const real d_top = m->d_last[j] - 0.5 * part * (d_sum - part * d_bend);
        const real d_time = -o->h * (d_sum - 2.0 * part * d_bend) / (2.0 * bend);
        const real d_size = choose(top < ZERO, -d_top, d_top);
        m->d_first_amplitude[j] = choose(first, d_size, m->d_first_amplitude[j]);
        m->d_last_amplitude[j] = choose(at, d_size, m->d_last_amplitude[j]);
        m->d_first_time[j] = choose(first, d_time, m->d_first_time[j]);
        const real later = choose(at, d_time - m->d_first_time[j], ZERO);
        const real lower = choose(at, d_size / size - m->d_first_amplitude[j] / m->first_amplitude, ZERO);
        m->d_sum_t[j] = m->d_sum_t[j] + later;
        m->d_sum_l[j] = m->d_sum_l[j] + lower;
        m->d_sum_tt[j] = choose(at, m->d_sum_tt[j] + 2.0 * dt * later, m->d_sum_tt[j]);
        m->d_sum_tl[j] = choose(at, m->d_sum_tl[j] + later * fall + dt * lower, m->d_sum_tl[j]);
    }
})

// Of the time o->before - h y/rise.
TANGENT(static void M(derive_crossing)(const Observation *o, mask at, mask first, real part, real rise,
                                       const real d[TANGENTS], M(State) *m) {
    EACH_TANGENT(j) {
        const real d_time = -o->h * (m->d_last[j] - part * (d[j] - m->d_last[j])) / rise;
        m->d_first_crossing[j] = choose(first, d_time, m->d_first_crossing[j]);
        m->d_last_crossing[j] = choose(at, d_time, m->d_last_crossing[j]);
}
})

static void M(observe)(const Observation *o, M(State) *m)
{
    const real now = OF(o), y = OF_BEFORE(o, 1), rise = now - y, rise_before = y - OF_BEFORE(o, 2);
    const mask in = WITHIN(o->t) & WITHIN(o->before);
    const mask turned = turns(rise_before, rise) & in & WITHIN(TIME_AFTER(to_real(o->step - 2), o->h, o->p));
    TANGENT(real d[TANGENTS]; OF_TANGENTS(o, d);)
    if (any_lane(turned)) {
        const real sum = rise_before + rise, part = sum / (2.0 * (rise - rise_before));
        const real top = y - 0.25 * sum * part;
        TANGENT(const mask first = turned & (top != ZERO) & (m->extrema == 0);)
        M(add_extremum)(turned & (top != ZERO), top, o->before - o->h * part, m);
        TANGENT(M(derive_extremum)(o, turned & (top != ZERO), first, top, part, rise - rise_before, d, m);)
    }
    const mask rose = (y < ZERO) & (now >= ZERO) & in;
    if (any_lane(rose)) {
        const real crossing = o->before - o->h * y / rise;
        TANGENT(M(derive_crossing)(o, rose, rose & (m->crossings == 0), y / rise, rise, d, m);)
        m->first_crossing = choose(rose & (m->crossings == 0), crossing, m->first_crossing);
        m->last_crossing = choose(rose, crossing, m->last_crossing);
        m->crossings = count(m->crossings, rose);
    }
    TANGENT(TURNING_NEXT(m, YES, now, d))
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

TANGENT(static real M(d_amplitude_initial)(const Observation *o, const M(State) *m, int j) {
    return choose(m->extrema > 0, m->d_first_amplitude[j], NOT_A_NUMBER);
})

TANGENT(static real M(d_amplitude_final)(const Observation *o, const M(State) *m, int j) {
    return choose(m->extrema > 0, m->d_last_amplitude[j], NOT_A_NUMBER);
})

TANGENT(static real M(d_decay_rate)(const Observation *o, const M(State) *m, int j) {
    const real n = to_real(m->extrema), below = n * m->sum_tt - m->sum_t * m->sum_t;
    const real d_above = n * m->d_sum_tl[j] - (m->d_sum_t[j] * m->sum_l + m->sum_t * m->d_sum_l[j]);
    const real d_below = n * m->d_sum_tt[j] - 2.0 * m->sum_t * m->d_sum_t[j];
    return -(d_above + M(decay_rate)(o, m) * d_below) / below;
})

TANGENT(static real M(d_period)(const Observation *o, const M(State) *m, int j) {
    return choose(m->crossings > 1, (m->d_last_crossing[j] - m->d_first_crossing[j]) / to_real(m->crossings - 1),
                  NOT_A_NUMBER);
})

TANGENT(static real M(d_damping_ratio)(const Observation *o, const M(State) *m, int j) {
    return (M(d_decay_rate)(o, m, j) * M(period)(o, m) + M(decay_rate)(o, m) * M(d_period)(o, m, j)) / TWO_PI;
})
