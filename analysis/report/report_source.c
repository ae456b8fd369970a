// report_source -- conformance, provenance, and how to make the file again.
#include "analysis/report/html.h"
#include "analysis/report/report.h"
#include "base/file.h"
#include "base/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_LOG = 1 << 20 };

// Adds cells of a mapping's values: keys begin with '#' where they are numbers. A key that it lacks has an empty cell.
static void add_cells(Text *page, const YamlNode *mapping, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const bool      number = *keys[i] == '#';
        const YamlNode *node = yaml_find(mapping, keys[i] + number);
        const char     *text = node && node->kind == YAML_SCALAR ? node->text : "";
        double          value = (double)NAN;
        if (number)
            html_number(page, yaml_parse_number(text, &value) ? value : (double)NAN);
        else
            html_cell(page, text);
    }
}

static void add_group(Text *page, const YamlNode *group)
{
    static const char *const keys[] = {
        "label", "#points", "#substeps", "#certified_substeps", "#metrics", "#certified_metrics", "#worst_share"};
    const YamlNode *passed = yaml_find(group, "passed");
    text_add(page, "<tr>");
    add_cells(page, group, keys, 1);
    html_cell(page, passed && yaml_is_word(passed, "true") ? "conforms" : "does not conform");
    add_cells(page, group, keys + 1, sizeof keys / sizeof *keys - 1);
    text_add(page, "</tr>\n");
}

bool report_add_conformance(ReportPage *report, Error *err)
{
    static const char *const columns[] = {
        "group", "result", "#points", "#substeps", "#certified", "#metrics", "#certified metrics", "#of a bound used"};
    const char      *path = report->request->conform;
    const YamlOrigin origin = {.name = path};
    Text            *page = &report->page;
    YamlNode        *root = NULL;
    char            *text = NULL;
    size_t           length = 0;
    if (!path) {
        text_add(page,
                 "<p>It was not examined here. <code>pendula conform SWEEP.yaml --json FILE.json</code> certifies "
                 "every step; <code>pendula report --conform FILE.json</code> shows it on this page.</p>\n");
        return true;
    }
    if (!file_read(path, YAML_LARGEST, &report->arena, &text, &length, err) ||
        !yaml_read(text, length, &origin, &report->arena, &root, err))
        return false;
    if (root->kind != YAML_SEQUENCE || (root->count > 0 && !yaml_find(root->items[0], "certified_substeps")))
        return fail(err, ERROR_INPUT, "%s: not a report of `pendula conform --json`", path);
    html_table_begin(page, "What was certified", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < root->count; ++i)
        add_group(page, root->items[i]);
    html_table_end(page);
    return true;
}

// Adds a text of the file, where it has one: as a fact, or as details that a reader may open.
static bool add_text(ReportPage *report, const char *attribute, const char *name, bool details, Error *err)
{
    char *text = NULL;
    if (!store_read_text(&report->file, NULL, attribute, &text, err))
        return false;
    if (text && *text) {
        text_add(&report->page, details ? "<details><summary>%s</summary>\n" : "<dt>%s</dt>", name);
        if (details)
            html_block(&report->page, text);
        else
            html_element(&report->page, "dd", text);
        text_add(&report->page, "%s", details ? "</details>\n" : "");
    }
    free(text);
    return true;
}

// The log beside the file says which device it was, and when. A file may have lost it.
static bool add_log(ReportPage *report, Error *err)
{
    static const char *const columns[] = {"event",   "time (UTC)", "device",   "driver",
                                          "#blocks", "#computed",  "#seconds", "#seconds of computing"};
    static const char *const keys[] = {
        "event", "time", "device", "driver", "#blocks", "#blocks_computed", "#seconds", "#compute_seconds"};
    Error            unused;
    Text            *page = &report->page;
    char            *text = NULL, *rest = NULL;
    const char      *path = arena_format(&report->arena, err, "%s.log", report->request->path);
    const YamlOrigin origin = {.name = path};
    if (!path)
        return false;
    text_add(page, "<h3>When and on what</h3>\n");
    if (!file_read(path, LARGEST_LOG, &report->arena, &text, NULL, &unused)) {
        text_add(page, "<p class=\"note\">Devices and times stand in the log beside the result file, which is not "
                       "there.</p>\n");
        return true;
    }
    html_table_begin(page, "When and on what", columns, sizeof columns / sizeof *columns);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        YamlNode *event = NULL;
        if (yaml_read(line, strlen(line), &origin, &report->arena, &event, &unused) && yaml_find(event, "event")) {
            text_add(page, "<tr>");
            add_cells(page, event, keys, sizeof keys / sizeof *keys);
            text_add(page, "</tr>\n");
        }
    }
    html_table_end(page);
    text_add(page, "<p class=\"note\">From the log beside the result file.</p>\n");
    return true;
}

bool report_add_provenance(ReportPage *report, Error *err)
{
    static const char *const facts[][2] = {{"problem", "problem"},         {"precision", "precision"},
                                           {"program", "program"},         {"version", "version"},
                                           {"computed_by", "computed by"}, {"numbers", "version of the numbers"},
                                           {"fingerprint", "fingerprint"}};
    text_add(&report->page, "<dl>\n");
    html_element(&report->page, "dt", "file");
    html_element(&report->page, "dd", report->request->path);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i)
        if (!add_text(report, facts[i][0], facts[i][1], false, err))
            return false;
    text_add(&report->page, "</dl>\n");
    return add_log(report, err) && add_text(report, "history", "Points that were tried again", true, err) &&
           add_text(report, "settings", "All settings, defaults included", true, err);
}

// A word of a command line, in quotes where a shell needs them.
static void add_argument(Text *line, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        text_add(line, "%s", word);
        return;
    }
    text_add(line, "'");
    for (const char *c = word; *c; ++c)
        if (*c == '\'')
            text_add(line, "'\\''");
        else
            text_add_bytes(line, c, 1);
    text_add(line, "'");
}

// Overrides are kept one per line.
static void add_overrides(Text *line, char *overrides)
{
    char *rest = NULL;
    for (char *one = strtok_r(overrides, "\n", &rest); one; one = strtok_r(NULL, "\n", &rest)) {
        text_add(line, " -s ");
        add_argument(line, one);
    }
}

bool report_add_again(ReportPage *report, Error *err)
{
    char *overrides = NULL;
    Text  lines = {0};
    if (!store_read_text(&report->file, NULL, "overrides", &overrides, err))
        return false;
    text_add(&lines, "pendula run sweep.yaml");
    if (overrides)
        add_overrides(&lines, overrides);
    text_add(&lines, " -o ");
    add_argument(&lines, report->request->path);
    text_add(&lines, "\npendula report ");
    add_argument(&lines, report->request->path);
    text_add(&lines, "\n");
    text_add(&report->page,
             "<p>Save the sweep below as <code>sweep.yaml</code>, with the files that it names beside it. The same "
             "version makes the same bytes on every device.</p>\n");
    html_block(&report->page, lines.text);
    report->page.failed = report->page.failed || lines.failed;
    text_free(&lines);
    free(overrides);
    return add_text(report, "sweep", "The sweep file", true, err);
}
