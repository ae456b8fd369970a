// test_claims -- verdicts of the ledger are made of numbers: other numbers must give other verdicts. Nothing is
// measured. Formulas, sentences and rows: what they may say, and what is refused.
#include "analysis/claims/ledger.h"
#include "analysis/claims/sentence.h"

#include "support/test.h"

#include <float.h>

enum { NUMBERS = 64 };

static Ledger ledger;
static Lab    lab;

static int open_ledger(UNUSED void **state)
{
    assert_fine(lab_open(&lab, &err) && ledger_read(&ledger, &lab, NULL, &err));
    return 0;
}

static int close_ledger(UNUSED void **state)
{
    ledger_free(&ledger);
    lab_close(&lab);
    return 0;
}

AROUND_ALL(open_ledger, close_ledger)

// The only row whose place and claim contain these words.
static const Claim *find_claim(const char *place, const char *words)
{
    const Claim *found = NULL;
    for (size_t i = 0; i < ledger.count; ++i) {
        const Claim *claim = &ledger.claims[i];
        if (strcmp(claim->place, place) != 0 || !strstr(claim->claim, words))
            continue;
        if (found)
            fail_msg("two rows: %s, %s", place, words);
        found = claim;
    }
    if (!found)
        fail_msg("no row: %s, %s", place, words);
    return found;
}

// Puts numbers in place of what is measured, one list behind the other.
static void put_numbers(const Claim *claim, const double *numbers)
{
    for (size_t i = 0, n = 0; i < claim->formula_count; ++i)
        for (size_t k = 0; claim->formulas[i].role == CLAIM_MEASURE && k < claim->formulas[i].value.count; ++k) {
            assert_true(n < NUMBERS);
            claim->formulas[i].value.at[k] = numbers[n++];
        }
}

static bool judge(const Claim *claim, const double *numbers, Finding *finding)
{
    put_numbers(claim, numbers);
    return claim_judge(claim, finding, &err);
}

static Verdict verdict_of(const Claim *claim, const double *numbers)
{
    Finding finding = {0};
    if (!judge(claim, numbers, &finding))
        fail_msg("%s: %s", claim->place, err.message);
    assert_false(finding.measured.failed || finding.condition.failed);
    const Verdict verdict = finding.verdict;
    assert_true((finding.condition.text != NULL) == (verdict == VERDICT_ONLY_IF));
    assert_true(finding.measured.length > 0);
    claim_free_finding(&finding);
    return verdict;
}

static void fill(double *numbers, double value)
{
    for (size_t i = 0; i < NUMBERS; ++i)
        numbers[i] = value;
}

// A claim of three settings, and one of a condition.
TEST(test_settings)
{
    double  values[3];
    Claim   claim = {.place = "here",
                     .formulas = {{.role = CLAIM_MEASURE, .name = "n", .value = {values, 3}}},
                     .formula_count = 1,
                     .say = "{n:.0f}",
                     .holds = "n == 1",
                     .condition = "it is ",
                     .names = {"1", "2", "3"},
                     .name_count = 3};
    double  n[NUMBERS] = {1, 1, 1};
    Finding finding = {0};
    assert_int_equal(verdict_of(&claim, n), VERDICT_REPRODUCED);
    n[1] = 0;
    assert_true(judge(&claim, n, &finding));
    assert_int_equal(finding.verdict, VERDICT_ONLY_IF);
    assert_string_equal(finding.measured.text, "1, 0, 1");
    assert_string_equal(finding.condition.text, "it is 1 or 3");
    claim_free_finding(&finding);
    n[0] = n[2] = 0;
    n[1] = 1;
    assert_true(judge(&claim, n, &finding));
    assert_string_equal(finding.condition.text, "it is 2");
    claim_free_finding(&finding);
    n[1] = (double)NAN;
    assert_int_equal(verdict_of(&claim, n), VERDICT_NOT_REPRODUCED);
    claim.name_count = 0;
    claim.condition = "{n[0] + 3:.0f} is odd";
    claim.when = "n[0] == 0";
    assert_true(judge(&claim, n, &finding));
    assert_string_equal(finding.condition.text, "3 is odd");
    claim_free_finding(&finding);
    fill(n, 1);
    assert_int_equal(verdict_of(&claim, n), VERDICT_REPRODUCED);
}

// With x = 3, y = 1, 2, 4.
static Scope make_scope(void)
{
    static double        x[] = {3}, y[] = {1, 2, 4};
    static const Binding bindings[] = {{"x", {x, 1}}, {"y", {y, 3}}};
    return (Scope){.bindings = bindings, .count = 2, .element = FORMULA_WHOLE, .arena = &arena};
}

TEST(test_formulas)
{
    static const struct {
        const char *text;
        double      value;
        size_t      count;
    } cases[] = {
        {"1 + 2 * x", 7, 1},
        {"-x - -1", -2, 1},
        {"(1 + 2) * x / 2", 4.5, 1},
        {"8 / 4 / 2", 1, 1},
        {"y * 2", 2, 3},
        {"(y + y)[2]", 8, 1},
        {"[y, x, 7][4]", 7, 1},
        {"max(y, x)", 4, 1},
        {"min(y) + fmax(y)", 5, 1},
        {"x <= 3 and 1 < 2 or 0", 1, 1},
        {"count(y >= 2)", 2, 1},
        {"all(y > 0) == (x != 3)", 0, 1},
        {"leading(y < 3)", 2, 1},
        {"first(y == 4) + first(y == 5)", 1, 1},
        {"nearest(y - x)", 1, 1},
        {"maxs([y, x, 1, 0], 3)[0]", 4, 1},
        {"mins([1, 2, 4, 3], 2)", 1, 2},
        {"rises(y)", 1, 2},
        {"counts([0, 2, 3, 0, 0, 1], 3)[1]", 1, 1},
        {"medians([5, 1, 0 / 0, 2, 1, 2, 9, 3], 4)", 2, 2},
        {"from(y, 2)", 4, 1},
        {"cos(pi)", -1, 1},
        {"isnan(0 / 0) + isfinite(1 / 0)", 1, 1},
        {"isnan(max(y, 0 / 0)) + isnan(max(0 / 0, y)) + fmax(0 / 0, 1)", 3, 1},
        {"determinant([1, 2, 3, 4])", -2, 1},
        {"spectral_radius([0, 1, -1, 0])", 1, 1},
        {"inverse([2, 0, 0, 4])", 0.5, 4},
        {"-2 ^ 2 + 2 ^ 3", 4, 1},
        {"pendulum(0, 1e-9, 0, pi)[0] * 1e9", -1, 1},
    };
    const Scope scope = make_scope();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Value value;
        assert_fine(formula_value(&scope, cases[i].text, &value, &err));
        if (value.count != cases[i].count || fabs(value.at[0] - cases[i].value) > 1e-12)
            fail_msg("%s: %zu numbers, %g", cases[i].text, value.count, value.at[0]);
    }
}

TEST(test_wrong_formulas)
{
    static const char *const cases[] = {
        "",        "x +",           "(x",         "z",           "y[3]",         "y + [1, 2]", "x y",
        "what(x)", "max()",         "from(y, 9)", "rises(x)",    "[1, 2",        "a.b.c",      "radius(rk2, 0, 1, 0)",
        "1 = 1",   "error(a.b, 0)", "2 ^",        "pendulum(1)", "medians(y, 4)"};
    const Scope scope = make_scope();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Value value;
        print_message("'%s'\n", cases[i]);
        assert_refused(formula_value(&scope, cases[i], &value, &err), ERROR_INPUT, cases[i]);
    }
}

// A function that does not end, by its condition, by calling itself twice, or by lists that grow, is an error. One that
// ends late is not.
TEST(test_endless_functions)
{
    static const ClaimFunction items[] = {
        {.name = "holds", .step = {{"n", "1"}}, .step_count = 1, .repeat = "1", .gives = "n"},
        {.name = "names",
         .start = {{"n", "1"}},
         .start_count = 1,
         .step = {{"n", "n"}},
         .step_count = 1,
         .repeat = "n",
         .gives = "n"},
        {.name = "twice", .parameters = {"n"}, .parameter_count = 1, .gives = "twice(n) + twice(n)"},
        {.name = "four",
         .parameters = {"n"},
         .start = {{"k", "0"}},
         .step = {{"n", "[n, n]"}, {"k", "k + 1"}},
         .parameter_count = 1,
         .start_count = 1,
         .step_count = 2,
         .repeat = "k < 90",
         .gives = "n"},
        {.name = "late",
         .start = {{"n", "0"}},
         .step = {{"n", "n + 1"}},
         .start_count = 1,
         .step_count = 1,
         .repeat = "n < 100000",
         .gives = "n"},
    };
    static const char *const endless[] = {"holds()", "names()", "twice(1)", "four(1)"};
    const Functions          functions = {items, sizeof items / sizeof *items};
    Scope                    scope = make_scope();
    Value                    value;
    scope.functions = &functions;
    for (size_t i = 0; i < sizeof endless / sizeof *endless; ++i) {
        print_message("'%s'\n", endless[i]);
        assert_refused(formula_value(&scope, endless[i], &value, &err), ERROR_INPUT, "");
    }
    assert_fine(formula_value(&scope, "late() + late()", &value, &err));
    assert_true(value.at[0] == 200000.0);
}

TEST(test_sentences)
{
    static const struct {
        const char *sentence, *text;
    } cases[] = {
        {"plain, 10 %", "plain, 10 %"},
        {"x is {x:.1f}, y {y:+.0e}", "x is 3.0, y +1e+00, +2e+00, +4e+00"},
        {"{each y,}{y:g} of {x:g}{end}.", "1 of 3, 2 of 3, 4 of 3."},
        {"| {each y|}{y:.0f}{end} |", "| 1 | 2 | 4 |"},
        {"{each y;}{if y > x}more{else}{y:g}{end}{end}", "1; 2; more"},
        {"{if x == 3}three{end}{if x == 4}four{end}", "three"},
        {"{x", NULL},
        {"{x}", NULL},
        {"{x:d}", NULL},
        {"{z:g}", NULL},
        {"{if x}", NULL},
        {"a{end}", NULL},
        {"{each y}{end}", NULL},
    };
    const Scope scope = make_scope();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Text       text SCOPED(text_free) = {0};
        const bool ok = sentence_add(&scope, cases[i].sentence, &text, &err);
        if (ok != (cases[i].text != NULL))
            fail_msg("'%s': %s", cases[i].sentence, ok ? "is read" : err.message);
        if (ok)
            assert_string_equal(text.text, cases[i].text);
    }
}

enum { CHANGES = 16 };

// What a row makes of numbers: all the same, but for some, which stand behind each other from a place on.
typedef struct Judged {
    const char *place, *words;
    double      all;
    Verdict     verdict;
    struct {
        size_t first, count;
        double numbers[CHANGES];
    } but[2];
} Judged;

static const Judged judged[] = {
    // Counts of problem 2, and of problem 3, over their twenty settings of step and tolerance.
    {"table 1, problem 2, x0 = 1", "50001", 50001, .verdict = VERDICT_REPRODUCED},
    {"table 1, problem 2, x0 = 1",
     "50001",
     50001,
     VERDICT_ONLY_IF,
     {{0, 11, {50002, 50002, 50002, 50002, 50002, 50002, 50002, 50002, 50002, 50002, 50002}}}},
    {"table 1, problem 2, x0 = 1", "50001", 50002, .verdict = VERDICT_NOT_REPRODUCED},
    {"table 2, problem 2, x0 = 1", "69295", 50001, VERDICT_ONLY_IF, {{12, 1, {69994}}}},
    {"table 2, problem 2, x0 = 1", "69295", 50001, VERDICT_NOT_REPRODUCED, {{12, 1, {71000}}}},
    {"table 1, problem 3, eps = 1e-2", "1302", 1303, .verdict = VERDICT_REPRODUCED},
    {"table 1, problem 3, eps = 1e-2", "1302", 1320, .verdict = VERDICT_NOT_REPRODUCED},
    {"table 1, problem 3, eps = 1e-3", "2243", 2243, .verdict = VERDICT_REPRODUCED},
    // At tolerance 1e-6, and at 1e-8: what is left is the rounding floor.
    {"table 1, problem 3, eps = 1e-3", "2243", 2243, VERDICT_ONLY_IF, {{12, 2, {1304, 1891}}}},
    {"table 1, problem 3, eps = 1e-3", "2243", 1304, .verdict = VERDICT_NOT_REPRODUCED},
    // Seven tolerances: how generalized_alpha ends, how theta2, and both counts.
    {"section 3.3.1", "no end", STATUS_OK, .verdict = VERDICT_NOT_REPRODUCED},
    {"section 3.3.1", "no end", STATUS_OK, VERDICT_ONLY_IF, {{2, 1, {STATUS_BUDGET_EXCEEDED}}}},
    {"section 3.3.1",
     "no end",
     STATUS_OK,
     VERDICT_NOT_REPRODUCED,
     {{2, 1, {STATUS_BUDGET_EXCEEDED}}, {9, 1, {STATUS_BUDGET_EXCEEDED}}}},
    {"section 3.3.1",
     "no end",
     STATUS_OK,
     VERDICT_REPRODUCED,
     {{0,
       7,
       {STATUS_DEPTH_EXCEEDED, STATUS_DEPTH_EXCEEDED, STATUS_DEPTH_EXCEEDED, STATUS_DEPTH_EXCEEDED,
        STATUS_DEPTH_EXCEEDED, STATUS_DEPTH_EXCEEDED, STATUS_DEPTH_EXCEEDED}}}},
    {"section 3.3 and figure 5", "6e4", 700, .verdict = VERDICT_NOT_REPRODUCED},
    {"section 3.3 and figure 5", "6e4", 700, VERDICT_REPRODUCED, {{1, 1, {6e4}}}},
    {"section 3.3 and figure 5", "6e4", 700, VERDICT_NOT_REPRODUCED, {{1, 1, {7e5}}}},
    {"section 3.3 and figure 4", "+-6", 1e-3, .verdict = VERDICT_NOT_REPRODUCED},
    {"section 3.3 and figure 4", "+-6", 1e-3, VERDICT_REPRODUCED, {{1, 1, {5.5}}}},
    // Runs that look right with generalized_alpha alone, with theta2 alone, with both, at three k.
    {"section 5", "never fails", 1e-3, VERDICT_ONLY_IF, {{0, 9, {1, 1, 0, 0, 1, 1, 5, 4, 4}}}},
    {"section 5", "never fails", 1e-3, VERDICT_REPRODUCED, {{0, 9, {0, 0, 0, 0, 1, 1, 5, 4, 4}}}},
    {"section 5", "never fails", 1e-3, VERDICT_NOT_REPRODUCED, {{0, 9, {0, 0, 0, 0, 1, 1, 0, 0, 0}}}},
    // The drift of energy as printed, and with the right equation.
    {"eq. 15", "polar", 1e-3, VERDICT_NOT_REPRODUCED, {{0, 2, {0.5, 1e-10}}}},
    {"eq. 15", "polar", 1e-3, VERDICT_REPRODUCED, {{0, 2, {1e-10, 1e-10}}}},
    {"eq. 15", "polar", 1e-3, VERDICT_NOT_REPRODUCED, {{0, 2, {(double)NAN, 1e-10}}}},
    {"figure 2", "omega = 10", 0.8, .verdict = VERDICT_NOT_REPRODUCED},
    {"figure 2", "omega = 10", 0.8, VERDICT_ONLY_IF, {{4, 1, {2.5}}}},
    {"figure 2", "omega = 10", 2.5, .verdict = VERDICT_REPRODUCED},
    {"section 3, pair (0.6, 0.07)", "roughly equivalent", 1, .verdict = VERDICT_REPRODUCED},
    {"section 3, pair (0.6, 0.07)", "roughly equivalent", 1, VERDICT_REPRODUCED, {{1, 1, {0.91}}}},
    {"section 3, pair (0.6, 0.07)", "roughly equivalent", 1, VERDICT_NOT_REPRODUCED, {{1, 1, {0.89}}}},
    {"section 3, pair (0.6, 0.07)", "roughly equivalent", 1, VERDICT_NOT_REPRODUCED, {{1, 1, {(double)NAN}}}},
    // Radii at infinity for rho_inf 0.6, 0.3, 0.2, 0.15, and where the closed forms cross. A crossing that the kernels
    // do not have is no condition.
    {"abstract", "outperforms", 1, VERDICT_ONLY_IF, {{0, 9, {0.2192, 0.6, 0.3, 0.2, 0.15, 0.89, 0.39, 0.18, 0.07}}}},
    {"abstract", "outperforms", 1, VERDICT_ONLY_IF, {{0, 9, {0.25, 0.6, 0.3, 0.2, 0.15, 0.89, 0.39, 0.18, 0.07}}}},
    {"abstract",
     "outperforms",
     1,
     VERDICT_NOT_REPRODUCED,
     {{0, 9, {0.1, 0.6, 0.3, 0.2, 0.15, 0.89, 0.39, 0.18, 0.07}}}},
    {"abstract", "outperforms", 1, VERDICT_REPRODUCED, {{0, 9, {0.1, 0.6, 0.3, 0.2, 0.15, 0.1, 0.1, 0.18, 0.07}}}},
    {"section 4.3, figure 4, half-implicit Euler", "unconditionally", 1, .verdict = VERDICT_REPRODUCED},
    {"section 4.3, figure 4, half-implicit Euler", "unconditionally", 1, VERDICT_NOT_REPRODUCED, {{1, 1, {1e8}}}},
    {"section 4.3, figure 4, half-implicit Euler",
     "unconditionally",
     1,
     VERDICT_NOT_REPRODUCED,
     {{1, 1, {(double)NAN}}}},
    {"section 4.3, figure 4, explicit Euler", "smallest", 1, VERDICT_ONLY_IF, {{0, 2, {0.4472, 0.4407}}}},
    {"section 4.3, figure 4, explicit Euler",
     "smallest",
     1,
     VERDICT_REPRODUCED,
     {{0, 2, {(double)INFINITY, (double)INFINITY}}}},
    {"eq. 22", "2 - Omega^2", 1, VERDICT_NOT_REPRODUCED, {{0, 2, {1.998, 0.9937}}}},
    {"eq. 22", "2 - Omega^2", 1, VERDICT_REPRODUCED, {{0, 2, {0.9937, 0.9937}}}},
    {"Newmark algorithm", "higher order", 1, VERDICT_REPRODUCED, {{0, 2, {2, 2}}}},
    {"Newmark algorithm", "higher order", 1, VERDICT_ONLY_IF, {{0, 2, {2, 0.98}}}},
    {"Newmark algorithm", "higher order", 1, VERDICT_NOT_REPRODUCED, {{0, 2, {1, 0.98}}}},
    {"title", "midpoint", 1, VERDICT_NOT_REPRODUCED, {{0, 2, {4.4e-5, 1e-16}}}},
    {"title", "midpoint", 1, VERDICT_REPRODUCED, {{0, 2, {1e-16, 1e-16}}}},
};

TEST(test_verdicts)
{
    for (size_t i = 0; i < sizeof judged / sizeof *judged; ++i) {
        const Judged *row = &judged[i];
        const Claim  *claim = find_claim(row->place, row->words);
        double        numbers[NUMBERS];
        fill(numbers, row->all);
        for (size_t k = 0; k < 2; ++k)
            memcpy(numbers + row->but[k].first, row->but[k].numbers, row->but[k].count * sizeof *numbers);
        const Verdict verdict = verdict_of(claim, numbers);
        if (verdict != row->verdict)
            fail_msg("row %zu, %s, %s: %s, not %s", i, row->place, claim->claim, claim_verdicts[verdict],
                     claim_verdicts[row->verdict]);
    }
}

// The numbers that a row states: those written in its rule, and what it is given.
static size_t find_stated(const Claim *claim, double *stated, size_t most)
{
    size_t count = 0;
    for (const char *at = claim->holds; *at && count < most; ++at) {
        char        *end;
        const double number = strtod(at, &end);
        if (end == at || strchr("+-in", *at))
            continue;
        stated[count++] = number;
        at = end - 1;
    }
    for (size_t i = 0; i < claim->formula_count; ++i)
        for (size_t k = 0; claim->formulas[i].role == CLAIM_GIVEN && k < claim->formulas[i].value.count; ++k)
            if (count < most)
                stated[count++] = claim->formulas[i].value.at[k];
    return count;
}

// Numbers to judge: each drawn, all the same, or falling; drawn from a few that mean something to many rows, those
// stated in the row among them.
static void draw_numbers(const Claim *claim, int draw, uint64_t *random, double *numbers)
{
    static const double palette[] = {0.0, 1.0,  2.0,  4.0,   1.5,   0.5,  -1.0, 0.9,        0.1,
                                     1e4, 1e-3, 1e-9, 1e-17, 128.0, 0.01, 0.2,  (double)NAN};
    enum { PALETTE = sizeof palette / sizeof *palette, STATED = 8 };
    double       stated[STATED];
    const size_t stated_count = find_stated(claim, stated, STATED);
    for (size_t k = 0; k < NUMBERS; ++k) {
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        const size_t which = (size_t)(*random >> 40) % (PALETTE + stated_count);
        numbers[k] = which < PALETTE ? palette[which] : stated[which - PALETTE];
        if (draw % 3 == 1)
            numbers[k] = numbers[0];
        if (draw % 3 == 2)
            numbers[k] = (double)(NUMBERS - k);
    }
}

// Every row must come to at least two verdicts.
TEST(test_every_verdict_is_computed)
{
    enum { DRAWS = 200000 };
    for (size_t i = 0; i < ledger.count; ++i) {
        const Claim *claim = &ledger.claims[i];
        uint64_t     random = 1;
        bool         seen[VERDICT_COUNT] = {false};
        for (int draw = 0; draw < DRAWS && seen[0] + seen[1] + seen[2] < 2; ++draw) {
            double numbers[NUMBERS];
            draw_numbers(claim, draw, &random, numbers);
            seen[verdict_of(claim, numbers)] = true;
        }
        if (seen[0] + seen[1] + seen[2] < 2)
            fail_msg("%s, %s: always the same verdict", claim->document, claim->claim);
    }
}

TEST(test_rows_are_complete)
{
    assert_true(ledger.count >= 34);
    for (size_t i = 0; i < ledger.count; ++i) {
        const Claim *claim = &ledger.claims[i];
        size_t       measured = 0;
        for (size_t k = 0; k < claim->formula_count; ++k)
            measured += claim->formulas[k].role == CLAIM_MEASURE;
        assert_true(strlen(claim->document) > 0 && measured > 0);
        assert_true(strlen(claim->place) > 0 && strlen(claim->run) > 0 && strlen(claim->rule) > 0);
        assert_true(strlen(claim->claim) > 0 && claim->claim[strlen(claim->claim) - 1] == '.');
        for (size_t k = 0; k < i; ++k)
            if (strcmp(ledger.claims[k].claim, claim->claim) == 0 &&
                strcmp(ledger.claims[k].place, claim->place) == 0 && strcmp(ledger.claims[k].rule, claim->rule) == 0)
                fail_msg("twice: %s, %s", claim->place, claim->claim);
    }
}
