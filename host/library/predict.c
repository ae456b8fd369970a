// predict -- outputs where nothing was computed, by a polynomial chaos expansion of points that were.
#include "library/study.h"

#include "analysis/sensitivity/sample.h"
#include "store/held.h"

#include <math.h>
#include <string.h>

// Predicting on their way into a result.
typedef struct Predicting {
    const char *const *names;  // [columns] of the values
    size_t             columns;
    const double      *at;  // [count][columns]
    size_t             count;
    const Study       *study;
    size_t            *column_of;     // [factor_count]
    double            *x;             // [factor_count] of one place
    double            *least, *most;  // [factor_count] between which the expansion under way holds
    StudyGrid          grid;
    StoreFile         *file;
    StoreGroup        *group;                    // of the output under way
    double            *value, *error, *quality;  // of it: [grid][point], [grid][point], [grid]
} Predicting;

static bool find_columns(Predicting *to, Error *err)
{
    const Study *study = to->study;
    to->x = arena_take(&to->file->arena, study->factor_count, sizeof *to->x, err);
    to->least = arena_take(&to->file->arena, study->factor_count, sizeof *to->least, err);
    to->most = arena_take(&to->file->arena, study->factor_count, sizeof *to->most, err);
    to->column_of = arena_take(&to->file->arena, study->factor_count, sizeof *to->column_of, err);
    if (!to->x || !to->least || !to->most || !to->column_of)
        return false;
    for (size_t f = 0; f < study->factor_count; ++f) {
        size_t c = 0;
        while (c < to->columns && strcmp(to->names[c], study->factors[f]->name) != 0)
            ++c;
        if (c == to->columns)
            return fail(err, ERROR_USAGE, "the places have no column '%.60s'", study->factors[f]->name);
        to->column_of[f] = c;
    }
    return true;
}

static double *add_numbers(Predicting *to, const char *name, const StudyOutput *output, Error *err)
{
    const char *unit = arena_copy(&to->file->arena, output->unit, err);
    double     *numbers =
        unit ? held_add_numbers(to->file, to->group, name, to->grid.rank + 1, to->grid.dims, to->grid.shape, err)
                 : NULL;
    if (numbers)
        to->group->variables[to->group->variable_count - 1].unit = unit;
    return numbers;
}

static bool begin_group(Predicting *to, const StudyOutput *output, Error *err)
{
    const size_t rank = to->grid.rank;
    to->grid.dims[rank] = "point";
    to->grid.shape[rank] = to->count;
    to->group = held_group(to->file, output->name, to->study->points.axis_count + 3, err);
    return to->group && study_add_grid(to->study, &to->grid, to->file, to->group, err) &&
           (to->value = add_numbers(to, "value", output, err)) && (to->error = add_numbers(to, "error", output, err)) &&
           (to->quality = held_add_numbers(to->file, to->group, "Q2", rank, to->grid.dims, to->grid.shape, err));
}

// Whether a place lies where the expansion holds; the first factor of which it does not is `outside`.
static bool is_inside(Predicting *to, size_t place, size_t *outside)
{
    for (size_t f = 0; f < to->study->factor_count; ++f) {
        to->x[f] = to->at[place * to->columns + to->column_of[f]];
        if (!(to->x[f] >= to->least[f] && to->x[f] <= to->most[f])) {
            *outside = f;
            return false;
        }
    }
    return true;
}

static void predict_places(Predicting *to, const Fit *fit, const SensitivityTable *fitted, Text *text)
{
    const size_t first = (size_t)fitted->row * to->count;
    size_t       left_out = 0;
    for (size_t f = 0; f < to->study->factor_count && !fitted->trouble; ++f)
        sample_fit_range(fit, f, &to->least[f], &to->most[f]);
    for (size_t i = 0; i < to->count; ++i) {
        size_t outside;
        to->value[first + i] = to->error[first + i] = (double)NAN;
        if (fitted->trouble)
            continue;
        if (is_inside(to, i, &outside)) {
            chaos_predict(&fit->chaos, to->x, &to->value[first + i], &to->error[first + i]);
        } else if (left_out++ == 0) {
            text_add(text, "  no prediction at place %zu: %s = %.10g lies outside %.10g to %.10g, where points are\n",
                     i, to->study->factors[outside]->name, to->x[outside], to->least[outside], to->most[outside]);
        }
    }
    if (left_out > 1)
        text_add(text, "  and at %zu other places outside\n", left_out - 1);
    if (fitted->trouble)
        text_add(text, "  no predictions: %s\n", fitted->trouble);
    to->quality[fitted->row] = fitted->quality;
}

static bool predict_row(Predicting *to, const SensitivityRequest *request, SensitivityTable *fitted, Error *err)
{
    Arena arena SCOPED(arena_free) = {0};
    Text  text SCOPED(text_free) = {0};
    Fit   fit = {0};
    bool  ok = sample_fit(request, fitted, &arena, &fit, err);
    if (ok)
        predict_places(to, &fit, fitted, &text);
    sample_fit_free(&fit);
    return ok && text_check(&text, err) &&
           (text.length == 0 || library_add_messages(to->file, to->group, text.text, err));
}

static bool predict(const SensitivityRequest *request, Study *study, StoreFile *found, void *user, Error *err)
{
    Predicting        *to = user;
    SensitivityRequest chaos = *request;
    SensitivityIndex   index;
    StudyOutput       *outputs;
    size_t             count;
    chaos.index = SENSITIVITY_CHAOS;
    to->study = study;
    to->file = found;
    bool ok = sensitivity_choose(&chaos, study, &index, err) &&
              study_outputs(study, request->metric_count ? request->metrics[0] : NULL, false, &outputs, &count, err) &&
              held_open("predict", count, found, err) && find_columns(to, err) &&
              study_begin_grid(study, found, &to->grid, err);
    for (size_t k = 0; ok && k < count; ++k) {
        SensitivityTable fitted = {.index = index, .study = study, .output = &outputs[k]};
        ok = begin_group(to, fitted.output, err);
        for (; ok && fitted.row < (study->random ? study->row_count : 1); ++fitted.row) {
            fitted.quality = (double)NAN;
            fitted.trouble = NULL;
            fitted.tally = (StudyTally){0};
            ok = predict_row(to, &chaos, &fitted, err);
        }
    }
    return ok;
}

PendulaResult *pendula_predict(const double *x, const char *const *factors, size_t factor_count, const double *y,
                               const char *const *outputs, size_t output_count, size_t points, const double *at,
                               size_t count, const PendulaSensitivityOptions *options, PendulaError **error)
{
    PLAIN_NUMERALS;
    Predicting        to = {.names = factors, .columns = factor_count, .at = at, .count = count};
    const StudyArrays arrays = {.x = x,
                                .y = y,
                                .point_count = points,
                                .factor_count = factor_count,
                                .output_count = output_count,
                                .factors = factors,
                                .outputs = outputs};
    if (!at || count == 0)
        return library_refuse(error, ERROR_USAGE, "there are no places to predict at"), NULL;
    return study_of_arrays(&arrays, options, predict, &to, error);
}

PendulaResult *pendula_result_predict(const PendulaResult *result, const char *label, const char *const *names,
                                      size_t columns, const double *at, size_t count,
                                      const PendulaSensitivityOptions *options, PendulaError **error)
{
    PLAIN_NUMERALS;
    Predicting to = {.names = names, .columns = columns, .at = at, .count = count};
    if (!at || count == 0)
        return library_refuse(error, ERROR_USAGE, "there are no places to predict at"), NULL;
    return library_check_texts(names, columns, "column", error)
               ? study_of_result(result, label, options, predict, &to, error)
               : NULL;
}
