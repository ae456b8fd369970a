// test_program -- the program as its user meets it: exit codes, one line for each mistake, nothing half-written, equal
// bytes.
#include "support/fake.h"
#include "support/program_case.h"

#include <glob.h>
#include <linux/magic.h>
#include <sys/vfs.h>

// Two methods, 2400 points in four blocks, 200 steps each.
static const char small_sweep[] = "problem: pendulum\n"
                                  "parameters: {g: {linear: [1, 1200, 1200]}}\n"
                                  "methods: [{theta2: {theta: 0.5}}, rk4]\n"
                                  "step: 0.05\n"
                                  "end: 10\n"
                                  "metrics: [status, updates, period]\n"
                                  "trajectory: {every: 50, where: {g: [3, 100]}}\n";

// Neither a result file nor anything on the way to one.
static void expect_nothing_made(void)
{
    assert_int_equal(place_count("out"), 0);
}

TEST(wrong_sweeps_get_one_line_with_their_place)
{
    glob_t found;
    size_t placed = 0;
    assert_int_equal(glob(PENDULA_SOURCE_DIR "/tests/wrong/*.yaml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; ++i) {
        const char *path = found.gl_pathv[i];
        char       *text = test_file(path, NULL), part[1024];
        unsigned    kind = 0, line = 0, column = 0;
        int         after = 0;
        const bool  known_place = sscanf(text, "# expect %u at %u:%u: %n", &kind, &line, &column, &after) == 3;
        text[strcspn(text, "\n")] = '\0';
        if (known_place)
            snprintf(part, sizeof part, "pendula: %s:%u:%u: ", path, line, column);
        else
            assert_int_equal(sscanf(text, "# expect %u: %n", &kind, &after), 1);
        placed += known_place;
        expect_in(NULL, (int)kind, text + after, WORDS("run", path, "-o", "out.h5"));
        if (known_place)
            expect_in(NULL, (int)kind, part, WORDS("plan", path, "--no-time"));
    }
    assert_true(placed >= 50);
    globfree(&found);
    expect_nothing_made();
}

TEST(wrong_overrides_name_their_key)
{
    EXPECT(2, "-s ned: unknown key 'ned'", "run", "small.yaml", "-o", "out.h5", "-s", "ned=3");
    EXPECT(2, "-s parameters.g: ", "run", "small.yaml", "-o", "out.h5", "-s", "parameters.g=[]");
    EXPECT(2, "-s methods.theta2.theta: ", "run", "small.yaml", "-o", "out.h5", "-s", "methods.theta2.theta=1.2");
    EXPECT(2, "-s step: ", "plan", "small.yaml", "-s", "end=3", "-s", "step=nan");
    EXPECT(2, "-s end", "source", "small.yaml", "-s", "end");
    EXPECT(2, "-s newton.mode: ", "conform", "small.yaml", "-s", "newton.mode=fast");
    expect_nothing_made();
}

TEST(files_that_are_no_sweep_are_refused)
{
    char deep[5001] = {0};
    memset(deep, '[', sizeof deep - 1);
    place_write("deep.yaml", deep);
    place_write("empty.yaml", "");
    EXPECT(3, "nowhere.yaml: cannot be opened: No such file", "run", "nowhere.yaml", "-o", "out.h5");
    EXPECT(3, "is a directory", "run", place.path, "-o", "out.h5");
    EXPECT(4, "empty.yaml: empty", "run", "empty.yaml", "-o", "out.h5");
    EXPECT(4, "deep.yaml:1:33: nested deeper than 32", "run", "deep.yaml", "-o", "out.h5");
    place_write("binary.yaml", "\x7f"
                               "ELF\x02\x01\x01");
    EXPECT(4, "binary.yaml:1:1: not a text file", "run", "binary.yaml", "-o", "out.h5");
    EXPECT(4, "longer than", "run", "/dev/zero", "-o", "out.h5");
    expect_nothing_made();
}

// Path and space come before the device: where there is no device, the message is about them.
TEST(outputs_that_cannot_be_are_refused)
{
    const Surroundings no_device = {.variable = "OCL_ICD_VENDORS", .value = place.path};
    struct statfs      about;
    expect_in(&no_device, 3, "out/x.h5: cannot be made in the folder 'out': No such file",
              WORDS("run", "small.yaml", "-o", "out/x.h5"));
    expect_in(&no_device, 3, "is a directory", WORDS("run", "small.yaml", "-o", place.path, "--force"));
    expect_in(&no_device, 3, "small.yaml/out.h5: Not a directory",
              WORDS("run", "small.yaml", "-o", "small.yaml/out.h5"));
    expect_in(&no_device, 3, "not a regular file", WORDS("run", "small.yaml", "-o", "/dev/full", "--resume"));
    expect_in(&no_device, 3, "is a file that this command reads",
              WORDS("run", "small.yaml", "-o", "./small.yaml", "--force"));
    expect_in(&no_device, 2, "output name is empty", WORDS("run", "small.yaml", "-o", ""));
    if (statfs("/sys", &about) == 0 && about.f_type == SYSFS_MAGIC)
        EXPECT(3, "/sys/out.h5", "run", "small.yaml", "-o", "/sys/out.h5");
    assert_int_equal(mkdir(path_of("far").text, 0555), 0);
    if (geteuid() != 0)
        EXPECT(3, "far/out.h5: cannot be made in the folder 'far': Permission denied", "run", "small.yaml", "-o",
               "far/out.h5");
    assert_int_equal(rmdir(path_of("far").text), 0);
    assert_true(place_has("small.yaml"));
    expect_nothing_made();
}

// A refusal for want of space: at once, with little memory, naming the bytes, of which there are at least so many.
static void expect_no_room(double least, const char *const *words)
{
    double      bytes = 0;
    Ending      ending = program_run_in(NULL, words);
    const char *error = ending.command.error;
    assert_code(&ending.command, 3);
    assert_int_equal(sscanf(error, "pendula: out.h5: needs %lf bytes (", &bytes), 1);
    assert_true(bytes >= least && bytes < 1.1 * least);
    assert_contains(error, " are free in '.'\n");
    assert_ptr_equal(strchr(error, '\n'), error + strlen(error) - 1);
    assert_true(ending.busy < 5);
    assert_true(ending.memory_kib < 400 * 1024);
    expect_nothing_made();
}

TEST(space_that_cannot_be_had_is_told_first)
{
    const Surroundings small_files = {.file_bytes = 32768};
    // A point's 201 and 1001 samples of x, and of x and v.
    expect_no_room(1e12 * 201 * 8, WORDS("run", "small.yaml", "-o", "out.h5", "-s", "methods=[rk4]", "-s",
                                         "trajectory={every: 1, fields: [x]}", "-s",
                                         "parameters={x0: {linear: [0.1, 2, 1000000]}, g: {linear: [1, 2, 1000000]}}"));
    expect_no_room(1e10 * 1001 * 16, WORDS("run", "small.yaml", "-o", "out.h5", "-s", "methods=[rk4]", "-s",
                                           "trajectory={every: 1, fields: [x, v]}", "-s",
                                           "parameters={x0: {linear: [0.1, 2, 100000]}, g: {linear: [1, 2, 100000]}}",
                                           "-s", "step=0.01"));
    expect_in(&small_files, 3, "but this process may write files of 32.8 kB only",
              WORDS("run", "small.yaml", "-o", "out.h5"));
    expect_nothing_made();
}

TEST(devices_that_are_not_there_are_told)
{
    const Surroundings no_device = {.variable = "OCL_ICD_VENDORS", .value = place.path};
    expect_in(&no_device, 8, "and no C compiler for `native`; install one", WORDS("run", "small.yaml", "-o", "out.h5"));
    EXPECT(8, "no device 'nosuch'; there is: ", "run", "small.yaml", "-o", "out.h5", "-d", "nosuch");
    expect_nothing_made();
    expect_in(&no_device, 0, "2400 points on reference",
              WORDS("run", "small.yaml", "-o", "out.h5", "-d", "reference", "--progress", "none"));
    expect_in(&no_device, 0, "4 blocks reused, 0 computed",
              WORDS("run", "small.yaml", "-o", "out.h5", "-d", "reference", "--resume"));
    // What the reference computed is not taken for what kernels compute.
    expect_in(&no_device, 4, "-d reference continues it", WORDS("run", "small.yaml", "-o", "out.h5", "--resume"));
    drop_result("out.h5");
    expect_nothing_made();
}

static const char user_problem[] =
    "//: problem: %s\n"
    "//: title: A user's own\n"
    "//: equation: x'' + k x = 0\n"
    "//: dofs: 1\n"
    "//: parameters:\n"
    "//:   k: {default: 1.0, above: 0, unit: 1/s2, about: stiffness}\n"
    "\n"
    "static void initial_state(const Params *p, real x[DOF], real v[DOF])\n"
    "{\n"
    "    x[0] = ZERO + 1.0;\n"
    "    v[0] = ZERO;\n"
    "}\n"
    "\n"
    "static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])\n"
    "{\n"
    "    a[0] = -p->k * %s[0];\n"
    "}\n";

static void write_problem(const char *name, const char *variable)
{
    char text[2048], sweep[256], file[64];
    snprintf(text, sizeof text, user_problem, name, variable);
    snprintf(file, sizeof file, "%s.cl", name);
    place_write(file, text);
    snprintf(sweep, sizeof sweep, "problem: ./%s\nparameters: {k: [1, 2]}\nmethods: [rk4]\nstep: 0.1\nend: 1\n", file);
    snprintf(file, sizeof file, "%s.yaml", name);
    place_write(file, sweep);
}

TEST(kernels_that_do_not_compile_show_the_compilers_log)
{
    write_problem("bad", "undeclared");
    Command command = ENDED(9, "run", "bad.yaml", "-o", "out.h5");
    assert_contains(command.error, "pendula: kernel of group 'rk4' does not compile on '");
    assert_contains(command.error, "bad.cl:16");
    assert_contains(command.error, "undeclared");
    assert_string_equal(command.out, "");
    expect_nothing_made();
    write_problem("good", "x");
    EXPECT(0, "2 points on ", "run", "good.yaml", "-o", "out.h5");
    EXPECT(0, "2: 2 ok", "info", "out.h5");
    // What --force would have replaced is still there.
    command = ENDED(9, "run", "bad.yaml", "-o", "out.h5", "--force");
    EXPECT(0, "2: 2 ok", "info", "out.h5");
    assert_int_equal(place_count("out"), 2);
    drop_result("out.h5");
}

TEST(existing_files_are_refused_resumed_or_replaced)
{
    EXPECT(0, "2400 points on ", "run", "small.yaml", "-o", "out.h5", "--progress", "none");
    assert_int_equal(place_count("out"), 2);  // the file and its log
    EXPECT(0, "2400 points on ", "run", "small.yaml", "-o", "kept.h5", "--progress", "none");
    expect_same_files("out.h5", "kept.h5");
    EXPECT(3, "out.h5: exists already; --resume continues it, --force replaces it", "run", "small.yaml", "-o",
           "out.h5");
    EXPECT(4, "of another sweep: group 'theta2': end is 10 in the file, 5 in the sweep", "run", "small.yaml", "-o",
           "out.h5", "--resume", "-s", "end=5");
    EXPECT(4, "of another sweep: ", "run", "small.yaml", "-o", "out.h5", "--resume", "-s", "methods=[rk4]");
    Ending ending = program_run_in(NULL, WORDS("run", "small.yaml", "-o", "out.h5", "--resume"));
    assert_code(&ending.command, 0);
    assert_string_equal(ending.command.out,
                        "out.h5: 4 blocks reused, 0 computed; 2400 points reused, 0 computed; the file was complete\n"
                        "  next: pendula info out.h5 (what is in it); pendula plot out.h5 (pictures)\n");
    assert_string_equal(ending.command.error, "");
    assert_true(ending.busy < 2);
    expect_same_files("out.h5", "kept.h5");
    EXPECT(0, "2400 points on ", "run", "small.yaml", "-o", "out.h5", "--force", "-s", "end=5", "--progress", "none");
    EXPECT(4, "end is 5 in the file, 10 in the sweep", "run", "small.yaml", "-o", "out.h5", "--resume");
    EXPECT(0, "2400 points on ", "run", "small.yaml", "-o", "out.h5", "--force", "--progress", "none");
    expect_same_files("out.h5", "kept.h5");
    assert_int_equal(place_count("out"), 2);
}

TEST(what_is_no_result_file_is_not_resumed)
{
    const Path path = path_of("out.h5");
    assert_int_equal(truncate(path.text, 3000), 0);
    EXPECT(4, "out.h5: ", "run", "small.yaml", "-o", "out.h5", "--resume");
    assert_int_equal(truncate(path.text, 0), 0);
    EXPECT(4, "out.h5: not a result file", "run", "small.yaml", "-o", "out.h5", "--resume");
    place_write("out.h5", "a letter\n");
    EXPECT(4, "out.h5: not a result file", "run", "small.yaml", "-o", "out.h5", "--resume");
    EXPECT(3, "exists already", "run", "small.yaml", "-o", "out.h5");
    char *text = test_file(path.text, NULL);
    assert_string_equal(text, "a letter\n");
    drop_result("out.h5");
    EXPECT(0, "0 blocks reused, 4 computed", "run", "small.yaml", "-o", "out.h5", "--resume", "--progress", "none");
    expect_same_files("out.h5", "kept.h5");
    drop_result("out.h5");
}

TEST(lanes_change_no_byte)
{
    static const char *const lanes[] = {"1", "8", "16"};
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; ++i) {
        EXPECT(0, "2400 points on ", "run", "small.yaml", "-o", "out.h5", "--lanes", lanes[i], "--progress", "none");
        expect_same_files("out.h5", "kept.h5");
        drop_result("out.h5");
    }
    EXPECT(2, "--lanes takes 1, 2, 4, 8, 16 or 32, got '3'", "run", "small.yaml", "-o", "out.h5", "--lanes", "3");
    expect_nothing_made();
}

// By default the file has the sweep's name and lies in the current folder; names may have blanks and other letters.
TEST(names_may_be_anything)
{
    char text[1024];
    snprintf(text, sizeof text, "title: \"Sch\xc3\xb6n \\\"quoted\\\"\"\n%s", small_sweep);
    assert_int_equal(mkdir(path_of("a b \xc3\xa9").text, 0755), 0);
    place_write("a b \xc3\xa9/my sweep.v2.yaml", text);
    EXPECT(0, "my sweep.v2.h5: 2400 points on ", "run", "a b \xc3\xa9/my sweep.v2.yaml", "--progress", "none");
    EXPECT(0, "Sch\xc3\xb6n \"quoted\"", "info", "my sweep.v2.h5");
    EXPECT(0, "a b \xc3\xa9/%s.h5: 2400 points on ", "run", "small.yaml", "-o", "a b \xc3\xa9/%s.h5", "--progress",
           "none");
    expect_same_files("a b \xc3\xa9/%s.h5", "kept.h5");
}

// Of a driver that takes longer than a second for each program and for the first launch it is said which one it is at,
// unless nothing shall be.
TEST(what_takes_long_to_compile_is_said)
{
    fake_set("DEVICES", "late|Other|cpu");
    fake_set("BUILD", "1.5");
    fake_set("FIRST_LAUNCH", "1.5");
    Command plain = PENDULA("run", "small.yaml", "-o", "out.h5", "--progress", "plain");
    Command none = PENDULA("run", "small.yaml", "-o", "out2.h5", "--progress", "none");
    fake_clear();
    assert_code(&plain, 0);
    assert_code(&none, 0);
    assert_contains(plain.error, "compiling 1 of 2: theta2\ncompiling 2 of 2: rk4\n");
    assert_contains(plain.error, "\ncompiling 1 of 2: theta2, at its first launch\n");
    assert_string_equal(none.error, "");
    drop_result("out.h5");
    drop_result("out2.h5");
}

TEST(shipped_sweeps_can_be_planned)
{
    glob_t found;
    assert_int_equal(glob(PENDULA_SOURCE_DIR "/sweeps/*.yaml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 6);
    for (size_t i = 0; i < found.gl_pathc; ++i)
        EXPECT(0, "\ntotal: ", "plan", found.gl_pathv[i], "--no-time");
    globfree(&found);
}

static int make_sweep(void **state)
{
    make_place(state);
    place_write("small.yaml", small_sweep);
    return 0;
}

AROUND_ALL(make_sweep, remove_place)
