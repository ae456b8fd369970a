// arena -- pages, the newest first.
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 16384 };

typedef struct ArenaPage {
    struct ArenaPage *older;
    size_t            used, capacity;
    max_align_t       bytes[];
} ArenaPage;

void *arena_take(Arena *arena, size_t count, size_t size, Error *err)
{
    size_t bytes, rounded, alignment = sizeof(max_align_t);
    if (__builtin_mul_overflow(count, size, &bytes) || __builtin_add_overflow(bytes, alignment - 1, &rounded)) {
        fail(err, ERROR_INTERNAL, "out of memory: %zu items of %zu bytes", count, size);
        return NULL;
    }
    rounded -= rounded % alignment;
    if (!arena->pages || arena->pages->capacity - arena->pages->used < rounded) {
        size_t     capacity = rounded > PAGE_BYTES ? rounded : PAGE_BYTES;
        ArenaPage *page = capacity > SIZE_MAX - sizeof *page ? NULL : calloc(1, sizeof *page + capacity);
        if (!page) {
            fail(err, ERROR_INTERNAL, "out of memory: %zu bytes", bytes);
            return NULL;
        }
        page->capacity = capacity;
        page->older = arena->pages;
        arena->pages = page;
    }
    void *start = (char *)arena->pages->bytes + arena->pages->used;
    arena->pages->used += rounded;
    return start;
}

void *arena_grow(Arena *arena, void *items, size_t count, size_t size, Error *err)
{
    enum { FEWEST = 8 };
    // It is full where the count is a power of two.
    if (count > 0 && (count < FEWEST || (count & (count - 1)) != 0))
        return items;
    void *longer = arena_take(arena, count ? 2 * count : FEWEST, size, err);
    if (longer && count > 0)
        memcpy(longer, items, count * size);
    return longer;
}

char *arena_copy(Arena *arena, const char *text, Error *err)
{
    size_t bytes = strlen(text) + 1;
    char  *copy = arena_take(arena, bytes, 1, err);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

char *arena_format(Arena *arena, Error *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : arena_take(arena, (size_t)length + 1, 1, err);
    if (text) {
        va_start(arguments, format);
        vsnprintf(text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    return text;
}

void arena_free(Arena *arena)
{
    while (arena->pages) {
        ArenaPage *older = arena->pages->older;
        free(arena->pages);
        arena->pages = older;
    }
}
