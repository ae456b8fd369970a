// opencl -- lists, chooses and opens devices.
#include "device/opencl.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 64 };

const char *opencl_error(cl_int code)
{
    switch (code) {
#define NAME(name) \
    case name: return #name;
        NAME(CL_DEVICE_NOT_FOUND)
        NAME(CL_DEVICE_NOT_AVAILABLE)
        NAME(CL_COMPILER_NOT_AVAILABLE)
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        NAME(CL_OUT_OF_RESOURCES)
        NAME(CL_OUT_OF_HOST_MEMORY)
        NAME(CL_BUILD_PROGRAM_FAILURE)
        NAME(CL_MAP_FAILURE)
        NAME(CL_INVALID_VALUE)
        NAME(CL_INVALID_DEVICE)
        NAME(CL_INVALID_CONTEXT)
        NAME(CL_INVALID_COMMAND_QUEUE)
        NAME(CL_INVALID_MEM_OBJECT)
        NAME(CL_INVALID_BUFFER_SIZE)
        NAME(CL_INVALID_BUILD_OPTIONS)
        NAME(CL_INVALID_PROGRAM_EXECUTABLE)
        NAME(CL_INVALID_KERNEL_NAME)
        NAME(CL_INVALID_KERNEL_ARGS)
        NAME(CL_INVALID_ARG_SIZE)
        NAME(CL_INVALID_ARG_VALUE)
        NAME(CL_INVALID_WORK_GROUP_SIZE)
        NAME(CL_INVALID_GLOBAL_WORK_SIZE)
        NAME(CL_INVALID_OPERATION)
#undef NAME
    case -1001: return "CL_PLATFORM_NOT_FOUND_KHR";
    default: return "unnamed OpenCL error";
    }
}

bool opencl_check(const Device *device, cl_int code, const char *what, Error *err)
{
    return code == CL_SUCCESS || fail(err, ERROR_DEVICE, "device '%s': %s failed: %s (%d)", device->info.name, what,
                                      opencl_error(code), code);
}

static void read_info(cl_platform_id platform, cl_device_id id, DeviceInfo *info)
{
    cl_device_type      type = 0;
    cl_device_fp_config fp64 = 0;
    cl_uint             units = 1, width_double = 0, width_single = 0;
    cl_ulong            memory = 0, largest = 0;
    *info = (DeviceInfo){0};
    clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof info->name - 1, info->name, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof info->platform - 1, info->platform, NULL);
    clGetDeviceInfo(id, CL_DRIVER_VERSION, sizeof info->driver - 1, info->driver, NULL);
    clGetDeviceInfo(id, CL_DEVICE_VERSION, sizeof info->version - 1, info->version, NULL);
    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    clGetDeviceInfo(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, sizeof width_double, &width_double, NULL);
    clGetDeviceInfo(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof width_single, &width_single, NULL);
    info->gpu = (type & CL_DEVICE_TYPE_CPU) == 0;
    info->fp64 = fp64 != 0;
    info->compute_units = units;
    info->memory = memory;
    info->largest_buffer = largest;
    // Two vector registers a group: one is bound by the latency of its own operations.
    info->lanes_double = info->gpu ? 1 : width_double >= 8 ? 16 : width_double >= 4 ? 8 : 4;
    info->lanes_single = info->gpu ? 1 : width_single >= 8 ? 16 : 8;
}

static size_t find_devices(cl_device_id ids[MAX_DEVICES], cl_platform_id platforms_of[MAX_DEVICES])
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint        platform_count = 0;
    size_t         count = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        return 0;
    for (cl_uint p = 0; p < platform_count && p < MAX_PLATFORMS; ++p) {
        cl_uint found = 0;
        cl_uint room = (cl_uint)(MAX_DEVICES - count);
        if (room == 0 || clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, room, ids + count, &found) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < found && d < room; ++d)
            platforms_of[count++] = platforms[p];
    }
    return count;
}

bool device_list(DeviceInfo **infos, size_t *count, Error *err)
{
    cl_device_id   ids[MAX_DEVICES];
    cl_platform_id platforms[MAX_DEVICES];
    *count = find_devices(ids, platforms);
    *infos = calloc(*count ? *count : 1, sizeof **infos);
    if (!*infos)
        return fail(err, ERROR_INTERNAL, "out of memory");
    for (size_t i = 0; i < *count; ++i)
        read_info(platforms[i], ids[i], &(*infos)[i]);
    return true;
}

// The index of the device asked for, or count.
static size_t choose_device(const char *which, const DeviceInfo *infos, size_t count)
{
    if (!which) {
        for (size_t i = 0; i < count; ++i)
            if (infos[i].gpu && infos[i].fp64)
                return i;
        return choose_device("cpu", infos, count);
    }
    char         *end;
    unsigned long index = strtoul(which, &end, 10);
    if (*which >= '0' && *which <= '9' && *end == '\0')
        return index < count ? (size_t)index : count;
    for (size_t i = 0; i < count; ++i) {
        if (strcasecmp(which, "gpu") == 0 || strcasecmp(which, "cpu") == 0) {
            if (infos[i].gpu == (strcasecmp(which, "gpu") == 0))
                return i;
        } else if (*which && strcasestr(infos[i].name, which)) {
            return i;
        }
    }
    return count;
}

static bool no_such_device(const char *which, const DeviceInfo *infos, size_t count, Error *err)
{
    if (count == 0)
        return fail(err, ERROR_DEVICE,
                    "no OpenCL device on this machine; install one, e.g. the package pocl-opencl-icd for the CPU, "
                    "or run with -d reference");
    Text names = {0};
    for (size_t i = 0; i < count; ++i)
        text_add(&names, "%s%zu '%s'", i ? ", " : "", i, infos[i].name);
    fail(err, ERROR_DEVICE, "no device '%s'; there is: %s, reference", which ? which : "default",
         names.text ? names.text : "");
    text_free(&names);
    return false;
}

// PoCL keeps what it compiled, and takes the time of another compilation to give a program's binary away: that is spent
// only where somebody names a directory for it.
static bool keeps_programs(const DeviceInfo *info)
{
    return strcmp(info->platform, "Portable Computing Language") == 0 && !getenv("PENDULA_CACHE_DIR");
}

bool device_open(const char *which, Device **device, Error *err)
{
    cl_device_id   ids[MAX_DEVICES];
    cl_platform_id platforms[MAX_DEVICES];
    DeviceInfo     infos[MAX_DEVICES];
    cl_int         code;
    *device = NULL;
    size_t count = find_devices(ids, platforms);
    for (size_t i = 0; i < count; ++i)
        read_info(platforms[i], ids[i], &infos[i]);
    size_t chosen = choose_device(which, infos, count);
    if (chosen == count)
        return no_such_device(which, infos, count, err);

    Device *made = calloc(1, sizeof *made);
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    made->info = infos[chosen];
    made->id = ids[chosen];
    made->cache.directory = -1;
    if (!keeps_programs(&made->info))
        cache_open(&made->cache, made->notice);
    made->context = clCreateContext(NULL, 1, &made->id, NULL, NULL, &code);
    bool ok = opencl_check(made, code, "creating a context", err);
    if (ok) {
        made->queue = clCreateCommandQueue(made->context, made->id, 0, &code);
        ok = opencl_check(made, code, "creating a command queue", err);
    }
    if (ok) {
        made->transfers = clCreateCommandQueue(made->context, made->id, 0, &code);
        ok = opencl_check(made, code, "creating a command queue", err);
    }
    if (ok)
        *device = made;
    else
        device_close(made);
    return ok;
}

const DeviceInfo *device_info(const Device *device)
{
    return &device->info;
}

const char *device_notice(const Device *device)
{
    return *device->notice ? device->notice : NULL;
}

void device_close(Device *device)
{
    if (!device)
        return;
    if (device->transfers)
        clReleaseCommandQueue(device->transfers);
    if (device->queue)
        clReleaseCommandQueue(device->queue);
    if (device->context)
        clReleaseContext(device->context);
    cache_close(&device->cache);
    free(device);
}
