// peak -- measurement of the peak: chains are built, made long enough, and timed several times.
#include "base/clock.h"
#include "device/build.h"
#include "device/opencl.h"

#include <stdio.h>

// Six chains of two registers each hide the latency of an fma, and leave room in sixteen registers for the factors.
enum { CHAINS = 6, LINKS = 16, RUNS = 7 };

static const double run_seconds = 0.02;

static const char source[] =  //
    OPENCL_WIDE_VECTORS
    "#if !SINGLE\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#endif\n"
    "kernel void chains(global SCALAR *out, SCALAR factor, SCALAR term, uint rounds)\n"
    "{\n"
    "    const REAL m = (REAL)(factor), n = (REAL)(term);\n"
    "    REAL a = (REAL)((SCALAR)get_global_id(0)), b = a + m, c = b + m, d = c + m, e = d + m, f = e + m;\n"
    "    for (uint round = 0; round < rounds; ++round) {\n"
    "        _Pragma(\"unroll\")\n"
    "        for (int link = 0; link < LINKS; ++link) {\n"
    "            a = fma(a, m, n);\n"
    "            b = fma(b, m, n);\n"
    "            c = fma(c, m, n);\n"
    "            d = fma(d, m, n);\n"
    "            e = fma(e, m, n);\n"
    "            f = fma(f, m, n);\n"
    "        }\n"
    "    }\n"
    "    const REAL sum = a + b + c + d + e + f;\n"
    "#if LANES == 1\n"
    "    out[get_global_id(0)] = sum;\n"
    "#else\n"
    "    STORE(sum, get_global_id(0), out);\n"
    "#endif\n"
    "}\n"
    "#ifdef LAUNCH\n"
    "#define ARGUMENTS(HEAD, NEXT) HEAD(OUT, global SCALAR *, out) NEXT(FACTOR, SCALAR, factor) \\\n"
    "    NEXT(TERM, SCALAR, term) NEXT(ROUNDS, uint, rounds)\n"
    "LAUNCH(chains, ARGUMENTS)\n"
    "#endif\n";

// Numbers of OpenCL C's widest vectors.
enum { WIDEST = 16 };

typedef struct Chains {
    Device    *device;  // borrowed
    cl_program program;
    cl_kernel  kernel;
    cl_mem     out;
    size_t     items, local;  // work items, of them in a group
    int        lanes;
} Chains;

static bool build(Chains *chains, bool is_double, Error *err)
{
    const Device *device = chains->device;
    const char   *text = source, *scalar = is_double ? "double" : "float";
    char          options[256], width[12] = "";
    cl_int        code;
    if (chains->lanes > 1)
        snprintf(width, sizeof width, "%d", chains->lanes);
    snprintf(options, sizeof options,
             "-cl-std=CL1.2 -D SINGLE=%d -D SCALAR=%s -D REAL=%s%s -D STORE=vstore%s -D LANES=%d -D LINKS=%d",
             !is_double, scalar, scalar, width, width, chains->lanes, LINKS);
    chains->program = clCreateProgramWithSource(device->context, 1, &text, NULL, &code);
    if (!opencl_check(device, code, "loading the chains of the peak", err))
        return false;
    code = clBuildProgram(chains->program, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS)
        return fail(err, ERROR_KERNEL, "the chains that measure the peak do not compile on '%s' (%s)",
                    device->info.name, opencl_error(code));
    chains->kernel = clCreateKernel(chains->program, "chains", &code);
    return opencl_check(device, code, "creating the chains of the peak", err);
}

static bool set_arguments(Chains *chains, bool is_double, Error *err)
{
    const size_t number = is_double ? sizeof(double) : sizeof(float);
    const double factor = 0.999, term = 1e-3;
    const float  factor_single = (float)factor, term_single = (float)term;
    cl_int       code;
    chains->out = clCreateBuffer(chains->device->context, CL_MEM_WRITE_ONLY,
                                 chains->items * (size_t)chains->lanes * number, NULL, &code);
    if (!opencl_check(chains->device, code, "allocating memory", err))
        return false;
    code = clSetKernelArg(chains->kernel, 0, sizeof chains->out, &chains->out);
    code |= clSetKernelArg(chains->kernel, 1, number, is_double ? (const void *)&factor : &factor_single);
    code |= clSetKernelArg(chains->kernel, 2, number, is_double ? (const void *)&term : &term_single);
    return opencl_check(chains->device, code, "setting kernel arguments", err);
}

static bool time_rounds(const Chains *chains, cl_uint rounds, double *seconds, Error *err)
{
    cl_command_queue queue = chains->device->queue;
    const double     begin = clock_seconds();
    cl_int           code = clSetKernelArg(chains->kernel, 3, sizeof rounds, &rounds);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(queue, chains->kernel, 1, NULL, &chains->items, &chains->local, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clFinish(queue);
    *seconds = clock_seconds() - begin;
    return opencl_check(chains->device, code, "running the chains of the peak", err);
}

static bool best_rate(const Chains *chains, double *flops_per_second, Error *err)
{
    const double round_flops = 2.0 * CHAINS * LINKS * chains->lanes * (double)chains->items;
    double       seconds;
    cl_uint      rounds = 16;
    // The first run may still compile.
    if (!time_rounds(chains, rounds, &seconds, err))
        return false;
    do {
        rounds *= 2;
        if (!time_rounds(chains, rounds, &seconds, err))
            return false;
    } while (seconds < run_seconds && rounds < 1u << 28);
    *flops_per_second = 0.0;
    for (int run = 0; run < RUNS; ++run) {
        if (!time_rounds(chains, rounds, &seconds, err))
            return false;
        if (round_flops * rounds > *flops_per_second * seconds)
            *flops_per_second = round_flops * rounds / seconds;
    }
    return true;
}

bool peak_measure(Device *device, Precision precision, double *flops_per_second, Error *err)
{
    const bool        is_double = precision == PRECISION_DOUBLE;
    const DeviceInfo *info = &device->info;
    const int         lanes = is_double ? info->lanes_double : info->lanes_single;
    Chains            chains = {.device = device,
                                .items = (size_t)info->compute_units * (info->gpu ? 4096 : 64),
                                .local = build_halved(info->gpu ? 64 : 4, info->work_group),
                                .lanes = lanes < WIDEST ? lanes : WIDEST};
    if (is_double && !info->fp64)
        return fail(err, ERROR_DEVICE, "device '%s' has no double precision", info->name);
    const bool ok = build(&chains, is_double, err) && set_arguments(&chains, is_double, err) &&
                    best_rate(&chains, flops_per_second, err);
    if (chains.out)
        clReleaseMemObject(chains.out);
    opencl_release(&chains.program, &chains.kernel);
    return ok;
}
