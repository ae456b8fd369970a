// report -- a result file as one page of HTML: the groups, how they ended, each metric, pictures, indices, where it is
// from.
//
// The page needs nothing beside it: pictures are SVG inside it, and a policy in its head forbids it to load or run
// anything but its own script. It is the same bytes for the same files.
#pragma once

#include "analysis/plot/figure.h"
#include "analysis/plot/plot.h"
#include "store/points.h"

typedef struct ReportRequest {
    const char *path;     // of the result file
    const char *conform;  // the file of `conform --json`; NULL: none
    const char *output;   // of the page; "-": standard output
} ReportRequest;

// The page in the making.
typedef struct ReportPage {
    const ReportRequest *request;
    StoreFile            file;
    Points              *points;        // [group_count of the file]; factors of random designs are not read
    uint64_t (*counts)[POINTS_COUNTS];  // [group_count]
    OutputsFolder folder;               // in which gnuplot works
    size_t        pictures;
    FigureSvg     svg;    // the last one that was begun
    Text          facts;  // lines about it
    Text          page;
    Text          said;     // lines for the user
    Text          missing;  // why the first picture is missing; empty: all are there
    size_t        missing_count;
    Arena         arena;
} ReportPage;

// Makes the page. Release the report with report_free(), also after a failure.
// Errors: those of store_read_open() and points_open_design(); ERROR_IO, ERROR_INPUT (the file of --conform);
// ERROR_STOPPED; ERROR_INTERNAL.
bool report_make(const ReportRequest *request, ReportPage *report, Error *err);
void report_free(ReportPage *report);

// The sections, each from its heading to its end. Errors: those of report_make().
typedef bool  ReportSection(ReportPage *report, Error *err);
ReportSection report_add_groups, report_add_failures, report_add_metrics, report_add_trajectories, report_add_indices,
    report_add_conformance, report_add_provenance, report_add_again;

// Begins a picture: makes the page's `svg` and `facts` empty. Returns the stem of the picture's files, in the arena.
// Errors: ERROR_INTERNAL.
const char *report_begin_picture(ReportPage *report, Error *err);

// Adds the picture that was begun, or a line where it was not drawn: then `err` is taken.
//   caption  text; name: of the values of its spots, or NULL
bool report_add_picture(ReportPage *report, bool drawn, const char *caption, const char *name, Error *err);

// Adds the picture that `pendula plot` draws by a request; nothing where no group has such a picture.
//   request  path, stem and svg are filled in here
bool report_add_plot(ReportPage *report, PlotRequest request, const char *caption, const char *name, Error *err);

// How many points of a group are computed and not ok.
uint64_t report_failed(const ReportPage *report, size_t group);

// Whether a group's points are a random design or a list.
bool report_is_sampled(const Points *points);

// Adds a cell that says where a point is: "eps = 0.01, step = 0.1".
void report_add_place(Text *page, const Points *points, uint64_t point);
