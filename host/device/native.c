// native -- OpenCL's functions over malloc, a C compiler and threads.
#include "device/native.h"

#include "base/thread.h"
#include "catalog/catalog.h"
#include "device/compiler.h"
#include "device/library.h"

#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 24, MOST_THREADS = 256, ALIGNMENT = 64, CHUNKS = 8 };

// The types that OpenCL's header leaves open. Each begins with the functions that the loader calls.
struct _cl_platform_id {
    const cl_icd_dispatch *dispatch;
};

struct _cl_device_id {
    const cl_icd_dispatch *dispatch;
    const char            *compiler;  // NULL: that of the environment
};

struct _cl_context {
    const cl_icd_dispatch *dispatch;
    cl_device_id           device;
};

struct _cl_command_queue {
    const cl_icd_dispatch *dispatch;
};

struct _cl_event {
    const cl_icd_dispatch *dispatch;
};

struct _cl_mem {
    const cl_icd_dispatch *dispatch;
    void                  *data;
};

struct _cl_program {
    const cl_icd_dispatch *dispatch;
    cl_device_id           device;
    Text                   source, library, messages;  // the shared library's bytes; the compiler's output
    void                  *loaded;                     // by dlopen()
};

typedef void Launch(void *const *values, size_t begin, size_t end);

struct _cl_kernel {
    const cl_icd_dispatch *dispatch;
    char                   name[32];
    Launch                *launch;
    const char            *memory;  // [argument] whether it is memory
    _Alignas(16) char arguments[MOST_ARGUMENTS][16];
};

static const cl_icd_dispatch functions;

static const struct _cl_platform_id platform = {&functions};
static const struct _cl_device_id   devices_of[] = {
      {&functions, NULL}, {&functions, "clang"}, {&functions, "gcc"}, {&functions, "zig"}};

static const struct _cl_device_id *device_of(const char *compiler)
{
    size_t i = 0;
    while (compiler && (!devices_of[i].compiler || strcmp(devices_of[i].compiler, compiler) != 0))
        ++i;
    return &devices_of[i];
}

size_t native_devices(cl_device_id *ids, size_t room)
{
    const char  *compilers[COMPILER_MOST];
    const size_t found = compiler_list(compilers);
    size_t       count = 0;
    for (; count < found && count < room; ++count)
        ids[count] = (cl_device_id)device_of(compilers[count]);
    return count;
}

cl_platform_id native_platform(void)
{
    return (cl_platform_id)&platform;
}

const cl_icd_dispatch *native_functions(void)
{
    return &functions;
}

// Information.

static cl_int give(const void *from, size_t bytes, size_t room, void *to, size_t *needed)
{
    if (needed)
        *needed = bytes;
    if (to && room < bytes)
        return CL_INVALID_VALUE;
    if (to)
        memcpy(to, from, bytes);
    return CL_SUCCESS;
}

static cl_int give_text(const char *text, size_t room, void *to, size_t *needed)
{
    return give(text, strlen(text) + 1, room, to, needed);
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id id, cl_platform_info what, size_t room, void *to,
                                            size_t *needed)
{
    (void)id;
    return give_text(what == CL_PLATFORM_VERSION ? "OpenCL 1.2 pendula" : "native", room, to, needed);
}

static unsigned processors(void)
{
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < MOST_THREADS ? (unsigned)count : MOST_THREADS;
}

// Of a vector register.
static cl_uint vector_bytes(void)
{
#if defined __x86_64__
    return __builtin_cpu_supports("avx512f") ? 64 : __builtin_cpu_supports("avx") ? 32 : 16;
#else
    return 16;
#endif
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t room, void *to,
                                          size_t *needed)
{
    const cl_platform_id      own = (cl_platform_id)&platform;
    const cl_ulong            memory = (cl_ulong)sysconf(_SC_PHYS_PAGES) * (cl_ulong)sysconf(_SC_PAGESIZE);
    const cl_device_type      type = CL_DEVICE_TYPE_CPU;
    const cl_device_fp_config arithmetic =
        CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    const size_t  work_group = 1;
    const cl_uint units = processors(), bytes = compiler_has_vectors(device->compiler) ? vector_bytes() : 0,
                  doubles = bytes ? bytes / sizeof(double) : 1, floats = bytes ? bytes / sizeof(float) : 1;
    char     processor[64];
    uint64_t abilities;
    Text     text = {0};
    switch (what) {
    case CL_DEVICE_PLATFORM: return give(&own, sizeof own, room, to, needed);
    case CL_DEVICE_TYPE: return give(&type, sizeof type, room, to, needed);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
    case CL_DEVICE_SINGLE_FP_CONFIG: return give(&arithmetic, sizeof arithmetic, room, to, needed);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return give(&work_group, sizeof work_group, room, to, needed);
    case CL_DEVICE_MAX_COMPUTE_UNITS: return give(&units, sizeof units, room, to, needed);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return give(&memory, sizeof memory, room, to, needed);
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE: return give(&doubles, sizeof doubles, room, to, needed);
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT: return give(&floats, sizeof floats, room, to, needed);
    case CL_DEVICE_NAME:
    case CL_DEVICE_VENDOR:
        library_processor(processor, &abilities);
        if (what == CL_DEVICE_NAME)
            text_add(&text, "%s, %s", compiler_name(device->compiler), processor);
        else
            text_add(&text, "%016" PRIx64, abilities);
        break;
    case CL_DRIVER_VERSION: compiler_describe(device->compiler, &text); break;
    case CL_DEVICE_VERSION:
    case CL_DEVICE_OPENCL_C_VERSION: text_add(&text, "C17 in place of OpenCL C 1.2"); break;
    default: return CL_INVALID_VALUE;
    }
    const cl_int code = text.failed ? CL_OUT_OF_HOST_MEMORY : give_text(text.text ? text.text : "", room, to, needed);
    text_free(&text);
    return code;
}

// Contexts, queues and memory. A command is carried out where it is enqueued, so that no event is ever waited for.

static cl_int report(cl_int *to, cl_int code)
{
    if (to)
        *to = code;
    return code;
}

// Room for an object, zeroed, and its functions.
static void *make(size_t bytes, cl_int *code)
{
    const cl_icd_dispatch **object = calloc(1, bytes);
    if (object)
        *object = &functions;
    report(code, object ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
    return object;
}

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *user, cl_int *code)
{
    (void)properties, (void)count, (void)notify, (void)user;
    cl_context context = make(sizeof *context, code);
    if (context)
        context->device = *devices;
    return context;
}

static cl_int CL_API_CALL release_context(cl_context context)
{
    free(context);
    return CL_SUCCESS;
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *code)
{
    (void)context, (void)device, (void)properties;
    return make(sizeof(struct _cl_command_queue), code);
}

static cl_int CL_API_CALL release_queue(cl_command_queue queue)
{
    free(queue);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void *from, cl_int *code)
{
    (void)context, (void)flags, (void)from;
    cl_mem memory = make(sizeof *memory, code);
    if (memory && posix_memalign(&memory->data, ALIGNMENT, bytes) != 0) {
        free(memory);
        memory = NULL;
        report(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
    return memory;
}

static cl_int CL_API_CALL release_memory(cl_mem memory)
{
    free(memory->data);
    free(memory);
    return CL_SUCCESS;
}

// An event that has come.
static cl_int come(cl_event *event)
{
    cl_int code = CL_SUCCESS;
    if (event)
        *event = make(sizeof **event, &code);
    return code;
}

static cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *events)
{
    (void)count, (void)events;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_event(cl_event event)
{
    free(event);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem memory, cl_bool wait, size_t at, size_t bytes,
                                       const void *from, cl_uint count, const cl_event *events, cl_event *event)
{
    (void)queue, (void)wait, (void)count, (void)events;
    memcpy((char *)memory->data + at, from, bytes);
    return come(event);
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem memory, cl_bool wait, size_t at, size_t bytes,
                                      void *to, cl_uint count, const cl_event *events, cl_event *event)
{
    (void)queue, (void)wait, (void)count, (void)events;
    memcpy(to, (const char *)memory->data + at, bytes);
    return come(event);
}

// Of two dimensions: region[1] runs of region[0] bytes.
static cl_int CL_API_CALL write_rectangle(cl_command_queue queue, cl_mem memory, cl_bool wait, const size_t *to,
                                          const size_t *start, const size_t *region, size_t to_pitch, size_t to_slice,
                                          size_t pitch, size_t slice, const void *from, cl_uint count,
                                          const cl_event *events, cl_event *event)
{
    (void)queue, (void)wait, (void)to_slice, (void)slice, (void)count, (void)events;
    for (size_t row = 0; row < region[1]; ++row)
        memcpy((char *)memory->data + (to[1] + row) * to_pitch + to[0],
               (const char *)from + (start[1] + row) * pitch + start[0], region[0]);
    return come(event);
}

static cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem memory, const void *pattern, size_t pattern_bytes,
                                      size_t at, size_t bytes, cl_uint count, const cl_event *events, cl_event *event)
{
    (void)queue, (void)count, (void)events;
    for (size_t i = 0; i < bytes; i += pattern_bytes)
        memcpy((char *)memory->data + at + i, pattern, pattern_bytes);
    return come(event);
}

static void *CL_API_CALL map_buffer(cl_command_queue queue, cl_mem memory, cl_bool wait, cl_map_flags flags, size_t at,
                                    size_t bytes, cl_uint count, const cl_event *events, cl_event *event, cl_int *code)
{
    (void)queue, (void)wait, (void)flags, (void)bytes, (void)count, (void)events;
    report(code, come(event));
    return (char *)memory->data + at;
}

static cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem memory, void *mapped, cl_uint count,
                                const cl_event *events, cl_event *event)
{
    (void)queue, (void)memory, (void)mapped, (void)count, (void)events;
    return come(event);
}

// Programs.

static cl_program CL_API_CALL create_from_source(cl_context context, cl_uint count, const char **texts,
                                                 const size_t *lengths, cl_int *code)
{
    cl_program program = make(sizeof *program, code);
    for (cl_uint i = 0; program && i < count; ++i) {
        program->device = context->device;
        text_add_bytes(&program->source, texts[i], lengths && lengths[i] ? lengths[i] : strlen(texts[i]));
    }
    return program;
}

static cl_program CL_API_CALL create_from_binary(cl_context context, cl_uint count, const cl_device_id *devices,
                                                 const size_t *lengths, const unsigned char **binaries, cl_int *status,
                                                 cl_int *code)
{
    (void)context, (void)count;
    cl_program program = make(sizeof *program, code);
    if (program) {
        program->device = *devices;
        text_add_bytes(&program->library, (const char *)*binaries, *lengths);
    }
    report(status, program && !program->library.failed ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
    return program;
}

static cl_int CL_API_CALL release_program(cl_program program)
{
    if (program->loaded)
        dlclose(program->loaded);
    text_free(&program->source);
    text_free(&program->library);
    text_free(&program->messages);
    free(program);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id *devices,
                                        const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    (void)count, (void)devices, (void)notify, (void)user;
    const char *lanes = strstr(options, "LANES=");
    if (lanes && strtol(lanes + strlen("LANES="), NULL, 10) > 1 && !compiler_has_vectors(program->device->compiler)) {
        text_add(&program->messages, "%s has no vector types with OpenCL's meaning: choose one lane, or clang\n",
                 compiler_name(program->device->compiler));
        return CL_BUILD_PROGRAM_FAILURE;
    }
    if (program->source.length > 0) {
        Text text = {0};
        text_add(&text, "#line 1 \"native.h\"\n%s#line 1 \"prologue\"\n", catalog_file("native.h"));
        text_add_bytes(&text, program->source.text, program->source.length);
        const bool compiled =
            compiler_compile(program->device->compiler, options, &text, &program->library, &program->messages);
        text_free(&text);
        if (!compiled)
            return CL_BUILD_PROGRAM_FAILURE;
    }
    program->loaded = compiler_load(&program->library, &program->messages);
    return program->loaded ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

static cl_int CL_API_CALL get_build_info(cl_program program, cl_device_id device, cl_program_build_info what,
                                         size_t room, void *to, size_t *needed)
{
    (void)device;
    return what == CL_PROGRAM_BUILD_LOG
               ? give_text(program->messages.text ? program->messages.text : "", room, to, needed)
               : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_program_info(cl_program program, cl_program_info what, size_t room, void *to,
                                           size_t *needed)
{
    switch (what) {
    case CL_PROGRAM_BINARY_SIZES: return give(&program->library.length, sizeof(size_t), room, to, needed);
    case CL_PROGRAM_BINARIES:
        memcpy(*(unsigned char **)to, program->library.text, program->library.length);
        return CL_SUCCESS;
    default: return CL_INVALID_VALUE;
    }
}

// Kernels.

static void *find_symbol(cl_program program, const char *kernel, const char *ending)
{
    char name[128];
    snprintf(name, sizeof name, "%s_%s", kernel, ending);
    return dlsym(program->loaded, name);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
    cl_kernel kernel = make(sizeof *kernel, code);
    if (!kernel)
        return NULL;
    void *launch = find_symbol(program, name, "launch");
    memcpy(&kernel->launch, &launch, sizeof launch);
    kernel->memory = find_symbol(program, name, "memory");
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    if (!launch || !kernel->memory) {
        free(kernel);
        kernel = NULL;
        report(code, CL_INVALID_KERNEL_NAME);
    }
    return kernel;
}

static cl_int CL_API_CALL release_kernel(cl_kernel kernel)
{
    free(kernel);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    if (index >= MOST_ARGUMENTS || bytes > sizeof kernel->arguments[index])
        return CL_INVALID_ARG_INDEX;
    cl_mem memory = NULL;
    if (kernel->memory[index]) {
        memcpy(&memory, value, sizeof memory);
        value = memory ? &memory->data : (void *)&memory;
    }
    memcpy(kernel->arguments[index], value, bytes);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_work_group_info(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                              size_t room, void *to, size_t *needed)
{
    (void)kernel;
    return what == CL_KERNEL_WORK_GROUP_SIZE ? get_device_info(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, room, to, needed)
                                             : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_kernel_info(cl_kernel kernel, cl_kernel_info what, size_t room, void *to, size_t *needed)
{
    return what == CL_KERNEL_FUNCTION_NAME ? give_text(kernel->name, room, to, needed) : CL_INVALID_VALUE;
}

// A launch: threads draw work items, a chunk at a time.
typedef struct Launched {
    cl_kernel     kernel;
    size_t        count, chunk;
    atomic_size_t next;
} Launched;

static void *run_items(void *argument)
{
    Launched *launched = argument;
    void     *values[MOST_ARGUMENTS];
    size_t    begin;
    for (size_t i = 0; i < MOST_ARGUMENTS; ++i)
        values[i] = launched->kernel->arguments[i];
    while ((begin = atomic_fetch_add(&launched->next, launched->chunk)) < launched->count) {
        const size_t left = launched->count - begin;
        launched->kernel->launch(values, begin, begin + (left < launched->chunk ? left : launched->chunk));
    }
    return NULL;
}

static cl_int CL_API_CALL launch_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                        const size_t *offset, const size_t *global, const size_t *local, cl_uint count,
                                        const cl_event *events, cl_event *event)
{
    (void)queue, (void)dimensions, (void)offset, (void)local, (void)count, (void)events;
    const size_t workers = processors(), share = *global / (workers * CHUNKS);
    pthread_t    threads[MOST_THREADS];
    size_t       started = 0;
    Launched     launched = {.kernel = kernel, .count = *global, .chunk = share ? share : 1};
    Error        unsaid;
    // Where a thread does not start the others do its work.
    while (started + 1 < workers && started + 1 < *global &&
           thread_start(&threads[started], run_items, &launched, "work items", &unsaid))
        ++started;
    run_items(&launched);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    return come(event);
}

static const cl_icd_dispatch functions = {.clGetPlatformInfo = get_platform_info,
                                          .clGetDeviceInfo = get_device_info,
                                          .clCreateContext = create_context,
                                          .clReleaseContext = release_context,
                                          .clCreateCommandQueue = create_queue,
                                          .clReleaseCommandQueue = release_queue,
                                          .clFinish = finish,
                                          .clFlush = finish,
                                          .clCreateBuffer = create_buffer,
                                          .clReleaseMemObject = release_memory,
                                          .clWaitForEvents = wait_for_events,
                                          .clReleaseEvent = release_event,
                                          .clEnqueueWriteBuffer = write_buffer,
                                          .clEnqueueReadBuffer = read_buffer,
                                          .clEnqueueWriteBufferRect = write_rectangle,
                                          .clEnqueueFillBuffer = fill_buffer,
                                          .clEnqueueMapBuffer = map_buffer,
                                          .clEnqueueUnmapMemObject = unmap,
                                          .clCreateProgramWithSource = create_from_source,
                                          .clCreateProgramWithBinary = create_from_binary,
                                          .clReleaseProgram = release_program,
                                          .clBuildProgram = build_program,
                                          .clGetProgramBuildInfo = get_build_info,
                                          .clGetProgramInfo = get_program_info,
                                          .clCreateKernel = create_kernel,
                                          .clReleaseKernel = release_kernel,
                                          .clSetKernelArg = set_argument,
                                          .clGetKernelInfo = get_kernel_info,
                                          .clGetKernelWorkGroupInfo = get_work_group_info,
                                          .clEnqueueNDRangeKernel = launch_kernel};
