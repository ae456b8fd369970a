// report -- the page from its head to its end, and the parts that its sections share.
#include "analysis/report/report.h"

#include "analysis/report/html.h"
#include "catalog/catalog.h"
#include "store/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// page.css and page.js, and the SHA-256 of the latter in hexadecimal digits, for the policy: made by CMakeLists.txt.
extern const TextFile page_files[];
extern const size_t   page_file_count;
extern const char     page_script_sha256[];

uint64_t report_failed(const ReportPage *report, size_t group)
{
    const uint64_t *counts = report->counts[group];
    return report->points[group].count - counts[STATUS_OK] - counts[STATUS_NOT_RUN];
}

bool report_is_sampled(const Points *points)
{
    for (size_t i = 0; i < points->axis_count; ++i)
        if (!points->axes[i].values)
            return true;
    return points->dim_count == 1 && points->dims[0].together;
}

// The value of any axis at a point, which is read where it is a factor's; NaN where it cannot be.
static double value_at(const Points *points, const PointsAxis *axis, uint64_t point)
{
    const size_t index = points_index(points, axis->dim, point);
    double       value = (double)NAN;
    Error        unused;
    if (axis->values)
        return axis->values[index];
    return points_read_axis(points, axis, index, 1, &value, &unused) ? value : (double)NAN;
}

void report_add_place(Text *page, const Points *points, uint64_t point)
{
    text_add(page, "<td class=\"wide\">");
    for (size_t i = 0; i < points->axis_count; ++i) {
        text_add(page, "%s<span class=\"one\">", i ? ", " : "");
        html_text(page, points->axes[i].name);
        text_add(page, " = %.4g</span>", value_at(points, &points->axes[i], point));
    }
    text_add(page, "</td>");
}

static const char *find_file(const char *name)
{
    for (size_t i = 0; i < page_file_count; ++i)
        if (strcmp(page_files[i].path, name) == 0)
            return page_files[i].text;
    return "";
}

// Base64 (RFC 4648) of bytes that are given as hexadecimal digits.
static void add_base64(Text *text, const char *digits)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0, count = strlen(digits) / 2; i < count; i += 3) {
        unsigned long bits = 0;
        for (size_t k = 0; k < 3; ++k) {
            const char pair[3] = {i + k < count ? digits[2 * (i + k)] : '0',
                                  i + k < count ? digits[2 * (i + k) + 1] : '0'};
            bits = bits << 8 | strtoul(pair, NULL, 16);
        }
        for (size_t k = 0; k < 4; ++k)
            text_add_bytes(text, k <= count - i ? &letters[bits >> (18 - 6 * k) & 63] : "=", 1);
    }
}

static void add_head(ReportPage *report, const char *title)
{
    Text *page = &report->page;
    text_add(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                   "style-src 'unsafe-inline'; "
                   "script-src 'sha256-");
    add_base64(page, page_script_sha256);
    text_add(page, "'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    html_text(page, title);
    text_add(page, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>", find_file("page.css"));
    html_text(page, title);
    text_add(page, "</h1>\n");
}

// The problem and the methods, each once: "pendulum with rk4, newmark. ".
static bool add_subject(ReportPage *report, Error *err)
{
    enum { MOST_METHODS = 6 };
    char  *names[MOST_METHODS], *problem = NULL, *name = NULL;
    size_t count = 0;
    bool   ok = store_read_text(&report->file, NULL, "problem", &problem, err), more = false;
    html_text(&report->page, problem);
    free(problem);
    for (size_t g = 0; ok && g < report->file.group_count; ++g) {
        size_t i = 0;
        name = NULL;
        ok = store_read_text(&report->file, &report->file.groups[g], "method", &name, err);
        while (name && i < count && strcmp(names[i], name) != 0)
            ++i;
        more = more || (name && i == MOST_METHODS);
        if (!name || i < count || i == MOST_METHODS) {
            free(name);
            continue;
        }
        text_add(&report->page, count ? ", " : " with ");
        html_text(&report->page, name);
        names[count++] = name;
    }
    text_add(&report->page, more ? " and other methods. " : ". ");
    for (size_t i = 0; i < count; ++i)
        free(names[i]);
    return ok;
}

// Describes the file in a sentence or two.
static bool add_lead(ReportPage *report, Error *err)
{
    Text    *page = &report->page;
    uint64_t points = 0, failed = 0, not_run = 0;
    for (size_t g = 0; g < report->file.group_count; ++g) {
        points += report->points[g].count;
        failed += report_failed(report, g);
        not_run += report->counts[g][STATUS_NOT_RUN];
    }
    text_add(page, "<p class=\"lead\">");
    if (!add_subject(report, err))
        return false;
    text_add(page, "%" PRIu64 " point%s in %zu group%s: ", points, points == 1 ? "" : "s", report->file.group_count,
             report->file.group_count == 1 ? "" : "s");
    if (failed + not_run == 0)
        text_add(page, "all ok");
    else
        text_add(page, "%" PRIu64 " ok", points - failed - not_run);
    if (failed > 0)
        text_add(page, ", %" PRIu64 " failed (%.3g %%%s)", failed, 100.0 * (double)failed / (double)(points - not_run),
                 not_run > 0 ? " of those computed" : "");
    if (not_run > 0)
        text_add(page, ", %" PRIu64 " not computed yet", not_run);
    text_add(page, ".</p>\n");
    if (report->file.blocks_done < report->file.block_count)
        text_add(page,
                 "<p class=\"warn\">The run is not complete: %" PRIu64 " of %" PRIu64
                 " blocks are computed. <code>pendula run --resume</code> goes on.</p>\n",
                 report->file.blocks_done, report->file.block_count);
    return true;
}

static bool add_sections(ReportPage *report, Error *err)
{
    static const struct {
        const char    *anchor, *title;
        ReportSection *add;
    } sections[] = {{"groups", "What ran", report_add_groups},
                    {"status", "How points ended", report_add_failures},
                    {"metrics", "Metrics", report_add_metrics},
                    {"trajectories", "Trajectories", report_add_trajectories},
                    {"indices", "Sensitivity", report_add_indices},
                    {"conformance", "Conformance", report_add_conformance},
                    {"provenance", "Where it is from", report_add_provenance},
                    {"again", "How to make it again", report_add_again}};
    enum { SECTIONS = sizeof sections / sizeof *sections };
    Text *page = &report->page;
    text_add(page, "<nav aria-label=\"Contents\">\n");
    for (size_t i = 0; i < SECTIONS; ++i)
        text_add(page, "<a href=\"#%s\">%s</a>\n", sections[i].anchor, sections[i].title);
    text_add(page, "</nav>\n</header>\n<main>\n");
    for (size_t i = 0; i < SECTIONS; ++i) {
        text_add(page, "<section>\n<h2 id=\"%s\">%s</h2>\n", sections[i].anchor, sections[i].title);
        if (!sections[i].add(report, err))
            return false;
        text_add(page, "</section>\n");
    }
    return true;
}

static bool open_groups(ReportPage *report, Error *err)
{
    const size_t count = report->file.group_count;
    report->points = arena_take(&report->arena, count, sizeof *report->points, err);
    report->counts = arena_take(&report->arena, count, sizeof *report->counts, err);
    bool ok = report->points && report->counts;
    for (size_t g = 0; ok && g < count; ++g)
        ok = points_open_design(&report->file, &report->file.groups[g], &report->points[g], err) &&
             points_count(&report->points[g], report->counts[g], err);
    return ok;
}

bool report_make(const ReportRequest *request, ReportPage *report, Error *err)
{
    char *title = NULL;
    *report = (ReportPage){.request = request};
    const bool file = strcmp(request->output, "-") != 0;
    bool       ok = verify_open(request->path, &report->file, err) && open_groups(report, err) &&
              store_read_text(&report->file, NULL, "title", &title, err) &&
              outputs_open(file ? request->output : request->path, &report->folder, err);
    if (ok) {
        add_head(report, title && *title ? title : request->path);
        ok = add_lead(report, err) && add_sections(report, err);
    }
    text_add(&report->page, "</main>\n<script>%s</script>\n</body>\n</html>\n", find_file("page.js"));
    if (report->missing.length)
        text_add(&report->said, "%s\n", report->missing.text);
    if (report->missing_count > 1)
        text_add(&report->said, "%zu pictures are missing; the page says at each of them why\n", report->missing_count);
    free(title);
    return ok && text_check(&report->page, err) && text_check(&report->said, err);
}

void report_free(ReportPage *report)
{
    for (size_t g = 0; report->points && g < report->file.group_count; ++g)
        points_close(&report->points[g]);
    if (report->folder.made)
        outputs_close(&report->folder);
    store_read_close(&report->file);
    figure_free_svg(&report->svg);
    text_free(&report->facts);
    text_free(&report->page);
    text_free(&report->said);
    text_free(&report->missing);
    arena_free(&report->arena);
    *report = (ReportPage){0};
}
