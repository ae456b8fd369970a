// coordinates -- takes lists of named values apart.
#include "terminal/coordinates.h"
#include "base/yaml.h"

#include <string.h>

const NamedValue *coordinates_find(const Coordinates *coordinates, const char *name)
{
    for (size_t i = 0; i < coordinates->count; ++i)
        if (strcmp(coordinates->items[i].name, name) == 0)
            return &coordinates->items[i];
    return NULL;
}

// One "NAME=VALUE" of so many characters.
static error_t add(const char *option, const char *text, size_t whole, Coordinates *coordinates,
                   struct argp_state *state)
{
    NamedValue  *item = &coordinates->items[coordinates->count];
    const size_t length = strcspn(text, "=,");
    char         number[64];
    if (coordinates->count == COORDINATES_MOST)
        return options_refuse(state, "%s takes at most %d values", option, COORDINATES_MOST);
    if (length == 0 || length >= whole || length >= sizeof item->name || whole - length - 1 >= sizeof number)
        return options_refuse(state, "%s takes NAME=VALUE,..., got '%.100s'", option, text);
    memcpy(item->name, text, length);
    item->name[length] = '\0';
    memcpy(number, text + length + 1, whole - length - 1);
    number[whole - length - 1] = '\0';
    if (!yaml_parse_number(number, &item->value))
        return options_refuse(state, "%s: '%.60s' is not a number", option, number);
    if (coordinates_find(coordinates, item->name))
        return options_refuse(state, "%s: '%.60s' is given twice", option, item->name);
    ++coordinates->count;
    return 0;
}

error_t coordinates_parse(const char *option, const char *text, Coordinates *coordinates, struct argp_state *state)
{
    error_t refused = *text ? 0 : options_refuse(state, "%s takes NAME=VALUE,..., got nothing", option);
    while (!refused && *text) {
        const size_t whole = strcspn(text, ",");
        refused = add(option, text, whole, coordinates, state);
        text += whole + (text[whole] == ',');
    }
    return refused;
}
