// test_plan_laws -- every parameter of every problem reaches the points that a sweep gives it, and defaults reach
// others.
//
// A zip gives all numbers of a problem other values at each of three points. What comes out of three steps of the
// explicit Euler method is compared with the same steps by the law of the problem, at values that never were in a plan.
#include "base/text.h"
#include "reference/reference.h"
#include "support/built_in.h"
#include "support/law.h"
#include "support/plan_from.h"

enum { POINTS = 3, LENGTH = 3, CHAIN = 6 };

// Where the default starts a motion that does not come to depend on all parameters.
static const struct {
    const char *problem, *name;
    double      value;
} nearer[] = {{"barrier_particle", "x0", 0.08}, {"friction_block", "v0", 0.05}};

// Off the default, within the range, and another at each point.
static double value_at(const Law *law, size_t number, int point)
{
    const LawParameter *parameter = &law->parameters[number];
    const double        share = 1.0 + 0.07 * (double)(number + 1) / (point + 2.0);
    if (parameter->choices)
        return 0.0;
    for (size_t i = 0; i < sizeof nearer / sizeof *nearer; ++i)
        if (strcmp(nearer[i].problem, law->name) == 0 && strcmp(nearer[i].name, parameter->name) == 0)
            return nearer[i].value * share;
    if (parameter->initial != 0.0)
        return parameter->initial * (parameter->most == 1.0 ? share / 1.7 : share);
    return 0.11 * share * (point + 1);
}

static const double steps[POINTS] = {0.01, 0.004, 0.007};

// Begins the law at a point; with `defaults` at no values but those that nothing names.
static LawPlace begin(const Law *law, const int *words, int point, bool defaults)
{
    LawPlace place = {.n = law->dofs_parameter ? CHAIN : law->dofs};
    for (size_t i = 0, choice = 0; i < law->parameter_count; ++i) {
        const LawParameter *parameter = &law->parameters[i];
        if (parameter->choices)
            place.parameters[i] = words[choice++];
        else if (parameter->whole)
            place.parameters[i] = CHAIN;
        else
            place.parameters[i] = defaults ? parameter->initial : value_at(law, i, point);
    }
    law_begin(law, &place);
    law_enter(law, &place);
    return place;
}

static void write_sweep(const Law *law, const int *words, bool defaults, Text *text)
{
    char word[32] = "";
    text_add(text,
             "problem: %s\ndesign: zip\nmethods: [explicit_euler]\nsteps: %d\nstep: [%.17g, %.17g, %.17g]\n"
             "metrics: [x_final%s]\nparameters:\n",
             law->name, LENGTH, steps[0], steps[1], steps[2], law->first_order ? "" : ", v_final");
    if (defaults && !law->dofs_parameter)
        return;
    for (size_t i = 0, choice = 0; i < law->parameter_count; ++i) {
        const LawParameter *parameter = &law->parameters[i];
        if (parameter->choices) {
            assert_int_equal(sscanf(parameter->choices, words[choice++] == 0 ? "%31s" : "%*s %31s", word), 1);
            text_add(text, "  %s: %s\n", parameter->name, word);
        } else if (parameter->whole) {
            text_add(text, "  %s: %d\n", parameter->name, CHAIN);
        } else if (!defaults) {
            text_add(text, "  %s: [%.17g, %.17g, %.17g]\n", parameter->name, value_at(law, i, 0), value_at(law, i, 1),
                     value_at(law, i, 2));
        }
    }
}

static void check_final(const Group *group, const Results *results, const char *name, int point, const LawNumber *state,
                        size_t n)
{
    const size_t variable = (size_t)(find_variable(group, name) - group->variables);
    for (size_t i = 0; i < n; ++i) {
        const double found = results_value(results, variable, (size_t)point, i), right = (double)creall(state[i]);
        if (!(fabs(found - right) <= 1e-12 * (1.0 + fabs(right))))
            fail_msg("%s, point %d: %s[%zu] is %.17g, not %.17g", group->problem->name, point, name, i, found, right);
    }
}

// The same three steps by the law.
static void take_steps(const Law *law, double h, LawPlace *place)
{
    LawNumber a[LAW_DOFS];
    for (int step = 0; step < LENGTH; ++step) {
        place->t = (long double)step * h;
        law_ask(law, LAW_ACCELERATION, place, a);
        for (size_t i = 0; i < place->n; ++i) {
            place->x[i] += h * place->v[i];
            place->v[i] += h * a[i];
        }
    }
}

// Marks the numbers on which the end depends by more than 1e-9: a wrong one would be seen.
static void mark_seen(const Law *law, LawPlace place, int point, bool *seen)
{
    const LawPlace before = place;
    for (size_t i = 0; i < law->parameter_count; ++i) {
        place = before;
        place.parameters[i] += 0x1p-300L * I;
        law_begin(law, &place);
        law_enter(law, &place);
        take_steps(law, steps[point], &place);
        for (size_t d = 0; d < place.n; ++d)
            seen[i] = seen[i] || fabsl(cimagl(place.x[d])) > 1e-9L * 0x1p-300L ||
                      fabsl(cimagl(place.v[d])) > 1e-9L * 0x1p-300L;
    }
}

static void check_problem(const Law *law, const int *words, bool defaults, bool *seen)
{
    const ReferenceOptions options = {.threads = 1};
    Text                   text SCOPED(text_free) = {0};
    Results                results SCOPED(results_free);
    write_sweep(law, words, defaults, &text);
    PLAN(made, text.text);
    const Group *group = &made.plan.groups[0];
    const Batch  batch = batch_make(group, 0, group->block_count);
    assert_int_equal(batch.point_count, POINTS);
    assert_fine(results_make(group, POINTS, 0, &results, &err) &&
                reference_run(&made.plan, &batch, &options, &results, &err));
    for (int point = 0; point < POINTS; ++point) {
        LawPlace place = begin(law, words, point, defaults);
        mark_seen(law, place, point, seen);
        take_steps(law, steps[point], &place);
        check_final(group, &results, "x_final", point, law_coordinates(law, &place), place.n);
        if (!law->first_order)
            check_final(group, &results, "v_final", point, place.v, place.n);
    }
}

// Every number shows in some point, but for the block's mass, which cancels: all its forces are in proportion to it.
static void check_seen(const Law *law, const bool *seen)
{
    for (size_t i = 0; i < law->parameter_count; ++i) {
        const LawParameter *parameter = &law->parameters[i];
        const bool          cancels = law == &law_friction_block && strcmp(parameter->name, "mass") == 0;
        if (seen[i] == cancels && !parameter->choices && !parameter->whole)
            fail_msg("%s: %s point depends on '%s'", law->name, cancels ? "a" : "no", parameter->name);
    }
}

// Runs a check for every problem of the catalog: at all combinations of words, which are two to a parameter.
static void check_all(bool defaults)
{
    const Catalog *catalog = built_in();
    for (size_t c = 0; c < catalog->card_count; ++c) {
        const Law *law = catalog->cards[c].kind == CARD_PROBLEM ? law_find(catalog->cards[c].name) : NULL;
        size_t     choices = 0;
        bool       seen[LAW_PARAMETERS] = {false};
        for (size_t i = 0; law && i < law->parameter_count; ++i)
            choices += law->parameters[i].choices != NULL;
        assert_true(law || catalog->cards[c].kind != CARD_PROBLEM);
        for (int combination = 0; law && combination < (defaults ? 1 : 1 << choices); ++combination)
            check_problem(law, (const int[]){combination & 1, combination >> 1}, defaults, seen);
        if (law && !defaults)
            check_seen(law, seen);
    }
}

TEST(points_have_their_own_values)
{
    check_all(false);
}

TEST(what_nothing_names_has_its_default)
{
    check_all(true);
}
