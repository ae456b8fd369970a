// conform -- the check of a sweep's kernels in a thread of its own; its findings are a result with a group for each
// method.
#include "library/library.h"

#include "analysis/conform/conform_print.h"
#include "store/held.h"
#include "store/origin.h"

#include <stdlib.h>
#include <string.h>

static bool add_count(StoreFile *file, StoreGroup *group, const char *name, uint64_t count, Error *err)
{
    double *number = held_add_numbers(file, group, name, 0, NULL, NULL, err);
    if (number)
        *number = (double)count;
    return number != NULL;
}

static bool keep(const Conformance *found, StoreFile *file, Error *err)
{
    const Certified *certified = &found->certified;
    const struct {
        const char *name;
        uint64_t    count;
    } counts[] = {{"passed", found->passed},
                  {"points", found->bits->points},
                  {"same_bits", found->bits->same},
                  {"substeps", certified->substeps},
                  {"substeps_certified", certified->certified},
                  {"metrics", certified->measured.metrics},
                  {"metrics_certified", certified->measured.certified}};
    enum { COUNTS = sizeof counts / sizeof *counts };
    StoreGroup *group = held_group(file, found->group->label, COUNTS, err);
    Text        text SCOPED(text_free) = {0};
    bool        ok = group != NULL;
    for (size_t i = 0; ok && i < COUNTS; ++i)
        ok = add_count(file, group, counts[i].name, counts[i].count, err);
    conform_print_text(found, &text);
    return ok && text_check(&text, err) && library_add_messages(file, group, text.text, err);
}

// The -s words of a sweep, one to a line, taken apart in place.
static bool split(char *lines, Arena *arena, ScopeSweep *sweep, Error *err)
{
    const char **words = NULL;
    for (char *line; (line = strsep(&lines, "\n")) != NULL;) {
        if (!*line)
            continue;
        words = arena_grow(arena, words, sweep->override_count, sizeof *words, err);
        if (!words)
            return false;
        words[sweep->override_count++] = line;
    }
    sweep->overrides = words;
    return true;
}

// A check in its thread.
typedef struct Inspection {
    Course         course;  // the first member: it is released by that
    ConformRequest request;
    Origin         origin;  // of a file's sweep
} Inspection;

static void see(const ConformProgress *progress, void *user)
{
    Inspection *inspection = user;
    Course     *course = &inspection->course;
    pthread_mutex_lock(&course->thread.mutex);
    course->progress.points_done = progress->points;
    course->progress.points_failed = progress->failed;
    course->progress.steps_done = progress->steps;
    pthread_mutex_unlock(&course->thread.mutex);
}

static bool keep_found(const Conformance *found, void *user, Error *err)
{
    const Inspection *inspection = user;
    return keep(found, &inspection->course.result->file, err);
}

static bool inspect(Course *course, Error *err)
{
    Inspection *inspection = (Inspection *)course;
    size_t      failed = 0;
    return conform_run(&inspection->request, &failed, err);
}

static void release(Course *course)
{
    origin_free(&((Inspection *)course)->origin);
}

static bool copy_devices(const PendulaConformOptions *options, Inspection *inspection, Error *err)
{
    Arena       *arena = &inspection->course.arena;
    const char **devices = arena_take(arena, options->device_count, sizeof *devices, err);
    for (size_t i = 0; devices && i < options->device_count; ++i)
        if (!(devices[i] = arena_copy(arena, options->devices[i], err)))
            return false;
    inspection->request.devices = devices;
    inspection->request.device_count = options->device_count;
    return devices != NULL;
}

// Makes all that the check uses its own, but for the sweep.
static Inspection *begin(const PendulaConformOptions *options, PendulaError **error)
{
    Error       err = {0};
    Inspection *inspection = library_new(sizeof *inspection, error);
    if (!inspection)
        return NULL;
    Course *course = &inspection->course;
    course->work = inspect;
    course->release = release;
    course->options.progress = options->progress;
    course->options.user = options->user;
    course->result = calloc(1, sizeof *course->result);
    inspection->request = (ConformRequest){
        .sample = options->sample, .signals = &course->stop, .progress = see, .report = keep_found, .user = inspection};
    if ((course->result || fail(&err, ERROR_INTERNAL, "out of memory")) && copy_devices(options, inspection, &err))
        return inspection;
    library_free_course(course);
    return library_fail(error, &err), NULL;
}

// Checks a sweep as it was read once, and releases the inspection, which holds the sweep.
static PendulaResult *check(Inspection *inspection, const Plan *plan, const volatile sig_atomic_t *cancelled,
                            PendulaError **error)
{
    const Spec    *spec = plan->spec;
    const uint64_t sample = inspection->request.sample;
    Error          err = {0};
    Course        *course = &inspection->course;
    PendulaResult *result = NULL;
    ScopeSweep    *sweep = &inspection->request.sweep;
    char          *lines = arena_copy(&course->arena, spec->overrides, &err);
    *sweep = (ScopeSweep){.name = spec->path,
                          .text = spec->text,
                          .files = spec->files,
                          .file_count = spec->file_count,
                          .foreign = spec->foreign,
                          .tables = spec->tables,
                          .table_count = spec->table_count};
    if (!lines || !split(lines, &course->arena, sweep, &err) ||
        !held_open("conform", plan->group_count, &course->result->file, &err)) {
        library_free_course(course);
        return library_fail(error, &err), NULL;
    }
    for (size_t g = 0; g < plan->group_count; ++g)
        course->progress.points_total +=
            sample > 0 && sample < plan->groups[g].point_count ? sample : plan->groups[g].point_count;
    if (!library_follow(course, cancelled)) {
        library_leave(course);
        library_refuse(error, ERROR_STOPPED,
                       "stopped while a compiler or the device's driver was at work, which cannot be interrupted");
        return NULL;
    }
    if (course->fine) {
        result = course->result;
        result->complete = true;
        course->result = NULL;
    } else {
        library_fail(error, &course->err);
    }
    library_free_course(course);
    return result;
}

static PendulaResult *check_planned(Planned *planned, const PendulaConformOptions *options,
                                    const volatile sig_atomic_t *cancelled, PendulaError **error)
{
    if (planned->points) {
        library_refuse(error, ERROR_USAGE,
                       "points that were given as an array are not in the sweep's text, by which it is checked: give "
                       "them as axes or as a file");
        return NULL;
    }
    Inspection *inspection = begin(options, error);
    if (!inspection)
        return NULL;
    inspection->course.planned = library_hold_planned(planned);
    return check(inspection, &planned->plan, cancelled, error);
}

static bool take_options(const PendulaConformOptions *given, PendulaConformOptions *options, PendulaError **error)
{
    return library_take_options(given, options, sizeof *options, error) &&
           library_check_texts(options->devices, options->device_count, "device", error);
}

PendulaConformOptions pendula_conform_options(void)
{
    return (PendulaConformOptions){.size = sizeof(PendulaConformOptions)};
}

PendulaResult *pendula_sweep_conform(PendulaSweep *sweep, const PendulaConformOptions *given, PendulaError **error)
{
    PLAIN_NUMERALS;
    PendulaConformOptions options;
    if (!sweep)
        return library_refuse(error, ERROR_USAGE, "the sweep is NULL"), NULL;
    if (!take_options(given, &options, error) || !library_plan(sweep, error))
        return NULL;
    sweep->stop = 0;
    sweep->running = 1;
    PendulaResult *result = check_planned(sweep->planned, &options, &sweep->stop, error);
    sweep->running = 0;
    return result;
}

PendulaResult *pendula_result_conform(const PendulaResult *result, const PendulaConformOptions *given,
                                      PendulaError **error)
{
    PLAIN_NUMERALS;
    PendulaConformOptions options;
    Error                 err = {0};
    if (!result)
        return library_refuse(error, ERROR_USAGE, "the result is NULL"), NULL;
    if (!result->planned && result->file.held)
        return library_refuse(error, ERROR_USAGE, "the result is that of an analysis: give that of the run"), NULL;
    if (!take_options(given, &options, error))
        return NULL;
    if (result->planned)
        return check_planned(result->planned, &options, NULL, error);
    Inspection *inspection = begin(&options, error);
    if (!inspection)
        return NULL;
    if (origin_read(&result->file, NULL, &inspection->origin, &err))
        return check(inspection, &inspection->origin.plan, NULL, error);
    library_free_course(&inspection->course);
    return library_fail(error, &err), NULL;
}
