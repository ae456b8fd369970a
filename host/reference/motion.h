// motion -- inside of the metrics: those of a whole motion, which a sweep has to list: stats, steady, events, balance,
// lyapunov.
#pragma once

#include "reference/metrics.h"

// A result that is looked for.
typedef struct WantedMetric {
    const Stepping *stepping;  // what the trajectory took
    const char     *result;
    double          value;
    bool            found;
} WantedMetric;

// Gives a result its value, where it is the wanted one.
void metrics_offer(WantedMetric *wanted, const char *result, double value);

// Whether an observation lies in the instance's window, and what the instance observes there.
bool   metrics_in_window(const Observer *o, const Observation *now);
double metrics_observed(const Observer *o, const State *state);

void motion_observe_stats(Observer *o, const Observation *now);
void motion_offer_stats(const Observer *o, WantedMetric *wanted);
void motion_observe_steady(Observer *o, const Observation *now);
void motion_offer_steady(const Observer *o, WantedMetric *wanted);
void motion_observe_events(Observer *o, const Observation *now);
void motion_offer_events(const Observer *o, WantedMetric *wanted);
void motion_observe_balance(Observer *o, const Observation *now);
void motion_offer_balance(const Observer *o, WantedMetric *wanted);
void motion_observe_poincare(Observer *o, const Observation *now);
void motion_offer_poincare(const Observer *o, WantedMetric *wanted);
void motion_observe_section(Observer *o, const Observation *now);
void motion_offer_section(const Observer *o, WantedMetric *wanted);
void motion_observe_lyapunov(Observer *o, const Observation *now);
void motion_offer_lyapunov(const Observer *o, WantedMetric *wanted);
