// plot_kind -- the kinds of pictures: each is a file that adds the script of a picture, and a row of plot.c's table.
#pragma once

#include "analysis/plot/figure.h"
#include "analysis/plot/plot.h"
#include "analysis/plot/plot_file.h"

typedef struct PlotMaker {
    const char *word;   // of --kind, and in names of pictures
    const char *lacks;  // the message where no group has one
    bool (*possible)(const PlotGroup *group);

    // Adds the script of the picture, from its data to its last panel, where it is possible for some group. Notes of
    // the figure stand on the picture and are printed.
    //   said  lines are added that are printed with the picture's name
    // Errors: ERROR_INPUT, ERROR_USAGE (nothing to draw), ERROR_INTERNAL.
    bool (*add)(const PlotFile *file, const PlotRequest *request, Figure *figure, Text *said, Error *err);
} PlotMaker;

// A metric over two axes, one panel per group. A group with one axis or none is a strip or a cell, and one without the
// metric shows how its points ended.
extern const PlotMaker plot_map;

// Metrics over one axis, one line per group: the file's metric and, unless only that one was asked for, the next few.
extern const PlotMaker plot_curves;

// Stored trajectories over time: a row of panels for every field or coordinate. A line is said for every trajectory
// drawn: how far coordinates range in the first and last quarter of the time shown, and what other fields reach.
extern const PlotMaker plot_trajectory;
