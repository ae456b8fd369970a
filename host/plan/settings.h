// settings -- the effective settings of a plan as canonical text, and the plan's fingerprint.
#pragma once

#include "plan/plan.h"

// Sets plan->settings (YAML, every value, defaults included, numbers with 17 digits) and plan->fingerprint (64-bit
// FNV-1a of that text, of all axis values, and of the card files and kernel helpers the plan uses). All else of the
// plan is made. Errors: ERROR_INTERNAL.
bool settings_make(Plan *plan, Error *err);
