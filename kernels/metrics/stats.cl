//: metric: stats
//: title: Extremes and means of one quantity over a window
//: listed: true
//: state: [lowest, highest, sum, squares]
//: tangents: [lowest, highest, sum, squares]
//: tangent_state: [last, older]
//: counts: [seen]
//: options: [of, window]
//: results:
//:   minimum:      {unit: "1", tangent: true, about: least observation in the window}
//:   maximum:      {unit: "1", tangent: true, about: largest observation in the window}
//:   mean_value:   {unit: "1", tangent: true, about: mean of the observations in the window}
//:   rms_value:    {unit: "1", tangent: true, about: root mean square of the observations in the window}
//:   peak_to_peak: {unit: "1", tangent: true, about: maximum minus minimum}

// Observations are a step apart, so that their mean is the mean over time up to half an observation at either end.
// Where an extreme moves to another turning point its derivative jumps.

#include "turning.h"

TANGENT(static void M(see_tangents)(const Observation *o, mask in, real now, M(State) *m) {
    const mask lower = in & (now < m->lowest), higher = in & (now > m->highest), turned = in & TURNED(m, now),
               low = turned & (m->last == m->lowest), high = turned & (m->last == m->highest);
    real d[TANGENTS], turn[TANGENTS];
    OF_TANGENTS(o, d);
    TURNING_TANGENTS(m, now, d, turn);
    EACH_TANGENT(j) {
        m->d_lowest[j] = choose(lower, d[j], choose(low, turn[j], m->d_lowest[j]));
        m->d_highest[j] = choose(higher, d[j], choose(high, turn[j], m->d_highest[j]));
        m->d_sum[j] = choose(in, m->d_sum[j] + d[j], m->d_sum[j]);
        m->d_squares[j] = choose(in, real_fma(2.0 * now, d[j], m->d_squares[j]), m->d_squares[j]);
    }
    TURNING_NEXT(m, in, now, d);
})

static void M(observe)(const Observation *o, M(State) *m)
{
    const mask in = WITHIN(o->t);
    const real now = OF(o);
    TANGENT(M(see_tangents)(o, in, now, m);)
    m->lowest = choose(in, smaller(now, m->lowest), m->lowest);
    m->highest = choose(in, larger(now, m->highest), m->highest);
    m->sum = choose(in, m->sum + now, m->sum);
    m->squares = choose(in, real_fma(now, now, m->squares), m->squares);
    m->seen = count(m->seen, in);
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->lowest = REAL_INFINITY;
    m->highest = -REAL_INFINITY;
    m->sum = ZERO;
    m->squares = ZERO;
    m->seen = (whole)(0);
    TANGENT(EACH_TANGENT(j) m->d_lowest[j] = m->d_highest[j] = m->d_sum[j] = m->d_squares[j] = ZERO;)
    TANGENT(TURNING_BEGIN(m, YES))
    M(observe)(o, m);
}

static real M(minimum)(const Observation *o, const M(State) *m) { return choose(m->seen > 0, m->lowest, NOT_A_NUMBER); }

static real M(maximum)(const Observation *o, const M(State) *m)
{
    return choose(m->seen > 0, m->highest, NOT_A_NUMBER);
}

static real M(mean_value)(const Observation *o, const M(State) *m) { return m->sum / to_real(m->seen); }
static real M(rms_value)(const Observation *o, const M(State) *m) { return real_sqrt(m->squares / to_real(m->seen)); }

static real M(peak_to_peak)(const Observation *o, const M(State) *m)
{
    return choose(m->seen > 0, m->highest - m->lowest, NOT_A_NUMBER);
}

TANGENT(static real M(d_minimum)(const Observation *o, const M(State) *m, int j) {
    return choose(m->seen > 0, m->d_lowest[j], NOT_A_NUMBER);
})

TANGENT(static real M(d_maximum)(const Observation *o, const M(State) *m, int j) {
    return choose(m->seen > 0, m->d_highest[j], NOT_A_NUMBER);
})

TANGENT(static real M(d_mean_value)(const Observation *o, const M(State) *m, int j) {
    return m->d_sum[j] / to_real(m->seen);
})

TANGENT(static real M(d_rms_value)(const Observation *o, const M(State) *m, int j) {
    return 0.5 * m->d_squares[j] / (to_real(m->seen) * M(rms_value)(o, m));
})

TANGENT(static real M(d_peak_to_peak)(const Observation *o, const M(State) *m, int j) {
    return choose(m->seen > 0, m->d_highest[j] - m->d_lowest[j], NOT_A_NUMBER);
})
