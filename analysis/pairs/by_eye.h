// by_eye -- the four pairs that Wu found by eye (Wu 2018, section 3), to compare with those computed.
#pragma once

#include "analysis/pairs/pairs.h"

enum { BY_EYE = 4 };

typedef struct ByEye {
    double from, to;
} ByEye;

// The four pairs, where the methods are generalized_alpha and theta2, either way.
//   pairs   [BY_EYE] written
// Returns how many there are: BY_EYE or 0.
size_t by_eye_list(const Pairs *pairs, ByEye *list);

// The value of TO beside one of FROM, or NaN.
double by_eye_find(const Pairs *pairs, double from);
