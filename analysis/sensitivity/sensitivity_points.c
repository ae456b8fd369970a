// sensitivity_points -- draws panels of points.
#include "analysis/sensitivity/sensitivity_points.h"

#include "base/philox.h"

#include <math.h>
#include <string.h>

enum { MOST_DRAWN = 2000, FEW = 200, LINE = 22 };

PointPanel *sensitivity_points_panel(PointPicture *picture, const SensitivityTable *table)
{
    if (picture->panel_count == SENSITIVITY_PANELS) {
        ++picture->left_out;
        return NULL;
    }
    PointPanel *panel = &picture->panels[picture->panel_count++];
    text_add(&panel->title, "%s: %s", table->study->label, table->output->name);
    return panel;
}

bool sensitivity_points_keep(PointPicture *picture, PointPanel *panel, const double *x, const double *y, size_t count,
                             Error *err)
{
    enum { SEED = 1 };
    const double *const numbers[2] = {x, y};
    panel->ranges[0] = panel->ranges[1] = figure_range(NULL, 0);
    for (size_t i = 0; i < count; ++i)
        panel->whole += isfinite(x[i]) && isfinite(y[i]);
    const size_t most = panel->whole < MOST_DRAWN ? panel->whole : MOST_DRAWN;
    for (size_t k = 0; k < 2; ++k)
        if (!(panel->numbers[k] = arena_take(&picture->arena, most, sizeof **panel->numbers, err)))
            return false;
    size_t seen = 0, next = 0;  // `next`: which of the finite points is the next one that is kept
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            continue;
        const size_t part = panel->count, first = part * panel->whole / most, end = (part + 1) * panel->whole / most;
        if (seen == first)
            next = first + philox_below((uint32_t)philox_bits(SEED, part, 0), end - first);
        for (size_t k = 0; k < 2; ++k) {
            figure_take_in(&panel->ranges[k], numbers[k][i]);
            if (seen == next)
                panel->numbers[k][part] = numbers[k][i];
        }
        panel->count += seen++ == next;
    }
    return true;
}

// A picture of a grid of designs shows the first of them, and says so below its title.
static void add_note(Text *notes, const Study *study)
{
    const SensitivityTable first = {.study = study};
    Text                   row = {0};
    sensitivity_panel_row(&first, &row);
    if (row.length && !(notes->text && strstr(notes->text, row.text)))
        text_add(notes, "of the design at %s\n", row.text);
    text_free(&row);
}

bool sensitivity_points_add(PointPicture *picture, const SensitivityRequest *request, Study *studies, size_t count,
                            PointsAdd *add, void *user, Error *err)
{
    const size_t names = request->metric_count > 0 ? request->metric_count : 1;
    for (size_t s = 0; s < count; ++s) {
        const size_t before = picture->panel_count;
        for (size_t m = 0; m < names; ++m) {
            StudyOutput *outputs = NULL;
            size_t       output_count = 0;
            if (!study_outputs(&studies[s], request->metric_count > 0 ? request->metrics[m] : NULL, false, &outputs,
                               &output_count, err))
                return false;
            for (size_t k = 0; k < output_count; ++k) {
                SensitivityTable table = {
                    .index = SENSITIVITY_CHAOS, .study = &studies[s], .output = &outputs[k], .quality = (double)NAN};
                if (!add(picture, request, &table, user, err))
                    return false;
            }
        }
        if (picture->panel_count > before)
            add_note(&picture->figure.notes, &studies[s]);
    }
    return true;
}

static void add_data(PointPicture *picture, size_t number)
{
    const PointPanel *panel = &picture->panels[number];
    Text             *script = &picture->figure.script;
    text_add(script, "$points%zu << END\n", number);
    for (size_t i = 0; i < panel->count; ++i)
        gnuplot_numbers(script, (double[]){panel->numbers[0][i], panel->numbers[1][i]}, 2);
    text_add(script, "END\n");
    if (panel->mean_count == 0)
        return;
    text_add(script, "$means%zu << END\n", number);
    for (size_t i = 0; i < panel->mean_count; ++i) {
        const GivenSlice *slice = &panel->means[i];
        const double x = panel->logarithmic[0] ? sqrt(slice->least * slice->most) : 0.5 * (slice->least + slice->most),
                     half = panel->band && isfinite(slice->error) ? 1.96 * slice->error : 0.0;
        gnuplot_numbers(script, (double[]){x, slice->mean, slice->mean - half, slice->mean + half}, 4);
    }
    text_add(script, "END\n");
}

static void add_means(Figure *figure, const PointPanel *panel, size_t number, double least)
{
    // A band that reaches below a logarithmic scale ends there.
    if (panel->band && panel->logarithmic[1])
        text_add(figure_layer(figure), "$means%zu using 1:($3<%.9g?%.9g:$3):4 ", number, least, least);
    else if (panel->band)
        text_add(figure_layer(figure), "$means%zu using 1:3:4 ", number);
    if (panel->band)
        text_add(&figure->script, "with filledcurves fs transparent solid 0.3 noborder lc rgb '%s' notitle",
                 figure_colours[1]);
    text_add(figure_layer(figure), "$means%zu using 1:2 with lines lw 2 lc rgb '%s' notitle", number,
             figure_colours[1]);
}

// With some room, so that no point lies on the frame.
static FigureRange widen(FigureRange range, bool logarithmic)
{
    const double part = 0.04, room = logarithmic ? pow(range.high / range.low, part) : 1.0;
    if (room > 1.0)
        return (FigureRange){range.low / room, range.high * room};
    return figure_widen(range, part, range.low != 0.0 ? 0.5 * fabs(range.low) : 1.0);
}

static void draw_panel(PointPicture *picture, size_t number)
{
    PointPanel *panel = &picture->panels[number];
    Figure     *figure = &picture->figure;
    FigureRange ranges[2];
    figure_title(figure, panel->title.text, &panel->more);
    for (size_t k = 0; k < 2; ++k)
        ranges[k] = widen(panel->ranges[k], panel->logarithmic[k]);
    if (picture->equality)
        ranges[0] = ranges[1] = (FigureRange){fmin(ranges[0].low, ranges[1].low), fmax(ranges[0].high, ranges[1].high)};
    for (size_t k = 0; k < 2; ++k)
        figure_scale(figure, k ? "y" : "x", panel->names[k], panel->units[k], panel->logarithmic[k], ranges[k]);
    figure_key(figure, number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    text_add(figure_layer(figure), "$points%zu using 1:2 with points pt 7 ps %g lc rgb '%s' notitle", number,
             panel->count <= FEW ? 0.5 : 0.25, figure_colours[5]);
    if (picture->equality)
        text_add(figure_layer(figure), "x with lines lc rgb '%s' notitle", figure_colours[1]);
    else if (panel->mean_count > 0)
        add_means(figure, panel, number, ranges[1].low);
    for (size_t i = 0; number == 0 && i < figure->entry_count; ++i) {
        text_add(figure_layer(figure), "keyentry with %s lc rgb '%s' ", i ? "lines lw 2" : "points pt 7 ps 0.6",
                 figure_colours[i ? 1 : 5]);
        figure_layer_title(figure, i);
    }
    figure_end_panel(figure);
}

static void add_entries(PointPicture *picture)
{
    bool means = false, band = false;
    for (size_t i = 0; i < picture->panel_count; ++i) {
        means = means || picture->panels[i].mean_count > 0;
        band = band || picture->panels[i].band;
    }
    text_add(figure_entry(&picture->figure), "points");
    if (picture->equality)
        text_add(figure_entry(&picture->figure), "predicted = computed");
    else if (means)
        text_add(figure_entry(&picture->figure), "conditional mean%s", band ? ", 95 %" : "");
}

bool sensitivity_points_draw(PointPicture *picture, const char *title, const char *stem, const Outputs *outputs,
                             FigureSvg *svg, Text *said, Error *err)
{
    const size_t panels = picture->panel_count, columns = panels < 3 ? panels : panels == 4 ? 2 : 3;
    Figure      *figure = &picture->figure;
    if (panels == 0)
        return fail(err, ERROR_INPUT, "no output varies over enough points: there is nothing to draw");
    figure->svg = svg;
    figure->title = title ? title : "";
    figure->stem = stem;
    figure->fits = true;
    figure->rows = (unsigned)((panels + columns - 1) / columns);
    figure->columns = (unsigned)columns;
    figure->panel = (FigureSize){columns == 1 ? 640 : 360, columns == 1 ? 400 : 280};
    figure->between = (FigureSize){115, 125};
    figure->around.left = 105;
    figure->around.right = 30;
    figure->around.above = 90;
    figure->around.below = 80;
    add_entries(picture);
    if (figure->entry_count == 1)
        figure->around.below += LINE;
    text_add(&figure->script, "set encoding utf8\n");
    for (size_t i = 0; i < panels; ++i)
        add_data(picture, i);
    figure_begin(figure);
    for (size_t i = 0; i < panels; ++i)
        draw_panel(picture, i);
    const bool ok = figure_draw(figure, outputs, err);
    if (ok && !svg)
        text_add(said, "%s.png, %s.svg; script %s.gp\n", stem, stem, stem);
    if (ok && picture->left_out > 0)
        text_add(said, "  the first %d panels are drawn, not %zu more: choose with --metric or --method\n",
                 SENSITIVITY_PANELS, picture->left_out);
    return ok;
}

void sensitivity_points_free(PointPicture *picture)
{
    for (size_t i = 0; i < picture->panel_count; ++i) {
        text_free(&picture->panels[i].title);
        text_free(&picture->panels[i].more);
    }
    figure_free(&picture->figure);
    arena_free(&picture->arena);
}
