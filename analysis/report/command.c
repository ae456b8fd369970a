// command -- `pendula report FILE.h5`: one page of HTML about a result file.
#include "analysis/report/report.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <string.h>

typedef struct ReportArguments {
    ReportRequest request;
    Outputs       outputs;
} ReportArguments;

static const Option report_options[] = {
    {"output", 'o', "FILE", OPTION_TEXT(ReportArguments, request.output),
     "the page; - is standard output (default: the result file's name, .html for .h5)"},
    {"conform", 0, "FILE", OPTION_TEXT(ReportArguments, request.conform), "show what `conform --json FILE` found"},
    OPTION_ROW_FORCE(ReportArguments, outputs.force)};

const Usage report_command_usage = {
    USAGE_OPTIONS(report_options), .arguments = ARGUMENTS_ONE(ReportArguments, request.path, "FILE.h5", "result file"),
    .about = "Writes one page of HTML about a result file: what ran, how points ended and where they failed, each "
             "metric with its picture, trajectories, sensitivity indices, provenance, and how to make it again.",
    .notes = "The page holds all it needs: it loads nothing, and can be mailed or archived. Tables sort by their "
             "headings and pictures show values under the pointer; a click on a map, or the arrow keys in it, give the "
             "`pendula replay` line of a point. Without scripts it can be read all the same."};

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

static bool report(void *arguments, Error *err)
{
    ReportArguments *given = arguments;
    const char      *path = given->request.path;
    const size_t     length = strlen(path), cut = length > 3 && strcmp(path + length - 3, ".h5") == 0 ? 3 : 0;
    Text             output = {0};
    text_add_bytes(&output, path, length - cut);
    text_add(&output, ".html");
    given->request.output = given->request.output ? given->request.output : output.text;
    outputs_keep(&given->outputs, path);
    if (given->request.conform)
        outputs_keep(&given->outputs, given->request.conform);
    const bool ok = text_check(&output, err) && write_page(given, err);
    text_free(&output);
    return ok;
}

bool report_command(int argc, char **argv, Error *err)
{
    ReportArguments given = {0};
    return options_run(&report_command_usage, argc, argv, &given, report, err);
}
