// report_metrics -- the numbers of each metric, and its picture.
#include "analysis/plot/plot.h"
#include "analysis/report/html.h"
#include "analysis/report/report.h"
#include "base/sort.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_NAMES = 64, PICTURES = 12, SORTED = 1 << 20 };

// The numbers of one metric in one group.
typedef struct ReportSpread {
    const Points *points;
    uint64_t      count, stride;  // ok and finite; every stride-th point is sorted
    uint64_t      greatest_point;
    double        least, greatest, sum;
    double       *sorted;  // [sorted_count]
    size_t        sorted_count;
} ReportSpread;

static void see_numbers(uint64_t first, size_t count, double *const *numbers, void *user)
{
    ReportSpread *spread = user;
    for (size_t i = 0; i < count; ++i) {
        const double number = numbers[1][i];
        if (numbers[0][i] != (double)STATUS_OK || !isfinite(number))
            continue;
        ++spread->count;
        spread->sum += number;
        spread->least = fmin(spread->least, number);
        if (number > spread->greatest || spread->count == 1) {
            spread->greatest = number;
            spread->greatest_point = first + i;
        }
        if ((first + i) % spread->stride == 0 && spread->sorted_count < SORTED)
            spread->sorted[spread->sorted_count++] = number;
    }
}

static double quantile(const ReportSpread *spread, double part)
{
    if (spread->sorted_count == 0)
        return (double)NAN;
    const double place = part * (double)(spread->sorted_count - 1), below = floor(place);
    const size_t i = (size_t)below, k = i + 1 < spread->sorted_count ? i + 1 : i;
    return spread->sorted[i] + (place - below) * (spread->sorted[k] - spread->sorted[i]);
}

static void add_row(Text *page, const ReportSpread *spread, const StoreVariable *variable)
{
    const bool some = spread->count > 0;
    Text       name = {0};
    text_add(page, "<tr>");
    text_add(&name, *variable->unit && strcmp(variable->unit, "1") != 0 ? "%s [%s]" : "%s", variable->name,
             variable->unit);
    html_element(page, "th", name.text);
    html_cell(page, spread->points->group->label);
    html_whole(page, spread->count);
    html_number(page, some ? spread->least : (double)NAN);
    html_number(page, quantile(spread, 0.25));
    html_number(page, quantile(spread, 0.5));
    html_number(page, quantile(spread, 0.75));
    html_number(page, some ? spread->greatest : (double)NAN);
    html_number(page, some ? spread->sum / (double)spread->count : (double)NAN);
    if (some)
        report_add_place(page, spread->points, spread->greatest_point);
    else
        text_add(page, "<td>-</td>");
    text_add(page, "</tr>\n");
    text_free(&name);
}

static bool add_numbers(ReportPage *report, const Points *points, const StoreVariable *variable, Error *err)
{
    const StoreVariable *variables[2] = {points->status, variable};
    Arena                arena = {0};
    ReportSpread         spread = {
                .points = points, .stride = (points->count + SORTED - 1) / SORTED, .least = INFINITY, .greatest = -INFINITY};
    spread.stride = spread.stride ? spread.stride : 1;
    spread.sorted = arena_take(&arena, points->count < SORTED ? (size_t)points->count : SORTED, sizeof(double), err);
    const bool ok = spread.sorted && points_scan(points, variables, 2, see_numbers, &spread, err);
    if (ok) {
        sort_numbers(spread.sorted, spread.sorted_count);
        add_row(&report->page, &spread, variable);
    }
    arena_free(&arena);
    return ok;
}

static bool add_picture(ReportPage *report, const char *metric, Error *err)
{
    FigureSvg   svg = {.folder = &report->folder};
    const char *stem = report_stem(report, err);
    Text        said = {0};
    PlotRequest request = {.path = report->request->path, .stem = stem, .metric = metric, .svg = &svg};
    bool        drawn = false, ok = stem && plot_svg(&request, &drawn, &said, err);
    if (!ok || drawn)
        ok = report_add_picture(report, &svg, ok, metric, metric, err);
    text_free(&said);
    figure_free_svg(&svg);
    return ok;
}

// The names of all groups' metrics, each once.
static size_t list_names(const ReportPage *report, const char **names)
{
    size_t count = 0;
    for (size_t g = 0; g < report->file.group_count; ++g) {
        const char  *own[MOST_NAMES];
        const size_t found = points_metrics(&report->points[g], own, MOST_NAMES);
        for (size_t i = 0; i < found && count < MOST_NAMES; ++i) {
            size_t k = 0;
            while (k < count && strcmp(names[k], own[i]) != 0)
                ++k;
            if (k == count && strcmp(own[i], "status") != 0)
                names[count++] = own[i];
        }
    }
    return count;
}

static bool add_table(ReportPage *report, const char *const *names, size_t count, Error *err)
{
    static const char *const columns[] = {
        "metric", "group", "#points", "#least", "#25 %", "#median", "#75 %", "#greatest", "#mean", "the greatest is at",
    };
    bool ok = true, thinned = false;
    html_table_begin(&report->page, columns, sizeof columns / sizeof *columns);
    for (size_t m = 0; m < count; ++m)
        for (size_t g = 0; ok && g < report->file.group_count; ++g) {
            const Points        *points = &report->points[g];
            const StoreVariable *variable = store_read_variable(points->group, names[m]);
            thinned = thinned || points->count > SORTED;
            if (variable && points_is_metric(points, variable))
                ok = add_numbers(report, points, variable, err);
        }
    html_table_end(&report->page);
    text_add(&report->page, "<p class=\"note\">Of the points that are ok and have a number%s.</p>\n",
             thinned ? "; quartiles and medians of about a million of them, evenly chosen" : "");
    return ok;
}

bool report_add_metrics(ReportPage *report, Error *err)
{
    const char  *names[MOST_NAMES];
    const size_t count = list_names(report, names);
    bool         grid = false, ok = true;
    if (count == 0) {
        text_add(&report->page, "<p>The file has no metric but the status.</p>\n");
        return true;
    }
    for (size_t g = 0; g < report->file.group_count; ++g)
        grid = grid || !report_is_sampled(&report->points[g]);
    ok = add_table(report, names, count, err);
    for (size_t m = 0; ok && grid && m < count && m < PICTURES; ++m)
        ok = add_picture(report, names[m], err);
    if (grid && count > PICTURES)
        text_add(&report->page,
                 "<p>%zu more metrics have no picture here: <code>pendula plot FILE.h5 --metric NAME</code> draws "
                 "them.</p>\n",
                 count - PICTURES);
    return ok;
}
