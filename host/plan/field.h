// field -- fields of a trajectory, an entry each: the plan, the kernels, the reference and pictures read them here.
#pragma once

#include "catalog/card.h"

typedef struct Field {
    const char *word, *name;  // under `trajectory.fields`; of the dataset, another one where a metric has the word
    const char *unit, *about;
    bool        per_dof;                // a vector
    const char *needs;                  // the function that the problem must provide, or NULL
    bool        records[RECORD_COUNT];  // the records that the kernel keeps for it
    const char *label;                  // in pictures; NULL: the name and an index
    bool        settles;                // it moves about a place of rest and may come to it
    bool        spans;                  // a logarithmic scale becomes it where it spans much
    const char *kernel;
} Field;

// VECTOR or NUMBER of: a name for the code; its source in the kernels, of a vector a member of the State, of a number
// an expression in the Point q, its updates so far, the time t and the parameters p; its source in the
// reference, an expression in problem, params, the time t, state and the Stepping s; the members of its Field.
#define FIELDS(VECTOR, NUMBER)                                                                                       \
    VECTOR(X, x, state->x, .word = "x", .name = "x", .unit = "1", .about = "coordinates", .settles = true)           \
    VECTOR(V, v, state->v, .word = "v", .name = "v", .unit = "1", .about = "velocities")                             \
    NUMBER(ENERGY, energy(q->s.x, q->s.v, p), problem->energy(state->x, state->v, params), .word = "energy",         \
           .name = "energy", .unit = "J", .about = "energy", .needs = "energy", .label = "energy", .spans = true)    \
    NUMBER(CONDITION, q->condition.last, s->tally.condition_last, .word = "condition", .name = "condition",          \
           .unit = "1", .about = "condition number of the last accepted solve's Jacobian",                           \
           .label = "condition number", .records = {[RECORD_CONDITION] = true}, .spans = true)                       \
    NUMBER(UPDATES, to_real(updates), (double)s->tally.updates, .word = "updates", .name = "updates_so_far",         \
           .unit = "1", .about = "Newton updates since t = 0", .label = "Newton updates so far")                     \
    NUMBER(KINETIC, kinetic(q->s.x, q->s.v, p), problem->kinetic(state->x, state->v, params), .word = "kinetic",     \
           .name = "kinetic", .unit = "J", .about = "kinetic energy", .needs = "kinetic", .label = "kinetic energy") \
    NUMBER(ERROR, exact_distance(t, q->s.x, p), metrics_distance(problem, params, t, state->x), .word = "error",     \
           .name = "error", .unit = "1", .about = "||x - x_exact||_inf", .needs = "exact", .label = "error of x",    \
           .spans = true)                                                                                            \
    NUMBER(FAST, fast(q->s.x, p), problem->fast(state->x, params), .word = "fast", .name = "fast", .unit = "1",      \
           .about = "the stiff coordinate, from rest", .needs = "fast", .label = "fast coordinate", .settles = true) \
    NUMBER(SLOW, slow(q->s.x, p), problem->slow(state->x, params), .word = "slow", .name = "slow", .unit = "1",      \
           .about = "the slow coordinate", .needs = "slow", .label = "slow coordinate", .settles = true)

#define FIELD_INDEX(NAME, ...) FIELD_##NAME,
enum { FIELDS(FIELD_INDEX, FIELD_INDEX) FIELD_COUNT };
#undef FIELD_INDEX

extern const Field field_table[FIELD_COUNT];
