// theory -- table of the linear theory of all methods.
#include "analysis/linear/theory_parts.h"

#include <string.h>

size_t theory_count(void)
{
    return explicit_theories.count + implicit_theories.count;
}

const Theory *theory_at(size_t i)
{
    return i < explicit_theories.count ? &explicit_theories.rows[i]
                                       : &implicit_theories.rows[i - explicit_theories.count];
}

const Theory *theory_find(const char *method)
{
    for (size_t i = 0; i < theory_count(); ++i)
        if (strcmp(theory_at(i)->method, method) == 0)
            return theory_at(i);
    return NULL;
}
