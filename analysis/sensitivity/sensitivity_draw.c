// sensitivity_draw -- pictures of indices: their panels, and maps over two axes of a grid of designs.
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

// Axes around the designs. Those that go together have no order.
static bool lies_around(const Points *points, const PointsAxis *axis)
{
    return axis->values && axis->dim + 1 < points->dim_count && !points->dims[axis->dim].together;
}

static const PointsAxis *axis_of(const Study *study, const char *name)
{
    const Points *points = &study->points;
    for (size_t i = 0; study->random && i < points->axis_count; ++i)
        if (lies_around(points, &points->axes[i]) && strcmp(points->axes[i].name, name) == 0)
            return &points->axes[i];
    return NULL;
}

// The axes of a study that has two.
static bool find_two(const Study *study, const PointsAxis **axes)
{
    const Points *points = &study->points;
    axes[0] = axes[1] = NULL;
    for (size_t i = 0; study->random && points->dim_count == 3 && i < points->axis_count; ++i)
        if (lies_around(points, &points->axes[i]))
            axes[points->axes[i].dim] = &points->axes[i];
    return axes[0] && axes[1];
}

static bool fail_axis(const Study *study, const char *name, Error *err)
{
    const Points *points = &study->points;
    Text          all = {0};
    for (size_t i = 0; study->random && i < points->axis_count; ++i)
        if (lies_around(points, &points->axes[i]))
            text_add(&all, "%s%.60s", all.length ? ", " : "", points->axes[i].name);
    fail(err, ERROR_USAGE, "%s: --map: group '%s' has no axis '%.60s' around its designs; %s%s", points->file->path,
         study->label, name, all.length ? "it has " : "it has no grid of designs: add `inside: grid` to the design",
         all.length ? all.text : "");
    text_free(&all);
    return false;
}

bool sensitivity_plot_map(const Study *studies, size_t count, const char **names, Error *err)
{
    const PointsAxis *axes[2];
    bool              all = count > 0 && !names[0];
    for (size_t s = 0; s < count; ++s) {
        for (size_t k = 0; names[0] && k < 2; ++k)
            if (!axis_of(&studies[s], names[k]))
                return fail_axis(&studies[s], names[k], err);
        all = all && find_two(&studies[s], axes);
    }
    if (all && find_two(&studies[0], axes))
        for (size_t k = 0; k < 2; ++k)
            names[k] = axes[k]->name;
    return true;
}

// Finds axes and edges of a panel.
static bool begin_map(Drawing *drawing, Panel *panel, Error *err)
{
    const Study *study = panel->tables->study;
    for (size_t k = 0; k < 2; ++k)
        panel->axes[k] = axis_of(study, drawing->map[k]);
    if (!panel->axes[0] || !panel->axes[1])
        find_two(study, panel->axes);
    for (size_t k = 0; k < 2; ++k) {
        const PointsAxis *axis = panel->axes[k];
        if (!(panel->edges[k] = arena_take(&drawing->figure.arena, axis->count + 1, sizeof **panel->edges, err)))
            return false;
        figure_edges(axis->values, axis->count, panel->edges[k]);
    }
    return true;
}

// Whether a table is a cell of the map: axes that it does not show are at their middle value.
static bool shows(const SensitivityTable *table, const PointsAxis *const *axes)
{
    const Points *points = &table->study->points;
    for (size_t d = 0; d + 1 < points->dim_count; ++d)
        if (d != axes[0]->dim && d != axes[1]->dim &&
            points_index(points, d, table->row * table->study->row_points) != points->dims[d].count / 2)
            return false;
    return true;
}

static const Bar *bar_of(const SensitivityTable *table)
{
    return &sensitivity_panel_bars[table->index][table->index == SENSITIVITY_SOBOL ? 1 : 0];
}

// A share of the variance lies between 0 and 1; every other index has a unit.
static bool is_share(const SensitivityTable *table)
{
    return table->index == SENSITIVITY_SOBOL || table->index >= SENSITIVITY_GIVEN;
}

// The index and its unit: a share has none, a derivative that of its factor too.
static void add_name(const SensitivityTable *table, Text *text)
{
    const char *unit = table->index == SENSITIVITY_LOCAL ? "" : table->output->unit;
    text_add(text, ", %s", bar_of(table)->name);
    if (*unit && strcmp(unit, "1") != 0)
        text_add(text, " [%s]", unit);
}

// Adds the factor of a panel, and where the axes are that it does not show.
static void add_map_title(const Panel *panel, Text *more)
{
    const Study             *study = panel->tables->study;
    const PointsAxis *const *axes = panel->axes;
    size_t                   t = 0;
    while (t + 1 < panel->count && panel->tables[t].trouble)
        ++t;
    text_add(more, "%s", panel->tables[t].rows[panel->factor].factor);
    if (!is_share(panel->tables))
        add_name(panel->tables, more);
    for (size_t i = 0; i < study->points.axis_count; ++i) {
        const PointsAxis *axis = &study->points.axes[i];
        if (axis->values && axis->dim + 1 < study->points.dim_count && axis->dim != axes[0]->dim &&
            axis->dim != axes[1]->dim)
            text_add(more, ", %s = %.4g", axis->name, axis->values[axis->count / 2]);
    }
}

static void add_grey(Drawing *drawing, const SensitivityTable *table)
{
    enum { LINE = 22 };
    if (drawing->grey)
        return;
    drawing->grey = true;
    drawing->figure.around.below += LINE;
    text_add(figure_entry(&drawing->figure), "no index: output constant, or points failed%s",
             table->index == SENSITIVITY_CHAOS ? ", or Q2 below 0.9" : "");
}

// Where a value lies on an axis, and the edges of its cell.
static void place_cell(const PointsAxis *axis, const double *edges, size_t index, double *place, double *ends)
{
    size_t i = 0;
    *place = axis->values[index];
    while (i + 1 < axis->count && edges[i + 1] <= *place)
        ++i;
    ends[0] = edges[i];
    ends[1] = edges[i + 1];
}

// Cells with an index, or cells without.
static void add_cells(Drawing *drawing, size_t number, bool empty)
{
    const Panel             *panel = &drawing->panels[number];
    const Study             *study = panel->tables->study;
    const PointsAxis *const *axes = panel->axes;
    double *const           *edges = panel->edges;
    Text                    *script = &drawing->figure.script;
    text_add(script, empty ? "$none%zu << END\n" : "$panel%zu << END\n", number);
    for (size_t t = 0; t < panel->count; ++t) {
        const SensitivityTable *table = &panel->tables[t];
        const double index = table->trouble ? (double)NAN : table->rows[panel->factor].numbers[bar_of(table)->value];
        double       numbers[7] = {[6] = empty ? 0.0 : index};
        if (!shows(table, axes) || isfinite(index) == empty)
            continue;
        for (size_t k = 0; k < 2; ++k)
            place_cell(axes[k], edges[k], points_index(&study->points, axes[k]->dim, table->row * study->row_points),
                       &numbers[k], &numbers[2 + 2 * k]);
        gnuplot_numbers(script, numbers, 7);
        figure_spot(&drawing->figure, number, numbers[0], numbers[1], index);
        if (empty)
            add_grey(drawing, table);
        else if (drawing->boxed > number)
            drawing->boxed = number;
    }
    text_add(script, "END\n");
}

void sensitivity_panel_map_data(Drawing *drawing, size_t number)
{
    const PointsAxis *up = drawing->panels[number].axes[1];
    figure_label(&drawing->figure, up->values, up->count);
    if (number == 0)
        drawing->boxed = drawing->panel_count;
    add_cells(drawing, number, false);
    add_cells(drawing, number, true);
}

// The range of the colours: a share of the variance; else numbers of the whole metric. A derivative has a sign, and
// each factor's own unit.
static FigureRange find_scale(const Panel *panel)
{
    FigureRange range = {0.0, 0.0};
    const bool  own = panel->tables->index == SENSITIVITY_LOCAL;
    for (size_t t = 0; t < panel->count; ++t) {
        const SensitivityTable *table = &panel->tables[t];
        for (size_t f = 0; !table->trouble && shows(table, panel->axes) && f < sensitivity_factors(table); ++f)
            if (!own || f == panel->factor)
                figure_take_in(&range, table->rows[f].numbers[bar_of(table)->value]);
    }
    const double most = own ? fmax(range.high, -range.low) : range.high, end = most > 0.0 ? most : 1.0;
    return is_share(panel->tables) ? (FigureRange){0.0, 1.0} : (FigureRange){own ? -end : 0.0, end};
}

// Beside each panel, with its ends and its middle.
static void add_own_box(Text *script, FigureRange range)
{
    const double places[] = {range.low, 0.5 * (range.low + range.high), range.high};
    text_add(script, "set colorbox user origin graph 1.04, graph 0 size graph 0.05, graph 1\nset cbtics (");
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
        text_add(script, "%s'%.3g' %.9g", i ? ", " : "", places[i], places[i]);
    text_add(script, ")\n");
}

static void add_palette(Drawing *drawing, size_t number, FigureRange range)
{
    Text                   *script = &drawing->figure.script;
    const SensitivityTable *table = drawing->panels[number].tables;
    text_add(script,
             "set palette defined (%s)\nset cbrange [%.9g:%.9g]\nunset yzeroaxis\n"
             "unset colorbox\n",
             range.low < 0.0 ? "0 '#d55e00', 0.5 '#ffffff', 1 '#0072b2'" : "0 '#f7fbff', 0.5 '#6baed6', 1 '#08306b'",
             range.low, range.high);
    if (!is_share(table)) {
        add_own_box(script, range);
    } else if (number == drawing->boxed) {
        gnuplot_label(script, "set cblabel ", bar_of(table)->name, "");
        text_add(script, "\n");
        figure_box(&drawing->figure);
    }
}

void sensitivity_panel_map_draw(Drawing *drawing, size_t number)
{
    const Panel      *panel = &drawing->panels[number];
    Figure           *figure = &drawing->figure;
    const FigureRange range = find_scale(panel);
    for (size_t k = 0; k < 2; ++k) {
        const PointsAxis *axis = panel->axes[k];
        figure_axis(figure, k ? "y" : "x", axis->name, axis->unit, axis->values, axis->count,
                    (FigureRange){panel->edges[k][0], panel->edges[k][axis->count]});
    }
    add_palette(drawing, number, range);
    figure_key(figure, number == 0 && drawing->grey ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    text_add(figure_layer(figure),
             "$panel%zu using 1:2:3:4:5:6:($7<%.9g?%.9g:$7) with boxxyerror fc palette z fs solid notitle", number,
             range.low, range.low);
    text_add(figure_layer(figure),
             "$none%zu using 1:2:3:4:5:6 with boxxyerror fc rgb '#bdbdbd' fs solid border rgb '#bdbdbd' notitle",
             number);
    if (number == 0 && drawing->grey) {
        text_add(figure_layer(figure), "keyentry with boxes fs solid fc rgb '#bdbdbd' ");
        figure_layer_title(figure, 0);
    }
    figure_end_panel(figure);
}

static bool joins(const Drawing *drawing, const SensitivityTable *before, const SensitivityTable *table)
{
    return before->study == table->study && before->output == table->output &&
           ((drawing->over && before->row == table->row) || drawing->axis);
}

static void add_panel(Drawing *drawing, Panel panel)
{
    if (drawing->panel_count < SENSITIVITY_PANELS)
        drawing->panels[drawing->panel_count++] = panel;
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
        for (size_t f = 0; at < next && f < sensitivity_factors(&picture->tables[at]); ++f)
            add_panel(drawing, (Panel){.tables = first, .count = next - i, .factor = f});
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
            add_panel(drawing, (Panel){.tables = table, .count = 1});
        if (!curves && sensitivity_factors(table) < table->row_count)
            add_panel(drawing, (Panel){.tables = table, .count = 1, .pairs = true});
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
        add_map_title(panel, &more);
    else if (panel->count == 1)
        sensitivity_panel_row(table, &more);
    figure_title(figure, title.text, &more);
    text_free(&title);
}

static void make_figure(Drawing *drawing, const SensitivityPicture *picture, const char *title, const char *stem)
{
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
        drawing->figure.between = (FigureSize){is_share(table) ? 115 : 220, 125};
        return;
    }
    if (curves)
        for (size_t i = 0; i < drawing->name_count; ++i)
            text_add(figure_entry(&drawing->figure), "%s", drawing->names[i]);
    else if (table->index != SENSITIVITY_MORRIS && sensitivity_panel_bars[table->index][1].name)
        for (size_t b = 0; b < SENSITIVITY_BARS; ++b)
            text_add(figure_entry(&drawing->figure), "%s", sensitivity_panel_bars[table->index][b].name);
    if (table->index == SENSITIVITY_GIVEN && !curves)
        text_add(figure_entry(&drawing->figure), "PAWN of a dummy");
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
        ok = begin_map(&drawing, &drawing.panels[i], err);
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
