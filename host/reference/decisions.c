// decisions -- margins of a trajectory's decisions, compared with those of a later run.
#include "reference/decisions.h"

#include <math.h>
#include <stdlib.h>

static const double safety = 3.0;

void decisions_first(Decisions *decisions)
{
    decisions->count = decisions->next = 0;
    decisions->comparing = decisions->close = false;
}

void decisions_again(Decisions *decisions)
{
    decisions->next = 0;
    decisions->comparing = true;
}

static void add(Decisions *decisions, double margin)
{
    if (decisions->count == decisions->capacity) {
        size_t  capacity = decisions->capacity ? 2 * decisions->capacity : 1024;
        double *grown = realloc(decisions->margins, capacity * sizeof *grown);
        if (!grown) {
            decisions->close = true;
            return;
        }
        decisions->margins = grown;
        decisions->capacity = capacity;
    }
    decisions->margins[decisions->count++] = margin;
}

void decisions_note(Decisions *decisions, double left, double right)
{
    if (right == 0.0)
        return;
    double margin = left / right - 1.0;
    if (!decisions->comparing) {
        add(decisions, margin);
    } else if (decisions->next < decisions->count) {
        double first = decisions->margins[decisions->next++];
        decisions->close = decisions->close || fabs(first) <= safety * fabs(margin - first);
    }
}

void decisions_free(Decisions *decisions)
{
    free(decisions->margins);
    *decisions = (Decisions){0};
}
