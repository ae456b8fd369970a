// system -- writes a problem file from formulas.
#include "expression/system.h"
#include "base/json.h"
#include "expression/pattern.h"
#include "expression/statements.h"

#include <math.h>
#include <string.h>

// Systems of more unknowns have the band and the entries of their Jacobian found; of more entries they have none.
enum { SMALL = 32, MOST_ENTRIES = 8192 };

// A text as YAML reads it back, whatever is in it.
static void add_quoted(Text *text, const char *words)
{
    text_add(text, "'");
    for (; *words; ++words)
        text_add(text, *words == '\'' ? "''" : "%c", *words);
    text_add(text, "'");
}

static void add_line(Text *text, const char *key, const char *words)
{
    text_add(text, "//: %s: ", key);
    add_quoted(text, words);
    text_add(text, "\n");
}

static void add_bound(Text *text, const char *key, double number)
{
    text_add(text, "%s: ", key);
    json_number(text, number);
    text_add(text, ", ");
}

static void add_parameter(Text *text, const SystemParameter *parameter)
{
    text_add(text, "//:   %s: {", parameter->name);
    if (!isnan(parameter->initial))
        add_bound(text, "default", parameter->initial);
    if (isfinite(parameter->least))
        add_bound(text, parameter->least_open ? "above" : "min", parameter->least);
    if (isfinite(parameter->most))
        add_bound(text, parameter->most_open ? "below" : "max", parameter->most);
    text_add(text, "unit: ");
    add_quoted(text, parameter->unit);
    text_add(text, ", about: ");
    add_quoted(text, parameter->about);
    text_add(text, "}\n");
}

// The tables that formulas call.
static void add_tables(Text *text, const Expressions *table)
{
    const char *separator = "//: tables: [";
    for (size_t i = 0; table->curves && i < table->curves->count; ++i)
        if (table->called[i]) {
            text_add(text, "%s%s", separator, table->curves->list[i].name);
            separator = ", ";
        }
    text_add(text, strcmp(separator, ", ") == 0 ? "]\n" : "");
}

//   pattern  of the Jacobian; NULL where it is small
static bool has_jacobian(const Pattern *pattern)
{
    return !pattern || pattern->entries <= MOST_ENTRIES;
}

// Elimination within the band is taken where it needs less than half of the memory of the whole matrix.
static void add_band(Text *text, const System *system, const Pattern *pattern)
{
    if (pattern && 2 * (2 * pattern->below + pattern->above + 1) <= system->dofs)
        text_add(text, "//: band: [%zu, %zu]\n", pattern->below, pattern->above);
}

static void add_card(Text *text, const System *system, const Expressions *table, const Pattern *pattern)
{
    const struct {
        const char *word;
        bool        given;
    } provides[] = {{"energy", system->energy},
                    {"kinetic", system->kinetic},
                    {"potential", system->potential},
                    {"jacobian", has_jacobian(pattern)},
                    {"exact", system->exact},
                    {"fast", system->fast},
                    {"slow", system->slow},
                    {"masses", system->masses},
                    {"dissipation", system->dissipation},
                    {"drive", system->drive},
                    {"slopes", system->derived},
                    {"gradients", system->derived}};
    const char *separator = "";
    text_add(text, "//: problem: %s\n", system->name);
    add_line(text, "title", system->title);
    add_line(text, "equation", system->equation);
    add_band(text, system, pattern);
    text_add(text, "%s//: dofs: %zu\n//: provides: [", system->first_order ? "//: order: first\n" : "", system->dofs);
    for (size_t i = 0; i < sizeof provides / sizeof *provides; ++i)
        if (provides[i].given) {
            text_add(text, "%s%s", separator, provides[i].word);
            separator = ", ";
        }
    text_add(text, "]\n//: coordinates: {");
    for (size_t i = 0; i < system->dofs; ++i) {
        text_add(text, "%s%s: ", i == 0 ? "" : ", ", system->coordinates[i]);
        add_quoted(text, system->units[i]);
    }
    text_add(text, "}\n");
    add_tables(text, table);
    if (system->parameter_count > 0)
        text_add(text, "//: parameters:\n");
    for (size_t i = 0; i < system->parameter_count; ++i)
        add_parameter(text, &system->parameters[i]);
}

// A function whose statements fill vectors of DOF.
typedef struct FormulaVector {
    const char        *name;
    const Node *const *nodes;
} FormulaVector;

static bool add_vectors(Text *text, Expressions *table, const char *head, const FormulaVector *vectors, size_t count,
                        size_t dofs)
{
    Statement *statements = arena_take(table->arena, count * dofs, sizeof *statements, table->err);
    if (!statements)
        return false;
    for (size_t k = 0; k < count * dofs; ++k) {
        const FormulaVector *vector = &vectors[k / dofs];
        statements[k].node = vector->nodes[k % dofs];
        statements[k].target = arena_format(table->arena, table->err, "%s[%zu] = ", vector->name, k % dofs);
        if (!statements[k].target)
            return false;
    }
    text_add(text, "\nstatic void %s\n{\n", head);
    const bool ok = statements_write(table, statements, count * dofs, text);
    text_add(text, "}\n");
    return ok;
}

// Row i, column j of a matrix is the derivative of component i of the acceleration by coordinate or velocity j.
static bool derive_matrix(Expressions *table, const System *system, NodeKind by, const char *name,
                          Statement *statements)
{
    for (size_t j = 0; j < system->dofs; ++j) {
        Derivation derivation;
        if (!expression_derive_by(table, by, j, &derivation))
            return false;
        for (size_t i = 0; i < system->dofs; ++i) {
            Statement *statement = &statements[i * system->dofs + j];
            statement->node = expression_derive(&derivation, system->acceleration[i]);
            statement->target = arena_format(table->arena, table->err, "%s[%zu][%zu] = ", name, i, j);
            if (!statement->node || !statement->target)
                return false;
        }
    }
    return true;
}

static void add_jacobian_head(Text *text, bool first, bool whole)
{
    text_add(text, "\nstatic void jacobian(real t, const real x[DOF], ");
    if (first)
        text_add(text, "const Params *p, %s)\n{\n", whole ? "real dfdx[DOF][DOF]" : "MATRIX(dfdx)");
    else
        text_add(text, "const real v[DOF], const Params *p, %s)\n{\n",
                 whole ? "real dadx[DOF][DOF],\n                     real dadv[DOF][DOF]"
                       : "MATRIX(dadx),\n                     MATRIX(dadv)");
}

// Adds statements of the entries that are not 0.
static bool derive_entries(Expressions *table, const System *system, const Pattern *pattern, NodeKind by,
                           const char *name, Statement *statements, size_t *count)
{
    const size_t n = system->dofs;
    for (size_t j = 0; j < n; ++j) {
        Derivation derivation;
        if (!expression_derive_by(table, by, j, &derivation))
            return false;
        for (size_t i = 0; i < n; ++i) {
            const Node *slope =
                pattern->uses[i * n + j] ? expression_derive(&derivation, system->acceleration[i]) : derivation.zero;
            if (!slope)
                return false;
            if (expression_is(slope, 0.0))
                continue;
            statements[*count].node = slope;
            statements[*count].target = arena_format(table->arena, table->err, "ENTRY(%s, %zu, %zu) = ", name, i, j);
            if (!statements[(*count)++].target)
                return false;
        }
    }
    return true;
}

static bool add_large_jacobian(Text *text, Expressions *table, const System *system, const Pattern *pattern)
{
    const bool  first = system->first_order;
    Statement  *statements = arena_take(table->arena, 2 * pattern->entries, sizeof *statements, table->err);
    const char *x = first ? "dfdx" : "dadx";
    size_t      count = 0;
    if (!statements || !derive_entries(table, system, pattern, NODE_COORDINATE, x, statements, &count) ||
        (!first && !derive_entries(table, system, pattern, NODE_VELOCITY, "dadv", statements, &count)))
        return false;
    add_jacobian_head(text, first, false);
    text_add(text, "    EACH_DOF(i)\n        EACH_COLUMN(j)\n            %s[i][j] = %sZERO;\n", x,
             first ? "" : "dadv[i][j] = ");
    const bool ok = statements_write_slopes(table, statements, count, system->acceleration, system->dofs, text);
    text_add(text, "}\n");
    return ok;
}

static bool add_jacobian(Text *text, Expressions *table, const System *system)
{
    const bool   first = system->first_order;
    const size_t places = system->dofs * system->dofs, count = first ? places : 2 * places;
    Statement   *statements = arena_take(table->arena, count, sizeof *statements, table->err);
    if (!statements || !derive_matrix(table, system, NODE_COORDINATE, first ? "dfdx" : "dadx", statements) ||
        (!first && !derive_matrix(table, system, NODE_VELOCITY, "dadv", statements + places)))
        return false;
    add_jacobian_head(text, first, true);
    const bool ok = statements_write_slopes(table, statements, count, system->acceleration, system->dofs, text);
    text_add(text, "}\n");
    return ok;
}

// The derivatives of a vector of formulas by the parameters by which they are asked for, but for those that are 0.
typedef struct SlopeVector {
    const char        *name;
    const Node *const *nodes;
} SlopeVector;

static bool derive_slopes(Expressions *table, const System *system, const SlopeVector *of, Statement *statements,
                          size_t *count)
{
    for (size_t k = 0; k < system->parameter_count; ++k) {
        Derivation derivation;
        if (!system->derived[k])
            continue;
        if (!expression_derive_by(table, NODE_PARAMETER, k, &derivation))
            return false;
        for (size_t i = 0; i < system->dofs; ++i) {
            const Node *slope = expression_derive(&derivation, of->nodes[i]);
            if (!slope)
                return false;
            if (expression_is(slope, 0.0))
                continue;
            statements[*count].node = slope;
            statements[*count].target =
                arena_format(table->arena, table->err, "%s->%s[%zu] = ", of->name, system->parameters[k].name, i);
            if (!statements[(*count)++].target)
                return false;
        }
    }
    return true;
}

static bool add_slopes_of(Text *text, Expressions *table, const System *system, const char *head,
                          const SlopeVector *vectors, size_t vector_count)
{
    size_t     count = 0;
    Statement *statements =
        arena_take(table->arena, vector_count * system->parameter_count * system->dofs, sizeof *statements, table->err);
    for (size_t k = 0; statements && k < vector_count; ++k)
        if (!derive_slopes(table, system, &vectors[k], statements, &count))
            return false;
    text_add(text, "\nstatic void %s\n{\n", head);
    const bool ok =
        statements && statements_write_slopes(table, statements, count, system->acceleration, system->dofs, text);
    text_add(text, "}\n");
    return ok;
}

// The derivatives of the acceleration and of the start.
static bool add_slopes(Text *text, Expressions *table, const System *system)
{
    const SlopeVector start[] = {{"x", system->start}, {"v", system->start_velocity}},
                      motion = {"a", system->acceleration};
    if (!system->derived)
        return true;
    if (system->first_order)
        return add_slopes_of(text, table, system, "slopes(real t, const real x[DOF], const Params *p, Slopes *a)",
                             &motion, 1) &&
               add_slopes_of(text, table, system, "start_slopes(const Params *p, Slopes *x)", start, 1);
    return add_slopes_of(text, table, system,
                         "slopes(real t, const real x[DOF], const real v[DOF], const Params *p, Slopes *a)", &motion,
                         1) &&
           add_slopes_of(text, table, system, "start_slopes(const Params *p, Slopes *x, Slopes *v)", start, 2);
}

static bool add_number(Text *text, Expressions *table, const char *head, const Node *node)
{
    if (!node)
        return true;
    text_add(text, "\nstatic real %s\n{\n", head);
    const bool ok = statements_write(table, &(Statement){"return ", node}, 1, text);
    text_add(text, "}\n");
    return ok;
}

// Adds the statement of a partial derivative, where it is not 0.
static bool add_partial(Expressions *table, const Node *node, NodeKind by, size_t index, const char *target,
                        Statement *statements, size_t *count)
{
    Derivation  derivation;
    const Node *slope =
        expression_derive_by(table, by, index, &derivation) ? expression_derive(&derivation, node) : NULL;
    if (slope && !expression_is(slope, 0.0))
        statements[(*count)++] = (Statement){target, slope};
    return slope && target;
}

// The derivatives of a number, by the state and by the parameters by which they are asked for.
static bool add_gradient(Text *text, Expressions *table, const System *system, const char *head, const Node *node)
{
    Arena     *arena = table->arena;
    size_t     count = 0;
    Statement *statements =
        arena_take(arena, 2 * system->dofs + system->parameter_count, sizeof *statements, table->err);
    if (!node || !statements)
        return !node;
    for (size_t i = 0; i < system->dofs; ++i)
        if (!add_partial(table, node, NODE_COORDINATE, i, arena_format(arena, table->err, "y->x[%zu] = ", i),
                         statements, &count) ||
            !add_partial(table, node, NODE_VELOCITY, i, arena_format(arena, table->err, "y->v[%zu] = ", i), statements,
                         &count))
            return false;
    for (size_t k = 0; k < system->parameter_count; ++k)
        if (system->derived[k] &&
            !add_partial(table, node, NODE_PARAMETER, k,
                         arena_format(arena, table->err, "y->by.%s = ", system->parameters[k].name), statements,
                         &count))
            return false;
    text_add(text, "\nstatic void %s, const Params *p, Gradient *y)\n{\n", head);
    const bool ok = statements_write(table, statements, count, text);
    text_add(text, "}\n");
    return ok;
}

static bool add_gradients(Text *text, Expressions *table, const System *system)
{
    return !system->derived ||
           (add_gradient(text, table, system,
                         system->first_order ? "energy_gradient(const real x[DOF]"
                                             : "energy_gradient(const real x[DOF], const real v[DOF]",
                         system->energy) &&
            add_gradient(text, table, system, "kinetic_gradient(const real x[DOF], const real v[DOF]",
                         system->kinetic) &&
            add_gradient(text, table, system, "fast_gradient(const real x[DOF]", system->fast) &&
            add_gradient(text, table, system, "slow_gradient(const real x[DOF]", system->slow));
}

// The total energy; where it is the sum of both others, by these.
static bool add_energy(Text *text, Expressions *table, const System *system)
{
    static const char head[] = "energy(const real x[DOF], const real v[DOF], const Params *p)";
    if (system->first_order)
        return add_number(text, table, "energy(const real x[DOF], const Params *p)", system->energy);
    if (!system->kinetic || !system->potential ||
        system->energy != expression_add(table, system->kinetic, system->potential))
        return add_number(text, table, head, system->energy);
    text_add(text, "\nstatic real %s\n{\n    return kinetic(x, v, p) + potential(x, p);\n}\n", head);
    return true;
}

static bool add_exact(Text *text, Expressions *table, const System *system)
{
    const Node **rates = arena_take(table->arena, system->dofs, sizeof *rates, table->err);
    Derivation   derivation;
    if (!rates || !expression_derive_by(table, NODE_TIME, 0, &derivation))
        return false;
    for (size_t i = 0; i < system->dofs; ++i)
        if (!(rates[i] = expression_derive(&derivation, system->exact[i])))
            return false;
    if (system->first_order)
        return add_vectors(text, table, "exact(real t, const Params *p, real x[DOF])",
                           &(FormulaVector){"x", system->exact}, 1, system->dofs);
    return add_vectors(text, table, "exact(real t, const Params *p, real x[DOF], real v[DOF])",
                       (FormulaVector[]){{"x", system->exact}, {"v", rates}}, 2, system->dofs);
}

static bool add_motion(Text *text, Expressions *table, const System *system)
{
    const size_t n = system->dofs;
    if (system->first_order)
        return add_vectors(text, table, "initial_state(const Params *p, real x[DOF])",
                           &(FormulaVector){"x", system->start}, 1, n) &&
               add_vectors(text, table, "rate(real t, const real x[DOF], const Params *p, real dx[DOF])",
                           &(FormulaVector){"dx", system->acceleration}, 1, n);
    return add_vectors(text, table, "initial_state(const Params *p, real x[DOF], real v[DOF])",
                       (FormulaVector[]){{"x", system->start}, {"v", system->start_velocity}}, 2, n) &&
           add_vectors(text, table,
                       "acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])",
                       &(FormulaVector){"a", system->acceleration}, 1, n);
}

static bool add_functions(Text *text, Expressions *table, const System *system, const Pattern *pattern)
{
    const size_t n = system->dofs;
    return add_motion(text, table, system) &&
           (!has_jacobian(pattern) ||
            (pattern ? add_large_jacobian(text, table, system, pattern) : add_jacobian(text, table, system))) &&
           add_slopes(text, table, system) &&
           add_number(text, table, "kinetic(const real x[DOF], const real v[DOF], const Params *p)", system->kinetic) &&
           add_number(text, table, "potential(const real x[DOF], const Params *p)", system->potential) &&
           add_energy(text, table, system) &&
           add_number(text, table, "dissipation(const real x[DOF], const real v[DOF], const Params *p)",
                      system->dissipation) &&
           add_number(text, table, "fast(const real x[DOF], const Params *p)", system->fast) &&
           add_number(text, table, "slow(const real x[DOF], const Params *p)", system->slow) &&
           add_gradients(text, table, system) && (!system->exact || add_exact(text, table, system)) &&
           (!system->masses || add_vectors(text, table, "masses(const Params *p, real mass[DOF])",
                                           &(FormulaVector){"mass", system->masses}, 1, n)) &&
           (!system->drive || add_vectors(text, table, "drive(real t, const Params *p, real force[DOF])",
                                          &(FormulaVector){"force", system->drive}, 1, n));
}

bool system_write(const System *system, Expressions *table, Text *text)
{
    table->parameters = arena_take(table->arena, system->parameter_count, sizeof *table->parameters, table->err);
    if (!table->parameters)
        return false;
    for (size_t i = 0; i < system->parameter_count; ++i)
        table->parameters[i] = system->parameters[i].name;
    Pattern    found;
    const bool large = system->dofs > SMALL;
    if (large && !pattern_find(table, system->acceleration, system->dofs, &found))
        return false;
    add_card(text, system, table, large ? &found : NULL);
    return add_functions(text, table, system, large ? &found : NULL) && text_check(text, table->err);
}
