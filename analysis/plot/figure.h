// figure -- a picture: data blocks, a frame of panels with layers over each other, and one legend below all of them.
//
// Every picture is a gnuplot script that holds its data, and is written from its beginning to its end:
//
//   script                 data blocks, and settings of all panels
//   figure_entry           a line of the legend, for each curve
//   figure_begin           the head; from here on the size of the picture is known
//     figure_axis, _key      settings of a panel
//     figure_layer           a curve, points or cells, as often as there are some
//     figure_end_panel
//   figure_draw            STEM.gp, and STEM.png and STEM.svg, or files of the other formats asked for
#pragma once

#include "base/arena.h"
#include "base/outputs.h"

#include <stdint.h>

// In pixels.
typedef struct FigureSize {
    unsigned width, height;
} FigureSize;

typedef struct FigureRoom {
    unsigned left, right, above, below;
} FigureRoom;

// A picture that becomes a part of a page: no file is made. Zero-initialise it; release with figure_free_svg().
typedef struct FigureSvg {
    const OutputsFolder *folder;  // in which gnuplot works; borrowed
    Text                 text;    // the picture
    // The parts that react to a pointer, as JSON: where each panel is, its axes, and points with a value.
    Text   panels, spots, labels, maps;
    size_t spot_count, label_count;  // more than FIGURE_SPOTS: too many to be kept
    size_t map_count, cell_count;
} FigureSvg;

// An axis of a panel, as it is drawn.
typedef struct FigureScale {
    char   label[128];  // with the unit; "": its numbers are not shown
    bool   logarithmic;
    double low, high;
} FigureScale;

// The caller fills the first part. Release it with figure_free().
typedef struct Figure {
    const char *title, *stem;  // borrowed
    FigureSvg  *svg;           // where it goes; NULL: to STEM.gp and the files of the formats
    unsigned    formats;       // of FIGURE_PNG, ...; 0: PNG and SVG
    bool        fits;          // the title has room for all its lines, and for the notes
    unsigned    rows, columns;
    FigureSize  panel, between;  // of each panel; the space between two
    FigureRoom  around;          // all panels; below grows by the legend
    unsigned    extra;           // height beside all that, where rows are not equally far apart
    bool        placed;          // every panel is placed by figure_place(), not one after the other
    size_t      panel_entries;   // of the legend at a panel; 0: all
    bool        legend;          // there is one for a single entry too

    Text       *said;  // lines for the user about the picture; borrowed; NULL: none are kept
    Text        script;
    Text        notes;    // lines below the title, each with a newline
    Arena       arena;    // for the data of the script
    Text       *entries;  // [entry_count] of the legend
    size_t      entry_count;
    size_t      longest;  // label of a vertical axis, in characters
    size_t      layers;   // of the panel so far
    size_t      panel_number;
    unsigned    panel_left, panel_top;  // of a panel that figure_place() placed, in pixels
    FigureScale scales[2];              // along x and y, of the panel so far
    unsigned    head;                   // height of the title's further lines, and of the notes
} Figure;

// Formats of pictures, a set.
enum { FIGURE_PNG = 1, FIGURE_SVG = 2, FIGURE_PDF = 4 };

// Colours of lines, for the colour-blind too; COUNT of them, then they repeat.
enum { FIGURE_COLOURS = 8 };
extern const char *const figure_colours[FIGURE_COLOURS];

// The option `--plot FILE` of a command whose struct T has such a member: the name of a picture without its ending,
// "curves.png" and "curves" are the same.
#define FIGURE_ROW_PLOT(T, member) FIGURE_ROW_STEM(T, member, "FILE", "draw FILE.png and FILE.svg too")
#define FIGURE_ROW_STEM(T, member, shown, about) \
    OPTION_BRACES("plot", 0, shown, OPTION_OWN_AT(T, member, const char *, figure_take_stem), about)
bool figure_take_stem(const char *option, char *name, void *stem, Error *err);

// Refuses names that cannot go into a script as they are. Errors: ERROR_USAGE (empty, a control character).
bool figure_check_name(const char *stem, Error *err);

// Refuses such names, and files that are not to be replaced. Errors: ERROR_USAGE, those of gnuplot_check().
bool figure_check_stem(const Outputs *outputs, const char *stem, Error *err);

void figure_free(Figure *figure);

// A part of an axis; low > high: none.
typedef struct FigureRange {
    double low, high;
} FigureRange;

// The range of the finite values; of more values; and with some room at both ends.
//   part       of its length
//   otherwise  the room, where it has no length
FigureRange figure_range(const double *values, size_t count);
void        figure_take_in(FigureRange *range, double value);
FigureRange figure_widen(FigureRange range, double part, double otherwise);

// The range to which an axis is limited; of equal ends `otherwise`.
FigureRange figure_limit(const double limits[2], FigureRange otherwise);

// Whether values are better seen on a logarithmic scale: they are positive, span a decade or so and are spread more
// evenly there.
bool figure_is_logarithmic(const double *values, size_t count);

// Finds edges[count + 1] of cells around values, in ascending order: halfway to the neighbours on the axis's scale, and
// as far beyond the ends.
void figure_edges(const double *values, size_t count, double *edges);

// The cell of a value among such edges: the last one whose lower edge is not above the value, else the first.
size_t figure_cell(const double *edges, size_t count, double value);

// Gives labels of a vertical axis room to the left of every panel: labels of some values, or one of so many characters.
void figure_label(Figure *figure, const double *values, size_t count);
void figure_word(Figure *figure, size_t characters);

// Adds an entry to the legend: its name is to be added to the text that is returned.
Text *figure_entry(Figure *figure);

// Begins the loop that draws the picture twice, as PNG and as SVG, and the multiplot with its title.
void figure_begin(Figure *figure);

// Places the next panel: its upper edge `down` pixels below the first row's.
void figure_place(Figure *figure, size_t column, unsigned down);

// Adds "set title" for a panel: a text that does not fit above it is cut.
//   more  a second line; empty: none; freed
void figure_title(Figure *figure, const char *title, Text *more);

// Adds label, scale, range and tics of an axis ("x" or "y"), and the same of one along which values lie.
void figure_scale(Figure *figure, const char *which, const char *label, const char *unit, bool logarithmic,
                  FigureRange range);
void figure_axis(Figure *figure, const char *which, const char *label, const char *unit, const double *values,
                 size_t count, FigureRange range);

// Puts the legend of the next panel below all panels: its lower edge `lift` pixels from the bottom, under one column or
// in the middle.
enum { FIGURE_ALL_COLUMNS = -1, FIGURE_NO_KEY = -2 };
void figure_key(Figure *figure, int column, unsigned lift);

// Puts the box of the palette's colours to the right of the first row.
void figure_box(Figure *figure);

// Keeps label, scale and range of an axis that a caller has put into the script, for `svg`.
void figure_span(Figure *figure, const char *which, const char *label, const char *unit, bool logarithmic,
                 FigureRange range);

// Gives a place of a panel a value that a reader sees who points at it; nothing where the picture goes to files. Where
// a picture has more than FIGURE_SPOTS none is kept.
enum { FIGURE_SPOTS = 4096 };
void figure_spot(Figure *figure, size_t panel, double x, double y, double value);

// A map's cells, for a reader who asks for one: which point it is, and its number.
typedef struct FigureMap {
    const char   *group;      // label
    const double *values[2];  // [count] along x and y
    size_t        count[2];
    uint64_t      first, each[2];  // the point of the first cell; from there to the next one along x and y
    const double *statuses;        // [x][y]
    const double *numbers;         // [x][y]; NULL: the statuses are what the map shows
} FigureMap;

// Keeps the cells of a panel's map; nothing where the picture goes to files, or has more than FIGURE_CELLS with them.
enum { FIGURE_CELLS = 1 << 18 };
void figure_map(Figure *figure, size_t panel, const FigureMap *map);

// Gives a place words in place of the value: of the panel so far, with a label that was added before. A place that is
// not finite is left out.
size_t figure_spot_label(Figure *figure, const char *label);
void   figure_spot_labelled(Figure *figure, double x, double y, size_t label);

// Adds a line below all panels, which is drawn with the next one. The caption is freed.
void figure_caption(Figure *figure, Text *caption);

// Begins a layer of the panel: the caller adds its commands to the script that is returned.
Text *figure_layer(Figure *figure);

// Adds the name of an entry, or none, to a layer.
#define FIGURE_UNTITLED SIZE_MAX
void figure_layer_title(Figure *figure, size_t entry);
void figure_end_panel(Figure *figure);

// Ends the script and draws it. Errors: those of gnuplot_draw(), or of gnuplot_draw_svg().
bool figure_draw(Figure *figure, const Outputs *outputs, Error *err);

void figure_free_svg(FigureSvg *svg);

// Texts of a result file (titles, labels, names of axes) are untrusted. They reach a script only in single
// quotes, where gnuplot expands nothing. No shell is involved.

// Adds a text in single quotes, its own quotes escaped: control characters and bytes that are not UTF-8 are left out,
// and a text longer than 120 characters is cut.
//   text  NULL: empty, as everywhere here
void gnuplot_quote(Text *script, const char *text);

// Adds a text in at most so many lines, broken at spaces; the rest is cut. Returns the number of lines.
//   width  of a line, in characters
size_t gnuplot_quote_lines(Text *script, const char *text, size_t width, size_t most);

// Adds a command, "name" or "name [unit]" in quotes, and " noenhanced".
void gnuplot_label(Text *script, const char *command, const char *name, const char *unit);

// Adds the name of a file in the script's folder, whole.
//   name  without control characters and /
void gnuplot_quote_name(Text *script, const char *name, const char *ending);

// Adds a number as gnuplot reads it, and a line of them.
void gnuplot_number(Text *script, double number);
void gnuplot_numbers(Text *script, const double *numbers, size_t count);

// Runs gnuplot on a script, in the folder in which it lies, and waits.
//   shown    the script's name in messages
//   missing  written: true where gnuplot is not installed
// Errors: ERROR_IO (gnuplot is not installed, or failed: with its first line), ERROR_STOPPED, ERROR_INTERNAL.
bool gnuplot_run(const char *folder, const char *name, const char *shown, bool *missing, Error *err);

// The formats, and PNG and SVG in place of none.
unsigned gnuplot_formats(unsigned formats);

// Refuses STEM.gp, STEM.png, STEM.svg or STEM.pdf, as the formats ask, as outputs_check() does.
bool gnuplot_check(const Outputs *outputs, const char *stem, unsigned formats, Error *err);

// Draws pictures by a script that writes the formats' files into its own folder, and keeps it as STEM.gp. Where gnuplot
// is not installed the script alone is kept; where anything else fails, nothing is made or replaced.
// Errors: those of outputs_check() and gnuplot_run(); ERROR_IO (no room).
bool gnuplot_draw(const Outputs *outputs, const char *stem, unsigned formats, const Text *script, Error *err);

// Draws by a script that writes NAME.svg into its folder, and adds the SVG to a text.
// Errors: those of outputs_add() and gnuplot_run(); ERROR_IO (no room).
bool gnuplot_draw_svg(const OutputsFolder *folder, const char *name, const Text *script, Text *svg, Error *err);
