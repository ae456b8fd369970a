// command -- `pendula claims`: the ledger of the documents' statements, each measured now.
#include "analysis/claims/ledger.h"
#include "base/clock.h"
#include "base/json.h"
#include "terminal/commands.h"
#include "terminal/options.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef struct ClaimsArguments {
    const char *device, *json, *ledger;
    Outputs     outputs;
} ClaimsArguments;

enum { COLUMNS = 100, FEWEST_COLUMNS = 60, MOST_COLUMNS = 140, INDENT = 4, LABEL = 10 };

static const Option claims_options[] = {
    {"device", 'd', "DEVICE", OPTION_DEVICE(ClaimsArguments, device, "the claims are measured with the kernels"),
     "the device whose kernels are measured, as in `pendula run`"},
    {"json", 0, "FILE", OPTION_TEXT(ClaimsArguments, json),
     "write the ledger as JSON; - is stdout, in place of the text"},
    {"ledger", 0, "FILE", OPTION_TEXT(ClaimsArguments, ledger),
     "measure the claims of this file in place of the documents'"},
    OPTION_ROW_FORCE(ClaimsArguments, outputs.force)};

const Usage claims_command_usage = {
    USAGE_OPTIONS(claims_options),
    .about =
        "Measures what the documents that this program follows state: counts, orders, damping, stability, formulas as "
        "printed beside the right ones. Says of each statement whether it is reproduced, not reproduced, or reproduced "
        "only under a condition, which is named. Takes about a minute where no kernel is in the cache of the OpenCL "
        "driver. Exits with 0 whatever the verdicts."};

// The report as it grows.
typedef struct Report {
    Ledger      ledger;
    FILE       *text;  // NULL where stdout is for the JSON
    int         columns;
    Text        json;
    const char *document;  // under which the last claim stands
    size_t      count, by_verdict[VERDICT_COUNT];
    bool        terminal;  // progress rewrites one line
    double      shown;     // when progress was last shown
} Report;

static int find_columns(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return COLUMNS;
    return size.ws_col < FEWEST_COLUMNS ? FEWEST_COLUMNS : size.ws_col > MOST_COLUMNS ? MOST_COLUMNS : size.ws_col;
}

// Prints a label and a text whose lines break at spaces and stand below each other.
static void print_wrapped(const Report *report, const char *label, const char *text)
{
    const int left = INDENT + LABEL;
    int       column = left;
    fprintf(report->text, "%*s%-*s", INDENT, "", LABEL, label);
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column > left && column + 1 + length > report->columns) {
            fprintf(report->text, "\n%*s", left, "");
            column = left;
        }
        column += fprintf(report->text, "%s%.*s", column > left ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', report->text);
}

// A claim, as text and as an object of the JSON.
static void add_claim(Report *report, const Claim *claim, const Finding *finding)
{
    Text source = {0}, verdict = {0};
    text_add(&source, "%s, %s", claim->document, claim->place);
    text_add(&verdict, "%s", claim_verdicts[finding->verdict]);
    if (finding->verdict == VERDICT_ONLY_IF)
        text_add(&verdict, " %s", finding->condition.text);
    const struct {
        const char *key, *value;
    } members[] = {{"source", source.text},
                   {"claim", claim->claim},
                   {"run", claim->run},
                   {"rule", claim->rule},
                   {"measured", finding->measured.text},
                   {"verdict", verdict.text}};
    const bool heading = !report->document || strcmp(report->document, claim->document) != 0;
    if (report->terminal)
        fputs("\r\033[K", stderr);
    if (report->text && heading)
        fprintf(report->text, "%s%s\n", report->document ? "\n" : "", claim->document);
    if (report->text)
        fprintf(report->text, "\n  %s\n", claim->place);
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        text_add(&report->json, "%s%s", i == 0 && report->count > 0 ? "," : "", i == 0 ? "\n  {" : ",\n   ");
        json_key(&report->json, members[i].key);
        json_string(&report->json, members[i].value);
        if (report->text && i > 0)
            print_wrapped(report, members[i].key, members[i].value ? members[i].value : "");
    }
    text_add(&report->json, "}");
    if (report->text)
        fflush(report->text);
    report->document = claim->document;
    ++report->count;
    ++report->by_verdict[finding->verdict];
    text_free(&source);
    text_free(&verdict);
}

// One line rewritten on a terminal, one now and then in a log.
static void show_progress(const char *what, void *user)
{
    Report      *report = user;
    const double pause = 5.0, now = clock_seconds();
    if (!report->terminal && now - report->shown < pause)
        return;
    fprintf(stderr, "%s%zu of %zu claims; %s%s", report->terminal ? "\r\033[K" : "", report->count,
            report->ledger.count, what, report->terminal ? "" : "\n");
    report->shown = now;
}

// Measures and judges the claims, and reports each.
static bool run_claims(Report *report, Lab *lab, Error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < report->ledger.count; ++i) {
        Claim  *claim = &report->ledger.claims[i];
        Arena   values = {0};
        Finding finding = {0};
        ok = claim_measure(claim, lab, &values, err) && claim_judge(claim, &finding, err);
        if (ok)
            add_claim(report, claim, &finding);
        claim_free_finding(&finding);
        arena_free(&values);
    }
    return ok;
}

static bool measure(void *arguments, Error *err)
{
    const ClaimsArguments *given = arguments;
    Report                 report = {.text = given->json && strcmp(given->json, "-") == 0 ? NULL : stdout,
                                     .columns = find_columns(),
                                     .terminal = isatty(STDERR_FILENO),
                                     .shown = clock_seconds()};
    Lab                    lab = {.say = show_progress, .user = &report};
    text_add(&report.json, "[");
    bool ok = (!given->json || outputs_check(&given->outputs, given->json, err)) && lab_open(&lab, err) &&
              ledger_read(&report.ledger, &lab, given->ledger, err) &&
              device_open(given->device, PRECISION_DOUBLE, &lab.device, err) && run_claims(&report, &lab, err);
    if (report.terminal)
        fputs("\r\033[K", stderr);
    if (ok && report.text)
        fprintf(report.text, "\n%zu claims: %zu reproduced, %zu only under a condition, %zu not reproduced\n",
                report.count, report.by_verdict[VERDICT_REPRODUCED], report.by_verdict[VERDICT_ONLY_IF],
                report.by_verdict[VERDICT_NOT_REPRODUCED]);
    text_add(&report.json, "\n]\n");
    ok = ok && (!given->json || outputs_write(&given->outputs, given->json, &report.json, err));
    text_free(&report.json);
    ledger_free(&report.ledger);
    lab_close(&lab);
    return ok;
}

bool claims_command(int argc, char **argv, Error *err)
{
    ClaimsArguments given = {.device = options_device()};
    return options_run(&claims_command_usage, argc, argv, &given, measure, err);
}
