// settings_file -- the user's defaults of the command line: $XDG_CONFIG_HOME/pendula/settings.yaml.
//
// Each key stands for an environment variable and is taken where that is not set, so that an option goes before the
// variable, and the variable before the file. Nothing that a result depends on may stand in it.
#pragma once

#include "base/arena.h"

// Zero-initialise it; release with settings_file_free().
typedef struct SettingsFile {
    const char *device, *place;  // the device of the file, and where: "path:line:column"; NULL where it does not count
    Arena       arena;
} SettingsFile;

// Reads the file and sets the variables; nothing where there is no file. Call it before other threads are started.
// Errors: ERROR_INPUT (not YAML, an unknown key, a value of another kind), ERROR_IO (cannot be read), ERROR_INTERNAL.
bool settings_file_apply(SettingsFile *settings, Error *err);

// Adds to an error about the file's device where that device is named.
void settings_file_explain(const SettingsFile *settings, Error *err);
void settings_file_free(SettingsFile *settings);
