// devices -- lists and opens devices.
#include "device/opencl.h"

#include "device/driver.h"
#include "device/native.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PLATFORMS = 16 };

static void read_info(cl_platform_id platform, cl_device_id id, DeviceInfo *info)
{
    cl_device_type      type = 0;
    cl_device_fp_config fp64 = 0, fp32 = 0;
    cl_uint             units = 1, width_double = 0, width_single = 0;
    cl_ulong            memory = 0, largest = 0;
    size_t              work_group = 1;
    *info = (DeviceInfo){0};
    clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof info->name - 1, info->name, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof info->platform - 1, info->platform, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof info->platform_version - 1, info->platform_version, NULL);
    clGetDeviceInfo(id, CL_DRIVER_VERSION, sizeof info->driver - 1, info->driver, NULL);
    clGetDeviceInfo(id, CL_DEVICE_VERSION, sizeof info->version - 1, info->version, NULL);
    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL);
    clGetDeviceInfo(id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof fp32, &fp32, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof work_group, &work_group, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    clGetDeviceInfo(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, sizeof width_double, &width_double, NULL);
    clGetDeviceInfo(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof width_single, &width_single, NULL);
    info->gpu = (type & CL_DEVICE_TYPE_CPU) == 0;
    info->fp64 = fp64 != 0;
    info->vectors = strcmp(info->platform, "native") != 0 || width_double > 1;
    info->rounds_single = (fp32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    info->denormal_single = (fp32 & CL_FP_DENORM) != 0;
    info->work_group = work_group > 0 ? work_group : 1;
    info->compute_units = units;
    info->memory = memory;
    info->largest_buffer = largest;
    // Two vector registers a group: one is bound by the latency of its own operations.
    info->lanes_double = info->gpu || width_double < 2 ? 1 : width_double >= 8 ? 16 : width_double >= 4 ? 8 : 4;
    info->lanes_single = info->gpu || width_single < 2 ? 1 : width_single >= 8 ? 16 : 8;
}

static size_t find_devices(cl_device_id ids[DEVICES_MOST], DeviceInfo infos[DEVICES_MOST])
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint        platform_count = 0;
    size_t         count = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        platform_count = 0;
    for (cl_uint p = 0; p < platform_count && p < MAX_PLATFORMS; ++p) {
        cl_uint found = 0;
        cl_uint room = (cl_uint)(DEVICES_MOST - count);
        if (room == 0 || clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, room, ids + count, &found) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < found && d < room; ++d, ++count)
            read_info(platforms[p], ids[count], &infos[count]);
    }
    const size_t native = native_devices(ids + count, DEVICES_MOST - count);
    for (size_t d = count; d < count + native; ++d)
        read_info(native_platform(), ids[d], &infos[d]);
    return count + native;
}

bool device_list(DeviceInfo **infos, size_t *count, Error *err)
{
    cl_device_id ids[DEVICES_MOST];
    *infos = NULL;
    *count = 0;
    if (!driver_prepare(err))
        return false;
    *infos = calloc(DEVICES_MOST, sizeof **infos);
    if (!*infos)
        return fail(err, ERROR_INTERNAL, "out of memory");
    *count = find_devices(ids, *infos);
    return true;
}

// Opens one of the devices that were found.
static bool open_found(cl_device_id id, const DeviceInfo *info, Device **device, Error *err)
{
    cl_int  code;
    Device *made = calloc(1, sizeof *made);
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    made->info = *info;
    made->id = id;
    made->cache.directory = -1;
    made->pocl = strcmp(made->info.platform, "Portable Computing Language") == 0;
    cache_open(&made->cache, made->pocl ? driver_users_folder() : NULL, made->notice);
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

bool device_open(const char *which, Precision precision, Device **device, Error *err)
{
    cl_device_id ids[DEVICES_MOST];
    DeviceInfo   infos[DEVICES_MOST];
    size_t       chosen;
    *device = NULL;
    if (!driver_prepare(err))
        return false;
    const size_t count = find_devices(ids, infos);
    return choose_device(which, precision, infos, count, &chosen, err) &&
           open_found(ids[chosen], &infos[chosen], device, err);
}

bool device_choose(const char *which, Precision precision, size_t numbers[DEVICES_MOST], size_t *count, Error *err)
{
    DeviceInfo *infos = NULL;
    size_t      info_count = 0;
    const bool  ok = device_list(&infos, &info_count, err) &&
                    choose_devices(which, precision, infos, info_count, numbers, count, err);
    free(infos);
    return ok;
}

bool device_open_number(size_t number, Device **device, Error *err)
{
    cl_device_id ids[DEVICES_MOST];
    DeviceInfo   infos[DEVICES_MOST];
    *device = NULL;
    if (!driver_prepare(err))
        return false;
    const size_t count = find_devices(ids, infos);
    return number < count ? open_found(ids[number], &infos[number], device, err)
                          : fail(err, ERROR_DEVICE, "device %zu is no longer there", number);
}

void device_limit(Device *device, uint64_t bytes)
{
    DeviceInfo *info = &device->info;
    device->limited = true;
    info->memory = info->memory < bytes ? info->memory : bytes;
    info->largest_buffer = info->largest_buffer < bytes ? info->largest_buffer : bytes;
}

const DeviceInfo *device_info(const Device *device)
{
    return &device->info;
}

bool device_compiles_late(const Device *device)
{
    return strcmp(device->info.platform, "native") != 0;
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
    text_free(&device->arithmetic[0].verdict);
    text_free(&device->arithmetic[1].verdict);
    free(device);
}
