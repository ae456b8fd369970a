// text -- a growing text buffer.
#pragma once

#include "base/arena.h"

// A growing text buffer. Zero-initialise it; `text` is NUL-terminated once anything was added.
typedef struct Text {
    char  *text;    // owned
    size_t length;  // without the final NUL
    size_t capacity;
    bool   failed;  // memory ran out: text added since is lost; text_check() reports it
} Text;

void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(Text *text, const char *bytes, size_t count);

// A number with a unit, of three digits at most: 12345678 as "12.3M", for reading.
typedef struct Amount {
    char text[16];
} Amount;

// units  [7] the unit behind a small number, behind thousands, behind millions and so on; NULL: nothing, k, M, ...
Amount text_amount(double number, const char *const units[7]);

// False, with err filled (ERROR_INTERNAL), when an addition ran out of memory.
bool text_check(const Text *text, Error *err);
void text_free(Text *text);

// A copy in the arena; NULL with err filled when memory ran out. The text is freed.
char *text_keep(Text *text, Arena *arena, Error *err);
