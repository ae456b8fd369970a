// spread_draw -- draws bars with a kernel, bands, curves of probabilities, and maps of coefficients.
#include "analysis/distribution/spread_plot.h"

#include <math.h>
#include <string.h>

static double place_of(const SpreadPicture *picture, const OutputSpread *spread)
{
    if (!picture->axis)
        return spread->time;
    for (size_t i = 0; i < spread->study->points.axis_count; ++i)
        if (strcmp(spread->study->points.axes[i].name, picture->axis) == 0)
            return points_axis_value(&spread->study->points, i, spread->point);
    return (double)NAN;
}

static size_t quantile_count(const SpreadPicture *picture)
{
    return picture->request->quantiles.count;
}

// How often a band lies around the middle.
static size_t band_count(const SpreadPicture *picture)
{
    return quantile_count(picture) / 2;
}

static size_t drawn(const Correlations *found)
{
    return found->output_count < SPREAD_PLOT_OUTPUTS ? found->output_count : SPREAD_PLOT_OUTPUTS;
}

// Where point `i` of the kernel's curve lies, on the axis of the numbers.
static double curve_place(const DensityEstimate *density, size_t i)
{
    const double part = (double)i / (DENSITY_POINTS - 1), on = density->low * (1.0 - part) + density->high * part;
    return density->logarithmic ? exp(on) : on;
}

static double highest(const DensityEstimate *density)
{
    double most = 0.0;
    for (size_t i = 0; i < density->bar_count; ++i)
        most = fmax(most, (double)density->bars[i] / (double)density->count);
    for (size_t i = 0; i < DENSITY_POINTS && !density->whole; ++i)
        most = fmax(most, density_share(density, curve_place(density, i)));
    return most;
}

// Vertical lines through a panel of bars, at each finite place inside its range.
static void add_marks(Text *script, const char *name, size_t number, const DensityEstimate *density,
                      const double *places, size_t count)
{
    const double low = density_end(density, 0), high = density_end(density, density->bar_count),
                 top = 1.06 * highest(density);
    text_add(script, "$%s%zu << END\n", name, number);
    for (size_t i = 0; i < count; ++i)
        if (places[i] >= low && places[i] <= high) {
            gnuplot_numbers(script, (double[]){places[i], 0.0}, 2);
            gnuplot_numbers(script, (double[]){places[i], top}, 2);
            text_add(script, "\n");
        }
    text_add(script, "NaN NaN\nEND\n");
}

static void add_bars(SpreadPicture *picture, size_t number)
{
    const SpreadRequest   *request = picture->request;
    const OutputSpread    *spread = picture->panels[number].first;
    const DensityEstimate *density = spread->density;
    Text                  *script = &picture->figure.script;
    text_add(script, "$bars%zu << END\n", number);
    for (size_t i = 0; i < density->bar_count; ++i)
        gnuplot_numbers(script,
                        (double[]){density_end(density, i), density_end(density, i + 1),
                                   (double)density->bars[i] / (double)density->count},
                        3);
    text_add(script, "END\n$kernel%zu << END\n", number);
    for (size_t i = 0; i < DENSITY_POINTS && !density->whole; ++i) {
        const double at = curve_place(density, i);
        gnuplot_numbers(script, (double[]){at, density_share(density, at)}, 2);
    }
    text_add(script, "NaN NaN\nEND\n");
    double places[SPREAD_QUANTILES];
    for (size_t i = 0; i < request->quantiles.count; ++i)
        places[i] = spread->quantiles[i].value;
    add_marks(script, "mean", number, density, &spread->mean.value, 1);
    add_marks(script, "quantiles", number, density, places, request->quantiles.count);
    add_marks(script, "above", number, density, request->above.items, request->above.count);
}

// A line for each place along x: quantiles and mean, or the probabilities with their intervals.
static void add_places(SpreadPicture *picture, size_t number)
{
    const SpreadRequest *request = picture->request;
    Text                *script = &picture->figure.script;
    double               numbers[1 + SPREAD_QUANTILES + 1 + 3 * SPREAD_ABOVE];
    text_add(script, "$panel%zu << END\n", number);
    for (size_t i = 0; i < picture->count; ++i) {
        const OutputSpread *spread = &picture->spreads[i];
        size_t              count = 0;
        if (picture->panel_of[i] != number)
            continue;
        numbers[count++] = place_of(picture, spread);
        for (size_t k = 0; picture->kind == SPREAD_BANDS && k < request->quantiles.count; ++k)
            numbers[count++] = spread->quantiles[k].value;
        if (picture->kind == SPREAD_BANDS)
            numbers[count++] = spread->mean.value;
        for (size_t k = 0; picture->kind == SPREAD_EXCEEDANCE && k < request->above.count; ++k) {
            numbers[count++] = spread->above[k].value;
            numbers[count++] = spread->above[k].low;
            numbers[count++] = spread->above[k].high;
        }
        gnuplot_numbers(script, numbers, count);
    }
    text_add(script, "END\n");
}

// Squares with a coefficient, or those without: an output is constant there.
static void add_squares(SpreadPicture *picture, size_t number, bool empty)
{
    const Correlations *found = picture->panels[number].found;
    Text               *script = &picture->figure.script;
    text_add(script, "$%s%zu << END\n", empty ? "none" : "panel", number);
    for (size_t i = 0; i < drawn(found); ++i)
        for (size_t k = i + 1; k < drawn(found); ++k) {
            const Correlation *pair = &found->pairs[correlation_pair(found, i, k)];
            if (isnan(pair->pearson.value) != empty)
                continue;
            gnuplot_numbers(script, (double[]){(double)i, -(double)k, empty ? 0.0 : pair->pearson.value}, 3);
            gnuplot_numbers(script, (double[]){(double)k, -(double)i, empty ? 0.0 : pair->spearman.value}, 3);
        }
    text_add(script, "NaN NaN NaN\nEND\n");
}

static const char *colour_of(size_t i)
{
    return figure_colours[i % FIGURE_COLOURS];
}

static void key_entry(Figure *figure, const char *look, size_t entry)
{
    text_add(figure_layer(figure), "keyentry with %s ", look);
    figure_layer_title(figure, entry);
}

#define MEAN_LOOK "lc rgb '#000000' lw 1.5 dt 2"
#define QUANTILE_LOOK "lc rgb '#d55e00' lw 1.5"
#define ABOVE_LOOK "lc rgb '#009e73' lw 1.5 dt 4"

static void draw_histogram(SpreadPicture *picture, size_t number)
{
    const SpreadRequest   *request = picture->request;
    const OutputSpread    *spread = picture->panels[number].first;
    const DensityEstimate *density = spread->density;
    Figure                *figure = &picture->figure;
    const FigureRange      x = {density_end(density, 0), density_end(density, density->bar_count)};
    figure_scale(figure, "x", spread->output->name, spread->output->unit, density->logarithmic, x);
    figure_scale(figure, "y", "share of the points", "", false, (FigureRange){0.0, 1.06 * highest(density)});
    figure_key(figure, number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    text_add(figure_layer(figure),
             "$bars%zu using (0.5*($1+$2)):(0.5*$3):1:2:(0):3 with boxxyerror fc rgb '#c6dbef' fs solid border rgb "
             "'#8fb4d8' notitle",
             number);
    text_add(figure_layer(figure), "$kernel%zu using 1:2 with lines lc rgb '%s' lw 2 notitle", number,
             figure_colours[0]);
    text_add(figure_layer(figure), "$mean%zu using 1:2 with lines " MEAN_LOOK " notitle", number);
    text_add(figure_layer(figure), "$quantiles%zu using 1:2 with lines " QUANTILE_LOOK " notitle", number);
    text_add(figure_layer(figure), "$above%zu using 1:2 with lines " ABOVE_LOOK " notitle", number);
    if (number == 0) {
        key_entry(figure, "lines lc rgb '#0072b2' lw 2", 0);
        key_entry(figure, "lines " MEAN_LOOK, 1);
        key_entry(figure, "lines " QUANTILE_LOOK, 2);
        if (request->above.count > 0)
            key_entry(figure, "lines " ABOVE_LOOK, 3);
    }
    figure_end_panel(figure);
}

static FigureRange range_of(const SpreadPicture *picture, size_t number, bool along)
{
    FigureRange range = figure_range(NULL, 0);
    for (size_t i = 0; i < picture->count; ++i) {
        const OutputSpread *spread = &picture->spreads[i];
        if (picture->panel_of[i] != number)
            continue;
        if (along)
            figure_take_in(&range, place_of(picture, spread));
        for (size_t k = 0; !along && k < quantile_count(picture); ++k)
            figure_take_in(&range, spread->quantiles[k].value);
        if (!along)
            figure_take_in(&range, spread->mean.value);
    }
    return range.low <= range.high ? range : (FigureRange){0.0, 1.0};
}

static void add_x(SpreadPicture *picture, size_t number)
{
    const FigureRange range = range_of(picture, number, true);
    figure_scale(&picture->figure, "x", picture->axis ? picture->axis : "time", picture->axis ? picture->unit : "s",
                 picture->logarithmic, range.low < range.high ? range : figure_widen(range, 0.0, 0.5));
}

static void draw_bands(SpreadPicture *picture, size_t number)
{
    const StudyOutput *output = picture->panels[number].first->output;
    const size_t       count = quantile_count(picture), mean = 2 + count;
    Figure            *figure = &picture->figure;
    const FigureRange  y = range_of(picture, number, false);
    const bool         logarithmic = y.low > 0.0 && y.high > 1000.0 * y.low;
    add_x(picture, number);
    figure_scale(figure, "y", output->name, output->unit, logarithmic,
                 logarithmic ? (FigureRange){y.low / 1.1, y.high * 1.1}
                             : figure_widen(y, 0.05, fmax(fabs(y.low), 1.0)));
    figure_key(figure, number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    for (size_t i = 0; i < band_count(picture); ++i)
        text_add(figure_layer(figure),
                 "$panel%zu using 1:%zu:%zu with filledcurves fs transparent solid 0.25 noborder lc rgb '%s' notitle",
                 number, 2 + i, 1 + count - i, figure_colours[0]);
    if (count % 2 == 1)
        text_add(figure_layer(figure), "$panel%zu using 1:%zu with lines " QUANTILE_LOOK " notitle", number,
                 2 + count / 2);
    text_add(figure_layer(figure), "$panel%zu using 1:%zu with lines " MEAN_LOOK " notitle", number, mean);
    for (size_t i = 0; number == 0 && i < band_count(picture); ++i)
        key_entry(figure, "boxes fs transparent solid 0.25 noborder lc rgb '#0072b2'", i);
    if (number == 0 && count % 2 == 1)
        key_entry(figure, "lines " QUANTILE_LOOK, band_count(picture));
    if (number == 0)
        key_entry(figure, "lines " MEAN_LOOK, band_count(picture) + count % 2);
    figure_end_panel(figure);
}

static void draw_exceedance(SpreadPicture *picture, size_t number)
{
    Figure *figure = &picture->figure;
    Text    label = {0};
    add_x(picture, number);
    text_add(&label, "P(%s > V)", picture->panels[number].first->output->name);
    figure_scale(figure, "y", label.text, "", false, (FigureRange){-0.02, 1.02});
    text_free(&label);
    figure_key(figure, number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    for (size_t i = 0; i < picture->request->above.count; ++i) {
        text_add(figure_layer(figure),
                 "$panel%zu using 1:%zu:%zu with filledcurves fs transparent solid 0.25 noborder lc rgb '%s' notitle",
                 number, 3 + 3 * i, 4 + 3 * i, colour_of(i));
        text_add(figure_layer(figure), "$panel%zu using 1:%zu with %s lc rgb '%s' lw 2 pt 7 ps 0.6 notitle", number,
                 2 + 3 * i, picture->axis ? "linespoints" : "lines", colour_of(i));
    }
    for (size_t i = 0; number == 0 && i < picture->request->above.count; ++i) {
        text_add(figure_layer(figure), "keyentry with lines lw 2 lc rgb '%s' ", colour_of(i));
        figure_layer_title(figure, i);
    }
    figure_end_panel(figure);
}

// An axis, x or downwards y, with an output at each whole number.
static void add_outputs(Text *script, const Correlations *found, char axis)
{
    text_add(script, "set %clabel ''\nset %ctics out nomirror %s(", axis, axis, axis == 'x' ? "rotate by -40 " : "");
    for (size_t i = 0; i < drawn(found); ++i) {
        text_add(script, "%s", i ? ", " : "");
        gnuplot_quote(script, found->outputs[i]->name);
        text_add(script, " %g", axis == 'x' ? (double)i : -(double)i);
    }
    text_add(script, ") noenhanced\n");
}

static void draw_correlation(SpreadPicture *picture, size_t number)
{
    enum { MOST_NUMBERS = 12 };  // outputs whose squares have room for a number
    const Correlations *found = picture->panels[number].found;
    const size_t        count = drawn(found);
    Figure             *figure = &picture->figure;
    Text               *script = &figure->script;
    text_add(script, "set palette defined (0 '#d55e00', 0.5 '#ffffff', 1 '#0072b2')\nset cbrange [-1:1]\n"
                     "unset colorbox\n");
    if (number == 0) {
        figure_box(figure);
        text_add(script, "set cblabel 'correlation'\n");
    }
    add_outputs(script, found, 'x');
    add_outputs(script, found, 'y');
    text_add(script, "set xrange [-0.5:%g]\nset yrange [%g:0.5]\n", (double)count - 0.5, 0.5 - (double)count);
    figure_key(figure, FIGURE_NO_KEY, 10);
    text_add(figure_layer(figure),
             "$panel%zu using 1:2:($1-0.48):($1+0.48):($2-0.48):($2+0.48):3 with boxxyerror fc palette z fs solid "
             "notitle",
             number);
    text_add(figure_layer(figure),
             "$none%zu using 1:2:($1-0.48):($1+0.48):($2-0.48):($2+0.48) with boxxyerror fc rgb '#bdbdbd' fs solid "
             "border rgb '#bdbdbd' notitle",
             number);
    for (int dark = 0; dark < 2 && count <= MOST_NUMBERS; ++dark)
        text_add(figure_layer(figure),
                 "$panel%zu using 1:2:(%s(abs($3)<0.7)?gprintf('%%.2f',abs($3)<0.005?0:$3):'') with labels font ',9' "
                 "tc rgb '%s' notitle",
                 number, dark ? "!" : "", dark ? "#ffffff" : "#000000");
    figure_end_panel(figure);
}

static void add_entries(SpreadPicture *picture)
{
    const SpreadRequest *request = picture->request;
    Figure              *figure = &picture->figure;
    const double        *quantiles = request->quantiles.items;
    const size_t         count = request->quantiles.count;
    if (picture->kind == SPREAD_HISTOGRAM) {
        text_add(figure_entry(figure), "kernel density");
        text_add(figure_entry(figure), "mean");
        Text *entry = figure_entry(figure);
        for (size_t i = 0; i < count; ++i)
            text_add(entry, "%s%.4g", i ? ", " : "quantiles ", quantiles[i]);
        if (request->above.count > 0)
            text_add(figure_entry(figure), "V of P(> V)");
    } else if (picture->kind == SPREAD_BANDS) {
        for (size_t i = 0; i < band_count(picture); ++i)
            text_add(figure_entry(figure), "quantiles %.4g to %.4g", quantiles[i], quantiles[count - 1 - i]);
        if (count % 2 == 1)
            text_add(figure_entry(figure), "quantile %.4g", quantiles[count / 2]);
        text_add(figure_entry(figure), "mean");
    } else if (picture->kind == SPREAD_EXCEEDANCE) {
        for (size_t i = 0; i < request->above.count; ++i)
            text_add(figure_entry(figure), "V = %.6g", request->above.items[i]);
        figure->legend = true;
    }
}

static void make_figure(SpreadPicture *picture, const char *title, const char *stem)
{
    const size_t panels = picture->panel_count, columns = panels < 3 ? panels : panels == 4 ? 2 : 3;
    Figure      *figure = &picture->figure;
    const bool   map = picture->kind == SPREAD_CORRELATION;
    *figure = (Figure){.title = title ? title : "",
                       .stem = stem,
                       .fits = true,
                       .rows = (unsigned)((panels + columns - 1) / columns),
                       .columns = (unsigned)columns,
                       .panel = {columns == 1 ? 640 : 360, columns == 1 ? 400 : 280},
                       .around = {105, map ? 120 : 30, 90, 80},
                       .between = {115, 125}};
    if (map) {
        size_t most = 0;
        for (size_t i = 0; i < panels; ++i) {
            const Correlations *found = picture->panels[i].found;
            most = drawn(found) > most ? drawn(found) : most;
            for (size_t k = 0; k < drawn(found); ++k)
                figure_word(figure, strlen(found->outputs[k]->name));
        }
        const unsigned side = 34 * (unsigned)most;
        figure->panel = (FigureSize){side < 280 ? 280 : side, side < 280 ? 280 : side};
        figure->around.below = 90 + 3 * (unsigned)figure->longest;
        figure->between.height += 3 * (unsigned)figure->longest;
        text_add(&figure->notes, "Pearson below the diagonal, Spearman above it\n");
    }
    add_entries(picture);
}

static void add_data(SpreadPicture *picture, size_t number)
{
    switch (picture->kind) {
    case SPREAD_HISTOGRAM: add_bars(picture, number); return;
    case SPREAD_CORRELATION:
        add_squares(picture, number, false);
        add_squares(picture, number, true);
        return;
    case SPREAD_BANDS:
    case SPREAD_EXCEEDANCE: add_places(picture, number); return;
    }
}

static void draw_panel(SpreadPicture *picture, size_t number)
{
    SpreadPanel *panel = &picture->panels[number];
    if (picture->kind == SPREAD_HISTOGRAM && panel->first->density->outside > 0)
        text_add(&panel->more, "%s%llu points lie outside", panel->more.length ? ", " : "",
                 (unsigned long long)panel->first->density->outside);
    figure_title(&picture->figure, panel->title.text, &panel->more);
    switch (picture->kind) {
    case SPREAD_HISTOGRAM: draw_histogram(picture, number); return;
    case SPREAD_BANDS: draw_bands(picture, number); return;
    case SPREAD_EXCEEDANCE: draw_exceedance(picture, number); return;
    case SPREAD_CORRELATION: draw_correlation(picture, number); return;
    }
}

static void say(const SpreadPicture *picture, const char *stem, Text *said)
{
    text_add(said, "%s.png, %s.svg; script %s.gp\n", stem, stem, stem);
    if (picture->left_out > 0)
        text_add(said, "  the first %d panels are drawn, not %zu more: choose with --metric or --method\n",
                 SPREAD_PLOT_PANELS, picture->left_out);
    if (picture->more > 0)
        text_add(said, "  the picture has no room for %zu more: choose with --metric or --method\n", picture->more);
    if (picture->constant > 0)
        text_add(said, "  not drawn, since constant or without a number: %zu\n", picture->constant);
    for (size_t i = 0; i < picture->panel_count && picture->kind == SPREAD_CORRELATION; ++i)
        if (picture->panels[i].found->output_count > SPREAD_PLOT_OUTPUTS) {
            text_add(said, "  the first %d outputs are drawn: choose with --metric\n", SPREAD_PLOT_OUTPUTS);
            return;
        }
}

bool spread_plot_draw(SpreadPicture *picture, const char *title, const char *stem, const Outputs *outputs, Text *said,
                      Error *err)
{
    if (picture->panel_count == 0)
        return fail(err, ERROR_INPUT, "every output is constant, or has no number: there is nothing to draw");
    make_figure(picture, title, stem);
    text_add(&picture->figure.script, "set encoding utf8\n");
    for (size_t i = 0; i < picture->panel_count; ++i)
        add_data(picture, i);
    figure_begin(&picture->figure);
    for (size_t i = 0; i < picture->panel_count; ++i)
        draw_panel(picture, i);
    const bool ok = figure_draw(&picture->figure, outputs, err);
    if (ok)
        say(picture, stem, said);
    return ok;
}
