// columns -- by what the points of a result file differ: parameters of the problem, and what is chosen to solve it.
//
// Where two points agree in all columns of the problem, they solve the same problem. Everything else - the step, the
// parameters of the method, Newton's settings - is a decision.
#pragma once

#include "analysis/points.h"

typedef struct Column {
    const char  *name;
    bool         problem;  // of the problem, not of a decision
    bool         varies;   // somewhere along an axis, or between groups
    int         *axes;     // [group_count] the axis of each group, or one of the two below
    double      *values;   // [group_count] where it is no axis; NaN: the group has no such thing
    const char **words;    // [word_count] where its values are words: they count from 0 here; else NULL
    size_t       word_count;
} Column;

enum { COLUMNS_MOST = 256 };
enum { COLUMN_CONSTANT = -1, COLUMN_END = -2 };  // COLUMN_END: the product of step and steps

// Made by columns_make(), which owns all of it.
typedef struct Columns {
    Column *items;  // [count] those of the problem first
    size_t  count, problem_count;
    size_t  group_count;
    Arena   arena;
} Columns;

// Finds the columns of some groups of a file.
//   groups   [group_count] open points of groups; borrowed while the columns are used
//   columns  written; zeroed on failure; release with columns_free()
// Errors: ERROR_INPUT (settings that are not this program's), ERROR_INTERNAL.
bool columns_make(const StoreFile *file, const Points *groups, size_t group_count, Columns *columns, Error *err);
void columns_free(Columns *columns);

// The value of a column at a point of groups[group]; NaN where the group has none.
double columns_value(const Columns *columns, const Points *groups, size_t column, size_t group, uint64_t point);

// What a value of a column stands for where it is a word, else NULL.
const char *columns_word(const Column *column, double value);
