// sensitivity_panel -- panels of pictures of indices: bars, planes, curves, pairs.
#pragma once

#include "analysis/sensitivity/sensitivity_plot.h"

// A panel: one table, or the tables of one output along time or an axis.
typedef struct Panel {
    const SensitivityTable *tables;  // [count]
    size_t                  count;
    bool                    pairs;  // the second order of the table
    // Of a map.
    size_t            factor;
    const PointsAxis *axes[2];   // the drawing's, or the two that another group has in their place
    double           *edges[2];  // [count + 1] of its cells along them
} Panel;

typedef struct Drawing {
    Figure      figure;
    Panel       panels[SENSITIVITY_PANELS];
    size_t      panel_count, left_out;
    const char *axis;                     // of curves; NULL: bars or planes
    const char *over;                     // "time" or "samples"; NULL: over nothing
    const char *map[2];                   // axes of the grid of designs; NULL: no map
    bool        grey;                     // a map has cells without an index
    size_t      boxed;                    // the panel of a map that draws the colour box: one that has a colour of it
    const char *names[SAMPLING_FACTORS];  // [name_count] of the factors of all panels: the same colour everywhere
    size_t      name_count;
} Drawing;

// The columns of an index that are drawn as bars: value and half width. -1: none.
typedef struct Bar {
    const char *name;
    int         value, conf;
} Bar;

enum { SENSITIVITY_BARS = 2 };
extern const Bar sensitivity_panel_bars[SENSITIVITY_COUNT][SENSITIVITY_BARS];

// Where a name stands among the drawing's names.
size_t sensitivity_panel_name(const Drawing *drawing, const char *name);

// Adds the data of a panel to the script, before the figure begins; and the panel itself, after its title.
void sensitivity_panel_data(Drawing *drawing, size_t number);
void sensitivity_panel_draw(Drawing *drawing, size_t number);

// The same of a panel of a map. Axes that it does not show are at their middle value.
void sensitivity_panel_map_data(Drawing *drawing, size_t number);
void sensitivity_panel_map_draw(Drawing *drawing, size_t number);

// Adds where the row of a table stands in a grid of designs, "eps = 0.1, h = 0.01"; nothing of other designs.
void sensitivity_panel_row(const SensitivityTable *table, Text *text);
