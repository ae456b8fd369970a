// sensitivity_draw -- bars, planes and curves of indices.
#include "analysis/sensitivity/sensitivity_panel.h"

#include <math.h>
#include <string.h>

bool sensitivity_plot_add(const SensitivityTable *table, void *user, Error *err)
{
    SensitivityPicture *picture = user;
    if (picture->row_count + table->row_count > SENSITIVITY_ROWS) {
        ++picture->more;
        return true;
    }
    if (picture->count == picture->capacity) {
        const size_t      capacity = picture->capacity ? 2 * picture->capacity : 64;
        SensitivityTable *tables = arena_take(&picture->arena, capacity, sizeof *tables, err);
        if (!tables)
            return false;
        if (picture->count > 0)
            memcpy(tables, picture->tables, picture->count * sizeof *tables);
        picture->tables = tables;
        picture->capacity = capacity;
    }
    SensitivityRow *rows = arena_take(&picture->arena, table->row_count, sizeof *rows, err);
    if (!rows)
        return false;
    memcpy(rows, table->rows, table->row_count * sizeof *rows);
    picture->row_count += table->row_count;
    picture->tables[picture->count] = *table;
    picture->tables[picture->count++].rows = rows;
    return true;
}

void sensitivity_plot_free(SensitivityPicture *picture)
{
    arena_free(&picture->arena);
    *picture = (SensitivityPicture){0};
}

const char *sensitivity_plot_axis(const Study *studies, size_t count)
{
    const char *axis = NULL;
    for (size_t s = 0; s < count; ++s)
        for (size_t i = 0; studies[s].random && i < studies[s].points.axis_count; ++i) {
            const PointsAxis *one = &studies[s].points.axes[i];
            if (one->dim + 1 == studies[s].points.dim_count)
                continue;
            if (studies[s].points.dim_count != 2 || (axis && strcmp(axis, one->name) != 0))
                return NULL;
            axis = one->name;
        }
    return axis;
}

static bool joins(const Drawing *drawing, const SensitivityTable *before, const SensitivityTable *table)
{
    return before->study == table->study && before->output == table->output &&
           ((drawing->over && before->row == table->row) || drawing->axis);
}

static void add_panel(Drawing *drawing, const SensitivityTable *table, bool pairs)
{
    if (drawing->panel_count < SENSITIVITY_PANELS)
        drawing->panels[drawing->panel_count++] = (Panel){.tables = table, .count = 1, .pairs = pairs};
    else
        ++drawing->left_out;
}

// A panel for each factor of an output; the tables of an output follow each other. One without all its tables is left
// out: cells that are not there would look like cells without an index.
static void find_maps(Drawing *drawing, const SensitivityPicture *picture)
{
    for (size_t i = 0, next; i < picture->count; i = next) {
        const SensitivityTable *first = &picture->tables[i];
        next = i + 1;
        while (next < picture->count && picture->tables[next].study == first->study &&
               picture->tables[next].output == first->output)
            ++next;
        size_t at = next - i < first->study->row_count ? next : i;
        while (at < next && picture->tables[at].trouble)
            ++at;
        for (size_t f = 0; at < next && f < sensitivity_factors(&picture->tables[at]); ++f) {
            const size_t before = drawing->panel_count;
            add_panel(drawing, first, false);
            if (drawing->panel_count > before) {
                drawing->panels[before].count = next - i;
                drawing->panels[before].factor = f;
            }
        }
    }
}

static void find_panels(Drawing *drawing, const SensitivityPicture *picture)
{
    for (size_t i = 0; i < picture->count; ++i) {
        const SensitivityTable *table = &picture->tables[i];
        Panel                  *last = drawing->panel_count ? &drawing->panels[drawing->panel_count - 1] : NULL;
        const bool              curves = drawing->axis || drawing->over;
        if (table->trouble && !curves)
            continue;
        if (last && drawing->left_out == 0 && joins(drawing, last->tables, table))
            ++last->count;
        else
            add_panel(drawing, table, false);
        if (!curves && sensitivity_factors(table) < table->row_count)
            add_panel(drawing, table, true);
    }
}

static void list_names(Drawing *drawing)
{
    for (size_t p = 0; p < drawing->panel_count; ++p)
        for (size_t i = 0; i < sensitivity_factors(drawing->panels[p].tables); ++i) {
            const char  *name = drawing->panels[p].tables->rows[i].factor;
            const size_t at = sensitivity_panel_name(drawing, name);
            if (at == drawing->name_count && at < SAMPLING_FACTORS)
                drawing->names[drawing->name_count++] = name;
        }
}

static void add_title(Figure *figure, const Drawing *drawing, const Panel *panel)
{
    const SensitivityTable *table = panel->tables;
    Text                    title = {0}, more = {0};
    text_add(&title, "%s: %s%s", table->study->label, table->output->name, panel->pairs ? ", S2" : "");
    if (drawing->map[0])
        sensitivity_map_title(panel, &more);
    else if (panel->count == 1)
        sensitivity_panel_row(table, &more);
    figure_title(figure, title.text, &more);
    text_free(&title);
}

static void make_figure(Drawing *drawing, const SensitivityPicture *picture, const char *title, const char *stem)
{
    const char             *given = NULL;
    const size_t            panels = drawing->panel_count, columns = panels < 3 ? panels : panels == 4 ? 2 : 3;
    const SensitivityTable *table = drawing->panels[0].tables;
    const bool              curves = drawing->axis || drawing->over, map = drawing->map[0] != NULL;
    const unsigned          height =
        curves || map || table->index == SENSITIVITY_MORRIS ? 290 : 90 + 34 * (unsigned)sensitivity_factors(table);
    drawing->figure = (Figure){.svg = picture->svg,
                               .title = title ? title : "",
                               .stem = stem,
                               .rows = (unsigned)((panels + columns - 1) / columns),
                               .columns = (unsigned)columns,
                               .panel = {columns == 1 ? 640 : 360, height},
                               .around = {80, 30, 75, 80},
                               .between = {80, 95}};
    if (map) {
        drawing->figure.around.left = 100;
        drawing->figure.around.above = 90;
        drawing->figure.around.right = 120;
        drawing->figure.between = (FigureSize){sensitivity_map_shares(drawing) ? 115 : 220, 125};
        return;
    }
    if (table->index == SENSITIVITY_GIVEN && !curves)
        given = "PAWN of a dummy";
    if (curves)
        for (size_t i = 0; i < drawing->name_count; ++i)
            text_add(figure_entry(&drawing->figure), "%s", drawing->names[i]);
    else if (table->index != SENSITIVITY_MORRIS && sensitivity_panel_bars[table->index][1].name)
        for (size_t b = 0; b < SENSITIVITY_BARS; ++b)
            text_add(figure_entry(&drawing->figure), "%s", sensitivity_panel_bars[table->index][b].name);
    if (given)
        text_add(figure_entry(&drawing->figure), "%s", given);
    for (size_t i = 0; !curves && i < sensitivity_factors(table); ++i)
        figure_word(&drawing->figure, strlen(table->rows[i].factor));
}

bool sensitivity_plot_draw(const SensitivityPicture *picture, const char *title, const char *axis, SensitivityOver over,
                           const char *stem, const Outputs *outputs, Text *said, Error *err)
{
    Drawing drawing = {.axis = over ? NULL : axis, .over = over ? sensitivity_over_names[over] : NULL};
    if (!over && picture->map[0]) {
        drawing.map[0] = picture->map[0];
        drawing.map[1] = picture->map[1];
        find_maps(&drawing, picture);
    } else {
        find_panels(&drawing, picture);
    }
    if (drawing.panel_count == 0)
        return fail(err, ERROR_INPUT, "no metric has indices: there is nothing to draw");
    list_names(&drawing);
    make_figure(&drawing, picture, title, stem);
    bool ok = true;
    for (size_t i = 0; ok && drawing.map[0] && i < drawing.panel_count; ++i)
        ok = sensitivity_map_begin(&drawing, &drawing.panels[i], err);
    if (!ok) {
        figure_free(&drawing.figure);
        return false;
    }
    text_add(&drawing.figure.script, "set encoding utf8\n");
    for (size_t i = 0; i < drawing.panel_count; ++i)
        sensitivity_panel_data(&drawing, i);
    figure_begin(&drawing.figure);
    for (size_t i = 0; i < drawing.panel_count; ++i) {
        add_title(&drawing.figure, &drawing, &drawing.panels[i]);
        sensitivity_panel_draw(&drawing, i);
    }
    ok = figure_draw(&drawing.figure, outputs, err);
    if (ok && !picture->svg)
        text_add(said, "%s.png, %s.svg; script %s.gp\n", stem, stem, stem);
    if (ok && drawing.left_out > 0)
        text_add(said, "  the first %d panels are drawn, not %zu more: choose with --metric or --method\n",
                 SENSITIVITY_PANELS, drawing.left_out);
    if (ok && picture->more > 0)
        text_add(said, "  the picture has no room for %zu more tables: choose with --metric or --method\n",
                 picture->more);
    figure_free(&drawing.figure);
    return ok;
}
