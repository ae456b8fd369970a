// fake_devices -- the devices of the shim: which there are, what they say of themselves, and whose a queue is.
#include "fake_opencl.h"

enum { MOST_DEVICES = 8 };

// Whose a queue is.
static struct {
    cl_command_queue queue;
    Fake            *fake;
} queues[4 * MOST_DEVICES];

pthread_mutex_t fake_mutex = PTHREAD_MUTEX_INITIALIZER;
size_t          fake_count;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static Fake           fakes[MOST_DEVICES];
static cl_device_id   real_devices[MOST_DEVICES];
static cl_uint        real_count;
static cl_platform_id real_platform;

// Reads PENDULA_FAKE_DEVICES.
static void read_fakes(void)
{
    const char *list = setting("DEVICES");
    char        copy[1024], *rest = copy;
    if (!list)
        return;
    snprintf(copy, sizeof copy, "%s", list);
    for (char *entry; (entry = strsep(&rest, ",")) && fake_count < MOST_DEVICES;) {
        Fake       *fake = &fakes[fake_count++];
        const char *name = strsep(&entry, "|"), *platform = strsep(&entry, "|"), *kind = strsep(&entry, "|"),
                   *precision = strsep(&entry, "|");
        snprintf(fake->name, sizeof fake->name, "%s", name);
        snprintf(fake->platform, sizeof fake->platform, "%s", platform ? platform : "");
        fake->gpu = kind && strcmp(kind, "gpu") == 0;
        fake->single = precision && strcmp(precision, "single") == 0;
    }
}

static bool faking(void)
{
    pthread_once(&once, read_fakes);
    return fake_count > 0;
}

static Fake *fake_of(const void *handle)
{
    for (size_t i = 0; faking() && i < fake_count; ++i)
        if (handle == &fakes[i])
            return &fakes[i];
    return NULL;
}

cl_device_id device_of(cl_device_id device)
{
    const Fake *fake = fake_of(device);
    return fake ? real_devices[(size_t)(fake - fakes) % real_count] : device;
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    REAL(clGetPlatformIDs)
    if (!faking())
        return real(room, platforms, count);
    cl_int  code = real_platform ? CL_SUCCESS : real(1, &real_platform, NULL);
    cl_uint found = 0;
    for (size_t i = 0; i < fake_count; ++i) {
        size_t before = 0;
        while (strcmp(fakes[before].platform, fakes[i].platform) != 0)
            ++before;
        if (before == i && platforms && found < room)
            platforms[found] = (cl_platform_id)&fakes[i];
        found += before == i;
    }
    if (count)
        *count = found;
    return code;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t room, void *value, size_t *bytes)
{
    REAL(clGetPlatformInfo)
    const Fake  *fake = fake_of(platform);
    const cl_int code = real(fake ? real_platform : platform, what, room, value, bytes);
    if (fake && what == CL_PLATFORM_NAME && value && code == CL_SUCCESS)
        snprintf(value, room, "%s", fake->platform);
    return code;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices, cl_uint *count)
{
    REAL(clGetDeviceIDs)
    const Fake *fake = fake_of(platform);
    if (!fake)
        return real(platform, type, room, devices, count);
    cl_int code =
        real_count ? CL_SUCCESS : real(real_platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, real_devices, &real_count);
    cl_uint found = 0;
    for (size_t i = 0; i < fake_count; ++i)
        if (strcmp(fakes[i].platform, fake->platform) == 0) {
            if (devices && found < room)
                devices[found] = (cl_device_id)&fakes[i];
            ++found;
        }
    if (count)
        *count = found;
    return code;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *value, size_t *bytes)
{
    REAL(clGetDeviceInfo)
    Fake        *fake = fake_of(device);
    const char  *type = setting("TYPE");
    const cl_int code = real(device_of(device), what, room, value, bytes);
    if (code != CL_SUCCESS || !value)
        return code;
    const bool     gpu = fake ? fake->gpu : type && strcmp(type, "gpu") == 0;
    const uint64_t says = number("SAYS_MEMORY"), memory = says ? says : number("MEMORY");
    if (what == CL_DEVICE_NAME && fake)
        snprintf(value, room, "%s", fake->name);
    else if (what == CL_DEVICE_PLATFORM && fake)
        for (size_t i = fake_count; i-- > 0;) {
            if (strcmp(fakes[i].platform, fake->platform) == 0)
                *(cl_platform_id *)value = (cl_platform_id)&fakes[i];
        }
    else if (what == CL_DEVICE_TYPE && (fake || type))
        *(cl_device_type *)value = gpu ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
    else if (what == CL_DEVICE_DOUBLE_FP_CONFIG && ((fake && fake->single) || (setting("FP64") && !number("FP64"))))
        *(cl_device_fp_config *)value = 0;
    else if (what == CL_DEVICE_SINGLE_FP_CONFIG && setting("SINGLE_CONFIG"))
        *(cl_device_fp_config *)value = number("SINGLE_CONFIG");
    else if (what == CL_DEVICE_MAX_COMPUTE_UNITS && number("UNITS"))
        *(cl_uint *)value = (cl_uint)number("UNITS");
    else if (what == CL_DEVICE_GLOBAL_MEM_SIZE && memory)
        *(cl_ulong *)value = memory;
    else if (what == CL_DEVICE_MAX_MEM_ALLOC_SIZE && number("LARGEST"))
        *(cl_ulong *)value = number("LARGEST");
    else if (what == CL_DEVICE_MAX_WORK_GROUP_SIZE && number("WORK_GROUP"))
        *(size_t *)value = (size_t)number("WORK_GROUP");
    return code;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                           void (*say)(const char *, const void *, size_t, void *), void *user, cl_int *code)
{
    REAL(clCreateContext)
    const cl_device_id device = device_of(devices[0]);
    return real(properties, count, &device, say, user, code);
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                      cl_int *code)
{
    REAL(clCreateCommandQueue)
    const cl_command_queue queue = real(context, device_of(device), properties, code);
    pthread_mutex_lock(&fake_mutex);
    for (size_t i = 0; fake_of(device) && i < sizeof queues / sizeof *queues; ++i)
        if (!queues[i].queue || queues[i].queue == queue) {
            queues[i].queue = queue;
            queues[i].fake = fake_of(device);
            break;
        }
    pthread_mutex_unlock(&fake_mutex);
    return queue;
}

Fake *fake_of_queue(cl_command_queue queue)
{
    for (size_t i = 0; i < sizeof queues / sizeof *queues; ++i)
        if (queues[i].queue == queue)
            return queues[i].fake;
    return NULL;
}
