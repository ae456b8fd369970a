// statements -- writes formulas as kernel C, every part once.
#include "expression/statements.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST_PRODUCT = 64, CALLS_MOST = 32, MOST_INLINED = FUNCTIONS_INLINED / 2 };

// How tightly an operator binds; an operation that binds less tightly than its place wants stands in brackets.
enum { BINDS_CONDITION = 1, BINDS_SUM, BINDS_PRODUCT, BINDS_SIGN, BINDS_ALL };

// Kinds of leaf that differ from lane to lane.
static const unsigned varies =
    1U << NODE_COORDINATE | 1U << NODE_VELOCITY | 1U << NODE_PARAMETER | 1U << NODE_TIME | 1U << NODE_ACCELERATION;

typedef struct Writer {
    Expressions *table;
    Text        *text;
    const Node **lowered;  // by the number of a node that was there before, without its powers
    unsigned    *uses;     // by the number of a node: how often the statements use it
    unsigned    *local;    // likewise: the number of its `const real`, or 0
    unsigned     local_count;
    size_t       calls;  // of elementary functions, each once
    unsigned    *asked;  // by the number of a node: the block that it was looked through for, from 1 on
    bool        *waits;  // likewise: whether it was found to wait for calls
    unsigned     block;  // the number of the block in the making
    bool        *seen;   // by the number of a node: whether it is a part of the formulas beside slopes; or NULL
} Writer;

static const Node *lower(Writer *writer, const Node *node);

// base^n by squaring, as nodes that are shared.
static const Node *product(Writer *writer, const Node *base, unsigned n)
{
    if (n == 1)
        return base;
    const Node *half = product(writer, base, n % 2 ? n - 1 : n / 2);
    return expression_make(writer->table, NODE_MULTIPLY, half, n % 2 ? base : half);
}

static const Node *lower_power(Writer *writer, const Node *node)
{
    Expressions *table = writer->table;
    const Node  *base = lower(writer, node->left), *exponent = node->right;
    const bool   minus = exponent->kind == NODE_NEGATE && exponent->left->kind == NODE_NUMBER;
    const double n = minus ? -exponent->left->number : exponent->kind == NODE_NUMBER ? exponent->number : NAN;
    if (fabs(n) == 0.5)
        base = expression_call(table, FUNCTION_SQRT, base, NULL);
    else if (n == floor(n) && fabs(n) >= 1.0 && fabs(n) <= LARGEST_PRODUCT)
        base = base ? product(writer, base, (unsigned)fabs(n)) : NULL;
    else
        return expression_call(table, FUNCTION_POW, base, lower(writer, exponent));
    return n < 0.0 ? expression_make(table, NODE_DIVIDE, expression_number(table, 1.0), base) : base;
}

// The node with whole powers as products and others as calls.
static const Node *lower(Writer *writer, const Node *node)
{
    if (!node || node->kind < NODE_NEGATE)
        return node;
    if (writer->lowered[node->id])
        return writer->lowered[node->id];
    const Node *low;
    if (node->kind == NODE_POWER)
        low = lower_power(writer, node);
    else if (node->kind == NODE_CALL)
        low = expression_call(writer->table, node->function, lower(writer, node->left), lower(writer, node->right));
    else if (node->kind == NODE_TABLE)
        low = expression_table(writer->table, node->index, node->function, lower(writer, node->left),
                               node->right ? lower(writer, node->right) : NULL);
    else
        low = expression_make(writer->table, node->kind, lower(writer, node->left), lower(writer, node->right));
    return writer->lowered[node->id] = low;
}

// Whether a node is a call that stands in a block of calls where there are many: of one argument, and long.
static bool is_call(const Node *node)
{
    return node->kind == NODE_CALL && !node->right && functions_is_long(node->function);
}

static void count_uses(Writer *writer, const Node *node)
{
    if (node && node->kind >= NODE_NEGATE && writer->uses[node->id]++ == 0) {
        writer->calls += is_call(node);
        count_uses(writer, node->left);
        count_uses(writer, node->right);
    }
}

// In the fewest digits that give the number back.
static void write_number(Text *text, double number)
{
    char digits[40];
    for (int precision = 15; precision <= 17; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    text_add(text, "%s%s", digits, number == floor(number) && fabs(number) < 1e15 ? ".0" : "");
}

static void write_node(Writer *writer, const Node *node, int binds);

// A compiler finds a function again that the formulas beside have; another cosine comes at half the price.
static const char *function_name(const Writer *writer, const Node *node)
{
    const bool slope = writer->seen && node->function == FUNCTION_COS && !writer->seen[node->id];
    return slope ? "sin_slope" : expression_function_name(node->function);
}

static void write_operator(Writer *writer, const Node *node, int binds)
{
    // The binding of itself, of what stands left of it and right of it.
    static const struct {
        const char *sign;
        int         binds, left, right;
    } operators[] = {[NODE_ADD] = {" + ", BINDS_SUM, BINDS_SUM, BINDS_PRODUCT},
                     [NODE_SUBTRACT] = {" - ", BINDS_SUM, BINDS_SUM, BINDS_PRODUCT},
                     [NODE_MULTIPLY] = {" * ", BINDS_PRODUCT, BINDS_PRODUCT, BINDS_SIGN},
                     [NODE_DIVIDE] = {" / ", BINDS_PRODUCT, BINDS_PRODUCT, BINDS_SIGN},
                     [NODE_LESS] = {" < ", BINDS_CONDITION, BINDS_SUM, BINDS_SUM},
                     [NODE_AT_MOST] = {" <= ", BINDS_CONDITION, BINDS_SUM, BINDS_SUM},
                     [NODE_GREATER] = {" > ", BINDS_CONDITION, BINDS_SUM, BINDS_SUM},
                     [NODE_AT_LEAST] = {" >= ", BINDS_CONDITION, BINDS_SUM, BINDS_SUM},
                     [NODE_AND] = {" & ", BINDS_CONDITION, BINDS_ALL, BINDS_ALL},
                     [NODE_OR] = {" | ", BINDS_CONDITION, BINDS_ALL, BINDS_ALL}};
    const int own = operators[node->kind].binds;
    // A comparison of numbers alone has an answer for each lane, as every other.
    const bool alone = node->kind >= NODE_LESS && node->kind <= NODE_AT_LEAST && !(node->uses & varies);
    text_add(writer->text, "%s%s", own < binds ? "(" : "", alone ? "(real)(" : "");
    write_node(writer, node->left, operators[node->kind].left);
    text_add(writer->text, "%s%s", alone ? ")" : "", operators[node->kind].sign);
    write_node(writer, node->right, operators[node->kind].right);
    text_add(writer->text, "%s", own < binds ? ")" : "");
}

static void write_arguments(Writer *writer, const Node *const *arguments, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        text_add(writer->text, i == 0 ? "(" : ", ");
        write_node(writer, arguments[i], 0);
    }
    text_add(writer->text, ")");
}

static void write_term(Writer *writer, const Node *node, int binds)
{
    Text *text = writer->text;
    switch (node->kind) {
    case NODE_NUMBER:
        text_add(text, "%s", node->number < 0.0 && binds > BINDS_SUM ? "(" : "");
        write_number(text, node->number);
        text_add(text, "%s", node->number < 0.0 && binds > BINDS_SUM ? ")" : "");
        break;
    case NODE_COORDINATE: text_add(text, "x[%zu]", node->index); break;
    case NODE_VELOCITY: text_add(text, "v[%zu]", node->index); break;
    case NODE_ACCELERATION: text_add(text, "a[%zu]", node->index); break;
    case NODE_PARAMETER: text_add(text, "p->%s", writer->table->parameters[node->index]); break;
    case NODE_TIME: text_add(text, "t"); break;
    case NODE_PI: text_add(text, "PI"); break;
    case NODE_NEGATE:
        text_add(text, binds > BINDS_PRODUCT ? "(-" : "-");
        write_node(writer, node->left, BINDS_ALL);
        text_add(text, "%s", binds > BINDS_PRODUCT ? ")" : "");
        break;
    case NODE_CALL:
        text_add(text, "real_%s", function_name(writer, node));
        write_arguments(writer, (const Node *[]){node->left, node->right}, node->right ? 2 : 1);
        break;
    case NODE_TABLE:
        text_add(text, "%s(%s, ", ((const char *const[]){"TABLE", "TABLE_SLOPE", "TABLE_SLOPE_2"})[node->function],
                 writer->table->curves->list[node->index].name);
        write_node(writer, node->left, 0);
        if (node->right) {
            text_add(text, ", ");
            write_node(writer, node->right, 0);
        }
        text_add(text, ")");
        break;
    case NODE_NOT:
        text_add(text, "!");
        write_node(writer, node->left, BINDS_ALL);
        break;
    case NODE_CHOICE:
        text_add(text, "choose");
        write_arguments(writer, (const Node *[]){node->left, node->right->left, node->right->right}, 3);
        break;
    default: write_operator(writer, node, binds);
    }
}

static void write_node(Writer *writer, const Node *node, int binds)
{
    if (writer->local[node->id])
        text_add(writer->text, "s%u", writer->local[node->id]);
    else
        write_term(writer, node, binds);
}

// Writes the shared parts of a node, the inner ones first.
static void write_shared(Writer *writer, const Node *node)
{
    if (!node || node->kind < NODE_NEGATE || writer->local[node->id])
        return;
    write_shared(writer, node->left);
    write_shared(writer, node->right);
    if (writer->uses[node->id] < 2 || node->kind == NODE_PAIR)
        return;
    text_add(writer->text, "    const %s s%u = ", expression_is_condition(node) ? "mask" : "real",
             writer->local_count + 1);
    write_term(writer, node, 0);
    text_add(writer->text, ";\n");
    writer->local[node->id] = ++writer->local_count;
}

// A block of calls of one function that wait for no other: their arguments go to an array, and the values into it.
typedef struct Block {
    const Node *calls[CALLS_MOST];
    size_t      count;
} Block;

static bool find_calls(Writer *writer, const Node *node, Block *block);

static bool find_in_node(Writer *writer, const Node *node, Block *block)
{
    const bool left = find_calls(writer, node->left, block), right = find_calls(writer, node->right, block);
    if (left || right || !is_call(node))
        return left || right;
    if (block->count < CALLS_MOST && (block->count == 0 || block->calls[0]->function == node->function))
        block->calls[block->count++] = node;
    return true;
}

// Adds calls of one function to a block, in the order in which a part names them, and says whether the part waits for
// any call.
static bool find_calls(Writer *writer, const Node *node, Block *block)
{
    if (!node || writer->local[node->id] || !(node->uses & 1U << NODE_CALL))
        return false;
    if (writer->asked[node->id] != writer->block) {
        writer->waits[node->id] = find_in_node(writer, node, block);
        writer->asked[node->id] = writer->block;
    }
    return writer->waits[node->id];
}

static void write_block(Writer *writer, const Block *block)
{
    for (size_t i = 0; i < block->count; ++i)
        write_shared(writer, block->calls[i]->left);
    for (size_t i = 0; i < block->count; ++i) {
        text_add(writer->text, "    calls[%zu] = ", i);
        write_node(writer, block->calls[i]->left, 0);
        text_add(writer->text, ";\n");
    }
    text_add(writer->text, "    CALLS(real_%s, calls, %zu);\n", expression_function_name(block->calls[0]->function),
             block->count);
    for (size_t i = 0; i < block->count; ++i) {
        text_add(writer->text, "    const real s%u = calls[%zu];\n", writer->local_count + 1, i);
        writer->local[block->calls[i]->id] = ++writer->local_count;
    }
}

// Writes all calls that the first of some formulas waits for, and as many of the others as there is room for.
static void write_calls(Writer *writer, const Node *const *formulas, size_t count)
{
    for (Block block = {.count = 0};; block.count = 0) {
        ++writer->block;
        if (!find_calls(writer, *formulas, &block))
            return;
        for (size_t i = 1; i < count && block.count < CALLS_MOST; ++i)
            find_calls(writer, formulas[i], &block);
        write_block(writer, &block);
    }
}

// A number is one for all lanes.
static void write_statement(Writer *writer, const char *target, const Node *node)
{
    text_add(writer->text, "    %s", target);
    if (node->uses & varies) {
        write_node(writer, node, 0);
        text_add(writer->text, ";\n");
        return;
    }
    text_add(writer->text, expression_is(node, 0.0) ? "ZERO" : "(real)(");
    if (!expression_is(node, 0.0)) {
        write_node(writer, node, 0);
        text_add(writer->text, ")");
    }
    text_add(writer->text, ";\n");
}

static void see(Writer *writer, const Node *node)
{
    if (!node || writer->seen[node->id])
        return;
    writer->seen[node->id] = true;
    see(writer, node->left);
    see(writer, node->right);
}

// Makes `seen` of the formulas beside slopes.
static bool see_all(Writer *writer, const Node *const *beside, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!lower(writer, beside[i]))
            return false;
    writer->seen = arena_take(writer->table->arena, writer->table->count, sizeof *writer->seen, writer->table->err);
    for (size_t i = 0; writer->seen && i < count; ++i)
        see(writer, lower(writer, beside[i]));
    return writer->seen;
}

bool statements_write(Expressions *table, const Statement *statements, size_t count, Text *text)
{
    return statements_write_slopes(table, statements, count, NULL, 0, text);
}

bool statements_write_slopes(Expressions *table, const Statement *statements, size_t count, const Node *const *beside,
                             size_t beside_count, Text *text)
{
    Writer       writer = {.table = table, .text = text};
    const Node **low = arena_take(table->arena, count, sizeof *low, table->err);
    writer.lowered = low ? arena_take(table->arena, table->count, sizeof *writer.lowered, table->err) : NULL;
    if (!writer.lowered)
        return false;
    for (size_t i = 0; i < count; ++i)
        if (!(low[i] = lower(&writer, statements[i].node)))
            return false;
    if (beside && !see_all(&writer, beside, beside_count))
        return false;
    writer.uses = arena_take(table->arena, table->count, sizeof *writer.uses, table->err);
    writer.local = writer.uses ? arena_take(table->arena, table->count, sizeof *writer.local, table->err) : NULL;
    writer.asked = writer.local ? arena_take(table->arena, table->count, sizeof *writer.asked, table->err) : NULL;
    writer.waits = writer.asked ? arena_take(table->arena, table->count, sizeof *writer.waits, table->err) : NULL;
    if (!writer.waits)
        return false;
    for (size_t i = 0; i < count; ++i)
        count_uses(&writer, low[i]);
    const bool blocks = writer.calls > MOST_INLINED;
    writer.seen = blocks ? NULL : writer.seen;
    if (blocks)
        text_add(text, "    real calls[%d];\n", CALLS_MOST);
    for (size_t i = 0; !blocks && i < count; ++i)
        write_shared(&writer, low[i]);
    for (size_t i = 0; i < count; ++i) {
        if (blocks) {
            write_calls(&writer, low + i, count - i);
            write_shared(&writer, low[i]);
        }
        write_statement(&writer, statements[i].target, low[i]);
    }
    return true;
}
