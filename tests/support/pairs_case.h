// pairs_case -- reads the csv of `pendula pairs`.
#pragma once

#include "support/command.h"

#include <string.h>

static const char columns[] = "residual,low,high,roots,reason,period_error_from,period_error_to,radius_infinity_from,"
                              "radius_infinity_to,updates_from,updates_to,evaluations_from,evaluations_to,"
                              "condition_max_from,condition_max_to,cost_ratio,number_from,number_to,physical";
enum { FROM, TO, RESIDUAL, LOW, HIGH, ROOTS, REASON, UPDATES_FROM = 11, EVALUATIONS_FROM = 13, CONDITION_FROM = 15 };
enum { COST_RATIO = 17, COLUMNS = 21, MOST_FIELD = 256 };

// One row of csv, fields as they are but for their quotes.
typedef struct Row {
    char   fields[COLUMNS][MOST_FIELD];
    size_t count;
} Row;

static inline Row read_row(const char *line)
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

static inline double number(const Row *row, size_t field)
{
    char        *end;
    const double value = strtod(row->fields[field], &end);
    assert_true(end != row->fields[field] && *end == '\0');
    return value;
}
