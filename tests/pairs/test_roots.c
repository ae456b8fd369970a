// test_roots -- every root of functions whose roots are known, all targets together, in few rounds.
#include "analysis/pairs/roots.h"

#include "support/test.h"

typedef struct Case {
    double (*f)(double q);
    size_t calls, places;
    bool   broken;
} Case;

static bool compute(void *user, const double *q, size_t count, double *values, Error *error)
{
    Case *c = user;
    ++c->calls;
    c->places += count;
    if (c->broken && c->calls > 2)
        return (fail)(error, ERROR_DEVICE, "lost");  // in brackets: cmocka has a macro of that name
    for (size_t i = 0; i < count; ++i)
        values[i] = c->f(q[i]);
    return true;
}

static Case case_of(double (*f)(double q))
{
    return (Case){.f = f};
}

static RootSearch search_of(Case *c, double least, double most)
{
    return (RootSearch){.function = compute, .user = c, .least = least, .most = most, .grid = 33, .noise = 1e-15};
}

// Functions of q that are one formula.
#define FUNCTION(name, formula)  \
    static double name(double q) \
    {                            \
        return formula;          \
    }

FUNCTION(cubic, (q - 0.1) * (q - 0.5) * (q - 0.95))
FUNCTION(waves, sin(20.0 * q))
FUNCTION(square, (q - 0.37) * (q - 0.37))
FUNCTION(kink, 0.5 + 1.5 * fabs(q - 1.0 / 3.0))
FUNCTION(steep, 1e-12 * pow(q, 4.0))
FUNCTION(gap, q > 0.3 && q < 0.4 ? (double)NAN : q)
FUNCTION(pole, 1.0 / (q - 0.123456))
FUNCTION(flat, 0.0 * q)

static void expect_roots(Case c, double target, const double *roots, size_t count, double close)
{
    RootSearch search = search_of(&c, 0.0, 1.0);
    Roots      answer;
    assert_true(roots_find(&search, &target, 1, &arena, &answer, &err));
    assert_int_equal(answer.count, count);
    for (size_t i = 0; i < count; ++i) {
        const Root *root = &answer.roots[i];
        if (!(fabs(root->at - roots[i]) <= close))
            fail_msg("%.17g, not %.17g", root->at, roots[i]);
        assert_true(root->low <= root->at && root->at <= root->high);
        assert_true(root->value == c.f(root->at));
    }
}

TEST(finds_all_roots)
{
    expect_roots(case_of(cubic), 0.0, (const double[]){0.1, 0.5, 0.95}, 3, 1e-15);
    expect_roots(case_of(cubic), 1.0, NULL, 0, 0.0);
    expect_roots(case_of(waves), 0.0,
                 (const double[]){0.0, M_PI / 20, M_PI / 10, 3 * M_PI / 20, M_PI / 5, M_PI / 4, 3 * M_PI / 10}, 7,
                 1e-15);
    expect_roots(case_of(steep), 1e-16, (const double[]){0.1}, 1, 1e-10);
    expect_roots(case_of(flat), 0.0, (const double[]){0.0}, 1, 0.0);
    expect_roots(case_of(flat), 1.0, NULL, 0, 0.0);
}

// Two roots between neighbours of the grid, and one where they meet.
TEST(finds_roots_by_an_extremum)
{
    expect_roots(case_of(square), 1e-6, (const double[]){0.369, 0.371}, 2, 1e-13);
    expect_roots(case_of(square), 0.0, (const double[]){0.37}, 1, 1e-7);
    expect_roots(case_of(kink), 0.5, (const double[]){1.0 / 3.0}, 1, 1e-15);
    expect_roots(case_of(square), -1e-9, NULL, 0, 0.0);
}

// No root where the function jumps or is not defined.
TEST(does_not_find_gaps)
{
    expect_roots(case_of(gap), 0.2, (const double[]){0.2}, 1, 1e-15);
    expect_roots(case_of(gap), 0.35, NULL, 0, 0.0);
    Case         c = case_of(pole);
    RootSearch   search = search_of(&c, 0.0, 1.0);
    const double target = 0.0;
    Roots        answer;
    assert_true(roots_find(&search, &target, 1, &arena, &answer, &err));
    // A pole looks like a crossing; its value shows that it is not one.
    for (size_t i = 0; i < answer.count; ++i)
        assert_true(fabs(answer.roots[i].value) > 1e10);
}

// A call is a launch: a thousand targets take hardly more of them than one.
TEST(takes_few_rounds)
{
    enum { COUNT = 1000 };
    static double targets[COUNT];
    static Roots  answers[COUNT];
    Case          c = case_of(steep);
    RootSearch    search = search_of(&c, 0.0, 1.0);
    search.noise = 0.0;
    search.tolerance = 1e-10;
    for (int i = 0; i < COUNT; ++i)
        targets[i] = 1e-12 * pow((i + 0.5) / COUNT, 4.0);
    assert_true(roots_find(&search, targets, COUNT, &arena, answers, &err));
    for (int i = 0; i < COUNT; ++i) {
        assert_int_equal(answers[i].count, 1);
        assert_true(fabs(answers[i].roots[0].at - (i + 0.5) / COUNT) < 1e-9);
    }
    assert_true(search.lowest == 0.0 && search.highest == 1e-12);
    print_message("%zu calls, %zu places\n", c.calls, c.places);
    assert_true(c.calls <= 25 && c.places <= 12 * COUNT);
}

TEST(passes_errors_on)
{
    Case         c = {.f = cubic, .broken = true};
    RootSearch   search = search_of(&c, 0.0, 1.0);
    const double target = 0.0;
    Roots        answer;
    assert_refused(roots_find(&search, &target, 1, &arena, &answer, &err), ERROR_DEVICE, "");
}
