// event_functions -- the functions and lists by which kernels find a sweep's events.
#pragma once

#include "base/text.h"
#include "plan/events.h"

// Adds the formulas of group->events, how fast they change, what they set, and the list EVENT_ENTRIES.
// Errors: ERROR_INPUT (too many terms), ERROR_INTERNAL.
bool event_functions_add(Text *out, const Group *group, Error *err);
