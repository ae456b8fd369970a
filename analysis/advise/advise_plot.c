// advise_plot -- work-precision diagram: the best choices of each method, error over evaluations.
#include "analysis/advise/advise.h"

#include "analysis/plot/figure.h"

#include <math.h>
#include <stdlib.h>

enum { FEW = 3 };  // methods for each target that have a colour before the methods of the front

typedef struct WorkPicture {
    const Advice *advice;
    Figure        figure;
    bool         *coloured;  // [group_count]
    FigureRange   errors, evaluations;
} WorkPicture;

// A choice that another of its method beats is not drawn.
static bool is_beaten(const Advice *advice, size_t index)
{
    const Choice *choice = &advice->choices[index];
    for (size_t i = 0; i < advice->choice_count; ++i) {
        const Choice *other = &advice->choices[i];
        if (other->group == choice->group && other->evaluations <= choice->evaluations &&
            other->error <= choice->error &&
            (other->evaluations < choice->evaluations || other->error < choice->error || i < index))
            return true;
    }
    return false;
}

static int by_evaluations(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

// A data block of the method's own front. Errors of 0 have no place on the scale.
static bool add_block(WorkPicture *picture, size_t g, Error *err)
{
    const Advice *advice = picture->advice;
    Text         *script = &picture->figure.script;
    double(*places)[2] = arena_take(&picture->figure.arena, advice->choice_count, sizeof *places, err);
    size_t count = 0;
    if (!places)
        return false;
    for (size_t i = 0; i < advice->choice_count; ++i) {
        const Choice *choice = &advice->choices[i];
        if (choice->group != g || !isfinite(choice->error) || !(choice->error > 0.0) || is_beaten(advice, i))
            continue;
        places[count][0] = choice->evaluations;
        places[count++][1] = choice->error;
        figure_take_in(&picture->evaluations, choice->evaluations);
        figure_take_in(&picture->errors, choice->error);
    }
    qsort(places, count, sizeof *places, by_evaluations);
    text_add(script, "$method%zu << END\n", g);
    for (size_t i = 0; i < count; ++i)
        gnuplot_numbers(script, places[i], 2);
    text_add(script, "NaN NaN\nEND\n");
    return true;
}

static void colour(WorkPicture *picture, size_t choice, size_t *count)
{
    bool *coloured = &picture->coloured[picture->advice->choices[choice].group];
    if (*coloured || *count == FIGURE_COLOURS)
        return;
    *coloured = true;
    ++*count;
}

// First the cheapest for each target, then the second of each, and so on; then the front.
static void find_coloured(WorkPicture *picture)
{
    const Advice *advice = picture->advice;
    size_t        count = 0;
    for (size_t rank = 0; rank < FEW; ++rank)
        for (size_t t = 0; t < advice->request->target_count; ++t)
            if (rank < advice->best_count[t])
                colour(picture, advice->best[t][rank], &count);
    for (size_t i = 0; i < advice->front_count; ++i)
        colour(picture, advice->front[i], &count);
}

static void add_layers(WorkPicture *picture)
{
    const Plan *plan = &picture->advice->study->plan;
    Figure     *figure = &picture->figure;
    size_t      entry = 0;
    for (size_t g = 0; g < plan->group_count; ++g)
        if (!picture->coloured[g])
            text_add(figure_layer(figure), "$method%zu using 1:2 with lines lc rgb '#c0c0c0' lw 1 notitle", g);
    for (size_t t = 0; t < picture->advice->request->target_count; ++t) {
        const double target = picture->advice->request->targets[t];
        if (target > picture->errors.low && target < picture->errors.high) {
            text_add(figure_layer(figure), "%.17g with lines lc rgb '#808080' dt 3 lw 1 notitle", target);
        }
    }
    for (size_t g = 0; g < plan->group_count; ++g)
        if (picture->coloured[g]) {
            text_add(figure_layer(figure), "$method%zu using 1:2 with linespoints lc rgb '%s' pt 7 ps 0.7 lw 1.6 ", g,
                     figure_colours[entry]);
            figure_layer_title(figure, entry++);
        }
}

bool advise_plot(const Advice *advice, const char *stem, const Outputs *outputs, Text *said, Error *err)
{
    const Plan *plan = &advice->study->plan;
    WorkPicture picture = {.advice = advice,
                           .figure = {.title = plan->title,
                                      .stem = stem,
                                      .rows = 1,
                                      .columns = 1,
                                      .panel = {640, 420},
                                      .around = {90, 30, 60, 80}},
                           .errors = figure_range(NULL, 0),
                           .evaluations = figure_range(NULL, 0)};
    picture.coloured = arena_take(&picture.figure.arena, plan->group_count, sizeof *picture.coloured, err);
    bool ok = picture.coloured != NULL;
    text_add(&picture.figure.script, "set encoding utf8\n");
    for (size_t g = 0; ok && g < plan->group_count; ++g)
        ok = add_block(&picture, g, err);
    if (ok) {
        Figure *figure = &picture.figure;
        find_coloured(&picture);
        for (size_t g = 0; g < plan->group_count; ++g)
            if (picture.coloured[g])
                text_add(figure_entry(figure), "%s", plan->groups[g].label);
        figure_begin(figure);
        figure_scale(figure, "x", "evaluations", "", true,
                     (FigureRange){picture.evaluations.low * 0.8, picture.evaluations.high * 1.25});
        figure_scale(figure, "y", advice->request->study.error, "", true,
                     (FigureRange){picture.errors.low * 0.5, fmin(picture.errors.high, 1e3) * 2.0});
        figure_key(figure, FIGURE_ALL_COLUMNS, 10);
        add_layers(&picture);
        figure_end_panel(figure);
        ok = figure_draw(figure, outputs, err);
    }
    if (ok)
        text_add(said, "%s.png, %s.svg; script %s.gp\n", stem, stem, stem);
    figure_free(&picture.figure);
    return ok;
}
