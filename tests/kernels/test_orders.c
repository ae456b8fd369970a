// test_orders -- every method has the order that its card declares, on a linear, a nonlinear and a driven problem,
// undamped and damped.
//
//   test_orders [METHOD...]     only these
//
// Halving the step divides the errors of x and v by 2^order. What a card does not say in numbers, orders at other
// parameter values, is listed here; a method is tested without being listed. test_force_times has what an order of 1
// does not show: the time at which the method asks for the force. Implicit methods have these orders at their default
// settings, too, on nonlinear systems whose lengths are small.
#include "support/built_in.h"
#include "support/kernel_case.h"
#include "support/turn.h"

enum { ENDS = 8, MOST_CASES = 8, PROBLEMS = 3, MOTIONS = 2, RUNS = 2 * ENDS };

enum { MOST_NUMBERS = 4 };

// Coordinates, and then, of a system of second order, the velocities.
typedef long double Numbers[MOST_NUMBERS];
typedef void        Rate(long double t, const long double *y, long double damping, long double *rate);

// Of all methods a run takes the third whose turn it is, another one for each system.
static bool in_turn(const Chosen *chosen, size_t number)
{
    return chosen->name_count > 0 || turn_takes(number % 3, 3);
}

// The problems, x'' + 2 zeta w x' = force(t, x), all begun at x = 1. Parameters are numbers of doubles, and so are they
// here.
typedef struct Problem {
    const char *name, *start;
    const char *damping;  // its parameter, and that parameter over zeta
    double      damping_per_zeta, w, v0;
    Rate       *rate;
    bool        driven;
} Problem;

#define OSCILLATOR(name, force)                                                                          \
    static void name(UNUSED long double t, const long double *y, long double damping, long double *rate) \
    {                                                                                                    \
        rate[0] = y[1];                                                                                  \
        rate[1] = force - damping * y[1];                                                                \
    }

OSCILLATOR(linear_rate, -4.0L * y[0])
OSCILLATOR(pendulum_rate, -sinl(y[0]))
OSCILLATOR(driven_rate, 0.5 * cosl(0.6 * t) - y[0] - 0.1 * y[0] * y[0] * y[0])

static const Problem problems[PROBLEMS] = {
    {"harmonic_oscillator", "omega: 2, x0: 1, v0: 0.5", "zeta", 1.0, 2.0, 0.5, linear_rate, false},
    {"pendulum", "g: 1, x0: 1, v0: 0.3", "zeta", 1.0, 1.0, 0.3, pendulum_rate, false},
    {"duffing", "alpha: 1, beta: 0.1, force: 0.5, force_omega: 0.6, x0: 1, v0: 0.3", "delta", 2.0, 1.0, 0.3,
     driven_rate, true}};
static const double zetas[MOTIONS] = {0.0, 0.1};

static void add(const long double *y, long double h, const long double *rate, long double *sum)
{
    for (size_t i = 0; i < MOST_NUMBERS; ++i)
        sum[i] = y[i] + h * rate[i];
}

// The motion at equal times from exact[0] on, in steps so small that the classical Runge-Kutta method is exact to a
// double.
static void move(Rate *rate, double damping, double end, size_t samples, size_t steps, Numbers *exact)
{
    const long double h = (long double)end / (long double)(samples - 1) / (long double)steps;
    for (size_t k = 1; k < samples; ++k) {
        Numbers y, at, a = {0}, b = {0}, c = {0}, d = {0};
        memcpy(y, exact[k - 1], sizeof y);
        for (size_t n = (k - 1) * steps; n < k * steps; ++n) {
            const long double t = h * (long double)n;
            rate(t, y, damping, a);
            add(y, h / 2, a, at);
            rate(t + h / 2, at, damping, b);
            add(y, h / 2, b, at);
            rate(t + h / 2, at, damping, c);
            add(y, h, c, at);
            rate(t + h, at, damping, d);
            for (size_t i = 0; i < MOST_NUMBERS; ++i)
                y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
        }
        memcpy(exact[k], y, sizeof y);
    }
}

static void move_problem(const Problem *problem, double zeta, double end, size_t samples, size_t steps, Numbers *exact)
{
    memcpy(exact[0], (Numbers){1.0L, problem->v0}, sizeof exact[0]);
    move(problem->rate, 2.0 * zeta * problem->w, end, samples, steps, exact);
}

// A parameter value that changes the order.
typedef struct Change {
    const char *method, *parameter;
    double      value;
    int         order, order_damped;
} Change;

static const Change changes[] = {
    {"theta1", "theta1", 0.5, 2, 2},
    {"theta1", "theta1", 1.0, 1, 1},
    {"newmark", "gamma", 0.6, 1, 1},
    {"newmark", "beta", 0.0, 2, 2},
    {"incremental_newmark", "gamma", 0.6, 1, 1},
    {"incremental_newmark", "beta", 0.0, 2, 1},
    {"sofa_newmark", "gamma", 0.6, 1, 1},
    {"theta2", "theta", 1.0, 2, 2},
    {"generalized_alpha", "rho_inf", 0.0, 2, 2},
    {"bathe", "rho_inf", 1.0, 2, 2},
    {"chung_lee", "beta", 1.0, 2, 2},
    {"tr_bdf2", "gamma", 0.3, 2, 2},
};

// One motion by one setting, run with two steps to each of several ends.
typedef struct Case {
    const char *parameter;  // NULL: all have their defaults
    double      value;
    double      zeta;    // of the problem
    size_t      motion;  // the exact one; that of zeta, or that of Rayleigh damping
    int         order;
} Case;

static bool has_parameter(const Card *method, const char *name)
{
    for (size_t i = 0; i < method->parameter_count; ++i)
        if (strcmp(method->parameters[i].name, name) == 0)
            return true;
    return false;
}

// The defaults; the changes; and r_m in place of the problem's damping, which costs no method an order.
static size_t make_cases(const Card *method, const Problem *problem, Case cases[MOST_CASES])
{
    size_t count = 0;
    cases[count++] = (Case){NULL, 0.0, zetas[0], 0, method->order};
    cases[count++] = (Case){NULL, 0.0, zetas[1], 1, method->order_damped};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        const Change *change = &changes[i];
        if (strcmp(change->method, method->name) != 0)
            continue;
        cases[count++] = (Case){change->parameter, change->value, zetas[0], 0, change->order};
        cases[count++] = (Case){change->parameter, change->value, zetas[1], 1, change->order_damped};
    }
    if (has_parameter(method, "r_m"))
        cases[count++] = (Case){"r_m", 2.0 * zetas[1] * problem->w, 0.0, 1, method->order};
    for (size_t i = 0; i < count && problem->driven && method->order_driven < method->order; ++i)
        cases[i].order = cases[i].order < method->order_driven ? cases[i].order : method->order_driven;
    assert_true(count <= MOST_CASES);
    return count;
}

// The finer of the two numbers of steps to the last end, a multiple of 16. Few enough that an error of that order is
// far above rounding, enough that the next order is far below it.
static size_t steps_for(int order)
{
    static const size_t steps[] = {0, 2048, 512, 1024, 128, 128, 64, 64, 64};
    return steps[order < 8 ? order : 8];
}

static const double last_end = 3.0;

// Run `run` of a case goes to end run % ENDS, the first half of the runs with twice the step.
static size_t run_steps(const Case *c, size_t run)
{
    return steps_for(c->order) * (run % ENDS + 1) / ENDS / (run < ENDS ? 2 : 1);
}

static double run_step(const Case *c, size_t run)
{
    return last_end / (double)steps_for(c->order) * (run < ENDS ? 2.0 : 1.0);
}

// "name: [..]" for a parameter of the method, the damping, step or steps.
static void add_values(Text *text, const Problem *problem, const char *name, double initial, const Case *cases,
                       size_t count)
{
    double values[RUNS * MOST_CASES];
    for (size_t i = 0; i < RUNS * count; ++i) {
        const Case *c = &cases[i / RUNS];
        const bool  changed = c->parameter && strcmp(c->parameter, name) == 0;
        values[i] = strcmp(name, problem->damping) == 0 ? c->zeta * problem->damping_per_zeta
                    : strcmp(name, "step") == 0         ? run_step(c, i % RUNS)
                    : strcmp(name, "steps") == 0        ? (double)run_steps(c, i % RUNS)
                    : changed                           ? c->value
                                                        : initial;
    }
    add_list(text, name, values, RUNS * count);
}

static void run_cases(Ran *ran, Device *device, const Problem *problem, const Card *method, const Case *cases,
                      size_t count)
{
    const char *separator = "";
    Text        text SCOPED(text_free) = {0};
    text_add(&text, "problem: %s\ndesign: zip\nparameters: {%s, ", problem->name, problem->start);
    add_values(&text, problem, problem->damping, 0.0, cases, count);
    text_add(&text, "}\nmethods:\n  - %s: {", method->name);
    for (size_t i = 0; i < method->parameter_count; ++i) {
        const CardParameter *parameter = &method->parameters[i];
        bool                 varies = false;
        for (size_t k = 0; k < count; ++k)
            varies = varies || (cases[k].parameter && strcmp(cases[k].parameter, parameter->name) == 0);
        if (!varies)
            continue;
        text_add(&text, "%s", separator);
        add_values(&text, problem, parameter->name, parameter->initial, cases, count);
        separator = ", ";
    }
    text_add(&text, "}\n");
    add_values(&text, problem, "step", 0.0, cases, count);
    text_add(&text, "\n");
    add_values(&text, problem, "steps", 0.0, cases, count);
    text_add(&text, "\nnewton: {tolerance: 0}\nmetrics: [status, x_final, v_final]\n");
    run_ok(ran, device, 1, text.text);
}

// Errors of x and v, the largest over the ends, so that none passes through zero by chance.
static void run_errors(const Ran *ran, size_t first, Numbers exact[ENDS + 1], double error[2])
{
    error[0] = error[1] = 0.0;
    for (size_t k = 0; k < ENDS; ++k) {
        error[0] = fmax(error[0], (double)fabsl(number(ran, 0, "x_final", first + k) - exact[k + 1][0]));
        error[1] = fmax(error[1], (double)fabsl(number(ran, 0, "v_final", first + k) - exact[k + 1][1]));
    }
}

// The measured orders of x and v of a case.
static bool check_case(const Ran *ran, const Problem *problem, const Card *method, const Case *c, size_t number,
                       Numbers exact[ENDS + 1])
{
    double coarse[2], fine[2], order[2];
    char   setting[64] = "";
    run_errors(ran, RUNS * number, exact, coarse);
    run_errors(ran, RUNS * number + ENDS, exact, fine);
    for (size_t i = 0; i < 2; ++i)
        order[i] = log2(coarse[i] / fine[i]);
    if (c->parameter)
        snprintf(setting, sizeof setting, "%s %.3g", c->parameter, c->value);
    print_message("%-20s %-20s zeta %.1f %-12s order %d: x %.3f, v %.3f; errors %.1e, %.1e\n", problem->name,
                  method->name, c->zeta, setting, c->order, order[0], order[1], fine[0], fine[1]);
    // Below this, rounding would pass for an order.
    const bool fine_enough = fine[0] > 2e-13 && fine[1] > 2e-13;
    const bool ok = fine_enough && fabs(order[0] - c->order) <= 0.1 && fabs(order[1] - c->order) <= 0.1;
    if (!ok)
        print_error("method '%s' on %s, zeta %.1f %s: declared order %d, measured %.3f (x) and %.3f (v)%s\n",
                    method->name, problem->name, c->zeta, setting, c->order, order[0], order[1],
                    fine_enough ? "" : "; the errors are rounding");
    return ok;
}

static bool check_method(Device *device, const Problem *problem, const Card *method, Numbers exact[MOTIONS][ENDS + 1])
{
    Ran          ran SCOPED(ran_free) = {0};
    Case         cases[MOST_CASES];
    const size_t count = make_cases(method, problem, cases);
    bool         ok = true;
    run_cases(&ran, device, problem, method, cases, count);
    for (size_t i = 0; i < count; ++i)
        ok = check_case(&ran, problem, method, &cases[i], i, exact[cases[i].motion]) && ok;
    return ok;
}

// Every method is measured before the test fails, so that it names all that are wrong.
TEST(test_orders)
{
    const Chosen  *chosen = *state;
    const Catalog *catalog = built_in();
    size_t         count = 0, wrong = 0;
    for (size_t p = 0; p < PROBLEMS; ++p) {
        Numbers exact[MOTIONS][ENDS + 1];
        for (size_t k = 0; k < MOTIONS; ++k)
            move_problem(&problems[p], zetas[k], last_end, ENDS + 1, 1600, exact[k]);
        for (size_t i = 0; i < catalog->card_count; ++i) {
            const Card *card = &catalog->cards[i];
            if (card->kind != CARD_METHOD || card->adaptive || !chosen_has(chosen, card->name) ||
                !in_turn(chosen, i + p))
                continue;
            wrong += !check_method(chosen->device, &problems[p], card, exact);
            ++count;
        }
    }
    assert_true(count > 0);
    assert_int_equal(wrong, 0);
}

// Systems whose lengths, or amounts, are so many units: y' = rate, where y are the coordinates and then, of a system of
// second order, the velocities. What has the unit in it is scaled by a power of it.
enum { UNITS = 3, MOST_SCALED = 4, POINTS = MOTIONS * UNITS * RUNS };
static const double units[UNITS] = {1.0, 0x1p-30, 0x1p-60};

typedef struct Scaled {
    const char *name;  // of a parameter, which is value unit^power
    double      value;
    int         power;
} Scaled;

typedef struct System {
    const char *name, *before, *after;  // the sweep file before the parameters that are listed here, and after them
    Scaled      scaled[MOST_SCALED];
    const char *damping;         // a parameter; NULL: the system has none
    double      damped;          // its value in the second motion, 0 in the first
    size_t      numbers, first;  // of y; how many of them are coordinates
    bool        driven;
    Numbers     start;
    Rate       *rate;
} System;

OSCILLATOR(free_duffing, -y[0] - 0.5L * y[0] * y[0] * y[0])
OSCILLATOR(driven_duffing, 0.5L * cosl((long double)0.6 * t) - y[0] - 0.5L * y[0] * y[0] * y[0])

// Two masses on springs of stiffness 1 and 4, with cubes.
static void chain(UNUSED long double t, const long double *y, long double damping, long double *rate)
{
    const long double far = y[1] - y[0], outer = 4.0L * (far + 0.25L * far * far * far),
                      inner = y[0] + 0.25L * y[0] * y[0] * y[0];
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = outer - inner - damping * y[2];
    rate[3] = -outer - damping * y[3];
}

// a + b -> c -> a, of which there is no c at the start.
static void kinetics(UNUSED long double t, const long double *y, UNUSED long double damping, long double *rate)
{
    const long double made = 2.0L * y[0] * y[1], lost = 0.5L * y[2];
    rate[0] = lost - made;
    rate[1] = -made;
    rate[2] = made - lost;
}

static const System systems[] = {
    {.name = "duffing",
     .before = "problem: duffing\nparameters: {alpha: 1, force: 0, ",
     .after = "",
     .scaled = {{"x0", 1.0, 1}, {"v0", 0.25, 1}, {"beta", 0.5, -2}},
     .damping = "delta",
     .damped = 0.25,
     .numbers = 2,
     .first = 1,
     .start = {1.0L, 0.25L},
     .rate = free_duffing},
    {.name = "duffing, driven",
     .before = "problem: duffing\nparameters: {alpha: 1, force_omega: 0.6, ",
     .after = "",
     .scaled = {{"x0", 1.0, 1}, {"v0", 0.25, 1}, {"beta", 0.5, -2}, {"force", 0.5, 1}},
     .damping = "delta",
     .damped = 0.25,
     .numbers = 2,
     .first = 1,
     .driven = true,
     .start = {1.0L, 0.25L},
     .rate = driven_duffing},
    // As a problem file that gives no Jacobian has it.
    {.name = "chain",
     .before = "problem: spring_chain\nparameters: {n: 2, eps: 0.5, ",
     .after = "newton: {jacobian: central}\n",
     .scaled = {{"x0", 1.0, 1}, {"v0", 0.25, 1}, {"cubic", 0.25, -2}},
     .damping = "r_m",
     .damped = 0.25,
     .numbers = 4,
     .first = 2,
     .start = {0.5L, 1.0L, 0.0L, 0.25L},
     .rate = chain},
    {.name = "kinetics",
     .before = "problem:\n  coordinates: [a, b, c]\n  rate: [\"q*c - k*a*b\", \"-k*a*b\", \"k*a*b - q*c\"]\n"
               "  start: [a0, b0, 0]\n  parameters: {q: 0.5, ",
     .after = "",
     .scaled = {{"a0", 1.0, 1}, {"b0", 0.75, 1}, {"k", 2.0, -1}},
     .numbers = 3,
     .first = 3,
     .start = {1.0L, 0.75L, 0.0L},
     .rate = kinetics}};

static int declared_order(const Card *method, const System *system, size_t motion)
{
    const int order = motion > 0 ? method->order_damped : method->order;
    return system->driven && method->order_driven < order ? method->order_driven : order;
}

// Points are runs, of units, of motions.
static void add_unit_values(Text *text, const Card *method, const System *system, const char *name,
                            const Scaled *scaled)
{
    double       values[POINTS];
    const size_t count = system->damping ? POINTS : POINTS / MOTIONS;
    for (size_t i = 0; i < count; ++i) {
        const size_t motion = i / (UNITS * RUNS);
        const Case   c = {.order = declared_order(method, system, motion)};
        values[i] = scaled                       ? scaled->value * pow(units[i / RUNS % UNITS], scaled->power)
                    : strcmp(name, "step") == 0  ? run_step(&c, i % RUNS)
                    : strcmp(name, "steps") == 0 ? (double)run_steps(&c, i % RUNS)
                                                 : (double)motion * system->damped;
    }
    add_list(text, name, values, count);
}

static void run_units(Ran *ran, Device *device, const System *system, const Card *method)
{
    Text text SCOPED(text_free) = {0};
    text_add(&text, "%s", system->before);
    for (size_t i = 0; i < MOST_SCALED && system->scaled[i].name; ++i) {
        text_add(&text, i == 0 ? "" : ", ");
        add_unit_values(&text, method, system, system->scaled[i].name, &system->scaled[i]);
    }
    if (system->damping) {
        text_add(&text, ", ");
        add_unit_values(&text, method, system, system->damping, NULL);
    }
    text_add(&text, "}\ndesign: zip\nmethods: [%s]\n", method->name);
    add_unit_values(&text, method, system, "step", NULL);
    text_add(&text, "\n");
    add_unit_values(&text, method, system, "steps", NULL);
    text_add(&text, "\n%smetrics: [status, x_final%s]\n", system->after,
             system->first < system->numbers ? ", v_final" : "");
    run_ok(ran, device, 1, text.text);
}

// The largest errors over the ends of the coordinates, and of the velocities, in units.
static void unit_errors(const Ran *ran, const System *system, size_t first, double unit, Numbers exact[ENDS + 1],
                        double error[2])
{
    error[0] = error[1] = 0.0;
    for (size_t k = 0; k < ENDS; ++k)
        for (size_t i = 0; i < system->numbers; ++i) {
            const bool   velocity = i >= system->first;
            const double now =
                element(ran, 0, velocity ? "v_final" : "x_final", first + k, velocity ? i - system->first : i);
            error[velocity] = fmax(error[velocity], (double)fabsl(now / unit - exact[k + 1][i]));
        }
}

// Whether a motion has the method's order, and the same errors in each unit.
static bool check_motion(const Ran *ran, const System *system, const Card *method, size_t motion,
                         Numbers exact[ENDS + 1])
{
    const int    order = declared_order(method, system, motion);
    const size_t kinds = system->first < system->numbers ? 2 : 1;
    double       errors[UNITS][2][2];
    bool         ok = true;
    for (size_t u = 0; u < UNITS; ++u)
        for (size_t half = 0; half < 2; ++half)
            unit_errors(ran, system, (motion * UNITS + u) * RUNS + half * ENDS, units[u], exact, errors[u][half]);
    for (size_t kind = 0; kind < kinds; ++kind) {
        const double slope = log2(errors[0][0][kind] / errors[0][1][kind]);
        print_message("%-20s %-20s %-8s order %d: %s %.3f; error %.1e\n", system->name, method->name,
                      motion > 0 ? "damped" : "", order, kind == 0 ? "x" : "v", slope, errors[0][1][kind]);
        ok = ok && fabs(slope - order) <= 0.1;
    }
    const bool same =
        memcmp(errors[0], errors[1], sizeof errors[0]) == 0 && memcmp(errors[0], errors[2], sizeof errors[0]) == 0;
    if (!ok || !same)
        print_error("method '%s' on %s, motion %zu: declared order %d, errors of x %.17g, %.17g and %.17g units%s\n",
                    method->name, system->name, motion, order, errors[0][1][0], errors[1][1][0], errors[2][1][0],
                    same ? "" : ", which differ");
    return ok && same;
}

// Implicit methods at their default settings have their orders whatever the unit is, and errors are the same to the
// last bit.
TEST(test_orders_in_small_units)
{
    const Chosen  *chosen = *state;
    const Catalog *catalog = built_in();
    size_t         wrong = 0;
    for (size_t s = 0; s < sizeof systems / sizeof *systems; ++s) {
        const System *system = &systems[s];
        const size_t  motions = system->damping ? MOTIONS : 1;
        const bool    first_order = system->first == system->numbers;
        Numbers       exact[MOTIONS][ENDS + 1];
        for (size_t k = 0; k < motions; ++k) {
            memcpy(exact[k][0], system->start, sizeof system->start);
            move(system->rate, (double)k * system->damped, last_end, ENDS + 1, 1600, exact[k]);
        }
        for (size_t i = 0; i < catalog->card_count; ++i) {
            const Card *card = &catalog->cards[i];
            Ran         ran SCOPED(ran_free) = {0};
            if (card->kind != CARD_METHOD || card->unknown == UNKNOWN_NONE || card->adaptive ||
                (first_order && !card->first_order) || !chosen_has(chosen, card->name) || !in_turn(chosen, i + s))
                continue;
            run_units(&ran, chosen->device, system, card);
            for (size_t k = 0; k < motions; ++k)
                wrong += !check_motion(&ran, system, card, k, exact[k]);
        }
    }
    assert_int_equal(wrong, 0);
}

// The error of an adaptive method falls with rtol, atol being a thousandth of it. Substeps of length h have the error
// estimate h^q, q the card's error_order, and the global error of order p is some C rtol^(p/q). C is about the number
// of time units.
enum { TOLERANCES = 6, OBSERVATIONS = 5 };
static const double adaptive_end = 20.0;

static void run_adaptive(Ran *ran, Device *device, const Problem *problem, const Card *method)
{
    double rtol[MOTIONS * TOLERANCES], atol[MOTIONS * TOLERANCES], zeta[MOTIONS * TOLERANCES];
    Text   text SCOPED(text_free) = {0};
    for (size_t i = 0; i < MOTIONS * TOLERANCES; ++i) {
        rtol[i] = pow(10.0, -4.0 - (double)(i % TOLERANCES));
        atol[i] = 1e-3 * rtol[i];
        zeta[i] = zetas[i / TOLERANCES] * problem->damping_per_zeta;
    }
    text_add(&text, "problem: %s\ndesign: zip\nend: %g\nsteps: %d\nparameters: {%s, ", problem->name, adaptive_end,
             OBSERVATIONS - 1, problem->start);
    add_list(&text, problem->damping, zeta, MOTIONS * TOLERANCES);
    text_add(&text, "}\nmethods:\n  - %s: {", method->name);
    add_list(&text, "rtol", rtol, MOTIONS * TOLERANCES);
    add_list(&text, ", atol", atol, MOTIONS * TOLERANCES);
    text_add(&text,
             "}\nsubsteps: {budget: 20000}\ntrajectory: {every: 1, fields: [x, v]}\nmetrics: [status, substeps]\n");
    run_ok(ran, device, 1, text.text);
}

// The largest error of x or v at the observations.
static double sample_error(const Ran *ran, size_t point, Numbers exact[OBSERVATIONS])
{
    double error = 0.0;
    for (size_t k = 0; k < OBSERVATIONS; ++k) {
        error = fmax(error, (double)fabsl(element(ran, 0, "x", point, k) - exact[k][0]));
        error = fmax(error, (double)fabsl(element(ran, 0, "v", point, k) - exact[k][1]));
    }
    return error;
}

static void check_adaptive(const Ran *ran, const Problem *problem, const Card *method)
{
    for (size_t k = 0; k < MOTIONS; ++k) {
        Numbers exact[OBSERVATIONS];
        // The function of stability of rodas5p is exact to a power more: its order on a linear oscillator.
        const int    order = method->order + (method->solver == SOLVER_ROSENBROCK && problem->rate == linear_rate);
        const double due = (double)order / method->error_order;
        double       first = 0.0, last = 0.0, worst = 0.0;
        move_problem(problem, zetas[k], adaptive_end, OBSERVATIONS, 4000, exact);
        for (size_t i = 0; i < TOLERANCES; ++i) {
            last = sample_error(ran, k * TOLERANCES + i, exact);
            first = i == 0 ? last : first;
            worst = fmax(worst, last / pow(10.0, -due * (4.0 + (double)i)));
        }
        const double slope = log10(first / last) / (TOLERANCES - 1);
        print_message("%-20s %-20s zeta %.1f: error ~ rtol^%.3f, at most %.2g of its power, %.0f to %.0f substeps\n",
                      problem->name, method->name, zetas[k], slope, worst, number(ran, 0, "substeps", k * TOLERANCES),
                      number(ran, 0, "substeps", (k + 1) * TOLERANCES - 1));
        assert_near(slope, due, 0.15);
        // dopri5_adaptive has up to half of that, the implicit ones up to five times as much.
        assert_true(worst <= (method->unknown == UNKNOWN_NONE ? 0.5 : 6.0) * adaptive_end);
        assert_true(worst >= 0.01);
    }
}

TEST(test_adaptive_methods)
{
    const Chosen *chosen = *state;
    for (const Card *card = NULL; (card = built_in_next(CARD_METHOD, card)) != NULL;) {
        if (!card->adaptive || !chosen_has(chosen, card->name))
            continue;
        for (size_t p = 0; p < PROBLEMS; ++p) {
            Ran ran SCOPED(ran_free) = {0};
            run_adaptive(&ran, chosen->device, &problems[p], card);
            check_adaptive(&ran, &problems[p], card);
        }
    }
}

int main(int argc, char **argv)
{
    return chosen_run(argc, argv);
}
