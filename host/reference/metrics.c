// metrics -- each metric file in a row: what it watches, and its results from that.
#include "reference/metrics.h"

#include "plan/metric.h"
#include "reference/eigen.h"
#include "reference/motion.h"

#include <math.h>
#include <string.h>

void metrics_offer(WantedMetric *wanted, const char *result, double value)
{
    if (strcmp(result, wanted->result) != 0)
        return;
    wanted->value = value;
    wanted->found = true;
}

// Observations outside the instance's window are not counted; those inside are consecutive, since a window is an
// interval.
bool metrics_in_window(const Observer *o, const Observation *now)
{
    return now->t >= o->instance->from && now->t <= o->instance->to;
}

double metrics_observed(const Observer *o, const State *state)
{
    const double *x = state->x, *v = state->v;
    switch (o->instance->of) {
    case OBSERVED_SLOW: return o->problem->slow(x, o->params);
    case OBSERVED_FAST: return o->problem->fast(x, o->params);
    case OBSERVED_ENERGY: return o->problem->energy(x, v, o->params);
    case OBSERVED_KINETIC: return o->problem->kinetic(x, v, o->params);
    case OBSERVED_V: return v[o->instance->of_dof];
    case OBSERVED_X:
    case OBSERVED_COUNT: break;
    }
    return x[o->instance->of_dof];
}

// Keeps the largest, and a NaN where there is one.
static double worse(double worst, double now)
{
    return isnan(worst) || now <= worst ? worst : now;
}

static uint64_t evaluations(const Stepping *s)
{
    if (s->step.method->implicit)
        return s->tally.residual_evaluations;
    return (uint64_t)s->evaluations * (s->step.method->adaptive ? s->trials : s->steps);
}

static void offer_counters(const Observer *o, WantedMetric *wanted)
{
    const Stepping *s = wanted->stepping;
    (void)o;
    metrics_offer(wanted, "steps", (double)s->steps);
    metrics_offer(wanted, "substeps", (double)s->substeps);
    metrics_offer(wanted, "updates", (double)s->tally.updates);
    metrics_offer(wanted, "updates_per_step_max", (double)s->updates_per_step_max);
    metrics_offer(wanted, "jacobians", (double)s->tally.jacobians);
    metrics_offer(wanted, "residual_evaluations", (double)s->tally.residual_evaluations);
    metrics_offer(wanted, "evaluations", (double)evaluations(s));
    metrics_offer(wanted, "failed_solves", (double)s->tally.failed_solves);
    metrics_offer(wanted, "stagnated_solves", (double)s->tally.stagnated_solves);
    metrics_offer(wanted, "depth_max", (double)s->depth_max);
}

static void offer_condition(const Observer *o, WantedMetric *wanted)
{
    const Tally *tally = &wanted->stepping->tally;
    (void)o;
    metrics_offer(wanted, "condition_last", tally->condition_last);
    metrics_offer(wanted, "condition_mean", exp(tally->condition_log_sum / (double)tally->accepted_solves));
    metrics_offer(wanted, "condition_max", tally->condition_max);
}

static void observe_energy(Observer *o, const Observation *now)
{
    const double *x = now->state->x, *v = now->state->v;
    if (!metrics_in_window(o, now))
        return;
    o->of.energy.last = o->problem->energy(x, v, o->params);
    if (o->of.energy.observations++ == 0) {
        const double kinetic = o->problem->kinetic ? o->problem->kinetic(x, v, o->params) : 0.0;
        o->of.energy.first = o->of.energy.last;
        o->of.energy.scale = fmax(fabs(o->of.energy.first), kinetic);
    }
    o->of.energy.worst = fmax(o->of.energy.worst, fabs(o->of.energy.last - o->of.energy.first));
}

static void offer_energy(const Observer *o, WantedMetric *wanted)
{
    if (o->of.energy.observations == 0) {
        const char *const results[] = {"energy_initial", "energy_final", "energy_drift", "energy_ratio"};
        for (size_t i = 0; i < sizeof results / sizeof *results; ++i)
            metrics_offer(wanted, results[i], NAN);
        return;
    }
    metrics_offer(wanted, "energy_initial", o->of.energy.first);
    metrics_offer(wanted, "energy_final", o->of.energy.last);
    metrics_offer(wanted, "energy_drift", o->of.energy.worst / o->of.energy.scale);
    metrics_offer(wanted, "energy_ratio", o->of.energy.last / o->of.energy.first);
}

static void observe_kinetic(Observer *o, const Observation *now)
{
    if (!metrics_in_window(o, now))
        return;
    double kinetic = o->problem->kinetic(now->state->x, now->state->v, o->params);
    bool   first = o->of.kinetic.observations++ == 0;
    o->of.kinetic.largest = first ? kinetic : fmax(o->of.kinetic.largest, kinetic);
    if (!first)
        o->of.kinetic.integral += now->h * 0.5 * (o->of.kinetic.last + kinetic);
    o->of.kinetic.last = kinetic;
}

static void offer_kinetic(const Observer *o, WantedMetric *wanted)
{
    metrics_offer(wanted, "kinetic_max", o->of.kinetic.observations > 0 ? o->of.kinetic.largest : (double)NAN);
    metrics_offer(wanted, "kinetic_integral", o->of.kinetic.integral);
}

static void observe_oscillation(Observer *o, const Observation *now)
{
    if (metrics_in_window(o, now))
        oscillation_observe(&o->of.oscillation, now->t, now->h, metrics_observed(o, now->state));
}

static void offer_oscillation(const Observer *o, WantedMetric *wanted)
{
    const OscillationResults seen = oscillation_results(&o->of.oscillation);
    double                   exact_period = o->problem->period ? o->problem->period(o->params) : (double)NAN;
    metrics_offer(wanted, "amplitude_initial", seen.amplitude_first);
    metrics_offer(wanted, "amplitude_final", seen.amplitude_last);
    metrics_offer(wanted, "decay_rate", seen.decay_rate);
    metrics_offer(wanted, "period", seen.period);
    metrics_offer(wanted, "damping_ratio", seen.decay_rate * seen.period / (2.0 * M_PI));
    metrics_offer(wanted, "period_error", seen.period / exact_period - 1.0);
}

static void observe_damping(Observer *o, const Observation *now)
{
    const double *x = now->state->x, *v = now->state->v;
    double        energy = o->problem->energy ? o->problem->energy(x, v, o->params) : 0.0;
    if (metrics_in_window(o, now))
        damping_observe(&o->of.damping, metrics_observed(o, now->state), energy);
}

static void offer_damping(const Observer *o, WantedMetric *wanted)
{
    const DampingResults seen = damping_results(&o->of.damping);
    metrics_offer(wanted, "log_decrement", seen.decrement);
    metrics_offer(wanted, "log_decrement_first", seen.first);
    metrics_offer(wanted, "log_decrement_last", seen.last);
    metrics_offer(wanted, "log_decrement_error", seen.error);
    metrics_offer(wanted, "damping_state", wanted->stepping->status == STATUS_OK ? seen.state : DAMPING_UNFINISHED);
}

static void offer_energy_loss(const Observer *o, WantedMetric *wanted)
{
    metrics_offer(wanted, "energy_loss", damping_energy_loss(&o->of.damping));
}

static void observe_extent(Observer *o, const Observation *now)
{
    if (!metrics_in_window(o, now))
        return;
    o->of.extent.largest = fmax(o->of.extent.largest, eigen_inf_norm(o->problem->dofs, now->state->x));
    o->of.extent.seen = true;
}

static void offer_extent(const Observer *o, WantedMetric *wanted)
{
    metrics_offer(wanted, "x_max", o->of.extent.seen ? o->of.extent.largest : (double)NAN);
}

static void observe_fast(Observer *o, const Observation *now)
{
    if (!metrics_in_window(o, now))
        return;
    double fast = o->problem->fast(now->state->x, o->params);
    o->of.fast.seen = true;
    o->of.fast.largest = fmax(o->of.fast.largest, fabs(fast));
    if (4 * now->step >= 3 * now->steps) {
        o->of.fast.squares += fast * fast;
        ++o->of.fast.count;
    }
}

static void offer_fast(const Observer *o, WantedMetric *wanted)
{
    metrics_offer(wanted, "high_frequency_amplitude", sqrt(o->of.fast.squares / (double)o->of.fast.count));
    metrics_offer(wanted, "radius_error_max", o->of.fast.seen ? o->of.fast.largest : (double)NAN);
}

double metrics_distance(const ReferenceProblem *problem, const void *params, double t, const double *x)
{
    double y[REFERENCE_DOFS] = {0}, v[REFERENCE_DOFS] = {0};
    problem->exact(t, params, y, v);
    for (size_t i = 0; i < problem->dofs; ++i)
        y[i] -= x[i];
    return eigen_inf_norm(problem->dofs, y);
}

static void observe_error(Observer *o, const Observation *now)
{
    size_t n = o->problem->dofs;
    if (!metrics_in_window(o, now))
        return;
    if (o->samples.solved.x) {
        const double *solution = solution_at(&o->samples, now->step);
        double        apart[REFERENCE_DOFS];
        if (!solution)
            return;
        for (size_t i = 0; i < n; ++i)
            apart[i] = now->state->x[i] - solution[i];
        o->of.error.last = eigen_all_finite(n, solution) ? eigen_inf_norm(n, apart) : (double)NAN;
    } else {
        o->of.error.last = metrics_distance(o->problem, o->params, now->t, now->state->x);
    }
    o->of.error.largest = worse(o->of.error.largest, o->of.error.last);
    o->of.error.seen = true;
}

static void offer_error(const Observer *o, WantedMetric *wanted)
{
    metrics_offer(wanted, "error_max", o->of.error.seen ? o->of.error.largest : (double)NAN);
    metrics_offer(wanted, "error_final", o->of.error.seen ? o->of.error.last : (double)NAN);
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
    if (!metrics_in_window(o, now) || (o->samples.numbers && !sample))
        return;
    double apart = o->problem->slow(now->state->x, o->params) - slow_solution(o, now, sample);
    o->of.visual.angle = worse(o->of.visual.angle, fabs(remainder(apart, 2.0 * M_PI)));
    if (o->problem->fast)
        o->of.visual.radius = worse(o->of.visual.radius, fabs(o->problem->fast(now->state->x, o->params)));
}

static void offer_visual(const Observer *o, WantedMetric *wanted)
{
    bool right = o->of.visual.radius <= 0.1 && o->of.visual.angle < 0.5;
    metrics_offer(wanted, "angle_error_max", o->of.visual.angle);
    metrics_offer(wanted, "visually_correct", isnan(o->of.visual.angle) ? (double)NAN : right);
}

typedef struct ReferenceMetric {
    const char *name;                                        // of the file in kernels/metrics
    void (*observe)(Observer *o, const Observation *now);    // NULL: it does not watch
    void (*offer)(const Observer *o, WantedMetric *wanted);  // its results, from what was observed
} ReferenceMetric;

static const ReferenceMetric metrics[] = {
    {"balance", motion_observe_balance, motion_offer_balance},
    {"condition", NULL, offer_condition},
    {"counters", NULL, offer_counters},
    {"damping", observe_damping, offer_damping},
    {"energy", observe_energy, offer_energy},
    {"energy_loss", observe_damping, offer_energy_loss},
    {"error", observe_error, offer_error},
    {"events", motion_observe_events, motion_offer_events},
    {"extent", observe_extent, offer_extent},
    {"fast_mode", observe_fast, offer_fast},
    {"kinetic", observe_kinetic, offer_kinetic},
    {"lyapunov", motion_observe_lyapunov, motion_offer_lyapunov},
    {"oscillation", observe_oscillation, offer_oscillation},
    {"poincare", motion_observe_poincare, motion_offer_poincare},
    {"section", motion_observe_section, motion_offer_section},
    {"stats", motion_observe_stats, motion_offer_stats},
    {"steady", motion_observe_steady, motion_offer_steady},
    {"visual", observe_visual, offer_visual},
};

static const ReferenceMetric *find_metric(const Card *card)
{
    for (size_t i = 0; catalog_embeds(card) && i < sizeof metrics / sizeof *metrics; ++i)
        if (strcmp(metrics[i].name, card->name) == 0)
            return &metrics[i];
    return NULL;
}

void metrics_start(Observer *observer, const MetricInstance *instance, const ReferenceProblem *problem,
                   const void *params, const double *arguments, double *kept, SolutionSamples samples)
{
    memset(observer, 0, sizeof *observer);
    observer->instance = instance;
    observer->metric = find_metric(instance->card);
    observer->problem = problem;
    observer->params = params;
    observer->arguments = arguments;
    observer->kept = kept;
    observer->samples = samples;
}

void metrics_observe(Observer *observer, const Observation *now)
{
    if (observer->metric && observer->metric->observe)
        observer->metric->observe(observer, now);
}

bool metrics_value(const Observer *o, const Stepping *s, const char *result, double *value)
{
    WantedMetric wanted = {.stepping = s, .result = result};
    if (o->metric)
        o->metric->offer(o, &wanted);
    if (wanted.found)
        *value = wanted.value;
    return wanted.found;
}

bool metrics_sample(const Observer *o, const char *result, size_t k, double *value)
{
    const Card   *card = o->instance->card;
    const double *at = o->kept;
    for (size_t r = 0; o->metric && r < card->result_count; ++r) {
        const bool   found = strcmp(card->results[r].name, result) == 0 && card->results[r].samples;
        const size_t width =
            card->results[r].samples ? metric_width(o->instance, &card->results[r], o->problem->dofs) : 0;
        const size_t per = card->results[r].per_dof ? o->problem->dofs : 1;
        if (found && k < width) {
            *value = k / per < o->of.taken.count ? at[k] : (double)NAN;
            return true;
        }
        at += width;
    }
    return false;
}

bool metrics_known(const Card *metric, const char *result)
{
    // A trajectory that never began has every number, whatever it is.
    static const ReferenceProblem problem;
    static const ReferenceMethod  method;
    const MetricInstance          instance = {.card = metric, .to = INFINITY};
    const Observer                blank = {.instance = &instance, .metric = find_metric(metric), .problem = &problem};
    const Stepping                stepping = {.step = {.method = &method}};
    double                        value;
    for (size_t r = 0; blank.metric && r < metric->result_count; ++r)
        if (metric->results[r].samples && strcmp(metric->results[r].name, result) == 0)
            return true;
    return metrics_value(&blank, &stepping, result, &value);
}
