// format -- compares names, and quotes.
#include "terminal/format.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

error_t format_parse(const char *value, Format *format, const struct argp_state *state)
{
    static const char *const names[] = {"text", "csv", "json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(names[i], value) == 0) {
            *format = (Format)i;
            return 0;
        }
    return options_refuse(state, "--format takes text, csv or json, got '%.100s'", value);
}

void format_field(Text *text, const char *field)
{
    const char *quote = strpbrk(field, ",\"\r\n") ? "\"" : "";
    text_add(text, "%s", quote);
    for (const char *c = field; *c; ++c)
        text_add(text, *c == '"' ? "\"\"" : "%c", *c);
    text_add(text, "%s", quote);
}

void format_number(Text *text, double number)
{
    if (isfinite(number))
        json_number(text, number);
    else if (isinf(number))
        text_add(text, number > 0.0 ? "inf" : "-inf");
}
