// curves_choose -- gives a problem the tables that it asks for, and those that formulas outside of it call.
#include "plan/curves.h"
#include "catalog/curve.h"

#include <math.h>
#include <string.h>

static const Curve *find_table(const Plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->table_count; ++i)
        if (strcmp(plan->tables[i].name, name) == 0)
            return &plan->tables[i];
    return NULL;
}

// The parameter that chooses a record takes their numbers alone; a default of another kind becomes the first.
static bool limit_parameter(const Curve *table, const YamlNode *node, Card *card, Error *err)
{
    const size_t index = table->of ? card_parameter(card, table->of) : card->parameter_count;
    if (table->of && index == card->parameter_count)
        return yaml_fail(node, err,
                         "table '%s' has a record for each value of '%.60s', which is not a parameter of '%s'",
                         table->name, table->of, card->name);
    if (!table->of)
        return true;
    CardParameter *parameter = &card->parameters[index];
    const double   most = (double)(table->record_count - 1);
    if (parameter->choice_count > 0)
        return yaml_fail(node, err, "table '%s': parameter '%s' is a choice of words, and records have numbers",
                         table->name, table->of);
    parameter->whole = true;
    parameter->least = fmax(parameter->least, 0.0);
    parameter->most = fmin(parameter->most, most);
    if (!(parameter->initial >= 0.0 && parameter->initial <= most && parameter->initial == floor(parameter->initial)))
        parameter->initial = 0.0;
    return true;
}

bool curves_choose(Plan *plan, const YamlNode *node, Card *card, Error *err)
{
    CurveSet *curves = NULL;
    Curve    *list = NULL;
    if (card->table_count == 0)
        return true;
    if (!(curves = arena_take(&plan->arena, 1, sizeof *curves, err)) ||
        !(list = arena_take(&plan->arena, card->table_count, sizeof *list, err)))
        return false;
    for (size_t i = 0; i < card->table_count; ++i) {
        const Curve *table = find_table(plan, card->tables[i]);
        if (!table)
            return yaml_fail(node, err, "problem '%s' asks for table '%.60s', which is not under `tables`", card->name,
                             card->tables[i]);
        list[i] = *table;
        if (!limit_parameter(table, node, card, err))
            return false;
    }
    if (!curve_list(list, card->table_count, plan->precision == PRECISION_SINGLE, &plan->arena, curves, err))
        return false;
    card->curves = curves;
    return true;
}

bool curves_add(Plan *plan, const YamlNode *node, const bool *called, Error *err)
{
    const Card    *problem = plan->problem;
    Card          *card = arena_take(&plan->arena, 1, sizeof *card, err);
    const char   **tables = arena_take(&plan->arena, problem->table_count + plan->table_count, sizeof *tables, err);
    CardParameter *parameters = arena_take(&plan->arena, problem->parameter_count, sizeof *parameters, err);
    if (!card || !tables || !parameters)
        return false;
    *card = *problem;
    card->tables = tables;
    card->parameters = parameters;
    for (size_t i = 0; i < problem->table_count; ++i)
        tables[i] = problem->tables[i];
    for (size_t i = 0; i < problem->parameter_count; ++i)
        parameters[i] = problem->parameters[i];
    for (size_t i = 0; i < plan->table_count; ++i)
        if (called[i] && !card_lists(problem->tables, problem->table_count, plan->tables[i].name))
            tables[card->table_count++] = plan->tables[i].name;
    if (card->table_count == problem->table_count)
        return true;
    plan->problem = card;
    return curves_choose(plan, node, card, err);
}

bool curves_add_data(Plan *plan, Error *err)
{
    const YamlNode *node = yaml_said(plan->spec->root, spec_data);
    bool           *called = arena_take(&plan->arena, plan->table_count, sizeof *called, err);
    for (size_t i = 0; called && i < plan->table_count; ++i)
        called[i] = plan->tables[i].name == spec_data;
    return called && (!node || curves_add(plan, node, called, err));
}

bool curves_check(Plan *plan, Error *err)
{
    const Card *problem = plan->problem;
    for (size_t i = 0; i < plan->table_count; ++i)
        if (!card_lists(problem->tables, problem->table_count, plan->tables[i].name) &&
            !plan_warn(plan, plan->spec->root, err, "table '%s' is used by no formula", plan->tables[i].name))
            return false;
    return true;
}
