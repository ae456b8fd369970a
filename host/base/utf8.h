// utf8 -- where the characters of a text end.
#pragma once

#include <stddef.h>

// The bytes of the UTF-8 character at s, 1 to 4; 0 where there is none: overlong forms, surrogates and values past
// U+10FFFF are none. At the final NUL it is 1.
//   s  NUL-terminated
size_t utf8_length(const char *s);
