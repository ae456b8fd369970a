// fronts -- Pareto fronts by sorting, and one pass over the sorted points.
//
// All points that dominate a point stand before it once they are sorted by their objectives in turn (Kung, Luccio and
// Preparata 1975), so that a point is compared with the points that were kept and never again.
#include "analysis/pareto/fronts.h"

#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_LIMIT = 1 << 16, FIRST_ROOM = 256 };

void fronts_free(FrontList *list)
{
    free(list->items);
    *list = (FrontList){0};
}

bool fronts_add(FrontList *list, const FrontPoint *point, Error *err)
{
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : FIRST_ROOM;
        FrontPoint  *grown = realloc(list->items, room * sizeof *grown);
        if (!grown)
            return fail(err, ERROR_INTERNAL, "out of memory for %zu points", room);
        list->items = grown;
        list->room = room;
    }
    list->items[list->count++] = *point;
    return true;
}

bool fronts_offer(FrontList *list, const FrontPoint *point, size_t objectives, Error *err)
{
    if (list->count >= list->limit) {
        fronts_reduce(list, objectives);
        list->limit = 2 * list->count > LEAST_LIMIT ? 2 * list->count : LEAST_LIMIT;
    }
    return fronts_add(list, point, err);
}

bool fronts_sample(FrontList *list, size_t most, uint64_t seen, const FrontPoint *point, Error *err)
{
    if (list->count < most)
        return fronts_add(list, point, err);
    // Reservoir sampling with numbers that look random, and are the same each time.
    uint64_t hash = seen * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
    const uint64_t at = (hash ^ (hash >> 31)) % seen;
    if (at < most)
        list->items[at] = *point;
    return true;
}

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_points(const void *a, const void *b)
{
    const FrontPoint *left = a, *right = b;
    int               code = order(left->problem, right->problem);
    for (size_t i = 0; code == 0 && i < FRONT_OBJECTIVES; ++i)
        code = (left->values[i] > right->values[i]) - (left->values[i] < right->values[i]);
    code = code ? code : order(left->group, right->group);
    return code ? code : order(left->point, right->point);
}

static int compare_decisions(const void *a, const void *b)
{
    const FrontPoint *left = a, *right = b;
    int               code = order(left->decision, right->decision);
    code = code ? code : order(left->problem, right->problem);
    return code ? code : order(left->point, right->point);
}

static bool dominates(const FrontPoint *a, const FrontPoint *b)
{
    bool better = false;
    for (size_t i = 0; i < FRONT_OBJECTIVES; ++i) {
        if (a->values[i] > b->values[i])
            return false;
        better = better || a->values[i] < b->values[i];
    }
    return better;
}

void fronts_reduce(FrontList *list, size_t objectives)
{
    FrontPoint *items = list->items;
    size_t      kept = 0, start = 0, last = 0;
    if (list->count > 1)
        qsort(items, list->count, sizeof *items, compare_points);
    for (size_t i = 0; i < list->count; ++i) {
        // Those kept of this problem begin at `start`; `last` has dominated the point before, and likely does again. Of
        // two objectives the second falls along the front, so that the last one kept decides.
        if (kept > start && items[kept - 1].problem != items[i].problem)
            start = kept;
        size_t by = objectives == 2 && kept > start ? kept - 1 : start;
        if (last >= start && last < kept && dominates(&items[last], &items[i]))
            continue;
        while (by < kept && !dominates(&items[by], &items[i]))
            ++by;
        if (by < kept)
            last = by;
        else
            items[kept++] = items[i];
    }
    list->count = kept;
}

bool fronts_of(const double *values, size_t count, size_t objectives, bool *on, Error *err)
{
    FrontList list = {0};
    bool      ok = true;
    for (size_t i = 0; ok && i < count; ++i) {
        FrontPoint point = {.point = i};
        on[i] = true;
        for (size_t k = 0; k < objectives; ++k) {
            point.values[k] = values[i * objectives + k] + 0.0;  // there is one zero
            on[i] = on[i] && isfinite(point.values[k]);
        }
        ok = !on[i] || fronts_offer(&list, &point, objectives, err);
        on[i] = false;
    }
    if (ok)
        fronts_reduce(&list, objectives);
    for (size_t i = 0; ok && i < list.count; ++i)
        on[list.items[i].point] = true;
    fronts_free(&list);
    return ok;
}

static double scale(double value, bool logarithmic)
{
    return logarithmic ? log(value) : value;
}

// Marks the knee of items[count], a front of one problem.
static void find_knee(FrontPoint *items, size_t count)
{
    bool        positive[2] = {true, true};
    double      origin[2], length[2], deepest = 0.0;
    FrontPoint *knee = NULL;
    for (size_t k = 0; k < 2; ++k) {
        for (size_t i = 0; i < count; ++i)
            positive[k] = positive[k] && items[i].values[k] > 0.0;
        origin[k] = scale(items[0].values[k], positive[k]);
        length[k] = scale(items[count - 1].values[k], positive[k]) - origin[k];
    }
    if (length[0] == 0.0 || length[1] == 0.0)
        return;
    for (size_t i = 1; i + 1 < count; ++i) {
        // How much of the second objective's fall is ahead of the first one's rise: distances from the chord differ
        // from it by a factor only.
        const double depth = (scale(items[i].values[1], positive[1]) - origin[1]) / length[1] -
                             (scale(items[i].values[0], positive[0]) - origin[0]) / length[0];
        if (depth > deepest + 1e-12) {
            deepest = depth;
            knee = &items[i];
        }
    }
    if (knee)
        knee->knee = true;
}

void fronts_find_knees(FrontList *list)
{
    for (size_t i = 0, next; i < list->count; i = next) {
        for (next = i; next < list->count && list->items[next].problem == list->items[i].problem; ++next)
            ;
        find_knee(&list->items[i], next - i);
    }
}

// One point for items[count], all of one decision; room for `count` numbers.
static FrontPoint judge(const FrontPoint *items, size_t count, size_t objectives, bool worst, double *room)
{
    FrontPoint judged = items[0];
    judged.problem = 0;
    for (size_t k = 0; k < objectives; ++k) {
        for (size_t i = 0; i < count; ++i)
            room[i] = items[i].values[k];
        sort_numbers(room, count);
        const double low = room[worst ? count - 1 : (count - 1) / 2], high = room[worst ? count - 1 : count / 2];
        judged.values[k] = isinf(high) ? high : low + 0.5 * (high - low);
    }
    return judged;
}

bool fronts_judge(FrontList *list, size_t objectives, bool worst, size_t problem_count, Error *err)
{
    FrontPoint *items = list->items;
    size_t      kept = 0;
    double     *room = malloc((list->count + 1) * sizeof *room);
    if (!room)
        return fail(err, ERROR_INTERNAL, "out of memory for %zu points", list->count);
    if (list->count > 1)
        qsort(items, list->count, sizeof *items, compare_decisions);
    for (size_t i = 0, next; i < list->count; i = next) {
        size_t problems = 0;
        for (next = i; next < list->count && items[next].decision == items[i].decision; ++next)
            problems += next == i || items[next].problem != items[next - 1].problem;
        FrontPoint judged = judge(&items[i], next - i, objectives, worst, room);
        if (problems < problem_count)
            judged.values[0] = (double)NAN;
        items[kept++] = judged;
    }
    list->count = kept;
    free(room);
    return true;
}
