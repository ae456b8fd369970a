// json -- writes JSON text: strings escaped, numbers that read back to the same double.
#pragma once

#include "base/text.h"

#include <stdint.h>

// Adds a string in double quotes. Bytes that are not UTF-8 become U+FFFD. NULL is written as null.
void json_string(Text *text, const char *string);

// Adds a number with the fewest digits that read back equal; NaN and infinities, which JSON does not have, become null.
void json_number(Text *text, double number);

// Adds `"key": `.
void json_key(Text *text, const char *key);

// Adds a comma where something of the same object or list stands in front, and the key, which NULL leaves out: of a
// list.
void json_member(Text *text, const char *key);

// The same, and the bracket that opens a list or an object.
void json_open(Text *text, const char *key, const char *bracket);

// A member that is a string (NULL: null), a number, a whole number.
void json_member_string(Text *text, const char *key, const char *string);
void json_member_number(Text *text, const char *key, double number);
void json_member_whole(Text *text, const char *key, uint64_t whole);
