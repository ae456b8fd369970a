// plan_from -- the text of a sweep file becomes a plan.
#include "support/plan_from.h"

void write_file(char path[64], const char *bytes, size_t count)
{
    snprintf(path, 64, "/tmp/pendula-test-XXXXXX");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, count), (ssize_t)count);
    close(file);
}

void read_catalog(Catalog *catalog)
{
    assert_fine(catalog_read(catalog, &err));
}

void plan_from_file(Made *made, const char *path, const char *const *overrides, size_t override_count)
{
    memset(made, 0, sizeof *made);
    read_catalog(&made->catalog);
    made->fine = spec_read(path, overrides, override_count, &made->spec, &made->err) &&
                 plan_make(&made->spec, &made->catalog, &made->plan, &made->err);
}

void plan_from(Made *made, const char *text, ...)
{
    const char *overrides[16];
    size_t      count = 0;
    char        path[64];
    va_list     arguments;
    va_start(arguments, text);
    while (count < 16 && (overrides[count] = va_arg(arguments, const char *)) != NULL)
        ++count;
    va_end(arguments);
    write_file(path, text, strlen(text));
    plan_from_file(made, path, overrides, count);
    memcpy(made->path, path, sizeof path);
    unlink(path);
}

void made_free(Made *made)
{
    plan_free(&made->plan);
    spec_free(&made->spec);
    catalog_free(&made->catalog);
}

const Variable *find_variable(const Group *group, const char *name)
{
    for (size_t i = 0; i < group->variable_count; ++i)
        if (strcmp(group->variables[i].name, name) == 0)
            return &group->variables[i];
    return NULL;
}
