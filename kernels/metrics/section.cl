//: metric: section
//: title: States where one quantity crosses a level, a Poincare section
//: source: Henon 1982, Physica D 5, section 2, by interpolation in place of a step in the quantity
//: listed: true
//: state: [y]
//: vectors: [x, v]
//: counts: [taken]
//: options: [of, window]
//: parameters:
//:   level:     {default: 0.0, unit: "1", about: "what is crossed, in the unit of the quantity"}
//:   direction: {default: up, choices: [up, down, both], about: which crossings are taken}
//:   samples:   {default: 64, min: 1, max: 4096, type: whole, unit: "1", about: most samples of a point}
//: results:
//:   section_x:     {unit: "1", samples: samples, per_dof: true, about: coordinates at the first crossings in the window}
//:   section_v:     {unit: "1", samples: samples, per_dof: true, needs: [velocity], about: velocities there}
//:   section_t:     {unit: s, samples: samples, about: times of these crossings}
//:   section_count: {unit: "1", type: whole, about: crossings taken}

// A crossing is found as by `events`; its place in the step by ten steps of the secant method (of Illinois's kind,
// which keeps the crossing between its ends) on the quantity at the states of between.h. Where the place still moves
// after them, as of a quantity that hardly changes over most of the step, halving goes on from the ends.

#include "between.h"

enum { M(SECANTS) = 9, M(HALVINGS) = 60 };

static real M(now)(const Observation *o) { return choose(WITHIN(o->t), OF(o) - ARGUMENT(level), NOT_A_NUMBER); }

static void M(keep)(const Observation *o, M(State) *m)
{
    EACH_DOF(i) {
        m->x[i] = o->s->x[i];
        m->v[i] = o->s->v[i];
    }
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->y = M(now)(o);
    m->taken = (whole)(0);
    M(keep)(o, m);
}

// Halves the part of the step, low to high, that holds the crossing, in the lanes that are `aside`.
static real M(halve)(const Observation *o, const M(State) *m, mask aside, real low, real high, real s,
                     Observation *there, Seen *state)
{
    for (int k = 0; any_lane(aside) && k < M(HALVINGS); ++k) {
        real x[DOF], v[DOF];
        s = choose(aside, 0.5 * (low + high), s);
        between(o, s, m->x, m->v, x, v);
        there->t = o->before + s * o->h;
        EACH_DOF(i) {
            state->x[i] = choose(aside, x[i], state->x[i]);
            state->v[i] = choose(aside, v[i], state->v[i]);
        }
        const real y = OF_STATE(there) - ARGUMENT(level);
        const mask before = ((y < ZERO) & (m->y < ZERO)) | ((y > ZERO) & (m->y > ZERO));
        low = choose(before, s, low);
        high = choose(before, high, s);
        aside = aside & (y != ZERO) & (high - low > EPSILON * high);
    }
    return s;
}

static void M(take)(const Observation *o, M(State) *m, mask crossed, real now)
{
    Seen        state = *o->s;
    Observation there = *o;
    real        low = ZERO, high = ONE, at_low = m->y, at_high = now, s = ZERO, earlier = ZERO;
    there.s = &state;
    for (int k = 0; k <= M(SECANTS); ++k) {
        earlier = s;
        // Once the quantity is 0 the place is found; another secant would divide 0 by 0.
        s = choose(at_high == ZERO, high, low - at_low * (high - low) / (at_high - at_low));
        between(o, s, m->x, m->v, state.x, state.v);
        there.t = o->before + s * o->h;
        const real y = OF_STATE(&there) - ARGUMENT(level);
        // The end on the other side of the crossing stays, and counts half as much where it stayed before.
        const mask same = ((y < ZERO) & (at_high < ZERO)) | ((y > ZERO) & (at_high > ZERO)) | (y == ZERO);
        at_low = choose(same, 0.5 * at_low, at_high);
        low = choose(same, low, high);
        high = s;
        at_high = y;
    }
    const mask aside = crossed & (at_high != ZERO) & (real_abs(s - earlier) > real_sqrt(EPSILON) * s);
    if (UNLIKELY(any_lane(aside))) {
        // The end that is on the side of the state before comes first.
        const mask first = ((at_high < ZERO) & (m->y < ZERO)) | ((at_high > ZERO) & (m->y > ZERO));
        s = M(halve)(o, m, aside, choose(first, high, low), choose(first, low, high), s, &there, &state);
    }
    EACH_DOF(i) {
        KEEP(section_x, crossed, m->taken, i, state.x[i]);
        KEEP(section_v, crossed, m->taken, i, state.v[i]);
    }
    KEEP(section_t, crossed, m->taken, 0, o->before + s * o->h);
    m->taken = count(m->taken, crossed);
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real now = M(now)(o);
    const mask up = (m->y < ZERO) & (now >= ZERO), down = (m->y > ZERO) & (now <= ZERO);
    const int  direction = ARGUMENT(direction);
    const mask either = direction == M(direction_up) ? up : direction == M(direction_down) ? down : up | down;
    const mask crossed = either & (to_real(m->taken) < ARGUMENT(samples));
    if (any_lane(crossed))
        M(take)(o, m, crossed, now);
    m->y = now;
    M(keep)(o, m);
}

static whole M(section_x)(const Observation *o, const M(State) *m) { return m->taken; }
static whole M(section_v)(const Observation *o, const M(State) *m) { return m->taken; }
static whole M(section_t)(const Observation *o, const M(State) *m) { return m->taken; }
static whole M(section_count)(const Observation *o, const M(State) *m) { return m->taken; }
