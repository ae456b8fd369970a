// progress -- progress of a run: one line rewritten on a terminal, plain lines at intervals in a log, or JSON objects.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum ProgressMode { PROGRESS_AUTO, PROGRESS_PLAIN, PROGRESS_JSON, PROGRESS_NONE, PROGRESS_MODES } ProgressMode;
extern const char *const progress_modes[PROGRESS_MODES];

// A program that a compiler is at.
typedef struct ProgressCompile {
    size_t      number, count;  // from 1; of the programs that are compiled for this device
    char        name[128];      // of the group
    const char *device;         // borrowed; NULL: there is one alone
    bool        launch;         // the driver compiles at the program's first launch
} ProgressCompile;

// A line of progress. The caller owns the struct and fills in the work done; rates and the time left are computed here.
typedef struct ProgressLine {
    FILE       *stream;    // borrowed; NULL: nothing is printed
    bool        terminal;  // rewrite one line; else write a new one each time
    bool        json;      // write objects
    const char *file;      // borrowed; that objects name, set after the line has begun; or NULL
    uint64_t    total_points;
    uint64_t    total_steps;  // the estimate of time left goes by steps, since points differ in length
    uint64_t    points, steps, failed;
    uint64_t    resumed_points, resumed_steps;  // done by an earlier run: count for the percentage, not for the rates
    double      start, shown;  // seconds on the monotonic clock: when the line began, when it was last written
    int         width;         // characters of the line on the terminal
} ProgressLine;

// Starts a line.
//   stream        borrowed; auto rewrites one line where it is a terminal and writes plain lines elsewhere
//   total_points  [points], total_steps [steps] of the whole sweep, including work that a resumed run found done; no
//                 steps: of work that takes none
void progress_line_begin(ProgressLine *line, ProgressMode mode, FILE *stream, uint64_t total_points,
                         uint64_t total_steps);

// Takes the work that an earlier run had done; call it at most once, before the first update.
void progress_line_resume(ProgressLine *line, uint64_t points, uint64_t steps);

// Takes the work done so far (totals, including the work of earlier runs). Writes at most ten times a second on a
// terminal and every ten seconds elsewhere, so it may be called after every slice.
//   steps   steps taken; may run ahead of the points, whose last steps are not finished
//   failed  points that ended with another status than ok
void progress_line_update(ProgressLine *line, uint64_t points, uint64_t steps, uint64_t failed);

// The same of work that takes no steps, as a callback that counts.
//   line  a ProgressLine
void progress_line_count(uint64_t points, uint64_t total, void *line);

// Shows the program that is being compiled: on a terminal in place of the line, until that is written again; in a log
// as a line of its own. A line that was begun with no points at all has nothing else to write.
void progress_line_compile(ProgressLine *line, const ProgressCompile *compile);

// Writes the last state and ends the line. Safe on a zeroed struct; a second call does nothing.
//   event  of the last object: "done", "stopped" or "failed"; NULL: there is more to come, and none is written
void progress_line_end(ProgressLine *line, const char *event);
