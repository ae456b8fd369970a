//: metric: energy
//: title: Energy at the start, at the end, and how far it strays
//: needs: [energy]
//: state: [first, scale, lowest, highest]
//: results:
//:   energy_initial: {unit: J, about: energy at t = 0}
//:   energy_final:   {unit: J, about: energy at the end}
//:   energy_drift:   {unit: "1", about: "max |E - E0| / max(|E0|, |v0|^2/2)"}
//:   energy_ratio:   {unit: "1", about: final over initial energy}

static real M(now)(const Observation *o) { return energy(o->s->x, o->s->v, o->p); }

static void M(start)(const Observation *o, M(State) *m)
{
    real square = ZERO;
    for (int i = 0; i < DOF; ++i)
        square = real_fma(o->s->v[i], o->s->v[i], square);
    m->first = M(now)(o);
    m->scale = real_max(real_abs(m->first), 0.5 * square);
    m->lowest = m->first;
    m->highest = m->first;
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real now = M(now)(o);
    m->lowest = real_min(now, m->lowest);
    m->highest = real_max(now, m->highest);
}

static real M(energy_initial)(const Observation *o, const M(State) *m) { return m->first; }
static real M(energy_final)(const Observation *o, const M(State) *m) { return M(now)(o); }
static real M(energy_drift)(const Observation *o, const M(State) *m)
{
    return real_max(m->highest - m->first, m->first - m->lowest) / m->scale;
}
static real M(energy_ratio)(const Observation *o, const M(State) *m) { return M(now)(o) / m->first; }
