//: metric: fast_mode
//: title: The fast coordinate
//: needs: [fast]
//: state: [largest, sum]
//: counts: [late]
//: results:
//:   high_frequency_amplitude: {unit: "1", about: root mean square of the fast coordinate over the last quarter of the steps}
//:   radius_error_max:         {unit: "1", about: largest magnitude of the fast coordinate}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real y = fast(o->s->x, o->p);
    const mask last_quarter = 4 * o->step >= 3 * o->steps;
    m->largest = real_max(m->largest, real_abs(y));
    m->sum = choose(last_quarter, real_fma(y, y, m->sum), m->sum);
    m->late = count(m->late, last_quarter);
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->largest = ZERO;
    m->sum = ZERO;
    m->late = (whole)(0);
    M(observe)(o, m);
}

static real M(high_frequency_amplitude)(const M(State) *m, const Params *p)
{
    return real_sqrt(m->sum / to_real(m->late));
}
static real M(radius_error_max)(const M(State) *m, const Params *p) { return m->largest; }
