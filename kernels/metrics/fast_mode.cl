//: metric: fast_mode
//: title: The fast coordinate
//: needs: [fast]
//: state: [largest, sum]
//: counts: [seen]
//: options: [window]
//: results:
//:   high_frequency_amplitude: {unit: "1", about: root mean square of the fast coordinate over what of the window lies in the last quarter of the steps}
//:   radius_error_max:         {unit: "1", about: largest magnitude of the fast coordinate in the window}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real y = FAST(o);
    const mask in = WITHIN(o->t), late = in & (o->step >= o->steps - (o->steps >> 2));
    m->largest = choose(in, larger(m->largest, real_abs(y)), m->largest);
    m->sum = choose(late, real_fma(y, y, m->sum), m->sum);
    m->seen = count(m->seen, late);
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->largest = ZERO - 1.0;
    m->sum = ZERO;
    m->seen = (whole)(0);
    M(observe)(o, m);
}

static real M(high_frequency_amplitude)(const Observation *o, const M(State) *m)
{
    return real_sqrt(m->sum / to_real(m->seen));
}
static real M(radius_error_max)(const Observation *o, const M(State) *m)
{
    return choose(m->largest < ZERO, NOT_A_NUMBER, m->largest);
}
