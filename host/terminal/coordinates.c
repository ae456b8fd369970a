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
static bool add(const char *option, const char *text, size_t whole, Coordinates *coordinates, Error *err)
{
    NamedValue  *item = &coordinates->items[coordinates->count];
    const size_t length = strcspn(text, "=,");
    char         number[64];
    if (coordinates->count == COORDINATES_MOST)
        return fail(err, ERROR_USAGE, "%s takes at most %d values", option, COORDINATES_MOST);
    if (length == 0 || length >= whole || length >= sizeof item->name || whole - length - 1 >= sizeof number)
        return fail(err, ERROR_USAGE, "%s takes NAME=VALUE,..., got '%.100s'", option, text);
    memcpy(item->name, text, length);
    item->name[length] = '\0';
    memcpy(number, text + length + 1, whole - length - 1);
    number[whole - length - 1] = '\0';
    if (!yaml_parse_number(number, &item->value))
        return fail(err, ERROR_USAGE, "%s %s: '%.60s' is not a number", option, item->name, number);
    if (coordinates_find(coordinates, item->name))
        return fail(err, ERROR_USAGE, "%s: '%.60s' is given twice", option, item->name);
    ++coordinates->count;
    return true;
}

bool coordinates_read(const char *option, const char *text, Coordinates *coordinates, Error *err)
{
    bool ok = *text || fail(err, ERROR_USAGE, "%s takes NAME=VALUE,..., got nothing", option);
    while (ok && *text) {
        const size_t whole = strcspn(text, ",");
        ok = add(option, text, whole, coordinates, err);
        text += whole + (text[whole] == ',');
    }
    return ok;
}
