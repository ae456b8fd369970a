// pattern -- walks formulas to their leaves.
#include "expression/pattern.h"

// A walk through the parts of one formula, each once.
typedef struct Visit {
    bool   *row;      // [n] of the pattern
    size_t *seen;     // by the number of a node: the formula that it was last seen in, from 1 on
    size_t  formula;  // the number of this one
} Visit;

static void visit(const Visit *of, const Node *node)
{
    if (!node || of->seen[node->id] == of->formula)
        return;
    of->seen[node->id] = of->formula;
    if (node->kind == NODE_COORDINATE || node->kind == NODE_VELOCITY)
        of->row[node->index] = true;
    visit(of, node->left);
    visit(of, node->right);
}

static void widen(size_t *reach, size_t from, size_t to)
{
    if (to > from && to - from > *reach)
        *reach = to - from;
}

bool pattern_find(Expressions *table, const Node *const *formulas, size_t n, Pattern *pattern)
{
    size_t *seen = arena_take(table->arena, table->count, sizeof *seen, table->err);
    *pattern = (Pattern){.uses = seen ? arena_take(table->arena, n * n, sizeof *pattern->uses, table->err) : NULL};
    for (size_t i = 0; pattern->uses && i < n; ++i) {
        bool *row = pattern->uses + i * n;
        visit(&(Visit){row, seen, i + 1}, formulas[i]);
        for (size_t j = 0; j < n; ++j) {
            if (!row[j])
                continue;
            ++pattern->entries;
            widen(&pattern->below, j, i);
            widen(&pattern->above, i, j);
        }
    }
    return pattern->uses != NULL;
}
