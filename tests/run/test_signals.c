// test_signals -- runs that are killed, stopped or joined by a second one, and the progress that they show.
#include "store/store_read.h"

#include "support/fake.h"
#include "support/problem_text.h"
#include "support/program_case.h"

// Enough blocks for many batches and for some seconds, on any number of cores: a batch grows with them, so there are
// two.
static const Surroundings two_cores = {.variable = "POCL_MAX_PTHREAD_COUNT", .value = "2"};

// Eight blocks that are done in no time, and eight, one batch, that no processor computes within the seconds of a test.
static const char endless_sweep[] = "problem: harmonic_oscillator\n"
                                    "parameters: {omega: {linear: [1, 8192, 8192]}}\n"
                                    "methods: [{theta2: {theta: 0.5}}]\n"
                                    "steps: [200, 4000000]\n"
                                    "end: 1\n"
                                    "metrics: [status, updates]\n";

// The override that makes of it six times eight blocks which together take some seconds: blocks become done after about
// one.
static char steps[96];

// What the file says: blocks done, or -1 while there is no file.
static int64_t blocks_done(const char *name)
{
    const Path path = path_of(name);
    StoreFile  file = {0};
    if (access(path.text, F_OK) != 0)
        return -1;
    assert_fine(store_read_open(path.text, &file, &err));
    const int64_t done = (int64_t)file.blocks_done;
    store_read_close(&file);
    return done;
}

// Waits until the child has the file's lock and that many blocks are done; false where it ended before.
static bool wait_for_blocks(const Child *child, const char *name, int64_t wanted)
{
    char lock[64];
    snprintf(lock, sizeof lock, "%s.lock", name);
    while (child_runs(child)) {
        if (place_has(lock) && blocks_done(name) >= wanted)
            return true;
        wait_seconds(0.01);
    }
    return false;
}

static Child start_run(const char *name, const char *const *more)
{
    const char *words[COMMAND_WORDS] = {"run", "endless.yaml", "-d", "cpu", "--progress", "none", "-o", name};
    for (size_t i = 8; *more; ++i, ++more) {
        assert_true(i + 1 < COMMAND_WORDS);
        words[i] = *more;
    }
    return child_start(&two_cores, words);
}

static Ending finish_run(const char *name, const char *const *more)
{
    const Child child = start_run(name, more);
    return child_end(&child);
}

// Goes on with a file in which so many blocks are done: exactly those are reused.
static void resume(const char *name, int64_t done, int64_t blocks, const char *const *more)
{
    const long long points = 1024, reused = (long long)done, computed = (long long)(blocks - done);
    char            told[256];
    Ending          ending = finish_run(name, more);
    assert_code(&ending.command, 0);
    snprintf(told, sizeof told, "%s: %lld blocks reused, %lld computed; %lld points reused, %lld computed%s\n", name,
             reused, computed, points * reused, points * computed, computed > 0 ? "" : "; the file was complete");
    assert_contains(ending.command.out, told);
    snprintf(told, sizeof told, "%s: %lld points on ", name, points * computed);
    if (computed > 0)
        assert_contains(ending.command.out, told);
    else
        assert_null(strstr(ending.command.out, " points on "));
    assert_string_equal(ending.command.error, "");
}

// A killed process leaves its lock file behind.
static void kill_run(const Child *child, const char *name)
{
    char lock[64];
    snprintf(lock, sizeof lock, "%s.lock", name);
    kill(child->pid, SIGKILL);
    child_end(child);
    place_drop(lock);
}

// Runs the sweep undisturbed into whole.h5, with as many steps as make it last on this machine.
static void make_whole(void)
{
    double seconds = 0;
    for (unsigned base = 1000; seconds < 5; base *= 2) {
        assert_in_range(base, 1, 1000000);
        snprintf(steps, sizeof steps, "steps=[%u, %u, %u, %u, %u, %u]", 4 * base, 5 * base, 6 * base, 7 * base,
                 8 * base, 9 * base);
        Ending whole = finish_run("whole.h5", WORDS("-s", steps, "--force"));
        assert_code(&whole.command, 0);
        assert_string_equal(whole.command.error, "");
        const char *computing = strstr(whole.command.out, " steps/s in ");
        assert_non_null(computing);
        assert_contains(whole.command.out, "49152 points on ");
        assert_int_equal(sscanf(computing, " steps/s in %lf s of computing", &seconds), 1);
        // The first run compiles.
        if (base == 1000)
            seconds = 0;
    }
    assert_int_equal(blocks_done("whole.h5"), 48);
}

TEST(a_killed_run_goes_on_where_it_was)
{
    static const int64_t kill_at[] = {0, 1, 32};
    size_t               in_time = 0;
    for (size_t i = 0; i < sizeof kill_at / sizeof *kill_at; ++i) {
        const Child child = start_run("killed.h5", WORDS("-s", steps));
        in_time += wait_for_blocks(&child, "killed.h5", kill_at[i]);
        kill_run(&child, "killed.h5");
        const int64_t done = blocks_done("killed.h5");
        assert_true(done >= kill_at[i]);
        // Other lanes are other batches.
        resume("killed.h5", done, 48, WORDS("-s", steps, "--resume", "--lanes", i % 2 ? "4" : "16"));
        expect_same_files("killed.h5", "whole.h5");
        assert_false(place_has("killed.h5.lock"));
        drop_result("killed.h5");
    }
    // A run may end before the last kill, but not before the others.
    assert_true(in_time >= 2);
}

TEST(two_kills_in_a_row_lose_nothing)
{
    int64_t before = 0;
    for (int64_t wanted = 1; wanted <= 17; wanted += 16) {
        const Child child = start_run("killed.h5", WORDS("-s", steps, "--resume"));
        wait_for_blocks(&child, "killed.h5", wanted);
        kill_run(&child, "killed.h5");
        assert_true(blocks_done("killed.h5") >= before);
        before = blocks_done("killed.h5");
    }
    resume("killed.h5", before, 48, WORDS("-s", steps, "--resume"));
    expect_same_files("killed.h5", "whole.h5");
    drop_result("killed.h5");
}

// Where the machine is busy, what is done may not reach the disk before the process ends by its timer.
static bool ended_by_timer(const char *error)
{
    return strstr(error, "what was under way is abandoned; the same command with --resume goes on") != NULL;
}

// The end of a run that a signal stopped.
static void expect_stopped(const Child *child, double signalled, double patience, const char *message)
{
    Ending       ending = child_end(child);
    const double seconds = child->begin + ending.seconds - signalled;
    assert_code(&ending.command, 75);
    assert_string_equal(ending.command.out, "");
    if (!ended_by_timer(ending.command.error))
        assert_contains(ending.command.error, message);
    assert_ptr_equal(strchr(ending.command.error, '\n'), ending.command.error + strlen(ending.command.error) - 1);
    if (seconds > patience)
        fail_msg("%.2f s passed between the signal and the end", seconds);
}

TEST(a_batch_that_takes_too_long_is_abandoned)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
        const Child child = start_run("stopped.h5", WORDS("--lanes", "16", i ? "--resume" : "--force"));
        // The first blocks are done; the endless batch runs. With fewer lanes batches are smaller, and these are two.
        assert_true(wait_for_blocks(&child, "stopped.h5", 8));
        wait_seconds(0.3);
        const double signalled = seconds_now();
        assert_int_equal(kill(child.pid, signals[i]), 0);
        expect_stopped(&child, signalled, 20, "stopped by a signal with 8 of 16 blocks done in 'stopped.h5'");
        assert_int_equal(blocks_done("stopped.h5"), 8);
        EXPECT(0, "blocks       8 of 16 done; `pendula run --resume` goes on", "info", "stopped.h5");
    }
    drop_result("stopped.h5");
}

TEST(a_batch_that_ends_in_time_is_kept)
{
    char        told[160];
    const Child child = start_run("stopped.h5", WORDS("-s", steps, "--force"));
    if (!wait_for_blocks(&child, "stopped.h5", 1))
        fail_msg("the run ended too early");
    const double signalled = seconds_now();
    assert_int_equal(kill(child.pid, SIGTERM), 0);
    Ending ending = child_end(&child);
    assert_true(child.begin + ending.seconds - signalled < 20);
    snprintf(told, sizeof told,
             "pendula: stopped by a signal with %lld of 48 blocks done in 'stopped.h5'; the same command with --resume",
             (long long)blocks_done("stopped.h5"));
    assert_code(&ending.command, 75);
    if (!ended_by_timer(ending.command.error))
        assert_contains(ending.command.error, told);
    resume("stopped.h5", blocks_done("stopped.h5"), 48, WORDS("-s", steps, "--resume"));
    expect_same_files("stopped.h5", "whole.h5");
    drop_result("stopped.h5");
}

TEST(two_signals_stop_at_once)
{
    const Child child = start_run("stopped.h5", WORDS("-s", "steps=4000000", "--force"));
    assert_true(wait_for_blocks(&child, "stopped.h5", 0));
    wait_seconds(0.3);
    kill(child.pid, SIGINT);
    wait_seconds(0.1);
    const double signalled = seconds_now();
    kill(child.pid, SIGINT);
    expect_stopped(&child, signalled, 20, "--resume goes on");
    assert_int_equal(blocks_done("stopped.h5"), 0);
    drop_result("stopped.h5");
}

// Nothing interrupts a driver's compiler, which here takes a minute: it is left behind, and what was begun of the file
// is removed.
TEST(a_run_that_has_not_begun_stops_too)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    fake_set("BUILD", "60");
    for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
        const Child child = start_run("stopped.h5", WORDS("--force"));
        while (!place_has("stopped.h5.lock") && child_runs(&child))
            wait_seconds(0.01);
        wait_seconds(0.3);
        const double signalled = seconds_now();
        kill(child.pid, signals[i]);
        if (i == 1) {
            wait_seconds(0.1);
            kill(child.pid, signals[i]);
        }
        expect_stopped(&child, signalled, 20, "stopped by a signal before 'stopped.h5' was made; the same command");
        assert_int_equal(place_count("stopped.h5"), 0);
    }
    fake_clear();
}

static const char endless_problem[] = PROBLEM_TEXT("//: problem: endless\n"
                                                   "//: title: A problem whose acceleration never ends\n"
                                                   "//: equation: x'' = 0\n"
                                                   "//: dofs: 1\n"
                                                   "//: parameters:\n"
                                                   "//:   x0: {default: 1.0, unit: \"1\", about: initial position}\n",
                                                   "    x[0] = p->x0;\n"
                                                   "    v[0] = ZERO;\n",
                                                   "    volatile int turn = 1;\n"
                                                   "    while (turn)\n"
                                                   "        turn = 3 - turn;\n"
                                                   "    a[0] = -x[0];\n",
                                                   "");

// The process ends all the same, and the file can be resumed: none of its blocks is done.
TEST(a_kernel_that_never_ends_is_left_behind)
{
    place_write("endless.cl", endless_problem);
    place_write("loop.yaml", "problem: ./endless.cl\nmethods: [rk4]\nstep: 0.1\nend: 1\nmetrics: [status]\n");
    for (int times = 1; times <= 2; ++times) {
        const Child child = child_start(&two_cores, WORDS("run", "loop.yaml", "-d", "cpu", "-o", "loop.h5",
                                                          "--progress", "none", times == 1 ? "--force" : "--resume"));
        assert_true(wait_for_blocks(&child, "loop.h5", 0));
        wait_seconds(0.5);
        const double signalled = seconds_now();
        kill(child.pid, SIGINT);
        if (times == 2) {
            wait_seconds(0.1);
            kill(child.pid, SIGHUP);
        }
        // The second is perhaps still building, since its file is there already.
        expect_stopped(&child, signalled, 20,
                       times == 1 ? "what was under way is abandoned" : "the same command with --resume goes on");
        EXPECT(0, "blocks       0 of 1 done; `pendula run --resume` goes on", "info", "loop.h5");
    }
    // Nobody holds the file any more.
    place_write("endless.cl", "");
    EXPECT(4, "endless.cl", "run", "loop.yaml", "-o", "loop.h5", "--force");
    drop_result("loop.h5");
}

// Where the reading of a pipe is asked for, a signal ends it; where it is not, a pipe is refused.
TEST(a_pipe_is_not_waited_for)
{
    char path[256];
    assert_int_equal(mkfifo(path_of("pipe").text, 0600), 0);
    EXPECT(3, "pipe: is a pipe, not a file", "run", "pipe", "-o", "piped.h5");
    EXPECT(3, "pipe: is a pipe, not a file", "show", "./pipe");
    EXPECT(3, "pipe: is not a regular file", "info", "pipe");
    EXPECT(3, "pipe: is not a regular file", "run", "endless.yaml", "-o", "pipe", "--resume");
    assert_int_equal(mkfifo(path_of("pipe.cl").text, 0600), 0);
    EXPECT(3, "pipe.cl: is a pipe, not a file", "show", "./pipe.cl");
    place_write("piped.yaml", "problem: ./pipe.cl\nmethods: [rk4]\nstep: 0.1\nend: 1\n");
    EXPECT(3, "pipe.cl: is a pipe, not a file", "run", "piped.yaml", "-o", "piped.h5");

    // Standard input, from a pipe to which nobody writes.
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    const Child child = child_start(NULL, WORDS("run", path, "-o", "piped.h5"));
    wait_seconds(0.3);
    const double signalled = seconds_now();
    kill(child.pid, SIGTERM);
    expect_stopped(&child, signalled, 20, "the same command with --resume goes on");
    // And one that is written.
    static const char text[] = "problem: pendulum\nmethods: [rk4]\nstep: 0.1\nend: 1\nmetrics: [status]\n";
    assert_int_equal(write(ends[1], text, sizeof text - 1), (ssize_t)sizeof text - 1);
    close(ends[1]);
    EXPECT(0, "1 points on ", "run", path, "-o", "piped.h5", "-d", "reference", "--progress", "none");
    close(ends[0]);
    drop_result("piped.h5");
}

// nohup stays what it is.
TEST(a_signal_that_was_ignored_stays_so)
{
    signal(SIGHUP, SIG_IGN);
    const Child child = start_run("stopped.h5", WORDS("--force"));
    assert_true(wait_for_blocks(&child, "stopped.h5", 8));
    kill(child.pid, SIGHUP);
    wait_seconds(0.5);
    assert_true(child_runs(&child));
    signal(SIGHUP, SIG_DFL);
    const double signalled = seconds_now();
    kill(child.pid, SIGINT);
    expect_stopped(&child, signalled, 20, "stopped by a signal");
    drop_result("stopped.h5");
}

// While solutions are made to compare with, no kernel runs.
TEST(a_run_that_solves_stops_too)
{
    place_write("solve.yaml",
                "problem: double_pendulum\nparameters: {th1: {linear: [0.1, 3, 400]}}\nmethods: [rk4]\nstep: 0.01\n"
                "end: 2000\nmetrics: [status, error_final]\n");
    const Child child =
        child_start(&two_cores, WORDS("run", "solve.yaml", "-o", "solve.h5", "-d", "reference", "--progress", "none"));
    assert_true(wait_for_blocks(&child, "solve.h5", 0));
    const double signalled = seconds_now();
    kill(child.pid, SIGHUP);
    Ending ending = child_end(&child);
    assert_code(&ending.command, 75);
    assert_contains(ending.command.error, "the same command with --resume goes on");
    assert_true(child.begin + ending.seconds - signalled < 20);
    drop_result("solve.h5");
}

TEST(a_second_writer_is_sent_away)
{
    const Child child = start_run("shared.h5", WORDS("-s", "steps=4000000"));
    assert_true(wait_for_blocks(&child, "shared.h5", 0));
    EXPECT(5, "shared.h5: being written by another process", "run", "endless.yaml", "--progress", "none", "-o",
           "shared.h5", "-s", "steps=4000000", "--resume");
    EXPECT(5, "shared.h5: being written by another process", "run", "endless.yaml", "--progress", "none", "-o",
           "shared.h5", "--force");
    EXPECT(3, "shared.h5: exists already", "run", "endless.yaml", "-o", "shared.h5");
    EXPECT(0, "0 of 8 done", "info", "shared.h5");
    kill_run(&child, "shared.h5");
    drop_result("shared.h5");
}

TEST(plain_progress_is_lines_on_stderr)
{
    Ending plain = finish_run("plain.h5", WORDS("--progress", "plain", "-s", "steps=[100, 200, 300, 400, 500, 600]"));
    assert_code(&plain.command, 0);
    assert_null(strchr(plain.command.error, '\r'));
    assert_contains(plain.command.error, "100.0%  49.2k/49.2k points  ");
    assert_contains(plain.command.error, " points/s  ");
    assert_contains(plain.command.error, " steps/s  0 failed  in ");
    assert_null(strstr(plain.command.out, "%"));
    assert_contains(plain.command.out, "plain.h5: 49152 points on ");
    drop_result("plain.h5");
    Ending automatic = finish_run("plain.h5", WORDS("--progress", "auto", "-s", "steps=200"));
    assert_code(&automatic.command, 0);
    assert_null(strchr(automatic.command.error, '\r'));
    drop_result("plain.h5");
}

// Runs the program with stderr on a terminal; returns what it wrote there.
static char *run_on_terminal(const char *const *words)
{
    enum { MOST = 1 << 20 };
    char     *text = test_take(MOST, 1);
    size_t    length = 0;
    ssize_t   got;
    const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    const int terminal = master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0
                             ? open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC)
                             : -1;
    if (terminal < 0) {
        print_message("skipped: this system gives no pseudo-terminal (%s); a root without /dev/pts has none\n",
                      strerror(errno));
        if (master >= 0)
            close(master);
        skip();
    }
    const Child child = child_start_on(&two_cores, terminal, words);
    close(terminal);
    // Reading ends with an error when the last one who has the terminal open closes it.
    while (length + 1 < MOST && (got = read(master, text + length, MOST - 1 - length)) > 0)
        length += (size_t)got;
    close(master);
    Ending ending = child_end(&child);
    assert_code(&ending.command, 0);
    assert_contains(ending.command.out, "49152 points on ");
    assert_null(strchr(ending.command.out, '\r'));
    return text;
}

TEST(a_terminal_gets_one_line_rewritten)
{
    char *text = run_on_terminal(WORDS("run", "endless.yaml", "-d", "cpu", "-o", "shown.h5", "-s", steps));
    // The terminal ends lines with both characters.
    assert_int_equal(text[0], '\r');
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    assert_contains(text, "\r  0.0%  0/49.2k points  ");
    assert_contains(text, "\r100.0%  49.2k/49.2k points  ");
    assert_contains(text, " points/s  ");
    assert_contains(text, " steps/s  0 failed  ");
    assert_contains(text, "s left");
    drop_result("shown.h5");
}

static int make_files(void **state)
{
    // Where the program is built with AddressSanitizer: its search for leaks halts all threads, and crashes now and
    // then on those of an abandoned batch, which are still inside the kernel. Other tests look for leaks.
    setenv("ASAN_OPTIONS", "detect_leaks=0:verify_asan_link_order=0:use_sigaltstack=0", 1);
    make_place(state);
    place_write("endless.yaml", endless_sweep);
    make_whole();
    return 0;
}

AROUND_ALL(make_files, remove_place)
