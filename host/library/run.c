// run -- runs of the library's callers: each in a thread of its own, beside which the caller's thread reports.
//
// A compiler cannot be interrupted, and a driver may call one at any launch. A run that is to end and is held up there
// is abandoned: the caller gets the points that are done, and the run's thread releases the rest after the compiler.
#include "library/library.h"

#include "base/clock.h"
#include "plan/part.h"

#include <stdlib.h>
#include <string.h>

// Seconds between two looks at a run; and from its cancellation until it is abandoned, a little longer than a running
// batch is given to end (base/stop.h).
static const double glance_seconds = 0.05, patience_seconds = 1.8;

PendulaRunOptions pendula_run_options(void)
{
    return (PendulaRunOptions){.size = sizeof(PendulaRunOptions)};
}

bool library_take_options(const void *given, void *options, size_t size, PendulaError **error)
{
    size_t own = 0;
    memset(options, 0, size);
    if (given)
        memcpy(&own, given, sizeof own);
    if (given && own <= sizeof own)
        return library_refuse(error, ERROR_USAGE,
                              "the options have no size: begin with those of the function that "
                              "gives the defaults, such as pendula_run_options()");
    if (given)
        memcpy(options, given, own < size ? own : size);
    memcpy(options, &size, sizeof size);
    return true;
}

// Checks the options of a run.
static bool check_options(const PendulaRunOptions *options, PendulaError **error)
{
    if (options->lanes < 0 || options->lanes > LANES_MOST || (options->lanes & (options->lanes - 1)))
        return library_refuse(error, ERROR_USAGE, "%d lanes: a power of two up to %d", options->lanes, LANES_MOST);
    if (options->shards > PART_MOST || (options->shards && (options->shard >= options->shards || !options->file)))
        return library_refuse(error, ERROR_USAGE,
                              "shard %llu of %llu: one of up to %d, from 0 on, into a file of its own",
                              (unsigned long long)options->shard, (unsigned long long)options->shards, PART_MOST);
    return true;
}

static void see_run(const RunProgress *progress, void *user)
{
    Course *course = user;
    pthread_mutex_lock(&course->thread.mutex);
    course->progress.points_total = progress->points_total;
    course->progress.points_done = progress->points_reused + progress->points_done;
    course->progress.points_failed = progress->points_failed;
    course->progress.steps_done = progress->steps_done;
    pthread_mutex_unlock(&course->thread.mutex);
}

static void keep_line(const char *line, void *user)
{
    Course *course = user;
    pthread_mutex_lock(&course->thread.mutex);
    text_add(&course->said, "%s\n", line);
    pthread_mutex_unlock(&course->thread.mutex);
}

// A copy of a text that may be NULL.
static bool copy(Course *course, const char *text, const char **copied, Error *err)
{
    *copied = text ? arena_copy(&course->arena, text, err) : NULL;
    return !text || *copied;
}

static bool make_request(Course *course, const PendulaSweep *sweep, Error *err)
{
    const PendulaRunOptions *options = &course->options;
    const char             **overrides = arena_take(&course->arena, sweep->override_count, sizeof *overrides, err);
    StoreMode                mode = STORE_NEW;
    bool ok = overrides && library_take_mode(options->mode, true, &mode, err) && library_has_text(course->planned, err);
    course->request = (RunRequest){.files = course->planned->spec.files,
                                   .file_count = course->planned->spec.file_count,
                                   .overrides = overrides,
                                   .override_count = sweep->override_count,
                                   .output = options->file,
                                   .device = options->device,
                                   .device_memory = options->memory,
                                   .lanes = options->lanes,
                                   .mode = mode,
                                   .shard = options->shard,
                                   .shard_count = options->shards,
                                   .signals = &course->stop,
                                   .say = keep_line,
                                   .progress = see_run,
                                   .user = course};
    for (size_t i = 0; ok && i < sweep->override_count; ++i)
        ok = copy(course, sweep->overrides[i], &overrides[i], err);
    return ok && copy(course, sweep->path, &course->request.sweep, err) &&
           copy(course, sweep->text, &course->request.text, err);
}

// Makes all that the run uses its own.
static bool fill(Course *course, const PendulaSweep *sweep, const PendulaRunOptions *options, Error *err)
{
    const char *named = getenv("PENDULA_DEVICE");
    course->options = *options;
    course->begin = clock_seconds();
    course->planned = library_hold_planned(sweep->planned);
    course->progress =
        (PendulaProgress){.size = sizeof course->progress, .points_total = sweep->planned->plan.point_count};
    if (!copy(course,
              options->device   ? options->device
              : named && *named ? named
                                : NULL,
              &course->options.device, err) ||
        !copy(course, options->file, &course->options.file, err))
        return false;
    if (options->file)
        return make_request(course, sweep, err);
    course->result = library_make_result(sweep->planned, err);
    if (course->result)
        course->result->reference = course->options.device && strcmp(course->options.device, "reference") == 0;
    return course->result != NULL;
}

static void free_course(Course *course)
{
    library_cool(&course->warm);
    pendula_result_free(course->result);
    library_drop_planned(course->planned);
    text_free(&course->said);
    arena_free(&course->arena);
    free(course);
}

static void *work(void *given)
{
    Course    *course = given;
    Error      err = {0};
    const bool fine =
        course->result ? library_compute(course, &err) : run_sweep(&course->request, &course->summary, &err);
    pthread_mutex_lock(&course->thread.mutex);
    course->fine = fine;
    course->err = err;
    course->ended = true;
    const bool abandoned = course->abandoned;
    pthread_cond_broadcast(&course->thread.changed);
    pthread_mutex_unlock(&course->thread.mutex);
    if (abandoned) {
        thread_release(&course->thread);
        free_course(course);
    }
    return NULL;
}

static void say_lines(const PendulaRunOptions *options, char *lines)
{
    char *rest = NULL;
    for (char *line = strtok_r(lines, "\n", &rest); line && options->say; line = strtok_r(NULL, "\n", &rest))
        options->say(line, options->user);
}

// Tells the caller how far the run is, and finds whether it is to end. Called with the mutex held, and without it
// around the caller's functions.
static void report(Course *course, const PendulaSweep *sweep)
{
    const PendulaRunOptions *options = &course->options;
    const PendulaProgress    progress = course->progress;
    Text                     said = course->said;
    course->said = (Text){0};
    pthread_mutex_unlock(&course->thread.mutex);
    if (said.length > 0)
        say_lines(options, said.text);
    text_free(&said);
    if ((options->progress && !options->progress(&progress, options->user)) || sweep->stop ||
        (options->seconds > 0 && clock_seconds() - course->begin > options->seconds))
        course->stop = 1;
    pthread_mutex_lock(&course->thread.mutex);
}

// Waits for the end of the run, which is reported, or until it is to be abandoned. Called with the mutex held.
static void watch(Course *course, const PendulaSweep *sweep)
{
    double deadline = 0;
    bool   ended;
    do {
        if (!course->ended)
            thread_wait_until(&course->thread, clock_seconds() + glance_seconds);
        ended = course->ended;
        report(course, sweep);
        if (course->stop && deadline == 0)
            deadline = clock_seconds() + patience_seconds;
    } while (!ended && (deadline == 0 || clock_seconds() < deadline));
}

// Leaves a run that a compiler holds up. Called with the mutex held.
static PendulaResult *abandon(Course *course, Error *err)
{
    course->abandoned = true;
    library_abandon(course->thread.id);
    if (!course->result) {
        fail(err, ERROR_STOPPED,
             "stopped; a compiler or the device's driver is at work and cannot be interrupted: '%s' stays locked until "
             "it has ended, and then the same command with --resume goes on",
             course->options.file);
        return NULL;
    }
    // The thread still has the result.
    PendulaResult *copy = library_make_result(course->planned, err);
    if (copy) {
        copy->reference = course->result->reference;
        library_copy_done(course, copy);
        fail(err, ERROR_STOPPED,
             "stopped while a compiler or the device's driver was at work, which cannot be interrupted");
    }
    return copy;
}

// Takes the result of a run that has ended. Its programs stay for the next run, unless the device may be broken.
static PendulaResult *conclude(Course *course, PendulaSweep *sweep, Error *err)
{
    PendulaResult *result = course->result;
    if (!course->fine)
        *err = course->err;
    if (!result)
        return course->fine ? library_open(course->summary.output, err) : NULL;
    if (!course->fine && err->kind != ERROR_STOPPED)
        return NULL;
    if (!course->fine)
        fail(err, ERROR_STOPPED, "stopped before the end of the run");
    course->result = NULL;
    sweep->warm = course->warm;
    course->warm = (Warm){0};
    result->complete = course->fine;
    return result;
}

// Runs a course that is filled in a thread of its own.
static PendulaResult *run(Course *course, PendulaSweep *sweep, Error *err)
{
    PendulaResult *result = NULL;
    bool           ended = true;
    if (course->result) {
        course->warm = sweep->warm;
        sweep->warm = (Warm){0};
    }
    if (thread_begin(&course->thread, work, course, "a run", err)) {
        pthread_mutex_lock(&course->thread.mutex);
        watch(course, sweep);
        ended = course->ended;
        if (!ended)
            result = abandon(course, err);
        pthread_mutex_unlock(&course->thread.mutex);
        if (ended) {
            thread_end(&course->thread);
            result = conclude(course, sweep, err);
        }
    }
    if (ended)
        free_course(course);
    return result;
}

PendulaResult *pendula_sweep_run(PendulaSweep *sweep, const PendulaRunOptions *given, PendulaError **error)
{
    PendulaRunOptions options;
    PendulaResult    *result = NULL;
    Error             err = {0};
    if (!sweep)
        return library_refuse(error, ERROR_USAGE, "the sweep is NULL"), NULL;
    if (!library_take_options(given, &options, sizeof options, error) || !check_options(&options, error) ||
        !library_plan(sweep, error))
        return NULL;
    Course *course = library_new(sizeof *course, error);
    if (!course)
        return NULL;
    sweep->stop = 0;
    sweep->running = 1;
    if (fill(course, sweep, &options, &err))
        result = run(course, sweep, &err);
    else
        free_course(course);
    sweep->running = 0;
    if (result && !result->complete && !options.file)
        library_blank(result);
    if (err.kind)
        library_fail(error, &err);
    return result;
}

void pendula_sweep_cancel(PendulaSweep *sweep)
{
    if (sweep && sweep->running)
        sweep->stop = 1;
}
