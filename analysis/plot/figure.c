// figure -- groups and metric of a picture, and the frame of its script.
#include "analysis/plot/figure.h"

#include "analysis/plot/gnuplot.h"
#include "base/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const figure_colours[PLOT_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000", "#999999"};

static const char rate_name[] = "updates_per_step";
enum { MOST_NAMES = 64, MOST_LABELS = 10, MOST_TITLE_LINES = 3, TITLE_LINE = 20, MOST_DECADES = 6 };
enum { NARROWEST = 320, TIC_CHARACTER = 8 };  // a panel and a character of its tics, in pixels

const char *figure_status_colour(int status)
{
    static const char *const colours[STATUS_COUNT] = {"#d9d9d9", "#21918c", "#e31a1c", "#fb6a4a",
                                                      "#ff1493", "#7f0000", "#000000"};
    return status >= 0 && status < STATUS_COUNT ? colours[status] : "#d9d9d9";
}

static PlotMetric find_metric(const Points *points, const char *name)
{
    const StoreVariable *variable = store_read_variable(points->group, name);
    if (variable && points_is_metric(points, variable))
        return (PlotMetric){.variable = variable, .name = variable->name, .unit = variable->unit};
    variable = strcmp(name, rate_name) == 0 ? store_read_variable(points->group, "updates") : NULL;
    if (variable && points_is_metric(points, variable))
        return (PlotMetric){.variable = variable, .name = "updates per step", .unit = "1", .per_step = true};
    return (PlotMetric){0};
}

static size_t give_metric(Figure *figure, const char *name)
{
    size_t found = 0;
    figure->metric = name;
    for (size_t i = 0; i < figure->group_count; ++i) {
        figure->groups[i].metric = find_metric(&figure->groups[i].points, name);
        found += figure->groups[i].metric.variable != NULL;
    }
    return found;
}

static bool choose_metric(Figure *figure, const char *wanted, Error *err)
{
    const char  *names[MOST_NAMES];
    const size_t count = figure->group_count ? points_metrics(&figure->groups[0].points, names, MOST_NAMES) : 0;
    if (wanted && give_metric(figure, wanted) == 0) {
        const char *near = suggest(wanted, names, count);
        return fail(err, ERROR_USAGE, "%s: no metric '%.100s' with one number per point; %s%s%s", figure->file.path,
                    wanted, near ? "did you mean '" : "see `pendula info`", near ? near : "", near ? "'?" : "");
    }
    // A file may hold nothing but statuses; these are drawn too.
    if (!wanted && give_metric(figure, rate_name) == 0)
        give_metric(figure, count > 0 ? names[0] : "status");
    return true;
}

bool figure_open(const char *path, const char *metric, Figure *figure, Error *err)
{
    if (!store_read_open(path, &figure->file, err) ||
        !store_read_text(&figure->file, NULL, "title", &figure->title, err))
        return false;
    figure->groups = calloc(figure->file.group_count + 1, sizeof *figure->groups);
    if (!figure->groups)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (; figure->group_count < figure->file.group_count; ++figure->group_count) {
        PlotGroup *group = &figure->groups[figure->group_count];
        if (!points_open(&figure->file, &figure->file.groups[figure->group_count], &group->points, err) ||
            !points_count(&group->points, group->counts, err))
            return false;
    }
    return choose_metric(figure, metric, err);
}

void figure_close(Figure *figure)
{
    // The group at which opening failed may be open too.
    for (size_t i = 0; figure->groups && i < figure->file.group_count; ++i)
        points_close(&figure->groups[i].points);
    free(figure->groups);
    free(figure->title);
    store_read_close(&figure->file);
    *figure = (Figure){0};
}

char *figure_make_stem(const char *name)
{
    const size_t length = strlen(name);
    const bool   ending =
        length >= 4 && (strcmp(name + length - 4, ".png") == 0 || strcmp(name + length - 4, ".svg") == 0);
    return strndup(name, ending ? length - 4 : length);
}

bool figure_check_name(const char *stem, Error *err)
{
    const char *slash = strrchr(stem, '/');
    for (const char *c = stem; *c; ++c)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return fail(err, ERROR_USAGE, "the name of a picture has a control character; choose another");
    return *(slash ? slash + 1 : stem) || fail(err, ERROR_USAGE, "the name of a picture is empty; choose one");
}

bool figure_check_stem(const Outputs *outputs, const char *stem, Error *err)
{
    return figure_check_name(stem, err) && gnuplot_check(outputs, stem, err);
}

double figure_value(const PlotGroup *group, uint64_t point, double number)
{
    return group->metric.per_step ? number / points_steps(&group->points, point) : number;
}

uint64_t figure_point(const Points *points, const size_t *index)
{
    uint64_t point = 0;
    if (points->zip)
        return index[0];
    for (size_t i = 0; i < points->axis_count; ++i)
        point = point * points->axes[i].count + index[i];
    return point;
}

void figure_place(Text *text, const Points *points, uint64_t point, const bool *show)
{
    size_t listed = 0;
    for (size_t i = 0; i < points->axis_count; ++i)
        if (!show || show[i])
            text_add(text, "%s%s = %.4g", listed++ ? ", " : "", points->axes[i].name,
                     points->axes[i].values[points_index(points, i, point)]);
}

void figure_name(Text *text, const char *name, const char *unit)
{
    text_add(text, *unit && strcmp(unit, "1") != 0 ? "%s [%s]" : "%s", name, unit);
}

bool figure_is_logarithmic(const double *values, size_t count)
{
    double least = INFINITY, most = 0.0, finest[2] = {INFINITY, INFINITY}, coarsest[2] = {0.0, 0.0};
    for (size_t i = 0; i < count; ++i) {
        if (!(values[i] > 0.0))
            return false;
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
        if (i == 0)
            continue;
        const double gaps[2] = {fabs(values[i] - values[i - 1]), fabs(log(values[i] / values[i - 1]))};
        for (int k = 0; k < 2; ++k) {
            finest[k] = fmin(finest[k], gaps[k]);
            coarsest[k] = fmax(coarsest[k], gaps[k]);
        }
    }
    return count > 1 && most >= 9.99 * least && (count == 2 || coarsest[1] * finest[0] < coarsest[0] * finest[1]);
}

unsigned figure_label_room(size_t characters)
{
    enum { SHORT = 5 };
    return characters > SHORT ? (unsigned)(characters - SHORT) * TIC_CHARACTER : 0;
}

size_t figure_longest_label(const double *values, size_t count)
{
    size_t longest = 0;
    char   label[32];
    for (size_t i = 0; i < count; ++i) {
        const int length = snprintf(label, sizeof label, "%.4g", values[i]);
        longest = (size_t)length > longest ? (size_t)length : longest;
    }
    return longest;
}

static void add_output(Text *script, const Figure *figure, const char *ending)
{
    const char *slash = strrchr(figure->path, '/');
    Text        name = {0};
    text_add(&name, "%s.%s", slash ? slash + 1 : figure->path, ending);
    text_add(script, "set output ");
    gnuplot_quote_name(script, name.text ? name.text : "");
    text_add(script, "\n");
    text_free(&name);
}

// The title and the notes, as lines of one text. Returns their number. Measured: 9 pixels a character.
static size_t add_head(Text *script, const Figure *figure, const PlotFrame *frame)
{
    const size_t width = figure_width(frame) / 9 - 2;
    size_t       lines = gnuplot_quote_lines(script, figure->title ? figure->title : "", width, MOST_TITLE_LINES);
    for (const char *note = frame->notes; note && *note; note += strcspn(note, "\n") + 1) {
        Text line = {0};
        text_add(&line, "%.*s", (int)strcspn(note, "\n"), note);
        text_add(script, ".\"\\n\".");
        lines += gnuplot_quote_lines(script, line.text ? line.text : "", width, MOST_TITLE_LINES);
        text_free(&line);
    }
    return lines;
}

void figure_fit(PlotFrame *frame, const Figure *figure, const Text *notes)
{
    Text head = {0};
    frame->notes = notes ? notes->text : NULL;
    frame->head = (unsigned)(TITLE_LINE * (add_head(&head, figure, frame) - 1));
    text_free(&head);
}

void figure_title(Text *script, const PlotFrame *frame, const char *title, const char *more)
{
    // Measured: 8 pixels a character.
    const size_t width = (frame->width + frame->between_columns / 2) / 8;
    text_add(script, "set title ");
    gnuplot_quote_lines(script, title, width, 1);
    if (more && *more) {
        text_add(script, ".\"\\n\".");
        gnuplot_quote_lines(script, more, width, 1);
    }
    text_add(script, " noenhanced\n");
}

unsigned figure_width(const PlotFrame *frame)
{
    return frame->left + frame->columns * (frame->width + frame->between_columns) - frame->between_columns +
           frame->right;
}

unsigned figure_height(const PlotFrame *frame)
{
    return frame->above + frame->head + frame->rows * (frame->height + frame->between_rows) - frame->between_rows +
           frame->below + frame->extra;
}

void figure_panel(Text *script, const PlotFrame *frame, size_t column, unsigned down)
{
    const unsigned width = figure_width(frame), height = figure_height(frame),
                   left = frame->left + (unsigned)column * (frame->width + frame->between_columns);
    const double top = 1.0 - (double)(frame->above + frame->head + down) / height;
    text_add(script,
             "set lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin at screen %.5f\n"
             "set bmargin at screen %.5f\n",
             (double)left / width, (double)(left + frame->width) / width, top, top - (double)frame->height / height);
}

void figure_key(Text *script, const PlotFrame *frame, int column, unsigned lift)
{
    double place = 0.5;
    if (column >= 0)
        place = (frame->left + (column + 0.5) * frame->width + column * (double)frame->between_columns) /
                figure_width(frame);
    text_add(script, "set key at screen %.5f,%.5f center bottom horizontal Left reverse samplen 2\n", place,
             (double)lift / figure_height(frame));
}

unsigned figure_key_height(const PlotFrame *frame, size_t entries, size_t longest)
{
    // Measured with this font: 8 pixels a character, 64 for the sample and the space between.
    const size_t fitting = frame->width / (8 * longest + 64), in_row = fitting > 1 ? fitting : 1;
    return entries > 1 ? (unsigned)(18 * ((entries + in_row - 1) / in_row)) : 0;
}

void figure_begin(Text *script, const Figure *figure, const PlotFrame *frame)
{
    const unsigned width = figure_width(frame), height = figure_height(frame);
    text_add(script,
             "do for [device in 'png svg'] {\n"
             "if (device eq 'png') {\n"
             "set terminal pngcairo size %u,%u font 'Sans,11' background rgb 'white'\n",
             width, height);
    add_output(script, figure, "png");
    text_add(script, "} else {\nset terminal svg size %u,%u font 'Sans,11' background rgb 'white'\n", width, height);
    add_output(script, figure, "svg");
    text_add(script, "}\nset multiplot ");
    if (!frame->placed)
        text_add(script, "layout %u,%u margins screen %.5f,%.5f,%.5f,%.5f spacing screen %.5f,%.5f ", frame->rows,
                 frame->columns, (double)frame->left / width, 1.0 - (double)frame->right / width,
                 (double)frame->below / height, 1.0 - (double)(frame->above + frame->head) / height,
                 (double)frame->between_columns / width, (double)frame->between_rows / height);
    text_add(script, "title ");
    add_head(script, figure, frame);
    text_add(script, " noenhanced font 'Sans,13'\n");
}

void figure_end(Text *script)
{
    text_add(script, "unset multiplot\nset output\n}\n");
}

// The part of an axis that a label of so many characters needs, with some room.
static double label_part(const char *which, size_t characters)
{
    return strcmp(which, "x") == 0 ? (double)((characters + 2) * TIC_CHARACTER) / NARROWEST : 0.05;
}

// The distance of tics whose labels do not run into each other.
static double find_step(const char *which, double low, double high)
{
    static const double parts[] = {1.0, 2.0, 5.0};
    const double        length = high - low;
    for (int power = (int)floor(log10(length)) - 1;; ++power)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
            const double step = parts[i] * pow(10.0, power);
            size_t       longest = 0;
            for (double n = ceil(low / step); n * step <= high && step > length / 100.0; n += 1.0) {
                char      label[32];
                const int characters = snprintf(label, sizeof label, "%g", n * step);
                longest = (size_t)characters > longest ? (size_t)characters : longest;
            }
            if (step >= length || (step > length / 8.0 && step / length >= label_part(which, longest)))
                return step;
        }
}

// Powers of ten, and where these are too few labels twice and five times as much too.
static void add_scale_tics(Text *script, const char *which, bool logarithmic, double low, double high)
{
    static const double parts[] = {1.0, 2.0, 5.0};
    const bool          narrow = logarithmic && high < 100.0 * low;
    text_add(script, "set %stics out nomirror autofreq\nset format %s '%s'\n", which, which,
             logarithmic && !narrow ? "10^{%L}" : "%g");
    if (!logarithmic && strcmp(which, "x") == 0 && high > low && isfinite(high - low))
        text_add(script, "set xtics %.9g\n", find_step(which, low, high));
    if (logarithmic && !narrow && strcmp(which, "x") == 0 && log10(high / low) > MOST_DECADES)
        text_add(script, "set xtics 1e%d\n", (int)ceil(log10(high / low) / MOST_DECADES));
    if (!narrow)
        return;
    // These tics alone: two labels at one place would be drawn over each other.
    text_add(script, "set %stics (", which);
    double last = -1.0;
    for (int power = (int)floor(log10(low)), listed = 0; pow(10.0, power) < high; ++power)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
            const double place = parts[i] * pow(10.0, power);
            if (place < low || place > high)
                continue;
            char         label[32];
            const size_t length = (size_t)snprintf(label, sizeof label, "%g", place);
            const double at = log(place / low) / log(high / low);
            const bool   labelled = at - last >= label_part(which, length);
            text_add(script, "%s'%s' %.9g", listed++ ? ", " : "", labelled ? label : "", place);
            last = labelled ? at : last;
        }
    text_add(script, ")\n");
}

static void add_scale(Text *script, const char *which, const char *label, bool logarithmic, double low, double high)
{
    text_add(script, "set %slabel ", which);
    gnuplot_quote(script, label);
    text_add(script, " noenhanced\nunset logscale %s\n", which);
    if (logarithmic)
        text_add(script, "set logscale %s\n", which);
    text_add(script, "set %srange [%.9g:%.9g]\n", which, low, high);
}

void figure_scale(Text *script, const char *which, const char *label, bool logarithmic, double low, double high)
{
    add_scale(script, which, label, logarithmic, low, high);
    add_scale_tics(script, which, logarithmic, low, high);
}

// Labels the values themselves where they are few, but for those that would run into the one before.
static void add_tics(Text *script, const char *which, const double *values, size_t count, double low, double high,
                     bool logarithmic)
{
    double last = -1.0;
    text_add(script, "set %stics out nomirror (", which);
    for (size_t i = 0; i < count; ++i) {
        const double place = logarithmic ? log(values[i] / low) / log(high / low) : (values[i] - low) / (high - low);
        char         label[32];
        const size_t length = (size_t)snprintf(label, sizeof label, "%.4g", values[i]);
        const bool   labelled = last < 0.0 || fabs(place - last) >= label_part(which, length);
        text_add(script, "%s'%s' %.9g", i ? ", " : "", labelled ? label : "", values[i]);
        last = labelled ? place : last;
    }
    text_add(script, ")\n");
}

void figure_axis(Text *script, const char *which, const char *label, const double *values, size_t count, double low,
                 double high)
{
    const bool logarithmic = figure_is_logarithmic(values, count);
    add_scale(script, which, label, logarithmic, low, high);
    if (count <= MOST_LABELS)
        add_tics(script, which, values, count, low, high, logarithmic);
    else
        add_scale_tics(script, which, logarithmic, low, high);
}
