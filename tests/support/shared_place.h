// shared_place -- a folder that all tests of a program share: made before the first, removed after the last.
#pragma once

#include "support/command.h"

static Place place;

static inline int make_place(void **state)
{
    (void)state;
    place_make(&place);
    return 0;
}

static inline int remove_place(void **state)
{
    (void)state;
    place_remove(&place);
    return 0;
}
