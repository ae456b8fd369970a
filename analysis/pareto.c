// pareto -- chooses groups and objectives, scans the points once, and numbers problems and decisions as they come.
#include "analysis/pareto.h"

#include "analysis/keys.h"
#include "base/suggest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a scan adds to.
typedef struct Scan {
    Pareto   *pareto;
    size_t    group;
    Keys      problems, decisions;
    FrontList tried;  // with PARETO_MEDIAN and PARETO_WORST: every point, infinite where it failed
    Error    *err;
    bool      failed;
} Scan;

static bool open_group(Pareto *pareto, const StoreGroup *group, Error *err)
{
    ParetoGroup *opened = &pareto->groups[pareto->group_count];
    if (!points_open(&pareto->file, group, &pareto->points[pareto->group_count], err))
        return false;
    ++pareto->group_count;
    return store_read_text(&pareto->file, group, "method", &opened->method, err) &&
           (opened->method ||
            fail(err, ERROR_INPUT, "%s: group '%s' names no method", pareto->file.path, group->label));
}

static bool open_groups(Pareto *pareto, Error *err)
{
    const ParetoRequest *request = pareto->request;
    const StoreFile     *file = &pareto->file;
    const char          *names[COLUMNS_MOST];
    size_t               count = 0;
    pareto->points = calloc(file->group_count + 1, sizeof *pareto->points);
    pareto->groups = calloc(file->group_count + 1, sizeof *pareto->groups);
    if (!pareto->points || !pareto->groups)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; i < file->group_count && count < COLUMNS_MOST; ++i)
        names[count++] = file->groups[i].label;
    for (size_t i = 0; i < request->label_count; ++i)
        if (!store_read_group(file, request->labels[i])) {
            const char *near = suggest(request->labels[i], names, count);
            return fail(err, ERROR_USAGE, "%s: no group '%.100s'; %s%s%s", file->path, request->labels[i],
                        near ? "did you mean '" : "see `pendula info`", near ? near : "", near ? "'?" : "");
        }
    for (size_t i = 0; i < file->group_count; ++i) {
        bool wanted = request->label_count == 0;
        for (size_t k = 0; k < request->label_count; ++k)
            wanted = wanted || strcmp(request->labels[k], file->groups[i].label) == 0;
        if (wanted && !open_group(pareto, &file->groups[i], err))
            return false;
    }
    return pareto->group_count > 0 || fail(err, ERROR_INPUT, "%s: it has no groups", file->path);
}

// The nearest of the values that a column has in any group.
static bool find_pick(Pareto *pareto, ParetoPick *pick, Error *err)
{
    const Columns *columns = &pareto->columns;
    const char    *names[COLUMNS_MOST];
    for (size_t i = 0; i < columns->count; ++i)
        names[i] = columns->items[i].name;
    pick->column = 0;
    while (pick->column < columns->count && strcmp(names[pick->column], pick->name) != 0)
        ++pick->column;
    if (pick->column == columns->count) {
        const char *near = suggest(pick->name, names, columns->count);
        return fail(err, ERROR_USAGE, "--at %.60s: neither an axis nor a parameter of the problem; %s%s%s", pick->name,
                    near ? "did you mean '" : "see `pendula info`", near ? near : "", near ? "'?" : "");
    }
    const Column *column = &columns->items[pick->column];
    if (column->words)
        return fail(err, ERROR_USAGE, "--at %.60s: it is a word in each group; choose groups with --method",
                    pick->name);
    pick->value = (double)NAN;
    for (size_t g = 0; g < pareto->group_count; ++g) {
        const bool     constant = column->axes[g] == COLUMN_CONSTANT;
        const uint64_t count = constant                        ? 1
                               : column->axes[g] == COLUMN_END ? pareto->points[g].count
                                                               : pareto->points[g].axes[column->axes[g]].count;
        for (uint64_t i = 0; i < count; ++i) {
            const double value = column->axes[g] == COLUMN_END
                                     ? columns_value(columns, pareto->points, pick->column, g, i)
                                 : constant ? column->values[g]
                                            : pareto->points[g].axes[column->axes[g]].values[i];
            if (isnan(pick->value) || fabs(value - pick->wanted) < fabs(pick->value - pick->wanted))
                pick->value = value;
        }
    }
    if (pick->value != pick->wanted)
        text_add(&pareto->notes, "--at %s=%.10g: the nearest value is %.10g\n", pick->name, pick->wanted, pick->value);
    return true;
}

static bool find_picks(Pareto *pareto, Error *err)
{
    const ParetoRequest *request = pareto->request;
    for (size_t i = 0; i < request->pick_count; ++i)
        if (!find_pick(pareto, &request->picks[i], err))
            return false;
    return true;
}

// Counters of Newton's method say nothing where there is none, and steps nothing where they are not what is taken.
static bool check_cost(const Pareto *pareto, const char *name, const MethodKind *kinds, Error *err)
{
    size_t solving = 0, other = 0;
    for (size_t g = 0; g < pareto->group_count; ++g) {
        if (kinds[g].adaptive && strcmp(name, "steps") == 0)
            return fail(err, ERROR_USAGE,
                        "steps: group '%s' chooses substeps of its own between them; take --cost evaluations",
                        pareto->points[g].group->label);
        solving += kinds[g].implicit;
        other = kinds[g].implicit ? other : g;
    }
    if (!objectives_counts_newton(name) || solving == pareto->group_count)
        return true;
    return fail(
        err, ERROR_USAGE,
        "%s: group '%s' is explicit and makes none, which says nothing of what it costs; take --cost evaluations%s",
        name, pareto->points[other].group->label, solving ? ", or leave groups out with --method" : "");
}

static bool choose_objectives(Pareto *pareto, Error *err)
{
    const ParetoRequest *request = pareto->request;
    MethodKind          *kinds = calloc(pareto->group_count, sizeof *kinds);
    bool                 ok = kinds != NULL || fail(err, ERROR_INTERNAL, "out of memory");
    bool                 implicit = true;
    for (size_t g = 0; ok && g < pareto->group_count; ++g) {
        ok = objectives_kind(&pareto->file, pareto->points[g].group, &kinds[g], err);
        implicit = implicit && kinds[g].implicit;
    }
    if (request->cost_count == 0) {
        pareto->objectives[pareto->objective_count++] = implicit ? "updates" : "evaluations";
        text_add(&pareto->notes, "cost: %s, by default\n",
                 implicit ? "updates" : "evaluations of the acceleration, since some methods have no updates");
    }
    for (size_t i = 0; i < request->cost_count + request->error_count; ++i)
        pareto->objectives[pareto->objective_count++] = request->objectives[i];
    if (request->error_count == 0) {
        pareto->objectives[pareto->objective_count++] = "error_final";
        text_add(&pareto->notes, "error: error_final, by default\n");
    }
    for (size_t i = 0; ok && i < pareto->objective_count; ++i) {
        const char *name = pareto->objectives[i];
        ok = check_cost(pareto, strncmp(name, "abs:", 4) == 0 ? name + 4 : name, kinds, err);
        for (size_t k = 0; ok && k < i; ++k)
            if (strcmp(pareto->objectives[k], name) == 0)
                ok = fail(err, ERROR_USAGE, "'%.100s' is given twice", name);
    }
    for (size_t g = 0; ok && g < pareto->group_count; ++g)
        ok = objectives_find(&pareto->points[g], pareto->groups[g].method, pareto->objectives, pareto->objective_count,
                             &pareto->groups[g].reading, err);
    free(kinds);
    return ok;
}

static bool is_picked(const Pareto *pareto, size_t group, uint64_t point)
{
    for (size_t i = 0; i < pareto->request->pick_count; ++i) {
        const ParetoPick *pick = &pareto->request->picks[i];
        const double      value = columns_value(&pareto->columns, pareto->points, pick->column, group, point);
        const bool        lacks = isnan(value) && !pareto->columns.items[pick->column].problem;
        if (value != pick->value && !lacks)
            return false;
    }
    return true;
}

// The columns that vary, of the problem or of decisions.
static size_t make_key(const Scan *scan, uint64_t point, bool problem, double *key)
{
    const Columns *columns = &scan->pareto->columns;
    const size_t   from = problem ? 0 : columns->problem_count, to = problem ? columns->problem_count : columns->count;
    size_t         width = 0;
    for (size_t i = from; i < to; ++i)
        if (columns->items[i].varies)
            key[width++] = columns_value(columns, scan->pareto->points, i, scan->group, point);
    return width;
}

static bool number_problem(Scan *scan, FrontPoint *point)
{
    double key[COLUMNS_MOST];
    scan->problems.width = make_key(scan, point->point, true, key);
    return keys_find(&scan->problems, key, &point->problem, scan->err);
}

static bool number_decision(Scan *scan, FrontPoint *point)
{
    double key[COLUMNS_MOST + 1] = {(double)scan->group};
    scan->decisions.width = make_key(scan, point->point, false, key + 1) + 1;
    return keys_find(&scan->decisions, key, &point->decision, scan->err);
}

static bool compare(Pareto *pareto, const FrontPoint *point, Error *err)
{
    ++pareto->compared;
    ++pareto->groups[point->group].compared;
    for (size_t i = 0; i < pareto->objective_count; ++i)
        pareto->negative[i] += point->values[i] < 0.0;
    return fronts_offer(&pareto->front, point, pareto->objective_count, err) &&
           fronts_sample(&pareto->sample, point, err);
}

static bool see_point(Scan *scan, uint64_t number, double *const *numbers, size_t at)
{
    Pareto      *pareto = scan->pareto;
    ParetoGroup *group = &pareto->groups[scan->group];
    const int    status = numbers[0][at] > 0.0 && numbers[0][at] < STATUS_COUNT ? (int)numbers[0][at] : STATUS_NOT_RUN;
    FrontPoint   point = {.point = number, .group = (uint32_t)scan->group};
    bool         fine = status == STATUS_OK;
    if (!is_picked(pareto, scan->group, number))
        return true;
    ++group->points;
    ++group->counts[status];
    if (!number_problem(scan, &point))
        return false;
    objectives_read(&group->reading, &pareto->points[scan->group], number, numbers, at, point.values);
    for (size_t i = 0; i < pareto->objective_count; ++i)
        fine = fine && isfinite(point.values[i]);
    group->not_finite += status == STATUS_OK && !fine;
    if (pareto->request->over == PARETO_EACH)
        return !fine || compare(pareto, &point, scan->err);
    for (size_t i = 0; !fine && i < pareto->objective_count; ++i)
        point.values[i] = (double)INFINITY;
    return number_decision(scan, &point) && fronts_add(&scan->tried, &point, scan->err);
}

static void see_slab(uint64_t first, size_t count, double *const *numbers, void *user)
{
    Scan *scan = user;
    for (size_t i = 0; i < count && !scan->failed; ++i)
        scan->failed = !see_point(scan, first + i, numbers, i);
}

static void count_partial(const FrontPoint *point, void *user)
{
    Pareto *pareto = user;
    ++pareto->groups[point->group].partial;
}

static bool judge_decisions(Scan *scan, Error *err)
{
    Pareto *pareto = scan->pareto;
    if (!fronts_judge(&scan->tried, pareto->objective_count, pareto->request->over == PARETO_WORST,
                      scan->problems.count, count_partial, pareto, err))
        return false;
    for (size_t i = 0; i < scan->tried.count; ++i) {
        const FrontPoint *point = &scan->tried.items[i];
        bool              fine = true;
        for (size_t k = 0; k < pareto->objective_count; ++k)
            fine = fine && isfinite(point->values[k]);
        pareto->groups[point->group].infinite += !fine;
        if (fine && !compare(pareto, point, err))
            return false;
    }
    return true;
}

typedef struct Ranked {
    const double *key;
    size_t        width;
    uint32_t      number;
} Ranked;

static int compare_keys(const void *a, const void *b)
{
    const Ranked *left = a, *right = b;
    for (size_t i = 0; i < left->width; ++i) {
        const double l = left->key[i], r = right->key[i];
        if (l < r || l > r || isnan(l) != isnan(r))
            return isnan(l) || l > r ? 1 : -1;
    }
    return 0;
}

static void renumber(FrontList *list, const uint32_t *ranks)
{
    for (size_t i = 0; i < list->count; ++i)
        list->items[i].problem = ranks[list->items[i].problem];
}

// Problems are numbered in the order of their parameters from now on.
static bool rank_problems(Pareto *pareto, const Keys *problems, Error *err)
{
    Ranked    *ranked = calloc(problems->count + 1, sizeof *ranked);
    uint32_t  *ranks = calloc(problems->count + 1, sizeof *ranks);
    const bool ok = (ranked && ranks) || fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; ok && i < problems->count; ++i)
        ranked[i] = (Ranked){problems->rows + i * problems->width, problems->width, (uint32_t)i};
    if (ok) {
        qsort(ranked, problems->count, sizeof *ranked, compare_keys);
        for (size_t i = 0; i < problems->count; ++i)
            ranks[ranked[i].number] = (uint32_t)i;
        renumber(&pareto->front, ranks);
        renumber(&pareto->sample.list, ranks);
    }
    free(ranked);
    free(ranks);
    return ok;
}

static bool scan_groups(Pareto *pareto, Error *err)
{
    Scan scan = {.pareto = pareto, .err = err};
    pareto->sample.most = pareto->request->sample_most;
    pareto->sample.bound = UINT64_MAX;
    bool ok = true;
    for (; ok && scan.group < pareto->group_count; ++scan.group) {
        const Reading *reading = &pareto->groups[scan.group].reading;
        ok = points_scan(&pareto->points[scan.group], reading->variables, reading->variable_count, see_slab, &scan,
                         err) &&
             !scan.failed;
    }
    pareto->problem_count = scan.problems.count;
    if (ok)
        ok = pareto->request->over == PARETO_EACH ? rank_problems(pareto, &scan.problems, err)
                                                  : judge_decisions(&scan, err);
    keys_free(&scan.problems);
    keys_free(&scan.decisions);
    fronts_free(&scan.tried);
    return ok;
}

bool pareto_open(ParetoRequest *request, Pareto *pareto, Error *err)
{
    pareto->request = request;
    const bool ok = store_read_open(request->path, &pareto->file, err) &&
                    store_read_text(&pareto->file, NULL, "title", &pareto->title, err) && open_groups(pareto, err) &&
                    columns_make(&pareto->file, pareto->points, pareto->group_count, &pareto->columns, err) &&
                    find_picks(pareto, err) && choose_objectives(pareto, err) && scan_groups(pareto, err) &&
                    fronts_reduce(&pareto->front, pareto->objective_count, err);
    if (!ok)
        return false;
    if (pareto->objective_count == 2)
        fronts_find_knees(&pareto->front);
    for (size_t i = 0; i < pareto->front.count; ++i)
        ++pareto->groups[pareto->front.items[i].group].on_front;
    for (size_t i = 0; i < pareto->objective_count; ++i)
        if (pareto->negative[i])
            text_add(&pareto->notes, "%s is negative at some points, and the more so the better; abs:%s is its size\n",
                     pareto->objectives[i], pareto->objectives[i]);
    return text_check(&pareto->notes, err);
}

void pareto_close(Pareto *pareto)
{
    for (size_t i = 0; i < pareto->group_count; ++i) {
        points_close(&pareto->points[i]);
        free(pareto->groups[i].method);
    }
    columns_free(&pareto->columns);
    free(pareto->points);
    free(pareto->groups);
    free(pareto->title);
    fronts_free(&pareto->front);
    fronts_free(&pareto->sample.list);
    text_free(&pareto->notes);
    store_read_close(&pareto->file);
    *pareto = (Pareto){0};
}

double pareto_value(const Pareto *pareto, size_t column, const FrontPoint *point)
{
    return columns_value(&pareto->columns, pareto->points, column, point->group, point->point);
}

bool pareto_shows(const Pareto *pareto, size_t column)
{
    const Column *shown = &pareto->columns.items[column];
    return shown->varies && !(shown->problem && pareto->request->over != PARETO_EACH);
}
