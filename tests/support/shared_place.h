// shared_place -- a folder that all tests of a program share: made before the first, removed after the last.
#pragma once

#include "support/command.h"

extern Place place;

// The path of a file of the folder.
typedef struct Path {
    char text[512];
} Path;

Path path_of(const char *name);

int make_place(void **state);
int remove_place(void **state);
