// plot_map -- the common part of two ways to draw a map: rectangles for cells, or pixels for blocks of cells.
#pragma once

#include "analysis/plot/plot_kind.h"
#include "analysis/plot/raster.h"

// The kind of a cell: a status, or behind these STATUS_OK with a colour of the scale, or with none.
enum { MAP_VALUE = STATUS_COUNT, MAP_NO_VALUE, MAP_KINDS };

// The colours of kinds; that of MAP_VALUE is of no use.
extern const char *const plot_map_colours[MAP_KINDS];

// The values along x or y of a panel: an axis, the indices of axes that go together, or nothing, which is one cell.
typedef struct MapSpan {
    const char *name, *unit;
    size_t      count;
    double     *values;  // [count]
    double     *edges;   // [count + 1]
} MapSpan;

// A panel of blocks.
typedef struct MapRaster {
    RasterSide     sides[2];  // along x and y
    double        *values;    // [blocks along x][blocks along y] the mean of the points that are ok
    unsigned char *kinds;     // [blocks along x][blocks along y]
    uint64_t       hidden;    // points that are not ok, in blocks that show a mean
    bool           has[2];    // blocks that show another kind, and blocks that show a value
} MapRaster;

typedef struct Map {
    const PlotFile    *file;
    const PlotRequest *request;
    Figure            *figure;
    const PlotMetric  *metric;      // that of the first group that has it
    bool               categories;  // it is the status: no scale
    PlotSlice         *slices;      // [group_count] a panel each
    MapRaster         *rasters;     // [group_count]; NULL: the cells are rectangles
    PlotClip           clip;        // of the scale
    MapSpan (*spans)[2];            // [group_count] along x and y
    bool   has[MAP_KINDS];          // some panel
    size_t boxed;                   // the panel that draws the colour box: one that has a colour of it
} Map;

// The kind of a cell with that status and that value.
int plot_map_kind(const Map *map, double status, double value);

// Adds the palette of the values and its range.
void plot_map_palette(const Map *map);

// Whether the file's maps have too many cells for rectangles.
bool plot_raster_wanted(const PlotFile *file);

// Reads the panels as blocks, into rasters, kinds and clip of a map whose slices and spans are found.
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool plot_raster_read(Map *map, Error *err);

// Adds the notes that define a block.
void plot_raster_say(const Map *map);

// Adds the data of a panel; the commands before its axes; and the layer of its pixels.
void plot_raster_data(const Map *map, size_t number);
void plot_raster_under(const Map *map, size_t number);
void plot_raster_layer(const Map *map, size_t number);
