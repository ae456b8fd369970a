// rows -- inside of the device layer: layout of a program's buffers for the points of a batch.
#pragma once

#include "device/program.h"

// Reals and integers share rows: element i of a row of numbers of the program's precision.
void   rows_put(const Program *program, void *rows, size_t i, double value);
void   rows_put_whole(const Program *program, void *rows, size_t i, int64_t value);
double rows_value(const Program *program, const void *rows, size_t i);

// Fills the parameter rows of `count` columns with the places that begin next. Places beyond the last point take its
// parameters and no step. Returns the steps that they are to take together.
//   rows  [program->rows.parameters][count] overwritten
uint64_t rows_fill(const Program *program, const Run *run, size_t count, void *rows);
