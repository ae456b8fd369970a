// refine -- which axes are halved, the charts, a cell in the values of its axes; rounds: the points that all charts of
// a group want, run together, and their classes given back.
#include "analysis/refine/refine.h"

#include "base/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHARTS = 1 << 16 };

void refine_add_class(const RefineRequest *request, size_t class, Text *text)
{
    const size_t levels = request->level_count;
    if (request->what == REFINE_STATUS)
        text_add(text, "%s", plan_status_names[class]);
    else if (request->what == REFINE_OK)
        text_add(text, class == 0 ? "ok" : "failed");
    else if (class > levels)
        text_add(text, class == levels + 1 ? "failed" : "no number");
    else if (class == 0 || class == levels)
        text_add(text, "%s %.6g", class == 0 ? "below" : "above", request->level[class == 0 ? 0 : levels - 1]);
    else
        text_add(text, "%.6g to %.6g", request->level[class - 1], request->level[class]);
}

static bool can_be_halved(const Group *group, const Axis *axis, const char **why)
{
    bool rises = true, falls = true;
    for (size_t i = 0; axis->values && i + 1 < axis->count; ++i) {
        rises = rises && axis->values[i] < axis->values[i + 1];
        falls = falls && axis->values[i] > axis->values[i + 1];
    }
    *why = group->dims[axis->dim].together ? "its values go together with another axis's"
           : axis->count < 2               ? "it has one value"
           : axis->whole                   ? "its values are whole numbers"
           : !rises && !falls              ? "its values neither rise nor fall"
                                           : NULL;
    return !*why;
}

static bool add_axis(Refinement *refinement, size_t number, Error *err)
{
    const Group *group = refinement->group;
    const Axis  *axis = &group->axes[number];
    if (refinement->axis_count == CELLS_AXES)
        return fail(err, ERROR_INPUT,
                    "%s: group '%s' has more than %d axes to halve: name those to halve by --along; the values of the "
                    "others then make charts",
                    refinement->request->path, group->label, CELLS_AXES);
    refinement->axes[refinement->axis_count++] =
        (RefineAxis){.axis = axis, .number = number, .logarithmic = axis->form == FORM_LOG};
    return true;
}

static bool fail_axis(const Refinement *refinement, const char *option, const char *name, Error *err)
{
    const Group *group = refinement->group;
    const char  *near = NULL;
    for (size_t i = 0; !near && i < group->axis_count; ++i)
        near = suggest(name, &group->axes[i].name, 1);
    return fail(err, ERROR_USAGE, "%s: %s: group '%s' has no axis '%.60s'", refinement->request->path, option,
                group->label, name) ||
           suggest_add(err, near, "");
}

static bool choose_axes(Refinement *refinement, Error *err)
{
    const RefineRequest *request = refinement->request;
    const Group         *group = refinement->group;
    const char          *why;
    for (size_t i = 0; i < request->along_count; ++i)
        if (!group_axis(group, request->along[i]))
            return fail_axis(refinement, "--along", request->along[i], err);
    for (size_t i = 0; i < group->axis_count; ++i) {
        const Axis *axis = &group->axes[i];
        const bool  asked = card_lists(request->along, request->along_count, axis->name),
                   can = can_be_halved(group, axis, &why);
        if (asked && !can)
            return fail(err, ERROR_USAGE, "%s: --along: axis '%s' of group '%s' cannot be halved: %s", request->path,
                        axis->name, group->label, why);
        if ((asked || (request->along_count == 0 && can && axis->form != FORM_LIST)) && !add_axis(refinement, i, err))
            return false;
    }
    return refinement->axis_count > 0 ||
           fail(
               err, ERROR_INPUT,
               "%s: group '%s' has no axis to halve: write one as {linear: [A, B, N]} or {log: [A, B, N]}, or name one "
               "by --along",
               request->path, group->label);
}

// A length along an axis, on its scale.
static double length_of(const RefineAxis *axis, double low, double high)
{
    return fabs(axis->logarithmic ? log(high / low) : high - low);
}

const RefineAxis *refine_axis(const Refinement *refinement, const Axis *axis)
{
    for (size_t a = 0; a < refinement->axis_count; ++a)
        if (refinement->axes[a].axis == axis)
            return &refinement->axes[a];
    return NULL;
}

static bool choose_halvings(Refinement *refinement, RefineAxis *axis, Error *err)
{
    const RefineRequest *request = refinement->request;
    const double        *values = axis->axis->values;
    const size_t         count = axis->axis->count;
    double               longest = 0.0, width = request->share * length_of(axis, values[0], values[count - 1]);
    for (size_t i = 0; i + 1 < count; ++i)
        longest = fmax(longest, length_of(axis, values[i], values[i + 1]));
    const NamedValue *named = coordinates_find(request->widths, axis->axis->name);
    if (named)
        width = axis->logarithmic ? log1p(named->value) : named->value;
    // A part in 10^9 more is rounding.
    while (longest > width * (1.0 + 1e-9) && axis->halvings <= CELLS_HALVINGS) {
        longest *= 0.5;
        ++axis->halvings;
    }
    return axis->halvings <= CELLS_HALVINGS ||
           fail(err, ERROR_INPUT,
                "%s: axis '%s': the width is less than 2^-%d of the distance of its values: choose a larger width, or "
                "more values",
                request->path, axis->axis->name, CELLS_HALVINGS);
}

static bool check_widths(const Refinement *refinement, Error *err)
{
    const RefineRequest *request = refinement->request;
    for (size_t i = 0; i < request->widths->count; ++i) {
        const char *name = request->widths->items[i].name;
        const Axis *axis = group_axis(refinement->group, name);
        if (!axis)
            return fail_axis(refinement, "--width", name, err);
        if (!refine_axis(refinement, axis))
            return fail(err, ERROR_USAGE, "%s: --width: axis '%s' is not halved: name it by --along", request->path,
                        name);
    }
    return true;
}

// Whether the request names a component by its degree of freedom: x_final[theta], v_final[v_theta].
static bool is_called(const Refinement *refinement, const Variable *variable, size_t component)
{
    const Group *group = refinement->group;
    const char  *metric = refinement->request->metric;
    const size_t length = strlen(variable->name), whole = strlen(metric);
    if (variable->sampled || !variable->per_dof || strncmp(metric, variable->name, length) != 0 ||
        metric[length] != '[' || metric[whole - 1] != ']')
        return false;
    const Dof   *dof = &group->coordinates[component];
    const char  *words[] = {dof->name, dof->velocity};
    const size_t inside = whole - length - 2;
    for (size_t i = 0; i < 2; ++i)
        if (strlen(words[i]) == inside && strncmp(metric + length + 1, words[i], inside) == 0)
            return true;
    return false;
}

// NAME, NAME[i] or NAME[COORDINATE].
static bool find_metric(Refinement *refinement, Error *err)
{
    const RefineRequest *request = refinement->request;
    const Group         *group = refinement->group;
    const char          *near = NULL;
    for (size_t v = 0; v < group->variable_count; ++v) {
        const Variable *variable = &group->variables[v];
        for (size_t c = 0; !variable->trajectory && c < variable->width; ++c) {
            const char *name = variable->per_dof || variable->sampled
                                   ? arena_format(&refinement->arena, err, "%s[%zu]", variable->name, c)
                                   : variable->name;
            if (!name)
                return false;
            if (strcmp(name, request->metric) == 0 || is_called(refinement, variable, c)) {
                refinement->variable = variable;
                refinement->component = c;
                return true;
            }
            near = near ? near : suggest(request->metric, &name, 1);
        }
    }
    return fail(err, ERROR_USAGE, "%s: group '%s' has no metric '%.60s'", request->path, group->label,
                request->metric) ||
           suggest_add(err, near, ": list it under `metrics:`");
}

static bool is_halved(const Refinement *refinement, size_t dim)
{
    for (size_t a = 0; a < refinement->axis_count; ++a)
        if (refinement->axes[a].axis->dim == dim)
            return true;
    return false;
}

// Gives a chart the values of the axes that are not halved: charts are numbered like the points of a grid of these.
static bool make_chart(Refinement *refinement, size_t number, Error *err)
{
    const Group *group = refinement->group;
    RefineChart *chart = &refinement->charts[number];
    chart->fixed = arena_take(&refinement->arena, group->axis_count, sizeof *chart->fixed, err);
    if (!chart->fixed)
        return false;
    for (size_t d = group->dim_count; d-- > 0;) {
        const size_t count = is_halved(refinement, d) ? 1 : group->dims[d].count, index = number % count;
        for (size_t i = 0; i < group->axis_count; ++i)
            if (group->axes[i].dim == d)
                chart->fixed[i] = group->axes[i].values[index];
        number /= count;
    }
    chart->cells.axis_count = refinement->axis_count;
    for (size_t a = 0; a < refinement->axis_count; ++a) {
        chart->cells.counts[a] = (uint32_t)refinement->axes[a].axis->count;
        chart->cells.halvings[a] = refinement->axes[a].halvings;
    }
    return cells_make(&chart->cells, err);
}

static bool make_charts(Refinement *refinement, Error *err)
{
    const Group *group = refinement->group;
    size_t       count = 1;
    for (size_t d = 0; d < group->dim_count; ++d)
        if (!is_halved(refinement, d) &&
            (__builtin_mul_overflow(count, group->dims[d].count, &count) || count > MOST_CHARTS))
            return fail(err, ERROR_INPUT,
                        "%s: group '%s': the axes that are not halved make more than %d charts: give them fewer values",
                        refinement->request->path, group->label, MOST_CHARTS);
    refinement->charts = arena_take(&refinement->arena, count, sizeof *refinement->charts, err);
    for (size_t c = 0; refinement->charts && c < count; ++c) {
        refinement->chart_count = c + 1;
        if (!make_chart(refinement, c, err))
            return within(err, "%s: group '%s'", refinement->request->path, group->label);
    }
    return refinement->charts != NULL;
}

bool refine_make(const RefineRequest *request, const Group *group, Refinement *refinement, Error *err)
{
    *refinement = (Refinement){.request = request, .group = group};
    if (group->sampling)
        return fail(err, ERROR_INPUT, "%s: group '%s' has a random design; a boundary is followed in a grid",
                    request->path, group->label);
    if (!choose_axes(refinement, err) || !check_widths(refinement, err) ||
        (request->what == REFINE_METRIC && !find_metric(refinement, err)))
        return false;
    for (size_t a = 0; a < refinement->axis_count; ++a)
        if (!choose_halvings(refinement, &refinement->axes[a], err))
            return false;
    return make_charts(refinement, err);
}

double refine_value(const Refinement *refinement, size_t axis, uint32_t at)
{
    const RefineAxis *along = &refinement->axes[axis];
    const uint32_t    index = at >> along->halvings, rest = at - (index << along->halvings);
    const double     *values = along->axis->values;
    const double      part = ldexp((double)rest, -(int)along->halvings);
    if (rest == 0)
        return values[index];
    return along->logarithmic ? values[index] * pow(values[index + 1] / values[index], part)
                              : values[index] + part * (values[index + 1] - values[index]);
}

void refine_ends(const Refinement *refinement, const RefineChart *chart, const Cell *cell, size_t axis, double *low,
                 double *high)
{
    const double first = refine_value(refinement, axis, cell->low.at[axis]),
                 last = refine_value(refinement, axis, cell->low.at[axis] + cells_length(&chart->cells, cell, axis));
    *low = fmin(first, last);
    *high = fmax(first, last);
}

double refine_part(const Refinement *refinement, const RefineChart *chart, const Cell *cell)
{
    double part = 1.0;
    for (size_t a = 0; a < refinement->axis_count; ++a) {
        const RefineAxis *axis = &refinement->axes[a];
        double            low, high;
        refine_ends(refinement, chart, cell, a, &low, &high);
        part *= length_of(axis, low, high) /
                length_of(axis, axis->axis->values[0], axis->axis->values[axis->axis->count - 1]);
    }
    return part;
}

double refine_grid(const Refinement *refinement)
{
    double points = (double)refinement->chart_count;
    for (size_t a = 0; a < refinement->axis_count; ++a)
        points *= ldexp((double)(refinement->axes[a].axis->count - 1), (int)refinement->axes[a].halvings) + 1.0;
    return points;
}

void refine_free(Refinement *refinement)
{
    for (size_t c = 0; c < refinement->chart_count; ++c)
        cells_free(&refinement->charts[c].cells);
    arena_free(&refinement->arena);
    *refinement = (Refinement){0};
}

enum { MOST_POINTS = 1 << 15 };  // of a launch

// The group's points at the places that are wanted: a group of their own, whose axes are filled for each launch.
typedef struct Round {
    Refinement    *refinement;
    Engine         engine;
    Group          group;
    Results        results;
    Arena          arena;
    uint8_t       *classes;  // [wanted], of all charts one after the other
    double        *values;   // [axis_count] of a point
    size_t         filled;   // points of the next launch
    RefineProgress progress;
} Round;

// Begins the notice about the group's kernel.
static void begin_notice(const Refinement *refinement, const Plan *plan, bool launch)
{
    const RefineRequest *request = refinement->request;
    ProgressCompile      compile = {.count = plan->group_count, .launch = launch};
    for (size_t g = 0; g < plan->group_count && &plan->groups[g] <= refinement->group; ++g)
        ++compile.number;
    snprintf(compile.name, sizeof compile.name, "%s", refinement->group->label);
    if (request->device && (!launch || device_compiles_late(request->device)))
        notice_begin(request->notice, 0, &compile);
}

static bool make_round(Refinement *refinement, const Plan *plan, Round *round, Error *err)
{
    const uint64_t most = refinement->request->most;
    const size_t   room = most < MOST_POINTS ? (size_t)most : MOST_POINTS;
    uint64_t      *points = arena_take(&round->arena, room, sizeof *points, err);
    round->refinement = refinement;
    round->values = arena_take(&round->arena, refinement->group->axis_count, sizeof *round->values, err);
    begin_notice(refinement, plan, false);
    const bool ok = points && round->values &&
                    group_pick(refinement->group, points, room, &round->arena, &round->group, err) &&
                    results_make(&round->group, room, 0, &round->results, err) &&
                    engine_compose(&round->engine, plan, &round->group, err) &&
                    engine_build(&round->engine, refinement->request->device, 0, err);
    notice_end(refinement->request->notice, 0);
    return ok;
}

static void free_round(Round *round)
{
    engine_free(&round->engine);
    results_free(&round->results);
    arena_free(&round->arena);
    free(round->classes);
}

static uint8_t class_of(const Refinement *refinement, const Results *results, size_t point)
{
    const Status status = (Status)results_value(results, 0, point, 0);
    if (refinement->request->what == REFINE_STATUS)
        return (uint8_t)status;
    if (refinement->request->what == REFINE_OK)
        return status != STATUS_OK;
    const RefineRequest *request = refinement->request;
    size_t class = 0;
    if (status != STATUS_OK)
        return (uint8_t)(request->level_count + 1);
    const double number = results_value(results, (size_t)(refinement->variable - refinement->group->variables), point,
                                        refinement->component);
    if (isnan(number))
        return (uint8_t)(request->level_count + 2);
    while (class < request->level_count && number >= request->level[class])
        ++class;
    return (uint8_t) class;
}

static void see_slice(const Progress *slice, void *user)
{
    Round               *round = user;
    const RefineRequest *request = round->refinement->request;
    RefineProgress       now = round->progress;
    notice_end(request->notice, 0);
    round->progress.steps += slice->steps;
    now.steps = round->progress.steps;
    now.points += round->filled - slice->running;
    if (request->progress)
        request->progress(&now, request->user);
}

// Shows the points of a launch.
static bool see_points(Round *round, Error *err)
{
    const Refinement    *refinement = round->refinement;
    const RefineRequest *request = refinement->request;
    const Group         *group = &round->group;
    bool                 ok = true;
    for (size_t i = 0; ok && request->see && i < round->filled; ++i) {
        for (size_t k = 0; k < group->axis_count; ++k)
            round->values[k] = group->axes[k].values[i];
        const RefineSeen seen = {.refinement = refinement,
                                 .results = &round->results,
                                 .point = i,
                                 .values = round->values,
                                 .class = round->classes[round->progress.points + i]};
        ok = request->see(&seen, request->user, err);
    }
    return ok;
}

static bool launch(Round *round, Error *err)
{
    Refinement      *refinement = round->refinement;
    const RunOptions options = {.signals = refinement->request->signals, .progress = see_slice, .user = round};
    const Batch      batch = {.group = &round->group, .point_count = round->filled};
    if (round->filled == 0)
        return true;
    round->group.dims[0].count = round->group.point_count = round->filled;
    if (!engine_solve(&round->engine, refinement->request->signals, err) ||
        !engine_run(&round->engine, &batch, &options, &round->results, err))
        return false;
    for (size_t i = 0; i < round->filled; ++i)
        round->classes[round->progress.points + i] = class_of(refinement, &round->results, i);
    if (!see_points(round, err))
        return false;
    round->progress.points += round->filled;
    refinement->point_count += round->filled;
    round->filled = 0;
    return true;
}

// Puts a point into the next launch, and launches where that is full.
static bool add_point(Round *round, const RefineChart *chart, CellsPoint point, Error *err)
{
    const Refinement *refinement = round->refinement;
    Group            *group = &round->group;
    for (size_t k = 0; k < group->axis_count; ++k)
        group->axes[k].values[round->filled] = chart->fixed[k];
    for (size_t a = 0; a < refinement->axis_count; ++a)
        group->axes[refinement->axes[a].number].values[round->filled] = refine_value(refinement, a, point.at[a]);
    round->progress.wanted_steps += group_steps(group, round->filled);
    return ++round->filled < round->results.point_capacity || launch(round, err);
}

static bool want_all(Round *round, Error *err)
{
    Refinement *refinement = round->refinement;
    round->progress = (RefineProgress){.round = refinement->rounds + 1};
    for (size_t c = 0; c < refinement->chart_count; ++c) {
        Cells *cells = &refinement->charts[c].cells;
        if (!cells_want(cells, err))
            return within(err, "%s: group '%s'", refinement->request->path, refinement->group->label);
        round->progress.wanted += cells->point_count - cells->known_count;
    }
    refinement->limited = refinement->point_count + round->progress.wanted > refinement->request->most;
    return !refinement->limited || refinement->rounds > 0 ||
           fail(err, ERROR_USAGE, "%s: group '%s': its grid has %llu points already, more than --most allows",
                refinement->request->path, refinement->group->label, (unsigned long long)round->progress.wanted);
}

static bool run_wanted(Round *round, Error *err)
{
    Refinement *refinement = round->refinement;
    bool        ok = true;
    free(round->classes);
    round->classes = malloc(round->progress.wanted);
    if (!round->classes)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t c = 0; ok && c < refinement->chart_count; ++c) {
        const RefineChart *chart = &refinement->charts[c];
        for (size_t i = chart->cells.known_count; ok && i < chart->cells.point_count; ++i)
            ok = add_point(round, chart, chart->cells.points[i], err);
    }
    return ok && launch(round, err);
}

static bool give_all(Round *round, Error *err)
{
    Refinement    *refinement = round->refinement;
    const uint8_t *next = round->classes;
    for (size_t c = 0; c < refinement->chart_count; ++c) {
        Cells       *cells = &refinement->charts[c].cells;
        const size_t count = cells->point_count - cells->known_count;
        if (count > 0 && !cells_give(cells, next, err))
            return within(err, "%s: group '%s'", refinement->request->path, refinement->group->label);
        next += count;
    }
    ++refinement->rounds;
    return true;
}

bool refine_run(Refinement *refinement, const Plan *plan, Error *err)
{
    Round round = {0};
    bool  ok = make_round(refinement, plan, &round, err);
    begin_notice(refinement, plan, true);
    while (ok && (ok = want_all(&round, err)) && round.progress.wanted > 0 && !refinement->limited)
        ok = run_wanted(&round, err) && give_all(&round, err);
    notice_end(refinement->request->notice, 0);
    // The boundary known so far is an answer too.
    refinement->stopped = !ok && err->kind == ERROR_STOPPED;
    free_round(&round);
    return ok || refinement->stopped;
}
