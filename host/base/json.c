// json -- escapes strings and writes numbers.
#include "base/json.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void json_string(Text *text, const char *string)
{
    if (!string) {
        text_add(text, "null");
        return;
    }
    text_add(text, "\"");
    for (const char *s = string; *s;) {
        const size_t length = utf8_length(s);
        if (length == 0)
            text_add(text, "\\ufffd");
        else if (*s == '"' || *s == '\\')
            text_add(text, "\\%c", *s);
        else if (*s == '\n')
            text_add(text, "\\n");
        else if ((*s > 0 && *s < 0x20) || *s == 0x7f)
            text_add(text, "\\u%04x", (unsigned)(unsigned char)*s);
        else
            text_add_bytes(text, s, length);
        s += length ? length : 1;
    }
    text_add(text, "\"");
}

void json_number(Text *text, double number)
{
    char digits[32];
    if (!isfinite(number)) {
        text_add(text, "null");
        return;
    }
    for (int precision = 6; precision <= 17; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    text_add(text, "%s", digits);
}

void json_key(Text *text, const char *key)
{
    json_string(text, key);
    text_add(text, ": ");
}

void json_member(Text *text, const char *key)
{
    const char last = text->length ? text->text[text->length - 1] : '{';
    text_add(text, "%s", last == '{' || last == '[' ? "" : ", ");
    if (key)
        json_key(text, key);
}

void json_open(Text *text, const char *key, const char *bracket)
{
    json_member(text, key);
    text_add(text, "%s", bracket);
}

void json_member_string(Text *text, const char *key, const char *string)
{
    json_member(text, key);
    json_string(text, string);
}

void json_member_number(Text *text, const char *key, double number)
{
    json_member(text, key);
    json_number(text, number);
}

void json_member_whole(Text *text, const char *key, uint64_t whole)
{
    json_member(text, key);
    text_add(text, "%" PRIu64, whole);
}
