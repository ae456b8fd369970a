// test_effects -- cost reported for a pair against that of a sweep over its values.
#include "analysis/pairs/search.h"

#include "support/built_in.h"
#include "support/kernel_case.h"

AROUND_ALL(open_device, close_device)

enum { VALUES = 5 };

// A method, one parameter fixed or none (NULL), on a problem with an override or none.
typedef struct Setup {
    const char *method, *fixed, *problem, *override;
    const char *sweep;  // the same as a sweep file, but for the method and the metrics
} Setup;

// The sweep over those values that are numbers.
static void run_sweep(Ran *ran, Device *device, const Setup *setup, const Family *family, const double *values)
{
    Text   text SCOPED(text_free) = {0};
    size_t count = 0;
    text_add(&text, "%smetrics: [updates, evaluations, condition_max]\nmethods: [%s: {", setup->sweep, setup->method);
    for (size_t i = 0; i < family->method->parameter_count; ++i)
        if (i != family->free && !isnan(family->parameters[i]))
            text_add(&text, "%s: %.17g, ", family->method->parameters[i].name, family->parameters[i]);
    text_add(&text, "%s: ", family_parameter(family)->name);
    for (size_t i = 0; i < VALUES; ++i)
        if (!isnan(values[i]))
            text_add(&text, "%s%.17g", count++ ? ", " : "[", values[i]);
    text_add(&text, "]}]\n");
    run_text(ran, device, 0, text.text);
}

// A method that solves nothing has no matrix; all have some work.
static void expect_point(const Ran *ran, size_t point, const PairEffects *effects)
{
    const double condition = number(ran, 0, "condition_max", point);
    const Card  *method = group_at(ran, 0)->method;
    const bool   implicit = method->unknown != UNKNOWN_NONE;
    assert_true(effects->updates == number(ran, 0, "updates", point));
    assert_true(effects->evaluations == number(ran, 0, "evaluations", point));
    assert_true(implicit || method->adaptive ? effects->evaluations >= 1000.0
                                             : effects->evaluations == 1000.0 * method->evaluations);
    assert_true(implicit ? effects->condition_max == condition && condition >= 1.0 : isnan(effects->condition_max));
}

// Counts the effects of a side of pairs with those values, of which nothing else is known.
static void count_effects(const PairsRequest *request, Pairs *pairs, int side, Pair *list, const double *values)
{
    pairs->pairs = list;
    pairs->count = VALUES;
    pairs->step = pairs->steps = (double)NAN;
    for (size_t i = 0; i < VALUES; ++i) {
        list[i] = (Pair){.from = side == PAIR_FROM ? values[i] : 0.5, .to = side == PAIR_TO ? values[i] : 0.5};
        list[i].effects[side] = (PairEffects){1.0, 2.0, (double)NAN, (double)NAN, (double)NAN};
    }
    assert_fine(effects_count(request, 0.0, 0.0, side, pairs, &err));
}

// Returns how many of the values had effects.
static size_t expect_effects(Device *device, const Setup *setup, const double *values)
{
    const char    *override = setup->override;
    const int      side = setup->override ? PAIR_TO : PAIR_FROM;
    const Catalog *catalog = built_in();
    Setting       *settings = NULL;
    Pairs          pairs = {.problem = setup->problem};
    Pair           list[VALUES];
    Ran            ran SCOPED(ran_free) = {0};
    size_t         point = 0, found = 0;
    assert_fine(
        setting_read_all(&setup->fixed, setup->fixed != NULL, &arena, &settings, &err) &&
        family_make(catalog, setup->method, settings, setup->fixed != NULL, &arena, &pairs.families[side], &err));
    const PairsRequest request = {
        .catalog = catalog, .device = device, .overrides = &override, .override_count = override != NULL};
    count_effects(&request, &pairs, side, list, values);
    assert_true(pairs.step == 0.05 && pairs.steps == 1000.0);
    run_sweep(&ran, device, setup, &pairs.families[side], values);
    for (size_t i = 0; i < VALUES; ++i) {
        const PairEffects *effects = &list[i].effects[side];
        const bool         ran_well = !isnan(values[i]) && (int)number(&ran, 0, "status", point) == STATUS_OK;
        assert_true(effects->period_error == 1.0 && effects->radius_infinity == 2.0);
        assert_true(list[i].effects[1 - side].updates == 0.0);
        if (ran_well)
            expect_point(&ran, point, effects);
        else
            assert_true(isnan(effects->updates) && isnan(effects->evaluations) && isnan(effects->condition_max));
        found += ran_well;
        point += isnan(values[i]) ? 0 : 1;
    }
    return found;
}

#define STIFF "elastic_pendulum_polar"
#define POLAR "problem: elastic_pendulum_polar\nparameters: {eps: 1.0e-2}\nstep: 0.05\nend: 50\n"
#define PENDULUM "problem: pendulum\nstep: 0.05\nend: 50\n"
static const double none = (double)NAN;

TEST(values_that_are_none_are_left_out)
{
    const Setup  setup = {"generalized_alpha", NULL, STIFF, NULL, POLAR};
    const double values[VALUES] = {0.9, none, 0.2, none, 0.5};
    assert_int_equal(expect_effects(*state, &setup, values), 3);
}

TEST(problems_and_settings_are_the_callers)
{
    const Setup newmark = {"newmark", "beta=0.5", "pendulum", "parameters.g=2", PENDULUM "parameters: {g: 2}\n"},
                theta2 = {"theta2", NULL, STIFF, "parameters.eps=0.1",
                          "problem: elastic_pendulum_polar\nparameters: {eps: 0.1}\nstep: 0.05\nend: 50\n"};
    const double values[VALUES] = {0.5, 0.6, 0.8, 0.9, 0.7};
    assert_int_equal(expect_effects(*state, &newmark, values), VALUES);
    assert_int_equal(expect_effects(*state, &theta2, values), VALUES);
}

// An explicit method is counted by its accelerations; on the stiff problem it is soon at an end.
TEST(explicit_methods_are_counted)
{
    const Setup swing = {"chung_lee", NULL, "pendulum", NULL, PENDULUM},
                stiff = {"chung_lee", NULL, STIFF, NULL, POLAR},
                adaptive = {"dopri5_adaptive", "atol=1e-9", "pendulum", NULL, PENDULUM};
    const double betas[VALUES] = {1.0, 1.01, none, 1.02, 1.03}, tolerances[VALUES] = {1e-3, 1e-6, none, 1e-9, 1e-4};
    assert_int_equal(expect_effects(*state, &swing, betas), 4);
    assert_int_equal(expect_effects(*state, &stiff, betas), 0);
    assert_int_equal(expect_effects(*state, &adaptive, tolerances), 4);
}

TEST(nothing_is_run_for_nothing)
{
    const double       none_at_all[VALUES] = {none, none, none, none, none};
    const PairsRequest request = {0};
    Pairs              pairs = {.problem = STIFF};
    Pair               list[VALUES];
    count_effects(&request, &pairs, PAIR_FROM, list, none_at_all);
    assert_true(isnan(list[4].effects[PAIR_FROM].evaluations) && isnan(pairs.step) && isnan(pairs.steps));
}
