// gnuplot -- writes scripts that no text can break out of, and runs them.
//
// What stands in a result file (titles, labels, names of axes) is text of a stranger. It reaches a script only in
// single quotes, where gnuplot expands nothing. No shell is involved.
#pragma once

#include "base/memory.h"

// Adds a text in single quotes, its own quotes escaped: control characters and bytes that are not UTF-8 are left out,
// and what is longer than 120 characters is cut.
void gnuplot_quote(Text *script, const char *text);

// Adds the name of a file in the script's folder, whole.
//   name  without control characters and /
void gnuplot_quote_name(Text *script, const char *name);

// Adds a number as gnuplot reads it.
void gnuplot_number(Text *script, double number);

// Writes SCRIPT, runs gnuplot on it in the folder it lies in, and waits. The script stays.
//   path  of the script to write
// Errors: ERROR_IO (not writable; gnuplot is not installed, or failed: with its first line), ERROR_INTERNAL.
bool gnuplot_run(const char *path, const Text *script, Error *err);
