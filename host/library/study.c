// study -- studies of the caller's arrays and results, and what analyses of them share.
#include "library/study.h"

#include "analysis/sensitivity/variance.h"
#include "store/held.h"

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

bool study_begin_grid(const Study *study, StoreFile *file, StudyGrid *grid, Error *err)
{
    const Points *points = &study->points;
    grid->rank = study->random && points->dim_count > 0 ? points->dim_count - 1 : 0;
    for (size_t i = 0; i < grid->rank; ++i) {
        grid->dims[i] = arena_copy(&file->arena, points->dims[i].name, err);
        grid->shape[i] = points->dims[i].count;
        if (!grid->dims[i])
            return false;
    }
    return true;
}

bool study_add_grid(const Study *study, const StudyGrid *grid, StoreFile *file, StoreGroup *group, Error *err)
{
    const Points *points = &study->points;
    for (size_t i = 0; i < points->axis_count; ++i) {
        const PointsAxis *axis = &points->axes[i];
        if (axis->dim >= grid->rank || !axis->values)
            continue;
        double *values =
            held_add_numbers(file, group, axis->name, 1, &grid->dims[axis->dim], &grid->shape[axis->dim], err);
        if (!values)
            return false;
        memcpy(values, axis->values, axis->count * sizeof *values);
        group->variables[group->variable_count - 1].scale = strcmp(axis->name, grid->dims[axis->dim]) == 0;
    }
    return true;
}

static PendulaResult *study_group(const StoreFile *file, const StoreGroup *group,
                                  const PendulaSensitivityOptions *options, StudyFind *find, void *user,
                                  PendulaError **error)
{
    SensitivityRequest request = {.metrics = (const char *[]){options->output},
                                  .metric_count = options->output != NULL};
    Error              err = {0};
    Study              study = {0};
    PendulaResult     *result = read_options(options, &request, error) ? library_new(sizeof *result, error) : NULL;
    if (!result)
        return NULL;
    result->complete = study_open(file, group, &study, &err) && find(&request, &study, &result->file, user, &err);
    study_close(&study);
    if (result->complete)
        return result;
    library_fail(error, &err);
    pendula_result_free(result);
    return NULL;
}

PendulaResult *study_of_arrays(const StudyArrays *given_arrays, const PendulaSensitivityOptions *given, StudyFind *find,
                               void *user, PendulaError **error)
{
    PendulaSensitivityOptions options;
    StudyArrays               arrays = *given_arrays;
    StoreFile                 file;
    Error                     err = {0};
    if (!library_take_options(given, &options, sizeof options, error))
        return NULL;
    arrays.distributions = options.distributions;
    if (!study_hold(&arrays, &file, &err))
        return library_fail(error, &err), NULL;
    PendulaResult *result = study_group(&file, &file.groups[0], &options, find, user, error);
    store_read_close(&file);
    return result;
}

PendulaResult *study_of_result(const PendulaResult *result, const char *label, const PendulaSensitivityOptions *given,
                               StudyFind *find, void *user, PendulaError **error)
{
    PendulaSensitivityOptions options;
    const StoreGroup         *group = library_group(result, label);
    if (!group)
        return library_refuse(error, ERROR_USAGE, "the result has no group '%.60s'", label ? label : "NULL"), NULL;
    if (!result->planned && result->file.held)
        return library_refuse(error, ERROR_USAGE, "the result is that of an analysis: give that of the run"), NULL;
    return library_take_options(given, &options, sizeof options, error)
               ? study_group(&result->file, group, &options, find, user, error)
               : NULL;
}
