// version -- version of the program, and the facts of its build.
#pragma once

#include "base/text.h"

// The day of the commit that was built, or of SOURCE_DATE_EPOCH: "2026-11-28". It is the date of the man pages.
const char *version_date(void);

// Adds the lines of `pendula --version`.
void version_print(Text *text);
