// newton -- reads `newton:` and `substeps:`.
#include "plan/plan_make.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const newton_keys[] = {"mode",   "residual", "stencil",   "floor_guard", "jacobian",
                                          "update", "guess",    "tolerance", "max_updates"};
static const char *const substeps_keys[] = {"max_depth", "budget", "start"};
static const char *const modes[] = {"robust", "paper"};
static const char *const residuals[] = {"scaled", "raw"};
static const char *const stencils[] = {"cbrt", "sqrt"};
static const char *const jacobians[] = {"central", "forward", "analytic"};
static const char *const rules[] = {"full", "modified"};
static const char *const guesses[] = {"last", "extrapolated"};

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

// The index of a key's word; left alone where the key is absent.
static bool read_word(const YamlNode *mapping, const char *key, const char *what, const char *const *words,
                      size_t count, size_t *index, Error *err)
{
    const YamlNode *node = yaml_find(mapping, key);
    return !node || yaml_choice(node, what, words, count, index, err);
}

bool newton_read(const YamlNode *node, const Card *problem, Newton *newton, Error *err)
{
    size_t mode = LENGTH(modes), residual = !newton->scaled_residual, stencil = !newton->cube_root_stencil,
           jacobian = (size_t)newton->jacobian, update = newton->modified, guess = newton->extrapolated;
    if (!node)
        return true;
    if (!yaml_is_mapping(node, "newton", err) ||
        !yaml_check_keys(node, "newton", newton_keys, LENGTH(newton_keys), err) ||
        !read_word(node, "mode", "newton.mode", modes, LENGTH(modes), &mode, err))
        return false;
    if (mode < LENGTH(modes)) {
        residual = stencil = mode;
        newton->floor_guard = mode == 0;
    }
    const YamlNode *guard = yaml_find(node, "floor_guard");
    if (!read_word(node, "residual", "newton.residual", residuals, LENGTH(residuals), &residual, err) ||
        !read_word(node, "stencil", "newton.stencil", stencils, LENGTH(stencils), &stencil, err) ||
        (guard && !yaml_truth(guard, "newton.floor_guard", &newton->floor_guard, err)) ||
        !read_word(node, "update", "newton.update", rules, LENGTH(rules), &update, err) ||
        !read_word(node, "guess", "newton.guess", guesses, LENGTH(guesses), &guess, err) ||
        !read_word(node, "jacobian", "newton.jacobian", jacobians, LENGTH(jacobians), &jacobian, err))
        return false;
    newton->scaled_residual = residual == 0;
    newton->cube_root_stencil = stencil == 0;
    newton->modified = update == 1;
    newton->extrapolated = guess == 1;
    newton->jacobian = (JacobianRule)jacobian;
    const YamlNode *rule = yaml_find(node, "jacobian");
    return !rule || newton->jacobian != JACOBIAN_ANALYTIC ||
           card_lists(problem->provides, problem->provide_count, "jacobian") ||
           yaml_fail(rule, err, "newton.jacobian: problem '%s' provides no analytic jacobian, use central",
                     problem->name);
}

bool newton_read_substeps(const YamlNode *node, Substeps *substeps, Error *err)
{
    int64_t         depth = substeps->max_depth;
    size_t          start = (size_t)substeps->start;
    const YamlNode *max_depth = yaml_find(node, "max_depth"), *budget = yaml_find(node, "budget");
    if (!node)
        return true;
    if (!yaml_is_mapping(node, "substeps", err) ||
        !yaml_check_keys(node, "substeps", substeps_keys, LENGTH(substeps_keys), err) ||
        (max_depth && !yaml_whole(max_depth, "substeps.max_depth", 0, MOST_DEPTH, &depth, err)) ||
        (budget && !yaml_number(budget, "substeps.budget", &substeps->budget, err)))
        return false;
    if (budget && substeps->budget <= 0.0)
        return yaml_fail(budget, err, "substeps.budget: %.60s is too small, it must be greater than 0", budget->text);
    if (!read_word(node, "start", "substeps.start", group_start_names, START_COUNT, &start, err))
        return false;
    substeps->max_depth = (int)depth;
    substeps->start = (StartRule)start;
    return true;
}
