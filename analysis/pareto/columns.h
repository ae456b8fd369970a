// columns -- columns by which points of a result file differ: the problem's parameters, and choices of how to solve it.
//
// Where two points agree in all columns of the problem, they solve the same problem. Everything else - the step, the
// parameters of the method, Newton's settings - is a decision.
#pragma once

#include "store/points.h"

typedef struct Column {
    const char  *name;
    bool         problem;  // of the problem, not of a decision
    bool         varies;   // somewhere along an axis, or between groups
    int         *axes;     // [group_count] the axis of each group, or one of the two below
    double      *values;   // [group_count] where it is not an axis; NaN: the group has no such thing
    const char **words;    // [group_count] where its values are words: indices of these; else NULL
} Column;

enum { COLUMNS_MOST = 256 };
enum { COLUMN_CONSTANT = -1, COLUMN_END = -2 };  // COLUMN_END: the product of step and steps

// Made by columns_make(), which owns all but the groups.
typedef struct Columns {
    const Points *groups;  // [group_count]
    size_t        group_count;
    Column       *items;  // [count] the problem's columns first
    size_t        count, problem_count;
    Arena         arena;
} Columns;

// Finds the columns of some groups of a file.
//   groups   [group_count] open points of groups; borrowed while the columns are used
//   columns  written; release with columns_free(), also after a failure
// Errors: ERROR_INPUT (settings that are not this program's), ERROR_INTERNAL.
bool columns_make(const StoreFile *file, const Points *groups, size_t group_count, Columns *columns, Error *err);
void columns_free(Columns *columns);

// The value of a column at a point of groups[group]; NaN where the group has none.
double columns_value(const Columns *columns, size_t column, size_t group, uint64_t point);

// The word that a value of a column stands for, else NULL.
const char *columns_word(const Columns *columns, size_t column, double value);

// Numbers problems, or decisions, from 0 on as they come. Zero-initialise it; release with columns_forget().
typedef struct ColumnsKeys {
    uint32_t           count;
    void              *tree;   // of keys, by tsearch()
    struct ColumnsKey *spare;  // room for the next
} ColumnsKeys;

// The number of the problem that a point solves, or of its decision, which is that of no other group.
// Errors: ERROR_INTERNAL (memory).
bool columns_number(const Columns *columns, bool problem, size_t group, uint64_t point, ColumnsKeys *keys,
                    uint32_t *number, Error *err);

// The place of each number in the order of the columns' values: [count], to be freed. NULL, with err filled
// (ERROR_INTERNAL), when memory runs out.
uint32_t *columns_rank(const ColumnsKeys *keys, Error *err);
void      columns_forget(ColumnsKeys *keys);
