// test_export_threads -- `pendula export` writes the same bytes by any number of threads, and says a failure once.
#include "support/command.h"
#include "support/fake.h"

// More points than are read at a time, each slab of many pieces.
static const char *const sweep = "problem: harmonic_oscillator\n"
                                 "parameters: {omega: {linear: [0.1, 3, 600]}, x0: {linear: [0.1, 3, 500]}}\n"
                                 "methods: [rk4]\nstep: 0.1\nsteps: 1\nmetrics: [status, x_final]\n";
enum { ROWS = 300000 };

static const char *const cores[] = {"1", "2", "3", "8", "100"};
enum { COUNTS = sizeof cores / sizeof *cores };

static int make_many(void **state)
{
    make_place(state);
    make_result("many", sweep, "reference");
    return 0;
}
AROUND_ALL(make_many, remove_place)

static const char *const words[] = {PENDULA_PROGRAM, "export", "many.h5", NULL};

TEST(test_same_bytes)
{
    const char *first = NULL;
    for (size_t i = 0; i < COUNTS; ++i) {
        fake_set("CORES", cores[i]);
        const Command shown = command_ended(0, words);
        ENDED(0, "export", "many.h5", "-o", "many.csv", "--force");
        first = first ? first : shown.out;
        assert_string_equal(shown.out, first);
        assert_string_equal(test_file(path_of("many.csv").text, NULL), first);
    }
    assert_int_equal(count_in(first, "\n"), 1 + ROWS);
    fake_clear();
}

TEST(test_full_disk)
{
    for (size_t i = 0; i < COUNTS; ++i) {
        fake_set("CORES", cores[i]);
        const Command full = command_run("/dev/full", words);
        assert_code(&full, ERROR_IO);
        assert_string_equal(full.error, "pendula: standard output cannot be written: No space left on device\n");
    }
    fake_clear();
}
