// test_lane_counts -- lane counts that conform compares: what a run takes is among them, and none that has no room.
#include "analysis/conform/points/bits.h"
#include "support/plan_from.h"

static const BitsLanes none;

static void assert_lanes(const DeviceInfo *info, const char *text, const BitsLanes *asked, const char *wanted)
{
    char shown[64] = "";
    PLAN(made, text);
    const BitsLanes lanes = bits_lanes(info, made.plan.precision, &made.plan.groups[0], asked);
    for (size_t i = 0; i < lanes.count; ++i)
        snprintf(shown + strlen(shown), sizeof shown - strlen(shown), i ? ",%d" : "%d", lanes.counts[i]);
    assert_string_equal(shown, wanted);
}

static const char points[] = "problem: pendulum\nparameters: {x0: {linear: [1, 2, 64]}}\nmethods: [rk4]\n"
                             "step: 1.0e-6\nsteps: 400000000\n";
static const char single[] = "problem: pendulum\nparameters: {x0: {linear: [1, 2, 64]}}\nmethods: [rk4]\n"
                             "step: 0.01\nsteps: 10\nprecision: single\n";
static const char three[] = "problem: pendulum\nparameters: {x0: [1, 2, 3]}\nmethods: [rk4]\nstep: 0.01\nsteps: 10\n";
static const char full[] = "problem:\n  coordinates: {x: n}\n  define: {n: 80}\n  start: [\"i\"]\n"
                           "  acceleration: [\"x[fmod(i + n - 1, n)] - 2*x[i] + x[fmod(i + 1, n)]\"]\n"
                           "methods: [newmark]\nstep: 0.1\nend: 0.1\n";

TEST(test_lanes_of_runs)
{
    const DeviceInfo narrow = {.vectors = true, .lanes_double = 4, .lanes_single = 8};
    const DeviceInfo wide = {.vectors = true, .wide = true, .lanes_double = 16, .lanes_single = 32};
    assert_lanes(&narrow, single, &none, "1,8,16");
    assert_lanes(&narrow, points, &none, "1,4,8,16");
    assert_lanes(&wide, single, &none, "1,8,16,32");
    assert_lanes(&wide, points, &none, "1,8,16,32");  // a long run of one degree of freedom
    assert_lanes(&wide, three, &none, "1,4,8,16");
}

TEST(test_room)
{
    const DeviceInfo wide = {.vectors = true, .wide = true, .lanes_double = 16, .lanes_single = 32};
    assert_lanes(&wide, full, &none, "1");
}

TEST(test_devices_without_vectors)
{
    const DeviceInfo plain = {.lanes_double = 1, .lanes_single = 1};
    const DeviceInfo gpu = {.gpu = true, .vectors = true, .lanes_double = 1, .lanes_single = 1};
    const BitsLanes  asked = {.counts = {2, 32}, .count = 2};
    assert_lanes(&plain, single, &asked, "1");
    assert_lanes(&plain, single, &none, "1");
    assert_lanes(&gpu, single, &none, "1");
    assert_lanes(&gpu, single, &asked, "2,32");
}
