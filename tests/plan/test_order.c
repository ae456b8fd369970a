// test_order -- order of points by cost, removal of ended points, and results that do not depend on either.
#include "plan/order.h"

#include "support/kernel_case.h"

#include <unistd.h>

AROUND_ALL(open_device, close_device)

// Numbers of the batch's points in the order of their places.
static void order_of(const Group *group, uint64_t block_count, uint32_t *points, uint32_t *spare)
{
    Order       order SCOPED(order_free);
    const Batch batch = batch_make(group, 0, block_count);
    assert_fine(order_make(group, &order, &err));
    order_batch(&order, &batch, points, spare);
}

static void assert_points(const uint32_t *points, const uint32_t *expected, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(points[i], expected[i]);
}

TEST(test_steps_then_stiffness)
{
    Made     made SCOPED(made_free);
    uint32_t points[12], spare[12];
    plan_from(&made,
              "problem: elastic_pendulum_polar\nparameters: {k: [1, 2], eps: [1.0e-2, 1.0e-3, 1.0e-1]}\n"
              "methods: [theta2]\nsteps: [10, 30]\nend: 1\n",
              NULL);
    assert_true(made.fine);
    assert_int_equal(made.plan.groups[0].point_count, 12);
    order_of(&made.plan.groups[0], made.plan.groups[0].block_count, points, spare);
    // 30 steps before 10; the smallest eps first; k says nothing, so there the sweep's order remains.
    assert_points(points, (const uint32_t[]){7, 10, 6, 9, 8, 11, 1, 4, 0, 3, 2, 5}, 12);
}

// Lanes of a fixed step share a record that they have in common, and read it once.
TEST(test_records_of_tables)
{
    static const char text[] =
        "problem:\n  coordinates: [x]\n  acceleration: [\"push(t) - w*x + pull(x)\"]\n  start: [1]\n"
        "  parameters: {w: [1, 2], a: [1, 0], b: 0}\ntables:\n"
        "  push: {file: [%s, %s], of: a}\n  pull: {file: [%s, %s], of: %s}\n"
        "methods: [%s]\nstep: 0.1\nsteps: [2, 4]\n";
    const struct {
        const char    *other, *method;
        const uint32_t points[8];
    } cases[] = {
        // 4 steps before 2, then record 0 before 1; one parameter may choose records of two tables.
        {"b", "rk4", {5, 7, 4, 6, 1, 3, 0, 2}},
        {"a", "trapezoidal", {5, 7, 4, 6, 1, 3, 0, 2}},
        {"a", "dopri5_adaptive", {4, 5, 6, 7, 0, 1, 2, 3}},
    };
    static const char samples[] = "t,a\n0,1\n1,2\n";
    char              file[64];
    write_file(file, samples, strlen(samples));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Made     made SCOPED(made_free);
        Text     sweep SCOPED(text_free) = {0};
        uint32_t points[8], spare[8];
        text_add(&sweep, text, file, file, file, file, cases[i].other, cases[i].method);
        plan_from(&made, sweep.text, NULL);
        assert_true(made.fine);
        order_of(&made.plan.groups[0], made.plan.groups[0].block_count, points, spare);
        assert_points(points, cases[i].points, 8);
    }
    unlink(file);
}

TEST(test_no_axis_of_cost)
{
    Made     made SCOPED(made_free);
    uint32_t points[3], spare[3];
    plan_from(&made, "problem: pendulum\nparameters: {x0: [3, 1, 2]}\nmethods: [theta2]\nstep: 0.1\nsteps: 2\n", NULL);
    assert_true(made.fine);
    order_of(&made.plan.groups[0], 1, points, spare);
    assert_points(points, (const uint32_t[]){0, 1, 2}, 3);
}

TEST(test_stored_trajectories_first)
{
    Made     made SCOPED(made_free);
    uint32_t points[5], spare[5];
    plan_from(&made,
              "problem: van_der_pol\nparameters: {mu: [5, 1, 4, 2, 3]}\nmethods: [theta2]\nstep: 0.1\nsteps: 2\n"
              "trajectory: {every: 1, fields: [x], where: {mu: [2, 4]}}\n",
              NULL);
    assert_true(made.fine);
    order_of(&made.plan.groups[0], 1, points, spare);
    assert_points(points, (const uint32_t[]){3, 2, 1, 4, 0}, 5);
}

// More values than one digit of the sort holds.
TEST(test_many_values)
{
    enum { COUNT = 5000 };
    static uint32_t points[COUNT], spare[COUNT];
    static double   values[COUNT];
    Made            made SCOPED(made_free);
    Text            text SCOPED(text_free) = {0};
    for (size_t i = 0; i < COUNT; ++i)
        values[i] = 1.0 + (double)(i * 2654435761u % 5003);
    add_list(&text, "problem: van_der_pol\nparameters: {mu", values, COUNT);
    text_add(&text, "}\nmethods: [theta2]\nstep: 0.1\nsteps: 2\n");
    plan_from(&made, text.text, NULL);
    assert_true(made.fine);
    order_of(&made.plan.groups[0], made.plan.groups[0].block_count, points, spare);
    for (size_t i = 1; i < COUNT; ++i)
        assert_true(values[points[i - 1]] < values[points[i]]);
}

// More points than columns, so that some wait until others have ended; they take between 3 and 900 steps.
TEST(test_waiting_points)
{
    static const char sweep[] = "problem: pendulum\n"
                                "parameters: {x0: {linear: [0.1, 3, 5000]}}\n"
                                "methods: [generalized_alpha]\n"
                                "steps: [3, 40, 7, 900, 1, 25, 60, 300]\nend: 1\n"
                                "metrics: [status, updates, x_final, v_final]\n"
                                "trajectory: {samples: 2, fields: [x], where: {steps: [40, 25]}}\n";
    Ran               sixteen SCOPED(ran_free) = {0}, one SCOPED(ran_free) = {0};
    run_text(&sixteen, *state, 16, sweep);
    run_text(&one, *state, 1, sweep);
    print_message("40000 points in %zu slices at 16 lanes, %zu at one\n", sixteen.slices[0], one.slices[0]);
    assert_true(one.slices[0] >= 4);
    assert_all_ok(&sixteen);
    assert_same(&sixteen, &one, "at one lane");
}

// Stiff points that halve nearly every step stand between others that never do.
TEST(test_uneven_points)
{
    static const char sweep[] = "problem: elastic_pendulum_polar\n"
                                "parameters: {k: {linear: [0.5, 1.5, 61]}, eps: [1.0e-4, 1.0e-1, 3.0e-4, 3.0e-2]}\n"
                                "methods:\n"
                                "  - {generalized_alpha: {rho_inf: 0.6}}\n"
                                "  - {theta2: {theta: 0.07}}\n"
                                "step: 0.05\nsteps: 40\n"
                                "newton: {mode: paper, tolerance: 1.0e-10, max_updates: 6}\n"
                                "substeps: {budget: 400}\n"
                                "metrics: [status, updates, substeps, failed_solves, x_final, v_final]\n"
                                "trajectory: {every: 7, fields: [x, v], where: {k: 1}}\n";
    RUN(ran, *state, 16, sweep);
    print_message("%.0f and %.0f substeps, %zu slices\n", number(&ran, 0, "substeps", 0),
                  number(&ran, 0, "substeps", 1), ran.slices[0]);
    assert_true(number(&ran, 0, "substeps", 0) > 100.0 && number(&ran, 0, "substeps", 1) == 0.0);
    assert_true(ran.slices[0] >= 3);
    assert_same_alone(&ran);
}
