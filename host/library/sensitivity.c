// sensitivity -- indices of arrays or of a result, as a result with a group for each output.
#include "library/library.h"

#include "analysis/sensitivity/sensitivity.h"
#include "analysis/sensitivity/variance.h"
#include "store/held.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

PendulaSensitivityOptions pendula_sensitivity_options(void)
{
    return (PendulaSensitivityOptions){.size = sizeof(PendulaSensitivityOptions)};
}

static bool read_options(const PendulaSensitivityOptions *options, SensitivityRequest *request, PendulaError **error)
{
    unsigned index, failed;
    if (!library_find_word(options->index, "index", sensitivity_names, SENSITIVITY_COUNT, SENSITIVITY_AUTO, &index,
                           error) ||
        !library_find_word(options->estimator, "estimator", sensitivity_estimators, SENSITIVITY_ESTIMATORS,
                           VARIANCE_AUTO, &request->estimator, error) ||
        !library_find_word(options->failed, "failed", sensitivity_rules, SENSITIVITY_RULES, STUDY_DROP, &failed, error))
        return false;
    request->index = (SensitivityIndex)index;
    request->failed = (StudyFailed)failed;
    request->replicates = (size_t)options->replicates;
    request->seed = options->seed ? options->seed : 1;
    return true;
}

// Tables of a study on their way into a result.
typedef struct Gathering {
    const SensitivityRequest *request;
    const Study              *study;
    StoreFile                *file;
    StoreGroup               *group;                         // of the output under way
    double                   *numbers[SENSITIVITY_NUMBERS];  // arrays of the index; NULL: it has none
    double                   *described[5];                  // of the output
    // Dimensions of the grid around the designs; room for two more.
    const char *dims[STORE_READ_RANK + 2];
    uint64_t    shape[STORE_READ_RANK + 2];
    size_t      rank;
} Gathering;

static const char *const described[] = {"mean", "deviation", "Q2", "failed", "dropped"};

static bool is_of_pairs(const char *name)
{
    return strncmp(name, "S2", 2) == 0;
}

// The grid around the designs, with the values of its axes.
static bool begin_grid(Gathering *to, Error *err)
{
    const Points *points = &to->study->points;
    to->rank = to->study->random && points->dim_count > 0 ? points->dim_count - 1 : 0;
    for (size_t i = 0; i < to->rank; ++i) {
        to->dims[i] = arena_copy(&to->file->arena, points->dims[i].name, err);
        to->shape[i] = points->dims[i].count;
        if (!to->dims[i])
            return false;
    }
    return true;
}

static bool add_grid(Gathering *to, Error *err)
{
    const Points *points = &to->study->points;
    for (size_t i = 0; i < points->axis_count; ++i) {
        const PointsAxis *axis = &points->axes[i];
        if (axis->dim >= to->rank || !axis->values)
            continue;
        double *values =
            held_add_numbers(to->file, to->group, axis->name, 1, &to->dims[axis->dim], &to->shape[axis->dim], err);
        if (!values)
            return false;
        memcpy(values, axis->values, axis->count * sizeof *values);
        to->group->variables[to->group->variable_count - 1].scale = strcmp(axis->name, to->dims[axis->dim]) == 0;
    }
    return true;
}

// An array of the index for all rows of the study: [grid][factor], or of pairs [grid][factor][with].
static bool add_numbers(Gathering *to, const SensitivityTable *table, size_t k, Error *err)
{
    const size_t   d = sensitivity_factors(table);
    const char    *name = sensitivity_numbers[table->index][k];
    const bool     pairs = is_of_pairs(name);
    const uint64_t rows = table->study->random ? table->study->row_count : 1;
    const char    *unit = sensitivity_has_unit[table->index][k] ? table->output->unit : "1";
    if (pairs && table->row_count == d)
        return true;
    to->numbers[k] = held_add_numbers(to->file, to->group, name, to->rank + (pairs ? 2 : 1), to->dims, to->shape, err);
    if (!to->numbers[k] || !(unit = arena_copy(&to->file->arena, unit, err)))
        return false;
    to->group->variables[to->group->variable_count - 1].unit = unit;
    for (uint64_t i = 0; i < rows * d * (pairs ? d : 1); ++i)
        to->numbers[k][i] = (double)NAN;
    return true;
}

// The group of an output, when the first row of the study is there.
static bool begin_group(Gathering *to, const SensitivityTable *table, Error *err)
{
    const size_t d = sensitivity_factors(table);
    const size_t most = to->study->points.axis_count + SENSITIVITY_NUMBERS + sizeof described / sizeof *described;
    to->group = held_group(to->file, table->output->name, most, err);
    bool ok = to->group && add_grid(to, err) &&
              held_add_text(to->file, to->group, NULL, "index", sensitivity_names[table->index], err);
    for (size_t i = 0; ok && i < d; ++i)
        ok = held_add_text(to->file, to->group, NULL, "factor", table->rows[i].factor, err);
    to->dims[to->rank] = "factor";
    to->dims[to->rank + 1] = "with";
    to->shape[to->rank] = to->shape[to->rank + 1] = d;
    memset(to->numbers, 0, sizeof to->numbers);
    for (size_t k = 0; ok && sensitivity_numbers[table->index][k]; ++k)
        ok = add_numbers(to, table, k, err);
    for (size_t k = 0; ok && k < sizeof described / sizeof *described; ++k)
        ok = (to->described[k] =
                  held_add_numbers(to->file, to->group, described[k], to->rank, to->dims, to->shape, err)) != NULL;
    return ok;
}

static void fill_row(Gathering *to, const SensitivityTable *table)
{
    const size_t d = sensitivity_factors(table), first = (size_t)table->row * d;
    const double numbers[] = {table->mean, table->deviation, table->quality, (double)table->tally.failed,
                              (double)table->tally.dropped};
    for (size_t k = 0; k < sizeof described / sizeof *described; ++k)
        to->described[k][table->row] = numbers[k];
    for (size_t k = 0; k < SENSITIVITY_NUMBERS; ++k) {
        const bool pairs = to->numbers[k] && is_of_pairs(sensitivity_numbers[table->index][k]);
        for (size_t i = 0; to->numbers[k] && !pairs && i < d; ++i)
            to->numbers[k][first + i] = table->rows[i].numbers[k];
        for (size_t i = 0, next = d; pairs && i < d; ++i)
            for (size_t j = i + 1; j < d; ++j, ++next)
                to->numbers[k][(first + i) * d + j] = to->numbers[k][(first + j) * d + i] =
                    table->rows[next].numbers[k];
    }
}

static bool add_messages(Gathering *to, const SensitivityTable *table, Error *err)
{
    Text text SCOPED(text_free) = {0};
    sensitivity_say(&text, to->request, table);
    sensitivity_say_after(&text, to->request, table);
    return text_check(&text, err) && library_add_messages(to->file, to->group, text.text, err);
}

static bool gather(const SensitivityTable *table, void *user, Error *err)
{
    Gathering *to = user;
    if (table->row == 0 && !begin_group(to, table, err))
        return false;
    fill_row(to, table);
    return add_messages(to, table, err);
}

static bool find_all(const SensitivityRequest *request, Study *study, StoreFile *found, Error *err)
{
    StudyOutput *outputs;
    size_t       count;
    Gathering    to = {.request = request, .study = study, .file = found};
    return study_outputs(study, request->metric_count ? request->metrics[0] : NULL, false, &outputs, &count, err) &&
           held_open("sensitivity", count, found, err) && begin_grid(&to, err) &&
           sensitivity_find(request, study, gather, &to, err);
}

static PendulaResult *find(const StoreFile *file, const StoreGroup *group, const PendulaSensitivityOptions *options,
                           PendulaError **error)
{
    SensitivityRequest request = {.metrics = (const char *[]){options->output},
                                  .metric_count = options->output != NULL};
    Error              err = {0};
    Study              study = {0};
    PendulaResult     *result = read_options(options, &request, error) ? library_new(sizeof *result, error) : NULL;
    if (!result)
        return NULL;
    const bool found = study_open(file, group, &study, &err) && find_all(&request, &study, &result->file, &err);
    study_close(&study);
    result->complete = found;
    if (found)
        return result;
    library_fail(error, &err);
    pendula_result_free(result);
    return NULL;
}

PendulaResult *pendula_sensitivity(const double *x, const char *const *factors, size_t factor_count, const double *y,
                                   const char *const *outputs, size_t output_count, size_t points,
                                   const PendulaSensitivityOptions *given, PendulaError **error)
{
    PendulaSensitivityOptions options;
    StoreFile                 file;
    Error                     err = {0};
    if (!library_take_options(given, &options, sizeof options, error))
        return NULL;
    const StudyArrays arrays = {.x = x,
                                .y = y,
                                .point_count = points,
                                .factor_count = factor_count,
                                .output_count = output_count,
                                .factors = factors,
                                .outputs = outputs,
                                .distributions = options.distributions};
    if (!study_hold(&arrays, &file, &err))
        return library_fail(error, &err), NULL;
    PendulaResult *result = find(&file, &file.groups[0], &options, error);
    store_read_close(&file);
    return result;
}

PendulaResult *pendula_result_sensitivity(const PendulaResult *result, const char *label,
                                          const PendulaSensitivityOptions *given, PendulaError **error)
{
    PendulaSensitivityOptions options;
    const StoreGroup         *group = library_group(result, label);
    if (!group)
        return library_refuse(error, ERROR_USAGE, "the result has no group '%.60s'", label ? label : "NULL"), NULL;
    if (!result->planned && result->file.held)
        return library_refuse(error, ERROR_USAGE, "the result is that of an analysis: give that of the run"), NULL;
    return library_take_options(given, &options, sizeof options, error) ? find(&result->file, group, &options, error)
                                                                        : NULL;
}
