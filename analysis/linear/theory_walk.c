// theory_walk -- walks a method's equations with maps of the state in place of vectors.
//
// With h = 1 a state is [x, v], the vectors that the method keeps, and [x, v] one step back. A map is a row vector of
// numbers or of power series: in Omega for the limit at 0, in 1/Omega for the limit at infinity.
#include "analysis/linear/theory_walk.h"

#include <math.h>
#include <string.h>

typedef struct MapWalk {
    const Theory *theory;
    const double *p;
    TheoryOmega   omega;
    PowerSeries   square, damping;  // Omega^2, 2 zeta Omega
    PowerSeries   numbers[EQUATIONS_NUMBERS];
    TheoryMap     vectors[EQUATIONS_VECTORS];
} MapWalk;

static PowerSeries omega_to(const MapWalk *walk, long double factor, int power)
{
    const TheoryOmega *omega = &walk->omega;
    return omega->power == 0 ? series_number(factor * powl(omega->omega_h, power), omega->terms)
                             : series_power(factor, omega->power * power, omega->terms);
}

static PowerSeries parameter(const MapWalk *walk, size_t index)
{
    const Card *card = walk->theory->method;
    if (!equations_leaf(card, &index)) {
        const char *unit = card->parameters[index].unit;
        return omega_to(walk, walk->p[index], strcmp(unit, "1/s") == 0 ? 1 : strcmp(unit, "s") == 0 ? -1 : 0);
    }
    return index < EQUATIONS_OWN ? series_number(1.0, walk->omega.terms) : walk->numbers[index - EQUATIONS_OWN];
}

static PowerSeries evaluate(const MapWalk *walk, const Node *node)
{
    const PowerSeries a = node->left ? evaluate(walk, node->left) : (PowerSeries){0},
                      b = node->right ? evaluate(walk, node->right) : (PowerSeries){0};
    switch (node->kind) {
    case NODE_NUMBER: return series_number(node->number, walk->omega.terms);
    case NODE_PI: return series_number(acosl(-1.0L), walk->omega.terms);
    case NODE_PARAMETER: return parameter(walk, node->index);
    case NODE_NEGATE: return series_minus((PowerSeries){0}, a);
    case NODE_ADD: return series_plus(a, b);
    case NODE_SUBTRACT: return series_minus(a, b);
    case NODE_MULTIPLY: return series_times(a, b);
    case NODE_DIVIDE: return series_over(a, b);
    case NODE_POWER: {
        PowerSeries power = series_number(1.0, walk->omega.terms);
        for (int k = (int)series_coefficient(b, 0); k > 0; --k)
            power = series_times(power, a);
        return power;
    }
    case NODE_CALL: return series_call(node->function, a, b);
    default: return series_number((double)NAN, walk->omega.terms);
    }
}

static void add(const MapWalk *walk, TheoryMap *sum, PowerSeries factor, size_t vector)
{
    for (size_t j = 0; vector != EQUATIONS_NONE && j < walk->theory->n; ++j)
        sum->of[j] = series_plus(sum->of[j], series_times(factor, walk->vectors[vector].of[j]));
}

// Adds factor accel(x, v) = factor (-Omega^2 x - 2 zeta Omega v), h being 1.
static void add_force(const MapWalk *walk, TheoryMap *sum, PowerSeries factor, const EquationLine *line)
{
    add(walk, sum, series_minus((PowerSeries){0}, series_times(factor, walk->square)), line->x);
    add(walk, sum, series_minus((PowerSeries){0}, series_times(factor, walk->damping)), line->v);
}

// (A + q (Omega^2 cx + 2 zeta Omega cv)) u = rest + q accel(x, v)
static void solve(const MapWalk *walk, TheoryMap *u, const EquationLine *line)
{
    const PowerSeries A = walk->numbers[line->A], q = walk->numbers[line->q],
                      stiff = series_times(walk->square, walk->numbers[line->cx]),
                      viscous = series_times(walk->damping, walk->numbers[line->cv]),
                      whole = series_plus(A, series_times(q, series_plus(stiff, viscous)));
    add(walk, u, series_number(1.0, walk->omega.terms), line->rest);
    add_force(walk, u, q, line);
    for (size_t j = 0; j < walk->theory->n; ++j)
        u->of[j] = series_over(u->of[j], whole);
}

static void take_line(MapWalk *walk, const EquationLine *line)
{
    const PowerSeries one = series_number(1.0, walk->omega.terms);
    TheoryMap         result = {0};
    switch (line->kind) {
    case EQUATION_SUM:
        for (size_t k = 0; k < line->count; ++k)
            add(walk, &result, walk->numbers[line->terms[k].factor], line->terms[k].vector);
        break;
    case EQUATION_FORCE:
    case EQUATION_SOLVED: add_force(walk, &result, one, line); break;
    case EQUATION_STIFF: add(walk, &result, walk->square, line->v); break;
    case EQUATION_SOLVE: solve(walk, &result, line); break;
    }
    walk->vectors[line->target] = result;
}

void theory_walk(const Theory *theory, TheoryOmega omega, double zeta, const double *p, TheoryMap rows[MATRIX_MOST])
{
    const EquationPart *part = &theory->equations.step;
    const size_t        kept = theory->method->state_count, history = theory->method->history ? 2 : 0;
    MapWalk             walk = {.theory = theory, .p = p, .omega = omega};
    walk.square = omega_to(&walk, 1.0, 2);
    walk.damping = omega_to(&walk, 2.0L * zeta, 1);
    for (size_t j = 0; j < 2 + kept; ++j)
        walk.vectors[j < 2 ? j : EQUATIONS_STATE + j - 2].of[j] = series_number(1.0, omega.terms);
    for (size_t j = 0; j < history; ++j)
        walk.vectors[EQUATIONS_X_EARLIER + j].of[2 + kept + j] = series_number(1.0, omega.terms);
    for (size_t k = 0; k < part->number_count; ++k)
        walk.numbers[k] = evaluate(&walk, part->numbers[k]);
    for (size_t k = 0; k < part->line_count; ++k)
        take_line(&walk, &part->lines[k]);
    for (size_t i = 0; i < 2 + kept; ++i)
        rows[i] = walk.vectors[part->ends[i]];
    for (size_t i = 0; i < history; ++i)
        rows[2 + kept + i] = walk.vectors[i];
}

Matrix theory_matrix(const Theory *theory, double omega_h, double zeta, const double *p)
{
    TheoryMap rows[MATRIX_MOST];
    Matrix    m = {.n = theory->n};
    theory_walk(theory, (TheoryOmega){.omega_h = omega_h, .terms = 1}, zeta, p, rows);
    for (size_t i = 0; i < m.n; ++i)
        for (size_t j = 0; j < m.n; ++j)
            m.a[i][j] = (double)series_coefficient(rows[i].of[j], 0);
    return m;
}
