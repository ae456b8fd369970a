// figure -- script of a picture: its head, its frame, its legend, and the axes of its panels.
#include "analysis/plot/figure.h"

#include "base/json.h"
#include "base/sort.h"
#include "plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const figure_colours[FIGURE_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                    "#e69f00", "#56b4e9", "#000000", "#999999"};

enum { MOST_LABELS = 10, MOST_TITLE_LINES = 3, TITLE_LINE = 20, MOST_DECADES = 6, MOST_PLACES = 9 };
enum { NARROWEST = 320, TIC_CHARACTER = 8, SHORT_TIC = 5 };  // a panel and a character of its tics, in pixels

bool figure_take_stem(const char *option, char *name, void *stem, Error *err)
{
    (void)option;
    (void)err;
    char *ending = strrchr(name, '.');
    if (ending && (strcmp(ending, ".png") == 0 || strcmp(ending, ".svg") == 0))
        *ending = '\0';
    *(const char **)stem = name;
    return true;
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
    return figure_check_name(stem, err) && gnuplot_check(outputs, stem, 0, err);
}

void figure_free(Figure *figure)
{
    for (size_t i = 0; i < figure->entry_count; ++i)
        text_free(&figure->entries[i]);
    free(figure->entries);
    text_free(&figure->script);
    text_free(&figure->notes);
    arena_free(&figure->arena);
}

FigureRange figure_range(const double *values, size_t count)
{
    FigureRange range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < count; ++i)
        figure_take_in(&range, values[i]);
    return range;
}

void figure_take_in(FigureRange *range, double value)
{
    if (!isfinite(value))
        return;
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

FigureRange figure_widen(FigureRange range, double part, double otherwise)
{
    const double room = range.high > range.low ? part * (range.high - range.low) : otherwise;
    return (FigureRange){range.low - room, range.high + room};
}

FigureRange figure_limit(const double limits[2], FigureRange otherwise)
{
    return limits[0] < limits[1] ? (FigureRange){limits[0], limits[1]} : otherwise;
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

void figure_edges(const double *values, size_t count, double *edges)
{
    const bool logarithmic = figure_is_logarithmic(values, count);
    double    *sorted = edges + 1;
    memcpy(sorted, values, count * sizeof *values);
    if (count == 1) {
        edges[0] = values[0] - 0.5;
        edges[1] = values[0] + 0.5;
        return;
    }
    sort_numbers(sorted, count);
    for (size_t i = 0; logarithmic && i < count; ++i)
        sorted[i] = log(sorted[i]);
    const double last_gap = (sorted[count - 1] - sorted[count - 2]) / 2.0, last = sorted[count - 1];
    edges[0] = sorted[0] - (sorted[1] - sorted[0]) / 2.0;
    for (size_t i = 1; i < count; ++i)
        edges[i] = (edges[i] + edges[i + 1]) / 2.0;
    edges[count] = last + last_gap;
    for (size_t i = 0; logarithmic && i <= count; ++i)
        edges[i] = exp(edges[i]);
}

size_t figure_cell(const double *edges, size_t count, double value)
{
    size_t low = 0, end = count;
    while (end - low > 1) {
        const size_t middle = low + (end - low) / 2;
        if (edges[middle] <= value)
            low = middle;
        else
            end = middle;
    }
    return low;
}

void figure_label(Figure *figure, const double *values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        figure_word(figure, (size_t)snprintf(NULL, 0, "%.4g", values[i]));
}

void figure_word(Figure *figure, size_t characters)
{
    figure->longest = characters > figure->longest ? characters : figure->longest;
}

Text *figure_entry(Figure *figure)
{
    Text *grown = realloc(figure->entries, (figure->entry_count + 1) * sizeof *grown);
    if (!grown) {
        figure->script.failed = true;
        return &figure->script;
    }
    figure->entries = grown;
    figure->entries[figure->entry_count] = (Text){0};
    return &figure->entries[figure->entry_count++];
}

static unsigned width_of(const Figure *figure)
{
    return figure->around.left + figure->columns * (figure->panel.width + figure->between.width) -
           figure->between.width + figure->around.right;
}

static unsigned height_of(const Figure *figure)
{
    return figure->around.above + figure->head + figure->rows * (figure->panel.height + figure->between.height) -
           figure->between.height + figure->around.below + figure->extra;
}

// gnuplot fills the legend's rows no wider than a panel.
static unsigned legend_height(const Figure *figure)
{
    const size_t entries = figure->panel_entries ? figure->panel_entries : figure->entry_count;
    size_t       longest = 0;
    for (size_t i = 0; i < figure->entry_count; ++i)
        longest = figure->entries[i].length > longest ? figure->entries[i].length : longest;
    // Measured with this font: 8 pixels a character, 64 for the sample and the space between.
    const size_t fitting = figure->panel.width / (8 * longest + 64), in_row = fitting > 1 ? fitting : 1;
    return entries > (figure->legend ? 0 : 1) ? (unsigned)(18 * ((entries + in_row - 1) / in_row)) : 0;
}

static void add_output(Text *script, const Figure *figure, const char *ending)
{
    const char *slash = strrchr(figure->stem, '/');
    text_add(script, "set output ");
    gnuplot_quote_name(script, slash ? slash + 1 : figure->stem, ending);
    text_add(script, "\n");
}

// gnuplot's terminals, and how many of the picture's pixels are their unit of length: an inch of a page.
static const struct {
    unsigned    format;
    const char *ending, *name;
    unsigned    pixels;
} terminals[] = {
    {FIGURE_PNG, ".png", "pngcairo", 1}, {FIGURE_SVG, ".svg", "svg", 1}, {FIGURE_PDF, ".pdf", "pdfcairo", 72}};

// The title and the notes, as lines of one text. Returns their number. Measured: 9 pixels a character.
static size_t add_head(Text *script, const Figure *figure)
{
    const size_t width = width_of(figure) / 9 - 2;
    size_t       lines = gnuplot_quote_lines(script, figure->title, width, MOST_TITLE_LINES);
    for (const char *note = figure->notes.text; note && *note; note += strcspn(note, "\n") + 1) {
        Text line = {0};
        text_add(&line, "%.*s", (int)strcspn(note, "\n"), note);
        text_add(script, ".\"\\n\".");
        lines += gnuplot_quote_lines(script, line.text, width, MOST_TITLE_LINES);
        text_free(&line);
    }
    return lines;
}

static void add_terminal(Figure *figure, size_t number, FigureSize size)
{
    Text *script = &figure->script;
    text_add(script, "if (device eq '%s') {\nset terminal %s size ", terminals[number].ending + 1,
             terminals[number].name);
    if (terminals[number].pixels == 1)
        text_add(script, "%u,%u", size.width, size.height);
    else
        text_add(script, "%.4fin,%.4fin", (double)size.width / terminals[number].pixels,
                 (double)size.height / terminals[number].pixels);
    text_add(script, " font 'Sans,11' background rgb 'white'\n");
    add_output(script, figure, terminals[number].ending);
    text_add(script, "}\n");
}

// Begins the loop over the formats.
static void add_terminals(Figure *figure, FigureSize size)
{
    const unsigned formats = figure->svg ? FIGURE_SVG : gnuplot_formats(figure->formats);
    Text          *script = &figure->script;
    size_t         made = 0;
    text_add(script, "do for [device in '");
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; ++i)
        if (formats & terminals[i].format)
            text_add(script, "%s%s", made++ ? " " : "", terminals[i].ending + 1);
    text_add(script, "'] {\n");
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; ++i)
        if (formats & terminals[i].format)
            add_terminal(figure, i, size);
}

void figure_begin(Figure *figure)
{
    Text          *script = &figure->script, head = {0};
    const unsigned room = figure->longest > SHORT_TIC ? (unsigned)(figure->longest - SHORT_TIC) * TIC_CHARACTER : 0;
    figure->around.left += room;
    figure->between.width += room;
    const size_t lines = add_head(&head, figure);
    figure->head = figure->fits ? (unsigned)(TITLE_LINE * (lines - 1)) : 0;
    figure->around.below += legend_height(figure);
    const unsigned width = width_of(figure), height = height_of(figure);
    add_terminals(figure, (FigureSize){width, height});
    text_add(script, "set multiplot ");
    if (!figure->placed)
        text_add(script, "layout %u,%u margins screen %.5f,%.5f,%.5f,%.5f spacing screen %.5f,%.5f ", figure->rows,
                 figure->columns, (double)figure->around.left / width, 1.0 - (double)figure->around.right / width,
                 (double)figure->around.below / height, 1.0 - (double)(figure->around.above + figure->head) / height,
                 (double)figure->between.width / width, (double)figure->between.height / height);
    text_add(script, "title %s noenhanced font 'Sans,13'\n", head.text ? head.text : "''");
    text_free(&head);
}

void figure_place(Figure *figure, size_t column, unsigned down)
{
    const unsigned width = width_of(figure), height = height_of(figure),
                   left = figure->around.left + (unsigned)column * (figure->panel.width + figure->between.width);
    const double top = 1.0 - (double)(figure->around.above + figure->head + down) / height;
    figure->panel_left = left;
    figure->panel_top = figure->around.above + figure->head + down;
    text_add(&figure->script,
             "set lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin at screen %.5f\n"
             "set bmargin at screen %.5f\n",
             (double)left / width, (double)(left + figure->panel.width) / width, top,
             top - (double)figure->panel.height / height);
}

void figure_title(Figure *figure, const char *title, Text *more)
{
    // Measured: 8 pixels a character.
    const size_t width = (figure->panel.width + figure->between.width / 2) / 8;
    text_add(&figure->script, "set title ");
    gnuplot_quote_lines(&figure->script, title, width, 1);
    if (more->length) {
        text_add(&figure->script, ".\"\\n\".");
        gnuplot_quote_lines(&figure->script, more->text, width, 1);
    }
    text_add(&figure->script, " noenhanced\n");
    text_free(more);
}

void figure_key(Figure *figure, int column, unsigned lift)
{
    double place = 0.5;
    if (column == FIGURE_NO_KEY) {
        text_add(&figure->script, "unset key\n");
        return;
    }
    if (column >= 0)
        place = (figure->around.left + (column + 0.5) * figure->panel.width + column * (double)figure->between.width) /
                width_of(figure);
    text_add(&figure->script, "set key at screen %.5f,%.5f center bottom horizontal Left reverse samplen 2\n", place,
             (double)lift / height_of(figure));
}

void figure_box(Figure *figure)
{
    enum { GAP = 22, WIDTH = 20 };
    const double width = width_of(figure), height = height_of(figure);
    text_add(&figure->script, "set colorbox user origin screen %.5f,%.5f size screen %.5f,%.5f\n",
             (width - figure->around.right + GAP) / width,
             1.0 - (double)(figure->around.above + figure->head + figure->panel.height) / height, WIDTH / width,
             (double)figure->panel.height / height);
}

void figure_caption(Figure *figure, Text *caption)
{
    text_add(&figure->script, "set label 1 ");
    gnuplot_quote(&figure->script, caption->text);
    text_add(&figure->script, " at screen 0.5, screen %.5f center noenhanced font 'Sans,10' textcolor rgb '#555555'\n",
             16.0 / height_of(figure));
    text_free(caption);
}

Text *figure_layer(Figure *figure)
{
    text_add(&figure->script, figure->layers++ ? ", \\\n  " : "plot ");
    return &figure->script;
}

void figure_layer_title(Figure *figure, size_t entry)
{
    if (entry == FIGURE_UNTITLED) {
        text_add(&figure->script, "notitle");
        return;
    }
    gnuplot_label(&figure->script, "title ", entry < figure->entry_count ? figure->entries[entry].text : NULL, "");
}

static bool begin_spot(FigureSvg *svg, size_t panel, const double *numbers, size_t count)
{
    if (svg->spot_count > FIGURE_SPOTS || ++svg->spot_count > FIGURE_SPOTS)
        return false;
    text_add(&svg->spots, "%s[%zu", svg->spot_count > 1 ? "," : "", panel);
    for (size_t i = 0; i < count; ++i) {
        text_add(&svg->spots, ",");
        json_number(&svg->spots, numbers[i]);
    }
    return true;
}

void figure_spot(Figure *figure, size_t panel, double x, double y, double value)
{
    FigureSvg *svg = figure->svg;
    if (svg && begin_spot(svg, panel, (double[]){x, y, value}, 3))
        text_add(&svg->spots, "]");
}

size_t figure_spot_label(Figure *figure, const char *label)
{
    FigureSvg *svg = figure->svg;
    if (!svg)
        return 0;
    text_add(&svg->labels, "%s", svg->label_count ? "," : "");
    json_string(&svg->labels, label ? label : "");
    return svg->label_count++;
}

void figure_spot_labelled(Figure *figure, double x, double y, size_t label)
{
    FigureSvg *svg = figure->svg;
    if (svg && isfinite(x) && isfinite(y) && begin_spot(svg, figure->panel_number, (double[]){x, y}, 2))
        text_add(&svg->spots, ",null,%zu]", label);
}

// A status other than ok is a string, its number: a cell without a value says why.
static void add_cell(Text *cells, double status, const double *number)
{
    if (!number || status != (double)STATUS_OK)
        text_add(cells, "\"%d\"", status >= 0.0 && status < STATUS_COUNT ? (int)status : (int)STATUS_NOT_RUN);
    else if (isfinite(*number))
        text_add(cells, "%.6g", *number);
    else
        text_add(cells, "null");
}

void figure_map(Figure *figure, size_t panel, const FigureMap *map)
{
    FigureSvg   *svg = figure->svg;
    const size_t cells = map->count[0] * map->count[1];
    if (!svg || svg->cell_count + cells > FIGURE_CELLS)
        return;
    svg->cell_count += cells;
    text_add(&svg->maps, "%s{\"panel\":%zu,\"group\":", svg->map_count++ ? "," : "", panel);
    json_string(&svg->maps, map->group);
    text_add(&svg->maps, ",\"first\":%" PRIu64 ",\"each\":[%" PRIu64 ",%" PRIu64 "]", map->first, map->each[0],
             map->each[1]);
    for (size_t k = 0; k < 2; ++k) {
        text_add(&svg->maps, ",\"%s\":[", k ? "y" : "x");
        for (size_t i = 0; i < map->count[k]; ++i) {
            text_add(&svg->maps, "%s", i ? "," : "");
            json_number(&svg->maps, map->values[k][i]);
        }
        text_add(&svg->maps, "]");
    }
    text_add(&svg->maps, ",\"cells\":[");
    for (size_t i = 0; i < cells; ++i) {
        text_add(&svg->maps, "%s", i ? "," : "");
        add_cell(&svg->maps, map->statuses[i], map->numbers ? &map->numbers[i] : NULL);
    }
    text_add(&svg->maps, "]}");
}

static void add_panel(Figure *figure)
{
    Text          *panels = &figure->svg->panels;
    const size_t   column = figure->panel_number % figure->columns, row = figure->panel_number / figure->columns;
    const unsigned left = figure->placed
                              ? figure->panel_left
                              : figure->around.left + (unsigned)column * (figure->panel.width + figure->between.width);
    const unsigned top = figure->placed ? figure->panel_top
                                        : figure->around.above + figure->head +
                                              (unsigned)row * (figure->panel.height + figure->between.height);
    text_add(panels, "%s{\"box\":[%u,%u,%u,%u]", figure->panel_number ? "," : "", left, top, figure->panel.width,
             figure->panel.height);
    for (size_t i = 0; i < 2; ++i) {
        const FigureScale *scale = &figure->scales[i];
        if (!(scale->low < scale->high))
            continue;
        text_add(panels, ",\"%s\":{\"label\":", i ? "y" : "x");
        json_string(panels, scale->label);
        text_add(panels, ",\"log\":%s,\"low\":", scale->logarithmic ? "true" : "false");
        json_number(panels, scale->low);
        text_add(panels, ",\"high\":");
        json_number(panels, scale->high);
        text_add(panels, "}");
    }
    text_add(panels, "}");
}

void figure_end_panel(Figure *figure)
{
    text_add(&figure->script, "\n");
    if (figure->svg)
        add_panel(figure);
    figure->layers = 0;
    ++figure->panel_number;
    figure->scales[0] = figure->scales[1] = (FigureScale){0};
}

bool figure_draw(Figure *figure, const Outputs *outputs, Error *err)
{
    text_add(&figure->script, "unset multiplot\nset output\n}\n");
    if (!text_check(&figure->notes, err))
        return false;
    return figure->svg ? gnuplot_draw_svg(figure->svg->folder, figure->stem, &figure->script, &figure->svg->text, err)
                       : gnuplot_draw(outputs, figure->stem, figure->formats, &figure->script, err);
}

void figure_free_svg(FigureSvg *svg)
{
    text_free(&svg->text);
    text_free(&svg->panels);
    text_free(&svg->spots);
    text_free(&svg->labels);
    text_free(&svg->maps);
    *svg = (FigureSvg){0};
}

// The part of an axis that a label of so many characters needs, with some room.
static double label_part(const char *which, size_t characters)
{
    return strcmp(which, "x") == 0 ? (double)((characters + 2) * TIC_CHARACTER) / NARROWEST : 0.05;
}

static const double parts[] = {1.0, 2.0, 5.0};

// The distance of tics whose labels do not run into each other.
static double find_step(const char *which, double low, double high)
{
    const double length = high - low;
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

// Labels some values, except a label that would run into the one before.
static void add_tics(Text *script, const char *which, const char *style, const double *values, size_t count,
                     FigureRange range, bool logarithmic)
{
    double last = -1.0;
    text_add(script, "set %stics %s(", which, style);
    for (size_t i = 0; i < count; ++i) {
        const double place = logarithmic ? log(values[i] / range.low) / log(range.high / range.low)
                                         : (values[i] - range.low) / (range.high - range.low);
        char         label[32];
        const size_t length = (size_t)snprintf(label, sizeof label, "%.4g", values[i]);
        const bool   labelled = last < 0.0 || fabs(place - last) >= label_part(which, length);
        text_add(script, "%s'%s' %.9g", i ? ", " : "", labelled ? label : "", values[i]);
        last = labelled ? place : last;
    }
    text_add(script, ")\n");
}

// Powers of ten, and where these are too few labels twice and five times as much too.
static void add_scale_tics(Text *script, const char *which, bool logarithmic, FigureRange range)
{
    const bool   narrow = logarithmic && range.high < 100.0 * range.low, along = strcmp(which, "x") == 0;
    const double length = range.high - range.low;
    text_add(script, "set %stics out nomirror autofreq\nset format %s '%s'\n", which, which,
             logarithmic && !narrow ? "10^{%L}" : "%g");
    if (!logarithmic && along && length > 0.0 && isfinite(length))
        text_add(script, "set xtics %.9g\n", find_step(which, range.low, range.high));
    if (logarithmic && !narrow && along && log10(range.high / range.low) > MOST_DECADES)
        text_add(script, "set xtics 1e%d\n", (int)ceil(log10(range.high / range.low) / MOST_DECADES));
    if (!narrow)
        return;
    // These tics alone: two labels at one place would be drawn over each other.
    double places[MOST_PLACES];
    size_t count = 0;
    for (int power = (int)floor(log10(range.low)); pow(10.0, power) < range.high; ++power)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
            const double place = parts[i] * pow(10.0, power);
            if (place >= range.low && place <= range.high && count < MOST_PLACES)
                places[count++] = place;
        }
    add_tics(script, which, "", places, count, range, true);
}

void figure_span(Figure *figure, const char *which, const char *label, const char *unit, bool logarithmic,
                 FigureRange range)
{
    FigureScale *scale = &figure->scales[strcmp(which, "x") == 0 ? 0 : 1];
    *scale = (FigureScale){.logarithmic = logarithmic, .low = range.low, .high = range.high};
    snprintf(scale->label, sizeof scale->label, *unit && strcmp(unit, "1") != 0 ? "%s [%s]" : "%s", label ? label : "",
             unit);
}

static void add_scale(Figure *figure, const char *which, const char *label, const char *unit, bool logarithmic,
                      FigureRange range)
{
    Text *script = &figure->script;
    figure_span(figure, which, label, unit, logarithmic, range);
    text_add(script, "set %s", which);
    gnuplot_label(script, "label ", label, unit);
    text_add(script, "\nunset logscale %s\n", which);
    if (logarithmic)
        text_add(script, "set logscale %s\n", which);
    text_add(script, "set %srange [%.9g:%.9g]\n", which, range.low, range.high);
}

void figure_scale(Figure *figure, const char *which, const char *label, const char *unit, bool logarithmic,
                  FigureRange range)
{
    add_scale(figure, which, label, unit, logarithmic, range);
    add_scale_tics(&figure->script, which, logarithmic, range);
}

void figure_axis(Figure *figure, const char *which, const char *label, const char *unit, const double *values,
                 size_t count, FigureRange range)
{
    const bool logarithmic = figure_is_logarithmic(values, count);
    add_scale(figure, which, label, unit, logarithmic, range);
    if (count <= MOST_LABELS)
        add_tics(&figure->script, which, "out nomirror ", values, count, range, logarithmic);
    else
        add_scale_tics(&figure->script, which, logarithmic, range);
}
