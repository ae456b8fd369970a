// figure -- parts common to all pictures of a result file: its groups, the metric drawn, and the frame of a script.
#pragma once

#include "store/points.h"
#include "base/outputs.h"

// What is drawn of a group: a metric, or its quotient by the number of steps.
typedef struct PlotMetric {
    const StoreVariable *variable;  // NULL: the group has none of that name
    bool                 per_step;
    const char          *name, *unit;
} PlotMetric;

typedef struct PlotGroup {
    Points     points;
    PlotMetric metric;
    uint64_t   counts[POINTS_COUNTS];
} PlotGroup;

typedef struct Figure {
    StoreFile   file;
    PlotGroup  *groups;  // [group_count]; owned
    size_t      group_count;
    const char *metric;  // as it is asked for; borrowed
    char       *title;   // owned
    const char *path;    // of the picture being made, without its ending; borrowed
} Figure;

// Colours of lines, for the colour-blind too; COUNT of them, then they repeat.
enum { PLOT_COLOURS = 8 };
extern const char *const figure_colours[PLOT_COLOURS];

// The colour in which points of a status are drawn, that of STATUS_OK only where no value is.
const char *figure_status_colour(int status);

// Opens a result file and chooses the metric; NULL: the default.
//   figure  zeroed; release with figure_close(), also after a failure
// Errors: ERROR_IO, ERROR_INPUT, ERROR_USAGE (no group has the metric), ERROR_INTERNAL.
bool figure_open(const char *path, const char *metric, Figure *figure, Error *err);
void figure_close(Figure *figure);

// The name of a picture without its ending: "curves.png" and "curves" are the same. To be freed; NULL: no memory.
char *figure_make_stem(const char *name);

// Refuses names that cannot go into a script as they are. Errors: ERROR_USAGE (empty, a control character).
bool figure_check_name(const char *stem, Error *err);

// Refuses such names, and files that are not to be replaced. Errors: ERROR_USAGE, those of gnuplot_check().
bool figure_check_stem(const Outputs *outputs, const char *stem, Error *err);

// A number of the group's metric variable, as drawn.
double figure_value(const PlotGroup *group, uint64_t point, double number);

// The point with these indices along the axes; in a zip index[0] is the point.
uint64_t figure_point(const Points *points, const size_t *index);

// Adds "step = 0.05, eps = 0.001" for the axes of a point, but for those with show[axis] false. NULL: all.
void figure_place(Text *text, const Points *points, uint64_t point, const bool *show);

// Adds "name" or "name [unit]".
void figure_name(Text *text, const char *name, const char *unit);

// Whether values are better seen on a logarithmic scale: they are positive, span a decade or so and are spread more
// evenly there.
bool figure_is_logarithmic(const double *values, size_t count);

// Where panels stand in a picture, in pixels.
typedef struct PlotFrame {
    unsigned    rows, columns;
    unsigned    width, height;              // of a panel
    unsigned    left, right, above, below;  // room around all of them
    unsigned    between_columns, between_rows;
    unsigned    extra;   // height beside all that, where rows are not equally far apart
    bool        placed;  // every panel is placed by figure_panel(), not one after the other
    unsigned    head;    // height of the title's further lines, and of the notes
    const char *notes;   // lines below the title; NULL: none; borrowed
} PlotFrame;

enum { PLOT_ALL_COLUMNS = -1 };

// Gives the title all its lines, and the notes below it, room above the panels.
//   notes  lines that end with a newline; borrowed as long as the frame is used
void figure_fit(PlotFrame *frame, const Figure *figure, const Text *notes);

// Adds "set title" for a panel: what does not fit above it is cut.
//   more  a second line; NULL or empty: none
void figure_title(Text *script, const PlotFrame *frame, const char *title, const char *more);

// Width and height of the whole picture.
unsigned figure_width(const PlotFrame *frame);
unsigned figure_height(const PlotFrame *frame);

// Puts the legend of the next panel below all panels: its lower edge `lift` pixels from the bottom, under one column or
// in the middle.
void figure_key(Text *script, const PlotFrame *frame, int column, unsigned lift);

// How many pixels high it will be. gnuplot fills rows no wider than a panel.
//   entries, longest  how many, and the characters of the longest
unsigned figure_key_height(const PlotFrame *frame, size_t entries, size_t longest);

// Places the next panel: its upper edge `down` pixels below the first row's.
void figure_panel(Text *script, const PlotFrame *frame, size_t column, unsigned down);

// Room to the left that labels of a vertical axis need beyond that of short ones, in pixels.
//   characters  of the longest label
unsigned figure_label_room(size_t characters);

// The characters of the longest label of some values.
size_t figure_longest_label(const double *values, size_t count);

// Begins the loop that draws the picture twice, as PNG and as SVG, and a multiplot with a title; ends it. Data blocks
// stand before.
void figure_begin(Text *script, const Figure *figure, const PlotFrame *frame);
void figure_end(Text *script);

// Adds label, scale, range and tics of an axis ("x" or "y").
void figure_scale(Text *script, const char *which, const char *label, bool logarithmic, double low, double high);

// The same of an axis along which values lie.
void figure_axis(Text *script, const char *which, const char *label, const double *values, size_t count, double low,
                 double high);
