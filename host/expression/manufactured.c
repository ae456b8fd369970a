// manufactured -- formulas along a motion: coordinates, velocities and time replaced by other formulas.
#include "expression/manufactured.h"

// The formulas that stand for leaves; NULL: the leaf stays.
typedef struct Replacing {
    Expressions       *table;
    const Node *const *coordinates, *const *velocities;  // [dofs]
    const Node  *time;
    const Node **known;  // by the number of a node
} Replacing;

static bool begin(Expressions *table, const Node *const *coordinates, const Node *const *velocities, const Node *time,
                  Replacing *replacing)
{
    *replacing = (Replacing){.table = table, .coordinates = coordinates, .velocities = velocities, .time = time};
    replacing->known = arena_take(table->arena, table->count, sizeof *replacing->known, table->err);
    return replacing->known != NULL;
}

static const Node *replace_leaf(const Replacing *replacing, const Node *node)
{
    if (node->kind == NODE_COORDINATE && replacing->coordinates)
        return replacing->coordinates[node->index];
    if (node->kind == NODE_VELOCITY && replacing->velocities)
        return replacing->velocities[node->index];
    return node->kind == NODE_TIME && replacing->time ? replacing->time : node;
}

// NULL where an addition to the table failed.
static const Node *replace(Replacing *replacing, const Node *node)
{
    if (node->kind < NODE_NEGATE)
        return replace_leaf(replacing, node);
    if (!replacing->known[node->id]) {
        const Node *left = replace(replacing, node->left),
                   *right = node->right && left ? replace(replacing, node->right) : NULL;
        replacing->known[node->id] = expression_with(replacing->table, node, left, right);
    }
    return replacing->known[node->id];
}

static bool replace_all(Replacing *replacing, const Node *const *from, size_t count, const Node **to)
{
    for (size_t i = 0; i < count; ++i)
        if (!(to[i] = replace(replacing, from[i])))
            return false;
    return true;
}

static bool derive_all(Expressions *table, const Node *const *from, size_t count, const Node **to)
{
    Derivation derivation;
    if (!expression_derive_by(table, NODE_TIME, 0, &derivation))
        return false;
    for (size_t i = 0; i < count; ++i)
        if (!(to[i] = expression_derive(&derivation, from[i])))
            return false;
    return true;
}

// Masses get an external force where they had none.
static bool make_drive(Expressions *table, System *system)
{
    if (!system->masses || system->drive)
        return true;
    system->drive = arena_take(table->arena, system->dofs, sizeof *system->drive, table->err);
    for (size_t i = 0; system->drive && i < system->dofs; ++i)
        system->drive[i] = expression_number(table, 0.0);
    return system->drive != NULL;
}

// The residual of each equation.
static bool add_residuals(Expressions *table, const Node *const *along, const Node *const *highest, System *system)
{
    if (!make_drive(table, system))
        return false;
    for (size_t i = 0; i < system->dofs; ++i) {
        const Node *residual = expression_subtract(table, highest[i], along[i]);
        system->acceleration[i] = expression_add(table, system->acceleration[i], residual);
        if (system->drive)
            system->drive[i] =
                expression_add(table, system->drive[i], expression_multiply(table, system->masses[i], residual));
        if (!system->acceleration[i] || (system->drive && !system->drive[i]))
            return false;
    }
    return true;
}

bool manufactured_add(Expressions *table, const Node *const *motion, System *system)
{
    enum { VECTORS = 3 };
    const size_t n = system->dofs;
    const Node **room = arena_take(table->arena, VECTORS * n, sizeof *room, table->err);
    const Node **rates = room, **highest = room + n, **along = room + 2 * n;
    Replacing    by_motion, by_start;
    if (!room || !derive_all(table, motion, n, rates) ||
        !derive_all(table, system->first_order ? motion : rates, n, highest) ||
        !begin(table, motion, rates, NULL, &by_motion) || !replace_all(&by_motion, system->acceleration, n, along) ||
        !begin(table, NULL, NULL, expression_number(table, 0.0), &by_start) ||
        !replace_all(&by_start, motion, n, system->start) || !replace_all(&by_start, rates, n, system->start_velocity))
        return false;
    system->exact = (const Node **)motion;
    return add_residuals(table, along, highest, system);
}
