// test_derivatives -- what formulas are derived to, and how formulas and their derivatives are written.
#include "expression/statements.h"

#include "support/formula_bench.h"

// A formula at random, smooth around `formula_bench_here`.
static void add_random(uint64_t *seed, int depth, char *text, size_t room)
{
    static const char *const unary[] = {"sin(",
                                        "cos(",
                                        "atan(",
                                        "tanh(",
                                        "exp(0.1*",
                                        "sqrt(9 + ",
                                        "log(8 + ",
                                        "cbrt(7 + ",
                                        "sinh(0.2*",
                                        "cosh(0.2*",
                                        "expm1(0.1*",
                                        "log1p(5 + ",
                                        "tan(0.05*",
                                        "asin(0.05*",
                                        "acos(0.05*",
                                        "abs(8 + ",
                                        "(-(",
                                        "((2 + ",
                                        "sign(",
                                        "floor(0.3 + 0*",
                                        "if(x < w and t < 1, 2*x, ",
                                        "if(x > w or not t < 1, x^2, "};
    static const char *const binary[] = {" + ", " - ", "*", "/(9 + ", "^2*", "^3 - ", ", "};
    char                     left[2048], right[2048];
    if (depth == 0 || formula_bench_random(seed) % 6 == 0) {
        if (formula_bench_random(seed) % 4 == 0)
            snprintf(text, room, "%.2f", (double)(formula_bench_random(seed) % 300) / 100.0);
        else
            snprintf(text, room, "%s", formula_bench_leaves[formula_bench_random(seed) % BENCH_LEAVES].name);
        return;
    }
    add_random(seed, depth - 1, left, sizeof left);
    add_random(seed, depth - 1, right, sizeof right);
    const size_t kind = formula_bench_random(seed) % 10;
    if (kind < 4) {
        const char *head = unary[formula_bench_random(seed) % (sizeof unary / sizeof *unary)];
        snprintf(text, room, "%s%.900s%s", head, left, head[0] == '(' ? "))" : ")");
    } else if (kind < 5) {
        static const char *const calls[] = {"atan2(9 + ", "hypot(3 + ", "max(", "min(", "fmod(40 + ", "pow(9 + "};
        snprintf(text, room, "%s%.900s, %s%.900s)", calls[formula_bench_random(seed) % 6], left, "2.5 + 0.1*", right);
    } else {
        const size_t which = formula_bench_random(seed) % 6;
        snprintf(text, room, "(%.900s)%s(%.900s)%s", left, binary[which], right, which == 3 ? ")" : "");
    }
}

// Against differences of order 8. Formulas that jump or bend near `formula_bench_here`, or grow past all bounds, are
// passed over; of 4000 most are not.
TEST(derivatives_are_those_of_differences)
{
    static const long double weights[] = {4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
    uint64_t                 seed = 20;
    size_t                   compared = 0;
    for (int i = 0; i < 4000; ++i) {
        char        text[4096];
        size_t      where;
        const char *why;
        BENCH(bench);
        add_random(&seed, 4, text, sizeof text);
        const Node *node = expression_read(&bench.table, text, &where, &why);
        for (size_t leaf = 0; node && leaf < BENCH_LEAVES; ++leaf) {
            if (formula_bench_leaves[leaf].kind == NODE_PARAMETER)
                continue;
            const Node *derivative =
                formula_bench_derive(&bench, node, formula_bench_leaves[leaf].kind, formula_bench_leaves[leaf].index);
            assert_non_null(derivative);
            long double differences[2] = {0.0L, 0.0L}, size = fabsl(formula_bench_value(node, formula_bench_here));
            for (int scale = 0; scale < 2; ++scale)
                for (int k = 1; k <= 4; ++k) {
                    const long double reach = (scale ? 1e-2L : 2e-2L) * (long double)k;
                    long double       up[BENCH_LEAVES], down[BENCH_LEAVES];
                    memcpy(up, formula_bench_here, sizeof formula_bench_here);
                    memcpy(down, formula_bench_here, sizeof formula_bench_here);
                    up[leaf] += reach;
                    down[leaf] -= reach;
                    const long double a = formula_bench_value(node, up), b = formula_bench_value(node, down);
                    size = fmaxl(size, fmaxl(fabsl(a), fabsl(b)));
                    differences[scale] += weights[k - 1] * (a - b) / (scale ? 1e-2L : 2e-2L);
                }
            // Two reaches that agree have met neither a jump nor a bend.
            if (!(fabsl(differences[0] - differences[1]) <= 1e-8L * (fabsl(differences[1]) + size)) || size > 1e10L)
                continue;
            ++compared;
            const long double value = formula_bench_value(derivative, formula_bench_here);
            if (!(fabsl(value - differences[1]) <= 1e-7L * (fabsl(differences[1]) + size)))
                fail_msg("'%s' by %s: %.12Lg, by differences %.12Lg", text, formula_bench_leaves[leaf].name, value,
                         differences[1]);
        }
    }
    assert_true(compared > 10000);
}

// Of every function by every argument, against differences of order 8.
TEST(every_function_has_its_derivative)
{
    enum { PLACES = 4 };
    static const long double weights[] = {4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280}, reach = 1e-3L;
    static const long double places[PLACES][2] = {{0.7L, 0.25L}, {0.2L, 0.9L}, {0.65L, 0.6L}, {-0.35L, 0.4L}};
    for (int i = 0; i < 2 * PLACES * FUNCTION_COUNT; ++i) {
        const KernelFunction *row = &functions_table[i / PLACES / 2];
        const size_t          by = (size_t)(i / PLACES % 2);
        const long double    *place = places[i % PLACES];
        if (by >= row->arguments)
            continue;
        BENCH(bench);
        const char *text =
            arena_format(&bench.arena, &bench.err, row->arguments == 2 ? "%s(x, y)" : "%s(x)", row->name);
        const Node *node = formula_bench_read(&bench, text),
                   *derivative = formula_bench_derive(&bench, node, NODE_COORDINATE, by);
        assert_non_null(derivative);
        long double       at[BENCH_LEAVES] = {place[0], place[1]}, difference = 0.0L;
        const long double value = formula_bench_value(derivative, at);
        for (int k = -4; k <= 4; ++k) {
            at[by] = place[by] + reach * (long double)k;
            difference +=
                k == 0 ? 0.0L : (k < 0 ? -1 : 1) * weights[abs(k) - 1] * formula_bench_value(node, at) / reach;
        }
        if (!isnan(difference) && !(fabsl(value - difference) <= 1e-13L * (1.0L + fabsl(difference))))
            fail_msg("'%s' by %s: %.15Lg, by differences %.15Lg", text, formula_bench_leaves[by].name, value,
                     difference);
    }
}

// That of the side which is taken.
TEST(choices_have_the_derivative_of_their_side)
{
    static const struct {
        const char *formula;
        double      slope;
    } cases[] = {{"if(x < 1, 3*x, 5*x)", 3.0},
                 {"if(x > 1, 3*x, 5*x)", 5.0},
                 {"if(y < 1, x*if(x < 0, 1, 4), 0)", 4.0},
                 {"if(sin(x) < w*x, 2*x, x)", 2.0},
                 {"if(x < 1, 7, 8)", 0.0},
                 {"max(2*x, -x)", 2.0},
                 {"min(2*x, -x)", -1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        BENCH(bench);
        const Node *derivative =
            formula_bench_derive(&bench, formula_bench_read(&bench, cases[i].formula), NODE_COORDINATE, 0);
        if (!(formula_bench_value(derivative, formula_bench_here) == cases[i].slope))
            fail_msg("'%s' has the slope %Lg, not %g", cases[i].formula,
                     formula_bench_value(derivative, formula_bench_here), cases[i].slope);
    }
}

static void statements_are(FormulaBench *bench, const char *formula, const char *wanted)
{
    Text      text SCOPED(text_free) = {0};
    Statement statement = {"a = ", formula_bench_read(bench, formula)};
    assert_true(statements_write(&bench->table, &statement, 1, &text));
    assert_string_equal(text.text, wanted);
}

TEST(simple_derivatives_are_simple)
{
    static const struct {
        const char *formula;
        double      slope;
    } cases[] = {{"x/4", 0.25}, {"x^1", 1.0}, {"3*x", 3.0}, {"y - x", -1.0}, {"x - x", 0.0}, {"w", 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        BENCH(bench);
        assert_true(expression_is(
            formula_bench_derive(&bench, formula_bench_read(&bench, cases[i].formula), NODE_COORDINATE, 0),
            cases[i].slope));
    }
}

// Of so many terms some stand in the same bucket of the table.
TEST(different_terms_stay_different)
{
    BENCH(bench);
    for (size_t i = 0; i < 1000; ++i) {
        const Node *leaf = expression_leaf(&bench.table, NODE_PARAMETER, i);
        assert_int_equal(leaf->index, i);
        for (int function = 0; function < FUNCTION_COUNT; ++function) {
            const Node *right = expression_arguments(function) == 2 ? leaf : NULL;
            const Node *call = expression_call(&bench.table, function, leaf, right);
            assert_int_equal(call->function, function);
            assert_ptr_equal(call->left, leaf);
            assert_ptr_equal(call, expression_call(&bench.table, function, leaf, right));
        }
    }
}

TEST(formulas_are_written_as_they_round)
{
    const struct {
        const char *formula, *text;
    } cases[] = {
        {"-w^2*x - 2*w*v_x", "    a = -(p->w * p->w) * x[0] - 2.0 * p->w * v[0];\n"},
        {"x - (y - t)", "    a = x[0] - (x[1] - t);\n"},
        {"x + (y + t)", "    a = x[0] + (x[1] + t);\n"},
        {"x/(y*t)", "    a = x[0] / (x[1] * t);\n"},
        {"x*(-y)", "    a = x[0] * (-x[1]);\n"},
        {"x^3", "    a = x[0] * x[0] * x[0];\n"},
        {"x^4", "    const real s1 = x[0] * x[0];\n    a = s1 * s1;\n"},
        {"x^-2", "    a = 1.0 / (x[0] * x[0]);\n"},
        {"x^-1", "    a = 1.0 / x[0];\n"},
        {"x^0.5", "    a = real_sqrt(x[0]);\n"},
        {"x^w", "    a = real_pow(x[0], p->w);\n"},
        {"x^2.5", "    a = real_pow(x[0], 2.5);\n"},
        {"sin(x)*sin(x)", "    const real s1 = real_sin(x[0]);\n    a = s1 * s1;\n"},
        {"2*sin(x*y) + cos(x*y)", "    const real s1 = x[0] * x[1];\n    a = 2.0 * real_sin(s1) + real_cos(s1);\n"},
        {"0.1*x", "    a = 0.1 * x[0];\n"},
        {"0.30000000000000004*x", "    a = 0.30000000000000004 * x[0];\n"},
        {"1e-30*x + 1e30", "    a = 1e-30 * x[0] + 1e+30;\n"},
        {"2*3", "    a = (real)(2.0 * 3.0);\n"},
        {"if(x < y, -x, x + 1)", "    a = choose(x[0] < x[1], -x[0], x[0] + 1.0);\n"},
        {"2*if(x + 1 <= 2*y, 1, 2)", "    a = 2.0 * choose(x[0] + 1.0 <= 2.0 * x[1], 1.0, 2.0);\n"},
        {"if(x > y and t >= w or not x > 1, 1, 2)",
         "    a = choose(((x[0] > x[1]) & (t >= p->w)) | !(x[0] > 1.0), 1.0, 2.0);\n"},
        {"if(x > y, 1, 2) + if(not x > y, x, t)",
         "    const mask s1 = x[0] > x[1];\n    a = choose(s1, 1.0, 2.0) + choose(!s1, x[0], t);\n"},
        {"if(1 < 2, 3, 4)", "    a = (real)(choose((real)(1.0) < 2.0, 3.0, 4.0));\n"},
        {"x*if(1 < w, 3, 4)", "    a = x[0] * choose(1.0 < p->w, 3.0, 4.0);\n"},
        {"0", "    a = ZERO;\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        BENCH(bench);
        statements_are(&bench, cases[i].formula, cases[i].text);
    }
}

// A product of n factors that are products of n factors, and so on, has few different parts: it is derived and written
// in a moment.
TEST(shared_parts_cost_nothing)
{
    BENCH(bench);
    const Node *node = formula_bench_read(&bench, "x + t");
    for (int i = 0; i < 500; ++i)
        node = expression_make(&bench.table, NODE_MULTIPLY, node, node);
    const Node *derivative = formula_bench_derive(&bench, node, NODE_TIME, 0);
    assert_non_null(derivative);
    Text      text SCOPED(text_free) = {0};
    Statement statements[] = {{"a = ", node}, {"b = ", derivative}};
    assert_true(statements_write(&bench.table, statements, 2, &text));
    assert_true(text.length < 100000);
    for (int i = 0; i < EXPRESSION_DEEPEST && node; ++i)
        node = expression_make(&bench.table, NODE_NEGATE, node, NULL);
    assert_null(node);
    assert_non_null(strstr(bench.err.message, "too long"));
}

// Of more than twelve calls each function has a block, those first for which others wait.
TEST(many_calls_stand_in_blocks)
{
    for (int terms = 6; terms <= 7; ++terms) {
        BENCH(bench);
        Text formula SCOPED(text_free) = {0}, text SCOPED(text_free) = {0};
        text_add(&formula, "0");
        for (int i = 0; i < terms; ++i)
            text_add(&formula, " + sin(exp(x + %d))", i);
        assert_true(
            statements_write(&bench.table, &(Statement){"a = ", formula_bench_read(&bench, formula.text)}, 1, &text));
        const char *inner = strstr(text.text, "CALLS(real_exp, calls, 7);");
        assert_int_equal(inner != NULL, terms == 7);
        assert_int_equal(strstr(text.text, "CALLS") != NULL, terms == 7);
        assert_int_equal(inner && strstr(inner, "CALLS(real_sin, calls, 7);"), terms == 7);
    }
}

// Many calls in parts that are used again and again are found in a moment too.
TEST(shared_calls_cost_nothing)
{
    BENCH(bench);
    Text        text SCOPED(text_free) = {0};
    const Node *node = formula_bench_read(&bench, "x + t");
    for (int i = 0; i < 100; ++i)
        node =
            expression_call(&bench.table, FUNCTION_SIN, expression_make(&bench.table, NODE_MULTIPLY, node, node), NULL);
    assert_true(statements_write(&bench.table, &(Statement){"a = ", node}, 1, &text));
    assert_true(text.length < 20000);
}
