// curve_samples -- the samples of a table of the sweep file: from CSV files, datasets and lists.
#pragma once

#include "catalog/curve.h"
#include "plan/plan.h"

// A table in the making.
typedef struct CurveReading {
    Plan           *plan;
    const YamlNode *name, *node;
    const char     *what;   // names it in messages
    Curve          *curve;  // its kind, and how it goes on between samples, are known
    Error          *err;
} CurveReading;

// Sets samples and count of the curve, rounded to the sweep's precision. Records follow each other, and the nodes of a
// map stand on their grid. Where the plan comes from a result file they are those that it keeps. Errors: those of
// point_file_read_csv() and point_file_read_dataset() too; ERROR_INPUT (keys that do not go together, samples out of
// order, a grid with gaps).
bool curve_samples_read(const CurveReading *reading);
