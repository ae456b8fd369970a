// pairs_plot -- gnuplot script of pairs: one panel of the parameters, two over Omega.
#include "analysis/pairs/pairs.h"

#include "analysis/plot/figure.h"

#include <math.h>
#include <stdlib.h>

enum { OMEGAS = 241, MOST_MARKED = 60 };
#define LEAST_OMEGA 0.03
#define LARGEST_OMEGA 1000.0

// Less damping is rounding of the eigenvalues.
#define LEAST_DAMPING 1e-13

static const char grey[] = "#e9e9e9", dark[] = "#555555", light[] = "#56b4e9";

// Where there is nothing, the axis is still drawn.
static FigureRange widen(FigureRange range)
{
    return range.low <= range.high ? figure_widen(range, 0.04, 0.05) : (FigureRange){0.0, 1.0};
}

static int by_from(const void *a, const void *b)
{
    const double left = (*(const Pair *const *)a)->from, right = (*(const Pair *const *)b)->from;
    return (left > right) - (left < right);
}

const Pair *pairs_plot_choose(const Pairs *pairs, double value)
{
    const Pair *chosen = NULL;
    double      least = (double)INFINITY;
    FigureRange extent = figure_range(NULL, 0);
    for (size_t i = 0; i < pairs->count; ++i)
        if (!isnan(pairs->pairs[i].to))
            figure_take_in(&extent, pairs->pairs[i].from);
    const double wanted = isnan(value) ? 0.5 * (extent.low + extent.high) : value;
    for (size_t i = 0; i < pairs->count; ++i) {
        const double distance = fabs(pairs->pairs[i].from - wanted);
        if (!isnan(pairs->pairs[i].to) && distance < least) {
            least = distance;
            chosen = &pairs->pairs[i];
        }
    }
    return chosen;
}

// Whether a line may join two pairs: not where the next one's equivalent is on another branch, and the one on this
// branch is among its further ones.
static bool joined(const Pair *pair, const Pair *next)
{
    bool same = !isnan(pair->to) && !isnan(next->to);
    for (size_t r = 0; same && r < next->root_count; ++r)
        same = fabs(next->to - pair->to) <= fabs(next->roots[r].at - pair->to);
    for (size_t r = 0; same && r < pair->root_count; ++r)
        same = fabs(next->to - pair->to) <= fabs(next->to - pair->roots[r].at);
    return same;
}

// Adds the data of the first panel, the curve in ascending order of FROM's parameter.
static bool add_pairs(Figure *figure, const Pairs *pairs, const Pairs *curve, Error *err)
{
    ByEye        seen[BY_EYE];
    const size_t seen_count = pairs_words_by_eye(pairs, seen);
    Text        *script = &figure->script;
    const Pair **sorted = arena_take(&figure->arena, curve->count, sizeof *sorted, err);
    if (!sorted)
        return false;
    for (size_t i = 0; i < curve->count; ++i)
        sorted[i] = &curve->pairs[i];
    qsort(sorted, curve->count, sizeof *sorted, by_from);
    text_add(script, "$curve << END\n");
    for (size_t i = 0; i < curve->count; ++i) {
        text_add(script, "%s", i > 0 && !joined(sorted[i - 1], sorted[i]) ? "\n" : "");
        if (!isnan(sorted[i]->to))
            gnuplot_numbers(script, (double[]){sorted[i]->from, sorted[i]->to}, 2);
    }
    text_add(script, "END\n$further << END\n");
    for (size_t i = 0; i < curve->count; ++i)
        for (size_t r = 0; r < sorted[i]->root_count; ++r)
            gnuplot_numbers(script, (double[]){sorted[i]->from, sorted[i]->roots[r].at}, 2);
    text_add(script, "END\n$pairs << END\n");
    for (size_t i = 0; i < pairs->count; ++i)
        if (!isnan(pairs->pairs[i].to))
            gnuplot_numbers(script, (double[]){pairs->pairs[i].from, pairs->pairs[i].to}, 2);
    text_add(script, "END\n$seen << END\n");
    for (size_t i = 0; i < seen_count; ++i)
        gnuplot_numbers(script, (double[]){seen[i].from, seen[i].to}, 2);
    text_add(script, "END\n");
    return true;
}

// The criterion whose number the second panel shows.
static Criterion shown_damping(Criterion criterion)
{
    return criterion == CRITERION_DAMPING_RATIO                               ? CRITERION_DAMPING_RATIO
           : criterion == CRITERION_DECAY || criterion == CRITERION_MAX_DECAY ? CRITERION_DECAY
                                                                              : CRITERION_RADIUS;
}

// Adds Omega, then damping and radius of either method, and names both.
static bool add_spectra(Figure *figure, const Pairs *pairs, const Pair *pair, FigureRange *damping, Error *err)
{
    const Criterion criterion = shown_damping(pairs->criterion);
    double         *parameters[PAIR_SIDES];
    for (size_t side = 0; side < PAIR_SIDES; ++side) {
        const Family *family = &pairs->families[side];
        const double  value = side == PAIR_FROM ? pair->from : pair->to;
        parameters[side] = arena_take(&figure->arena, family->method->parameter_count, sizeof *parameters[side], err);
        if (!parameters[side])
            return false;
        family_at(family, value, parameters[side]);
        text_add(figure_entry(figure), "%s, %s = %.4g", family->method->name, family_parameter(family)->name, value);
    }
    text_add(&figure->script, "$spectra << END\n");
    for (size_t i = 0; i < OMEGAS; ++i) {
        const double omega_h = LEAST_OMEGA * pow(LARGEST_OMEGA / LEAST_OMEGA, (double)i / (OMEGAS - 1));
        double       row[1 + 2 * PAIR_SIDES] = {omega_h};
        for (size_t side = 0; side < PAIR_SIDES; ++side) {
            const Theory *theory = pairs->families[side].theory;
            const double  number = criterion_number(criterion, theory, parameters[side], omega_h);
            row[1 + side] = number > LEAST_DAMPING ? number : (double)NAN;
            row[3 + side] = exp(-criterion_number(CRITERION_RADIUS, theory, parameters[side], omega_h));
            figure_take_in(damping, row[1 + side]);
        }
        gnuplot_numbers(&figure->script, row, sizeof row / sizeof *row);
    }
    text_add(&figure->script, "END\n");
    return true;
}

static bool add_shade(Text *script, double low, double high)
{
    if (low < high)
        text_add(script,
                 "set object rectangle from first %.9g, graph 0 to first %.9g, graph 1 behind fillcolor rgb '%s' "
                 "fillstyle solid noborder\n",
                 low, high, grey);
    return low < high;
}

// Shades the part between the ranges and within FROM's: there are no equivalents. Whether there is such a part.
static bool shade_rest(Text *script, const Pairs *pairs, FigureRange x)
{
    double from = fmax(x.low, pairs->families[PAIR_FROM].least);
    bool   shaded = false;
    for (size_t i = 0; i < pairs->range_count; ++i) {
        shaded = add_shade(script, from, fmin(pairs->ranges[i].low, x.high)) || shaded;
        from = fmax(from, pairs->ranges[i].high);
    }
    return (pairs->range_count && add_shade(script, from, fmin(x.high, pairs->families[PAIR_FROM].most))) || shaded;
}

static void add_label(Text *script, const char *command, const Family *family)
{
    Text label = {0};
    text_add(&label, "%s of %s", family_parameter(family)->name, family->method->name);
    gnuplot_label(script, command, label.text, "");
    text_add(script, "\n");
    text_free(&label);
}

// Returns how many further equivalents there are.
static size_t take_in(const Pairs *pairs, FigureRange *x, FigureRange *y)
{
    size_t further = 0;
    for (size_t i = 0; i < pairs->count; ++i) {
        const Pair *pair = &pairs->pairs[i];
        figure_take_in(x, pair->from);
        figure_take_in(y, pair->to);
        for (size_t r = 0; r < pair->root_count; ++r)
            figure_take_in(y, pair->roots[r].at);
        further += pair->root_count;
    }
    return further;
}

static void add_pairs_panel(Figure *figure, const Pairs *pairs, const Pairs *curve, const Pair *pair)
{
    ByEye        seen[BY_EYE];
    const size_t seen_count = pairs_words_by_eye(pairs, seen);
    Text        *script = &figure->script;
    FigureRange  x = figure_range(NULL, 0), y = x;
    take_in(pairs, &x, &y);
    const size_t further = take_in(curve, &x, &y);
    x = widen(x);
    for (size_t i = 0; i < seen_count; ++i)
        if (seen[i].from >= x.low && seen[i].from <= x.high)
            figure_take_in(&y, seen[i].to);
    y = widen(y);
    add_label(script, "set xlabel ", &pairs->families[PAIR_FROM]);
    add_label(script, "set ylabel ", &pairs->families[PAIR_TO]);
    text_add(script, "unset logscale\nset format '%%g'\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", x.low,
             x.high, y.low, y.high);
    const bool shaded = shade_rest(script, pairs, x);
    figure_key(figure, 0, 10);
    text_add(figure_layer(figure), "$curve using 1:2 with lines lc rgb '%s' lw 2 title 'equivalent'",
             figure_colours[0]);
    if (pairs->count <= MOST_MARKED)
        text_add(figure_layer(figure), "$pairs using 1:2 with points lc rgb '%s' pt 7 ps 0.7 notitle",
                 figure_colours[0]);
    if (further)
        text_add(figure_layer(figure), "$further using 1:2 with points lc rgb '%s' pt 7 ps 0.3 title 'further ones'",
                 light);
    if (seen_count)
        text_add(figure_layer(figure),
                 "$seen using 1:2 with points lc rgb '%s' lw 1.5 pt 12 ps 1.4 title 'by eye (Wu 2018)'",
                 figure_colours[1]);
    if (shaded)
        text_add(figure_layer(figure),
                 "keyentry with boxes fillcolor rgb '%s' fillstyle solid noborder title 'no equivalent'", grey);
    if (pair)
        text_add(
            figure_layer(figure),
            "'+' using (%.9g):(%.9g) every ::0::0 with points lc rgb 'black' lw 1.5 pt 6 ps 1.6 title 'drawn at right'",
            pair->from, pair->to);
    figure_end_panel(figure);
    text_add(script, "unset object\n");
}

static void add_curves(Figure *figure, size_t column, bool titled)
{
    for (size_t side = 0; side < PAIR_SIDES; ++side) {
        text_add(figure_layer(figure), "$spectra using 1:%zu with lines lc rgb '%s' lw 2 dt %d ", column + side,
                 figure_colours[side], side ? 2 : 1);
        figure_layer_title(figure, titled ? side : FIGURE_UNTITLED);
    }
    figure_end_panel(figure);
}

// Where the criterion looks: at an Omega of each method, or over a band.
static void add_places(Text *script, const Pairs *pairs)
{
    const double *at = pairs->omega_h;
    if (pairs->band[1] > 0.0) {
        add_shade(script, fmax(pairs->band[0], LEAST_OMEGA), fmin(pairs->band[1], LARGEST_OMEGA));
        return;
    }
    for (size_t side = 0; side < PAIR_SIDES; ++side)
        if (at[side] >= LEAST_OMEGA && at[side] <= LARGEST_OMEGA && (side == 0 || at[0] != at[1]))
            text_add(script, "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead dt 3 lc rgb '%s'\n",
                     at[side], at[side], at[0] == at[1] ? dark : figure_colours[side]);
}

static void add_spectra_panels(Figure *figure, const Pairs *pairs, FigureRange damping)
{
    static const char *const labels[CRITERION_COUNT] = {[CRITERION_RADIUS] = "damping of a step, -ln(radius)",
                                                        [CRITERION_DAMPING_RATIO] = "numerical damping ratio",
                                                        [CRITERION_DECAY] = "decay in time, -ln(radius)/Omega"};
    Text                    *script = &figure->script;
    text_add(script,
             "set xlabel 'Omega = omega h'\nset logscale x\nset format x '10^{%%T}'\nset xrange [%.9g:%.9g]\n"
             "set ylabel '%s'\n",
             LEAST_OMEGA, LARGEST_OMEGA, labels[shown_damping(pairs->criterion)]);
    if (damping.low < damping.high)
        text_add(script, "set logscale y\nset format y '10^{%%T}'\nset yrange [%.9g:%.9g]\n", 0.5 * damping.low,
                 2.0 * damping.high);
    else
        text_add(script, "set yrange [0:1]\n");
    add_places(script, pairs);
    figure_key(figure, 1, 10);
    add_curves(figure, 2, true);
    text_add(script, "unset logscale y\nset format y '%%g'\nset yrange [0:1.05]\nset ylabel 'spectral radius'\n");
    figure_key(figure, FIGURE_NO_KEY, 0);
    add_curves(figure, 4, false);
}

bool pairs_plot(const Pairs *pairs, const Pairs *curve, const Pair *pair, const char *stem, const Outputs *outputs,
                Error *err)
{
    const bool  spectra = pair && pairs->families[PAIR_FROM].theory && pairs->families[PAIR_TO].theory;
    FigureRange damping = figure_range(NULL, 0);
    Text        title = {0};
    Figure      figure = {.stem = stem,
                          .rows = 1,
                          .columns = spectra ? 3 : 1,
                          .panel = {spectra ? 380 : 560, 300},
                          .around = {90, 30, 60, 130},
                          .between = {95, 0},
                          .panel_entries = 1};
    text_add(&title, "Damping-equivalent parameters: ");
    pairs_words_equal(&title, pairs);
    figure.title = title.text;
    text_add(&figure.script, "set encoding utf8\n");
    bool ok = text_check(&title, err) && add_pairs(&figure, pairs, curve, err) &&
              (!spectra || add_spectra(&figure, pairs, pair, &damping, err));
    if (ok) {
        figure_begin(&figure);
        add_pairs_panel(&figure, pairs, curve, spectra ? pair : NULL);
        if (spectra)
            add_spectra_panels(&figure, pairs, damping);
        ok = figure_draw(&figure, outputs, err);
    }
    text_free(&title);
    figure_free(&figure);
    return ok;
}
