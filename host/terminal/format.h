// format -- text, csv or json: which one is asked for, and the fields of csv.
#pragma once

#include "terminal/options.h"

typedef enum Format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON } Format;

// The options table's line for `--format`.
#define FORMAT_OPTION(key)                                                 \
    {                                                                      \
        "format", key, "FORMAT", 0, "text, csv or json (default: text)", 0 \
    }

// For a parser function: returns 0, or the code that makes options_parse() stop.
error_t format_parse(const char *value, Format *format, const struct argp_state *state);

// Adds a field of csv, in double quotes where it needs them.
void format_field(Text *text, const char *field);

// Adds a number with the fewest digits that read back equal: inf where it is infinite, nothing where it is none.
void format_number(Text *text, double number);
