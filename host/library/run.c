// run -- runs of the library's callers, into memory and into files.
#include "library/library.h"

#include "plan/part.h"

#include <stdlib.h>
#include <string.h>

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
                                   .say = library_keep_line,
                                   .progress = see_run,
                                   .user = course};
    for (size_t i = 0; ok && i < sweep->override_count; ++i)
        ok = copy(course, sweep->overrides[i], &overrides[i], err);
    return ok && copy(course, sweep->path, &course->request.sweep, err) &&
           copy(course, sweep->text, &course->request.text, err);
}

static bool run_into_file(Course *course, Error *err)
{
    return run_sweep(&course->request, &course->summary, err);
}

// Makes all that the run uses its own.
static bool fill(Course *course, const PendulaSweep *sweep, const PendulaRunOptions *options, Error *err)
{
    const char *named = getenv("PENDULA_DEVICE");
    course->options = *options;
    course->planned = library_hold_planned(sweep->planned);
    course->progress.points_total = sweep->planned->plan.point_count;
    if (!copy(course,
              options->device   ? options->device
              : named && *named ? named
                                : NULL,
              &course->options.device, err) ||
        !copy(course, options->file, &course->options.file, err))
        return false;
    course->work = options->file ? run_into_file : library_compute;
    if (options->file)
        return make_request(course, sweep, err);
    course->result = library_make_result(sweep->planned, err);
    if (course->result)
        course->result->reference = course->options.device && strcmp(course->options.device, "reference") == 0;
    return course->result != NULL;
}

// Leaves a run that a compiler holds up. Called with the mutex held.
static PendulaResult *abandon(Course *course, Error *err)
{
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

// Runs a course that is filled, and releases it.
static PendulaResult *run(Course *course, PendulaSweep *sweep, Error *err)
{
    if (course->result) {
        course->warm = sweep->warm;
        sweep->warm = (Warm){0};
        course->here = library_is_ready(course);
    }
    const bool     ended = library_follow(course, &sweep->stop);
    PendulaResult *result = ended ? conclude(course, sweep, err) : abandon(course, err);
    if (ended)
        library_free_course(course);
    else
        library_leave(course);
    return result;
}

PendulaResult *pendula_sweep_run(PendulaSweep *sweep, const PendulaRunOptions *given, PendulaError **error)
{
    PLAIN_NUMERALS;
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
        library_free_course(course);
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
