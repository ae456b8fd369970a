// fit_study -- keys of a sweep, put over those of the user's.
#include "analysis/fit/fit_study.h"

#include "base/json.h"

#include <string.h>

static bool lists(const Measurements *data, size_t before, const char *field)
{
    for (size_t q = 0; q < before; ++q)
        if (strcmp(data->quantities[q].field, field) == 0)
            return true;
    return false;
}

void fit_study_samples(const Measurements *data, const double *times, size_t count, const char *const *by,
                       size_t by_count, Text *text)
{
    text_add(text, "{times: [");
    for (size_t i = 0; i < count; ++i) {
        text_add(text, i > 0 ? ", " : "");
        json_number(text, times[i]);
    }
    text_add(text, "], fields: [");
    for (size_t q = 0; q < data->quantity_count; ++q) {
        const char *field = data->quantities[q].field;
        if (lists(data, q, field))
            continue;
        text_add(text, "%s%s", q > 0 ? ", " : "", field);
        for (size_t j = 0; j < by_count; ++j)
            text_add(text, ", %s_d_%s", field, by[j]);
    }
    text_add(text, "]}");
}

static char *write_trajectory(const Measurements *data, const double *times, size_t count, const char *const *by,
                              size_t by_count, Arena *arena, Error *err)
{
    Text text = {0};
    text_add(&text, "trajectory=");
    fit_study_samples(data, times, count, by, by_count, &text);
    return text_keep(&text, arena, err);
}

static bool read(const Plan *sweep, const char *const *words, size_t count, FitStudy *study, Error *err)
{
    return spec_read_text(sweep->spec->path, sweep->spec->text, words, count, &study->spec, err) &&
           plan_make(&study->spec, sweep->catalog, &study->plan, err);
}

static char *write_derivatives(const char *const *by, size_t count, Arena *arena, Error *err)
{
    Text text = {0};
    text_add(&text, "derivatives=[");
    for (size_t i = 0; i < count; ++i)
        text_add(&text, "%s%s", i > 0 ? ", " : "", by[i]);
    text_add(&text, "]");
    return text_keep(&text, arena, err);
}

bool fit_study_make(const Plan *sweep, const char *const *overrides, size_t override_count, const Measurements *data,
                    const double *times, size_t time_count, const char *const *by, size_t by_count, FitStudy *study,
                    Error *err)
{
    enum { OWN = 3 };
    const char **words = arena_take(&study->arena, override_count + OWN, sizeof *words, err);
    Error        why = {0};
    if (!words)
        return false;
    if (override_count > 0)
        memcpy(words, overrides, override_count * sizeof *words);
    const char **own = words + override_count;
    own[0] = "metrics=[x_final]";
    own[1] = write_trajectory(data, times, time_count, by, by_count, &study->arena, err);
    own[2] = write_derivatives(by, by_count, &study->arena, err);
    if (!own[1] || !own[2])
        return false;
    study->derived = by_count > 0 && read(sweep, words, override_count + OWN, study, &why);
    if (study->derived)
        return true;
    if (by_count > 0 && !(study->why = arena_copy(&study->arena, why.message, err)))
        return false;
    plan_free(&study->plan);
    spec_free(&study->spec);
    own[1] = write_trajectory(data, times, time_count, NULL, 0, &study->arena, err);
    own[2] = "derivatives=null";
    return own[1] && read(sweep, words, override_count + OWN, study, err);
}

void fit_study_free(FitStudy *study)
{
    plan_free(&study->plan);
    spec_free(&study->spec);
    arena_free(&study->arena);
    *study = (FitStudy){0};
}
