//: metric: extent
//: title: How far a point moves
//: state: [largest]
//: results:
//:   x_max: {unit: "1", about: "largest |x_i| over time and degrees of freedom"}

static void M(start)(const Observation *o, M(State) *m) { m->largest = norm(o->s->x); }
static void M(observe)(const Observation *o, M(State) *m) { m->largest = real_max(m->largest, norm(o->s->x)); }
static real M(x_max)(const Observation *o, const M(State) *m) { return m->largest; }
