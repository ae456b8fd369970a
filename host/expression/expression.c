// expression -- keeps nodes, each once, and makes simple ones simpler.
#include "expression/expression.h"

#include <math.h>
#include <string.h>

static size_t hash_node(const Node *node)
{
    unsigned long long number;
    memcpy(&number, &node->number, sizeof number);
    size_t hash = (size_t)node->kind * 31 + (size_t)node->function;
    hash = hash * 1000003 + node->index;
    hash = hash * 1000003 + (node->left ? node->left->id + 1 : 0);
    hash = hash * 1000003 + (node->right ? node->right->id + 1 : 0);
    hash = hash * 1000003 + (size_t)(number ^ number >> 29);
    return (hash ^ hash >> 17) % EXPRESSION_BUCKETS;
}

static bool same(const Node *a, const Node *b)
{
    return a->kind == b->kind && a->function == b->function && a->index == b->index && a->left == b->left &&
           a->right == b->right && memcmp(&a->number, &b->number, sizeof a->number) == 0;
}

// The table's own node that is as `wanted` is.
static const Node *keep(Expressions *table, Node wanted)
{
    Node **bucket = &table->buckets[hash_node(&wanted)];
    for (const Node *node = *bucket; node; node = node->next)
        if (same(node, &wanted))
            return node;
    const unsigned left = wanted.left ? wanted.left->depth : 0, right = wanted.right ? wanted.right->depth : 0;
    const unsigned depth = 1 + (left > right ? left : right);
    if (table->count == EXPRESSION_MOST || depth > EXPRESSION_DEEPEST) {
        fail(table->err, ERROR_INPUT, "a formula or its derivative is too long, the most are %d different terms",
             EXPRESSION_MOST);
        return NULL;
    }
    Node *node = arena_take(table->arena, 1, sizeof *node, table->err);
    if (!node)
        return NULL;
    wanted.id = table->count++;
    wanted.uses = 1U << wanted.kind | (wanted.left ? wanted.left->uses : 0) | (wanted.right ? wanted.right->uses : 0);
    wanted.depth = depth;
    wanted.next = *bucket;
    *node = wanted;
    return *bucket = node;
}

const Node *expression_number(Expressions *table, double number)
{
    return keep(table, (Node){.kind = NODE_NUMBER, .number = number});
}

const Node *expression_leaf(Expressions *table, NodeKind kind, size_t index)
{
    return keep(table, (Node){.kind = kind, .index = index});
}

const Node *expression_make(Expressions *table, NodeKind kind, const Node *left, const Node *right)
{
    if (!left || (!right && kind != NODE_NEGATE && kind != NODE_NOT))
        return NULL;
    return keep(table, (Node){.kind = kind, .left = left, .right = right});
}

const Node *expression_with(Expressions *table, const Node *node, const Node *left, const Node *right)
{
    Node wanted = *node;
    wanted.left = left;
    wanted.right = right;
    return left && (right || !node->right) ? keep(table, wanted) : NULL;
}

const Node *expression_call(Expressions *table, int function, const Node *left, const Node *right)
{
    if (!left || (!right && expression_arguments(function) == 2))
        return NULL;
    return keep(table, (Node){.kind = NODE_CALL, .function = function, .left = left, .right = right});
}

const Node *expression_table(Expressions *table, size_t index, int slope, const Node *at, const Node *other)
{
    const Node node = {.kind = NODE_TABLE, .function = slope, .index = index, .left = at, .right = other};
    return at && (other || !table->curves->list[index].map) ? keep(table, node) : NULL;
}

// A call of a table in a formula.
static const Node *make_table_call(void *user, size_t which, const Node *const *arguments)
{
    Expressions *table = user;
    table->called[which] = true;
    return expression_table(table, which, 0, arguments[0], table->curves->list[which].map ? arguments[1] : NULL);
}

bool expression_know_tables(Expressions *table, const CurveSet *curves)
{
    ExpressionCall *calls = arena_take(table->arena, curves->count, sizeof *calls, table->err);
    for (size_t i = 0; calls && i < curves->count; ++i)
        calls[i] = (ExpressionCall){curves->list[i].name, curves->list[i].map ? 2 : 1, make_table_call};
    table->curves = curves;
    table->called = arena_take(table->arena, curves->count, sizeof *table->called, table->err);
    table->words.calls = calls;
    table->words.call_count = calls ? curves->count : 0;
    table->words.user = table;
    return calls && table->called;
}

bool expression_knows_call(const Expressions *table, const char *name)
{
    for (size_t i = 0; i < table->words.call_count; ++i)
        if (strcmp(table->words.calls[i].name, name) == 0)
            return true;
    return false;
}

const Node *expression_choose(Expressions *table, const Node *condition, const Node *yes, const Node *no)
{
    if (condition && yes && yes == no)
        return yes;
    return expression_make(table, NODE_CHOICE, condition, expression_make(table, NODE_PAIR, yes, no));
}

bool expression_is_condition(const Node *node)
{
    return node && node->kind >= NODE_LESS && node->kind <= NODE_NOT;
}

bool expression_is(const Node *node, double number)
{
    return node && node->kind == NODE_NUMBER && node->number == number;
}

static bool numbers(const Node *a, const Node *b)
{
    return a->kind == NODE_NUMBER && b->kind == NODE_NUMBER;
}

const Node *expression_negate(Expressions *table, const Node *a)
{
    if (a && a->kind == NODE_NUMBER)
        return expression_number(table, a->number == 0.0 ? 0.0 : -a->number);
    return a && a->kind == NODE_NEGATE ? a->left : expression_make(table, NODE_NEGATE, a, NULL);
}

const Node *expression_add(Expressions *table, const Node *a, const Node *b)
{
    if (!a || !b)
        return NULL;
    if (expression_is(a, 0.0))
        return b;
    if (expression_is(b, 0.0))
        return a;
    if (numbers(a, b))
        return expression_number(table, a->number + b->number);
    return b->kind == NODE_NEGATE ? expression_make(table, NODE_SUBTRACT, a, b->left)
                                  : expression_make(table, NODE_ADD, a, b);
}

const Node *expression_subtract(Expressions *table, const Node *a, const Node *b)
{
    if (!a || !b)
        return NULL;
    if (a == b)
        return expression_number(table, 0.0);
    if (expression_is(a, 0.0))
        return expression_negate(table, b);
    if (expression_is(b, 0.0))
        return a;
    if (numbers(a, b))
        return expression_number(table, a->number - b->number);
    return b->kind == NODE_NEGATE ? expression_make(table, NODE_ADD, a, b->left)
                                  : expression_make(table, NODE_SUBTRACT, a, b);
}

const Node *expression_multiply(Expressions *table, const Node *a, const Node *b)
{
    if (!a || !b)
        return NULL;
    if (expression_is(a, 0.0) || expression_is(b, 0.0))
        return expression_number(table, 0.0);
    if (expression_is(a, 1.0))
        return b;
    if (expression_is(b, 1.0))
        return a;
    if (expression_is(a, -1.0))
        return expression_negate(table, b);
    if (expression_is(b, -1.0))
        return expression_negate(table, a);
    if (numbers(a, b))
        return expression_number(table, a->number * b->number);
    if (a->kind == NODE_NEGATE)
        return expression_negate(table, expression_multiply(table, a->left, b));
    if (b->kind == NODE_NEGATE)
        return expression_negate(table, expression_multiply(table, a, b->left));
    return expression_make(table, NODE_MULTIPLY, a, b);
}

const Node *expression_divide(Expressions *table, const Node *a, const Node *b)
{
    if (!a || !b)
        return NULL;
    if (expression_is(a, 0.0) || expression_is(b, 1.0))
        return a;
    if (numbers(a, b))
        return expression_number(table, a->number / b->number);
    return a->kind == NODE_NEGATE ? expression_negate(table, expression_divide(table, a->left, b))
                                  : expression_make(table, NODE_DIVIDE, a, b);
}

const Node *expression_power(Expressions *table, const Node *base, const Node *exponent)
{
    if (expression_is(exponent, 0.0))
        return expression_number(table, 1.0);
    return expression_is(exponent, 1.0) ? base : expression_make(table, NODE_POWER, base, exponent);
}

bool expression_name(Expressions *table, const char *text, const Node *node)
{
    if (!node)
        return false;
    if (table->words.name_count == table->words.name_room) {
        const size_t room = 2 * table->words.name_room + 16;
        Name        *longer = arena_take(table->arena, room, sizeof *longer, table->err);
        if (!longer)
            return false;
        if (table->words.name_count > 0)
            memcpy(longer, table->words.names, table->words.name_count * sizeof *longer);
        table->words.names = longer;
        table->words.name_room = room;
    }
    table->words.names[table->words.name_count++] = (Name){text, node};
    return true;
}

const Node *expression_find(const Expressions *table, const char *text)
{
    for (size_t i = 0; i < table->words.name_count; ++i)
        if (strcmp(table->words.names[i].text, text) == 0)
            return table->words.names[i].node;
    return NULL;
}

bool expression_uses(const Node *node, NodeKind kind)
{
    return node && (node->uses >> kind & 1);
}
