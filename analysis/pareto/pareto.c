// pareto -- one scan of the points: groups and objectives are chosen, problems and decisions numbered as they come.
#include "analysis/pareto/pareto.h"

#include "base/suggest.h"
#include "catalog/catalog.h"
#include "store/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64 };

// The state of a scan over a group's points.
typedef struct Scan {
    Pareto     *pareto;
    size_t      group;
    ColumnsKeys problems, decisions;
    FrontList   tried;  // with PARETO_MEDIAN and PARETO_WORST: every point, infinite where it failed
    Error      *err;
    bool        failed;
} Scan;

// Says that `name` is none of the names there are, lists these, and ends with the remedy, which may be empty. Always
// false.
static bool lack(const char *what, const char *name, const char *const *names, size_t count, const char *remedy,
                 Error *err)
{
    Text list = {0};
    for (size_t i = 0; i < count; ++i)
        text_add(&list, "%s%s", i ? ", " : "", names[i]);
    fail(err, ERROR_USAGE, "no %s '%.100s'; there %s %.600s", what, name, count == 1 ? "is" : "are",
         list.text ? list.text : "none");
    text_free(&list);
    return suggest_add(err, suggest(name, names, count), remedy);
}

static bool open_group(Pareto *pareto, const StoreGroup *group, const Catalog *catalog, Error *err)
{
    ParetoGroup *opened = &pareto->groups[pareto->group_count];
    if (!points_open(&pareto->file, group, &pareto->points[pareto->group_count], err))
        return false;
    ++pareto->group_count;
    if (!store_read_text(&pareto->file, group, "method", &opened->method, err))
        return false;
    if (!opened->method)
        return fail(err, ERROR_INPUT, "%s: group '%s' names no method", pareto->file.path, group->label);
    const Card *card = catalog_find(catalog, CARD_METHOD, opened->method);
    opened->implicit = !card || card->unknown != UNKNOWN_NONE;
    opened->adaptive = card && card->adaptive;
    return true;
}

static bool open_groups(Pareto *pareto, Error *err)
{
    const ParetoRequest *request = pareto->request;
    const StoreFile     *file = &pareto->file;
    const char          *names[MOST_NAMES];
    size_t               count = 0;
    Catalog              catalog = {0};
    pareto->points = calloc(file->group_count + 1, sizeof *pareto->points);
    pareto->groups = calloc(file->group_count + 1, sizeof *pareto->groups);
    if (!pareto->points || !pareto->groups)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (; count < file->group_count && count < MOST_NAMES; ++count)
        names[count] = file->groups[count].label;
    for (size_t i = 0; i < request->labels.count; ++i)
        if (!store_read_group(file, request->labels.items[i]))
            return lack("group", request->labels.items[i], names, count, "", err);
    bool ok = catalog_read(&catalog, err);
    for (size_t i = 0; ok && i < file->group_count; ++i) {
        const bool wanted = request->labels.count == 0 ||
                            card_lists(request->labels.items, request->labels.count, file->groups[i].label);
        ok = !wanted || open_group(pareto, &file->groups[i], &catalog, err);
    }
    catalog_free(&catalog);
    return ok && (pareto->group_count > 0 || fail(err, ERROR_INPUT, "%s: it has no groups", file->path));
}

// Finds the column of a pick, and the nearest of its values in any group.
static bool find_pick(Pareto *pareto, size_t pick, Error *err)
{
    const NamedValue *wanted = &pareto->request->at.items[pick];
    const Columns    *columns = &pareto->columns;
    const char       *names[COLUMNS_MOST];
    size_t            column = columns->count;
    double            nearest = (double)NAN;
    for (size_t i = 0; i < columns->count; ++i) {
        names[i] = columns->items[i].name;
        column = strcmp(names[i], wanted->name) == 0 ? i : column;
    }
    if (column == columns->count)
        return lack("axis and no parameter of the problem", wanted->name, names, columns->count, "", err);
    if (columns->items[column].words)
        return fail(err, ERROR_USAGE, "--at %s: it is a word in each group; choose groups with --method", wanted->name);
    for (size_t g = 0; g < pareto->group_count; ++g)
        for (uint64_t point = 0; point < pareto->points[g].count; ++point) {
            const double value = columns_value(columns, column, g, point);
            if (isnan(nearest) || fabs(value - wanted->value) < fabs(nearest - wanted->value))
                nearest = value;
        }
    if (nearest != wanted->value)
        text_add(&pareto->notes, "--at %s=%.10g: the nearest value is %.10g\n", wanted->name, wanted->value, nearest);
    pareto->picked[pick] = column;
    pareto->at[pick] = nearest;
    return true;
}

static bool is_picked(const Pareto *pareto, size_t group, uint64_t point)
{
    for (size_t i = 0; i < pareto->request->at.count; ++i) {
        const double value = columns_value(&pareto->columns, pareto->picked[i], group, point);
        const bool   lacks = isnan(value) && !pareto->columns.items[pareto->picked[i]].problem;
        if (value != pareto->at[i] && !lacks)
            return false;
    }
    return true;
}

const char *pareto_metric(const char *objective)
{
    return strncmp(objective, "abs:", 4) == 0 ? objective + 4 : objective;
}

// Counters of Newton's method are no cost of an explicit method, nor are steps of a method that chooses its own
// substeps.
static bool check_cost(const Pareto *pareto, const char *metric, Error *err)
{
    static const char *const counters[] = {"updates",       "updates_per_step_max", "jacobians", "residual_evaluations",
                                           "failed_solves", "stagnated_solves"};
    const bool               newton = card_lists(counters, sizeof counters / sizeof *counters, metric);
    for (size_t g = 0; g < pareto->group_count; ++g) {
        const char *label = pareto->points[g].group->label;
        if (pareto->groups[g].adaptive && strcmp(metric, "steps") == 0)
            return fail(err, ERROR_USAGE,
                        "steps: group '%s' chooses substeps of its own between them; take --cost evaluations", label);
        if (newton && !pareto->groups[g].implicit)
            return fail(err, ERROR_USAGE,
                        "%s: group '%s' is explicit and makes none, which says nothing of what it costs; take --cost "
                        "evaluations, or leave such groups out with --method",
                        metric, label);
    }
    return true;
}

static bool find_metric(Pareto *pareto, size_t group, size_t objective, Error *err)
{
    const Points        *points = &pareto->points[group];
    const char          *metric = pareto_metric(pareto->objectives[objective]), *names[MOST_NAMES];
    ParetoGroup         *found = &pareto->groups[group];
    const bool           steps = strcmp(metric, "steps") == 0;
    const StoreVariable *variable = points_find(points, metric, &found->components[1 + objective]);
    found->variables[0] = points->status;
    found->components[0] = SIZE_MAX;
    found->variables[1 + objective] = steps ? points->status : variable;
    if (steps || (variable && variable != points->status))
        return true;
    const char *remedy = pareto->request->errors.count == 0 && strcmp(metric, "error_final") == 0
                             ? ", chosen by --error"
                         : pareto->request->costs.count == 0 && objective == 0 ? ", chosen by --cost"
                                                                               : "";
    return lack("metric", metric, names, points_metrics(points, names, MOST_NAMES), remedy, err) ||
           within(err, "%s: group '%s'", points->file->path, points->group->label);
}

static bool choose_objectives(Pareto *pareto, Error *err)
{
    const ParetoRequest *request = pareto->request;
    bool                 implicit = true;
    for (size_t g = 0; g < pareto->group_count; ++g)
        implicit = implicit && pareto->groups[g].implicit;
    if (request->costs.count == 0) {
        pareto->objectives[pareto->objective_count++] = implicit ? "updates" : "evaluations";
        text_add(&pareto->notes, "cost: %s, by default\n",
                 implicit ? "updates" : "evaluations of the acceleration, since some methods have no updates");
    }
    for (size_t i = 0; i < request->costs.count; ++i)
        pareto->objectives[pareto->objective_count++] = request->costs.items[i];
    for (size_t i = 0; i < request->errors.count; ++i)
        pareto->objectives[pareto->objective_count++] = request->errors.items[i];
    if (request->errors.count == 0) {
        pareto->objectives[pareto->objective_count++] = "error_final";
        text_add(&pareto->notes, "error: error_final, by default\n");
    }
    for (size_t i = 0; i < pareto->objective_count; ++i) {
        if (!check_cost(pareto, pareto_metric(pareto->objectives[i]), err))
            return false;
        for (size_t k = 0; k < i; ++k)
            if (strcmp(pareto->objectives[k], pareto->objectives[i]) == 0)
                return fail(err, ERROR_USAGE, "'%.100s' is given twice", pareto->objectives[i]);
        for (size_t g = 0; g < pareto->group_count; ++g)
            if (!find_metric(pareto, g, i, err))
                return false;
    }
    return true;
}

static bool is_finite(const Pareto *pareto, const FrontPoint *point)
{
    for (size_t i = 0; i < pareto->objective_count; ++i)
        if (!isfinite(point->values[i]))
            return false;
    return true;
}

static bool compare(Pareto *pareto, const FrontPoint *point, Error *err)
{
    ++pareto->groups[point->group].compared;
    return fronts_sample(&pareto->sample, pareto->request->sample_most, ++pareto->compared, point, err) &&
           fronts_offer(&pareto->front, point, pareto->objective_count, err);
}

static bool see_point(Scan *scan, uint64_t number, double *const *numbers, size_t at)
{
    Pareto       *pareto = scan->pareto;
    ParetoGroup  *group = &pareto->groups[scan->group];
    const Points *points = &pareto->points[scan->group];
    const int     status = numbers[0][at] > 0.0 && numbers[0][at] < STATUS_COUNT ? (int)numbers[0][at] : STATUS_NOT_RUN;
    FrontPoint    point = {.point = number, .group = (uint32_t)scan->group};
    if (!is_picked(pareto, scan->group, number))
        return true;
    ++group->points;
    ++group->counts[status];
    if (!columns_number(&pareto->columns, true, scan->group, number, &scan->problems, &point.problem, scan->err))
        return false;
    for (size_t i = 0; i < pareto->objective_count; ++i) {
        const bool   steps = group->variables[1 + i] == points->status;
        const double value = steps ? points_steps(points, number) : numbers[1 + i][at];
        // There is one zero.
        point.values[i] = pareto_metric(pareto->objectives[i]) != pareto->objectives[i] ? fabs(value) : value + 0.0;
    }
    const bool fine = status == STATUS_OK && is_finite(pareto, &point);
    group->not_finite += status == STATUS_OK && !fine;
    if (pareto->request->over == PARETO_EACH)
        return !fine || compare(pareto, &point, scan->err);
    for (size_t i = 0; !fine && i < pareto->objective_count; ++i)
        point.values[i] = (double)INFINITY;
    return columns_number(&pareto->columns, false, scan->group, number, &scan->decisions, &point.decision, scan->err) &&
           fronts_add(&scan->tried, &point, scan->err);
}

static void see_slab(uint64_t first, size_t count, double *const *numbers, void *user)
{
    Scan *scan = user;
    for (size_t i = 0; i < count && !scan->failed; ++i)
        scan->failed = !see_point(scan, first + i, numbers, i);
}

static bool judge_decisions(Scan *scan, Error *err)
{
    Pareto *pareto = scan->pareto;
    if (!fronts_judge(&scan->tried, pareto->objective_count, pareto->request->over == PARETO_WORST,
                      scan->problems.count, err))
        return false;
    for (size_t i = 0; i < scan->tried.count; ++i) {
        const FrontPoint *point = &scan->tried.items[i];
        ParetoGroup      *group = &pareto->groups[point->group];
        if (isnan(point->values[0]))
            ++group->partial;
        else if (!is_finite(pareto, point))
            ++group->infinite;
        else if (!compare(pareto, point, err))
            return false;
    }
    return true;
}

// Problems are numbered in the order of their parameters from now on.
static bool rank_problems(Pareto *pareto, const ColumnsKeys *problems, Error *err)
{
    uint32_t  *ranks = columns_rank(problems, err);
    FrontList *lists[] = {&pareto->front, &pareto->sample};
    for (size_t k = 0; ranks && k < 2; ++k)
        for (size_t i = 0; i < lists[k]->count; ++i)
            lists[k]->items[i].problem = ranks[lists[k]->items[i].problem];
    free(ranks);
    return ranks != NULL;
}

static bool scan_groups(Pareto *pareto, Error *err)
{
    Scan scan = {.pareto = pareto, .err = err};
    bool ok = true;
    for (; ok && scan.group < pareto->group_count; ++scan.group)
        ok = points_scan_components(&pareto->points[scan.group], pareto->groups[scan.group].variables,
                                    pareto->groups[scan.group].components, 1 + pareto->objective_count, see_slab, &scan,
                                    err) &&
             !scan.failed;
    pareto->problem_count = scan.problems.count;
    ok = ok && (pareto->request->over == PARETO_EACH ? rank_problems(pareto, &scan.problems, err)
                                                     : judge_decisions(&scan, err));
    columns_forget(&scan.problems);
    columns_forget(&scan.decisions);
    fronts_free(&scan.tried);
    return ok;
}

// The least of each objective is on a front.
static void note_negative(Pareto *pareto)
{
    for (size_t k = 0; k < pareto->objective_count; ++k) {
        const char *name = pareto->objectives[k];
        bool        negative = false;
        for (size_t i = 0; i < pareto->front.count; ++i)
            negative = negative || pareto->front.items[i].values[k] < 0.0;
        if (negative)
            text_add(&pareto->notes, "%s is negative at some points, and the more so the better; abs:%s is its size\n",
                     name, name);
    }
}

bool pareto_open(const ParetoRequest *request, Pareto *pareto, Error *err)
{
    pareto->request = request;
    bool ok = verify_open(request->path, &pareto->file, err) &&
              store_read_text(&pareto->file, NULL, "title", &pareto->title, err) && open_groups(pareto, err) &&
              columns_make(&pareto->file, pareto->points, pareto->group_count, &pareto->columns, err);
    for (size_t i = 0; ok && i < request->at.count; ++i)
        ok = find_pick(pareto, i, err);
    if (!ok || !choose_objectives(pareto, err) || !scan_groups(pareto, err))
        return false;
    fronts_reduce(&pareto->front, pareto->objective_count);
    if (pareto->objective_count == 2)
        fronts_find_knees(&pareto->front);
    for (size_t i = 0; i < pareto->front.count; ++i)
        ++pareto->groups[pareto->front.items[i].group].on_front;
    note_negative(pareto);
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
    fronts_free(&pareto->sample);
    text_free(&pareto->notes);
    store_read_close(&pareto->file);
    *pareto = (Pareto){0};
}

bool pareto_shows(const Pareto *pareto, size_t column)
{
    const Column *shown = &pareto->columns.items[column];
    return shown->varies && !(shown->problem && pareto->request->over != PARETO_EACH);
}

const char *pareto_value(const Pareto *pareto, size_t column, const FrontPoint *point, double *number)
{
    *number = columns_value(&pareto->columns, column, point->group, point->point);
    return columns_word(&pareto->columns, column, *number);
}
