// effects -- stand-in.
#include "analysis/pairs/effects.h"
bool effects_count(Device *device, const Catalog *catalog, const Family *family, const char *problem,
                   const char *const *overrides, size_t override_count, const double *values, size_t count,
                   PairEffects *effects, Error *err)
{
    (void)device, (void)catalog, (void)family, (void)problem, (void)overrides, (void)override_count, (void)values, (void)count, (void)effects, (void)err;
    return true;
}
