// newton -- reads `newton:` and `substeps:` of a sweep, or of one entry under `methods:`.
#pragma once

#include "plan/plan.h"

// The settings with nothing said: robust mode, tolerance 1e-8, 50 updates; depth 20, a budget of 200 updates per step.
Newton   newton_defaults(void);
Substeps newton_default_substeps(void);

// Applies what a mapping says on top of what is there: first its `mode`, then its single keys. The numbers tolerance
// and max_updates may be axes and are left to the caller.
//   node     NULL: nothing is said
//   problem  for `jacobian: analytic`, which it must provide
// Errors: ERROR_INPUT or ERROR_USAGE.
bool newton_read(const YamlNode *node, const Card *problem, Newton *newton, Error *err);
bool newton_read_substeps(const YamlNode *node, Substeps *substeps, Error *err);
