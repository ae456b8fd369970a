// reuse -- points of batches found in older groups, and their stored rows read in windows.
#include "store/reuse.h"

#include "store/damage.h"
#include "store/match.h"
#include "store/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Stored rows of so many consecutive points are read at a time.
enum { WINDOW = 4096 };

struct Reuse {
    Older      *olders;  // [older_count]
    size_t      older_count;
    Match     **matches;  // [group_count] of each new group
    const Plan *plan;
    Arena       arena;
};

struct Found {
    const Match *match;
    uint64_t     old;  // number of the point there
    uint32_t new;      // and in the batch
};

static bool add_match(Reuse *reuse, const Older *older, size_t section, size_t g, bool kept, Error *err)
{
    Match *match = arena_take(&reuse->arena, 1, sizeof *match, err);
    if (!match)
        return false;
    *match = (Match){.older = older,
                     .old = &older->origin.plan.groups[section],
                     .new = &reuse->plan->groups[g],
                     .section = section,
                     .kept = kept};
    Match **end = &reuse->matches[g];
    while (*end)
        end = &(*end)->next;
    *end = match;
    return kept || match_make(match, &reuse->arena, err);
}

static bool add_older(Reuse *reuse, const Older *older, const char *const *sources, size_t *served, Error *err)
{
    *served = 0;
    // Its settings belong to some of its points only.
    if (older->origin.plan.history)
        return true;
    for (size_t g = 0; g < reuse->plan->group_count; g++)
        for (size_t s = 0; s < older->origin.plan.group_count; s++) {
            if (!match_suits(older, s, reuse->plan, &reuse->plan->groups[g], sources[g]))
                continue;
            ++*served;
            if (!add_match(reuse, older, s, g, false, err))
                return false;
        }
    return true;
}

static void say_use(const Older *older, size_t served, void (*say)(const char *line, void *user), void *user)
{
    char line[512];
    damage_say(older->path, older->damaged, "not used", say, user);
    if (say && older->origin.plan.history) {
        snprintf(line, sizeof line, "'%.300s' has points that were tried again by other rules: nothing of it is used",
                 older->path);
        say(line, user);
    } else if (say && served == 0) {
        snprintf(line, sizeof line,
                 "'%.300s' has no group of the same kernel, metrics, precision and rules: nothing of it is used",
                 older->path);
        say(line, user);
    }
}

bool reuse_open(const char *const *paths, size_t count, const Plan *plan, const char *const *sources,
                void (*say)(const char *line, void *user), void *user, Reuse **reuse, Error *err)
{
    Reuse *made = calloc(1, sizeof *made);
    *reuse = NULL;
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    made->plan = plan;
    made->olders = arena_take(&made->arena, count, sizeof *made->olders, err);
    made->matches = arena_take(&made->arena, plan->group_count, sizeof(Match *), err);
    bool ok = made->olders && made->matches;
    for (size_t i = 0; ok && i < count; i++) {
        Older *older = &made->olders[made->older_count++];
        size_t served;
        ok = older_open(paths[i], plan->spec, older, err);
        if (!ok && sources && err->kind == ERROR_INPUT) {
            const Error why = *err;
            fail(err, ERROR_INPUT, "%.4000s; without --reuse of it the run computes all", why.message);
        }
        ok = ok && (!sources || add_older(made, older, sources, &served, err));
        if (ok && sources)
            say_use(older, served, say, user);
    }
    if (ok)
        *reuse = made;
    else
        reuse_close(made);
    return ok;
}

void reuse_close(Reuse *reuse)
{
    if (!reuse)
        return;
    for (size_t i = 0; i < reuse->older_count; i++)
        older_close(&reuse->olders[i]);
    arena_free(&reuse->arena);
    free(reuse);
}

static bool find_point(const Reuse *reuse, const Match *match, uint64_t point, bool stored, double *values,
                       uint64_t *old)
{
    if (!match->kept)
        return match_find(match, point, stored, values, old);
    *old = point;
    return reuse->plan->attempts[match->section][point] != reuse->plan->attempt;
}

static bool make_room(ReuseBatch *found, size_t count, Error *err)
{
    if (found->capacity < count) {
        reuse_free(found);
        found->given = calloc(count, sizeof *found->given);
        found->found = calloc(count, sizeof *found->found);
        found->capacity = count;
    }
    return (found->given && found->found) || fail(err, ERROR_INTERNAL, "out of memory");
}

bool reuse_open_kept(const char *path, const Plan *plan, Reuse **reuse, Error *err)
{
    if (!reuse_open(&path, 1, plan, NULL, NULL, NULL, reuse, err))
        return false;
    Reuse *made = *reuse;
    bool   ok = true;
    for (size_t g = 0; ok && g < plan->group_count && g < made->olders->origin.plan.group_count; g++)
        ok = add_match(made, made->olders, g, g, true, err);
    return ok;
}

const Older *reuse_older(const Reuse *reuse)
{
    return reuse->olders;
}

bool reuse_find(const Reuse *reuse, Batch *batch, ReuseBatch *found, Error *err)
{
    const Match *matches = reuse ? reuse->matches[batch->group - reuse->plan->groups] : NULL;
    found->count = 0;
    if (!matches)
        return true;
    size_t most = 0;
    for (const Match *match = matches; match; match = match->next)
        most = match->pair_count > most ? match->pair_count : most;
    double *values SCOPED(scoped_free) = calloc(most + 1, sizeof *values);
    if (!values || !make_room(found, batch->point_count, err))
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; i < batch->point_count; i++) {
        uint64_t old;
        bool     stored = false;
        if (batch->slot_count > 0)
            group_slot(batch->group, batch->first_point + i, &stored);
        const Match *match = matches;
        while (match && !find_point(reuse, match, batch->first_point + i, stored, values, &old))
            match = match->next;
        found->given[i] = match != NULL;
        if (!match)
            continue;
        found->found[found->count++] = (struct Found){match, old, (uint32_t)i};
        batch->given_slots += stored;
    }
    batch->given = found->given;
    batch->given_points = found->count;
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct Found *x = a, *y = b;
    if (x->match != y->match)
        return x->match < y->match ? -1 : 1;
    return (x->old > y->old) - (x->old < y->old);
}

// Copies a stored row of the older file into the results: trajectories end where the longest of their group does, and
// numbers behind a point's last sample are NaN.
static void put_row(const Variable *variable, const char *from, size_t from_bytes, char *to)
{
    const size_t number = group_type_bytes(variable->type), bytes = variable->width * number;
    memcpy(to, from, from_bytes < bytes ? from_bytes : bytes);
    for (size_t i = from_bytes / number; i < variable->width; i++)
        if (variable->type == TYPE_F32)
            ((float *)to)[i] = plain_nan_float(NAN);
        else
            ((double *)to)[i] = plain_nan(NAN);
}

// Copies one variable of the points found[0 .. count - 1], which are near each other in the older file.
static bool copy_variable(const Batch *batch, const struct Found *found, size_t count, size_t v, char *rows,
                          const Results *results, Error *err)
{
    const Match *match = found->match;
    const Variable *new = &batch->group->variables[v];
    const BlockColumn *old = &match->older->layout.sections[match->section].columns[v];
    uint64_t           first = 0, last = 0;
    bool               any = false;
    for (size_t i = 0; i < count; i++) {
        bool           selected = true;
        const uint64_t row = new->trajectory ? group_slot(match->old, found[i].old, &selected) : found[i].old;
        if (!selected)
            continue;
        first = any ? first : row;
        last = row;
        any = true;
    }
    if (any && !output_read(match->older->file, match->older->path, rows, (size_t)(last - first + 1) * old->row_bytes,
                            old->offset + first * old->row_bytes, err))
        return false;
    for (size_t i = 0; any && i < count; i++) {
        bool           wanted = true, selected = true;
        const uint64_t point = batch->first_point + found[i].new,
                       row = new->trajectory ? group_slot(match->old, found[i].old, &selected) : found[i].old;
        size_t place = found[i].new;
        if (new->trajectory)
            place = (size_t)(group_slot(batch->group, point, &wanted) - batch->first_slot);
        if (wanted)
            put_row(new, rows + (row - first) * old->row_bytes, old->row_bytes, results_at(results, v, place));
    }
    return true;
}

// The bytes of the longest stored row of an older group.
static size_t longest_row(const Match *match)
{
    size_t longest = 1;
    for (size_t v = 0; v < match->old->variable_count; v++) {
        const size_t bytes = match->older->layout.sections[match->section].columns[v].row_bytes;
        longest = bytes > longest ? bytes : longest;
    }
    return longest;
}

bool reuse_copy(const Batch *batch, ReuseBatch *found, const Results *results, Error *err)
{
    enum { STAGED = 1 << 22 };
    char  *rows SCOPED(scoped_free) = NULL;
    size_t capacity = 0;
    bool   ok = true;
    qsort(found->found, found->count, sizeof *found->found, by_place);
    for (size_t begin = 0, end; ok && begin < found->count; begin = end) {
        const struct Found *first = &found->found[begin];
        const size_t        row = longest_row(first->match), most = row >= STAGED           ? 1
                                                                    : STAGED / row < WINDOW ? STAGED / row
                                                                                            : WINDOW;
        for (end = begin + 1;
             end < found->count && found->found[end].match == first->match && found->found[end].old - first->old < most;
             end++)
            ;
        if (capacity < most * row) {
            free(rows);
            capacity = most * row;
            rows = malloc(capacity);
        }
        ok = rows || fail(err, ERROR_INTERNAL, "out of memory");
        for (size_t v = 0; ok && v < batch->group->variable_count; v++)
            ok = copy_variable(batch, first, end - begin, v, rows, results, err);
    }
    return ok;
}

void reuse_free(ReuseBatch *found)
{
    free(found->given);
    free(found->found);
    *found = (ReuseBatch){0};
}
