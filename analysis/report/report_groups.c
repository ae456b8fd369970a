// report_groups -- the groups, and how points ended: statuses, and where on each axis points failed.
#include "analysis/report/html.h"
#include "analysis/report/report.h"
#include "store/failures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The values of an axis: "41 values, 1e-05 to 0.1 s", or the distribution of a factor.
static bool add_axis(Text *cell, const Points *points, const PointsAxis *axis, Error *err)
{
    char *text = NULL;
    html_element(cell, "code", axis->name);
    if (axis->values && axis->count > 0) {
        text_add(cell, " %zu value%s, %.6g", axis->count, axis->count == 1 ? "" : "s", axis->values[0]);
        if (axis->count > 1)
            text_add(cell, " to %.6g", axis->values[axis->count - 1]);
    }
    if (!store_read_attribute(points->file, points->group, store_read_variable(points->group, axis->name),
                              "distribution", &text, err))
        return false;
    if (text) {
        text_add(cell, " ");
        html_text(cell, text);
        free(text);
    }
    if (*axis->unit && strcmp(axis->unit, "1") != 0) {
        text_add(cell, " ");
        html_text(cell, axis->unit);
    }
    text_add(cell, "<br>");
    return true;
}

bool report_add_groups(ReportPage *report, Error *err)
{
    static const char *const columns[] = {"group", "method", "axes", "#points", "#ok", "#failed", "#not computed"};
    const bool               whole = report->file.blocks_done == report->file.block_count;
    Text                    *page = &report->page;
    html_table_begin(page, "Groups", columns, sizeof columns / sizeof *columns - whole);
    for (size_t g = 0; g < report->file.group_count; ++g) {
        const Points *points = &report->points[g];
        char         *method = NULL;
        bool          ok = store_read_text(&report->file, points->group, "method", &method, err);
        text_add(page, "<tr>");
        html_element(page, "th", points->group->label);
        html_cell(page, method);
        text_add(page, "<td class=\"wide\">");
        for (size_t i = 0; ok && i < points->axis_count; ++i)
            ok = add_axis(page, points, &points->axes[i], err);
        text_add(page, "</td>");
        html_whole(page, points->count);
        html_whole(page, report->counts[g][STATUS_OK]);
        html_whole(page, report_failed(report, g));
        if (!whole)
            html_whole(page, report->counts[g][STATUS_NOT_RUN]);
        text_add(page, "</tr>\n");
        free(method);
        if (!ok)
            return false;
    }
    html_table_end(page);
    return true;
}

static void add_statuses(ReportPage *report)
{
    const char *columns[2 + POINTS_COUNTS] = {"group"};
    int         shown[POINTS_COUNTS];
    size_t      count = 0;
    for (int s = 0; s < POINTS_COUNTS; ++s)
        for (size_t g = 0; g < report->file.group_count; ++g)
            if (report->counts[g][s] > 0) {
                shown[count] = s;
                columns[1 + count++] = arena_format(&report->arena, &(Error){0}, "#%s",
                                                    s < STATUS_COUNT ? plan_status_names[s] : "unknown");
                break;
            }
    html_table_begin(&report->page, "How the points of each group ended", columns, 1 + count);
    for (size_t g = 0; g < report->file.group_count; ++g) {
        text_add(&report->page, "<tr>");
        html_element(&report->page, "th", report->points[g].group->label);
        for (size_t i = 0; i < count; ++i)
            html_whole(&report->page, report->counts[g][shown[i]]);
        text_add(&report->page, "</tr>\n");
    }
    html_table_end(&report->page);
}

static void add_parts(Text *page, const Points *points, const Failures *failures)
{
    for (size_t k = 0; k < failures->count; ++k) {
        const double percent = 100.0 * (double)failures->failed[k] / (double)failures->computed[k];
        text_add(page, "<tr>");
        html_element(page, "th", points->group->label);
        html_cell(page, failures->axis->name);
        if (failures->each)
            html_number(page, failures->low[k]);
        else
            text_add(page, "<td class=\"n\" data-v=\"%.17g\">%.4g to %.4g</td>", failures->low[k], failures->low[k],
                     failures->high[k]);
        html_whole(page, failures->computed[k]);
        html_whole(page, failures->failed[k]);
        html_number(page, round(100.0 * percent) / 100.0);
        text_add(page, "</tr>\n");
    }
}

bool report_add_failures(ReportPage *report, Error *err)
{
    static const char *const columns[] = {"group", "axis", "#value", "#computed", "#failed", "#%"};
    bool                     some = false, ok = true, sampled = true;
    Failures                 failures;
    add_statuses(report);
    for (size_t g = 0; g < report->file.group_count; ++g) {
        some = some || report_failed(report, g) > 0;
        sampled = sampled && report_is_sampled(&report->points[g]);
    }
    if (!some) {
        text_add(&report->page, "<p>No point failed.</p>\n");
        return true;
    }
    text_add(&report->page, "<h3>Where they failed</h3>\n");
    html_table_begin(&report->page, "Where points failed", columns, sizeof columns / sizeof *columns);
    for (size_t g = 0; g < report->file.group_count; ++g)
        for (size_t i = 0; ok && report_failed(report, g) > 0 && i < report->points[g].axis_count; ++i) {
            ok = failures_count(&report->points[g], &report->points[g].axes[i], &failures, err);
            if (ok)
                add_parts(&report->page, &report->points[g], &failures);
        }
    html_table_end(&report->page);
    if (ok && !sampled)
        ok = report_add_plot(report, (PlotRequest){.metric = "status"}, "How each point ended", "status", err);
    return ok;
}
