// fit -- takes the points of a study, and fits an expansion to them.
#include "analysis/sensitivity/fit.h"
#include "analysis/sensitivity/outcome.h"
#include "analysis/sensitivity/sample.h"
#include "plan/axis.h"

#include <math.h>
#include <string.h>

// Of more points the ones beyond the fit are held out, for an error at points not fitted; this many are enough.
static const uint64_t most_points = UINT64_C(1) << 16;

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
    fit->factors[factor] = text.form == FORM_RANDOM ? &fit->distributions[factor] : NULL;
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

static bool take_points(const SensitivityRequest *request, SensitivityTable *table, Fit *fit, Arena *arena, Error *err)
{
    const Study *study = table->study;
    const size_t d = study->factor_count;
    Sample       sample;
    *fit = (Fit){.factors = arena_take(arena, d, sizeof *fit->factors, err),
                 .distributions = arena_take(arena, d, sizeof *fit->distributions, err),
                 .x = arena_take(arena, d, sizeof *fit->x, err),
                 .known = true};
    if (!fit->factors || !fit->distributions || !fit->x ||
        !sample_take(request, table, most_points, arena, &sample, err) ||
        !(fit->y = arena_take(arena, sample.count, sizeof *fit->y, err)))
        return false;
    for (size_t f = 0; f < d; ++f) {
        fit->x[f] = arena_take(arena, sample.count, sizeof **fit->x, err);
        if (!fit->x[f] || !read_distribution(study, f, fit, arena, err) ||
            !sample_read_factor(table, f, &sample, fit->x[f], err))
            return false;
        fit->known = fit->known && fit->factors[f];
    }
    drop_failed(table, &sample, fit);
    return true;
}

bool fit_make(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Fit *fit, Error *err)
{
    if (!take_points(request, table, fit, arena, err))
        return false;
    if (fit->count < CHAOS_LEAST_POINTS) {
        table->trouble = sensitivity_trouble(OUTCOME_TOO_FEW);
        return true;
    }
    const ChaosData    data = {table->study->factor_count, fit->count, fit->factors, (const double *const *)fit->x,
                               fit->y};
    const ChaosOptions options = {.seed = request->seed};
    if (!chaos_make(&data, &options, &fit->chaos, err))
        return within(err, "%s: group '%s': %s", table->study->points.file->path, table->study->label,
                      table->output->name);
    table->quality = fit->chaos.q2;
    table->estimator = "polynomial chaos";
    if (isnan(fit->chaos.q2))
        table->trouble = sensitivity_trouble(OUTCOME_CONSTANT);
    else if (!(fit->chaos.q2 >= CHAOS_LEAST_Q2))
        table->trouble = "the expansion says too little of the output (Q2 below 0.9): take more samples, or saltelli";
    return true;
}

void fit_free(Fit *fit)
{
    chaos_free(&fit->chaos);
    *fit = (Fit){0};
}
