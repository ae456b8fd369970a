// spectrum_plot -- gnuplot script of a spectrum: one panel per quantity, one curve per entry and zeta.
#include "analysis/linear/spectrum.h"

#include "analysis/plot/figure.h"

#include <math.h>

enum { PANELS = 3, MARKS = 25 };

// The number that a panel shows, and its greatest range: an unstable method grows beyond any picture.
typedef struct SpectrumPanel {
    const char *label;
    double      least, most;
} SpectrumPanel;

static const SpectrumPanel panels[PANELS] = {
    {"spectral radius", 0.0, 1.5}, {"numerical damping ratio", -0.25, 1.0}, {"relative period error", -0.5, 1.0}};

static double shown(const SpectrumRow *row, size_t panel)
{
    const double values[PANELS] = {row->mode.radius, row->mode.damping_ratio, row->mode.period_error};
    return values[panel];
}

// The part of a panel's reach that there is something to see in, with some room.
static FigureRange find_range(const SpectrumRow *rows, size_t count, size_t panel)
{
    FigureRange range = figure_range(NULL, 0);
    for (size_t i = 0; i < count; ++i) {
        const double value = shown(&rows[i], panel);
        if (isfinite(value))
            range = (FigureRange){fmin(range.low, fmax(value, panels[panel].least)),
                                  fmax(range.high, fmin(value, panels[panel].most))};
    }
    return isfinite(range.low) ? figure_widen(range, 0.05, 0.05) : (FigureRange){0.0, 1.0};
}

static void add_curve(Figure *figure, const char *block, size_t number, size_t column, size_t marked, size_t every,
                      bool titled)
{
    const char *colour = figure_colours[number % FIGURE_COLOURS];
    text_add(figure_layer(figure), "%s index %zu using 1:%zu with lines lc rgb '%s' lw 1.5 dt %zu ", block, number,
             column, colour, number / FIGURE_COLOURS % 5 + 1);
    figure_layer_title(figure, titled ? number : FIGURE_UNTITLED);
    if (marked)
        text_add(figure_layer(figure), "%s index %zu using 1:%zu every %zu with points lc rgb '%s' pt 6 ps 0.6 notitle",
                 block, number, marked, every, colour);
}

// Adds an entry of the legend.
//   zeta  NaN: not in its name
static void name_curve(Figure *figure, const SpectrumEntry *entry, double zeta, bool limited)
{
    Text *name = figure_entry(figure);
    text_add(name, "%s%s", entry->method->name, entry->method->parameter_count ? ", " : "");
    spectrum_place(name, entry);
    if (!isnan(zeta))
        text_add(name, ", zeta = %.4g", zeta);
    text_add(name, limited ? "" : " (no limit)");
}

// A picture with columns of panels, and room for a legend of all curves.
static Figure make_figure(const char *title, const char *stem, unsigned columns)
{
    return (Figure){.title = title,
                    .stem = stem,
                    .rows = 1,
                    .columns = columns,
                    .panel = {columns > 1 ? 380 : 640, columns > 1 ? 300 : 360},
                    .around = {90, 30, 60, 80},
                    .between = {95, 0}};
}

bool spectrum_plot_rows(const Spectrum *spectrum, const SpectrumRow *rows, size_t omega_count, size_t zeta_count,
                        const char *stem, const Outputs *outputs, Error *err)
{
    Figure figure = make_figure("Radius, damping and period of the amplification matrix: lines are theory, marks the "
                                "kernel",
                                stem, PANELS);
    const size_t curves = spectrum->entry_count * zeta_count;
    const double first = rows[0].omega_h, last = rows[omega_count - 1].omega_h;
    Text        *script = &figure.script;
    text_add(script, "set encoding utf8\n$rows << END\n");
    for (size_t i = 0; i < curves; ++i) {
        const SpectrumRow *row = &rows[i * omega_count];
        name_curve(&figure, &spectrum->entries[i / zeta_count], zeta_count > 1 ? row->zeta : (double)NAN, true);
        for (; row < &rows[(i + 1) * omega_count]; ++row)
            gnuplot_numbers(
                script, (double[]){row->omega_h, shown(row, 0), shown(row, 1), shown(row, 2), row->radius_kernel}, 5);
        text_add(script, "\n\n");
    }
    text_add(script, "END\n");
    figure_begin(&figure);
    for (size_t panel = 0; panel < PANELS; ++panel) {
        const FigureRange range = find_range(rows, curves * omega_count, panel);
        text_add(script, "set xlabel 'Omega = omega h'\nset ylabel '%s'\n", panels[panel].label);
        if (first < last)
            text_add(script, "set logscale x\nset format x '10^{%%T}'\nset xrange [%.9g:%.9g]\n", first, last);
        text_add(script, "set yrange [%.9g:%.9g]\n", range.low, range.high);
        figure_key(&figure, panel == 1 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
        for (size_t i = 0; i < curves; ++i)
            add_curve(&figure, "$rows", i, panel + 2, panel == 0 ? 5 : 0, omega_count / MARKS + 1, panel == 1);
        figure_end_panel(&figure);
    }
    const bool ok = figure_draw(&figure, outputs, err);
    figure_free(&figure);
    return ok;
}

bool spectrum_plot_limits(const Spectrum *spectrum, const SpectrumLimit *limits, size_t zeta_count, const char *stem,
                          const Outputs *outputs, Error *err)
{
    Figure       figure = make_figure("The largest stable Omega: lines are theory, marks the kernel", stem, 1);
    const double room = 0.03 * (limits[zeta_count - 1].zeta - limits[0].zeta) + 1e-3;
    FigureRange  all = figure_range(NULL, 0);
    Text        *script = &figure.script;
    text_add(script, "set encoding utf8\n$limits << END\n");
    for (size_t i = 0; i < spectrum->entry_count; ++i) {
        FigureRange own = figure_range(NULL, 0);
        for (size_t k = 0; k < zeta_count; ++k) {
            const SpectrumLimit *limit = &limits[i * zeta_count + k];
            gnuplot_numbers(script, (double[]){limit->zeta, limit->theory, limit->kernel}, 3);
            figure_take_in(&own, limit->theory);
            figure_take_in(&own, limit->kernel);
        }
        text_add(script, "\n\n");
        name_curve(&figure, &spectrum->entries[i], (double)NAN, own.low <= own.high);
        figure_take_in(&all, own.high);
    }
    text_add(script, "END\n");
    figure_begin(&figure);
    text_add(script, "set xlabel 'zeta'\nset ylabel 'critical Omega'\nset xrange [%.9g:%.9g]\nset yrange [0:%.9g]\n",
             limits[0].zeta - room, limits[zeta_count - 1].zeta + room, all.high > 0.0 ? 1.05 * all.high : 1.0);
    figure_key(&figure, FIGURE_ALL_COLUMNS, 10);
    for (size_t i = 0; i < spectrum->entry_count; ++i)
        add_curve(&figure, "$limits", i, 2, 3, zeta_count / MARKS + 1, true);
    figure_end_panel(&figure);
    const bool ok = figure_draw(&figure, outputs, err);
    figure_free(&figure);
    return ok;
}
