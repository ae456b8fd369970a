// pairs_plot -- gnuplot script of pairs: one panel of the parameters, two over Omega.
#include "analysis/pairs/pairs_plot.h"

#include "analysis/plot/gnuplot.h"
#include "analysis/pairs/by_eye.h"
#include "analysis/pairs/pairs_words.h"
#include "analysis/plot/figure.h"

#include <math.h>
#include <stdlib.h>

enum { OMEGAS = 241, MOST_MARKED = 60 };
#define LEAST_OMEGA 0.03
#define LARGEST_OMEGA 1000.0

// Less damping is rounding of the eigenvalues.
#define LEAST_DAMPING 1e-13

static const char grey[] = "#e9e9e9", dark[] = "#555555", light[] = "#56b4e9";

// A part of an axis.
typedef struct PairsExtent {
    double low, high;
} PairsExtent;

static void take_in(PairsExtent *extent, double value)
{
    if (!isfinite(value))
        return;
    extent->low = fmin(extent->low, value);
    extent->high = fmax(extent->high, value);
}

static PairsExtent widen(PairsExtent extent)
{
    const double length = extent.high - extent.low, room = length > 0.0 ? 0.04 * length : 0.05;
    return isfinite(length) ? (PairsExtent){extent.low - room, extent.high + room} : (PairsExtent){0.0, 1.0};
}

static int by_from(const void *a, const void *b)
{
    const double left = (*(const Pair *const *)a)->from, right = (*(const Pair *const *)b)->from;
    return (left > right) - (left < right);
}

// The pairs in ascending order of FROM's parameter; to be freed.
static const Pair **sort_pairs(const Pairs *pairs, Error *err)
{
    const Pair **sorted = calloc(pairs->count + 1, sizeof *sorted);
    for (size_t i = 0; sorted && i < pairs->count; ++i)
        sorted[i] = &pairs->pairs[i];
    if (sorted)
        qsort(sorted, pairs->count, sizeof *sorted, by_from);
    else
        fail(err, ERROR_INTERNAL, "out of memory");
    return sorted;
}

const Pair *pairs_plot_choose(const Pairs *pairs, double value)
{
    const Pair *chosen = NULL;
    double      least = (double)INFINITY;
    PairsExtent extent = {(double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < pairs->count; ++i)
        if (!isnan(pairs->pairs[i].to))
            take_in(&extent, pairs->pairs[i].from);
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

static void add_numbers(Text *script, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        text_add(script, "%s", i ? " " : "");
        gnuplot_number(script, numbers[i]);
    }
    text_add(script, "\n");
}

static void add_pairs(Text *script, const Pairs *pairs, const Pairs *curve, const Pair *const *sorted)
{
    ByEye        seen[BY_EYE];
    const size_t seen_count = by_eye_list(pairs, seen);
    text_add(script, "$curve << END\n");
    for (size_t i = 0; i < curve->count; ++i) {
        text_add(script, "%s", i > 0 && !joined(sorted[i - 1], sorted[i]) ? "\n" : "");
        if (!isnan(sorted[i]->to))
            add_numbers(script, (double[]){sorted[i]->from, sorted[i]->to}, 2);
    }
    text_add(script, "END\n$further << END\n");
    for (size_t i = 0; i < curve->count; ++i)
        for (size_t r = 0; r < sorted[i]->root_count; ++r)
            add_numbers(script, (double[]){sorted[i]->from, sorted[i]->roots[r].at}, 2);
    text_add(script, "END\n$pairs << END\n");
    for (size_t i = 0; i < pairs->count; ++i)
        if (!isnan(pairs->pairs[i].to))
            add_numbers(script, (double[]){pairs->pairs[i].from, pairs->pairs[i].to}, 2);
    text_add(script, "END\n$seen << END\n");
    for (size_t i = 0; i < seen_count; ++i)
        add_numbers(script, (double[]){seen[i].from, seen[i].to}, 2);
    text_add(script, "END\n");
}

// The criterion whose number the second panel shows.
static Criterion shown_damping(Criterion criterion)
{
    return criterion == CRITERION_DAMPING_RATIO                               ? CRITERION_DAMPING_RATIO
           : criterion == CRITERION_DECAY || criterion == CRITERION_MAX_DECAY ? CRITERION_DECAY
                                                                              : CRITERION_RADIUS;
}

// Omega, then damping and radius of either method.
static bool add_spectra(Text *script, const Pairs *pairs, const Pair *pair, PairsExtent *damping, Error *err)
{
    const Criterion criterion = shown_damping(pairs->criterion);
    const double    values[PAIR_SIDES] = {pair->from, pair->to};
    double         *parameters[PAIR_SIDES] = {NULL, NULL};
    bool            ok = true;
    for (size_t side = 0; ok && side < PAIR_SIDES; ++side) {
        const Family *family = &pairs->families[side];
        parameters[side] = calloc(family->method->parameter_count + 1, sizeof *parameters[side]);
        ok = parameters[side] != NULL || fail(err, ERROR_INTERNAL, "out of memory");
        if (ok)
            family_at(family, values[side], parameters[side]);
    }
    text_add(script, "$spectra << END\n");
    for (size_t i = 0; ok && i < OMEGAS; ++i) {
        const double omega_h = LEAST_OMEGA * pow(LARGEST_OMEGA / LEAST_OMEGA, (double)i / (OMEGAS - 1));
        double       row[1 + 2 * PAIR_SIDES] = {omega_h};
        for (size_t side = 0; side < PAIR_SIDES; ++side) {
            const Theory *theory = pairs->families[side].theory;
            const double  number = criterion_number(criterion, theory, parameters[side], omega_h);
            row[1 + side] = number > LEAST_DAMPING ? number : (double)NAN;
            row[3 + side] = exp(-criterion_number(CRITERION_RADIUS, theory, parameters[side], omega_h));
            take_in(damping, row[1 + side]);
        }
        add_numbers(script, row, sizeof row / sizeof *row);
    }
    text_add(script, "END\n");
    for (size_t side = 0; side < PAIR_SIDES; ++side)
        free(parameters[side]);
    return ok;
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

// Shades what lies between the ranges and within FROM's: there are no equivalents. Whether there is such a part.
static bool shade_rest(Text *script, const Pairs *pairs, PairsExtent x)
{
    double from = fmax(x.low, pairs->families[PAIR_FROM].least);
    bool   shaded = false;
    for (size_t i = 0; i < pairs->range_count; ++i) {
        shaded = add_shade(script, from, fmin(pairs->ranges[i].low, x.high)) || shaded;
        from = fmax(from, pairs->ranges[i].high);
    }
    return (pairs->range_count && add_shade(script, from, fmin(x.high, pairs->families[PAIR_FROM].most))) || shaded;
}

static void add_label(Text *script, const char *which, const Family *family)
{
    Text label = {0};
    text_add(&label, "%s of %s", family_parameter(family)->name, family->method->name);
    text_add(script, "set %slabel ", which);
    gnuplot_quote(script, label.text ? label.text : "");
    text_add(script, " noenhanced\n");
    text_free(&label);
}

static void take_in_pairs(const Pairs *pairs, PairsExtent *x, PairsExtent *y)
{
    for (size_t i = 0; i < pairs->count; ++i) {
        const Pair *pair = &pairs->pairs[i];
        take_in(x, pair->from);
        take_in(y, pair->to);
        for (size_t r = 0; r < pair->root_count; ++r)
            take_in(y, pair->roots[r].at);
    }
}

static bool has_further(const Pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; ++i)
        if (pairs->pairs[i].root_count > 0)
            return true;
    return false;
}

static void add_pairs_panel(Text *script, const Pairs *pairs, const Pairs *curve, const Pair *pair,
                            const PlotFrame *frame)
{
    ByEye        seen[BY_EYE];
    const size_t seen_count = by_eye_list(pairs, seen);
    PairsExtent  x = {(double)INFINITY, -(double)INFINITY}, y = x;
    take_in_pairs(pairs, &x, &y);
    take_in_pairs(curve, &x, &y);
    x = widen(x);
    for (size_t i = 0; i < seen_count; ++i)
        if (seen[i].from >= x.low && seen[i].from <= x.high)
            take_in(&y, seen[i].to);
    y = widen(y);
    add_label(script, "x", &pairs->families[PAIR_FROM]);
    add_label(script, "y", &pairs->families[PAIR_TO]);
    text_add(script, "unset logscale\nset format '%%g'\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", x.low,
             x.high, y.low, y.high);
    const bool shaded = shade_rest(script, pairs, x);
    figure_key(script, frame, 0, 10);
    text_add(script, "plot $curve using 1:2 with lines lc rgb '%s' lw 2 title 'equivalent'", figure_colours[0]);
    if (pairs->count <= MOST_MARKED)
        text_add(script, ", \\\n  $pairs using 1:2 with points lc rgb '%s' pt 7 ps 0.7 notitle", figure_colours[0]);
    if (has_further(curve))
        text_add(script, ", \\\n  $further using 1:2 with points lc rgb '%s' pt 7 ps 0.3 title 'further ones'", light);
    if (seen_count)
        text_add(script, ", \\\n  $seen using 1:2 with points lc rgb '%s' lw 1.5 pt 12 ps 1.4 title 'by eye (Wu 2018)'",
                 figure_colours[1]);
    if (shaded)
        text_add(script,
                 ", \\\n  keyentry with boxes fillcolor rgb '%s' fillstyle solid noborder title 'no equivalent'", grey);
    if (pair) {
        text_add(script, ", \\\n  '+' using (%.9g):(%.9g) every ::0::0 with points lc rgb 'black' lw 1.5 pt 6 ps 1.6 ",
                 pair->from, pair->to);
        text_add(script, "title 'drawn at right'");
    }
    text_add(script, "\nunset object\n");
}

static void add_curves(Text *script, const Pairs *pairs, const Pair *pair, size_t column, bool titled)
{
    const double values[PAIR_SIDES] = {pair->from, pair->to};
    for (size_t side = 0; side < PAIR_SIDES; ++side) {
        const Family *family = &pairs->families[side];
        Text          name = {0};
        text_add(&name, "%s, %s = %.4g", family->method->name, family_parameter(family)->name, values[side]);
        text_add(script, "%s$spectra using 1:%zu with lines lc rgb '%s' lw 2 dt %d ", side ? ", \\\n  " : "plot ",
                 column + side, figure_colours[side], side ? 2 : 1);
        text_add(script, titled ? "title " : "notitle");
        if (titled) {
            gnuplot_quote(script, name.text ? name.text : "");
            text_add(script, " noenhanced");
        }
        text_free(&name);
    }
    text_add(script, "\n");
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

static void add_spectra_panels(Text *script, const Pairs *pairs, const Pair *pair, const PlotFrame *frame,
                               PairsExtent damping)
{
    static const char *const labels[CRITERION_COUNT] = {[CRITERION_RADIUS] = "damping of a step, -ln(radius)",
                                                        [CRITERION_DAMPING_RATIO] = "numerical damping ratio",
                                                        [CRITERION_DECAY] = "decay in time, -ln(radius)/Omega"};
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
    figure_key(script, frame, 1, 10);
    add_curves(script, pairs, pair, 2, true);
    text_add(script, "unset logscale y\nset format y '%%g'\nset yrange [0:1.05]\nset ylabel 'spectral radius'\n"
                     "unset key\n");
    add_curves(script, pairs, pair, 4, false);
}

bool pairs_plot(const Pairs *pairs, const Pairs *curve, const Pair *pair, const char *stem, const Outputs *outputs,
                Error *err)
{
    const bool   spectra = pair && pairs->families[PAIR_FROM].theory && pairs->families[PAIR_TO].theory;
    PairsExtent  damping = {(double)INFINITY, -(double)INFINITY};
    Text         title = {0}, script = {0};
    const Pair **sorted = sort_pairs(curve, err);
    PlotFrame    frame = {.rows = 1,
                          .columns = spectra ? 3 : 1,
                          .width = 380,
                          .height = 300,
                          .left = 90,
                          .right = 30,
                          .above = 60,
                          .below = 130,
                          .between_columns = 95};
    if (!spectra)
        frame.width = 560;
    text_add(&title, "Damping-equivalent parameters: ");
    pairs_words_equal(&title, pairs);
    bool ok = sorted && figure_check_name(stem, err) && text_check(&title, err);
    if (ok) {
        const Figure figure = {.title = title.text, .path = stem};
        text_add(&script, "set encoding utf8\n");
        add_pairs(&script, pairs, curve, sorted);
        ok = !spectra || add_spectra(&script, pairs, pair, &damping, err);
        figure_begin(&script, &figure, &frame);
        add_pairs_panel(&script, pairs, curve, spectra ? pair : NULL, &frame);
        if (spectra)
            add_spectra_panels(&script, pairs, pair, &frame, damping);
        figure_end(&script);
    }
    ok = ok && gnuplot_draw(outputs, stem, &script, err);
    free(sorted);
    text_free(&title);
    text_free(&script);
    return ok;
}
