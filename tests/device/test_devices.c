// test_devices -- devices of other kinds than this machine's: how they are chosen, asked for their limits, and spared.
#include "device/binary.h"
#include "store/store_read.h"

#include "support/fake.h"
#include "support/program_case.h"

#include <math.h>

// Four blocks, which a short kernel computes.
static const char sweep[] = "problem: harmonic_oscillator\n"
                            "parameters: {omega: {linear: [1, 2, 4096]}}\n"
                            "methods: [rk4]\n"
                            "steps: 40\n"
                            "end: 1\n"
                            "metrics: [status, x_final]\n";

// What the shim saw of a run; to be freed.
static char *read_log(void)
{
    return test_file(path_of("log").text, NULL);
}

static void log_to_file(void)
{
    const Path path = path_of("log");
    unlink(path.text);
    fake_set("LOG", path.text);
}

// The device that a command chooses, found in the options that `source` prints.
static void expect_device(const char *device, const char *which, const char *precision)
{
    char    part[128], setting[64];
    Command command;
    snprintf(part, sizeof part, "build options on %s:", device);
    snprintf(setting, sizeof setting, "precision=%s", precision);
    command = which ? PENDULA("source", "sweep.yaml", "-s", setting, "-d", which)
                    : PENDULA("source", "sweep.yaml", "-s", setting);
    assert_code(&command, 0);
    assert_contains(command.out, part);
}

TEST(the_default_has_the_precision)
{
    fake_set("DEVICES", "Small|P|gpu|single,Large|P|gpu,Plain|Q|cpu");
    expect_device("Large", NULL, "double");
    expect_device("Small", NULL, "single");
    expect_device("Large", "gpu", "double");
    fake_set("DEVICES", "Small|P|gpu|single,Weak|Q|cpu|single,Plain|Q|cpu");
    expect_device("Plain", NULL, "double");
    fake_set("DEVICES", "Small|P|gpu|single,Weak|Q|cpu|single");
    EXPECT(8, "no device has double precision: 0 'Small' (P, no double precision), 1 'Weak'", "run", "sweep.yaml",
           "--progress", "none");
    EXPECT(8, "device 'Small' has no double precision", "run", "sweep.yaml", "--progress", "none", "-d", "gpu");
}

TEST(names_are_matched_exactly_first)
{
    fake_set("DEVICES", "Iris|Intel|gpu,Iris Xe|Intel|gpu,A100|NVIDIA CUDA|gpu,A100|Clover|gpu");
    expect_device("Iris", "iris", "double");
    expect_device("Iris Xe", "xe", "double");
    expect_device("A100", "nvidia", "double");
    expect_device("A100", "Clover", "double");
    expect_device("A100", "3", "double");
    EXPECT(2, "'Intel' means several devices: 0 'Iris' (Intel), 1 'Iris Xe' (Intel); choose one by its number", "run",
           "sweep.yaml", "--progress", "none", "-d", "Intel");
    EXPECT(2, "'a100' means several devices: 2 'A100' (NVIDIA CUDA), 3 'A100' (Clover)", "run", "sweep.yaml",
           "--progress", "none", "-d", "a100");
    EXPECT(2, "'iri' means several devices", "run", "sweep.yaml", "--progress", "none", "-d", "iri");
    EXPECT(8, "no device 'Radeon'; there is: 0 'Iris' (Intel), 1 'Iris Xe' (Intel), 2 'A100'", "run", "sweep.yaml",
           "--progress", "none", "-d", "Radeon");
    EXPECT(8, "no device '4'", "run", "sweep.yaml", "--progress", "none", "-d", "4");
}

// CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT is bit 7.
TEST(correct_rounding_is_asked_of_devices_that_have_it)
{
    for (int rounds = 0; rounds < 2; ++rounds) {
        fake_set("SINGLE_CONFIG", rounds ? "0x87" : "0x07");
        Command command = ENDED(0, "source", "sweep.yaml", "-s", "precision=single");
        assert_int_equal(strstr(command.out, "-cl-fp32-correctly-rounded-divide-sqrt") != NULL, rounds);
        assert_null(strstr(command.out, "-cl-denorms-are-zero"));
        command = PENDULA("list", "devices");
        assert_int_equal(strstr(command.out, "not correctly rounded") == NULL, rounds);
    }
}

// Runs the sweep on a device that lacks memory; its results must be those of the others.
static void expect_same(void)
{
    EXPECT(0, "4096", "run", "sweep.yaml", "-d", "cpu", "--progress", "none", "-o", "other.h5");
    expect_same_files("whole.h5", "other.h5");
    drop_result("other.h5");
}

TEST(columns_shrink_to_the_memory_there_is)
{
    fake_set("MEMORY", "1600000");
    expect_same();
    fake_set("LARGEST", "200000");
    expect_same();
    // Less than it says, noticed when a buffer is made or when a kernel is launched.
    fake_set("SAYS_MEMORY", "4000000000");
    fake_set("MEMORY", "600000");
    expect_same();
    fake_set("LAZY", "1");
    expect_same();
    fake_clear();
    // So little that the results of a batch do not fit, but those of some blocks do.
    fake_set("SAYS_MEMORY", "4000000000");
    fake_set("MEMORY", "120000");
    expect_same();
}

TEST(too_little_memory_is_said_as_it_is)
{
    fake_set("MEMORY", "30000");
    Command command = ENDED(8, "run", "sweep.yaml", "-d", "cpu", "--progress", "none");
    assert_contains(command.error, "too little memory for one block of group 'rk4'");
    assert_null(strstr(command.error, "samples"));
    drop_result("sweep.h5");
    fake_set("SAYS_MEMORY", "4000000000");
    EXPECT(8, "CL_MEM_OBJECT_ALLOCATION_FAILURE", "run", "sweep.yaml", "-d", "cpu", "--progress", "none");
}

// A launch in the midst of a batch finds no memory: the batch begins anew, and its steps count once.
TEST(steps_of_a_batch_that_begins_anew_count_once)
{
    for (int i = 0; i < 2; ++i) {
        if (i == 1)
            fake_set("FAIL", "launch:3:-4");
        EXPECT(0, "4096", "run", "sweep.yaml", "-d", "cpu", "--progress", "none", "-s", "steps=1000", "-o",
               i ? "other.h5" : "long.h5");
    }
    expect_same_files("long.h5", "other.h5");
    char *log = test_file(path_of("other.h5.log").text, NULL);
    assert_contains(log, "\"steps\": 4096000}");
    drop_result("long.h5");
}

// A device that fails in the midst of a batch for another reason is not asked again.
TEST(a_lost_device_ends_the_run)
{
    fake_set("FAIL", "launch:1+:-36");
    EXPECT(8, "launching the kernel failed: CL_INVALID_COMMAND_QUEUE (-36)", "run", "sweep.yaml", "-d", "cpu",
           "--progress", "none");
}

// The work of each launch of the kernel, as the log has it; returns how many there are.
static size_t read_work(unsigned work[], size_t room)
{
    char  *log = read_log();
    size_t count = 0;
    for (const char *line = log; (line = strstr(line, "launch sweep ")) && count < room; ++line)
        count += sscanf(line, "launch sweep global %*u local %*u work %u", &work[count]) == 1;
    return count;
}

// A kernel takes work groups of eight where the device takes 32. Its first launch, where drivers compile, has no work.
// Its first slices are small, and the seconds that the launch takes do not make them smaller.
TEST(a_gpu_is_asked_for_its_limits_and_begins_with_little)
{
    unsigned work[64];
    log_to_file();
    fake_set("TYPE", "gpu");
    fake_set("WORK_GROUP", "32");
    fake_set("KERNEL_WORK_GROUP", "8");
    fake_set("FIRST_LAUNCH", "1.5");
    EXPECT(0, "4096", "run", "sweep.yaml", "--progress", "none", "-o", "other.h5");
    expect_same_files("whole.h5", "other.h5");
    char *log = read_log();
    assert_contains(log, "LOCAL_SIZE=32");
    assert_contains(log, "LOCAL_SIZE=8");
    assert_null(strstr(log, "LOCAL_SIZE=64"));
    assert_null(strstr(log, "refused"));
    const size_t count = read_work(work, 64);
    assert_true(count >= 3);
    assert_int_equal(work[0], 0);
    assert_in_range(work[1], 1, 16);
    assert_true(work[2] > work[1]);
    for (size_t i = 2; i < count; ++i)
        assert_in_range(work[i], 1, 8 * work[i - 1]);
}

// A number of the last line of a run's log.
static double read_logged(const char *name, const char *key)
{
    char file[64], wanted[64];
    snprintf(file, sizeof file, "%s.log", name);
    snprintf(wanted, sizeof wanted, "\"%s\": ", key);
    char       *log = test_file(path_of(file).text, NULL);
    const char *end = strstr(log, "{\"event\": \"end\""), *found = end ? strstr(end, wanted) : NULL;
    assert_non_null(found);
    const double value = strtod(found + strlen(wanted), NULL);
    return value;
}

// What a driver compiles at a kernel's first launch is no computing: the run takes its six seconds, the rate does not.
// 256 unknowns: a ring, whose far end its first one names, and a line, whose matrix is a band.
#define UNKNOWNS(RATE, METHOD)                                                                             \
    "problem: {coordinates: {u: n}, define: {n: 256}, rate: [\"" RATE "\"], start: [\"sin(2*pi*i/n)\"]}\n" \
    "methods: [" METHOD "]\nstep: 0.1\nsteps: 2\nmetrics: [status, x_final]\n"

// The line's two steps of the trapezoidal rule: each coordinate follows from the one before it.
static void expect_line(void)
{
    enum { N = 256 };
    const double h = 0.1, turn = 2.0 * 3.14159265358979323846 / N;
    double       u[N], next[N], found[N];
    StoreFile    file SCOPED(store_read_close) = {0};
    assert_fine(store_read_open(path_of("line.h5").text, &file, &err));
    const StoreGroup *group = store_read_group(&file, "trapezoidal");
    assert_fine(store_read_numbers(&file, group, store_read_variable(group, "x_final"), NULL, NULL, found, &err));
    for (int i = 0; i < N; ++i)
        u[i] = sin(turn * i);
    for (int step = 0; step < 2; ++step) {
        for (int i = 0; i < N; ++i)
            next[i] = ((1.0 - h / 2.0) * u[i] + (i > 0 ? h / 2.0 * (u[i - 1] + next[i - 1]) : 0.0)) / (1.0 + h / 2.0);
        memcpy(u, next, sizeof u);
    }
    for (int i = 0; i < N; ++i)
        assert_true(fabs(found[i] - u[i]) < 1e-12);
}

// The matrix of a point stands in the memory of a work item. Where a GPU has no room for it, nothing is built; the
// message says what else there is, and `plan` as well, beside the size.
TEST(a_gpu_has_no_room_for_a_large_whole_matrix)
{
    static const char ring[] = UNKNOWNS("u[fmod(i + 1, n)] - u[i]", "trapezoidal"),
                      line[] = UNKNOWNS("if(i > 0, u[i - 1], 0) - u[i]", "trapezoidal"),
                      refusal[] = "group 'trapezoidal': the Newton matrix of 256 unknowns takes 512 KiB of each point, "
                                  "a work item of device 'Iris' has 256; choose a CPU device or an explicit method, or "
                                  "number the coordinates so that formulas name near ones";
    place_write("ring.yaml", ring);
    place_write("line.yaml", line);
    fake_set("DEVICES", "Iris|Intel|gpu");
    EXPECT(8, refusal, "run", "ring.yaml", "--progress", "none", "-s", "newton.jacobian=central");
    Command command = PENDULA("plan", "ring.yaml", "-s", "newton.jacobian=central");
    assert_code(&command, 0);
    assert_contains(command.out, "of which the Newton matrix is 512.0 KiB");
    assert_contains(command.out, refusal);
    // With an analytic Jacobian there are three matrices; linear stages have four by any derivatives.
    EXPECT(8, "takes 1536 KiB of each point", "run", "ring.yaml", "--progress", "none");
    EXPECT(8, "takes 2048 KiB of each point", "run", "ring.yaml", "--progress", "none", "-s", "methods=[rodas5p]");
    EXPECT(8, "takes 2048 KiB of each point", "run", "ring.yaml", "--progress", "none", "-s", "methods=[rodas5p]", "-s",
           "newton.jacobian=forward");
    // What is advised: an explicit method, near coordinates.
    EXPECT(0, "1 points on Iris", "run", "ring.yaml", "--progress", "none", "-s", "methods=[rk4]");
    EXPECT(0, "1 points on Iris", "run", "line.yaml", "--progress", "none");
    expect_line();
    drop_result("ring.h5");
    drop_result("line.h5");
    drop_result("ring.yaml");
    drop_result("line.yaml");
}

TEST(compiling_is_no_computing)
{
    fake_set("FIRST_LAUNCH", "6");
    EXPECT(0, "4096", "run", "sweep.yaml", "-d", "cpu", "--progress", "none", "-o", "other.h5");
    assert_true(read_logged("other.h5", "seconds") >= 6.0);
    assert_true(read_logged("other.h5", "compute_seconds") < 3.0);
}

// Nor is what it compiles at the first launch of the kernel that moves points, which would last into the next slice.
TEST(moving_first_is_waited_for)
{
    log_to_file();
    EXPECT(0, "8192", "run", "sweep.yaml", "-d", "cpu", "--lanes", "16", "--progress", "none", "-s",
           "steps=[1000, 8000]", "-o", "other.h5");
    char       *log = read_log();
    const char *moved = strstr(log, "launch regroup "), *slice = moved ? strstr(moved, "launch sweep ") : NULL;
    const char *finish = moved ? strstr(moved, "finish\n") : NULL;
    assert_non_null(slice);
    assert_true(finish && finish < slice);
}

// The lanes of the kernel that a run of so many points builds.
//   lanes  that are asked for, or NULL
static int read_lanes(const char *points, const char *lanes, const char *output)
{
    char omega[64];
    int  built = 0;
    log_to_file();
    snprintf(omega, sizeof omega, strcmp(points, "1") ? "parameters.omega={linear: [1, 2, %s]}" : "parameters.omega=%s",
             points);
    if (lanes)
        EXPECT(0, " points on ", "run", "sweep.yaml", "-d", "cpu", "-s", omega, "-o", output, "--lanes", lanes);
    else
        EXPECT(0, " points on ", "run", "sweep.yaml", "-d", "cpu", "-s", omega, "-o", output);
    char *log = read_log();
    for (const char *line = log; (line = strstr(line, "-D LANES=")); ++line)
        sscanf(line, "-D LANES=%d", &built);
    return built;
}

// Few points take no more lanes than they fill, and the file is the same, byte for byte.
TEST(few_points_take_few_lanes)
{
    static const struct {
        const char *points;
        int         lanes;
        double      efficiency;
    } cases[] = {{"1", 1, 1.0}, {"3", 4, 0.75}, {"16", 16, 1.0}, {"100", 16, 0.0}};
    const int most = read_lanes("4096", NULL, "wide.h5");
    drop_result("wide.h5");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_int_equal(read_lanes(cases[i].points, NULL, "other.h5"), cases[i].lanes < most ? cases[i].lanes : most);
        if (cases[i].lanes <= most && cases[i].efficiency > 0.0)
            assert_true(read_logged("other.h5", "lane_efficiency") == cases[i].efficiency);
        assert_int_equal(read_lanes(cases[i].points, "16", "wide.h5"), 16);
        expect_same_files("wide.h5", "other.h5");
        drop_result("wide.h5");
        drop_result("other.h5");
    }
}

TEST(parameters_are_written)
{
    log_to_file();
    expect_same();
    char *log = read_log();
    assert_null(strstr(log, "read write"));
    assert_contains(log, "read");
}

TEST(every_error_has_a_name)
{
    for (int code = -72; code <= -1; ++code)
        if (code < -29 || code > -20)
            assert_int_equal(strncmp(opencl_error(code), "CL_", 3), 0);
}

// What a binary depends on holds the settings of other drivers.
TEST(cache_keys_know_other_drivers)
{
    static const char *const variables[] = {"RUSTICL_FEATURES", "MESA_DEBUG", "NEOReadDebugKeys",
                                            "IGC_ShaderDumpEnable", "ROC_ENABLE_LARGE_BAR"};
    Device                  *device = NULL;
    Kept                     kept SCOPED(binary_free) = {0};
    cl_program               program;
    cl_kernel                kernel;
    assert_int_equal(setenv("PENDULA_CACHE_DIR", path_of("cache").text, 1), 0);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i)
        assert_int_equal(setenv(variables[i], "a value", 1), 0);
    if (!device_open("cpu", PRECISION_DOUBLE, &device, &err) ||
        !binary_build(device, "group", "kernel void sweep(void) {}\n", "", &program, &kernel, &kept, &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i) {
        char field[64];
        snprintf(field, sizeof field, "%s=a value", variables[i]);
        assert_contains(kept.key.text, field);
        assert_int_equal(unsetenv(variables[i]), 0);
    }
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    device_close(device);
    assert_int_equal(setenv("PENDULA_CACHE_DIR", "none", 1), 0);
}

// A test that stops half-way leaves nothing to the next.
static int mend(UNUSED void **state)
{
    fake_clear();
    drop_result("other.h5");
    drop_result("wide.h5");
    drop_result("sweep.h5");
    return 0;
}

AROUND_EACH(NULL, mend)

static int make_whole(void **state)
{
    make_place(state);
    place_write("sweep.yaml", sweep);
    EXPECT(0, "4096", "run", "sweep.yaml", "-d", "cpu", "--progress", "none", "-o", "whole.h5");
    return 0;
}

AROUND_ALL(make_whole, remove_place)
