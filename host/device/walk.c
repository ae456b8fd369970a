// walk -- launches of one substep, and the states between them.
#include "base/stop.h"
#include "device/program.h"
#include "plan/events.h"

#include <stdlib.h>
#include <string.h>

// Every point goes on with its own next substep, and the first ends the launch.
enum { ONE_SUBSTEP = 1 };

static int64_t whole_of(double number)
{
    int64_t whole;
    memcpy(&whole, &number, sizeof whole);
    return whole;
}

size_t walk_vectors(const Group *group)
{
    return 2 + group_kept_vectors(group) + group->method->scratch_count + (group->method->history ? 2 : 0);
}

void walk_state(const Walk *walk, const double *states, size_t column, WalkState *state)
{
    const Card   *method = walk->group->method;
    const size_t  n = walk->group->dofs, own = group_kept_vectors(walk->group) + method->scratch_count;
    const double *numbers = states + column * walk->rows, *previous = numbers + (2 + own) * n,
                 *scale = previous + (method->history ? 2 * n : 0),
                 *next = scale + (group_keeps_scale(walk->group) ? n : 0);
    *state = (WalkState){.x = numbers,
                         .v = numbers + n,
                         .own = numbers + 2 * n,
                         .previous = method->history ? previous : NULL,
                         .scale = group_keeps_scale(walk->group) ? scale : NULL};
#define COUNT_ROW(member) +1
#define TAKE_WHOLE(member) state->member = whole_of(*next++);
#define TAKE_REAL(member) state->member = *next++;
    PLACE_ROWS(TAKE_WHOLE)
    COUNTER_ROWS(TAKE_WHOLE)
    CONDITION_ROWS(TAKE_REAL)
    if (method->adaptive) {
        SUBSTEP_ROWS(TAKE_REAL)
    }
    if (walk->group->breaks) {
        BREAK_ROWS(TAKE_REAL)
    }
    if (walk->group->events) {
        EVENT_ROWS(TAKE_REAL)
        state->side = next;
        state->seen = state->side + walk->group->events->count;
        state->times = state->seen + walk->group->events->count;
        next = state->times + walk->group->events->times;
    }
    state->metrics = next + (walk->group->deviation_count > 0 ? 2 * n : 0);
    state->tangents = numbers + walk->rows - walk_vectors(walk->group) * (group_state_dofs(walk->group) - n);
}

// A number of the state in single precision, as the state in double has it.
static double widen(float number, bool whole)
{
    double wide = (double)number;
    if (whole) {
        int32_t narrow;
        int64_t integer;
        memcpy(&narrow, &number, sizeof narrow);
        integer = narrow;
        memcpy(&wide, &integer, sizeof wide);
    }
    return wide;
}

// Where a row of the device stands in a point's numbers: derivatives follow each vector there, and stand behind
// everything here, name by name.
static size_t place_of(const Group *group, size_t rows, size_t row)
{
    const size_t n = group->dofs, wide = group_state_dofs(group), vectors = walk_vectors(group),
                 tangents = vectors * (wide - n), vector = row / wide, within = row % wide;
    if (vector >= vectors)
        return row - tangents;
    if (within < n)
        return vector * n + within;
    return rows - tangents + ((within / n - 1) * vectors + vector) * n + within % n;
}

// Copies the device rows of the state, a point's numbers side by side: reals as doubles, integers as 64 bits in their
// place.
static bool read_states(Program *program, const Run *run, double *states, Error *err)
{
    enum { BLOCK = 16 };
    const Buffer *buffer = &program->buffers[BUFFER_STATE];
    const size_t  rows = program->rows.state, stride = run->columns, points = run->batch->point_count,
                 first = program->rows.step, last = first + (0 PLACE_ROWS(COUNT_ROW) COUNTER_ROWS(COUNT_ROW));
    void *mapped = buffer_map(program->device, buffer, CL_MAP_READ, rows * stride * program->number_bytes, err);
    if (!mapped)
        return false;
    for (size_t begin = 0; begin < points; begin += BLOCK)
        for (size_t r = 0; r < rows; ++r) {
            const size_t to = place_of(program->group, rows, r);
            for (size_t c = begin; c < begin + BLOCK && c < points; ++c)
                states[c * rows + to] = program->number_bytes == sizeof(double)
                                            ? ((const double *)mapped)[r * stride + c]
                                            : widen(((const float *)mapped)[r * stride + c], r >= first && r < last);
        }
    return buffer_unmap(program->device, buffer, mapped, err);
}

static bool walk(Program *program, Run *run, const RunOptions *options, double *states[2],
                 bool (*visit)(const Walk *walk, void *user, Error *err), void *user, Error *err)
{
    uint64_t tally[TALLY_COUNT];
    size_t   end;
    double   deadline = 0;
    Walk     seen = {.group = program->group,
                     .count = run->batch->point_count,
                     .point = run->output->raw.point,
                     .rows = program->rows.state};
    if (!slices_begin(program, run, &end, err) || !slices_run_one(program, run, end, 0, tally, err) ||
        !read_states(program, run, states[0], err))
        return false;
    seen.after = states[0];
    if (!visit(&seen, user, err))
        return false;
    for (int turn = 1; tally[TALLY_RUNNING] > 0; turn = 1 - turn) {
        if (stop_due(options->signals, &deadline))
            return fail(err, ERROR_STOPPED, "stopped by a signal");
        if (!slices_run_one(program, run, end, ONE_SUBSTEP, tally, err) ||
            !read_states(program, run, states[turn], err))
            return false;
        if (options->progress)
            options->progress(&(Progress){.steps = tally[TALLY_STEPS],
                                          .running = tally[TALLY_RUNNING],
                                          .used = tally[TALLY_USED],
                                          .spent = tally[TALLY_SPENT]},
                              options->user);
        seen.before = states[1 - turn];
        seen.after = states[turn];
        if (!visit(&seen, user, err))
            return false;
    }
    return true;
}

bool device_walk(Program *program, const Batch *batch, const RunOptions *options,
                 bool (*visit)(const Walk *walk, void *user, Error *err), void *user, Error *err)
{
    Run run;
    if (!program_load(program, 0, batch, 0, true, &run, err))
        return false;
    const size_t count = program->rows.state * batch->point_count;
    double      *states[2] = {malloc(count * sizeof **states), malloc(count * sizeof **states)};
    const bool   ok = states[0] && states[1] ? walk(program, &run, options, states, visit, user, err)
                                             : fail(err, ERROR_INTERNAL, "out of memory");
    free(states[0]);
    free(states[1]);
    return ok;
}
