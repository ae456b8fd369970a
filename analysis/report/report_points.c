// report_points -- how many points of a group failed, and where a point is.
#include "analysis/report/report.h"

#include "analysis/report/html.h"

#include <math.h>

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
