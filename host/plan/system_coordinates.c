// system_coordinates -- the coordinates of a problem of formulas or matrices: names, numbers, units, velocities.
#include "plan/system_reading.h"

#include <string.h>

const char system_reading_index[] = "i";

const char *system_reading_motion(const SystemReading *reading)
{
    return reading->system.first_order ? "rate" : "acceleration";
}

MatrixReading system_reading_matrices(SystemReading *reading)
{
    return (MatrixReading){reading->plan, reading->node, &reading->arena, reading->table, reading->err};
}

bool system_reading_name(SystemReading *reading, const YamlNode *node, const char *what)
{
    const char *name = node->text;
    if (node->kind != YAML_SCALAR || !yaml_spells_name(name))
        return yaml_fail(node, reading->err, "%s: letters, digits and _ make a name, beginning with no digit", what);
    if (expression_function(name, strlen(name)) != FUNCTION_COUNT)
        return yaml_fail(node, reading->err, "%s '%.60s': a function has this name, choose another", what, name);
    if (expression_knows_call(reading->table, name))
        return yaml_fail(node, reading->err, "%s '%.60s': a table has this name, choose another", what, name);
    if (expression_reserves(name) ||
        (reading->table->words.indexed_count > 0 && strcmp(name, system_reading_index) == 0))
        return yaml_fail(node, reading->err, "%s '%.60s': the name is reserved, choose another", what, name);
    for (size_t i = 0; i < reading->table->words.indexed_count; ++i)
        if (strcmp(reading->table->words.indexed[i].name, name) == 0)
            return yaml_fail(node, reading->err, "%s '%.60s': the name is taken, choose another", what, name);
    return !expression_find(reading->table, name) ||
           yaml_fail(node, reading->err, "%s '%.60s': the name is taken, choose another", what, name);
}

const YamlNode *system_reading_entry(const YamlNode *node, size_t k)
{
    return node->kind == YAML_SEQUENCE ? node->items[k] : node;
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

bool system_reading_numbered(const Indexed *entry)
{
    return entry->name != NULL;
}

// How many coordinates `{a: 16}` or `{a: n}` makes, n a whole number under `define`; any other text is the unit of one.
static bool read_size(SystemReading *reading, const YamlNode *name, const YamlNode *size, Indexed *entry)
{
    const YamlNode *define = yaml_said(reading->node, "define"), *named = NULL;
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
        if (!system_reading_numbered(&entry))
            continue;
        if (!system_reading_name(reading, node->keys[e], "coordinate"))
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
    const YamlNode *name = units ? node->keys[e] : node ? system_reading_entry(node, e) : NULL;
    system->units[i] = "1";
    if (name && !system_reading_numbered(of) && !system_reading_name(reading, name, "coordinate"))
        return false;
    if (name && dof_reserves(name->text))
        return yaml_fail(name, reading->err, "coordinate '%s': the word has a meaning under `of`, choose another",
                         name->text);
    if (units && !system_reading_numbered(of) &&
        (!yaml_text(node->items[e], "coordinates", &system->units[i], reading->err) ||
         !dof_check_unit(node->items[e], system->units[i], reading->err)))
        return false;
    system->coordinates[i] = system_reading_numbered(of)
                                 ? arena_format(&reading->arena, reading->err, "%s%zu", of->name, k)
                             : name ? name->text
                                    : arena_format(&reading->arena, reading->err, "q%zu", i);
    if (!system->coordinates[i])
        return false;
    if (system_reading_numbered(of) && expression_find(reading->table, system->coordinates[i]))
        return yaml_fail(name, reading->err, "coordinate '%s': the name '%s' is taken", of->name,
                         system->coordinates[i]);
    return name_coordinate(reading, name, system->coordinates[i], i);
}

bool system_reading_coordinates(SystemReading *reading)
{
    const YamlNode     *node = yaml_said(reading->node, "coordinates");
    System             *system = &reading->system;
    const bool          moves = yaml_said(reading->node, system_reading_motion(reading));
    size_t              named = node && node->kind != YAML_SCALAR ? node->count : 1;
    const MatrixReading matrices = system_reading_matrices(reading);
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
