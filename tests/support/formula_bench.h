// formula_bench -- formulas of x, y, v_x, a parameter w and t: read, derived, and their values.
#pragma once

#include "expression/expression.h"

#include "support/test.h"

enum { BENCH_LEAVES = 5 };

typedef struct BenchLeaf {
    const char *name;
    NodeKind    kind;
    size_t      index;
} BenchLeaf;

extern const BenchLeaf formula_bench_leaves[BENCH_LEAVES];

typedef struct FormulaBench {
    Arena       arena;
    Error       err;
    Expressions table;
} FormulaBench;

void formula_bench_open(FormulaBench *bench);
void formula_bench_close(FormulaBench *bench);

// A bench to the end of the block.
#define BENCH(bench)                                \
    FormulaBench bench SCOPED(formula_bench_close); \
    formula_bench_open(&bench)

// A formula that must be read.
const Node *formula_bench_read(FormulaBench *bench, const char *text);

// Its derivative by a leaf.
const Node *formula_bench_derive(FormulaBench *bench, const Node *node, NodeKind kind, size_t index);

// The value of a node, in the order in which kernels compute it.
long double formula_bench_value(const Node *node, const long double at[BENCH_LEAVES]);

// Values of the leaves, in their order.
extern const long double formula_bench_here[BENCH_LEAVES];

// The next of a sequence of random numbers (xorshift64).
uint64_t formula_bench_random(uint64_t *seed);
