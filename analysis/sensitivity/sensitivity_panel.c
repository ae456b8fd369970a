// sensitivity_panel -- draws bars with intervals, Morris' plane, curves, and a map of pairs.
#include "analysis/sensitivity/sensitivity_panel.h"

#include <math.h>
#include <string.h>

const Bar sensitivity_panel_bars[SENSITIVITY_COUNT][SENSITIVITY_BARS] = {{{"S1", 0, 1}, {"ST", 2, 3}},
                                                                         {{"mu_star", 1, 2}, {"sigma", 3, -1}},
                                                                         {{"derivative", 0, 1}, {"elasticity", 2, -1}},
                                                                         {{"swing", 2, -1}, {NULL, -1, -1}},
                                                                         {{"S1", 0, 1}, {"PAWN", 2, -1}},
                                                                         {{"S1", 0, 1}, {"ST", 2, 3}},
                                                                         {{"delta", 0, 1}, {NULL, -1, -1}},
                                                                         {{"Shapley", 0, 1}, {NULL, -1, -1}},
                                                                         {{"bound of ST", 2, 3}, {NULL, -1, -1}}};

size_t sensitivity_panel_name(const Drawing *drawing, const char *name)
{
    size_t at = 0;
    while (at < drawing->name_count && strcmp(drawing->names[at], name) != 0)
        ++at;
    return at;
}

void sensitivity_panel_row(const SensitivityTable *table, Text *text)
{
    const Points *points = &table->study->points;
    for (size_t i = 0; table->study->random && i < points->axis_count; ++i)
        if (points->axes[i].dim + 1 < points->dim_count && points->axes[i].values)
            text_add(text, "%s%s = %.4g", text->length ? ", " : "", points->axes[i].name,
                     points_axis_value(points, i, table->row * table->study->row_points));
}

static double place_of(const Drawing *drawing, const SensitivityTable *table)
{
    return drawing->axis ? study_axis_value(table->study, drawing->axis, table->row) : table->place;
}

// Data of a panel: bars in the order of the factors from above, or a line for each place of the curves.
static void add_shares(Drawing *drawing, size_t number)
{
    const Panel *panel = &drawing->panels[number];
    Text        *script = &drawing->figure.script;
    const bool   curves = drawing->axis || drawing->over;
    const Bar   *bar = sensitivity_panel_bars[panel->tables->index];
    text_add(script, "$panel%zu << END\n", number);
    for (size_t t = 0; curves && t < panel->count; ++t) {
        const SensitivityTable *table = &panel->tables[t];
        gnuplot_number(script, place_of(drawing, table));
        for (size_t i = 0; i < sensitivity_factors(table); ++i) {
            const Bar    *shown = &bar[table->index == SENSITIVITY_SOBOL ? 1 : 0];
            const double *numbers = table->rows[i].numbers;
            text_add(script, " ");
            gnuplot_number(script, table->trouble ? (double)NAN : numbers[shown->value]);
            text_add(script, " ");
            gnuplot_number(script, table->trouble || shown->conf < 0 ? (double)NAN : numbers[shown->conf]);
        }
        text_add(script, "\n");
    }
    for (size_t i = 0; !curves && i < sensitivity_factors(panel->tables); ++i) {
        const double *numbers = panel->tables->rows[i].numbers;
        double        shown[2 + 2 * SENSITIVITY_BARS] = {-(double)i};
        for (size_t b = 0; b < SENSITIVITY_BARS; ++b) {
            shown[1 + 2 * b] = bar[b].value >= 0 ? numbers[bar[b].value] : (double)NAN;
            shown[2 + 2 * b] = bar[b].conf >= 0 ? numbers[bar[b].conf] : 0.0;
        }
        shown[1 + 2 * SENSITIVITY_BARS] = panel->tables->index == SENSITIVITY_GIVEN ? numbers[3] : (double)NAN;
        gnuplot_numbers(script, shown, 2 + 2 * SENSITIVITY_BARS);
    }
    text_add(script, "END\n");
}

static FigureRange find_range(const Panel *panel, bool conf)
{
    FigureRange range = {0.0, 0.0};
    // The level of PAWN's dummy is drawn with the bars.
    for (size_t i = 0; conf && panel->tables->index == SENSITIVITY_GIVEN && i < panel->tables->row_count; ++i)
        figure_take_in(&range, panel->tables->rows[i].numbers[3]);
    for (size_t t = 0; t < panel->count; ++t)
        for (size_t i = 0; !panel->tables[t].trouble && i < sensitivity_factors(&panel->tables[t]); ++i)
            for (size_t b = 0; b < SENSITIVITY_BARS; ++b) {
                const Bar    *bar = &sensitivity_panel_bars[panel->tables->index][b];
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

// A reader who points at a bar sees whose it is.
static void add_spot(Figure *figure, const SensitivityRow *row, const Bar *bar, double y)
{
    Text label = {0};
    text_add(&label, "%s: %s", row->factor, bar->name);
    if (bar->conf >= 0 && isfinite(row->numbers[bar->conf]))
        text_add(&label, " \u00b1 %.3g", row->numbers[bar->conf]);
    figure_spot_labelled(figure, row->numbers[bar->value], y, figure_spot_label(figure, label.text));
    text_free(&label);
}

// An axis, x or downwards y, with a factor at each whole number.
static void add_factors(Text *script, const SensitivityTable *table, char axis)
{
    text_add(script, "set %clabel ''\nset %ctics out nomirror (", axis, axis);
    for (size_t i = 0; i < sensitivity_factors(table); ++i) {
        text_add(script, "%s", i ? ", " : "");
        gnuplot_quote(script, table->rows[i].factor);
        text_add(script, " %g", axis == 'x' ? (double)i : -(double)i);
    }
    text_add(script, ") noenhanced\n");
}

static void add_bars(Drawing *drawing, size_t number)
{
    const Panel            *panel = &drawing->panels[number];
    const SensitivityTable *table = panel->tables;
    Figure                 *figure = &drawing->figure;
    Text                   *script = &figure->script;
    const size_t            count = sensitivity_factors(table);
    const FigureRange       range = figure_widen(find_range(panel, true), 0.03, 1.0);
    figure_scale(figure, "x",
                 sensitivity_panel_bars[table->index][1].name ? "index" : sensitivity_panel_bars[table->index][0].name,
                 "", false, range);
    figure_span(figure, "y", "", "", false, (FigureRange){-(double)count + 0.4, 0.6});
    text_add(script, "set yrange [%g:%g]\n", -(double)count + 0.4, 0.6);
    add_factors(script, table, 'y');
    text_add(script, "set yzeroaxis lt 1 lc rgb '#404040' lw 0.7\n");
    figure_key(figure, number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    for (size_t b = 0; b < SENSITIVITY_BARS && sensitivity_panel_bars[table->index][b].name; ++b) {
        const double above = b == 0 ? 0.36 : 0.0, below = above - 0.34, middle = above - 0.17;
        text_add(figure_layer(figure),
                 "$panel%zu using (0):($1+%g):(0):%zu:($1+%g):($1+%g) with boxxyerror fs solid lc rgb '%s' notitle",
                 number, middle, 2 + 2 * b, below, above, colour_of(b));
        for (size_t i = 0; i < count; ++i)
            add_spot(figure, &table->rows[i], &sensitivity_panel_bars[table->index][b], middle - (double)i);
        if (sensitivity_panel_bars[table->index][b].conf >= 0)
            text_add(figure_layer(figure),
                     "$panel%zu using %zu:($1+%g):%zu with xerrorbars lc rgb '#000000' pt 0 lw 1.2 notitle", number,
                     2 + 2 * b, middle, 3 + 2 * b);
    }
    // The level that a factor without influence seldom exceeds.
    if (table->index == SENSITIVITY_GIVEN)
        text_add(figure_layer(figure),
                 "$panel%zu using 6:($1-0.34):(0):(0.34) with vectors nohead lw 2.5 lc rgb '#000000' notitle", number);
    if (number == 0 && sensitivity_panel_bars[table->index][1].name)
        add_entries(drawing, SENSITIVITY_BARS, "boxes fs solid");
    if (number == 0 && table->index == SENSITIVITY_GIVEN) {
        text_add(figure_layer(figure), "keyentry with lines lw 2.5 lc rgb '#000000' ");
        figure_layer_title(figure, SENSITIVITY_BARS);
    }
    figure_end_panel(figure);
}

// Names of points that would cover another name are left out. Names of larger effects come first.
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
    figure_scale(figure, "x", "mu_star", table->output->unit, false, x);
    figure_scale(figure, "y", "sigma", table->output->unit, false, y);
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
    const size_t      count = sensitivity_factors(panel->tables);
    const FigureRange y = figure_widen(find_range(panel, false), 0.2, 1.0);
    FigureRange       x = figure_range(NULL, 0);
    for (size_t t = 0; t < panel->count; ++t)
        figure_take_in(&x, place_of(drawing, &panel->tables[t]));
    const bool samples = drawing->over && strcmp(drawing->over, "samples") == 0;
    figure_scale(figure, "x", drawing->axis ? drawing->axis : drawing->over, drawing->axis || samples ? "" : "s",
                 samples, x);
    figure_scale(figure, "y",
                 panel->tables->index == SENSITIVITY_SOBOL ? "ST"
                                                           : sensitivity_panel_bars[panel->tables->index][0].name,
                 "", false, y);
    figure_key(figure, number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    for (size_t i = 0; i < count; ++i) {
        const size_t name = sensitivity_panel_name(drawing, panel->tables->rows[i].factor), value = 2 + 2 * i,
                     conf = value + 1;
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

// A square for each pair, the darker the larger; its number beside it.
static void add_pairs(Drawing *drawing, size_t number)
{
    enum { MOST_NUMBERS = 10 };  // factors whose squares have room for a number
    const SensitivityTable *table = drawing->panels[number].tables;
    Figure                 *figure = &drawing->figure;
    Text                   *script = &figure->script;
    const size_t            count = sensitivity_factors(table);
    double                  most = 0.05;
    for (size_t i = count; i < table->row_count; ++i)
        most = fmax(most, table->rows[i].numbers[4]);
    text_add(script,
             "set palette defined (0 '#f7fbff', 1 '#08306b')\nunset colorbox\nunset yzeroaxis\nset cbrange [0:%.9g]\n",
             most);
    add_factors(script, table, 'x');
    add_factors(script, table, 'y');
    text_add(script, "set xrange [-0.5:%g]\nset yrange [%g:0.5]\n", (double)count - 0.5, 0.5 - (double)count);
    figure_key(figure, FIGURE_NO_KEY, 10);
    text_add(
        figure_layer(figure),
        "$panel%zu using 1:2:($1-0.48):($1+0.48):($2-0.48):($2+0.48):($3<0?0:$3) with boxxyerror fc palette z fs solid "
        "notitle",
        number);
    for (int dark = 0; dark < 2 && count <= MOST_NUMBERS; ++dark)
        text_add(figure_layer(figure),
                 "$panel%zu using 1:2:(%s($3<%.9g)?gprintf('%%.2f',$3):'') with labels tc rgb '%s' notitle", number,
                 dark ? "!" : "", 0.5 * most, dark ? "#ffffff" : "#000000");
    figure_end_panel(figure);
}

static void add_pair_data(Drawing *drawing, size_t number)
{
    const SensitivityTable *table = drawing->panels[number].tables;
    const size_t            count = sensitivity_factors(table);
    size_t                  next = count;
    text_add(&drawing->figure.script, "$panel%zu << END\n", number);
    for (size_t i = 0; i < count; ++i)
        for (size_t k = i + 1; k < count; ++k, ++next)
            gnuplot_numbers(&drawing->figure.script, (double[]){(double)k, -(double)i, table->rows[next].numbers[4]},
                            3);
    text_add(&drawing->figure.script, "END\n");
}

void sensitivity_panel_data(Drawing *drawing, size_t number)
{
    if (drawing->map[0])
        sensitivity_panel_map_data(drawing, number);
    else if (drawing->panels[number].pairs)
        add_pair_data(drawing, number);
    else
        add_shares(drawing, number);
}

void sensitivity_panel_draw(Drawing *drawing, size_t number)
{
    if (drawing->map[0])
        sensitivity_panel_map_draw(drawing, number);
    else if (drawing->axis || drawing->over)
        add_curves(drawing, number);
    else if (drawing->panels[number].pairs)
        add_pairs(drawing, number);
    else if (drawing->panels[number].tables->index == SENSITIVITY_MORRIS)
        add_plane(drawing, number);
    else
        add_bars(drawing, number);
}
