// solution -- solutions that metrics compare with: tables for a group's points, made on the host.
//
// Where a problem has no closed form, error metrics compare with a solution computed beforehand by the reference, each
// coordinate to about 1e-12 of the largest that it has been; where it declares a limit, visual metrics compare its slow
// coordinate with that of the limit. Points that differ in their method alone share a table. The kernels and the
// reference read the same numbers.
//
// A table holds samples at every `every`-th step, from step 0, and at the last step: all steps of a point with no more
// than SOLUTION_SAMPLES of them, else that many or somewhat more, equally spaced.
#pragma once

#include "plan/plan.h"

enum { SOLUTION_SAMPLES = 1024 };

typedef struct Solution {
    const Group *group;         // borrowed
    size_t       table_count;   // 0: the group's metrics need none
    size_t       sample_count;  // of all tables
    uint64_t    *first;         // [table_count] number of the table's first sample
    double      *numbers;       // [sample_count][group->solution.rows]: x, then the limit's slow coordinate
    size_t       unsolved;      // tables left NaN, since the solver would have had to work too long
} Solution;

// Steps between samples, and samples of a table of that many steps.
uint64_t solution_every(uint64_t steps);
uint64_t solution_samples(uint64_t steps);

// The table of a point: tables are numbered like the points of a grid of only the dimensions along which the step or a
// parameter of the problem changes.
size_t solution_table(const Group *group, uint64_t point);
size_t solution_tables(const Group *group);

// The first point of a table.
uint64_t solution_point(const Group *group, size_t table);

// Whether a group's tables are few and small enough.
// Errors: ERROR_INPUT (more than 2^24 of them, or than 2 GiB).
bool solution_check(const Group *group, Error *err);

// How many numbers a group's tables have, all together; 0 where its metrics need none.
uint64_t solution_size(const Group *group);

// Makes a group's tables, all NaN; zeroed on failure. Release with solution_free().
// Errors: those of solution_check(), ERROR_INTERNAL.
bool solution_make(const Group *group, Solution *solution, Error *err);

// The samples that a point is compared with.
typedef struct SolutionSamples {
    const double *numbers;  // [samples][rows], NULL where there is no table
    Solved        solved;
    uint64_t      every, steps;
} SolutionSamples;

SolutionSamples solution_of(const Solution *solution, const Group *group, uint64_t point, uint64_t steps);

// The sample that belongs to a step, or NULL: before the last step only every `every`-th has one.
const double *solution_at(const SolutionSamples *samples, uint64_t step);

// Whether the tables of one group serve another: the same motions, numbered alike.
bool solution_serves(const Group *made_for, const Group *group);

void solution_free(Solution *solution);
