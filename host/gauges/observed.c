// observed -- formulas of observed quantities, operation by operation.
#include "gauges/gauge.h"
#include "expression/expression.h"

enum { LARGEST_PRODUCT = 64, CURVE_ROUNDINGS = 16 };

// The leaves of a formula.
typedef struct ObservedState {
    const Sight *sight;
    Ball         t, rates[2 * GAUGE_DOFS];  // of the coordinates, then of the velocities
} ObservedState;

static Ball value_of(const ObservedState *state, const Node *node);

static Ball unknown(void)
{
    return (Ball){NAN, INFINITY};
}

// A number as the text of a kernel has it.
static Ball literal(const Sight *sight, long double number)
{
    return sight->single ? ball((long double)(float)number) : ball((long double)(double)number);
}

// base^n by repeated products, as the kernel has whole powers.
static Ball power(Roundoff u, Ball base, Ball exponent)
{
    const long double n = fabsl(exponent.at);
    Ball              product = base;
    if (exponent.off > 0.0L || (n != 0.5L && (n < 1.0L || n > LARGEST_PRODUCT || n != floorl(n))))
        return ball_call(u, FUNCTION_POW, base, exponent);
    for (int k = 1; k < (int)n; ++k)
        product = ball_mul(u, product, base);
    if (n == 0.5L)
        product = ball_call(u, FUNCTION_SQRT, base, ball(0.0L));
    return exponent.at < 0.0L ? ball_div(u, ball(1.0L), product) : product;
}

// Where an argument is off, a table may be as far off as it is at the ends of its range.
static Ball table_value(const ObservedState *state, size_t index, Ball at)
{
    const Sight    *sight = state->sight;
    const Card     *problem = sight->problem->card;
    const CurveSet *curves = problem->curves;
    const char     *of = curves->list[index].of;
    const size_t    record = of ? (size_t)sight->parameters[card_parameter(problem, of)] : 0;
    long double     size, end;
    Ball            value = ball(curve_at(curves, index, record, at.at, &size));
    for (int sign = -1; at.off > 0.0L && sign <= 1; sign += 2)
        value.off += fabsl(curve_at(curves, index, record, at.at + sign * at.off, &end) - value.at);
    value.off += CURVE_ROUNDINGS * (sight->u * size + ball_least(sight->u));
    return isnan(value.at) || isnan(value.off) ? unknown() : value;
}

static Answer less(Ball a, Ball b)
{
    return isnan(a.at) || isnan(b.at) ? ANSWER_NO : gauge_above((Ball){b.at - a.at, a.off + b.off});
}

static Answer at_most(Ball a, Ball b)
{
    return isnan(a.at) || isnan(b.at) ? ANSWER_NO : gauge_not(less(b, a));
}

static Answer answer_of(const ObservedState *state, const Node *node)
{
    const Node *left = node->left, *right = node->right;
    switch (node->kind) {
    case NODE_LESS: return less(value_of(state, left), value_of(state, right));
    case NODE_AT_MOST: return at_most(value_of(state, left), value_of(state, right));
    case NODE_GREATER: return less(value_of(state, right), value_of(state, left));
    case NODE_AT_LEAST: return at_most(value_of(state, right), value_of(state, left));
    case NODE_AND: return gauge_and(answer_of(state, left), answer_of(state, right));
    case NODE_OR: return gauge_or(answer_of(state, left), answer_of(state, right));
    case NODE_NOT: return gauge_not(answer_of(state, left));
    default: return ANSWER_EITHER;
    }
}

// Where rounding decides, the value is that of either side.
static Ball choice(const ObservedState *state, const Node *node)
{
    const Answer answer = answer_of(state, node->left);
    const Ball   yes = answer != ANSWER_NO ? value_of(state, node->right->left) : ball(0.0L),
               no = answer != ANSWER_YES ? value_of(state, node->right->right) : ball(0.0L);
    if (answer != ANSWER_EITHER)
        return answer == ANSWER_YES ? yes : no;
    const long double apart = fabsl(yes.at - no.at) + larger_of(yes.off, no.off);
    return isnan(apart) ? unknown() : (Ball){yes.at, apart};
}

static Ball value_of(const ObservedState *state, const Node *node)
{
    const Sight   *sight = state->sight;
    const Roundoff u = sight->u;
    const size_t   n = sight->problem->dofs;
    if (node->kind == NODE_CHOICE)
        return choice(state, node);
    const Ball a = node->left ? value_of(state, node->left) : ball(0.0L),
               b = node->right ? value_of(state, node->right) : ball(0.0L);
    switch (node->kind) {
    case NODE_NUMBER: return literal(sight, node->number);
    case NODE_PI: return literal(sight, acosl(-1.0L));
    case NODE_TIME: return state->t;
    case NODE_PARAMETER: return ball(sight->parameters[node->index]);
    case NODE_COORDINATE: return sight->x[node->index];
    case NODE_VELOCITY: return sight->v[node->index];
    case NODE_ACCELERATION: return state->rates[node->index + (sight->problem->card->first_order ? 0 : n)];
    case NODE_TABLE: return table_value(state, node->index, a);
    case NODE_NEGATE: return (Ball){-a.at, a.off};
    case NODE_ADD: return ball_add(u, a, b);
    case NODE_SUBTRACT: return ball_sub(u, a, b);
    case NODE_MULTIPLY: return ball_mul(u, a, b);
    case NODE_DIVIDE: return ball_div(u, a, b);
    case NODE_POWER: return power(u, a, b);
    case NODE_CALL: return ball_call(u, node->function, a, b);
    default: return unknown();
    }
}

Ball gauge_formula(const Sight *sight, const Node *formula)
{
    ObservedState state = {.sight = sight, .t = {sight->t, sight->t_off}};
    if (expression_uses(formula, NODE_ACCELERATION))
        gauge_rates(sight, state.t, sight->x, sight->v, state.rates);
    return ball_ranged(sight->u, value_of(&state, formula));
}
