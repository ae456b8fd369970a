// system_reading -- a problem that a sweep file gives by formulas or matrices, in the making: what the readers of its
// parts share.
#pragma once

#include "expression/formula.h"
#include "expression/system.h"
#include "plan/matrices.h"

// A system in the making.
typedef struct SystemReading {
    Plan           *plan;
    const YamlNode *node;  // the mapping under `problem`
    Arena           arena;
    Expressions    *table;
    System          system;
    Indexed        *entries;  // [entry_count] of `coordinates`, each one coordinate or many with numbers
    size_t          entry_count;
    Error          *err;
} SystemReading;

// The number of a coordinate in its own formulas: a[i].
extern const char system_reading_index[];

// The key of the equations, which a linear system lacks.
const char *system_reading_motion(const SystemReading *reading);

// What the matrices of the problem are read with.
MatrixReading system_reading_matrices(SystemReading *reading);

// Refuses a name that something else has.
bool system_reading_name(SystemReading *reading, const YamlNode *node, const char *what);

// The k-th of the entries under a key, which a single coordinate needs no brackets for.
const YamlNode *system_reading_entry(const YamlNode *node, size_t k);

// Whether formulas call these coordinates by a name and a number: the name is not that of one.
bool system_reading_numbered(const Indexed *entry);

// Reads `coordinates`, or counts those of matrices, and makes their names and those of velocities known. Whether the
// system is one of first order is known.
bool system_reading_coordinates(SystemReading *reading);

// Reads `parameters` of the problem, whose axes become plan->parameters, together with the sweep's own.
bool system_reading_parameters(SystemReading *reading);
