// report_indices -- sensitivity indices of the designs in a file: a table for each group, and the picture of all.
#include "analysis/report/html.h"
#include "analysis/report/report.h"
#include "analysis/sensitivity/sensitivity_plot.h"
#include "analysis/sensitivity/variance.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 400 };

typedef struct Indices {
    ReportPage        *report;
    SensitivityPicture picture;
    size_t             rows;
    uint64_t           left_out;  // table rows
    Text               notes;
} Indices;

// The axes of the grid of designs at a table's row: "eps = 0.01, h = 0.1".
static void add_place(Text *text, const SensitivityTable *table)
{
    const Points *points = &table->study->points;
    bool          some = false;
    for (size_t i = 0; table->study->random && i < points->axis_count; ++i)
        if (points->axes[i].values && points->axes[i].dim + 1 < points->dim_count) {
            text_add(text, "%s%s = %.4g", some ? ", " : "", points->axes[i].name,
                     points_axis_value(points, i, table->row * table->study->row_points));
            some = true;
        }
}

// Numbers that a design does not serve have no column.
static bool shows(const Study *study, SensitivityIndex index, size_t number)
{
    return index != SENSITIVITY_SOBOL || study->second_order || number < 4;
}

static void add_row(Indices *indices, const SensitivityTable *table, const SensitivityRow *row)
{
    Text *page = &indices->report->page;
    Text  factor = {0};
    text_add(&factor, row->other ? "%s, %s" : "%s", row->factor, row->other);
    text_add(page, "<tr>");
    html_element(page, "th", table->output->name);
    Text place = {0};
    add_place(&place, table);
    if (table->study->row_count > 1)
        html_cell(page, place.text);
    html_cell(page, factor.text);
    for (size_t k = 0; sensitivity_numbers[table->index][k]; ++k)
        if (shows(table->study, table->index, k))
            html_number(page, row->numbers[k]);
    text_add(page, "</tr>\n");
    page->failed = page->failed || factor.failed || place.failed;
    text_free(&factor);
    text_free(&place);
}

static bool see_table(const SensitivityTable *table, void *user, Error *err)
{
    Indices *indices = user;
    if (table->trouble) {
        text_add(&indices->notes, "%s: %s.\n", table->output->name, table->trouble);
        return true;
    }
    for (size_t i = 0; i < table->row_count; ++i)
        if (indices->rows < MOST_ROWS) {
            add_row(indices, table, &table->rows[i]);
            ++indices->rows;
        } else {
            ++indices->left_out;
        }
    return sensitivity_plot_add(table, &indices->picture, err);
}

static bool add_study(Indices *indices, const SensitivityRequest *request, Study *study, Error *err)
{
    Text            *page = &indices->report->page;
    SensitivityIndex index;
    const char      *columns[4 + SENSITIVITY_NUMBERS] = {"metric"};
    size_t           count = 1;
    if (!sensitivity_choose(request, study, &index, err))
        return false;
    if (study->row_count > 1)
        columns[count++] = "at";
    columns[count++] = "factor";
    for (size_t k = 0; sensitivity_numbers[index][k]; ++k) {
        if (!shows(study, index, k))
            continue;
        columns[count] = arena_format(&indices->report->arena, err, "#%s", sensitivity_numbers[index][k]);
        if (!columns[count++])
            return false;
    }
    html_element(page, "h3", study->label);
    text_add(
        page,
        "<p class=\"note\">Index <code>%s</code>; an interval is the value plus and minus its conf, at 95 %%.</p>\n",
        sensitivity_names[index]);
    html_table_begin(page, "Sensitivity indices", columns, count);
    const bool ok = sensitivity_find(request, study, see_table, indices, err);
    html_table_end(page);
    if (indices->notes.length) {
        text_add(page, "<p class=\"note\">No indices of ");
        html_text(page, indices->notes.text);
        text_add(page, "</p>\n");
        indices->notes.length = 0;
    }
    return ok;
}

// The picture of the indices, or of the outputs over each factor.
static bool add_picture(Indices *indices, const SensitivityRequest *request, Study *studies, size_t count, bool scatter,
                        Error *err)
{
    ReportPage *report = indices->report;
    const char *stem = report_begin_picture(report, err);
    indices->picture.svg = &report->svg;
    const bool ok =
        stem && (scatter ? sensitivity_plot_points(request, false, studies, count, "", stem, NULL, &report->svg,
                                                   &report->facts, err)
                         : sensitivity_plot_map(studies, count, indices->picture.map, err) &&
                               sensitivity_plot_draw(&indices->picture, "", sensitivity_plot_axis(studies, count),
                                                     SENSITIVITY_OVER_NOTHING, stem, NULL, &report->facts, err));
    return report_add_picture(
        report, ok, scatter ? "Outputs over each factor, with conditional means" : "Sensitivity indices", NULL, err);
}

bool report_add_indices(ReportPage *report, Error *err)
{
    const SensitivityRequest request = {
        .path = report->request->path, .index = SENSITIVITY_AUTO, .estimator = VARIANCE_AUTO, .seed = 1};
    Indices indices = {.report = report};
    size_t  count = 0;
    Study  *studies = arena_take(&report->arena, report->file.group_count, sizeof *studies, err);
    bool    ok = studies != NULL;
    for (size_t g = 0; ok && g < report->file.group_count; ++g)
        if (report_is_sampled(&report->points[g])) {
            ok = study_open(&report->file, &report->file.groups[g], &studies[count], err);
            count += ok;
            ok = ok && add_study(&indices, &request, &studies[count - 1], err);
        }
    if (ok && count == 0)
        text_add(&report->page, "<p>The points are a grid. A sweep whose parameters have distributions gives indices: "
                                "<code>design: {saltelli: {samples: 1024}}</code>.</p>\n");
    if (ok && indices.left_out > 0)
        text_add(&report->page,
                 "<p>%llu more rows are left out: <code>pendula sensitivity FILE.h5 --format csv</code> prints "
                 "all.</p>\n",
                 (unsigned long long)indices.left_out);
    for (int scatter = 0; ok && indices.picture.count > 0 && scatter < 2; ++scatter)
        ok = add_picture(&indices, &request, studies, count, scatter, err);
    for (size_t i = 0; i < count; ++i)
        study_close(&studies[i]);
    sensitivity_plot_free(&indices.picture);
    text_free(&indices.notes);
    return ok;
}
