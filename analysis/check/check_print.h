// check_print -- findings as text and as JSON.
#pragma once

#include "analysis/check/check.h"

// Adds a line for each: findings first, "FILE:LINE: what", then notes, then what is right.
void check_print_text(const Check *check, double seconds, Text *text);

// The same as an array of objects: file, line (null: of no line), kind, text.
void check_print_json(const Check *check, Text *text);
