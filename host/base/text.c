// text -- grows by doubling.
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool text_reserve(Text *text, size_t more)
{
    if (text->failed || more > SIZE_MAX / 4 || text->length > SIZE_MAX / 4) {
        text->failed = true;
        return false;
    }
    if (text->length + more + 1 > text->capacity) {
        size_t capacity = 2 * (text->length + more + 1);
        char  *grown = realloc(text->text, capacity);
        if (!grown) {
            text->failed = true;
            return false;
        }
        text->text = grown;
        text->capacity = capacity;
    }
    return true;
}

void text_add(Text *text, const char *format, ...)
{
    va_list arguments;
    // Most additions fit as they are; the others are made once more.
    if (!text_reserve(text, 0))
        return;
    const size_t room = text->capacity - text->length;
    va_start(arguments, format);
    const int length = vsnprintf(text->text + text->length, room, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length >= room && text_reserve(text, (size_t)length)) {
        va_start(arguments, format);
        vsnprintf(text->text + text->length, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    if (length < 0 || text->failed)
        text->text[text->length] = '\0';
    else
        text->length += (size_t)length;
}

void text_add_bytes(Text *text, const char *bytes, size_t count)
{
    if (!text_reserve(text, count))
        return;
    memcpy(text->text + text->length, bytes, count);
    text->length += count;
    text->text[text->length] = '\0';
}

Amount text_amount(double number, const char *const units[7])
{
    static const char *const prefixes[7] = {"", "k", "M", "G", "T", "P", "E"};
    Amount                   amount;
    size_t                   unit = 0;
    for (; number >= 999.5 && unit + 1 < 7; number /= 1000.0)
        ++unit;
    const int decimals = unit == 0 || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
    snprintf(amount.text, sizeof amount.text, "%.*f%s", decimals, number, (units ? units : prefixes)[unit]);
    return amount;
}

bool text_check(const Text *text, Error *err)
{
    return text->failed ? fail(err, ERROR_INTERNAL, "out of memory for a text of %zu bytes", text->length) : true;
}

void text_free(Text *text)
{
    free(text->text);
    *text = (Text){0};
}

char *text_keep(Text *text, Arena *arena, Error *err)
{
    char *copy = text_check(text, err) ? arena_copy(arena, text->text ? text->text : "", err) : NULL;
    text_free(text);
    return copy;
}
