// test_bench -- the plain loops compute what the reference does, and the bare kernels what the composed ones do;
// `pendula bench` prints what it should, and no false ratio.
#include "analysis/bench/bench.h"
#include "analysis/bench/workloads.h"
#include "device/bare.h"
#include "device/device.h"
#include "reference/reference.h"

#include "support/program_case.h"

AROUND_ALL(make_place, remove_place)

enum { POINTS = 24, STEPS = 120 };

// A workload's sweep with few points.
typedef struct Small {
    Catalog catalog;
    Text    text;
    Spec    spec;
    Plan    plan;
} Small;

static const Group *small_make(Small *small, const Workload *workload, size_t points, size_t steps)
{
    workloads_text(workload, points, steps, &small->text);
    if (!text_check(&small->text, &err) || !catalog_read(&small->catalog, &err) ||
        !spec_read_text(workload->name, small->text.text, NULL, 0, &small->spec, &err) ||
        !plan_make(&small->spec, &small->catalog, &small->plan, &err))
        fail_msg("%s: %s", workload->name, err.message);
    return &small->plan.groups[0];
}

static void small_free(Small *small)
{
    plan_free(&small->plan);
    spec_free(&small->spec);
    text_free(&small->text);
    catalog_free(&small->catalog);
}

// Newton's method leaves a residual of up to 1e-10, which rounding moves. The reference is double precision throughout,
// and rounds single's inputs only.
static void loop_agrees(const Workload *workload)
{
    Small          small SCOPED(small_free) = {0};
    Results        results SCOPED(results_free) = {0};
    const Group   *group = small_make(&small, workload, POINTS, STEPS);
    const Batch    batch = batch_make(group, 0, group->block_count);
    const size_t   dofs = group->dofs;
    const double   bound = workload->single ? 1e-4 : 1e-9;
    double         x[POINTS * PLAIN_DOFS], v[POINTS * PLAIN_DOFS];
    uint64_t       updates[POINTS];
    double         loop_updates = 0.0, reference_updates = 0.0;
    const PlainRun run = {workload->plain, group->axes[0].values, x, v, updates, POINTS, STEPS, 2};
    assert_int_equal(workload->plain->dofs, dofs);
    assert_int_equal(batch.point_count, POINTS);
    if (!results_make(group, POINTS, 0, &results, &err) ||
        !reference_run(&small.plan, &batch, &(ReferenceOptions){0}, &results, &err))
        fail_msg("%s: %s", workload->name, err.message);
    plain_run(&run);
    for (size_t i = 0; i < POINTS; ++i) {
        // In the order in which the workload lists its metrics.
        assert_int_equal(results_value(&results, 0, i, 0), STATUS_OK);
        for (size_t k = 0; k < dofs; ++k) {
            const double x_apart = fabs(results_value(&results, 1, i, k) - x[i * dofs + k]);
            const double v_apart = fabs(results_value(&results, 2, i, k) - v[i * dofs + k]);
            if (!(x_apart <= bound && v_apart <= bound))
                fail_msg("%s, point %zu: x[%zu] %g apart, v %g", workload->name, i, k, x_apart, v_apart);
        }
        loop_updates += (double)updates[i];
        reference_updates += workload->newton && !workload->single ? results_value(&results, 3, i, 0) : 0.0;
    }
    // Where the residual after an update comes near the tolerance, the rounding of the differences decides.
    if (!workload->newton)
        assert_true(loop_updates == 0.0);
    else if (!workload->single &&
             !(fabs(loop_updates - reference_updates) <= (workload->by_differences ? 0.005 : 0.05) * reference_updates))
        fail_msg("%s: %.0f updates, the reference makes %.0f", workload->name, loop_updates, reference_updates);
}

TEST(test_loops_agree_with_the_reference)
{
    for (size_t i = 0; i < WORKLOAD_COUNT; ++i) {
        loop_agrees(&workloads[i]);
        if (workloads[i].by_differences)
            assert_ptr_not_equal(workloads[i].plain, workloads[i].by_differences);
    }
}

// One point fewer than a share of a thread, more threads than points, and none.
TEST(test_every_point_is_run_once)
{
    enum { MOST = 41 };
    double values[MOST], x[MOST], v[MOST];
    for (size_t count = 0; count <= MOST; ++count)
        for (int threads = 1; threads <= 64; threads *= 8) {
            uint64_t updates[MOST] = {0};
            for (size_t i = 0; i < MOST; ++i) {
                values[i] = 0.1 * (double)i;
                x[i] = -1.0;
            }
            plain_run(&(PlainRun){&plain_pendulum_alpha, values, x, v, updates, count, 2, threads});
            for (size_t i = 0; i < MOST; ++i) {
                assert_true(i < count ? fabs(x[i] - values[i]) < 1e-2 : x[i] == -1.0);
                assert_int_equal(updates[i], i < count ? 2 : 0);
            }
        }
}

// A loop that stops a step early, and one that counts an update too many in each.
static uint64_t run_short(double value, size_t steps, double *x, double *v)
{
    return plain_pendulum_alpha.run(value, steps - 1, x, v) + 1;
}

static uint64_t run_busy(double value, size_t steps, double *x, double *v)
{
    return plain_pendulum_alpha.run(value, steps, x, v) + 1;
}

TEST(test_unequal_work_has_no_ratio)
{
    PlainLoop *const loops[] = {plain_pendulum_alpha.run, run_short, run_busy};
    Small            small SCOPED(small_free) = {0};
    Device          *device = NULL;
    const Workload  *workload = workloads_find("W1", NULL);
    const Group     *group = small_make(&small, workload, 500, 50);
    assert_true(device_open("cpu", PRECISION_DOUBLE, &device, &err));
    for (size_t i = 0; i < sizeof loops / sizeof *loops; ++i) {
        const Plain       plain = {.run = loops[i], .dofs = 1};
        const RaceRequest request = {.device = device,
                                     .plan = &small.plan,
                                     .group = group,
                                     .plain = &plain,
                                     .bound = workload->bound,
                                     .repetitions = 1,
                                     .threads = 2,
                                     .seconds = 1e-3};
        RaceResult        result;
        const bool        ok = race_run(&request, &result, &err);
        assert_true(ok == (i == 0));
        if (!ok)
            assert_int_equal(err.kind, ERROR_CONFORMANCE);
    }
    device_close(device);
}

// Runs a workload beside a text of bare kernels for few steps; true where both did the same, to the last bit: the bare
// kernels round where the composed ones do.
static bool bare_agrees(Device *device, const Workload *workload, const char *text, RaceResult *result)
{
    Small             small SCOPED(small_free) = {0};
    const Group      *group = small_make(&small, workload, 500, 50);
    const RaceRequest request = {.device = device,
                                 .plan = &small.plan,
                                 .group = group,
                                 .bare = text,
                                 .bound = 0.0,
                                 .repetitions = 3,
                                 .threads = 1,
                                 .seconds = 1e-3};
    return race_run(&request, result, &err);
}

TEST(test_bare_kernels_agree)
{
    Device    *device = NULL;
    RaceResult result;
    size_t     count = 0;
    assert_true(device_open("cpu", PRECISION_DOUBLE, &device, &err));
    for (size_t i = 0; i < WORKLOAD_COUNT; ++i) {
        Text text SCOPED(text_free) = {0};
        if (!workloads[i].bare)
            continue;
        ++count;
        assert_true(workloads_bare(&workloads[i], &text, &err));
        if (!bare_agrees(device, &workloads[i], text.text, &result))
            fail_msg("%s: %s", workloads[i].name, err.message);
        assert_true(result.bare_steps_per_s.median > 0.0);
        assert_true(result.bare_ratio.least <= result.bare_ratio.median);
    }
    assert_int_equal(count, 6);
    device_close(device);
}

// A text of bare kernels at each lane count, for points of which no lane count has whole groups: the same bits.
static void check_lanes(Device *device, const char *name, size_t dofs, const double *parameters, size_t count)
{
    enum { COUNT = 37, DOFS_MOST = 4, RUN_STEPS = 20 };
    const Workload *workload = workloads_find(name, NULL);
    double          values[COUNT], first[2 * DOFS_MOST * COUNT], states[2 * DOFS_MOST * COUNT], seconds;
    int64_t         first_more[COUNT], more[COUNT];
    const size_t    bytes = 2 * dofs * COUNT * sizeof *states;
    Text            text SCOPED(text_free) = {0};
    for (size_t i = 0; i < COUNT; ++i)
        values[i] = 0.1 + 0.01 * (double)i;
    assert_true(workloads_bare(workload, &text, &err));
    for (int lanes = 1; lanes <= LANES_MOST; lanes *= 2) {
        Bare *bare = NULL;
        if (!bare_build(device, text.text, lanes, COUNT, dofs, &bare, &err) ||
            !bare_set(bare, values, parameters, count, &err) || !bare_run(bare, RUN_STEPS, &seconds, &err) ||
            !bare_read(bare, lanes == 1 ? first : states, lanes == 1 ? first_more : more, &err))
            fail_msg("%s at %d lanes: %s", name, lanes, err.message);
        bare_free(bare);
        if (lanes > 1 && (memcmp(first, states, bytes) != 0 || memcmp(first_more, more, sizeof more) != 0))
            fail_msg("%s at %d lanes: other bits than at 1", name, lanes);
    }
    assert_true(first[0] != values[0]);
}

TEST(test_bare_kernels_agree_at_all_lanes)
{
    Device *device = NULL;
    assert_true(device_open("cpu", PRECISION_DOUBLE, &device, &err));
    check_lanes(device, "W3", 1, (const double[]){0.01, 0.0, 1.0, 0.05, 0.0, 0.3}, 6);
    check_lanes(device, "W2", 2, (const double[]){0.01, 1e-10, 0.07, 0.0, 1.0, 1.0}, 6);
    device_close(device);
}

// The kernel of another method, and one that does not compile.
TEST(test_other_bare_kernels_have_no_ratio)
{
    Device         *device = NULL;
    RaceResult      result;
    const Workload *workload = workloads_find("W1", NULL);
    Text            other SCOPED(text_free) = {0};
    assert_true(workloads_bare(workloads_find("W3", NULL), &other, &err));
    assert_true(device_open("cpu", PRECISION_DOUBLE, &device, &err));
    assert_refused(bare_agrees(device, workload, other.text, &result), ERROR_CONFORMANCE, "");
    assert_contains(err.message, "bare kernel");
    assert_false(bare_agrees(device, workload, "kernel void bare(", &result));
    assert_int_equal(err.kind, ERROR_KERNEL);
    device_close(device);
}

TEST(test_spread)
{
    double       five[] = {5, 1, 4, 2, 3}, two[] = {3, 1}, one[] = {7};
    const Spread a = race_spread(five, 5), b = race_spread(two, 2), c = race_spread(one, 1);
    assert_true(a.median == 3 && a.least == 1 && a.most == 5 && a.lower == 2 && a.upper == 4);
    assert_true(b.median == 2 && b.least == 1 && b.most == 3 && b.lower == 1.5 && b.upper == 2.5);
    assert_true(c.median == 7 && c.least == 7 && c.most == 7 && c.lower == 7 && c.upper == 7);
}

// A rate is a measurement: it is there and positive, and no more can be asked where other things run as well.
static bool measured(double rate)
{
    return isfinite(rate) && rate > 0.0;
}

TEST(test_peak_is_measured)
{
    Device *device = NULL;
    double  peak_double = 0.0, peak_single = 0.0;
    assert_fine(device_open("cpu", PRECISION_DOUBLE, &device, &err) &&
                peak_measure(device, PRECISION_DOUBLE, &peak_double, &err) &&
                peak_measure(device, PRECISION_SINGLE, &peak_single, &err));
    assert_true(measured(peak_double) && measured(peak_single));
    device_close(device);
}

// The number behind a key, the first after `from`; NaN for null.
static double number_at(const char *from, const char *key)
{
    char        quoted[64];
    const char *found;
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    found = strstr(from, quoted);
    if (!found)
        fail_msg("no %s in %.300s", quoted, from);
    found += strlen(quoted);
    return strncmp(found, "null", 4) == 0 ? (double)NAN : strtod(found, NULL);
}

#define QUICK "--repetitions", "3", "--seconds", "0.005", "-d", "cpu"

TEST(test_json)
{
    static const char *const names[] = {"W1", "W3", "W5a"};
    Command                  command = ENDED(0, "bench", "--workloads", "W1,W3,W5a", "--steps", "20", "--json", QUICK);
    assert_string_equal(command.error, "");
    const char *at = command.out;
    assert_int_equal(*at, '[');
    for (size_t i = 0; i < 3; ++i) {
        char name[32];
        snprintf(name, sizeof name, "\"workload\": \"%s\"", names[i]);
        at = strstr(at, name);
        if (!at)
            fail_msg("no %s in %s", name, command.out);
        assert_contains(at, "\"device\": \"");
        const double steps = number_at(at, "steps_per_s"), plain = number_at(at, "plain_c_steps_per_s");
        const double updates = number_at(at, "updates_per_s"), ratio = number_at(at, "ratio");
        assert_true(number_at(at, "lanes") >= 4 && fmod(log2(number_at(at, "points")), 1.0) == 0.0);
        assert_true(number_at(at, "points") >= 16384);
        assert_true(number_at(at, "steps") == number_at(at, "points") * 20);
        assert_true(measured(steps) && measured(plain) && measured(ratio));
        // Every step of an implicit method has an update, and a stiff one's few more.
        assert_true(i == 1 ? isnan(updates) : updates >= steps && updates < 3.0 * steps);
        assert_true(number_at(at, "ratio_min") <= ratio && ratio <= number_at(at, "ratio_max"));
        assert_true(measured(number_at(at, "peak_fraction")));
        assert_true(isnan(number_at(at, "ratio_by_differences")) == (i != 2));
        const double bare = number_at(at, "bare_kernel_steps_per_s"), bare_ratio = number_at(at, "bare_ratio");
        assert_true(i == 2 ? isnan(bare) && isnan(bare_ratio) : measured(bare) && measured(bare_ratio));
        assert_true(number_at(at, "bytes_per_step") > 0.0);
    }
    assert_null(strstr(at + 1, "\"workload\""));
}

TEST(test_sweep_file)
{
    place_write(
        "own.yaml",
        "problem: pendulum\nparameters: {x0: {linear: [0.1, 2, 40]}}\nmethods: [theta2, {label: kutta, rk4: {}}]\n"
        "step: 0.1\nend: 3\nmetrics: [status, error_max]\ntrajectory: {every: 5}\n");
    Command command = ENDED(0, "bench", "own.yaml", "-s", "end=4", "--json", QUICK);
    assert_contains(command.out, "\"workload\": \"own.yaml:theta2\"");
    const char *second = strstr(command.out, "\"workload\": \"own.yaml:kutta\"");
    assert_non_null(second);
    assert_true(number_at(second, "points") == 40 && number_at(second, "steps") == 40 * 40);
    assert_true(measured(number_at(second, "steps_per_s")));
    assert_true(isnan(number_at(second, "bare_ratio")));
    assert_true(isnan(number_at(second, "ratio")) && isnan(number_at(second, "plain_c_steps_per_s")));
    assert_true(isnan(number_at(second, "peak_fraction")));
    EXPECT(0, "own.yaml:kutta", "bench", "own.yaml", QUICK);
}

TEST(test_page)
{
    Command command = ENDED(0, "bench", "--workloads", "W1", "--steps", "20", "--markdown", QUICK);
    assert_true(strncmp(command.out, "# Speed\n", 8) == 0);
    assert_contains(command.out, "    pendula bench --workloads W1 --steps 20 --markdown --repetitions 3");
    assert_contains(command.out, "\n| W1 | pendulum, generalized_alpha | ");
    assert_contains(command.out, "Not measured on a GPU.");
}

// What is printed of a workload is a sweep file, of the problem, the method and the steps that are measured.
TEST(test_printed_sweep)
{
    Command command = ENDED(0, "bench", "--print", "W4n4a", "--steps", "20");
    place_write("printed.yaml", command.out);
    EXPECT(0, "65536 points", "plan", "printed.yaml");
    command = ENDED(0, "source", "printed.yaml");
    assert_contains(command.out, "spring_chain");
    assert_contains(command.out, "generalized_alpha");
}

TEST(test_refusals)
{
    place_write("wrong.yaml", "problem: pendulum\nmethods: [rk4]\nstep: 0.1\nends: 3\n");
    EXPECT(2, "unknown workload 'W4'; did you mean 'W1'?", "bench", "--workloads", "W1,W4");
    EXPECT(2, "unknown workload ''", "bench", "--workloads", "W1,");
    EXPECT(2, "unknown workload 'W4'; did you mean 'W1'?", "bench", "--print", "W4");
    EXPECT(3, "missing.yaml", "bench", "missing.yaml");
    EXPECT(4, "wrong.yaml:4", "bench", "wrong.yaml", "-d", "cpu");
    EXPECT(2, "-s changes a key", "bench", "-s", "end=2");
    EXPECT(2, "either", "bench", "--json", "--markdown");
    EXPECT(2, "repetitions", "bench", "--repetitions", "0");
    EXPECT(2, "repetitions", "bench", "--repetitions", "2.5");
    EXPECT(2, "steps", "bench", "--steps", "many");
    EXPECT(2, "seconds", "bench", "--seconds", "0");
    EXPECT(2, "seconds", "bench", "--seconds", "nan");
    EXPECT(2, "reference", "bench", "-d", "reference");
    EXPECT(8, "no device 'nothing-like-it'", "bench", "-d", "nothing-like-it");
}
