// utf8 -- recognises well-formed sequences (Unicode standard, table 3-7) and characters that do more than show.
#include "base/utf8.h"

size_t utf8_length(const char *s)
{
    static const struct {
        unsigned char first_least, first_most, second_least, second_most, length;
    } forms[] = {
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *bytes = (const unsigned char *)s;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
        if (bytes[0] < forms[i].first_least || bytes[0] > forms[i].first_most)
            continue;
        if (forms[i].length > 1 && (bytes[1] < forms[i].second_least || bytes[1] > forms[i].second_most))
            return 0;
        for (size_t k = 2; k < forms[i].length; ++k)
            if ((bytes[k] & 0xc0) != 0x80)
                return 0;
        return forms[i].length;
    }
    return 0;
}

// The number of the character of so many bytes at s.
static unsigned code_of(const char *s, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)s;
    unsigned             code = length == 1 ? bytes[0] : bytes[0] & (0xffU >> (length + 1));
    for (size_t i = 1; i < length; ++i)
        code = code << 6 | (bytes[i] & 0x3fU);
    return code;
}

static bool must_not_be_shown(unsigned code)
{
    static const struct {
        unsigned first, last;
    } ranges[] = {
        {0x00, 0x1f},     {0x7f, 0x9f},                        // controls
        {0x61c, 0x61c},   {0x200e, 0x200f}, {0x202a, 0x202e},  // directions
        {0x2066, 0x2069},                                      // more of them
        {0x2028, 0x2029},                                      // line separators
        {0xfeff, 0xfeff},                                      // byte order mark
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

void utf8_show(Text *text, const char *s, bool lines)
{
    while (*s) {
        const size_t   length = utf8_length(s);
        const unsigned code = length > 0 ? code_of(s, length) : (unsigned char)*s;
        if (length == 0 || (code < 0x80 && must_not_be_shown(code) && !(lines && (*s == '\n' || *s == '\t'))))
            text_add(text, "\\x%02x", code);
        else if (code >= 0x80 && must_not_be_shown(code))
            text_add(text, "\\u%04x", code);
        else
            text_add_bytes(text, s, length);
        s += length > 0 ? length : 1;
    }
}
