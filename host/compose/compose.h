// compose -- one OpenCL C text per group: a prologue of definitions, then the kernel with its includes expanded.
//
// The prologue is all that the host generates: the sizes, the parameter structs, the settings that are uniform in the
// group, and the includes of the problem, method and metric files. Lanes are not in it: they are build options, so the
// text is the same on every device. Included text is framed by #line, so that a compiler's message names the kernel
// file.
#pragma once

#include "plan/plan.h"
#include "base/text.h"

// Composes the source of a group.
//   text   written; zeroed on failure; release with text_free()
// Errors: ERROR_INPUT (a kernel file includes a file that does not exist), ERROR_INTERNAL.
bool compose(const Plan *plan, const Group *group, Text *text, Error *err);

// How many rows the kernel's buffers have, and where some are (kernels/shared.h). All rows have one element per point.
typedef struct Rows {
    size_t state;        // point state between slices
    size_t step, level;  // the state's rows of a point's step and level
    size_t stack;        // level stack of two-step methods, 2 dofs rows a level, behind the state; 0 for others
    size_t parameters;   // inputs
    size_t results;      // all of them
    size_t numbers;      // of the results, rows before the samples of metrics; metrics in the order of the variables
    size_t tangents;     // the first row of the tangents: of x_i and of v_i by turns, as they stand in a State
    size_t kept;         // of the state, samples of metrics
    size_t frame;        // trajectory numbers per sample
    size_t matrix;       // numbers of a point's Newton matrices, which are in no buffer but in the kernel's own memory
} Rows;

Rows compose_rows(const Group *group);
