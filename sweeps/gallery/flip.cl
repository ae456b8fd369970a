//: metric: flip
//: title: When a rod first goes over the top
//: state: [time]
//: results:
//:   flip_time: {unit: s, about: "time after which an angle is beyond pi; NaN where none is"}

static mask M(over)(const Observation *o) { return norm(o->s->x) > 3.14159265358979312; }

static void M(start)(const Observation *o, M(State) *m) { m->time = choose(M(over)(o), o->t, NOT_A_NUMBER); }

static void M(observe)(const Observation *o, M(State) *m)
{
    m->time = choose(M(over)(o) & (m->time != m->time), o->t, m->time);
}

static real M(flip_time)(const Observation *o, const M(State) *m) { return m->time; }
