// system -- reads a problem that a sweep file gives by formulas, or by matrices (plan/matrices.h).
#include "plan/axis.h"
#include "plan/matrices.h"
#include "plan/plan_make.h"
#include "expression/formula.h"
#include "expression/manufactured.h"

#include <math.h>
#include <string.h>

#define BIT(kind) (1U << (kind))
static const unsigned state = BIT(NODE_COORDINATE) | BIT(NODE_VELOCITY), all = state | BIT(NODE_TIME);

static const char *const system_keys[] = {
    "name",    "title",     "coordinates", "acceleration", "rate",  "start",  "start_velocity", "parameters",
    "define",  "energy",    "kinetic",     "potential",    "exact", "fast",   "slow",           "mass",
    "damping", "stiffness", "force",       "state",        "base",  "tables", "manufactured"};
static const char *const parameter_keys[] = {"default", "min", "max", "above", "below", "unit", "about"};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

// The number of a coordinate in its own formulas: a[i].
static const char index_name[] = "i";

// A system in the making.
typedef struct SystemReading {
    Plan           *plan;
    const YamlNode *node;  // the mapping under `problem`
    Arena           arena;
    Expressions    *table;
    System          system;
    Indexed        *entries;  // [entry_count] of `coordinates`, each one coordinate or many with numbers
    size_t          entry_count;
    Error          *err;
} SystemReading;

// The key of the equations, which a linear system lacks.
static const char *motion_key(const SystemReading *reading)
{
    return reading->system.first_order ? "rate" : "acceleration";
}

static YamlNode *find(const SystemReading *reading, const char *key)
{
    return yaml_said(reading->node, key);
}

// A formula of a scalar node that depends on none of the kinds of leaf that `never` lists.
//   what   names it in messages: "acceleration of 'x'"
//   never  bits 1 << NodeKind
// NULL on failure.
static const Node *read_formula(SystemReading *reading, const YamlNode *node, const char *what, unsigned never)
{
    return formula_read_of(reading->table, node, what, never, reading->err);
}

static MatrixReading matrices_of(SystemReading *reading)
{
    return (MatrixReading){reading->plan, reading->node, &reading->arena, reading->table, reading->err};
}

// A name that nothing else has.
static bool check_name(SystemReading *reading, const YamlNode *node, const char *what)
{
    const char *name = node->text;
    if (node->kind != YAML_SCALAR || !yaml_spells_name(name))
        return yaml_fail(node, reading->err, "%s: letters, digits and _ make a name, beginning with no digit", what);
    if (expression_function(name, strlen(name)) != FUNCTION_COUNT)
        return yaml_fail(node, reading->err, "%s '%.60s': a function has this name, choose another", what, name);
    if (expression_knows_call(reading->table, name))
        return yaml_fail(node, reading->err, "%s '%.60s': a table has this name, choose another", what, name);
    if (expression_reserves(name) || (reading->table->words.indexed_count > 0 && strcmp(name, index_name) == 0))
        return yaml_fail(node, reading->err, "%s '%.60s': the name is reserved, choose another", what, name);
    for (size_t i = 0; i < reading->table->words.indexed_count; ++i)
        if (strcmp(reading->table->words.indexed[i].name, name) == 0)
            return yaml_fail(node, reading->err, "%s '%.60s': the name is taken, choose another", what, name);
    return !expression_find(reading->table, name) ||
           yaml_fail(node, reading->err, "%s '%.60s': the name is taken, choose another", what, name);
}

// The k-th of the entries under a key, which a single coordinate needs no brackets for.
static const YamlNode *entry(const YamlNode *node, size_t k)
{
    return node->kind == YAML_SEQUENCE ? node->items[k] : node;
}

static bool check_count(SystemReading *reading, const YamlNode *node, const char *key)
{
    const size_t count = node->kind == YAML_SCALAR ? 1 : node->count, wanted = reading->entry_count;
    const bool   many = wanted < reading->system.dofs;
    return count == wanted || yaml_fail(node, reading->err, "%s: %zu formula%s for %zu %s%s", key, count,
                                        count == 1 ? "" : "s", wanted, many ? "name" : "coordinate",
                                        wanted == 1 ? ""
                                        : many      ? "s of coordinates"
                                                    : "s");
}

// A name that formulas know: a coordinate, and in a system of second order its velocity.
static bool name_coordinate(SystemReading *reading, const YamlNode *node, const char *name, size_t i)
{
    Expressions *table = reading->table;
    if (!expression_name(table, name, expression_leaf(table, NODE_COORDINATE, i)))
        return false;
    if (reading->system.first_order)
        return true;
    const char *velocity = arena_format(&reading->arena, reading->err, "v_%s", name);
    if (!velocity)
        return false;
    if (expression_find(table, velocity))
        return yaml_fail(node, reading->err, "coordinate '%.60s': the name '%.60s' is taken", name, velocity);
    return expression_name(table, velocity, expression_leaf(table, NODE_VELOCITY, i));
}

// Whether formulas call these coordinates by a name and a number: the name is not that of one.
static bool has_numbers(const Indexed *entry)
{
    return entry->name != NULL;
}

// How many coordinates `{a: 16}` or `{a: n}` makes, n a whole number under `define`; any other text is the unit of one.
static bool read_size(SystemReading *reading, const YamlNode *name, const YamlNode *size, Indexed *entry)
{
    const YamlNode *define = find(reading, "define"), *named = NULL;
    double          number = 0.0;
    int64_t         count;
    entry->count = 1;
    if (size->kind != YAML_SCALAR)
        return true;
    if (define && define->kind == YAML_MAPPING)
        named = yaml_find(define, size->text);
    if (named ? named->kind != YAML_SCALAR || !yaml_parse_number(named->text, &number)
              : !yaml_parse_number(size->text, &number) || number == 1.0)
        return true;
    if (!yaml_whole(named ? named : size, "coordinates", 1, CARD_DOFS, &count, reading->err))
        return false;
    *entry = (Indexed){.name = name->text, .kind = NODE_COORDINATE, .count = (size_t)count};
    return true;
}

// The entries of `coordinates`, and how many coordinates they are.
static bool read_entries(SystemReading *reading, const YamlNode *node, size_t *dofs)
{
    const bool units = node && node->kind == YAML_MAPPING;
    reading->entry_count = *dofs;
    reading->entries = arena_take(&reading->arena, *dofs, sizeof *reading->entries, reading->err);
    *dofs = 0;
    for (size_t e = 0; e < reading->entry_count; ++e) {
        Indexed *entry = reading->entries ? &reading->entries[e] : NULL;
        if (!entry || (units && !read_size(reading, node->keys[e], node->items[e], entry)))
            return false;
        entry->count = units ? entry->count : 1;
        entry->first = *dofs;
        *dofs += entry->count;
    }
    return true;
}

// Makes the names that stand before a number known, of coordinates and of velocities.
static bool name_indexed(SystemReading *reading, const YamlNode *node)
{
    FormulaWords *words = &reading->table->words;
    Indexed      *indexed = arena_take(&reading->arena, 2 * reading->entry_count, sizeof *indexed, reading->err);
    words->indexed = indexed;
    for (size_t e = 0; indexed && e < reading->entry_count; ++e) {
        const Indexed entry = reading->entries[e];
        if (!has_numbers(&entry))
            continue;
        if (!check_name(reading, node->keys[e], "coordinate"))
            return false;
        indexed[words->indexed_count++] = entry;
        if (reading->system.first_order)
            continue;
        const char *velocity = arena_format(&reading->arena, reading->err, "v_%s", entry.name);
        if (!velocity)
            return false;
        indexed[words->indexed_count++] = (Indexed){velocity, NODE_VELOCITY, entry.first, entry.count};
    }
    return indexed != NULL;
}

// `x`, `[x, y]`, or with units `{r: m, theta: rad}`; `{a: 16}` makes a0 to a15; of matrices q0, q1, ... where they have
// no names.
//   k  the number of the coordinate in its entry
static bool read_coordinate(SystemReading *reading, const YamlNode *node, size_t e, size_t k)
{
    System         *system = &reading->system;
    const Indexed  *of = &reading->entries[e];
    const size_t    i = of->first + k;
    const bool      units = node && node->kind == YAML_MAPPING;
    const YamlNode *name = units ? node->keys[e] : node ? entry(node, e) : NULL;
    system->units[i] = "1";
    if (name && !has_numbers(of) && !check_name(reading, name, "coordinate"))
        return false;
    if (name && dof_reserves(name->text))
        return yaml_fail(name, reading->err, "coordinate '%s': the word has a meaning under `of`, choose another",
                         name->text);
    if (units && !has_numbers(of) &&
        (!yaml_text(node->items[e], "coordinates", &system->units[i], reading->err) ||
         !dof_check_unit(node->items[e], system->units[i], reading->err)))
        return false;
    system->coordinates[i] = has_numbers(of) ? arena_format(&reading->arena, reading->err, "%s%zu", of->name, k)
                             : name          ? name->text
                                             : arena_format(&reading->arena, reading->err, "q%zu", i);
    if (!system->coordinates[i])
        return false;
    if (has_numbers(of) && expression_find(reading->table, system->coordinates[i]))
        return yaml_fail(name, reading->err, "coordinate '%s': the name '%s' is taken", of->name,
                         system->coordinates[i]);
    return name_coordinate(reading, name, system->coordinates[i], i);
}

static bool read_coordinates(SystemReading *reading)
{
    const YamlNode     *node = find(reading, "coordinates");
    System             *system = &reading->system;
    const bool          moves = find(reading, motion_key(reading));
    size_t              named = node && node->kind != YAML_SCALAR ? node->count : 1;
    const MatrixReading matrices = matrices_of(reading);
    if (!node && moves)
        return yaml_fail(reading->node, reading->err, "problem: name the coordinates, as in `coordinates: [x]`");
    if (node && !read_entries(reading, node, &named))
        return false;
    size_t dofs = named;
    if (!moves && !matrices_count(&matrices, &dofs))
        return false;
    if (dofs == 0 || dofs > CARD_DOFS)
        return yaml_fail(node, reading->err, "coordinates: %zu of them, 1 to %d are possible", dofs, CARD_DOFS);
    if (node && named != dofs)
        return yaml_fail(node, reading->err, "coordinates: %zu name%s for %zu coordinate%s", named,
                         named == 1 ? "" : "s", dofs, dofs == 1 ? "" : "s");
    system->dofs = dofs;
    system->coordinates = arena_take(&reading->arena, dofs, sizeof *system->coordinates, reading->err);
    system->units = arena_take(&reading->arena, dofs, sizeof *system->units, reading->err);
    if (!system->coordinates || !system->units || (!node && !read_entries(reading, NULL, &dofs)) ||
        !name_indexed(reading, node))
        return false;
    bool read = true;
    for (size_t e = 0; read && e < reading->entry_count; ++e)
        for (size_t k = 0; read && k < reading->entries[e].count; ++k)
            read = read_coordinate(reading, node, e, k);
    return read;
}

// An axis's first value is the default of its parameter.
static bool first_value(SystemReading *reading, const YamlNode *node, const char *what, double *value)
{
    const Range anything = {.least = -INFINITY, .most = INFINITY};
    AxisText    axis;
    if (!axis_read(node, what, &anything, &axis, reading->err))
        return false;
    if (axis.form == FORM_LIST)
        return yaml_number(node->items[0], what, value, reading->err);
    *value = axis.first;
    return true;
}

static bool read_bound(SystemReading *reading, const YamlNode *node, const char *closed, const char *open,
                       double *bound, bool *is_open)
{
    const YamlNode *at = yaml_find(node, closed), *beyond = yaml_find(node, open);
    if (at && beyond)
        return yaml_fail(beyond, reading->err, "%s: %s is there too, leave one of them out", open, closed);
    *is_open = beyond != NULL;
    return (!at && !beyond) || yaml_number(at ? at : beyond, at ? closed : open, bound, reading->err);
}

static bool read_words(SystemReading *reading, const YamlNode *node, const char *key, const char **words)
{
    const YamlNode *said = yaml_find(node, key);
    return !said || yaml_line(said, key, words, reading->err);
}

// {default: 1, min: 0, unit: 1/s}: as on the card of a problem file.
static bool read_declared(SystemReading *reading, const YamlNode *node, SystemParameter *parameter)
{
    const YamlNode *initial = yaml_find(node, "default");
    char            text[AXIS_TEXT];
    if (!yaml_check_keys(node, "a parameter", parameter_keys, LENGTH(parameter_keys), reading->err) ||
        !read_bound(reading, node, "min", "above", &parameter->least, &parameter->least_open) ||
        !read_bound(reading, node, "max", "below", &parameter->most, &parameter->most_open) ||
        !read_words(reading, node, "unit", &parameter->unit) || !read_words(reading, node, "about", &parameter->about))
        return false;
    if (parameter->least > parameter->most)
        return yaml_fail(node, reading->err, "parameter '%s': its range is empty", parameter->name);
    if (!initial)
        return (isfinite(parameter->least) && isfinite(parameter->most)) ||
               yaml_fail(node, reading->err, "parameter '%s' has neither a default nor a range", parameter->name);
    if (!yaml_number(initial, "default", &parameter->initial, reading->err))
        return false;
    const Range range = {parameter->least, parameter->most, parameter->least_open, parameter->most_open, false};
    const char *reason = axis_refuses(&range, parameter->initial, text);
    return !reason || yaml_fail(initial, reading->err, "parameter '%s': %s", parameter->name, reason);
}

static bool is_declared(const YamlNode *node)
{
    if (node->kind != YAML_MAPPING)
        return false;
    for (size_t i = 0; i < LENGTH(parameter_keys); ++i)
        if (yaml_find(node, parameter_keys[i]))
            return true;
    return false;
}

// The sweep's own `parameters` take precedence over the ones here.
static bool read_parameters(SystemReading *reading)
{
    YamlNode *node = find(reading, "parameters"), *root = reading->plan->spec->root,
             *given = yaml_find(root, "parameters");
    System *system = &reading->system;
    Plan   *plan = reading->plan;
    if (!node)
        return true;
    if (!yaml_is_mapping(node, "parameters", reading->err))
        return false;
    system->parameter_count = node->count;
    system->parameters = arena_take(&reading->arena, node->count, sizeof *system->parameters, reading->err);
    plan->parameters = yaml_new_mapping(given ? given : node, &plan->arena, reading->err);
    if (!system->parameters || !plan->parameters)
        return false;
    for (size_t i = 0; i < node->count; ++i) {
        SystemParameter *parameter = &system->parameters[i];
        *parameter = (SystemParameter){.name = node->keys[i]->text,
                                       .unit = "1",
                                       .about = "parameter of the sweep file's equations",
                                       .initial = NAN,
                                       .least = -INFINITY,
                                       .most = INFINITY};
        const char *what = arena_format(&reading->arena, reading->err, "parameter '%s'", parameter->name);
        if (!what || !check_name(reading, node->keys[i], "parameter"))
            return false;
        if (!catalog_names_parameter(plan->catalog, parameter->name))
            return yaml_fail(node->keys[i], reading->err, "%s: the name is reserved, choose another", what);
        if (is_declared(node->items[i])) {
            if (!read_declared(reading, node->items[i], parameter))
                return false;
        } else if (!first_value(reading, node->items[i], what, &parameter->initial)) {
            return false;
        } else if (node->items[i]->kind != YAML_SCALAR &&
                   !yaml_put(plan->parameters, parameter->name, node->items[i], &plan->arena, reading->err)) {
            return false;
        }
        if (!expression_name(reading->table, parameter->name, expression_leaf(reading->table, NODE_PARAMETER, i)))
            return false;
    }
    return true;
}

// The sweep's own `parameters` on top of the axes that stand with the problem.
static bool merge_parameters(SystemReading *reading)
{
    Plan           *plan = reading->plan;
    const YamlNode *given = yaml_said(plan->spec->root, "parameters");
    if (given && !yaml_is_mapping(given, "parameters", reading->err))
        return false;
    for (size_t i = 0; plan->parameters && given && i < given->count; ++i)
        if (!yaml_put(plan->parameters, given->keys[i]->text, given->items[i], &plan->arena, reading->err))
            return false;
    return true;
}

// `define: {r: "sqrt(x^2 + y^2)", near: "r < 1"}`: names for parts of formulas, each of which may use the names before
// it.
static bool read_definitions(SystemReading *reading)
{
    const YamlNode *node = find(reading, "define");
    if (node && !yaml_is_mapping(node, "define", reading->err))
        return false;
    reading->table->words.conditions = true;
    for (size_t i = 0; node && i < node->count; ++i) {
        const char *name = node->keys[i]->text;
        if (!check_name(reading, node->keys[i], "define"))
            return false;
        const Node *formula =
            read_formula(reading, node->items[i], arena_format(&reading->arena, reading->err, "define '%s'", name), 0);
        if (!formula || !expression_name(reading->table, name, formula))
            return false;
    }
    reading->table->words.conditions = false;
    return true;
}

// The formula of a coordinate; where it has a number the index has its value there.
//   k  the number of the coordinate in its entry
static const Node *read_member(SystemReading *reading, const YamlNode *node, const char *what, unsigned never,
                               const Indexed *of, size_t k)
{
    Expressions *table = reading->table;
    if (!has_numbers(of))
        return read_formula(reading, node, what, never);
    if (!expression_name(table, index_name, expression_number(table, (double)k)))
        return NULL;
    const Node *formula = read_formula(reading, node, what, never);
    --table->words.name_count;
    return formula;
}

// A formula for each entry of `coordinates`. Where the key is absent *nodes is left alone.
//   of     stands between key and coordinate in messages
//   nodes  [dofs]
static bool read_vector(SystemReading *reading, const char *key, const char *of, unsigned never, const Node ***nodes)
{
    const YamlNode *node = find(reading, key);
    if (!node)
        return true;
    if (!check_count(reading, node, key))
        return false;
    const Node **read = arena_take(&reading->arena, reading->system.dofs, sizeof *read, reading->err);
    for (size_t e = 0; read && e < reading->entry_count; ++e)
        for (size_t k = 0; k < reading->entries[e].count; ++k) {
            const size_t i = reading->entries[e].first + k;
            const char  *what =
                arena_format(&reading->arena, reading->err, "%s %s '%s'", key, of, reading->system.coordinates[i]);
            if (!(read[i] = read_member(reading, entry(node, e), what, never, &reading->entries[e], k)))
                return false;
        }
    *nodes = read;
    return read != NULL;
}

static bool read_scalar(SystemReading *reading, const char *key, unsigned never, const Node **formula)
{
    const YamlNode *node = find(reading, key);
    return !node || (*formula = read_formula(reading, node, key, never));
}

// Formulas that stand for nothing: rest at 0.
static bool take_zeros(SystemReading *reading, const Node ***nodes)
{
    const size_t n = reading->system.dofs;
    const Node  *zero = expression_number(reading->table, 0.0);
    const Node **zeros = arena_take(&reading->arena, n, sizeof *zeros, reading->err);
    for (size_t i = 0; zeros && i < n; ++i)
        zeros[i] = zero;
    *nodes = zeros;
    return zeros && zero;
}

// Adds a text as one line with single spaces, for the card.
static void add_flat(Text *text, const char *words)
{
    for (const char *at = words; *at; ++at)
        if (*at != ' ' && *at != '\n' && *at != '\t')
            text_add_bytes(text, at, 1);
        else if (at[1] && !strchr(" \n\t", at[1]))
            text_add_bytes(text, " ", 1);
}

// Without a title the equation is it, where it is short: pictures have a line for it.
static bool write_equation(SystemReading *reading)
{
    enum { LONGEST_TITLE = 72 };
    const YamlNode *node = find(reading, motion_key(reading));
    Text            text = {0};
    if (!node)
        text_add(&text, "%s", reading->system.first_order ? "u' = A u + f" : "M x'' + D x' + K x = f");
    for (size_t e = 0; node && e < reading->entry_count; ++e) {
        const Indexed *of = &reading->entries[e];
        text_add(&text, "%s%s%s%s = ", e == 0 ? "" : "; ",
                 has_numbers(of) ? of->name : reading->system.coordinates[of->first], has_numbers(of) ? "[i]" : "",
                 reading->system.first_order ? "'" : "''");
        add_flat(&text, entry(node, e)->text);
    }
    const char *equation = text_keep(&text, &reading->arena, reading->err);
    reading->system.equation = equation;
    if (equation && !reading->system.title)
        reading->system.title = strlen(equation) <= LONGEST_TITLE ? equation : "System of the sweep file";
    return equation != NULL;
}

static bool read_names(SystemReading *reading)
{
    System         *system = &reading->system;
    const YamlNode *name = find(reading, "name");
    system->name = "own_system";
    if (name && (!yaml_text(name, "name", &system->name, reading->err) ||
                 (!yaml_spells_name(system->name) &&
                  !yaml_fail(name, reading->err, "name: letters, digits and _ make a name, beginning with no digit"))))
        return false;
    if (catalog_find(reading->plan->catalog, CARD_PROBLEM, system->name))
        return yaml_fail(name, reading->err, "name: the program has a problem '%.60s', choose another", system->name);
    return read_words(reading, reading->node, "title", &system->title);
}

// Refuses keys that repeat other keys, or that the system has nothing of.
static bool refuse_keys(SystemReading *reading, const char *const *keys, size_t count, const char *why)
{
    for (size_t i = 0; i < count; ++i)
        if (find(reading, keys[i]))
            return yaml_fail(find(reading, keys[i]), reading->err, "%s: %s, leave it out", keys[i], why);
    return true;
}

static bool check_form(SystemReading *reading)
{
    static const char *const energies[] = {"energy", "kinetic", "potential"};
    static const char *const matrices[] = {"mass", "damping", "stiffness", "base", "state", "force"};
    const size_t             of_rate = LENGTH(matrices) - 2;  // `state` and `force` are a rate
    static const char *const of_second[] = {"acceleration", "start_velocity", "kinetic", "potential"};
    const bool               rate = find(reading, "rate") != NULL;
    reading->system.first_order = rate || matrices_given_state(reading->node);
    if (reading->system.first_order)
        return refuse_keys(reading, of_second, LENGTH(of_second), "a system of first order has no velocities") &&
               refuse_keys(reading, matrices, rate ? LENGTH(matrices) : of_rate,
                           rate ? "the rate is given already" : "a system of first order has none");
    if (find(reading, "acceleration"))
        return refuse_keys(reading, matrices, LENGTH(matrices), "the acceleration is given already");
    if (matrices_given(reading->node))
        return refuse_keys(reading, energies, LENGTH(energies), "it follows from the matrices");
    return yaml_fail(
        reading->node, reading->err,
        "problem: give the acceleration of each coordinate, the rate of each in a system of first order, or "
        "the matrices of a linear system: mass, damping, stiffness, or state in a system of first order");
}

static bool read_matrices(SystemReading *reading)
{
    const MatrixReading matrices = matrices_of(reading);
    const Node        **force = NULL;
    return take_zeros(reading, &force) && read_vector(reading, "force", "on", 0, &force) &&
           matrices_read(&matrices, force, &reading->system);
}

static bool read_formulas(SystemReading *reading)
{
    System     *system = &reading->system;
    const char *key = motion_key(reading);
    if (!(find(reading, key) ? read_vector(reading, key, "of", 0, &system->acceleration) : read_matrices(reading)))
        return false;
    if (!take_zeros(reading, &system->start) || !take_zeros(reading, &system->start_velocity) ||
        !read_vector(reading, "start", "of", all, &system->start) ||
        !read_vector(reading, "start_velocity", "of", all, &system->start_velocity) ||
        !read_vector(reading, "exact", "of", state, &system->exact) ||
        !read_scalar(reading, "kinetic", BIT(NODE_TIME), &system->kinetic) ||
        !read_scalar(reading, "potential", BIT(NODE_TIME) | BIT(NODE_VELOCITY), &system->potential) ||
        !read_scalar(reading, "energy", BIT(NODE_TIME), &system->energy) ||
        !read_scalar(reading, "fast", BIT(NODE_TIME) | BIT(NODE_VELOCITY), &system->fast) ||
        !read_scalar(reading, "slow", BIT(NODE_TIME) | BIT(NODE_VELOCITY), &system->slow))
        return false;
    if (!system->energy && system->kinetic && system->potential)
        system->energy = expression_add(reading->table, system->kinetic, system->potential);
    if (!system->slow && system->dofs == 1)
        system->slow = expression_leaf(reading->table, NODE_COORDINATE, 0);
    return true;
}

// A motion in place of the start, and the force by which it is the solution.
static bool read_manufactured(SystemReading *reading)
{
    static const char *const own[] = {"start", "start_velocity", "exact"};
    const YamlNode          *node = find(reading, "manufactured");
    const Node             **motion = NULL;
    if (!node)
        return true;
    if (!refuse_keys(reading, own, LENGTH(own), "the manufactured solution gives it") ||
        !read_vector(reading, "manufactured", "solution of", state, &motion))
        return false;
    for (size_t i = 0; i < reading->system.dofs; ++i)
        if (expression_uses(motion[i], NODE_TABLE))
            return yaml_fail(entry(node, i), reading->err,
                             "manufactured: a table has no second derivative, write a smooth formula");
    return manufactured_add(reading->table, motion, &reading->system);
}

static bool read_all(SystemReading *reading)
{
    Expressions *table = reading->table;
    return yaml_check_keys(reading->node, "the problem", system_keys, LENGTH(system_keys), reading->err) &&
           check_form(reading) && read_names(reading) &&
           expression_name(table, "t", expression_leaf(table, NODE_TIME, 0)) &&
           expression_name(table, "pi", expression_leaf(table, NODE_PI, 0)) && read_coordinates(reading) &&
           read_parameters(reading) && merge_parameters(reading) && read_definitions(reading) &&
           read_formulas(reading) && read_manufactured(reading) && write_equation(reading);
}

static bool is_damped(const System *system)
{
    for (size_t i = 0; i < system->dofs; ++i)
        if (!system->first_order && expression_uses(system->acceleration[i], NODE_VELOCITY))
            return true;
    return false;
}

// The card, from the file that the system is written as.
static const Card *make_card(SystemReading *reading)
{
    Arena      *arena = &reading->plan->arena;
    Text        text = {0};
    Card       *card = arena_take(arena, 1, sizeof *card, reading->err);
    const char *path = arena_format(arena, reading->err, "%s.cl", reading->system.name);
    const bool  written = card && path && system_write(&reading->system, reading->table, &text);
    const char *copy = text_keep(&text, arena, reading->err);
    if (!written || !copy || !card_read(path, copy, arena, card, reading->err) ||
        !catalog_check_card(reading->plan->catalog, card, reading->err) ||
        !curves_choose(reading->plan, reading->node, card, reading->err))
        return NULL;
    card->damped = is_damped(&reading->system);
    return card;
}

// Formulas may call all tables of the sweep.
static bool know_tables(SystemReading *reading)
{
    const Plan *plan = reading->plan;
    CurveSet   *curves = arena_take(&reading->arena, 1, sizeof *curves, reading->err);
    if (curves)
        *curves = (CurveSet){.list = plan->tables, .count = plan->table_count};
    return curves && (plan->table_count == 0 || expression_know_tables(reading->table, curves));
}

const Card *system_read(Plan *plan, const YamlNode *node, Error *err)
{
    SystemReading reading = {.plan = plan, .node = node, .err = err};
    const Card   *card = NULL;
    reading.table = arena_take(&reading.arena, 1, sizeof *reading.table, err);
    if (reading.table) {
        *reading.table = (Expressions){.arena = &reading.arena, .err = err};
        if (know_tables(&reading) && read_all(&reading))
            card = make_card(&reading);
    }
    arena_free(&reading.arena);
    return card;
}
