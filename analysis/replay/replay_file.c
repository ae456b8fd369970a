// replay_file -- a result file's results of a point, and whether results are the same.
#include "analysis/replay/replay.h"

#include <string.h>

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

bool replay_read_stored(Replay *replay, Error *err)
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
