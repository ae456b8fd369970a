// chaos_make -- an expansion: its points sorted by a hash of their values, degrees in turn by products of candidates
// summed once, the fit of the terms found, its errors and its values.
#include "analysis/sensitivity/chaos.h"
#include "analysis/sensitivity/least_squares.h"
#include "analysis/sensitivity/resample.h"
#include "base/philox.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The different points. The arrays live as long as the arena.
typedef struct ChaosPoints {
    size_t  count;           // different points
    size_t *numbers;         // [count]: of one point in the data
    double *counts;          // [count]: how many points are the same
    double *values;          // [count]: their mean output, less `mean`, in units of `deviation`
    double  mean, variance;  // of the output at all points
    double  deviation;       // its root; 1 where the output is constant
    double  within;          // share of the variance between points that are the same
    bool    constant;
} ChaosPoints;

// The search for terms. The arrays live as long as the arena.
typedef struct ChaosSearch {
    const ChaosData   *data;
    const Polynomials *polynomials;  // [factor]
    const ChaosPoints *points;
    size_t             fit_count;  // of points that enter the fit: the first ones
    double             norm;
    size_t             most_degree;
    Arena             *arena;

    Regressors regressors;
    Basis      basis;
    Pursuit    pursuit;
    double    *gram, *fold_gram;  // [candidate][candidate]
    size_t    *terms;             // [term_count]: places in the basis
    size_t     term_count, degree, candidate_count;
} ChaosSearch;

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
    if (!pursuit_tabulate(search->polynomials, factor_count, search->data->x, points->numbers, search->fit_count,
                          search->arena, &search->regressors, err) ||
        !pursuit_begin(find_room(search), factor_count, most, search->norm, search->arena, &search->basis, err) ||
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
        pursuit_column(&search->regressors, &search->basis.terms[j], column);
        search->pursuit.moments[j] = 0.0;
        for (size_t i = 0; i < search->fit_count; ++i)
            search->pursuit.moments[j] += search->pursuit.weights[i] * column[i] * values[i];
    }
}

static bool add_candidates(ChaosSearch *search, size_t first, Error *err)
{
    find_moments(search, first);
    return pursuit_add_gram(&search->regressors, &search->basis, first, 0, search->fit_count, search->pursuit.weights,
                            1.0, search->gram, search->basis.room, err);
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

// Finds the degree and the terms.
static bool find_terms(ChaosSearch *search, Error *err)
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
        if ((idle >= PATIENCE && before >= LEAST_CANDIDATES) || !pursuit_add_terms(&search->basis, degree))
            break;
        if (!pursuit_add_degree(&search->regressors, search->arena, err) || !add_candidates(search, before, err))
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
    return pursuit_add_gram(&search->regressors, &search->basis, 0, start, end, counts, -1.0, search->fold_gram, stride,
                            err);
}

// Finds the mean squared error, in units of the variance, of terms chosen and fitted at the same degree without a part
// of the points, at that part.
static bool find_folds(ChaosSearch *search, double *error, Error *err)
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

// Finds the different points. Their order is that of a hash of their values under the seed: a part of them from the
// first on is a random sample, whatever the order of the data.
static bool find_points(const ChaosData *data, uint64_t seed, Arena *arena, ChaosPoints *points, Error *err)
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

enum { LEAST_HELD = 256, FEW_FACTORS = 3 };

// A coefficient of a smaller share of the variance than this is rounding.
static const double least_share = 1e-26;

void chaos_free(Chaos *chaos)
{
    arena_free(&chaos->arena);
    *chaos = (Chaos){0};
}

// The polynomials of all factors at x, then the terms: the value, and the terms themselves where they are asked for.
static double evaluate(const Chaos *chaos, const double *x, double *terms)
{
    double tables[CHAOS_FACTORS][POLYNOMIALS_MOST + 1], sum = 0.0;
    for (size_t factor = 0; factor < chaos->factor_count; ++factor) {
        const Polynomials *polynomials = &chaos->polynomials[factor];
        const size_t       degree = polynomials->degree < chaos->degree ? polynomials->degree : chaos->degree;
        polynomials_find(polynomials, polynomials_place(polynomials, x[factor]), degree, tables[factor]);
    }
    for (size_t t = 0; t < chaos->term_count; ++t) {
        const BasisTerm *term = &chaos->terms[t];
        double           product = 1.0;
        for (size_t k = 0; k < term->order; ++k)
            product *= tables[term->factors[k]][term->degrees[k]];
        sum += chaos->coefficients[t] * product;
        if (terms)
            terms[t] = product;
    }
    return sum;
}

double chaos_value(const void *chaos, const double *x)
{
    return evaluate(chaos, x, NULL);
}

void chaos_predict(const Chaos *chaos, const double *x, double *value, double *error)
{
    double       terms[CHAOS_TERMS], leverage = 0.0;
    const size_t count = chaos->term_count;
    *value = evaluate(chaos, x, terms);
    for (size_t j = 0; j < count; ++j) {
        double product = 0.0;
        for (size_t t = 0; t < count; ++t)
            product += terms[t] * chaos->inverse[t * count + j];
        leverage += product * product;
    }
    *error = chaos->error * sqrt(1.0 + leverage);
}

static bool check_counts(const ChaosData *data, const ChaosOptions *options, Error *err)
{
    if (data->factor_count == 0 || data->factor_count > CHAOS_FACTORS)
        return fail(err, ERROR_INPUT, "%zu factors: an expansion has 1 to %d", data->factor_count, CHAOS_FACTORS);
    if (data->point_count < CHAOS_LEAST_POINTS)
        return fail(err, ERROR_INPUT, "%zu points: an expansion needs at least %d", data->point_count,
                    CHAOS_LEAST_POINTS);
    if (!(options->norm >= 0.0 && options->norm <= 1.0))
        return fail(err, ERROR_INPUT, "the norm is %g, not in 0..1", options->norm);
    for (size_t i = 0; i < data->point_count; ++i)
        if (!isfinite(data->y[i]))
            return fail(err, ERROR_INPUT, "the output is %g at point %zu", data->y[i], i);
    return true;
}

static bool make_polynomials(const ChaosData *data, Chaos *chaos, Error *err)
{
    chaos->polynomials = arena_take(&chaos->arena, data->factor_count, sizeof *chaos->polynomials, err);
    for (size_t factor = 0; chaos->polynomials && factor < data->factor_count; ++factor) {
        const Distribution *distribution = data->factors[factor];
        Polynomials        *polynomials = &chaos->polynomials[factor];
        const char         *refusal = distribution ? distribution_refuses(distribution) : NULL;
        if (refusal)
            return fail(err, ERROR_INPUT, "factor %zu: %s", factor, refusal);
        if (!(distribution ? polynomials_make(distribution, polynomials, err)
                           : polynomials_make_data(data->x[factor], data->point_count, polynomials, err)))
            return within(err, "factor %zu", factor);
        for (size_t i = 0; i < data->point_count; ++i)
            if (!isfinite(polynomials_place(polynomials, data->x[factor][i])))
                return fail(err, ERROR_INPUT, "factor %zu is %g at point %zu, which its distribution does not give",
                            factor, data->x[factor][i], i);
    }
    return chaos->polynomials != NULL;
}

// The matrix of the terms and the values, each row times the root of its weight.
static bool fill_rows(const ChaosSearch *search, double **matrix, double **values, Error *err)
{
    const size_t  count = search->fit_count;
    const double *counts = search->points->counts;
    *matrix = arena_take(search->arena, search->term_count * count, sizeof(double), err);
    *values = *matrix ? arena_take(search->arena, count, sizeof(double), err) : NULL;
    if (!*values)
        return false;
    for (size_t t = 0; t < search->term_count; ++t) {
        double *column = &(*matrix)[t * count];
        pursuit_column(&search->regressors, &search->basis.terms[search->terms[t]], column);
        for (size_t i = 0; i < count; ++i)
            column[i] *= sqrt(counts[i]);
    }
    for (size_t i = 0; i < count; ++i)
        (*values)[i] = sqrt(counts[i]) * search->points->values[i];
    return true;
}

// Drops the terms whose coefficients are rounding; whether there were any.
static bool drop_rounding(ChaosSearch *search, const LeastSquares *fit)
{
    size_t kept = 1;
    for (size_t t = 1; t < search->term_count; ++t)
        if (fit->coefficients[t] * fit->coefficients[t] > least_share)
            search->terms[kept++] = search->terms[t];
    const bool dropped = kept < search->term_count;
    search->term_count = kept;
    return dropped;
}

// The leave-one-out errors of the rows times the root of their weights, in place of the values; their mean square.
static double find_errors(const ChaosSearch *search, const LeastSquares *fit, const double *matrix, double *values)
{
    const size_t count = search->fit_count;
    double       sum = 0.0, whole = 0.0;
    for (size_t t = 0; t < fit->columns; ++t)
        for (size_t i = 0; i < count; ++i)
            values[i] -= fit->coefficients[t] * matrix[t * count + i];
    for (size_t i = 0; i < count; ++i) {
        values[i] /= fmax(1.0 - fit->leverages[i], 1e-12);
        sum += values[i] * values[i];
        whole += search->points->counts[i];
    }
    return sum / whole;
}

// Copies the results of the fit to the expansion, in the units of the output.
static bool keep(const ChaosSearch *search, const LeastSquares *fit, const double *errors, Chaos *chaos, Error *err)
{
    const size_t count = search->fit_count, terms = fit->columns;
    const double unit = search->points->deviation;
    chaos->terms = arena_take(&chaos->arena, terms, sizeof *chaos->terms, err);
    chaos->coefficients = chaos->terms ? arena_take(&chaos->arena, terms, sizeof(double), err) : NULL;
    chaos->inverse = chaos->coefficients ? arena_take(&chaos->arena, terms * terms, sizeof(double), err) : NULL;
    chaos->pushes = chaos->inverse ? arena_take(&chaos->arena, terms * count, sizeof(double), err) : NULL;
    if (!chaos->pushes)
        return false;
    chaos->term_count = terms;
    for (size_t t = 0; t < terms; ++t) {
        chaos->terms[t] = search->basis.terms[search->terms[t]];
        chaos->coefficients[t] = unit * fit->coefficients[t] + (t == 0 ? search->points->mean : 0.0);
        for (size_t i = 0; i < count; ++i)
            chaos->pushes[t * count + i] = unit * fit->orthogonal[t * count + i] * errors[i];
    }
    memcpy(chaos->inverse, fit->inverse, terms * terms * sizeof *chaos->inverse);
    return true;
}

// Fits the coefficients of the terms found.
static bool fit_terms(ChaosSearch *search, Chaos *chaos, Error *err)
{
    LeastSquares fit;
    double      *matrix, *values;
    do {
        if (!fill_rows(search, &matrix, &values, err) ||
            !least_squares_find(search->fit_count, search->term_count, matrix, values, search->arena, &fit, err))
            return false;
    } while (drop_rounding(search, &fit));
    const double error = find_errors(search, &fit, matrix, values) + search->points->within;
    chaos->q2_leave_one = 1.0 - error;
    return keep(search, &fit, values, chaos, err);
}

// The mean squared error at the points that are not in the fit.
static double find_held_error(const ChaosSearch *search, const Chaos *chaos)
{
    const ChaosPoints *points = search->points;
    double             x[CHAOS_FACTORS], sum = 0.0, whole = 0.0;
    for (size_t i = search->fit_count; i < points->count; ++i) {
        for (size_t factor = 0; factor < chaos->factor_count; ++factor)
            x[factor] = search->data->x[factor][points->numbers[i]];
        const double value = (chaos_value(chaos, x) - points->mean) / points->deviation;
        sum += points->counts[i] * (value - points->values[i]) * (value - points->values[i]);
        whole += points->counts[i];
    }
    return sum / whole;
}

static bool find_quality(ChaosSearch *search, Chaos *chaos, Error *err)
{
    double error = 0.0;
    chaos->q2_held = chaos->q2_folds = (double)NAN;
    if (chaos->held_count >= LEAST_HELD) {
        error = find_held_error(search, chaos) + search->points->within;
        chaos->q2 = chaos->q2_held = 1.0 - error;
    } else {
        if (!find_folds(search, &error, err))
            return false;
        error += search->points->within;
        chaos->q2 = chaos->q2_folds = 1.0 - error;
    }
    chaos->error = search->points->deviation * sqrt(error);
    return true;
}

static bool make_terms(ChaosSearch *search, Chaos *chaos, Error *err)
{
    const ChaosPoints *points = search->points;
    if (points->count < CHAOS_LEAST_POINTS)
        return fail(err, ERROR_INPUT, "%zu different points: an expansion needs at least %d", points->count,
                    CHAOS_LEAST_POINTS);
    if (!find_terms(search, err))
        return false;
    chaos->norm = search->norm;
    chaos->variance = points->variance;
    chaos->point_count = search->fit_count;
    chaos->held_count = points->count - search->fit_count;
    chaos->degree = search->degree;
    chaos->candidate_count = search->candidate_count;
    if (!fit_terms(search, chaos, err) || !find_quality(search, chaos, err))
        return false;
    if (points->constant)
        chaos->q2 = chaos->q2_leave_one = chaos->q2_folds = chaos->q2_held = (double)NAN;
    return true;
}

bool chaos_make(const ChaosData *data, const ChaosOptions *options, Chaos *chaos, Error *err)
{
    Arena        work = {0};
    ChaosPoints  points;
    const size_t most = options->points > 0 ? options->points : CHAOS_POINTS;
    *chaos = (Chaos){.factor_count = data->factor_count};
    bool ok = check_counts(data, options, err) && make_polynomials(data, chaos, err) &&
              find_points(data, options->seed, &work, &points, err);
    if (ok) {
        ChaosSearch search = {.data = data, .polynomials = chaos->polynomials, .points = &points, .arena = &work};
        search.fit_count = points.count < most ? points.count : most;
        search.norm = options->norm > 0.0 ? options->norm : data->factor_count <= FEW_FACTORS ? 1.0 : 0.75;
        search.most_degree =
            options->degree > 0 && options->degree < POLYNOMIALS_MOST ? options->degree : POLYNOMIALS_MOST;
        ok = make_terms(&search, chaos, err);
    }
    arena_free(&work);
    if (!ok)
        chaos_free(chaos);
    return ok;
}
