// sensitivity -- indices of arrays or of a result, as a result with a group for each output.
#include "library/study.h"

#include "store/held.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Tables of a study on their way into a result.
typedef struct Gathering {
    const SensitivityRequest *request;
    const Study              *study;
    StoreFile                *file;
    StoreGroup               *group;                         // of the output under way
    double                   *numbers[SENSITIVITY_NUMBERS];  // arrays of the index; NULL: it has none
    double                   *described[5];                  // of the output
    StudyGrid                 grid;
} Gathering;

static const char *const described[] = {"mean", "deviation", "Q2", "failed", "dropped"};

static bool is_of_pairs(const char *name)
{
    return strncmp(name, "S2", 2) == 0;
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
    to->numbers[k] = held_add_numbers(to->file, to->group, name, to->grid.rank + (pairs ? 2 : 1), to->grid.dims,
                                      to->grid.shape, err);
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
    bool ok = to->group && study_add_grid(to->study, &to->grid, to->file, to->group, err) &&
              held_add_text(to->file, to->group, NULL, "index", sensitivity_names[table->index], err);
    for (size_t i = 0; ok && i < d; ++i)
        ok = held_add_text(to->file, to->group, NULL, "factor", table->rows[i].factor, err);
    to->grid.dims[to->grid.rank] = "factor";
    to->grid.dims[to->grid.rank + 1] = "with";
    to->grid.shape[to->grid.rank] = to->grid.shape[to->grid.rank + 1] = d;
    memset(to->numbers, 0, sizeof to->numbers);
    for (size_t k = 0; ok && sensitivity_numbers[table->index][k]; ++k)
        ok = add_numbers(to, table, k, err);
    for (size_t k = 0; ok && k < sizeof described / sizeof *described; ++k)
        ok = (to->described[k] = held_add_numbers(to->file, to->group, described[k], to->grid.rank, to->grid.dims,
                                                  to->grid.shape, err)) != NULL;
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

static bool find_all(const SensitivityRequest *request, Study *study, StoreFile *found, void *unused, Error *err)
{
    (void)unused;
    StudyOutput *outputs;
    size_t       count;
    Gathering    to = {.request = request, .study = study, .file = found};
    return study_outputs(study, request->metric_count ? request->metrics[0] : NULL, false, &outputs, &count, err) &&
           held_open("sensitivity", count, found, err) && study_begin_grid(study, found, &to.grid, err) &&
           sensitivity_find(request, study, gather, &to, err);
}

PendulaResult *pendula_sensitivity(const double *x, const char *const *factors, size_t factor_count, const double *y,
                                   const char *const *outputs, size_t output_count, size_t points,
                                   const PendulaSensitivityOptions *options, PendulaError **error)
{
    PLAIN_NUMERALS;
    const StudyArrays arrays = {.x = x,
                                .y = y,
                                .point_count = points,
                                .factor_count = factor_count,
                                .output_count = output_count,
                                .factors = factors,
                                .outputs = outputs};
    return study_of_arrays(&arrays, options, find_all, NULL, error);
}

PendulaResult *pendula_result_sensitivity(const PendulaResult *result, const char *label,
                                          const PendulaSensitivityOptions *options, PendulaError **error)
{
    PLAIN_NUMERALS;
    return study_of_result(result, label, options, find_all, NULL, error);
}
