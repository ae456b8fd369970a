// test_reference_methods -- the reference's methods on nonlinear motions: against each other where they are the same
// map, and against steps taken here by other means.
#include "support/built_in.h"
#include "support/reference_case.h"

// A case and the states it goes through.
static void run_states(Case c, Run *run)
{
    c.every = 1;
    if (!c.axis) {
        c.axis = catalog_find(built_in(), CARD_PROBLEM, c.problem)->parameters[0].name;
        c.values[0] = catalog_find(built_in(), CARD_PROBLEM, c.problem)->parameters[0].initial;
        for (size_t i = 0; i < MOST_SETTINGS && c.settings[i].name; ++i)
            if (strcmp(c.settings[i].name, c.axis) == 0)
                c.values[0] = c.settings[i].value;
        c.value_count = 1;
    }
    run_to(STATUS_OK, &c, run);
}

// Every `stride`-th state of one run is the next state of the other.
static void assert_same_states(const Case *one, size_t stride, const Case *other, double bound)
{
    Run a SCOPED(run_free) = {0}, b SCOPED(run_free) = {0};
    run_states(*one, &a);
    run_states(*other, &b);
    print_message("%s is %s on %s\n", one->method, other->method, one->problem);
    for (size_t k = 0; k <= other->steps; ++k)
        for (size_t i = 0; i < a.group.dofs; ++i) {
            assert_near(case_element(&a, "x", 0, k * stride * a.group.dofs + i),
                        case_element(&b, "x", 0, k * a.group.dofs + i), bound);
            assert_near(case_element(&a, "v", 0, k * stride * a.group.dofs + i),
                        case_element(&b, "v", 0, k * a.group.dofs + i), bound);
        }
}

// A pendulum that swings high; damping and drive by the caller.
static Case swing(const char *method, double zeta, double force)
{
    return (Case){
        .problem = "pendulum",
        .method = method,
        .settings =
            {{"x0", 2.0}, {"v0", 0.4}, {"zeta", zeta}, {"forcing", 1.0}, {"force", force}, {"force_omega", 1.7}},
        .h = 0.25,
        .steps = 40,
        .tolerance = 1e-14,
        .jacobian = JACOBIAN_ANALYTIC,
    };
}

static void set(Case *c, const char *name, double value)
{
    size_t i = 0;
    while (c->settings[i].name)
        ++i;
    assert_true(i < MOST_SETTINGS);
    c->settings[i] = (Setting){name, value};
}

// Steps of `one`, so many of them to one of the other, are steps of the other.
TEST(methods_of_one_map_agree)
{
    static const struct {
        const char *one, *other;
        double      zeta, bound;
        uint64_t    parts;
        Setting     of_one[2], of_other[2];
    } pairs[] = {
        {"variational_explicit", "symplectic_euler", 0.1, 0.0, 1, {{0}}, {{0}}},
        {"variational_implicit", "implicit_midpoint", 0.1, 1e-12, 1, {{0}}, {{0}}},
        {"generalized_alpha", "implicit_midpoint", 0.1, 1e-12, 1, {{"rho_inf", 1.0}}, {{0}}},
        {"tr_bdf2", "bathe", 0.1, 1e-12, 1, {{0}}, {{"rho_inf", 0.0}}},
        {"trapezoidal", "bathe", 0.1, 1e-12, 2, {{0}}, {{"rho_inf", 1.0}}},
        {"incremental_potential", "backward_euler", 0.1, 1e-12, 1, {{0}}, {{0}}},
        {"incremental_newmark",
         "newmark",
         0.0,
         1e-12,
         1,
         {{"beta", 0.3}, {"gamma", 0.6}},
         {{"beta", 0.3}, {"gamma", 0.6}}},
        {"hht_alpha", "newmark", 0.1, 1e-12, 1, {{"alpha", 0.0}}, {{0}}},
        {"wbz_alpha", "newmark", 0.1, 1e-12, 1, {{"alpha", 0.0}}, {{0}}},
        {"velocity_verlet", "central_difference", 0.0, 1e-12, 1, {{0}}, {{0}}},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        Case one = swing(pairs[i].one, pairs[i].zeta, 0.3), other = swing(pairs[i].other, pairs[i].zeta, 0.3);
        one.h /= (double)pairs[i].parts;
        one.steps *= pairs[i].parts;
        for (size_t k = 0; k < 2 && pairs[i].of_one[k].name; ++k)
            set(&one, pairs[i].of_one[k].name, pairs[i].of_one[k].value);
        for (size_t k = 0; k < 2 && pairs[i].of_other[k].name; ++k)
            set(&other, pairs[i].of_other[k].name, pairs[i].of_other[k].value);
        assert_same_states(&one, pairs[i].parts, &other, pairs[i].bound);
    }
    // Steps that nobody halves have equal spacing.
    Case one = swing("theta2", 0.1, 0.3), other = one;
    one.start = START_VARIABLE;
    assert_same_states(&one, 1, &other, 0.0);
}

// Masses other than 1, and two of them: Newton's equation and the objective must weigh alike.
TEST(objectives_weigh_masses)
{
    Case one = {.problem = "modal_oscillators",
                .method = "incremental_potential",
                .settings = {{"m1", 3.0}, {"m2", 0.2}, {"d1", 0.4}, {"d2", 0.1}},
                .h = 0.25,
                .steps = 40,
                .tolerance = 1e-14,
                .jacobian = JACOBIAN_ANALYTIC};
    Case other = one;
    other.method = "backward_euler";
    assert_same_states(&one, 1, &other, 1e-12);
    // A double well: between the wells the objective is not convex, and still the steps are those of the equation.
    one = (Case){.problem = "duffing", .method = "incremental_potential", .h = 0.1, .steps = 100, .tolerance = 1e-13};
    other = one;
    other.method = "backward_euler";
    assert_same_states(&one, 1, &other, 1e-11);
    one = (Case){.problem = "spring_chain",
                 .method = "incremental_potential",
                 .settings = {{"n", 32.0}, {"mass", 0.3}, {"r_m", 0.2}, {"r_k", 0.1}, {"cubic", 2.0}},
                 .h = 0.2,
                 .steps = 5,
                 .tolerance = 1e-12};
    other = one;
    other.method = "backward_euler";
    assert_same_states(&one, 1, &other, 1e-10);
    assert_true(number_of(&one, "condition_max") > 10.0);
}

static void assert_end(const Case *c, double x, double v, double bound)
{
    RUN_TO(STATUS_OK, run, c);
    assert_near(case_number(&run, "x_final"), x, bound);
    assert_near(case_number(&run, "v_final"), v, bound);
}

// Degletagne 2015, as printed but for x1, on the driven pendulum, whose K is cos x.
TEST(sofa_methods_follow_the_print)
{
    double h = 0.25, r_m = 0.2, r_k = 0.1, zeta = 0.15, beta = 0.3, gamma = 0.6;
    Case   c = swing("sofa_euler", zeta, 0.3);
    set(&c, "r_m", r_m);
    set(&c, "r_k", r_k);
    double x = 2.0, v = 0.4;
    for (int n = 0; n < 40; ++n) {
        double force = -sin(x) - 2.0 * zeta * v + 0.3 * cos(1.7 * n * h), K = cos(x);
        v += h * (force + v * (-(r_k + h) * K - r_m)) / (h * (h + r_k) * K + 1.0 + h * r_m);
        x += h * v;
    }
    assert_end(&c, x, v, 1e-12);
    c.jacobian = JACOBIAN_CENTRAL;
    RUN_CASE(run, &c);
    assert_numbers(&run, {"x_final", x, 1e-9}, {"updates", 40, 0}, {"residual_evaluations", 40 * (1 + 2 + 1), 0});
    assert_near(case_number(&run, "stagnated_solves") + case_number(&run, "failed_solves"), 0, 0);

    c = swing("sofa_newmark", zeta, 0.3);
    set(&c, "r_m", r_m);
    set(&c, "r_k", r_k);
    set(&c, "beta", beta);
    set(&c, "gamma", gamma);
    x = 2.0;
    v = 0.4;
    double a = -sin(x) - 2.0 * zeta * v + 0.3 - (r_m + r_k * cos(x)) * v;
    for (int n = 0; n < 40; ++n) {
        double force = -sin(x) - 2.0 * zeta * v + 0.3 * cos(1.7 * n * h), K = cos(x);
        double of_a = -r_m * (1.0 - gamma) - h * (0.5 - beta) * K - r_k * (1.0 - gamma) * K;
        double of_v = -r_m - (h + r_k) * K;
        double now = (force + h * of_a * a + of_v * v) / ((h * h * beta + h * gamma * r_k) * K + 1.0 + h * gamma * r_m);
        x += h * v + 0.5 * h * h * (1.0 - 2.0 * beta) * a + h * h * beta * now;
        v += h * (1.0 - gamma) * a + h * gamma * now;
        a = now;
    }
    assert_end(&c, x, v, 1e-10);
}

// v_{n+1/2} from v_{n-1/2} as in the paper, with a v_{n+1} found by bisection in between.
TEST(central_differences_with_velocity_dependence)
{
    double h = 0.05, mu = 1.5, r_m = 0.2, x = 2.0, v = 0.1;
    Case   c = {.problem = "van_der_pol",
                .method = "central_difference",
                .settings = {{"mu", mu}, {"x0", x}, {"v0", v}, {"r_m", r_m}},
                .h = h,
                .steps = 100,
                .tolerance = 1e-14};
    double middle = v + h / 2.0 * (mu * (1.0 - x * x) * v - x - r_m * v);
    for (int n = 0; n < 100; ++n) {
        x += h * middle;
        double low = -100.0, high = 100.0;
        for (int i = 0; i < 200; ++i) {
            v = 0.5 * (low + high);
            if (v - middle - h / 2.0 * (mu * (1.0 - x * x) * v - x - r_m * v) > 0.0)
                high = v;
            else
                low = v;
        }
        middle = v + h / 2.0 * (mu * (1.0 - x * x) * v - x - r_m * v);
    }
    assert_end(&c, x, v, 1e-11);
}

// The zero of a rising function.
static double root(double (*rising)(const void *of, double u), const void *of, double low, double high)
{
    for (int i = 0; i < 200; ++i) {
        double u = 0.5 * (low + high);
        if (rising(of, u) > 0.0)
            high = u;
        else
            low = u;
    }
    return 0.5 * (low + high);
}

typedef struct Fall {
    double h, x, v, mass, kappa, d_hat, g;
} Fall;

// The slope of the incremental potential of a particle over its barrier, convex where it is finite.
static double barrier_slope(const void *of, double u)
{
    const Fall *f = of;
    double      y = f->x + f->h * u, barrier = 0.0;
    if (y <= 0.0)
        return -INFINITY;
    if (y < f->d_hat)
        barrier = -f->kappa * (2.0 * (y - f->d_hat) * log(y / f->d_hat) + (y - f->d_hat) * (y - f->d_hat) / y);
    return f->mass * (u - f->v) + f->h * (f->mass * f->g + barrier);
}

// Steps long enough to fall through the ground: the search stays above it, where Newton's method alone does not.
TEST(incremental_potentials_end_above_the_barrier)
{
    double newton_failures = 0.0;
    for (double kappa = 1.0; kappa < 1e5; kappa *= 10.0) {
        Fall f = {.h = 0.05, .x = 0.3, .v = -2.0, .mass = 2.0, .kappa = kappa, .d_hat = 0.1, .g = 9.81};
        Case c = {.problem = "barrier_particle",
                  .method = "incremental_potential",
                  .settings = {{"kappa", kappa}, {"mass", f.mass}, {"x0", f.x}, {"v0", f.v}},
                  .h = f.h,
                  .steps = 60,
                  .tolerance = 1e-11};
        Run  run SCOPED(run_free) = {0};
        run_states(c, &run);
        assert_near(case_number(&run, "failed_solves"), 0, 0);
        for (size_t k = 0; k < 60; ++k) {
            f.v = root(barrier_slope, &f, -1e3, 1e3);
            f.x += f.h * f.v;
            assert_near(case_element(&run, "x", 0, k + 1), f.x, 1e-8);
            assert_near(case_element(&run, "v", 0, k + 1), f.v, 1e-8);
            // The next step is compared from the run's own state, or a bounce would magnify what differs.
            f.x = case_element(&run, "x", 0, k + 1);
            f.v = case_element(&run, "v", 0, k + 1);
            assert_true(f.x > 0.0);
        }
        c.method = "backward_euler";
        newton_failures += number_of(&c, "failed_solves");
    }
    assert_true(newton_failures > 0.0);
}

static double friction_slope(const void *of, double u)
{
    const Fall *f = of;
    double      phi = 0.3, mu = 0.6, smooth = 0.1, s = fmin(fabs(u) / smooth, 1.0);
    double      friction = mu * f->mass * f->g * cos(phi) * s * (2.0 - s);
    return f->mass * (u - f->v) - f->h * (f->mass * f->g * sin(phi) - copysign(friction, u));
}

TEST(dissipation_is_minimised_too)
{
    Fall f = {.h = 0.2, .v = 1.0, .mass = 3.0, .g = 9.81};
    Case c = {.problem = "friction_block",
              .method = "incremental_potential",
              .settings = {{"mu", 0.6}, {"mass", f.mass}},
              .h = f.h,
              .steps = 30,
              .tolerance = 1e-12};
    Run  run SCOPED(run_free) = {0};
    run_states(c, &run);
    for (size_t k = 0; k < 30; ++k) {
        f.v = root(friction_slope, &f, -10.0, 10.0);
        f.x += f.h * f.v;
        assert_near(case_element(&run, "x", 0, k + 1), f.x, 1e-10);
        assert_near(case_element(&run, "v", 0, k + 1), f.v, 1e-10);
    }
}

// Two solves a step: each counts, with its own matrix. Both matrices of bathe are equal, those of tr_bdf2 are not.
TEST(composite_solves_are_counted)
{
    Case c = {.problem = "modal_oscillators",
              .method = "tr_bdf2",
              .settings = {{"k1", 0.0}, {"k2", 400.0}, {"gamma", 0.5}},
              .h = 0.1,
              .steps = 20,
              .tolerance = 1e-8,
              .jacobian = JACOBIAN_ANALYTIC};
    RUN_CASE(run, &c);
    double first = 1.0 + 4.0 / 16.0, second = 1.0 + 4.0 / 9.0;  // 1 + c^2 k2 at c = g h/2 and (1 - g) h/(2 - g)
    assert_int_equal(status(&run), STATUS_OK);
    assert_numbers(&run, {"updates", 40, 0}, {"updates_per_step_max", 2, 0}, {"residual_evaluations", 80, 0},
                   {"condition_last", second, 1e-12}, {"condition_max", second, 1e-12},
                   {"condition_mean", sqrt(first * second), 1e-12});
    c.method = "bathe";
    c.settings[2] = (Setting){"rho_inf", 0.3};
    run_case(&c, &run);
    assert_near(case_number(&run, "condition_mean"), case_number(&run, "condition_max"), 1e-12);
}

static Case adaptive(double rtol, double atol)
{
    Case c = swing("dopri5_adaptive", 0.1, 0.3);
    set(&c, "rtol", rtol);
    set(&c, "atol", atol);
    c.h = 1.0;
    c.steps = 10;
    return c;
}

TEST(adaptive_steps_meet_their_tolerance)
{
    Case tight = swing("rk4", 0.1, 0.3);
    tight.h = 10.0 / 65536.0;
    tight.steps = 65536;
    double x = number_of(&tight, "x_final"), substeps = 0.0;
    for (double rtol = 1e-4; rtol > 1e-11; rtol /= 10.0) {
        Case c = adaptive(rtol, rtol);
        RUN_CASE(run, &c);
        double error = fabs(case_number(&run, "x_final") - x);
        print_message("rtol %g: error %.3g, %.0f substeps, %.0f not taken\n", rtol, error,
                      case_number(&run, "substeps"), case_number(&run, "failed_solves"));
        assert_int_equal(status(&run), STATUS_OK);
        // Errors of some dozen substeps add up, and the motion does not magnify them much.
        assert_true(error < 20.0 * rtol && error > 1e-3 * rtol);
        assert_true(case_number(&run, "substeps") > substeps);
        substeps = case_number(&run, "substeps");
        assert_near(case_number(&run, "steps"), 10, 0);
        assert_near(case_number(&run, "updates") + case_number(&run, "residual_evaluations") +
                        case_number(&run, "depth_max"),
                    0, 0);
    }
    // Nothing to adapt: every step is one trial, dopri5's.
    Case loose = adaptive(1.0, 1e3), fixed = swing("dopri5", 0.1, 0.3);
    loose.h = fixed.h;
    loose.steps = fixed.steps;
    assert_same_states(&loose, 1, &fixed, 1e-14);
    assert_near(number_of(&loose, "substeps"), 0, 0);
    assert_near(number_of(&loose, "evaluations"), 6.0 * (double)loose.steps, 0);
}

TEST(adaptive_points_end)
{
    // Six trials may be made, and no step of 1 is done with three of them.
    Case c = adaptive(1e-10, 1e-10);
    c.steps = 2;
    c.budget = 3.0;
    RUN_TO(STATUS_BUDGET_EXCEEDED, run, &c);
    assert_near(case_number(&run, "substeps") + case_number(&run, "failed_solves"), 6, 0);
    assert_near(case_number(&run, "evaluations"), 6 * 6, 0);
    assert_near(case_number(&run, "steps"), 0, 0);

    // No error is small enough, but where rounding leaves none. Each trial is a fifth of the last: 5^-44 is the first
    // below 2^-100 of the step. There rounding leaves none: the next is five times as long, and is rejected.
    c = adaptive(1e-40, 1e-300);
    run_to(STATUS_BUDGET_EXCEEDED, &c, &run);
    assert_true(case_number(&run, "failed_solves") >= 44.0);
    assert_near(case_number(&run, "substeps") + case_number(&run, "failed_solves"), 2000, 0);

    c = (Case){.problem = "harmonic_oscillator",
               .method = "dopri5_adaptive",
               .settings = {{"omega", 1e200}},
               .h = 0.1,
               .steps = 5};
    run_to(STATUS_NOT_FINITE, &c, &run);
    assert_near(case_number(&run, "failed_solves"), 45, 0);
}

// What was proposed before a step's end cut it short serves the next step: a step of 1 is followed by others with
// little to learn, and the trials of later steps are mostly taken.
TEST(proposals_outlive_steps)
{
    Case c = adaptive(1e-9, 1e-9);
    RUN_CASE(run, &c);
    double first = case_number(&run, "failed_solves");
    c.steps = 40;
    c.h = 0.25;
    run_case(&c, &run);
    assert_true(case_number(&run, "failed_solves") <= first + 3.0);
}

static size_t asked;

static void counted_acceleration(UNUSED double t, const double *x, const double *v, UNUSED const void *params,
                                 double *a)
{
    a[0] = -x[0] - 0.1 * v[0];
    ++asked;
}

// What the cards of explicit methods say is what a step asks for.
TEST(accelerations_of_a_step)
{
    const ReferenceProblem problem = {.name = "counted", .dofs = 1, .acceleration = counted_acceleration};
    size_t                 methods = 0;
    for (size_t c = 0; c < built_in()->card_count; ++c) {
        const Card *card = &built_in()->cards[c];
        if (card->kind != CARD_METHOD || card->unknown != UNKNOWN_NONE)
            continue;
        const ReferenceMethod *method = method_read(card, &arena, &err);
        if (!method)
            fail_msg("%s", err.message);
        const State       now = {.x = {1.0}, .v = {0.5}, .own = {{-1.05}}};
        const double      parameters[] = {1e-6, 1e-6};
        const NewtonRules rules = {.relative = true};
        const Step        step = {
                   .method = method, .parameters = parameters, .rules = &rules, .problem = &problem, .h = 0.1, .now = &now};
        State  next = now;
        Tally  tally = {0};
        double error;
        asked = 0;
        if (method->adaptive)
            method_trial(&step, &tally, &next, &error);
        else
            method_step(&step, &tally, &next);
        print_message("%s: %zu\n", card->name, asked);
        assert_int_equal(card->evaluations, asked);
        ++methods;
    }
    assert_true(methods >= 10);
    Case c = swing("yoshida4", 0.1, 0.3);
    assert_near(number_of(&c, "evaluations"), 6.0 * (double)c.steps, 0);
    c = swing("generalized_alpha", 0.1, 0.3);
    const double counted = number_of(&c, "residual_evaluations");
    assert_true(counted > 0.0);
    assert_near(number_of(&c, "evaluations"), counted, 0);
}
