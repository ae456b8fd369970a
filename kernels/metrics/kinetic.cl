//: metric: kinetic
//: title: Kinetic energy over a window of time
//: needs: [kinetic]
//: state: [last, largest, integral]
//: counts: [inside]
//: options: [window]
//: results:
//:   kinetic_max:      {unit: J, about: largest kinetic energy in the window}
//:   kinetic_integral: {unit: J s, about: integral of the kinetic energy over the window by the trapezoidal rule}

// Fang 2018 (TR-2018-01), section 4.2, looks at the kinetic energy over the last seconds. `inside` is 1 where the last
// observation lay in the window.

static void M(start)(const Observation *o, M(State) *m)
{
    const mask in = (o->t >= FROM) & (o->t <= TO);
    m->last = kinetic(o->s->x, o->s->v, o->p);
    m->largest = choose(in, m->last, -REAL_INFINITY);
    m->integral = ZERO;
    m->inside = count((whole)(0), in);
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real now = kinetic(o->s->x, o->s->v, o->p);
    const mask in = (o->t >= FROM) & (o->t <= TO);
    m->largest = choose(in, real_max(m->largest, now), m->largest);
    m->integral = choose(in & (m->inside == 1), m->integral + 0.5 * o->h * (m->last + now), m->integral);
    m->inside = count((whole)(0), in);
    m->last = now;
}

static real M(kinetic_max)(const M(State) *m, const Params *p)
{
    return choose(m->largest >= ZERO, m->largest, NOT_A_NUMBER);
}

static real M(kinetic_integral)(const M(State) *m, const Params *p) { return m->integral; }
