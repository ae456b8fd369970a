// command -- `pendula sensitivity FILE.h5`: which factors each output depends on, and how far.
#include "analysis/sensitivity/sensitivity_plot.h"
#include "analysis/sensitivity/variance.h"
#include "terminal/commands.h"
#include "store/verify.h"

#include <stdlib.h>
#include <string.h>

enum { PICTURE_INDICES, PICTURE_SCATTER, PICTURE_SURROGATE, PICTURES };
static const char *const pictures[PICTURES] = {"indices", "scatter", "surrogate"};

typedef struct SensitivityArguments {
    SensitivityRequest request;  // metrics and labels are filled in last
    Words              metrics, labels;
    Words              inputs, columns;  // of a table, and its outputs; none: it is a result file
    Words              distributions;    // of inputs, NAME={..}
    Coordinates        deviations;       // of factors
    Format             format;
    const char        *output, *stem;
    Outputs            outputs;
    SensitivityPicture picture;
    Words              map;   // two axes
    unsigned           kind;  // of the picture; PICTURES: it was not said
} SensitivityArguments;

static const Option sensitivity_options[] = {
    {"inputs", 0, "NAMES", OPTION_LIST(SensitivityArguments, inputs),
     "the file is a table of any program's, CSV or HDF5: its columns (datasets) a,b,c are the factors"},
    {"outputs", 0, "NAMES", OPTION_LIST(SensitivityArguments, columns), "and its columns y,z are the outputs"},
    {"distribution", 0, "NAME={..}", OPTION_TEXTS(SensitivityArguments, distributions),
     "of an input of the table, as a sweep file has it, a={uniform: [0, 1]} (may be repeated; default: that of its "
     "values); for --index chaos and dgsm"},
    {"metric", 0, "METRIC", OPTION_TEXTS(SensitivityArguments, metrics),
     "only this metric, or x_final[i]; a field with --over time (may be repeated)"},
    {"method", 0, "LABEL", OPTION_TEXTS(SensitivityArguments, labels), "only this group (may be repeated)"},
    {"group", 0, "LABEL", OPTION_TEXTS(SensitivityArguments, labels), "the same"},
    {"index", 0, "INDEX", OPTION_WORD(SensitivityArguments, request.index, sensitivity_names),
     "sobol, morris, local, swing, given, chaos, delta, shapley or dgsm (default: what the design serves)"},
    {"estimator", 0, "NAME", OPTION_WORD(SensitivityArguments, request.estimator, sensitivity_estimators),
     "of the first-order index: saltelli, jansen, janon or auto (default: auto, the one with the least spread)"},
    {"deviation", 0, "NAME=S,...", OPTION_VALUES(SensitivityArguments, deviations),
     "of the index local: the standard deviations of these parameters, by which and by the derivatives the output has "
     "its own (default: those of their distributions)"},
    {"failed", 0, "RULE", OPTION_WORD(SensitivityArguments, request.failed, sensitivity_rules),
     "points that failed or have no number: drop their sample, worst (the largest number), refuse, or classify: which "
     "factors failing depends on (default: drop)"},
    {"over", 0, "time|samples", OPTION_WORD(SensitivityArguments, request.over, sensitivity_over_names),
     "indices of the stored fields at each sample of the trajectories; or of the first half, quarter, ... of the base "
     "samples, which shows how they converge"},
    {"within", 0, "WIDTH", OPTION_NUMBER(SensitivityArguments, request.within, NUMBERS_POSITIVE),
     "say how many samples give intervals of this half width"},
    {"replicates", 0, "COUNT", OPTION_WHOLE(SensitivityArguments, request.replicates, 0, 1000000),
     "of the resampling for intervals"},
    {"seed", 0, "NUMBER", OPTION_WHOLE(SensitivityArguments, request.seed, 0, UINT64_C(1) << 53),
     "of the resampling (default: 1)"},
    TABLE_ROW_FORMAT(SensitivityArguments, format),
    {"output", 'o', "FILE", OPTION_TEXT(SensitivityArguments, output), "where to (default: standard output)"},
    FIGURE_ROW_PLOT(SensitivityArguments, stem),
    {"picture", 0, "KIND", OPTION_WORD(SensitivityArguments, kind, pictures),
     "of --plot: indices; scatter, the outputs over each factor with their conditional means; surrogate, what the "
     "expansion of --index chaos, which it implies, predicts beside what was computed (default: indices)"},
    {"map", 0, "X,Y", OPTION_LIST(SensitivityArguments, map),
     "draw the indices over these axes around the designs (default: where there are two, over them)"},
    OPTION_ROW_FORCE(SensitivityArguments, outputs.force)};

// Checks the options that --picture and --map go with.
static bool check(void *arguments, Error *err)
{
    SensitivityArguments *given = arguments;
    SensitivityRequest   *request = &given->request;
    const Words          *map = &given->map;
    const bool            chosen = given->kind<PICTURES, mapped = map->count> 0;
    const unsigned        kind = chosen ? given->kind : PICTURE_INDICES;
    given->kind = kind;
    if ((given->inputs.count > 0) != (given->columns.count > 0))
        return fail(err, ERROR_USAGE, "--inputs and --outputs say which columns of a table are meant: give both");
    if (given->inputs.count > 0 && (given->metrics.count > 0 || given->labels.count > 0))
        return fail(err, ERROR_USAGE,
                    "--metric and --method are of result files: of a table --outputs says what is meant");
    if (given->distributions.count > 0 && given->inputs.count == 0)
        return fail(err, ERROR_USAGE,
                    "--distribution is of the inputs of a table, which --inputs names: a result file has its sweep's");
    if (given->distributions.count > 0 && kind != PICTURE_SURROGATE && request->index != SENSITIVITY_CHAOS &&
        request->index != SENSITIVITY_DGSM)
        return fail(err, ERROR_USAGE,
                    "--distribution is used by --index chaos and --index dgsm, and by no other: add one of them");
    if (mapped && (map->count != 2 || !*map->items[0] || !*map->items[1] || strcmp(map->items[0], map->items[1]) == 0))
        return fail(err, ERROR_USAGE, "--map takes two axes, X,Y, which differ; got %zu, the first '%.100s'",
                    map->count, map->items[0]);
    if ((chosen || mapped) && !given->stem)
        return fail(err, ERROR_USAGE, "--picture and --map say what --plot draws: add --plot FILE");
    if (request->over && (mapped || kind != PICTURE_INDICES))
        return fail(err, ERROR_USAGE, "--over draws curves: leave out --map and --picture");
    if (mapped && kind != PICTURE_INDICES)
        return fail(err, ERROR_USAGE, "--map is a picture of indices: leave out --picture %s", pictures[kind]);
    if (kind == PICTURE_SURROGATE && request->index != SENSITIVITY_AUTO && request->index != SENSITIVITY_CHAOS)
        return fail(err, ERROR_USAGE, "--picture surrogate draws the expansion of --index chaos, not of %s",
                    sensitivity_names[request->index]);
    if (kind == PICTURE_SURROGATE)
        request->index = SENSITIVITY_CHAOS;
    return true;
}

const Usage sensitivity_command_usage = {
    USAGE_OPTIONS(sensitivity_options),
    .arguments = ARGUMENTS_ONE(SensitivityArguments, request.path, "FILE.h5", "result file, or with --inputs a table"),
    .check = check,
    .about = "Finds which factors of a sweep each metric depends on, and how far. The design of the sweep says which "
             "index that is:",
    .notes =
        "  saltelli      first, total and second order indices of Sobol', with intervals\n"
        "  morris        mean, magnitude and spread of elementary effects\n"
        "  local         derivatives at the centre, the sweep's own or by central differences; the output's deviation "
        "by "
        "them\n"
        "  one_at_a_time least and largest value along each factor\n"
        "  others        first-order index by ranks, and PAWN: also of a grid and of points from a file\n\n"
        "--index chaos fits a polynomial chaos expansion to any of the others and to saltelli: all indices from few "
        "points, where it explains the output; Shapley effects of correlated factors.\n"
        "--index delta is how far a factor moves the density of the output (Borgonovo 2007), --index shapley finds "
        "Shapley effects of dependent rows by nearest neighbours, and of walks between independent points.\n"
        "--index dgsm averages squares of the sweep's derivatives, which bound total indices (Sobol' and Kucherenko "
        "2010).\n\n"
        "An interval is the value plus and minus its conf, at 95 %."};

static bool draw_kind(SensitivityArguments *given, Study *studies, size_t count, const char *title, Text *said,
                      Error *err)
{
    if (given->kind == PICTURE_INDICES)
        return sensitivity_plot_draw(&given->picture, title, sensitivity_plot_axis(studies, count), given->request.over,
                                     given->stem, &given->outputs, said, err);
    return sensitivity_plot_points(&given->request, given->kind == PICTURE_SURROGATE, studies, count, title,
                                   given->stem, &given->outputs, NULL, said, err);
}

static bool draw(SensitivityArguments *given, const StoreFile *file, Study *studies, size_t count, Error *err)
{
    char *title = NULL;
    Text  said = {0};
    bool  ok = store_read_text(file, NULL, "title", &title, err) &&
              draw_kind(given, studies, count, title, &said, err) && text_check(&said, err);
    if (ok)
        options_log(&said);
    text_free(&said);
    free(title);
    return ok;
}

// A result file, or a table.
static bool open_file(const SensitivityArguments *given, StoreFile *file, Error *err)
{
    const char *path = given->request.path, *ending = strrchr(path, '.');
    if (given->inputs.count > 0)
        return study_table(path, given->inputs.items, given->inputs.count, given->columns.items, given->columns.count,
                           given->distributions.items, given->distributions.count, file, err);
    if (ending && strcmp(ending, ".csv") == 0)
        return fail(err, ERROR_USAGE, "%s: of a table, --inputs a,b,.. and --outputs y,.. say which columns are meant",
                    path);
    return verify_open(path, file, err);
}

static bool find_and_print(SensitivityArguments *given, Text *text, Error *err)
{
    const SensitivityRequest *request = &given->request;
    StoreFile                 file = {0};
    Arena                     arena = {0};
    size_t                    count = 0;
    if (!open_file(given, &file, err))
        return false;
    options_log(&file.notes);
    Study *studies = arena_take(&arena, file.group_count, sizeof *studies, err);
    bool   ok = studies && study_open_all(&file, request->labels, request->label_count, studies, &count, err);
    for (size_t i = 0; i < given->map.count; ++i)
        given->picture.map[i] = given->map.items[i];
    ok = ok && sensitivity_plot_map(studies, count, given->picture.map, err);
    if (ok && file.blocks_done < file.block_count)
        options_say("%s: %llu of %llu blocks are not computed yet: their points count as failed", file.path,
                    (unsigned long long)(file.block_count - file.blocks_done), (unsigned long long)file.block_count);
    ok = ok &&
         sensitivity_print(request, studies, count, given->format, text, given->stem ? sensitivity_plot_add : NULL,
                           &given->picture, err) &&
         options_write(&given->outputs, given->output, text, err);
    outputs_keep(&given->outputs, given->output);
    ok = ok && (!given->stem || draw(given, &file, studies, count, err));
    for (size_t i = 0; i < count; ++i)
        study_close(&studies[i]);
    arena_free(&arena);
    store_read_close(&file);
    return ok;
}

static bool answer(void *arguments, Error *err)
{
    SensitivityArguments *given = arguments;
    Outputs              *outputs = &given->outputs;
    Text                  text = {0};
    outputs_keep(outputs, given->request.path);
    given->request.metrics = given->metrics.items;
    given->request.metric_count = given->metrics.count;
    given->request.labels = given->labels.items;
    given->request.label_count = given->labels.count;
    given->request.deviations = &given->deviations;
    const bool ok = outputs_check(outputs, given->output, err) &&
                    (!given->stem || figure_check_stem(outputs, given->stem, err)) && find_and_print(given, &text, err);
    sensitivity_plot_free(&given->picture);
    text_free(&text);
    return ok;
}

bool sensitivity_command(int argc, char **argv, Error *err)
{
    SensitivityArguments given = {
        .output = "-", .kind = PICTURES, .request = {.index = SENSITIVITY_AUTO, .estimator = VARIANCE_AUTO, .seed = 1}};
    return options_run(&sensitivity_command_usage, argc, argv, &given, answer, err);
}
