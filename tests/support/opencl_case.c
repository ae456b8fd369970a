// opencl_case -- the choice of a device, and builds.
#include "support/opencl_case.h"

cl_device_id opencl_case_open(cl_context *context)
{
    static const cl_device_type types[] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_ALL};
    cl_platform_id              platforms[16];
    cl_device_id                device = NULL;
    cl_uint                     count = 0;
    cl_int                      status = CL_SUCCESS;
    assert_int_equal(clGetPlatformIDs(16, platforms, &count), CL_SUCCESS);
    for (int t = 0; t < 2 && !device; ++t)
        for (cl_uint i = 0; i < count && i < 16 && !device; ++i)
            clGetDeviceIDs(platforms[i], types[t], 1, &device, NULL);
    assert_non_null(device);
    *context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    assert_int_equal(status, CL_SUCCESS);
    return device;
}

cl_program opencl_case_build(cl_context context, cl_device_id device, const char *text, const char *options)
{
    static char log[1 << 16];
    char        all[1024];
    cl_int      status = CL_SUCCESS;
    cl_program  program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    assert_int_equal(status, CL_SUCCESS);
    snprintf(all, sizeof all, "-cl-std=CL1.2 %s -I %s/kernels", options, PENDULA_SOURCE_DIR);
    if (clBuildProgram(program, 1, &device, all, NULL, NULL) != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fail_msg("%s: %s", all, log);
    }
    return program;
}

uint64_t opencl_case_bits(uint64_t *seed)  // splitmix64
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double opencl_case_uniform(uint64_t *seed, double low, double high)
{
    return low + (high - low) * ((double)(opencl_case_bits(seed) >> 11) * 0x1p-53);
}
