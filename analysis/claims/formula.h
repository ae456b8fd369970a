// formula -- the formulas of the ledger: arithmetic on lists of numbers, some of them measured.
//
// A number is a list of one. Two lists are combined element by element, a list and a number with each element. In order
// of binding, weakest first: or; and; < <= > >= == != (1 where it holds, else 0); + -; * /; a sign; an element
// list[i]. Then there are numbers, pi, names, lists [a, b], and:
//
//   SWEEP.GROUP.VARIABLE[AXIS=VALUE, ...]  what sweeps/claims/SWEEP.yaml gives. It names every axis of more than one
//                                          value; a list of values gives a list, the last axis fastest. A trajectory
//                                          is a list of all its samples; `sample` and `dof` are axes of it.
//   abs sqrt cbrt log log2 exp sin cos tan floor ceil isnan isfinite
//   max min        of all arguments; NaN where one is NaN         fmax   of those that are not NaN
//   maxs mins      of every k neighbours: maxs(list, k)           rises  differences of neighbours
//   all            1 where all hold                               count  how many hold
//   first          the number of the first that holds, or -1      leading  how many hold before the first that does not
//   nearest        the number of the element nearest to 0         from   a list without its first k: from(list, k)
//
// and the measures of measure.h, with the formulas as printed of printed.h.
#pragma once

#include "analysis/claims/lab.h"

// A list; owned by the arena of its scope.
typedef struct Value {
    double *at;  // [count]
    size_t  count;
} Value;

typedef struct Binding {
    const char *name;
    Value       value;
} Binding;

enum { FORMULA_WHOLE = -1 };

// What a formula is read with.
typedef struct Scope {
    Lab           *lab;       // NULL: nothing is measured
    bool           dry;       // measures are NaN: only the lengths of lists are wanted
    const Binding *bindings;  // [count]
    size_t         count;
    int            element;  // that every list stands for, or FORMULA_WHOLE
    Arena         *arena;
} Scope;

// The value of a formula.
// Errors: ERROR_INPUT (it cannot be read: names the formula and what stands there), ERROR_INTERNAL.
bool formula_value(const Scope *scope, const char *text, Value *value, Error *err);

// A list of `count` numbers, 0 each; .at NULL with err filled when memory runs out.
Value formula_list(const Scope *scope, size_t count, Error *err);
