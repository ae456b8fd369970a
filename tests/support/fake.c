// fake -- the environment that puts tests/shim/fake_opencl.c before a child's OpenCL library.
#include "support/fake.h"

#include <unistd.h>

void fake_set(const char *name, const char *value)
{
    char full[128];
    snprintf(full, sizeof full, "PENDULA_FAKE_%s", name);
    assert_int_equal(setenv(full, value, 1), 0);
    assert_int_equal(setenv("LD_PRELOAD", PENDULA_FAKE_OPENCL, 1), 0);
}

void fake_clear(void)
{
    char names[32][128];
    int  count = 0;
    for (char **variable = environ; *variable && count < 32; ++variable)
        if (strncmp(*variable, "PENDULA_FAKE_", 13) == 0)
            snprintf(names[count++], sizeof names[0], "%.*s", (int)strcspn(*variable, "="), *variable);
    while (count > 0)
        unsetenv(names[--count]);
    unsetenv("LD_PRELOAD");
}
