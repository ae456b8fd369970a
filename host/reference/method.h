// method -- a time integrator of the reference: a way from one state to the next.
//
// Methods of one family share their code and differ in weights. To add a method: a function in its family's file that
// sets the weights (or a step of its own), and one line of the table in method.c.
#pragma once

#include "reference/newton.h"
#include "reference/problem.h"

typedef struct State {
    double x[REFERENCE_DOFS], v[REFERENCE_DOFS];
    double a[REFERENCE_DOFS];  // the alpha family's own a_n; zero elsewhere
} State;

// Wu 2018, section 2.2: alpha_m and alpha_f weigh the old state, as in Chung and Hulbert.
typedef struct AlphaWeights {
    double alpha_m, alpha_f, gamma, beta;
} AlphaWeights;

// Wu 2018, eq. 12 with theta where the state one step back is given, eq. 14 with theta1 where it is not.
typedef struct ThetaWeights {
    double theta, theta1;
} ThetaWeights;

typedef struct Weights {
    AlphaWeights alpha;
    ThetaWeights theta;
} Weights;

// One step to be taken, of length h from time t.
typedef struct Step {
    const ReferenceProblem *problem;
    const void             *params;
    const Weights          *weights;
    const NewtonRules      *rules;
    bool                    scaled_residual;
    double                  t, h;
    const State            *now;       // state at t
    const State            *previous;  // state at t - h; NULL where a two-step method has to start
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
} ReferenceMethod;

// The reference's method of that name, or NULL.
const ReferenceMethod *method_find(const char *name);

// alpha.c
void     generalized_alpha_weigh(const MethodValues *values, Weights *weights);
void     newmark_weigh(const MethodValues *values, Weights *weights);
void     alpha_start(const Step *step, State *state);
SolveEnd alpha_step(const Step *step, Tally *tally, State *next);

// theta.c
void     theta2_weigh(const MethodValues *values, Weights *weights);
void     bdf2_weigh(const MethodValues *values, Weights *weights);
void     theta1_weigh(const MethodValues *values, Weights *weights);
void     trapezoidal_weigh(const MethodValues *values, Weights *weights);
void     backward_euler_weigh(const MethodValues *values, Weights *weights);
SolveEnd theta_step(const Step *step, Tally *tally, State *next);

// runge_kutta.c
SolveEnd rk4_step(const Step *step, Tally *tally, State *next);
