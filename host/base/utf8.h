// utf8 -- UTF-8 text: the ends of its characters, and the characters that a terminal may be shown.
#pragma once

#include "base/text.h"

// The bytes of the UTF-8 character at s, 1 to 4; 0 where there is none: overlong forms, surrogates and values past
// U+10FFFF are none. At the final NUL it is 1.
//   s  NUL-terminated
size_t utf8_length(const char *s);

// Adds a text of a user or a file as a terminal may be shown it. Control characters, characters that turn the direction
// of writing, line separators and bytes that are not UTF-8 become \x1b or \u202e: unchanged, they could hide or forge
// output.
//   s      NUL-terminated
//   lines  newlines and tabs stay as they are
void utf8_show(Text *text, const char *s, bool lines);
