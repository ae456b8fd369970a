// keys -- a hash table with open addresses, never more than half full.
#include "analysis/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

static uint64_t bits_of(double number)
{
    uint64_t     bits;
    const double plain = isnan(number) ? (double)NAN : number + 0.0;
    memcpy(&bits, &plain, sizeof bits);
    return bits;
}

static uint64_t hash_of(const double *key, size_t width)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < width; ++i) {
        hash = (hash ^ bits_of(key[i])) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    return hash;
}

static bool equal(const double *a, const double *b, size_t width)
{
    for (size_t i = 0; i < width; ++i)
        if (bits_of(a[i]) != bits_of(b[i]))
            return false;
    return true;
}

// The slot of a key, or the free one in which it belongs.
static size_t find_slot(const Keys *keys, const double *key)
{
    size_t slot = (size_t)hash_of(key, keys->width) & (keys->slot_count - 1);
    while (keys->slots[slot] && !equal(keys->rows + (keys->slots[slot] - 1) * keys->width, key, keys->width))
        slot = (slot + 1) & (keys->slot_count - 1);
    return slot;
}

static bool grow(Keys *keys, Error *err)
{
    const size_t count = keys->slot_count ? 2 * keys->slot_count : FIRST_SLOTS;
    uint32_t    *slots = calloc(count, sizeof *slots);
    double      *rows = realloc(keys->rows, (count / 2 * keys->width + 1) * sizeof *rows);
    if (rows)
        keys->rows = rows;
    if (!slots || !rows || count / 2 >= UINT32_MAX) {
        free(slots);
        return fail(err, ERROR_INTERNAL, "out of memory");
    }
    free(keys->slots);
    keys->slots = slots;
    keys->slot_count = count;
    keys->room = count / 2;
    for (size_t i = 0; i < keys->count; ++i)
        keys->slots[find_slot(keys, keys->rows + i * keys->width)] = (uint32_t)(i + 1);
    return true;
}

bool keys_find(Keys *keys, const double *key, uint32_t *number, Error *err)
{
    size_t slot = keys->slot_count ? find_slot(keys, key) : 0;
    if (!keys->slot_count || !keys->slots[slot]) {
        if (keys->count == keys->room) {
            if (!grow(keys, err))
                return false;
            slot = find_slot(keys, key);
        }
        for (size_t i = 0; i < keys->width; ++i)
            keys->rows[keys->count * keys->width + i] = key[i];
        keys->slots[slot] = (uint32_t)++keys->count;
    }
    *number = keys->slots[slot] - 1;
    return true;
}

void keys_free(Keys *keys)
{
    free(keys->rows);
    free(keys->slots);
    *keys = (Keys){0};
}
