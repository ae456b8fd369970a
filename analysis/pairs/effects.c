// effects -- cost of pairs on a problem, from one trial over all values that are numbers.
#include "analysis/pairs/effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UPDATES, EVALUATIONS, CONDITION, METRICS };
static const char *const metrics[METRICS] = {"updates", "evaluations", "condition_max"};

// The values that are numbers, and where they stood.
typedef struct Known {
    double *values, *numbers;  // [count], [METRICS][count]
    size_t *places;            // [count]
    size_t  count;
} Known;

static bool find_known(const double *values, size_t count, Known *known, Error *err)
{
    *known = (Known){.values = calloc(count + 1, sizeof *known->values),
                     .numbers = calloc(METRICS * count + 1, sizeof *known->numbers),
                     .places = calloc(count + 1, sizeof *known->places)};
    if (!known->values || !known->numbers || !known->places)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; i < count; ++i)
        if (!isnan(values[i])) {
            known->places[known->count] = i;
            known->values[known->count++] = values[i];
        }
    return true;
}

static void free_known(Known *known)
{
    free(known->values);
    free(known->numbers);
    free(known->places);
}

bool effects_count(Device *device, const Catalog *catalog, const Family *family, const char *problem,
                   const char *const *overrides, size_t override_count, double *step, double *steps,
                   const double *values, size_t count, PairEffects *effects, Error *err)
{
    const bool         own = strcmp(problem, EFFECTS_PROBLEM) == 0;
    const TrialSetting setting = {.problem = problem,
                                  .defaults = own ? "step: 0.05\nend: 50\nparameters: {eps: 1.0e-2}\n"
                                                  : "step: 0.05\nend: 50\n",
                                  .overrides = overrides,
                                  .override_count = override_count,
                                  .metrics = metrics,
                                  .metric_count = METRICS};
    Known              known;
    Trial             *trial = NULL;
    bool               ok = find_known(values, count, &known, err);
    for (size_t i = 0; i < count; ++i)
        effects[i].updates = effects[i].evaluations = effects[i].condition_max = (double)NAN;
    if (ok && known.count > 0)
        ok = trial_make(device, catalog, family, &setting, &trial, err) &&
             trial_run(trial, known.values, known.count, known.numbers, NULL, err);
    if (ok && trial) {
        *step = trial_step(trial);
        *steps = trial_steps(trial);
    }
    for (size_t i = 0; ok && i < known.count; ++i) {
        PairEffects *found = &effects[known.places[i]];
        found->updates = known.numbers[UPDATES * known.count + i];
        found->evaluations = known.numbers[EVALUATIONS * known.count + i];
        found->condition_max = known.numbers[CONDITION * known.count + i];
    }
    trial_free(trial);
    free_known(&known);
    return ok;
}
