// test -- the list of tests that a program registers, and its run by cmocka.
#include "support/test.h"

#include <sys/stat.h>

enum { TESTS_MOST = 64 };

// Sorted by lines: compilers need not call the constructors of a file in its order.
static struct CMUnitTest tests[TESTS_MOST];
static int               lines[TESTS_MOST];
static size_t            test_count;

Error err;
Arena arena;

typedef struct Block {
    struct Block *older;
    max_align_t   bytes[];
} Block;

static Block *blocks;  // the newest first

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

void test_refused(bool fine, const char *call, ErrorKind kind, const char *part)
{
    if (fine)
        fail_msg("%s succeeds", call);
    if (err.kind != kind || !strstr(err.message, part))
        fail_msg("%s: kind %d, '%s', not kind %d with '%s'", call, (int)err.kind, err.message, (int)kind, part);
}

void test_near(double value, double expected, double bound, const char *name, const char *file, int line)
{
    if (!(fabs(value - expected) <= bound)) {
        print_error("%s is %.17g, not %.17g +- %g\n", name, value, expected, bound);
        _fail(file, line);
    }
}

void test_due(double value, const Due *due)
{
    if (isnan(due->value) ? !isnan(value) : !(fabs(value - due->value) <= due->bound))
        fail_msg("%s is %.17g, not %.17g +- %g", due->name, value, due->value, due->bound);
}

void *test_take(size_t count, size_t size)
{
    Block *block = calloc(1, sizeof *block + count * size);
    assert_non_null(block);
    block->older = blocks;
    blocks = block;
    return block->bytes;
}

char *test_file(const char *path, size_t *count)
{
    struct stat about;
    FILE       *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be read", path);
    assert_int_equal(fstat(fileno(file), &about), 0);
    const size_t bytes = (size_t)about.st_size;
    char        *text = test_take(bytes + 1, 1);
    assert_int_equal(fread(text, 1, bytes, file), bytes);
    fclose(file);
    if (count)
        *count = bytes;
    return text;
}

static int end_test(void **state)
{
    const int result = tear_down_each ? tear_down_each(state) : 0;
    for (Block *older; blocks; blocks = older) {
        older = blocks->older;
        free(blocks);
    }
    arena_free(&arena);
    err = (Error){0};
    return result;
}

int test_run(const char *group, void *state)
{
    if (test_count == 0) {
        fprintf(stderr, "this program has no tests\n");
        return 1;
    }
    for (size_t i = 0; i < test_count; ++i) {
        tests[i].setup_func = set_up_each;
        tests[i].teardown_func = end_test;
        tests[i].initial_state = state;
    }
    // cmocka passes over the rows behind them, which have no name.
    return cmocka_run_group_tests_name(group, tests, set_up_all, tear_down_all);
}
