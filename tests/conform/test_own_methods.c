// test_own_methods -- methods of a user's own are certified by their order: right ones hold their cards, wrong ones do
// not.
#include "support/kernel_case.h"

#include "analysis/conform/points/order.h"
#include "base/text.h"

// Heun's method; its weights, and the time of the second force, stand for themselves.
#define HEUN(weight, rest, when)                                                           \
    "//: method: own\n"                                                                    \
    "//: title: Heun's method\n"                                                           \
    "//: source: Heun 1900\n"                                                              \
    "//: order: 2\n"                                                                       \
    "//: unknown: none\n"                                                                  \
    "static void start(const Params *p, const MethodParams *m, State *s) {}\n"             \
    "static void step(real t, real h, const Params *p, const MethodParams *m, State *s)\n" \
    "{\n"                                                                                  \
    "    real a[DOF], b[DOF], x[DOF], v[DOF];\n"                                           \
    "    acceleration(t, s->x, s->v, p, a);\n"                                             \
    "    EACH_DOF(i) {\n"                                                                  \
    "        x[i] = real_fma(h, s->v[i], s->x[i]);\n"                                      \
    "        v[i] = real_fma(h, a[i], s->v[i]);\n"                                         \
    "    }\n"                                                                              \
    "    acceleration(" when ", x, v, p, b);\n"                                            \
    "    EACH_DOF(i) {\n"                                                                  \
    "        s->x[i] = real_fma(h, " weight " * s->v[i] + " rest " * v[i], s->x[i]);\n"    \
    "        s->v[i] = real_fma(h, " weight " * a[i] + " rest " * b[i], s->v[i]);\n"       \
    "    }\n"                                                                              \
    "}\n"

static const char heun[] = HEUN("0.5", "0.5", "t + h"), lame[] = HEUN("0.6", "0.4", "t + h"),
                  lame_by_little[] = HEUN("0.5002", "0.4998", "t + h"), late[] = HEUN("0.5", "0.5", "t");

// Driven and damped; with a tolerance that lets an adaptive method take long steps whole; stiff, with a step far too
// long for it; at rest for ever.
static const char duffing[] = "problem: duffing\nparameters: {x0: 0.5, delta: [0, 0.3], force: [0, 0.2]}\n"
                              "methods: [own]\nstep: 0.05\nend: 5\n",
                  pendulum[] = "problem: pendulum\nparameters: {x0: {linear: [0.3, 2.5, 12]}, zeta: [0, 0.1]}\n"
                               "methods: [own]\nstep: 0.05\nend: 5\n",
                  tolerant[] = "problem: duffing\nparameters: {x0: 0.5, delta: 0.3, force: [0, 0.2]}\n"
                               "methods: [own: {rtol: 0.01}]\nstep: 0.05\nend: 5\n",
                  stiff[] = "problem: elastic_pendulum_polar\nparameters: {eps: [1.0e-3, 0.1]}\nmethods: [own]\n"
                            "step: 0.05\nend: 5\n",
                  single[] = "problem: pendulum\nprecision: single\nnewton: {mode: paper}\nmethods: [own]\n"
                             "step: 1.0e-4\nend: 1\n",
                  resting[] = "problem: pendulum\nparameters: {x0: 0}\nmethods: [own]\nstep: 0.1\nend: 1\n";

AROUND_ALL(open_native, close_device)

// Measures the method `own`, whose file takes the place of the first card of methods.
static OrderMeasured measure(Device *device, const char *method, const char *sweep)
{
    Catalog       catalog SCOPED(catalog_free);
    Spec          spec SCOPED(spec_free) = {0};
    Plan          plan SCOPED(plan_free) = {0};
    OrderMeasured order;
    char          path[64];
    size_t        place = 0;
    write_file(path, sweep, strlen(sweep));
    bool ok = catalog_read(&catalog, &err);
    while (ok && catalog.cards[place].kind != CARD_METHOD)
        ++place;
    ok = ok && card_read("methods/own.cl", method, &catalog.arena, &catalog.cards[place], &err) &&
         spec_read(path, NULL, 0, &spec, &err) && plan_make(&spec, &catalog, &plan, &err) &&
         order_measure(&plan, &plan.groups[0], device, NULL, &order, &err);
    if (!ok)
        fail_msg("%s", err.message);
    print_message("order %.4f of %s, %d on the card, by the step %.2g; %d of %d points\n", order.measured,
                  order.quantity, order.card, order.step, (int)order.holding, (int)order.points);
    unlink(path);
    return order;
}

// A built-in method's file under the name `own`, with one piece of text in place of another.
static OrderMeasured measure_copy(Device *device, const char *name, const char *old, const char *new, const char *sweep)
{
    char        path[64], line[64];
    const char *at;
    Text        text SCOPED(text_free) = {0};
    snprintf(path, sizeof path, "methods/%s.cl", name);
    snprintf(line, sizeof line, "//: method: %s\n", name);
    const char *rest = catalog_file(path);
    assert_non_null(rest);
    assert_memory_equal(rest, line, strlen(line));
    rest += strlen(line);
    text_add(&text, "//: method: own\n");
    if (old) {
        at = strstr(rest, old);
        assert_non_null(at);
        text_add_bytes(&text, rest, (size_t)(at - rest));
        text_add(&text, "%s", new);
        rest = at + strlen(old);
    }
    text_add(&text, "%s", rest);
    print_message("%s: ", name);
    const OrderMeasured order = measure(device, text.text, sweep);
    return order;
}

static void assert_held(OrderMeasured order, uint64_t points)
{
    assert_true(order_holds(&order));
    assert_int_equal(order.points, points);
    assert_int_equal(order.holding, points);
    assert_true(order.measured >= order.card - 0.25);
}

static void assert_short(OrderMeasured order, int card, double measured)
{
    assert_false(order_holds(&order));
    assert_int_equal(order.card, card);
    assert_true(fabs(order.measured - measured) <= 0.25);
}

TEST(right_methods)
{
    static const char *const names[] = {"theta2",     "generalized_alpha",   "bathe", "chung_lee",
                                        "sofa_euler", "incremental_newmark", "dopri5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        assert_held(measure_copy(*state, names[i], NULL, NULL, duffing), 4);
    assert_held(measure(*state, heun, duffing), 4);
    assert_held(measure_copy(*state, "dopri5_adaptive", NULL, NULL, tolerant), 2);
    const OrderMeasured order = measure(*state, heun, pendulum);
    assert_held(order, 8);
    assert_int_equal(order.card, 2);
    assert_true(fabs(order.measured - 2.0) <= 0.05);
}

// The steps at which a stiff mode shows its order are thousands of times shorter than the sweep's. Before these,
// backward Euler's error does not change with the step.
TEST(stiff_problems)
{
    assert_held(measure_copy(*state, "backward_euler", NULL, NULL, stiff), 2);
    assert_held(measure_copy(*state, "rk4", NULL, NULL, stiff), 2);
}

// Orders are those of double precision, with Newton's method iterated to rounding; a sweep's steps may be so short that
// rounding is all that they show.
TEST(settings_that_hide_errors)
{
    assert_held(measure_copy(*state, "rk4", NULL, NULL, single), 1);
    assert_held(measure_copy(*state, "trapezoidal", NULL, NULL, single), 1);
}

TEST(exact_methods)
{
    const OrderMeasured order = measure(*state, lame, resting);
    assert_held(order, 1);
    assert_int_equal(order.exact, 1);
    assert_true(isinf(order.measured));
}

// The order of a method on Duffing's oscillator, in lengths that are so many times as many.
static OrderMeasured measure_in_units(Device *device, const char *method, double length)
{
    char sweep[512];
    snprintf(sweep, sizeof sweep,
             "problem: duffing\nparameters: {x0: %.17g, beta: %.17g, delta: [0, 0.3], force: [0, %.17g]}\n"
             "methods: [own]\nstep: 0.05\nend: 5\n",
             0.5 * length, 3.0 / (length * length), 0.2 * length);
    return measure(device, method, sweep);
}

// What is measured is the same to the last bit in a unit that is a power of two.
TEST(units)
{
    static const char *const methods[] = {heun, lame};
    for (int i = 0; i < 2; ++i) {
        const OrderMeasured own = measure_in_units(*state, methods[i], 1.0);
        for (int power = -60; power <= 60; power += 40) {
            const OrderMeasured other = measure_in_units(*state, methods[i], ldexp(1.0, power));
            assert_true(own.measured == other.measured && own.step == other.step && own.card == other.card);
            assert_true(own.point == other.point && own.holding == other.holding);
        }
    }
}

TEST(wrong_coefficients)
{
    assert_short(measure(*state, lame, pendulum), 2, 1.0);
    const OrderMeasured order = measure(*state, lame_by_little, pendulum);
    assert_int_equal(order.holding, 0);
    assert_true(order.measured < 1.75);
    assert_short(measure_copy(*state, "generalized_alpha", "0.5 - w.am", "0.51 - w.am", pendulum), 2, 1.0);
    assert_short(measure_copy(*state, "bathe", "0.5 - w.g", "0.49 - w.g", pendulum), 2, 0.0);
    assert_short(measure_copy(*state, "chung_lee", "1.5 * a[i] - 0.5", "1.4 * a[i] - 0.4", pendulum), 2, 1.0);
}

// What an autonomous problem does not show.
TEST(a_force_at_the_wrong_time)
{
    const OrderMeasured order = measure(*state, late, duffing);
    assert_false(order_holds(&order));
    assert_int_equal(order.holding, 2);
    assert_true(fabs(order.measured - 1.0) <= 0.25);
    assert_held(measure(*state, late, pendulum), 8);
}

// A card that claims more than its method has.
TEST(boastful_cards)
{
    assert_short(measure_copy(*state, "velocity_verlet", "order: 2", "order: 3", pendulum), 3, 2.0);
    assert_short(measure_copy(*state, "theta2", "order: 2", "order: 3", pendulum), 3, 2.0);
    assert_short(measure_copy(*state, "incremental_newmark", "//: order_damped: 1\n", "", pendulum), 2, 1.0);
}
