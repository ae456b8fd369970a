// chaos_make -- an expansion from its terms: the fit, its errors and its values; its effects and their intervals.
#include "analysis/sensitivity/chaos.h"

#include "analysis/sensitivity/chaos_search.h"
#include "analysis/sensitivity/least_squares.h"
#include "base/philox.h"

#include <math.h>
#include <string.h>

enum { LEAST_HELD = 256, FEW_FACTORS = 3 };

// A coefficient of a smaller share of the variance than this is rounding.
static const double least_share = 1e-26;

void chaos_free(Chaos *chaos)
{
    arena_free(&chaos->arena);
    *chaos = (Chaos){0};
}

bool chaos_serves(const Chaos *chaos, double least)
{
    return chaos->q2 >= least;
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
        const Distribution *distribution = data->factors[factor].distribution;
        Polynomials        *polynomials = &chaos->polynomials[factor];
        const char         *refusal = distribution ? distribution_refuses(distribution) : NULL;
        if (refusal)
            return fail(err, ERROR_INPUT, "factor %zu: %s", factor, refusal);
        if (!(distribution ? polynomials_make(distribution, polynomials, err)
                           : polynomials_make_data(data->x[factor], data->point_count, data->factors[factor].logarithm,
                                                   polynomials, err)))
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
        regressors_find(&search->regressors, &search->basis.terms[search->terms[t]], column);
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
        if (!chaos_search_find_folds(search, &error, err))
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
    if (!chaos_search_run(search, err))
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
              chaos_search_points(data, options->seed, &work, &points, err);
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

enum { SIGNS = 64 };  // in one word of random bits

static bool take_effects(size_t factor_count, Arena *arena, ChaosEffects *effects, Error *err)
{
    effects->count = 2 + 3 * factor_count + factor_count * factor_count;
    effects->numbers = arena_take(arena, effects->count, sizeof(double), err);
    if (!effects->numbers)
        return false;
    effects->mean = effects->numbers;
    effects->variance = effects->mean + 1;
    effects->first = effects->variance + 1;
    effects->total = effects->first + factor_count;
    effects->shapley = effects->total + factor_count;
    effects->pair = effects->shapley + factor_count;
    return true;
}

// Adds a term's part of the variance to the effects that it belongs to.
static void add_part(const BasisTerm *term, double part, size_t factor_count, ChaosEffects *effects)
{
    for (size_t k = 0; k < term->order; ++k) {
        const size_t factor = term->factors[k];
        effects->total[factor] += part;
        effects->shapley[factor] += part / term->order;
        if (term->order == 1)
            effects->first[factor] += part;
    }
    if (term->order == 2) {
        effects->pair[term->factors[0] * factor_count + term->factors[1]] += part;
        effects->pair[term->factors[1] * factor_count + term->factors[0]] += part;
    }
}

// Sudret 2008, equations 34 to 41.
static void find_effects(const Chaos *chaos, const double *coefficients, ChaosEffects *effects)
{
    double variance = 0.0;
    memset(effects->numbers, 0, effects->count * sizeof *effects->numbers);
    for (size_t t = 1; t < chaos->term_count; ++t)
        variance += coefficients[t] * coefficients[t];
    for (size_t t = 1; t < chaos->term_count; ++t)
        add_part(&chaos->terms[t], coefficients[t] * coefficients[t] / variance, chaos->factor_count, effects);
    for (size_t i = 2; !(variance > 0.0) && i < effects->count; ++i)
        effects->numbers[i] = (double)NAN;
    *effects->mean = coefficients[0];
    *effects->variance = variance;
}

bool chaos_make_effects(const Chaos *chaos, Arena *arena, ChaosEffects *effects, Error *err)
{
    if (!take_effects(chaos->factor_count, arena, effects, err))
        return false;
    find_effects(chaos, chaos->coefficients, effects);
    return true;
}

// Coefficients that another sample might have given. `room` holds a number for each point and each term.
static void draw_coefficients(const Chaos *chaos, size_t replicate, uint64_t seed, double *room, double *coefficients)
{
    const size_t count = chaos->point_count, terms = chaos->term_count;
    double      *signs = room, *sums = room + count;
    uint64_t     bits = 0;
    for (size_t i = 0; i < count; ++i) {
        if (i % SIGNS == 0)
            bits = philox_bits(seed, i / SIGNS, replicate);
        signs[i] = bits >> (i % SIGNS) & 1 ? 1.0 : -1.0;
    }
    for (size_t j = 0; j < terms; ++j) {
        const double *push = &chaos->pushes[j * count];
        sums[j] = 0.0;
        for (size_t i = 0; i < count; ++i)
            sums[j] += signs[i] * push[i];
    }
    for (size_t t = 0; t < terms; ++t) {
        coefficients[t] = chaos->coefficients[t];
        for (size_t j = 0; j < terms; ++j)
            coefficients[t] += chaos->inverse[t * terms + j] * sums[j];
    }
}

bool chaos_make_conf(const Chaos *chaos, size_t replicates, uint64_t seed, Arena *arena, ChaosEffects *conf, Error *err)
{
    ChaosEffects drawn, mean;
    double      *room = arena_take(arena, chaos->point_count + 2 * chaos->term_count, sizeof *room, err);
    if (!room || !take_effects(chaos->factor_count, arena, conf, err) ||
        !take_effects(chaos->factor_count, arena, &drawn, err) || !take_effects(chaos->factor_count, arena, &mean, err))
        return false;
    for (size_t r = 0; r < replicates; ++r) {
        double *coefficients = room + chaos->point_count + chaos->term_count;
        draw_coefficients(chaos, r, seed, room, coefficients);
        find_effects(chaos, coefficients, &drawn);
        for (size_t i = 0; i < conf->count; ++i) {
            const double step = drawn.numbers[i] - mean.numbers[i];
            mean.numbers[i] += step / (double)(r + 1);
            conf->numbers[i] += step * (drawn.numbers[i] - mean.numbers[i]);
        }
    }
    for (size_t i = 0; i < conf->count; ++i)
        conf->numbers[i] = 1.96 * sqrt(conf->numbers[i] / ((double)replicates - 1.0));
    return true;
}
