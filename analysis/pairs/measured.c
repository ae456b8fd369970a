// measured -- criterion `measured`: a metric of runs through the kernels, which both methods have in common.
#include "analysis/pairs/search.h"

#include <math.h>
#include <string.h>

// The companion's step is so many times smaller.
enum { COMPANION_STEPS = 8 };

static bool make_trial(const Search *search, const Family *family, const Overrides *overrides, Trial **trial,
                       Error *err)
{
    const PairsRequest *request = search->request;
    const TrialSetting  setting = {.problem = search->pairs->problem,
                                   .defaults = "step: 0.1\nend: 100\nnewton: {tolerance: 0}\n",
                                   .overrides = overrides->items,
                                   .override_count = overrides->count,
                                   .metrics = &search->pairs->metric,
                                   .metric_count = 1};
    return trial_make(request->device, request->catalog, family, &setting, trial, err);
}

static bool make_trials(Search *search, Error *err)
{
    const PairsRequest *request = search->request;
    const Overrides     given = {request->overrides, request->override_count};
    Pairs              *pairs = search->pairs;
    pairs->problem = request->problem ? request->problem : "pendulum";
    pairs->metric = request->metric ? request->metric : "log_decrement";
    if (!request->device)
        return fail(err, ERROR_DEVICE, "measured runs kernels, and there is no device");
    if (strcmp(pairs->problem, "none") == 0)
        return fail(err, ERROR_USAGE, "measured needs a problem, see `pendula list problems`");
    for (int side = 0; side < PAIR_SIDES; ++side)
        if (!make_trial(search, &pairs->families[side], &given, &search->sides[side].trial, err))
            return false;
    pairs->step = trial_step(search->sides[PAIR_FROM].trial);
    pairs->steps = trial_steps(search->sides[PAIR_FROM].trial);
    return true;
}

// Whether an override sets the time, which the companion has of its own.
static bool sets_time(const char *override)
{
    return strncmp(override, "step=", 5) == 0 || strncmp(override, "steps=", 6) == 0 ||
           strncmp(override, "end=", 4) == 0;
}

bool search_overrides(const PairsRequest *request, double step, double steps, Arena *arena, Overrides *own, Error *err)
{
    const char **items = arena_take(arena, request->override_count + 2, sizeof *items, err);
    size_t       count = 0;
    for (size_t i = 0; items && i < request->override_count; ++i)
        if (!sets_time(request->overrides[i]))
            items[count++] = request->overrides[i];
    char *h = arena_format(arena, err, "step=%.17g", step), *end = arena_format(arena, err, "end=%.17g", step * steps);
    if (!items || !h || !end)
        return false;
    items[count++] = h;
    items[count++] = end;
    *own = (Overrides){items, count};
    return true;
}

// The same problem by a method that damps nothing, at a smaller step: its loss is the problem's. At rho_inf = 1
// generalized_alpha is the implicit midpoint rule.
static bool run_companion(Search *search, Error *err)
{
    const PairsRequest *request = search->request;
    Pairs              *pairs = search->pairs;
    Family              family;
    Overrides           own;
    Trial              *trial = NULL;
    double              still = 1.0;
    if (!search_overrides(request, pairs->step / COMPANION_STEPS, pairs->steps * COMPANION_STEPS, &pairs->arena, &own,
                          err))
        return false;
    const bool ok = family_make(request->catalog, "generalized_alpha", NULL, 0, &pairs->arena, &family, err) &&
                    make_trial(search, &family, &own, &trial, err) &&
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
