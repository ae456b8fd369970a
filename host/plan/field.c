// field -- the table of fields.
#include "plan/field.h"

#define VECTOR(NAME, member, reference, ...) {.kernel = #member, .per_dof = true, __VA_ARGS__},
#define NUMBER(NAME, expression, reference, ...) {.kernel = #expression, __VA_ARGS__},
const Field field_table[FIELD_COUNT] = {FIELDS(VECTOR, NUMBER)};
