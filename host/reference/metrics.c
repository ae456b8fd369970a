// metrics -- what each metric file watches, and one line per result.
#include "reference/metrics.h"

#include "reference/eigen.h"

#include <math.h>
#include <string.h>

// Observations outside the instance's window are not counted; those inside are consecutive, since a window is an
// interval.
static bool in_window(const Observer *o, const Observation *now)
{
    return now->t >= o->instance->from && now->t <= o->instance->to;
}

static void observe_energy(Observer *o, const Observation *now)
{
    const double *x = now->state->x, *v = now->state->v;
    o->energy_last = o->problem->energy(x, v, o->params);
    if (now->step == 0) {
        double square = 0.0;
        for (size_t i = 0; i < o->problem->dofs; ++i)
            square += v[i] * v[i];
        o->energy_first = o->energy_last;
        o->energy_scale = fmax(fabs(o->energy_first), 0.5 * square);
    }
    o->energy_worst = fmax(o->energy_worst, fabs(o->energy_last - o->energy_first));
}

static void observe_kinetic(Observer *o, const Observation *now)
{
    if (!in_window(o, now))
        return;
    double kinetic = o->problem->kinetic(now->state->x, now->state->v, o->params);
    o->kinetic_max = o->observations > 0 ? fmax(o->kinetic_max, kinetic) : kinetic;
    if (o->observations > 0)
        o->kinetic_integral += now->h * 0.5 * (o->kinetic_last + kinetic);
    o->kinetic_last = kinetic;
    ++o->observations;
}

static double coordinate(const Observer *o, const double *x)
{
    switch (o->instance->of) {
    case COORDINATE_SLOW: return o->problem->slow(x, o->params);
    case COORDINATE_FAST: return o->problem->fast(x, o->params);
    case COORDINATE_DOF: break;
    }
    return x[o->instance->of_dof];
}

static void observe_oscillation(Observer *o, const Observation *now)
{
    if (in_window(o, now))
        oscillation_observe(&o->oscillation, now->t, now->h, coordinate(o, now->state->x));
}

static void observe_damping(Observer *o, const Observation *now)
{
    const double *x = now->state->x, *v = now->state->v;
    if (in_window(o, now))
        damping_observe(&o->damping, coordinate(o, x), o->problem->energy ? o->problem->energy(x, v, o->params) : 0.0);
}

static void observe_x(Observer *o, const Observation *now)
{
    o->x_max = fmax(o->x_max, inf_norm(o->problem->dofs, now->state->x));
}

static void observe_fast(Observer *o, const Observation *now)
{
    double fast = o->problem->fast(now->state->x, o->params);
    o->fast_max = fmax(o->fast_max, fabs(fast));
    if (4 * now->step >= 3 * now->steps) {
        o->fast_squares += fast * fast;
        ++o->fast_count;
    }
}

double metrics_distance(const ReferenceProblem *problem, const void *params, double t, const double *x)
{
    double y[REFERENCE_DOFS] = {0}, v[REFERENCE_DOFS] = {0};
    problem->exact(t, params, y, v);
    for (size_t i = 0; i < problem->dofs; ++i)
        y[i] -= x[i];
    return inf_norm(problem->dofs, y);
}

// Keeps the largest, and a NaN where there is one.
static double worse(double worst, double now)
{
    return isnan(worst) || now <= worst ? worst : now;
}

static void observe_error(Observer *o, const Observation *now)
{
    size_t n = o->problem->dofs;
    if (o->samples.solved.x) {
        const double *solution = solution_at(&o->samples, now->step);
        double        apart[REFERENCE_DOFS];
        if (!solution)
            return;
        for (size_t i = 0; i < n; ++i)
            apart[i] = now->state->x[i] - solution[i];
        o->error_last = all_finite(n, solution) ? inf_norm(n, apart) : (double)NAN;
    } else {
        o->error_last = metrics_distance(o->problem, o->params, now->t, now->state->x);
    }
    o->error_max = worse(o->error_max, o->error_last);
}

// The slow coordinate as it should be: of the problem's limit, of the table, of the closed form.
static double slow_solution(const Observer *o, const Observation *now, const double *sample)
{
    double x[REFERENCE_DOFS] = {0}, v[REFERENCE_DOFS] = {0};
    if (o->samples.solved.limit)
        return sample[o->samples.solved.rows - 1];
    if (o->samples.solved.x)
        return o->problem->slow(sample, o->params);
    o->problem->exact(now->t, o->params, x, v);
    return o->problem->slow(x, o->params);
}

static void observe_visual(Observer *o, const Observation *now)
{
    const double *sample = solution_at(&o->samples, now->step);
    if (!in_window(o, now) || (o->samples.numbers && !sample))
        return;
    double apart = o->problem->slow(now->state->x, o->params) - slow_solution(o, now, sample);
    o->angle_error = worse(o->angle_error, fabs(remainder(apart, 2.0 * M_PI)));
    if (o->problem->fast)
        o->radius_error = worse(o->radius_error, fabs(o->problem->fast(now->state->x, o->params)));
}

typedef struct Watch {
    const char *result;
    void (*observe)(Observer *o, const Observation *now);
} Watch;

// A result of each metric file that has to see the trajectory.
static const Watch watches[] = {
    {"energy_initial", observe_energy},  {"kinetic_max", observe_kinetic},
    {"period", observe_oscillation},     {"x_max", observe_x},
    {"radius_error_max", observe_fast},  {"error_max", observe_error},
    {"angle_error_max", observe_visual}, {"log_decrement", observe_damping},
    {"energy_loss", observe_damping},
};

void metrics_start(Observer *observer, const MetricInstance *instance, const ReferenceProblem *problem,
                   const void *params, SolutionSamples samples)
{
    *observer = (Observer){.instance = instance, .problem = problem, .params = params, .samples = samples};
    for (size_t i = 0; i < instance->card->result_count; ++i)
        for (size_t j = 0; j < sizeof watches / sizeof *watches; ++j)
            if (strcmp(instance->card->results[i].name, watches[j].result) == 0)
                observer->observe = watches[j].observe;
}

void metrics_observe(Observer *observer, const Observation *now)
{
    if (observer->observe)
        observer->observe(observer, now);
}

static uint64_t evaluations(const Stepping *s)
{
    if (s->method->implicit)
        return s->tally.residual_evaluations;
    return (uint64_t)s->evaluations * (s->method->trial ? s->trials : s->steps);
}

bool metrics_value(const Observer *o, const Stepping *s, const char *result, double *value)
{
    const Tally *tally = &s->tally;
    double       decay_rate = oscillation_decay_rate(&o->oscillation);
    double       period = oscillation_period(&o->oscillation);
    double       exact_period = o->problem->period ? o->problem->period(o->params) : (double)NAN;

    const struct {
        const char *name;
        double      value;
    } values[] = {
        {"steps", (double)s->steps},
        {"substeps", (double)s->substeps},
        {"updates", (double)tally->updates},
        {"updates_per_step_max", (double)s->updates_per_step_max},
        {"jacobians", (double)tally->jacobians},
        {"residual_evaluations", (double)tally->residual_evaluations},
        {"evaluations", (double)evaluations(s)},
        {"failed_solves", (double)tally->failed_solves},
        {"stagnated_solves", (double)tally->stagnated_solves},
        {"depth_max", (double)s->depth_max},
        {"condition_last", tally->condition_last},
        {"condition_mean", exp(tally->condition_log_sum / (double)tally->accepted_solves)},
        {"condition_max", tally->condition_max},
        {"energy_initial", o->energy_first},
        {"energy_final", o->energy_last},
        {"energy_drift", o->energy_worst / o->energy_scale},
        {"energy_ratio", o->energy_last / o->energy_first},
        {"kinetic_max", o->observations > 0 ? o->kinetic_max : (double)NAN},
        {"kinetic_integral", o->kinetic_integral},
        {"amplitude_initial", oscillation_amplitude_first(&o->oscillation)},
        {"amplitude_final", oscillation_amplitude_last(&o->oscillation)},
        {"decay_rate", decay_rate},
        {"period", period},
        {"damping_ratio", decay_rate * period / (2.0 * M_PI)},
        {"period_error", period / exact_period - 1.0},
        {"log_decrement", damping_log_decrement(&o->damping)},
        {"log_decrement_first", damping_log_decrement_first(&o->damping)},
        {"log_decrement_last", damping_log_decrement_last(&o->damping)},
        {"log_decrement_error", damping_log_decrement_error(&o->damping)},
        {"damping_state", s->status == STATUS_OK ? damping_state(&o->damping) : DAMPING_UNFINISHED},
        {"energy_loss", damping_energy_loss(&o->damping)},
        {"x_max", o->x_max},
        {"high_frequency_amplitude", sqrt(o->fast_squares / (double)o->fast_count)},
        {"radius_error_max", o->fast_max},
        {"error_max", o->error_max},
        {"error_final", o->error_last},
        {"angle_error_max", o->angle_error},
        {"visually_correct", isnan(o->angle_error) ? (double)NAN : o->radius_error <= 0.1 && o->angle_error < 0.5},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
        if (strcmp(values[i].name, result) == 0) {
            *value = values[i].value;
            return true;
        }
    }
    return false;
}

bool metrics_known(const char *result)
{
    // A trajectory that never began has every number, whatever it is.
    static const ReferenceProblem problem;
    static const ReferenceMethod  method;
    const Observer                blank = {.problem = &problem};
    const Stepping                stepping = {.method = &method};
    double                        value;
    return metrics_value(&blank, &stepping, result, &value);
}
