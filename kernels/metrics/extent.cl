//: metric: extent
//: title: How far a point moves
//: state: [largest]
//: tangents: [largest]
//: options: [window]
//: results:
//:   x_max: {unit: "1", tangent: true, about: "largest |x_i| over the window and degrees of freedom"}

TANGENT(static void M(see_tangents)(const Observation *o, mask in, M(State) *m) {
    EACH_DOF(i) {
        const real size = real_abs(o->s->x[i]);
        const mask farther = in & (size > m->largest), below = o->s->x[i] < ZERO;
        real       d[TANGENTS];
        element_tangents(o->s->x, i, d);
        EACH_TANGENT(j)
            m->d_largest[j] = choose(farther, choose(below, -d[j], d[j]), m->d_largest[j]);
        m->largest = choose(farther, size, m->largest);
}
})

static void M(observe)(const Observation *o, M(State) *m)
{
    TANGENT(M(see_tangents)(o, WITHIN(o->t), m);)
    m->largest = choose(WITHIN(o->t), larger(m->largest, norm(o->s->x)), m->largest);
}

static void M(start)(const Observation *o, M(State) *m)
{
    TANGENT(m->largest = ZERO - 1.0; EACH_TANGENT(j) m->d_largest[j] = ZERO;)
    TANGENT(M(see_tangents)(o, WITHIN(o->t), m);)
    m->largest = choose(WITHIN(o->t), norm(o->s->x), ZERO - 1.0);
}

static real M(x_max)(const Observation *o, const M(State) *m)
{
    return choose(m->largest >= ZERO, m->largest, NOT_A_NUMBER);
}

TANGENT(static real M(d_x_max)(const Observation *o, const M(State) *m, int j) {
    return choose(m->largest >= ZERO, m->d_largest[j], NOT_A_NUMBER);
})
