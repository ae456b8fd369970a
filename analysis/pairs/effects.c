// effects -- side effects of the methods of a pair: by theory, and their cost, counted on a problem.
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

bool effects_count(const PairsRequest *request, const Overrides *overrides, int side, Pairs *pairs, Error *err)
{
    const bool         usual = strcmp(pairs->problem, USUAL_PROBLEM) == 0;
    const TrialSetting setting = {.problem = pairs->problem,
                                  .defaults = usual ? "step: 0.05\nend: 50\nparameters: {eps: 1.0e-2}\n"
                                                    : "step: 0.05\nend: 50\n",
                                  .overrides = overrides->items,
                                  .override_count = overrides->count,
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
    const bool measured = pairs->criterion == CRITERION_MEASURED;
    Overrides  own = {request->overrides, request->override_count};
    tell_theory(pairs);
    if (!measured)
        pairs->problem = request->problem ? request->problem : USUAL_PROBLEM;
    if (!request->device || strcmp(pairs->problem, "none") == 0)
        pairs->problem = NULL;
    if (!pairs->problem)
        return true;
    // The work is that of the steps at which damping was measured.
    if ((measured && !search_overrides(request, pairs->step, pairs->steps, &pairs->arena, &own, err)) ||
        !effects_count(request, &own, PAIR_FROM, pairs, err) || !effects_count(request, &own, PAIR_TO, pairs, err))
        return false;
    for (size_t i = 0; i < pairs->count; ++i) {
        const PairEffects *both = pairs->pairs[i].effects;
        pairs->pairs[i].cost_ratio = both[PAIR_TO].evaluations / both[PAIR_FROM].evaluations;
    }
    return true;
}
