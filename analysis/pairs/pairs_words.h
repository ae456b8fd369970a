// pairs_words -- columns of pairs in tables and files, and the phrase for the quantity that is equal.
#pragma once

#include "analysis/pairs/pairs.h"
#include "base/text.h"

typedef struct PairsColumn {
    const char *name, *unit, *about;
} PairsColumn;

// The first few say how good the pair is; in tables further roots and the reason stand behind them.
enum { PAIRS_COLUMNS_FIRST = 3, PAIRS_COLUMNS = 17 };
extern const PairsColumn pairs_words_columns[PAIRS_COLUMNS];

// The number of a column; NaN where there is none.
double pairs_words_number(const Pairs *pairs, const Pair *pair, size_t column);

// Adds the quantity that both methods have in common: "numerical damping of a step, -ln(radius), at Omega = 0.5".
void pairs_words_equal(Text *text, const Pairs *pairs);

// One of the four pairs that Wu found by eye (Wu 2018, section 3), to compare with the computed pairs.
enum { BY_EYE = 4 };
typedef struct ByEye {
    double from, to;
} ByEye;

// The four pairs, where the methods are generalized_alpha and theta2, either way.
//   list   [BY_EYE] written
// Returns how many there are: BY_EYE or 0.
size_t pairs_words_by_eye(const Pairs *pairs, ByEye *list);
