// test_broken_device -- what no kernel computes is refused: the run ends, nothing of the block is stored, the rest
// stays.
#include "store/store_read.h"

#include "support/fake.h"
#include "support/program_case.h"

#include <hdf5.h>

// Two groups of one block, computed one after the other by the same kernel.
static const char sweep[] = "problem: harmonic_oscillator\n"
                            "parameters: {omega: {linear: [1, 2, 64]}}\n"
                            "methods: [{label: first, theta2: {theta: 0.5}}, {label: second, theta2: {theta: 0.6}}]\n"
                            "steps: 10\n"
                            "end: 1\n"
                            "metrics: [status, updates, steps, x_final]\n";

// What a kernel writes: rows of the 64 points, in this order. Ten steps have a budget of 2000 updates, and the last
// solve may go beyond it by the 50 that it may make.
enum { POINTS = 64, AT_X = 0, AT_STATUS = 2, AT_UPDATES, AT_STEPS, AT_COUNT };
enum { NUMBER = 8, RESULT_BYTES = AT_COUNT * POINTS * NUMBER, TALLY_BYTES = 32 };

// Asks that the `nth` run of so many bytes that the host sees holds a value.
static void put(size_t bytes, int nth, size_t at, int64_t value)
{
    char text[96];
    snprintf(text, sizeof text, "%zu:%d:%zu:%lld", bytes, nth, at, (long long)value);
    fake_set("PUT", text);
}

// Runs the sweep on a device that the caller has broken when it comes to the second group.
static void expect_refused(const char *part)
{
    StoreFile file SCOPED(store_read_close) = {0};
    EXPECT(8, part, "run", "sweep.yaml", "-d", "cpu", "--progress", "none", "-o", "broken.h5");
    fake_clear();
    assert_fine(store_read_open(path_of("broken.h5").text, &file, &err));
    assert_int_equal(file.blocks_done, 1);
    EXPECT(0, "1 blocks reused, 1 computed", "run", "sweep.yaml", "-d", "cpu", "--progress", "none", "-o", "broken.h5",
           "--resume");
    expect_same_files("whole.h5", "broken.h5");
    drop_result("broken.h5");
}

static void expect_result_refused(size_t row, size_t point, int64_t value, const char *part)
{
    put(RESULT_BYTES, 2, (row * POINTS + point) * NUMBER, value);
    expect_refused(part);
}

TEST(impossible_statuses_are_refused)
{
    expect_result_refused(AT_STATUS, 5, 127, "group 'second' has status 127");
    expect_result_refused(AT_STATUS, 63, 12, "has status 12");
    expect_result_refused(AT_STATUS, 0, 0, "has status 0");
    expect_result_refused(AT_STATUS, 0, -1, "has status -1");
    expect_result_refused(AT_STATUS, 0, INT64_C(1) << 40 | 1, "has status");
}

TEST(a_status_that_the_state_denies_is_refused)
{
    expect_result_refused(AT_STATUS, 7, 4, "failed, but its final state is a number");
    expect_result_refused(AT_X, 7, INT64_C(0x7FF0000000000000), "final state is not finite");
}

TEST(counts_beyond_the_plan_are_refused)
{
    expect_result_refused(AT_UPDATES, 7, 2050, "counts 2050 updates");
    expect_result_refused(AT_UPDATES, 7, -1, "counts -1 updates");
    expect_result_refused(AT_STEPS, 7, 11, "counts 11 steps");
    expect_result_refused(AT_STEPS, 7, 9, "counts 9 steps");
}

TEST(a_kernel_that_does_nothing_is_noticed)
{
    fake_set("IDLE", "4");
    expect_refused("has status 0");
}

// The second slice is the second group's. Before a group's slice there is a launch without work.
TEST(impossible_sums_are_refused)
{
    put(TALLY_BYTES, 4, 0, 65);
    expect_refused("65 points at work");
    put(TALLY_BYTES, 4, 8, 64 * 10 + 1);
    expect_refused("641 steps");
}

TEST(points_at_work_must_work)
{
    fake_set("IDLE", "4");
    put(TALLY_BYTES, 4, 0, 64);
    expect_refused("no work");
}

// A status in a file that does not exist is counted like the others.
TEST(unknown_statuses_are_damage)
{
    static const signed char unknown[3] = {127, -5, 127};
    const Path               path = path_of("odd.h5");
    EXPECT(0, "128 points", "run", "sweep.yaml", "-d", "cpu", "--progress", "none", "-o", "odd.h5");
    const hid_t file = H5Fopen(path.text, H5F_ACC_RDONLY, H5P_DEFAULT),
                set = H5Dopen2(file, "/second/status", H5P_DEFAULT);
    const haddr_t at = H5Dget_offset(set);
    H5Dclose(set);
    H5Fclose(file);
    const int raw = open(path.text, O_WRONLY);
    assert_int_equal(pwrite(raw, unknown, sizeof unknown, (off_t)at), sizeof unknown);
    close(raw);
    EXPECT(4, "points 0 to 63 of group 'second' are damaged", "info", "odd.h5");
    drop_result("odd.h5");
}

// A test that stops half-way leaves nothing to the next.
static int mend(UNUSED void **state)
{
    fake_clear();
    drop_result("broken.h5");
    return 0;
}

AROUND_EACH(NULL, mend)

static int make_whole(void **state)
{
    make_place(state);
    place_write("sweep.yaml", sweep);
    EXPECT(0, "128 points", "run", "sweep.yaml", "-d", "cpu", "--progress", "none", "-o", "whole.h5");
    return 0;
}

AROUND_ALL(make_whole, remove_place)
