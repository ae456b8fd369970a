// equations -- a method's equations, as its card has them from the paper, compiled into lines that a walker takes in
// order.
//
//     card (text) --equations_read--> lines --+-- reference: numbers, Newton's method
//                                             +-- certificates: numbers with bounds
//                                             +-- linear theory: maps of the state
//
// A statement of a card gives a name to a number (of the parameters, h, and the numbers named before it) or to a
// vector, which is a sum of vectors with numbers for factors and accelerations accel(t, x, v):
//
//     gamma = 1/2 - alpha
//     solve a1
//     x1 = x + h*v + h^2*((1/2 - beta)*a + beta*a1)
//     v1 = v + h*((1 - gamma)*a + gamma*a1)
//     a1 = accel(t + h, x1, v1)
//
// x, v and the vectors of the card's `state` are the vectors at the beginning of a step, and x1, v1 and so on the
// vectors at its end; x_prev and v_prev belong to the earlier point that a two-step method has, h_prev is the time back
// to it. `solve` names the unknown of Newton's method. Statements may use it until one is an equation for it. That
// equation is linear in the unknown, but for one acceleration: A u = rest + q accel(t', X + cx u, V + cv u).
#pragma once

#include "catalog/card.h"
#include "expression/expression.h"

#include <math.h>

enum {
    EQUATIONS_X,
    EQUATIONS_V,
    EQUATIONS_X_EARLIER,
    EQUATIONS_V_EARLIER,
    EQUATIONS_STATE,  // the first vector of the card's state; the others follow
};

// No card has more.
enum {
    EQUATIONS_VECTORS = 96,
    EQUATIONS_NUMBERS = 256,
    EQUATIONS_LINES = 96,
    EQUATIONS_TERMS = 24,
    EQUATIONS_ENDS = 32
};

// No vector: zero as an operand, none as a result.
#define EQUATIONS_NONE ((size_t)-1)

// A summand: a number and a vector.
typedef struct EquationTerm {
    size_t factor, vector;
} EquationTerm;

typedef enum EquationKind {
    EQUATION_SUM,     // target = sum of terms
    EQUATION_FORCE,   // target = accel(time, x, v)
    EQUATION_STIFF,   // target = K v, K = -da/dx at (time, x, v)
    EQUATION_SOLVE,   // target u: A u = rest + q accel(time, x + cx u, v + cv u)
    EQUATION_SOLVED,  // target = (A u - rest)/q of the solve in line `of`, or accel(time, x, v) where q is 0
} EquationKind;

// How an unknown that is kept nowhere is found again: from the end that is the solve's own acceleration, where q is not
// 0; else from an end that is factor u and the terms. EQUATIONS_NONE where there is no such end.
typedef struct EquationBack {
    size_t              solved, end;
    size_t              factor;
    const EquationTerm *terms;  // [count]
    size_t              count;
} EquationBack;

typedef struct EquationLine {
    EquationKind        kind;
    size_t              target;    // the vector that it gives
    size_t              end;       // which end of the step that is, or EQUATIONS_NONE
    bool                position;  // of a sum: a coordinate stands in it, which a first-order system has not
    const char         *text;      // of the card; NULL: a part of a statement
    const EquationTerm *terms;     // [count] of a sum
    size_t              count;
    const Node         *time;
    size_t              x, v;          // vectors
    size_t              A, q, cx, cv;  // numbers of a solve
    size_t              rest;          // vector of a solve
    size_t              of;            // line of the solve
    EquationBack        back;          // of a solve
} EquationLine;

// The equations of one step, or of a point's beginning.
typedef struct EquationPart {
    const Node *const *numbers;  // [number_count] each may use the ones before it
    const size_t      *given;    // [number_count] the derived parameter whose value stands for the number where it is
                                 // no NaN; EQUATIONS_NONE: the card has none of its name
    size_t              number_count;
    const EquationLine *lines;  // [line_count]
    size_t              line_count;
    size_t              vector_count;
    size_t              ends[EQUATIONS_ENDS];  // vectors at the end of the step (below)
    size_t              error_x, error_v;      // of an adaptive method: vectors, the error of x and v
} EquationPart;

// Ends are x, v, the card's `state` in its order, then its `scratch`: points within a step that the kernel keeps.
typedef struct Equations {
    const Card  *card;
    size_t       ends;         // how many
    EquationPart step, first;  // first: where a two-step method has no earlier point
    EquationPart start;        // ends are the card's state at the beginning of a point
} Equations;

// Leaves of numbers: the card's parameters by their index, then these.
enum { EQUATIONS_H, EQUATIONS_H_EARLIER, EQUATIONS_STARTER, EQUATIONS_OWN };

// Whether a leaf of numbers stands for one of the numbers above or of the part's, and not for parameter number `index`
// of the card.
//   index  written where it does: its place among these numbers, the part's last
static inline bool equations_leaf(const Card *card, size_t *index)
{
    if (*index < card->parameter_count)
        return false;
    *index -= card->parameter_count;
    return true;
}

// The value that a derived parameter has for a number of a part; NAN: the number is its formula's.
//   p  the card's parameters
static inline double equations_given_number(const EquationPart *part, size_t number, const double *p)
{
    return part->given[number] == EQUATIONS_NONE ? (double)NAN : p[part->given[number]];
}

// Whether a card has equations.
bool equations_given(const Card *card);

// Reads a card's equations. The card must outlive them.
//   arena  owns them
// Errors: ERROR_INPUT ("path:line:column: ..."), ERROR_INTERNAL.
bool equations_read(const Card *card, Arena *arena, Equations *equations, Error *err);
