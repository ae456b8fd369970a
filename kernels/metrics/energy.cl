//: metric: energy
//: title: Energy at the start, at the end, and how far it strays
//: needs: [energy]
//: state: [first, last, scale, worst]
//: results:
//:   energy_initial: {unit: J, about: energy at t = 0}
//:   energy_final:   {unit: J, about: energy at the end}
//:   energy_drift:   {unit: "1", about: "max |E - E0| / max(|E0|, |v0|^2/2)"}
//:   energy_ratio:   {unit: "1", about: final over initial energy}

static void M(start)(const Observation *o, M(State) *m)
{
    real square = ZERO;
    for (int i = 0; i < DOF; ++i)
        square = real_fma(o->s->v[i], o->s->v[i], square);
    m->first = energy(o->s->x, o->s->v, o->p);
    m->last = m->first;
    m->scale = real_max(real_abs(m->first), 0.5 * square);
    m->worst = ZERO;
}

static void M(observe)(const Observation *o, M(State) *m)
{
    m->last = energy(o->s->x, o->s->v, o->p);
    m->worst = real_max(m->worst, real_abs(m->last - m->first));
}

static real M(energy_initial)(const M(State) *m, const Params *p) { return m->first; }
static real M(energy_final)(const M(State) *m, const Params *p) { return m->last; }
static real M(energy_drift)(const M(State) *m, const Params *p) { return m->worst / m->scale; }
static real M(energy_ratio)(const M(State) *m, const Params *p) { return m->last / m->first; }
