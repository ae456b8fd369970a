//: metric: damping
//: title: Logarithmic decrement of one coordinate, how sure it is, and why there is none
//: past: 4
//: after_turn: 2
//: state: [top, lift, first_across, log1, log2, decrement_first, decrement_last, next, slope, bend, scatter, lift_next, lift_slope, lift_bend, first, last]
//: tangents: [top, first_across, log1, log2, decrement_first, decrement_last, next, slope, bend]
//: tangent_state: [back_1, back_2, back_3, back_4]
//: counts: [extrema]
//: options: [of, window]
//: results:
//:   log_decrement:       {unit: "1", tangent: true, about: "ln of the amplitude's ratio over a cycle, by least squares over all cycles; below 0: it grows; NaN unless damping_state is 0 or 5"}
//:   log_decrement_first: {unit: "1", tangent: true, about: "the same of the first cycle alone"}
//:   log_decrement_last:  {unit: "1", tangent: true, about: "the same of the last cycle alone"}
//:   log_decrement_error: {unit: "1", about: bound of the error of log_decrement}
//:   damping_state:       {type: whole, unit: "1", about: "0 measured, 1 no_oscillation, 2 few_cycles, 3 undersampled, 4 irregular, 5 growing, 6 unfinished"}

// The logarithmic decrement is ln(A/A') of the amplitudes A and A' of two successive cycles, with viscous damping 2 pi
// zeta/sqrt(1 - zeta^2) (Chopra, Dynamics of Structures, section 2.2; Clough and Penzien, Dynamics of Structures,
// section 2-6, on free vibrations). Here:
//
// - An extremum is a middle observation that its neighbours do not pass. Its height is that of the quartic through five
//   observations, two to each side, all of them in the window.
// - The amplitude a_k is half the distance between extremum k and k + 1, so that an offset does not matter, and l_k =
//   ln(a_k/a_0). n is the number of amplitudes, two to a cycle.
// - log_decrement is minus twice the least-squares slope of l_k over k; log_decrement_first is ln(a_0/a_2),
//   log_decrement_last ln(a_{n-3}/a_{n-1}). With an amplitude at which the motion is damped otherwise they differ.
// - log_decrement_error is the sum of 12 (r + 6 q)/n, r and q the scatter of l_k about the line and about a parabola,
//   with n - 2 and n - 3 in their denominators; of what parabolas in place of quartics would make of log_decrement; and
//   of 4 epsilon for each observation of a cycle, which rounding may make. Beats are no independent errors, so that n
//   stands there and not its power 3/2. A damping that changes with the amplitude bends l_k as a parabola, half a beat
//   does not: it is about 60 q/n off. Where half a cycle is nearly a whole number of observations, heights are missed
//   by nearly the same each time and drift: there is no scatter then, and the parabolas tell.
//
// The damping_state is the first that holds of: 6, the point has failed; 1, fewer than two extrema: it does not
// oscillate, or there is too little of it; 2, fewer than four amplitudes, two cycles; 3, fewer than 8 observations to a
// cycle; 4, the error is above a tenth of |log_decrement| and 1e-5: beats, noise, several modes, a damping that changes
// much; 5, the amplitude grows by more than the error; 0.
//
// What it cannot see: a window that holds less than half a beat sees a decay, or growth, and so would anyone who sees
// one coordinate. The energy shows it, since beats lose none (energy_loss), and so does a longer window. The comparison
// below shows the beat too, so that it is not taken for the method's. A coordinate that has died down to rounding ends
// in noise: let the window end before.
//
// Physical and numerical damping: log_decrement is their sum. implicit_midpoint conserves, and has no damping of its
// own at any step. What it makes of a physical damping is off by the square of the step: the same point by
// implicit_midpoint with a step 8 times smaller has the physical part, and what is left is the numerical one, negative
// where a method takes from the physical damping more than it adds.

//
// Derivatives: where the quartic turns its height does not change with the place, so that the derivative of a height is
// the quartic through the derivatives, there. Logarithms and least squares follow; the fit is linear in l_k.

#include "extremum.h"

TANGENT(static void M(begin_tangents)(const Observation *o, M(State) *m) {
    real d[TANGENTS];
    EACH_TANGENT(j) {
        m->d_top[j] = m->d_first_across[j] = m->d_log1[j] = m->d_log2[j] = ZERO;
        m->d_decrement_first[j] = m->d_decrement_last[j] = ZERO;
        m->d_next[j] = m->d_slope[j] = m->d_bend[j] = ZERO;
    }
    BACK_BEGIN(m, back)
    OF_TANGENTS(o, d);
    BACK_NEXT(m, back, d)
})

static void M(start)(const Observation *o, M(State) *m)
{
    m->top = ZERO;
    m->lift = ZERO;
    m->first_across = ZERO;
    m->log1 = ZERO;
    m->log2 = ZERO;
    m->decrement_first = ZERO;
    m->decrement_last = ZERO;
    m->next = ZERO;
    m->slope = ZERO;
    m->bend = ZERO;
    m->scatter = ZERO;
    m->lift_next = ZERO;
    m->lift_slope = ZERO;
    m->lift_bend = ZERO;
    m->first = ZERO;
    m->last = ZERO;
    m->extrema = (whole)(0);
    TANGENT(M(begin_tangents)(o, m);)
}

// Point number n, y, of a parabola fitted by least squares to points at 1, 2, ..., n: from the fit of those before,
// given by what it expects at n (nothing, of the first), its slope there and half its second derivative, to the fit of
// all at n + 1. How far the point is off what was expected is returned. This is the recursive form of least squares
// (Morrison, Introduction to Sequential Smoothing and Prediction, on the expanding memory polynomial filter); sums
// would cancel.
//   per  1/(n (n + 1) (n + 2))
static real M(fit)(mask at, real n, real per, real y, real *next, real *slope, real *bend)
{
    const real expected = choose(n == 1.0, y, *next), off = y - expected, part = 3.0 * off * per;
    const real value = expected + (3.0 * n * (n - 1.0) + 2.0) * part;
    const real steeper = *slope + (12.0 * n - 6.0) * part, bent = *bend + 10.0 * part;
    *next = choose(at, value + steeper + bent, *next);
    *slope = choose(at, steeper + 2.0 * bent, *slope);
    *bend = choose(at, bent, *bend);
    return off;
}

// `lift` is how far the parabola's height is above the quartic's.
static void M(add_amplitude)(mask at, real top, real lift, M(State) *m)
{
    const real n = to_real(m->extrema), per = 1.0 / (n * (n + 1.0) * (n + 2.0)), across = top - m->top;
    m->first_across = choose(at & (n == 1.0), across, m->first_across);
    const real l = real_log(real_abs(across / m->first_across)),
               off = M(fit)(at, n, per, l, &m->next, &m->slope, &m->bend);
    m->scatter = choose(at, m->scatter + (n - 1.0) * (n - 2.0) * (n - 3.0) * per * off * off, m->scatter);
    M(fit)(at, n, per, (lift - m->lift) / across, &m->lift_next, &m->lift_slope, &m->lift_bend);
    m->decrement_first = choose(at & (n == 3.0), -l, m->decrement_first);
    m->decrement_last = choose(at, m->log2 - l, m->decrement_last);
    m->log2 = choose(at, m->log1, m->log2);
    m->log1 = choose(at, l, m->log1);
}

// Before an extremum is added.
//   s  where the quartic turns
TANGENT(static void M(derive_extremum)(mask at, real s, real top, const real d[TANGENTS], M(State) *m) {
    const mask more = at & (m->extrema > 0);
    const real n = to_real(m->extrema), per = 1.0 / (n * (n + 1.0) * (n + 2.0)), across = top - m->top,
               first_across = choose(n == 1.0, across, m->first_across);
    EACH_TANGENT(j) {
        const Quartic by = BACK_QUARTIC(m, back, d, j);
        const real    d_top = quartic_at(&by, s), d_across = d_top - m->d_top[j];
        m->d_first_across[j] = choose(more & (n == 1.0), d_across, m->d_first_across[j]);
        const real d_log = d_across / across - m->d_first_across[j] / first_across;
        M(fit)(more, n, per, d_log, &m->d_next[j], &m->d_slope[j], &m->d_bend[j]);
        m->d_decrement_first[j] = choose(more & (n == 3.0), -d_log, m->d_decrement_first[j]);
        m->d_decrement_last[j] = choose(more, m->d_log2[j] - d_log, m->d_decrement_last[j]);
        m->d_log2[j] = choose(more, m->d_log1[j], m->d_log2[j]);
        m->d_log1[j] = choose(more, d_log, m->d_log1[j]);
        m->d_top[j] = choose(at, d_top, m->d_top[j]);
    }
})

static void M(add_extremum)(mask at, const Observation *o, M(State) *m)
{
    TANGENT(real d[TANGENTS]; OF_TANGENTS(o, d);)
    const Quartic q = LAST_QUARTIC(OF_BEFORE, o);
    real          height;
    const real    s = quartic_turn(&q, parabola_vertex(&q, &height)), top = quartic_at(&q, s);
    const real    place = to_real(o->step - 2) + s;
    TANGENT(M(derive_extremum)(at, s, top, d, m);)
    M(add_amplitude)(at & (m->extrema > 0), top, height - top, m);
    m->first = choose(at & (m->extrema == 0), place, m->first);
    m->last = choose(at, place, m->last);
    m->top = choose(at, top, m->top);
    m->lift = choose(at, height - top, m->lift);
    m->extrema = count(m->extrema, at);
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const mask turned = LAST_TURNS(OF_BEFORE, o) & WITHIN(o->t) & WITHIN(TIME_AFTER(to_real(o->step - 4), o->h, o->p));
    if (any_lane(turned))
        M(add_extremum)(turned, o, m);
    TANGENT(real d[TANGENTS]; OF_TANGENTS(o, d); BACK_NEXT(m, back, d))
}

static real M(amplitudes)(const M(State) *m) { return to_real(m->extrema) - 1.0; }
static real M(observations_per_cycle)(const M(State) *m) { return 2.0 * (m->last - m->first) / M(amplitudes)(m); }

// The slope of the parabola in the middle, which is that of the line, of a cycle.
static real M(slope)(real slope, real bend, real n) { return 2.0 * (slope - bend * (n + 1.0)); }
static real M(decrement)(const M(State) *m) { return -M(slope)(m->slope, m->bend, M(amplitudes)(m)); }

static real M(error)(const M(State) *m)
{
    const real n = M(amplitudes)(m), bent = m->bend * m->bend * (n * (n * n - 1.0) * (n * n - 4.0) / 180.0);
    const real line = real_sqrt((m->scatter + bent) / (n - 2.0)), parabola = real_sqrt(m->scatter / (n - 3.0));
    const real lift = real_abs(M(slope)(m->lift_slope, m->lift_bend, n));
    return 12.0 * (line + 6.0 * parabola) / n + lift + 4.0 * EPSILON * M(observations_per_cycle)(m);
}

static whole M(damping_state)(const Observation *o, const M(State) *m)
{
    const real decrement = M(decrement)(m), error = M(error)(m);
    whole      state = choose_whole(decrement < -error, (whole)(5), (whole)(0));
    state = choose_whole(error <= 0.1 * real_abs(decrement) + 1e-5, state, (whole)(4));
    state = choose_whole(M(observations_per_cycle)(m) < 8.0, (whole)(3), state);
    state = choose_whole(m->extrema < 5, (whole)(2), state);
    state = choose_whole(m->extrema < 2, (whole)(1), state);
    return choose_whole(o->step < o->steps, (whole)(6), state);
}

static real M(where_measured)(const Observation *o, const M(State) *m, real value)
{
    const whole state = M(damping_state)(o, m);
    return choose((state == 0) | (state == 5), value, NOT_A_NUMBER);
}

static real M(log_decrement)(const Observation *o, const M(State) *m)
{
    return M(where_measured)(o, m, M(decrement)(m));
}

static real M(log_decrement_first)(const Observation *o, const M(State) *m)
{
    return M(where_measured)(o, m, m->decrement_first);
}

static real M(log_decrement_last)(const Observation *o, const M(State) *m)
{
    return M(where_measured)(o, m, m->decrement_last);
}

static real M(log_decrement_error)(const Observation *o, const M(State) *m)
{
    return M(where_measured)(o, m, M(error)(m));
}

TANGENT(static real M(d_log_decrement)(const Observation *o, const M(State) *m, int j) {
    return M(where_measured)(o, m, -M(slope)(m->d_slope[j], m->d_bend[j], M(amplitudes)(m)));
})

TANGENT(static real M(d_log_decrement_first)(const Observation *o, const M(State) *m, int j) {
    return M(where_measured)(o, m, m->d_decrement_first[j]);
})

TANGENT(static real M(d_log_decrement_last)(const Observation *o, const M(State) *m, int j) {
    return M(where_measured)(o, m, m->d_decrement_last[j]);
})
