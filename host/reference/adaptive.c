// adaptive -- steps of a method that chooses its substeps by an error estimate.
//
// Hairer, Norsett and Wanner 1993, section II.4. The grid on which a trajectory is observed stays: the last substep of
// a step ends where the step does, and what was proposed before that cut is not forgotten.
#include "reference/stepping.h"

#include <math.h>
#include <stddef.h>

enum { ORDER = 5 };

// The smallest part of a step that is tried again.
static const double smallest = 0x1p-20;

static bool end_with(Stepping *stepping, Status status)
{
    stepping->status = status;
    return false;
}

// How much longer the next trial may be: 0.9 of what would have met the tolerance, not far from the present one.
static double growth(double error, bool taken)
{
    if (!isfinite(error))
        return 0.2;
    double factor = 0.9 * pow(fmax(error, 1e-10), -1.0 / ORDER);
    return fmin(fmax(factor, 0.2), taken ? 5.0 : 1.0);
}

static double trial(const Stepping *stepping, double reached, double size, const State *state, State *next)
{
    Step step = stepping->step;
    step.t = (double)stepping->steps * stepping->h + reached;
    step.h = size;
    step.now = state;
    double error = stepping->method->trial(&step, next);
    if (stepping->tally.decisions)
        decisions_note(stepping->tally.decisions, error, 1.0);
    return error;
}

bool adaptive_advance(Stepping *stepping, State *state)
{
    double h = stepping->h, reached = 0.0;
    for (;;) {
        if (stepping->stop && *stepping->stop) {
            stepping->stopped = true;
            return false;
        }
        if (stepping->trials >= stepping->update_budget)
            return end_with(stepping, STATUS_BUDGET_EXCEEDED);
        ++stepping->trials;

        double left = h - reached;
        bool   last = stepping->proposed >= left;
        double size = last ? left : stepping->proposed;
        State  next = *state;
        double error = trial(stepping, reached, size, state, &next);
        bool   taken = error <= 1.0;
        double suited = size * growth(error, taken);
        stepping->proposed = fmin(h, taken && last ? fmax(suited, stepping->proposed) : suited);
        if (!taken) {
            ++stepping->tally.failed_solves;
            if (suited < h * smallest)
                return end_with(stepping, isfinite(error) ? STATUS_DEPTH_EXCEEDED : STATUS_NOT_FINITE);
            continue;
        }
        *state = next;
        stepping->substeps += size < h;
        if (last) {
            ++stepping->steps;
            return true;
        }
        reached += size;
    }
}
