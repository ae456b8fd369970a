// test_fronts -- what `pendula pareto` is made of: keys, fronts, knees, and evaluations against counted calls.
#include "analysis/fronts.h"
#include "analysis/keys.h"
#include "analysis/objectives.h"
#include "reference/method.h"

#include "program_case.h"

#include <math.h>

static bool beats(const double *a, const double *b)
{
    bool better = false;
    for (size_t i = 0; i < FRONT_OBJECTIVES; ++i) {
        if (a[i] > b[i])
            return false;
        better = better || a[i] < b[i];
    }
    return better;
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

// Whole numbers, so that many are equal, in three problems; reduced in between and at once.
static void streams_reduce_to_the_same_front(void **state)
{
    enum { POINTS = 3000 };
    static FrontPoint all[POINTS];
    uint64_t          seed = 1;
    (void)state;
    for (size_t objectives = 2; objectives <= FRONT_OBJECTIVES; ++objectives) {
        FrontList list = {.limit = 8};
        Error     err = {0};
        size_t    expected = 0;
        for (size_t i = 0; i < POINTS; ++i) {
            all[i] = (FrontPoint){.point = i, .problem = (uint32_t)(next_random(&seed) % 3)};
            for (size_t k = 0; k < objectives; ++k)
                all[i].values[k] = (double)(next_random(&seed) % 40) - 10.0;
            if (list.count > 8 && i % 7 == 0)
                assert_true(fronts_reduce(&list, objectives, &err));
            assert_true(fronts_offer(&list, &all[i], objectives, &err));
        }
        assert_true(fronts_reduce(&list, objectives, &err));
        for (size_t i = 0; i < POINTS; ++i) {
            bool dominated = false, found = false;
            for (size_t k = 0; k < POINTS && !dominated; ++k)
                dominated = all[k].problem == all[i].problem && beats(all[k].values, all[i].values);
            for (size_t k = 0; k < list.count; ++k)
                found = found || list.items[k].point == i;
            assert_true(found != dominated);
            expected += !dominated;
        }
        assert_int_equal(list.count, expected);
        fronts_free(&list);
    }
}

// Three million points, each better than those before in nothing: the worst stream there is holds memory for its front
// alone, and takes seconds.
static void long_streams_are_fast(void **state)
{
    FrontList    list = {0};
    Error        err = {0};
    uint64_t     seed = 7;
    double       least = INFINITY;
    const double begin = seconds_now();
    size_t       room = 0;
    (void)state;
    for (size_t i = 0; i < 3000000; ++i) {
        const double x = (double)next_random(&seed), y = (double)next_random(&seed);
        least = fmin(least, x);
        assert_true(fronts_offer(&list, &(FrontPoint){.values = {x, y}, .point = i}, 2, &err));
        room = list.room > room ? list.room : room;
    }
    assert_true(fronts_reduce(&list, 2, &err));
    assert_true(list.count < 200);
    assert_true(list.items[0].values[0] == least);
    assert_true(room <= 1 << 17);
    assert_true(seconds_now() - begin < 30.0);
    fronts_free(&list);
}

static void knees_lie_below_the_chord(void **state)
{
    static const double bent[][2] = {{1, 1000}, {10, 500}, {20, 2}, {100, 1.5}, {1000, 1}},
                        bulging[][2] = {{1, 1000}, {10, 900}, {1000, 1}}, signs[][2] = {{-2, 4}, {0, 1}, {4, 0}};
    const struct {
        const double (*front)[2];
        size_t count;
        int    knee;
    } cases[] = {{bent, 5, 2}, {bulging, 3, -1}, {signs, 3, 1}, {bent, 2, -1}, {bent, 1, -1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        FrontList list = {0};
        Error     err = {0};
        for (size_t k = 0; k < cases[i].count; ++k)
            assert_true(fronts_add(
                &list, &(FrontPoint){.values = {cases[i].front[k][0], cases[i].front[k][1]}, .point = k}, &err));
        fronts_find_knees(&list);
        for (size_t k = 0; k < list.count; ++k)
            assert_int_equal(list.items[k].knee, (int)k == cases[i].knee);
        fronts_free(&list);
    }
}

static void keys_are_numbered(void **state)
{
    Keys     keys = {.width = 2};
    Error    err = {0};
    uint32_t number = 0;
    (void)state;
    for (uint32_t i = 0; i < 10000; ++i) {
        assert_true(keys_find(&keys, (const double[]){(double)i, (double)(i % 7)}, &number, &err));
        assert_int_equal(number, i);
    }
    assert_true(keys_find(&keys, (const double[]){-0.0, 0.0}, &number, &err));
    assert_int_equal(number, 0);
    assert_true(keys_find(&keys, (const double[]){(double)NAN, 1.0}, &number, &err));
    assert_int_equal(number, 10000);
    assert_true(keys_find(&keys, (const double[]){-(double)NAN, 1.0}, &number, &err));
    assert_int_equal(number, 10000);
    assert_true(keys_find(&keys, (const double[]){9999.0, 3.0}, &number, &err));
    assert_int_equal(number, 9999);
    keys_free(&keys);
}

// How often the reference has asked for the acceleration.
static size_t                  asked;
static const ReferenceProblem *asked_problem;

static void count_acceleration(double t, const double *x, const double *v, const void *params, double *a)
{
    ++asked;
    asked_problem->acceleration(t, x, v, params, a);
}

// An objective of a line search asks for it as well, once with each potential; that is not counted.
static double count_potential(const double *x, const void *params)
{
    --asked;
    return asked_problem->potential(x, params);
}

// Takes a method STEPS steps with the reference, counting.
enum { STEPS = 20, MOST_PARAMETERS = 16 };
static Tally run_method(const ReferenceMethod *method, const Card *card, const void *params)
{
    ReferenceProblem  counted = *asked_problem;
    double            values[MOST_PARAMETERS];
    MethodValues      given = {.method = card, .values = values, .start = START_THETA1};
    const NewtonRules rules = {
        .cube_root_stencil = true, .floor_guard = true, .tolerance = 1e-10, .max_updates = 50, .widen = 1.0};
    Weights weights = {0};
    Tally   tally = {0};
    State   now = {0}, previous = {0};
    Step    step = {.problem = &counted,
                    .params = params,
                    .weights = &weights,
                    .rules = &rules,
                    .scaled_residual = true,
                    .h = 0.05,
                    .now = &now,
                    .spacing = 0.05};
    counted.acceleration = count_acceleration;
    counted.potential = count_potential;
    assert_true(card->parameter_count <= MOST_PARAMETERS);
    for (size_t i = 0; i < card->parameter_count; ++i)
        values[i] = card->parameters[i].initial;
    if (method->weigh)
        method->weigh(&given, &weights);
    asked_problem->initial_state(params, now.x, now.v);
    asked = 0;
    if (method->start)
        method->start(&step, &now);
    for (size_t n = 0; n < STEPS; ++n) {
        State next = now;
        step.t = (double)n * step.h;
        step.previous = n > 0 && method->history ? &previous : NULL;
        if (method->trial)
            method->trial(&step, &next);
        else
            assert_int_equal(method->step(&step, &tally, &next), SOLVE_ACCEPTED);
        previous = now;
        now = next;
    }
    return tally;
}

// What is read off the counters of a run without halving: steps taken whole are no substeps.
static double read_evaluations(const Card *card, const Tally *tally, size_t dofs)
{
    const bool implicit = card->unknown != UNKNOWN_NONE;
    double     counters[3] = {implicit ? (double)tally->residual_evaluations : 0.0, (double)tally->updates,
                          (double)tally->jacobians};
    double    *numbers[3] = {&counters[0], &counters[1], &counters[2]}, found = 0.0;
    Reading    reading = {.count = 1,
                          .how = {{.kind = implicit         ? READ_IMPLICIT
                                           : card->adaptive ? READ_ADAPTIVE
                                                            : READ_EXPLICIT,
                                   .counters = {0, 1, 2},
                                   .jacobian_evaluations = 2.0 * (double)dofs}}};
    assert_true(objectives_calls(card->name, &reading.how[0].at_start, &reading.how[0].each));
    objectives_read(&reading, &(Points){.step = 0.05, .steps = STEPS}, 0, numbers, 0, &found);
    return found;
}

// The evaluations that are read off the counters are the calls that the reference makes, for every method.
static void evaluations_are_the_calls(void **state)
{
    Catalog catalog = {0};
    Error   err = {0};
    size_t  tried = 0;
    double  params[64], values[MOST_PARAMETERS];
    (void)state;
    assert_true(catalog_read(&catalog, &err));
    for (size_t i = 0; i < reference_problem_count; ++i)
        if (strcmp(reference_problems[i]->name, "modal_oscillators") == 0)
            asked_problem = reference_problems[i];
    assert_true(asked_problem && asked_problem->params_bytes <= sizeof params);
    const Card *problem = catalog_find(&catalog, CARD_PROBLEM, "modal_oscillators");
    for (size_t i = 0; i < problem->parameter_count; ++i)
        values[i] = problem->parameters[i].initial;
    asked_problem->load(params, values);
    for (size_t c = 0; c < catalog.card_count; ++c) {
        const Card *card = &catalog.cards[c];
        // A method that was only dropped in has no reference yet.
        if (card->kind != CARD_METHOD || !method_find(card->name))
            continue;
        const Tally  tally = run_method(method_find(card->name), card, params);
        const double found = read_evaluations(card, &tally, asked_problem->dofs);
        // The reference asks for the last stage of Dormand and Prince also where no error is estimated.
        asked -= strcmp(card->name, "dopri5") == 0 ? STEPS : 0;
        if (found != (double)asked)
            print_error("%s: %g evaluations, %zu calls\n", card->name, found, asked);
        assert_true(found == (double)asked);
        ++tried;
    }
    assert_true(tried > 20);
    catalog_free(&catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_numbered),         cmocka_unit_test(streams_reduce_to_the_same_front),
        cmocka_unit_test(long_streams_are_fast),     cmocka_unit_test(knees_lie_below_the_chord),
        cmocka_unit_test(evaluations_are_the_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
