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
        const YamlNode *name = yaml_find(event, "device");
        if (name && name->kind == YAML_SCALAR) {
            device = find_device(found, name->text);
        } else if (device && yaml_find(event, "blocks_computed")) {
            device->blocks += number_of(event, "blocks_computed");
            device->steps += number_of(event, "steps");
            device->seconds += number_of(event, "seconds");
            device->compute_seconds += number_of(event, "compute_seconds");
            ++device->runs;
        }
    }
}

void history_free(History *history)
{
    arena_free(&history->arena);
    *history = (History){.count = 0};
}
