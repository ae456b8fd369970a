// spectrum_plot -- gnuplot script of a spectrum: one panel per quantity, one curve per entry and zeta.
#include "analysis/linear/spectrum_plot.h"

#include "analysis/plot/gnuplot.h"
#include "analysis/plot/figure.h"

#include <math.h>
#include <string.h>

enum { PANELS = 3, MARKS = 25 };

// What a panel shows, and how far it may reach: an unstable method grows beyond any picture.
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
static void find_range(const SpectrumRow *rows, size_t count, size_t panel, double *low, double *high)
{
    *low = (double)INFINITY;
    *high = -(double)INFINITY;
    for (size_t i = 0; i < count; ++i) {
        const double value = shown(&rows[i], panel);
        if (!isfinite(value))
            continue;
        *low = fmin(*low, fmax(value, panels[panel].least));
        *high = fmax(*high, fmin(value, panels[panel].most));
    }
    const double room = *low < *high ? 0.05 * (*high - *low) : 0.05;
    *low = isfinite(*low) ? *low - room : 0.0;
    *high = isfinite(*high) ? *high + room : 1.0;
}

static void name_curve(Text *name, const SpectrumEntry *entry, double zeta, bool with_zeta)
{
    text_add(name, "%s%s", entry->method->name, entry->method->parameter_count ? ", " : "");
    spectrum_place(name, entry);
    if (with_zeta)
        text_add(name, ", zeta = %.4g", zeta);
}

static void add_curve(Text *script, const char *block, size_t number, size_t column, size_t marked, size_t every,
                      const char *name)
{
    const char *colour = figure_colours[number % PLOT_COLOURS];
    text_add(script, "%s %zu using 1:%zu with lines lc rgb '%s' lw 1.5 dt %zu ", block, number, column, colour,
             number / PLOT_COLOURS % 5 + 1);
    if (name) {
        text_add(script, "title ");
        gnuplot_quote(script, name);
        text_add(script, " noenhanced");
    } else {
        text_add(script, "notitle");
    }
    if (marked)
        text_add(script, ", \\\n  %s %zu using 1:%zu every %zu with points lc rgb '%s' pt 6 ps 0.6 notitle", block,
                 number, marked, every, colour);
}

static void add_numbers(Text *script, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        text_add(script, "%s", i ? " " : "");
        gnuplot_number(script, numbers[i]);
    }
    text_add(script, "\n");
}

// Where the picture's panels stand, with room for a legend of all curves.
static PlotFrame make_frame(unsigned columns, size_t curves, size_t longest)
{
    PlotFrame frame = {.rows = 1,
                       .columns = columns,
                       .width = columns > 1 ? 380 : 640,
                       .height = columns > 1 ? 300 : 360,
                       .left = 90,
                       .right = 30,
                       .above = 60,
                       .between_columns = 95};
    frame.below = 80 + figure_key_height(&frame, curves, longest);
    return frame;
}

bool spectrum_plot_rows(const Spectrum *spectrum, const SpectrumRow *rows, size_t omega_count, size_t zeta_count,
                        const char *stem, const Outputs *outputs, Error *err)
{
    char         title[] = "Radius, damping and period of the amplification matrix: lines are theory, marks the kernel";
    const Figure figure = {.title = title, .path = stem};
    const size_t curves = spectrum->entry_count * zeta_count, every = omega_count / MARKS + 1;
    const double first = rows[0].omega_h, last = rows[omega_count - 1].omega_h;
    size_t       longest = 0;
    Text         script = {0};
    if (!figure_check_name(stem, err))
        return false;
    text_add(&script, "set encoding utf8\n$rows << END\n");
    for (size_t i = 0; i < curves; ++i) {
        Text name = {0};
        name_curve(&name, &spectrum->entries[i / zeta_count], rows[i * omega_count].zeta, zeta_count > 1);
        longest = name.length > longest ? name.length : longest;
        text_free(&name);
        for (size_t k = 0; k < omega_count; ++k) {
            const SpectrumRow *row = &rows[i * omega_count + k];
            add_numbers(&script,
                        (double[]){row->omega_h, shown(row, 0), shown(row, 1), shown(row, 2), row->radius_kernel}, 5);
        }
        text_add(&script, "\n\n");
    }
    text_add(&script, "END\n");
    const PlotFrame frame = make_frame(PANELS, curves, longest);
    figure_begin(&script, &figure, &frame);
    for (size_t panel = 0; panel < PANELS; ++panel) {
        double low, high;
        find_range(rows, curves * omega_count, panel, &low, &high);
        text_add(&script, "set xlabel 'Omega = omega h'\nset ylabel '%s'\n", panels[panel].label);
        if (first < last)
            text_add(&script, "set logscale x\nset format x '10^{%%T}'\nset xrange [%.9g:%.9g]\n", first, last);
        text_add(&script, "set yrange [%.9g:%.9g]\n", low, high);
        if (panel == 1)
            figure_key(&script, &frame, PLOT_ALL_COLUMNS, 10);
        else
            text_add(&script, "unset key\n");
        text_add(&script, "plot ");
        for (size_t i = 0; i < curves; ++i) {
            Text name = {0};
            name_curve(&name, &spectrum->entries[i / zeta_count], rows[i * omega_count].zeta, zeta_count > 1);
            text_add(&script, "%s", i ? ", \\\n  " : "");
            add_curve(&script, "$rows index", i, panel + 2, panel == 0 ? 5 : 0, every,
                      panel == 1 && name.text ? name.text : NULL);
            text_free(&name);
        }
        text_add(&script, "\n");
    }
    figure_end(&script);
    const bool ok = gnuplot_draw(outputs, stem, &script, err);
    text_free(&script);
    return ok;
}

static void name_limit(Text *name, const SpectrumEntry *entry, const SpectrumLimit *limits, size_t zeta_count)
{
    bool some = false;
    for (size_t k = 0; k < zeta_count; ++k)
        some = some || isfinite(limits[k].theory) || isfinite(limits[k].kernel);
    name_curve(name, entry, 0.0, false);
    text_add(name, some ? "" : " (no limit)");
}

bool spectrum_plot_limits(const Spectrum *spectrum, const SpectrumLimit *limits, size_t zeta_count, const char *stem,
                          const Outputs *outputs, Error *err)
{
    char         title[] = "The largest stable Omega: lines are theory, marks the kernel";
    const Figure figure = {.title = title, .path = stem};
    const size_t curves = spectrum->entry_count;
    const double room = 0.03 * (limits[zeta_count - 1].zeta - limits[0].zeta) + 1e-3;
    double       most = 0.0;
    size_t       longest = 0;
    Text         script = {0};
    if (!figure_check_name(stem, err))
        return false;
    text_add(&script, "set encoding utf8\n$limits << END\n");
    for (size_t i = 0; i < curves; ++i) {
        Text name = {0};
        name_limit(&name, &spectrum->entries[i], &limits[i * zeta_count], zeta_count);
        longest = name.length > longest ? name.length : longest;
        text_free(&name);
        for (size_t k = 0; k < zeta_count; ++k) {
            const SpectrumLimit *limit = &limits[i * zeta_count + k];
            add_numbers(&script, (double[]){limit->zeta, limit->theory, limit->kernel}, 3);
            most = isfinite(limit->theory) ? fmax(most, limit->theory) : most;
            most = isfinite(limit->kernel) ? fmax(most, limit->kernel) : most;
        }
        text_add(&script, "\n\n");
    }
    text_add(&script, "END\n");
    const PlotFrame frame = make_frame(1, curves, longest);
    figure_begin(&script, &figure, &frame);
    text_add(&script, "set xlabel 'zeta'\nset ylabel 'critical Omega'\nset xrange [%.9g:%.9g]\nset yrange [0:%.9g]\n",
             limits[0].zeta - room, limits[zeta_count - 1].zeta + room, most > 0.0 ? 1.05 * most : 1.0);
    figure_key(&script, &frame, PLOT_ALL_COLUMNS, 10);
    text_add(&script, "plot ");
    for (size_t i = 0; i < curves; ++i) {
        Text name = {0};
        name_limit(&name, &spectrum->entries[i], &limits[i * zeta_count], zeta_count);
        text_add(&script, "%s", i ? ", \\\n  " : "");
        add_curve(&script, "$limits index", i, 2, 3, zeta_count / MARKS + 1, name.text ? name.text : "");
        text_free(&name);
    }
    text_add(&script, "\n");
    figure_end(&script);
    const bool ok = gnuplot_draw(outputs, stem, &script, err);
    text_free(&script);
    return ok;
}
