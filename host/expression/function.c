// function -- the functions of formulas: names and derivatives.
#include "expression/function.h"

#include <string.h>

int expression_function(const char *name, size_t length)
{
    int i = 0;
    while (i < FUNCTION_COUNT &&
           (strlen(functions_table[i].name) != length || strncmp(functions_table[i].name, name, length) != 0))
        ++i;
    return i;
}

size_t expression_arguments(int function)
{
    return function < FUNCTION_COUNT ? functions_table[function].arguments : 2;
}

const char *expression_function_name(int function)
{
    return function < FUNCTION_COUNT ? functions_table[function].name : "choose";
}

// choose(a, b, c, d) of a derivative.
static const Node *make_choice(void *user, size_t which, const Node *const *arguments)
{
    Expressions *table = user;
    (void)which;
    return expression_call(table, FUNCTION_CHOOSE, expression_make(table, NODE_PAIR, arguments[0], arguments[1]),
                           expression_make(table, NODE_PAIR, arguments[2], arguments[3]));
}

const Node *function_derive(Expressions *table, int function, const Node *node, const Node *da, const Node *db)
{
    static const ExpressionCall choice = {"choose", 4, make_choice};
    Name                        names[] = {{"a", node->left}, {"b", node->right}, {"f", node}, {"da", da}, {"db", db}};
    const FormulaWords          words = table->words;
    size_t                      where;
    const char                 *why;
    table->words = (FormulaWords){names, sizeof names / sizeof *names, 0, &choice, 1, table, true};
    const Node *derivative = expression_read(table, functions_table[function].derivative, &where, &why);
    table->words = words;
    return derivative;
}
