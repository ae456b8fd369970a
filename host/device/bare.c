// bare -- three buffers, a kernel and its launch.
#include "device/bare.h"

#include "base/clock.h"
#include "device/build.h"
#include "device/opencl.h"

#include <stdlib.h>
#include <string.h>

enum { ARGUMENT_VALUES, ARGUMENT_PARAMETERS, ARGUMENT_STATES, ARGUMENT_MORE, ARGUMENT_COLUMNS, ARGUMENT_STEPS };

struct Bare {
    Device    *device;  // borrowed
    cl_program program;
    cl_kernel  kernel;
    Buffer     values, parameters, states, more;
    size_t     points, columns, dofs;  // columns: points, and copies of the last one until launches are whole
    size_t     local_size;
    int        lanes;
};

static bool build(Bare *bare, const char *text, Error *err)
{
    const Device *device = bare->device;
    char          options[BUILD_OPTIONS_SIZE], log[4096] = "";
    cl_int        code;
    build_options(&device->info, PRECISION_DOUBLE, bare->lanes, bare->local_size, options);
    bare->program = clCreateProgramWithSource(device->context, 1, &text, NULL, &code);
    if (!opencl_check(device, code, "loading the bare kernel", err))
        return false;
    code = clBuildProgram(bare->program, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        clGetProgramBuildInfo(bare->program, device->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        return fail(err, ERROR_KERNEL, "the bare kernel does not compile on '%s' (%s): %s", device->info.name,
                    opencl_error(code), log);
    }
    bare->kernel = clCreateKernel(bare->program, "bare", &code);
    return opencl_check(device, code, "creating the bare kernel", err);
}

static bool reserve(Bare *bare, Error *err)
{
    const Device *device = bare->device;
    const size_t  row = bare->columns * sizeof(double);
    return buffer_reserve(device, &bare->values, row, err) &&
           buffer_reserve(device, &bare->states, 2 * bare->dofs * row, err) &&
           buffer_reserve(device, &bare->more, row, err);
}

bool bare_build(Device *device, const char *text, int lanes, size_t points, size_t dofs, Bare **result, Error *err)
{
    const size_t local = build_local_size(&device->info), whole = (size_t)lanes * local;
    Bare        *bare = calloc(1, sizeof *bare);
    *result = NULL;
    if (!bare)
        return fail(err, ERROR_INTERNAL, "out of memory");
    *bare = (Bare){.device = device,
                   .points = points,
                   .columns = (points + whole - 1) / whole * whole,
                   .dofs = dofs,
                   .local_size = local,
                   .lanes = lanes};
    if (!build(bare, text, err) || !reserve(bare, err)) {
        bare_free(bare);
        return false;
    }
    *result = bare;
    return true;
}

void bare_free(Bare *bare)
{
    if (!bare)
        return;
    buffer_free(&bare->values);
    buffer_free(&bare->parameters);
    buffer_free(&bare->states);
    buffer_free(&bare->more);
    opencl_release(&bare->program, &bare->kernel);
    free(bare);
}

bool bare_set(Bare *bare, const double *values, const double *parameters, size_t count, Error *err)
{
    const Device  *device = bare->device;
    const cl_ulong columns = bare->columns;
    if (!buffer_reserve(device, &bare->parameters, count * sizeof(double), err))
        return false;
    double *column = buffer_map(device, &bare->values, CL_MAP_WRITE, bare->columns * sizeof *column, err);
    for (size_t i = 0; column && i < bare->columns; ++i)
        column[i] = values[i < bare->points ? i : bare->points - 1];
    if (!column || !buffer_unmap(device, &bare->values, column, err) ||
        !buffer_write_columns(device, &bare->parameters, 0, count, 1, 0, 1, sizeof(double), parameters, err))
        return false;
    cl_int code = clSetKernelArg(bare->kernel, ARGUMENT_VALUES, sizeof(cl_mem), &bare->values.memory);
    code |= clSetKernelArg(bare->kernel, ARGUMENT_PARAMETERS, sizeof(cl_mem), &bare->parameters.memory);
    code |= clSetKernelArg(bare->kernel, ARGUMENT_STATES, sizeof(cl_mem), &bare->states.memory);
    code |= clSetKernelArg(bare->kernel, ARGUMENT_MORE, sizeof(cl_mem), &bare->more.memory);
    code |= clSetKernelArg(bare->kernel, ARGUMENT_COLUMNS, sizeof columns, &columns);
    return opencl_check(device, code, "setting kernel arguments", err);
}

bool bare_run(Bare *bare, uint64_t steps, double *seconds, Error *err)
{
    const Device  *device = bare->device;
    const cl_ulong count = steps;
    const size_t   global = bare->columns / (size_t)bare->lanes;
    const double   begin = clock_seconds();
    cl_int         code = clSetKernelArg(bare->kernel, ARGUMENT_STEPS, sizeof count, &count);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(device->queue, bare->kernel, 1, NULL, &global, &bare->local_size, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clFinish(device->queue);
    *seconds = clock_seconds() - begin;
    return opencl_check(device, code, "running the bare kernel", err);
}

bool bare_read(const Bare *bare, double *states, int64_t *more, Error *err)
{
    const Device *device = bare->device;
    const double *from =
        buffer_map(device, &bare->states, CL_MAP_READ, 2 * bare->dofs * bare->columns * sizeof *from, err);
    for (size_t row = 0; from && row < 2 * bare->dofs; ++row)
        memcpy(states + row * bare->points, from + row * bare->columns, bare->points * sizeof *states);
    if (!from || !buffer_unmap(device, &bare->states, (void *)from, err))
        return false;
    const int64_t *counts = buffer_map(device, &bare->more, CL_MAP_READ, bare->columns * sizeof *counts, err);
    if (counts)
        memcpy(more, counts, bare->points * sizeof *more);
    return counts && buffer_unmap(device, &bare->more, (void *)counts, err);
}
