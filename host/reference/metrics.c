// metrics -- the functions of a problem as gauges ask for them, and each gauge's answer as a number.
#include "reference/metrics.h"

#include "gauges/between.h"
#include "reference/eigen.h"

#include <math.h>
#include <string.h>

double metrics_distance(const ReferenceProblem *problem, const void *params, double t, const double *x)
{
    double y[REFERENCE_DOFS] = {0}, v[REFERENCE_DOFS] = {0};
    problem->exact(t, params, y, v);
    for (size_t i = 0; i < problem->dofs; ++i)
        y[i] -= x[i];
    return eigen_inf_norm(problem->dofs, y);
}

static void find(const void *found_by, Scalar which, Ball t, const Ball *x, const Ball *v, Ball *numbers)
{
    const Metrics          *metrics = found_by;
    const ReferenceProblem *problem = metrics->functions;
    const void             *p = metrics->params;
    const size_t            n = problem->dofs, count = which == SCALAR_RATES || which == SCALAR_SOLUTION ? n : 1;
    double                  place[REFERENCE_DOFS], speed[REFERENCE_DOFS], found[REFERENCE_DOFS];
    for (size_t i = 0; i < n; ++i) {
        place[i] = x ? (double)x[i].at : 0.0;
        speed[i] = v ? (double)v[i].at : 0.0;
    }
    switch (which) {
    case SCALAR_ENERGY: *found = problem->energy(place, speed, p); break;
    case SCALAR_KINETIC: *found = problem->kinetic(place, speed, p); break;
    case SCALAR_FAST: *found = problem->fast(place, p); break;
    case SCALAR_SLOW: *found = problem->slow(place, p); break;
    case SCALAR_PERIOD: *found = problem->period(p); break;
    case SCALAR_DISSIPATION: *found = problem->dissipation(place, speed, p); break;
    case SCALAR_POWER:
        problem->drive((double)t.at, p, place);
        *found = 0.0;
        for (size_t i = 0; i < n; ++i)
            *found += place[i] * speed[i];
        break;
    case SCALAR_RATES: problem->acceleration((double)t.at, place, speed, p, found); break;
    case SCALAR_SOLUTION: problem->exact((double)t.at, p, found, speed); break;
    case SCALAR_COUNT: break;
    }
    for (size_t i = 0; i < count; ++i)
        numbers[i] = ball(found[i]);
}

void metrics_start(Metrics *metrics)
{
    metrics->problem = gauge_problem(metrics->group->problem, metrics->group->dofs, find, metrics);
    gauge_begin(metrics->group, metrics->gauges);
}

// Which metrics are shown an observation.
typedef enum MetricsShown { SHOWN_ALL, SHOWN_STEPS, SHOWN_ARCS } MetricsShown;

// Shows the states at both ends of a step or of an arc.
//   begun_x, begun_v  NULL at t = 0
static bool show(Metrics *metrics, MetricsShown shown, uint64_t step, uint64_t steps, const MetricsTimes *times,
                 const double *begun_x, const double *begun_v, const State *state, Error *err)
{
    static const int64_t counts[GAUGE_COUNTS];
    const size_t         n = metrics->group->dofs;
    Ball                 x[REFERENCE_DOFS], v[REFERENCE_DOFS], solution[REFERENCE_DOFS];
    Sight                sight = {.problem = &metrics->problem,
                                  .step = step,
                                  .steps = steps,
                                  .h = times->h,
                                  .step_length = times->step_length,
                                  .before = times->before,
                                  .t = times->t,
                                  .x = x,
                                  .v = v,
                                  .last_x = begun_x,
                                  .last_v = begun_v,
                                  .dense = times->dense,
                                  .arguments = metrics->arguments,
                                  .parameters = metrics->parameters,
                                  .sample = solution_at(&metrics->samples, step),
                                  .solved = metrics->samples.solved,
                                  .solution = solution};
    for (size_t i = 0; i < n; ++i) {
        x[i] = ball(state->x[i]);
        v[i] = ball(state->v[i]);
    }
    for (size_t i = 0; i < metrics->group->instance_count; ++i) {
        Gauge     *gauge = &metrics->gauges[i];
        const bool of_arcs = gauge->instance->card->takes_arcs;
        if ((shown == SHOWN_ALL || of_arcs == (shown == SHOWN_ARCS)) && !gauge_observe(gauge, &sight, counts, err))
            return false;
    }
    memcpy(metrics->shown_x, state->x, n * sizeof *state->x);
    memcpy(metrics->shown_v, state->v, n * sizeof *state->v);
    return true;
}

bool metrics_observe(Metrics *metrics, const Stepping *stepping, uint64_t steps, double t, double before,
                     const State *state, Error *err)
{
    const size_t       n = metrics->group->dofs;
    const bool         first = stepping->steps == 0;
    const MetricsTimes times = {before, t, stepping->h, stepping->h, NULL};
    if (!show(metrics, !first && group_arcs(metrics->group) ? SHOWN_STEPS : SHOWN_ALL, stepping->steps, steps, &times,
              first ? NULL : metrics->last_x, first ? NULL : metrics->last_v, state, err))
        return false;
    memcpy(metrics->last_x, state->x, n * sizeof *state->x);
    memcpy(metrics->last_v, state->v, n * sizeof *state->v);
    return true;
}

bool metrics_see_arc(Metrics *metrics, const SteppingArc *arc, uint64_t step, uint64_t steps, const MetricsTimes *times,
                     Error *err)
{
    return show(metrics, SHOWN_ARCS, step, steps, times, arc->begun->x, arc->begun->v, arc->end, err);
}

void metrics_between(const Metrics *metrics, const MetricsTimes *times, const double *begun_x, const double *begun_v,
                     const State *state, double time, State *there)
{
    const Sight       sight = {.problem = &metrics->problem};
    const BetweenStep step = {times->before, times->t, times->h, begun_x, begun_v, state->x, state->v, times->dense};
    const size_t      n = metrics->group->dofs;
    Between           between;
    Ball              found[2 * REFERENCE_DOFS];
    between_make(&sight, &step, &between);
    between_state(&sight, &between, ball(((long double)time - times->before) / times->h), found);
    for (size_t i = 0; i < n; ++i) {
        there->x[i] = (double)found[i].at;
        there->v[i] = (double)found[n + i].at;
    }
}

double metrics_observed(const Metrics *metrics, double t, const State *state, const struct Node *formula)
{
    Ball        x[REFERENCE_DOFS], v[REFERENCE_DOFS];
    const Sight sight = {.problem = &metrics->problem, .t = t, .x = x, .v = v, .parameters = metrics->parameters};
    for (size_t i = 0; i < metrics->group->dofs; ++i) {
        x[i] = ball(state->x[i]);
        v[i] = ball(state->v[i]);
    }
    return (double)gauge_formula(&sight, formula).at;
}

static uint64_t evaluations(const Stepping *s)
{
    if (s->step.method->implicit)
        return s->tally.residual_evaluations;
    return (uint64_t)s->evaluations * (s->step.method->adaptive ? s->trials : s->steps + s->pieces);
}

// Counts and condition numbers.
static double own_number(const Stepping *s, const char *result)
{
    const Tally *tally = &s->tally;
    const struct {
        const char *name;
        double      number;
    } numbers[] = {
        {"steps", (double)s->steps},
        {"substeps", (double)s->substeps},
        {"updates", (double)tally->updates},
        {"updates_per_step_max", (double)s->updates_per_step_max},
        {"jacobians", (double)tally->jacobians},
        {"residual_evaluations", (double)tally->residual_evaluations},
        {"evaluations", (double)evaluations(s)},
        {"failed_solves", (double)(s->step.method->adaptive ? s->rejected : tally->failed_solves)},
        {"stagnated_solves", (double)(tally->stagnated_solves + s->forced)},
        {"depth_max", (double)s->depth_max},
        {"condition_last", tally->condition_last},
        {"condition_mean", exp(tally->condition_log_sum / (double)tally->accepted_solves)},
        {"condition_max", tally->condition_max},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (strcmp(numbers[i].name, result) == 0)
            return numbers[i].number;
    return NAN;
}

// A result of the sweep's events, by its number on their card: the time at the end where an event may stop a point,
// then of each entry the count and the times.
static double event_number(const Stepping *stepping, size_t result)
{
    const Crossings *crossings = stepping->crossings;
    const Events    *events = crossings->group->events;
    size_t           first = 0;
    if (events->stop && result-- == 0)
        return crossings->ended;
    for (size_t i = 0; i < events->count; ++i) {
        const EventEntry *entry = &events->list[i];
        if (!entry->count)
            continue;
        if (result == 0)
            return (double)crossings->seen[i];
        if (result <= entry->times)
            return crossings->times[first + result - 1];
        result -= 1 + entry->times;
        first += entry->times;
    }
    return NAN;
}

double metrics_value(Metrics *metrics, const Stepping *stepping, const Variable *variable, size_t k)
{
    Gauge            *gauge = &metrics->gauges[variable->instance];
    const CardResult *result = &gauge->instance->card->results[variable->result];
    const bool        ok = stepping->status == STATUS_OK;
    Sight             sight = {.problem = &metrics->problem,
                               .h = stepping->h,
                               .arguments = metrics->arguments,
                               .parameters = metrics->parameters};
    Expected          expected;
    if (!gauge->known || (!ok && !result->whole))
        return NAN;
    if (gauge->instance->card->of_events)
        return event_number(stepping, variable->result);
    if (!gauge->kind)
        return own_number(stepping, result->name);
    gauge_expect(gauge, &sight, result, k, ok, &expected);
    if (expected.among)
        return __builtin_ctz(expected.among);
    return expected.number ? (double)expected.value.at : (double)NAN;
}
