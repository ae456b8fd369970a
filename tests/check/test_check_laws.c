// test_check_laws -- the laws of `pendula check` hold for every problem of the program, and derivatives come with
// bounds that hold.
#include "support/built_in.h"
#include "support/subject.h"

#include "analysis/check/check.h"
#include "analysis/check/lines.h"
#include "analysis/check/slope.h"
#include "analysis/conform/judgement/scale.h"

TEST(problems_keep_the_laws)
{
    const Catalog *catalog = built_in();
    size_t         count = 0;
    for (size_t c = 0; c < catalog->card_count; ++c) {
        Check check = {.path = catalog->cards[c].path, .card = catalog->cards[c]};
        if (catalog->cards[c].kind != CARD_PROBLEM)
            continue;
        assert_true(check_laws(&check, &err));
        for (size_t i = 0; i < check.findings.count; ++i) {
            const CheckFinding *found = &check.findings.list[i];
            if (found->kind == FINDING_NOTE && strncmp(found->text, "laws: not examined", 18) == 0)
                skip();
            // The printed equations of the elastic pendulums have the energy of the right ones.
            if (found->kind == FINDING_WRONG || (found->kind == FINDING_NOTE && strstr(found->text, " differ") &&
                                                 !strstr(found->text, "variant = printed")))
                fail_msg("%s:%zu: %s", check.path, found->line, found->text);
        }
        // A system of first order may have a rate and its Jacobian only.
        assert_true(findings_count(&check.findings, FINDING_RIGHT) >= (check.card.first_order ? 2 : 3));
        assert_true(check.step > 0.0 && check.step <= 2.0);
        findings_free(&check.findings);
        ++count;
    }
    assert_int_equal(count, 14);
}

enum { SINE, EXPONENTIAL, KINK, JUMP, ROOT, CURVES };

static void ask(const void *user, long double by, long double *rows)
{
    const long double x = *(const long double *)user + by;
    rows[SINE] = sinl(x);
    rows[EXPONENTIAL] = 1e6L + expl(-40.0L * x);
    rows[KINK] = fabsl(x - 0.5L);
    rows[JUMP] = x < 0.5L ? 0.0L : 1.0L;
    rows[ROOT] = sqrtl(x);
}

// The bounds hold, and are tight where the function is smooth; at a kink and at a jump nothing is claimed.
TEST(derivatives_keep_their_bounds)
{
    for (int k = 1; k <= 40; ++k) {
        const long double x = 0.025L * k + 1e-3L;
        Derivative        found[CURVES];
        slope_find(ask, &x, CURVES, 1.0L, found);
        const long double expected[CURVES] = {[SINE] = cosl(x),
                                              [EXPONENTIAL] = -40.0L * expl(-40.0L * x),
                                              [KINK] = x < 0.5L ? -1.0L : 1.0L,
                                              [ROOT] = 0.5L / sqrtl(x)};
        for (int i = 0; i < CURVES; ++i)
            assert_true(fabsl(found[i].value - expected[i]) <= 16.0L * found[i].error + 0x1p-50L);
        assert_true(found[SINE].error < 1e-14L && found[ROOT].error < 1e-12L && found[KINK].error < 1e-14L);
    }
    const long double edge = 0.5L;
    Derivative        found[CURVES];
    slope_find(ask, &edge, CURVES, 1.0L, found);
    assert_true(found[KINK].error >= 1.0L && found[JUMP].error >= 1.0L);
}

TEST(lines_are_those_of_definitions)
{
    static const char text[] = "//: problem: mine\n"
                               "//: provides: [energy]\n"
                               "static void acceleration(real t);\n"
                               "// static void acceleration(real t) {}\n"
                               "static real one(void)\n"
                               "{ acceleration(1); /* { */ return '{' + \"}\"[0]; }\n"
                               "#define period(p) \\\n"
                               "    energy(p) {\n"
                               "static void\n"
                               "acceleration(real t) // of time\n"
                               "{\n"
                               "}\n"
                               "#define kinetic(x, v, p) 0\n";
    const Card        card = {.kind = CARD_PROBLEM, .text = text};
    assert_int_equal(lines_function(&card, "acceleration"), 10);
    assert_int_equal(lines_function(&card, "one"), 5);
    assert_int_equal(lines_function(&card, "period"), 7);
    assert_int_equal(lines_function(&card, "kinetic"), 13);
    assert_int_equal(lines_function(&card, "energy"), 0);
    assert_int_equal(lines_function(&card, "celeration"), 0);
    assert_int_equal(lines_key(&card, "provides"), 2);
    assert_int_equal(lines_key(&card, "absent"), 1);
    assert_int_equal(lines_call(&card, "acceleration"), 3);
    const Card metric = {.kind = CARD_METRIC,
                         .text = "//: metric: m\nstatic real M(now)(int o)\n{ M(start)(o); }\n"
                                 "static void M(start)(int o) {}\n"};
    assert_int_equal(lines_function(&metric, "start"), 4);
    assert_int_equal(lines_function(&metric, "now"), 2);
}

enum { WAVE, SQUARE, CONSTANT, ZERO_HERE, SCALED };

static void ask_scaled(const void *user, long double by, long double *rows)
{
    const long double at = by / *(const long double *)user;
    rows[WAVE] = 3.0L + 3.0L * sinl(at);
    rows[SQUARE] = 5.0L + at * at;
    rows[CONSTANT] = 7.0L;
    rows[ZERO_HERE] = at;
}

// Of a function of q / L at q = 0 the scale is about L, whatever the unit of L is; of one that is 0 there any step
// serves, and of a constant there is none.
TEST(scales_go_with_the_unit)
{
    static const long double units[] = {1e-30L, 1e-9L, 1.0L, 1e9L, 1e30L};
    for (size_t k = 0; k < sizeof units / sizeof *units; ++k) {
        const long double all[SCALED] = {0}, wave[SCALED] = {3.0L, 0.0L, 7.0L}, square[SCALED] = {0.0L, 5.0L, 7.0L},
                          constant[SCALED] = {0.0L, 0.0L, 7.0L};
        const long double of_wave = scale_find(ask_scaled, &units[k], SCALED, wave) / units[k],
                          of_square = scale_find(ask_scaled, &units[k], SCALED, square) / units[k],
                          of_all = scale_find(ask_scaled, &units[k], SCALED, NULL) / units[k];
        assert_true(of_wave > 0.24L && of_wave < 0.26L);
        assert_true(of_all > 0.24L && of_all < 0.26L);
        // A square goes faster than the line: its scale is found on the way back.
        assert_true(of_square > 0.5L && of_square < 3.0L);
        assert_true(scale_find(ask_scaled, &units[k], SCALED, constant) == 0.0L);
        assert_true(scale_find(ask_scaled, &units[k], SCALED, all) > 0.0L);
    }
}
