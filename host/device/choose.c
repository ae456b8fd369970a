// choose -- match of a request with the names of devices and platforms, exact names first.
#include "device/opencl.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
    return refuse(ERROR_DEVICE, what, NULL, WAY_COUNT, infos, count, ", reference", err);
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

bool choose_device(const char *which, Precision precision, const DeviceInfo *infos, size_t count, size_t *chosen,
                   Error *err)
{
    if (count == 0)
        return fail(err, ERROR_DEVICE,
                    "no OpenCL device on this machine; install one, e.g. the package pocl-opencl-icd for the CPU, "
                    "or run with -d reference");
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
        numbers[found++] = i;
    }
    if (!cpu && native < count)
        numbers[found++] = native;
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
    for (size_t i = 0; i < *number_count; ++i)
        if (numbers[i] == chosen)
            return fail(err, ERROR_USAGE, "device %zu '%s' is named twice, the second time as '%s'; name it once",
                        chosen, infos[chosen].name, word);
    numbers[(*number_count)++] = chosen;
    return true;
}

bool choose_devices(const char *which, Precision precision, const DeviceInfo *infos, size_t count,
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
