// chaos_search -- points sorted by a hash of their values; degrees in turn, by products of candidates summed once.
#include "analysis/sensitivity/chaos_search.h"
#include "analysis/sensitivity/squares.h"
#include "base/philox.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The search ends after so many degrees without a gain, but not before so many candidates.
enum { PATIENCE = 3, LEAST_CANDIDATES = 128 };

// Parts that are left out in turn: fewer of many points, of which each part is large enough.
enum { FOLDS = 10, FOLDS_OF_MANY = 4, MANY = 4096 };

// Products of candidates are summed in points * candidates^2 steps, of which there are at most this many.
static const double most_steps = 0x1p33;

// A mean squared error below this share of the variance cannot be lessened by much.
static const double small_error = 1e-12;

static size_t find_room(const ChaosSearch *search)
{
    const size_t count = search->fit_count, least = search->data->factor_count + 1;
    size_t       room = (size_t)sqrt(most_steps / (double)count);
    room = room < 4 * count ? room : 4 * count;
    room = room > least ? room : least;
    return room < CHAOS_CANDIDATES ? room : CHAOS_CANDIDATES;
}

static bool take_room(ChaosSearch *search, Error *err)
{
    Arena       *arena = search->arena;
    const size_t room = search->basis.room, half = search->fit_count / 2;
    search->pursuit.most = half < CHAOS_TERMS ? half : CHAOS_TERMS;
    search->gram = arena_take(arena, room * room, sizeof(double), err);
    search->fold_gram = search->gram ? arena_take(arena, room * room, sizeof(double), err) : NULL;
    search->pursuit.moments = search->fold_gram ? arena_take(arena, room, sizeof(double), err) : NULL;
    search->pursuit.weights =
        search->pursuit.moments ? arena_take(arena, search->fit_count, sizeof(double), err) : NULL;
    search->terms =
        search->pursuit.weights ? arena_take(arena, search->pursuit.most, sizeof *search->terms, err) : NULL;
    return search->terms != NULL;
}

static bool begin(ChaosSearch *search, Error *err)
{
    const ChaosPoints *points = search->points;
    const size_t       factor_count = search->data->factor_count;
    size_t            *most = arena_take(search->arena, factor_count, sizeof *most, err);
    if (!most)
        return false;
    for (size_t factor = 0; factor < factor_count; ++factor)
        most[factor] = search->polynomials[factor].degree;
    if (!regressors_make(search->polynomials, factor_count, search->data->x, points->numbers, search->fit_count,
                         search->arena, &search->regressors, err) ||
        !basis_make(find_room(search), factor_count, most, search->norm, search->arena, &search->basis, err) ||
        !take_room(search, err))
        return false;
    search->pursuit.regressors = &search->regressors;
    search->pursuit.basis = &search->basis;
    search->pursuit.stride = search->basis.room;
    search->pursuit.counts = points->counts;
    search->pursuit.values = points->values;
    memcpy(search->pursuit.weights, points->counts, search->fit_count * sizeof *search->pursuit.weights);
    return pursuit_make_room(&search->pursuit, search->arena, err);
}

// The products of the candidates from `first` on with the values.
static void find_moments(ChaosSearch *search, size_t first)
{
    const double *values = search->points->values;
    double       *column = search->pursuit.columns;  // a pursuit has not begun
    for (size_t j = first; j < search->basis.count; ++j) {
        regressors_find(&search->regressors, &search->basis.terms[j], column);
        search->pursuit.moments[j] = 0.0;
        for (size_t i = 0; i < search->fit_count; ++i)
            search->pursuit.moments[j] += search->pursuit.weights[i] * column[i] * values[i];
    }
}

static bool add_candidates(ChaosSearch *search, size_t first, Error *err)
{
    find_moments(search, first);
    return regressors_add_gram(&search->regressors, &search->basis, first, 0, search->fit_count,
                               search->pursuit.weights, 1.0, search->gram, search->basis.room, err);
}

// Chooses among the candidates of a degree; keeps the choice where it is the best so far.
static bool try_degree(ChaosSearch *search, size_t degree, size_t *trial, double *best)
{
    PursuitFound found = {.terms = trial};
    search->pursuit.gram = search->gram;
    pursuit_find(&search->pursuit, &found);
    if (!(found.corrected < *best))
        return false;
    *best = found.corrected;
    memcpy(search->terms, trial, found.count * sizeof *trial);
    search->term_count = found.count;
    search->degree = degree;
    search->candidate_count = search->basis.count;
    return true;
}

bool chaos_search_run(ChaosSearch *search, Error *err)
{
    double best = HUGE_VAL;
    size_t idle = 0;
    if (!begin(search, err) || !add_candidates(search, 0, err))
        return false;
    size_t *trial = arena_take(search->arena, search->pursuit.most, sizeof *trial, err);
    if (!trial)
        return false;
    try_degree(search, 0, trial, &best);
    for (size_t degree = 1; degree <= search->most_degree && best > small_error; ++degree) {
        const size_t before = search->basis.count;
        if ((idle >= PATIENCE && before >= LEAST_CANDIDATES) || !basis_add(&search->basis, degree))
            break;
        if (!regressors_add_degree(&search->regressors, search->arena, err) || !add_candidates(search, before, err))
            return false;
        idle = try_degree(search, degree, trial, &best) ? 0 : idle + 1;
    }
    return true;
}

// The weights and the candidates' products without the points of a part. Points are in random order, and so a run of
// them is a random part.
static bool leave_out(ChaosSearch *search, size_t part, size_t parts, Error *err)
{
    const double *counts = search->points->counts;
    const size_t  stride = search->basis.room;
    const size_t  start = search->fit_count * part / parts, end = search->fit_count * (part + 1) / parts;
    for (size_t i = 0; i < search->fit_count; ++i)
        search->pursuit.weights[i] = i >= start && i < end ? 0.0 : counts[i];
    find_moments(search, 0);
    memcpy(search->fold_gram, search->gram, stride * search->basis.count * sizeof(double));
    return regressors_add_gram(&search->regressors, &search->basis, 0, start, end, counts, -1.0, search->fold_gram,
                               stride, err);
}

bool chaos_search_find_folds(ChaosSearch *search, double *error, Error *err)
{
    const size_t parts = search->fit_count <= MANY ? FOLDS : FOLDS_OF_MANY;
    size_t      *trial = arena_take(search->arena, search->pursuit.most, sizeof *trial, err);
    double       sum = 0.0, whole = 0.0;
    if (!trial)
        return false;
    search->basis.count = search->candidate_count;
    search->pursuit.gram = search->fold_gram;
    for (size_t part = 0; part < parts; ++part) {
        PursuitFound found = {.terms = trial};
        if (!leave_out(search, part, parts, err))
            return false;
        pursuit_find(&search->pursuit, &found);
        sum += found.left_out;
    }
    for (size_t i = 0; i < search->fit_count; ++i)
        whole += search->points->counts[i];
    *error = sum / whole;
    return true;
}

typedef struct ChaosEntry {
    uint64_t hash;
    size_t   number;
} ChaosEntry;

static int compare_entries(const void *a, const void *b)
{
    const ChaosEntry *left = a, *right = b;
    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

static uint64_t find_hash(const ChaosData *data, size_t point, uint64_t seed)
{
    uint64_t hash = 0, bits;
    for (size_t factor = 0; factor < data->factor_count; ++factor) {
        // The sum makes 0 of -0.
        const double x = data->x[factor][point] + 0.0;
        memcpy(&bits, &x, sizeof bits);
        hash = philox_bits(seed, hash ^ bits, factor);
    }
    return hash;
}

static bool is_same(const ChaosData *data, size_t a, size_t b)
{
    for (size_t factor = 0; factor < data->factor_count; ++factor)
        if (data->x[factor][a] != data->x[factor][b])
            return false;
    return true;
}

static void find_variance(const ChaosData *data, ChaosPoints *points)
{
    const size_t count = data->point_count;
    double       least = data->y[0], most = data->y[0], sum = 0.0;
    int          exponent;
    for (size_t i = 0; i < count; ++i) {
        least = fmin(least, data->y[i]);
        most = fmax(most, data->y[i]);
    }
    // Differences from a value that occurs do not overflow the sum before the values do, nor lose a small variance.
    for (size_t i = 0; i < count; ++i)
        sum += data->y[i] - least;
    points->mean = least + sum / (double)count;
    const double squares = squares_about(data->y, count, points->mean, &exponent);
    points->constant = most - least <= 8.0 * DBL_EPSILON * fmax(fabs(least), fabs(most));
    points->variance = points->constant ? 0.0 : ldexp(squares / (double)count, 2 * exponent);
    points->deviation = points->constant ? 1.0 : ldexp(sqrt(squares / (double)count), exponent);
}

// Those with the same hash follow each other; they are the same but for a hash that two points share.
static void join(const ChaosData *data, const ChaosEntry *entries, ChaosPoints *points)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < data->point_count; ++i) {
        const size_t number = entries[i].number;
        if (points->count == 0 || entries[i].hash != hash ||
            !is_same(data, number, points->numbers[points->count - 1])) {
            hash = entries[i].hash;
            points->numbers[points->count++] = number;
        }
        const size_t at = points->count - 1;
        const double value = (data->y[number] - points->mean) / points->deviation;
        const double step = value - points->values[at];
        points->counts[at] += 1.0;
        points->values[at] += step / points->counts[at];
        points->within += step * (value - points->values[at]);
    }
    points->within /= (double)data->point_count;
}

bool chaos_search_points(const ChaosData *data, uint64_t seed, Arena *arena, ChaosPoints *points, Error *err)
{
    const size_t count = data->point_count;
    *points = (ChaosPoints){0};
    points->numbers = arena_take(arena, count, sizeof *points->numbers, err);
    points->counts = arena_take(arena, count, sizeof(double), err);
    points->values = arena_take(arena, count, sizeof(double), err);
    ChaosEntry *entries = arena_take(arena, count, sizeof *entries, err);
    if (!points->numbers || !points->counts || !points->values || !entries)
        return false;
    for (size_t i = 0; i < count; ++i)
        entries[i] = (ChaosEntry){find_hash(data, i, seed), i};
    qsort(entries, count, sizeof *entries, compare_entries);
    find_variance(data, points);
    join(data, entries, points);
    return true;
}
