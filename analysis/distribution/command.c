// command -- `pendula distribution FILE.h5`: how each output is distributed over the points of a sweep.
#include "analysis/distribution/spread_plot.h"
#include "analysis/distribution/spread_print.h"
#include "base/sort.h"
#include "store/verify.h"
#include "terminal/commands.h"

#include <stdlib.h>

typedef struct DistributionArguments {
    SpreadRequest request;
    Format        format;
    const char   *output, *stem;
    Outputs       outputs;
    SpreadPicture picture;
} DistributionArguments;

static const char *const over_names[] = {"", "time"};

static const Option distribution_options[] = {
    {"metric", 0, "METRIC", OPTION_TEXTS(DistributionArguments, request.metrics),
     "only this metric, or x_final[i]; a field with --over time (may be repeated)"},
    {"method", 0, "LABEL", OPTION_TEXTS(DistributionArguments, request.labels), "only this group (may be repeated)"},
    {"group", 0, "LABEL", OPTION_TEXTS(DistributionArguments, request.labels), "the same"},
    {"quantile", 0, "P,...",
     OPTION_NUMBERS(DistributionArguments, request.quantiles, SPREAD_QUANTILES, NUMBERS_BETWEEN(0.0, 1.0)),
     "quantiles of these probabilities (default: 0.05,0.5,0.95)"},
    {"above", 0, "V,...", OPTION_NUMBERS(DistributionArguments, request.above, SPREAD_ABOVE, NUMBERS_ANY),
     "the probability that the metric is larger than V: over an axis around the design a fragility curve"},
    {"by", 0, "AXIS", OPTION_TEXTS(DistributionArguments, request.by),
     "of points that are no random design: for each value of this axis (may be repeated)"},
    {"over", 0, "time", OPTION_WORD(DistributionArguments, request.over, over_names),
     "of the stored fields at each sample of the trajectories"},
    {"correlation", 0, NULL, OPTION_FLAG(DistributionArguments, request.correlation),
     "how far each two metrics rise together: Pearson's and Spearman's coefficients"},
    {"failed", 0, "RULE", OPTION_WORD(DistributionArguments, request.failed, spread_rules),
     "points that failed or have no number: drop, worst (larger than every number) or refuse (default: drop)"},
    TABLE_ROW_FORMAT(DistributionArguments, format),
    {"output", 'o', "FILE", OPTION_TEXT(DistributionArguments, output), "where to (default: standard output)"},
    FIGURE_ROW_PLOT(DistributionArguments, stem),
    OPTION_ROW_FORCE(DistributionArguments, outputs.force)};

static bool check(void *arguments, Error *err)
{
    const SpreadRequest *given = &((const DistributionArguments *)arguments)->request;
    for (size_t i = 0; i < given->quantiles.count; ++i)
        if (given->quantiles.items[i] == 0.0 || given->quantiles.items[i] == 1.0)
            return fail(
                err, ERROR_USAGE,
                "--quantile takes probabilities between 0 and 1: the minimum and the maximum are printed anyway");
    if (given->correlation && (given->over || given->above.count > 0 || given->quantiles.count > 0))
        return fail(err, ERROR_USAGE, "--correlation is a table of its own: leave out --over, --above and --quantile");
    if (given->correlation && given->by.count > 0)
        return fail(err, ERROR_USAGE, "--correlation is of all points of a group: leave out --by");
    if (given->correlation && given->failed == SPREAD_WORST)
        return fail(err, ERROR_USAGE, "--correlation has no place for a failed point: leave out --failed worst");
    return true;
}

const Usage distribution_command_usage = {
    USAGE_OPTIONS(distribution_options),
    .arguments = ARGUMENTS_ONE(DistributionArguments, request.path, "FILE.h5", "result file"), .check = check,
    .about = "Finds how each metric is distributed over the points of a sweep: mean, deviation, quantiles, and the "
             "probability that it exceeds a value, each with an interval at 95 %.",
    .notes = "There is a distribution for each node of the grid around a random design (`inside: grid`). Points of a "
             "grid and of a file count alike, all together or --by an axis.\n\n"
             "--plot draws a histogram and a kernel density; over an axis around the design, and --over time, bands "
             "between the quantiles; with --above the probability over the axis, or over time; with --correlation a "
             "map of the coefficients."};

// The probabilities in ascending order, or those that are meant where none is given.
static bool choose_quantiles(Numbers *quantiles, Error *err)
{
    static const double usual[] = {0.05, 0.5, 0.95};
    if (quantiles->count > 0) {
        sort_numbers(quantiles->items, quantiles->count);
        return true;
    }
    quantiles->items = malloc(sizeof usual);
    if (!quantiles->items)
        return fail(err, ERROR_INTERNAL, "out of memory");
    memcpy(quantiles->items, usual, sizeof usual);
    quantiles->count = sizeof usual / sizeof *usual;
    return true;
}

static bool draw(DistributionArguments *given, const StoreFile *file, Error *err)
{
    char *title SCOPED(scoped_free) = NULL;
    Text  said SCOPED(text_free) = {0};
    if (!store_read_text(file, NULL, "title", &title, err) ||
        !spread_plot_draw(&given->picture, title, given->stem, &given->outputs, &said, err) || !text_check(&said, err))
        return false;
    options_log(&said);
    return true;
}

static bool print(DistributionArguments *given, Study *studies, size_t count, Text *text, Error *err)
{
    SpreadRequest *request = &given->request;
    SpreadPicture *picture = &given->picture;
    if (request->correlation)
        return spread_print_correlations(request, studies, count, given->format, text,
                                         given->stem ? spread_plot_add_correlations : NULL, picture, err);
    return spread_print(request, studies, count, given->format, text, given->stem ? spread_plot_add : NULL, picture,
                        err);
}

static bool find_and_print(DistributionArguments *given, Text *text, Error *err)
{
    SpreadRequest *request = &given->request;
    StoreFile      file SCOPED(store_read_close) = {0};
    Arena          arena SCOPED(arena_free) = {0};
    size_t         count = 0;
    if (!verify_open(request->path, &file, err))
        return false;
    options_log(&file.notes);
    Study *studies = arena_take(&arena, file.group_count, sizeof *studies, err);
    bool   ok = studies && spread_open(request, &file, studies, &count, err);
    if (ok && file.blocks_done < file.block_count)
        options_say("%s: %llu of %llu blocks are not computed yet: their points count as failed", file.path,
                    (unsigned long long)(file.block_count - file.blocks_done), (unsigned long long)file.block_count);
    if (ok && given->stem)
        spread_plot_begin(&given->picture, request, studies, count);
    ok = ok && print(given, studies, count, text, err) && options_write(&given->outputs, given->output, text, err);
    outputs_keep(&given->outputs, given->output);
    ok = ok && (!given->stem || draw(given, &file, err));
    spread_plot_free(&given->picture);
    for (size_t i = 0; i < count; ++i)
        study_close(&studies[i]);
    return ok;
}

static bool answer(void *arguments, Error *err)
{
    DistributionArguments *given = arguments;
    Outputs               *outputs = &given->outputs;
    Text                   text SCOPED(text_free) = {0};
    outputs_keep(outputs, given->request.path);
    return choose_quantiles(&given->request.quantiles, err) && outputs_check(outputs, given->output, err) &&
           (!given->stem || figure_check_stem(outputs, given->stem, err)) && find_and_print(given, &text, err);
}

OPTIONS_COMMAND(distribution_command, DistributionArguments, distribution_command_usage, answer, .output = "-",
                .request.kept = SPREAD_KEPT)
