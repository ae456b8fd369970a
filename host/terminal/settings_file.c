// settings_file -- reads the file, and sets the environment variables that are not set.
#include "terminal/settings_file.h"

#include "base/file.h"
#include "base/progress.h"
#include "base/yaml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool read_device(const YamlNode *node, const char **value, Error *err)
{
    if (!yaml_text(node, "device", value, err))
        return false;
    if (!**value)
        return yaml_fail(node, err, "device: the name is empty; leave the line out for the default");
    return strcasecmp(*value, "reference") != 0 ||
           yaml_fail(node, err, "device: the reference has other last digits than kernels; ask for it by -d reference");
}

static bool read_progress(const YamlNode *node, const char **value, Error *err)
{
    size_t mode;
    if (!yaml_choice(node, "progress", progress_modes, PROGRESS_MODES, &mode, err))
        return false;
    *value = progress_modes[mode];
    return true;
}

// A path from the current folder would be another one each time.
static bool read_cache(const YamlNode *node, const char **value, Error *err)
{
    return yaml_text(node, "cache", value, err) &&
           (**value == '/' || strcmp(*value, "none") == 0 ||
            yaml_fail(node, err, "cache: expected a path that begins with /, or none, found '%.60s'", *value));
}

typedef struct UserSetting {
    const char *key, *variable;
    bool (*read)(const YamlNode *node, const char **value, Error *err);
    bool empty_counts;  // the variable without a value says something
} UserSetting;

static const UserSetting known[] = {{"device", "PENDULA_DEVICE", read_device, false},
                                    {"progress", "PENDULA_PROGRESS", read_progress, false},
                                    {"cache", "PENDULA_CACHE_DIR", read_cache, true}};
enum { KNOWN = sizeof known / sizeof *known };

// The path of the file, which need not be there; NULL with err untouched where there is no place for it.
static char *find_path(Arena *arena, Error *err)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && *config == '/')
        return arena_format(arena, err, "%s/pendula/settings.yaml", config);
    return home && *home ? arena_format(arena, err, "%s/.config/pendula/settings.yaml", home) : NULL;
}

// Whether all lines are empty or comments.
static bool is_blank(const char *text)
{
    for (const char *line = text; *line;) {
        line += strspn(line, " \t\r\n");
        if (*line && *line != '#')
            return false;
        line += strcspn(line, "\n");
    }
    return true;
}

static bool take(SettingsFile *settings, const UserSetting *setting, const YamlNode *node, Error *err)
{
    const char *value, *there = getenv(setting->variable);
    if (!node || yaml_is_null(node))
        return true;
    if (!setting->read(node, &value, err))
        return false;
    if (there && (*there || setting->empty_counts))
        return true;
    if (setting == known) {
        settings->device = value;
        settings->place = yaml_place(node, &settings->arena, err);
        if (!settings->place)
            return false;
    }
    return setenv(setting->variable, value, 1) == 0 || fail(err, ERROR_INTERNAL, "out of memory");
}

bool settings_file_apply(SettingsFile *settings, Error *err)
{
    const char *keys[KNOWN];
    char       *text, *path = find_path(&settings->arena, err);
    size_t      length;
    YamlNode   *root;
    YamlOrigin *origin = arena_take(&settings->arena, 1, sizeof *origin, err);
    if (!path || !origin)
        return err->kind == ERROR_NONE;
    // A folder that may not be searched belongs to another user, whose HOME `su` and `sudo` can leave behind.
    if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES))
        return true;
    *origin = (YamlOrigin){.name = path};
    for (size_t i = 0; i < KNOWN; ++i)
        keys[i] = known[i].key;
    if (!file_read(path, YAML_LARGEST, &settings->arena, &text, &length, err))
        return false;
    if (strlen(text) == length && is_blank(text))
        return true;
    if (!yaml_read(text, length, origin, &settings->arena, &root, err) ||
        !yaml_is_mapping(root, "the settings file", err) ||
        !yaml_check_keys(root, "the settings file", keys, KNOWN, err))
        return false;
    for (size_t i = 0; i < KNOWN; ++i)
        if (!take(settings, &known[i], yaml_find(root, known[i].key), err))
            return false;
    return true;
}

void settings_file_explain(const SettingsFile *settings, Error *err)
{
    char named[300];
    if (!settings->device || (err->kind != ERROR_DEVICE && err->kind != ERROR_USAGE))
        return;
    snprintf(named, sizeof named, "'%.200s'", settings->device);
    if (strstr(err->message, named))
        within(err, "device of %s", settings->place);
}

void settings_file_free(SettingsFile *settings)
{
    arena_free(&settings->arena);
    *settings = (SettingsFile){0};
}
