// system -- reads a problem that a sweep file gives by formulas, or by matrices (plan/matrices.h).
#include "plan/curves.h"
#include "plan/derivatives.h"
#include "plan/plan_make.h"
#include "plan/system_reading.h"
#include "expression/manufactured.h"

#include <string.h>

#define BIT(kind) (1U << (kind))
static const unsigned state = BIT(NODE_COORDINATE) | BIT(NODE_VELOCITY), all = state | BIT(NODE_TIME);

static const char *const system_keys[] = {
    "name",    "title",     "coordinates", "acceleration", "rate",  "start",  "start_velocity", "parameters",
    "define",  "energy",    "kinetic",     "potential",    "exact", "fast",   "slow",           "mass",
    "damping", "stiffness", "force",       "state",        "base",  "tables", "manufactured"};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

// A formula of a scalar node that depends on none of the kinds of leaf that `never` lists.
//   what   names it in messages: "acceleration of 'x'"
//   never  bits 1 << NodeKind
// NULL on failure.
static const Node *read_formula(SystemReading *reading, const YamlNode *node, const char *what, unsigned never)
{
    return formula_read_of(reading->table, node, what, never, reading->err);
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

// `define: {r: "sqrt(x^2 + y^2)", near: "r < 1"}`: names for parts of formulas, each of which may use the names before
// it.
static bool read_definitions(SystemReading *reading)
{
    const YamlNode *node = yaml_said(reading->node, "define");
    if (node && !yaml_is_mapping(node, "define", reading->err))
        return false;
    reading->table->words.conditions = true;
    for (size_t i = 0; node && i < node->count; ++i) {
        const char *name = node->keys[i]->text;
        if (!system_reading_name(reading, node->keys[i], "define"))
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
    if (!system_reading_numbered(of))
        return read_formula(reading, node, what, never);
    if (!expression_name(table, system_reading_index, expression_number(table, (double)k)))
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
    const YamlNode *node = yaml_said(reading->node, key);
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
            if (!(read[i] = read_member(reading, system_reading_entry(node, e), what, never, &reading->entries[e], k)))
                return false;
        }
    *nodes = read;
    return read != NULL;
}

static bool read_scalar(SystemReading *reading, const char *key, unsigned never, const Node **formula)
{
    const YamlNode *node = yaml_said(reading->node, key);
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
    const YamlNode *node = yaml_said(reading->node, system_reading_motion(reading));
    Text            text = {0};
    if (!node)
        text_add(&text, "%s", reading->system.first_order ? "u' = A u + f" : "M x'' + D x' + K x = f");
    for (size_t e = 0; node && e < reading->entry_count; ++e) {
        const Indexed *of = &reading->entries[e];
        text_add(&text, "%s%s%s%s = ", e == 0 ? "" : "; ",
                 system_reading_numbered(of) ? of->name : reading->system.coordinates[of->first],
                 system_reading_numbered(of) ? "[i]" : "", reading->system.first_order ? "'" : "''");
        add_flat(&text, system_reading_entry(node, e)->text);
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
    const YamlNode *name = yaml_said(reading->node, "name");
    system->name = "own_system";
    if (name && (!yaml_text(name, "name", &system->name, reading->err) ||
                 (!yaml_spells_name(system->name) &&
                  !yaml_fail(name, reading->err, "name: letters, digits and _ make a name, beginning with no digit"))))
        return false;
    if (catalog_find(reading->plan->catalog, CARD_PROBLEM, system->name))
        return yaml_fail(name, reading->err, "name: the program has a problem '%.60s', choose another", system->name);
    const YamlNode *title = yaml_find(reading->node, "title");
    return !title || yaml_line(title, "title", &system->title, reading->err);
}

// Refuses keys that repeat other keys, or that the system has nothing of.
static bool refuse_keys(SystemReading *reading, const char *const *keys, size_t count, const char *why)
{
    for (size_t i = 0; i < count; ++i)
        if (yaml_said(reading->node, keys[i]))
            return yaml_fail(yaml_said(reading->node, keys[i]), reading->err, "%s: %s, leave it out", keys[i], why);
    return true;
}

static bool check_form(SystemReading *reading)
{
    static const char *const energies[] = {"energy", "kinetic", "potential"};
    static const char *const matrices[] = {"mass", "damping", "stiffness", "base", "state", "force"};
    const size_t             of_rate = LENGTH(matrices) - 2;  // `state` and `force` are a rate
    static const char *const of_second[] = {"acceleration", "start_velocity", "kinetic", "potential"};
    const bool               rate = yaml_said(reading->node, "rate") != NULL;
    reading->system.first_order = rate || matrices_given_state(reading->node);
    if (reading->system.first_order)
        return refuse_keys(
                   reading, of_second, LENGTH(of_second),
                   rate ? "a system of first order has no velocities (write them as coordinates: their rates are "
                          "accelerations)"
                        : "a system of first order has no velocities") &&
               refuse_keys(reading, matrices, rate ? LENGTH(matrices) : of_rate,
                           rate ? "the rate is given already" : "a system of first order has none");
    if (yaml_said(reading->node, "acceleration"))
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
    const MatrixReading matrices = system_reading_matrices(reading);
    const Node        **force = NULL;
    return take_zeros(reading, &force) && read_vector(reading, "force", "on", 0, &force) &&
           matrices_read(&matrices, force, &reading->system);
}

static bool read_formulas(SystemReading *reading)
{
    System     *system = &reading->system;
    const char *key = system_reading_motion(reading);
    if (!(yaml_said(reading->node, key) ? read_vector(reading, key, "of", 0, &system->acceleration)
                                        : read_matrices(reading)))
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
    const YamlNode          *node = yaml_said(reading->node, "manufactured");
    const Node             **motion = NULL;
    if (!node)
        return true;
    if (!refuse_keys(reading, own, LENGTH(own), "the manufactured solution gives it") ||
        !read_vector(reading, "manufactured", "solution of", state, &motion))
        return false;
    for (size_t i = 0; i < reading->system.dofs; ++i)
        if (expression_uses(motion[i], NODE_TABLE))
            return yaml_fail(system_reading_entry(node, i), reading->err,
                             "manufactured: a table has no second derivative, write a smooth formula");
    return manufactured_add(reading->table, motion, &reading->system);
}

static bool read_all(SystemReading *reading)
{
    Expressions *table = reading->table;
    return yaml_check_keys(reading->node, "the problem", system_keys, LENGTH(system_keys), reading->err) &&
           check_form(reading) && read_names(reading) &&
           expression_name(table, "t", expression_leaf(table, NODE_TIME, 0)) &&
           expression_name(table, "pi", expression_leaf(table, NODE_PI, 0)) && system_reading_coordinates(reading) &&
           system_reading_parameters(reading) && read_definitions(reading) && read_formulas(reading) &&
           read_manufactured(reading) && write_equation(reading);
}

static bool is_damped(const System *system)
{
    for (size_t i = 0; i < system->dofs; ++i)
        if (!system->first_order && expression_uses(system->acceleration[i], NODE_VELOCITY))
            return true;
    return false;
}

// The parameters whose names stand under `derivatives`; whether others stand there too is found by groups.
static bool mark_derived(SystemReading *reading)
{
    System *system = &reading->system;
    bool   *derived = arena_take(&reading->arena, system->parameter_count + 1, sizeof *derived, reading->err);
    size_t  place;
    for (size_t i = 0; derived && i < system->parameter_count; ++i)
        derived[i] = derivatives_name(reading->plan, system->parameters[i].name, &place);
    system->derived = derived;
    return derived != NULL;
}

// The card, from the file that the system is written as.
static const Card *make_card(SystemReading *reading)
{
    Arena      *arena = &reading->plan->arena;
    Text        text = {0};
    Card       *card = arena_take(arena, 1, sizeof *card, reading->err);
    const char *path = arena_format(arena, reading->err, "%s.cl", reading->system.name);
    if (derivatives_asked(reading->plan) && !mark_derived(reading))
        return NULL;
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
