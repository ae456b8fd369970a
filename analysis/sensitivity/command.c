// command -- `pendula sensitivity FILE.h5`: which factors each output depends on, and how far.
#include "analysis/sensitivity/sensitivity_plot.h"
#include "analysis/sensitivity/variance.h"
#include "base/yaml.h"
#include "terminal/commands.h"
#include "terminal/numbers.h"
#include "store/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_METRIC = OPTION_LONG,
    KEY_METHOD,
    KEY_INDEX,
    KEY_ESTIMATOR,
    KEY_FAILED,
    KEY_OVER,
    KEY_REPLICATES,
    KEY_SEED,
    KEY_WITHIN,
    KEY_FORMAT,
    KEY_PLOT,
    KEY_MAP,
    KEY_PICTURE,
    KEY_FORCE
};

enum { PICTURE_INDICES, PICTURE_SCATTER, PICTURE_SURROGATE, PICTURES };
static const char *const pictures[PICTURES] = {"indices", "scatter", "surrogate"};

typedef struct SensitivityArguments {
    SensitivityRequest request;  // metrics and labels are filled in last
    Words              metrics, labels;
    Format             format;
    const char        *output, *stem;
    Outputs            outputs;
    SensitivityPicture picture;
    Text               map[2];  // axes
    int                kind;    // of the picture
    bool               chosen;  // it was said
} SensitivityArguments;

static const struct argp_option sensitivity_options[] = {
    {"metric", KEY_METRIC, "METRIC", 0, "only this metric, or x_final[i]; a field with --over time (may be repeated)",
     0},
    {"method", KEY_METHOD, "LABEL", 0, "only this group (may be repeated)", 0},
    {"index", KEY_INDEX, "INDEX", 0, "sobol, morris, local, swing, given or chaos (default: what the design serves)",
     0},
    {"estimator", KEY_ESTIMATOR, "NAME", 0,
     "of the first-order index: saltelli, jansen, janon or auto (default: auto, the one with the least spread)", 0},
    {"failed", KEY_FAILED, "RULE", 0,
     "points that failed or have no number: drop their sample, worst (the largest number), refuse, or classify: which "
     "factors failing depends on (default: drop)",
     0},
    {"over", KEY_OVER, "time|samples", 0,
     "indices of the stored fields at each sample of the trajectories; or of the first half, quarter, ... of the base "
     "samples, which shows how they converge",
     0},
    {"within", KEY_WITHIN, "WIDTH", 0, "say how many samples give intervals of this half width", 0},
    {"replicates", KEY_REPLICATES, "COUNT", 0, "of the resampling for intervals", 0},
    {"seed", KEY_SEED, "NUMBER", 0, "of the resampling (default: 1)", 0},
    FORMAT_OPTION(KEY_FORMAT),
    {"output", 'o', "FILE", 0, "where to (default: standard output)", 0},
    {"plot", KEY_PLOT, "FILE", 0, "draw FILE.png and FILE.svg too", 0},
    {"picture", KEY_PICTURE, "KIND", 0,
     "of --plot: indices; scatter, the outputs over each factor with their conditional means; surrogate, what the "
     "expansion of --index chaos, which it implies, predicts beside what was computed (default: indices)",
     0},
    {"map", KEY_MAP, "X,Y", 0,
     "draw the indices over these axes around the designs (default: where there are two, over them)", 0},
    FORCE_OPTION(KEY_FORCE),
    {0}};

// The place of a word in a list of them.
static error_t find_word(const char *option, const char *word, const char *const *words, int count, int *found,
                         struct argp_state *state)
{
    Text all = {0};
    for (*found = 0; *found < count; ++*found)
        if (strcmp(words[*found], word) == 0)
            return 0;
    for (int i = 0; i < count; ++i)
        text_add(&all, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", words[i]);
    const error_t refused =
        options_refuse(state, "%s takes %s, got '%.100s'", option, all.text ? all.text : "one of them", word);
    text_free(&all);
    return refused;
}

static error_t find_whole(const char *option, const char *text, double most, double *number, struct argp_state *state)
{
    if (yaml_parse_number(text, number) && *number >= 0.0 && *number <= most && *number == floor(*number))
        return 0;
    return options_refuse(state, "%s takes a whole number from 0 to %.0f, got '%.100s'", option, most, text);
}

static error_t parse_word(int key, const char *value, SensitivityRequest *request, struct argp_state *state)
{
    static const char *const estimators[] = {"saltelli", "jansen", "janon", "auto"};
    static const char *const rules[] = {"drop", "worst", "refuse", "classify"};
    int                      found = 0;
    error_t                  refused = 0;
    if (key == KEY_INDEX) {
        refused = find_word("--index", value, sensitivity_names, SENSITIVITY_COUNT, &found, state);
        request->index = (SensitivityIndex)found;
    } else if (key == KEY_ESTIMATOR) {
        refused = find_word("--estimator", value, estimators, VARIANCE_AUTO + 1, &found, state);
        request->estimator = found;
    } else if (key == KEY_FAILED) {
        refused = find_word("--failed", value, rules, STUDY_CLASSIFY + 1, &found, state);
        request->failed = (StudyFailed)found;
    } else {
        refused = find_word("--over", value, sensitivity_over_names + 1, SENSITIVITY_OVER_SAMPLES, &found, state);
        request->over = (SensitivityOver)(found + 1);
    }
    return refused;
}

static error_t parse_number(int key, const char *value, SensitivityRequest *request, struct argp_state *state)
{
    double  number = 0.0;
    error_t refused = key == KEY_REPLICATES ? find_whole("--replicates", value, 1e6, &number, state)
                                            : find_whole("--seed", value, 0x1p53, &number, state);
    if (key == KEY_REPLICATES)
        request->replicates = (size_t)number;
    else
        request->seed = (uint64_t)number;
    return refused;
}

// "X,Y".
static error_t parse_map(const char *text, SensitivityArguments *given, struct argp_state *state)
{
    const char *comma = strchr(text, ',');
    if (!comma || comma == text || !comma[1] || strchr(comma + 1, ',') ||
        (strlen(comma + 1) == (size_t)(comma - text) && strncmp(text, comma + 1, (size_t)(comma - text)) == 0))
        return options_refuse(state, "--map takes two axes, X,Y, got '%.100s'", text);
    given->map[0].length = given->map[1].length = 0;
    text_add(&given->map[0], "%.*s", (int)(comma - text), text);
    text_add(&given->map[1], "%s", comma + 1);
    return 0;
}

// What --picture and --map go with.
static error_t check_picture(SensitivityArguments *given, struct argp_state *state)
{
    SensitivityRequest *request = &given->request;
    const bool          map = given->map[0].length > 0;
    if ((given->chosen || map) && !given->stem)
        return options_refuse(state, "--picture and --map say what --plot draws: add --plot FILE");
    if (request->over && (map || given->kind != PICTURE_INDICES))
        return options_refuse(state, "--over draws curves: leave out --map and --picture");
    if (map && given->kind != PICTURE_INDICES)
        return options_refuse(state, "--map is a picture of indices: leave out --picture %s", pictures[given->kind]);
    if (given->kind == PICTURE_SURROGATE && request->index != SENSITIVITY_AUTO && request->index != SENSITIVITY_CHAOS)
        return options_refuse(state, "--picture surrogate draws the expansion of --index chaos, not of %s",
                              sensitivity_names[request->index]);
    if (given->kind == PICTURE_SURROGATE)
        request->index = SENSITIVITY_CHAOS;
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options              *options = state->input;
    SensitivityArguments *given = options->target;
    SensitivityRequest   *request = &given->request;
    switch (key) {
    case KEY_METRIC: return options_add_word(&given->metrics, value, options->err) ? 0 : EINVAL;
    case KEY_METHOD: return options_add_word(&given->labels, value, options->err) ? 0 : EINVAL;
    case KEY_INDEX:
    case KEY_ESTIMATOR:
    case KEY_FAILED:
    case KEY_OVER: return parse_word(key, value, request, state);
    case KEY_REPLICATES:
    case KEY_SEED: return parse_number(key, value, request, state);
    case KEY_WITHIN: return numbers_parse_one("--within", value, NUMBERS_POSITIVE, &request->within, state);
    case KEY_FORMAT: return table_parse_format(value, &given->format, state);
    case 'o': given->output = value; return 0;
    case KEY_PLOT: given->stem = figure_stem(value); return 0;
    case KEY_PICTURE:
        given->chosen = true;
        return find_word("--picture", value, pictures, PICTURES, &given->kind, state);
    case KEY_MAP: return parse_map(value, given, state);
    case KEY_FORCE: given->outputs.force = true; return 0;
    case ARGP_KEY_END: return check_picture(given, state);
    default: return options_take_one(&request->path, "result file", key, value, state);
    }
}

static const struct argp sensitivity_argp = {
    .options = sensitivity_options,
    .parser = parse_option,
    .args_doc = "FILE.h5",
    .doc = "Finds which factors of a sweep each metric depends on, and how far. The design of the sweep says which "
           "index that is:\v"
           "  saltelli      first, total and second order indices of Sobol', with intervals\n"
           "  morris        mean, magnitude and spread of elementary effects\n"
           "  local         derivatives at the centre, by central differences\n"
           "  one_at_a_time least and largest value along each factor\n"
           "  others        first-order index by ranks, and PAWN: also of a grid and of points from a file\n\n"
           "--index chaos fits a polynomial chaos expansion to any of the others and to saltelli: all indices from few "
           "points, where it explains the output; Shapley effects of correlated factors.\n\n"
           "An interval is the value plus and minus its conf, at 95 %."};

static bool wants(const SensitivityRequest *request, const char *label)
{
    for (size_t i = 0; i < request->label_count; ++i)
        if (strcmp(request->labels[i], label) == 0)
            return true;
    return request->label_count == 0;
}

static bool check_labels(const SensitivityRequest *request, const StoreFile *file, Error *err)
{
    for (size_t i = 0; i < request->label_count; ++i)
        if (!store_read_group(file, request->labels[i]))
            return fail(err, ERROR_USAGE, "%s: there is no group '%.60s'; the first is '%s'", file->path,
                        request->labels[i], file->groups[0].label);
    return true;
}

// Opens the groups that are wanted.
static bool open_studies(const SensitivityRequest *request, const StoreFile *file, Study *studies, size_t *count,
                         Error *err)
{
    for (size_t g = 0; g < file->group_count; ++g) {
        if (!wants(request, file->groups[g].label))
            continue;
        if (!study_open(file, &file->groups[g], &studies[*count], err))
            return false;
        ++*count;
    }
    return true;
}

static bool keep_table(const SensitivityTable *table, void *user, Error *err)
{
    return sensitivity_plot_add(user, table, err);
}

static bool draw_kind(SensitivityArguments *given, Study *studies, size_t count, const char *title, Text *said,
                      Error *err)
{
    switch (given->kind) {
    case PICTURE_SCATTER:
        return sensitivity_plot_scatter(&given->request, studies, count, title, given->stem, &given->outputs, NULL,
                                        said, err);
    case PICTURE_SURROGATE:
        return sensitivity_plot_surrogate(&given->request, studies, count, title, given->stem, &given->outputs, NULL,
                                          said, err);
    default:
        return sensitivity_plot_draw(&given->picture, title, sensitivity_plot_axis(studies, count), given->request.over,
                                     given->stem, &given->outputs, said, err);
    }
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

static bool find_and_print(SensitivityArguments *given, Text *text, Error *err)
{
    const SensitivityRequest *request = &given->request;
    StoreFile                 file = {0};
    Arena                     arena = {0};
    size_t                    count = 0;
    if (!verify_open(request->path, &file, err))
        return false;
    options_log(&file.notes);
    Study *studies = arena_take(&arena, file.group_count, sizeof *studies, err);
    bool   ok = studies && check_labels(request, &file, err) && open_studies(request, &file, studies, &count, err);
    given->picture.map[0] = given->map[0].text;
    given->picture.map[1] = given->map[1].text;
    ok = ok && sensitivity_map_find(studies, count, given->picture.map, err);
    if (ok && file.blocks_done < file.block_count)
        options_say("%s: %llu of %llu blocks are not computed yet: their points count as failed", file.path,
                    (unsigned long long)(file.block_count - file.blocks_done), (unsigned long long)file.block_count);
    ok = ok &&
         sensitivity_print(request, studies, count, given->format, text, given->stem ? keep_table : NULL,
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

static bool answer(SensitivityArguments *given, Error *err)
{
    Text     text = {0};
    Outputs *outputs = &given->outputs;
    outputs_keep(outputs, given->request.path);
    given->request.metrics = given->metrics.items;
    given->request.metric_count = given->metrics.count;
    given->request.labels = given->labels.items;
    given->request.label_count = given->labels.count;
    const bool ok = outputs_check(outputs, given->output, err) &&
                    (!given->stem || figure_check_stem(outputs, given->stem, err)) && find_and_print(given, &text, err);
    sensitivity_plot_free(&given->picture);
    text_free(&text);
    return ok;
}

bool sensitivity_command(int argc, char **argv, Error *err)
{
    SensitivityArguments given = {.output = "-",
                                  .request = {.index = SENSITIVITY_AUTO, .estimator = VARIANCE_AUTO, .seed = 1}};
    bool                 help = false;
    bool                 ok = options_parse(&sensitivity_argp, argc, argv, &given, &help, err);
    if (ok && !help)
        ok = answer(&given, err);
    options_free_words(&given.metrics);
    options_free_words(&given.labels);
    text_free(&given.map[0]);
    text_free(&given.map[1]);
    return ok;
}
