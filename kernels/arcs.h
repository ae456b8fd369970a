// arcs.h -- shows arcs to what looks between the ends of steps: samples at given times, and metrics by between.h.
//
// An arc is a substep that was taken. To a metric it is an observation: `before`, `t`, `h` and both states are the
// arc's, `step` counts the steps that have ended.

#include "samples.h"

// Takes the samples that are due up to the arc's end, after the last step all of them: its end may fall short of
// their times by a rounding.
//   begun  the states where the arc begins
#if TIMED
static void arcs_sample(const Sampling *s, mask arced, const Seen *begun, const Observation *o, const Point *q)
{
    const mask stored = arced & (load_whole(s->parameters + ROW_SLOT * s->stride) >= 0), through = o->step >= o->steps;
    whole      sample = load_whole(s->taken);
    real       t = sample_time(sample);
    mask       due = stored & (sample < SAMPLE_TIMES) & ((t <= o->t) | through);
    while (any_lane(due)) {
        Point there = *q;
        real  frame[FRAME_ROWS + 1];
        between(o, (t - o->before) / o->h, begun->x, begun->v, there.s.x, there.s.v);
#ifdef TANGENTS
        between_tangents(o, (t - o->before) / o->h, begun->x, begun->v, there.s.x, there.s.v);
#endif
        find_frame(t, q->n.updates, &there, o->p, frame);
        save_frame(s, due, sample, frame);
        sample = count(sample, due);
        t = sample_time(sample);
        due = due & (sample < SAMPLE_TIMES) & ((t <= o->t) | through);
    }
    save_whole(s->taken, sample);
}
#endif

#define SHOW_ARC(name) name##_observe(o, &metrics->name);
#define HOLD_REAL(name) metrics->name = choose(arced, metrics->name, before.name);
#define HOLD_WHOLE(name) metrics->name = choose_whole(arced, metrics->name, before.name);

static void arcs_show(mask arced, const Observation *o, Metrics *metrics)
{
    const Metrics before = *metrics;
    ARC_METRICS(SHOW_ARC)
    ARC_NUMBERS(HOLD_REAL, HOLD_WHOLE)
}

// Shows what the last attempt of a path took. Lanes that took nothing see an arc that nothing is due in.
static void arcs_observe(const Path *path, const Seen *begun, const Observation *always, Metrics *metrics,
                         const Sampling *s, const Point *q, const Params *p, const Settings *set)
{
    if (!any_lane(path->arced))
        return;
    const Params here = *p;
    Observation  o = *always;
    Seen         now;
    block_see(&q->s, &now);
    o.s = &now;
    o.p = &here;
#ifdef DENSE
    o.dense = &q->s;
#endif
    o.before = path->from;
    o.h = q->size;
    o.t = choose(path->arced, TIME_AFTER(to_real(q->step), set->h, p) + q->reached, -REAL_INFINITY);
    o.step = choose_whole(path->arced, q->step, (whole)(-1));
#if TIMED
    arcs_sample(s, path->arced, begun, &o, q);
#endif
    arcs_show(path->arced, &o, metrics);
}
