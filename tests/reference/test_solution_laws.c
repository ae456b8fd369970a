// test_solution_laws -- tables of solutions hold the motions of the laws, and error metrics are the distance from them.
//
// Kernels and reference read the same tables, so that both agree on a wrong one. Here the sweep is enumerated, its
// motions are integrated and its steps are taken a second time, by the laws of support/law.h and the collocation of
// support/gauss.h.
#include "base/text.h"
#include "reference/reference.h"
#include "support/gauss.h"
#include "support/plan_from.h"

typedef struct Value {
    const char *name;
    double      number;  // of a word its index
} Value;

enum { VALUES = 12, STEPS = 2, SWEPT = 2 };

// A sweep over two steps, two values of a parameter, and two of a method's: eight points, four motions.
typedef struct SolvedCase {
    const char *problem;
    size_t      dofs;
    double      end;
    double      rate;  // a bound on frequencies and decay rates
    Value       swept[SWEPT];
    Value       values[VALUES];
    Value       words[2];      // parameters with choices; the first `combinations` of their combinations are run
    int         combinations;  // 0 where there are no such parameters
} SolvedCase;

static const SolvedCase cases[] = {
    {"pendulum",
     1,
     2.0,
     3.0,
     {{"g", 0.8}, {"g", 1.9}},
     {{"zeta", 0.07}, {"x0", 1.3}, {"v0", -0.4}, {"force", 0.6}, {"force_omega", 1.7}},
     {{"forcing", 0}},
     2},
    {"duffing",
     1,
     2.0,
     4.0,
     {{"force_omega", 0.9}, {"force_omega", 1.6}},
     .values = {{"delta", 0.17}, {"alpha", -0.9}, {"beta", 1.4}, {"force", 0.33}, {"x0", 0.7}, {"v0", 0.2}}},
    {"van_der_pol", 1, 2.0, 12.0, {{"mu", 0.4}, {"mu", 2.5}}, .values = {{"x0", 1.1}, {"v0", 0.6}}},
    {"double_pendulum",
     2,
     2.0,
     80.0,
     {{"g", 7.7}, {"g", 9.9}},
     .values =
         {{"l1", 0.8}, {"l2", 1.3}, {"m1", 0.7}, {"m2", 1.9}, {"th1", 0.9}, {"th2", -0.6}, {"w1", 0.4}, {"w2", -1.1}}},
    {"elastic_pendulum_polar",
     2,
     2.0,
     40.0,
     {{"eps", 0.1}, {"eps", 0.05}},
     {{"k", 0.7}, {"g", 1.3}},
     {{"variant", 0}, {"gravity", 0}},
     4},
    {"elastic_pendulum_cartesian",
     2,
     2.0,
     40.0,
     {{"eps", 0.05}, {"eps", 0.1}},
     {{"k", 0.7}, {"g", 1.3}},
     {{"variant", 0}, {"gravity", 0}},
     4},
    {"spring_chain",
     5,
     2.0,
     20.0,
     {{"eps", 0.5}, {"eps", 0.2}},
     .values =
         {{"n", 5}, {"mass", 1.2}, {"k", 0.9}, {"cubic", 0.6}, {"r_m", 0.1}, {"r_k", 0.02}, {"x0", 0.4}, {"v0", 0.3}}},
    {"barrier_particle",
     1,
     0.4,
     100.0,
     {{"g", 9.0}, {"g", 8.0}},
     .values = {{"kappa", 900}, {"d_hat", 0.12}, {"mass", 1.1}, {"x0", 0.09}, {"v0", 0.05}}},
    {"friction_block",
     1,
     2.0,
     25.0,
     {{"phi", 0.2}, {"phi", 0.3}},
     .values = {{"mu", 0.45}, {"v_smooth", 0.4}, {"g", 9.0}, {"mass", 1.3}, {"x0", 0.2}, {"v0", 0.3}}},
    {"lorenz",
     3,
     1.0,
     60.0,
     {{"rho", 14.0}, {"rho", 21.0}},
     .values = {{"sigma", 9.1}, {"beta", 2.7}, {"x0", 1.3}, {"y0", -0.4}, {"z0", 0.6}}},
    {"fitzhugh_nagumo",
     2,
     2.0,
     10.0,
     {{"current", 0.4}, {"current", 0.7}},
     .values = {{"eps", 0.11}, {"alpha", 0.6}, {"beta", 0.9}, {"v0", -0.8}, {"w0", -0.4}}},
};

static const double counts[STEPS] = {40.0, 27.0};

// The index of the word that a combination gives the i-th parameter with choices; all of them have two.
static int word_index(int combination, int i)
{
    return combination >> i & 1;
}

// The word itself, into `word`.
static void find_word(const Law *law, const char *name, int index, char word[32])
{
    for (size_t i = 0; i < law->parameter_count; ++i)
        if (strcmp(law->parameters[i].name, name) == 0)
            assert_int_equal(sscanf(law->parameters[i].choices, index == 0 ? "%31s" : "%*s %31s", word), 1);
}

static void write_sweep(const SolvedCase *c, int combination, const char *methods, const char *metrics,
                        const char *more, Text *text)
{
    char word[32] = "";
    text_add(text, "problem: %s\nparameters:\n", c->problem);
    for (size_t i = 0; i < VALUES && c->values[i].name; ++i)
        text_add(text, "  %s: %.17g\n", c->values[i].name, c->values[i].number);
    for (int i = 0; i < 2 && c->words[i].name; ++i) {
        find_word(law_find(c->problem), c->words[i].name, word_index(combination, i), word);
        text_add(text, "  %s: %s\n", c->words[i].name, word);
    }
    text_add(text, "  %s: [%.17g, %.17g]\n", c->swept[0].name, c->swept[0].number, c->swept[1].number);
    text_add(text, "step: [%.17g, %.17g]\nend: %.17g\nmethods: %s\nmetrics: %s\n%s", c->end / counts[0],
             c->end / counts[1], c->end, methods, metrics, more);
}

// The law at a value of the swept parameter, begun. Numbers are as the sweep's precision has them.
static LawPlace begin(const SolvedCase *c, int combination, int swept, bool single)
{
    const Law *law = law_find(c->problem);
    LawPlace   place = {.n = c->dofs};
    assert_non_null(law);
    for (size_t i = 0; i < law->parameter_count; ++i)
        place.parameters[i] = law->parameters[i].initial;
    for (size_t i = 0; i < VALUES && c->values[i].name; ++i)
        *law_parameter(law, &place, c->values[i].name) = c->values[i].number;
    for (int i = 0; i < 2 && c->words[i].name; ++i)
        *law_parameter(law, &place, c->words[i].name) = word_index(combination, i);
    *law_parameter(law, &place, c->swept[swept].name) = c->swept[swept].number;
    for (size_t i = 0; single && i < law->parameter_count; ++i)
        place.parameters[i] = (float)creall(place.parameters[i]);
    law_begin(law, &place);
    law_enter(law, &place);
    return place;
}

static LawPlace begin_limit(const Law *law, const LawPlace *from)
{
    LawPlace  limit = *from;
    LawNumber start[2];
    law_ask(law, LAW_LIMIT_START, from, start);
    limit.x[0] = start[0];
    limit.v[0] = start[1];
    return limit;
}

// What the solver promises is about 1e-12; the motions here last for a few turns.
static const double solved_bound = 1e-11;

static void check_samples(const SolvedCase *c, LawPlace place, double h, uint64_t steps, const SolutionSamples *samples)
{
    const Law     *law = law_find(c->problem);
    const bool     limited = law->functions[LAW_LIMIT_START] != NULL;
    const uint64_t every = steps <= 1024 ? 1 : steps / 1024;
    LawPlace       limit = limited ? begin_limit(law, &place) : place;
    for (uint64_t step = 0; step <= steps; ++step) {
        const double *row = solution_at(samples, step);
        assert_int_equal(row != NULL, step % every == 0 || step == steps);
        if (!row)
            continue;
        gauss_move(law, LAW_ACCELERATION, (long double)step * h, c->rate, &place);
        for (size_t i = 0; i < c->dofs; ++i)
            if (!(fabs(row[i] - (double)creall(law_coordinates(law, &place)[i])) <= solved_bound))
                fail_msg("%s: x[%zu] after step %zu of %g is %.17g, not %.17Lg", c->problem, i, (size_t)step, h, row[i],
                         creall(law_coordinates(law, &place)[i]));
        if (!limited)
            continue;
        gauss_move(law, LAW_LIMIT_ACCELERATION, (long double)step * h, 3.0L, &limit);
        if (!(fabs(row[c->dofs] - (double)creall(limit.x[0])) <= solved_bound))
            fail_msg("%s: the limit after step %zu of %g is %.17g, not %.17Lg", c->problem, (size_t)step, h,
                     row[c->dofs], creall(limit.x[0]));
    }
}

static void solve(const Made *made, Solution *solution)
{
    const ReferenceOptions options = {.threads = 1};
    assert_fine(solve_group(&made->plan, &made->plan.groups[0], &options, solution, &err));
    assert_int_equal(solution->unsolved, 0);
}

static void check_tables(const SolvedCase *c, int combination)
{
    const bool limited = law_find(c->problem)->functions[LAW_LIMIT_START] != NULL;
    Text       text SCOPED(text_free) = {0};
    write_sweep(c, combination, "[theta2: {theta: [0, 1]}]", limited ? "[error_max, angle_error_max]" : "[error_max]",
                "", &text);
    PLAN(made, text.text);
    const Group *group = &made.plan.groups[0];
    Solution     solution SCOPED(solution_free);
    solve(&made, &solution);
    assert_int_equal(group->point_count, 2 * STEPS * SWEPT);
    for (uint64_t point = 0; point < group->point_count; ++point) {
        const int             steps = (int)counts[point / 4];
        const double          h = c->end / counts[point / 4];
        const SolutionSamples samples = solution_of(&solution, group, point, (uint64_t)steps);
        if (point % 2 == 0)
            check_samples(c, begin(c, combination, (int)(point / 2 % 2), false), h, (uint64_t)steps, &samples);
        else  // the method's parameter alone is another
            assert_ptr_equal(samples.numbers, solution_of(&solution, group, point - 1, (uint64_t)steps).numbers);
    }
}

TEST(tables_hold_the_motions)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int combination = 0; combination == 0 || combination < cases[i].combinations; ++combination)
            check_tables(&cases[i], combination);
}

// Every step up to 1024 of them has a sample; of more steps every second, third and so on, and the last.
TEST(long_tables_hold_them_too)
{
    static const double steps[] = {1.0, 1024.0, 1025.0, 2047.0, 2048.0, 3073.0};
    const SolvedCase   *c = &cases[0];
    PLAN(made,
         "problem: pendulum\nmethods: [rk4]\nend: 2\nsteps: [1, 1024, 1025, 2047, 2048, 3073]\nparameters: {zeta: "
         "0.07, x0: 1.3, v0: -0.4, force: 0.6, force_omega: 1.7, forcing: cosine, g: 0.8}\nmetrics: [error_max]\n");
    Solution solution SCOPED(solution_free);
    solve(&made, &solution);
    for (uint64_t point = 0; point < 6; ++point) {
        const SolutionSamples samples = solution_of(&solution, &made.plan.groups[0], point, (uint64_t)steps[point]);
        check_samples(c, begin(c, 1, 0, false), 2.0 / steps[point], (uint64_t)steps[point], &samples);
    }
}

// A run of the half-implicit method, of a first-order system of Euler's explicit one, beside the law's motion and its
// limit.
typedef struct Distances {
    long double largest, last;  // of coordinates
    long double angle, radius;  // in the window
} Distances;

static Distances measure(const SolvedCase *c, LawPlace run, double h, int steps, double from, double to)
{
    const Law *law = law_find(c->problem);
    const bool limited = law->functions[LAW_LIMIT_START] != NULL;
    LawPlace   exact = run, limit = limited ? begin_limit(law, &run) : run;
    Distances  distances = {0};
    LawNumber  a[LAW_DOFS], slow, fast;
    for (int step = 0; step <= steps; ++step) {
        const long double t = (long double)step * h;
        gauss_move(law, LAW_ACCELERATION, t, c->rate, &exact);
        distances.last = 0.0L;
        for (size_t i = 0; i < run.n; ++i)
            distances.last =
                fmaxl(distances.last, fabsl(creall(law_coordinates(law, &run)[i] - law_coordinates(law, &exact)[i])));
        distances.largest = fmaxl(distances.largest, distances.last);
        if (limited && t >= from && t <= to) {
            gauss_move(law, LAW_LIMIT_ACCELERATION, t, 3.0L, &limit);
            law_ask(law, LAW_SLOW, &run, &slow);
            law_ask(law, LAW_FAST, &run, &fast);
            const long double turn = 2.0L * acosl(-1.0L), apart = fmodl(fabsl(creall(slow - limit.x[0])), turn);
            distances.angle = fmaxl(distances.angle, fminl(apart, turn - apart));
            distances.radius = fmaxl(distances.radius, fabsl(creall(fast)));
        }
        run.t = t;
        law_ask(law, LAW_ACCELERATION, &run, a);
        for (size_t i = 0; i < run.n; ++i) {
            run.v[i] += h * a[i];
            run.x[i] += h * run.v[i];
        }
    }
    return distances;
}

static void check_number(const Group *group, const Results *results, const char *name, size_t point, long double value,
                         double bound)
{
    const Variable *variable = find_variable(group, name);
    assert_non_null(variable);
    const double number = results_value(results, (size_t)(variable - group->variables), point, 0);
    if (!(fabs(number - (double)value) <= bound * (1.0 + (double)fabsl(value))))
        fail_msg("%s of %s, point %zu, is %.17g, not %.17Lg", name, group->problem->name, point, number, value);
}

static void check_errors(const SolvedCase *c, int combination, bool single)
{
    const bool limited = law_find(c->problem)->functions[LAW_LIMIT_START] != NULL;
    const char plain[] = "[error_max, error_final]";
    const char visual[] = "[error_max, error_final, angle_error_max, {angle_error_max: {from: 0.45, to: 1.22, label: "
                          "window}}, {visually_correct: {to: 0.75, label: early}}, visually_correct]";
    const ReferenceOptions options = {.threads = 1};
    Text                   text SCOPED(text_free) = {0};
    Solution               solution SCOPED(solution_free);
    Results                results SCOPED(results_free);
    write_sweep(c, combination, law_find(c->problem)->first_order ? "[explicit_euler]" : "[symplectic_euler]",
                limited ? visual : plain, single ? "precision: single\n" : "", &text);
    PLAN(made, text.text);
    const Group *group = &made.plan.groups[0];
    Batch        batch = batch_make(group, 0, group->block_count);
    solve(&made, &solution);
    batch.solution = &solution;
    assert_fine(results_make(group, batch.point_count, 0, &results, &err) &&
                reference_run(&made.plan, &batch, &options, &results, &err));
    assert_int_equal(group->point_count, STEPS * SWEPT);
    for (size_t point = 0; point < group->point_count; ++point) {
        const int       steps = (int)counts[point / 2];
        const double    step = c->end / steps, h = single ? (double)(float)step : step;
        const LawPlace  place = begin(c, combination, (int)(point % 2), single);
        const Distances all = measure(c, place, h, steps, 0.0, (double)INFINITY);
        check_number(group, &results, "error_max", point, all.largest, solved_bound);
        check_number(group, &results, "error_final", point, all.last, solved_bound);
        assert_true(all.largest > 1e-5L);
        if (!limited)
            continue;
        const Distances window = measure(c, place, h, steps, 0.45, 1.22),
                        early = measure(c, place, h, steps, 0.0, 0.75);
        check_number(group, &results, "angle_error_max", point, all.angle, solved_bound);
        check_number(group, &results, "window", point, window.angle, solved_bound);
        check_number(group, &results, "early", point, early.radius <= 0.1L && early.angle < 0.5L, 0.0);
        check_number(group, &results, "visually_correct", point, all.radius <= 0.1L && all.angle < 0.5L, 0.0);
    }
}

TEST(errors_are_distances_from_the_motions)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int combination = 0; combination == 0 || combination < cases[i].combinations; ++combination)
            check_errors(&cases[i], combination, false);
}

// Tables are solved for the parameters and the step that single precision has.
TEST(single_precision_rounds_what_is_solved)
{
    check_errors(&cases[0], 1, true);
    check_errors(&cases[5], 0, true);
}
