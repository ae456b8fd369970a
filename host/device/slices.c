// slices -- takes a batch to its end in launches of bounded work.
//
// Between slices the host looks at the work of the lanes. Where many columns hold points that have ended, points at
// work move together and waiting ones take the room. Where lanes often wait for their neighbours, points are sorted by
// the cost of their steps in the last slice, which serves as the trial of points whose cost is not known beforehand.
// None of it changes a bit of any result.
#include "device/program.h"

#include "base/clock.h"
#include "base/stop.h"

#include <math.h>
#include <stdlib.h>

// A slice aims at this many seconds: short enough for a display's watchdog, progress and Ctrl-C, long enough that
// starting and ending it costs nothing.
static const double slice_seconds = 0.1;

// Where lanes are at work less than this fraction of the time, points are sorted by the cost of their steps.
static const double even_share = 0.85;
// Work limit of the slice that tries new points for a short while.
enum { PILOT_WORK = 256 };

bool program_set_arguments(const Program *program, const Run *run, Error *err)
{
    const Trajectory *trajectory = &program->group->trajectory;
    const Buffer     *buffers = program->buffers;
    const cl_mem      memory[] = {
             [ARGUMENT_STATE] = buffers[BUFFER_STATE].memory,  [ARGUMENT_PARAMETERS] = buffers[BUFFER_PARAMETERS].memory,
             [ARGUMENT_RESULTS] = run->output->results.memory, [ARGUMENT_FRAMES] = run->output->frames.memory,
             [ARGUMENT_TALLY] = buffers[BUFFER_TALLY].memory,  [ARGUMENT_TABLES] = buffers[BUFFER_TABLES].memory,
             [ARGUMENT_COST] = buffers[BUFFER_COST].memory};
    const cl_ulong points = run->columns, places = run->places, samples = trajectory->sample_count;
    const cl_long  divisor = trajectory->stored && trajectory->every == 0 && trajectory->sample_count > 1
                                 ? (cl_long)trajectory->sample_count - 1
                                 : 1;
    cl_int         code = CL_SUCCESS;
    for (cl_uint i = 0; i < sizeof memory / sizeof *memory; ++i)
        code |= clSetKernelArg(program->built.kernel, i, sizeof(cl_mem), &memory[i]);
    code |= clSetKernelArg(program->built.kernel, ARGUMENT_POINTS, sizeof points, &points);
    code |= clSetKernelArg(program->built.kernel, ARGUMENT_PLACES, sizeof places, &places);
    code |= clSetKernelArg(program->built.kernel, ARGUMENT_SAMPLES, sizeof samples, &samples);
    code |= clSetKernelArg(program->built.kernel, ARGUMENT_DIVISOR, sizeof divisor, &divisor);
    return opencl_check(program->device, code, "setting kernel arguments", err);
}

// Launches the kernel over `count` columns from `column` on.
static bool launch(Program *program, size_t column, size_t count, cl_uint first, cl_uint work, Error *err)
{
    Device        *device = program->device;
    const size_t   global = count / (size_t)program->built.lanes;
    const cl_ulong begin = column;
    cl_int         code = clSetKernelArg(program->built.kernel, ARGUMENT_BASE, sizeof begin, &begin);
    code |= clSetKernelArg(program->built.kernel, ARGUMENT_FIRST, sizeof first, &first);
    code |= clSetKernelArg(program->built.kernel, ARGUMENT_WORK_LIMIT, sizeof work, &work);
    return opencl_check(device, code, "setting kernel arguments", err) &&
           (global == 0 || opencl_check(device,
                                        clEnqueueNDRangeKernel(device->queue, program->built.kernel, 1, NULL, &global,
                                                               &program->built.local_size, 0, NULL, NULL),
                                        "launching the kernel", err));
}

bool slices_run_one(Program *program, Run *run, size_t end, cl_uint work, uint64_t tally[TALLY_COUNT], Error *err)
{
    Device *device = program->device;
    cl_uint words[2 * TALLY_COUNT] = {0};
    bool    ok = opencl_check(device,
                              clEnqueueWriteBuffer(device->queue, program->buffers[BUFFER_TALLY].memory, CL_TRUE, 0,
                                                   sizeof words, words, 0, NULL, NULL),
                              "writing memory", err) &&
              launch(program, 0, run->live, 0, work, err) &&
              launch(program, run->live, end - run->live, 1, work, err) &&
              opencl_check(device,
                           clEnqueueReadBuffer(device->queue, program->buffers[BUFFER_TALLY].memory, CL_TRUE, 0,
                                               sizeof words, words, 0, NULL, NULL),
                           "running the kernel", err);
    for (int i = 0; i < TALLY_COUNT; ++i)
        tally[i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
    run->live = end;
    program->built.ran = program->built.ran || ok;
    return ok;
}

// Expected cost of a column's point.
typedef struct ColumnCost {
    double   cost;  // of a step
    uint32_t column;
} ColumnCost;

static int dearest_first(const void *a, const void *b)
{
    const ColumnCost *x = a, *y = b;
    return x->cost != y->cost ? (x->cost < y->cost) - (x->cost > y->cost)
                              : (x->column > y->column) - (x->column < y->column);
}

// Lists into program->spare the columns of the points at work, the dearest first where `by_cost`, then one column of a
// point that has ended until whole launches are filled. `kept` receives how many columns these are.
static bool choose_columns(Program *program, const Run *run, bool by_cost, size_t *kept, Error *err)
{
    const Buffer *buffer = &program->buffers[BUFFER_COST];
    void         *cost = buffer_map(program->device, buffer, CL_MAP_READ, run->columns * program->number_bytes, err);
    ColumnCost   *running = cost ? calloc(run->live + 1, sizeof *running) : NULL;
    size_t        count = 0, ended = 0;
    bool          ok = running || (cost && fail(err, ERROR_INTERNAL, "out of memory"));
    for (size_t i = 0; ok && i < run->live; ++i) {
        const double value = rows_value(program, cost, i);
        if (value >= 0.0)
            running[count++] = (ColumnCost){value, (uint32_t)i};
        else
            ended = i;
    }
    if (ok && by_cost)
        qsort(running, count, sizeof *running, dearest_first);
    *kept = program_padded(program, count);
    for (size_t i = 0; ok && i < *kept; ++i)
        program->spare[i] = i < count ? running[i].column : (uint32_t)ended;
    free(running);
    return (!cost || buffer_unmap(program->device, buffer, cost, err)) && ok;
}

// Copies the columns listed in BUFFER_SOURCE to the front of another buffer, which takes the place of the first.
//   rows, stack  of the buffer: the device rows that are copied, and the rows of a level stack behind them
static bool move_rows(Program *program, const Run *run, int which, int moved, size_t rows, size_t stack, size_t kept,
                      Error *err)
{
    Device        *device = program->device;
    Buffer        *from = &program->buffers[which], *to = &program->buffers[moved], swapped;
    const cl_ulong points = run->columns;
    const cl_uint  row_count = (cl_uint)rows, level_row = stack ? (cl_uint)program->rows.level : 0;
    if (!buffer_reserve(device, to, (rows + stack) * run->columns * program->number_bytes, err))
        return false;
    cl_int code = clSetKernelArg(program->built.regroup, REGROUP_FROM, sizeof(cl_mem), &from->memory);
    code |= clSetKernelArg(program->built.regroup, REGROUP_TO, sizeof(cl_mem), &to->memory);
    code |=
        clSetKernelArg(program->built.regroup, REGROUP_SOURCE, sizeof(cl_mem), &program->buffers[BUFFER_SOURCE].memory);
    code |= clSetKernelArg(program->built.regroup, REGROUP_STRIDE, sizeof points, &points);
    code |= clSetKernelArg(program->built.regroup, REGROUP_ROWS, sizeof row_count, &row_count);
    code |= clSetKernelArg(program->built.regroup, REGROUP_LEVEL_ROW, sizeof level_row, &level_row);
    swapped = *from;
    *from = *to;
    *to = swapped;
    return opencl_check(device, code, "setting kernel arguments", err) &&
           opencl_check(device,
                        clEnqueueNDRangeKernel(device->queue, program->built.regroup, 1, NULL, &kept,
                                               &program->built.regroup_size, 0, NULL, NULL),
                        "launching the kernel", err);
}

// Moves the points at work to the front columns; points that have ended leave. The first time is waited for:
// compilation at the kernel's first launch would else be in the time of the next slice.
static bool regroup(Program *program, Run *run, bool by_cost, Error *err)
{
    const Device *device = program->device;
    Buffer       *source = &program->buffers[BUFFER_SOURCE];
    size_t        kept = 0;
    if (!choose_columns(program, run, by_cost, &kept, err))
        return false;
    run->live = kept;
    if (kept == 0)
        return true;
    const bool ok =
        buffer_reserve(device, source, run->columns * sizeof(cl_uint), err) &&
        opencl_check(device,
                     clEnqueueWriteBuffer(device->queue, source->memory, CL_TRUE, 0, kept * sizeof(cl_uint),
                                          program->spare, 0, NULL, NULL),
                     "writing memory", err) &&
        move_rows(program, run, BUFFER_STATE, BUFFER_STATE_MOVED, program->rows.state, program->rows.stack, kept,
                  err) &&
        move_rows(program, run, BUFFER_PARAMETERS, BUFFER_PARAMETERS_MOVED, program->rows.parameters, 0, kept, err) &&
        program_set_arguments(program, run, err) &&
        (program->built.moved || opencl_check(device, clFinish(device->queue), "moving points", err));
    program->built.moved = program->built.moved || ok;
    return ok;
}

// Writes rows of the columns that begin: rows with one number in all columns by the device itself.
static bool write_rows(const Program *program, const Run *run, size_t count, const bool *alike, Error *err)
{
    const Buffer *buffer = &program->buffers[BUFFER_PARAMETERS];
    const size_t  rows = program->rows.parameters, bytes = program->number_bytes;
    bool          ok = true;
    for (size_t row = 0, end; ok && row < rows; row = end) {
        const char *from = (const char *)program->staged + row * count * bytes;
        for (end = row + 1; end < rows && alike[end] == alike[row] && !alike[row]; ++end) {
        }
        ok = alike[row]
                 ? buffer_fill_columns(program->device, buffer, row, run->columns, run->live, count, bytes, from, err)
                 : buffer_write_columns(program->device, buffer, row, end - row, run->columns, run->live, count, bytes,
                                        from, err);
    }
    return ok;
}

// Lets the next `count` places begin, in the columns behind the ones at work.
static bool write_columns(Program *program, Run *run, size_t count, Error *err)
{
    // From so many columns on, the bytes cost more than a command for each row.
    enum { FILLED_FROM = 1 << 12 };
    const size_t rows = program->rows.parameters;
    bool        *alike = calloc(rows, sizeof *alike);
    if (!alike)
        return fail(err, ERROR_INTERNAL, "out of memory");
    run->steps_begun += rows_fill(program, run, count, program->staged, count < FILLED_FROM ? NULL : alike);
    run->begun += count;
    const bool ok = write_rows(program, run, count, alike, err);
    free(alike);
    return ok;
}

bool slices_begin(Program *program, Run *run, size_t *end, Error *err)
{
    const size_t room = run->columns - run->live, waiting = run->places - run->begun,
                 count = room < waiting ? room : waiting;
    *end = run->live + count;
    if (count == 0)
        return true;
    return write_columns(program, run, count, err);
}

// Most drivers compile at a kernel's first launch. One of the slice to come, but without work, takes that out of its
// time: the points are where they begin, and begin again.
static bool compile_first(Program *program, Run *run, size_t end, Error *err)
{
    const size_t live = run->live;
    uint64_t     tally[TALLY_COUNT];
    const bool   ok = program->built.ran || slices_run_one(program, run, end, 0, tally, err);
    run->live = live;
    return ok;
}

// The limit of the next slice's work follows the target, by at most a factor of 8 a slice. A slice in which all points
// ended early says nothing of longer ones.
static void adapt_work(Program *program, bool all_ended, double seconds)
{
    const double factor = fmin(8.0, slice_seconds / fmax(seconds, 1e-6));
    if (factor < 1 || !all_ended)
        program->work = (cl_uint)fmin(1e8, fmax(1.0, factor * (double)program->work));
}

// Whether the sums of a slice can be true: no more points at work than have columns, no more steps than were begun, and
// points at work have worked.
static bool check_tally(const Program *program, const Run *run, const uint64_t tally[TALLY_COUNT], Error *err)
{
    const char *label = run->batch->group->label;
    if (tally[TALLY_RUNNING] > run->live)
        fail(err, ERROR_DEVICE, "group '%s' is said to have %llu points at work of %zu", label,
             (unsigned long long)tally[TALLY_RUNNING], run->live);
    else if (run->steps > run->steps_begun)
        fail(err, ERROR_DEVICE, "group '%s' is said to have taken %llu steps of %llu", label,
             (unsigned long long)run->steps, (unsigned long long)run->steps_begun);
    else if (tally[TALLY_RUNNING] > 0 && tally[TALLY_SPENT] == 0)
        fail(err, ERROR_DEVICE, "group '%s' is said to have %llu points at work, and no work was done", label,
             (unsigned long long)tally[TALLY_RUNNING]);
    else
        return true;
    return opencl_distrust(program->device, err);
}

// Reports a slice. Steps that were reported before the batch began anew with fewer columns are not reported again.
static void report(const Run *run, const RunOptions *options, const uint64_t tally[TALLY_COUNT], size_t waiting,
                   double seconds)
{
    const uint64_t before = run->steps - tally[TALLY_STEPS], from = before > run->reported ? before : run->reported;
    const Progress progress = {.steps = run->steps > from ? run->steps - from : 0,
                               .running = tally[TALLY_RUNNING] + waiting,
                               .seconds = seconds,
                               .used = tally[TALLY_USED],
                               .spent = tally[TALLY_SPENT]};
    if (options->progress)
        options->progress(&progress, options->user);
}

bool slices_run(Program *program, Run *run, const RunOptions *options, Error *err)
{
    const size_t points = run->output->raw.points;
    double       deadline = 0;
    uint64_t     tally[TALLY_COUNT];
    size_t       end, waiting;
    do {
        if (!slices_begin(program, run, &end, err) || !compile_first(program, run, end, err))
            return false;
        const bool   pilot = run->live == 0 && program->uneven && program->work > PILOT_WORK;
        const double begin = clock_seconds();
        if (!slices_run_one(program, run, end, pilot ? PILOT_WORK : program->work, tally, err))
            return false;
        run->steps += tally[TALLY_STEPS];
        if (!check_tally(program, run, tally, err))
            return false;
        const double seconds = clock_seconds() - begin;
        waiting = run->begun < points ? points - run->begun : 0;
        if (!pilot)
            adapt_work(program, tally[TALLY_RUNNING] == 0, seconds);
        report(run, options, tally, waiting, seconds);
        if (tally[TALLY_RUNNING] + waiting > 0 && stop_due(options->signals, &deadline))
            return fail(err, ERROR_STOPPED, "stopped by a signal; a batch of %zu points of group '%s' was abandoned",
                        points, run->batch->group->label);
        const bool uneven = (double)tally[TALLY_USED] < even_share * (double)tally[TALLY_SPENT];
        const bool thin = tally[TALLY_RUNNING] * 4 <= run->live * (waiting ? 3 : 2);
        program->uneven = uneven;
        if ((tally[TALLY_RUNNING] + waiting > 0 && (thin || uneven)) && !regroup(program, run, uneven, err))
            return false;
    } while (tally[TALLY_RUNNING] + waiting > 0);
    return true;
}
