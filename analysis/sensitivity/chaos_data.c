// chaos_data -- indices from a polynomial chaos expansion of an output, and Shapley effects.
#include "analysis/sensitivity/fit.h"
#include "analysis/sensitivity/shapley.h"
#include "base/hash.h"

#include <math.h>

// Of the jackknife: the 97.5 % quantile of Student's t for so many groups, and how many points it needs and fits.
enum { GROUPS = 16, LEAST_GROUPED = 2 * GROUPS, MOST_GROUPED = 512 };
static const double student = 2.131;

// Fits `count` of the points, evenly chosen, without the points of a group. The group of a point follows from its
// factors, so that points that are equal are left out together.
static bool fit_without(const Fit *fit, size_t d, size_t count, size_t group, double **x, double *y,
                        const ChaosOptions *options, Chaos *chaos, Error *err)
{
    size_t kept = 0;
    for (size_t chosen = 0; chosen < count; ++chosen) {
        const size_t i = (size_t)((double)chosen * (double)fit->count / (double)count);
        uint64_t     hash = hash_start;
        for (size_t f = 0; f < d; ++f)
            hash = hash_bytes(hash, &fit->x[f][i], sizeof fit->x[f][i]);
        if ((hash >> 32) % GROUPS == group)
            continue;
        for (size_t f = 0; f < d; ++f)
            x[f][kept] = fit->x[f][i];
        y[kept++] = fit->y[i];
    }
    const ChaosData data = {d, kept, fit->factors, (const double *const *)x, y};
    return chaos_make(&data, options, chaos, err);
}

// Where a factor's distribution is not known, its measure is the points': other points would have another. The
// intervals are then at least the intervals of a jackknife that leaves out a group of points at a time (Shao and Wu
// 1989); of very few points there are none.
static bool widen(const SensitivityRequest *request, const Fit *fit, size_t d, Arena *arena, ChaosEffects *conf,
                  Error *err)
{
    const ChaosOptions options = {.seed = request->seed};
    const size_t       count = fit->count < MOST_GROUPED ? fit->count : MOST_GROUPED;
    const bool         few = count < LEAST_GROUPED;
    double           **x = arena_take(arena, d, sizeof *x, err), *y = arena_take(arena, count, sizeof *y, err);
    double            *means = arena_take(arena, conf->count, sizeof *means, err);
    double            *squares = arena_take(arena, conf->count, sizeof *squares, err);
    bool               ok = x && y && means && squares;
    for (size_t f = 0; ok && f < d; ++f)
        ok = (x[f] = arena_take(arena, count, sizeof **x, err)) != NULL;
    for (size_t g = 0; ok && !few && g < GROUPS; ++g) {
        Chaos        chaos = {0};
        ChaosEffects found;
        ok = fit_without(fit, d, count, g, x, y, &options, &chaos, err) &&
             chaos_make_effects(&chaos, arena, &found, err);
        for (size_t i = 0; ok && i < conf->count; ++i) {
            const double step = found.numbers[i] - means[i];
            means[i] += step / (double)(g + 1);
            squares[i] += step * (found.numbers[i] - means[i]);
        }
        chaos_free(&chaos);
    }
    const double scale = (GROUPS - 1.0) / GROUPS * (double)count / (double)fit->count;
    for (size_t i = 0; ok && i < conf->count; ++i)
        conf->numbers[i] = few ? (double)NAN : fmax(conf->numbers[i], student * sqrt(scale * squares[i]));
    return ok;
}

// Sobol' indices and Shapley effects of independent factors follow from the coefficients.
static bool fill_independent(const SensitivityRequest *request, const Fit *fit, SensitivityTable *table, Arena *arena,
                             Error *err)
{
    const size_t d = table->study->factor_count;
    const Chaos *chaos = &fit->chaos;
    ChaosEffects found, conf;
    if (!chaos_make_effects(chaos, arena, &found, err) ||
        !chaos_make_conf(chaos, request->replicates ? request->replicates : CHAOS_REPLICATES, request->seed, arena,
                         &conf, err) ||
        (!fit->known && !widen(request, fit, d, arena, &conf, err)))
        return false;
    for (size_t i = 0; i < d; ++i) {
        double *numbers = table->rows[i].numbers;
        numbers[0] = found.first[i];
        numbers[1] = conf.first[i];
        numbers[2] = found.total[i];
        numbers[3] = conf.total[i];
        numbers[6] = found.shapley[i];
        numbers[7] = conf.shapley[i];
    }
    for (size_t i = 0, next = d; i < d; ++i)
        for (size_t k = i + 1; k < d; ++k, ++next) {
            table->rows[next].numbers[4] = found.pair[i * d + k];
            table->rows[next].numbers[5] = conf.pair[i * d + k];
        }
    return true;
}

// Of correlated ones only Shapley effects divide the variance.
static bool fill_correlated(const SensitivityRequest *request, const Fit *fit, SensitivityTable *table, Arena *arena,
                            Error *err)
{
    const Study  *study = table->study;
    const Shapley shapley = {.factor_count = study->factor_count,
                             .distributions = fit->distributions,
                             .correlation = study->correlation,
                             .function = chaos_value,
                             .user = &fit->chaos,
                             .seed = request->seed};
    double       *effects = arena_take(arena, study->factor_count, sizeof *effects, err);
    double       *errors = arena_take(arena, study->factor_count, sizeof *errors, err), variance;
    if (!effects || !errors || !shapley_find(&shapley, effects, errors, &variance, err))
        return false;
    for (size_t i = 0; i < study->factor_count; ++i) {
        table->rows[i].numbers[6] = effects[i];
        table->rows[i].numbers[7] = 1.96 * errors[i];
    }
    return true;
}

bool sensitivity_make_chaos(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Error *err)
{
    const Study *study = table->study;
    Fit          fit = {0};
    bool         ok = sensitivity_take_rows(table, false, !study->correlation, arena, err) &&
              fit_make(request, table, arena, &fit, err);
    if (ok && !table->trouble)
        ok = study->correlation ? fill_correlated(request, &fit, table, arena, err)
                                : fill_independent(request, &fit, table, arena, err);
    fit_free(&fit);
    return ok;
}
