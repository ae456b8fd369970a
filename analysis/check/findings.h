// findings -- the results of the examination of a kernel file: a list of lines, a kind and a text each.
//
// Examinations add to the list and go on; nothing is printed before the end. A property that was examined and is right
// is listed too, so that a file without a fault is seen to have been examined.
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum FindingKind {
    FINDING_WRONG,  // the file must be changed
    FINDING_NOTE,   // could not be examined, or the author should know it
    FINDING_RIGHT,  // examined, and right
    FINDING_KINDS
} FindingKind;

typedef struct CheckFinding {
    FindingKind kind;
    size_t      line;  // of the file, from 1; 0: of no line
    const char *text;
} CheckFinding;

// Zero-initialise it; release with findings_free().
typedef struct Findings {
    CheckFinding *list;  // [count] owned by the arena
    size_t        count, capacity;
    bool          failed;  // memory ran out: findings_check() reports it
    Arena         arena;
} Findings;

// Adds a finding, once.
void findings_add(Findings *findings, FindingKind kind, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

size_t findings_count(const Findings *findings, FindingKind kind);

// Whether something wrong was found in a line.
bool findings_has(const Findings *findings, size_t line);

// False, with err filled (ERROR_INTERNAL), when an addition ran out of memory.
bool findings_check(const Findings *findings, Error *err);
void findings_free(Findings *findings);
