// program -- builds a group's kernel and runs batches of points through it, slice by slice.
#include "compose/compose.h"
#include "device/build.h"
#include "device/output.h"
#include "plan/solution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A slice aims at this many seconds: short enough for a display's watchdog, progress and Ctrl-C, long enough that
// starting and ending it costs nothing.
static const double slice_seconds = 0.1;
static const double grace_seconds = 2.0;

enum { FIRST_WORK = 256 };
enum { BUFFER_STATE, BUFFER_PARAMETERS, BUFFER_TALLY, BUFFER_TABLES, BUFFER_COUNT };

// The kernel's arguments behind its six buffers.
enum { ARGUMENT_POINTS = 6, ARGUMENT_SAMPLES, ARGUMENT_FIRST, ARGUMENT_WORK, ARGUMENT_DIVISOR };

struct Program {
    Device         *device;  // borrowed
    const Plan     *plan;    // borrowed
    const Group    *group;   // borrowed
    cl_program      program;
    cl_kernel       kernel;
    Rows            rows;
    int             lanes;
    size_t          number_bytes;  // of a real
    size_t          local_size;    // work items per work group
    Buffer          buffers[BUFFER_COUNT];
    Output          outputs[PROGRAM_SETS];
    const Solution *solution;  // borrowed; whose tables the buffer holds
    cl_uint         work;      // work limit of the next slice, learned from the last ones
};

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Puts the compiler's log behind the message.
static bool build_failed(const Program *program, cl_int code, Error *err)
{
    size_t size = 0;
    fail(err, ERROR_KERNEL, "kernel of group '%s' does not compile on '%s' (%s)", program->group->label,
         program->device->info.name, opencl_error(code));
    clGetProgramBuildInfo(program->program, program->device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = size ? calloc(1, size + 1) : NULL;
    if (log && clGetProgramBuildInfo(program->program, program->device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) ==
                   CL_SUCCESS) {
        size_t length = strlen(err->message);
        snprintf(err->message + length, sizeof err->message - length, ":\n%s", log);
    }
    free(log);
    return false;
}

bool device_build(Device *device, const Plan *plan, const Group *group, const char *source, int lanes,
                  Program **program, Error *err)
{
    const bool single = plan->precision == PRECISION_SINGLE;
    char       options[BUILD_OPTIONS_SIZE];
    cl_int     code;
    *program = NULL;
    if (!single && !device->info.fp64)
        return fail(err, ERROR_DEVICE,
                    "device '%s' has no double precision; set `precision: single` or choose another device",
                    device->info.name);
    Program *made = calloc(1, sizeof *made);
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    made->device = device;
    made->plan = plan;
    made->group = group;
    made->rows = compose_rows(group);
    made->number_bytes = single ? sizeof(float) : sizeof(double);
    made->lanes = lanes ? lanes : build_lanes(&device->info, plan->precision, group);
    made->local_size = device->info.gpu ? 64 : 4;
    made->work = FIRST_WORK;

    build_options(plan->precision, made->lanes, options);
    made->program = clCreateProgramWithSource(device->context, 1, &source, NULL, &code);
    bool ok = opencl_check(device, code, "loading a kernel", err);
    if (ok) {
        code = clBuildProgram(made->program, 1, &device->id, options, NULL, NULL);
        ok = code == CL_SUCCESS || build_failed(made, code, err);
    }
    if (ok) {
        made->kernel = clCreateKernel(made->program, "sweep", &code);
        ok = opencl_check(device, code, "creating the kernel", err);
    }
    if (ok)
        *program = made;
    else
        program_free(made);
    return ok;
}

void program_free(Program *program)
{
    if (!program)
        return;
    for (int set = 0; set < PROGRAM_SETS; ++set)
        output_free(program->device, &program->outputs[set]);
    for (int i = 0; i < BUFFER_COUNT; ++i)
        buffer_free(&program->buffers[i]);
    if (program->kernel)
        clReleaseKernel(program->kernel);
    if (program->program)
        clReleaseProgram(program->program);
    free(program);
}

int program_lanes(const Program *program)
{
    return program->lanes;
}

bool program_batch_blocks(const Program *program, uint64_t *blocks, Error *err)
{
    const DeviceInfo *info = &program->device->info;
    const Group      *group = program->group;
    const Batch       block = batch_make(group, 0, 1);
    // A block of the middle of the group may hold up to all its points' trajectories.
    const uint64_t slots =
        group->trajectory.stored
            ? group->block_points < group->trajectory.slot_count ? group->block_points : group->trajectory.slot_count
            : 0;
    const uint64_t rows = program->rows.state + program->rows.stack + program->rows.parameters + program->rows.results;
    const uint64_t point_bytes = rows * program->number_bytes;
    const uint64_t frame_bytes = slots * group->trajectory.sample_count * program->rows.frame * program->number_bytes;
    const uint64_t largest_row_block =
        (program->rows.state + program->rows.stack) * program->number_bytes * block.point_count;
    const uint64_t enough = (uint64_t)info->compute_units * (uint64_t)program->lanes * (info->gpu ? 8192 : 256);
    uint64_t       count = (enough + group->block_points - 1) / group->block_points;

    const uint64_t block_bytes = point_bytes * block.point_count + frame_bytes;
    if (frame_bytes > info->largest_buffer || largest_row_block > info->largest_buffer ||
        block_bytes > info->memory / 2)
        return fail(err, ERROR_DEVICE,
                    "device '%s' has too little memory for one block of group '%s' (%llu bytes); store fewer samples",
                    info->name, group->label, (unsigned long long)block_bytes);
    while (count > 1 && (count * frame_bytes > info->largest_buffer ||
                         count * largest_row_block > info->largest_buffer || count * block_bytes > info->memory / 2))
        --count;
    *blocks = count < group->block_count ? count : group->block_count;
    return true;
}

// Reals and integers share rows: element i of a row of numbers of the program's precision.
static void row_put(const Program *program, void *rows, size_t i, double value)
{
    if (program->number_bytes == sizeof(float))
        ((float *)rows)[i] = (float)value;
    else
        ((double *)rows)[i] = value;
}

static void row_put_whole(const Program *program, void *rows, size_t i, int64_t value)
{
    if (program->number_bytes == sizeof(float))
        ((int32_t *)rows)[i] = (int32_t)(value > INT32_MAX ? INT32_MAX : value);
    else
        ((int64_t *)rows)[i] = value;
}

static double row_value(const Program *program, const void *rows, size_t i)
{
    return program->number_bytes == sizeof(float) ? (double)((const float *)rows)[i] : ((const double *)rows)[i];
}

// The size of a launch: points padded to whole lane groups and work groups.
static size_t padded_points(const Program *program, size_t points)
{
    const size_t unit = (size_t)program->lanes * program->local_size;
    return (points + unit - 1) / unit * unit;
}

// The columns that lie side by side in frames: kernels/sweep.cl's TILE.
static size_t frame_tile(const Program *program)
{
    return program->lanes == 1 ? 64 : (size_t)program->lanes;
}

// Fills the parameter rows. Lanes beyond the last point copy it and take no step.
static void fill_parameters(const Program *program, const Batch *batch, size_t stride, int64_t fixed_steps, void *rows)
{
    const Group *group = batch->group;
    size_t       slot = 0;
    for (size_t i = 0; i < stride; ++i) {
        const bool     real_point = i < batch->point_count;
        const uint64_t point = batch->first_point + (real_point ? i : batch->point_count - 1);
        const uint64_t steps = fixed_steps ? (uint64_t)fixed_steps : group_steps(group, point);
        const double   budget = floor(group->substeps.budget * (double)steps);
        bool           selected = false;
        if (group->trajectory.stored && real_point)
            group_slot(group, point, &selected);
        row_put(program, rows, ROW_H * stride + i, group_step(group, point));
        row_put_whole(program, rows, ROW_STEPS * stride + i, real_point ? (int64_t)steps : 0);
        row_put(program, rows, ROW_TOLERANCE * stride + i, group_value(group, group->newton.tolerance, point));
        row_put_whole(program, rows, ROW_MAX_UPDATES * stride + i,
                      (int64_t)group_value(group, group->newton.max_updates, point));
        row_put_whole(program, rows, ROW_BUDGET * stride + i, budget < 9e18 ? (int64_t)budget : INT64_MAX);
        row_put_whole(program, rows, ROW_SLOT * stride + i, selected ? (int64_t)slot++ : -1);
        const uint64_t spacing = group->trajectory.sample_count > 1 ? group->trajectory.sample_count - 1 : 1;
        const bool     every = group->trajectory.every > 0;
        row_put_whole(program, rows, ROW_EVERY * stride + i,
                      (int64_t)(every ? group->trajectory.every : steps / spacing));
        row_put_whole(program, rows, ROW_REMAINDER * stride + i, (int64_t)(every ? 0 : steps % spacing));
        const Solution *solution = batch->solution;
        row_put_whole(program, rows, ROW_TABLE * stride + i,
                      solution && solution->first ? (int64_t)solution->first[solution_table(group, point)] : 0);
        row_put_whole(program, rows, ROW_TABLE_EVERY * stride + i, (int64_t)solution_every(steps));
        size_t row = ROW_PROBLEM;
        for (size_t k = 0; k < group->problem->parameter_count; ++k, ++row)
            row_put(program, rows, row * stride + i, group_value(group, group->problem_parameters[k], point));
        for (size_t k = 0; k < group->method->parameter_count; ++k, ++row)
            row_put(program, rows, row * stride + i, group_value(group, group->method_parameters[k], point));
    }
}

// Sets the kernel's arguments but for `first` and `work_limit`.
static bool set_arguments(const Program *program, const Output *output, Error *err)
{
    const Trajectory *trajectory = &program->group->trajectory;
    const Buffer     *buffers = program->buffers;
    const cl_mem      memory[] = {buffers[BUFFER_STATE].memory, buffers[BUFFER_PARAMETERS].memory,
                                  output->results.memory,       output->frames.memory,
                                  buffers[BUFFER_TALLY].memory, buffers[BUFFER_TABLES].memory};
    const cl_ulong    points = output->raw.columns, samples = trajectory->sample_count;
    const cl_long     divisor = trajectory->stored && trajectory->every == 0 && trajectory->sample_count > 1
                                    ? (cl_long)trajectory->sample_count - 1
                                    : 1;
    cl_int            code = CL_SUCCESS;
    for (cl_uint i = 0; i < ARGUMENT_POINTS; ++i)
        code |= clSetKernelArg(program->kernel, i, sizeof(cl_mem), &memory[i]);
    code |= clSetKernelArg(program->kernel, ARGUMENT_POINTS, sizeof points, &points);
    code |= clSetKernelArg(program->kernel, ARGUMENT_SAMPLES, sizeof samples, &samples);
    code |= clSetKernelArg(program->kernel, ARGUMENT_DIVISOR, sizeof divisor, &divisor);
    return opencl_check(program->device, code, "setting kernel arguments", err);
}

// One launch. tally receives the points still running and the steps taken.
static bool run_slice(Program *program, size_t stride, cl_uint first, cl_uint work, cl_uint tally[2], Error *err)
{
    Device      *device = program->device;
    const size_t global = stride / (size_t)program->lanes;
    tally[0] = tally[1] = 0;
    cl_int code = clSetKernelArg(program->kernel, ARGUMENT_FIRST, sizeof first, &first);
    code |= clSetKernelArg(program->kernel, ARGUMENT_WORK, sizeof work, &work);
    return opencl_check(device, code, "setting kernel arguments", err) &&
           opencl_check(device,
                        clEnqueueWriteBuffer(device->queue, program->buffers[BUFFER_TALLY].memory, CL_TRUE, 0,
                                             2 * sizeof *tally, tally, 0, NULL, NULL),
                        "writing memory", err) &&
           opencl_check(device,
                        clEnqueueNDRangeKernel(device->queue, program->kernel, 1, NULL, &global, &program->local_size,
                                               0, NULL, NULL),
                        "launching the kernel", err) &&
           opencl_check(device,
                        clEnqueueReadBuffer(device->queue, program->buffers[BUFFER_TALLY].memory, CL_TRUE, 0,
                                            2 * sizeof *tally, tally, 0, NULL, NULL),
                        "running the kernel", err);
}

// Whether a signal asks to give up now: the second does at once, the first when its grace has passed.
static bool must_stop(const RunOptions *options, double *deadline)
{
    const int signals = options->signals ? (int)*options->signals : 0;
    if (signals == 0)
        return false;
    if (signals > 1)
        return true;
    if (*deadline == 0)
        *deadline = now_seconds() + grace_seconds;
    return now_seconds() > *deadline;
}

// Launches slices until no point runs.
static bool run_slices(Program *program, const Batch *batch, size_t stride, const RunOptions *options, Error *err)
{
    double  deadline = 0;
    cl_uint tally[2] = {1, 0};
    for (cl_uint first = 1; tally[0] > 0; first = 0) {
        const double begin = now_seconds();
        if (!run_slice(program, stride, first, program->work, tally, err))
            return false;
        const double seconds = now_seconds() - begin;
        // The limit follows the target, by at most a factor of 8 a slice; a slice that finished early tells nothing
        // about longer ones.
        const double factor = fmin(8.0, slice_seconds / fmax(seconds, 1e-6));
        if (tally[0] > 0 || factor < 1)
            program->work = (cl_uint)fmin(1e9, fmax(16.0, factor * (double)program->work));
        if (options->progress) {
            const Progress progress = {.steps = tally[1], .running = tally[0], .seconds = seconds};
            options->progress(&progress, options->user);
        }
        if (tally[0] > 0 && must_stop(options, &deadline))
            return fail(err, ERROR_STOPPED, "stopped by a signal; a batch of %zu points of group '%s' was abandoned",
                        batch->point_count, batch->group->label);
    }
    return true;
}

// The group's tables, written when they are first seen. One sample more than there are: lanes that have seen the last
// may read it.
static bool load_tables(Program *program, const Solution *solution, Error *err)
{
    Buffer      *buffer = &program->buffers[BUFFER_TABLES];
    const size_t rows = program->group->solution.rows;
    const size_t count = solution ? solution->sample_count * rows : 0, bytes = (count + rows) * program->number_bytes;
    if (rows && !solution)
        return fail(err, ERROR_INTERNAL, "group '%s' was given no solution to compare with", program->group->label);
    if (buffer->bytes && (rows == 0 || program->solution == solution))
        return true;
    if (!buffer_reserve(program->device, buffer, bytes, err))
        return false;
    void *tables = count ? buffer_map(program->device, buffer, CL_MAP_WRITE, bytes, err) : NULL;
    for (size_t i = 0; tables && i < count + rows; ++i)
        row_put(program, tables, i, i < count ? solution->numbers[i] : NAN);
    program->solution = solution;
    return count == 0 || (tables && buffer_unmap(program->device, buffer, tables, err));
}

// Buffers for a launch of `stride` points, parameters filled in.
static bool load_batch(Program *program, int set, const Batch *batch, size_t stride, int64_t fixed_steps, Error *err)
{
    const Device  *device = program->device;
    Output        *output = &program->outputs[set];
    Buffer        *buffers = program->buffers;
    const size_t   number = program->number_bytes, parameter_bytes = program->rows.parameters * stride * number;
    const RawBatch raw = {.group = program->group,
                          .rows = program->rows,
                          .single = number == sizeof(float),
                          .points = batch->point_count,
                          .columns = stride,
                          .slots = batch->slot_count,
                          .tile = frame_tile(program)};
    const size_t   state_bytes = (program->rows.state + program->rows.stack) * stride * number;
    if (!output_prepare(device, output, batch, &raw, err) ||
        !buffer_reserve(device, &buffers[BUFFER_STATE], state_bytes, err) ||
        !buffer_reserve(device, &buffers[BUFFER_PARAMETERS], parameter_bytes, err) ||
        !buffer_reserve(device, &buffers[BUFFER_TALLY], 2 * sizeof(cl_uint), err) ||
        !load_tables(program, batch->solution, err))
        return false;
    void *rows = buffer_map(device, &buffers[BUFFER_PARAMETERS], CL_MAP_WRITE, parameter_bytes, err);
    if (!rows)
        return false;
    fill_parameters(program, batch, stride, fixed_steps, rows);
    return buffer_unmap(device, &buffers[BUFFER_PARAMETERS], rows, err) && set_arguments(program, output, err);
}

bool program_compute(Program *program, int set, const Batch *batch, const RunOptions *options, Error *err)
{
    const size_t stride = padded_points(program, batch->point_count);
    return load_batch(program, set, batch, stride, 0, err) && run_slices(program, batch, stride, options, err) &&
           output_send(program->device, &program->outputs[set], err);
}

bool program_fetch(Program *program, int set, const Results *results, Error *err)
{
    return output_fetch(program->device, &program->outputs[set], results, err);
}

bool program_run(Program *program, const Batch *batch, const RunOptions *options, const Results *results, Error *err)
{
    return program_compute(program, 0, batch, options, err) && program_fetch(program, 0, results, err);
}

bool program_probe(Program *program, size_t count, size_t row_count, double *rows, Error *err)
{
    // Step 1 of 2: a two-step method then uses the earlier point it is given.
    const Batch  batch = {.group = program->group, .point_count = count};
    const size_t stride = padded_points(program, count);
    const size_t state_rows = program->rows.state + program->rows.stack,
                 bytes = state_rows * stride * program->number_bytes;
    const size_t step_row =
        (2 + program->group->method->state_count + (program->group->method->history ? 2 : 0)) * program->group->dofs;
    const Buffer *buffer = &program->buffers[BUFFER_STATE];
    cl_uint       tally[2];
    if (!load_batch(program, 0, &batch, stride, 2, err))
        return false;
    char *state = buffer_map(program->device, buffer, CL_MAP_WRITE, bytes, err);
    if (!state)
        return false;
    memset(state, 0, bytes);
    for (size_t r = 0; r < row_count; ++r)
        for (size_t i = 0; i < count; ++i)
            row_put(program, state, r * stride + i, rows[r * count + i]);
    for (size_t i = 0; i < count; ++i)
        row_put_whole(program, state, step_row * stride + i, 1);
    if (!buffer_unmap(program->device, buffer, state, err) || !run_slice(program, stride, 0, UINT32_MAX, tally, err))
        return false;
    state = buffer_map(program->device, buffer, CL_MAP_READ, bytes, err);
    if (!state)
        return false;
    for (size_t r = 0; r < row_count; ++r)
        for (size_t i = 0; i < count; ++i)
            rows[r * count + i] = row_value(program, state, r * stride + i);
    return buffer_unmap(program->device, buffer, state, err);
}
