// hash -- 64-bit FNV-1a hash, to distinguish texts and numbers; not a protection against intent.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const uint64_t hash_start = UINT64_C(0xcbf29ce484222325);

// The hash of the bytes that went into `hash` and of these bytes.
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; ++i)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

// A text with its end, so that two texts do not hash like their neighbours with a letter moved.
static inline uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text) + 1);
}
