// dof -- names and units of a problem's coordinates and of their velocities.
//
// A card gives a coordinate a name and a unit, `coordinates: {r: m, theta: rad}`. Its velocity is v_NAME, in the unit
// over a second. With `dofs: n` one name is numbered: {u: m} stands for u0, u1, ... Coordinates of a card without the
// key are x0, x1, ... of unit 1, their velocities v0, v1, ...
#pragma once

#include "base/text.h"
#include "base/yaml.h"
#include "catalog/card.h"

typedef struct Dof {
    const char *name, *unit;
    const char *velocity, *velocity_unit;  // where the problem has velocities
} Dof;

// Reads `coordinates` of a problem's card, whose parameters and degrees of freedom are known.
//   root  the card
// Errors: ERROR_INPUT (not a name and a unit for each, a name that a parameter, a velocity or a value of `of` has),
// ERROR_INTERNAL.
bool dof_read(const YamlNode *root, Arena *arena, Card *card, Error *err);

// Whether a unit is one word.
// Errors: ERROR_INPUT.
bool dof_check_unit(const YamlNode *node, const char *unit, Error *err);

// The coordinates of a problem with so many degrees of freedom: [count], in the arena; NULL where memory ran out.
Dof *dof_list(const Card *card, size_t count, Arena *arena, Error *err);

// The index of the coordinate, or the velocity, of that name; count where there is none.
size_t dof_find(const Dof *dofs, size_t count, bool velocity, const char *name);

// The same by its name or else, as sweep files have it, by its number: theta or x1, v_theta or v1.
size_t dof_find_word(const Dof *dofs, size_t count, bool velocity, const char *word);

// Adds the names of the coordinates or velocities, "r, theta", or of many the first and the last, "u0 .. u7".
void dof_add_names(const Dof *dofs, size_t count, bool velocity, Text *text);

// The unit that all coordinates, or all velocities, have; "" where they differ.
const char *dof_unit(const Dof *dofs, size_t count, bool velocity);

// Whether a name is a value of a metric's `of` beside the coordinates: slow, fast, energy, kinetic.
bool dof_reserves(const char *name);
