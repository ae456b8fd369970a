// observe -- reads `observe:`, gives the problem the tables that its formulas call, and writes them as kernel C.
#include "plan/observe.h"
#include "plan/curves.h"
#include "plan/derivatives.h"
#include "plan/plan_make.h"
#include "expression/formula.h"
#include "expression/statements.h"

#include <string.h>

// Quantities in the making.
typedef struct ObserveReading {
    Plan           *plan;
    const YamlNode *node;  // the mapping
    Dof            *dofs;  // [problem->dofs] of the most coordinates that the problem has
    Observing      *observing;
    Expressions    *table;
    Error          *err;
} ObserveReading;

size_t observe_find(const Observing *observing, const char *name)
{
    size_t i = 0;
    while (observing && i < observing->count && strcmp(observing->list[i].name, name) != 0)
        ++i;
    return i;
}

size_t observe_coordinates(const Node *formula)
{
    if (!formula)
        return 0;
    if (formula->kind == NODE_COORDINATE || formula->kind == NODE_VELOCITY || formula->kind == NODE_ACCELERATION)
        return formula->index + 1;
    const size_t left = observe_coordinates(formula->left), right = observe_coordinates(formula->right);
    return left > right ? left : right;
}

// Makes a name known, where none before it is the same.
static bool name_leaf(const ObserveReading *reading, const char *name, NodeKind kind, size_t index)
{
    return name && (expression_find(reading->table, name) ||
                    expression_name(reading->table, name, expression_leaf(reading->table, kind, index)));
}

// a_theta of v_theta, a0 of v0.
static const char *name_acceleration(const ObserveReading *reading, const Dof *dof)
{
    return arena_format(&reading->plan->arena, reading->err, "a%s", dof->velocity + 1);
}

static bool name_leaves(const ObserveReading *reading)
{
    const Card *problem = reading->plan->problem;
    const bool  first = problem->first_order;
    bool        named = name_leaf(reading, "t", NODE_TIME, 0) && name_leaf(reading, "pi", NODE_PI, 0);
    for (size_t i = 0; named && i < problem->parameter_count; ++i) {
        reading->table->parameters[i] = problem->parameters[i].name;
        named = problem->parameters[i].choices || name_leaf(reading, problem->parameters[i].name, NODE_PARAMETER, i);
    }
    for (size_t i = 0; named && i < problem->dofs; ++i)
        named = name_leaf(reading, reading->dofs[i].name, NODE_COORDINATE, i) &&
                name_leaf(reading, reading->dofs[i].velocity, first ? NODE_ACCELERATION : NODE_VELOCITY, i) &&
                (first || name_leaf(reading, name_acceleration(reading, &reading->dofs[i]), NODE_ACCELERATION, i));
    return named;
}

// Reads the formulas, which may call the tables of a set.
static bool read_formulas(ObserveReading *reading, const CurveSet *curves)
{
    Plan *plan = reading->plan;
    reading->table = arena_take(&plan->arena, 1, sizeof *reading->table, reading->err);
    if (!reading->table)
        return false;
    *reading->table = (Expressions){.arena = &plan->arena, .err = reading->err};
    reading->table->parameters =
        arena_take(&plan->arena, plan->problem->parameter_count, sizeof *reading->table->parameters, reading->err);
    if (!reading->table->parameters || !expression_know_tables(reading->table, curves) || !name_leaves(reading))
        return false;
    for (size_t i = 0; i < reading->node->count; ++i) {
        ObservedQuantity *quantity = &reading->observing->list[i];
        quantity->name = reading->node->keys[i]->text;
        quantity->text = reading->node->items[i]->text;
        quantity->formula =
            formula_read(reading->table, reading->node->items[i],
                         arena_format(&plan->arena, reading->err, "observe '%.60s'", quantity->name), reading->err);
        if (!quantity->formula)
            return false;
    }
    return true;
}

static bool is_field(const char *name)
{
    bool found = false;
    for (size_t i = 0; i < FIELD_COUNT; ++i)
        found = found || strcmp(field_table[i].word, name) == 0 || strcmp(field_table[i].name, name) == 0;
    return found;
}

// What else has a name; NULL: nothing.
static const char *find_rival(const ObserveReading *reading, const char *name)
{
    const Card  *problem = reading->plan->problem;
    const size_t n = problem->dofs;
    for (size_t i = 0; i < reading->plan->table_count; ++i)
        if (strcmp(reading->plan->tables[i].name, name) == 0)
            return "a table";
    if (card_parameter(problem, name) < problem->parameter_count)
        return "a parameter";
    if (dof_find_word(reading->dofs, n, false, name) < n)
        return "a coordinate";
    if (dof_find_word(reading->dofs, n, true, name) < n)
        return "a velocity";
    return expression_function(name, strlen(name)) != FUNCTION_COUNT ? "a function"
           : is_field(name)                                          ? "a field of trajectories"
                                                                     : NULL;
}

static bool check_name(const ObserveReading *reading, const YamlNode *node)
{
    const char *name = node->text, *rival;
    if (!yaml_spells_name(name))
        return yaml_fail(node, reading->err, "observe: letters, digits and _ make a name, beginning with no digit");
    if ((rival = find_rival(reading, name)))
        return yaml_fail(node, reading->err, "observe '%.60s': %s has this name, choose another", name, rival);
    return (!catalog_reserves(reading->plan->catalog, name) && !expression_reserves(name) && strcmp(name, "t") != 0 &&
            strcmp(name, "pi") != 0) ||
           yaml_fail(node, reading->err, "observe '%.60s': the name is reserved, choose another", name);
}

static bool check_names(const ObserveReading *reading)
{
    const YamlNode *node = reading->node;
    if (node->count == 0 || node->count > OBSERVE_MOST)
        return yaml_fail(node, reading->err, "observe: %zu quantities, 1 to %d are possible", node->count,
                         OBSERVE_MOST);
    for (size_t i = 0; i < node->count; ++i)
        if (!check_name(reading, node->keys[i]))
            return false;
    return true;
}

static bool write_kernel(const ObserveReading *reading, ObservedQuantity *quantity)
{
    const Node *formula = quantity->formula;
    const bool  first = reading->plan->problem->first_order;
    Text        text = {0};
    text_add(&text, "static real observed_%s(real t, const real x[DOF], const real v[DOF], const Params *p)\n{\n",
             quantity->name);
    if (expression_uses(formula, NODE_ACCELERATION))
        text_add(&text, "    real a[DOF];\n    %s;\n", first ? "rate(t, x, p, a)" : "acceleration(t, x, v, p, a)");
    const bool written = statements_write(reading->table, &(Statement){"return ", formula}, 1, &text);
    text_add(&text, "}\n");
    quantity->kernel = text_keep(&text, &reading->plan->arena, reading->err);
    return written && quantity->kernel;
}

// Partial derivatives of a quantity, to be written: by numbers of a state's vectors, then by parameters.
typedef struct ObservedPartials {
    Statement *statements;
    NodeKind  *kinds;    // of what each is by: NODE_COORDINATE, NODE_VELOCITY, NODE_ACCELERATION, NODE_PARAMETER
    size_t    *numbers;  // of the coordinate
    size_t     count;
} ObservedPartials;

// Adds the partial derivative by one leaf, where it is not 0.
//   place  of a parameter among the names that derivatives are by
static bool add_partial(const ObserveReading *reading, const Node *formula, NodeKind by, size_t index, size_t place,
                        ObservedPartials *partials)
{
    static const char letters[] = {[NODE_COORDINATE] = 'x', [NODE_VELOCITY] = 'v', [NODE_ACCELERATION] = 'a'};
    Arena            *arena = &reading->plan->arena;
    Derivation        derivation;
    if (!expression_derive_by(reading->table, by, index, &derivation))
        return false;
    const Node *slope = expression_derive(&derivation, formula);
    if (!slope)
        return false;
    if (expression_is(slope, 0.0))
        return true;
    const char *target = by == NODE_PARAMETER
                             ? arena_format(arena, reading->err, "d[%zu] = ", place)
                             : arena_format(arena, reading->err, "const real by_%c%zu = ", letters[by], index);
    partials->kinds[partials->count] = by;
    partials->numbers[partials->count] = index;
    partials->statements[partials->count++] = (Statement){target, slope};
    return target != NULL;
}

static bool find_partials(const ObserveReading *reading, const Node *formula, ObservedPartials *partials)
{
    static const NodeKind kinds[] = {NODE_COORDINATE, NODE_VELOCITY, NODE_ACCELERATION};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    const Card  *problem = reading->plan->problem;
    Arena       *arena = &reading->plan->arena;
    const size_t n = observe_coordinates(formula), most = KINDS * n + problem->parameter_count + 1;
    *partials = (ObservedPartials){.statements = arena_take(arena, most, sizeof *partials->statements, reading->err),
                                   .kinds = arena_take(arena, most, sizeof *partials->kinds, reading->err),
                                   .numbers = arena_take(arena, most, sizeof *partials->numbers, reading->err)};
    if (!partials->statements || !partials->kinds || !partials->numbers)
        return false;
    for (size_t k = 0; k < KINDS; ++k)
        for (size_t i = 0; i < n && expression_uses(formula, kinds[k]); ++i)
            if (!add_partial(reading, formula, kinds[k], i, 0, partials))
                return false;
    for (size_t i = 0, place; i < problem->parameter_count; ++i)
        if (derivatives_name(reading->plan, problem->parameters[i].name, &place) &&
            !add_partial(reading, formula, NODE_PARAMETER, i, place, partials))
            return false;
    return true;
}

// The derivative by each name (kernels/tangent.h): that by the name itself, and those by what the state has of it.
static bool write_tangents(const ObserveReading *reading, ObservedQuantity *quantity)
{
    const bool first = reading->plan->problem->first_order, a = expression_uses(quantity->formula, NODE_ACCELERATION);
    ObservedPartials partials;
    Text             text = {0};
    if (!find_partials(reading, quantity->formula, &partials))
        return false;
    text_add(
        &text,
        "static void observed_%s_tangents(real t, const real x[STATE_DOF], const real v[STATE_DOF], const Params *p, "
        "real d[TANGENTS])\n{\n    EACH_TANGENT(j)\n        d[j] = ZERO;\n",
        quantity->name);
    if (a)
        text_add(&text, "    real a[DOF];\n    %s;\n    Linear at;\n    observed_linear(t, x, v, p, &at);\n",
                 first ? "rate(t, x, p, a)" : "acceleration(t, x, v, p, a)");
    const bool written = statements_write(reading->table, partials.statements, partials.count, &text);
    text_add(&text, "    EACH_TANGENT(j) {\n");
    for (size_t k = 0; k < partials.count; ++k) {
        const size_t i = partials.numbers[k];
        if (partials.kinds[k] == NODE_ACCELERATION)
            text_add(&text, "        d[j] = real_fma(by_a%zu, observed_row(&at, x, v, j, %zu), d[j]);\n", i, i);
        else if (partials.kinds[k] != NODE_PARAMETER) {
            const char vector = partials.kinds[k] == NODE_COORDINATE ? 'x' : 'v';
            text_add(&text, "        d[j] = real_fma(by_%c%zu, %c[(j + 1) * DOF + %zu], d[j]);\n", vector, i, vector,
                     i);
        }
    }
    text_add(&text, "    }\n}\n");
    quantity->tangents = text_keep(&text, &reading->plan->arena, reading->err);
    return written && quantity->tangents;
}

bool observe_read(Plan *plan, Error *err)
{
    ObserveReading reading = {.plan = plan, .node = yaml_said(plan->spec->root, "observe"), .err = err};
    const CurveSet all = {.list = plan->tables, .count = plan->table_count}, none = {0};
    if (!reading.node)
        return true;
    if (!yaml_is_mapping(reading.node, "observe", err) ||
        !(reading.observing = arena_take(&plan->arena, 1, sizeof *reading.observing, err)) ||
        !(reading.dofs = dof_list(plan->problem, plan->problem->dofs, &plan->arena, err)) || !check_names(&reading))
        return false;
    // The first time to learn which tables are called; then with the numbers that the problem's tables have.
    if (!read_formulas(&reading, &all) || !curves_add(plan, reading.node, reading.table->called, err) ||
        !read_formulas(&reading, plan->problem->curves ? plan->problem->curves : &none))
        return false;
    reading.observing->count = reading.node->count;
    plan->observing = reading.observing;
    bool written = true;
    for (size_t i = 0; written && i < reading.observing->count; ++i)
        written = write_kernel(&reading, &reading.observing->list[i]) &&
                  (!derivatives_asked(plan) || write_tangents(&reading, &reading.observing->list[i]));
    return written;
}

bool observe_check(const Plan *plan, const Group *group, Error *err)
{
    const YamlNode *node = yaml_said(plan->spec->root, "observe");
    for (size_t i = 0; plan->observing && i < plan->observing->count; ++i)
        if (observe_coordinates(plan->observing->list[i].formula) > group->dofs)
            return yaml_fail(node->items[i], err, "observe '%s': group '%s' has %zu coordinate%s only",
                             plan->observing->list[i].name, group->label, group->dofs, group->dofs == 1 ? "" : "s");
    return true;
}
