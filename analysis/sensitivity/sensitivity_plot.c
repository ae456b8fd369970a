// sensitivity_plot -- bars, planes and curves of indices.
#include "analysis/sensitivity/sensitivity_plot.h"

#include <math.h>
#include <string.h>

// A panel: one table, or those of one output along time or an axis.
typedef struct Panel {
    const SensitivityTable *tables;  // [count]
    size_t                  count;
} Panel;

typedef struct Drawing {
    Figure      figure;
    Panel       panels[SENSITIVITY_PANELS];
    size_t      panel_count, left_out;
    const char *axis;                     // of curves; NULL: bars or planes
    const char *over;                     // "time" or "samples"; NULL: over nothing
    const char *names[SAMPLING_FACTORS];  // [name_count] of the factors of all panels: the same colour everywhere
    size_t      name_count;
} Drawing;

// The columns of an index that are drawn as bars: value and half width. -1: none.
typedef struct Bar {
    const char *name;
    int         value, conf;
} Bar;

enum { BARS = 2 };
static const Bar bars[SENSITIVITY_COUNT][BARS] = {{{"S1", 0, 1}, {"ST", 2, 3}},
                                                  {{"mu_star", 1, 2}, {"sigma", 3, -1}},
                                                  {{"derivative", 0, 1}, {"elasticity", 2, -1}},
                                                  {{"swing", 2, -1}, {NULL, -1, -1}},
                                                  {{"S1", 0, 1}, {"PAWN", 2, -1}},
                                                  {{"S1", 0, 1}, {"ST", 2, 3}}};

bool sensitivity_plot_add(SensitivityPicture *picture, const SensitivityTable *table, Error *err)
{
    if (!picture->tables)
        picture->tables = arena_take(&picture->arena, SENSITIVITY_TABLES, sizeof *picture->tables, err);
    if (!picture->tables)
        return false;
    if (picture->count == SENSITIVITY_TABLES) {
        ++picture->more;
        return true;
    }
    SensitivityRow *rows = arena_take(&picture->arena, table->row_count, sizeof *rows, err);
    if (!rows)
        return false;
    memcpy(rows, table->rows, table->row_count * sizeof *rows);
    picture->tables[picture->count] = *table;
    picture->tables[picture->count++].rows = rows;
    return true;
}

void sensitivity_plot_free(SensitivityPicture *picture)
{
    arena_free(&picture->arena);
    *picture = (SensitivityPicture){0};
}

static double place_of(const Drawing *drawing, const SensitivityTable *table)
{
    const Points *points = &table->study->points;
    for (size_t i = 0; drawing->axis && i < points->axis_count; ++i)
        if (strcmp(points->axes[i].name, drawing->axis) == 0 && points->axes[i].values)
            return points_axis_value(points, i, table->row * table->study->row_points);
    return table->place;
}

static bool joins(const Drawing *drawing, const SensitivityTable *before, const SensitivityTable *table)
{
    return before->study == table->study && before->output == table->output &&
           ((drawing->over && before->row == table->row) || drawing->axis);
}

// Factors without pairs come first.
static size_t factor_count(const SensitivityTable *table)
{
    size_t count = 0;
    while (count < table->row_count && !table->rows[count].other)
        ++count;
    return count;
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
        else if (drawing->panel_count < SENSITIVITY_PANELS)
            drawing->panels[drawing->panel_count++] = (Panel){table, 1};
        else
            ++drawing->left_out;
    }
}

static size_t find_name(const Drawing *drawing, const char *name)
{
    size_t at = 0;
    while (at < drawing->name_count && strcmp(drawing->names[at], name) != 0)
        ++at;
    return at;
}

static void list_names(Drawing *drawing)
{
    for (size_t p = 0; p < drawing->panel_count; ++p)
        for (size_t i = 0; i < factor_count(drawing->panels[p].tables); ++i) {
            const char  *name = drawing->panels[p].tables->rows[i].factor;
            const size_t at = find_name(drawing, name);
            if (at == drawing->name_count && at < SAMPLING_FACTORS)
                drawing->names[drawing->name_count++] = name;
        }
}

static void add_title(Figure *figure, const Panel *panel)
{
    const SensitivityTable *table = panel->tables;
    const Points           *points = &table->study->points;
    Text                    title = {0}, more = {0};
    text_add(&title, "%s: %s", table->study->label, table->output->name);
    for (size_t i = 0; panel->count == 1 && table->study->random && i < points->axis_count; ++i)
        if (points->axes[i].dim + 1 < points->dim_count && points->axes[i].values)
            text_add(&more, "%s%s = %.4g", more.length ? ", " : "", points->axes[i].name,
                     points_axis_value(points, i, table->row * table->study->row_points));
    figure_title(figure, title.text, &more);
    text_free(&title);
}

// Data of a panel: bars in the order of the factors from above, or a line for each place of the curves.
static void add_block(Drawing *drawing, size_t number)
{
    const Panel *panel = &drawing->panels[number];
    Text        *script = &drawing->figure.script;
    const bool   curves = drawing->axis || drawing->over;
    const Bar   *bar = bars[panel->tables->index];
    text_add(script, "$panel%zu << END\n", number);
    for (size_t t = 0; curves && t < panel->count; ++t) {
        const SensitivityTable *table = &panel->tables[t];
        gnuplot_number(script, place_of(drawing, table));
        for (size_t i = 0; i < factor_count(table); ++i) {
            const Bar    *shown = &bar[table->index == SENSITIVITY_SOBOL ? 1 : 0];
            const double *numbers = table->rows[i].numbers;
            text_add(script, " ");
            gnuplot_number(script, table->trouble ? (double)NAN : numbers[shown->value]);
            text_add(script, " ");
            gnuplot_number(script, table->trouble || shown->conf < 0 ? (double)NAN : numbers[shown->conf]);
        }
        text_add(script, "\n");
    }
    for (size_t i = 0; !curves && i < factor_count(panel->tables); ++i) {
        const double *numbers = panel->tables->rows[i].numbers;
        double        shown[1 + 2 * BARS] = {-(double)i};
        for (size_t b = 0; b < BARS; ++b) {
            shown[1 + 2 * b] = bar[b].value >= 0 ? numbers[bar[b].value] : (double)NAN;
            shown[2 + 2 * b] = bar[b].conf >= 0 ? numbers[bar[b].conf] : 0.0;
        }
        gnuplot_numbers(script, shown, 1 + 2 * BARS);
    }
    text_add(script, "END\n");
}

static FigureRange find_range(const Panel *panel, bool conf)
{
    FigureRange range = {0.0, 0.0};
    for (size_t t = 0; t < panel->count; ++t)
        for (size_t i = 0; !panel->tables[t].trouble && i < factor_count(&panel->tables[t]); ++i)
            for (size_t b = 0; b < BARS; ++b) {
                const Bar    *bar = &bars[panel->tables->index][b];
                const double *numbers = panel->tables[t].rows[i].numbers;
                const double  half = conf && bar->conf >= 0 && isfinite(numbers[bar->conf]) ? numbers[bar->conf] : 0.0;
                if (bar->value < 0)
                    continue;
                figure_take_in(&range, numbers[bar->value] - half);
                figure_take_in(&range, numbers[bar->value] + half);
            }
    return range;
}

static const char *colour_of(size_t i)
{
    return figure_colours[i % FIGURE_COLOURS];
}

// A picture's legend stands at its first panel, a layer for each name.
static void add_entries(Drawing *drawing, size_t count, const char *style)
{
    for (size_t i = 0; i < count; ++i) {
        text_add(figure_layer(&drawing->figure), "keyentry with %s lc rgb '%s' dt %zu ", style, colour_of(i),
                 i / FIGURE_COLOURS % 5 + 1);
        figure_layer_title(&drawing->figure, i);
    }
}

static void add_bars(Drawing *drawing, size_t number)
{
    const Panel            *panel = &drawing->panels[number];
    const SensitivityTable *table = panel->tables;
    Figure                 *figure = &drawing->figure;
    Text                   *script = &figure->script;
    const size_t            count = factor_count(table);
    const FigureRange       range = figure_widen(find_range(panel, true), 0.03, 1.0);
    figure_scale(figure, "x", bars[table->index][1].name ? "index" : bars[table->index][0].name, "", false, range);
    text_add(script, "set yrange [%g:%g]\nset ylabel ''\nset ytics out nomirror (", -(double)count + 0.4, 0.6);
    for (size_t i = 0; i < count; ++i) {
        text_add(script, "%s", i ? ", " : "");
        gnuplot_quote(script, table->rows[i].factor);
        text_add(script, " %g", -(double)i);
    }
    text_add(script, ") noenhanced\nset yzeroaxis lt 1 lc rgb '#404040' lw 0.7\n");
    figure_key(figure, number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    for (size_t b = 0; b < BARS && bars[table->index][b].name; ++b) {
        const double above = b == 0 ? 0.36 : 0.0, below = above - 0.34, middle = above - 0.17;
        text_add(figure_layer(figure),
                 "$panel%zu using (0):($1+%g):(0):%zu:($1+%g):($1+%g) with boxxyerror fs solid lc rgb '%s' notitle",
                 number, middle, 2 + 2 * b, below, above, colour_of(b));
        if (bars[table->index][b].conf >= 0)
            text_add(figure_layer(figure),
                     "$panel%zu using %zu:($1+%g):%zu with xerrorbars lc rgb '#000000' pt 0 lw 1.2 notitle", number,
                     2 + 2 * b, middle, 3 + 2 * b);
    }
    if (number == 0 && bars[table->index][1].name)
        add_entries(drawing, BARS, "boxes fs solid");
    figure_end_panel(figure);
}

// Names of points that would cover another name are left out, those of larger effects first.
//   range  of the panel
//   named  [row_count] written
static void choose_names(const SensitivityTable *table, const Figure *figure, FigureRange x, FigureRange y, bool *named)
{
    enum { CHARACTER = 9, LINE = 17 };
    const double across = (x.high - x.low) / figure->panel.width, up = (y.high - y.low) / figure->panel.height;
    for (size_t n = 0; n < table->row_count; ++n) {
        size_t next = table->row_count;
        for (size_t i = 0; i < table->row_count; ++i) {
            bool free = !named[i] && isfinite(table->rows[i].numbers[1]);
            for (size_t k = 0; free && k < table->row_count; ++k) {
                const double *a = table->rows[i].numbers, *b = table->rows[k].numbers;
                const double  wide = CHARACTER * (double)strlen(table->rows[a[1] < b[1] ? i : k].factor) * across;
                free = !named[k] || fabs(a[1] - b[1]) > wide || fabs(a[3] - b[3]) > LINE * up;
            }
            if (free && (next == table->row_count || table->rows[i].numbers[1] > table->rows[next].numbers[1]))
                next = i;
        }
        if (next == table->row_count)
            return;
        named[next] = true;
    }
}

static void add_names(Figure *figure, const SensitivityTable *table, FigureRange x, FigureRange y)
{
    bool   named[SAMPLING_FACTORS] = {false};
    size_t left_out = 0;
    choose_names(table, figure, x, y, named);
    for (size_t i = 0; i < table->row_count; ++i) {
        const double *numbers = table->rows[i].numbers;
        left_out += !named[i];
        if (!named[i])
            continue;
        text_add(&figure->script, "set label %zu ", i + 1);
        gnuplot_quote(&figure->script, table->rows[i].factor);
        text_add(&figure->script, " at %.9g,%.9g offset 0.7,0.4 noenhanced\n", numbers[1],
                 isfinite(numbers[3]) ? numbers[3] : 0.0);
    }
    if (left_out > 0)
        text_add(&figure->script,
                 "set label %d '%zu names are left out: they would cover others' at graph 0.98,0.05 "
                 "right font ',9'\n",
                 SAMPLING_FACTORS + 1, left_out);
}

static void add_plane(Drawing *drawing, size_t number)
{
    const SensitivityTable *table = drawing->panels[number].tables;
    Figure                 *figure = &drawing->figure;
    FigureRange             x = {0.0, 0.0}, y = {0.0, 0.0};
    for (size_t i = 0; i < table->row_count; ++i) {
        const double *numbers = table->rows[i].numbers;
        figure_take_in(&x, numbers[1] + (isfinite(numbers[2]) ? numbers[2] : 0.0));
        figure_take_in(&y, numbers[3]);
    }
    x = figure_widen(x, 0.05, 1.0);
    y = figure_widen(y, 0.12, 1.0);
    figure_scale(figure, "x", "mu_star", table->output->variable->unit, false, x);
    figure_scale(figure, "y", "sigma", table->output->variable->unit, false, y);
    add_names(figure, table, x, y);
    figure_key(figure, FIGURE_NO_KEY, 10);
    text_add(figure_layer(figure), "$panel%zu using 2:4:3 with xerrorbars lc rgb '%s' pt 7 ps 0.9 notitle", number,
             colour_of(0));
    // Above this line a factor's effects differ by more than their mean.
    text_add(figure_layer(figure), "x with lines lc rgb '#999999' dt 2 notitle");
    figure_end_panel(figure);
    text_add(&figure->script, "unset label\n");
}

static void add_curves(Drawing *drawing, size_t number)
{
    const Panel      *panel = &drawing->panels[number];
    Figure           *figure = &drawing->figure;
    const size_t      count = factor_count(panel->tables);
    const FigureRange y = figure_widen(find_range(panel, false), 0.2, 1.0);
    FigureRange       x = figure_range(NULL, 0);
    for (size_t t = 0; t < panel->count; ++t)
        figure_take_in(&x, place_of(drawing, &panel->tables[t]));
    const bool samples = drawing->over && strcmp(drawing->over, "samples") == 0;
    figure_scale(figure, "x", drawing->axis ? drawing->axis : drawing->over, drawing->axis || samples ? "" : "s",
                 samples, x);
    figure_scale(figure, "y", panel->tables->index == SENSITIVITY_SOBOL ? "ST" : bars[panel->tables->index][0].name, "",
                 false, y);
    figure_key(figure, number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    for (size_t i = 0; i < count; ++i) {
        const size_t name = find_name(drawing, panel->tables->rows[i].factor), value = 2 + 2 * i, conf = value + 1;
        text_add(
            figure_layer(figure),
            "$panel%zu using 1:($%zu-$%zu):($%zu+$%zu) with filledcurves fs transparent solid 0.15 noborder lc rgb "
            "'%s' notitle",
            number, value, conf, value, conf, colour_of(name));
        text_add(figure_layer(figure), "$panel%zu using 1:%zu with lines lc rgb '%s' lw 2 dt %zu notitle", number,
                 value, colour_of(name), name / FIGURE_COLOURS % 5 + 1);
    }
    if (number == 0)
        add_entries(drawing, drawing->name_count, "lines");
    figure_end_panel(figure);
}

static void make_figure(Drawing *drawing, const char *title, const char *stem)
{
    const size_t            panels = drawing->panel_count, columns = panels < 3 ? panels : panels == 4 ? 2 : 3;
    const SensitivityTable *table = drawing->panels[0].tables;
    const bool              curves = drawing->axis || drawing->over;
    const unsigned          height =
        curves || table->index == SENSITIVITY_MORRIS ? 290 : 90 + 34 * (unsigned)factor_count(table);
    drawing->figure = (Figure){.title = title ? title : "",
                               .stem = stem,
                               .rows = (unsigned)((panels + columns - 1) / columns),
                               .columns = (unsigned)columns,
                               .panel = {columns == 1 ? 640 : 360, height},
                               .around = {80, 30, 75, 80},
                               .between = {80, 95}};
    if (curves)
        for (size_t i = 0; i < drawing->name_count; ++i)
            text_add(figure_entry(&drawing->figure), "%s", drawing->names[i]);
    else if (table->index != SENSITIVITY_MORRIS && bars[table->index][1].name)
        for (size_t b = 0; b < BARS; ++b)
            text_add(figure_entry(&drawing->figure), "%s", bars[table->index][b].name);
    for (size_t i = 0; !curves && i < factor_count(table); ++i)
        figure_word(&drawing->figure, strlen(table->rows[i].factor));
}

static void add_panel(Drawing *drawing, size_t number)
{
    add_title(&drawing->figure, &drawing->panels[number]);
    if (drawing->axis || drawing->over)
        add_curves(drawing, number);
    else if (drawing->panels[number].tables->index == SENSITIVITY_MORRIS)
        add_plane(drawing, number);
    else
        add_bars(drawing, number);
}

bool sensitivity_plot_draw(const SensitivityPicture *picture, const char *title, const char *axis, SensitivityOver over,
                           const char *stem, const Outputs *outputs, Text *said, Error *err)
{
    Drawing drawing = {.axis = over ? NULL : axis, .over = over ? sensitivity_over_names[over] : NULL};
    find_panels(&drawing, picture);
    if (drawing.panel_count == 0)
        return fail(err, ERROR_INPUT, "no metric has indices: there is nothing to draw");
    list_names(&drawing);
    make_figure(&drawing, title, stem);
    text_add(&drawing.figure.script, "set encoding utf8\n");
    for (size_t i = 0; i < drawing.panel_count; ++i)
        add_block(&drawing, i);
    figure_begin(&drawing.figure);
    for (size_t i = 0; i < drawing.panel_count; ++i)
        add_panel(&drawing, i);
    const bool ok = figure_draw(&drawing.figure, outputs, err);
    if (ok)
        text_add(said, "%s.png, %s.svg; script %s.gp\n", stem, stem, stem);
    if (ok && drawing.left_out + picture->more > 0)
        text_add(said, "  the first %d panels are drawn, not %zu more: choose with --metric or --method\n",
                 SENSITIVITY_PANELS, drawing.left_out + picture->more);
    figure_free(&drawing.figure);
    return ok;
}
