// scoped -- variables whose memory, handle or file is released at the end of their scope, on every way out of it.
#pragma once

#include <stdlib.h>
#include <string.h>

// Behind the name of a variable that is initialised where it is declared: `Text text SCOPED(text_free) = {0};`.
//   release  gets the variable's address when its scope ends, after the value of a `return` is known; of several
//            variables the last one first
#define SCOPED(release) __attribute__((cleanup(release)))

// Frees the memory of a pointer, which may be NULL.
static inline void scoped_free(const void *place)
{
    void *memory;
    memcpy(&memory, place, sizeof memory);
    free(memory);
}
