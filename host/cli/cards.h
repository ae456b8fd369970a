// cards -- how `list` and `show` print what cards say.
#pragma once

#include "catalog/catalog.h"

// What every point has beside the results of the metric files.
typedef struct OwnMetric {
    const char *name, *unit, *about;
} OwnMetric;

enum { OWN_METRICS = 3 };
extern const OwnMetric own_metrics[OWN_METRICS];  // status, x_final, v_final

// "problem", "method" or "metric".
const char *cards_kind(CardKind kind);

// Adds a parameter as a JSON object: name, about, default (absent where there is none), unit, and choices or the range
// as min or above, max or below.
void cards_parameter_json(Text *text, const CardParameter *parameter);

// Adds a parameter's range as text: "(0, inf)", "[0, 1]", "right | printed".
void cards_range(Text *text, const CardParameter *parameter);

// Adds a parameter's default as text; "none" where there is none.
void cards_default(Text *text, const CardParameter *parameter);
