// history -- lines of JSON, which is YAML, read one by one.
#include "store/history.h"

#include "base/file.h"
#include "base/yaml.h"

#include <string.h>

enum { LARGEST_LOG = 1 << 24 };  // bytes

static double number_of(const YamlNode *event, const char *key)
{
    const YamlNode *value = yaml_find(event, key);
    double          number = 0.0;
    Error           unused;
    return value && yaml_number(value, key, &number, &unused) ? number : 0.0;
}

static HistoryDevice *find_device(History *found, const char *name)
{
    for (size_t i = 0; i < found->count; ++i)
        if (strcmp(found->devices[i].name, name) == 0)
            return &found->devices[i];
    if (found->count == HISTORY_DEVICES)
        return NULL;
    found->devices[found->count] = (HistoryDevice){.name = name};
    return &found->devices[found->count++];
}

// Adds an event's work to a device; of one of several devices the whole time is the run's.
static void add_work(HistoryDevice *device, const YamlNode *event, const YamlNode *work)
{
    device->blocks += number_of(work, "blocks_computed");
    device->steps += number_of(work, "steps");
    device->seconds += number_of(event, "seconds");
    device->compute_seconds += number_of(work, "compute_seconds");
    ++device->runs;
}

// Adds the devices that shared a run.
static void add_shares(History *found, const YamlNode *event, const YamlNode *devices)
{
    for (size_t i = 0; i < devices->count; ++i) {
        const YamlNode *share = devices->items[i],
                       *name = share->kind == YAML_MAPPING ? yaml_find(share, "device") : NULL;
        HistoryDevice *device = name && name->kind == YAML_SCALAR ? find_device(found, name->text) : NULL;
        if (device && number_of(share, "blocks_computed") > 0)
            add_work(device, event, share);
    }
}

void history_read(const char *path, History *found)
{
    Error unused;
    char *text = NULL, *rest = NULL;
    *found = (History){.count = 0};
    HistoryDevice *device = NULL;
    const char    *log = arena_format(&found->arena, &unused, "%s.log", path);
    YamlOrigin    *origin = arena_take(&found->arena, 1, sizeof *origin, &unused);
    if (!log || !origin || !file_read(log, LARGEST_LOG, &found->arena, &text, NULL, &unused))
        return;
    origin->name = log;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        YamlNode *event = NULL;
        if (!yaml_read(line, strlen(line), origin, &found->arena, &event, &unused) || event->kind != YAML_MAPPING)
            continue;
        const YamlNode *name = yaml_find(event, "device"), *devices = yaml_find(event, "devices");
        const bool      ended = yaml_find(event, "blocks_computed") != NULL;
        if (ended && devices && devices->kind == YAML_SEQUENCE)
            add_shares(found, event, devices);
        else if (ended && device)
            add_work(device, event, event);
        else if (!ended && name && name->kind == YAML_SCALAR && !yaml_find(event, "error"))
            device = find_device(found, name->text);
    }
}

void history_free(History *history)
{
    arena_free(&history->arena);
    *history = (History){.count = 0};
}
