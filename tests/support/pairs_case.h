// pairs_case -- reads the csv of `pendula pairs`.
#pragma once

#include "support/command.h"

#define PAIRS_COLUMNS                                                                        \
    "residual,low,high,roots,reason,period_error_from,period_error_to,radius_infinity_from," \
    "radius_infinity_to,updates_from,updates_to,evaluations_from,evaluations_to,"            \
    "condition_max_from,condition_max_to,cost_ratio,number_from,number_to,physical"
enum { FROM, TO, RESIDUAL, LOW, HIGH, ROOTS, REASON, UPDATES_FROM = 11, EVALUATIONS_FROM = 13, CONDITION_FROM = 15 };
enum { COST_RATIO = 17, COLUMNS = 21, MOST_FIELD = 256 };

// One row of csv, fields as they are but for their quotes.
typedef struct Row {
    char   fields[COLUMNS][MOST_FIELD];
    size_t count;
} Row;

Row    read_row(const char *line);
double pairs_number(const Row *row, size_t field);
