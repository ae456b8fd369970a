// utf8 -- recognises well-formed sequences (Unicode standard, table 3-7).
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
