// law -- the physics of every problem stated a second time, from the papers and in other forms than the problem files.
//
// Newton's law in Cartesian coordinates stands for polar ones, rods' tensions for the equations of Lagrange, an
// assembled chain for a running sum, sums of springs for closed forms. Nothing here is made from a problem file or its
// card, so that an error in one of them, even the same one in force, potential and Jacobian, is a difference.
//
// Numbers are complex: the derivative of f by any input, parameters included, is Im f(x + i s)/s, from which nothing is
// subtracted. With long double it is good to about 1e-18.
#pragma once

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef long double _Complex LawNumber;

enum { LAW_PARAMETERS = 24, LAW_DOFS = 32 };

// What a law is asked for.
typedef enum LawKind {
    LAW_START,  // x, then v
    LAW_ACCELERATION,
    LAW_KINETIC,
    LAW_POTENTIAL,
    LAW_ENERGY,
    LAW_DISSIPATION,
    LAW_DRIVE,
    LAW_MASSES,
    LAW_FAST,
    LAW_SLOW,
    LAW_PERIOD,
    LAW_LIMIT_START,  // the angle, then its rate
    LAW_LIMIT_ACCELERATION,
    LAW_KINDS
} LawKind;

// Where it is asked: parameters in the order of the law's own table, time and state.
typedef struct LawPlace {
    size_t    n;
    LawNumber parameters[LAW_PARAMETERS];
    LawNumber t, x[LAW_DOFS], v[LAW_DOFS];
} LawPlace;

typedef void LawFunction(const LawPlace *place, LawNumber *out);

// Begins a function of a law; p points to its parameters as their type has them.
#define LAW_FUNCTION(Parameters, name)                                                                                \
    static void name##_of(const Parameters *p, const LawPlace *place, LawNumber *out);                                \
    static void name(const LawPlace *place, LawNumber *out)                                                           \
    {                                                                                                                 \
        name##_of((const void *)place->parameters, place, out);                                                       \
    }                                                                                                                 \
    static void name##_of(__attribute__((unused)) const Parameters *p, __attribute__((unused)) const LawPlace *place, \
                          LawNumber *out)

// A function that is one formula; of type void where it has no parameters.
#define LAW_FORMULA(Parameters, name, formula) \
    LAW_FUNCTION(Parameters, name)             \
    {                                          \
        *out = formula;                        \
    }

// A parameter as the papers and docs/problems.md have it.
typedef struct LawParameter {
    const char *name, *unit;
    double      initial, least, most;
    bool        least_open, most_open, whole;
    const char *choices;  // words with a blank between them, the first one the default; NULL: a number
} LawParameter;

// Rows of a table of parameters: any number; those above `least`, or from it on; one of the words.
#define LAW_FREE(NAME, value, of)                                                        \
    {                                                                                    \
        .name = NAME, .unit = of, .initial = value, .least = -INFINITY, .most = INFINITY \
    }
#define LAW_ABOVE(NAME, value, of, bound)                                                                \
    {                                                                                                    \
        .name = NAME, .unit = of, .initial = value, .least = bound, .least_open = true, .most = INFINITY \
    }
#define LAW_FROM(NAME, value, of, bound)                                             \
    {                                                                                \
        .name = NAME, .unit = of, .initial = value, .least = bound, .most = INFINITY \
    }
#define LAW_WORDS(NAME, words)         \
    {                                  \
        .name = NAME, .choices = words \
    }

// Members of a law for a table of its parameters.
#define LAW_TABLE(table) .parameters = table, .parameter_count = sizeof(table) / sizeof *(table)

typedef struct Law {
    const char         *name, *provides;  // words with a blank between them
    bool                first_order;
    const char         *dofs_parameter;  // NULL: there are always `dofs`
    size_t              dofs;            // or the most
    const LawParameter *parameters;
    size_t              parameter_count;
    const char         *start;  // the parameters from this one on are the initial x, then v; NULL: LAW_START is
    LawFunction        *functions[LAW_KINDS];  // that of LAW_ENERGY is always the sum of the two before it
} Law;

extern const Law law_harmonic_oscillator, law_modal_oscillators, law_duffing, law_van_der_pol, law_spring_chain,
    law_pendulum, law_double_pendulum, law_elastic_pendulum_polar, law_elastic_pendulum_cartesian, law_barrier_particle,
    law_friction_block, law_lorenz, law_robertson, law_fitzhugh_nagumo;

// Functions that several laws have: a coordinate, and masses of 1 with their kinetic energy.
LawFunction law_first_coordinate, law_second_coordinate, law_unit_masses, law_unit_kinetic;

// A whole power, by products: cpowl() goes by way of the logarithm, which has a cut along the negative axis.
LawNumber law_power(LawNumber base, int exponent);

// The law of that problem, or NULL.
const Law *law_find(const char *name);

// The place's parameter of that name; NULL: the law has none.
LawNumber *law_parameter(const Law *law, LawPlace *place, const char *name);

// Sets t = 0 and the law's initial state.
void law_begin(const Law *law, LawPlace *place);

// From what a system of first order begins with to what a method works with, kernels/first_order.h: its state in v.
// Others stay.
void law_enter(const Law *law, LawPlace *place);

// What a method's place has of the coordinates of a result: x, or the state of a system of first order.
const LawNumber *law_coordinates(const Law *law, const LawPlace *place);

// How many numbers a kind has for n degrees of freedom.
size_t law_rows(LawKind kind, size_t n);

// Whether a blank-separated list has the word.
bool law_lists(const char *words, const char *word);

// The numbers of a kind; that law has them.
void law_ask(const Law *law, LawKind kind, const LawPlace *place, LawNumber *out);

// The same as real numbers, and how they depend on what they are made from: |f| + sum over parameters, t, x and v of
// |input df/dinput|. A formula whose every rounding is one unit in the last place of its operands is off by as many
// times u condition as it has roundings in a row.
void law_value(const Law *law, LawKind kind, const LawPlace *place, long double *value, long double *condition);

// df/dinput, `input` being a number of the place.
void law_derivative(const Law *law, LawKind kind, LawPlace *place, LawNumber *input, long double *derivative);
