//: metric: error
//: title: Distance from the exact solution
//: needs: [exact]
//: state: [last, largest]
//: results:
//:   error_max:   {unit: "1", about: "max over time of ||x - x_exact||_inf"}
//:   error_final: {unit: "1", about: "||x - x_exact||_inf at the end"}

static void M(observe)(const Observation *o, M(State) *m)
{
    real x[DOF], v[DOF];
    exact(o->t, o->p, x, v);
    for (int i = 0; i < DOF; ++i)
        x[i] = o->s->x[i] - x[i];
    m->last = norm(x);
    m->largest = real_max(m->largest, m->last);
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->largest = ZERO;
    M(observe)(o, m);
}

static real M(error_max)(const M(State) *m, const Params *p) { return m->largest; }
static real M(error_final)(const M(State) *m, const Params *p) { return m->last; }
