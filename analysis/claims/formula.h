// formula -- the formulas of the ledger: arithmetic on lists of numbers, some of them measured.
//
// A number is a list of one. Two lists are combined element by element, a list and a number with each element. In order
// of binding, weakest first: or; and; < <= > >= == != (1 where it holds, else 0); + -; * /; a sign; ^; an element
// list[i]. Then there are numbers, pi, names, lists [a, b], and:
//
//   SWEEP.GROUP.VARIABLE[AXIS=VALUES, ...]   results of sweeps/claims/SWEEP.yaml: see Place in lab.h
//   radius(METHOD, value, Omega, zeta), matrix and limits: see lab_method()
//   the functions of lists.h, and functions that the ledger defines
#pragma once

#include "analysis/claims/lab.h"

typedef struct Binding {
    const char *name;
    Value       value;
} Binding;

typedef struct Formula {
    const char *name, *text;
} Formula;

enum { FUNCTION_FORMULAS = 16 };

// A function of the ledger: a formula as a document prints it, or an iteration. Its names are its parameters and the
// names of `start`, in turn; while the condition holds the formulas of `step` give names new values, in turn.
typedef struct ClaimFunction {
    const char *name;
    const char *parameters[FUNCTION_FORMULAS];
    Formula     start[FUNCTION_FORMULAS], step[FUNCTION_FORMULAS];
    size_t      parameter_count, start_count, step_count;
    const char *repeat, *gives;  // the condition, NULL: nothing is repeated; the value
} ClaimFunction;

typedef struct Functions {
    const ClaimFunction *items;  // [count]
    size_t               count;
} Functions;

enum { FORMULA_WHOLE = -1 };

// The context of a formula while it is read.
typedef struct Scope {
    Lab             *lab;        // NULL: nothing is measured
    const Functions *functions;  // NULL: none
    const Binding   *bindings;   // [count]
    size_t           count;
    int              element;  // that every list stands for, or FORMULA_WHOLE
    Arena           *arena;
    int              depth;  // of functions and brackets around
    size_t          *work;   // formulas and numbers that were computed so far; NULL: the formula is the first
} Scope;

// The value of a formula.
// Errors: ERROR_INPUT (it cannot be read, or a function does not end: names the formula and the text there), those of
// lab_place() and lab_method(), ERROR_INTERNAL.
bool formula_value(const Scope *scope, const char *text, Value *value, Error *err);
