//: metric: events
//: title: Crossings of a level by one quantity
//: listed: true
//: state: [y, first, last]
//: counts: [seen]
//: options: [of, window]
//: parameters:
//:   level:     {default: 0.0, unit: "1", about: "what is crossed, in the unit of the quantity"}
//:   direction: {default: up, choices: [up, down, both], about: which crossings are counted}
//: results:
//:   event_count:    {unit: "1", type: whole, about: crossings in the window}
//:   event_first:    {unit: s, about: time of the first crossing; NaN without one}
//:   event_last:     {unit: s, about: time of the last crossing; NaN without one}
//:   event_interval: {unit: s, about: mean time between crossings; NaN with fewer than two}

// Upwards an observation below the level is followed by one that is not; downwards one above it. The time is that of
// the straight line between the two, which is off by up to h^2/8 |y''|/|y'|. y is the last observation over the level,
// not a number where there was none in the window: no comparison holds then.

static real M(now)(const Observation *o) { return choose(WITHIN(o->t), OF(o) - ARGUMENT(level), NOT_A_NUMBER); }

static void M(start)(const Observation *o, M(State) *m)
{
    m->y = M(now)(o);
    m->first = NOT_A_NUMBER;
    m->last = NOT_A_NUMBER;
    m->seen = (whole)(0);
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real now = M(now)(o);
    const mask up = (m->y < ZERO) & (now >= ZERO), down = (m->y > ZERO) & (now <= ZERO);
    const int  direction = ARGUMENT(direction);
    const mask crossed = direction == M(direction_up) ? up : direction == M(direction_down) ? down : up | down;
    if (any_lane(crossed)) {
        const real time = o->before - o->h * m->y / (now - m->y);
        m->first = choose(crossed & (m->seen == 0), time, m->first);
        m->last = choose(crossed, time, m->last);
        m->seen = count(m->seen, crossed);
    }
    m->y = now;
}

static whole M(event_count)(const Observation *o, const M(State) *m) { return m->seen; }
static real M(event_first)(const Observation *o, const M(State) *m) { return m->first; }
static real M(event_last)(const Observation *o, const M(State) *m) { return m->last; }

static real M(event_interval)(const Observation *o, const M(State) *m)
{
    return choose(m->seen > 1, (m->last - m->first) / to_real(m->seen - 1), NOT_A_NUMBER);
}
