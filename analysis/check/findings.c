// findings -- a list that grows in an arena.
#include "analysis/check/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 2000 };

static bool is_listed(const Findings *findings, const CheckFinding *finding)
{
    for (size_t i = 0; i < findings->count; ++i)
        if (findings->list[i].line == finding->line && strcmp(findings->list[i].text, finding->text) == 0)
            return true;
    return false;
}

static bool make_room(Findings *findings, Error *err)
{
    if (findings->count < findings->capacity)
        return true;
    const size_t  capacity = findings->capacity ? 2 * findings->capacity : 16;
    CheckFinding *longer = arena_take(&findings->arena, capacity, sizeof *longer, err);
    if (longer && findings->count)
        memcpy(longer, findings->list, findings->count * sizeof *longer);
    if (longer) {
        findings->list = longer;
        findings->capacity = capacity;
    }
    return longer != NULL;
}

void findings_add(Findings *findings, FindingKind kind, size_t line, const char *format, ...)
{
    char    text[LONGEST];
    Error   err;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const CheckFinding finding = {kind, line, arena_copy(&findings->arena, text, &err)};
    if (!finding.text || !make_room(findings, &err))
        findings->failed = true;
    else if (!is_listed(findings, &finding))
        findings->list[findings->count++] = finding;
}

size_t findings_count(const Findings *findings, FindingKind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; ++i)
        count += findings->list[i].kind == kind;
    return count;
}

bool findings_has(const Findings *findings, size_t line)
{
    for (size_t i = 0; i < findings->count; ++i)
        if (findings->list[i].kind == FINDING_WRONG && findings->list[i].line == line)
            return true;
    return false;
}

bool findings_check(const Findings *findings, Error *err)
{
    return !findings->failed || fail(err, ERROR_INTERNAL, "out of memory");
}

void findings_free(Findings *findings)
{
    arena_free(&findings->arena);
    *findings = (Findings){0};
}
