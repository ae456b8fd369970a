// plan -- warnings, files and memory of a plan, and the names of the statuses.
#include "plan/plan.h"
#include "base/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char plan_kernels[] = "kernels", plan_reference[] = "reference";

#define STATUS_WORD(NAME, word) #word,
const char *const plan_status_names[STATUS_COUNT] = {STATUSES(STATUS_WORD)};

bool plan_warn(Plan *plan, const YamlNode *at, Error *err, const char *format, ...)
{
    char    text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *place = yaml_place(at, &plan->arena, err);
    const char *line = place ? arena_format(&plan->arena, err, "%s: %s", place, text) : NULL;
    for (size_t i = 0; line && i < plan->warning_count; ++i)
        if (strcmp(plan->warnings[i], line) == 0)
            return true;
    const char **longer =
        line ? arena_grow(&plan->arena, plan->warnings, plan->warning_count, sizeof *longer, err) : NULL;
    if (!longer)
        return false;
    longer[plan->warning_count++] = line;
    plan->warnings = longer;
    return true;
}

// Whether a text stands somewhere in a sweep file, as a value or as a key.
static bool names(const YamlNode *node, const char *text)
{
    if (node->kind == YAML_SCALAR)
        return strcmp(node->text, text) == 0;
    for (size_t i = 0; i < node->count; ++i)
        if (names(node->items[i], text) || (node->kind == YAML_MAPPING && names(node->keys[i], text)))
            return true;
    return false;
}

// A result file may come from a stranger: it does not choose which file is opened, and whose code runs.
static bool check_trusted(const Spec *spec, const char *text, Error *err)
{
    if (!spec->foreign || (spec->trusted && names(spec->trusted, text)))
        return true;
    return fail(err, ERROR_INPUT, "it names the file '%.300s', which a result file may not have opened; %s", text,
                spec->trusted ? "the sweep file that was given does not name it"
                              : "give a sweep file that names it, and that you trust: --sweep SWEEP.yaml");
}

const char *plan_path(Plan *plan, const char *text, Error *err)
{
    if (!check_trusted(plan->spec, text, err))
        return NULL;
    const char *slash = strrchr(plan->spec->path, '/');
    const int   folder = slash && text[0] != '/' ? (int)(slash - plan->spec->path) + 1 : 0;
    const char *relative = strncmp(text, "./", 2) == 0 ? text + 2 : text;
    return arena_format(&plan->arena, err, "%.*s%s", folder, plan->spec->path, relative);
}

bool plan_read_file(const Plan *plan, const char *path, size_t most, const YamlNode *node, const char *what,
                    Arena *arena, char **text, Error *err)
{
    for (size_t i = 0; i < plan->spec->file_count; ++i)
        if (strcmp(plan->spec->files[i].path, path) == 0)
            return (*text = arena_copy(arena, plan->spec->files[i].text, err)) != NULL;
    if (file_read(path, most, arena, text, NULL, err))
        return true;
    const Error why = *err;
    yaml_fail(node, err, "%s: %.4000s", what, why.message);
    err->kind = why.kind;
    return false;
}

bool plan_add_input(Plan *plan, const char *path, Error *err)
{
    const char **longer = arena_grow(&plan->arena, plan->inputs, plan->input_count, sizeof *longer, err);
    if (!longer)
        return false;
    longer[plan->input_count++] = path;
    plan->inputs = longer;
    return true;
}

const char *plan_file(const Plan *plan, size_t i)
{
    const size_t first_input = plan->own_count + 1, points = first_input + plan->input_count;
    if (i == 0)
        return plan->spec->path;
    if (i < first_input)
        return plan->own[i - 1].card->path;
    return i < points ? plan->inputs[i - first_input] : i == points ? plan->points.path : NULL;
}

void plan_free(Plan *plan)
{
    point_file_free(&plan->points);
    arena_free(&plan->arena);
    *plan = (Plan){0};
}
