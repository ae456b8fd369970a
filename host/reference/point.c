// point -- the time loop, and the results it writes.
#include "reference/point.h"

#include "reference/eigen.h"
#include "reference/own_problem.h"
#include "plan/derivatives.h"
#include "plan/metric.h"
#include "plan/observe.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Of larger matrices the condition numbers are found only where a metric asks for them.
enum { CONDITIONS_MOST = 32 };

// A problem file of the user's is another problem than a built-in one, whatever its name.
const ReferenceProblem *point_problem(const Card *card, size_t dofs, Error *err)
{
    if (!catalog_embeds(card))
        return own_problem(card, dofs, err);
    for (size_t i = 0; i < reference_problem_count; ++i)
        if (strcmp(reference_problems[i]->name, card->name) == 0 && reference_problems[i]->dofs == dofs)
            return reference_problems[i];
    fail(err, ERROR_INTERNAL, "problem '%s' was not compiled for the reference", card->name);
    return NULL;
}

void point_give_curves(const ReferenceProblem *problem, const Card *card, void *params)
{
    if (params && problem->curves)
        problem->curves(params, card->curves->numbers);
}

bool point_make(const Plan *plan, const Batch *batch, const volatile sig_atomic_t *stop, const Results *results,
                PointRun *run, Error *err)
{
    const Group *group = batch->group;
    *run = (PointRun){
        .plan = plan,
        .batch = batch,
        .stop = stop,
        .results = results,
        .problem = point_problem(group->problem, group->dofs, err),
    };
    if (!run->problem || !(run->method = method_read(group->method, &run->arena, err)))
        return false;
    size_t value_count = group->problem->parameter_count + group->method->parameter_count;
    run->params = arena_take(&run->arena, 1, run->problem->params_bytes, err);
    run->values = arena_take(&run->arena, value_count, sizeof *run->values, err);
    run->breaks.numbers = run->numbers =
        arena_take(&run->arena, group->breaks ? group->breaks->number_count : 1, sizeof *run->numbers, err);
    run->arguments = arena_take(&run->arena, point_argument_count(group) + 1, sizeof *run->arguments, err);
    run->scratch = arena_take(&run->arena, group->method->scratch_count + 1, sizeof *run->scratch, err);
    run->metrics.gauges = arena_take(&run->arena, group->instance_count, sizeof *run->metrics.gauges, err);
    run->metrics.group = group;
    point_give_curves(run->problem, group->problem, run->params);
    return tangents_make(group, run->method, &run->arena, &run->tangents, err) && run->params && run->values &&
           run->numbers && run->arguments && run->scratch && run->metrics.gauges;
}

void point_free(PointRun *run)
{
    if (run->metrics.gauges)
        gauge_end(run->metrics.group, run->metrics.gauges);
    arena_free(&run->arena);
    *run = (PointRun){0};
}

double point_input_number(const Plan *plan, double value)
{
    return plan->precision == PRECISION_SINGLE ? (double)(float)value : value;
}

double point_time(const Plan *plan, double steps, double h, double begin)
{
    return point_input_number(plan, point_input_number(plan, steps * h) + begin);
}

static double input(const PointRun *run, double value)
{
    return point_input_number(run->plan, value);
}

void point_parameters(const Plan *plan, const Group *group, uint64_t point, double *values)
{
    for (size_t i = 0; i < group->problem->parameter_count; ++i)
        values[i] = point_input_number(plan, group_value(group, group->problem_parameters[i], point));
}

size_t point_argument_count(const Group *group)
{
    size_t count = 0;
    for (size_t i = 0; i < group->instance_count; ++i)
        count += group->instances[i].card->parameter_count;
    return count;
}

void point_arguments(const Plan *plan, const Group *group, uint64_t point, double *arguments)
{
    for (size_t i = 0; i < group->instance_count; ++i)
        for (size_t k = 0; k < group->instances[i].card->parameter_count; ++k)
            *arguments++ = point_input_number(plan, metric_argument(group, &group->instances[i], k, point));
}

static void load_values(const PointRun *run, uint64_t point)
{
    const Group *group = run->batch->group;
    size_t       problem_count = group->problem->parameter_count;
    point_parameters(run->plan, group, point, run->values);
    for (size_t i = 0; i < group->method->parameter_count; ++i)
        run->values[problem_count + i] = input(run, group_value(group, group->method_parameters[i], point));
    run->problem->load(run->params, run->values);
}

// Moves a vector by that many units in the last place of its largest component.
static void nudge(const PointRun *run, double *vector)
{
    double largest = eigen_inf_norm(run->problem->dofs, vector);
    double ulp = run->plan->precision == PRECISION_SINGLE
                     ? (double)(nextafterf((float)largest, FLT_MAX) - (float)largest)
                     : nextafter(largest, DBL_MAX) - largest;
    for (size_t i = 0; i < run->problem->dofs && largest > 0.0; ++i)
        vector[i] += run->nudge * ulp;
}

static NewtonRules newton_rules(const PointRun *run, uint64_t point)
{
    const Group  *group = run->batch->group;
    const Newton *newton = &group->newton;
    NewtonRules   rules = {
          .relative = newton->scaled_residual,
          .cube_root_stencil = newton->cube_root_stencil,
          .floor_guard = newton->floor_guard,
          .jacobian = newton->jacobian,
          .differences = group_differences(group),
          .modified = newton->modified,
          .extrapolated = newton->extrapolated,
          .tolerance = input(run, group_tolerance(group, point)),
          .max_updates = (uint64_t)group_value(group, newton->max_updates, point),
          .conditions = group->dofs <= CONDITIONS_MOST || group_records(group, RECORD_CONDITION),
          .widen = 1.0 + run->nudge * 0x1p-10,
    };
    const double time = group->problem->first_order ? 1.0 : input(run, group_step(group, point));
    for (size_t i = 0; newton->scale && i < group->dofs; ++i)
        rules.least[i] = input(run, newton->scale[i]) / time;
    return rules;
}

// The sample being written: which row of which trajectory.
typedef struct Recording {
    bool   stored;
    size_t slot;   // in the batch
    size_t count;  // samples the point has
    size_t next;   // the first that is not written yet
} Recording;

static Recording sampling_start(const PointRun *run, uint64_t point)
{
    const Group *group = run->batch->group;
    Recording    sampling = {0};
    if (!group->trajectory.stored)
        return sampling;
    uint64_t slot = group_slot(group, point, &sampling.stored);
    if (!sampling.stored)
        return sampling;
    sampling.slot = (size_t)(slot - run->batch->first_slot);
    sampling.count = group_samples(group, point);
    for (size_t i = 0; i < group->variable_count; ++i)
        for (size_t j = 0; group->variables[i].trajectory && j < group->variables[i].width; ++j)
            results_put(run->results, i, sampling.slot, j, NAN);
    return sampling;
}

// The expressions that FIELDS gives for the reference.
#define LEFT_OUT(NAME, ...)
#define SAMPLED(NAME, kernel, reference, ...) \
    case SOURCE_##NAME: return reference;

static const double *sampled_vector(const State *state, VariableSource source)
{
    switch (source) {
        FIELDS(SAMPLED, LEFT_OUT)
    default: return NULL;
    }
}

static double sampled_number(const PointRun *run, const Stepping *s, double t, const State *state,
                             VariableSource source)
{
    const ReferenceProblem *problem = run->problem;
    const void             *params = run->params;
    switch (source) {
        FIELDS(LEFT_OUT, SAMPLED)
    default: return NAN;
    }
}

static void put_sample(const PointRun *run, const Recording *sampling, const Stepping *stepping, double t,
                       const State *state)
{
    const Group *group = run->batch->group;
    size_t       n = run->problem->dofs, k = sampling->next;
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        if (!variable->trajectory || !derivatives_walked(variable))
            continue;
        if (variable->source == SOURCE_OBSERVED) {
            const Node *formula = group->observing->list[variable->instance].formula;
            results_put(run->results, i, sampling->slot, k,
                        metrics_observed(&run->metrics, input(run, t), state, formula));
        } else if (variable->per_dof) {
            const double *vector = sampled_vector(state, variable->source);
            for (size_t j = 0; j < n; ++j)
                results_put(run->results, i, sampling->slot, k * n + j, vector[j]);
        } else {
            results_put(run->results, i, sampling->slot, k, sampled_number(run, stepping, t, state, variable->source));
        }
    }
}

// Everything that looks at the trajectory after a full step (and at t = 0) looks here.
static bool observe(PointRun *run, uint64_t point, Recording *sampling, const Stepping *stepping, uint64_t steps,
                    const State *state, Error *err)
{
    const Group *group = run->batch->group;
    // The kernels test a metric's window on the time as they have it, in their own precision.
    const double t = point_time(run->plan, (double)stepping->steps, stepping->h, stepping->begin),
                 before = point_time(run->plan, (double)stepping->steps - 1.0, stepping->h, stepping->begin);
    const MetricsTimes times = {before, t, stepping->h, stepping->h, NULL};
    const bool         of_arcs = group->trajectory.times && group_arcs(group) && stepping->steps > 0;
    while (sampling->stored && !of_arcs && sampling->next < sampling->count &&
           group_sample_step(group, point, sampling->next) == stepping->steps) {
        const double time = group->trajectory.times ? group_sample_time(group, sampling->next) : t;
        State        there;
        step_copy_state(group->dofs, &there, state);
        if (group->trajectory.times && stepping->steps > 0)
            metrics_between(&run->metrics, &times, run->metrics.last_x, run->metrics.last_v, state, time, &there);
        put_sample(run, sampling, stepping, time, &there);
        ++sampling->next;
    }
    return metrics_observe(&run->metrics, stepping, steps, t, before, state, err);
}

// Who looks at a point's arcs.
typedef struct ArcsSeen {
    PointRun  *run;
    Recording *sampling;
    uint64_t   steps;
    Error     *err;
    bool       ok;
} ArcsSeen;

static void see_arc(const Stepping *stepping, const SteppingArc *arc, void *user)
{
    ArcsSeen    *seen = user;
    PointRun    *run = seen->run;
    Recording   *sampling = seen->sampling;
    const Group *group = run->batch->group;
    const double number = (double)stepping->steps, from = point_time(run->plan, number, stepping->h, stepping->begin),
                 end = arc->ended ? point_time(run->plan, number + 1.0, stepping->h, stepping->begin)
                                  : input(run, from + input(run, arc->reached));
    const Card *method = group->method;
    const bool  has_dense = card_dense(method) < method->scratch_count;
    double      dense[6 * REFERENCE_DOFS];
    for (size_t k = 0; has_dense && k < 6; ++k)
        memcpy(dense + k * group->dofs, arc->scratch[card_dense(method) + k], group->dofs * sizeof *dense);
    const MetricsTimes times = {input(run, from + input(run, arc->from)), end, arc->h, stepping->h,
                                has_dense ? dense : NULL};
    const uint64_t     step = stepping->steps + arc->ended;
    while (sampling->stored && group->trajectory.times && sampling->next < sampling->count) {
        const double time = group_sample_time(group, sampling->next);
        State        there;
        if (time > end && step < seen->steps)
            break;
        step_copy_state(group->dofs, &there, arc->end);
        metrics_between(&run->metrics, &times, arc->begun->x, arc->begun->v, arc->end, time, &there);
        put_sample(run, sampling, stepping, time, &there);
        ++sampling->next;
    }
    seen->ok = seen->ok && metrics_see_arc(&run->metrics, arc, step, seen->steps, &times, seen->err);
}

static void put_results(PointRun *run, uint64_t point, const Stepping *stepping, const State *state)
{
    const Group *group = run->batch->group;
    size_t       row = (size_t)(point - run->batch->first_point);
    bool         ok = stepping->status == STATUS_OK;
    for (size_t i = 0; i < group->variable_count; ++i) {
        const Variable *variable = &group->variables[i];
        if (variable->source == SOURCE_STATUS) {
            results_put(run->results, i, row, 0, stepping->status);
        } else if (variable->source == SOURCE_METRIC_D) {
            results_put(run->results, i, row, 0, (double)NAN);
        } else if (variable->source == SOURCE_METRIC) {
            for (size_t k = 0; k < variable->width; ++k)
                results_put(run->results, i, row, k, metrics_value(&run->metrics, stepping, variable, k));
        } else if (variable->source == SOURCE_X_FINAL || variable->source == SOURCE_V_FINAL) {
            const double *vector = variable->source == SOURCE_X_FINAL ? state->x : state->v;
            for (size_t j = 0; j < run->problem->dofs; ++j)
                results_put(run->results, i, row, j, ok ? vector[j] : (double)NAN);
        } else if (variable->source == SOURCE_X_FINAL_D || variable->source == SOURCE_V_FINAL_D) {
            const double *vector =
                tangents_final(run->tangents, variable->tangent, variable->source == SOURCE_V_FINAL_D);
            for (size_t j = 0; j < run->problem->dofs; ++j)
                results_put(run->results, i, row, j, ok ? vector[j] : (double)NAN);
        }
    }
}

void point_begin(PointRun *run, uint64_t point, NewtonRules *rules, Stepping *stepping)
{
    const Group *group = run->batch->group;
    load_values(run, point);
    *rules = newton_rules(run, point);
    *stepping = (Stepping){
        .step = {.method = run->method,
                 .parameters = run->values + group->problem->parameter_count,
                 .start = group->substeps.start,
                 .problem = run->problem,
                 .params = run->params,
                 .rules = rules},
        .h = input(run, group_step(group, point)),
        .begin = input(run, group_begin(group, point)),
        .max_depth = group->substeps.max_depth,
        .evaluations = group->method->evaluations,
        .single = run->plan->precision == PRECISION_SINGLE,
        .update_budget = (uint64_t)fmin(group->substeps.budget * (double)group_steps(group, point), 0x1p62),
        .keeps_history = group->substeps.start == START_VARIABLE,
        .stop = run->stop,
        .watch = run->watch,
        .tally = {.condition_last = NAN, .condition_max = NAN, .decisions = run->decisions},
    };
    stepping->proposed = stepping->h;
    if (!group->breaks)
        return;
    breaks_numbers(group, point, run->numbers);
    for (size_t i = 0; i < group->breaks->number_count; ++i)
        run->numbers[i] = input(run, run->numbers[i]);
    run->breaks = (SteppingBreaks){.group = group, .numbers = run->numbers, .values = run->values};
    stepping->breaks = &run->breaks;
    if (!group->events)
        return;
    run->crossings =
        (Crossings){.group = group,
                    .problem = run->problem,
                    .params = run->params,
                    .values = run->values,
                    .h = stepping->h,
                    .ended = point_time(run->plan, (double)group_steps(group, point), stepping->h, stepping->begin)};
    stepping->crossings = &run->crossings;
}

// Whether a point's breaks are numbers.
static bool has_breaks(const PointRun *run)
{
    const Breaks *breaks = run->batch->group->breaks;
    bool          fine = true;
    for (size_t i = 0; breaks && i < breaks->number_count; ++i)
        fine = fine && !isnan(run->numbers[i]);
    return fine;
}

bool point_run(PointRun *run, uint64_t point, Error *err)
{
    const Group *group = run->batch->group;
    NewtonRules  rules;
    Stepping     stepping;
    uint64_t     steps = group_steps(group, point);
    point_begin(run, point, &rules, &stepping);
    State state = {0}, previous = {0};
    run->problem->initial_state(run->params, state.x, state.v);
    nudge(run, state.x);
    nudge(run, state.v);
    stepping.step.tangents = run->tangents;
    if (run->tangents)
        tangents_begin(run->tangents, run->problem, run->params);
    stepping_start(&stepping, &state);
    if (run->watch)
        run->watch->see(&(SteppingSight){.error = NAN, .accepted = true, .next = &state, .stepping = &stepping},
                        run->watch->user);

    point_arguments(run->plan, group, point, run->arguments);
    run->metrics.functions = run->problem;
    run->metrics.params = run->params;
    run->metrics.arguments = run->arguments;
    run->metrics.parameters = run->values;
    run->metrics.samples = solution_of(run->batch->solution, group, point, steps);
    metrics_start(&run->metrics);
    Recording          sampling = sampling_start(run, point);
    ArcsSeen           seen = {run, &sampling, steps, err, true};
    bool               ok = observe(run, point, &sampling, &stepping, steps, &state, err);
    const SteppingArcs arcs = {run->scratch, see_arc, &seen};
    stepping.arcs = group_arcs(group) ? &arcs : NULL;
    stepping.status = has_breaks(run) ? STATUS_OK : STATUS_NOT_FINITE;
    while (ok && stepping.status == STATUS_OK && stepping.steps < steps) {
        State start;
        step_copy_state(group->dofs, &start, &state);
        if (!stepping_advance(&stepping, stepping.steps > 0 ? &previous : NULL, &state))
            break;
        step_copy_state(group->dofs, &previous, &start);
        ok = seen.ok && observe(run, point, &sampling, &stepping, steps, &state, err);
        if (group->events && run->crossings.stopped)
            break;
    }
    if (!ok)
        return false;
    if (stepping.stopped)
        return fail(err, ERROR_STOPPED, "stopped");
    if (run->watch && run->watch->end)
        run->watch->end(&stepping, run->watch->user);
    put_results(run, point, &stepping, &state);
    return true;
}
