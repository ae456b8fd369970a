// numbers -- split of a list at its commas.
#include "terminal/numbers.h"

#include "base/yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static error_t check(const char *option, NumbersLeast least, const double *numbers, size_t count,
                     struct argp_state *state)
{
    for (size_t i = 0; least != NUMBERS_ANY && i < count; ++i)
        if (!(numbers[i] > 0.0 || (least == NUMBERS_NOT_NEGATIVE && numbers[i] == 0.0)))
            return options_refuse(state, "%s: %.10g is too small, it must be %s 0", option, numbers[i],
                                  least == NUMBERS_POSITIVE ? "greater than" : "at least");
    return 0;
}

error_t numbers_parse(const char *option, const char *text, size_t most, NumbersLeast least, Numbers *numbers,
                      struct argp_state *state)
{
    const Options *options = state->input;
    size_t         count = numbers->count + 1;
    for (const char *c = text; *c; ++c)
        count += *c == ',';
    if (count > most)
        return options_refuse(state, "%s: %zu values, at most %zu", option, count, most);
    double *grown = realloc(numbers->items, count * sizeof *grown);
    numbers->items = grown ? grown : numbers->items;
    char *copy = strdup(text), *rest = copy, *word = NULL;
    if (!grown || !copy) {
        free(copy);
        fail(options->err, ERROR_INTERNAL, "out of memory");
        return ENOMEM;
    }
    bool fine = true;
    while (fine && (word = strsep(&rest, ",")) != NULL) {
        fine = yaml_parse_number(word, &numbers->items[numbers->count]);
        numbers->count += fine;
    }
    const error_t code = fine ? check(option, least, numbers->items, numbers->count, state)
                              : options_refuse(state, "%s: '%.60s' is not a number", option, word ? word : "");
    free(copy);
    return code;
}

error_t numbers_parse_range(const char *option, const char *text, NumbersLeast least, double range[2],
                            struct argp_state *state)
{
    Numbers numbers = {0};
    error_t code = numbers_parse(option, text, 2, NUMBERS_ANY, &numbers, state);
    if (code == 0 && (numbers.count != 2 || !(numbers.items[0] < numbers.items[1])))
        code = options_refuse(state, "%s takes A,B with A < B, got '%.100s'", option, text);
    for (size_t i = 0; code == 0 && i < 2; ++i)
        range[i] = numbers.items[i];
    numbers_free(&numbers);
    return code ? code : check(option, least, range, 2, state);
}

error_t numbers_parse_one(const char *option, const char *text, NumbersLeast least, double *number,
                          struct argp_state *state)
{
    return yaml_parse_number(text, number) ? check(option, least, number, 1, state)
                                           : options_refuse(state, "%s: '%.60s' is not a number", option, text);
}

void numbers_free(Numbers *numbers)
{
    free(numbers->items);
    *numbers = (Numbers){0};
}
