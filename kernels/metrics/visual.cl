//: metric: visual
//: title: Whether the motion looks right
//: needs: [slow, solution]
//: options: [window]
//: state: [angle, radius]
//: counts: [sample]
//: results:
//:   angle_error_max:  {unit: rad, about: "largest distance, around the circle, of the slow coordinate from the solution's, or from that of the problem's limit; NaN where that would take more than 20 million evaluations"}
//:   visually_correct: {unit: "1", about: "1 where the fast coordinate stays within 0.1 and angle_error_max below 0.5 rad in the window, else 0; NaN likewise"}

// Wu 2018, section 2.5.3, judges by eye whether the elastic pendulum swings like the rigid one it becomes as eps -> 0.
// Both are seen where the solution has samples: every step with a closed form, else at up to 1024 steps and a few more.

static void M(observe)(const Observation *o, M(State) *m)
{
    const mask due = solution_due(o, m->sample), seen = due & WITHIN(o->t);
    if (any_lane(seen)) {
        const real apart = slow(o->s->x, o->p) - solution_slow(o, m->sample);
        const real angle = real_abs(real_atan2(real_sin(apart), real_cos(apart)));
        const real radius = real_abs(fast(o->s->x, o->p));
        m->angle = choose(seen & !(angle <= m->angle), angle, m->angle);
        m->radius = choose(seen & !(radius <= m->radius), radius, m->radius);
    }
    m->sample = count(m->sample, due);
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->angle = ZERO;
    m->radius = ZERO;
    m->sample = (whole)(0);
    M(observe)(o, m);
}

static real M(angle_error_max)(const Observation *o, const M(State) *m) { return m->angle; }

static real M(visually_correct)(const Observation *o, const M(State) *m)
{
    const mask right = (m->radius <= 0.1) & (m->angle < 0.5);
    return choose(m->angle == m->angle, choose(right, ONE, ZERO), NOT_A_NUMBER);
}
