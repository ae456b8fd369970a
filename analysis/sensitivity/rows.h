// rows -- recognises a list of points: the rows of a design that another program made, a grid, or points of their own.
//
// A row holds a number of each factor. Orders of Saltelli's matrices that are known (A; B; AB_i is A with column i of
// B, BA_i is B with column i of A), with the program that writes them:
//
//   a base sample at a time     A AB_1 .. AB_d B                      SALib
//                               A AB_1 .. AB_d BA_1 .. BA_d B         SALib, second order
//                               A B AB_1 .. AB_d [BA_1 .. BA_d]       pendula
//   a matrix at a time          A B AB_1 .. AB_d [BA_1 .. BA_d]       OpenTURNS, R's sensitivity
//                               A B BA_1 .. BA_d                      R's sensitivity: A and B change places
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum RowsKind {
    ROWS_OWN,            // none of the following
    ROWS_SALTELLI,       // a base sample after the other, or a matrix after the other
    ROWS_GRID,           // each combination of some values of the factors, once
    ROWS_ONE_AT_A_TIME,  // each differs from the first one, or from the one before it, in one factor
    ROWS_TOGETHER,       // two factors rise together, or one falls where the other rises
    ROWS_CORRELATED      // two factors are correlated, by more than chance does to independent ones
} RowsKind;

typedef struct RowList {
    RowsKind kind;
    // Of Saltelli's design.
    uint64_t samples;
    size_t   roles;
    bool     second_order;
    bool     by_matrix;  // row of a role: place[role] samples + sample; else sample roles + place[role]
    size_t  *place;      // [roles], in the order A B AB_1 .. BA_1 ..
    // Of two factors.
    size_t first, second;
    double rank_correlation;  // Spearman's
} RowList;

// Recognises rows. O(count factor_count^2), and the time to sort 2^16 numbers for each factor.
//   columns  [factor_count][count]
//   rows     written; its array is the arena's
// Errors: ERROR_INTERNAL (memory).
bool rows_recognise(const double *const *columns, uint64_t count, size_t factor_count, Arena *arena, RowList *rows,
                    Error *err);

// The row of a role of a base sample.
uint64_t rows_find(const RowList *rows, uint64_t sample, size_t role);
