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
    return functions_table[function].arguments;
}

const char *expression_function_name(int function)
{
    return functions_table[function].name;
}

const Node *function_derive(Expressions *table, int function, const Node *node, const Node *da, const Node *db)
{
    Name               names[] = {{"a", node->left}, {"b", node->right}, {"f", node}, {"da", da}, {"db", db}};
    const FormulaWords words = table->words;
    size_t             where;
    const char        *why;
    table->words = (FormulaWords){.names = names, .name_count = sizeof names / sizeof *names, .simple = true};
    const Node *derivative = expression_read(table, functions_table[function].derivative, &where, &why);
    table->words = words;
    return derivative;
}
