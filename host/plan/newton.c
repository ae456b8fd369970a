// newton -- reads `newton:` and `substeps:`.
#include "plan/plan_make.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const newton_keys[] = {"mode",   "residual", "stencil",   "floor_guard", "jacobian",
                                          "update", "guess",    "tolerance", "max_updates", "scale"};
static const char *const substeps_keys[] = {"max_depth", "budget", "start"};
static const char *const modes[] = {"robust", "paper"};
static const char *const residuals[] = {"scaled", "raw"};
static const char *const stencils[] = {"cbrt", "sqrt"};
static const char *const jacobians[] = {"central", "forward", "analytic"};
static const char *const rules[] = {"full", "modified"};
static const char *const guesses[] = {"last", "extrapolated"};

// With nothing said: robust mode, tolerance 1e-8, 50 updates; depth 20, a budget of 200 updates per step.
static const Newton   newton_default = {.scaled_residual = true,
                                        .cube_root_stencil = true,
                                        .floor_guard = true,
                                        .jacobian = JACOBIAN_CENTRAL,
                                        .tolerance = {.value = 1e-8, .axis = -1},
                                        .max_updates = {.value = 50, .axis = -1}};
static const Substeps substeps_default = {.max_depth = MOST_DEPTH, .budget = 200.0};

// The index of a key's choice; left alone where the key is absent.
static bool read_word(const YamlNode *mapping, const char *key, const char *what, const char *const *words,
                      size_t count, size_t *index, Error *err)
{
    const YamlNode *node = yaml_find(mapping, key);
    return !node || yaml_choice(node, what, words, count, index, err);
}

// Applies the keys on top of the present settings: first `mode`, then single keys. The numbers, which may be axes, and
// the sizes of coordinates are read by others.
static bool read_words(const YamlNode *node, const Card *problem, Newton *newton, Error *err)
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
    return !rule || newton->jacobian != JACOBIAN_ANALYTIC || card_provides(problem, "jacobian") ||
           yaml_fail(rule, err, "newton.jacobian: problem '%s' provides no analytic jacobian, use central",
                     problem->name);
}

// A linearised solve has no second update, and a line search wants the slope where it stands.
static bool check_update(const Group *group, const YamlNode *all, const YamlNode *own, Error *err)
{
    const Card *method = group->method;
    if (!group->newton.modified || method->unknown == UNKNOWN_NONE || method->solver == SOLVER_NEWTON ||
        method->solver == SOLVER_ROSENBROCK)
        return true;
    const YamlNode *said = yaml_find(own, "update");
    return yaml_fail(said ? said : yaml_find(all, "update"), err, "newton.update: method '%s' %s, use full",
                     method->name,
                     method->solver == SOLVER_LINEARISED ? "makes one update in a solve"
                                                         : "searches along a line, by the Jacobian where that begins");
}

// Only some methods name the vector that their guess is extrapolated from; the others begin at the last value.
static bool check_guess(const Group *group, const YamlNode *all, const YamlNode *own, Error *err)
{
    const Card *method = group->method;
    if (!group->newton.extrapolated || method->unknown == UNKNOWN_NONE || method->extrapolates)
        return true;
    const YamlNode *said = yaml_find(own, "guess");
    return yaml_fail(said ? said : yaml_find(all, "guess"), err,
                     "newton.guess: method '%s' has no extrapolated guess, use last", method->name);
}

// A problem that gives its Jacobian is solved by it, unless the sweep says another or wants the paper's rules.
static void choose_jacobian(Group *group, const YamlNode *all, const YamlNode *own)
{
    const YamlNode *own_mode = yaml_find(own, "mode"), *mode = own_mode ? own_mode : yaml_find(all, "mode");
    if (!yaml_find(all, "jacobian") && !yaml_find(own, "jacobian") && !(mode && strcmp(mode->text, "paper") == 0) &&
        card_provides(group->problem, "jacobian"))
        group->newton.jacobian = JACOBIAN_ANALYTIC;
}

// Linear stages have one matrix, and neither a residual to be small nor a size to compare it with. Of the entry's own
// keys, which speak of this method alone, those that choose the matrix have an effect.
static bool set_linear_stages(const YamlNode *own, Group *group, Error *err)
{
    for (size_t i = 0; own && i < own->count; ++i) {
        const char *key = own->keys[i]->text;
        if (strcmp(key, "mode") != 0 && strcmp(key, "stencil") != 0 && strcmp(key, "jacobian") != 0)
            return yaml_fail(own->items[i]->origin->override ? own->items[i] : own->keys[i], err,
                             "newton.%s: method '%s' has linear stages and no Newton iteration, it takes jacobian, "
                             "stencil and mode",
                             key, group->method->name);
    }
    group->newton.modified = true;
    group->newton.scaled_residual = group->newton.floor_guard = false;
    return true;
}

bool newton_make(const YamlNode *all, const YamlNode *own, Group *group, Error *err)
{
    group->newton = newton_default;
    if (own && group->method->unknown == UNKNOWN_NONE)
        return yaml_fail(own, err, "newton: method '%s' is explicit and solves nothing, leave it out",
                         group->method->name);
    if (!read_words(all, group->problem, &group->newton, err) ||
        !read_words(own, group->problem, &group->newton, err) || !check_update(group, all, own, err) ||
        !check_guess(group, all, own, err))
        return false;
    choose_jacobian(group, all, own);
    return group->method->solver != SOLVER_ROSENBROCK || set_linear_stages(own, group, err);
}

static bool find_coordinate(const YamlNode *place, const char *word, const Group *group, size_t *dof, Error *err)
{
    Text names = {0};
    *dof = dof_find_word(group->coordinates, group->dofs, false, word);
    if (*dof < group->dofs)
        return true;
    dof_add_names(group->coordinates, group->dofs, false, &names);
    if (text_check(&names, err))
        yaml_fail(place, err, "newton.scale: '%.60s' is no coordinate of problem '%s', which has %s", word,
                  group->problem->name, names.text);
    text_free(&names);
    return false;
}

// One pair of the mapping.
static bool read_least(const YamlNode *key, const YamlNode *value, const Plan *plan, const Group *group, double *scale,
                       Error *err)
{
    const YamlNode *place = value->origin->override ? value : key;
    const bool      single = plan->precision == PRECISION_SINGLE;
    size_t          dof;
    char            what[96];
    if (!find_coordinate(place, key->text, group, &dof, err))
        return false;
    if (scale[dof] > 0.0)
        return yaml_fail(place, err, "newton.scale: '%s' is coordinate '%s' a second time, leave one of them out",
                         key->text, group->coordinates[dof].name);
    snprintf(what, sizeof what, "newton.scale.%.60s", key->text);
    if (!yaml_number(value, what, &scale[dof], err))
        return false;
    if (scale[dof] <= 0.0)
        return yaml_fail(value, err, "%s: %.60s is too small, it must be greater than 0", what, value->text);
    return !single || scale[dof] <= (double)FLT_MAX ||
           yaml_fail(value, err, "%s: %.60s is too large for single precision", what, value->text);
}

bool newton_make_scale(const YamlNode *all, const YamlNode *own, Plan *plan, Group *group, Error *err)
{
    const YamlNode *said = yaml_find(own, "scale"), *node = said ? said : yaml_find(all, "scale");
    if (!node)
        return true;
    if (!yaml_is_mapping(node, "newton.scale", err))
        return false;
    double *scale = arena_take(&plan->arena, group->dofs, sizeof *scale, err);
    for (size_t i = 0; scale && i < node->count; ++i)
        if (!read_least(node->keys[i], node->items[i], plan, group, scale, err))
            return false;
    if (node->count > 0 && group_iterates(group) && !group->newton.scaled_residual)
        return yaml_fail(
            node, err,
            "newton.scale: '%s' has `residual: raw`, which goes by no sizes; leave scale out, or give that "
            "entry `scale: {}`",
            group->label);
    group->newton.scale = node->count > 0 && group_iterates(group) ? scale : NULL;
    return scale != NULL;
}

static bool read_substeps(const YamlNode *node, Substeps *substeps, Error *err)
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

bool newton_make_substeps(const YamlNode *all, const YamlNode *own, Group *group, Error *err)
{
    group->substeps = substeps_default;
    return read_substeps(all, &group->substeps, err) && read_substeps(own, &group->substeps, err);
}
