// pairs_find -- answers to a request: families, values, targets, and the effects of each pair.
#include "analysis/pairs/search.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_VALUES = 21 };

static bool name_columns(Pairs *pairs, Error *err)
{
    const Family *families = pairs->families;
    const bool    same =
        strcmp(family_parameter(&families[PAIR_FROM])->name, family_parameter(&families[PAIR_TO])->name) == 0;
    for (int side = 0; side < PAIR_SIDES; ++side) {
        const char *method = families[side].method->name, *name = family_parameter(&families[side])->name;
        pairs->columns[side] = arena_format(&pairs->arena, err, "%s%s%s", same ? method : "", same ? "." : "", name);
    }
    return pairs->columns[PAIR_FROM] && pairs->columns[PAIR_TO];
}

static bool make_families(const PairsRequest *request, Pairs *pairs, Error *err)
{
    Setting    *settings = NULL;
    const Card *methods[PAIR_SIDES];
    if (strcmp(request->methods[PAIR_FROM], request->methods[PAIR_TO]) == 0)
        return fail(err, ERROR_USAGE, "'%.60s' twice: name two methods", request->methods[PAIR_FROM]);
    if (!setting_read_all(request->settings, request->setting_count, &pairs->arena, &settings, err))
        return false;
    for (int side = 0; side < PAIR_SIDES; ++side) {
        if (!family_make(request->catalog, request->methods[side], settings, request->setting_count, &pairs->arena,
                         &pairs->families[side], err))
            return false;
        methods[side] = pairs->families[side].method;
        if (!pairs->families[side].theory && request->criterion != CRITERION_MEASURED)
            return methods[side]->adaptive
                       ? fail(err, ERROR_USAGE,
                              "method '%s' chooses its substeps: its step is not a matrix, and pairs are found by "
                              "--criterion measured only",
                              methods[side]->name)
                       : fail(err, ERROR_USAGE,
                              "the card of method '%s' has no equations: its pairs are found by --criterion measured "
                              "only",
                              methods[side]->name);
    }
    if (!setting_check_used(settings, request->setting_count, methods, PAIR_SIDES, err))
        return false;
    Family *to = &pairs->families[PAIR_TO];
    if (!isnan(request->range[0]) && !family_narrow(to, request->range[0], request->range[1], err))
        return false;
    if (!isfinite(to->least) || !isfinite(to->most))
        return fail(err, ERROR_USAGE, "%s of '%s' has no largest value: say where to look, by --range A,B",
                    family_parameter(to)->name, to->method->name);
    return name_columns(pairs, err);
}

static bool check_omegas(const PairsRequest *request, Pairs *pairs, Error *err)
{
    const Criterion criterion = request->criterion;
    const double   *given = request->omega_h, *band = request->band;
    const bool      banded = band[1] > 0.0;
    if (banded && criterion != CRITERION_RADIUS && criterion != CRITERION_DAMPING_RATIO)
        return fail(err, ERROR_USAGE, "--band: %s is not taken over a band, radius and damping_ratio are",
                    criterion_names[criterion]);
    if (given[PAIR_TO] != 0.0 && criterion != CRITERION_DECAY)
        return fail(err, ERROR_USAGE, "--to-omega-h: only decay compares two steps");
    for (int i = 0; i < 2; ++i)
        pairs->band[i] = band[i];
    if (banded)
        return true;
    const double usual = criterion_takes_omega(criterion) ? 1.0 : 0.0;
    pairs->omega_h[PAIR_FROM] = given[PAIR_FROM] != 0.0 ? given[PAIR_FROM] : usual;
    pairs->omega_h[PAIR_TO] = given[PAIR_TO] != 0.0 ? given[PAIR_TO] : pairs->omega_h[PAIR_FROM];
    return true;
}

static bool check_value(const Family *from, double value, Error *err)
{
    const CardParameter *card = family_parameter(from);
    if (value >= card->least && value <= card->most && !(card->least_open && value == card->least) &&
        !(card->most_open && value == card->most))
        return true;
    return fail(err, ERROR_USAGE, "--values: %.10g is out of range, %s of '%s' lies from %.10g to %.10g", value,
                card->name, from->method->name, card->least, card->most);
}

static bool place_values(const PairsRequest *request, Pairs *pairs, Error *err)
{
    const Family *from = &pairs->families[PAIR_FROM];
    const size_t  given = request->value_count;
    pairs->count = given ? given : DEFAULT_VALUES;
    pairs->pairs = arena_take(&pairs->arena, pairs->count, sizeof *pairs->pairs, err);
    if (!pairs->pairs)
        return false;
    if (!given && !isfinite(from->most - from->least))
        return fail(err, ERROR_USAGE, "%s of '%s' has no largest value: say which, by --values",
                    family_parameter(from)->name, from->method->name);
    for (size_t i = 0; i < pairs->count; ++i) {
        const double part = (double)i / (DEFAULT_VALUES - 1);
        const double value = given ? request->values[i] : (1.0 - part) * from->least + part * from->most;
        if (given && !check_value(from, value, err))
            return false;
        pairs->pairs[i] = (Pair){.from = value,
                                 .to = (double)NAN,
                                 .residual = (double)NAN,
                                 .low = (double)NAN,
                                 .high = (double)NAN,
                                 .number = {(double)NAN, (double)NAN},
                                 .reason = "",
                                 .cost_ratio = (double)NAN};
    }
    return true;
}

static bool find_all(Search *search, Error *err)
{
    Pairs *pairs = search->pairs;
    if (pairs->band[1] > 0.0)
        return search_band(pairs, err);
    double *values = arena_take(&pairs->arena, pairs->count, sizeof *values, err);
    search->targets = arena_take(&pairs->arena, pairs->count, sizeof *search->targets, err);
    if (!values || !search->targets)
        return false;
    for (int side = 0; side < PAIR_SIDES; ++side)
        search->sides[side] = (Side){&pairs->families[side], pairs->criterion, pairs->omega_h[side], NULL};
    for (size_t i = 0; i < pairs->count; ++i)
        values[i] = pairs->pairs[i].from;
    return (pairs->criterion == CRITERION_MEASURED ? search_measure(search, err) : search_structure(search, err)) &&
           search_numbers(&search->sides[PAIR_FROM], values, pairs->count, search->targets, err) &&
           search_roots(search, err) && search_ranges(search, err);
}

bool pairs_find(const PairsRequest *request, Pairs *pairs, Error *err)
{
    Search search = {.request = request, .pairs = pairs};
    *pairs =
        (Pairs){.criterion = request->criterion, .step = (double)NAN, .steps = (double)NAN, .physical = (double)NAN};
    const bool ok = check_omegas(request, pairs, err) && make_families(request, pairs, err) &&
                    place_values(request, pairs, err) && find_all(&search, err) && search_effects(request, pairs, err);
    for (int side = 0; side < PAIR_SIDES; ++side)
        trial_free(search.sides[side].trial);
    if (!ok)
        pairs_free(pairs);
    return ok;
}

void pairs_free(Pairs *pairs)
{
    arena_free(&pairs->arena);
    *pairs = (Pairs){0};
}

// Where side effects are given when the criterion has no Omega of its own.
#define USUAL_OMEGA 0.1

bool search_numbers(void *user, const double *q, size_t count, double *values, Error *err)
{
    const Side *side = user;
    double      parameters[THEORY_PARAMETERS];
    if (side->trial)
        return trial_run(side->trial, q, count, values, NULL, err);
    for (size_t i = 0; i < count; ++i) {
        family_at(side->family, q[i], parameters);
        values[i] = criterion_number(side->criterion, side->family->theory, parameters, side->omega_h);
    }
    return true;
}

Mode search_mode(const Family *family, double value, double omega_h)
{
    double parameters[THEORY_PARAMETERS];
    family_at(family, value, parameters);
    return matrix_mode(theory_matrix(family->theory, omega_h, 0.0, parameters), omega_h);
}

double search_omega(const Pairs *pairs, int side)
{
    return pairs->omega_h[side] > 0.0 ? pairs->omega_h[side] : pairs->band[1] > 0.0 ? pairs->band[0] : USUAL_OMEGA;
}
