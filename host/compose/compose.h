// compose -- one OpenCL C text per group: a prologue of definitions, then the kernel with its includes expanded.
//
// The prologue is all that the host generates: the sizes, the parameter structs, the settings that are uniform in the
// group, and the includes of the problem, method and metric files. Lanes are not in it: they are build options, so the
// text is the same on every device. Included text is framed by #line, so that a compiler's message names the kernel
// file.
#pragma once

#include "plan/plan.h"

// Composes the source of a group.
//   text   written; zeroed on failure; release with text_free()
// Errors: ERROR_INPUT (a kernel file includes a file that does not exist), ERROR_INTERNAL.
bool compose(const Plan *plan, const Group *group, Text *text, Error *err);

// Rows of the kernel's parameter buffer before those of the problem and the method. The prologue defines them for the
// kernel as ROW_H and so on. PLACE is where the point stands in its batch, and so the column of its results.
#define PARAMETER_ROWS(X) \
    X(H)                  \
    X(STEPS)              \
    X(TOLERANCE) X(MAX_UPDATES) X(BUDGET) X(PLACE) X(SLOT) X(EVERY) X(REMAINDER) X(TABLE) X(TABLE_EVERY) X(PROBLEM)
#define PARAMETER_ROW(name) ROW_##name,
enum { PARAMETER_ROWS(PARAMETER_ROW) };
#undef PARAMETER_ROW

// Rows of the kernel's buffers, in the order the kernel addresses them (kernels/sweep.cl). All rows have one element
// per point.
typedef struct Rows {
    size_t state;       // point state between slices
    size_t level;       // the state's row of a point's level
    size_t stack;       // level stack of two-step methods, 2 dofs rows a level, behind the state; 0 for others
    size_t parameters;  // inputs
    size_t results;     // x, v, status, then one row per metric result in the order of SOURCE_METRIC variables, and at
                        // the end, where there are frames, the number of samples in them
    size_t frame;       // trajectory numbers per sample
} Rows;

Rows compose_rows(const Group *group);
