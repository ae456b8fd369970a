// plan_make -- inside of the plan: the steps of plan_make(), a file each. Errors: those of plan_make().
#pragma once

#include "plan/entry.h"
#include "plan/plan.h"

// The most points of a group, and of a sweep.
#define PLAN_POINTS (UINT64_C(1) << 40)

// The card of the kernel file that a node names, read once for a plan; NULL on failure.
// Errors: those of file_read() and card_read() too; ERROR_INPUT (a card of another kind, a name that is reserved).
const Card *own_read(Plan *plan, const YamlNode *node, CardKind kind, Error *err);

// The same, or where the node has no path the card of the catalog. Errors: also ERROR_INPUT (no such card).
const Card *own_find(Plan *plan, const YamlNode *node, CardKind kind, Error *err);

// The card of a problem that a mapping under `problem` gives by formulas or matrices; NULL on failure. Axes among its
// parameters become plan->parameters, together with the sweep's own.
// Errors: those of matrix_market_read() and file_read() too.
const Card *system_read(Plan *plan, const YamlNode *node, Error *err);

// Reads a list of names, 1 to 1000, all different, and makes room to mark the used ones.
bool together_read_set(Plan *plan, const YamlNode *list, const char *what, NameSet *set, Error *err);

// Refuses a name of the last set that a set before it has too.
//   lists  what the sets are: "groups"
bool together_check_set(const NameSet *sets, size_t last, const char *what, const char *lists, Error *err);

// Reads `observe:` into plan->observing, and gives the problem the tables that its formulas call. The problem is known.
bool observe_read(Plan *plan, Error *err);

// Refuses a formula of a coordinate that a group lacks.
bool observe_check(const Plan *plan, const Group *group, Error *err);

// Reads `points:`, whose file becomes plan->points, and `zip:`. Errors: those of point_file_read_csv() and
// point_file_read_dataset() too, of which the errors of the file begin with its name.
bool together_read(Plan *plan, Error *err);

// The column of that name, marked as used by a group; NULL where the file has none. together_has() marks nothing.
const PointColumn *together_column(Plan *plan, const char *name);
bool               together_has(const Plan *plan, const char *name);

// The name of the dimension that an axis shares with others; NULL: it has one of its own.
//   column  it is one of the file of points
const char *together_dim(Plan *plan, Design design, const char *axis, bool column);

// Refuses columns and names under `zip` that no group uses. The groups are made.
bool together_check(const Plan *plan, Error *err);

// Reads `begin:`. Where the sweep, or its file of points, has it, plan->problem becomes a card of its own, whose
// parameter `begin` is. The problem and the file of points are read.
bool begin_read(Plan *plan, Error *err);

// Whether a group's motions begin before they end, its step being no less than what its times can tell apart.
bool begin_check(const Plan *plan, const Group *group, Error *err);

// Reads `design:` and `correlated:`. The file of points is read.
bool design_read(Plan *plan, Error *err);

// Makes the sampling of a group of a random design. Warns of a number of Sobol' points that is not a power of two.
//   names, factors  [count] in the order of the group's axes; borrowed
bool design_make(Plan *plan, Group *group, const char *const *names, const Distribution *factors, size_t count,
                 Error *err);

// Refuses names under `groups` and `correlated` that are a factor of no group. The groups are made.
bool design_check(const Plan *plan, Error *err);

// Fills a zeroed group but for its blocks. The plan's spec, catalog, problem and precision are set; values go into its
// arena.
bool group_make(Plan *plan, const Entry *entry, Group *group, Error *err);

// The values that a parameter may have.
Range group_make_range(const CardParameter *parameter);

// Each of these sets the sweep's value of a key, and on top of it the entry's: `newton:` but for the numbers tolerance
// and max_updates, which may be axes, and scale; `scale` of it, once the coordinates are known; `substeps:`.
//   all, own  of the sweep and of the entry; NULL: nothing is said
bool newton_make(const YamlNode *all, const YamlNode *own, Group *group, Error *err);
bool newton_make_scale(const YamlNode *all, const YamlNode *own, Plan *plan, Group *group, Error *err);
bool newton_make_substeps(const YamlNode *all, const YamlNode *own, Group *group, Error *err);

// Sets the group's trajectory, but for its fields: every, samples, where. The group's axes and steps are made. Warns
// where a value of `where` was moved to the nearest on its axis.
bool trajectory_make(Plan *plan, Group *group, Error *err);

// Refuses names under `where` that are an axis of no group.
bool trajectory_check_where(const Plan *plan, Error *err);

// Sets the group's metric instances and its variables: status, the metrics in the order of the list (without one: every
// result that the problem and the method can give), then the trajectory's fields.
bool variable_make_all(Plan *plan, Group *group, Error *err);

// Sets the designs' texts, plan->settings (YAML, every value, defaults included, numbers with 17 digits) and
// plan->fingerprint (64-bit FNV-1a of that text, of all axis values, and of the card files and kernel helpers the plan
// uses). All else of the plan is made.
bool settings_make(Plan *plan, Error *err);
