// sensitivity_points -- pictures of points: an output over each factor with its conditional mean, and an expansion's
// values over the computed ones.
#include "analysis/sensitivity/given.h"
#include "analysis/sensitivity/sample.h"
#include "analysis/sensitivity/sensitivity_panel.h"
#include "base/philox.h"

#include <math.h>
#include <string.h>

enum { MOST_DRAWN = 2000, FEW = 200, LINE = 22 };

// A panel has points, and over them a curve of means or the line of equality.
typedef struct PointPanel {
    Text        title, more;
    const char *names[2], *units[2];  // along x and y; borrowed
    bool        logarithmic[2];
    FigureRange ranges[2];     // of all points
    double     *numbers[2];    // [count] of the points that are drawn
    size_t      count, whole;  // whole: all points that have both numbers
    GivenSlice *means;         // [mean_count]
    size_t      mean_count;
    bool        band;  // means have intervals
} PointPanel;

// Zero-initialise it; release with free_picture().
typedef struct PointPicture {
    Figure     figure;
    PointPanel panels[SENSITIVITY_PANELS];  // [panel_count]
    size_t     panel_count, left_out;
    bool       equality;  // the line of equality in place of means
    Arena      arena;
} PointPicture;

// Adds the panels of one output. The table's study, output and index are set.
typedef bool PointsAdd(PointPicture *picture, const SensitivityRequest *request, SensitivityTable *table, void *user,
                       Error *err);

// The next panel, with its title. NULL: there are enough, and this one is counted as left out.
static PointPanel *next_panel(PointPicture *picture, const SensitivityTable *table)
{
    if (picture->panel_count == SENSITIVITY_PANELS) {
        ++picture->left_out;
        return NULL;
    }
    PointPanel *panel = &picture->panels[picture->panel_count++];
    text_add(&panel->title, "%s: %s", table->study->label, table->output->name);
    return panel;
}

// Keeps points for a panel: of more than 2000 one from each of 2000 equal parts of their order, at random there, since
// every n-th point of a Sobol' sequence or of a grid lies in a part of the range.
//   x, y  [count]; points that are not finite are left out
// Errors: ERROR_INTERNAL (memory).
static bool keep_points(PointPicture *picture, PointPanel *panel, const double *x, const double *y, size_t count,
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

// Goes through the outputs of all studies.
static bool add_outputs(PointPicture *picture, const SensitivityRequest *request, Study *studies, size_t count,
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

static bool draw_picture(PointPicture *picture, const char *title, const char *stem, const Outputs *outputs,
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

static void free_picture(PointPicture *picture)
{
    for (size_t i = 0; i < picture->panel_count; ++i) {
        text_free(&picture->panels[i].title);
        text_free(&picture->panels[i].more);
    }
    figure_free(&picture->figure);
    arena_free(&picture->arena);
}

enum { MOST_POINTS = 1 << 20, SLICES = 20 };

// The factors of a study at its points. They are read and ordered once, when first needed, for all outputs.
typedef struct ScatterFactors {
    const Study *study;
    double     **x;       // [factor_count]; NULL: not read
    GivenOrder  *orders;  // [factor_count]
    Arena        arena;
} ScatterFactors;

static bool read_factor(ScatterFactors *factors, const SensitivityTable *table, size_t factor, const Sample *sample,
                        Error *err)
{
    const Study *study = table->study;
    if (factors->study != study) {
        arena_free(&factors->arena);
        *factors = (ScatterFactors){.study = study};
        factors->x = arena_take(&factors->arena, study->factor_count, sizeof *factors->x, err);
        factors->orders = arena_take(&factors->arena, study->factor_count, sizeof *factors->orders, err);
        if (!factors->x || !factors->orders)
            return false;
    }
    if (factors->x[factor])
        return true;
    double *x = arena_take(&factors->arena, sample->count, sizeof *x, err);
    factors->x[factor] = x;
    return x && sample_read_factor(table, factor, sample, x, err) &&
           given_make_order(x, sample->count, 1, &factors->arena, &factors->orders[factor], err);
}

// A factor whose quantiles are spread more evenly over the logarithm.
static bool is_logarithmic(const char *distribution, const PointPanel *panel)
{
    double quantiles[SLICES + 1];
    if (distribution)
        return strstr(distribution, "loguniform") || strstr(distribution, "lognormal");
    for (size_t i = 0; i < panel->mean_count; ++i) {
        quantiles[i] = panel->means[i].least;
        quantiles[i + 1] = panel->means[i].most;
    }
    const bool whole = panel->mean_count > 0 && quantiles[panel->mean_count] > quantiles[panel->mean_count - 1];
    return figure_is_logarithmic(quantiles, panel->mean_count + whole);
}

// Points around a centre have no conditional mean; points of trajectories and of a whole grid have no interval.
static void choose_means(PointPanel *panel, const Study *study)
{
    if (study->random && (study->kind == SAMPLING_LOCAL || study->kind == SAMPLING_ONE_AT_A_TIME))
        panel->mean_count = 0;
    panel->band = panel->mean_count > 0 && !(study->random && study->kind == SAMPLING_MORRIS) && !study_is_grid(study);
}

static bool fill_scatter(PointPicture *picture, PointPanel *panel, const ScatterFactors *factors,
                         const SensitivityTable *table, size_t factor, const Sample *sample, Error *err)
{
    const Study   *study = table->study;
    const uint64_t all = study->samples * sample->roles;
    if (!given_find_means(&factors->orders[factor], sample->y, SLICES, &picture->arena, &panel->means,
                          &panel->mean_count, err) ||
        !keep_points(picture, panel, factors->x[factor], sample->y, sample->count, err))
        return false;
    panel->names[0] = study->factors[factor]->name;
    panel->units[0] = study->factors[factor]->unit;
    panel->names[1] = table->output->name;
    panel->units[1] = table->output->unit;
    panel->logarithmic[0] = panel->ranges[0].low > 0.0 && is_logarithmic(study->distributions[factor], panel);
    panel->logarithmic[1] = panel->ranges[1].low > 0.0 && panel->ranges[1].high > 1000.0 * panel->ranges[1].low;
    choose_means(panel, study);
    if (all > sample->count)
        text_add(&panel->more, "%zu of %llu points, means of %zu", panel->count, (unsigned long long)all, panel->whole);
    else
        text_add(&panel->more, "%zu of %zu points", panel->count, panel->whole);
    return true;
}

static bool add_scatter(PointPicture *picture, const SensitivityRequest *request, SensitivityTable *table, void *user,
                        Error *err)
{
    ScatterFactors *factors = user;
    Arena           arena = {0};
    Sample          sample;
    bool            ok = sample_take(request, table, MOST_POINTS, &arena, &sample, err);
    for (size_t f = 0; ok && !table->trouble && f < table->study->factor_count; ++f) {
        PointPanel *panel = next_panel(picture, table);
        ok = !panel || (read_factor(factors, table, f, &sample, err) &&
                        fill_scatter(picture, panel, factors, table, f, &sample, err));
    }
    arena_free(&arena);
    return ok;
}

static bool fill_surrogate(PointPicture *picture, PointPanel *panel, const SensitivityTable *table, const Fit *fit,
                           Arena *arena, Error *err)
{
    const size_t d = table->study->factor_count;
    double      *at = arena_take(arena, d, sizeof *at, err);
    double      *predicted = arena_take(arena, fit->count, sizeof *predicted, err);
    if (!at || !predicted)
        return false;
    for (size_t i = 0; i < fit->count; ++i) {
        for (size_t f = 0; f < d; ++f)
            at[f] = fit->x[f][i];
        predicted[i] = chaos_value(&fit->chaos, at);
    }
    if (!keep_points(picture, panel, fit->y, predicted, fit->count, err))
        return false;
    for (size_t k = 0; k < 2; ++k) {
        panel->names[k] = k ? "predicted by the expansion" : "computed";
        panel->units[k] = table->output->unit;
    }
    if (table->trouble)
        text_add(&panel->more, "Q2 %.3f refused, ", fit->chaos.q2);
    else
        text_add(&panel->more, "Q2 %.4g, ", fit->chaos.q2);
    text_add(&panel->more, "%zu term%s, %zu of %zu points", fit->chaos.term_count,
             fit->chaos.term_count == 1 ? "" : "s", panel->count, panel->whole);
    return true;
}

// A constant output has no expansion.
static bool add_surrogate(PointPicture *picture, const SensitivityRequest *request, SensitivityTable *table, void *user,
                          Error *err)
{
    Fit         fit = {0};
    Arena       arena = {0};
    PointPanel *panel = NULL;
    bool        ok = true;
    (void)user;
    if (picture->panel_count == SENSITIVITY_PANELS)
        ++picture->left_out;
    else if ((ok = sensitivity_choose(request, table->study, &table->index, err) &&
                   sample_fit(request, table, &arena, &fit, err)) &&
             fit.count >= CHAOS_LEAST_POINTS && isfinite(fit.chaos.q2))
        ok = (panel = next_panel(picture, table)) && fill_surrogate(picture, panel, table, &fit, &arena, err);
    sample_fit_free(&fit);
    arena_free(&arena);
    return ok;
}

bool sensitivity_plot_points(const SensitivityRequest *request, bool surrogate, Study *studies, size_t count,
                             const char *title, const char *stem, const Outputs *outputs, FigureSvg *svg, Text *said,
                             Error *err)
{
    SensitivityRequest own = *request;
    PointPicture       picture = {.equality = surrogate};
    ScatterFactors     factors = {0};
    own.index = surrogate ? SENSITIVITY_CHAOS : request->index;
    const bool ok =
        add_outputs(&picture, &own, studies, count, surrogate ? add_surrogate : add_scatter, &factors, err) &&
        draw_picture(&picture, title, stem, outputs, svg, said, err);
    arena_free(&factors.arena);
    free_picture(&picture);
    return ok;
}
