// design_case -- uniform factors and the arena.
#include "support/design_case.h"

Distribution design_units[SAMPLING_FACTORS + 1];
Arena        design_arena;

int design_begin(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLING_FACTORS + 1; ++i)
        design_units[i] = (Distribution){.kind = DISTRIBUTION_UNIFORM, .numbers = {0.0, 1.0}};
    return 0;
}

int design_end(void **state)
{
    (void)state;
    arena_free(&design_arena);
    return 0;
}
