// newton -- reads `newton:` and `substeps:`.
#include "plan/plan_make.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const newton_keys[] = {"mode",     "residual", "stencil",   "floor_guard",
                                          "jacobian", "update",   "tolerance", "max_updates"};
static const char *const substeps_keys[] = {"max_depth", "budget", "start"};
static const char *const modes[] = {"robust", "paper"};
static const char *const residuals[] = {"scaled", "raw"};
static const char *const stencils[] = {"cbrt", "sqrt"};
static const char *const jacobians[] = {"central", "forward", "analytic"};
static const char *const rules[] = {"full", "modified"};

Newton newton_defaults(void)
{
    return (Newton){.scaled_residual = true,
                    .cube_root_stencil = true,
                    .floor_guard = true,
                    .jacobian = JACOBIAN_CENTRAL,
                    .tolerance = {.value = 1e-8, .axis = -1},
                    .max_updates = {.value = 50, .axis = -1}};
}

Substeps newton_default_substeps(void)
{
    return (Substeps){.max_depth = MOST_DEPTH, .budget = 200.0};
}

// One of two words, each standing for a truth value; left alone where the key is absent.
static bool read_either(const YamlNode *mapping, const char *key, const char *what, const char *const *words,
                        bool first_is, bool *value, Error *err)
{
    const YamlNode *node = yaml_find(mapping, key);
    size_t          index;
    if (!node)
        return true;
    if (!yaml_choice(node, what, words, 2, &index, err))
        return false;
    *value = (index == 0) == first_is;
    return true;
}

static bool read_mode(const YamlNode *node, Newton *newton, Error *err)
{
    bool robust = true;
    if (!yaml_find(node, "mode"))
        return true;
    if (!read_either(node, "mode", "newton.mode", modes, true, &robust, err))
        return false;
    newton->scaled_residual = newton->cube_root_stencil = newton->floor_guard = robust;
    return true;
}

static bool read_jacobian(const YamlNode *node, const Card *problem, Newton *newton, Error *err)
{
    const YamlNode *rule = yaml_find(node, "jacobian");
    size_t          index;
    if (!rule)
        return true;
    if (!yaml_choice(rule, "newton.jacobian", jacobians, LENGTH(jacobians), &index, err))
        return false;
    newton->jacobian = (JacobianRule)index;
    if (newton->jacobian == JACOBIAN_ANALYTIC && !card_lists(problem->provides, problem->provide_count, "jacobian"))
        return yaml_fail(rule, err, "newton.jacobian: problem '%s' provides no analytic jacobian, use central",
                         problem->name);
    return true;
}

bool newton_read(const YamlNode *node, const Card *problem, Newton *newton, Error *err)
{
    if (!node)
        return true;
    const YamlNode *guard = yaml_find(node, "floor_guard");
    return yaml_is_mapping(node, "newton", err) &&
           yaml_check_keys(node, "newton", newton_keys, LENGTH(newton_keys), err) && read_mode(node, newton, err) &&
           read_either(node, "residual", "newton.residual", residuals, true, &newton->scaled_residual, err) &&
           read_either(node, "stencil", "newton.stencil", stencils, true, &newton->cube_root_stencil, err) &&
           (!guard || yaml_truth(guard, "newton.floor_guard", &newton->floor_guard, err)) &&
           read_either(node, "update", "newton.update", rules, false, &newton->modified, err) &&
           read_jacobian(node, problem, newton, err);
}

static bool read_budget(const YamlNode *node, Substeps *substeps, Error *err)
{
    if (!yaml_number(node, "substeps.budget", &substeps->budget, err))
        return false;
    if (substeps->budget <= 0.0)
        return yaml_fail(node, err, "substeps.budget: %.60s is too small, it must be greater than 0", node->text);
    return true;
}

bool newton_read_substeps(const YamlNode *node, Substeps *substeps, Error *err)
{
    if (!node)
        return true;
    int64_t depth = substeps->max_depth;
    if (!yaml_is_mapping(node, "substeps", err) ||
        !yaml_check_keys(node, "substeps", substeps_keys, LENGTH(substeps_keys), err))
        return false;
    const YamlNode *max_depth = yaml_find(node, "max_depth"), *budget = yaml_find(node, "budget");
    if ((max_depth && !yaml_whole(max_depth, "substeps.max_depth", 0, MOST_DEPTH, &depth, err)) ||
        (budget && !read_budget(budget, substeps, err)))
        return false;
    substeps->max_depth = (int)depth;
    const YamlNode *start = yaml_find(node, "start");
    size_t          index = (size_t)substeps->start;
    if (start && !yaml_choice(start, "substeps.start", group_start_names, START_COUNT, &index, err))
        return false;
    substeps->start = (StartRule)index;
    return true;
}
