// suggest -- the known word nearest to a misspelt one, and the message that asks whether it was meant.
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t suggest_distance(const char *a, const char *b)
{
    const size_t rows = strlen(a), columns = strlen(b);
    if (rows > LONGEST || columns > LONGEST)
        return rows + columns;
    size_t table[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= rows; ++i)
        table[i][0] = i;
    for (size_t j = 0; j <= columns; ++j)
        table[0][j] = j;
    for (size_t i = 1; i <= rows; ++i)
        for (size_t j = 1; j <= columns; ++j) {
            size_t best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = smaller(best, smaller(table[i - 1][j], table[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = smaller(best, table[i - 2][j - 2] + 1);
            table[i][j] = best;
        }
    return table[rows][columns];
}

const char *suggest(const char *word, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    size_t      least = strlen(word) / 3 + 2;
    for (size_t i = 0; i < count; ++i) {
        // Part of a name, as tol is of tolerance, is as good as one slip.
        const bool   part = strlen(word) > 2 && strstr(names[i], word);
        const size_t distance = part ? 1 : suggest_distance(word, names[i]);
        // A short word is near to any other short one; something of it must be left.
        if (distance < least && distance < strlen(names[i])) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

bool suggest_add(Error *err, const char *near, const char *otherwise)
{
    const size_t length = strlen(err->message);
    snprintf(err->message + length, sizeof err->message - length, near ? "; did you mean '%s'?" : "%s",
             near ? near : otherwise);
    return false;
}
