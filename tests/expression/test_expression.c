// test_expression -- formulas: what they mean, what they are derived to, how they are written, and what is refused.
#include "base/file.h"
#include "expression/evaluate.h"
#include "expression/statements.h"

#include "support/test.h"

enum { LEAVES = 5 };
static const char *const names[LEAVES] = {"x", "y", "v_x", "w", "t"};
static const NodeKind    kinds[LEAVES] = {NODE_COORDINATE, NODE_COORDINATE, NODE_VELOCITY, NODE_PARAMETER, NODE_TIME};
static const size_t      indices[LEAVES] = {0, 1, 0, 0, 0};
static const char       *parameters[] = {"w"};

typedef struct Bench {
    Arena       arena;
    Error       err;
    Expressions table;
} Bench;

static void open_bench(Bench *bench)
{
    memset(bench, 0, sizeof *bench);
    bench->table.arena = &bench->arena;
    bench->table.err = &bench->err;
    bench->table.parameters = parameters;
    for (size_t i = 0; i < LEAVES; ++i)
        assert_true(expression_name(&bench->table, names[i], expression_leaf(&bench->table, kinds[i], indices[i])));
    assert_true(expression_name(&bench->table, "pi", expression_leaf(&bench->table, NODE_PI, 0)));
}

static void close_bench(Bench *bench)
{
    arena_free(&bench->arena);
}

// A bench to the end of the block.
#define BENCH(bench)                 \
    Bench bench SCOPED(close_bench); \
    open_bench(&bench)

static const Node *read_formula(Bench *bench, const char *text)
{
    size_t      where;
    const char *why;
    const Node *node = expression_read(&bench->table, text, &where, &why);
    if (!node)
        fail_msg("'%s' at %zu: %s", text, where, why ? why : bench->err.message);
    return node;
}

static const Node *derive(Bench *bench, const Node *node, NodeKind kind, size_t index)
{
    Derivation derivation;
    assert_true(expression_derive_by(&bench->table, kind, index, &derivation));
    return expression_derive(&derivation, node);
}

// The value of a node, in the order in which kernels compute it.
static long double value_of(const Node *node, const long double at[LEAVES])
{
    const long double a = node->left ? value_of(node->left, at) : 0.0L;
    if (node->kind == NODE_CHOICE)
        return value_of(a != 0.0L ? node->right->left : node->right->right, at);
    const long double b = node->right ? value_of(node->right, at) : 0.0L;
    switch (node->kind) {
    case NODE_NUMBER: return node->number;
    case NODE_COORDINATE: return at[node->index];
    case NODE_VELOCITY: return at[2];
    case NODE_PARAMETER: return at[3];
    case NODE_TIME: return at[4];
    case NODE_PI: return acosl(-1.0L);
    case NODE_NEGATE: return -a;
    case NODE_ADD: return a + b;
    case NODE_SUBTRACT: return a - b;
    case NODE_MULTIPLY: return a * b;
    case NODE_DIVIDE: return a / b;
    case NODE_POWER: return powl(a, b);
    case NODE_LESS: return a < b;
    case NODE_AT_MOST: return a <= b;
    case NODE_GREATER: return a > b;
    case NODE_AT_LEAST: return a >= b;
    case NODE_AND: return a != 0.0L && b != 0.0L;
    case NODE_OR: return a != 0.0L || b != 0.0L;
    case NODE_NOT: return a == 0.0L;
    case NODE_ACCELERATION:
    case NODE_TABLE:
    case NODE_CHOICE:
    case NODE_PAIR: return 0.0L;
    case NODE_CALL: break;
    }
    return evaluate_call_long(node->function, a, b);
}

static const long double here[LEAVES] = {0.7L, -1.3L, 0.4L, 2.5L, 0.9L};

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
        const Node  *node = read_formula(&bench, cases[i].text);
        const double value = (double)value_of(node, here);
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
        assert_true(expression_evaluate(read_formula(&bench, text), 0.0, NULL, NULL) == (i % 2 ? 3.0 : 4.0));
    }
}

// A name may stand for a condition where the table permits it.
TEST(conditions_have_names)
{
    size_t      where;
    const char *why;
    BENCH(bench);
    bench.table.words.conditions = true;
    assert_true(expression_name(&bench.table, "near", read_formula(&bench, " x < 1 and y < x")));
    assert_true(expression_is_condition(expression_find(&bench.table, "near")));
    bench.table.words.conditions = false;
    assert_true(value_of(read_formula(&bench, "if(near, 5, 6)"), here) == 5.0L);
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
        {"if(x == y, 1, 2)", 5, "expected an operator or ')', found '='; conditions are made by < <= > >= and or not"},
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

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    return *seed ^= *seed << 17;
}

// A formula at random, smooth around `here`.
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
    if (depth == 0 || next(seed) % 6 == 0) {
        if (next(seed) % 4 == 0)
            snprintf(text, room, "%.2f", (double)(next(seed) % 300) / 100.0);
        else
            snprintf(text, room, "%s", names[next(seed) % LEAVES]);
        return;
    }
    add_random(seed, depth - 1, left, sizeof left);
    add_random(seed, depth - 1, right, sizeof right);
    const size_t kind = next(seed) % 10;
    if (kind < 4) {
        const char *head = unary[next(seed) % (sizeof unary / sizeof *unary)];
        snprintf(text, room, "%s%.900s%s", head, left, head[0] == '(' ? "))" : ")");
    } else if (kind < 5) {
        static const char *const calls[] = {"atan2(9 + ", "hypot(3 + ", "max(", "min(", "fmod(40 + ", "pow(9 + "};
        snprintf(text, room, "%s%.900s, %s%.900s)", calls[next(seed) % 6], left, "2.5 + 0.1*", right);
    } else {
        const size_t which = next(seed) % 6;
        snprintf(text, room, "(%.900s)%s(%.900s)%s", left, binary[which], right, which == 3 ? ")" : "");
    }
}

// Against differences of order 8. Formulas that jump or bend near `here`, or grow past all bounds, are passed over; of
// 4000 most are not.
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
        for (size_t leaf = 0; node && leaf < LEAVES; ++leaf) {
            if (kinds[leaf] == NODE_PARAMETER)
                continue;
            const Node *derivative = derive(&bench, node, kinds[leaf], indices[leaf]);
            assert_non_null(derivative);
            long double differences[2] = {0.0L, 0.0L}, size = fabsl(value_of(node, here));
            for (int scale = 0; scale < 2; ++scale)
                for (int k = 1; k <= 4; ++k) {
                    const long double reach = (scale ? 1e-2L : 2e-2L) * (long double)k;
                    long double       up[LEAVES], down[LEAVES];
                    memcpy(up, here, sizeof here);
                    memcpy(down, here, sizeof here);
                    up[leaf] += reach;
                    down[leaf] -= reach;
                    const long double a = value_of(node, up), b = value_of(node, down);
                    size = fmaxl(size, fmaxl(fabsl(a), fabsl(b)));
                    differences[scale] += weights[k - 1] * (a - b) / (scale ? 1e-2L : 2e-2L);
                }
            // Two reaches that agree have met neither a jump nor a bend.
            if (!(fabsl(differences[0] - differences[1]) <= 1e-8L * (fabsl(differences[1]) + size)) || size > 1e10L)
                continue;
            ++compared;
            const long double value = value_of(derivative, here);
            if (!(fabsl(value - differences[1]) <= 1e-7L * (fabsl(differences[1]) + size)))
                fail_msg("'%s' by %s: %.12Lg, by differences %.12Lg", text, names[leaf], value, differences[1]);
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
        const Node *node = read_formula(&bench, text), *derivative = derive(&bench, node, NODE_COORDINATE, by);
        assert_non_null(derivative);
        long double       at[LEAVES] = {place[0], place[1]}, difference = 0.0L;
        const long double value = value_of(derivative, at);
        for (int k = -4; k <= 4; ++k) {
            at[by] = place[by] + reach * (long double)k;
            difference += k == 0 ? 0.0L : (k < 0 ? -1 : 1) * weights[abs(k) - 1] * value_of(node, at) / reach;
        }
        if (!isnan(difference) && !(fabsl(value - difference) <= 1e-13L * (1.0L + fabsl(difference))))
            fail_msg("'%s' by %s: %.15Lg, by differences %.15Lg", text, names[by], value, difference);
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
        const Node *derivative = derive(&bench, read_formula(&bench, cases[i].formula), NODE_COORDINATE, 0);
        if (!(value_of(derivative, here) == cases[i].slope))
            fail_msg("'%s' has the slope %Lg, not %g", cases[i].formula, value_of(derivative, here), cases[i].slope);
    }
}

static void statements_are(Bench *bench, const char *formula, const char *wanted)
{
    Text      text SCOPED(text_free) = {0};
    Statement statement = {"a = ", read_formula(bench, formula)};
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
        assert_true(
            expression_is(derive(&bench, read_formula(&bench, cases[i].formula), NODE_COORDINATE, 0), cases[i].slope));
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
    const Node *node = read_formula(&bench, "x + t");
    for (int i = 0; i < 500; ++i)
        node = expression_make(&bench.table, NODE_MULTIPLY, node, node);
    const Node *derivative = derive(&bench, node, NODE_TIME, 0);
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
        assert_true(statements_write(&bench.table, &(Statement){"a = ", read_formula(&bench, formula.text)}, 1, &text));
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
    const Node *node = read_formula(&bench, "x + t");
    for (int i = 0; i < 100; ++i)
        node =
            expression_call(&bench.table, FUNCTION_SIN, expression_make(&bench.table, NODE_MULTIPLY, node, node), NULL);
    assert_true(statements_write(&bench.table, &(Statement){"a = ", node}, 1, &text));
    assert_true(text.length < 20000);
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
        for (uint64_t edits = 1 + next(&seed) % 6; edits > 0; --edits) {
            const size_t at = next(&seed) % strlen(text);
            if (next(&seed) % 3 == 0)
                memmove(text + at, text + at + 1, strlen(text + at));
            else
                text[at] = alphabet[next(&seed) % (sizeof alphabet - 1)];
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
            assert_non_null(derive(&bench, node, NODE_COORDINATE, 0));
        }
    }
    assert_true(refused > 5000 && refused < 20000);
}
