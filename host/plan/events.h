// events -- formulas whose sign changes within steps, what is set there, and what is counted.
//
//     events:
//       - {when: "x", direction: down, set: {v_x: "-e*v_x"}, count: bounces, times: 8, stop: false}
//
// A formula knows the time, the problem's parameters, coordinates and velocities. Numbers and times are results of a
// metric's card that is made for the sweep, with the time at which a point ends where an event may end it.
#pragma once

#include "plan/breaks.h"

enum { EVENTS_MOST = 16, EVENT_TIMES_MOST = 64 };

typedef enum EventDirection { EVENT_BOTH, EVENT_UP, EVENT_DOWN } EventDirection;

typedef struct EventEntry {
    const Node    *when, *slope;  // the formula, and its derivative along the motion: of t, x, v and accelerations
    const char    *text;          // of the formula
    EventDirection direction;
    BreakSet      *sets;  // [set_count]
    size_t         set_count;
    const char    *count;  // name of the number; NULL: it is none of the results
    size_t         times;  // how many times are results
    bool           stop;
} EventEntry;

typedef struct Events {
    EventEntry         *list;  // [count]
    size_t              count;
    size_t              times;  // of all entries
    bool                stop;   // an entry may end a point
    const Card         *card;   // of the results
    struct Expressions *formulas;
} Events;

// Reads `events` of the sweep for a group whose breaks were made; group->events stays NULL where the sweep has none.
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool events_make(Plan *plan, Group *group, Error *err);

// Whether a result of the events has that name.
bool events_name(const Group *group, const char *name);

// The key of the sweep file that takes steps apart, for messages: "events" where there are some, else "breaks".
const char *events_key(const Group *group);

// Whether two groups have the same events.
bool events_same(const Group *a, const Group *b);
