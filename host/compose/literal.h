// literal -- a number in the text of a kernel.
#pragma once

#include "base/text.h"

// A number as a C literal of 17 digits, infinities by name. It is no NaN.
void literal_add(Text *out, double value);
