//: metric: kinetic
//: title: Kinetic energy over a window of time
//: needs: [kinetic]
//: state: [largest, sum]
//: options: [window]
//: results:
//:   kinetic_max:      {unit: J, about: largest kinetic energy in the window}
//:   kinetic_integral: {unit: J s, about: integral of the kinetic energy over the window by the trapezoidal rule}

// Fang 2018 (TR-2018-01), section 4.2, looks at the kinetic energy over the last seconds. An observation is the end of
// two intervals of the trapezoidal rule, and counts half for each of them that lies in the window. The one after the
// last step is there no more: its half is taken off in the end.

static void M(observe)(const Observation *o, M(State) *m)
{
    const real now = KINETIC(o);
    const mask in = WITHIN(o->t), since = in & WITHIN(o->before), on = in & WITHIN(o->after);
    m->largest = choose(in, larger(now, m->largest), m->largest);
    m->sum = m->sum + choose(since & on, now, choose(since | on, 0.5 * now, ZERO));
}

static void M(start)(const Observation *o, M(State) *m)
{
    const mask in = WITHIN(o->t);
    m->largest = choose(in, KINETIC(o), -REAL_INFINITY);
    m->sum = choose(in & WITHIN(o->after), 0.5 * KINETIC(o), ZERO);
}

static real M(kinetic_max)(const Observation *o, const M(State) *m)
{
    return choose(m->largest >= ZERO, m->largest, NOT_A_NUMBER);
}

static real M(kinetic_integral)(const Observation *o, const M(State) *m)
{
    const real late = choose(WITHIN(o->t) & WITHIN(o->after), 0.5 * KINETIC(o), ZERO);
    return o->h * choose(is_finite(late), m->sum - late, m->sum);
}
