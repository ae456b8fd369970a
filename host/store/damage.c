// damage -- messages about a damaged result file.
#include "store/damage.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool damage_fail(const char *path, const char *label, Error *err, const char *format, ...)
{
    char    part[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    return fail(err, ERROR_INPUT, "%s: group '%s': %s is damaged; " DAMAGE_COPY, path, label, part);
}

void damage_say(const char *path, uint64_t blocks, const char *outcome, void (*say)(const char *line, void *user),
                void *user)
{
    char line[512];
    snprintf(line, sizeof line, "%" PRIu64 " block%s of '%.300s' %s damaged, and %s", blocks, blocks == 1 ? "" : "s",
             path, blocks == 1 ? "is" : "are", outcome);
    if (say && blocks > 0)
        say(line, user);
}
