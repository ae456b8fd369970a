// places -- parameters, times and states at which a problem's functions are compared with each other.
//
// Parameters come in sets: the defaults, numbers drawn about them, and each other choice of a parameter. In each set
// the motion from the initial state is followed over a few of the problem's fastest times, 1 over the root of the
// stiffness or over the damping, and states are drawn about it, as far off as it reaches. All numbers depend on the
// file alone.
#pragma once

#include "analysis/check/check.h"
#include "analysis/conform/judgement/exact.h"

enum { PLACES_STATIONS = 8, PLACES_STATES = 24, PLACES_DOFS = CARD_DOFS };

typedef struct CheckPlace {
    long double t, x[PLACES_DOFS], v[PLACES_DOFS];
} CheckPlace;

typedef struct CheckPlaces {
    const Card  *card;  // borrowed
    const Exact *exact;
    size_t       n;
    int          set, sets;  // the one that is loaded, and how many there are
    bool         other;      // it has a choice that is not the default
    double       values[CHECK_PARAMETERS];
    void        *params;                 // of the exact problem, owned
    bool         starts;                 // its initial state and the acceleration there are finite
    long double  rate;                   // of the fastest motion there; 0: nothing moves
    long double  size[2][PLACES_DOFS];   // how far x and v reach along the motion; where they are 0, see find_size()
    long double  largest[2];             // of these over all components
    CheckPlace   states[PLACES_STATES];  // [state_count] with a finite acceleration; the first is the initial one
    size_t       state_count;
    uint64_t     seed;
} CheckPlaces;

// Errors: ERROR_INTERNAL.
bool places_make(const Card *card, const Exact *exact, size_t dofs, CheckPlaces *places, Error *err);
void places_free(CheckPlaces *places);

// Loads a set, and finds its states.
void places_load(CheckPlaces *places, int set);

// The acceleration; false where it is not finite.
bool places_accelerate(const CheckPlaces *places, const CheckPlace *place, long double *a);

typedef enum PlaceOf { OF_ACCELERATION, OF_POTENTIAL, OF_DISSIPATION, OF_ENERGY, OF_SOLUTION, OF_START } PlaceOf;

// A function to differentiate at a place: by a component of x or v, by a parameter, or by the time of the closed form.
typedef struct PlaceFunction {
    const CheckPlaces *places;
    const CheckPlace  *place;
    size_t             component;
    bool               by_v;
    PlaceOf            of;
    bool               by_parameter;  // `component` is the parameter's number
} PlaceFunction;

// The function's numbers with that moved by `by`: a SlopeFunction of a PlaceFunction.
void places_ask(const void *function, long double by, long double *rows);

// How far the number that a function is differentiated by may be moved: its value, or where this is 0 as far as the
// function's size says (scale.h); 1 where nothing does.
//   sizes  [rows] of the function; NULL: those at the place
long double places_scale(const PlaceFunction *function, double value, size_t rows, const long double *sizes);

// The rate of the fastest motion; where no state has a part in the acceleration that of the start, from its velocity or
// place to its acceleration, and 1 where it is at rest.
long double places_rate(const CheckPlaces *places);

// Adds a place: time, state and the parameters that are not the defaults.
void places_write(const CheckPlaces *places, const CheckPlace *place, Text *text);
