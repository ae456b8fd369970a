// digits -- numbers with 17 significant digits, the text of printf's "%.17g" in a fraction of its time.
#pragma once

#include "base/text.h"

// Adds a number, to the last character as text_add(text, "%.17g", number) does.
void digits_add(Text *text, double number);
