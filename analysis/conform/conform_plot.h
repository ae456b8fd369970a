// conform_plot -- picture of a check: the share of a bound that each point uses, and how far devices are apart.
#pragma once

#include "analysis/conform/conform.h"
#include "base/outputs.h"

enum { CONFORM_PLOT_COLUMNS = 400 };  // of each group: a column is the worst of its points

// The curves that are drawn of a group.
typedef struct ConformCurve {
    char  *label;
    size_t columns;
    double shares[CONFORM_PLOT_COLUMNS], ulps[CONFORM_PLOT_COLUMNS];
} ConformCurve;

typedef struct ConformCurves {
    ConformCurve *items;  // [count]
    size_t        count;
} ConformCurves;

// Keeps a group's curves. Errors: ERROR_INTERNAL.
bool conform_plot_add(const Conformance *conformance, ConformCurves *curves, Error *err);
void conform_plot_free(ConformCurves *curves);

// Draws STEM.png and STEM.svg. Errors: those of figure_draw().
bool conform_plot(const ConformCurves *curves, const char *title, const char *stem, const Outputs *outputs, Error *err);
