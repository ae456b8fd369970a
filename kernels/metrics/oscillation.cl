//: metric: oscillation
//: title: Amplitude, decay and period of one coordinate
//: state: [y0, y1, first_amplitude, last_amplitude, first_time, first_log, sum_t, sum_l, sum_tt, sum_tl, first_crossing, last_crossing]
//: counts: [observed, extrema, crossings]
//: options: [of, window]
//: results:
//:   amplitude_initial: {unit: "1", about: magnitude of the first interpolated extremum}
//:   amplitude_final:   {unit: "1", about: magnitude of the last interpolated extremum}
//:   decay_rate:        {unit: 1/s, about: "minus the least-squares slope of ln|extremum| over time; NaN with fewer than two"}
//:   damping_ratio:     {unit: "1", about: decay_rate period/(2 pi)}
//:   period:            {unit: s, about: mean time between interpolated upward zero crossings; NaN with fewer than two}
//:   period_error:      {unit: "1", about: period over the exact one minus 1, needs: [period]}

// An extremum is a middle observation that its neighbours do not pass; the parabola through the three gives its height
// and time. The sums run over extrema after the first that is not zero, in time and logarithm relative to it, so that
// nothing large cancels.

static void M(start)(const Observation *o, M(State) *m)
{
    m->y0 = ZERO;
    m->y1 = OF(o->s->x, o->p);
    m->observed = count((whole)(0), (o->t >= FROM) & (o->t <= TO));
    m->first_amplitude = ZERO;
    m->last_amplitude = ZERO;
    m->first_time = ZERO;
    m->first_log = ZERO;
    m->sum_t = ZERO;
    m->sum_l = ZERO;
    m->sum_tt = ZERO;
    m->sum_tl = ZERO;
    m->first_crossing = ZERO;
    m->last_crossing = ZERO;
    m->extrema = (whole)(0);
    m->crossings = (whole)(0);
}

static void M(add_extremum)(mask at, real y, real t, M(State) *m)
{
    const mask first = at & (m->extrema == 0);
    const real size = real_log(real_abs(y));
    m->first_amplitude = choose(first, real_abs(y), m->first_amplitude);
    m->last_amplitude = choose(at, real_abs(y), m->last_amplitude);
    m->first_time = choose(first, t, m->first_time);
    m->first_log = choose(first, size, m->first_log);
    const real dt = choose(at, t - m->first_time, ZERO), dl = choose(at, size - m->first_log, ZERO);
    m->sum_t = m->sum_t + dt;
    m->sum_l = m->sum_l + dl;
    m->sum_tt = m->sum_tt + dt * dt;
    m->sum_tl = m->sum_tl + dt * dl;
    m->extrema = count(m->extrema, at);
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real y = OF(o->s->x, o->p);
    const mask in = (o->t >= FROM) & (o->t <= TO);
    m->observed = choose_whole(in, m->observed + 1, (whole)(0));

    const real d1 = m->y1 - m->y0, d2 = y - m->y1;
    const mask turned = ((d1 > ZERO) & (d2 <= ZERO)) | ((d1 < ZERO) & (d2 >= ZERO));
    if (any_lane(turned & (m->observed >= 3))) {
        const real c = d2 - d1, s = d1 + d2;
        const real top = m->y1 - s * s / (8.0 * c);
        M(add_extremum)(turned & (m->observed >= 3) & (top != ZERO), top, o->t - o->h - o->h * s / (2.0 * c), m);
    }
    const mask rose = (m->observed >= 2) & (m->y1 < ZERO) & (y >= ZERO);
    const real crossing = o->t - o->h + o->h * m->y1 / (m->y1 - y);
    m->first_crossing = choose(rose & (m->crossings == 0), crossing, m->first_crossing);
    m->last_crossing = choose(rose, crossing, m->last_crossing);
    m->crossings = count(m->crossings, rose);
    m->y0 = m->y1;
    m->y1 = y;
}

static real M(amplitude_initial)(const M(State) *m, const Params *p)
{
    return choose(m->extrema > 0, m->first_amplitude, NOT_A_NUMBER);
}

static real M(amplitude_final)(const M(State) *m, const Params *p)
{
    return choose(m->extrema > 0, m->last_amplitude, NOT_A_NUMBER);
}

static real M(decay_rate)(const M(State) *m, const Params *p)
{
    const real n = to_real(m->extrema);
    return choose(m->extrema > 1, -(n * m->sum_tl - m->sum_t * m->sum_l) / (n * m->sum_tt - m->sum_t * m->sum_t),
                  NOT_A_NUMBER);
}

static real M(period)(const M(State) *m, const Params *p)
{
    return choose(m->crossings > 1, (m->last_crossing - m->first_crossing) / to_real(m->crossings - 1), NOT_A_NUMBER);
}

static real M(damping_ratio)(const M(State) *m, const Params *p)
{
    return M(decay_rate)(m, p) * M(period)(m, p) / TWO_PI;
}
static real M(period_error)(const M(State) *m, const Params *p) { return M(period)(m, p) / period(p) - 1.0; }
