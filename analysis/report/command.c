// command -- `pendula report FILE.h5`: one page of HTML about a result file.
#include "analysis/report/report.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <string.h>

enum { KEY_CONFORM = OPTION_LONG, KEY_FORCE };

typedef struct ReportArguments {
    ReportRequest request;
    Outputs       outputs;
} ReportArguments;

static const struct argp_option report_options[] = {
    {"output", 'o', "FILE", 0, "the page; - is standard output (default: the result file's name, .html for .h5)", 0},
    {"conform", KEY_CONFORM, "FILE", 0, "show what `conform --json FILE` found", 0},
    FORCE_OPTION(KEY_FORCE),
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    Options         *options = state->input;
    ReportArguments *given = options->target;
    switch (key) {
    case 'o': given->request.output = value; return 0;
    case KEY_CONFORM: given->request.conform = value; return 0;
    case KEY_FORCE: given->outputs.force = true; return 0;
    default: return options_take_one(&given->request.path, "result file", key, value, state);
    }
}

static const struct argp report_argp = {
    .options = report_options,
    .parser = parse_option,
    .args_doc = "FILE.h5",
    .doc = "Writes one page of HTML about a result file: what ran, how points ended and where they failed, each metric "
           "with its picture, trajectories, sensitivity indices, provenance, and how to make it again.\v"
           "The page holds all it needs: it loads nothing, and can be mailed or archived. Tables sort by their "
           "headings and pictures show values under the pointer; without scripts it can be read all the same."};

static bool write_page(ReportArguments *given, Error *err)
{
    ReportPage report = {0};
    Outputs   *outputs = &given->outputs;
    const bool ok = outputs_check(outputs, given->request.output, err) && report_make(&given->request, &report, err) &&
                    options_write(outputs, given->request.output, &report.page, err);
    options_log(&report.file.notes);
    if (ok)
        options_log(&report.said);
    report_free(&report);
    return ok;
}

bool report_command(int argc, char **argv, Error *err)
{
    ReportArguments given = {0};
    Text            output = {0};
    bool            done = false;
    bool            ok = options_parse(&report_argp, argc, argv, &given, &done, err);
    if (ok && !done) {
        const char  *path = given.request.path;
        const size_t length = strlen(path), cut = length > 3 && strcmp(path + length - 3, ".h5") == 0 ? 3 : 0;
        text_add_bytes(&output, path, length - cut);
        text_add(&output, ".html");
        given.request.output = given.request.output ? given.request.output : output.text;
        outputs_keep(&given.outputs, path);
        if (given.request.conform)
            outputs_keep(&given.outputs, given.request.conform);
        ok = text_check(&output, err) && write_page(&given, err);
    }
    text_free(&output);
    return ok;
}
