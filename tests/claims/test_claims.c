// test_claims -- verdicts of the ledger are made of numbers: other numbers must give other verdicts. Nothing is
// measured.
#include "analysis/claims/claims.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The only row whose place and claim contain these words.
static const Claim *find_claim(const char *place, const char *words)
{
    const Claim *found = NULL;
    for (size_t t = 0; t < claim_table_count; ++t)
        for (size_t i = 0; i < claim_tables[t]->count; ++i) {
            const Claim *claim = &claim_tables[t]->claims[i];
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

static Verdict verdict_of(const Claim *claim, const double *numbers)
{
    Finding finding = {0};
    claim->judge(claim, numbers, &finding);
    assert_false(finding.measured.failed || finding.condition.failed);
    const Verdict verdict = finding.verdict;
    assert_true((finding.condition.text != NULL) == (verdict == VERDICT_ONLY_IF));
    assert_true(finding.measured.length > 0);
    finding_free(&finding);
    return verdict;
}

static void assert_verdict(const char *place, const char *words, const double *numbers, Verdict expected)
{
    const Claim  *claim = find_claim(place, words);
    const Verdict verdict = verdict_of(claim, numbers);
    if (verdict != expected)
        fail_msg("%s, %s: %s, not %s", place, claim->claim, verdict_names[verdict], verdict_names[expected]);
}

static void fill(double *numbers, double value)
{
    for (size_t i = 0; i < CLAIM_NUMBERS; ++i)
        numbers[i] = value;
}

static void test_settings(void **state)
{
    static const char *const names[] = {"1", "2", "3"};
    Finding                  finding = {0};
    (void)state;
    finding_settings(&finding, "it is ", (const bool[]){true, true, true}, names, 3);
    assert_int_equal(finding.verdict, VERDICT_REPRODUCED);
    finding_settings(&finding, "it is ", (const bool[]){true, false, true}, names, 3);
    assert_int_equal(finding.verdict, VERDICT_ONLY_IF);
    assert_string_equal(finding.condition.text, "it is 1 or 3");
    finding_settings(&finding, "it is ", (const bool[]){false, true, false}, names, 3);
    assert_string_equal(finding.condition.text, "it is 2");
    finding_settings(&finding, "it is ", (const bool[]){false, false, false}, names, 3);
    assert_int_equal(finding.verdict, VERDICT_NOT_REPRODUCED);
    assert_null(finding.condition.text);
    finding_only_if(&finding, "%d is %s", 3, "odd");
    assert_string_equal(finding.condition.text, "3 is odd");
    finding_judge(&finding, true);
    assert_null(finding.condition.text);
    finding_free(&finding);
}

// Counts of problem 2 over its twenty settings of step and tolerance.
static void test_counts(void **state)
{
    double n[CLAIM_NUMBERS];
    (void)state;
    fill(n, 50001);
    assert_verdict("table 1, problem 2, x0 = 1", "50001", n, VERDICT_REPRODUCED);
    for (int i = 0; i < 11; ++i)
        n[i] = 50002;
    assert_verdict("table 1, problem 2, x0 = 1", "50001", n, VERDICT_ONLY_IF);
    fill(n, 50002);
    assert_verdict("table 1, problem 2, x0 = 1", "50001", n, VERDICT_NOT_REPRODUCED);
    fill(n, 50001);
    n[12] = 69994;
    assert_verdict("table 2, problem 2, x0 = 1", "69295", n, VERDICT_ONLY_IF);
    n[12] = 71000;
    assert_verdict("table 2, problem 2, x0 = 1", "69295", n, VERDICT_NOT_REPRODUCED);

    fill(n, 1303);
    assert_verdict("table 1, problem 3, eps = 1e-2", "1302", n, VERDICT_REPRODUCED);
    fill(n, 1320);
    assert_verdict("table 1, problem 3, eps = 1e-2", "1302", n, VERDICT_NOT_REPRODUCED);
    fill(n, 2243);
    assert_verdict("table 1, problem 3, eps = 1e-3", "2243", n, VERDICT_REPRODUCED);
    n[12] = 1304;  // at tolerance 1e-6
    n[13] = 1891;  // and at 1e-8: what is left is the rounding floor
    assert_verdict("table 1, problem 3, eps = 1e-3", "2243", n, VERDICT_ONLY_IF);
    fill(n, 1304);
    assert_verdict("table 1, problem 3, eps = 1e-3", "2243", n, VERDICT_NOT_REPRODUCED);
}

// Seven tolerances: how generalized_alpha ends, how theta2, and both counts.
static void test_endless(void **state)
{
    static const char *const place = "section 3.3.1";
    double                   n[CLAIM_NUMBERS];
    (void)state;
    fill(n, STATUS_OK);
    assert_verdict(place, "without end", n, VERDICT_NOT_REPRODUCED);
    n[2] = STATUS_BUDGET_EXCEEDED;
    assert_verdict(place, "without end", n, VERDICT_ONLY_IF);
    n[7 + 2] = STATUS_BUDGET_EXCEEDED;
    assert_verdict(place, "without end", n, VERDICT_NOT_REPRODUCED);
    for (int i = 0; i < 7; ++i) {
        n[i] = STATUS_DEPTH_EXCEEDED;
        n[7 + i] = STATUS_OK;
    }
    assert_verdict(place, "without end", n, VERDICT_REPRODUCED);
}

static void test_stiff(void **state)
{
    double n[CLAIM_NUMBERS];
    (void)state;
    fill(n, 700);
    assert_verdict("section 3.3 and figure 5", "6e4", n, VERDICT_NOT_REPRODUCED);
    n[1] = 6e4;
    assert_verdict("section 3.3 and figure 5", "6e4", n, VERDICT_REPRODUCED);
    n[1] = 7e5;
    assert_verdict("section 3.3 and figure 5", "6e4", n, VERDICT_NOT_REPRODUCED);
    fill(n, 1e-3);
    assert_verdict("section 3.3 and figure 4", "+-6", n, VERDICT_NOT_REPRODUCED);
    n[1] = 5.5;
    assert_verdict("section 3.3 and figure 4", "+-6", n, VERDICT_REPRODUCED);
    // Runs that only one of both methods gets right.
    n[0] = 1;
    n[1] = 18;
    n[2] = 117;
    assert_verdict("section 5", "never fails", n, VERDICT_NOT_REPRODUCED);
    n[0] = 0;
    assert_verdict("section 5", "never fails", n, VERDICT_REPRODUCED);
    n[2] = 0;
    assert_verdict("section 5", "never fails", n, VERDICT_NOT_REPRODUCED);
    // The drift of energy as printed, and with the right equation.
    n[0] = 0.5;
    n[1] = 1e-10;
    assert_verdict("eq. 15", "energy", n, VERDICT_NOT_REPRODUCED);
    n[0] = 1e-10;
    assert_verdict("eq. 15", "energy", n, VERDICT_REPRODUCED);
    n[0] = (double)NAN;
    assert_verdict("eq. 15", "energy", n, VERDICT_NOT_REPRODUCED);
}

static void test_damping(void **state)
{
    double n[CLAIM_NUMBERS];
    (void)state;
    fill(n, 0.8);
    assert_verdict("figure 2", "omega = 10", n, VERDICT_NOT_REPRODUCED);
    n[4] = 2.5;
    assert_verdict("figure 2", "omega = 10", n, VERDICT_ONLY_IF);
    fill(n, 2.5);
    assert_verdict("figure 2", "omega = 10", n, VERDICT_REPRODUCED);
    fill(n, 1.0);
    assert_verdict("section 3, pair (0.6, 0.07)", "alike", n, VERDICT_REPRODUCED);
    n[1] = 0.8;
    assert_verdict("section 3, pair (0.6, 0.07)", "alike", n, VERDICT_ONLY_IF);
    n[1] = 0.6;
    assert_verdict("section 3, pair (0.6, 0.07)", "alike", n, VERDICT_NOT_REPRODUCED);
    // Radii at infinity for rho_inf 0.6, 0.3, 0.2, 0.15, and where the closed forms cross.
    const double radii[] = {0.2192, 0.6, 0.3, 0.2, 0.15, 0.89, 0.39, 0.18, 0.07};
    memcpy(n, radii, sizeof radii);
    assert_verdict("abstract and section 3.1", "high frequencies", n, VERDICT_ONLY_IF);
    n[0] = 0.25;
    assert_verdict("abstract and section 3.1", "high frequencies", n, VERDICT_ONLY_IF);
    // A crossing that the kernels do not have is no condition.
    n[0] = 0.1;
    assert_verdict("abstract and section 3.1", "high frequencies", n, VERDICT_NOT_REPRODUCED);
    n[5] = n[6] = 0.1;
    assert_verdict("abstract and section 3.1", "high frequencies", n, VERDICT_REPRODUCED);
}

static void test_other_documents(void **state)
{
    double n[CLAIM_NUMBERS];
    (void)state;
    fill(n, 1.0);
    assert_verdict("section 4.3, figure 4, half-implicit Euler", "unconditionally", n, VERDICT_REPRODUCED);
    n[1] = 1e8;
    assert_verdict("section 4.3, figure 4, half-implicit Euler", "unconditionally", n, VERDICT_NOT_REPRODUCED);
    n[1] = (double)NAN;
    assert_verdict("section 4.3, figure 4, half-implicit Euler", "unconditionally", n, VERDICT_NOT_REPRODUCED);
    n[0] = 0.4472;
    n[1] = 0.4407;
    assert_verdict("section 4.3, figure 4, explicit Euler", "smallest", n, VERDICT_ONLY_IF);
    n[0] = n[1] = (double)INFINITY;
    assert_verdict("section 4.3, figure 4, explicit Euler", "smallest", n, VERDICT_REPRODUCED);
    n[0] = 1.998;
    n[1] = 0.9937;
    assert_verdict("eq. 22", "2 - Omega^2", n, VERDICT_NOT_REPRODUCED);
    n[0] = n[1];
    assert_verdict("eq. 22", "2 - Omega^2", n, VERDICT_REPRODUCED);
    n[0] = n[1] = 2.0;
    assert_verdict("Newmark algorithm", "higher order", n, VERDICT_REPRODUCED);
    n[1] = 0.98;
    assert_verdict("Newmark algorithm", "higher order", n, VERDICT_ONLY_IF);
    n[0] = 1.0;
    assert_verdict("Newmark algorithm", "higher order", n, VERDICT_NOT_REPRODUCED);
    n[0] = 4.4e-5;
    n[1] = 1e-16;
    assert_verdict("title", "midpoint", n, VERDICT_NOT_REPRODUCED);
    n[0] = 1e-16;
    assert_verdict("title", "midpoint", n, VERDICT_REPRODUCED);
}

// Numbers to judge: each drawn, all the same, or falling; drawn from a few that mean something to many rows, those
// stated in the row among them.
static void draw_numbers(const Claim *claim, int draw, uint64_t *random, double *numbers)
{
    static const double palette[] = {0.0, 1.0,  2.0,  4.0,   1.5,   0.5,  -1.0, 0.9,        0.1,
                                     1e4, 1e-3, 1e-9, 1e-17, 128.0, 0.01, 0.2,  (double)NAN};
    enum { PALETTE = sizeof palette / sizeof *palette };
    for (size_t k = 0; k < CLAIM_NUMBERS; ++k) {
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        const size_t which = (size_t)(*random >> 40) % (PALETTE + CLAIM_GIVEN);
        numbers[k] = which < PALETTE ? palette[which] : claim->given[which - PALETTE];
        if (draw % 3 == 1)
            numbers[k] = numbers[0];
        if (draw % 3 == 2)
            numbers[k] = (double)(CLAIM_NUMBERS - k);
    }
}

// Every row must come to at least two verdicts.
static void test_every_verdict_is_computed(void **state)
{
    enum { DRAWS = 200000 };
    (void)state;
    for (size_t t = 0; t < claim_table_count; ++t)
        for (size_t i = 0; i < claim_tables[t]->count; ++i) {
            const Claim *claim = &claim_tables[t]->claims[i];
            uint64_t     random = 1;
            bool         seen[VERDICT_COUNT] = {false};
            for (int draw = 0; draw < DRAWS && seen[0] + seen[1] + seen[2] < 2; ++draw) {
                double numbers[CLAIM_NUMBERS];
                draw_numbers(claim, draw, &random, numbers);
                seen[verdict_of(claim, numbers)] = true;
            }
            if (seen[0] + seen[1] + seen[2] < 2)
                fail_msg("%s, %s: always the same verdict", claim_tables[t]->document, claim->claim);
        }
}

static void test_rows_are_complete(void **state)
{
    const Claim *all[1024];
    size_t       count = 0;
    (void)state;
    assert_true(claims_count() >= 34 && claims_count() <= sizeof all / sizeof *all);
    for (size_t t = 0; t < claim_table_count; ++t) {
        assert_true(strlen(claim_tables[t]->document) > 0);
        for (size_t i = 0; i < claim_tables[t]->count; ++i) {
            const Claim *claim = &claim_tables[t]->claims[i];
            assert_true(claim->place && claim->claim && claim->run && claim->rule && claim->measure && claim->judge);
            assert_true(strlen(claim->place) > 0 && strlen(claim->run) > 0 && strlen(claim->rule) > 0);
            assert_true(strlen(claim->claim) > 0 && claim->claim[strlen(claim->claim) - 1] == '.');
            for (size_t k = 0; k < count; ++k)
                if (strcmp(all[k]->claim, claim->claim) == 0 && strcmp(all[k]->place, claim->place) == 0 &&
                    strcmp(all[k]->rule, claim->rule) == 0)
                    fail_msg("twice: %s, %s", claim->place, claim->claim);
            all[count++] = claim;
        }
    }
    assert_int_equal(count, claims_count());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_endless),
        cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_damping),
        cmocka_unit_test(test_other_documents),
        cmocka_unit_test(test_every_verdict_is_computed),
        cmocka_unit_test(test_rows_are_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
