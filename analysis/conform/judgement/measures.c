// measures -- points of a batch: the states seen of each, and the results that follow from them.
#include "analysis/conform/judgement/measures.h"

#include "analysis/conform/judgement/equations.h"
#include "analysis/conform/judgement/measures_tally.h"
#include "analysis/conform/judgement/piece.h"
#include "analysis/conform/judgement/scalars.h"
#include "gauges/between.h"
#include "plan/derivatives.h"
#include "plan/events.h"
#include "plan/observe.h"
#include "reference/point.h"
#include "reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A point's measures so far.
typedef struct SeenPoint {
    MeasuresTally     tally;
    Gauge            *gauges;    // [instance_count]
    double           *x, *v;     // [dofs] where it came to
    double           *tangents;  // [derivatives][2][dofs] of them
    CertificateShare *fields;    // [variable_count] of the samples so far; NULL: it has no trajectory
    int64_t           step, status;
    double           *events;  // [1 + counts and times] when the point ends, numbers and times of events so far
    bool              seen;
    size_t            slot, next;  // of its trajectory in the batch; the sample to come
} SeenPoint;

struct Measures {
    const Plan       *plan;
    const Group      *group;
    const Exact      *exact;
    const Batch      *batch;
    const Results    *results;
    bool             *known;   // [variable_count]
    bool              mean;    // the kernel keeps the product of condition numbers
    SeenPoint        *points;  // [room]
    Gauge            *gauges;  // [room][instance_count]
    double           *states;  // [room][2][dofs], each with its derivatives
    double           *events;  // [room][event_numbers()]
    CertificateShare *fields;  // [room][variable_count] where the group stores trajectories
    size_t            room;
};

struct MeasuresRoom {
    Scalars      scalars;
    GaugeProblem problem;
    double      *arguments;  // of the metrics, instance after instance
    Ball         x[GAUGE_DOFS], v[GAUGE_DOFS], solution[GAUGE_DOFS];
};

bool measures_knows(const Group *group, const Variable *variable)
{
    return variable->source == SOURCE_METRIC ? gauge_knows(group->instances[variable->instance].card)
                                             : derivatives_walked(variable);
}

bool measures_make(const Plan *plan, const Group *group, const Exact *exact, bool reference, Measures **measures,
                   Error *err)
{
    Measures *made = calloc(1, sizeof *made);
    *measures = made;
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    *made = (Measures){.plan = plan, .group = group, .exact = exact};
    made->known = calloc(group->variable_count, sizeof *made->known);
    if (!made->known)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; i < group->variable_count; ++i) {
        made->known[i] = measures_knows(group, &group->variables[i]) && (!reference || reference_computes(group, i));
        made->mean = made->mean || variable_records(group, &group->variables[i], RECORD_CONDITION_MEAN);
    }
    return true;
}

static void free_points(Measures *measures)
{
    for (size_t i = 0; i < measures->room; ++i)
        gauge_end(measures->group, measures->gauges + i * measures->group->instance_count);
    free(measures->points);
    free(measures->gauges);
    free(measures->states);
    free(measures->events);
    free(measures->fields);
    measures->room = 0;
}

void measures_free(Measures *measures)
{
    if (!measures)
        return;
    free_points(measures);
    free(measures->known);
    free(measures);
}

static bool is_single(const Measures *measures)
{
    return measures->plan->precision == PRECISION_SINGLE;
}

bool measures_make_room(const Measures *measures, Arena *arena, MeasuresRoom **room, Error *err)
{
    const Group *group = measures->group;
    *room = arena_take(arena, 1, sizeof **room, err);
    if (*room)
        (*room)->problem = gauge_problem(group->problem, group->dofs, scalars_find, &(*room)->scalars);
    return *room && ((*room)->arguments = arena_take(arena, point_argument_count(group) + 1, sizeof(double), err)) &&
           scalars_make(measures->exact, group->problem, group->dofs, is_single(measures), arena, &(*room)->scalars,
                        err);
}

static size_t event_numbers(const Group *group)
{
    return group->events ? 1 + group->events->count + group->events->times : 0;
}

static bool make_points(Measures *measures, size_t count, Error *err)
{
    const Group *group = measures->group;
    const bool   stored = group->trajectory.stored;
    free_points(measures);
    measures->points = calloc(count, sizeof *measures->points);
    measures->gauges = calloc(count * group->instance_count + 1, sizeof *measures->gauges);
    measures->states = calloc(count * 2 * group_state_dofs(group), sizeof *measures->states);
    measures->events = calloc(count * event_numbers(group) + 1, sizeof *measures->events);
    measures->fields = stored ? calloc(count * group->variable_count, sizeof *measures->fields) : NULL;
    if (!measures->points || !measures->gauges || !measures->states || !measures->events ||
        (stored && !measures->fields))
        return fail(err, ERROR_INTERNAL, "out of memory for the metrics of %zu points", count);
    measures->room = count;
    return true;
}

static void begin_point(Measures *measures, size_t i)
{
    const Group *group = measures->group;
    SeenPoint   *point = &measures->points[i];
    bool         stored;
    *point = (SeenPoint){.gauges = measures->gauges + i * group->instance_count,
                         .x = measures->states + i * 2 * group_state_dofs(group)};
    point->v = point->x + group->dofs;
    point->tangents = point->v + group->dofs;
    point->events = measures->events + i * event_numbers(group);
    point->slot = (size_t)(group_slot(group, measures->batch->first_point + i, &stored) - measures->batch->first_slot);
    point->fields = stored ? measures->fields + i * group->variable_count : NULL;
    for (size_t k = 0; stored && k < group->variable_count; ++k)
        point->fields[k] = (CertificateShare){0};
    gauge_begin(group, point->gauges);
}

bool measures_begin(Measures *measures, const Batch *batch, const Results *results, Error *err)
{
    measures->batch = batch;
    measures->results = results;
    if (batch->point_count > measures->room && !make_points(measures, batch->point_count, err))
        return false;
    for (size_t i = 0; i < batch->point_count; ++i)
        begin_point(measures, i);
    return true;
}

// A time as the kernel has it.
static double time_of(const Measures *measures, int64_t step, double h, double begin)
{
    if (is_single(measures))
        return (double)((float)((float)step * (float)h) + (float)begin);
    return (double)step * h + begin;
}

// The Sight of a point's metrics at a step, the point's parameters loaded.
static Sight look(const Measures *measures, MeasuresRoom *room, size_t point, int64_t step, const double *x,
                  const double *v)
{
    const Group   *group = measures->group;
    const uint64_t number = measures->batch->first_point + point, steps = group_steps(group, number);
    const double   h = point_input_number(measures->plan, group_step(group, number)),
                 begin = point_input_number(measures->plan, group_begin(group, number));
    const SolutionSamples samples = solution_of(measures->batch->solution, group, number, steps);
    point_arguments(measures->plan, group, number, room->arguments);
    exact_point_load(&room->scalars.point, measures->plan, group, number);
    for (size_t i = 0; i < group->dofs; ++i) {
        room->x[i] = ball(x[i]);
        room->v[i] = ball(v[i]);
    }
    return (Sight){.problem = &room->problem,
                   .u = room->scalars.point.unit,
                   .single = is_single(measures),
                   .step = (uint64_t)step,
                   .steps = steps,
                   .h = h,
                   .step_length = h,
                   .before = time_of(measures, step - 1, h, begin),
                   .t = time_of(measures, step, h, begin),
                   .x = room->x,
                   .v = room->v,
                   .solution = room->solution,
                   .arguments = room->arguments,
                   .parameters = room->scalars.point.numbers,
                   .sample = solution_at(&samples, (uint64_t)step),
                   .solved = group->solution};
}

// Keeps the larger share of a bound.
static void note(CertificateShare *worst, CertificateShare share)
{
    if (!worst->equation || !(share.share <= worst->share))
        *worst = share;
}

// Of a number that must be another one, to the last bit but for which NaN it is.
static CertificateShare share_same(const char *formula, size_t dof, double number, double must)
{
    const bool equal = number == must || (isnan(number) && isnan(must));
    return equations_share(formula, dof, equal ? 0.0L : INFINITY, 0.0L);
}

// Whether rounding leaves nothing to demand.
static bool is_open(const Expected *expected)
{
    return expected->number && !expected->among && !(expected->value.off < INFINITY);
}

// Of a number that must be as is expected.
static CertificateShare compare(const Expected *expected, double number)
{
    const char *formula = expected->formula;
    if (is_open(expected))
        return equations_share(formula, 0, 0.0L, 0.0L);
    if (isnan(number))
        return equations_share(formula, 0, expected->nan ? 0.0L : INFINITY, 0.0L);
    if (!expected->number)
        return equations_share(formula, 0, INFINITY, 0.0L);
    if (expected->among) {
        const bool member =
            number >= 0.0 && number < 32.0 && number == floor(number) && (expected->among >> (unsigned)number & 1u);
        return equations_share(formula, 0, member ? 0.0L : INFINITY, 0.0L);
    }
    // A condition number may be infinite, and so is its expected value.
    return number == expected->value.at
               ? equations_share(formula, 0, 0.0L, 0.0L)
               : equations_share(formula, 0, fabsl(number - expected->value.at), expected->value.off);
}

// Of a field that is a number, at a sample. Updates and condition numbers are the walk's.
static CertificateShare judge_field(const Measures *measures, Sight *sight, const WalkState *state,
                                    const Variable *variable, double number)
{
    Expected expected;
    Ball     apart = ball(0.0L);
    switch (variable->source) {
    case SOURCE_CONDITION: return share_same("condition, of a sample", 0, number, state->condition.last);
    case SOURCE_UPDATES: return share_same("updates, of a sample", 0, number, (double)state->n.updates);
    case SOURCE_ENERGY: expected = gauge_number(gauge_scalar(sight, SCALAR_ENERGY), "energy, of a sample"); break;
    case SOURCE_KINETIC: expected = gauge_number(gauge_scalar(sight, SCALAR_KINETIC), "kinetic, of a sample"); break;
    case SOURCE_FAST: expected = gauge_number(gauge_scalar(sight, SCALAR_FAST), "fast, of a sample"); break;
    case SOURCE_SLOW: expected = gauge_number(gauge_scalar(sight, SCALAR_SLOW), "slow, of a sample"); break;
    case SOURCE_OBSERVED:
        expected = gauge_number(gauge_formula(sight, measures->group->observing->list[variable->instance].formula),
                                "observed, of a sample");
        break;
    case SOURCE_ERROR:
        for (size_t i = 0; i < measures->group->dofs; ++i)
            apart = gauge_max(apart, gauge_abs(ball_sub(sight->u, sight->x[i], gauge_solution(sight)[i])));
        expected = gauge_number(apart, "error, of a sample");
        break;
    default: return share_same("a field that is not known", 0, 0.0, 1.0);
    }
    return compare(&expected, number);
}

// The Sight of a sample at a time within the step that has come to its end.
//   state  [2 dofs] written: x and v there
static Sight look_between(const Measures *measures, const SeenPoint *point, const Sight *sight, const WalkState *after,
                          Ball *state)
{
    const BetweenStep step = {sight->before, sight->t, sight->h, sight->last_x,
                              sight->last_v, after->x, after->v, sight->dense};
    const double      time = group_sample_time(measures->group, point->next);
    Between           between;
    Sight             there = *sight;
    between_make(sight, &step, &between);
    const Ball part = ball_div(sight->u, ball_sub(sight->u, ball(time), ball(sight->before)), ball(sight->h));
    between_state(sight, &between, part, state);
    memset(there.found, 0, sizeof there.found);
    there.t = time;
    there.x = state;
    there.v = state + measures->group->dofs;
    return there;
}

// Of a coordinate or a velocity at a time within a step.
static CertificateShare judge_between(const char *formula, Ball value, double number)
{
    const Expected expected = gauge_number(value, formula);
    return compare(&expected, number);
}

static void see_sample(const Measures *measures, SeenPoint *point, const Sight *seen, const WalkState *state)
{
    const Group *group = measures->group;
    const bool   within = group->trajectory.times && seen->last_x;
    Ball         between[2 * GAUGE_DOFS];
    Sight        sight = within ? look_between(measures, point, seen, state, between) : *seen;
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        const size_t    n = variable->per_dof ? group->dofs : 1, first = point->next * n;
        const bool      x = variable->source == SOURCE_X, v = variable->source == SOURCE_V;
        for (size_t k = 0; variable->trajectory && measures->known[i] && k < n; ++k) {
            const double number = results_value(measures->results, i, point->slot, first + k);
            note(&point->fields[i], within && x   ? judge_between("x, of a sample at a time", sight.x[k], number)
                                    : within && v ? judge_between("v, of a sample at a time", sight.v[k], number)
                                    : x           ? share_same("x, of a sample", k, number, state->x[k])
                                    : v           ? share_same("v, of a sample", k, number, state->v[k])
                                                  : judge_field(measures, &sight, state, variable, number));
        }
    }
    ++point->next;
}

// A count of a metric among its state rows, which has as many bits as a real.
static int64_t count_of(const Measures *measures, double row)
{
    int64_t wide;
    int32_t narrow;
    if (measures->plan->precision == PRECISION_SINGLE) {
        const float number = (float)row;
        memcpy(&narrow, &number, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, &row, sizeof wide);
    return wide;
}

//   arc  it is an arc's end, and not a step's
static bool see_metrics(const Measures *measures, SeenPoint *point, Sight *sight, bool arc, const WalkState *before,
                        const WalkState *after, Error *err)
{
    const bool arcs = before && group_arcs(measures->group);
    size_t     row = 0;
    bool       ok = true;
    for (size_t i = 0; ok && i < measures->group->instance_count; ++i) {
        Gauge      *gauge = &point->gauges[i];
        const Card *card = gauge->instance->card;
        int64_t     counts[GAUGE_COUNTS] = {0};
        sight->kept = after->metrics + row;
        row += group_metric_rows(measures->group, gauge->instance) - card->count_count;
        for (size_t k = 0; k < card->count_count && k < GAUGE_COUNTS; ++k)
            counts[k] = count_of(measures, after->metrics[row + k]) -
                        (before ? count_of(measures, before->metrics[row + k]) : 0);
        row += card->count_count;
        if (!arcs || arc == card->takes_arcs)
            ok = gauge_observe(gauge, sight, counts, err);
    }
    return ok;
}

// A time after a step as the kernel has it.
static double time_within(const Measures *measures, double t, double reached)
{
    return is_single(measures) ? (double)((float)t + (float)reached) : t + reached;
}

// Shows an arc of an adaptive method to what looks between the ends of steps: samples at given times, and metrics.
//   sight  of the observation after the last step that has ended
static bool see_arc(const Measures *measures, SeenPoint *point, size_t number, Sight sight, const WalkState *before,
                    const WalkState *after, Error *err)
{
    const Group    *group = measures->group;
    const StepPiece piece = piece_of(group, is_single(measures), sight.step_length, before);
    const double begin = point_input_number(measures->plan, group_begin(group, measures->batch->first_point + number));
    sight.before = time_within(measures, time_of(measures, before->step, sight.step_length, begin), before->reached);
    sight.t = time_within(measures, sight.t, after->reached);
    sight.h = piece_substep(&piece, is_single(measures), before);
    sight.last_x = before->x;
    sight.last_v = before->v;
    if (card_dense(group->method) < group->method->scratch_count)
        sight.dense = after->own + (group_kept_vectors(group) + card_dense(group->method)) * group->dofs;
    while (point->fields && group->trajectory.times &&
           point->next < group_samples(group, measures->batch->first_point + number) &&
           (sight.step >= sight.steps || group_sample_time(group, point->next) <= sight.t))
        see_sample(measures, point, &sight, after);
    return see_metrics(measures, point, &sight, true, before, after, err);
}

bool measures_see(Measures *measures, MeasuresRoom *room, size_t point, const WalkState *before, const WalkState *after,
                  Error *err)
{
    const Group *group = measures->group;
    SeenPoint   *seen = &measures->points[point];
    Sight        sight = look(measures, room, point, after->step, after->x, after->v);
    bool         ok = true;
    measures_tally_see(&seen->tally, group, sight.u, sight.h, measures->mean, before, after);
    seen->seen = true;
    seen->status = after->status;
    seen->step = after->step;
    if (group->events) {
        seen->events[0] = after->ended;
        memcpy(seen->events + 1, after->seen, (event_numbers(group) - 1) * sizeof *seen->events);
    }
    const bool arcs = group_arcs(group), stepped = !before || after->step > before->step;
    if (before && arcs && (stepped || after->reached != before->reached))
        ok = see_arc(measures, seen, point, sight, before, after, err);
    if (!stepped) {
        if (after->status == STATUS_OK) {  // an event has ended it within a step
            memcpy(seen->x, after->x, group->dofs * sizeof *seen->x);
            memcpy(seen->v, after->v, group->dofs * sizeof *seen->v);
        }
        return ok;
    }
    if (before || after->status == STATUS_NOT_RUN) {
        const uint64_t number = measures->batch->first_point + point;
        sight.last_x = before ? seen->x : NULL;
        sight.last_v = before ? seen->v : NULL;
        while (seen->fields && !(before && arcs && group->trajectory.times) &&
               seen->next < group_samples(group, number) &&
               group_sample_step(group, number, seen->next) == (uint64_t)after->step)
            see_sample(measures, seen, &sight, after);
        ok = ok && see_metrics(measures, seen, &sight, false, before, after, err);
    }
    memcpy(seen->x, after->x, group->dofs * sizeof *seen->x);
    memcpy(seen->v, after->v, group->dofs * sizeof *seen->v);
    for (size_t j = 0; j < group->derivative_count; ++j)
        memcpy(seen->tangents + j * 2 * group->dofs, after->tangents + j * walk_vectors(group) * group->dofs,
               2 * group->dofs * sizeof *seen->tangents);
    return ok;
}

// Samples that were not taken hold no number.
static CertificateShare judge_rest(const Measures *measures, const SeenPoint *point, size_t i)
{
    const Variable  *variable = &measures->group->variables[i];
    const size_t     n = variable->per_dof ? measures->group->dofs : 1;
    CertificateShare worst = point->fields[i];
    for (size_t k = point->next * n; k < variable->width; ++k)
        note(&worst, share_same("NaN, of a sample that was not taken", k % n,
                                results_value(measures->results, i, point->slot, k), (double)NAN));
    return worst;
}

// A result of events, as the walk's last state has it.
static Expected expect_event(const Group *group, const SeenPoint *point, size_t result)
{
    const Events *events = group->events;
    const double *times = point->events + 1 + events->count;
    double        number = point->events[0];
    if (!events->stop || result-- > 0)
        for (size_t i = 0; i < events->count; ++i) {
            const EventEntry *entry = &events->list[i];
            if (!entry->count)
                continue;
            if (result <= entry->times) {
                number = result == 0 ? point->events[1 + i] : times[result - 1];
                break;
            }
            result -= 1 + entry->times;
            times += entry->times;
        }
    return isnan(number) ? gauge_nan("events, of the walk") : gauge_number(ball(number), "events, of the walk");
}

// The expected value of a metric at the end, or of number k of it.
static Expected expect(const Measures *measures, SeenPoint *point, Sight *sight, const Variable *variable, size_t k,
                       bool ok)
{
    Gauge            *gauge = &point->gauges[variable->instance];
    const CardResult *result = &gauge->instance->card->results[variable->result];
    Expected          expected = gauge_nan("NaN, of a point that failed");
    if (gauge->instance->card->of_events && (ok || result->whole))
        expected = expect_event(measures->group, point, variable->result);
    else if (gauge->kind)
        gauge_expect(gauge, sight, result, k, ok, &expected);
    else if (ok || result->whole)
        measures_tally_expect(&point->tally, measures->group, sight->u, result->name, &expected);
    return expected;
}

static CertificateShare judge_variable(const Measures *measures, SeenPoint *point, size_t row, Sight *sight, size_t i,
                                       int64_t status, bool *open)
{
    const Variable  *variable = &measures->group->variables[i];
    const bool       ok = status == STATUS_OK;
    const bool       of_v = variable->source == SOURCE_V_FINAL || variable->source == SOURCE_V_FINAL_D;
    const bool       derived = variable->source == SOURCE_X_FINAL_D || variable->source == SOURCE_V_FINAL_D;
    const double    *last = of_v ? point->v : point->x;
    const char      *name = of_v ? "v_final, its last v" : "x_final, the walk's last x";
    CertificateShare worst = {0};
    if (derived)
        last = point->tangents + (2 * variable->tangent + of_v) * measures->group->dofs;
    if (variable->trajectory)
        return judge_rest(measures, point, i);
    if (variable->source == SOURCE_STATUS)
        return share_same("status, how the walk ended", 0, results_value(measures->results, i, row, 0), (double)status);
    if (variable->source != SOURCE_METRIC) {
        for (size_t k = 0; k < variable->width; ++k)
            note(&worst, share_same(name, k, results_value(measures->results, i, row, k), ok ? last[k] : (double)NAN));
        worst.derivative = derived ? measures->group->derivatives[variable->tangent].name : NULL;
        return worst;
    }
    const char *wrong =
        point->gauges[variable->instance].kind ? point->gauges[variable->instance].wrong : point->tally.wrong;
    *open = true;
    for (size_t k = 0; k < variable->width; ++k) {
        const Expected expected = expect(measures, point, sight, variable, k, ok);
        *open = *open && is_open(&expected);
        note(&worst, compare(&expected, results_value(measures->results, i, row, k)));
    }
    return wrong ? equations_share(wrong, 0, INFINITY, 0.0L) : worst;
}

static void judge_point(const Measures *measures, MeasuresRoom *room, size_t point, MeasuresCount *count)
{
    const Group   *group = measures->group;
    const uint64_t number = measures->batch->first_point + point;
    SeenPoint     *seen = &measures->points[point];
    Sight          sight = look(measures, room, point, seen->step, seen->x, seen->v);
    const bool     through = seen->status == STATUS_NOT_RUN && (uint64_t)seen->step >= sight.steps;
    for (size_t i = 0; i < group->variable_count; ++i) {
        bool open = false;
        if (!seen->seen || !measures->known[i] || (group->variables[i].trajectory && !seen->fields))
            continue;
        const CertificateShare share =
            judge_variable(measures, seen, point, &sight, i, through ? STATUS_OK : seen->status, &open);
        ++count->metrics;
        count->certified += share.share < 1.0;
        count->open += open;
        if (count->metrics == 1 || !(share.share <= count->worst.share)) {
            count->worst = share;
            count->point = number;
        }
    }
}

bool measures_judge(Measures *measures, MeasuresCount *count, Error *err)
{
    Arena         arena = {0};
    MeasuresRoom *room;
    const bool    ok = measures_make_room(measures, &arena, &room, err);
    for (size_t i = 0; ok && i < measures->batch->point_count; ++i)
        judge_point(measures, room, i, count);
    arena_free(&arena);
    return ok;
}
