# rms -- a metric of a user's own: the root mean square of a coordinate, and how many observations it is of.
RMS = """//: metric: rms
//: title: Root mean square of a coordinate
//: state: [squares]
//: counts: [seen]
//: options: [of, window]
//: results:
//:   rms_x: {unit: "1", about: "root mean square of the coordinate"}
//:   rms_seen: {unit: "1", about: "observations", type: whole}

static void M(start)(const Observation *o, M(State) *m)
{
    m->squares = ZERO;
    m->seen = 0;
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real x = OF(o);
    const mask within = WITHIN(o->t);
    m->squares = choose(within, real_fma(x, x, m->squares), m->squares);
    m->seen = count(m->seen, within);
}

static real M(rms_x)(const Observation *o, const M(State) *m) { return real_sqrt(m->squares / to_real(m->seen)); }
static whole M(rms_seen)(const Observation *o, const M(State) *m) { return m->seen; }
"""
