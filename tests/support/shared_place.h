// shared_place -- a folder that all tests of a program share: made before the first, removed after the last.
#pragma once

#include "support/command.h"

extern Place place;

// The path of a file of the folder.
typedef struct Path {
    char text[512];
} Path;

Path path_of(const char *name);

// Writes NAME.yaml and runs it into NAME.h5.
void make_result(const char *name, const char *sweep, const char *device);

// Stops the test unless a file of the folder is a PNG.
void assert_png(const char *name);

int make_place(void **state);
int remove_place(void **state);
