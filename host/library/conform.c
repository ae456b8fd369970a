// conform -- the check of a sweep's kernels, whose findings are a result with a group for each method.
#include "library/library.h"

#include "analysis/conform/conform_print.h"
#include "store/held.h"
#include "store/origin.h"

#include <string.h>

static bool add_count(StoreFile *file, StoreGroup *group, const char *name, uint64_t count, Error *err)
{
    double *number = held_add_numbers(file, group, name, 0, NULL, NULL, err);
    if (number)
        *number = (double)count;
    return number != NULL;
}

static bool keep(const Conformance *found, void *user, Error *err)
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
    StoreFile  *file = user;
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

// Checks a sweep as it was read once.
static PendulaResult *check(const Spec *spec, size_t group_count, const char *const *devices, size_t device_count,
                            uint64_t sample, const volatile sig_atomic_t *stop, PendulaError **error)
{
    Error          err = {0};
    Arena          arena SCOPED(arena_free) = {0};
    size_t         failed = 0;
    PendulaResult *result = library_new(sizeof *result, error);
    if (!result)
        return NULL;
    ConformRequest request = {.sweep = {.name = spec->path,
                                        .text = spec->text,
                                        .files = spec->files,
                                        .file_count = spec->file_count,
                                        .foreign = spec->foreign},
                              .devices = devices,
                              .device_count = device_count,
                              .sample = sample,
                              .signals = stop,
                              .report = keep,
                              .user = &result->file};
    char          *lines = arena_copy(&arena, spec->overrides, &err);
    result->complete = lines && split(lines, &arena, &request.sweep, &err) &&
                       held_open("conform", group_count, &result->file, &err) && conform_run(&request, &failed, &err);
    if (result->complete)
        return result;
    library_fail(error, &err);
    pendula_result_free(result);
    return NULL;
}

static PendulaResult *check_planned(const Planned *planned, const char *const *devices, size_t device_count,
                                    uint64_t sample, const volatile sig_atomic_t *stop, PendulaError **error)
{
    if (!planned->points)
        return check(&planned->spec, planned->plan.group_count, devices, device_count, sample, stop, error);
    library_refuse(error, ERROR_USAGE,
                   "points that were given as an array are not in the sweep's text, by which it is checked: give them "
                   "as axes or as a file");
    return NULL;
}

PendulaResult *pendula_sweep_conform(PendulaSweep *sweep, const char *const *devices, size_t device_count,
                                     uint64_t sample, PendulaError **error)
{
    if (!sweep)
        return library_refuse(error, ERROR_USAGE, "the sweep is NULL"), NULL;
    if (!library_check_texts(devices, device_count, "device", error) || !library_plan(sweep, error))
        return NULL;
    sweep->stop = 0;
    sweep->running = 1;
    PendulaResult *result = check_planned(sweep->planned, devices, device_count, sample, &sweep->stop, error);
    sweep->running = 0;
    return result;
}

PendulaResult *pendula_result_conform(const PendulaResult *result, const char *const *devices, size_t device_count,
                                      uint64_t sample, PendulaError **error)
{
    const volatile sig_atomic_t never = 0;
    Error                       err = {0};
    Origin                      origin = {0};
    if (!result)
        return library_refuse(error, ERROR_USAGE, "the result is NULL"), NULL;
    if (!library_check_texts(devices, device_count, "device", error))
        return NULL;
    if (result->planned)
        return check_planned(result->planned, devices, device_count, sample, &never, error);
    if (!origin_read(&result->file, NULL, &origin, &err))
        return library_fail(error, &err), NULL;
    PendulaResult *found = check(&origin.spec, origin.plan.group_count, devices, device_count, sample, &never, error);
    origin_free(&origin);
    return found;
}
