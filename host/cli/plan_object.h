// plan_object -- what `pendula plan --json` prints.
#pragma once

#include "cli/pilot.h"

// Adds the object.
//   estimate  NULL: the time was not asked for
void plan_object_add(const Plan *plan, const PilotEstimate *estimate, Text *text);

// Bytes of a group's variables in the result file.
uint64_t plan_object_bytes(const Group *group);
