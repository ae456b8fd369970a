// program_run -- builds a group's kernel and runs batches of points through it.
#include "device/program.h"

#include "device/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Builds the shape that was asked for, else the one that is remembered, else the device's own.
static bool build(Program *program, int lanes, Error *err)
{
    const DeviceInfo *info = &program->device->info;
    const size_t      local_size = build_local_size(info);
    Shape             shape;
    program->settled = lanes != 0;
    if (lanes != 0)
        return program_built_make(program, lanes, local_size, &program->built, err);
    program->settled = shapes_recall(program, &shape) &&
                       program_built_make(program, shape.lanes, shape.local_size, &program->built, err);
    return program->settled || program_built_make(program, build_lanes(info, program->plan->precision, program->group),
                                                  local_size, &program->built, err);
}

bool device_build(Device *device, const Plan *plan, const Group *group, const char *source, int lanes,
                  Program **program, Error *err)
{
    const bool single = plan->precision == PRECISION_SINGLE;
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
    made->source = source;
    made->rows = compose_rows(group);
    made->number_bytes = single ? sizeof(float) : sizeof(double);
    made->table_bytes = (solution_size(group) + group->solution.rows) * made->number_bytes;
    made->work = device->info.gpu ? SLICE_FIRST_WORK_GPU : SLICE_FIRST_WORK;
    const bool ok = build(made, lanes, err) && order_make(group, &made->order, err);
    if (ok) {
        program_fit(made);
        *program = made;
    } else {
        program_free(made);
    }
    return ok;
}

// Gives back the memory of the columns.
static void release_columns(Program *program)
{
    clFinish(program->device->queue);
    for (int i = 0; i < BUFFER_COUNT; ++i)
        buffer_free(&program->buffers[i]);
}

bool program_compute(Program *program, int set, const Batch *batch, const RunOptions *options, Error *err)
{
    Run      run = {0};
    uint64_t reported = 0;
    // A device may have less memory than it says. Results come first: columns can be fewer.
    if (!program_load_output(program, set, batch, err)) {
        if (!device_lacks_memory(err))
            return false;
        release_columns(program);
        if (!program_load_output(program, set, batch, err))
            return false;
    }
    // Some notice only when a kernel is launched: the batch then begins anew.
    while (!(program_load_columns(program, set, batch, 0, false, &run, err) &&
             (run.reported = reported, slices_run(program, &run, options, err)))) {
        reported = run.steps > reported ? run.steps : reported;
        if (!device_lacks_memory(err))
            return false;
        release_columns(program);
        if (!program_halve(program))
            return false;
    }
    return output_send(program->device, run.output, err);
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
    const Batch   batch = {.group = program->group, .point_count = count};
    const size_t  state_rows = program->rows.state + program->rows.stack;
    const Buffer *buffer = &program->buffers[BUFFER_STATE];
    uint64_t      tally[TALLY_COUNT];
    size_t        end;
    Run           run;
    // All points are looked at where they stand.
    if (!program_load(program, 0, &batch, 2, true, &run, err))
        return false;
    for (size_t i = 0; i < count; ++i)
        run.output->raw.point[i] = (uint32_t)i;
    if (!slices_begin(program, &run, &end, err))
        return false;
    const size_t stride = run.columns, bytes = state_rows * stride * program->number_bytes;
    char        *state = buffer_map(program->device, buffer, CL_MAP_WRITE_INVALIDATE_REGION, bytes, err);
    if (!state)
        return false;
    memset(state, 0, bytes);
    for (size_t r = 0; r < row_count; ++r)
        for (size_t i = 0; i < count; ++i)
            rows_put(program, state, r * stride + i, rows[r * count + i]);
    // A motion is as fast as its velocity says, or as its displacement in a step does.
    const size_t step = program->rows.step, dofs = program->group->dofs;
    for (size_t k = 0; group_keeps_scale(program->group) && k < dofs; ++k)
        for (size_t i = 0; i < count; ++i) {
            const double x = fabs(rows[k * count + i]), v = fabs(rows[(dofs + k) * count + i]);
            const double size = program->group->problem->first_order ? x : fmax(v, x / group_step(program->group, i));
            rows_put(program, state, (step - dofs + k) * stride + i, size);
        }
    for (size_t i = 0; i < count; ++i)
        rows_put_whole(program, state, step * stride + i, 1);
    run.live = end;
    if (!buffer_unmap(program->device, buffer, state, err) ||
        !slices_run_one(program, &run, end, UINT32_MAX, tally, err))
        return false;
    state = buffer_map(program->device, buffer, CL_MAP_READ, bytes, err);
    if (!state)
        return false;
    for (size_t r = 0; r < row_count; ++r)
        for (size_t i = 0; i < count; ++i)
            rows[r * count + i] = rows_value(program, state, r * stride + i);
    return buffer_unmap(program->device, buffer, state, err);
}
