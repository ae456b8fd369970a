//: metric: poincare
//: title: States once a period, as a Poincare map takes them
//: source: Guckenheimer and Holmes 1983, section 1.5
//: listed: true
//: vectors: [x, v]
//: counts: [taken]
//: parameters:
//:   period:  {above: 0, unit: s, about: "time between samples, no shorter than the step; of a driven system its period, 2*pi/force_omega"}
//:   phase:   {default: 0.0, min: begin, unit: s, about: time of the first sample without skip}
//:   skip:    {default: 0, min: 0, type: whole, unit: "1", about: periods that are left out first}
//:   samples: {default: 64, min: 1, max: 4096, type: whole, unit: "1", about: most samples of a point}
//: results:
//:   poincare_x:     {unit: "1", samples: samples, per_dof: true, about: "coordinates at phase + (skip + k) period; NaN where the motion has ended before"}
//:   poincare_v:     {unit: "1", samples: samples, per_dof: true, needs: [velocity], about: velocities then}
//:   poincare_count: {unit: "1", type: whole, about: samples taken}

// Between two observations the state is that of between.h. A period that is shorter than the step has no samples.

#include "between.h"

static real M(due)(const Observation *o, const M(State) *m)
{
    return ARGUMENT(phase) + (ARGUMENT(skip) + to_real(m->taken)) * ARGUMENT(period);
}

static mask M(wanted)(const Observation *o, const M(State) *m)
{
    return (ARGUMENT(period) >= STEP_LENGTH(o)) & (to_real(m->taken) < ARGUMENT(samples));
}

static void M(take)(const Observation *o, M(State) *m, mask due, const real x[DOF], const real v[DOF])
{
    EACH_DOF(i) {
        KEEP(poincare_x, due, m->taken, i, x[i]);
        KEEP(poincare_v, due, m->taken, i, v[i]);
    }
    m->taken = count(m->taken, due);
}

static void M(keep)(const Observation *o, M(State) *m)
{
    EACH_DOF(i) {
        m->x[i] = o->s->x[i];
        m->v[i] = o->s->v[i];
    }
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->taken = (whole)(0);
    M(take)(o, m, M(wanted)(o, m) & (M(due)(o, m) <= o->t), o->s->x, o->s->v);
    M(keep)(o, m);
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real time = M(due)(o, m);
    const mask due = M(wanted)(o, m) & (time <= o->t);
    if (any_lane(due)) {
        real x[DOF], v[DOF];
        between(o, (time - o->before) / o->h, m->x, m->v, x, v);
        M(take)(o, m, due, x, v);
    }
    M(keep)(o, m);
}

static whole M(poincare_x)(const Observation *o, const M(State) *m) { return m->taken; }
static whole M(poincare_v)(const Observation *o, const M(State) *m) { return m->taken; }
static whole M(poincare_count)(const Observation *o, const M(State) *m) { return m->taken; }
