// devices -- lists and opens devices; a request is matched with the names of devices and platforms, exact names first.
#include "device/opencl.h"

#include "base/thread.h"
#include "device/driver.h"
#include "device/native.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_PLATFORMS = 16 };

#define POCL "Portable Computing Language"

static void read_info(cl_platform_id platform, cl_device_id id, DeviceInfo *info)
{
    cl_device_type      type = 0;
    cl_device_fp_config fp64 = 0, fp32 = 0;
    cl_uint             units = 1, width_double = 0, width_single = 0;
    cl_ulong            memory = 0, largest = 0;
    size_t              work_group = 1;
    // A loader would first load all drivers.
    const cl_api_clGetPlatformInfo ask =
        platform == native_platform() ? native_functions()->clGetPlatformInfo : clGetPlatformInfo;
    *info = (DeviceInfo){0};
    clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof info->name - 1, info->name, NULL);
    ask(platform, CL_PLATFORM_NAME, sizeof info->platform - 1, info->platform, NULL);
    ask(platform, CL_PLATFORM_VERSION, sizeof info->platform_version - 1, info->platform_version, NULL);
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
    const bool native = strcmp(info->platform, "native") == 0;
    info->vectors = !native || width_double > 1;
    info->wide = !info->gpu && info->vectors && (native || strcmp(info->platform, POCL) == 0);
    info->rounds_single = (fp32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    info->denormal_single = (fp32 & CL_FP_DENORM) != 0;
    info->work_group = work_group > 0 ? work_group : 1;
    info->compute_units = units;
    info->memory = memory;
    info->largest_buffer = largest;
    // Two vector registers a group: one is bound by the latency of its own operations.
    info->lanes_double = info->gpu || width_double < 2 ? 1 : width_double >= 8 ? 16 : width_double >= 4 ? 8 : 4;
    info->lanes_single = info->gpu || width_single < 2      ? 1
                         : info->wide && width_single >= 16 ? 32
                         : width_single >= 8                ? 16
                                                            : 8;
}

// The size of the stack of threads whose starter asks for none, as the threads of drivers are, which begin where
// devices are first listed. Returns the size before.
static size_t set_stack(size_t size)
{
    pthread_attr_t attributes;
    size_t         before = 0;
    if (pthread_getattr_default_np(&attributes) != 0)
        return 0;
    pthread_attr_getstacksize(&attributes, &before);
    if (size > 0 && pthread_attr_setstacksize(&attributes, size) == 0)
        pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    return before;
}

static size_t find_native(cl_device_id *ids, DeviceInfo *infos, size_t room)
{
    const size_t count = native_devices(ids, room);
    for (size_t d = 0; d < count; ++d)
        read_info(native_platform(), ids[d], &infos[d]);
    return count;
}

static size_t find_devices(cl_device_id ids[DEVICES_MOST], DeviceInfo infos[DEVICES_MOST])
{
    const size_t   stack = set_stack(THREAD_STACK);
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
    set_stack(stack);
    return count + find_native(ids + count, infos + count, DEVICES_MOST - count);
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

size_t device_number(const DeviceInfo *infos, size_t place)
{
    const bool native = strcmp(infos[place].platform, "native") == 0;
    return native && (place == 0 || strcmp(infos[place - 1].platform, "native") != 0) ? NATIVE_NUMBER : place;
}

static bool has_precision(const DeviceInfo *info, Precision precision)
{
    return precision == PRECISION_SINGLE || info->fp64;
}

// The first GPU, or CPU device, that has the precision; count: none has.
static size_t first_of(bool gpu, Precision precision, const DeviceInfo *infos, size_t count)
{
    size_t i = 0;
    while (i < count && !(infos[i].gpu == gpu && has_precision(&infos[i], precision)))
        ++i;
    return i;
}

// The ways to name a device, in the order in which they are tried.
typedef enum Way { EXACT_NAME, EXACT_PLATFORM, PART, WAY_COUNT } Way;

static bool is_meant(const DeviceInfo *info, const char *which, Way way)
{
    switch (way) {
    case EXACT_NAME: return strcasecmp(info->name, which) == 0;
    case EXACT_PLATFORM: return strcasecmp(info->platform, which) == 0;
    default: return *which && (strcasestr(info->name, which) || strcasestr(info->platform, which));
    }
}

static bool refuse(ErrorKind kind, const char *what, const char *which, Way way, const DeviceInfo *infos, size_t count,
                   const char *remedy, Error *err)
{
    Text   names = {0};
    size_t listed = 0;
    for (size_t i = 0; i < count; ++i)
        if (!which || is_meant(&infos[i], which, way))
            text_add(&names, "%s%zu '%s' (%s%s)", listed++ ? ", " : "", i, infos[i].name, infos[i].platform,
                     infos[i].fp64 ? "" : ", no double precision");
    fail(err, kind, "%s: %s%s", what, names.text ? names.text : "", remedy);
    text_free(&names);
    return false;
}

static bool no_such_device(const char *which, const DeviceInfo *infos, size_t count, Error *err)
{
    char what[256];
    snprintf(what, sizeof what, "no device '%.200s'; there is", which);
    const char *remedy =
        strcasecmp(which, "native") == 0 ? ", reference; `native` needs a C compiler, e.g. gcc" : ", reference";
    return refuse(ERROR_DEVICE, what, NULL, WAY_COUNT, infos, count, remedy, err);
}

static bool choose_named(const char *which, const DeviceInfo *infos, size_t count, size_t *chosen, Error *err)
{
    for (Way way = EXACT_NAME; way < WAY_COUNT; ++way) {
        size_t found = 0;
        for (size_t i = count; i-- > 0;)
            if (is_meant(&infos[i], which, way)) {
                *chosen = i;
                ++found;
            }
        if (found > 1) {
            char what[256];
            snprintf(what, sizeof what, "'%.200s' means several devices", which);
            return refuse(ERROR_USAGE, what, which, way, infos, count, "; choose one by its number", err);
        }
        if (found == 1)
            return true;
    }
    return no_such_device(which, infos, count, err);
}

static bool choose_device(const char *which, Precision precision, const DeviceInfo *infos, size_t count, size_t *chosen,
                          Error *err)
{
    if (count == 0)
        return fail(err, ERROR_DEVICE,
                    "no OpenCL device on this machine (libOpenCL.so.1 and a driver), and no C compiler for `native`; "
                    "install one, e.g. the package pocl-opencl-icd or gcc, or by pip pendula[compiler], or choose the "
                    "device reference");
    if (!which) {
        *chosen = first_of(true, precision, infos, count);
        if (*chosen == count)
            *chosen = first_of(false, precision, infos, count);
        return *chosen < count || refuse(ERROR_DEVICE, "no device has double precision", NULL, WAY_COUNT, infos, count,
                                         "; set `precision: single`, or run with -d reference", err);
    }
    if (strcasecmp(which, "gpu") == 0 || strcasecmp(which, "cpu") == 0) {
        const bool gpu = strcasecmp(which, "gpu") == 0;
        *chosen = first_of(gpu, precision, infos, count);
        // That it has no double precision is said where that is missed.
        if (*chosen == count)
            *chosen = first_of(gpu, PRECISION_SINGLE, infos, count);
        return *chosen < count || no_such_device(which, infos, count, err);
    }
    // The platform has a device for each compiler; the first is meant.
    for (size_t i = 0; i < count && strcasecmp(which, "native") == 0; ++i)
        if (strcmp(infos[i].platform, "native") == 0) {
            *chosen = i;
            return true;
        }
    if (*which && strspn(which, "0123456789") == strlen(which)) {
        *chosen = (size_t)strtoul(which, NULL, 10);
        return *chosen < count || no_such_device(which, infos, count, err);
    }
    return choose_named(which, infos, count, chosen, err);
}

// All that drivers bring, each with the precision; a driver of this program's own only where none is for the CPU.
static size_t choose_all(Precision precision, const DeviceInfo *infos, size_t count, size_t numbers[DEVICES_MOST])
{
    size_t found = 0, native = count;
    bool   cpu = false;
    for (size_t i = 0; i < count; ++i) {
        if (!has_precision(&infos[i], precision))
            continue;
        if (strcmp(infos[i].platform, "native") == 0) {
            native = native < count ? native : i;
            continue;
        }
        cpu = cpu || !infos[i].gpu;
        numbers[found++] = device_number(infos, i);
    }
    if (!cpu && native < count)
        numbers[found++] = device_number(infos, native);
    return found;
}

static bool add_device(const char *word, Precision precision, const DeviceInfo *infos, size_t count,
                       size_t numbers[DEVICES_MOST], size_t *number_count, Error *err)
{
    size_t chosen = 0;
    if (word && strcasecmp(word, "reference") == 0)
        return fail(err, ERROR_USAGE, "the reference computes alone: its last digits are not those of kernels");
    if (!choose_device(word, precision, infos, count, &chosen, err))
        return false;
    const size_t number = device_number(infos, chosen);
    for (size_t i = 0; i < *number_count; ++i)
        if (numbers[i] == number)
            return fail(err, ERROR_USAGE, "device %zu '%s' is named twice, the second time as '%s'; name it once",
                        chosen, infos[chosen].name, word);
    numbers[(*number_count)++] = number;
    return true;
}

// Finds the devices that device_choose() is asked for.
static bool choose_devices(const char *which, Precision precision, const DeviceInfo *infos, size_t count,
                           size_t numbers[DEVICES_MOST], size_t *number_count, Error *err)
{
    const bool all = which && strcasecmp(which, "all") == 0;
    bool       whole = !which || all || !strchr(which, ',');
    *number_count = all ? choose_all(precision, infos, count, numbers) : 0;
    if (*number_count > 0)
        return true;
    for (size_t i = 0; !whole && i < count; ++i)
        whole = is_meant(&infos[i], which, EXACT_NAME) || is_meant(&infos[i], which, EXACT_PLATFORM);
    if (whole)
        return add_device(all ? NULL : which, precision, infos, count, numbers, number_count, err);
    char *words = strdup(which), *rest = words;
    bool  ok = words || fail(err, ERROR_INTERNAL, "out of memory");
    while (ok && rest)
        ok = add_device(strsep(&rest, ","), precision, infos, count, numbers, number_count, err);
    free(words);
    return ok;
}

// Opens a device that was found, with its number.
static bool open_found(size_t number, cl_device_id id, const DeviceInfo *info, Device **device, Error *err)
{
    cl_int  code;
    Device *made = calloc(1, sizeof *made);
    if (!made)
        return fail(err, ERROR_INTERNAL, "out of memory");
    made->info = *info;
    made->id = id;
    made->number = number;
    made->cache.directory = -1;
    made->pocl = strcmp(made->info.platform, POCL) == 0;
    cache_open(&made->cache, made->pocl ? driver_users_folder() : NULL, made->notice);
    const cl_api_clCreateContext create =
        strcmp(made->info.platform, "native") == 0 ? native_functions()->clCreateContext : clCreateContext;
    made->context = create(NULL, 1, &made->id, NULL, NULL, &code);
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

// Whether `native` is meant and there is one: it is found without a driver, of which one takes longer to be loaded than
// a small sweep to run.
static bool is_native(const char *which)
{
    cl_device_id id;
    return which && strcasecmp(which, "native") == 0 && native_devices(&id, 1) == 1;
}

bool device_open(const char *which, Precision precision, Device **device, Error *err)
{
    cl_device_id ids[DEVICES_MOST];
    DeviceInfo   infos[DEVICES_MOST];
    size_t       chosen;
    *device = NULL;
    if (!driver_prepare(err))
        return false;
    if (is_native(which))
        return device_open_number(NATIVE_NUMBER, device, err);
    const size_t count = find_devices(ids, infos);
    return choose_device(which, precision, infos, count, &chosen, err) &&
           open_found(device_number(infos, chosen), ids[chosen], &infos[chosen], device, err);
}

bool device_choose(const char *which, Precision precision, size_t numbers[DEVICES_MOST], size_t *count, Error *err)
{
    DeviceInfo *infos = NULL;
    size_t      info_count = 0;
    numbers[0] = NATIVE_NUMBER;
    *count = 1;
    if (is_native(which))
        return true;
    const bool ok = device_list(&infos, &info_count, err) &&
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
    const bool   native = number == NATIVE_NUMBER;
    const size_t count = native ? find_native(ids, infos, 1) : find_devices(ids, infos), place = native ? 0 : number;
    return place < count ? open_found(number, ids[place], &infos[place], device, err)
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
