// report_cells -- the cells of gnuplot's maps in a tenth of their text: neighbours of one colour are one path.
#pragma once

#include "base/text.h"

// Adds an SVG of gnuplot's. Cells that follow each other and have one colour become one path of the class `cells`,
// which the page's style draws with a border of their colour; whatever else it holds stays as it is.
//   svg  NUL-terminated
void report_cells(Text *packed, const char *svg);
