// loader -- OpenCL's functions: those of the machine's libOpenCL, which is opened at the first call.
//
// A library that is linked with libOpenCL does not load without it. Where there is none, the platform `native` is the
// only one: its objects lead to their functions, as the objects of any driver do (extension cl_khr_icd).
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_icd.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

// A row for each function that host/device calls: result, name, its first object, parameters, arguments.
#define FUNCTIONS(ROW)                                                                                                 \
    ROW(cl_int, clGetPlatformInfo, id,                                                                                 \
        (cl_platform_id id, cl_platform_info what, size_t room, void *to, size_t *needed),                             \
        (id, what, room, to, needed))                                                                                  \
    ROW(cl_int, clGetDeviceIDs, id,                                                                                    \
        (cl_platform_id id, cl_device_type type, cl_uint room, cl_device_id * devices, cl_uint * count),               \
        (id, type, room, devices, count))                                                                              \
    ROW(cl_int, clGetDeviceInfo, id, (cl_device_id id, cl_device_info what, size_t room, void *to, size_t *needed),    \
        (id, what, room, to, needed))                                                                                  \
    ROW(cl_context, clCreateContext, *devices,                                                                         \
        (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,                          \
         void(CL_CALLBACK * notify)(const char *, const void *, size_t, void *), void *user, cl_int *code),            \
        (properties, count, devices, notify, user, code))                                                              \
    ROW(cl_int, clReleaseContext, context, (cl_context context), (context))                                            \
    ROW(cl_command_queue, clCreateCommandQueue, context,                                                               \
        (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int * code),              \
        (context, device, properties, code))                                                                           \
    ROW(cl_int, clReleaseCommandQueue, queue, (cl_command_queue queue), (queue))                                       \
    ROW(cl_int, clFinish, queue, (cl_command_queue queue), (queue))                                                    \
    ROW(cl_int, clFlush, queue, (cl_command_queue queue), (queue))                                                     \
    ROW(cl_mem, clCreateBuffer, context,                                                                               \
        (cl_context context, cl_mem_flags flags, size_t bytes, void *from, cl_int *code),                              \
        (context, flags, bytes, from, code))                                                                           \
    ROW(cl_int, clReleaseMemObject, memory, (cl_mem memory), (memory))                                                 \
    ROW(cl_int, clWaitForEvents, *events, (cl_uint count, const cl_event *events), (count, events))                    \
    ROW(cl_int, clReleaseEvent, event, (cl_event event), (event))                                                      \
    ROW(cl_int, clEnqueueWriteBuffer, queue,                                                                           \
        (cl_command_queue queue, cl_mem memory, cl_bool wait, size_t at, size_t bytes, const void *from,               \
         cl_uint count, const cl_event *events, cl_event *event),                                                      \
        (queue, memory, wait, at, bytes, from, count, events, event))                                                  \
    ROW(cl_int, clEnqueueReadBuffer, queue,                                                                            \
        (cl_command_queue queue, cl_mem memory, cl_bool wait, size_t at, size_t bytes, void *to, cl_uint count,        \
         const cl_event *events, cl_event *event),                                                                     \
        (queue, memory, wait, at, bytes, to, count, events, event))                                                    \
    ROW(cl_int, clEnqueueWriteBufferRect, queue,                                                                       \
        (cl_command_queue queue, cl_mem memory, cl_bool wait, const size_t *to, const size_t *start,                   \
         const size_t *region, size_t to_pitch, size_t to_slice, size_t pitch, size_t slice, const void *from,         \
         cl_uint count, const cl_event *events, cl_event *event),                                                      \
        (queue, memory, wait, to, start, region, to_pitch, to_slice, pitch, slice, from, count, events, event))        \
    ROW(cl_int, clEnqueueFillBuffer, queue,                                                                            \
        (cl_command_queue queue, cl_mem memory, const void *pattern, size_t pattern_bytes, size_t at, size_t bytes,    \
         cl_uint count, const cl_event *events, cl_event *event),                                                      \
        (queue, memory, pattern, pattern_bytes, at, bytes, count, events, event))                                      \
    ROW(void *, clEnqueueMapBuffer, queue,                                                                             \
        (cl_command_queue queue, cl_mem memory, cl_bool wait, cl_map_flags flags, size_t at, size_t bytes,             \
         cl_uint count, const cl_event *events, cl_event *event, cl_int *code),                                        \
        (queue, memory, wait, flags, at, bytes, count, events, event, code))                                           \
    ROW(cl_int, clEnqueueUnmapMemObject, queue,                                                                        \
        (cl_command_queue queue, cl_mem memory, void *mapped, cl_uint count, const cl_event *events, cl_event *event), \
        (queue, memory, mapped, count, events, event))                                                                 \
    ROW(cl_int, clEnqueueNDRangeKernel, queue,                                                                         \
        (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,     \
         const size_t *local, cl_uint count, const cl_event *events, cl_event *event),                                 \
        (queue, kernel, dimensions, offset, global, local, count, events, event))                                      \
    ROW(cl_program, clCreateProgramWithSource, context,                                                                \
        (cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *code),                  \
        (context, count, texts, lengths, code))                                                                        \
    ROW(cl_program, clCreateProgramWithBinary, context,                                                                \
        (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,                        \
         const unsigned char **binaries, cl_int *status, cl_int *code),                                                \
        (context, count, devices, lengths, binaries, status, code))                                                    \
    ROW(cl_int, clReleaseProgram, program, (cl_program program), (program))                                            \
    ROW(cl_int, clBuildProgram, program,                                                                               \
        (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,                          \
         void(CL_CALLBACK * notify)(cl_program, void *), void *user),                                                  \
        (program, count, devices, options, notify, user))                                                              \
    ROW(cl_int, clGetProgramBuildInfo, program,                                                                        \
        (cl_program program, cl_device_id device, cl_program_build_info what, size_t room, void *to, size_t *needed),  \
        (program, device, what, room, to, needed))                                                                     \
    ROW(cl_int, clGetProgramInfo, program,                                                                             \
        (cl_program program, cl_program_info what, size_t room, void *to, size_t *needed),                             \
        (program, what, room, to, needed))                                                                             \
    ROW(cl_kernel, clCreateKernel, program, (cl_program program, const char *name, cl_int *code),                      \
        (program, name, code))                                                                                         \
    ROW(cl_int, clReleaseKernel, kernel, (cl_kernel kernel), (kernel))                                                 \
    ROW(cl_int, clSetKernelArg, kernel, (cl_kernel kernel, cl_uint index, size_t bytes, const void *value),            \
        (kernel, index, bytes, value))                                                                                 \
    ROW(cl_int, clGetKernelWorkGroupInfo, kernel,                                                                      \
        (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t room, void *to,                 \
         size_t *needed),                                                                                              \
        (kernel, device, what, room, to, needed))

static pthread_once_t  once = PTHREAD_ONCE_INIT;
static cl_icd_dispatch functions;  // of libOpenCL
static bool            opened;     // it has all of them

static bool find(void *library, const char *name, void *function)
{
    void *const found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void open_library(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    opened = library && find(library, "clGetPlatformIDs", &functions.clGetPlatformIDs);
#define FIND(result, name, object, parameters, arguments) opened = opened && find(library, #name, &functions.name);
    FUNCTIONS(FIND)
}

static const cl_icd_dispatch *functions_of(const void *object)
{
    pthread_once(&once, open_library);
    return opened ? &functions : *(const cl_icd_dispatch *const *)object;
}

cl_int CL_API_CALL clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    pthread_once(&once, open_library);
    return opened ? functions.clGetPlatformIDs(room, platforms, count) : CL_PLATFORM_NOT_FOUND_KHR;
}

#define DEFINE(result, name, object, parameters, arguments) \
    result CL_API_CALL name parameters                      \
    {                                                       \
        return functions_of(object)->name arguments;        \
    }
FUNCTIONS(DEFINE)
