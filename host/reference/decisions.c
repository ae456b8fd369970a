// decisions -- margins of a trajectory's decisions, compared with the margins of a later run.
#include "reference/decisions.h"

#include <math.h>
#include <string.h>

static const double safety = 3.0;

void decisions_first(Decisions *decisions)
{
    decisions->margins.length = decisions->next = 0;
    decisions->comparing = decisions->close = false;
}

void decisions_again(Decisions *decisions)
{
    decisions->next = 0;
    decisions->comparing = true;
}

void decisions_note(Decisions *decisions, double left, double right)
{
    if (!decisions || right == 0.0)
        return;
    Text  *margins = &decisions->margins;
    double margin = left / right - 1.0, first;
    if (!decisions->comparing) {
        text_add_bytes(margins, (const char *)&margin, sizeof margin);
        decisions->close = decisions->close || margins->failed;
    } else if (decisions->next < margins->length) {
        memcpy(&first, margins->text + decisions->next, sizeof first);
        decisions->next += sizeof first;
        decisions->close = decisions->close || fabs(first) <= safety * fabs(margin - first);
    }
}

void decisions_free(Decisions *decisions)
{
    text_free(&decisions->margins);
    *decisions = (Decisions){0};
}
