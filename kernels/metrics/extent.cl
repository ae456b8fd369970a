//: metric: extent
//: title: How far a point moves
//: state: [largest]
//: options: [window]
//: results:
//:   x_max: {unit: "1", about: "largest |x_i| over the window and degrees of freedom"}

static void M(observe)(const Observation *o, M(State) *m)
{
    m->largest = choose(WITHIN(o->t), larger(m->largest, norm(o->s->x)), m->largest);
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->largest = choose(WITHIN(o->t), norm(o->s->x), ZERO - 1.0);
}

static real M(x_max)(const Observation *o, const M(State) *m)
{
    return choose(m->largest >= ZERO, m->largest, NOT_A_NUMBER);
}
