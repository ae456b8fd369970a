// expression -- formulas of a sweep file as trees: read, derived, written as kernel C.
//
// A tree is made of nodes that a table keeps, each once: equal subexpressions are one node, of all formulas of a
// system. So a node that is used twice is computed once (statements.h), and a derivative that repeats a part of its
// formula shares it.
//
//     -w^2*x + f     +-- *  +-- negate --- ^ (w, 2)      w and f are parameters, x is a coordinate
//                  + |      |
//                    |      +-- x
//                    +-- f
//
// Nodes that a text spells are kept as they are spelt: no term is reordered and nothing is computed ahead, so that the
// kernel rounds as the writer of the formula would. Only derivatives are simplified.
#pragma once

#include "base/arena.h"
#include "catalog/curve.h"
#include "catalog/functions.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum NodeKind {
    NODE_NUMBER,
    NODE_COORDINATE,  // number `index` of the system
    NODE_VELOCITY,    // of coordinate `index`
    NODE_PARAMETER,   // number `index` of the system
    NODE_TIME,
    NODE_PI,
    NODE_ACCELERATION,  // of coordinate `index`, in quantities that a sweep observes
    NODE_NEGATE,
    NODE_ADD,
    NODE_SUBTRACT,
    NODE_MULTIPLY,
    NODE_DIVIDE,
    NODE_POWER,
    NODE_CALL,
    NODE_TABLE,  // the value of table `index` at the operands, or with `function` 1 or 2 its derivative by one of them
    NODE_LESS,   // conditions, from here to NODE_NOT; a comparison with NaN does not hold
    NODE_AT_MOST,
    NODE_GREATER,
    NODE_AT_LEAST,
    NODE_AND,
    NODE_OR,
    NODE_NOT,
    NODE_CHOICE,  // by the condition `left`, from the pair `right`: its left where the condition holds
    NODE_PAIR     // both operands, for a choice
} NodeKind;

typedef struct Node {
    NodeKind           kind;
    int                function;      // of a call: a Function; of a table 0, 1 or 2
    double             number;        // of a number
    size_t             index;         // of a coordinate, velocity, acceleration, parameter or table
    const struct Node *left, *right;  // operands; right NULL where there is one
    size_t             id;            // its number in the table
    unsigned           uses;          // a bit for each kind of node in it
    unsigned           depth;         // of the tree
    struct Node       *next;          // in the table
} Node;

// A name that a formula may use, and the node that it stands for.
typedef struct Name {
    const char *text;
    const Node *node;
} Name;

// Coordinates or velocities that formulas know by one name and a number: a[0] to a[count - 1].
typedef struct Indexed {
    const char *name;
    NodeKind    kind;
    size_t      first, count;  // of the system's coordinates
} Indexed;

// A function that only some formulas know, beside the functions of functions.h.
typedef struct ExpressionCall {
    const char *name;
    size_t      arguments;  // at most 4
    // The node that a call stands for. NULL on failure, with the table's err filled.
    const struct Node *(*make)(void *user, size_t which, const struct Node *const *arguments);
} ExpressionCall;

enum { EXPRESSION_BUCKETS = 4096, EXPRESSION_MOST = 1 << 20, EXPRESSION_DEEPEST = 4096 };

// The names and functions that formulas may use, and how formulas are read.
typedef struct FormulaWords {
    Name                 *names;  // [name_count]
    size_t                name_count, name_room;
    const ExpressionCall *calls;  // [call_count] borrowed
    size_t                call_count;
    const Indexed        *indexed;  // [indexed_count] borrowed
    size_t                indexed_count;
    void                 *user;        // handed to them
    bool                  simple;      // sums, products and so on leave out parts that change nothing
    bool                  conditions;  // a formula may be a condition
} FormulaWords;

// The table of nodes. Zero-initialise it; arena and err are borrowed. A constructor that fails fills err and gives
// NULL, and NULL operands give NULL, so that a formula is checked once, at its end.
typedef struct Expressions {
    Arena          *arena;
    Error          *err;
    Node           *buckets[EXPRESSION_BUCKETS];
    size_t          count;
    const char    **parameters;  // their names, by number; borrowed
    const CurveSet *curves;      // tables that formulas may call, or NULL; borrowed
    bool           *called;      // [curves->count] which of them formulas have called
    FormulaWords    words;
} Expressions;

const Node *expression_number(Expressions *table, double number);
const Node *expression_leaf(Expressions *table, NodeKind kind, size_t index);
const Node *expression_make(Expressions *table, NodeKind kind, const Node *left, const Node *right);
const Node *expression_call(Expressions *table, int function, const Node *left, const Node *right);

// The same operator with other operands.
const Node *expression_with(Expressions *table, const Node *node, const Node *left, const Node *right);

// The value of a table of the sweep file at a node, or the derivative of the table there.
//   slope  0: the value; 1, 2: by the first, the second argument
//   other  the second argument of a map; NULL: it is a table of one
const Node *expression_table(Expressions *table, size_t index, int slope, const Node *at, const Node *other);

// Sums, products and so on without parts that change nothing: 0 + a, 1 a, numbers computed. For derivatives, and for
// sums that are not spelt.
const Node *expression_add(Expressions *table, const Node *a, const Node *b);
const Node *expression_subtract(Expressions *table, const Node *a, const Node *b);
const Node *expression_multiply(Expressions *table, const Node *a, const Node *b);
const Node *expression_divide(Expressions *table, const Node *a, const Node *b);
const Node *expression_negate(Expressions *table, const Node *a);
const Node *expression_power(Expressions *table, const Node *base, const Node *exponent);

// if(condition, yes, no), or both where they are one node.
const Node *expression_choose(Expressions *table, const Node *condition, const Node *yes, const Node *no);

// Whether a node is a condition, and not a number.
bool expression_is_condition(const Node *node);

// Whether a node is that number.
bool expression_is(const Node *node, double number);

// Makes a name known to expression_read(). Errors: ERROR_INTERNAL.
bool expression_name(Expressions *table, const char *text, const Node *node);

// The node that a name stands for, or NULL.
const Node *expression_find(const Expressions *table, const char *text);

// Reads a formula: numbers, names, + - * / ^, brackets, functions and if(condition, yes, no). ^ binds to the right and
// before a minus: -x^2 is -(x^2). Below sums bind < <= > >=, then not, and, or. Coordinates with numbers are a[i + 1];
// sum(j, 0, n - 1, a[j]) has a term for each value of its index.
//   text   borrowed for the call
//   where  written: the offset of the fault in text
//   why    the fault, in the table's arena; NULL where memory ran out (err is filled)
// NULL where it is none.
const Node *expression_read(Expressions *table, const char *text, size_t *where, const char **why);

// Derivatives by one leaf. They are kept by node, so that a part of several formulas is derived once.
typedef struct Derivation {
    Expressions *table;
    const Node  *by, *zero, *one;
    const Node **known;  // by the number of a node
} Derivation;

// Begins derivatives by a coordinate or a velocity, or by time, of the nodes that the table has by now.
//   derivation  written; its memory is the table's
bool expression_derive_by(Expressions *table, NodeKind kind, size_t index, Derivation *derivation);

// The derivative of a node.
const Node *expression_derive(Derivation *derivation, const Node *node);

// Whether a node depends on a leaf of that kind.
bool expression_uses(const Node *node, NodeKind kind);

// Makes the tables known to expression_read(), as functions of one argument. Errors: ERROR_INTERNAL.
//   curves  borrowed
bool expression_know_tables(Expressions *table, const CurveSet *curves);

// Whether a formula may call a function of that name that the table has been given.
bool expression_knows_call(const Expressions *table, const char *name);

// Whether a word has a meaning in formulas beside the names of functions: if, and, or, not.
bool expression_reserves(const char *word);

// A function by its name in formulas; FUNCTION_COUNT where there is none.
int expression_function(const char *name, size_t length);

// The number of its arguments, and its name.
size_t      expression_arguments(int function);
const char *expression_function_name(int function);
