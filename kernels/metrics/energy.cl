//: metric: energy
//: title: Energy at the start and at the end of a window, and how far it strays
//: needs: [energy]
//: state: [first, last, scale, lowest, highest]
//: options: [window]
//: results:
//:   energy_initial: {unit: J, about: energy at the window's first observation}
//:   energy_final:   {unit: J, about: energy at its last one}
//:   energy_drift:   {unit: "1", about: "max |E - E0| / max(|E0|, K0) over the window, E0 and the kinetic energy K0, if there is one, at its start"}
//:   energy_ratio:   {unit: "1", about: final over initial energy}

static real M(scale)(const Observation *o, real first)
{
    return larger(real_abs(first), kinetic_or_none(o->s->x, o->s->v, o->p));
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->first = choose(WITHIN(o->t), ENERGY(o), NOT_A_NUMBER);
    m->scale = M(scale)(o, m->first);
    m->last = m->first;
    m->lowest = m->first;
    m->highest = m->first;
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real now = ENERGY(o);
    const mask in = WITHIN(o->t), begins = in & !WITHIN(o->before);
    if (UNLIKELY(any_lane(begins))) {
        m->first = choose(begins, now, m->first);
        m->scale = choose(begins, M(scale)(o, m->first), m->scale);
        m->lowest = choose(begins, now, m->lowest);
        m->highest = choose(begins, now, m->highest);
    }
    m->last = choose(in, now, m->last);
    m->lowest = choose(in, smaller(now, m->lowest), m->lowest);
    m->highest = choose(in, larger(now, m->highest), m->highest);
}

static real M(energy_initial)(const Observation *o, const M(State) *m) { return m->first; }
static real M(energy_final)(const Observation *o, const M(State) *m) { return m->last; }
static real M(energy_drift)(const Observation *o, const M(State) *m)
{
    return larger(m->highest - m->first, m->first - m->lowest) / m->scale;
}
static real M(energy_ratio)(const Observation *o, const M(State) *m) { return m->last / m->first; }
