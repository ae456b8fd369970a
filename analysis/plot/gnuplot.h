// gnuplot -- gnuplot scripts whose quotes no text can leave, and the process that runs them.
//
// What stands in a result file (titles, labels, names of axes) is text of a stranger. It reaches a script only in
// single quotes, where gnuplot expands nothing. No shell is involved.
#pragma once

#include "base/outputs.h"

// Adds a text in single quotes, its own quotes escaped: control characters and bytes that are not UTF-8 are left out,
// and what is longer than 120 characters is cut.
//   text  NULL: empty, as everywhere here
void gnuplot_quote(Text *script, const char *text);

// Adds a text in at most so many lines, broken at spaces; what does not fit is cut. Returns the number of lines.
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
//   shown    what messages call the script
//   missing  written: true where gnuplot is not installed
// Errors: ERROR_IO (gnuplot is not installed, or failed: with its first line), ERROR_STOPPED, ERROR_INTERNAL.
bool gnuplot_run(const char *folder, const char *name, const char *shown, bool *missing, Error *err);

enum { GNUPLOT_FILES = 3 };

// Refuses STEM.gp, STEM.png or STEM.svg as outputs_check() does.
bool gnuplot_check(const Outputs *outputs, const char *stem, Error *err);

// Draws STEM.png and STEM.svg by a script that writes both into its own folder, and keeps it as STEM.gp. Where gnuplot
// is not installed the script alone is kept; where anything else fails, nothing is made or replaced.
// Errors: those of outputs_check() and gnuplot_run(); ERROR_IO (no room).
bool gnuplot_draw(const Outputs *outputs, const char *stem, const Text *script, Error *err);
