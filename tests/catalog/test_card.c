// test_card -- cards: every key read, wrong ones refused with their place, and the catalog of the embedded files.
#include "base/file.h"
#include "catalog/catalog.h"
#include "catalog/dof.h"

#include "support/built_in.h"
#include "support/test.h"

static const char problem_text[] = "//: problem: spring\n"
                                   "//: title: A spring\n"
                                   "//: equation: x'' = -x\n"
                                   "//: source: somewhere, eq. 3\n"
                                   "//: dofs: 3\n"
                                   "//: coordinates: {r: m, phi: rad, y: \"1\"}\n"
                                   "//:\n"
                                   "//: provides: [energy, slow]\n"
                                   "//: parameters:\n"
                                   "//:   k:    {default: 2.5, above: 0, max: 9, unit: N/m, about: stiffness}\n"
                                   "//:   rate: {min: 1, below: 2, unit: \"1\", about: \"no default, but a range\"}\n"
                                   "//:   kind: {default: soft, choices: [hard, soft], about: which}\n"
                                   "\n"
                                   "static void initial_state() {}\n";

TEST(problem_is_read)
{
    Card card;
    assert_fine(card_read("problems/spring.cl", problem_text, &arena, &card, &err));
    assert_int_equal(card.kind, CARD_PROBLEM);
    assert_string_equal(card.name, "spring");
    assert_string_equal(card.title, "A spring");
    assert_string_equal(card.equation, "x'' = -x");
    assert_string_equal(card.origin, "somewhere, eq. 3");
    assert_string_equal(card.path, "problems/spring.cl");
    assert_ptr_equal(card.text, problem_text);
    assert_int_equal(card.dofs, 3);
    assert_int_equal(card.coordinate_count, 3);
    assert_string_equal(card.coordinates[0].name, "r");
    assert_string_equal(card.coordinates[1].unit, "rad");
    assert_int_equal(card.provide_count, 2);
    assert_true(card_provides(&card, "slow"));
    assert_false(card_provides(&card, "fast"));
    assert_int_equal(card.parameter_count, 3);
    const CardParameter *k = &card.parameters[0], *rate = &card.parameters[1], *kind = &card.parameters[2];
    assert_true(k->initial == 2.5 && k->least == 0.0 && k->least_open && k->most == 9.0 && !k->most_open);
    assert_string_equal(k->unit, "N/m");
    assert_string_equal(k->about, "stiffness");
    assert_true(isnan(rate->initial) && rate->least == 1.0 && !rate->least_open && rate->most == 2.0 &&
                rate->most_open);
    assert_int_equal(kind->choice_count, 2);
    assert_string_equal(kind->choices[0], "hard");
    assert_true(kind->initial == 1.0);
}

static void expect_dof(const Dof *dof, const char *name, const char *unit, const char *velocity,
                       const char *velocity_unit)
{
    assert_string_equal(dof->name, name);
    assert_string_equal(dof->unit, unit);
    assert_string_equal(dof->velocity, velocity);
    assert_string_equal(dof->velocity_unit, velocity_unit);
}

// By a name or a number, of three coordinates and of twelve.
static void expect_words(const Dof *three, const Dof *twelve)
{
    const struct {
        const char *word;
        bool        velocity;
        size_t      of_three, of_twelve;
    } words[] = {{"phi", false, 1, 12}, {"x1", false, 1, 1},   {"x11", false, 3, 11}, {"u11", false, 3, 11},
                 {"v1", true, 1, 1},    {"v_u7", true, 3, 7},  {"v1", false, 3, 12},  {"x1", true, 3, 12},
                 {"r", false, 0, 12},   {"x1y", false, 3, 12}, {"x+1", false, 3, 12}, {"x0000", false, 3, 12}};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        assert_int_equal(dof_find_word(three, 3, words[i].velocity, words[i].word), words[i].of_three);
        assert_int_equal(dof_find_word(twelve, 12, words[i].velocity, words[i].word), words[i].of_twelve);
    }
    Text text SCOPED(text_free) = {0};
    dof_add_names(three, 3, false, &text);
    text_add(&text, "; ");
    dof_add_names(twelve, 12, true, &text);
    assert_string_equal(text.text, "r, phi, y; v_u0 .. v_u11");
}

// Of a card with names, of one whose parameter says how many there are, and of one without the key.
TEST(coordinates_are_named)
{
    static const char *const cards[] = {
        problem_text,
        "//: problem: p\n//: title: T\n//: equation: E\n//: dofs: n\n//: coordinates: {u: m}\n"
        "//: parameters: {n: {default: 2, min: 1, max: 32, type: whole, unit: \"1\", about: A}, x0: {default: 1, unit: "
        "m, "
        "about: A}}\n",
        "//: problem: p\n//: title: T\n//: equation: E\n//: dofs: 2\n"};
    Card card;
    Dof *dofs[3];
    for (size_t i = 0; i < 3; ++i) {
        assert_fine(card_read(i == 0 ? "spring.cl" : "p.cl", cards[i], &arena, &card, &err));
        dofs[i] = dof_list(&card, i == 1 ? 12 : card.dofs, &arena, &err);
        assert_non_null(dofs[i]);
    }
    expect_dof(&dofs[0][1], "phi", "rad", "v_phi", "rad/s");
    expect_dof(&dofs[0][2], "y", "1", "v_y", "1/s");
    expect_dof(&dofs[1][0], "u0", "m", "v_u0", "m/s");
    expect_dof(&dofs[1][11], "u11", "m", "v_u11", "m/s");
    expect_dof(&dofs[2][1], "x1", "1", "v1", "1/s");
    assert_int_equal(dof_find(dofs[0], 3, false, "phi"), 1);
    assert_int_equal(dof_find(dofs[0], 3, true, "v_y"), 2);
    assert_int_equal(dof_find(dofs[0], 3, true, "phi"), 3);
    expect_words(dofs[0], dofs[1]);
    assert_string_equal(dof_unit(dofs[0], 3, false), "");
    assert_string_equal(dof_unit(dofs[1], 12, true), "m/s");
}

TEST(method_is_read)
{
    Card       card;
    const char text[] =
        "//: method: leap\n//: title: T\n//: source: S\n//: order: 2\n//: unknown: velocity\n//: history: true\n"
        "//: extrapolates: true\n//: guess_state: [a_1]\n//: conventions: C\n//: rho_infinity: \"1\"\n//: conserves: "
        "energy\n//: state: [a, "
        "b]\n//: order_driven: 1\n";
    assert_fine(card_read("leap.cl", text, &arena, &card, &err));
    assert_int_equal(card.kind, CARD_METHOD);
    assert_int_equal(card.order, 2);
    assert_int_equal(card.order_damped, 2);
    assert_int_equal(card.order_driven, 1);
    assert_int_equal(card.unknown, UNKNOWN_VELOCITY);
    assert_true(card.history && card.extrapolates);
    assert_string_equal(card.conventions, "C");
    assert_string_equal(card.rho_infinity, "1");
    assert_string_equal(card.conserves, "energy");
    assert_int_equal(card.state_count, 2);
    assert_string_equal(card.state[1], "b");
    assert_int_equal(card.guess_state_count, 1);
    assert_string_equal(card.guess_state[0], "a_1");
    assert_int_equal(card.parameter_count, 0);
}

TEST(metric_is_read)
{
    Card       card;
    const char text[] = "//: metric: swing\n//: title: T\n//: needs: [energy]\n//: state: [y0]\n//: counts: [n, m]\n"
                        "//: options: [of, window]\n//: past: 3\n//: after_turn: 2\n"
                        "//: results:\n//:   height: {unit: m, about: A}\n"
                        "//:   turns: {unit: \"1\", about: B, type: whole, needs: [newton, period]}\n";
    assert_fine(card_read("swing.cl", text, &arena, &card, &err));
    assert_int_equal(card.kind, CARD_METRIC);
    assert_int_equal(card.need_count, 1);
    assert_int_equal(card.state_count, 1);
    assert_int_equal(card.count_count, 2);
    assert_int_equal(card.option_count, 2);
    assert_int_equal(card.past, 3);
    assert_int_equal(card.after_turn, 2);
    assert_int_equal(card.result_count, 2);
    assert_false(card.results[0].whole);
    assert_string_equal(card.results[0].unit, "m");
    assert_true(card.results[1].whole);
    assert_int_equal(card.results[1].need_count, 2);
    assert_string_equal(card.results[1].needs[0], "newton");
}

#define PROBLEM "//: problem: p\n//: title: T\n//: equation: E\n//: dofs: 1\n"
#define METHOD "//: method: p\n//: title: T\n//: source: S\n//: order: 2\n//: unknown: none\n"
#define METRIC "//: metric: p\n//: title: T\n"

TEST(wrong_cards_are_refused)
{
    const struct {
        const char *text, *message;
    } cases[] = {
        {"", "p.cl:1:1: no card: a kernel file begins with lines '//: key: value'"},
        {"static void f() {}\n//: problem: p\n", "p.cl:1:1: no card: a kernel file begins with lines '//: key: value'"},
        {"//: problem: p\n//:title: T\n", "p.cl:2:4: a card line begins with '//: ', with a space"},
        {"//: - a\n", "p.cl:1:5: the card: expected a mapping, found a list"},
        {"//: title: T\n", "p.cl:1:5: the card names no problem, method or metric"},
        {"//: problem: q\n//: title: T\n", "p.cl:1:14: the name 'q' is not the file's: rename one of them"},
        {"//: problem: p\n", "p.cl:1:5: the card lacks the key 'title'"},
        {"//: problem: p\n//: title: T\n//: dofs: 1\n", "p.cl:1:5: the card lacks the key 'equation'"},
        {"//: problem: p\n//: title: T\n//: equation: E\n", "p.cl:1:5: the card lacks the key 'dofs'"},
        {"//: problem: p\n//: title: T\n//: equation: E\n//: dofs: 257\n",
         "p.cl:4:11: dofs: 257 is not between 1 and 256"},
        {"//: problem: p\n//: title: T\n//: equation: E\n//: dofs: 4\n//: band: 1\n",
         "p.cl:5:11: band: expected a list, found '1'"},
        {"//: problem: p\n//: title: T\n//: equation: E\n//: dofs: 4\n//: band: [1]\n",
         "p.cl:5:11: band: 1 numbers, give two: the width below and above the diagonal"},
        {"//: problem: p\n//: title: T\n//: equation: E\n//: dofs: 4\n//: band: [1, 4]\n",
         "p.cl:5:15: band: 4 is not between 0 and 3"},
        {"//: problem: p\n//: title: T\n//: equation: E\n//: dofs: n\n//: band: [1, 1]\n"
         "//: parameters: {n: {default: 2, min: 1, max: 32, type: whole, unit: \"1\", about: A}}\n",
         "p.cl:5:11: band: parameter 'n' says how many unknowns there are, leave it out"},
        {"//: problem: p\n//: title: T\n//: equation: E\n//: dofs: n\n"
         "//: parameters: {n: {default: 2, min: 1, max: 257, type: whole, unit: \"1\", about: A}}\n",
         "p.cl:4:11: dofs: parameter 'n' must be of type whole, min 1, max 256 or less"},
        {PROBLEM "//: dof: 1\n", "p.cl:5:5: unknown key 'dof' in a problem's card; did you mean 'dofs'?"},
        {PROBLEM "//: order: 2\n", "p.cl:5:12: order: expected first or second, found '2'"},
        {PROBLEM "//: provides: energy\n", "p.cl:5:15: provides: expected a list, found 'energy'"},
        {PROBLEM "//: provides: [energi]\n",
         "p.cl:5:16: provides: expected energy, kinetic, potential, jacobian, "
         "exact, period, fast, slow, masses, dissipation, drive, limit, slopes or gradients, found 'energi'"},
        {PROBLEM "//: provides: [fast, fast]\n", "p.cl:5:22: provides: 'fast' is listed twice"},
        {PROBLEM "//: parameters: [k]\n", "p.cl:5:17: parameters: expected a mapping, found a list"},
        {PROBLEM "//: parameters: {k: 1}\n", "p.cl:5:21: k: expected a mapping, found '1'"},
        {PROBLEM "//: parameters: {k-a: {default: 1, unit: m, about: A}}\n",
         "p.cl:5:18: parameter 'k-a': only letters, digits and _ make a name"},
        {PROBLEM "//: parameters: {k: {default: 1, about: A}}\n", "p.cl:5:21: the card lacks the key 'unit'"},
        {PROBLEM "//: parameters: {k: {default: 1, unit: m}}\n", "p.cl:5:21: the card lacks the key 'about'"},
        {PROBLEM "//: parameters: {k: {default: x, unit: m, about: A}}\n",
         "p.cl:5:31: default: expected a number, found 'x'"},
        {PROBLEM "//: parameters: {k: {default: 1, min: 2, unit: m, about: A}}\n",
         "p.cl:5:31: parameter 'k': the default is outside its range"},
        {PROBLEM "//: parameters: {k: {default: 1, below: 1, unit: m, about: A}}\n",
         "p.cl:5:31: parameter 'k': the default is outside its range"},
        {PROBLEM "//: parameters: {k: {default: 1, min: 2, max: 1, unit: m, about: A}}\n",
         "p.cl:5:21: parameter 'k': its range is empty"},
        {PROBLEM "//: parameters: {k: {default: 1, min: 0, above: 0, unit: m, about: A}}\n",
         "p.cl:5:49: 'above' beside 'min': give one of them"},
        {PROBLEM "//: parameters: {k: {unit: m, about: A}}\n",
         "p.cl:5:21: parameter 'k' has neither a default nor a range"},
        {PROBLEM "//: parameters: {k: {default: a, choices: [b, c], about: A}}\n",
         "p.cl:5:31: default: expected b or c, found 'a'"},
        {PROBLEM "//: parameters: {k: {default: a, choices: [a], unit: m, about: A}}\n",
         "p.cl:5:54: parameter 'k': 'unit' does not go with 'choices'"},
        {PROBLEM "//: parameters: {k: {choices: [a], about: A}}\n", "p.cl:5:21: parameter 'k' lacks a default"},
        {PROBLEM "//: parameters: {k: {default: 1, unit: m, about: A, mni: 2}}\n",
         "p.cl:5:53: unknown key 'mni' in a parameter of the card; did you mean 'min'?"},
        {PROBLEM "//: coordinates: [x]\n", "p.cl:5:18: coordinates: expected a mapping, found a list"},
        {PROBLEM "//: coordinates: {x: m, y: m}\n", "p.cl:5:18: coordinates: 2 names for 1 degree of freedom"},
        {PROBLEM "//: coordinates: {x: m, x: m}\n", "p.cl:5:25: key 'x' is given twice, first in line 5"},
        {PROBLEM "//: coordinates: {x-1: m}\n", "p.cl:5:19: coordinate 'x-1': only letters, digits and _ make a name"},
        {PROBLEM "//: coordinates: {energy: J}\n",
         "p.cl:5:19: coordinate 'energy': the word has a meaning under `of`, choose another"},
        {PROBLEM "//: coordinates: {x: kg m}\n",
         "p.cl:5:22: coordinates: unit 'kg m': no spaces, a product is written kg.m"},
        {PROBLEM "//: coordinates: {x: ''}\n", "p.cl:5:22: coordinates: a unit is missing, `1` where there is none"},
        {PROBLEM "//: coordinates: {k: m}\n//: parameters: {k: {default: 1, unit: m, about: A}}\n",
         "p.cl:5:19: coordinate 'k': a parameter has this name, choose another"},
        {PROBLEM "//: coordinates: {k: m}\n//: parameters: {v_k: {default: 1, unit: m, about: A}}\n",
         "p.cl:5:19: coordinate 'k': a parameter has the name of its velocity, 'v_k', choose another"},
        {"//: problem: p\n//: title: T\n//: equation: E\n//: dofs: 2\n//: coordinates: {x: m, v_x: m}\n",
         "p.cl:5:19: coordinate 'x': another has the name of its velocity, 'v_x', choose another"},
        {"//: problem: p\n//: title: T\n//: equation: E\n//: dofs: n\n//: coordinates: {x: m}\n"
         "//: parameters: {n: {default: 2, min: 1, max: 32, type: whole, unit: \"1\", about: A}, x31: {default: 1, "
         "unit: m, "
         "about: A}}\n",
         "p.cl:5:19: coordinate 'x31': a parameter has this name, choose another"},
        {METHOD "//: dofs: 2\n", "p.cl:6:5: unknown key 'dofs' in a method's card"},
        {METHOD "//: evaluations: 0\n", "p.cl:6:18: evaluations: 0 is not between 1 and 100"},
        {"//: method: p\n//: title: T\n//: source: S\n//: order: 2\n//: unknown: velocity\n//: evaluations: 2\n",
         "p.cl:6:18: an implicit method has no 'evaluations', they are counted"},
        {"//: method: p\n//: title: T\n//: source: S\n//: order: 2\n//: unknown: velocity\n//: solver: rosenbrock\n",
         "p.cl:6:13: a method with the solver 'rosenbrock' is adaptive, and its unknown 'velocity'"},
        {"//: method: p\n//: title: T\n//: source: S\n//: order: 2\n//: unknown: velocity\n//: solver: line_search\n"
         "//: adaptive: true\n",
         "p.cl:7:15: an adaptive method has no 'history', no 'extrapolates', and the solver 'newton' or 'rosenbrock'"},
        {METHOD "//: extrapolates: true\n",
         "p.cl:5:14: an explicit method has no 'solver', 'stages', 'history' or 'extrapolates'"},
        {METHOD "//: guess_state: [a_1]\n", "p.cl:6:18: guess_state: only a method that 'extrapolates' has some"},
        {METHOD "//: history: yes\n", "p.cl:6:14: history: expected true or false, found 'yes'"},
        {METHOD "//: state: [1a]\n", "p.cl:6:13: state '1a': only letters, digits and _ make a name"},
        {"//: method: p\n//: title: T\n//: source: S\n//: order: 2\n", "p.cl:1:5: the card lacks the key 'unknown'"},
        {"//: method: p\n//: title: T\n//: source: S\n//: order: 0\n//: unknown: none\n",
         "p.cl:4:12: order: 0 is not between 1 and 12"},
        {METHOD "//: order_driven: 3\n", "p.cl:6:19: order_driven: 3 is not between 1 and 2"},
        {"//: method: p\n//: title: T\n//: source: S\n//: order: 2\n//: unknown: x\n",
         "p.cl:5:14: unknown: expected none, velocity or acceleration, found 'x'"},
        {METHOD "//: parameters: {b: {default: equations, unit: \"1\", about: A}}\n",
         "p.cl:6:31: parameter 'b': only a method with 'equations' has a default of them"},
        {METRIC, "p.cl:1:5: the card lacks the key 'results'"},
        {METRIC "//: results: {}\n", "p.cl:3:14: results: a metric has at least one"},
        {METRIC "//: results: {r: {unit: m}}\n", "p.cl:3:18: the card lacks the key 'about'"},
        {METRIC "//: results: {r: {unit: m, about: A, type: int}}\n",
         "p.cl:3:44: type: expected real or whole, found 'int'"},
        {METRIC "//: options: [windw]\n//: results: {r: {unit: m, about: A}}\n",
         "p.cl:3:15: options: expected of or window, found 'windw'"},
        {METRIC "//: needs: [newtons]\n//: results: {r: {unit: m, about: A}}\n",
         "p.cl:3:13: needs: expected energy, kinetic, potential, jacobian, exact, period, fast, slow, "
         "masses, dissipation, drive, limit, slopes, gradients, newton, solution, velocity or compare, found "
         "'newtons'"},
        {METRIC "//: past: 2\n//: results: {r: {unit: m, about: A}}\n",
         "p.cl:3:11: past: only a metric with the option 'of' has some"},
        {METRIC "//: options: [of]\n//: past: 2\n//: after_turn: 2\n//: results: {r: {unit: m, about: A}}\n",
         "p.cl:5:17: after_turn: 2 needs a past of 3"},
        {METRIC "//: state: [sum]\n//: tangents: [sums]\n//: results: {r: {unit: m, about: A}}\n",
         "p.cl:4:15: tangents: 'sums' is listed neither under 'state' nor under 'vectors'"},
        {METRIC "//: state: [sum]\n//: results: {r: {unit: m, tangent: true, about: A}}\n",
         "p.cl:4:37: tangent: only a real number of a card with tangents has derivatives"},
        {METRIC "//: state: [sum]\n//: tangents: [sum]\n"
                "//: results: {r: {unit: m, type: whole, tangent: true, about: A}}\n",
         "p.cl:5:50: tangent: only a real number of a card with tangents has derivatives"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Card card;
        if (card_read("p.cl", cases[i].text, &arena, &card, &err))
            fail_msg("not refused: %s", cases[i].message);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(err.kind, ERROR_INPUT);
    }
}

TEST(catalog_holds_every_file)
{
    const Catalog *catalog = built_in();
    size_t         cards = 0, index = 99;
    for (size_t i = 0; i < kernel_file_count; ++i) {
        cards += strchr(kernel_files[i].path, '/') != NULL;
        assert_ptr_equal(catalog_file(kernel_files[i].path), kernel_files[i].text);
        assert_true(i == 0 || strcmp(kernel_files[i - 1].path, kernel_files[i].path) < 0);
    }
    assert_int_equal(catalog->card_count, cards);
    for (size_t i = 0; i < catalog->card_count; ++i) {
        const Card *card = &catalog->cards[i];
        assert_ptr_equal(catalog_find(catalog, card->kind, card->name), card);
        assert_ptr_equal(card->text, catalog_file(card->path));
        assert_true(*card->title != '\0');
        for (size_t r = 0; r < card->result_count; ++r) {
            assert_ptr_equal(catalog_find_result(catalog, card->results[r].name, &index), card);
            assert_int_equal(index, r);
            assert_true(catalog_reserves(catalog, card->results[r].name));
        }
        // Those of a metric are no names of the file.
        for (size_t p = 0; card->kind != CARD_METRIC && p < card->parameter_count; ++p)
            assert_false(catalog_reserves(catalog, card->parameters[p].name));
    }
    assert_null(catalog_find(catalog, CARD_METHOD, "pendulum"));
    assert_null(catalog_find_result(catalog, "nothing", &index));
    assert_null(catalog_file("problems/nothing.cl"));
    assert_string_equal(catalog_suggest(catalog, CARD_PROBLEM, "pendulm"), "pendulum");
    assert_string_equal(catalog_suggest(catalog, CARD_METHOD, "teta2"), "theta2");
    assert_string_equal(catalog_suggest(catalog, CARD_METRIC, "energy_drif"), "energy_drift");
    assert_null(catalog_suggest(catalog, CARD_PROBLEM, "zzzzzzzz"));
    assert_true(catalog_reserves(catalog, "time"));
    assert_false(catalog_reserves(catalog, "eps"));

    Catalog own = {0};
    assert_fine(catalog_read(&own, &err));
    catalog_free(&own);
    assert_int_equal(own.card_count, 0);
}

// The names that sweep files and readers of result files rely on.
TEST(promised_names_are_there)
{
    static const char *const problems[] = {"harmonic_oscillator", "modal_oscillators", "pendulum",
                                           "elastic_pendulum_polar", "elastic_pendulum_cartesian"};
    static const char *const methods[] = {"generalized_alpha", "newmark",     "theta2", "theta1",
                                          "backward_euler",    "trapezoidal", "bdf2",   "rk4"};
    static const char *const results[] = {"steps",
                                          "substeps",
                                          "updates",
                                          "updates_per_step_max",
                                          "jacobians",
                                          "residual_evaluations",
                                          "evaluations",
                                          "failed_solves",
                                          "stagnated_solves",
                                          "depth_max",
                                          "condition_max",
                                          "condition_mean",
                                          "condition_last",
                                          "energy_initial",
                                          "energy_final",
                                          "energy_drift",
                                          "energy_ratio",
                                          "kinetic_max",
                                          "kinetic_integral",
                                          "amplitude_initial",
                                          "amplitude_final",
                                          "decay_rate",
                                          "damping_ratio",
                                          "period",
                                          "period_error",
                                          "high_frequency_amplitude",
                                          "x_max",
                                          "error_max",
                                          "error_final",
                                          "radius_error_max"};
    const Catalog           *catalog = built_in();
    size_t                   index;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; ++i)
        if (!catalog_find(catalog, CARD_PROBLEM, problems[i]))
            fail_msg("no problem %s", problems[i]);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i)
        if (!catalog_find(catalog, CARD_METHOD, methods[i]))
            fail_msg("no method %s", methods[i]);
    for (size_t i = 0; i < sizeof results / sizeof *results; ++i)
        if (!catalog_find_result(catalog, results[i], &index))
            fail_msg("no result %s", results[i]);
}

TEST(reserved_parameters_are_refused)
{
    const Catalog *catalog = built_in();
    Card           card;
    assert_true(
        card_read("p.cl", PROBLEM "//: parameters: {time: {default: 1, unit: s, about: A}}\n", &arena, &card, &err));
    assert_false(catalog_check_card(catalog, &card, &err));
    assert_string_equal(err.message, "p.cl: parameter 'time': the name is reserved, choose another");
    assert_true(
        card_read("p.cl", PROBLEM "//: parameters: {updates: {default: 1, unit: s, about: A}}\n", &arena, &card, &err));
    assert_false(catalog_check_card(catalog, &card, &err));
}

TEST(the_page_lists_reserved_names)
{
    char  *page = NULL;
    size_t length;
    assert_true(file_read(PENDULA_SOURCE_DIR "/docs/sweep-files.md", 1 << 20, &arena, &page, &length, &err));
    const char *list = strstr(page, "### Names that no parameter has");
    assert_non_null(list);
    size_t count = 0;
    for (const char *name; (name = catalog_reserved(count)); ++count) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "`%s`", name);
        if (!strstr(list, quoted))
            fail_msg("the page does not list %s", name);
    }
    assert_int_equal(count, 17 + 8 + 55);
}
