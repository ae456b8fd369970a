// pareto_plot -- gnuplot script of a front: its panels and their ranges.
#include "analysis/pareto/pareto.h"

#include "analysis/plot/figure.h"
#include "base/sort.h"

#include <inttypes.h>
#include <math.h>

// Few points are drawn larger than many, of the cloud and of a panel's front.
enum { FEW = 1500, FEW_ON_FRONT = 40 };

// Points further out than so many times the front and half of the points are not drawn: results that became unstable
// would leave the others no room.
static const double reach = 100.0;

typedef struct Extent {
    bool        logarithmic;
    FigureRange range;  // with some room
} Extent;

typedef struct ParetoPicture {
    const Pareto *pareto;
    Extent        extents[2];
    size_t        panel_count;
    uint32_t      problems[PARETO_PLOT_PANELS];
    Figure        figure;
    uint64_t      outside, at_edge;  // points that are not where they belong
} ParetoPicture;

static const char *colour_of(size_t group)
{
    return figure_colours[group % FIGURE_COLOURS];
}

// Filled marks in gnuplot's numbers, another where colours begin again.
static int mark_of(size_t group)
{
    static const int marks[] = {7, 5, 9, 13};
    return marks[group / FIGURE_COLOURS % (sizeof marks / sizeof *marks)];
}

// Problems that have points, each a panel.
static bool find_panels(ParetoPicture *picture, Error *err)
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

static double find_median(const FrontList *list, size_t objective)
{
    double       values[PARETO_PLOT_POINTS] = {0};
    const size_t count = list->count < PARETO_PLOT_POINTS ? list->count : PARETO_PLOT_POINTS;
    for (size_t i = 0; i < count; ++i)
        values[i] = list->items[i].values[objective];
    sort_numbers(values, count);
    return values[count / 2];
}

// Logarithmic, but where there are negative numbers, or none but zeros.
static Extent find_extent(const Pareto *pareto, size_t objective)
{
    const FrontList *lists[] = {&pareto->front, &pareto->sample};
    FigureRange      ranges[] = {figure_range(NULL, 0), figure_range(NULL, 0)}, positive = ranges[0];
    for (size_t k = 0; k < 2; ++k)
        for (size_t i = 0; i < lists[k]->count; ++i) {
            const double value = lists[k]->items[i].values[objective];
            figure_take_in(&ranges[k], value);
            figure_take_in(&positive, value > 0.0 ? value : (double)NAN);
        }
    const FigureRange all = {fmin(ranges[0].low, ranges[1].low), fmax(ranges[0].high, ranges[1].high)};
    if (all.low < 0.0 || isinf(positive.low))
        return (Extent){false, figure_widen(all, 0.04, 1.0)};
    const double usual = fmax(ranges[0].high, find_median(&pareto->sample, objective)),
                 most = usual > 0.0 ? fmin(all.high, reach * usual) : all.high,
                 room = pow(fmax(most / positive.low, 2.0), 0.04);
    return (Extent){true, {positive.low / room, most * room}};
}

// Adds the place of a point; one at 0 lies on the edge of a logarithmic scale.
static void add_place(ParetoPicture *picture, const FrontPoint *point)
{
    double numbers[4] = {[2] = (double)point->group, [3] = point->knee};
    bool   outside = false, at_edge = false;
    for (size_t k = 0; k < 2; ++k) {
        const FigureRange range = picture->extents[k].range;
        outside = outside || point->values[k] > range.high;
        at_edge = at_edge || point->values[k] < range.low;
        numbers[k] = fmax(point->values[k], range.low);
    }
    picture->outside += outside;
    picture->at_edge += at_edge && !outside;
    if (!outside)
        gnuplot_numbers(&picture->figure.script, numbers, 4);
}

// A data block of the points in each panel: place, group, whether it is the knee. One without any would be an error.
static void add_blocks(ParetoPicture *picture, const FrontList *list, const char *name)
{
    Text *script = &picture->figure.script;
    picture->outside = picture->at_edge = 0;
    for (size_t panel = 0; panel < picture->panel_count; ++panel) {
        text_add(script, "$%s%zu << END\n", name, panel);
        for (size_t i = 0; i < list->count; ++i)
            if (list->items[i].problem == picture->problems[panel])
                add_place(picture, &list->items[i]);
        text_add(script, "NaN NaN 0 0\nEND\n");
    }
}

static void add_axis(ParetoPicture *picture, size_t objective)
{
    const Pareto        *pareto = picture->pareto;
    const Extent        *extent = &picture->extents[objective];
    const char          *name = pareto->objectives[objective], *metric = pareto_metric(name);
    size_t               component;
    const StoreGroup    *group = pareto->points[0].group;
    const StoreVariable *variable = store_read_address(group, metric, &component);
    Text                 label = {0};
    text_add(&label, metric == name ? "%s" : "|%s|", metric);
    figure_scale(&picture->figure, objective ? "y" : "x", label.text,
                 variable ? store_read_unit(group, variable, component) : "", extent->logarithmic, extent->range);
    text_free(&label);
}

static void add_panel_title(ParetoPicture *picture, size_t panel)
{
    const Pareto     *pareto = picture->pareto;
    const FrontPoint *point = pareto->front.items;
    Text              title = {0};
    while (point->problem != picture->problems[panel])
        ++point;
    for (size_t i = 0; i < pareto->columns.problem_count; ++i) {
        double      value;
        const char *word = pareto_value(pareto, i, point, &value);
        if (!pareto_shows(pareto, i) || isnan(value))
            continue;
        text_add(&title, "%s%s = ", title.length ? ", " : "", pareto->columns.items[i].name);
        if (word)
            text_add(&title, "%s", word);
        else
            text_add(&title, "%.4g", value);
    }
    if (pareto->request->over != PARETO_EACH)
        text_add(&title, "%s of %zu problems", pareto->request->over == PARETO_WORST ? "worst" : "median",
                 pareto->problem_count);
    if (pareto->objective_count > 2)
        text_add(&title, "%sfront of %zu objectives", title.length ? ", " : "", pareto->objective_count);
    gnuplot_label(&picture->figure.script, "set title ", title.text, "");
    text_free(&title);
    text_add(&picture->figure.script, " offset 0,-0.6\n");
}

// The legend's lines: each group as it is on the front, the front, the knee.
static void add_key(Figure *figure, const Pareto *pareto)
{
    for (size_t g = 0; g < pareto->group_count; ++g) {
        text_add(figure_layer(figure), "keyentry with points lc rgb '%s' pt %d ps 1.1 ", colour_of(g), mark_of(g));
        figure_layer_title(figure, g);
    }
    if (pareto->objective_count == 2) {
        text_add(figure_layer(figure), "keyentry with lines lc rgb '#404040' lw 1.3 title 'front'");
        text_add(figure_layer(figure), "keyentry with points lc rgb '#000000' pt 6 ps 2.2 lw 1.5 title 'knee'");
    }
}

static void add_panel(ParetoPicture *picture, size_t panel)
{
    const Pareto *pareto = picture->pareto;
    Figure       *figure = &picture->figure;
    const bool    few = pareto->sample.count < FEW, sparse = pareto->front.count <= FEW_ON_FRONT * picture->panel_count;
    const char   *size = sparse ? "1.0" : "0.8";
    add_panel_title(picture, panel);
    add_axis(picture, 0);
    add_axis(picture, 1);
    figure_key(figure, panel == 0 ? FIGURE_ALL_COLUMNS : FIGURE_NO_KEY, 10);
    for (size_t g = 0; g < pareto->group_count; ++g)
        text_add(figure_layer(figure),
                 "$cloud%zu using 1:($3==%zu?$2:NaN) with points lc rgb '#%s%s' pt %d ps %s notitle", panel, g,
                 few ? "60" : "a0", colour_of(g) + 1, mark_of(g), few ? "0.6" : "0.4");
    if (pareto->objective_count == 2)
        text_add(figure_layer(figure), "$front%zu using 1:2 with steps lc rgb '#404040' lw 1.3 notitle", panel);
    // gnuplot numbers an outline one below its filled mark.
    for (size_t g = 0; g < pareto->group_count; ++g) {
        text_add(figure_layer(figure), "$front%zu using 1:($3==%zu?$2:NaN) with points lc rgb '%s' pt %d ps %s notitle",
                 panel, g, colour_of(g), mark_of(g), size);
        text_add(figure_layer(figure),
                 "'' using 1:($3==%zu?$2:NaN) with points lc rgb '#000000' pt %d ps %s lw %s notitle", g,
                 mark_of(g) - 1, size, sparse ? "0.7" : "0.3");
    }
    text_add(figure_layer(figure),
             "$front%zu using 1:($4==1?$2:NaN) with points lc rgb '#000000' pt 6 ps 2.2 lw 1.5 notitle", panel);
    if (panel == 0)
        add_key(figure, pareto);
    figure_end_panel(figure);
}

// The front and the knee have room in the legend also where they are not named.
static void make_figure(ParetoPicture *picture, const char *stem)
{
    const Pareto *pareto = picture->pareto;
    const size_t  panels = picture->panel_count, columns = panels < 3 ? panels : panels == 4 ? 2 : 3;
    picture->figure = (Figure){.title = pareto->title,
                               .stem = stem,
                               .rows = (unsigned)((panels + columns - 1) / columns),
                               .columns = (unsigned)columns,
                               .panel = {columns == 1 ? 640 : 380, columns == 1 ? 420 : 290},
                               .around = {100, 30, 75, 80},
                               .between = {100, 95}};
    for (size_t g = 0; g < pareto->group_count + 2; ++g)
        text_add(figure_entry(&picture->figure), "%s",
                 g < pareto->group_count ? pareto->points[g].group->label : "front");
}

static void say(const ParetoPicture *picture, const char *stem, Text *said)
{
    const Pareto *pareto = picture->pareto;
    text_add(said, "%s.png, %s.svg; script %s.gp\n", stem, stem, stem);
    if (pareto->sample.count < pareto->compared)
        text_add(said, "  of %" PRIu64 " points %zu are drawn beside the front\n", pareto->compared,
                 pareto->sample.count);
    if (picture->outside)
        text_add(said, "  %" PRIu64 " of these lie outside, beyond %g times the front and half of them\n",
                 picture->outside, reach);
    if (picture->at_edge)
        text_add(said, "  %" PRIu64 " of these have a 0, drawn at the edge\n", picture->at_edge);
}

bool pareto_plot(const Pareto *pareto, const char *stem, const Outputs *outputs, Text *said, Error *err)
{
    ParetoPicture picture = {.pareto = pareto};
    if (!find_panels(&picture, err))
        return false;
    for (size_t k = 0; k < 2; ++k)
        picture.extents[k] = find_extent(pareto, k);
    make_figure(&picture, stem);
    text_add(&picture.figure.script, "set encoding utf8\n");
    add_blocks(&picture, &pareto->front, "front");
    add_blocks(&picture, &pareto->sample, "cloud");
    figure_begin(&picture.figure);
    for (size_t panel = 0; panel < picture.panel_count; ++panel)
        add_panel(&picture, panel);
    const bool ok = figure_draw(&picture.figure, outputs, err);
    if (ok)
        say(&picture, stem, said);
    figure_free(&picture.figure);
    return ok;
}
