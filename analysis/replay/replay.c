// replay -- the file opened, its point found and read, both sides run, their trails laid side by side.
#include "analysis/replay/replay.h"

#include "engine/engine.h"
#include "store/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail_of_groups(const Replay *replay, const char *wanted, Error *err)
{
    Text labels = {0};
    for (size_t g = 0; g < replay->origin.plan.group_count; ++g)
        text_add(&labels, "%s%s", g ? ", " : "", replay->origin.plan.groups[g].label);
    if (wanted)
        fail(err, ERROR_USAGE, "%s: no group '%.100s'; it has %s", replay->file.path, wanted,
             labels.text ? labels.text : "none");
    else
        fail(err, ERROR_USAGE, "%s has %zu groups: --group chooses one of %s", replay->file.path,
             replay->origin.plan.group_count, labels.text ? labels.text : "none");
    text_free(&labels);
    return false;
}

static bool choose_group(Replay *replay, Error *err)
{
    const Plan *plan = &replay->origin.plan;
    const char *wanted = replay->request->group;
    if (!wanted && plan->group_count != 1)
        return fail_of_groups(replay, NULL, err);
    for (size_t g = 0; g < plan->group_count && !replay->whole; ++g)
        if (!wanted || strcmp(plan->groups[g].label, wanted) == 0)
            replay->whole = &plan->groups[g];
    return replay->whole || fail_of_groups(replay, wanted, err);
}

static const NamedValue *wanted_of(const Replay *replay, const char *axis)
{
    return coordinates_find(&replay->request->at, axis);
}

// Every --at names an axis, and of every dimension that has a choice one is named.
static bool check_wanted(const Replay *replay, Error *err)
{
    const Group *group = replay->whole;
    for (size_t i = 0; i < replay->request->at.count; ++i)
        if (!group_axis(group, replay->request->at.items[i].name))
            return fail(err, ERROR_USAGE, "--at: group '%s' has no axis '%.100s'", group->label,
                        replay->request->at.items[i].name);
    for (size_t d = 0; d < group->dim_count; ++d) {
        bool wanted = group->dims[d].count == 1;
        for (size_t a = 0; a < group->axis_count; ++a)
            wanted = wanted || (group->axes[a].dim == d && wanted_of(replay, group->axes[a].name));
        if (!wanted)
            return fail(err, ERROR_USAGE, "--at: which %s? Group '%s' has %zu values of it", group->dims[d].name,
                        group->label, group->dims[d].count);
    }
    return true;
}

// The distance of an index along a dimension from the wanted values, in units of them, the largest over the axes there.
static double distance(const Replay *replay, size_t dim, size_t index)
{
    const Group *group = replay->whole;
    double       most = 0.0;
    for (size_t a = 0; a < group->axis_count; ++a) {
        const NamedValue *at = wanted_of(replay, group->axes[a].name);
        if (at && group->axes[a].dim == dim)
            most = fmax(most,
                        fabs(group_axis_at(group, &group->axes[a], index) - at->value) / fmax(fabs(at->value), 1e-300));
    }
    return most;
}

static void find_nearest(Replay *replay)
{
    const Group *group = replay->whole;
    for (size_t d = 0; d < group->dim_count; ++d) {
        size_t best = 0;
        for (size_t k = 1; k < group->dims[d].count; ++k)
            if (distance(replay, d, k) < distance(replay, d, best))
                best = k;
        replay->point = replay->point * group->dims[d].count + best;
    }
}

static bool choose_point(Replay *replay, Error *err)
{
    const Group *group = replay->whole;
    if (replay->request->point == REPLAY_AT) {
        if (!check_wanted(replay, err))
            return false;
        find_nearest(replay);
        return true;
    }
    replay->point = replay->request->point;
    return replay->point < group->point_count ||
           fail(err, ERROR_USAGE, "%s: group '%s' has no point %" PRIu64 ": they are numbered 0 to %" PRIu64,
                replay->file.path, group->label, replay->point, group->point_count - 1);
}

// Makes the solution that the point's metrics compare with.
static bool solve(Replay *replay, Error *err)
{
    Engine     engine = {.plan = &replay->origin.plan, .group = &replay->group};
    const bool ok = engine_solve(&engine, NULL, err);
    replay->solution = engine.solution;
    replay->batch.solution = &replay->solution;
    return ok;
}

static bool read_origin(Replay *replay, Error *err)
{
    const char *sweep = replay->request->sweep;
    char       *history = NULL;
    if (!store_read_text(&replay->file, NULL, "history", &history, err))
        return false;
    free(history);
    if (history)
        return fail(err, ERROR_INPUT,
                    "%s: has points that were tried again (`history`), and its settings are those of some points only",
                    replay->file.path);
    return (!sweep || spec_read(sweep, NULL, 0, &replay->trusted, err)) &&
           origin_read(&replay->file, sweep ? &replay->trusted : NULL, &replay->origin, err);
}

// The first line in which two texts differ; 0: they are the same.
static size_t find_difference(const char *a, const char *b)
{
    size_t line = 1;
    while (*a && *a == *b) {
        line += *a == '\n';
        ++a;
        ++b;
    }
    return *a == *b ? 0 : line;
}

// The kernel that runs is the one that the file has, unless the user trusts a sweep file.
static bool check_source(Replay *replay, Error *err)
{
    const StoreGroup *section = store_read_group(&replay->file, replay->whole->label);
    Engine            engine = {0};
    char             *stored = NULL;
    bool ok = replay->request->sweep || !section || store_read_source(&replay->file, section, &stored, err);
    if (ok && stored) {
        ok = engine_compose(&engine, &replay->origin.plan, replay->whole, err);
        const size_t line = ok ? find_difference(stored, engine.source.text) : 0;
        if (line > 0)
            ok =
                fail(err, ERROR_INPUT,
                     "%s: group '%s': the kernel that would run differs from the file's in line %zu of `source`: it is "
                     "of another version; --sweep SWEEP.yaml runs that of a sweep file that you trust",
                     replay->file.path, replay->whole->label, line);
    }
    engine_free(&engine);
    free(stored);
    return ok;
}

// The place of the stored row `row` of a variable: the last dimensions, of samples and degrees of freedom, are taken
// whole.
static bool find_part(const StoreVariable *variable, size_t inner, uint64_t row, uint64_t *start, uint64_t *count)
{
    if (variable->rank < inner)
        return false;
    for (size_t i = variable->rank; i-- > 0;) {
        const bool whole = i >= variable->rank - inner;
        start[i] = whole || variable->shape[i] == 0 ? 0 : row % variable->shape[i];
        count[i] = whole ? variable->shape[i] : 1;
        row /= whole || variable->shape[i] == 0 ? 1 : variable->shape[i];
    }
    return row == 0;
}

static bool read_variable(Replay *replay, const StoreGroup *section, size_t v, uint64_t row, Error *err)
{
    const Variable      *variable = &replay->group.variables[v];
    const StoreVariable *stored = store_read_variable(section, variable->name);
    const size_t         inner = (size_t)variable->trajectory + variable->sampled + variable->per_dof;
    uint64_t             start[STORE_READ_RANK], count[STORE_READ_RANK], numbers = 1;
    Arena                arena = {0};
    bool                 whole = stored && find_part(stored, inner, row, start, count);
    for (size_t i = 0; whole && i < stored->rank; ++i)
        numbers *= count[i];
    if (!whole || numbers != variable->width)
        return fail(err, ERROR_INPUT, "%s: group '%s' has no '%s' of the shape that its sweep gives it",
                    replay->file.path, section->label, variable->name);
    double    *values = arena_take(&arena, (size_t)numbers, sizeof *values, err);
    const bool ok = values && store_read_numbers(&replay->file, section, stored, start, count, values, err);
    for (size_t i = 0; ok && i < numbers; ++i)
        results_put(&replay->stored, v, 0, i, values[i]);
    arena_free(&arena);
    return ok;
}

// Reads the file's results of the point.
static bool read_stored(Replay *replay, Error *err)
{
    const Group      *group = &replay->group;
    const StoreGroup *section = store_read_group(&replay->file, group->label);
    const uint64_t    slot = group_slot(replay->whole, replay->point, NULL);
    bool ok = section || fail(err, ERROR_INPUT, "%s: there is no group '%s'", replay->file.path, group->label);
    ok = ok && results_make(group, 1, 1, &replay->stored, err);
    for (size_t v = 0; ok && v < group->variable_count; ++v)
        if (replay_has(replay, v))
            ok = read_variable(replay, section, v, group->variables[v].trajectory ? slot : replay->point, err);
    return ok;
}

bool replay_is_stored(const Replay *replay)
{
    return results_value(&replay->stored, 0, 0, 0) != STATUS_NOT_RUN;
}

bool replay_has(const Replay *replay, size_t variable)
{
    return !replay->group.variables[variable].trajectory || replay->batch.slot_count > 0;
}

bool replay_same(const Replay *replay, const Results *a, const Results *b, size_t variable)
{
    const Variable *v = &replay->group.variables[variable];
    return memcmp(results_at(a, variable, 0), results_at(b, variable, 0), v->width * group_type_bytes(v->type)) == 0;
}

ReplayTry *replay_add_try(Replay *replay, ReplayTrail *trail, Error *err)
{
    const Group *group = &replay->group;
    trail->dofs = group->dofs;
    trail->vectors = group->method->state_count ? 3 : 2;
    trail->moving = group->problem->first_order ? 1 : 2;
    if (trail->count == trail->capacity) {
        const size_t capacity = trail->capacity ? 2 * trail->capacity : 256;
        ReplayTry   *grown = realloc(trail->tries, capacity * sizeof *grown);
        if (!grown) {
            fail(err, ERROR_INTERNAL, "out of memory");
            return NULL;
        }
        trail->tries = grown;
        trail->capacity = capacity;
    }
    const size_t derived = trail->moving * group->derivative_count * trail->dofs,
                 numbers = (trail->vectors + 1) * trail->dofs + derived,
                 earlier = group->method->history ? 2 * trail->dofs : 0;
    ReplayTry *try = &trail->tries[trail->count];
    *try = (ReplayTry){.error = NAN};
    try->state = arena_take(&replay->arena, numbers + earlier, sizeof *try->state, err);
    if (!try->state)
        return NULL;
    try->tangents = try->state + trail->vectors * trail->dofs;
    try->scale = try->tangents + derived;
    try->previous = try->state + numbers;
    // A substep that is not accepted leaves the state as it was.
    if (trail->count++ > 0)
        memcpy(try->state, try[-1].state, numbers * sizeof *try->state);
    return try;
}

// Which of two tries comes first in time: less than 0, 0 or more.
static int order(const ReplayTry *a, const ReplayTry *b)
{
    const int64_t of_a[] = {a->h > 0.0, a->step, a->index, a->level},
                  of_b[] = {b->h > 0.0, b->step, b->index, b->level};
    for (size_t i = 0; i < sizeof of_a / sizeof *of_a; ++i)
        if (of_a[i] != of_b[i])
            return of_a[i] < of_b[i] ? -1 : 1;
    return 0;
}

double replay_ulp(const Replay *replay, double size)
{
    if (replay->origin.plan.precision == PRECISION_SINGLE)
        return (double)nextafterf((float)size, INFINITY) - (double)(float)size;
    return nextafter(size, INFINITY) - size;
}

// Compares a vector of both sides in ulps of its largest component.
//   name  of the vector; and of what it is the derivative by, or NULL
static void measure_vector(const Replay *replay, ReplayRow *row, const double *a, const double *b, char name,
                           const char *by)
{
    const size_t n = replay->kernel.dofs;
    double       size = 0.0;
    for (size_t i = 0; i < n; ++i)
        size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
    for (size_t i = 0; i < n; ++i) {
        const double other = point_input_number(&replay->origin.plan, b[i]);
        if (memcmp(&a[i], &other, sizeof other) == 0 || (isnan(a[i]) && isnan(other)))
            continue;
        const double apart = fabs(a[i] - other) / replay_ulp(replay, size);
        if (!row->differ || apart > row->apart || isnan(apart))
            snprintf(row->where, sizeof row->where, by ? "%c_d_%.40s[%zu]" : "%c%s[%zu]", name, by ? by : "", i);
        row->differ = true;
        row->apart = apart > row->apart ? apart : row->apart;
    }
}

// How far the two sides' states at a place are apart, and their derivatives.
static void measure(const Replay *replay, ReplayRow *row)
{
    static const char  names[] = "xva";
    const ReplayTrail *trail = &replay->kernel;
    const ReplayTry   *a = row->kernel, *b = row->reference;
    row->apart = a && b ? 0.0 : (double)NAN;
    for (size_t k = 0; a && b && k < trail->vectors; ++k)
        measure_vector(replay, row, a->state + k * trail->dofs, b->state + k * trail->dofs, names[k], NULL);
    for (size_t j = 0; a && b && j < replay->group.derivative_count; ++j)
        for (size_t k = 0; k < trail->moving; ++k) {
            const size_t at = (j * trail->moving + k) * trail->dofs;
            measure_vector(replay, row, a->tangents + at, b->tangents + at, names[k],
                           replay->group.derivatives[j].name);
        }
}

// Lays the trails side by side.
static bool compare(Replay *replay, Error *err)
{
    const ReplayTrail *kernel = &replay->kernel, *reference = &replay->reference;
    const bool         both = kernel->ran && reference->ran;
    size_t             k = 0, r = 0;
    replay->rows = calloc(kernel->count + reference->count + 1, sizeof *replay->rows);
    if (!replay->rows)
        return fail(err, ERROR_INTERNAL, "out of memory");
    replay->parted = replay->decided = SIZE_MAX;
    while (k < kernel->count || r < reference->count) {
        const int  which = k == kernel->count      ? 1
                           : r == reference->count ? -1
                                                   : order(&kernel->tries[k], &reference->tries[r]);
        ReplayRow *row = &replay->rows[replay->row_count];
        row->kernel = which <= 0 ? &kernel->tries[k++] : NULL;
        row->reference = which >= 0 ? &reference->tries[r++] : NULL;
        measure(replay, row);
        if (both && row->differ && replay->parted == SIZE_MAX)
            replay->parted = replay->row_count;
        const bool alike = row->kernel && row->reference && row->kernel->accepted == row->reference->accepted &&
                           row->kernel->updates == row->reference->updates;
        if (both && !alike && replay->decided == SIZE_MAX)
            replay->decided = replay->row_count;
        ++replay->row_count;
    }
    return true;
}

bool replay_run(const ReplayRequest *request, Replay *replay, Error *err)
{
    const bool kernel = !request->device || strcmp(request->device, "reference") != 0;
    replay->request = request;
    bool ok = store_read_open(request->file, &replay->file, err) && read_origin(replay, err) &&
              choose_group(replay, err) && check_source(replay, err) && choose_point(replay, err) &&
              group_pick(replay->whole, &replay->point, 1, &replay->arena, &replay->group, err);
    if (!ok)
        return false;
    replay->batch = batch_make(&replay->group, 0, 1);
    ok = verify_point(&replay->file, store_read_group(&replay->file, replay->whole->label), replay->point, err) &&
         read_stored(replay, err) && solve(replay, err) && replay_run_reference(replay, err);
    if (ok && kernel)
        ok = replay_run_kernel(replay, err);
    else if (ok && !replay->reference.ran)
        ok = fail(err, ERROR_DEVICE, "%s", replay->reference.missing.text);
    else if (ok)
        text_add(&replay->kernel.missing, "the reference alone was asked for");
    return ok && compare(replay, err);
}

static void free_trail(ReplayTrail *trail)
{
    free(trail->tries);
    results_free(&trail->results);
    text_free(&trail->missing);
}

void replay_free(Replay *replay)
{
    free(replay->rows);
    free_trail(&replay->kernel);
    free_trail(&replay->reference);
    text_free(&replay->uncertified);
    point_free(&replay->run);
    results_free(&replay->stored);
    solution_free(&replay->solution);
    origin_free(&replay->origin);
    spec_free(&replay->trusted);
    store_read_close(&replay->file);
    arena_free(&replay->arena);
    *replay = (Replay){0};
}
