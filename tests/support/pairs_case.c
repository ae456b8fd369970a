// pairs_case -- one row of csv, taken apart.
#include "support/pairs_case.h"

Row read_row(const char *line)
{
    Row    row = {.count = 1};
    size_t length = 0;
    bool   quoted = false;
    for (const char *c = line; *c && *c != '\n'; ++c) {
        if (*c == '"') {
            quoted = !quoted;
        } else if (*c == ',' && !quoted) {
            assert_true(row.count < COLUMNS);
            ++row.count;
            length = 0;
        } else {
            assert_true(length < MOST_FIELD - 1);
            row.fields[row.count - 1][length++] = *c;
        }
    }
    return row;
}

double pairs_number(const Row *row, size_t field)
{
    char        *end;
    const double value = strtod(row->fields[field], &end);
    assert_true(end != row->fields[field] && *end == '\0');
    return value;
}
