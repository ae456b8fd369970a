//: metric: stats
//: title: Extremes and means of one quantity over a window
//: listed: true
//: state: [lowest, highest, sum, squares]
//: counts: [seen]
//: options: [of, window]
//: results:
//:   minimum:      {unit: "1", about: least observation in the window}
//:   maximum:      {unit: "1", about: largest observation in the window}
//:   mean_value:   {unit: "1", about: mean of the observations in the window}
//:   rms_value:    {unit: "1", about: root mean square of the observations in the window}
//:   peak_to_peak: {unit: "1", about: maximum minus minimum}

// Observations are a step apart, so that their mean is the mean over time up to half an observation at either end.

static void M(observe)(const Observation *o, M(State) *m)
{
    const mask in = WITHIN(o->t);
    const real now = OF(o);
    m->lowest = choose(in, smaller(now, m->lowest), m->lowest);
    m->highest = choose(in, larger(now, m->highest), m->highest);
    m->sum = choose(in, m->sum + now, m->sum);
    m->squares = choose(in, real_fma(now, now, m->squares), m->squares);
    m->seen = count(m->seen, in);
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->lowest = REAL_INFINITY;
    m->highest = -REAL_INFINITY;
    m->sum = ZERO;
    m->squares = ZERO;
    m->seen = (whole)(0);
    M(observe)(o, m);
}

static real M(minimum)(const Observation *o, const M(State) *m) { return choose(m->seen > 0, m->lowest, NOT_A_NUMBER); }

static real M(maximum)(const Observation *o, const M(State) *m)
{
    return choose(m->seen > 0, m->highest, NOT_A_NUMBER);
}

static real M(mean_value)(const Observation *o, const M(State) *m) { return m->sum / to_real(m->seen); }
static real M(rms_value)(const Observation *o, const M(State) *m) { return real_sqrt(m->squares / to_real(m->seen)); }

static real M(peak_to_peak)(const Observation *o, const M(State) *m)
{
    return choose(m->seen > 0, m->highest - m->lowest, NOT_A_NUMBER);
}
