// opencl -- names and meanings of OpenCL's errors.
#include "device/opencl.h"

#include <pthread.h>

// By the code's distance below 0.
#define NAME(code) [-(code)] = #code
static const char *const error_names[] = {
    NAME(CL_DEVICE_NOT_FOUND), NAME(CL_DEVICE_NOT_AVAILABLE), NAME(CL_COMPILER_NOT_AVAILABLE),
    NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE), NAME(CL_OUT_OF_RESOURCES), NAME(CL_OUT_OF_HOST_MEMORY),
    NAME(CL_PROFILING_INFO_NOT_AVAILABLE), NAME(CL_MEM_COPY_OVERLAP), NAME(CL_IMAGE_FORMAT_MISMATCH),
    NAME(CL_IMAGE_FORMAT_NOT_SUPPORTED), NAME(CL_BUILD_PROGRAM_FAILURE), NAME(CL_MAP_FAILURE),
    NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET), NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    NAME(CL_COMPILE_PROGRAM_FAILURE), NAME(CL_LINKER_NOT_AVAILABLE), NAME(CL_LINK_PROGRAM_FAILURE),
    NAME(CL_DEVICE_PARTITION_FAILED), NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE), NAME(CL_INVALID_VALUE),
    NAME(CL_INVALID_DEVICE_TYPE), NAME(CL_INVALID_PLATFORM), NAME(CL_INVALID_DEVICE), NAME(CL_INVALID_CONTEXT),
    NAME(CL_INVALID_QUEUE_PROPERTIES), NAME(CL_INVALID_COMMAND_QUEUE), NAME(CL_INVALID_HOST_PTR),
    NAME(CL_INVALID_MEM_OBJECT), NAME(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR), NAME(CL_INVALID_IMAGE_SIZE),
    NAME(CL_INVALID_SAMPLER), NAME(CL_INVALID_BINARY), NAME(CL_INVALID_BUILD_OPTIONS), NAME(CL_INVALID_PROGRAM),
    NAME(CL_INVALID_PROGRAM_EXECUTABLE), NAME(CL_INVALID_KERNEL_NAME), NAME(CL_INVALID_KERNEL_DEFINITION),
    NAME(CL_INVALID_KERNEL), NAME(CL_INVALID_ARG_INDEX), NAME(CL_INVALID_ARG_VALUE), NAME(CL_INVALID_ARG_SIZE),
    NAME(CL_INVALID_KERNEL_ARGS), NAME(CL_INVALID_WORK_DIMENSION), NAME(CL_INVALID_WORK_GROUP_SIZE),
    NAME(CL_INVALID_WORK_ITEM_SIZE), NAME(CL_INVALID_GLOBAL_OFFSET), NAME(CL_INVALID_EVENT_WAIT_LIST),
    NAME(CL_INVALID_EVENT), NAME(CL_INVALID_OPERATION), NAME(CL_INVALID_GL_OBJECT), NAME(CL_INVALID_BUFFER_SIZE),
    NAME(CL_INVALID_MIP_LEVEL), NAME(CL_INVALID_GLOBAL_WORK_SIZE), NAME(CL_INVALID_PROPERTY),
    NAME(CL_INVALID_IMAGE_DESCRIPTOR), NAME(CL_INVALID_COMPILER_OPTIONS), NAME(CL_INVALID_LINKER_OPTIONS),
    NAME(CL_INVALID_DEVICE_PARTITION_COUNT),
    // Of later versions than the header's.
    [69] = "CL_INVALID_PIPE_SIZE", [70] = "CL_INVALID_DEVICE_QUEUE", [71] = "CL_INVALID_SPEC_ID",
    [72] = "CL_MAX_SIZE_RESTRICTION_EXCEEDED"};
#undef NAME

const char *opencl_error(cl_int code)
{
    switch (code) {
    case -1000: return "CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR";
    case -1001: return "CL_PLATFORM_NOT_FOUND_KHR";
    case -9999: return "NVIDIA: illegal read or write to a buffer";
    default: break;
    }
    const char *name =
        code < 0 && code > -(cl_int)(sizeof error_names / sizeof *error_names) ? error_names[-code] : NULL;
    return name ? name : "unnamed OpenCL error";
}

bool opencl_check(const Device *device, cl_int code, const char *what, Error *err)
{
    if (code == CL_SUCCESS)
        return true;
    fail(err, ERROR_DEVICE, "device '%s': %s failed: %s (%d)", device->info.name, what, opencl_error(code), code);
    err->code = code;
    return false;
}

void opencl_release(cl_program *program, cl_kernel *kernel)
{
    if (*kernel)
        clReleaseKernel(*kernel);
    if (*program)
        clReleaseProgram(*program);
    *kernel = NULL;
    *program = NULL;
}

bool device_lacks_memory(const Error *err)
{
    return err->code == CL_MEM_OBJECT_ALLOCATION_FAILURE || err->code == CL_OUT_OF_RESOURCES ||
           err->code == CL_OUT_OF_HOST_MEMORY || err->code == CL_INVALID_BUFFER_SIZE;
}

bool device_is_lost(const Error *err)
{
    return err->kind == ERROR_DEVICE && err->code != CL_SUCCESS;
}

static pthread_mutex_t pocl = PTHREAD_MUTEX_INITIALIZER;

void opencl_lock(const Device *device)
{
    if (device->pocl)
        pthread_mutex_lock(&pocl);
}

void opencl_unlock(const Device *device)
{
    if (device->pocl)
        pthread_mutex_unlock(&pocl);
}

bool opencl_distrust(const Device *device, Error *err)
{
    return within(err, "device '%s' or its driver is broken; choose another with -d", device->info.name);
}
