// output_name -- fills in the name of a result file.
#include "run/output_name.h"

#include "base/utf8.h"
#include "plan/effective.h"

#include <string.h>

// A value becomes part of one name: it leads to no other folder, and steers no terminal.
static bool check_value(const char *key, const char *value, Error *err)
{
    const char *what = NULL;
    Text        shown = {0};
    utf8_show(&shown, value, false);
    if (!text_check(&shown, err))
        return false;
    if (!*value)
        what = "is empty";
    else if (strchr(value, '/'))
        what = "has a / in it";
    else if (strcmp(value, ".") == 0 || strcmp(value, "..") == 0)
        what = "is the name of a folder";
    else if (strcmp(shown.text, value) != 0)
        what = "has a control character in it";
    if (what)
        fail(err, ERROR_USAGE, "the value '%s' of %s %s, as no name of a file may: name another key", value, key, what);
    text_free(&shown);
    return !what;
}

// Adds the value of the key that ends at the next brace; `next` is moved behind it.
static bool add_value(const char **next, const Plan *plan, Arena *arena, Text *name, Error *err)
{
    const size_t length = strcspn(*next, "{}");
    const char  *value;
    if ((*next)[length] != '}' || length == 0)
        return fail(err, ERROR_USAGE, "%s; write {{ for a brace",
                    length == 0 ? "a { without a key" : "a { without its }");
    const char *key = arena_format(arena, err, "%.*s", (int)length, *next);
    *next += length + 1;
    if (!key || !effective_value(plan, key, arena, &value, err) || !check_value(key, value, err))
        return false;
    text_add(name, "%s", value);
    return true;
}

static bool fill(const char *pattern, const Plan *plan, Arena *arena, Text *name, Error *err)
{
    for (const char *next = pattern; *next;) {
        const size_t plain = strcspn(next, "{}");
        const char  *brace = next + plain;
        text_add_bytes(name, next, plain);
        next = brace + (*brace != '\0');
        if (*brace && *next == *brace) {
            text_add_bytes(name, brace, 1);
            ++next;
        } else if (*brace == '}') {
            return fail(err, ERROR_USAGE, "a } without its {; write }} for a brace");
        } else if (*brace && !add_value(&next, plan, arena, name, err)) {
            return false;
        }
    }
    return text_check(name, err);
}

bool output_name_fill(const char *pattern, const Plan *plan, Text *name, Error *err)
{
    Arena      arena = {0};
    const bool filled = fill(pattern, plan, &arena, name, err) || within(err, "-o %.1000s", pattern);
    arena_free(&arena);
    return filled;
}
