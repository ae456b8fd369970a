// advise_print -- one table for the front, one for each target; a work-precision diagram of error over evaluations.
#include "analysis/advise/advise.h"
#include "analysis/plot/figure.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *label_of(const Advice *advice, const Choice *choice)
{
    return advice->study->plan.groups[choice->group].label;
}

// "rho_inf = 0.5": the parameters of a choice that the study varies, or nothing.
static void add_parameters(const Advice *advice, const Choice *choice, Text *text)
{
    const Group *group = &advice->study->plan.groups[choice->group];
    bool         some = false;
    for (size_t i = 0; i < group->axis_count; ++i)
        if (group->axes[i].role == AXIS_METHOD) {
            text_add(text, "%s%s = %.4g", some ? ", " : "", group->axes[i].name,
                     group_axis_value(group, i, choice->point));
            some = true;
        }
}

static void add_choice(const Advice *advice, Table *table, const Choice *choice)
{
    Text parameters = {0};
    add_parameters(advice, choice, &parameters);
    table_number(table, "error", choice->error);
    table_number(table, "evaluations", choice->evaluations);
    table_number(table, "updates", choice->updates);
    if (table->format == FORMAT_TEXT)
        table_number(table, "seconds", choice->seconds * 1e6);
    else
        table_number(table, "seconds", choice->seconds);
    table_number(table, "step", choice->step);
    table_whole(table, "steps", (int64_t)choice->steps);
    table_word(table, "method", label_of(advice, choice));
    table_word(table, "parameters", parameters.text ? parameters.text : "");
    table->text->failed = table->text->failed || parameters.failed;
    text_free(&parameters);
}

static const TableColumn text_columns[] = {
    {.name = "error", .gap = 2, .width = 9, .digits = 3},
    {.name = "evaluations", .gap = 2, .width = 11, .digits = 6},
    {.name = "seconds", .heading = "us/point", .gap = 2, .width = 9, .digits = 3},
    {.name = "step", .gap = 2, .width = 10, .digits = 4},
    {.name = "method", .gap = 2, .width = 20, .left = true},
    {.name = "parameters", .gap = 1, .left = true}};

static void begin_text(Table *table, Text *text)
{
    *table = (Table){TABLE(text, FORMAT_TEXT, text_columns)};
    table_begin(table);
    table_heading(table);
}

static void add_row(const Advice *advice, Table *table, size_t index)
{
    table_row(table);
    add_choice(advice, table, &advice->choices[index]);
    table_end_row(table);
}

static size_t fastest(const Advice *advice, size_t target)
{
    size_t found = 0;
    for (size_t i = 1; i < advise_shown(advice, target); ++i)
        if (advice->choices[advice->best[target][i]].seconds < advice->choices[advice->best[target][found]].seconds)
            found = i;
    return found;
}

// Steps that are advised reach as far beyond the finest of the study as it does beyond the sweep's own.
enum { FINER = 64 };

// How near the study comes to an error that nothing reaches, and steps that go on from its finest.
static void add_unreached(const Advice *advice, Text *text)
{
    const AdviseStudy *study = advice->study;
    const uint64_t     finest = study->steps[study->step_count - 1];
    text_add(text, "no choice of the study");
    if (advice->front_count > 0) {
        const Choice *least = &advice->choices[advice->front[advice->front_count - 1]];
        text_add(text, "; the least error is %.3g, by %s with a step of %.4g", least->error, label_of(advice, least),
                 least->step);
    }
    text_add(text, "; finer steps may reach it: --steps %" PRIu64 ",%" PRIu64 "\n", 2 * finest, FINER * finest);
}

// Of a method that was asked for and does not reach a target: its least error.
static void add_failing(const Advice *advice, size_t target, const char *method, Text *text)
{
    double least = (double)INFINITY;
    for (size_t i = 0; i < advice->best_count[target]; ++i)
        if (strcmp(label_of(advice, &advice->choices[advice->best[target][i]]), method) == 0)
            return;
    for (size_t i = 0; i < advice->choice_count; ++i)
        if (strcmp(label_of(advice, &advice->choices[i]), method) == 0)
            least = fmin(least, advice->choices[i].error);
    if (isfinite(least))
        text_add(text, "  not by %s, whose least error is %.3g\n", method, least);
    else
        text_add(text, "  not by %s\n", method);
}

static void add_target(const Advice *advice, size_t target, Text *text)
{
    const size_t *best = advice->best[target], count = advice->best_count[target];
    Table         table;
    text_add(text, "\nfor an error of %g: ", advice->request->targets[target]);
    if (count == 0) {
        add_unreached(advice, text);
        return;
    }
    const size_t  quick = fastest(advice, target);
    const Choice *first = &advice->choices[best[0]], *second = &advice->choices[best[quick]];
    text_add(text, "%s with a step of %.4g", label_of(advice, first), first->step);
    if (quick > 0)
        text_add(text, "; in time %s with a step of %.4g", label_of(advice, second), second->step);
    text_add(text, "\n");
    begin_text(&table, text);
    for (size_t i = 0; i < advise_shown(advice, target); ++i)
        add_row(advice, &table, best[i]);
    table_end(&table);
    if (count > advise_shown(advice, target))
        text_add(text, "  of %zu methods that reach it\n", count);
    for (size_t i = 0; i < advice->request->study.method_count; ++i)
        add_failing(advice, target, advice->request->study.methods[i], text);
}

static void add_summary(const Advice *advice, Text *text)
{
    const AdviseRequest *request = advice->request;
    const AdviseStudy   *study = advice->study;
    const Plan          *plan = &study->plan;
    text_add(text, "%s: %zu methods, %zu steps from %.4g to %.4g, %s of %" PRIu64 " point%s\n", plan->problem->name,
             plan->group_count, study->step_count, advice->choices[0].steps ? group_step(&plan->groups[0], 0) : 0.0,
             group_step(&plan->groups[0], plan->groups[0].point_count - 1), request->study.error,
             advice->problem_points,
             advice->problem_points == 1 ? ""
             : request->median           ? "s, the median"
                                         : "s, the largest");
    if (advice->unsolved > 0)
        text_add(text, "  %" PRIu64 " solutions would take too long: their points do not count\n", advice->unsolved);
    text_add(text, "\nfront: nothing has a smaller error at no more evaluations; each row at least halves the error\n");
}

static void add_refused(const AdviseStudy *study, Text *text)
{
    if (study->refused_count == 0)
        return;
    text_add(text, "\nleft out: ");
    for (size_t i = 0; i < study->refused_count; ++i)
        text_add(text, "%s%s", i > 0 ? ", " : "", study->refused[i].method);
    text_add(text, "\n  %s: %s\n", study->refused[0].method, study->refused[0].why);
}

static void add_front(const Advice *advice, Table *table)
{
    double error;
    for (size_t i = 0; i < advice->front_count; ++i)
        if (advise_shows_front(advice, i, &error))
            add_row(advice, table, advice->front[i]);
}

static void print_text(const Advice *advice, Text *text)
{
    Table table;
    add_summary(advice, text);
    begin_text(&table, text);
    add_front(advice, &table);
    table_end(&table);
    for (size_t t = 0; t < advice->request->target_count; ++t)
        add_target(advice, t, text);
    add_refused(advice->study, text);
}

static void add_record(const Advice *advice, Table *table, const char *kind, double target, size_t index)
{
    table_row(table);
    table_word(table, "kind", kind);
    if (!isnan(target))
        table_number(table, "target", target);
    add_choice(advice, table, &advice->choices[index]);
    table_end_row(table);
}

bool advise_print(const Advice *advice, Format format, Text *text, Error *err)
{
    static const TableColumn columns[] = {
        {.name = "kind"},    {.name = "target"}, {.name = "error"}, {.name = "evaluations"}, {.name = "updates"},
        {.name = "seconds"}, {.name = "step"},   {.name = "steps"}, {.name = "method"},      {.name = "parameters"}};
    if (format == FORMAT_TEXT) {
        print_text(advice, text);
        return text_check(text, err);
    }
    Table table = {TABLE(text, format, columns)};
    table_begin(&table);
    for (size_t i = 0; i < advice->front_count; ++i)
        add_record(advice, &table, "front", (double)NAN, advice->front[i]);
    for (size_t t = 0; t < advice->request->target_count; ++t)
        for (size_t i = 0; i < advice->best_count[t]; ++i)
            add_record(advice, &table, "best", advice->request->targets[t], advice->best[t][i]);
    table_end(&table);
    return text_check(text, err);
}

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
