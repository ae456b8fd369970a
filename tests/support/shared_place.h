// shared_place -- a folder that all tests of a program share: made before the first, removed after the last.
#pragma once

#include "support/command.h"

extern Place place;

int make_place(void **state);
int remove_place(void **state);
