// report_metrics -- the numbers of each metric, and its picture.
#include "analysis/report/html.h"
#include "analysis/report/report.h"
#include "base/philox.h"
#include "base/sort.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PICTURES = 12, SORTED = 1 << 20 };

// The numbers of one metric in one group.
typedef struct ReportSpread {
    const Points *points;
    uint64_t      count;         // ok and finite
    uint64_t      stride, next;  // one point of every `stride` is sorted; the next of these
    uint64_t      greatest_point;
    double        least, greatest, sum;
    double       *sorted;  // [sorted_count]
    size_t        sorted_count;
} ReportSpread;

// A point of each run of points, at a place of its own: one at the same place of each would meet the same values of an
// axis again and again.
static uint64_t choose(const ReportSpread *spread, uint64_t run)
{
    return run * spread->stride + ((philox(0, run, 0).word[0] * spread->stride) >> 32);
}

static void see_numbers(uint64_t first, size_t count, double *const *numbers, void *user)
{
    ReportSpread *spread = user;
    for (size_t i = 0; i < count; ++i) {
        const double number = numbers[1][i];
        const bool   chosen = first + i == spread->next;
        if (chosen)
            spread->next = choose(spread, (first + i) / spread->stride + 1);
        if (numbers[0][i] != (double)STATUS_OK || !isfinite(number))
            continue;
        ++spread->count;
        spread->sum += number;
        spread->least = fmin(spread->least, number);
        if (number > spread->greatest || spread->count == 1) {
            spread->greatest = number;
            spread->greatest_point = first + i;
        }
        if (chosen)
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

static void add_row(Text *page, const ReportSpread *spread, const StoreVariable *variable, size_t component)
{
    const bool some = spread->count > 0;
    Text       name = {0};
    text_add(page, "<tr>");
    text_add(&name, "%s", variable->name);
    if (!points_is_metric(spread->points, variable))
        text_add(&name, "[%zu]", component);
    const char *unit = store_read_unit(spread->points->group, variable, component);
    if (*unit && strcmp(unit, "1") != 0)
        text_add(&name, " [%s]", unit);
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

static bool add_numbers(ReportPage *report, const Points *points, const StoreVariable *variable, size_t component,
                        Error *err)
{
    Arena        arena = {0};
    ReportSpread spread = {
        .points = points, .stride = (points->count + SORTED - 1) / SORTED, .least = INFINITY, .greatest = -INFINITY};
    spread.stride = spread.stride ? spread.stride : 1;
    spread.next = choose(&spread, 0);
    spread.sorted = arena_take(&arena, points->count < SORTED ? (size_t)points->count : SORTED, sizeof(double), err);
    const bool ok = spread.sorted && points_scan_component(points, variable, component, see_numbers, &spread, err);
    if (ok) {
        sort_numbers(spread.sorted, spread.sorted_count);
        add_row(&report->page, &spread, variable, component);
    }
    arena_free(&arena);
    return ok;
}

// The names of all groups' metrics, each once; metrics without a picture, which have a number per degree of freedom,
// last.
typedef struct MetricNames {
    const char **names;  // [count]
    size_t       count, drawn;
} MetricNames;

static void add_name(MetricNames *list, const char *name)
{
    size_t i = 0;
    while (i < list->count && strcmp(list->names[i], name) != 0)
        ++i;
    if (i == list->count)
        list->names[list->count++] = name;
}

static bool list_names(ReportPage *report, MetricNames *list, Error *err)
{
    size_t most = 0;
    for (size_t g = 0; g < report->file.group_count; ++g)
        most += report->file.groups[g].variable_count;
    list->names = arena_take(&report->arena, most, sizeof *list->names, err);
    for (int vectors = 0; list->names && vectors < 2; ++vectors) {
        for (size_t g = 0; g < report->file.group_count; ++g) {
            const Points        *points = &report->points[g];
            const StoreVariable *end = points->group->variables + points->group->variable_count;
            for (const StoreVariable *variable = points->status + 1; variable < end; ++variable)
                if (points_width(points, variable) > 0 && points_is_metric(points, variable) == !vectors)
                    add_name(list, variable->name);
        }
        list->drawn = vectors ? list->drawn : list->count;
    }
    return list->names != NULL;
}

static bool add_table(ReportPage *report, const MetricNames *list, Error *err)
{
    static const char *const columns[] = {"metric",  "group", "#points",   "#least", "#25 %",
                                          "#median", "#75 %", "#greatest", "#mean",  "the greatest is at"};
    bool                     ok = true, thinned = false;
    html_table_begin(&report->page, "The numbers of each metric", columns, sizeof columns / sizeof *columns);
    for (size_t m = 0; m < list->count; ++m)
        for (size_t g = 0; ok && g < report->file.group_count; ++g) {
            const Points        *points = &report->points[g];
            const StoreVariable *variable = store_read_variable(points->group, list->names[m]);
            const size_t         width = variable ? points_width(points, variable) : 0;
            thinned = thinned || points->count > SORTED;
            for (size_t c = 0; ok && c < width; ++c)
                ok = add_numbers(report, points, variable, c, err);
        }
    html_table_end(&report->page);
    text_add(&report->page, "<p class=\"note\">Of the points that are ok and have a number.");
    if (thinned)
        text_add(&report->page,
                 " Medians and quartiles of a group with more than %d points are those of at most so many of them, "
                 "chosen evenly.",
                 SORTED);
    text_add(&report->page, "</p>\n");
    return ok;
}

bool report_add_metrics(ReportPage *report, Error *err)
{
    MetricNames list = {0};
    bool        grid = false, ok = list_names(report, &list, err);
    if (ok && list.count == 0) {
        text_add(&report->page, "<p>The file has no metric but the status.</p>\n");
        return true;
    }
    for (size_t g = 0; g < report->file.group_count; ++g)
        grid = grid || !report_is_sampled(&report->points[g]);
    ok = ok && add_table(report, &list, err);
    for (size_t m = 0; ok && grid && m < list.drawn && m < PICTURES; ++m)
        ok = report_add_plot(report, (PlotRequest){.metric = list.names[m]}, list.names[m], list.names[m], err);
    if (grid && list.drawn > PICTURES)
        text_add(&report->said, "%zu metrics have no picture on the page; `pendula plot --metric NAME` draws them\n",
                 list.drawn - PICTURES);
    if (grid && list.drawn > PICTURES)
        text_add(&report->page,
                 "<p>%zu more metrics have no picture here: <code>pendula plot FILE.h5 --metric NAME</code> draws "
                 "them.</p>\n",
                 list.drawn - PICTURES);
    return ok;
}
