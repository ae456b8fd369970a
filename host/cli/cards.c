// cards -- names of kinds, and the table of parameters.
#include "cli/cards.h"

#include "base/yaml.h"

#include <math.h>

const char *cards_kind(CardKind kind)
{
    return kind == CARD_PROBLEM ? "problem" : kind == CARD_METHOD ? "method" : "metric";
}

static void add_choices(Table *table, const CardParameter *parameter)
{
    Text range SCOPED(text_free) = {0};
    for (size_t i = 0; i < parameter->choice_count; ++i)
        text_add(&range, "%s%s", i ? " | " : "", parameter->choices[i]);
    table_word(table, "default", parameter->choices[(size_t)parameter->initial]);
    table_words(table, "choices", parameter->choices, parameter->choice_count);
    table_word(table, "range", range.text);
}

static void add_range(Table *table, const CardParameter *parameter)
{
    const bool least = isfinite(parameter->least), most = isfinite(parameter->most);
    if (!isnan(parameter->initial))
        table_number(table, "default", parameter->initial);
    else if (parameter->derived || table->format == FORMAT_TEXT)
        table_word(table, "default", parameter->derived ? "equations" : "none");
    table_format(table, "range", "%s%g, %g%s", parameter->least_open || !least ? "(" : "[", parameter->least,
                 parameter->most, parameter->most_open || !most ? ")" : "]");
    table_word(table, "unit", parameter->unit);
    if (least)
        table_number(table, parameter->least_open ? "above" : "min", parameter->least);
    if (most)
        table_number(table, parameter->most_open ? "below" : "max", parameter->most);
}

void cards_parameters(Text *text, Format format, const Card *card)
{
    static const TableColumn columns[] = {
        {"name", .gap = 2, .width = 10, .left = true},
        {"default", .gap = 1, .width = 10, .left = true, .digits = 6},
        {"range", .formats = TABLE_TEXT, .gap = 1, .width = 18, .left = true},
        {"unit", .gap = 1, .width = 6, .left = true},
        {"about", .heading = "", .gap = 1, .left = true},
    };
    Table table = {TABLE(text, format, columns)};
    table_begin(&table);
    table_heading(&table);
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const CardParameter *parameter = &card->parameters[i];
        table_row(&table);
        table_word(&table, "name", parameter->name);
        if (parameter->choice_count)
            add_choices(&table, parameter);
        else
            add_range(&table, parameter);
        table_word(&table, "about", parameter->about);
        table_end_row(&table);
    }
    table_end(&table);
}

static void add_statements(Text *text, const char *heading, const YamlNode *list)
{
    if (list)
        text_add(text, "%s\n", heading);
    for (size_t i = 0; list && i < list->count; ++i)
        text_add(text, "  %s\n", list->items[i]->text);
}

void cards_equations(Text *text, const Card *card)
{
    add_statements(text, "equations", card->equations);
    add_statements(text, "Butcher's tableau, c | a", card->tableau);
    add_statements(text, "equations of a step without an earlier point", card->equations_first);
    add_statements(text, "equations where a point begins", card->equations_start);
}
