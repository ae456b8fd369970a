//: metric: error
//: title: Distance from the solution
//: needs: [solution]
//: state: [last, largest]
//: counts: [sample]
//: options: [window]
//: results:
//:   error_max:   {unit: "1", about: "max over the window of ||x - x_solution||_inf; NaN where the solution would take more than 20 million evaluations"}
//:   error_final: {unit: "1", about: "||x - x_solution||_inf at the end of the window; NaN likewise"}

// The problem's closed form, after every step; or, where the metric is listed and there is none, a table made on the
// host, at up to 1024 steps and a few more. A table that would have cost too much is not a number, and so is the error
// then.

static void M(observe)(const Observation *o, M(State) *m)
{
    const mask due = solution_due(o, m->sample);
    if (any_lane(due)) {
        real x[DOF];
        solution(o, m->sample, x);
        for (int i = 0; i < DOF; ++i)
            x[i] = o->s->x[i] - x[i];
        const mask in = due & WITHIN(o->t);
        m->last = choose(in, norm(x), m->last);
        m->largest = choose(in & !(m->last <= m->largest), m->last, m->largest);
    }
    m->sample = count(m->sample, due);
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->largest = ZERO - 1.0;
    m->last = NOT_A_NUMBER;
    m->sample = (whole)(0);
    M(observe)(o, m);
}

static real M(error_max)(const Observation *o, const M(State) *m)
{
    return choose(m->largest < ZERO, NOT_A_NUMBER, m->largest);
}
static real M(error_final)(const Observation *o, const M(State) *m) { return m->last; }
