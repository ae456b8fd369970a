// included -- expands includes.
#include "compose/included.h"

#include "catalog/catalog.h"

#include <string.h>

static const char include_directive[] = "#include \"";

// The first line of a file, from a line on, that includes another; its length, and the path between its quotes. NULL:
// there is none.
//   text  the file from its beginning, in which `from` is the beginning of a line
static const char *find_include(const char *text, const char *from, size_t *length, char *path, size_t capacity)
{
    const size_t skip = sizeof include_directive - 1;
    for (const char *line = from; (line = strstr(line, include_directive)); line += skip) {
        const char  *quote = line + skip + strcspn(line + skip, "\"\n");
        const size_t size = (size_t)(quote - line) - skip;
        if ((line != text && line[-1] != '\n') || *quote != '"' || size == 0 || size >= capacity)
            continue;
        memcpy(path, line + skip, size);
        path[size] = '\0';
        *length = strcspn(line, "\n");
        return line;
    }
    return NULL;
}

static int count_lines(const char *from, const char *end)
{
    int count = 0;
    while ((from = memchr(from, '\n', (size_t)(end - from)))) {
        ++from;
        ++count;
    }
    return count;
}

bool included_add(Text *out, const char *path, const char *text_of, Included *included, Error *err)
{
    for (size_t i = 0; i < included->count; ++i)
        if (strcmp(included->paths[i], path) == 0)
            return true;
    const char *text = text_of ? text_of : catalog_file(path);
    if (!text)
        return fail(err, ERROR_INPUT, "kernel file '%s' does not exist", path);
    if (included->count == INCLUDED_MOST)
        return fail(err, ERROR_INPUT, "kernel file '%s': more than %d files included", path, INCLUDED_MOST);
    included->paths[included->count++] = path;
    text_add(out, "#line 1 \"%s\"\n", path);
    const char *from = text, *line;
    char        wanted[256];
    size_t      length;
    for (int number = 1; (line = find_include(text, from, &length, wanted, sizeof wanted)); from = line + length) {
        // The table keeps the path, so it must be the catalog's own string and not this buffer.
        const char *kept = catalog_path(wanted);
        text_add_bytes(out, from, (size_t)(line - from));
        number += count_lines(from, line) + 1;
        if (!kept)
            return fail(err, ERROR_INPUT, "%s:%d: included file '%s' does not exist", path, number - 1, wanted);
        if (!included_add(out, kept, NULL, included, err))
            return false;
        text_add(out, "#line %d \"%s\"\n", number, path);
        length += line[length] == '\n';
    }
    length = strlen(from);
    text_add_bytes(out, from, length);
    if (length > 0 && from[length - 1] != '\n')
        text_add_bytes(out, "\n", 1);
    return true;
}
