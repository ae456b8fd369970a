// plot_slice -- the part of each group that a curve or a map shows, and the range of values that a scale shows of it.
//
// Of a group some axes are whole, the others at their middle value; of a zip it is all of its points.
//
// A few values that blew up leave room for the others. At most one value in fifty at either end, and one in any case
// where there are eight or more, is beyond the scale: where it would stretch the scale of the others tenfold or, where
// all values are positive and span enough for a logarithmic scale, would double its decades and add two or more.
#pragma once

#include "analysis/plot/figure.h"
#include "analysis/plot/plot_file.h"

typedef struct PlotSlice {
    const PlotGroup  *group;
    const PointsAxis *axes[2];  // whole: the first ones that have more than one value; of a zip at most one
    size_t            axis_count;
    size_t            count;            // points
    double           *status, *values;  // [count], the last axis fastest; a value is NaN where a point is not ok
} PlotSlice;

typedef struct PlotClip {
    double low, high;      // that the scale shows; low > high: there is no value
    bool   logarithmic;    // whether a logarithmic scale suits what is shown
    double least, most;    // of all values
    size_t count, beyond;  // of the values, and of those that the scale does not show
} PlotClip;

// Finds the slice of a group with at most so many axes. Its numbers are to be read.
PlotSlice plot_slice_find(const PlotGroup *group, size_t most);

// Reads a metric of all groups. Its variable is looked up by its name in each of them; values are NaN in one without
// it. Values of the status itself are also those of points that are not ok.
//   most    axes of a slice
//   slices  written: [group_count], owned by the arena
//   clip    of all values
// Errors: ERROR_INPUT, ERROR_INTERNAL.
bool plot_slice_read(const PlotFile *file, const PlotMetric *metric, size_t most, Arena *arena, PlotSlice **slices,
                     PlotClip *clip, Error *err);

// Adds where those axes of a slice stand that are not whole and have at least so many values.
//   before  what stands in front, where there are some
void plot_slice_rest(Text *text, const char *before, const PlotSlice *slice, size_t least);

// Adds a line that says what is beyond the scale of `name`, or nothing where all is shown.
void plot_slice_say(Text *notes, const PlotClip *clip, const char *name);
