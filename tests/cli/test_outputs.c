// test_outputs -- output files of commands: existing ones are refused, inputs never replaced, a failure leaves none.
#include "support/program_case.h"

#include <ctype.h>

// A command that writes; NAME stands for what its option is given.
typedef struct Writer {
    const char *words[14];
    const char *input;         // what it reads; NULL: no file
    const char *files[3];      // what it writes, as long as they are not NULL
    bool        refused_only;  // it runs kernels for long: what it may not replace is refused before that
} Writer;

#define PICTURE(stem)                        \
    {                                        \
        stem ".gp", stem ".png", stem ".svg" \
    }
static const Writer writers[] = {
    {{"run", "sweep.yaml", "-d", "reference", "--progress", "none", "-o", "new.h5"}, "sweep.yaml", .files = {"new.h5"}},
    {{"plot", "grid.h5", "--kind", "map", "--metric", "x_max", "-o", "new"},
     "grid.h5",
     .files = PICTURE("new_map_x_max")},
    {{"plot", "grid.h5", "--kind", "curves", "--metric", "updates", "-o", "new"},
     "grid.h5",
     .files = PICTURE("new_curves_updates")},
    {{"plot", "grid.h5", "--kind", "curves", "-o", "new"}, "grid.h5", .files = PICTURE("new_curves")},
    {{"plot", "grid.h5", "--field", "x0", "--field", "v", "-o", "new"},
     "grid.h5",
     .files = PICTURE("new_trajectory_x0_v")},
    {{"pareto", "grid.h5", "--error", "x_max", "--format", "csv", "-o", "new.csv"}, "grid.h5", .files = {"new.csv"}},
    {{"pareto", "grid.h5", "--error", "x_max", "--over", "worst", "--plot", "new.svg"},
     "grid.h5",
     .files = PICTURE("new")},
    {{"sensitivity", "grid.h5", "--metric", "x_max", "--format", "csv", "-o", "new.csv"},
     "grid.h5",
     .files = {"new.csv"}},
    {{"sensitivity", "grid.h5", "--metric", "updates", "--plot", "new"}, "grid.h5", .files = PICTURE("new")},
    {{"sensitivity", "grid.h5", "--metric", "updates", "--plot", "new", "--picture", "scatter"},
     "grid.h5",
     .files = PICTURE("new")},
    {{"sensitivity", "sampled.h5", "--metric", "x_final[0]", "--plot", "new", "--picture", "surrogate"},
     "sampled.h5",
     .files = PICTURE("new")},
    {{"distribution", "grid.h5", "--metric", "x_max", "--format", "csv", "-o", "new.csv"},
     "grid.h5",
     .files = {"new.csv"}},
    {{"distribution", "sampled.h5", "--metric", "x_final[0]", "--plot", "new"}, "sampled.h5", .files = PICTURE("new")},
    {{"rare", "sampled.yaml", "-d", "reference", "--metric", "x_final", "--above", "0.3", "--samples", "100", "-o",
      "new.txt"},
     "sampled.yaml",
     .files = {"new.txt"}},
    {{"rare", "sampled.yaml", "-d", "reference", "--metric", "x_final", "--above", "0.3", "--samples", "100", "--plot",
      "new"},
     "sampled.yaml",
     .files = PICTURE("new")},
    {{"fit", "sampled.yaml", "-d", "reference", "--data", "measured.csv", "--starts", "2", "-o", "new.txt"},
     "measured.csv",
     .files = {"new.txt"}},
    {{"fit", "sampled.yaml", "-d", "reference", "--data", "measured.csv", "--starts", "2", "--sweep", "new.yaml", "-o",
      "new.txt"},
     "measured.csv",
     .files = {"new.txt", "new.yaml"}},
    {{"fit", "sampled.yaml", "-d", "reference", "--data", "measured.csv", "--starts", "2", "--plot", "new"},
     "sampled.yaml",
     .files = PICTURE("new")},
    {{"predict", "sampled.h5", "--metric", "x_final[0]", "--metric", "updates", "--at", "omega=1.5", "--format", "json",
      "-o", "new.txt"},
     "sampled.h5",
     .files = {"new.txt"}},
    {{"refine", "sweep.yaml", "-d", "reference", "--along", "omega", "--boundary", "x_max=0.9", "--points", "new.csv",
      "-o", "new.txt"},
     "sweep.yaml",
     .files = {"new.csv", "new.txt"}},
    {{"refine", "sweep.yaml", "-d", "reference", "--along", "omega", "--plot", "new"},
     "sweep.yaml",
     .files = PICTURE("new")},
    {{"advise", "sweep.yaml", "-d", "reference", "--method", "rk4", "--steps", "4,16", "--sweep", "new.yaml", "-o",
      "new.csv"},
     "sweep.yaml",
     .files = {"new.csv", "new.yaml"}},
    {{"advise", "sweep.yaml", "-d", "reference", "--method", "rk4", "--steps", "4,16", "--plot", "new"},
     "sweep.yaml",
     .files = PICTURE("new")},
    {{"report", "grid.h5", "-o", "new.html"}, "grid.h5", .files = {"new.html"}},
    {{"merge", "grid.h5", "-o", "new.h5"}, "grid.h5", .files = {"new.h5"}},
    {{"export", "grid.h5", "--group", "theta2", "-o", "new.csv"}, "grid.h5", .files = {"new.csv"}},
    {{"pack", "grid.h5", "--progress", "none", "-o", "new.h5"}, "grid.h5", .files = {"new.h5"}},
    {{"spectrum", "rk4", "--format", "csv", "-o", "new.csv"}, NULL, .files = {"new.csv"}},
    {{"spectrum", "rk4", "--plot", "new"}, NULL, .files = PICTURE("new")},
    {{"pairs", "theta1", "newmark", "--problem", "none", "-o", "new.txt"}, NULL, .files = {"new.txt"}},
    {{"pairs", "theta1", "newmark", "--problem", "none", "-o", "new.h5"}, NULL, .files = {"new.h5"}},
    {{"pairs", "theta1", "newmark", "--problem", "none", "--plot", "new"}, NULL, .files = PICTURE("new")},
    {{"conform", "sweep.yaml", "--json", "new.json"}, "sweep.yaml", {"new.json"}, true},
    {{"conform", "sweep.yaml", "--junit", "new.xml"}, "sweep.yaml", {"new.xml"}, true},
    {{"conform", "sweep.yaml", "--plot", "new"}, "sweep.yaml", PICTURE("new"), true},
    {{"claims", "--json", "new.json"}, NULL, {"new.json"}, true},
    {{"new", "metric", "new"}, NULL, .files = {"new.cl"}},
};
enum { WRITERS = sizeof writers / sizeof *writers };

static const char old[] = "what was here before\n";

static bool draws(const Writer *writer)
{
    return writer->files[1] != NULL;
}

// Runs a command without any OpenCL device, with or without --force, and demands the exit code.
static void expect_end(const Writer *writer, bool force, rlim_t file_bytes, int code, const char *part)
{
    const Surroundings surroundings = {"OCL_ICD_VENDORS", place.path, file_bytes, 0};
    const char        *words[COMMAND_WORDS] = {0};
    size_t             count = 0;
    for (; writer->words[count]; ++count)
        words[count] = writer->words[count];
    words[count] = force ? "--force" : NULL;
    Ending ending = program_run_in(&surroundings, words);
    if (ending.command.code != code)
        print_error("of `%s %s %s`, %s --force: ", words[0], words[1], words[2], force ? "with" : "without");
    assert_code(&ending.command, code);
    assert_contains(ending.command.error, part);
}

static bool is_old(const char *name)
{
    size_t count = 0;
    char  *bytes = place_bytes(name, &count);
    return count == sizeof old - 1 && memcmp(bytes, old, count) == 0;
}

// Whether there is a folder for files in the making.
static bool is_making(void)
{
    DIR                 *folder = opendir(place.path);
    const struct dirent *entry;
    bool                 making = false;
    assert_non_null(folder);
    while ((entry = readdir(folder)))
        making = making || strncmp(entry->d_name, ".pendula", 8) == 0;
    closedir(folder);
    return making;
}

static void expect_nothing_left(void)
{
    assert_false(is_making());
    assert_false(place_has("new.h5.tmp"));
}

static void drop_files(const Writer *writer)
{
    for (size_t i = 0; i < 3 && writer->files[i]; ++i)
        place_drop(writer->files[i]);
    drop_result("new.h5");
}

static int make_files(void **state)
{
    make_place(state);
    place_write("sweep.yaml", "problem: harmonic_oscillator\n"
                              "parameters: {omega: [1, 2, 3]}\n"
                              "methods: [theta2, {generalized_alpha: {rho_inf: [0.2, 0.6]}}]\n"
                              "step: [0.1, 0.2]\n"
                              "end: 1\n"
                              "metrics: [status, updates, x_max]\n"
                              "trajectory: {every: 1}\n");
    EXPECT(0, "18 points", "run", "sweep.yaml", "-d", "reference", "-o", "grid.h5", "--progress", "none");
    place_write("measured.csv", "t,x\n0.1,1\n0.2,0.9\n");
    place_write("sampled.yaml", "problem: harmonic_oscillator\n"
                                "parameters: {omega: {uniform: [1, 2]}}\n"
                                "methods: [theta2]\n"
                                "design: {sobol: {samples: 16}}\n"
                                "step: 0.1\n"
                                "end: 1\n"
                                "metrics: [updates, x_final]\n");
    EXPECT(0, "16 points", "run", "sampled.yaml", "-d", "reference", "-o", "sampled.h5", "--progress", "none");
    return 0;
}

AROUND_ALL(make_files, remove_place)

TEST(what_exists_is_refused)
{
    for (size_t w = 0; w < WRITERS; ++w)
        for (size_t i = 0; i < 3 && writers[w].files[i]; ++i) {
            place_write(writers[w].files[i], old);
            expect_end(&writers[w], false, 0, 3, "exists already");
            assert_true(is_old(writers[w].files[i]));
            // The other files of a picture are not made either.
            for (size_t other = 0; other < 3 && writers[w].files[other]; ++other)
                assert_true(other == i || !place_has(writers[w].files[other]));
            expect_nothing_left();
            drop_files(&writers[w]);
        }
}

TEST(force_replaces)
{
    const bool gnuplot = have_gnuplot();
    for (size_t w = 0; w < WRITERS; ++w) {
        if (writers[w].refused_only || (draws(&writers[w]) && !gnuplot))
            continue;
        for (size_t i = 0; i < 3 && writers[w].files[i]; ++i)
            place_write(writers[w].files[i], old);
        expect_end(&writers[w], true, 0, 0, "");
        for (size_t i = 0; i < 3 && writers[w].files[i]; ++i)
            assert_false(is_old(writers[w].files[i]));
        expect_nothing_left();
        drop_files(&writers[w]);
    }
}

// Under whatever name: its own, with "..", a symbolic link, a hard link.
TEST(an_input_is_never_replaced)
{
    char spelling[256];
    for (size_t w = 0; w < WRITERS; ++w) {
        const Writer *writer = &writers[w];
        if (!writer->input)
            continue;
        size_t count[2];
        char  *before = place_bytes(writer->input, &count[0]);
        for (size_t i = 0; i < 3 && writer->files[i]; ++i)
            for (int hard = 0; hard < 2; ++hard) {
                const Path input = path_of(writer->input), file = path_of(writer->files[i]);
                assert_int_equal(hard ? link(input.text, file.text) : symlink(input.text, file.text), 0);
                expect_end(writer, true, 0, 3, "is a file that this command reads");
                expect_end(writer, false, 0, 3, "is a file that this command reads");
                drop_files(writer);
            }
        // Where the option takes the name as it is.
        if (!draws(writer)) {
            Writer named = *writer;
            size_t last = 0;
            while (named.words[last + 1])
                ++last;
            named.words[last] = writer->input;
            expect_end(&named, true, 0, 3, "is a file that this command reads");
            snprintf(spelling, sizeof spelling, "..%s/../%s/./%s", strrchr(place.path, '/'),
                     strrchr(place.path, '/') + 1, writer->input);
            named.words[last] = spelling;
            expect_end(&named, true, 0, 3, "is a file that this command reads");
        }
        char *after = place_bytes(writer->input, &count[1]);
        assert_int_equal(count[0], count[1]);
        assert_memory_equal(before, after, count[0]);
        expect_nothing_left();
    }
}

// What stands beside a result file, and the problem's own file, are not to be lost either.
TEST(what_a_run_reads_stays)
{
    static const char *const names[] = {"a.h5.log", "a.h5.lock", "a.h5.tmp"};
    const char              *yaml = test_file(path_of("sweep.yaml").text, NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        place_write(names[i], yaml);
        EXPECT(3, "is a file that this command reads", "run", names[i], "-o", "a.h5", "-d", "reference");
        expect_same_files(names[i], "sweep.yaml");
        place_drop(names[i]);
    }
    char *card = test_file(PENDULA_SOURCE_DIR "/kernels/problems/pendulum.cl", NULL);
    place_write("pendulum.cl", card);
    place_write("own.yaml", "problem: ./pendulum.cl\nmethods: [rk4]\nstep: 0.1\nend: 1\nmetrics: [status]\n");
    EXPECT(3, "is a file that this command reads", "run", "own.yaml", "-o", "pendulum.cl", "--force");
    EXPECT(3, "is a file that this command reads", "conform", "own.yaml", "--json", "pendulum.cl", "--force");
    char *after = test_file(path_of("pendulum.cl").text, NULL);
    assert_string_equal(card, after);
}

// The table that a command has just written is not replaced by its picture.
TEST(two_outputs_are_two_files)
{
    const Writer twice = {{"spectrum", "rk4", "-o", "new.png", "--plot", "new", "--force"}, .files = {"new.png"}};
    expect_end(&twice, false, 0, 3, "or has written");
    char *table = test_file(path_of("new.png").text, NULL);
    assert_contains(table, "rk4");
    drop_files(&twice);
    expect_nothing_left();
}

// A write that fails leaves the old file, or none.
TEST(a_failed_write_leaves_nothing)
{
    enum { ROOM = 160 };  // more than a message needs, less than any of the files
    const bool gnuplot = have_gnuplot();
    for (size_t w = 0; w < WRITERS; ++w) {
        if (writers[w].refused_only || (draws(&writers[w]) && !gnuplot))
            continue;
        expect_end(&writers[w], false, ROOM, 3, "");
        for (size_t i = 0; i < 3 && writers[w].files[i]; ++i)
            assert_false(place_has(writers[w].files[i]));
        for (size_t i = 0; i < 3 && writers[w].files[i]; ++i)
            place_write(writers[w].files[i], old);
        expect_end(&writers[w], true, ROOM, 3, "");
        for (size_t i = 0; i < 3 && writers[w].files[i]; ++i)
            assert_true(is_old(writers[w].files[i]));
        expect_nothing_left();
        drop_files(&writers[w]);
    }
}

// A picture needs more room than its script: gnuplot itself says nothing of a full disk.
TEST(an_incomplete_picture_is_none)
{
    need_gnuplot();
    expect_end(&writers[1], false, 8192, 3, "gnuplot");
    for (size_t i = 0; i < 3; ++i)
        assert_false(place_has(writers[1].files[i]));
    expect_nothing_left();
}

TEST(places_that_hold_no_file_are_refused)
{
    static const char *const places[] = {"/dev/full", "/dev/null", ".", "nowhere/new", "grid.h5/new", "folder/", ""};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
        for (int force = 0; force < 2; ++force) {
            const Writer named = {.words = {"pareto", "grid.h5", "--error", "x_max", "-o", places[i]}};
            expect_end(&named, force, 0, 3, "cannot be written");
        }
    struct stat about;
    assert_int_equal(stat("/dev/full", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
}

// A link is not followed: it is replaced, and what it leads to stays. A file's permissions go to its successor.
TEST(links_and_permissions)
{
    struct stat   about;
    const Path    path = path_of("new.csv");
    const Writer *writer = &writers[5];
    place_write("secret", old);
    assert_int_equal(symlink("secret", path.text), 0);
    expect_end(writer, false, 0, 3, "exists already");
    expect_end(writer, true, 0, 0, "");
    assert_true(is_old("secret"));
    assert_int_equal(lstat(path.text, &about), 0);
    assert_true(S_ISREG(about.st_mode));
    assert_int_equal(chmod(path.text, 0600), 0);
    expect_end(writer, true, 0, 0, "");
    assert_int_equal(stat(path.text, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    place_drop("new.csv");
    assert_int_equal(symlink("nowhere", path.text), 0);
    expect_end(writer, true, 0, 3, "broken link");
    place_drop("new.csv");
}

// A gnuplot of the test's own: it makes nothing, or takes its time.
static Child start_plot(const char *script)
{
    char search[256];
    snprintf(search, sizeof search, "%s/bin:/usr/bin:/bin", place.path);
    mkdir(path_of("bin").text, 0700);
    place_write("bin/gnuplot", script);
    assert_int_equal(chmod(path_of("bin/gnuplot").text, 0700), 0);
    const Surroundings surroundings = {.variable = "PATH", .value = search};
    return child_start(&surroundings, writers[1].words);
}

TEST(a_gnuplot_that_draws_nothing_is_said)
{
    const Child child = start_plot("#!/bin/sh\nexit 0\n");
    Ending      ending = child_end(&child);
    assert_code(&ending.command, 3);
    assert_contains(ending.command.error, "incomplete");
    assert_false(place_has(writers[1].files[0]));
    expect_nothing_left();
}

TEST(a_signal_while_drawing_leaves_nothing)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
        const Child child = start_plot("#!/bin/sh\nexec sleep 600\n");
        for (int wait = 0; wait < 6000 && !is_making(); ++wait)
            wait_seconds(0.01);
        assert_true(is_making());
        assert_int_equal(kill(child.pid, signals[i]), 0);
        Ending ending = child_end(&child);
        assert_int_equal(ending.command.code, 128 + signals[i]);
        assert_false(place_has(writers[1].files[0]));
        expect_nothing_left();
    }
}

// Every option that takes the name of a file to write is in the table above.
TEST(every_option_is_in_the_table)
{
    static const char *const commands[] = {
        "run",     "plan",  "list",   "show",   "source", "info",   "plot",         "pareto",  "spectrum", "pairs",
        "conform", "bench", "claims", "replay", "new",    "check",  "sensitivity",  "predict", "refine",   "report",
        "verify",  "merge", "diff",   "pack",   "advise", "export", "distribution", "doctor",  "rare",     "fit"};
    Command help = PENDULA("--help");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
        assert_contains(help.out, commands[i]);
        Command    command = PENDULA(commands[i], "--help");
        const bool writes = strstr(command.out, "--output=") || strstr(command.out, "--plot=FILE") ||
                            strstr(command.out, "--json=FILE") || strstr(command.out, "Writes NAME.cl");
        bool listed = false;
        for (size_t w = 0; w < WRITERS; ++w)
            listed = listed || strcmp(writers[w].words[0], commands[i]) == 0;
        if (writes != listed)
            fail_msg("%s writes files: %d; in the table: %d", commands[i], writes, listed);
        assert_int_equal(strstr(command.out, "--force") != NULL, writes);
    }
    // As many lines of the help name a command as there are here: a new one is looked at.
    size_t count = 0;
    for (const char *line = help.out; line; line = strchr(line + 1, '\n'))
        count += strncmp(line, "\n  ", 3) == 0 && islower((unsigned char)line[3]) && strncmp(line + 3, "help ", 5) != 0;
    assert_int_equal(count, sizeof commands / sizeof *commands);
}
