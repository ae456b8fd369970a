// card_words -- look-ups on a card: names in its lists, keys of entries, parameters by their names, widths of results.
#include "catalog/card.h"

#include "base/yaml.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

bool card_lists(const char *const *list, size_t count, const char *word)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(list[i], word) == 0)
            return true;
    return false;
}

bool card_provides(const Card *card, const char *word)
{
    return card_lists(card->provides, card->provide_count, word);
}

bool card_needs(const Card *card, const char *word)
{
    return card_lists(card->needs, card->need_count, word);
}

bool card_takes(const Card *card, const char *option)
{
    return card_lists(card->options, card->option_count, option);
}

size_t card_dense(const Card *method)
{
    size_t i = 0;
    while (i < method->scratch_count && strcmp(method->scratch[i], "dense_x_1") != 0)
        ++i;
    return i;
}

bool card_key(const Card *card, size_t place, CardParameter *key)
{
    static const CardParameter options[] = {
        {.name = "of", .unit = "", .about = "what is observed: slow, fast, energy, kinetic, x0, v0, ..."},
        {.name = "from", .unit = "s", .about = "start of the window in time"},
        {.name = "to", .unit = "s", .about = "end of the window in time"}};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        if (!card_takes(card, i == 0 ? "of" : "window") || place-- > 0)
            continue;
        *key = options[i];
        key->initial = (double)NAN;
        key->least = -(double)INFINITY;
        key->most = (double)INFINITY;
        return true;
    }
    if (place >= card->parameter_count)
        return false;
    *key = card->parameters[place];
    return true;
}

size_t card_result_width(const CardResult *result, size_t samples, size_t dofs)
{
    return result->samples ? samples * (result->per_dof ? dofs : 1) : 1;
}

size_t card_parameter(const Card *card, const char *name)
{
    size_t i = 0;
    while (i < card->parameter_count && strcmp(card->parameters[i].name, name) != 0)
        ++i;
    return i;
}

static bool is_inside_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool card_names(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); ++at)
        if ((at == text || !is_inside_word(at[-1])) && !is_inside_word(at[length]))
            return true;
    return false;
}

// Whether a statement gives a derived parameter that has a value.
static bool is_passed_over(const Card *method, const char *statement, const double *values)
{
    for (size_t k = 0; k < method->parameter_count; ++k) {
        const CardParameter *parameter = &method->parameters[k];
        const size_t         length = strlen(parameter->name);
        if (parameter->derived && !isnan(values[k]) && strncmp(statement, parameter->name, length) == 0 &&
            statement[length + strspn(statement + length, " ")] == '=')
            return true;
    }
    return false;
}

bool card_parameter_counts(const Card *method, size_t i, const double *values)
{
    const YamlNode *const lists[] = {method->equations, method->equations_first, method->equations_start};
    bool                  passed_over = false;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k)
        for (size_t n = 0; lists[k] && n < lists[k]->count; ++n) {
            const YamlNode *statement = lists[k]->items[n];
            if (statement->kind != YAML_SCALAR || !card_names(statement->text, method->parameters[i].name))
                continue;
            if (!is_passed_over(method, statement->text, values))
                return true;
            passed_over = true;
        }
    return !passed_over;
}
