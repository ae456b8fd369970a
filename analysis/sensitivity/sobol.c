// sobol -- variance-based indices of an output, at the end or over time, from Saltelli's design.
#include "analysis/sensitivity/sensitivity.h"
#include "analysis/sensitivity/variance.h"

#include <math.h>

// Bundles and replicates of each sample of a trajectory, of which there are many.
enum { BUNDLES_OVER_TIME = 64, REPLICATES_OVER_TIME = 200 };

// Of the first samples: so many places, and no fewer samples than that.
enum { MOST_HALVINGS = 8, LEAST_SAMPLES = 32 };

typedef struct SobolSums {
    Variance *items;  // [width] one for each sample of a trajectory
    size_t    width, roles;
    double   *outputs;  // [roles]
} SobolSums;

static void add_sample(uint64_t sample, const double *numbers, void *user)
{
    SobolSums *sums = user;
    for (size_t k = 0; numbers && k < sums->width; ++k) {
        for (size_t r = 0; r < sums->roles; ++r)
            sums->outputs[r] = numbers[r * sums->width + k];
        variance_add(&sums->items[k], sample, sums->outputs);
    }
}

static void fill_rows(SensitivityTable *table, const VarianceIndices *found)
{
    const size_t g = table->study->group_count;
    for (size_t i = 0; i < g; ++i) {
        double *numbers = table->rows[i].numbers;
        numbers[0] = found->first[i].value;
        numbers[1] = found->first[i].conf;
        numbers[2] = found->total[i].value;
        numbers[3] = found->total[i].conf;
    }
    for (size_t i = g; found->second && i < table->row_count; ++i) {
        table->rows[i].numbers[4] = found->second[i - g].value;
        table->rows[i].numbers[5] = found->second[i - g].conf;
    }
}

static bool find_table(const SensitivityRequest *request, const Variance *sums, size_t bundles, size_t replicates,
                       SensitivityTable *table, Arena *arena, Error *err)
{
    static const char *const names[VARIANCE_ESTIMATORS] = {"Saltelli 2010", "Jansen 1999", "Janon 2014"};
    const VarianceOptions    options = {.estimator = (VarianceEstimator)request->estimator,
                                        .bundles = bundles,
                                        .replicates = request->replicates ? request->replicates : replicates,
                                        .seed = request->seed};
    VarianceIndices          found;
    const Study             *study = table->study;
    if (!sensitivity_take_rows(table, true, study->second_order, arena, err) ||
        !variance_find(sums, &options, arena, &found, err))
        return false;
    table->mean = found.mean;
    table->deviation = sqrt(found.variance);
    table->trouble = sensitivity_trouble((int)found.outcome);
    table->estimator = names[found.estimator];
    table->reason = found.reason;
    if (request->over == SENSITIVITY_OVER_SAMPLES)
        table->place = (double)found.base_count;
    if (!table->trouble)
        fill_rows(table, &found);
    return true;
}

// Sums of the output, in one scan: one for each sample of a trajectory.
static bool make_sums(const SensitivityRequest *request, SensitivityTable *table, size_t width, size_t bundles,
                      SobolSums *sums, Arena *arena, Error *err)
{
    const Study *study = table->study;
    *sums = (SobolSums){.width = width, .roles = study->roles};
    sums->items = arena_take(arena, width, sizeof *sums->items, err);
    sums->outputs = arena_take(arena, study->roles, sizeof *sums->outputs, err);
    bool ok = sums->items && sums->outputs;
    for (size_t k = 0; ok && k < width; ++k)
        ok = variance_make(study->group_count, study->second_order, study->samples, bundles, arena, &sums->items[k],
                           err);
    return ok && study_scan(study, table->output, table->row, request->failed, add_sample, sums, &table->tally, err);
}

size_t sensitivity_find_width(const SensitivityRequest *request, const Study *study, const StudyOutput *output)
{
    size_t width = 1;
    if (request->over == SENSITIVITY_OVER_TIME)
        return study_width(output);
    while (request->over == SENSITIVITY_OVER_SAMPLES && width < MOST_HALVINGS &&
           study->samples >> width >= LEAST_SAMPLES)
        ++width;
    return width;
}

// Fewer samples are fewer bundles of the same sums.
bool sensitivity_make_sobol(const SensitivityRequest *request, SensitivityTable *tables, Arena *arena, Error *err)
{
    const bool   time = request->over == SENSITIVITY_OVER_TIME;
    const size_t width = sensitivity_find_width(request, tables->study, tables->output);
    SobolSums    sums;
    bool         ok =
        make_sums(request, tables, time ? width : 1, time ? BUNDLES_OVER_TIME : VARIANCE_BUNDLES, &sums, arena, err);
    for (size_t k = 0; ok && k < width; ++k) {
        tables[k].tally = tables[0].tally;
        ok = time ? find_table(request, &sums.items[k], 0, REPLICATES_OVER_TIME, &tables[k], arena, err)
                  : find_table(request, sums.items, sums.items->bundle_count >> (width - 1 - k), VARIANCE_REPLICATES,
                               &tables[k], arena, err);
    }
    return ok;
}
