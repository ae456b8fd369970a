// newton -- Newton's method for the equation of one step (Wu 2018, section 2.1), its failure rule and its counters.
#pragma once

#include "plan/plan.h"
#include "reference/decisions.h"
#include "reference/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Value of an objective, and the sum of its terms' magnitudes.
typedef struct Objective {
    double value, size;
} Objective;

// f(u) = 0, the equation a method solves in one step. Vectors are [n], the Jacobian is [n][n] row-major.
typedef struct Equation {
    size_t      n;
    const void *context;  // borrowed; handed to the functions
    void (*residual)(const void *context, const double *u, double *f);
    void (*jacobian)(const void *context, const double *u, double *matrix);  // df/du from the problem's own derivatives
    // |x_n| + h |v_n| and so on: the sizes of the position that an evaluation at u rounds.
    void (*extent)(const void *context, const double *u, double *sizes);
    void (*velocity)(const void *context, const double *u, double *v);  // with which the force is asked
    void (*rest)(const void *context, double *x);                       // where it is asked for u = 0
    bool          acceleration;                                         // the unknown is one; else it is a velocity
    bool          own;         // the size of the unknown counts for its differences, be it larger than `remembered`
    double        duration;    // turns the unknown into a velocity
    const double *remembered;  // [n] sizes of the velocities of the substeps before
    double        identity;    // the Jacobian is identity * I + stiffness_weight * K + a part from damping
    double        stiffness_weight;  // 0 where the position does not depend on u
    const double *known;             // [n] there: the size beside which u - known may be small; NULL: zero
    bool          linearised;        // one update from the guess is the solution
    // Where it is given, masses[i] f[i] is its gradient, and updates are cut back until it falls.
    Objective (*objective)(const void *context, const double *u);
    const double *masses;  // [n] for the objective
} Equation;

// The newton keys of one point.
typedef struct NewtonRules {
    bool         relative;  // tolerance and differences go by the sizes of the components
    bool         cube_root_stencil;
    bool         floor_guard;
    JacobianRule jacobian;
    size_t       differences;   // evaluations that a Jacobian by differences to one side counts for
    bool         modified;      // every update of a solve by the Jacobian at its guess
    bool         extrapolated;  // guesses are, where a method's step makes them
    double       tolerance;
    uint64_t     max_updates;
    bool         conditions;  // of Jacobians are found
    double       widen;       // factor on the stencil: 1, and a little else in moved runs
    // Lower bounds of the sizes kept of velocities.
    double least[REFERENCE_DOFS];
} NewtonRules;

// A solve as an onlooker sees it: at its guess, and after each update.
typedef struct NewtonSight {
    size_t        n;
    uint64_t      update;     // 0: at the guess
    double        residual;   // as the tolerance is compared with it; NaN: not finite, or the update could not be made
    const double *matrix;     // [n][n] the Jacobian that made the update; NULL at the guess
    double        condition;  // its
} NewtonSight;

typedef struct NewtonWatch {
    void (*see)(const NewtonSight *sight, void *user);
    void *user;
} NewtonWatch;

// Cost and conditioning of the solves of one trajectory. Conditions are NaN before the first.
typedef struct Tally {
    uint64_t           updates;               // linear solves, also of failed solves
    uint64_t           jacobians;             // formed, singular ones included
    uint64_t           residual_evaluations;  // also for difference Jacobians
    uint64_t           failed_solves;
    uint64_t           stagnated_solves;  // accepted by the floor guard
    uint64_t           accepted_solves;
    double             condition_last;     // of the last Jacobian of the last accepted solve
    double             condition_log_sum;  // of that condition, over accepted solves
    double             condition_max;      // over every Jacobian
    Decisions         *decisions;          // borrowed; where margins are noted, or NULL
    const NewtonWatch *watch;              // borrowed; who looks on, or NULL
} Tally;

// How a solve ended.
typedef enum SolveEnd {
    SOLVE_ACCEPTED,
    SOLVE_FAILED,      // at the limit of updates, where no residual fell, or where no part of an update descends
    SOLVE_SINGULAR,    // at a pivot that is 0 or no number
    SOLVE_NOT_FINITE,  // at a residual that is not finite
} SolveEnd;

// Solves the equation.
//   u      [n]; the guess on entry, the solution where the solve is accepted
//   tally  added to
SolveEnd newton_solve(const Equation *equation, const NewtonRules *rules, Tally *tally, double *u);
