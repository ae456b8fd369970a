// walk -- launches of one substep, and the states between them.
#include "base/stop.h"
#include "device/program.h"

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

void walk_state(const Walk *walk, const double *rows, size_t column, double *numbers, WalkState *state)
{
    const Card   *method = walk->group->method;
    const size_t  n = walk->group->dofs, own = method->state_count + method->scratch_count;
    const double *next = numbers + (2 + own + (method->history ? 2 : 0)) * n;
    for (size_t r = 0; r < walk->rows; ++r)
        numbers[r] = rows[r * walk->stride + column];
    *state = (WalkState){.x = numbers, .v = numbers + n, .own = numbers + 2 * n, .previous = numbers + (2 + own) * n};
#define COUNT_ROW(member) +1
#define TAKE_WHOLE(member) state->member = whole_of(*next++);
#define TAKE_REAL(member) state->member = *next++;
    PLACE_ROWS(TAKE_WHOLE)
    COUNTER_ROWS(TAKE_WHOLE)
    CONDITION_ROWS(TAKE_REAL)
    if (method->adaptive) {
        SUBSTEP_ROWS(TAKE_REAL)
    }
    state->metrics = next;
}

// Copies the state's rows: reals as doubles, integers as 64 bits in their place.
static bool read_rows(Program *program, const Run *run, double *rows, Error *err)
{
    const Buffer *buffer = &program->buffers[BUFFER_STATE];
    const size_t  count = program->rows.state * run->columns, vectors = program->rows.step * run->columns;
    const size_t  wholes = (0 PLACE_ROWS(COUNT_ROW) COUNTER_ROWS(COUNT_ROW)) * run->columns;
    void         *mapped = buffer_map(program->device, buffer, CL_MAP_READ, count * program->number_bytes, err);
    if (!mapped)
        return false;
    if (program->number_bytes == sizeof(double)) {
        memcpy(rows, mapped, count * sizeof *rows);
    } else {
        for (size_t i = 0; i < count; ++i)
            if (i < vectors || i >= vectors + wholes) {
                rows[i] = (double)((const float *)mapped)[i];
            } else {
                const int64_t whole = ((const int32_t *)mapped)[i];
                memcpy(&rows[i], &whole, sizeof whole);
            }
    }
    return buffer_unmap(program->device, buffer, mapped, err);
}

static bool walk(Program *program, Run *run, const RunOptions *options, double *rows[2],
                 bool (*visit)(const Walk *walk, void *user, Error *err), void *user, Error *err)
{
    uint64_t tally[TALLY_COUNT];
    size_t   end;
    double   deadline = 0;
    Walk     seen = {.group = program->group,
                     .count = run->batch->point_count,
                     .point = run->output->raw.point,
                     .rows = program->rows.state,
                     .stride = run->columns};
    program->flat = true;
    if (!slices_begin(program, run, &end, err) || !slices_run_one(program, run, end, 0, tally, err) ||
        !read_rows(program, run, rows[0], err))
        return false;
    seen.after = rows[0];
    if (!visit(&seen, user, err))
        return false;
    for (int turn = 1; tally[TALLY_RUNNING] > 0; turn = 1 - turn) {
        if (stop_due(options->signals, &deadline))
            return fail(err, ERROR_STOPPED, "stopped by a signal");
        if (!slices_run_one(program, run, end, ONE_SUBSTEP, tally, err) || !read_rows(program, run, rows[turn], err))
            return false;
        seen.before = rows[1 - turn];
        seen.after = rows[turn];
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
    const size_t count = program->rows.state * run.columns;
    double      *rows[2] = {malloc(count * sizeof **rows), malloc(count * sizeof **rows)};
    const bool   ok = rows[0] && rows[1] ? walk(program, &run, options, rows, visit, user, err)
                                         : fail(err, ERROR_INTERNAL, "out of memory");
    free(rows[0]);
    free(rows[1]);
    return ok;
}
