// compiling -- notices of a kernel that compiles for long, on the line of a command's progress.
#pragma once

#include "engine/notice.h"

// Zero-initialise it; compiling_stop() is safe on a zeroed one. A command leaves the line alone between notice_begin()
// and notice_end().
typedef struct Compiling {
    Notice        notice;
    ProgressLine *line;  // borrowed; begun with nothing to count where it was not
    ProgressMode  mode;
} Compiling;

// Errors: ERROR_INTERNAL (no thread).
bool compiling_start(Compiling *compiling, ProgressLine *line, ProgressMode mode, Error *err);
void compiling_stop(Compiling *compiling);
