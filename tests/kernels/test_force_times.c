// test_force_times -- when in a step each method of first order asks for the force.
//
// A wrong time costs a method of higher order its order, which test_orders measures; a method of first order keeps its
// own.
#include "support/built_in.h"
#include "support/kernel_case.h"

AROUND_ALL(open_device, close_device)

// What two steps of a method of first order make of v' = f(t), in units of the step: the weights of f(0), f(h), f(2 h)
// after the first and after the second.
typedef struct Times {
    const char *method;
    double      weights[2][3];
} Times;

static const Times times[] = {
    {"backward_euler", {{0, 1, 0}, {0, 1, 1}}},        {"explicit_euler", {{1, 0, 0}, {1, 1, 0}}},
    {"incremental_potential", {{0, 1, 0}, {0, 1, 1}}}, {"sofa_euler", {{1, 0, 0}, {1, 1, 0}}},
    {"sofa_newmark", {{1, 0, 0}, {1.5, 0.5, 0}}},      {"symplectic_euler", {{1, 0, 0}, {1, 1, 0}}},
    {"theta1", {{0.45, 0.55, 0}, {0.45, 1, 0.55}}},    {"variational_explicit", {{1, 0, 0}, {1, 1, 0}}},
};
enum { TIMES = sizeof times / sizeof *times };

// Duffing's oscillator without springs: f(t) = cos t.
static void check_times(Device *device, const Times *row)
{
    const double h = 0.25;
    char         text[512];
    snprintf(text, sizeof text,
             "{problem: duffing, parameters: {alpha: 0, beta: 0, delta: 0, force: 1, force_omega: 1, x0: 0, v0: 0}, "
             "methods: [%s], step: %g, steps: [1, 2], newton: {tolerance: 0, jacobian: analytic}, metrics: [status, "
             "v_final]}",
             row->method, h);
    RUN_OK(ran, device, 1, text);
    for (size_t k = 0; k < 2; ++k) {
        double due = 0.0;
        for (size_t i = 0; i < 3; ++i)
            due += h * row->weights[k][i] * cos((double)i * h);
        print_message("%-20s after %zu step%s of v' = cos t: %.15f, due %.15f\n", row->method, k + 1, k ? "s" : "",
                      number(&ran, 0, "v_final", k), due);
        assert_near(number(&ran, 0, "v_final", k), due, 1e-15);
    }
}

TEST(test_times_of_forces)
{
    size_t rows = 0;
    for (const Card *card = NULL; (card = built_in_next(CARD_METHOD, card)) != NULL;) {
        if (card->order > 1 && card->order_driven > 1)
            continue;
        size_t k = 0;
        while (k < TIMES && strcmp(times[k].method, card->name) != 0)
            ++k;
        if (k == TIMES)
            fail_msg("method '%s' is of first order: tests/kernels/test_force_times.c needs a row of it", card->name);
        check_times(*state, &times[k]);
        ++rows;
    }
    assert_int_equal(rows, TIMES);
}
