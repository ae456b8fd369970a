// numbers -- numbers in their range, and split of a list at its commas.
#include "terminal/numbers.h"

#include "base/yaml.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool numbers_read_one(const char *option, const char *text, const NumbersRange *range, double *number, Error *err)
{
    double read;
    if (!yaml_parse_number(text, &read))
        return fail(err, ERROR_USAGE, "%s: '%.60s' is not a number", option, text);
    if (read < range->least || (range->above && read == range->least))
        return fail(err, ERROR_USAGE, "%s: %.10g is too small, it must be %s %.10g", option, read,
                    range->above ? "greater than" : "at least", range->least);
    if (read > range->most)
        return fail(err, ERROR_USAGE, "%s: %.10g is too large, it must be at most %.10g", option, read, range->most);
    *number = read;
    return true;
}

// A double holds whole numbers up to 2^53; digits alone are read by themselves.
static bool parse_whole(const char *text, uint64_t *whole)
{
    double number;
    errno = 0;
    if (*text && text[strspn(text, "0123456789")] == '\0') {
        *whole = strtoull(text, NULL, 10);
        return errno == 0;
    }
    if (!yaml_parse_number(text, &number) || !(number >= 0.0 && number <= 0x1p53) || number != floor(number))
        return false;
    *whole = (uint64_t)number;
    return true;
}

bool numbers_read_whole(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *whole,
                        Error *err)
{
    uint64_t read;
    if (parse_whole(text, &read) && read >= least && read <= most) {
        *whole = read;
        return true;
    }
    if (most == UINT64_MAX)
        return fail(err, ERROR_USAGE, "%s takes a whole number, got '%.60s'", option, text);
    return fail(err, ERROR_USAGE, "%s takes a whole number from %" PRIu64 " to %" PRIu64 ", got '%.60s'", option, least,
                most, text);
}

bool numbers_read(const char *option, const char *text, size_t most, const NumbersRange *range, Numbers *numbers,
                  Error *err)
{
    size_t count = numbers->count + 1;
    for (const char *c = text; *c; ++c)
        count += *c == ',';
    if (count > most)
        return fail(err, ERROR_USAGE, "%s: %zu values, at most %zu", option, count, most);
    double *grown = realloc(numbers->items, count * sizeof *grown);
    numbers->items = grown ? grown : numbers->items;
    char *copy SCOPED(scoped_free) = strdup(text), *rest = copy, *word = NULL;
    bool  ok = (grown && copy) || fail(err, ERROR_INTERNAL, "out of memory");
    while (ok && (word = strsep(&rest, ",")) != NULL) {
        ok = numbers_read_one(option, word, range, &numbers->items[numbers->count], err);
        numbers->count += ok;
    }
    return ok;
}

bool numbers_read_range(const char *option, const char *text, const NumbersRange *range, double ends[2], Error *err)
{
    Numbers numbers SCOPED(numbers_free) = {0};
    bool    ok = numbers_read(option, text, 2, range, &numbers, err);
    if (ok && (numbers.count != 2 || !(numbers.items[0] < numbers.items[1])))
        ok = fail(err, ERROR_USAGE, "%s takes A,B with A < B, got '%.100s'", option, text);
    if (ok)
        memcpy(ends, numbers.items, 2 * sizeof *ends);
    return ok;
}

void numbers_free(Numbers *numbers)
{
    free(numbers->items);
    *numbers = (Numbers){0};
}
