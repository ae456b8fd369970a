// sensitivity_points -- pictures of points: an output over each factor with its mean, a prediction beside what was
// computed.
#include "analysis/sensitivity/fit.h"
#include "analysis/sensitivity/given.h"
#include "analysis/sensitivity/sample.h"
#include "analysis/sensitivity/sensitivity_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DRAWN = 2000, MOST_POINTS = 1 << 20, SLICES = 20 };

// One panel: points, and a curve through them with a band, or the line of equality.
typedef struct PointPanel {
    Text        title, more;
    const char *names[2], *units[2];
    double     *numbers[2];  // [count] along x and y
    size_t      count;
    bool        logarithmic[2];
    GivenSlice *means;  // [mean_count]
    size_t      mean_count;
} PointPanel;

typedef struct PointPicture {
    Figure     figure;
    PointPanel panels[SENSITIVITY_PANELS];  // [panel_count]
    size_t     panel_count, left_out;
    Arena      arena;
} PointPicture;

typedef bool AddOutput(PointPicture *picture, const SensitivityRequest *request, SensitivityTable *table, Error *err);

// Every so many points are drawn.
static size_t stride_of(size_t count)
{
    return count > MOST_DRAWN ? (count + MOST_DRAWN - 1) / MOST_DRAWN : 1;
}

static PointPanel *next_panel(PointPicture *picture)
{
    if (picture->panel_count == SENSITIVITY_PANELS) {
        ++picture->left_out;
        return NULL;
    }
    return &picture->panels[picture->panel_count++];
}

// Values that are positive and span three decades are better seen on a logarithmic scale.
static bool spans_much(const double *values, size_t count)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; ++i)
        if (isfinite(values[i])) {
            least = fmin(least, values[i]);
            most = fmax(most, values[i]);
        }
    return least > 0.0 && most > 1000.0 * least;
}

// A factor over whose logarithm the points are even.
static bool is_logarithmic(const Study *study, size_t factor, const double *x, size_t count)
{
    const char *distribution = study->distributions[factor];
    if (distribution)
        return strstr(distribution, "loguniform") || strstr(distribution, "lognormal");
    return spans_much(x, count);
}

static bool add_factor(PointPicture *picture, PointPanel *panel, const SensitivityTable *table, size_t factor,
                       const Sample *sample, Error *err)
{
    const Study *study = table->study;
    GivenOrder   order;
    double      *x = arena_take(&picture->arena, sample->count, sizeof *x, err);
    if (!x || !sample_read_factor(table, factor, sample, x, err) ||
        !given_make_order(x, sample->count, 1, &picture->arena, &order, err) ||
        !given_find_means(&order, sample->y, SLICES, &picture->arena, &panel->means, &panel->mean_count, err))
        return false;
    text_add(&panel->title, "%s: %s", study->label, table->output->name);
    const size_t stride = stride_of(sample->count);
    text_add(&panel->more, "%zu of %zu points", (sample->count + stride - 1) / stride, sample->count);
    panel->names[0] = study->factors[factor]->name;
    panel->units[0] = study->factors[factor]->unit;
    panel->names[1] = table->output->name;
    panel->units[1] = table->output->variable->unit;
    panel->numbers[0] = x;
    panel->numbers[1] = sample->y;
    panel->count = sample->count;
    panel->logarithmic[0] = is_logarithmic(study, factor, x, sample->count);
    panel->logarithmic[1] = spans_much(sample->y, sample->count);
    return true;
}

static bool add_scatter(PointPicture *picture, const SensitivityRequest *request, SensitivityTable *table, Error *err)
{
    Sample sample;
    if (picture->panel_count == SENSITIVITY_PANELS) {
        picture->left_out += table->study->factor_count;
        return true;
    }
    if (!sample_take(request, table, MOST_POINTS, &picture->arena, &sample, err))
        return false;
    for (size_t f = 0; !table->trouble && f < table->study->factor_count; ++f) {
        PointPanel *panel = next_panel(picture);
        if (panel && !add_factor(picture, panel, table, f, &sample, err))
            return false;
    }
    return true;
}

static bool add_prediction(PointPicture *picture, PointPanel *panel, const SensitivityTable *table, const Fit *fit,
                           Error *err)
{
    const size_t d = table->study->factor_count;
    double      *at = arena_take(&picture->arena, d, sizeof *at, err);
    for (size_t k = 0; k < 2; ++k) {
        panel->numbers[k] = arena_take(&picture->arena, fit->count, sizeof(double), err);
        panel->names[k] = k ? "predicted" : "computed";
        panel->units[k] = table->output->variable->unit;
    }
    if (!at || !panel->numbers[0] || !panel->numbers[1])
        return false;
    for (size_t i = 0; i < fit->count; ++i) {
        for (size_t f = 0; f < d; ++f)
            at[f] = fit->x[f][i];
        panel->numbers[0][i] = fit->y[i];
        panel->numbers[1][i] = chaos_value(&fit->chaos, at);
    }
    panel->count = fit->count;
    text_add(&panel->title, "%s: %s", table->study->label, table->output->name);
    text_add(&panel->more, "Q2 %.4g%s, %zu terms, %zu points", fit->chaos.q2, table->trouble ? ", refused" : "",
             fit->chaos.term_count, fit->count);
    return true;
}

static bool add_surrogate(PointPicture *picture, const SensitivityRequest *request, SensitivityTable *table, Error *err)
{
    Fit  fit = {0};
    bool ok = true;
    if (picture->panel_count == SENSITIVITY_PANELS)
        ++picture->left_out;
    else if ((ok = fit_make(request, table, &picture->arena, &fit, err)) && fit.count >= CHAOS_LEAST_POINTS &&
             isfinite(fit.chaos.q2))
        ok = add_prediction(picture, next_panel(picture), table, &fit, err);
    fit_free(&fit);
    return ok;
}

// Goes through the outputs of all studies.
static bool add_outputs(PointPicture *picture, const SensitivityRequest *request, Study *studies, size_t count,
                        AddOutput *add, Error *err)
{
    for (size_t s = 0; s < count; ++s)
        for (size_t m = 0; m < (request->metric_count > 0 ? request->metric_count : 1); ++m) {
            StudyOutput *outputs = NULL;
            size_t       output_count = 0;
            if (!study_outputs(&studies[s], request->metric_count > 0 ? request->metrics[m] : NULL, false, &outputs,
                               &output_count, err))
                return false;
            for (size_t k = 0; k < output_count; ++k) {
                SensitivityTable table = {
                    .index = SENSITIVITY_CHAOS, .study = &studies[s], .output = &outputs[k], .quality = (double)NAN};
                if (!add(picture, request, &table, err))
                    return false;
            }
        }
    return true;
}

// Points that are evenly chosen; those of Sobol' sequences are even in any beginning.
static void add_data(PointPicture *picture, size_t number)
{
    const PointPanel *panel = &picture->panels[number];
    Text             *script = &picture->figure.script;
    text_add(script, "$points%zu << END\n", number);
    for (size_t i = 0; i < panel->count; i += stride_of(panel->count))
        if (isfinite(panel->numbers[0][i]) && isfinite(panel->numbers[1][i]))
            gnuplot_numbers(script, (double[]){panel->numbers[0][i], panel->numbers[1][i]}, 2);
    text_add(script, "END\n$means%zu << END\n", number);
    for (size_t i = 0; i < panel->mean_count; ++i) {
        const GivenSlice *slice = &panel->means[i];
        const double x = panel->logarithmic[0] ? sqrt(slice->least * slice->most) : 0.5 * (slice->least + slice->most),
                     half = isfinite(slice->error) ? 1.96 * slice->error : 0.0;
        gnuplot_numbers(script, (double[]){x, slice->mean, slice->mean - half, slice->mean + half}, 4);
    }
    text_add(script, "END\n");
}

static void draw_panel(PointPicture *picture, size_t number, bool means)
{
    PointPanel *panel = &picture->panels[number];
    Figure     *figure = &picture->figure;
    FigureRange ranges[2];
    figure_title(figure, panel->title.text, &panel->more);
    for (size_t k = 0; k < 2; ++k) {
        ranges[k] = figure_range(panel->numbers[k], panel->count);
        if (!panel->logarithmic[k])
            ranges[k] = figure_widen(ranges[k], 0.04, 1.0);
    }
    if (!means)
        ranges[0] = ranges[1] = (FigureRange){fmin(ranges[0].low, ranges[1].low), fmax(ranges[0].high, ranges[1].high)};
    for (size_t k = 0; k < 2; ++k)
        figure_scale(figure, k ? "y" : "x", panel->names[k], panel->units[k], panel->logarithmic[k], ranges[k]);
    figure_key(figure, number == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    text_add(figure_layer(figure), "$points%zu using 1:2 with points pt 7 ps 0.25 lc rgb '%s' notitle", number,
             figure_colours[5]);
    if (!means)
        text_add(figure_layer(figure), "x with lines lc rgb '%s' notitle", figure_colours[1]);
    if (means && panel->mean_count > 0) {
        text_add(figure_layer(figure),
                 "$means%zu using 1:3:4 with filledcurves fs transparent solid 0.3 noborder lc rgb '%s' notitle",
                 number, figure_colours[1]);
        text_add(figure_layer(figure), "$means%zu using 1:2 with lines lw 2 lc rgb '%s' notitle", number,
                 figure_colours[1]);
    }
    if (number == 0) {
        text_add(figure_layer(figure), "keyentry with points pt 7 ps 0.6 lc rgb '%s' ", figure_colours[5]);
        figure_layer_title(figure, 0);
        text_add(figure_layer(figure), "keyentry with lines lw 2 lc rgb '%s' ", figure_colours[1]);
        figure_layer_title(figure, 1);
    }
    figure_end_panel(figure);
}

static bool draw(PointPicture *picture, const char *title, const char *stem, const Outputs *outputs, FigureSvg *svg,
                 bool means, Text *said, Error *err)
{
    const size_t panels = picture->panel_count, columns = panels < 3 ? panels : panels == 4 ? 2 : 3;
    if (panels == 0)
        return fail(err, ERROR_INPUT, "no output varies over enough points: there is nothing to draw");
    picture->figure = (Figure){.svg = svg,
                               .title = title ? title : "",
                               .stem = stem,
                               .rows = (unsigned)((panels + columns - 1) / columns),
                               .columns = (unsigned)columns,
                               .panel = {columns == 1 ? 640 : 340, columns == 1 ? 400 : 280},
                               .around = {105, 30, 90, 80},
                               .between = {115, 125}};
    text_add(figure_entry(&picture->figure), means ? "points" : "points of the fit");
    text_add(figure_entry(&picture->figure), means ? "conditional mean, 95 %%" : "equal");
    text_add(&picture->figure.script, "set encoding utf8\n");
    for (size_t i = 0; i < panels; ++i)
        add_data(picture, i);
    figure_begin(&picture->figure);
    for (size_t i = 0; i < panels; ++i)
        draw_panel(picture, i, means);
    const bool ok = figure_draw(&picture->figure, outputs, err);
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

bool sensitivity_plot_scatter(const SensitivityRequest *request, Study *studies, size_t count, const char *title,
                              const char *stem, const Outputs *outputs, FigureSvg *svg, Text *said, Error *err)
{
    PointPicture picture = {0};
    const bool   ok = add_outputs(&picture, request, studies, count, add_scatter, err) &&
                    draw(&picture, title, stem, outputs, svg, true, said, err);
    free_picture(&picture);
    return ok;
}

bool sensitivity_plot_surrogate(const SensitivityRequest *request, Study *studies, size_t count, const char *title,
                                const char *stem, const Outputs *outputs, FigureSvg *svg, Text *said, Error *err)
{
    PointPicture picture = {0};
    const bool   ok = add_outputs(&picture, request, studies, count, add_surrogate, err) &&
                    draw(&picture, title, stem, outputs, svg, false, said, err);
    free_picture(&picture);
    return ok;
}
