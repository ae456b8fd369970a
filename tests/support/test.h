// test -- tests that register themselves: TEST(name) and a body are a whole test, run in the order of the file.
//
// A file of tests has no table and no main(): that is in main.c beside this. One whose program takes words has a main()
// of its own that ends with test_run(). A function of a test cannot be left out of the run, and a program without tests
// fails. A test that cannot be made here says why and calls cmocka's skip(). The headers of C that most tests need come
// with this one.
#pragma once

// cmocka defines a macro fail(): the product's function is declared before it.
#include "base/arena.h"
#include "base/scoped.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Before a parameter that a function must have and does not use.
#define UNUSED __attribute__((unused))

// Begins a test. Its body may use `void **state`, where set-ups leave what tests share.
#define TEST(name)                                                      \
    static void                              name(void **state);        \
    __attribute__((constructor)) static void test_register_##name(void) \
    {                                                                   \
        test_register(#name, name, __LINE__);                           \
    }                                                                   \
    static void name(UNUSED void **state)

// Functions before the first and after the last test of the file, of cmocka's type; NULL: none. Once in a file.
#define AROUND_ALL(set_up, tear_down)                                \
    __attribute__((constructor)) static void test_surround_all(void) \
    {                                                                \
        test_around_all(set_up, tear_down);                          \
    }

// Functions before and after every test of the file; NULL: none. Once in a file.
#define AROUND_EACH(set_up, tear_down)                                \
    __attribute__((constructor)) static void test_surround_each(void) \
    {                                                                 \
        test_around_each(set_up, tear_down);                          \
    }

// Of the test that runs: empty before it, released after it. They are not seen by libraries, which know a function
// err().
extern Error err __attribute__((visibility("hidden")));
extern Arena arena;

// Stops the test with the message of its error unless the call succeeds.
#define assert_fine(call)                           \
    do {                                            \
        if (!(call))                                \
            fail_msg("%s: %s", #call, err.message); \
    } while (0)

// Stops the test unless the call fails with an error of that kind whose message contains `part`.
#define assert_refused(call, kind, part)             \
    do {                                             \
        err = (Error){0};                            \
        test_refused((call), #call, (kind), (part)); \
    } while (0)

// Stops the test unless two numbers differ by no more than a bound; shows every digit.
#define assert_near(value, expected, bound) test_near(value, expected, bound, #value, __FILE__, __LINE__)

// A number that is due under a name, within a bound; NAN: one that is none.
typedef struct Due {
    const char *name;
    double      value, bound;
} Due;

void test_due(double value, const Due *due);

// Zeroed memory that is released after the test.
void *test_take(size_t count, size_t size);

// The bytes of a file and a NUL behind them, likewise. count: how many; NULL: not asked for.
char *test_file(const char *path, size_t *count);

// Runs the tests of the program as a group of cmocka's and returns how many failed, 1 where there are none.
//   group  its name in cmocka's output
//   state  what every test is given, or NULL: what the set-up of all leaves
int test_run(const char *group, void *state);

// What the macros call. line: tests are run in its order
void test_register(const char *name, CMUnitTestFunction test, int line);
void test_around_all(CMFixtureFunction set_up, CMFixtureFunction tear_down);
void test_around_each(CMFixtureFunction set_up, CMFixtureFunction tear_down);
void test_refused(bool fine, const char *call, ErrorKind kind, const char *part);
void test_near(double value, double expected, double bound, const char *name, const char *file, int line);
