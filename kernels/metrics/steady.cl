//: metric: steady
//: title: Steady-state amplitude of one quantity
//: listed: true
//: state: [early_low, early_high, late_low, late_high]
//: tangents: [early_low, early_high, late_low, late_high]
//: tangent_state: [last, older]
//: options: [of]
//: parameters:
//:   share: {default: 0.5, above: 0, max: 1, unit: "1", about: share of the steps at the end that is looked at}
//: results:
//:   steady_amplitude: {unit: "1", tangent: true, about: half the distance from least to largest over the second half of the share}
//:   steady_offset:    {unit: "1", tangent: true, about: the middle between these two}
//:   steady_change:    {unit: "1", tangent: true, about: "|A - A1|/A, A the amplitude and A1 that of the first half: small once the motion is steady"}

// The share's steps are those of which at most share N are left, N the number of all steps; its second half those of
// which at most share N/2 are. Each half should hold a period of the motion or more.

#include "turning.h"

TANGENT(static void M(see_tangents)(const Observation *o, mask early, mask late, real now, M(State) *m) {
    TURNING_BEGIN(m, late & !(m->late_low <= m->late_high))
    const mask turned = TURNED(m, now), low = turned & (m->last == choose(late, m->late_low, m->early_low)),
               high = turned & (m->last == choose(late, m->late_high, m->early_high));
    const mask early_lower = early & (now < m->early_low), early_higher = early & (now > m->early_high),
               late_lower = late & (now < m->late_low), late_higher = late & (now > m->late_high);
    real d[TANGENTS], turn[TANGENTS];
    OF_TANGENTS(o, d);
    TURNING_TANGENTS(m, now, d, turn);
    EACH_TANGENT(j) {
        m->d_early_low[j] = choose(early_lower, d[j], choose(early & low, turn[j], m->d_early_low[j]));
        m->d_early_high[j] = choose(early_higher, d[j], choose(early & high, turn[j], m->d_early_high[j]));
        m->d_late_low[j] = choose(late_lower, d[j], choose(late & low, turn[j], m->d_late_low[j]));
        m->d_late_high[j] = choose(late_higher, d[j], choose(late & high, turn[j], m->d_late_high[j]));
    }
    TURNING_NEXT(m, early | late, now, d);
})

static void M(observe)(const Observation *o, M(State) *m)
{
    const real now = OF(o), left = to_real(o->steps - o->step), share = ARGUMENT(share) * to_real(o->steps);
    const mask in = left <= share, late = left <= 0.5 * share, early = in & !late;
    TANGENT(M(see_tangents)(o, early, late, now, m);)
    m->early_low = choose(early, smaller(now, m->early_low), m->early_low);
    m->early_high = choose(early, larger(now, m->early_high), m->early_high);
    m->late_low = choose(late, smaller(now, m->late_low), m->late_low);
    m->late_high = choose(late, larger(now, m->late_high), m->late_high);
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->early_low = REAL_INFINITY;
    m->early_high = -REAL_INFINITY;
    m->late_low = REAL_INFINITY;
    m->late_high = -REAL_INFINITY;
    TANGENT(EACH_TANGENT(j) m->d_early_low[j] = m->d_early_high[j] = m->d_late_low[j] = m->d_late_high[j] = ZERO;)
    TANGENT(TURNING_BEGIN(m, YES))
    M(observe)(o, m);
}

static real M(half)(real low, real high) { return choose(low <= high, 0.5 * (high - low), NOT_A_NUMBER); }

static real M(steady_amplitude)(const Observation *o, const M(State) *m) { return M(half)(m->late_low, m->late_high); }

static real M(steady_offset)(const Observation *o, const M(State) *m)
{
    return choose(m->late_low <= m->late_high, 0.5 * (m->late_low + m->late_high), NOT_A_NUMBER);
}

static real M(steady_change)(const Observation *o, const M(State) *m)
{
    const real late = M(half)(m->late_low, m->late_high), early = M(half)(m->early_low, m->early_high);
    return real_abs(late - early) / late;
}

TANGENT(static real M(d_steady_amplitude)(const Observation *o, const M(State) *m, int j) {
    return choose(m->late_low <= m->late_high, 0.5 * (m->d_late_high[j] - m->d_late_low[j]), NOT_A_NUMBER);
})

TANGENT(static real M(d_steady_offset)(const Observation *o, const M(State) *m, int j) {
    return choose(m->late_low <= m->late_high, 0.5 * (m->d_late_low[j] + m->d_late_high[j]), NOT_A_NUMBER);
})

TANGENT(static real M(d_steady_change)(const Observation *o, const M(State) *m, int j) {
    const real late = M(half)(m->late_low, m->late_high), early = M(half)(m->early_low, m->early_high);
    const real d_late = 0.5 * (m->d_late_high[j] - m->d_late_low[j]),
               d_early = 0.5 * (m->d_early_high[j] - m->d_early_low[j]);
    const real d = choose(late >= early, d_late - d_early, d_early - d_late);
    return (d - M(steady_change)(o, m) * d_late) / late;
})
