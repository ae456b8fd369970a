// arena -- memory for the many small things that live as long as one plan, catalog or spec.
#pragma once

#include "base/error.h"

#include <stddef.h>

// Memory that is released all at once. Zero-initialise it; arena_free() is safe on a zeroed arena.
typedef struct Arena {
    struct ArenaPage *pages;  // newest first; owned
} Arena;

// count * size zeroed bytes, aligned for any type, valid until arena_free(). NULL, with err filled (ERROR_INTERNAL),
// when memory runs out or the product overflows. A count of 0 gives a valid pointer to nothing.
void *arena_take(Arena *arena, size_t count, size_t size, Error *err);

// Room for one more behind items[count]: the items, or a copy with twice the room; NULL with err filled when memory
// runs out. Of an array that begins as NULL and 0, and is asked for each item.
void *arena_grow(Arena *arena, void *items, size_t count, size_t size, Error *err);

// A copy of text (NUL-terminated) in the arena; NULL with err filled when memory runs out.
char *arena_copy(Arena *arena, const char *text, Error *err);

// A printf-formatted string in the arena; NULL with err filled when memory runs out.
char *arena_format(Arena *arena, Error *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

void arena_free(Arena *arena);
