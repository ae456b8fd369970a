// theory -- table of the linear theory of all methods.
#include "analysis/linear/theory_parts.h"

#include <string.h>

size_t theory_count(void)
{
    return theory_explicit_rows.count + theory_implicit_rows.count;
}

const Theory *theory_at(size_t i)
{
    return i < theory_explicit_rows.count ? &theory_explicit_rows.rows[i]
                                          : &theory_implicit_rows.rows[i - theory_explicit_rows.count];
}

const Theory *theory_find(const char *method)
{
    for (size_t i = 0; i < theory_count(); ++i)
        if (strcmp(theory_at(i)->method, method) == 0)
            return theory_at(i);
    return NULL;
}
