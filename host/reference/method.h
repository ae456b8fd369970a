// method -- time integrators of the reference: one step, from a state to the next.
//
// Methods of one family share their code and differ in weights. To add a method: a function in its family's file that
// sets the weights (or a step of its own), and one line of the table in method.c.
#pragma once

#include "reference/newton.h"
#include "reference/problem.h"

enum { REFERENCE_EARLIER = 2 };

typedef struct State {
    double x[REFERENCE_DOFS], v[REFERENCE_DOFS];
    double a[REFERENCE_DOFS];      // of methods that keep an acceleration beside them; zero elsewhere
    double scale[REFERENCE_DOFS];  // sizes of the velocities, of implicit methods
    double size_x[REFERENCE_DOFS], size_v[REFERENCE_DOFS];  // of components, of adaptive methods; 0: not known
    // Where guesses are extrapolated from accelerations: those before a, the latest first, each at a step of `spacing`
    // from the one after it.
    double earlier[REFERENCE_EARLIER][REFERENCE_DOFS];
    size_t earlier_count;
    double spacing;
} State;

// Wu 2018, section 2.2: alpha_m and alpha_f weigh the old state, as in Chung and Hulbert.
typedef struct AlphaWeights {
    double alpha_m, alpha_f, gamma, beta;
} AlphaWeights;

// Wu 2018, eq. 12 with theta where the state one step back is given, eq. 14 with theta1 where it is not.
typedef struct ThetaWeights {
    double theta, theta1;
} ThetaWeights;

// Rayleigh damping, -(r_m M + r_k K) v beside the problem's own forces.
typedef struct RayleighWeights {
    double r_m, r_k;
} RayleighWeights;

// The trapezoidal rule to t + split h, then a rule over the three points t, t + split h and t + h: x1 is
// of_x[0] x + of_x[1] x_g and h times of_v[0] v + of_v[1] v_g + of_v[2] v1, and v1 likewise of v and the accelerations.
typedef struct CompositeWeights {
    double split;
    double of_x[2], of_v[3];
} CompositeWeights;

// The error per substep that an adaptive method permits: absolute + relative |y|.
typedef struct ErrorWeights {
    double relative, absolute;
} ErrorWeights;

// What a method has made of its parameters; each family reads its own. The rules after Newmark have beta and gamma in
// `alpha`.
typedef struct Weights {
    AlphaWeights     alpha;
    ThetaWeights     theta;
    RayleighWeights  rayleigh;
    CompositeWeights composite;
    ErrorWeights     error;
} Weights;

// One step to be taken, of length h from time t.
typedef struct Step {
    const ReferenceProblem *problem;
    const void             *params;
    const Weights          *weights;
    const NewtonRules      *rules;
    double                  t, h;
    const State            *now;       // state at t
    const State            *previous;  // an earlier state; NULL where a two-step method has to start
    double                  spacing;   // previous is the state at t - spacing
} Step;

// The parameters of a method by name.
typedef struct MethodValues {
    const Card   *method;
    const double *values;  // [method->parameter_count]
    StartRule     start;   // substeps.start
} MethodValues;

// Value of the parameter of that name; NaN where the card has none.
double method_value(const MethodValues *values, const char *name);

typedef struct ReferenceMethod {
    const char *name;
    bool        implicit;
    bool        history;                                          // wants Step.previous
    void (*weigh)(const MethodValues *values, Weights *weights);  // NULL: no weights
    void (*start)(const Step *step, State *state);                // completes the initial state; NULL: x and v are all
    SolveEnd (*step)(const Step *step, Tally *tally, State *next);
    // Adaptive methods have this in place of step(): takes the step and returns its error over what is permitted.
    double (*trial)(const Step *step, State *next);
} ReferenceMethod;

// The reference's method of a card, or NULL; it has the built-in ones only.
const ReferenceMethod *method_find(const Card *card);

// a_0 from the equation of motion: the start of methods that keep an acceleration.
void method_start(const Step *step, State *state);

// alpha.c
void     generalized_alpha_weigh(const MethodValues *values, Weights *weights);
void     hht_alpha_weigh(const MethodValues *values, Weights *weights);
void     wbz_alpha_weigh(const MethodValues *values, Weights *weights);
void     newmark_weigh(const MethodValues *values, Weights *weights);
SolveEnd alpha_step(const Step *step, Tally *tally, State *next);

// theta.c
void     theta2_weigh(const MethodValues *values, Weights *weights);
void     bdf2_weigh(const MethodValues *values, Weights *weights);
void     theta1_weigh(const MethodValues *values, Weights *weights);
void     trapezoidal_weigh(const MethodValues *values, Weights *weights);
void     backward_euler_weigh(const MethodValues *values, Weights *weights);
SolveEnd theta_step(const Step *step, Tally *tally, State *next);

// composite.c
void     bathe_weigh(const MethodValues *values, Weights *weights);
void     tr_bdf2_weigh(const MethodValues *values, Weights *weights);
SolveEnd composite_step(const Step *step, Tally *tally, State *next);

// midpoint.c
SolveEnd implicit_midpoint_step(const Step *step, Tally *tally, State *next);
SolveEnd variational_implicit_step(const Step *step, Tally *tally, State *next);

// central.c
SolveEnd central_difference_step(const Step *step, Tally *tally, State *next);

// sofa.c
void     sofa_rayleigh_weigh(const MethodValues *values, Weights *weights);
void     sofa_newmark_weigh(const MethodValues *values, Weights *weights);
SolveEnd sofa_euler_step(const Step *step, Tally *tally, State *next);
void     sofa_newmark_start(const Step *step, State *state);
SolveEnd sofa_newmark_step(const Step *step, Tally *tally, State *next);

// incremental.c
SolveEnd incremental_potential_step(const Step *step, Tally *tally, State *next);
SolveEnd incremental_newmark_step(const Step *step, Tally *tally, State *next);

// explicit.c
void     chung_lee_weigh(const MethodValues *values, Weights *weights);
SolveEnd explicit_euler_step(const Step *step, Tally *tally, State *next);
SolveEnd symplectic_euler_step(const Step *step, Tally *tally, State *next);
SolveEnd chung_lee_step(const Step *step, Tally *tally, State *next);
SolveEnd velocity_verlet_step(const Step *step, Tally *tally, State *next);
SolveEnd yoshida4_step(const Step *step, Tally *tally, State *next);

// runge_kutta.c
void     dopri5_adaptive_weigh(const MethodValues *values, Weights *weights);
SolveEnd rk2_step(const Step *step, Tally *tally, State *next);
SolveEnd rk4_step(const Step *step, Tally *tally, State *next);
SolveEnd dopri5_step(const Step *step, Tally *tally, State *next);
double   dopri5_trial(const Step *step, State *next);
