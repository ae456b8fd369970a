// theory_make -- takes a method's equations, and holds its card to them.
#include "analysis/linear/theory_walk.h"

#include <math.h>
#include <string.h>

// A formula of the card, of its parameters, zeta and omega, which is 1; left NULL where the text is none.
static bool read_formula(const Card *card, const char *text, Arena *arena, const Node **formula, Error *err)
{
    Expressions *table = arena_take(arena, 1, sizeof *table, err);
    size_t       where;
    const char  *why = NULL;
    if (!table)
        return false;
    *table = (Expressions){.arena = arena, .err = err};
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (!expression_name(table, card->parameters[i].name, expression_leaf(table, NODE_PARAMETER, i)))
            return false;
    if (!expression_name(table, "zeta", expression_leaf(table, NODE_PARAMETER, card->parameter_count)) ||
        !expression_name(table, "omega", expression_number(table, 1.0)))
        return false;
    *formula = *text ? expression_read(table, text, &where, &why) : NULL;
    return *formula || why || !*text;
}

// Whether the radius is finite. Checks the card's claims at the method's defaults, without Rayleigh damping: the
// radius, up to the rounding of eigenvalues that coincide, the order, which is at most the order of the motion's
// eigenvalue, and the stability limit.
static bool look_at_defaults(Theory *theory, Error *err)
{
    const Card *card = theory->method;
    double      p[THEORY_PARAMETERS];
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const char *unit = card->parameters[i].unit;
        p[i] = strcmp(unit, "1/s") == 0 || strcmp(unit, "s") == 0 ? 0.0 : card->parameters[i].initial;
        if (isnan(p[i]))
            return true;
    }
    const double found = theory_walk_radius(theory, 0.0, p),
                 claimed = theory->radius ? theory_radius(theory, 0.0, p) : found;
    theory->bounded = isfinite(found);
    const LinearOrder order = theory_order(theory, 0.0, p), damped = theory_order(theory, 0.25, p);
    if ((order.constant != 0.0 && order.order < card->order) ||
        (damped.constant != 0.0 && damped.order < card->order_damped))
        return fail(err, ERROR_INPUT, "%s: order: the equations have order %d, and %d with damping, not %d and %d",
                    card->path, order.order, damped.order, card->order, card->order_damped);
    if (claimed != found && !(fabs(claimed - found) <= 1e-4))
        return fail(err, ERROR_INPUT, "%s: rho_infinity: the equations have %.6g at the defaults, not %.6g", card->path,
                    found, claimed);
    const double limit = theory->limit ? theory_limit(theory, 0.25, p) : 0.0,
                 searched = theory->limit ? theory_walk_limit(theory, 0.25, p) : 0.0;
    return limit == searched || fabs(limit - searched) <= 1e-5 * searched ||
           fail(err, ERROR_INPUT, "%s: critical: the equations have %.6g at the defaults and zeta 0.25, not %.6g",
                card->path, searched, limit);
}

bool theory_make(const Card *method, Arena *arena, const Theory **theory, Error *err)
{
    const size_t n = 2 + method->state_count + (method->history ? 2 : 0);
    *theory = NULL;
    if (method->adaptive || !equations_given(method) || n > MATRIX_MOST || method->parameter_count > THEORY_PARAMETERS)
        return true;
    Theory *made = arena_take(arena, 1, sizeof *made, err);
    if (!made)
        return false;
    made->method = method;
    made->n = n;
    if (!equations_read(method, arena, &made->equations, err) ||
        !read_formula(method, method->rho_infinity, arena, &made->radius, err) ||
        !read_formula(method, method->critical, arena, &made->limit, err) || !look_at_defaults(made, err))
        return false;
    *theory = made;
    return true;
}
