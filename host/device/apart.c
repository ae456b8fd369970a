// apart -- writes requests, serves them in processes, and is such a process.
#include "device/apart.h"

#include "base/child.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/thread.h"
#include "device/driver.h"
#include "device/program.h"
#include "device/shapes.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A process takes up to 300 MB while it compiles.
enum { MOST_PROCESSES = 8, MOST_REQUEST = 1 << 26, MESSAGE_BYTES = 1 << 12 };

const char apart_word[] = "compile-kernel";

static const char *own_program;

void apart_allow(const char *program)
{
    own_program = program;
}

// A request has a line of numbers, a line with `=` and the user's POCL_CACHE_DIR (`-` where it is not set), and the
// source. The process inherits the environment, in which PoCL's folder is that of the process that asks.
static const char head[] = "pendula compiles: device %zu, precision %d, lanes %d, work group %zu\n";

static void write_request(const Device *device, Precision precision, int lanes, size_t local_size, const char *source,
                          Text *request)
{
    const char *folder = driver_users_folder();
    text_add(request, head, device->number, (int)precision, lanes, local_size);
    text_add(request, "%c%s\n", folder ? '=' : '-', folder ? folder : "");
    text_add(request, "%s", source);
    if (request->failed)
        text_free(request);
}

static bool is_allowed(const Device *device)
{
    return own_program && !device->info.gpu && device->cache.directory >= 0;
}

void apart_ask_kernel(Device *device, const Plan *plan, const Group *group, const char *source, int lanes,
                      Text *request)
{
    const Precision precision = plan->precision;
    if (!is_allowed(device) || group->hasty)
        return;
    const Program program = {.device = device, .plan = plan, .group = group, .source = source};
    bool          settled;
    const Shape   shape = shapes_first(&program, lanes, &settled);
    char          options[BUILD_OPTIONS_SIZE];
    Text          key = {0}, entry = {0};
    build_options(&device->info, precision, shape.lanes, shape.local_size, options);
    binary_key(device, source, options, &key);
    if (key.length > 0 && !cache_read(&device->cache, &key, &entry))
        write_request(device, precision, shape.lanes, shape.local_size, source, request);
    text_free(&entry);
    text_free(&key);
}

void apart_ask_arithmetic(Device *device, Precision precision, Text *request)
{
    if (is_allowed(device) && !arithmetic_is_known(device, precision))
        write_request(device, precision, 0, 0, "", request);
}

// Compiles all of a kernel, and keeps it.
static bool compile(Device *device, Precision precision, int lanes, size_t local_size, const char *source, Error *err)
{
    const Plan  plan = {.precision = precision};
    const Group group = {.label = ""};
    Program     program = {.device = device, .plan = &plan, .group = &group, .source = source};
    Built      *built = &program.built;
    const bool  ok =
        program_built_make(&program, lanes, local_size, built, err) && device_compile_rest(device, &program, err);
    if (ok)
        binary_keep(device, built->program, &built->kept);
    program_built_free(built);
    return ok;
}

bool apart_serve(Error *err)
{
    Text    request SCOPED(text_free) = {0};
    Device *device = NULL;
    size_t  number, local_size;
    int     precision, lanes;
    if (!stop_catch(driver_remove, err) || !file_read_open(STDIN_FILENO, "request", MOST_REQUEST, &request, err))
        return false;
    char *folder = request.text ? strchr(request.text, '\n') : NULL, *source = folder ? strchr(folder + 1, '\n') : NULL;
    if (!source || sscanf(request.text, head, &number, &precision, &lanes, &local_size) != 4 || lanes < 0 ||
        lanes > LANES_MOST || (lanes > 0 && local_size == 0))
        return fail(err, ERROR_USAGE, "%s is for this program's own processes", apart_word);
    *source++ = '\0';
    if ((folder[1] == '=' ? setenv("POCL_CACHE_DIR", folder + 2, 1) : unsetenv("POCL_CACHE_DIR")) != 0)
        return fail(err, ERROR_INTERNAL, "out of memory");
    bool ok = device_open_number(number, &device, err);
    if (ok && lanes == 0)
        device_arithmetic(device, (Precision)precision);
    else if (ok)
        ok = compile(device, (Precision)precision, lanes, local_size, source, err);
    device_close(device);
    return ok;
}

typedef enum RequestState { WAITING, TAKEN, RUNNING, ENDED } RequestState;

struct Apart {
    const Text     *requests;
    RequestState   *states;  // [count]
    size_t          count;
    pthread_mutex_t mutex;  // of the states
    pthread_cond_t  changed;
    atomic_bool     stop;
    pthread_t       threads[MOST_PROCESSES];
    size_t          thread_count;
};

static bool is_stopped(const void *user)
{
    const Apart *apart = user;
    return atomic_load(&apart->stop) || *stop_count() > 0;
}

// Runs a process to its end. What it prints says only why it has kept nothing.
static void run(const Apart *apart, const Text *request)
{
    char *const arguments[] = {"pendula", (char *)apart_word, NULL};
    const int   file = memfd_create("pendula-request", MFD_CLOEXEC);
    Text        messages = {0};
    ChildEnd    end;
    Error       unsaid;
    if (file >= 0 && file_write_open(file, request->text, request->length) && lseek(file, 0, SEEK_SET) == 0) {
        const ChildTask task = {.program = own_program,
                                .arguments = arguments,
                                .input = file,
                                .messages = MESSAGE_BYTES,
                                .interrupted = is_stopped,
                                .user = apart};
        child_run(&task, &end, &messages, &unsaid);
    }
    if (file >= 0)
        close(file);
    text_free(&messages);
}

static void *serve(void *argument)
{
    Apart *apart = argument;
    pthread_mutex_lock(&apart->mutex);
    for (size_t i = 0; i < apart->count; ++i) {
        if (apart->states[i] != WAITING || is_stopped(apart))
            continue;
        apart->states[i] = RUNNING;
        pthread_mutex_unlock(&apart->mutex);
        run(apart, &apart->requests[i]);
        pthread_mutex_lock(&apart->mutex);
        apart->states[i] = ENDED;
        pthread_cond_broadcast(&apart->changed);
    }
    pthread_mutex_unlock(&apart->mutex);
    return NULL;
}

Apart *apart_start(const Text *requests, size_t count)
{
    cpu_set_t set;
    size_t    asked = 0;
    for (size_t i = 0; i < count; ++i)
        asked += requests[i].length > 0;
    const int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    size_t    most = cores - 1 < MOST_PROCESSES ? (size_t)(cores - 1) : MOST_PROCESSES;
    if (asked < 2 || most == 0)
        return NULL;
    most = most < asked - 1 ? most : asked - 1;
    Apart        *apart = calloc(1, sizeof *apart);
    RequestState *states = calloc(count, sizeof *states);
    if (!apart || !states) {
        free(apart);
        free(states);
        return NULL;
    }
    bool first = true;
    for (size_t i = 0; i < count; ++i) {
        states[i] = requests[i].length == 0 || first ? TAKEN : WAITING;
        first = first && requests[i].length == 0;
    }
    *apart = (Apart){.requests = requests,
                     .states = states,
                     .count = count,
                     .mutex = PTHREAD_MUTEX_INITIALIZER,
                     .changed = PTHREAD_COND_INITIALIZER};
    Error unsaid;
    while (apart->thread_count < most &&
           thread_start(&apart->threads[apart->thread_count], serve, apart, "compiling", &unsaid))
        apart->thread_count += 1;
    return apart;
}

bool apart_take(Apart *apart, size_t number)
{
    if (!apart)
        return true;
    pthread_mutex_lock(&apart->mutex);
    if (apart->states[number] == WAITING)
        apart->states[number] = TAKEN;
    const bool taken = apart->states[number] == TAKEN;
    pthread_mutex_unlock(&apart->mutex);
    return taken;
}

void apart_wait(Apart *apart, size_t number)
{
    if (!apart)
        return;
    pthread_mutex_lock(&apart->mutex);
    while (apart->states[number] == RUNNING)
        pthread_cond_wait(&apart->changed, &apart->mutex);
    pthread_mutex_unlock(&apart->mutex);
}

void apart_end(Apart *apart)
{
    if (!apart)
        return;
    atomic_store(&apart->stop, true);
    for (size_t i = 0; i < apart->thread_count; ++i)
        pthread_join(apart->threads[i], NULL);
    pthread_cond_destroy(&apart->changed);
    pthread_mutex_destroy(&apart->mutex);
    free(apart->states);
    free(apart);
}
