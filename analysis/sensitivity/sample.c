// sample -- takes points of a study while it is scanned, and fits an expansion to them.
#include "analysis/sensitivity/sample.h"
#include "analysis/sensitivity/outcome.h"
#include "plan/axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take(uint64_t number, const double *numbers, void *user)
{
    Sample *sample = user;
    for (size_t r = 0; r < sample->roles && number % sample->stride == 0 && sample->count < sample->most; ++r)
        sample->y[sample->count++] = numbers ? numbers[r] : (double)NAN;
}

bool sample_take(const SensitivityRequest *request, SensitivityTable *table, uint64_t most, Arena *arena,
                 Sample *sample, Error *err)
{
    const Study *study = table->study;
    uint64_t     count = study->samples;
    *sample = (Sample){.stride = 1, .roles = study->random && study->kind == SAMPLING_SALTELLI ? 2 : study->roles};
    if (count > most / sample->roles && study->random)
        count = most / sample->roles;
    else if (count > most)
        sample->stride = (count - 1) / most + 1;
    sample->most = (size_t)((count - 1) / sample->stride + 1) * sample->roles;
    sample->y = arena_take(arena, sample->most, sizeof *sample->y, err);
    if (!sample->y || !study_scan(study, table->output, table->row, request->failed, take, sample, &table->tally, err))
        return false;
    sensitivity_describe(table, sample->y, sample->count);
    return true;
}

// Of rows in an order of another program's.
static bool read_by_roles(const Study *study, const PointsAxis *axis, const Sample *sample, double *x, Error *err)
{
    double *values = malloc(axis->count * sizeof *values);
    bool    ok = values || fail(err, ERROR_INTERNAL, "out of memory for the values of a factor");
    ok = ok && points_read_axis(&study->points, axis, 0, axis->count, values, err);
    for (size_t i = 0; ok && i < sample->count; ++i)
        x[i] = values[rows_find(&study->rows, i / sample->roles * sample->stride, i % sample->roles)];
    free(values);
    return ok;
}

bool sample_read_factor(const SensitivityTable *table, size_t factor, const Sample *sample, double *x, Error *err)
{
    enum { PART = 1 << 16 };
    const Study      *study = table->study;
    const Points     *points = &study->points;
    const PointsAxis *axis = study->factors[factor];
    if (study->rows.kind == ROWS_SALTELLI)
        return read_by_roles(study, axis, sample, x, err);
    if (axis->values) {
        for (size_t i = 0; i < sample->count; ++i)
            x[i] = points_axis_value(points, (size_t)(axis - points->axes), i * sample->stride);
        return true;
    }
    double *values = malloc(PART * sizeof *values);
    bool    ok = values || fail(err, ERROR_INTERNAL, "out of memory for the values of a factor");
    size_t  next = 0;
    for (uint64_t first = 0; ok && first < axis->count && next < sample->count; first += PART) {
        const size_t count = axis->count - first < PART ? (size_t)(axis->count - first) : PART;
        ok = points_read_axis(points, axis, first, count, values, err);
        for (size_t i = 0; ok && i < count; ++i) {
            const uint64_t number = (first + i) / study->roles;
            if (number % sample->stride == 0 && (first + i) % study->roles < sample->roles && next < sample->count)
                x[next++] = values[i];
        }
    }
    free(values);
    return ok;
}

// Of more points the ones beyond the fit are held out, for an error at points not fitted; this many are enough.
static const uint64_t most_points = UINT64_C(1) << 16;

// As the file has it, "{uniform: [0, 1]}".
bool sample_read_distribution(const Study *study, size_t factor, Distribution *distribution, bool *known, Arena *arena,
                              Error *err)
{
    static const YamlOrigin origin = {.name = "distribution"};
    const Range             anything = {.least = -INFINITY, .most = INFINITY};
    const char             *written = study->distributions[factor];
    YamlNode               *node = NULL;
    AxisText                text;
    *known = false;
    if (!written)
        return true;
    if (!yaml_read(written, strlen(written), &origin, arena, &node, err) ||
        !axis_read(node, study->factors[factor]->name, &anything, &text, err) || !axis_values(&text, arena, err))
        return within(err, "%s", study->points.file->path);
    *distribution = text.distribution;
    *known = text.form == FORM_RANDOM;
    return true;
}

static bool read_distribution(const Study *study, size_t factor, Fit *fit, Arena *arena, Error *err)
{
    bool known;
    if (!sample_read_distribution(study, factor, &fit->distributions[factor], &known, arena, err))
        return false;
    fit->factors[factor] = known ? &fit->distributions[factor] : NULL;
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

bool sample_fit(const SensitivityRequest *request, SensitivityTable *table, Arena *arena, Fit *fit, Error *err)
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

void sample_fit_range(const Fit *fit, size_t factor, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    if (fit->factors[factor])
        distribution_support(fit->factors[factor], least, most);
    for (size_t i = 0; !fit->factors[factor] && i < fit->count; ++i) {
        *least = fmin(*least, fit->x[factor][i]);
        *most = fmax(*most, fit->x[factor][i]);
    }
}

void sample_fit_free(Fit *fit)
{
    chaos_free(&fit->chaos);
    *fit = (Fit){0};
}
