//: metric: fast_mode
//: title: The fast coordinate
//: needs: [fast]
//: state: [largest, sum]
//: results:
//:   high_frequency_amplitude: {unit: "1", about: root mean square of the fast coordinate over the last quarter of the steps}
//:   radius_error_max:         {unit: "1", about: largest magnitude of the fast coordinate}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real y = fast(o->s->x, o->p);
    m->largest = real_max(m->largest, real_abs(y));
    m->sum = choose(o->step >= o->steps - (o->steps >> 2), real_fma(y, y, m->sum), m->sum);
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->largest = ZERO;
    m->sum = ZERO;
    M(observe)(o, m);
}

static real M(high_frequency_amplitude)(const Observation *o, const M(State) *m)
{
    return real_sqrt(m->sum / to_real((o->steps >> 2) + 1));
}
static real M(radius_error_max)(const Observation *o, const M(State) *m) { return m->largest; }
