// crossing -- the sides of a sweep's event formulas along a trajectory, and what happens where one is crossed.
#pragma once

#include "plan/events.h"
#include "reference/step.h"

// How many places of events a step may have (EVENTS_OF_STEP of kernels/events.h), and the part of a step to which a
// place is found.
enum { CROSSINGS_OF_STEP = 64 };
#define CROSSING_WIDTH(single) ((single) ? 0x1p-23 : 0x1p-52)

// The events of a trajectory. The caller fills the first block.
typedef struct Crossings {
    const Group            *group;
    const ReferenceProblem *problem;
    const void             *params;
    const double           *values;  // of the problem's parameters
    double                  h;       // length of a full step

    double   side[EVENTS_MOST];  // 1, -1, or 0 where the formula has not left 0 yet
    bool     crossed[EVENTS_MOST];
    bool     at;               // the trajectory stands at an event that has not passed
    double   reached, length;  // where: how far into the step; length of the substep that led there
    unsigned places;           // of events in this step
    uint64_t seen[EVENTS_MOST];
    double   times[EVENTS_MOST * EVENT_TIMES_MOST];  // NaN beyond those seen
    uint64_t spared;                                 // trials that count towards no budget, or their updates
    bool     stopped;                                // by an event
    double   ended;                                  // the time then
} Crossings;

void crossing_begin(Crossings *crossings, double t, const State *state);

// Whether a formula has crossed to its other side at a state.
//   crossed  [events] written
bool crossing_found(const Crossings *crossings, double t, const State *state, bool *crossed);

// Notes the sides at the end of a substep, of formulas that have not crossed there.
void crossing_see(Crossings *crossings, double t, const State *state);

// Whether one of the crossed formulas was on its other side at a state.
bool crossing_left(const Crossings *crossings, double t, const State *state);

// Counts what has crossed, and sets what it sets.
void crossing_pass(Crossings *crossings, double t, State *state);

// Whether a formula has crossed against its slope and does not return: the method's own step is then longer than the
// motion between two events.
//   before  the state until states were set
bool crossing_against(const Crossings *crossings, double t, const State *before, const State *state);

// Finds the sides where states were set and the method begins.
//   before  the state until then
void crossing_anew(Crossings *crossings, double t, const State *before, const State *state);
