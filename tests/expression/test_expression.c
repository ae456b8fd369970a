// test_expression -- formulas: what they mean, and what is refused.
#include "base/file.h"
#include "expression/evaluate.h"

#include "support/formula_bench.h"

TEST(formulas_mean_what_mathematics_says)
{
    const struct {
        const char *text;
        double      value;
    } cases[] = {
        {"1 + 2*3", 7},
        {"(1 + 2)*3", 9},
        {"7 - 2 - 3", 2},
        {"7 - (2 - 3)", 8},
        {"12/2/3", 2},
        {"12/(2*3)", 2},
        {"2^3^2", 512},
        {"(2^3)^2", 64},
        {"-2^2", -4},
        {"(-2)^2", 4},
        {"2^-1", 0.5},
        {"2*-3", -6},
        {"--3", 3},
        {"+3", 3},
        {"1e-3*.5", 5e-4},
        {"2.e1", 20},
        {" 1\n+\t2 ", 3},
        {"max(1, min(5, 3))", 3},
        {"atan2(0, -1) - pi", 0},
        {"pow(2, 10)", 1024},
        {"fmod(-7, 3)", -1},
        {"sign(-3) + floor(-0.5)", -2},
        {"hypot(3, 4)", 5},
        {"cbrt(-27)", -3},
        {"x", 0.7},
        {"y*v_x", -0.52},
        {"w^2*t", 5.625},
        {"2e1", 20},
        {"if(1 < 2, 3, 4)", 3},
        {"if(2 < 1, 3, 4)", 4},
        {"if(2 < 2, 3, 4) + if(2 <= 2, 10, 20)", 14},
        {"if(2 > 2, 3, 4) + if(2 >= 2, 10, 20)", 14},
        {"if(1 + 1 < 1 + 2, 3, 4)", 3},
        {"if(1<2 and 2<1 or 1<2, 3, 4)", 3},
        {"if(1 < 2 or 1 < 2 and 2 < 1, 3, 4)", 3},
        {"if((1 < 2 or 1 < 2) and 2 < 1, 3, 4)", 4},
        {"if(not 2 < 1 and 1 < 2, 3, 4)", 3},
        {"if(not 2 < 1 and 2 < 1, 3, 4)", 4},
        {"if(not(2 < 1 or 1 < 2), 3, 4)", 4},
        {"if(not not 1 < 2, 3, 4)", 3},
        {"if(x < y, 1, if(x > 0.5, 2, 3))", 2},
        {"-if(1 < 2, 3, 4)^2", -9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        BENCH(bench);
        const Node  *node = formula_bench_read(&bench, cases[i].text);
        const double value = (double)formula_bench_value(node, formula_bench_here);
        if (!(fabs(value - cases[i].value) <= 1e-15 * fabs(cases[i].value)))
            fail_msg("'%s' is %.17g, not %.17g", cases[i].text, value, cases[i].value);
        if (!expression_uses(node, NODE_COORDINATE) && !expression_uses(node, NODE_PARAMETER))
            assert_true(fabs(expression_evaluate(node, 0.0, NULL, NULL) - value) <= 1e-15 * fabs(value));
    }
}

// No comparison with NaN holds; so `not` holds of it.
TEST(comparisons_with_not_a_number_do_not_hold)
{
    static const char *const comparisons[] = {"0/0 < 1", "1 < 0/0", "0/0 <= 1", "1 <= 0/0",
                                              "0/0 > 1", "1 > 0/0", "0/0 >= 1", "1 >= 0/0"};
    for (size_t i = 0; i < 2 * sizeof comparisons / sizeof *comparisons; ++i) {
        BENCH(bench);
        const char *text =
            arena_format(&bench.arena, &bench.err, "if(%s%s, 3, 4)", i % 2 ? "not " : "", comparisons[i / 2]);
        assert_true(expression_evaluate(formula_bench_read(&bench, text), 0.0, NULL, NULL) == (i % 2 ? 3.0 : 4.0));
    }
}

// A name may stand for a condition where the table permits it.
TEST(conditions_have_names)
{
    size_t      where;
    const char *why;
    BENCH(bench);
    bench.table.words.conditions = true;
    assert_true(expression_name(&bench.table, "near", formula_bench_read(&bench, " x < 1 and y < x")));
    assert_true(expression_is_condition(expression_find(&bench.table, "near")));
    bench.table.words.conditions = false;
    assert_true(formula_bench_value(formula_bench_read(&bench, "if(near, 5, 6)"), formula_bench_here) == 5.0L);
    assert_null(expression_read(&bench.table, " near", &where, &why));
    assert_int_equal(where, 1);
    assert_string_equal(why, "a condition is not a number: choose by it, as in if(x > 0, 1, 2)");
}

// From tables of functions.
TEST(functions_have_their_values)
{
    static const struct {
        int    function;
        double a, b, value;
    } cases[] = {{FUNCTION_SIN, 0.5, 0, 0.479425538604203},
                 {FUNCTION_COS, 0.5, 0, 0.8775825618903728},
                 {FUNCTION_EXP, 1, 0, 2.718281828459045},
                 {FUNCTION_LOG, 10, 0, 2.302585092994046},
                 {FUNCTION_ATAN2, 1, -1, 2.356194490192345},
                 {FUNCTION_SQRT, 2, 0, 1.4142135623730951},
                 {FUNCTION_ABS, -3, 0, 3},
                 {FUNCTION_ABS, 3, 0, 3},
                 {FUNCTION_MAX, 1, 2, 2},
                 {FUNCTION_MAX, 2, 1, 2},
                 {FUNCTION_MIN, 1, 2, 1},
                 {FUNCTION_MIN, 2, 1, 1},
                 {FUNCTION_POW, 2, 0.5, 1.4142135623730951},
                 {FUNCTION_TAN, 0.5, 0, 0.5463024898437905},
                 {FUNCTION_TANH, 0.5, 0, 0.46211715726000975},
                 {FUNCTION_SINH, 0.5, 0, 0.5210953054937474},
                 {FUNCTION_COSH, 0.5, 0, 1.1276259652063807},
                 {FUNCTION_ASIN, 0.5, 0, 0.5235987755982989},
                 {FUNCTION_ACOS, 0.5, 0, 1.0471975511965979},
                 {FUNCTION_ATAN, 0.5, 0, 0.4636476090008061},
                 {FUNCTION_HYPOT, 3, 4, 5},
                 {FUNCTION_CBRT, -27, 0, -3},
                 {FUNCTION_LOG1P, 0.5, 0, 0.4054651081081644},
                 {FUNCTION_EXPM1, 0.5, 0, 0.6487212707001282},
                 {FUNCTION_FLOOR, -0.5, 0, -1},
                 {FUNCTION_FMOD, -7, 3, -1},
                 {FUNCTION_SIGN, -3, 0, -1},
                 {FUNCTION_SIGN, 3, 0, 1},
                 {FUNCTION_SIGN, 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const double value = evaluate_call(cases[i].function, cases[i].a, cases[i].b);
        const double wide = (double)evaluate_call_long(cases[i].function, cases[i].a, cases[i].b);
        if (!(fabs(value - cases[i].value) <= 3e-16 * fabs(cases[i].value) &&
              fabs(wide - value) <= 3e-16 * fabs(value)))
            fail_msg("%s(%g, %g) is %.17g and %.17g, not %.17g", functions_table[cases[i].function].name, cases[i].a,
                     cases[i].b, value, wide, cases[i].value);
    }
    for (int k = 0; k < 2; ++k)
        for (int left = 0; left < 2; ++left) {
            const int    function = k ? FUNCTION_MAX : FUNCTION_MIN;
            const double a = left ? (double)NAN : 1.0, b = left ? 1.0 : (double)NAN;
            assert_true(isnan(evaluate_call(function, a, b)) && isnan(evaluate_call_long(function, a, b)));
        }
    assert_true(isnan(evaluate_call(FUNCTION_SIGN, (double)NAN, 0.0)));
}

static void read_page(const char *name, char **text)
{
    const char *path = arena_format(&arena, &err, "%s/%s", PENDULA_SOURCE_DIR, name);
    assert_fine(file_read(path, 1 << 20, &arena, text, NULL, &err));
}

// Kernels define a function where its row says; pages for users have its name and its bound.
TEST(functions_stand_where_their_rows_say)
{
    char *own, *real, *elementary, *words, *list;
    read_page("kernels/functions.h", &own);
    read_page("kernels/real.h", &real);
    read_page("kernels/elementary.h", &elementary);
    read_page("kernels/README.md", &words);
    read_page("docs/sweep-files.md", &list);
    list = strstr(list, "brackets, and ");
    assert_non_null(list);
    list[strcspn(list, ".")] = ',';
    list[strcspn(list, "\n")] = ' ';
    for (int i = 0; i < FUNCTION_COUNT; ++i) {
        const KernelFunction *row = &functions_table[i];
        const char           *definition = arena_format(&arena, &err, "real real_%s(real ", row->name);
        const bool            there = strstr(elementary, definition) != NULL,
                   common = strstr(own, definition) || strstr(real, definition);
        const char *bound = strstr(words, arena_format(&arena, &err, "`real_%s(", row->name));
        const char *name = strstr(list, arena_format(&arena, &err, " %s,", row->name));
        bound = bound ? strstr(bound, "| ") : NULL;
        if (there != row->elementary || common == row->elementary || !bound || strtod(bound + 2, NULL) != row->ulp ||
            !name)
            fail_msg("%s: not as its row of functions.def says in kernels/*.h or README.md there, or not in "
                     "docs/sweep-files.md",
                     row->name);
    }
}

TEST(what_is_wrong_is_said_where_it_is)
{
    char deep[151] = "", nots[601] = "";
    memset(deep, '(', sizeof deep - 1);
    for (size_t i = 0; i + 1 < sizeof nots; ++i)
        nots[i] = "not "[i % 4];
    const struct {
        const char *text;
        size_t      where;
        const char *why;
    } cases[] = {
        {"", 0, "expected a number, a name or '(' at the end"},
        {"x +", 3, "expected a number, a name or '(' at the end"},
        {"x + * y", 4, "expected a number, a name or '(', found '*'"},
        {"2x", 1, "expected an operator before 'x'; a product needs its *"},
        {"x y", 2, "expected an operator before 'y'; a product needs its *"},
        {"2 3", 2, "expected an operator before '3'"},
        {"(x", 2, "expected an operator or ')' at the end"},
        {"x)", 1, "expected an operator, found ')'"},
        {"sin x", 0, "sin is a function: write sin(...)"},
        {"sin(x, y)", 0, "sin takes 1 argument, not 2"},
        {"atan2(x)", 0, "atan2 takes 2 arguments, not 1"},
        {"max(x, y, t)", 0, "max takes 2 arguments, not 3"},
        {"sin()", 4, "expected a number, a name or '(', found ')'"},
        {"coss(x)", 0, "unknown function 'coss'; did you mean 'cos'?"},
        {"x(2)", 0, "unknown function 'x'"},
        {"v_y", 0, "unknown name 'v_y'; did you mean 'v_x'?"},
        {"x = 2", 2, "expected an operator, found '='"},
        {"x^", 2, "expected a number, a name or '(' at the end"},
        {"1..2", 2, "expected an operator, found '.'"},
        {".", 0, "'.' is not a number"},
        {"1e400", 0, "the number 1e400 is beyond the largest"},
        {"0x10", 1, "expected an operator before 'x10'"},
        {"x; y", 1, "expected an operator, found ';'"},
        {"x\xc2\xb2", 1, "expected an operator, found '\xc2\xb2'"},
        {"real_sin(x)", 0, "unknown function 'real_sin'"},
        {"inf", 0, "unknown name 'inf'"},
        {deep, 100, "nested more than 100 deep"},
        {nots, 403, "nested more than 100 deep"},
        {"x < y", 0, "a condition is not a number: choose by it, as in if(x > 0, 1, 2)"},
        {"1 + (x < y)", 4, "a condition is not a number"},
        {"(x < y) + 1", 0, "a condition is not a number"},
        {"2*-(x < y)", 3, "a condition is not a number"},
        {"+(x < y)", 1, "a condition is not a number"},
        {"2^(x < y)", 2, "a condition is not a number"},
        {"2*(x < y)^2", 2, "a condition is not a number"},
        {"(x < y)*2", 0, "a condition is not a number"},
        {"sin(x > y)", 4, "a condition is not a number"},
        {"if(x < (y < t), 1, 2)", 7, "a condition is not a number"},
        {"if(x < y, x < y, 2)", 10, "a condition is not a number"},
        {"if(x < y, 1, not x < y)", 13, "a condition is not a number"},
        {"if(x, 1, 2)", 3, "a number is not a condition: compare it, as in x > 0"},
        {"if(not x, 1, 2)", 7, "a number is not a condition"},
        {"if(x < y and t, 1, 2)", 13, "a number is not a condition"},
        {"if(x or x < y, 1, 2)", 3, "a number is not a condition"},
        {"if(0 < x < 1, 1, 2)", 3, "a comparison has two sides: join two of them, as in 0 < x and x < 1"},
        {"if(x == y, 1, 2)", 5,
         "expected an operator or ')', found '='; conditions are made by < <= > >= and or not: a = b is not (a < b or "
         "a > b)"},
        {"if(x < y && t > 1, 1, 2)", 9, "found '&'; conditions are made by"},
        {"if(x =< y, 1, 2)", 5, "found '='; conditions are made by"},
        {"if(x < y, 1)", 0, "if takes 3 arguments, not 2"},
        {"if x < y", 0, "expected a number, a name or '(' before 'if'; a choice is if(x > 0, 1, 2)"},
        {"x + not y", 4, "expected a number, a name or '(' before 'not'"},
        {"if(x < y andx > 1, 1, 2)", 9, "expected an operator or ')' before 'andx'"},
        {"if(notx < 1, 1, 2)", 3, "unknown name 'notx'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        size_t      where = 999;
        const char *why = NULL;
        BENCH(bench);
        assert_null(expression_read(&bench.table, cases[i].text, &where, &why));
        assert_non_null(why);
        if (where != cases[i].where || !strstr(why, cases[i].why))
            fail_msg("'%s' at %zu: '%s', not at %zu: '%s'", cases[i].text, where, why, cases[i].where, cases[i].why);
    }
}

// Texts with bytes changed, doubled and dropped: read or refused, with a place within the text.
TEST(damaged_formulas_are_refused_in_place)
{
    static const char alphabet[] = "+-*/^(),. xytw01e9sincopwmaxifdr<>=_\n\xc2";
    uint64_t          seed = 7;
    size_t            refused = 0;
    for (int i = 0; i < 20000; ++i) {
        char text[128] = "-w^2*sin(x)/(1.5e-3 + max(y, v_x)) - pow(t, 2)*if(x <= y or not t > 1, pi, 1)";
        BENCH(bench);
        for (uint64_t edits = 1 + formula_bench_random(&seed) % 6; edits > 0; --edits) {
            const size_t at = formula_bench_random(&seed) % strlen(text);
            if (formula_bench_random(&seed) % 3 == 0)
                memmove(text + at, text + at + 1, strlen(text + at));
            else
                text[at] = alphabet[formula_bench_random(&seed) % (sizeof alphabet - 1)];
            if (text[0] == '\0')
                break;
        }
        size_t      where = 0;
        const char *why = NULL;
        const Node *node = expression_read(&bench.table, text, &where, &why);
        if (!node) {
            ++refused;
            assert_non_null(why);
            assert_true(where <= strlen(text));
        } else {
            assert_non_null(formula_bench_derive(&bench, node, NODE_COORDINATE, 0));
        }
    }
    assert_true(refused > 5000 && refused < 20000);
}
