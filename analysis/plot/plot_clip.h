// plot_clip -- range of values that a scale shows: a few that blew up leave room for the others.
//
// At most one value in fifty at either end, and one in any case where there are eight or more, is beyond the scale:
// where it would stretch the scale of the others tenfold or, where all values are positive and span enough for a
// logarithmic scale, would double its decades and add two or more.
#pragma once

#include "base/text.h"

typedef struct PlotClip {
    double low, high;      // that the scale shows; low > high: there is no value
    bool   logarithmic;    // whether a logarithmic scale suits what is shown
    double least, most;    // of all values
    size_t count, beyond;  // of the values, and of those that the scale does not show
} PlotClip;

// Finds it. values: [count] finite; sorted by it.
PlotClip plot_clip_find(double *values, size_t count);

// Adds a line that says what is beyond the scale of `name`, or nothing where all is shown.
void plot_clip_say(Text *notes, const PlotClip *clip, const char *name);
