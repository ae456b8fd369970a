// test -- the list of tests that a program registers, and its run by cmocka.
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

enum { TESTS_MOST = 64 };

// Sorted by lines: compilers need not call the constructors of a file in its order.
static struct CMUnitTest tests[TESTS_MOST];
static int               lines[TESTS_MOST];
static size_t            test_count;

static CMFixtureFunction set_up_all, tear_down_all, set_up_each, tear_down_each;

void test_register(const char *name, CMUnitTestFunction test, int line)
{
    if (test_count == TESTS_MOST) {
        fprintf(stderr, "a test program has more than %d tests: raise TESTS_MOST in %s\n", TESTS_MOST, __FILE__);
        exit(1);
    }
    size_t at = test_count++;
    for (; at > 0 && lines[at - 1] > line; --at) {
        tests[at] = tests[at - 1];
        lines[at] = lines[at - 1];
    }
    tests[at] = (struct CMUnitTest){.name = name, .test_func = test};
    lines[at] = line;
}

void test_around_all(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    set_up_all = set_up;
    tear_down_all = tear_down;
}

void test_around_each(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    set_up_each = set_up;
    tear_down_each = tear_down;
}

int test_run(const char *group, void *state)
{
    if (test_count == 0) {
        fprintf(stderr, "this program has no tests\n");
        return 1;
    }
    for (size_t i = 0; i < test_count; ++i) {
        tests[i].setup_func = set_up_each;
        tests[i].teardown_func = tear_down_each;
        tests[i].initial_state = state;
    }
    // cmocka passes over the rows behind them, which have no name.
    return cmocka_run_group_tests_name(group, tests, set_up_all, tear_down_all);
}
