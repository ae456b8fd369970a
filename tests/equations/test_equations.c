// test_equations -- statements of cards: what is refused and where, which lines they become, and what they say of
// order.
#include "support/built_in.h"
#include "support/closed_forms.h"
#include "support/test.h"

#include "catalog/catalog.h"

#define HEAD                                                       \
    "//: method: own\n//: title: T\n//: source: S\n//: order: 1\n" \
    "//: parameters: {g: {default: 0.5, min: 0, max: 1, unit: \"1\", about: G}}\n"
#define EXPLICIT HEAD "//: unknown: none\n"
#define IMPLICIT HEAD "//: unknown: velocity\n"

static bool read(const char *text, Card *card, Equations *equations)
{
    return card_read("methods/own.cl", text, &arena, card, &err) && equations_read(card, &arena, equations, &err);
}

// Cards whose equations are wrong, and words of the message.
static const struct {
    const char *card, *words;
} refusals[] = {
    {EXPLICIT "//: equations:\n//:   - x1 = x + h*v\n", "methods/own.cl:8:7: equations: none gives 'v1'"},
    {EXPLICIT "//: equations:\n//:   - x1 = x + hh*v\n", "methods/own.cl:8:18: equations: unknown name 'hh'"},
    {EXPLICIT "//: equations:\n//:   - x1 x\n", "a statement is 'solve NAME' or has one '='"},
    {EXPLICIT "//: equations:\n//:   - x1 = x = v\n", "a statement is 'solve NAME' or has one '='"},
    {EXPLICIT "//: equations:\n//:   - x1 = x*v\n", "a vector is a sum of vectors with numbers for factors"},
    {EXPLICIT "//: equations:\n//:   - x1 = sqrt(x)\n", "a vector is a sum of vectors with numbers for factors"},
    {EXPLICIT "//: equations:\n//:   - c = if(h < 1, 1, 2)\n", "equations have no choices by if"},
    {EXPLICIT "//: equations:\n//:   - x = x + h*v\n",
     "what stands left of '=' is a new name, where nothing is solved for; not 'x'"},
    {EXPLICIT "//: equations:\n//:   - g = 2\n", "what stands left of '=' is a new name"},
    {EXPLICIT "//: equations:\n//:   - c = t + h\n", "only accel(t, x, v) depends on t, not 'c'"},
    {EXPLICIT "//: equations:\n//:   - x1 = x + h*x_prev\n", "unknown name 'x_prev'"},
    {EXPLICIT "//: equations:\n//:   - v1 = v + h*accel(t, x)\n", "accel takes 3 arguments, not 2"},
    {EXPLICIT "//: equations:\n//:   - v1 = v + h*accel(x, x, v)\n", "accel(t, x, v): the time is a number"},
    {EXPLICIT "//: equations:\n//:   - v1 = v + h*acel(t, x, v)\n", "unknown function 'acel'"},
    {IMPLICIT "//: equations:\n//:   - solve x\n", "solve is followed by a new name, not 'x'"},
    {IMPLICIT "//: equations:\n//:   - solve a b\n", "solve is followed by a new name, not 'a b'"},
    {IMPLICIT "//: equations:\n//:   - solve a\n//:   - solve b\n",
     "methods/own.cl:9:9: equations: no equation was given yet for 'a'"},
    {IMPLICIT "//: equations:\n//:   - solve v1\n//:   - x1 = x + h*v1\n", "no equation is given for 'v1'"},
    {IMPLICIT "//: equations:\n//:   - solve v1\n//:   - x1 = x + h*v1\n//:   - v1 = v + h*v1\n",
     "an equation that is solved has an acceleration at what it is solved for"},
    {IMPLICIT "//: equations:\n//:   - solve v1\n//:   - x1 = x + h*v1\n"
              "//:   - v1 = v + h*(accel(t, x1, v1) + accel(t + h, x1, v1))\n",
     "an equation has one acceleration at what it is solved for"},
    {HEAD "//: unknown: velocity\n//: history: true\n//: equations:\n//:   - solve v1\n//:   - x1 = x + h*v1\n"
          "//:   - v1 = v + h*accel(t + h, x1, v1)\n",
     "a method with history has 'equations_first' too"},
    {EXPLICIT "//: state: [a]\n//: equations:\n//:   - x1 = x + h*v\n//:   - v1 = v + h*a\n", "none gives 'a1'"},
    {EXPLICIT "//: equations: x1\n", "equations: expected a list"},
    {EXPLICIT "//: equations: [x1 = x]\n//: tableau: [0]\n", "a method has 'equations' or a 'tableau', not both"},
    {EXPLICIT "//: tableau:\n//:   - 0\n//:   - 1/2 | 1/2, 1/4, 1/8\n//:   - x1 | 0, 1\n",
     "stage 2 has 3 numbers, at most 2"},
    {EXPLICIT "//: tableau:\n//:   - 0\n//:   - 1/2 | 1/2\n", "none gives 'x1'"},
    {EXPLICIT "//: tableau:\n//:   - 0\n//:   - x1 | q\n", "unknown name 'q'"},
};

TEST(wrong_equations_are_refused_with_their_place)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i) {
        Card      card;
        Equations equations;
        if (read(refusals[i].card, &card, &equations))
            fail_msg("%zu: '%s' is not refused", i, refusals[i].words);
        if (!strstr(err.message, refusals[i].words) || err.kind != ERROR_INPUT)
            fail_msg("%zu: '%s' is not '%s'", i, err.message, refusals[i].words);
    }
}

// Cards whose claims are not those of their equations.
static const struct {
    const char *card, *words;
} lies[] = {
    {HEAD "//: unknown: none\n//: tableau:\n//:   - 0\n//:   - x1 | 0.9\n", "order: the equations have order 0"},
    {HEAD "//: unknown: velocity\n//: rho_infinity: \"1/2\"\n//: equations:\n//:   - solve v1\n//:   - x1 = x + h*v1\n"
          "//:   - v1 = v + h*accel(t + h, x1, v1)\n",
     "rho_infinity: the equations have 0 at the defaults, not 0.5"},
    {HEAD
     "//: unknown: none\n//: critical: 2\n//: equations:\n//:   - v1 = v + h*accel(t, x, v)\n//:   - x1 = x + h*v1\n",
     "critical: the equations have 1.56155 at the defaults and zeta 0.25, not 2"},
};

TEST(claims_are_those_of_the_equations)
{
    for (size_t i = 0; i < sizeof lies / sizeof *lies; ++i) {
        Card          card;
        const Theory *theory;
        assert_true(card_read("methods/own.cl", lies[i].card, &arena, &card, &err));
        if (theory_make(&card, &arena, &theory, &err))
            fail_msg("%zu: '%s' is not refused", i, lies[i].words);
        if (!strstr(err.message, lies[i].words))
            fail_msg("%zu: '%s' is not '%s'", i, err.message, lies[i].words);
    }
}

// Of the eigenvalue on the undamped oscillator: its order, and the constant before Omega^(order + 1), from the series
// of each method's growth factor. 1/(1 - z), (1 + z/2)/(1 - z/2) and polynomials of exp(z) are known to every book.
static const struct {
    const char *method;
    int         order;
    double      constant;
} constants[] = {
    {"explicit_euler", 1, 1.0 / 2.0},
    {"backward_euler", 1, 1.0 / 2.0},
    {"trapezoidal", 2, 1.0 / 12.0},
    {"bdf2", 2, 1.0 / 3.0},
    {"implicit_midpoint", 2, 1.0 / 12.0},
    {"newmark", 2, 1.0 / 12.0},
    {"rk2", 2, 1.0 / 6.0},
    {"rk4", 4, 1.0 / 120.0},
    {"dopri5", 5, 1.0 / 3600.0},
    {"velocity_verlet", 2, 1.0 / 24},
    {"central_difference", 2, 1.0 / 24},
    {"variational_implicit", 2, 1.0 / 12.0},
};

TEST(error_constants_are_those_of_the_books)
{
    for (size_t i = 0; i < sizeof constants / sizeof *constants; ++i) {
        const Theory *theory = theory_named(constants[i].method);
        double        p[THEORY_PARAMETERS];
        for (size_t k = 0; k < theory->method->parameter_count; ++k)
            p[k] = theory->method->parameters[k].initial;
        const LinearOrder order = theory_order(theory, 0.0, p);
        print_message("%s: order %d, constant %.15g\n", constants[i].method, order.order, order.constant);
        assert_int_equal(order.order, constants[i].order);
        assert_near(order.constant, constants[i].constant, 1e-12);
    }
}

// Every method of the catalog has equations; one of first order does not use the coordinates of its forces.
TEST(every_card_has_equations)
{
    size_t methods = 0, adaptive = 0;
    for (const Card *card = NULL; (card = built_in_next(CARD_METHOD, card)) != NULL;) {
        Equations equations;
        if (!equations_given(card) || !equations_read(card, &arena, &equations, &err))
            fail_msg("%s: %s", card->name, err.message);
        size_t solves = 0;
        for (size_t k = 0; k < equations.step.line_count; ++k)
            solves += equations.step.lines[k].kind == EQUATION_SOLVE;
        assert_int_equal(solves, card->unknown == UNKNOWN_NONE ? 0 : card->stages);
        assert_true(equations.step.vector_count <= EQUATIONS_VECTORS && equations.step.line_count <= EQUATIONS_LINES);
        ++methods;
        adaptive += card->adaptive;
    }
    assert_int_equal(methods, closed_form_count + adaptive);
}
