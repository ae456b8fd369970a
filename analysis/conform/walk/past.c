// past -- places within a step, and the starts that a two-step method has seen.
#include "analysis/conform/walk/past.h"

#include <string.h>

enum { FULL = 1 << MOST_DEPTH };

// Of x and v, and of their derivatives.
static size_t state_numbers(const Group *group)
{
    return 2 * group_state_dofs(group);
}

size_t past_numbers(const Group *group)
{
    return (MOST_DEPTH + 2) * state_numbers(group);
}

void past_begin(Past *past, double *states)
{
    past->states = states;
    past->has_step = false;
    for (int k = 0; k <= MOST_DEPTH; ++k)
        past->place[k] = -1;
}

static int level_of(int64_t place)
{
    return place == 0 ? 0 : MOST_DEPTH - __builtin_ctzll((uint64_t)place);
}

static double *past_state(const Past *past, size_t slot, const Group *group)
{
    return past->states + slot * state_numbers(group);
}

static void keep(double *to, const WalkState *state, const Group *group)
{
    const size_t n = group->dofs;
    memcpy(to, state->x, n * sizeof *to);
    memcpy(to + n, state->v, n * sizeof *to);
    for (size_t j = 0; j < group->derivative_count; ++j)
        memcpy(to + (j + 1) * 2 * n, state->tangents + j * walk_vectors(group) * n, 2 * n * sizeof *to);
}

const double *past_find(const Group *group, const Past *past, const StepPiece *piece, const WalkState *before,
                        double *spacing)
{
    const int64_t own = FULL >> before->level, back = before->index ? before->index & -before->index : FULL,
                  place = before->index - back;
    const bool divided = group->breaks && place < 0;
    *spacing = divided ? before->gap : piece->length * (double)back / FULL;
    const bool same = piece->sought > 0.0 ? *spacing == piece->sought && (before->index > 0 || before->level == 0)
                      : divided           ? before->level == 0 && before->gap == piece->length
                                          : own == back;
    if (!same && group->substeps.start != START_VARIABLE)
        return NULL;
    if (place < 0)
        return past->has_step ? past_state(past, MOST_DEPTH + 1, group) : NULL;
    return past->place[level_of(place)] == place ? past_state(past, (size_t)level_of(place), group) : NULL;
}

void past_note(const Group *group, Past *past, const WalkState *before)
{
    const int level = level_of(before->index);
    past->place[level] = before->index;
    keep(past_state(past, (size_t)level, group), before, group);
    if (before->index + (FULL >> before->level) != FULL)
        return;
    memcpy(past_state(past, MOST_DEPTH + 1, group), past_state(past, 0, group), state_numbers(group) * sizeof(double));
    past->has_step = true;
    for (int i = 0; i <= MOST_DEPTH; ++i)
        past->place[i] = -1;
}

const char *past_place(const Group *group, const WalkState *before, const WalkState *after, bool accepted, bool lost,
                       bool ends_step)
{
    int64_t step = before->step, index = before->index, level = before->level;
    if (lost)
        return after->step == step && after->index == index && after->level == level
                   ? NULL
                   : "the place in time of a point that is lost";
    if (accepted) {
        index += FULL >> level;
        step += index == FULL && ends_step;
        index = index == FULL ? 0 : index;
        level = level_of(index);
    } else if (level < group->substeps.max_depth) {
        ++level;
    }
    return after->step == step && after->index == index && after->level == level ? NULL : "the place in time";
}
