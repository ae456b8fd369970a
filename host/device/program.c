// program -- builds a group's kernel and runs batches of points through it.
#include "device/program.h"

#include "device/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Most points of a batch, in units of the columns: waiting points fill the columns of points that have ended.
enum { BATCH_COLUMNS = 4 };
// Most bytes of a batch's samples. On a CPU more make it no faster, and touching fresh memory for them costs more than
// computing; a GPU needs many points at a time.
enum { MOST_FRAME_BYTES = 1 << 24, MOST_FRAME_BYTES_GPU = 1 << 28 };

void program_built_free(Built *built)
{
    if (built->regroup)
        clReleaseKernel(built->regroup);
    opencl_release(&built->program, &built->kernel);
    binary_free(&built->kept);
    *built = (Built){0};
}

// The largest work group that a kernel takes on the device.
static bool read_work_group(const Program *program, cl_kernel kernel, size_t *most, Error *err)
{
    const Device *device = program->device;
    return opencl_check(
        device, clGetKernelWorkGroupInfo(kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof *most, most, NULL),
        "asking for a kernel's work groups", err);
}

// Puts half as many points to work at a time; false where there is but one work group of them.
static bool halve_columns(Program *program)
{
    const size_t before = program->columns;
    program->columns = program_padded(program, before / 2);
    return program->columns < before;
}

// Compiles for work groups of a size that the kernel takes: one that needs many registers takes smaller groups.
static bool compile(const Program *program, Built *built, Error *err)
{
    Device *device = program->device;
    char    options[BUILD_OPTIONS_SIZE];
    size_t  most = 0;
    for (;;) {
        build_options(&device->info, program->plan->precision, built->lanes, built->local_size, options);
        if (program->group->hasty)
            strncat(options, " -cl-opt-disable", sizeof options - strlen(options) - 1);
        if (!binary_build(device, program->group->label, program->source, options, &built->program, &built->kernel,
                          &built->kept, err) ||
            !read_work_group(program, built->kernel, &most, err))
            return false;
        if (most >= built->local_size || built->local_size == 1)
            break;
        const Built smaller = {.lanes = built->lanes, .local_size = build_halved(built->local_size, most)};
        program_built_free(built);
        *built = smaller;
    }
    cl_int code;
    built->regroup = clCreateKernel(built->program, "regroup", &code);
    if (!opencl_check(device, code, "creating the kernel", err) ||
        !read_work_group(program, built->regroup, &most, err))
        return false;
    built->regroup_size = build_halved((size_t)built->lanes * built->local_size, most);
    return true;
}

bool program_built_make(const Program *program, int lanes, size_t local_size, Built *built, Error *err)
{
    *built = (Built){.lanes = lanes, .local_size = local_size};
    const bool ok = compile(program, built, err);
    if (!ok)
        program_built_free(built);
    return ok;
}

bool program_built_launch(const Device *device, const Built *built, Error *err)
{
    static const size_t   bytes[] = {[ARGUMENT_POINTS] = sizeof(cl_ulong),  [ARGUMENT_PLACES] = sizeof(cl_ulong),
                                     [ARGUMENT_SAMPLES] = sizeof(cl_ulong), [ARGUMENT_BASE] = sizeof(cl_ulong),
                                     [ARGUMENT_FIRST] = sizeof(cl_uint),    [ARGUMENT_WORK_LIMIT] = sizeof(cl_uint),
                                     [ARGUMENT_DIVISOR] = sizeof(cl_long)};
    static const cl_ulong none = 0;
    cl_int                code = CL_SUCCESS;
    for (cl_uint i = 0; i < sizeof bytes / sizeof *bytes; ++i)
        code |= clSetKernelArg(built->kernel, i, bytes[i] ? bytes[i] : sizeof(cl_mem), bytes[i] ? &none : NULL);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(device->queue, built->kernel, 1, NULL, &built->local_size, &built->local_size, 0,
                                      NULL, NULL);
    return opencl_check(device, code ? code : clFinish(device->queue), "launching the kernel", err);
}

bool device_compile_rest(Device *device, const Program *program, Error *err)
{
    return !device->pocl || program_built_launch(device, &program->built, err);
}

// Bytes that so many blocks take in the buffers of all sets; of one set, the bytes of their results and of their
// samples.
static uint64_t block_bytes(const Program *program, uint64_t count, uint64_t *result_bytes, uint64_t *frame_bytes)
{
    const Group      *group = program->group;
    const Trajectory *trajectory = &group->trajectory;
    const uint64_t    points = count < group->block_count ? count * group->block_points : group->point_count;
    // Blocks of the middle of the group may hold up to all its trajectories.
    const uint64_t slots = !trajectory->stored ? 0 : points < trajectory->slot_count ? points : trajectory->slot_count;
    const uint64_t tile = (size_t)FRAME_TILE(program->built.lanes), tiled_slots = (slots + tile - 1) / tile * tile;
    *frame_bytes = tiled_slots * trajectory->sample_count * program->rows.frame * program->number_bytes;
    *result_bytes = program->rows.results * program->number_bytes * points;
    return PROGRAM_SETS * (*result_bytes + *frame_bytes);
}

// Bytes of the buffers of so many columns: device rows and the place that they move to, costs, and the source of each
// column.
static uint64_t column_bytes(const Program *program, size_t columns)
{
    const uint64_t rows = 2 * (program->rows.state + program->rows.stack + program->rows.parameters) + 1;
    return columns * (rows * program->number_bytes + sizeof(cl_uint));
}

// Bytes for device rows and results: half the memory less the tables, since the programs of two groups may be there.
static uint64_t find_room(const Program *program)
{
    const uint64_t own = program->device->info.memory / (program->alone ? 1 : 2);
    return own > program->table_bytes ? own - program->table_bytes : 0;
}

// As many columns as keep the device busy, as the group has points, and as its memory holds: at most half of the room,
// with room for one block beside them.
static bool choose_columns(Program *program)
{
    const DeviceInfo *info = &program->device->info;
    // As many of 32 lanes as of 16: a batch of them ends, and is kept, as soon.
    const size_t   lanes = (size_t)(program->built.lanes < 16 ? program->built.lanes : 16);
    const size_t   busy = info->compute_units * lanes * (info->gpu ? 8192 : 256);
    const uint64_t points = program->group->point_count;
    const uint64_t most_rows = program->rows.state + program->rows.stack > program->rows.parameters
                                   ? program->rows.state + program->rows.stack
                                   : program->rows.parameters;
    uint64_t       results, frames;
    const uint64_t block = block_bytes(program, 1, &results, &frames);
    program->columns = program_padded(program, busy < points ? busy : (size_t)points);
    while ((most_rows * program->number_bytes * program->columns > info->largest_buffer ||
            column_bytes(program, program->columns) > find_room(program) / 2 ||
            column_bytes(program, program->columns) + block > find_room(program)) &&
           halve_columns(program))
        ;
    return column_bytes(program, program->columns) + block <= find_room(program);
}

bool program_fit(Program *program)
{
    program->alone = false;
    if (choose_columns(program))
        return true;
    program->alone = true;
    return choose_columns(program);
}

void program_free(Program *program)
{
    if (!program)
        return;
    if (program->built.ran)
        binary_keep(program->device, program->built.program, &program->built.kept);
    for (int set = 0; set < PROGRAM_SETS; ++set)
        output_free(program->device, &program->outputs[set]);
    for (int i = 0; i < BUFFER_COUNT; ++i)
        buffer_free(&program->buffers[i]);
    program_built_free(&program->built);
    for (size_t i = 0; i < program->other_count; ++i)
        program_built_free(&program->others[i]);
    order_free(&program->order);
    free(program->spare);
    free(program->staged);
    free(program);
}

uint64_t program_table_bytes(const Program *program)
{
    const Group *group = program->group;
    const size_t rows = group->solution.rows ? group->solution.rows : 1;
    return (program_curve_samples(group) * rows + solution_size(group) + group->solution.rows) * program->number_bytes;
}

bool program_serve(Program *program, const Plan *plan, const Group *group, const char *source)
{
    Error unknown;
    order_free(&program->order);
    program->plan = plan;
    program->group = group;
    program->source = source;
    program->solution = NULL;
    program->curves = NULL;
    program->table_bytes = program_table_bytes(program);
    return order_make(group, &program->order, &unknown) && program_fit(program);
}

int program_lanes(const Program *program)
{
    return program->built.lanes;
}

bool program_is_alone(const Program *program)
{
    return program->alone;
}

static bool lacks_room(const Program *program, uint64_t bytes, bool by_samples, Error *err)
{
    const Device *device = program->device;
    fail(err, ERROR_DEVICE,
         "device '%s' has too little memory for one block of group '%s' (it takes %llu bytes, and has %llu); %s",
         device->info.name, program->group->label, (unsigned long long)bytes, (unsigned long long)device->info.memory,
         by_samples        ? "store fewer samples"
         : device->limited ? "let it take more"
                           : "choose another device with -d");
    // No other device has more than the user allows.
    err->code = device->limited ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return false;
}

bool program_batch_blocks(const Program *program, uint64_t *least, uint64_t *most, Error *err)
{
    const DeviceInfo *info = &program->device->info;
    const Group      *group = program->group;
    const uint64_t    wanted = BATCH_COLUMNS * (uint64_t)program->columns;
    const uint64_t    columns = column_bytes(program, program->columns);
    const uint64_t    most_frames = info->gpu ? MOST_FRAME_BYTES_GPU : MOST_FRAME_BYTES;
    uint64_t          results, frames, count = (wanted + group->block_points - 1) / group->block_points;
    uint64_t          bytes = block_bytes(program, 1, &results, &frames);
    if (frames > info->largest_buffer || columns + bytes > find_room(program))
        return lacks_room(program, program->table_bytes + columns + bytes, frames > results, err);
    for (count = count < group->block_count ? count : group->block_count; count > 1; --count) {
        bytes = block_bytes(program, count, &results, &frames);
        if (frames <= info->largest_buffer && frames <= most_frames && results <= info->largest_buffer &&
            columns + bytes <= find_room(program))
            break;
    }
    *most = count;
    *least = (program->columns + group->block_points - 1) / group->block_points;
    *least = *least < *most ? *least : *most;
    return true;
}

size_t program_curve_samples(const Group *group)
{
    const CurveSet *curves = group->problem->curves;
    const size_t    rows = group->solution.rows ? group->solution.rows : 1;
    return curves ? ((size_t)curves->number_count + rows - 1) / rows : 0;
}

// The sweep's tables and the solution that the group's metrics compare with, written when they are first seen. One
// sample more than there are: lanes that have seen the last may read it.
static bool load_tables(Program *program, const Solution *solution, Error *err)
{
    Buffer         *buffer = &program->buffers[BUFFER_TABLES];
    const Group    *group = program->group;
    const CurveSet *curves = group->problem->curves;
    const size_t    rows = group->solution.rows, first = program_curve_samples(group) * (rows ? rows : 1);
    const size_t    count = rows && solution ? solution->sample_count * rows : 0, all = first + count + rows;
    if (rows && !solution)
        return fail(err, ERROR_INTERNAL, "group '%s' was given no solution to compare with", group->label);
    if (buffer->bytes && program->curves == curves && (rows == 0 || program->solution == solution))
        return true;
    if (!buffer_reserve(program->device, buffer, all * program->number_bytes, err))
        return false;
    void *tables =
        all ? buffer_map(program->device, buffer, CL_MAP_WRITE_INVALIDATE_REGION, all * program->number_bytes, err)
            : NULL;
    for (size_t i = 0; tables && i < all; ++i)
        rows_put(program, tables, i,
                 i < first ? (i < curves->number_count ? curves->numbers[i] : NAN)
                           : (i < first + count ? solution->numbers[i - first] : NAN));
    program->curves = curves;
    program->solution = solution;
    return all == 0 || (tables && buffer_unmap(program->device, buffer, tables, err));
}

// Host memory for that many elements, in place of a smaller buffer; NULL: there is none.
static void *reserve(void *data, size_t *capacity, size_t count, size_t bytes, Error *err)
{
    if (*capacity >= count)
        return data;
    free(data);
    data = calloc(count, bytes);
    *capacity = data ? count : 0;
    if (!data)
        fail(err, ERROR_INTERNAL, "out of memory");
    return data;
}

// Finds the places of a batch's points and makes room for their results, in which no point has a status yet.
static bool load_output(Program *program, int set, const Batch *batch, Error *err)
{
    const Device *device = program->device;
    Output       *output = &program->outputs[set];
    const size_t  points = batch->point_count - batch->given_points, places = program_padded(program, points),
                 row_bytes = places * program->number_bytes;
    const cl_ulong not_run = STATUS_NOT_RUN;
    const RawBatch raw = {.group = program->group,
                          .rows = program->rows,
                          .single = program->number_bytes == sizeof(float),
                          .points = points,
                          .columns = places,
                          .slots = batch->slot_count - batch->given_slots,
                          .tile = (size_t)FRAME_TILE(program->built.lanes)};
    program->spare = reserve(program->spare, &program->spare_capacity, places, sizeof *program->spare, err);
    return program->spare && output_prepare(device, output, batch, &raw, &program->order, program->spare, err) &&
           opencl_check(device,
                        clEnqueueFillBuffer(device->queue, output->results.memory, &not_run, program->number_bytes,
                                            RESULT_STATUS(program->group->dofs) * row_bytes, row_bytes, 0, NULL, NULL),
                        "writing memory", err);
}

// Makes room for the columns of a batch whose output is loaded; nothing has begun.
static bool load_columns(Program *program, int set, const Batch *batch, int64_t fixed_steps, bool all, Run *run,
                         Error *err)
{
    const Device *device = program->device;
    Buffer       *buffers = program->buffers;
    Output       *output = &program->outputs[set];
    const size_t  places = output->raw.columns;
    const size_t  columns = all || places < program->columns ? places : program->columns;
    const size_t  bytes = columns * program->number_bytes;
    *run = (Run){.batch = batch, .output = output, .places = places, .columns = columns, .fixed_steps = fixed_steps};
    program->staged = reserve(program->staged, &program->staged_capacity, program->rows.parameters * columns,
                              program->number_bytes, err);
    return program->staged &&
           buffer_reserve(device, &buffers[BUFFER_STATE], (program->rows.state + program->rows.stack) * bytes, err) &&
           buffer_reserve(device, &buffers[BUFFER_PARAMETERS], program->rows.parameters * bytes, err) &&
           buffer_reserve(device, &buffers[BUFFER_COST], bytes, err) &&
           buffer_reserve(device, &buffers[BUFFER_TALLY], 2 * TALLY_COUNT * sizeof(cl_uint), err) &&
           load_tables(program, batch->solution, err) && program_set_arguments(program, run, err);
}

bool program_load(Program *program, int set, const Batch *batch, int64_t fixed_steps, bool all, Run *run, Error *err)
{
    return load_output(program, set, batch, err) && load_columns(program, set, batch, fixed_steps, all, run, err);
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
    if (!load_output(program, set, batch, err)) {
        if (!device_lacks_memory(err))
            return false;
        release_columns(program);
        if (!load_output(program, set, batch, err))
            return false;
    }
    // Some notice only when a kernel is launched: the batch then begins anew.
    while (!(load_columns(program, set, batch, 0, false, &run, err) &&
             (run.reported = reported, slices_run(program, &run, options, err)))) {
        reported = run.steps > reported ? run.steps : reported;
        if (!device_lacks_memory(err))
            return false;
        release_columns(program);
        if (!halve_columns(program))
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
