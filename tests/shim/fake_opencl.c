// fake_opencl -- stands between a program and libOpenCL (LD_PRELOAD) and makes a device look or fail like another one.
//
// Each part is asked for by an environment variable; tests/support/fake.h sets them for children of a test. Which
// devices there are and what they say of themselves is in fake_devices.c, what they do with their work is here.
//   PENDULA_FAKE_DEVICES=NAME|PLATFORM|gpu|single,...
//       these devices instead of the first real one, which does their work; the third word is gpu or cpu, the fourth
//       single where there is no double precision; each platform is named by its first device and those that follow
//   PENDULA_FAKE_TYPE=gpu|cpu           what kind of device all are
//   PENDULA_FAKE_FP64=0                 no double precision
//   PENDULA_FAKE_UNITS=N                compute units
//   PENDULA_FAKE_MEMORY=BYTES           memory, more is refused: by clCreateBuffer, or with PENDULA_FAKE_LAZY=1 by the
//                                       next launch; with PENDULA_FAKE_SAYS_MEMORY=BYTES the device says another size
//   PENDULA_FAKE_LARGEST=BYTES          largest buffer, likewise refused
//   PENDULA_FAKE_WORK_GROUP=N           largest work group; launches of larger ones are refused
//   PENDULA_FAKE_KERNEL_WORK_GROUP=N    the same for kernels once they are built
//   PENDULA_FAKE_SINGLE_CONFIG=BITS     CL_DEVICE_SINGLE_FP_CONFIG
//   PENDULA_FAKE_SOURCE=TEXT|OTHER|...  every source is compiled with each text replaced by the other one behind it
//   PENDULA_FAKE_NO_OPTION=TEXT         builds are refused whose options contain the text
//   PENDULA_FAKE_BUILD=SECONDS          each build takes so much longer
//   PENDULA_FAKE_DESTROYED=SECONDS      behind half of that a build registers an exit handler, which destroys the
//   driver's
//                                       globals and takes so long; a build that then is under way kills the process
//   PENDULA_FAKE_FAIL=CALL:N:CODE       the N-th call (from 1) of buffer, launch, read, write, map or unmap fails with
//                                       the code; N+ : that one and all after it
//   PENDULA_FAKE_LOSE=NAME:CALL:N:CODE,...  the device of that name is lost at its N-th call (from 1) of launch, read,
//                                       write or map: all its calls fail with the code from then on
//   PENDULA_FAKE_SLOW=NAME:SECONDS      each launch of that device takes so much longer
//   PENDULA_FAKE_SLOW_BUILD=TEXT:SECONDS,...  each launch of a program whose build options hold the text takes so much
//                                       longer
//   PENDULA_FAKE_PUT=BYTES:N:AT:VALUE   the N-th (from 1) run of BYTES bytes that the host maps for reading, or reads,
//                                       holds the 64-bit integer VALUE at byte AT
//   PENDULA_FAKE_IDLE=N                 the N-th launch (from 1) and all later ones of the kernel `sweep` do nothing
//   PENDULA_FAKE_FIRST_LAUNCH=SECONDS   the first launch takes so much longer, like a driver that compiles there
//   PENDULA_FAKE_CORES=N                so many cores, of the machine
//   PENDULA_FAKE_LOG=FILE               a line is added for each build, buffer, launch, wait, transfer and map
#include "fake_opencl.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BUFFERS = 4096 };

// The kernel's argument that bounds the work of a launch.
enum { ARGUMENT_WORK = 12 };

static struct {
    cl_mem memory;
    size_t bytes;
} buffers[MOST_BUFFERS];
static size_t   bytes_held;
static unsigned launches, puts_seen, last_work;

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    const char *path = setting("LOG");
    FILE       *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fputc('\n', file);
    fclose(file);
}

long sysconf(int name)
{
    REAL(sysconf)
    return name == _SC_NPROCESSORS_ONLN && setting("CORES") ? (long)number("CORES") : real(name);
}

static void wait_seconds(double seconds)
{
    const struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

// The code with which a call is to fail now, or CL_SUCCESS.
static cl_int failure(const char *call)
{
    static struct {
        const char *call;
        unsigned    count;
    } calls[16];
    const char *wanted = setting("FAIL");
    if (!wanted)
        return CL_SUCCESS;
    size_t k = 0;
    pthread_mutex_lock(&fake_mutex);
    while (k < 15 && calls[k].call && strcmp(calls[k].call, call) != 0)
        ++k;
    calls[k].call = call;
    const unsigned count = ++calls[k].count;
    pthread_mutex_unlock(&fake_mutex);
    const size_t length = strlen(call);
    if (strncmp(wanted, call, length) != 0 || wanted[length] != ':')
        return CL_SUCCESS;
    char               *end;
    const unsigned long at = strtoul(wanted + length + 1, &end, 10);
    const bool          later = *end == '+';
    const char *const   code = strchr(end, ':');
    return count == at || (later && count > at) ? (code ? (cl_int)strtol(code + 1, NULL, 10) : CL_OUT_OF_RESOURCES)
                                                : CL_SUCCESS;
}

// PoCL 3.1 mixes up kernels of one program that several of its devices run at the same time. So where there are several
// each call has a turn, and kernels end within it.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void take_turn(void)
{
    if (fake_count > 1)
        pthread_mutex_lock(&turn);
}

static void end_turn(void)
{
    if (fake_count > 1)
        pthread_mutex_unlock(&turn);
}

// Writes the integer that PENDULA_FAKE_PUT asks for.
static void put(void *data, size_t bytes)
{
    const char        *wanted = setting("PUT");
    unsigned long long size, at;
    unsigned           nth;
    long long          value;
    if (!wanted || sscanf(wanted, "%llu:%u:%llu:%lli", &size, &nth, &at, &value) != 4 || size != bytes ||
        at + sizeof value > bytes)
        return;
    pthread_mutex_lock(&fake_mutex);
    const bool now = ++puts_seen == nth;
    pthread_mutex_unlock(&fake_mutex);
    if (now)
        memcpy((char *)data + at, &value, sizeof value);
}

// The code with which a call to a queue fails, as PENDULA_FAKE_LOSE and PENDULA_FAKE_FAIL want it.
static cl_int failure_of(cl_command_queue queue, const char *call)
{
    static const char *const names[] = {"launch", "read", "write", "map"};
    char                     copy[1024], *rest = copy;
    snprintf(copy, sizeof copy, "%s", setting("LOSE") ? setting("LOSE") : "");
    pthread_mutex_lock(&fake_mutex);
    Fake    *fake = fake_of_queue(queue);
    unsigned count = 0;
    for (size_t i = 0; fake && i < sizeof names / sizeof *names; ++i)
        if (strcmp(names[i], call) == 0)
            count = ++fake->calls[i];
    for (char *entry; fake && !fake->lost && (entry = strsep(&rest, ","));) {
        const char *name = strsep(&entry, ":"), *which = strsep(&entry, ":"), *nth = strsep(&entry, ":");
        if (nth && strcmp(name, fake->name) == 0 && strcmp(which, call) == 0 && count >= strtoul(nth, NULL, 10))
            fake->lost = entry ? (cl_int)strtol(entry, NULL, 10) : CL_OUT_OF_RESOURCES;
    }
    const cl_int lost = fake ? fake->lost : CL_SUCCESS;
    pthread_mutex_unlock(&fake_mutex);
    return lost ? lost : failure(call);
}

// Seconds that a launch of a queue's device takes longer.
static double find_delay(cl_command_queue queue)
{
    const char *slow = setting("SLOW"), *seconds = slow ? strchr(slow, ':') : NULL;
    pthread_mutex_lock(&fake_mutex);
    const Fake *fake = fake_of_queue(queue);
    pthread_mutex_unlock(&fake_mutex);
    const bool meant = fake && seconds && strlen(fake->name) == (size_t)(seconds - slow) &&
                       strncmp(slow, fake->name, strlen(fake->name)) == 0;
    return meant ? strtod(seconds + 1, NULL) : 0.0;
}

// Seconds that a launch takes longer by the options that its program was built with.
static double find_build_delay(cl_kernel kernel)
{
    char         copy[1024], options[1024] = "", *rest = copy;
    double       seconds = 0.0;
    cl_program   program = NULL;
    cl_device_id device = NULL;
    if (!setting("SLOW_BUILD"))
        return 0.0;
    snprintf(copy, sizeof copy, "%s", setting("SLOW_BUILD"));
    clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, &device, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof options - 1, options, NULL);
    for (char *entry; (entry = strsep(&rest, ","));) {
        const char *text = strsep(&entry, ":");
        seconds += entry && strstr(options, text) ? strtod(entry, NULL) : 0.0;
    }
    return seconds;
}

// The text with every occurrence of another replaced; frees the text.
static char *replace(char *text, const char *from, const char *to)
{
    char  *made = NULL;
    size_t bytes = 0;
    FILE  *out = open_memstream(&made, &bytes);
    for (const char *rest = text; out && *rest;)
        if (strncmp(rest, from, strlen(from)) == 0) {
            fputs(to, out);
            rest += strlen(from);
        } else {
            fputc(*rest++, out);
        }
    if (!out || fclose(out) != 0)
        abort();
    free(text);
    return made;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                                     cl_int *code)
{
    REAL(clCreateProgramWithSource)
    const char *wanted = setting("SOURCE");
    if (!wanted)
        return real(context, count, texts, lengths, code);
    char *text = strdup(*texts), *const pairs = strdup(wanted), *rest = pairs, *from, *to;
    while ((from = strsep(&rest, "|")) && (to = strsep(&rest, "|")))
        text = replace(text, from, to);
    const char      *replaced = text;
    const cl_program program = real(context, 1, &replaced, NULL, code);
    free(pairs);
    free(text);
    return program;
}

static volatile bool destroyed;

static void destroy(void)
{
    destroyed = true;
    wait_seconds(strtod(setting("DESTROYED"), NULL));
}

// A build that takes longer.
static void take_longer(double seconds)
{
    wait_seconds(seconds / 2);
    if (setting("DESTROYED")) {
        atexit(destroy);
        note("registered");
    }
    wait_seconds(seconds / 2);
    if (destroyed)
        abort();
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void (*done)(cl_program, void *), void *user)
{
    REAL(clBuildProgram)
    const cl_device_id device = device_of(devices[0]);
    const char        *refused = setting("NO_OPTION");
    note("build %s", options);
    if (refused && strstr(options, refused))
        return CL_INVALID_BUILD_OPTIONS;
    if (setting("BUILD"))
        take_longer(strtod(setting("BUILD"), NULL));
    take_turn();
    const cl_int code = real(program, count, &device, options, done, user);
    end_turn();
    return code;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, size_t room,
                             void *value, size_t *bytes)
{
    REAL(clGetProgramBuildInfo)
    return real(program, device_of(device), what, room, value, bytes);
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                     const size_t *lengths, const unsigned char **binaries, cl_int *status,
                                     cl_int *code)
{
    REAL(clCreateProgramWithBinary)
    const cl_device_id device = device_of(devices[0]);
    return real(context, count, &device, lengths, binaries, status, code);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t room,
                                void *value, size_t *bytes)
{
    REAL(clGetKernelWorkGroupInfo)
    const cl_int code = real(kernel, device_of(device), what, room, value, bytes);
    if (code == CL_SUCCESS && value && what == CL_KERNEL_WORK_GROUP_SIZE) {
        const uint64_t least = number("KERNEL_WORK_GROUP") ? number("KERNEL_WORK_GROUP") : number("WORK_GROUP");
        if (least)
            *(size_t *)value = (size_t)least;
    }
    return code;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code)
{
    REAL(clCreateBuffer)
    const uint64_t most = number("MEMORY"), largest = number("LARGEST");
    cl_int         refused = failure("buffer");
    pthread_mutex_lock(&fake_mutex);
    if (largest && bytes > largest)
        refused = CL_INVALID_BUFFER_SIZE;
    else if (most && !number("LAZY") && bytes_held + bytes > most)
        refused = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    note("buffer %zu of %zu%s", bytes, bytes_held + bytes, refused ? " refused" : "");
    cl_mem memory = NULL;
    if (refused == CL_SUCCESS)
        memory = real(context, flags, bytes, host, code);
    else if (code)
        *code = refused;
    for (size_t i = 0; memory && i < MOST_BUFFERS; ++i)
        if (!buffers[i].memory) {
            buffers[i].memory = memory;
            buffers[i].bytes = bytes;
            bytes_held += bytes;
            break;
        }
    pthread_mutex_unlock(&fake_mutex);
    return memory;
}

cl_int clReleaseMemObject(cl_mem memory)
{
    REAL(clReleaseMemObject)
    pthread_mutex_lock(&fake_mutex);
    for (size_t i = 0; memory && i < MOST_BUFFERS; ++i)
        if (buffers[i].memory == memory) {
            bytes_held -= buffers[i].bytes;
            buffers[i].memory = NULL;
        }
    pthread_mutex_unlock(&fake_mutex);
    return real(memory);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    REAL(clSetKernelArg)
    if (index == ARGUMENT_WORK && bytes == sizeof last_work)
        memcpy(&last_work, value, sizeof last_work);
    return real(kernel, index, bytes, value);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint count, const cl_event *events,
                              cl_event *event)
{
    REAL(clEnqueueNDRangeKernel)
    const uint64_t work_group = number("KERNEL_WORK_GROUP") ? number("KERNEL_WORK_GROUP") : number("WORK_GROUP");
    const char    *seconds = setting("FIRST_LAUNCH");
    char           name[TEXT_SIZE] = "";
    cl_int         refused = failure_of(queue, "launch");
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    const bool sweep = strcmp(name, "sweep") == 0;
    pthread_mutex_lock(&fake_mutex);
    launches += sweep;
    const bool first = sweep && launches == 1, idle = sweep && number("IDLE") && launches >= number("IDLE");
    if (number("LAZY") && number("MEMORY") && bytes_held > number("MEMORY"))
        refused = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (work_group && local && *local > work_group)
        refused = CL_INVALID_WORK_GROUP_SIZE;
    note("launch %s global %zu local %zu work %u%s", name, *global, local ? *local : 0, last_work,
         refused ? " refused" : "");
    pthread_mutex_unlock(&fake_mutex);
    if (refused != CL_SUCCESS || idle)
        return refused;
    if (sweep && find_delay(queue) > 0.0)
        wait_seconds(find_delay(queue));
    if (sweep && find_build_delay(kernel) > 0.0)
        wait_seconds(find_build_delay(kernel));
    if (first && seconds)
        wait_seconds(strtod(seconds, NULL));
    take_turn();
    cl_int code = real(queue, kernel, dimensions, offset, global, local, count, events, event);
    if (code == CL_SUCCESS && fake_count > 1)
        code = clFinish(queue);
    end_turn();
    return code;
}

cl_int clFinish(cl_command_queue queue)
{
    REAL(clFinish)
    note("finish");
    return real(queue);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t at, size_t bytes, void *to,
                           cl_uint count, const cl_event *events, cl_event *event)
{
    REAL(clEnqueueReadBuffer)
    const cl_int refused = failure_of(queue, "read");
    note("read %zu", bytes);
    if (refused != CL_SUCCESS)
        return refused;
    take_turn();
    const cl_int code = real(queue, memory, setting("PUT") ? CL_TRUE : blocking, at, bytes, to, count, events, event);
    end_turn();
    if (code == CL_SUCCESS)
        put(to, bytes);
    return code;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t at, size_t bytes,
                            const void *from, cl_uint count, const cl_event *events, cl_event *event)
{
    REAL(clEnqueueWriteBuffer)
    const cl_int refused = failure_of(queue, "write");
    note("write %zu", bytes);
    if (refused != CL_SUCCESS)
        return refused;
    take_turn();
    const cl_int code = real(queue, memory, blocking, at, bytes, from, count, events, event);
    end_turn();
    return code;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags, size_t at,
                         size_t bytes, cl_uint count, const cl_event *events, cl_event *event, cl_int *code)
{
    REAL(clEnqueueMapBuffer)
    const cl_int refused = failure_of(queue, "map");
    note("map %zu%s%s%s", bytes, flags & CL_MAP_READ ? " read" : "", flags & CL_MAP_WRITE ? " write" : "",
         flags & CL_MAP_WRITE_INVALIDATE_REGION ? " replace" : "");
    if (refused != CL_SUCCESS) {
        *code = refused;
        return NULL;
    }
    const bool at_once = blocking || setting("PUT");
    take_turn();
    void *data = real(queue, memory, at_once, flags, at, bytes, count, events, event, code);
    end_turn();
    if (data && (flags & CL_MAP_READ))
        put(data, bytes);
    return data;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *data, cl_uint count, const cl_event *events,
                               cl_event *event)
{
    REAL(clEnqueueUnmapMemObject)
    const cl_int refused = failure("unmap");
    if (refused != CL_SUCCESS)
        return refused;
    take_turn();
    const cl_int code = real(queue, memory, data, count, events, event);
    end_turn();
    return code;
}
