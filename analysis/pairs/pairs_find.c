// pairs_find -- answers to a request: families, values, targets; for each target its roots, or why there is none.
#include "analysis/pairs/search.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

enum { THEORY_GRID = 129, MEASURED_GRID = 65 };

// Which part of all that TO can do counts as rounding of a measured number.
#define MEASURED_NOISE 1e-6

// How closely roots of a measured number are looked for.
#define MEASURED_TOLERANCE 1e-10

// Where side effects are given when the criterion has no Omega of its own.
#define USUAL_OMEGA 0.1

// A method's numbers: the RootFunction of a Side.
static bool find_numbers(void *user, const double *q, size_t count, double *values, Error *err)
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

static const char *method_name(const Search *search, int side)
{
    return search->pairs->families[side].method->name;
}

static int family_power(const Family *family)
{
    double parameters[THEORY_PARAMETERS];
    for (int i = 0; i <= 2; ++i) {
        family_at(family, family->least + 0.5 * i * (family->most - family->least), parameters);
        const LowFrequency low = theory_low(family->theory, parameters);
        if (low.power > 0 && low.coefficient != 0.0)
            return low.power;
    }
    return 0;
}

// Finds the reason why the two methods differ whatever the values.
static bool find_structure(Search *search, Error *err)
{
    Pairs        *pairs = search->pairs;
    const Family *from = &pairs->families[PAIR_FROM], *to = &pairs->families[PAIR_TO];
    if (pairs->criterion == CRITERION_LOW_FREQUENCY) {
        const int a = family_power(from), b = family_power(to);
        if (a == 0 || b == 0 || a == b)
            return true;
        search->structure = arena_format(&pairs->arena, err, "%s damps as Omega^%d, %s as Omega^%d: no common limit",
                                         method_name(search, PAIR_FROM), a, method_name(search, PAIR_TO), b);
        return search->structure != NULL;
    }
    if (pairs->criterion == CRITERION_HIGH_FREQUENCY && (!from->theory->bounded || !to->theory->bounded)) {
        const int side = from->theory->bounded ? PAIR_TO : PAIR_FROM;
        search->structure =
            arena_format(&pairs->arena, err, "%s is explicit: beyond its stability limit there is no radius",
                         method_name(search, side));
        return search->structure != NULL;
    }
    return true;
}

// A number no larger than rounding is printed as 0.
static double shown(const Search *search, double number)
{
    return fabs(number) <= search->roots.noise ? 0.0 : number;
}

// Whether FROM damps so little at its Omega that rounding hides it.
static bool is_lost(const Search *search, double value, double number)
{
    const Family   *from = &search->pairs->families[PAIR_FROM];
    const Criterion criterion = search->pairs->criterion;
    double          parameters[THEORY_PARAMETERS];
    if (!criterion_takes_omega(criterion) ||
        !(fabs(number) < 10.0 * criterion_noise(criterion, search_omega(search->pairs, PAIR_FROM))))
        return false;
    family_at(from, value, parameters);
    return theory_low(from->theory, parameters).coefficient != 0.0;
}

// Says why a value has no root.
static bool explain(Search *search, Pair *pair, Error *err)
{
    Pairs       *pairs = search->pairs;
    Arena       *arena = &pairs->arena;
    const double target = pair->number[PAIR_FROM], low = search->roots.lowest, high = search->roots.highest;
    const char  *to = method_name(search, PAIR_TO);
    const char  *from = arena_format(arena, err, "%s at %s = %.6g", method_name(search, PAIR_FROM),
                                     family_parameter(&pairs->families[PAIR_FROM])->name, pair->from);
    const char  *lack = pairs->criterion == CRITERION_MEASURED
                            ? arena_format(arena, err, "has no %s: the run failed or cannot be measured", pairs->metric)
                        : pairs->criterion == CRITERION_DAMPING_RATIO ? "has no oscillating mode there"
                                                                      : "has no such number";
    if (!from || !lack)
        return false;
    if (search->structure)
        pair->reason = search->structure;
    else if (is_lost(search, pair->from, target))
        pair->reason = arena_format(
            arena, err, "%s has %.2g, hardly more than rounding: take a larger Omega, or low_frequency", from, target);
    else if (isnan(target) || isnan(low))
        pair->reason = arena_format(arena, err, "%s %s", isnan(target) ? from : to, lack);
    else if (target >= low && target <= high)
        pair->reason =
            arena_format(arena, err, "%s takes the number %.6g nowhere, though smaller and larger ones", to, target);
    else
        pair->reason = arena_format(
            arena, err, "%s has %.6g%s, %s from %.6g to %.6g", from, shown(search, target),
            criterion_takes_omega(pairs->criterion) && target < -search->roots.noise ? " (it is unstable)" : "", to,
            shown(search, low), shown(search, high));
    return pair->reason != NULL;
}

// The root with the smallest period error goes to the front; the others keep their order.
static void order_roots(const Pairs *pairs, Roots *roots)
{
    const Family *to = &pairs->families[PAIR_TO];
    size_t        best = 0;
    double        least = (double)INFINITY;
    for (size_t i = 0; to->theory && i < roots->count; ++i) {
        const double size = fabs(search_mode(to, roots->roots[i].at, search_omega(pairs, PAIR_TO)).period_error);
        // Equal ones, but for rounding, stay in their order.
        if (size < (1.0 - 1e-6) * least) {
            least = size;
            best = i;
        }
    }
    for (; best > 0; --best) {
        const Root front = roots->roots[best - 1];
        roots->roots[best - 1] = roots->roots[best];
        roots->roots[best] = front;
    }
}

// How far apart the numbers are, or may be by the rounding of both.
static double residual_of(const Search *search, const Pair *pair)
{
    const double rounding = search->pairs->criterion == CRITERION_MEASURED ? 0.0 : 2.0 * search->roots.noise;
    const double apart = fmax(fabs(pair->number[PAIR_TO] - pair->number[PAIR_FROM]), rounding);
    const double size = fabs(pair->number[PAIR_FROM] - search->physical);
    return size > search->roots.noise ? apart / size : apart;
}

static bool find_roots(Search *search, Error *err)
{
    Pairs  *pairs = search->pairs;
    Family *to = &pairs->families[PAIR_TO];
    Roots  *roots = arena_take(&pairs->arena, pairs->count, sizeof *roots, err);
    if (!roots)
        return false;
    for (size_t i = 0; i < pairs->count; ++i) {
        pairs->pairs[i].number[PAIR_FROM] = search->targets[i];
        if ((search->structure && search->targets[i] != 0.0) ||
            is_lost(search, pairs->pairs[i].from, search->targets[i]))
            search->targets[i] = (double)NAN;
    }
    const bool measured = pairs->criterion == CRITERION_MEASURED;
    search->roots = (RootSearch){.function = find_numbers,
                                 .user = &search->sides[PAIR_TO],
                                 .least = to->least,
                                 .most = to->most,
                                 .grid = measured ? MEASURED_GRID : THEORY_GRID,
                                 .noise = criterion_noise(pairs->criterion, search_omega(pairs, PAIR_TO)),
                                 .noise_part = measured ? MEASURED_NOISE : 0.0,
                                 .tolerance = measured ? MEASURED_TOLERANCE : 0.0};
    if (!roots_find(&search->roots, search->targets, pairs->count, &pairs->arena, roots, err))
        return false;
    for (size_t i = 0; i < pairs->count; ++i) {
        Pair *pair = &pairs->pairs[i];
        if (roots[i].count == 0) {
            if (!explain(search, pair, err))
                return false;
            continue;
        }
        order_roots(pairs, &roots[i]);
        const Root *first = roots[i].roots;
        pair->to = first->at;
        pair->low = first->low;
        pair->high = first->high;
        pair->number[PAIR_TO] = first->value;
        pair->residual = residual_of(search, pair);
        pair->roots = first + 1;
        pair->root_count = roots[i].count - 1;
    }
    return true;
}

// FROM's values between which its number is one that TO takes: the ends of its range and where it meets TO's extremes
// cut it into parts, and the middle of a part decides.
static bool find_ranges(Search *search, Error *err)
{
    Pairs            *pairs = search->pairs;
    const RootSearch *to = &search->roots;
    const double      extremes[2] = {to->lowest, to->highest};
    const Family     *from = &pairs->families[PAIR_FROM];
    RootSearch        own = *to;
    Roots             met[2] = {{0}, {0}};
    if (search->structure || isnan(to->lowest) || !isfinite(from->most - from->least))
        return true;
    own.user = &search->sides[PAIR_FROM];
    own.least = from->least;
    own.most = from->most;
    if (!roots_find(&own, extremes, 2, &pairs->arena, met, err))
        return false;
    const size_t most = met[0].count + met[1].count + 2;
    double      *cuts = arena_take(&pairs->arena, 3 * most, sizeof *cuts, err);
    double      *middles = cuts + most, *numbers = middles + most;
    pairs->ranges = cuts ? arena_take(&pairs->arena, most, sizeof *pairs->ranges, err) : NULL;
    if (!pairs->ranges)
        return false;
    size_t count = 0;
    cuts[count++] = from->least;
    cuts[count++] = from->most;
    for (int e = 0; e < 2; ++e)
        for (size_t i = 0; i < met[e].count; ++i)
            cuts[count++] = met[e].roots[i].at;
    sort_numbers(cuts, count);
    for (size_t i = 0; i + 1 < count; ++i)
        middles[i] = 0.5 * (cuts[i] + cuts[i + 1]);
    if (!find_numbers(&search->sides[PAIR_FROM], middles, count - 1, numbers, err))
        return false;
    for (size_t i = 0; i + 1 < count; ++i) {
        PairsRange *last = pairs->range_count ? &pairs->ranges[pairs->range_count - 1] : NULL;
        if (!(numbers[i] >= to->lowest - to->noise && numbers[i] <= to->highest + to->noise))
            continue;
        if (last && last->high == cuts[i])
            last->high = cuts[i + 1];
        else
            pairs->ranges[pairs->range_count++] = (PairsRange){cuts[i], cuts[i + 1]};
    }
    return true;
}

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
    return (pairs->criterion == CRITERION_MEASURED ? search_measure(search, err) : find_structure(search, err)) &&
           find_numbers(&search->sides[PAIR_FROM], values, pairs->count, search->targets, err) &&
           find_roots(search, err) && find_ranges(search, err);
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
