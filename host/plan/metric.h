// metric -- a metric's entry in a sweep: the quantity it observes, when, and the values of its parameters.
//
//     metrics: [{stats: {of: v0, from: 10, label: swing}}, {lyapunov_exponent: {from: 50*pi/force_omega}}]
//
// An argument is a number, a choice where the card lists choices, or a formula of the problem's parameters, which has a
// value at each point.
#pragma once

#include "plan/plan_make.h"

// The instance of a card where its entry says nothing. Its arguments are in the plan's arena; NULL where memory ran
// out.
MetricInstance metric_default(const Group *group, const Card *card, Arena *arena, Error *err);

// Reads the quantity of `compare:` into group->compared, where the sweep has data. Errors: ERROR_INPUT, ERROR_INTERNAL.
bool metric_read_compared(Plan *plan, Group *group, Error *err);

// Applies the keys of an entry on top of the instance's values.
//   at     the metric's name, for messages
//   node   a mapping, null, or NULL
//   label  written where the entry has one
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool metric_read(Plan *plan, Group *group, const YamlNode *at, const YamlNode *node, const char *name,
                 MetricInstance *instance, const char **label, Error *err);

// How many numbers a result of the instance has at a point.
size_t metric_width(const MetricInstance *instance, const CardResult *result, size_t dofs);

// Whether two instances observe the same.
bool metric_same(const MetricInstance *a, const MetricInstance *b);

// The name of the quantity observed, as a sweep spells it: "theta", "v_theta", "slow".
const char *metric_observed(const Group *group, const MetricInstance *instance);

// The value of an argument at a point, of a choice its index; NaN where a formula's is none that the card permits.
double metric_argument(const Group *group, const MetricInstance *instance, size_t which, uint64_t point);
