// formula_bench -- formulas and their values, written anew.
#include "support/formula_bench.h"

#include "expression/evaluate.h"

const BenchLeaf    formula_bench_leaves[BENCH_LEAVES] = {{"x", NODE_COORDINATE, 0},
                                                         {"y", NODE_COORDINATE, 1},
                                                         {"v_x", NODE_VELOCITY, 0},
                                                         {"w", NODE_PARAMETER, 0},
                                                         {"t", NODE_TIME, 0}};
static const char *parameters[] = {"w"};

void formula_bench_open(FormulaBench *bench)
{
    memset(bench, 0, sizeof *bench);
    bench->table.arena = &bench->arena;
    bench->table.err = &bench->err;
    bench->table.parameters = parameters;
    for (size_t i = 0; i < BENCH_LEAVES; ++i)
        assert_true(expression_name(
            &bench->table, formula_bench_leaves[i].name,
            expression_leaf(&bench->table, formula_bench_leaves[i].kind, formula_bench_leaves[i].index)));
    assert_true(expression_name(&bench->table, "pi", expression_leaf(&bench->table, NODE_PI, 0)));
}

void formula_bench_close(FormulaBench *bench)
{
    arena_free(&bench->arena);
}

const Node *formula_bench_read(FormulaBench *bench, const char *text)
{
    size_t      where;
    const char *why;
    const Node *node = expression_read(&bench->table, text, &where, &why);
    if (!node)
        fail_msg("'%s' at %zu: %s", text, where, why ? why : bench->err.message);
    return node;
}

const Node *formula_bench_derive(FormulaBench *bench, const Node *node, NodeKind kind, size_t index)
{
    Derivation derivation;
    assert_true(expression_derive_by(&bench->table, kind, index, &derivation));
    return expression_derive(&derivation, node);
}

long double formula_bench_value(const Node *node, const long double at[BENCH_LEAVES])
{
    const long double a = node->left ? formula_bench_value(node->left, at) : 0.0L;
    if (node->kind == NODE_CHOICE)
        return formula_bench_value(a != 0.0L ? node->right->left : node->right->right, at);
    const long double b = node->right ? formula_bench_value(node->right, at) : 0.0L;
    switch (node->kind) {
    case NODE_NUMBER: return node->number;
    case NODE_COORDINATE: return at[node->index];
    case NODE_VELOCITY: return at[2];
    case NODE_PARAMETER: return at[3];
    case NODE_TIME: return at[4];
    case NODE_PI: return acosl(-1.0L);
    case NODE_NEGATE: return -a;
    case NODE_ADD: return a + b;
    case NODE_SUBTRACT: return a - b;
    case NODE_MULTIPLY: return a * b;
    case NODE_DIVIDE: return a / b;
    case NODE_POWER: return powl(a, b);
    case NODE_LESS: return a < b;
    case NODE_AT_MOST: return a <= b;
    case NODE_GREATER: return a > b;
    case NODE_AT_LEAST: return a >= b;
    case NODE_AND: return a != 0.0L && b != 0.0L;
    case NODE_OR: return a != 0.0L || b != 0.0L;
    case NODE_NOT: return a == 0.0L;
    case NODE_ACCELERATION:
    case NODE_TABLE:
    case NODE_CHOICE:
    case NODE_PAIR: return 0.0L;
    case NODE_CALL: break;
    }
    return evaluate_call_long(node->function, a, b);
}

const long double formula_bench_here[BENCH_LEAVES] = {0.7L, -1.3L, 0.4L, 2.5L, 0.9L};

uint64_t formula_bench_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    return *seed ^= *seed << 17;
}
