// pareto_plot -- chooses panels and ranges, and writes the script.
#include "analysis/pareto_plot.h"

#include "analysis/gnuplot.h"
#include "analysis/plot_sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// More colours than curves need; for the colour-blind, who have the marks besides (Tol 2021).
static const char *const more_colours[] = {"#882255", "#44aa99", "#332288", "#ddcc77",
                                           "#661100", "#117733", "#aa4499", "#f0e442"};
enum { COLOURS = PLOT_COLOURS + sizeof more_colours / sizeof *more_colours };

// Filled marks and their outlines in gnuplot's numbers.
static const int marks[] = {7, 5, 9, 13}, outlines[] = {6, 4, 8, 12};
enum { MARKS = sizeof marks / sizeof *marks };

// Few points are drawn larger than many, of the cloud and of a panel's front.
enum { FEW = 1500, FEW_ON_FRONT = 40 };

// Points further out than so many times the front are not drawn: what has become unstable would leave it no room.
static const double reach = 100.0;

typedef struct Extent {
    bool   logarithmic;
    double low, high;  // with some room
} Extent;

typedef struct Picture {
    const Pareto *pareto;
    Extent        extents[2];
    size_t        panel_count;
    uint32_t      problems[PARETO_PLOT_PANELS];
    PlotFrame     frame;
    uint64_t      outside, at_edge;  // points that are not where they belong
} Picture;

static const char *colour_of(size_t group)
{
    const size_t colour = group % COLOURS;
    return colour < PLOT_COLOURS ? plot_colours[colour] : more_colours[colour - PLOT_COLOURS];
}

// Problems that have points, each a panel.
static bool find_panels(Picture *picture, Error *err)
{
    const FrontList *front = &picture->pareto->front;
    size_t           count = 0;
    for (size_t i = 0; i < front->count; ++i)
        if (i == 0 || front->items[i].problem != front->items[i - 1].problem) {
            if (count < PARETO_PLOT_PANELS)
                picture->problems[count] = front->items[i].problem;
            ++count;
        }
    picture->panel_count = count;
    if (count == 0)
        return fail(err, ERROR_USAGE, "nothing to draw: no point has a finite number for every objective");
    return count <= PARETO_PLOT_PANELS ||
           fail(err, ERROR_USAGE,
                "%zu problems, and a picture has room for %d; choose some with --at, or sum up with --over", count,
                PARETO_PLOT_PANELS);
}

static void widen(const FrontList *list, size_t objective, double *least, double *most, bool *negative)
{
    for (size_t i = 0; i < list->count; ++i) {
        const double value = list->items[i].values[objective];
        *negative = *negative || value < 0.0;
        *least = value > 0.0 ? fmin(*least, value) : *least;
        *most = fmax(*most, value);
    }
}

static Extent find_linear(const Pareto *pareto, size_t objective)
{
    const FrontList *lists[2] = {&pareto->front, &pareto->sample.list};
    double           low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < 2; ++k)
        for (size_t i = 0; i < lists[k]->count; ++i) {
            low = fmin(low, lists[k]->items[i].values[objective]);
            high = fmax(high, lists[k]->items[i].values[objective]);
        }
    const double room = high > low ? 0.04 * (high - low) : 1.0;
    return (Extent){false, low - room, high + room};
}

// Logarithmic, but where there are negative numbers, or none but zeros.
static Extent find_extent(const Pareto *pareto, size_t objective)
{
    double least = INFINITY, most = 0.0, furthest = 0.0;
    bool   negative = false;
    widen(&pareto->front, objective, &least, &most, &negative);
    furthest = most;
    widen(&pareto->sample.list, objective, &least, &furthest, &negative);
    if (negative || !isfinite(least))
        return find_linear(pareto, objective);
    most = most > 0.0 ? fmin(furthest, reach * most) : furthest;
    const double room = pow(fmax(most / least, 2.0), 0.04);
    return (Extent){true, least / room, most * room};
}

// Adds the place of a point; one at 0 lies on the edge of a logarithmic scale. False where it lies outside.
static bool add_place(Text *script, Picture *picture, const FrontPoint *point)
{
    double place[2];
    bool   at_edge = false;
    for (size_t k = 0; k < 2; ++k) {
        const Extent *extent = &picture->extents[k];
        if (point->values[k] > extent->high) {
            ++picture->outside;
            return false;
        }
        at_edge = at_edge || point->values[k] < extent->low;
        place[k] = fmax(point->values[k], extent->low);
    }
    picture->at_edge += at_edge;
    gnuplot_number(script, place[0]);
    text_add(script, " ");
    gnuplot_number(script, place[1]);
    text_add(script, "\n");
    return true;
}

// Adds a data block of a list's points of one problem and one group, or group_count for all of them. A block without
// any point would be an error.
static void add_block(Text *script, Picture *picture, const FrontList *list, const char *name, size_t panel,
                      size_t group, bool knees)
{
    size_t added = 0;
    text_add(script, "$%s%zu_%zu << END\n", name, panel, group);
    for (size_t i = 0; i < list->count; ++i) {
        const FrontPoint *point = &list->items[i];
        if (point->problem == picture->problems[panel] &&
            (group == picture->pareto->group_count || point->group == group) && (!knees || point->knee))
            added += add_place(script, picture, point);
    }
    text_add(script, "%sEND\n", added ? "" : "NaN NaN\n");
}

static void add_blocks(Text *script, Picture *picture)
{
    const Pareto *pareto = picture->pareto;
    for (size_t panel = 0; panel < picture->panel_count; ++panel) {
        for (size_t g = 0; g < pareto->group_count; ++g)
            add_block(script, picture, &pareto->sample.list, "cloud", panel, g, false);
        const uint64_t outside = picture->outside, at_edge = picture->at_edge;
        for (size_t g = 0; g < pareto->group_count; ++g)
            add_block(script, picture, &pareto->front, "front", panel, g, false);
        add_block(script, picture, &pareto->front, "line", panel, pareto->group_count, false);
        add_block(script, picture, &pareto->front, "knee", panel, pareto->group_count, true);
        // These were in the cloud already.
        picture->outside = outside;
        picture->at_edge = at_edge;
    }
}

// Powers of ten, and where these are too few labels twice and five times as much too.
static void add_tics(Text *script, const Extent *extent, const char *which)
{
    static const double parts[] = {1.0, 2.0, 5.0};
    const bool          narrow = extent->logarithmic && extent->high < 100.0 * extent->low;
    text_add(script, "set format %s '%s'\nset %stics out nomirror autofreq\n", which,
             extent->logarithmic && !narrow ? "10^{%L}" : "%g", which);
    if (!narrow)
        return;
    text_add(script, "set %stics add (", which);
    for (int power = (int)floor(log10(extent->low)), listed = 0; pow(10.0, power) < extent->high; ++power)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
            const double place = parts[i] * pow(10.0, power);
            if (place >= extent->low && place <= extent->high)
                text_add(script, "%s'%g' %.9g", listed++ ? ", " : "", place, place);
        }
    text_add(script, ")\n");
}

static void add_axis(Text *script, const Picture *picture, size_t objective)
{
    const Pareto        *pareto = picture->pareto;
    const Extent        *extent = &picture->extents[objective];
    const char          *which = objective == 0 ? "x" : "y", *name = pareto->objectives[objective], *unit = "";
    const StoreVariable *variable =
        store_read_variable(pareto->points[0].group, name + (strncmp(name, "abs:", 4) ? 0 : 4));
    Text label = {0};
    if (variable)
        unit = variable->unit;
    if (strncmp(name, "abs:", 4) == 0)
        text_add(&label, "|%s|", name + 4);
    else
        plot_name(&label, strcmp(name, "evaluations") == 0 ? "evaluations of the acceleration" : name, unit);
    text_add(script, "set %slabel ", which);
    gnuplot_quote(script, label.text ? label.text : "");
    text_add(script, " noenhanced\nunset logscale %s\n", which);
    if (extent->logarithmic)
        text_add(script, "set logscale %s\n", which);
    text_add(script, "set %srange [%.9g:%.9g]\nset m%stics\n", which, extent->low, extent->high, which);
    add_tics(script, extent, which);
    text_free(&label);
}

static void add_panel_title(Text *script, const Picture *picture, size_t panel)
{
    const Pareto     *pareto = picture->pareto;
    const FrontPoint *point = pareto->front.items;
    Text              title = {0};
    while (point->problem != picture->problems[panel])
        ++point;
    for (size_t i = 0; i < pareto->columns.problem_count; ++i) {
        const Column *column = &pareto->columns.items[i];
        const double  value = pareto_value(pareto, i, point);
        if (!pareto_shows(pareto, i) || isnan(value))
            continue;
        text_add(&title, "%s%s = ", title.length ? ", " : "", column->name);
        if (columns_word(column, value))
            text_add(&title, "%s", columns_word(column, value));
        else
            text_add(&title, "%.4g", value);
    }
    text_add(script, "set title ");
    gnuplot_quote(script, title.text ? title.text : "");
    text_add(script, " noenhanced offset 0,-0.6\n");
    text_free(&title);
}

static void add_title(Text *script, const char *title)
{
    text_add(script, " title ");
    gnuplot_quote(script, title);
    text_add(script, " noenhanced");
}

// The legend's lines: each group as it is on the front, the front, the knee.
static void add_key(Text *script, const Pareto *pareto)
{
    for (size_t g = 0; g < pareto->group_count; ++g) {
        text_add(script, ", \\\n  keyentry with points lc rgb '%s' pt %d ps 1.1", colour_of(g),
                 marks[g / PLOT_COLOURS % MARKS]);
        add_title(script, pareto->points[g].group->label);
    }
    if (pareto->objective_count == 2) {
        text_add(script, ", \\\n  keyentry with lines lc rgb '#404040' lw 1.3 title 'front'");
        text_add(script, ", \\\n  keyentry with points lc rgb '#000000' pt 6 ps 2.2 lw 1.5 title 'knee'");
    }
}

static void add_panel(Text *script, const Picture *picture, size_t panel)
{
    const Pareto *pareto = picture->pareto;
    add_panel_title(script, picture, panel);
    add_axis(script, picture, 0);
    add_axis(script, picture, 1);
    if (panel == 0)
        plot_key(script, &picture->frame, PLOT_ALL_COLUMNS, 10);
    else
        text_add(script, "unset key\n");
    text_add(script, "plot ");
    const bool few = pareto->sample.list.count < FEW;
    for (size_t g = 0; g < pareto->group_count; ++g)
        text_add(script, "$cloud%zu_%zu using 1:2 with points lc rgb '#%s%s' pt %d ps %s notitle, \\\n  ", panel, g,
                 few ? "60" : "a0", colour_of(g) + 1, marks[g / PLOT_COLOURS % MARKS], few ? "0.6" : "0.4");
    if (pareto->objective_count == 2)
        text_add(script, "$line%zu_%zu using 1:2 with steps lc rgb '#404040' lw 1.3 notitle, \\\n  ", panel,
                 pareto->group_count);
    const bool sparse = pareto->front.count <= FEW_ON_FRONT * picture->panel_count;
    for (size_t g = 0; g < pareto->group_count; ++g) {
        const size_t mark = g / PLOT_COLOURS % MARKS;
        text_add(script,
                 "$front%zu_%zu using 1:2 with points lc rgb '%s' pt %d ps %s notitle, \\\n  "
                 "$front%zu_%zu using 1:2 with points lc rgb '#000000' pt %d ps %s lw %s notitle, \\\n  ",
                 panel, g, colour_of(g), marks[mark], sparse ? "1.0" : "0.8", panel, g, outlines[mark],
                 sparse ? "1.0" : "0.8", sparse ? "0.7" : "0.3");
    }
    text_add(script, "$knee%zu_%zu using 1:2 with points lc rgb '#000000' pt 6 ps 2.2 lw 1.5 notitle", panel,
             pareto->group_count);
    if (panel == 0)
        add_key(script, pareto);
    text_add(script, "\n");
}

static void make_frame(Picture *picture)
{
    const Pareto *pareto = picture->pareto;
    const size_t  panels = picture->panel_count, columns = panels < 3 ? panels : panels == 4 ? 2 : 3;
    size_t        longest = 5;
    for (size_t g = 0; g < pareto->group_count; ++g) {
        const size_t length = strlen(pareto->points[g].group->label);
        longest = length > longest ? length : longest;
    }
    picture->frame = (PlotFrame){.rows = (unsigned)((panels + columns - 1) / columns),
                                 .columns = (unsigned)columns,
                                 .width = columns == 1 ? 640 : 380,
                                 .height = columns == 1 ? 420 : 290,
                                 .left = 100,
                                 .right = 30,
                                 .above = 75,
                                 .between_columns = 100,
                                 .between_rows = 95};
    picture->frame.below = 80 + plot_key_height(&picture->frame, pareto->group_count + 2, longest);
}

static void make_title(Text *title, const Pareto *pareto)
{
    if (pareto->title && *pareto->title)
        text_add(title, "%.80s: ", pareto->title);
    text_add(title, "%s against %s", pareto->objectives[1], pareto->objectives[0]);
    if (pareto->request->over != PARETO_EACH)
        text_add(title, ", %s of %zu problems", pareto->request->over == PARETO_WORST ? "worst" : "median",
                 pareto->problem_count);
    if (pareto->objective_count > 2)
        text_add(title, ", front of %zu objectives", pareto->objective_count);
}

static void say(const Picture *picture, const char *stem, Text *said)
{
    const Pareto *pareto = picture->pareto;
    text_add(said, "%s.png, %s.svg; script %s.gp\n", stem, stem, stem);
    if (pareto->sample.list.count < pareto->compared)
        text_add(said, "  of %" PRIu64 " points %zu are drawn beside the front\n", pareto->compared,
                 pareto->sample.list.count);
    if (picture->outside)
        text_add(said, "  %" PRIu64 " of these lie outside, beyond %g times the front\n", picture->outside, reach);
    if (picture->at_edge)
        text_add(said, "  %" PRIu64 " of these have a 0, drawn at the edge\n", picture->at_edge);
}

bool pareto_plot(const Pareto *pareto, const char *stem, Text *said, Error *err)
{
    Picture picture = {.pareto = pareto};
    Text    script = {0}, title = {0};
    if (!gnuplot_check_stem(stem, err) || !find_panels(&picture, err))
        return false;
    for (size_t k = 0; k < 2; ++k)
        picture.extents[k] = find_extent(pareto, k);
    make_frame(&picture);
    make_title(&title, pareto);
    const PlotSheet sheet = {.title = title.text, .path = stem};
    text_add(&script, "set encoding utf8\n");
    add_blocks(&script, &picture);
    plot_begin(&script, &sheet, &picture.frame);
    for (size_t panel = 0; panel < picture.panel_count; ++panel)
        add_panel(&script, &picture, panel);
    plot_end(&script);
    const bool ok = text_check(&title, err) && gnuplot_draw(stem, &script, err);
    if (ok)
        say(&picture, stem, said);
    text_free(&title);
    text_free(&script);
    return ok;
}
