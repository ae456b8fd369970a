// manufactured -- orders of a sweep's methods on its own equations, by a manufactured solution.
//
//   sweep --runs--> range and pace of its motion --> x*(t) --> the same sweep with `manufactured: [x*]` --> errors
//
// x_i*(t) = m_i + s_i sin(a_i + r_i t + 0.4 sin(sqrt(2) r_i t)) is smooth, goes through the range m_i - s_i to m_i +
// s_i of coordinate i in the sweep's own motion, begins at the sweep's start, and turns as often as that motion does.
// With the force that makes it the solution (host/expression/manufactured.h) the methods run by the sweep's own
// settings, in double precision, at its steps and at halves of them. The error of a run is the largest of |x - x*|/s_i,
// and in a system of second order |v - v*|/(s_i r_i), at eight times.
#pragma once

#include "device/device.h"
#include "plan/plan.h"

#include <signal.h>

enum { MANUFACTURED_POINTS = 8 };

typedef enum ManufacturedFinding {
    ORDER_HELD,      // it is at least the card's
    ORDER_ROUNDING,  // all errors are rounding
    ORDER_ADAPTIVE,  // not measured: the method chooses its substeps
    ORDER_LOW,       // below the card's
    ORDER_FAILED     // runs do not come to the end, or leave the motion
} ManufacturedFinding;

typedef struct ManufacturedOrder {
    const Group        *group;
    int                 card;      // the least of the card's orders that apply
    double              measured;  // on the solution, of the point where it is least; NaN: none
    double              own;       // the same on the sweep's own motion
    double              step;      // of that point in the sweep
    double              error;     // at about that step
    uint64_t            point;     // in the group
    ManufacturedFinding finding;
} ManufacturedOrder;

// Zero-initialise it; release with manufactured_free().
typedef struct Manufactured {
    Text               text;  // the sweep with the solution
    Spec               spec;
    Plan               plan;
    ManufacturedOrder *orders;  // [plan.group_count]
    Arena              arena;
} Manufactured;

// Keys that the sweep must be read with: `-s KEY=VALUE`, [MANUFACTURED_KEYS].
enum { MANUFACTURED_KEYS = 4 };
extern const char *const manufactured_keys[MANUFACTURED_KEYS];

// Measures the orders of all groups.
//   own      the sweep, read with these keys; borrowed, as are its catalog and the device
//   device   NULL: the reference
//   signals  not NULL: give up soon after it becomes non-zero
// Errors: ERROR_INPUT (its problem is no system of formulas or matrices, or gives a manufactured solution itself; no
// method comes to the end), those of plan_make(), engine_make() and engine_run().
bool manufactured_measure(const Plan *own, Device *device, const volatile sig_atomic_t *signals,
                          Manufactured *manufactured, Error *err);

// Whether a method has not the order of its card.
bool manufactured_spoils(const ManufacturedOrder *order);
void manufactured_free(Manufactured *manufactured);

// Adds a row for each group: as text, or as an array of objects.
void manufactured_print(const Manufactured *manufactured, bool json, Text *text);
