// predict -- `pendula predict FILE.h5 --metric M --at NAME=VALUE,...`: an output where nothing was computed.
#include "analysis/sensitivity/sample.h"
#include "terminal/commands.h"
#include "store/verify.h"

#include <math.h>
#include <string.h>

typedef struct PredictArguments {
    SensitivityRequest request;  // path and seed; metrics and labels are filled in last
    Words              metrics;
    const char        *label;  // of a group; NULL: all
    Coordinates        at;
    Format             format;
    const char        *output;
    Outputs            outputs;
} PredictArguments;

static const Option predict_options[] = {
    {"metric", 0, "METRIC", OPTION_TEXTS(PredictArguments, metrics),
     "what to predict: a metric, or x_final[i] (may be repeated)"},
    {"at", 0, "AXIS=VALUE,...", OPTION_VALUES(PredictArguments, at),
     "where: a value for each factor, and for each axis of a grid of designs"},
    {"method", 0, "LABEL", OPTION_TEXT(PredictArguments, label), "only this group"},
    {"group", 0, "LABEL", OPTION_TEXT(PredictArguments, label), "the same"},
    TABLE_ROW_FORMAT(PredictArguments, format),
    {"output", 'o', "FILE", OPTION_TEXT(PredictArguments, output), "where to (default: standard output)"},
    OPTION_ROW_FORCE(PredictArguments, outputs.force)};

static bool check(void *arguments, Error *err)
{
    const PredictArguments *given = arguments;
    if (given->metrics.count == 0)
        return fail(err, ERROR_USAGE, "which metric? --metric NAME");
    return given->at.count > 0 || fail(err, ERROR_USAGE, "where? --at NAME=VALUE,...");
}

const Usage predict_command_usage = {
    USAGE_OPTIONS(predict_options),
    .arguments = ARGUMENTS_ONE(PredictArguments, request.path, "FILE.h5", "result file"), .check = check,
    .about = "Predicts metrics where no point was computed, by a polynomial chaos expansion of those that were.",
    .notes = "The error is the standard error of one prediction, found from points that were left out of the fit. The "
             "expansion explains the share Q2 of the variance; below 0.9 nothing is predicted. Values beyond the "
             "distribution of a factor, or beyond the points where it has none, are refused."};

// The axis of a group by its name, factor or not; NULL: it has none.
static const PointsAxis *find_axis(const Study *study, const char *name)
{
    for (size_t i = 0; i < study->points.axis_count; ++i)
        if (strcmp(study->points.axes[i].name, name) == 0)
            return &study->points.axes[i];
    return NULL;
}

static bool check_names(const PredictArguments *given, const Study *study, Error *err)
{
    for (size_t i = 0; i < given->at.count; ++i)
        if (!find_axis(study, given->at.items[i].name))
            return fail(err, ERROR_USAGE, "--at: group '%s' has no axis or factor '%.60s'", study->label,
                        given->at.items[i].name);
    return true;
}

// The row of the study at the given values of the axes around its design, which must be there.
static bool find_row(const PredictArguments *given, const Study *study, uint64_t *row, Error *err)
{
    *row = 0;
    for (size_t d = 0; study->random && d + 1 < study->points.dim_count; ++d) {
        const PointsAxis *axis = &study->points.axes[0];
        while (axis->dim != d)
            ++axis;
        const NamedValue *wanted = coordinates_find(&given->at, axis->name);
        size_t            i = 0;
        while (wanted && i < axis->count && axis->values[i] != wanted->value)
            ++i;
        if (!wanted || i == axis->count)
            return fail(err, ERROR_USAGE, "--at: give '%s' one of its %zu values, %.6g to %.6g", axis->name,
                        axis->count, axis->values[0], axis->values[axis->count - 1]);
        *row = *row * axis->count + i;
    }
    return true;
}

// The values of the factors, inside the ranges sampled.
static bool find_place(const PredictArguments *given, const Study *study, const Fit *fit, double *x, Error *err)
{
    for (size_t f = 0; f < study->factor_count; ++f) {
        const NamedValue *wanted = coordinates_find(&given->at, study->factors[f]->name);
        double            least, most;
        if (!wanted)
            return fail(err, ERROR_USAGE, "--at: '%s' has no value", study->factors[f]->name);
        sample_fit_range(fit, f, &least, &most);
        if (!(wanted->value >= least && wanted->value <= most))
            return fail(err, ERROR_USAGE, "--at: %s = %.10g lies outside %.10g to %.10g, where points are",
                        wanted->name, wanted->value, least, most);
        x[f] = wanted->value;
    }
    return true;
}

static void print_row(Table *table, const SensitivityTable *fitted, double value, double error)
{
    table_row(table);
    table_word(table, "label", fitted->study->label);
    table_word(table, "metric", fitted->output->name);
    table_number(table, "value", value);
    table_number(table, "error", error);
    table_number(table, "Q2", fitted->quality);
    if (fitted->trouble)
        table_word(table, "trouble", fitted->trouble);
    table_end_row(table);
}

// One output of a group.
static bool predict_output(const PredictArguments *given, Study *study, const char *metric, Table *table, Error *err)
{
    Arena            arena = {0};
    Fit              fit = {0};
    SensitivityTable fitted = {.index = SENSITIVITY_CHAOS, .study = study, .quality = (double)NAN};
    StudyOutput     *outputs = NULL;
    size_t           count = 0;
    double *x = arena_take(&arena, study->factor_count, sizeof *x, err), value = (double)NAN, error = (double)NAN;
    bool    ok = x && check_names(given, study, err) && find_row(given, study, &fitted.row, err) &&
              study_outputs(study, metric, false, &outputs, &count, err);
    fitted.output = outputs;
    ok = ok && sample_fit(&given->request, &fitted, &arena, &fit, err) &&
         (fit.count == 0 || find_place(given, study, &fit, x, err));
    if (ok && !fitted.trouble)
        chaos_predict(&fit.chaos, x, &value, &error);
    if (ok)
        print_row(table, &fitted, value, error);
    sample_fit_free(&fit);
    arena_free(&arena);
    return ok;
}

static bool predict_group(const PredictArguments *given, const StoreFile *file, const StoreGroup *group, Table *table,
                          Error *err)
{
    const SensitivityRequest chaos = {.index = SENSITIVITY_CHAOS};
    SensitivityIndex         index;
    Study                    study = {0};
    bool ok = study_open(file, group, &study, err) && sensitivity_choose(&chaos, &study, &index, err);
    for (size_t i = 0; ok && i < given->metrics.count; ++i)
        ok = predict_output(given, &study, given->metrics.items[i], table, err);
    study_close(&study);
    return ok;
}

static bool predict_all(const PredictArguments *given, Text *text, Error *err)
{
    const TableColumn columns[] = {{.name = "label", .width = 20, .left = true},
                                   {.name = "metric", .gap = 2, .width = 16, .left = true},
                                   {.name = "value", .gap = 2, .width = 13, .digits = 7},
                                   {.name = "error", .gap = 2, .width = 10, .digits = 2},
                                   {.name = "Q2", .gap = 2, .width = 9, .digits = 6},
                                   {.name = "trouble", .heading = "", .gap = 2, .left = true}};
    Table             table = {TABLE(text, given->format, columns)};
    StoreFile         file = {0};
    if (!verify_open(given->request.path, &file, err))
        return false;
    options_log(&file.notes);
    table_begin(&table);
    if (given->format == FORMAT_TEXT)
        table_heading(&table);
    bool ok = !given->label || store_read_choose(&file, given->label, err);
    for (size_t g = 0; ok && g < file.group_count; ++g)
        if (!given->label || strcmp(file.groups[g].label, given->label) == 0)
            ok = predict_group(given, &file, &file.groups[g], &table, err);
    table_end(&table);
    store_read_close(&file);
    return ok;
}

static bool predict(void *arguments, Error *err)
{
    PredictArguments *given = arguments;
    Text              text = {0};
    outputs_keep(&given->outputs, given->request.path);
    const bool ok = outputs_check(&given->outputs, given->output, err) && predict_all(given, &text, err) &&
                    options_write(&given->outputs, given->output, &text, err);
    text_free(&text);
    return ok;
}

bool predict_command(int argc, char **argv, Error *err)
{
    PredictArguments given = {.output = "-", .request = {.seed = 1}};
    return options_run(&predict_command_usage, argc, argv, &given, predict, err);
}
