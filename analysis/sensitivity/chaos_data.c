// chaos_data -- indices from a polynomial chaos expansion of an output, and Shapley effects.
#include "analysis/sensitivity/chaos.h"
#include "analysis/sensitivity/sample.h"
#include "analysis/sensitivity/shapley.h"
#include "plan/axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of more points those beyond the fit are held out, which gives the honest error; these are plenty.
static const uint64_t most_points = UINT64_C(1) << 16;

typedef struct Fit {
    ChaosFactor  *factors;        // [factor_count]
    Distribution *distributions;  // [factor_count]
    double      **x;              // [factor_count][count]
    double       *y;              // [count]
    size_t        count;
} Fit;

// The distribution of a factor as the file has it, "{uniform: [0, 1]}".
static bool read_distribution(const Study *study, size_t factor, Fit *fit, Arena *arena, Error *err)
{
    static const YamlOrigin origin = {.name = "distribution"};
    const Range             anything = {.least = -INFINITY, .most = INFINITY};
    const char             *written = study->distributions[factor];
    YamlNode               *node = NULL;
    AxisText                text;
    if (!written)
        return true;
    if (!yaml_read(written, strlen(written), &origin, arena, &node, err) ||
        !axis_read(node, study->factors[factor]->name, &anything, &text, err) || !axis_values(&text, arena, err))
        return within(err, "%s", study->points.file->path);
    fit->distributions[factor] = text.distribution;
    fit->factors[factor].distribution = text.form == FORM_RANDOM ? &fit->distributions[factor] : NULL;
    return true;
}

// The points that have a finite output.
static void drop_failed(const SensitivityTable *table, const Sample *sample, Fit *fit)
{
    fit->count = 0;
    for (size_t i = 0; i < sample->count; ++i) {
        if (!isfinite(sample->y[i]))
            continue;
        for (size_t f = 0; f < table->study->factor_count; ++f)
            fit->x[f][fit->count] = fit->x[f][i];
        fit->y[fit->count++] = sample->y[i];
    }
}

static bool make_fit(const SensitivityRequest *request, SensitivityTable *table, Fit *fit, Arena *arena, Error *err)
{
    const Study *study = table->study;
    const size_t d = study->factor_count;
    Sample       sample;
    *fit = (Fit){.factors = arena_take(arena, d, sizeof *fit->factors, err),
                 .distributions = arena_take(arena, d, sizeof *fit->distributions, err),
                 .x = arena_take(arena, d, sizeof *fit->x, err)};
    if (!fit->factors || !fit->distributions || !fit->x ||
        !sample_take(request, table, most_points, arena, &sample, err) ||
        !(fit->y = arena_take(arena, sample.count, sizeof *fit->y, err)))
        return false;
    for (size_t f = 0; f < d; ++f) {
        fit->x[f] = arena_take(arena, sample.count, sizeof **fit->x, err);
        if (!fit->x[f] || !read_distribution(study, f, fit, arena, err) ||
            !sample_read_factor(table, f, &sample, fit->x[f], err))
            return false;
    }
    drop_failed(table, &sample, fit);
    return true;
}

// Sobol' indices and Shapley effects of independent factors follow from the coefficients.
static bool fill_independent(const SensitivityRequest *request, const Chaos *chaos, SensitivityTable *table,
                             Arena *arena, Error *err)
{
    const size_t d = table->study->factor_count;
    ChaosEffects found, conf;
    if (!chaos_make_effects(chaos, arena, &found, err) ||
        !chaos_make_conf(chaos, request->replicates ? request->replicates : CHAOS_REPLICATES, request->seed, arena,
                         &conf, err))
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
static bool fill_correlated(const SensitivityRequest *request, const Chaos *chaos, const Fit *fit,
                            SensitivityTable *table, Arena *arena, Error *err)
{
    const Study  *study = table->study;
    const Shapley shapley = {.factor_count = study->factor_count,
                             .distributions = fit->distributions,
                             .correlation = study->correlation,
                             .function = chaos_value,
                             .user = chaos,
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
    const size_t d = study->factor_count;
    Fit          fit;
    Chaos        chaos = {0};
    const char **names = arena_take(arena, d, sizeof *names, err);
    for (size_t f = 0; names && f < d; ++f)
        names[f] = study->factors[f]->name;
    if (!names || !sensitivity_take_rows(table, names, d, !study->correlation, arena, err) ||
        !make_fit(request, table, &fit, arena, err))
        return false;
    if (fit.count < CHAOS_LEAST_POINTS) {
        table->trouble = "too few samples are left without a failed point";
        return true;
    }
    const ChaosData    data = {d, fit.count, fit.factors, (const double *const *)fit.x, fit.y};
    const ChaosOptions options = {.seed = request->seed};
    if (!chaos_make(&data, &options, &chaos, err))
        return false;
    bool ok = true;
    table->quality = chaos.q2;
    table->estimator = "polynomial chaos";
    if (isnan(chaos.q2))
        table->trouble = "the output is constant: it depends on no factor";
    else if (!chaos_serves(&chaos, CHAOS_LEAST_Q2))
        table->trouble = "the expansion says too little of the output (Q2 below 0.9): take more samples, or saltelli";
    else
        ok = study->correlation ? fill_correlated(request, &chaos, &fit, table, arena, err)
                                : fill_independent(request, &chaos, table, arena, err);
    chaos_free(&chaos);
    return ok;
}
