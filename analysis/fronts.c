// fronts -- sorts, and sweeps what is sorted.
//
// What dominates a point stands before it once they are sorted by their objectives in turn (Kung, Luccio and Preparata
// 1975), so that a point is compared with those that were kept and never again.
#include "analysis/fronts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_LIMIT = 1 << 16, FIRST_ROOM = 256 };

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
    list->limit = list->limit ? list->limit : FIRST_LIMIT;
    if (list->count >= list->limit) {
        if (!fronts_reduce(list, objectives, err))
            return false;
        list->limit = 2 * list->count > FIRST_LIMIT ? 2 * list->count : FIRST_LIMIT;
    }
    return fronts_add(list, point, err);
}

static int order(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_numbers(const void *a, const void *b)
{
    return order(*(const double *)a, *(const double *)b);
}

static int compare_whole(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_points(const void *a, const void *b)
{
    const FrontPoint *left = a, *right = b;
    int               code = compare_whole(left->problem, right->problem);
    for (size_t i = 0; code == 0 && i < FRONT_OBJECTIVES; ++i)
        code = order(left->values[i], right->values[i]);
    code = code ? code : compare_whole(left->group, right->group);
    return code ? code : compare_whole(left->point, right->point);
}

static bool dominates(const FrontPoint *a, const FrontPoint *b, size_t objectives)
{
    bool better = false;
    for (size_t i = 0; i < objectives; ++i) {
        if (a->values[i] > b->values[i])
            return false;
        better = better || a->values[i] < b->values[i];
    }
    return better;
}

// Where objectives are three and points come sorted by the first, what matters of those kept is the least third
// objective up to any second one: steps that go down, found by bisection.
typedef struct Stairs {
    size_t *steps;  // [count] indices of points, the second objective rising, the third falling
    size_t  count;
} Stairs;

// The number of steps whose second objective is at most that of the point.
static size_t count_below(const Stairs *stairs, const FrontPoint *items, const FrontPoint *point)
{
    size_t low = 0, high = stairs->count;
    while (low < high) {
        const size_t half = low + (high - low) / 2;
        if (items[stairs->steps[half]].values[1] <= point->values[1])
            low = half + 1;
        else
            high = half;
    }
    return low;
}

// Puts items[kept] in and takes out the steps that are no longer any.
static void add_step(Stairs *stairs, const FrontPoint *items, size_t kept, size_t below)
{
    const double *values = items[kept].values;
    size_t        from = below, to = below;
    if (below > 0 && items[stairs->steps[below - 1]].values[2] <= values[2])
        return;  // an equal point is there
    while (from > 0 && items[stairs->steps[from - 1]].values[1] == values[1])
        --from;
    while (to < stairs->count && items[stairs->steps[to]].values[2] >= values[2])
        ++to;
    memmove(stairs->steps + from + 1, stairs->steps + to, (stairs->count - to) * sizeof *stairs->steps);
    stairs->steps[from] = kept;
    stairs->count = stairs->count - (to - from) + 1;
}

// Whether one of items[start, kept) dominates the point, which follows them in the order. `last` dominated the one
// before, and likely does again.
static bool is_dominated(const FrontPoint *items, size_t start, size_t kept, size_t *last, const FrontPoint *point,
                         size_t objectives)
{
    // Of two objectives the second falls along the front, so that the last point decides.
    if (objectives == 2)
        return kept > start && dominates(&items[kept - 1], point, objectives);
    if (*last >= start && *last < kept && dominates(&items[*last], point, objectives))
        return true;
    for (size_t k = start; k < kept; ++k)
        if (dominates(&items[k], point, objectives)) {
            *last = k;
            return true;
        }
    return false;
}

bool fronts_reduce(FrontList *list, size_t objectives, Error *err)
{
    FrontPoint *items = list->items;
    Stairs      stairs = {.steps = objectives == 3 ? malloc((list->count + 1) * sizeof *stairs.steps) : NULL};
    size_t      kept = 0, start = 0, last = 0;  // start: of the problem's points
    if (objectives == 3 && !stairs.steps)
        return fail(err, ERROR_INTERNAL, "out of memory for %zu points", list->count);
    if (list->count > 1)
        qsort(items, list->count, sizeof *items, compare_points);
    for (size_t i = 0; i < list->count; ++i) {
        if (kept > start && items[kept - 1].problem != items[i].problem) {
            start = kept;
            stairs.count = 0;
        }
        const size_t below = objectives == 3 ? count_below(&stairs, items, &items[i]) : 0;
        if (objectives == 3 ? below > 0 && dominates(&items[stairs.steps[below - 1]], &items[i], 3)
                            : is_dominated(items, start, kept, &last, &items[i], objectives))
            continue;
        items[kept] = items[i];
        if (objectives == 3)
            add_step(&stairs, items, kept, below);
        ++kept;
    }
    list->count = kept;
    free(stairs.steps);
    return true;
}

// The knee among items[count], on a front with two objectives.
static void find_knee(FrontPoint *items, size_t count)
{
    bool        positive[2] = {true, true};
    double      ends[2][2], deepest = 0.0;
    FrontPoint *knee = NULL;
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < 2; ++k)
            positive[k] = positive[k] && items[i].values[k] > 0.0;
    for (size_t k = 0; k < 2; ++k) {
        ends[0][k] = positive[k] ? log(items[0].values[k]) : items[0].values[k];
        ends[1][k] = positive[k] ? log(items[count - 1].values[k]) : items[count - 1].values[k];
    }
    const double width = ends[1][0] - ends[0][0], height = ends[0][1] - ends[1][1];
    if (!(width > 0.0 && height > 0.0))
        return;
    for (size_t i = 1; i + 1 < count; ++i) {
        const double x = positive[0] ? log(items[i].values[0]) : items[i].values[0],
                     y = positive[1] ? log(items[i].values[1]) : items[i].values[1];
        // 1 on the chord, less towards the better corner: distances from a line differ by a factor only.
        const double depth = 1.0 - ((x - ends[0][0]) / width + (y - ends[1][1]) / height);
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

static uint64_t hash_of(const FrontPoint *point)
{
    uint64_t hash = (point->point + 1) * UINT64_C(0x9e3779b97f4a7c15) + point->group * UINT64_C(0xd1b54a32d192ed03);
    hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
    return hash ^ (hash >> 31);
}

bool fronts_sample(FrontSample *sample, const FrontPoint *point, Error *err)
{
    FrontList *list = &sample->list;
    if (sample->most == 0 || hash_of(point) > sample->bound)
        return true;
    while (list->count >= sample->most) {
        const size_t count = list->count;
        sample->bound /= 2;
        list->count = 0;
        for (size_t i = 0; i < count; ++i)
            if (hash_of(&list->items[i]) <= sample->bound)
                list->items[list->count++] = list->items[i];
    }
    return hash_of(point) > sample->bound || fronts_add(list, point, err);
}

static int compare_decisions(const void *a, const void *b)
{
    const FrontPoint *left = a, *right = b;
    int               code = compare_whole(left->decision, right->decision);
    code = code ? code : compare_whole(left->problem, right->problem);
    return code ? code : compare_whole(left->point, right->point);
}

static double middle(const double *sorted, size_t count)
{
    const double low = sorted[(count - 1) / 2], high = sorted[count / 2];
    return isinf(high) ? high : low + 0.5 * (high - low);
}

// One point for items[count], all of one decision; room for `count` numbers.
static FrontPoint judge(const FrontPoint *items, size_t count, size_t objectives, bool worst, double *room)
{
    FrontPoint judged = items[0];
    judged.problem = 0;
    for (size_t k = 0; k < objectives; ++k) {
        for (size_t i = 0; i < count; ++i)
            room[i] = items[i].values[k];
        qsort(room, count, sizeof *room, compare_numbers);
        judged.values[k] = worst ? room[count - 1] : middle(room, count);
    }
    return judged;
}

bool fronts_judge(FrontList *list, size_t objectives, bool worst, size_t problem_count, FrontPartial *partial,
                  void *user, Error *err)
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
        if (problems == problem_count)
            items[kept++] = judge(&items[i], next - i, objectives, worst, room);
        else
            partial(&items[i], user);
    }
    list->count = kept;
    free(room);
    return true;
}
