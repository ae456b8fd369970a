// substep -- a kernel's substep as it is judged: its problem and method, its states before and after, its counters.
#pragma once

#include "analysis/conform/judgement/exact.h"
#include "device/device.h"
#include "equations/equations.h"
#include "plan/events.h"
#include "reference/newton.h"

enum { CERTIFICATE_DOFS = CARD_DOFS };

// A matrix of n by n, by its rows. Certificates have room for those of a solve: of its iterates, and one more.
typedef long double *const *SolveMatrix;
enum { CERTIFICATE_ITERATES = 3, CERTIFICATE_OF_ITERATE = 5 };
enum { CERTIFICATE_MATRICES = CERTIFICATE_ITERATES * CERTIFICATE_OF_ITERATE + 1 };

// Where a substep uses the largest share of a bound on rounding. At 1 and above it is not certified.
typedef struct CertificateShare {
    double      share;     // difference over bound
    const char *equation;  // as the paper names it
    size_t      dof;
    double      difference, bound;
    const char *derivative;  // it is of the equation derived by that name; NULL: of the equation
} CertificateShare;

// Counts of a substep by its counters, as kernels keep them.
typedef struct CertificateCounts {
    uint64_t solves, updates, stagnated;
    uint64_t jacobians;  // where the one at the guess serves all updates; else the singular ones
} CertificateCounts;

typedef struct CertificateSubstep {
    const ExactPoint *point;  // the problem, its parameters loaded
    const Card       *method;
    const Equations  *equations;   // of the method
    const double     *parameters;  // [method->parameter_count]
    const Newton     *newton;
    StartRule         start;
    double            begin;               // time at which the point begins
    double            t, h;                // where the substep begins, and its length; of an adaptive method the step's
    double            piece_end;           // of an adaptive method: where in the step its substeps must end
    bool              arrives, ends_step;  // one does so, which ends the step
    bool              forgets;             // it ends a piece shorter than a step, behind which no guess is extrapolated
    const Breaks     *breaks;              // of the sweep; NULL: it has none
    const double     *numbers;             // of the point's breaks
    double            passed, time;        // breaks in (passed, time] set the state that is judged
    bool              anew;                // it is judged past a break, and `before` stands at the break
    double            from, below;         // times that forces see
    double            sought;              // length of a try that looks for an event; 0: it is none
    bool              meets;               // the substep ends at an event, where its piece ends too
    double            met;                 // how far into the step that lies
    const Events     *events;              // whose sets are judged; NULL: breaks' are
    const bool       *fired;               // [events->count] the entries that have crossed
    double            tolerance;
    uint64_t          max_updates;
    bool              accepted;  // by the kernel; else `after` is `before`
    bool              solved;    // its solves are: of an adaptive method a substep may be rejected all the same
    bool              lost;      // it is, but `after` has numbers that are none
    SolveEnd          end;       // as the kernel says it
    bool              end_said;  // it does: the point ended by it
    CertificateCounts counts;
    bool              solves_said;       // counts.solves is
    bool              counted;           // the counts are known to be right, and the end
    bool              alone;             // no reference has them
    bool              conditions, mean;  // condition numbers are kept; their product and sum of logarithms
    bool              reference;         // it is the reference's: LAPACK's condition numbers
    bool followed;  // its solves are done again by intervals, for counts that are not known or for condition numbers
    const Narrow      *narrow;  // needed where a solve failed or numbers are lost; else NULL
    void              *narrow_params;
    const SolveMatrix *matrices;  // [CERTIFICATE_MATRICES] to work in
    struct Derived    *tangents;  // derivatives are judged too (derived.h); NULL: there are none
    WalkState          before, after;
    double shown;  // the largest used part so far, below 1: smaller ones may be larger than they are; -1: none may
    const double *previous_x, *previous_v;  // [dofs] of a two-step method, at t - spacing; NULL: it has to start
    double        spacing;
    long double   least[CERTIFICATE_DOFS];  // sizes of velocities that the sweep file sets; 0: it sets none
} CertificateSubstep;
