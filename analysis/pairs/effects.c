// effects -- runs of pairs through the kernels: criterion `measured`, a metric that both methods have in common, and
// side effects, which are by theory too: their cost, counted on a problem.
#include "analysis/pairs/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Stiff, with a slow motion that any method follows: eps is 1e-2 where no override sets it.
#define USUAL_PROBLEM "elastic_pendulum_polar"

enum { UPDATES, EVALUATIONS, CONDITION, METRICS };
static const char *const metrics[METRICS] = {"updates", "evaluations", "condition_max"};

static double value_of(const Pair *pair, int side)
{
    return side == PAIR_FROM ? pair->from : pair->to;
}

bool effects_count(const PairsRequest *request, double step, double steps, int side, Pairs *pairs, Error *err)
{
    const bool         usual = strcmp(pairs->problem, USUAL_PROBLEM) == 0;
    const TrialSetting setting = {.problem = pairs->problem,
                                  .defaults = usual ? "step: 0.05\nend: 50\nparameters: {eps: 1.0e-2}\n"
                                                    : "step: 0.05\nend: 50\n",
                                  .overrides = request->overrides,
                                  .override_count = request->override_count,
                                  .step = step,
                                  .steps = steps,
                                  .metrics = metrics,
                                  .metric_count = METRICS};
    const size_t       count = pairs->count;
    double            *values = calloc((1 + METRICS) * count + 1, sizeof *values), *numbers = values + count;
    Trial             *trial = NULL;
    bool               some = false, ok = values || fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; ok && i < count; ++i) {
        values[i] = value_of(&pairs->pairs[i], side);
        some = some || !isnan(values[i]);
    }
    ok =
        ok && (!some || (trial_make(request->device, request->catalog, &pairs->families[side], &setting, &trial, err) &&
                         trial_run(trial, values, count, numbers, NULL, err)));
    for (size_t i = 0; ok && some && i < count; ++i) {
        PairEffects *found = &pairs->pairs[i].effects[side];
        found->updates = numbers[UPDATES * count + i];
        found->evaluations = numbers[EVALUATIONS * count + i];
        found->condition_max = numbers[CONDITION * count + i];
    }
    if (ok && some) {
        pairs->step = trial_step(trial);
        pairs->steps = trial_steps(trial);
    }
    trial_free(trial);
    free(values);
    return ok;
}

static void tell_theory(Pairs *pairs)
{
    double parameters[THEORY_PARAMETERS];
    for (size_t i = 0; i < pairs->count; ++i)
        for (int side = 0; side < PAIR_SIDES; ++side) {
            const Family *family = &pairs->families[side];
            PairEffects  *effects = &pairs->pairs[i].effects[side];
            const double  value = value_of(&pairs->pairs[i], side);
            *effects = (PairEffects){(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
            if (isnan(value) || !family->theory)
                continue;
            family_at(family, value, parameters);
            effects->period_error = search_mode(family, value, search_omega(pairs, side)).period_error;
            if (family->theory->bounded)
                effects->radius_infinity = theory_radius(family->theory, 0.0, parameters);
        }
}

bool search_effects(const PairsRequest *request, Pairs *pairs, Error *err)
{
    const bool   measured = pairs->criterion == CRITERION_MEASURED;
    const double step = measured ? pairs->step : 0.0, steps = pairs->steps;
    tell_theory(pairs);
    if (!measured)
        pairs->problem = request->problem ? request->problem : USUAL_PROBLEM;
    if (!request->device || strcmp(pairs->problem, "none") == 0)
        pairs->problem = NULL;
    if (!pairs->problem)
        return true;
    // The work is that of the steps at which damping was measured.
    if (!effects_count(request, step, steps, PAIR_FROM, pairs, err) ||
        !effects_count(request, step, steps, PAIR_TO, pairs, err))
        return false;
    for (size_t i = 0; i < pairs->count; ++i) {
        const PairEffects *both = pairs->pairs[i].effects;
        pairs->pairs[i].cost_ratio = both[PAIR_TO].evaluations / both[PAIR_FROM].evaluations;
    }
    return true;
}

// The companion's step is so many times smaller.
enum { COMPANION_STEPS = 8 };

static bool make_trial(const Search *search, const Family *family, double step, double steps, Trial **trial, Error *err)
{
    const PairsRequest *request = search->request;
    const TrialSetting  setting = {.problem = search->pairs->problem,
                                   .defaults = "step: 0.1\nend: 100\nnewton: {tolerance: 0}\n",
                                   .overrides = request->overrides,
                                   .override_count = request->override_count,
                                   .step = step,
                                   .steps = steps,
                                   .metrics = &search->pairs->metric,
                                   .metric_count = 1};
    return trial_make(request->device, request->catalog, family, &setting, trial, err);
}

static bool make_trials(Search *search, Error *err)
{
    const PairsRequest *request = search->request;
    Pairs              *pairs = search->pairs;
    pairs->problem = request->problem ? request->problem : "pendulum";
    pairs->metric = request->metric ? request->metric : "log_decrement";
    if (!request->device)
        return fail(err, ERROR_DEVICE, "measured runs kernels, and there is no device");
    if (strcmp(pairs->problem, "none") == 0)
        return fail(err, ERROR_USAGE, "measured needs a problem, see `pendula list problems`");
    for (int side = 0; side < PAIR_SIDES; ++side)
        if (!make_trial(search, &pairs->families[side], 0.0, 0.0, &search->sides[side].trial, err))
            return false;
    pairs->step = trial_step(search->sides[PAIR_FROM].trial);
    pairs->steps = trial_steps(search->sides[PAIR_FROM].trial);
    return true;
}

// The same problem by a method that damps nothing, at a smaller step: its loss is the problem's. At rho_inf = 1
// generalized_alpha is the implicit midpoint rule.
static bool run_companion(Search *search, Error *err)
{
    const PairsRequest *request = search->request;
    Pairs              *pairs = search->pairs;
    Family              family;
    Trial              *trial = NULL;
    double              still = 1.0;
    const bool          ok =
        family_make(request->catalog, "generalized_alpha", NULL, 0, &pairs->arena, &family, err) &&
        make_trial(search, &family, pairs->step / COMPANION_STEPS, pairs->steps * COMPANION_STEPS, &trial, err) &&
        trial_run(trial, &still, 1, &pairs->physical, NULL, err);
    trial_free(trial);
    return ok;
}

bool search_measure(Search *search, Error *err)
{
    if (!make_trials(search, err) || !run_companion(search, err))
        return false;
    const double physical = search->pairs->physical;
    search->physical = isnan(physical) ? 0.0 : physical;
    return true;
}
