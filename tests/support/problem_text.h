// problem_text -- the text of a problem file that a test writes: its card, and statements of its functions.
#pragma once

// card          its lines, and functions that the others call
// start         statements of initial_state(), and likewise
// more          further functions, or ""
#define PROBLEM_TEXT(card, start, acceleration, more)                                                      \
    card "\nstatic void initial_state(const Params *p, real x[DOF], real v[DOF])\n{\n" start "}\n"         \
         "\nstatic void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real " \
         "a[DOF])\n{\n" acceleration "}\n" more

#define PROBLEM_JACOBIAN(body)                                                                \
    "\nstatic void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p,\n" \
    "                     real dadx[DOF][DOF], real dadv[DOF][DOF])\n{\n" body "}\n"

#define PROBLEM_EXACT(body) "\nstatic void exact(real t, const Params *p, real x[DOF], real v[DOF])\n{\n" body "}\n"
