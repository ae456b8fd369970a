// test_problem_laws -- problem files state the physics that the papers state: laws written a second time, number by
// number.
//
// Kernels, reference and certificates read the same problem files; what is wrong there is wrong for all of them. The
// laws of support/law.h share nothing with them. Bounds are rounding: a file's formula has fewer than ROUNDINGS of them
// in a row, each of which moves the value by at most a unit in the last place of an operand, which law_value() weighs.
#include "support/gauss.h"
#include "support/built_in.h"
#include "support/subject.h"

#include <float.h>

enum { ROUNDINGS = 64 };

// A problem of the reference beside its law, at the same parameters, time and state.
typedef struct Pair {
    Subject    subject;
    const Law *law;
    LawPlace   place;
} Pair;

static void place_law(Pair *pair)
{
    pair->place = (LawPlace){.n = pair->subject.problem->dofs, .t = pair->subject.t};
    for (size_t i = 0; i < pair->law->parameter_count; ++i)
        pair->place.parameters[i] = *subject_value(&pair->subject, pair->law->parameters[i].name);
    for (size_t i = 0; i < pair->place.n; ++i) {
        pair->place.x[i] = pair->subject.x[i];
        pair->place.v[i] = pair->subject.v[i];
    }
}

// How many combinations of words the parameters allow.
static int count_variants(const Card *card)
{
    int count = 1;
    for (size_t i = 0; i < card->parameter_count; ++i)
        count *= card->parameters[i].choices ? (int)card->parameters[i].choice_count : 1;
    return count;
}

// Numbers off their defaults but in trial 0, and the words of one combination after the other.
static void draw(Pair *pair, int trial)
{
    const Card *card = pair->subject.card;
    int         rest = trial;
    subject_draw(&pair->subject, trial);
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (card->parameters[i].choices) {
            const int choices = (int)card->parameters[i].choice_count;
            subject_set(&pair->subject, card->parameters[i].name, rest % choices);
            rest /= choices;
        }
    place_law(pair);
}

static Pair pair_of(const ReferenceProblem *problem)
{
    Pair pair = {.subject = subject_of(problem), .law = law_find(problem->name)};
    if (!pair.law)
        fail_msg("problem '%s' has no law in tests/support", problem->name);
    assert_true(pair.law->parameter_count <= LAW_PARAMETERS && problem->dofs <= LAW_DOFS);
    return pair;
}

static void check_words(const CardParameter *parameter, const char *words)
{
    const char *at = words;
    if (!words) {
        assert_null(parameter->choices);
        return;
    }
    for (size_t i = 0; i < parameter->choice_count; ++i) {
        const size_t length = strlen(parameter->choices[i]);
        if (strncmp(at, parameter->choices[i], length) != 0 || (at[length] != ' ' && at[length] != '\0'))
            fail_msg("parameter '%s': the words are not '%s'", parameter->name, words);
        at += length + (at[length] == ' ');
    }
    assert_string_equal(at, "");
    assert_true(parameter->initial == 0.0);
}

static void check_parameter(const Card *card, const LawParameter *stated)
{
    const CardParameter *parameter = built_in_parameter(card, stated->name);
    check_words(parameter, stated->choices);
    if (stated->choices)
        return;
    if (parameter->initial != stated->initial || strcmp(parameter->unit, stated->unit) != 0)
        fail_msg("%s: '%s' is %.17g %s by default, not %.17g %s", card->name, stated->name, parameter->initial,
                 parameter->unit, stated->initial, stated->unit);
    if (parameter->least != stated->least || parameter->most != stated->most ||
        parameter->least_open != stated->least_open || parameter->most_open != stated->most_open ||
        parameter->whole != stated->whole)
        fail_msg("%s: '%s' has another range than from %g to %g", card->name, stated->name, stated->least,
                 stated->most);
}

// Names, defaults, units, ranges and choices; degrees of freedom; and what the card provides, no more and no less.
TEST(cards_declare_what_is_stated)
{
    const Catalog *catalog = built_in();
    size_t         count = 0;
    for (size_t c = 0; c < catalog->card_count; ++c) {
        const Card *card = &catalog->cards[c];
        const Law  *law = card->kind == CARD_PROBLEM ? law_find(card->name) : NULL;
        if (card->kind != CARD_PROBLEM)
            continue;
        if (!law)
            fail_msg("problem '%s' has no law in tests/support", card->name);
        assert_int_equal(card->parameter_count, law->parameter_count);
        for (size_t i = 0; i < law->parameter_count; ++i)
            check_parameter(card, &law->parameters[i]);
        assert_int_equal(card->dofs, law->dofs);
        assert_true(!card->dofs_parameter == !law->dofs_parameter);
        if (law->dofs_parameter)
            assert_string_equal(card->dofs_parameter, law->dofs_parameter);
        size_t words = 1;
        for (const char *at = law->provides; *at; ++at)
            words += *at == ' ';
        assert_int_equal(card->provide_count, words);
        for (size_t i = 0; i < card->provide_count; ++i)
            if (!law_lists(law->provides, card->provides[i]))
                fail_msg("problem '%s' provides '%s'", card->name, card->provides[i]);
        ++count;
    }
    assert_int_equal(count, 14);
}

// What the problem file says, by the word that its card has for it; NULL: every problem has it.
static void say(const Subject *subject, LawKind kind, double *out)
{
    const ReferenceProblem *problem = subject->problem;
    const void             *params = subject->params;
    const double           *x = subject->x, *v = subject->v;
    switch (kind) {
    case LAW_START: problem->initial_state(params, out, out + problem->dofs); break;
    case LAW_ACCELERATION: problem->acceleration(subject->t, x, v, params, out); break;
    case LAW_KINETIC: *out = problem->kinetic(x, v, params); break;
    case LAW_POTENTIAL: *out = problem->potential(x, params); break;
    case LAW_ENERGY: *out = problem->energy(x, v, params); break;
    case LAW_DISSIPATION: *out = problem->dissipation(x, v, params); break;
    case LAW_DRIVE: problem->drive(subject->t, params, out); break;
    case LAW_MASSES: problem->masses(params, out); break;
    case LAW_FAST: *out = problem->fast(x, params); break;
    case LAW_SLOW: *out = problem->slow(x, params); break;
    case LAW_PERIOD: *out = problem->period(params); break;
    case LAW_LIMIT_START: problem->limit_start(params, out, out + 1); break;
    case LAW_LIMIT_ACCELERATION: problem->limit_acceleration(subject->t, x, v, params, out); break;
    case LAW_KINDS: break;
    }
}

static const char *const words[LAW_KINDS] = {
    [LAW_KINETIC] = "kinetic",
    [LAW_POTENTIAL] = "potential",
    [LAW_ENERGY] = "energy",
    [LAW_DISSIPATION] = "dissipation",
    [LAW_DRIVE] = "drive",
    [LAW_MASSES] = "masses",
    [LAW_FAST] = "fast",
    [LAW_SLOW] = "slow",
    [LAW_PERIOD] = "period",
    [LAW_LIMIT_START] = "limit",
    [LAW_LIMIT_ACCELERATION] = "limit",
};

static void check_kind(const Pair *pair, LawKind kind)
{
    static const char *const names[LAW_KINDS] = {
        "start", "acceleration", "kinetic", "potential",          "energy", "dissipation", "drive", "mass",
        "fast",  "slow",         "period",  "start of the limit", "limit"};
    const Subject *subject = &pair->subject;
    double         said[2 * LAW_DOFS];
    long double    value[2 * LAW_DOFS], condition[2 * LAW_DOFS];
    say(subject, kind, said);
    law_value(pair->law, kind, &pair->place, value, condition);
    for (size_t row = 0; row < law_rows(kind, pair->place.n); ++row)
        if (!isnan(value[row]) || !isnan(said[row]))
            subject_close(subject, names[kind], row, said[row], (double)value[row],
                          ROUNDINGS * DBL_EPSILON * (double)condition[row]);
}

TEST(functions_say_what_the_laws_say)
{
    size_t checked[LAW_KINDS] = {0};
    for (size_t i = 0; i < reference_problem_count; ++i) {
        Pair      pair = pair_of(reference_problems[i]);
        const int trials = reference_problems[i]->dofs > 8 ? 2 : TRIALS * count_variants(pair.subject.card);
        for (int trial = 0; trial < trials; ++trial) {
            draw(&pair, trial);
            for (LawKind kind = 0; kind < LAW_KINDS; ++kind)
                if (!words[kind] || law_lists(pair.law->provides, words[kind])) {
                    check_kind(&pair, kind);
                    ++checked[kind];
                }
        }
    }
    for (LawKind kind = 0; kind < LAW_KINDS; ++kind)
        assert_true(checked[kind] >= 2 * TRIALS);
}

// Barrier and friction change their formula at d_hat and at v_smooth, and no further than rounding beside them.
TEST(formulas_change_where_they_are_stated_to)
{
    static const double shares[] = {-1e-2, -1e-4, -5e-7, -1e-9, 0.0, 1e-9, 5e-7, 1e-4, 1e-2};
    static const struct {
        const char *problem, *threshold;
        bool        of_velocity;
    } edges[] = {{"barrier_particle", "d_hat", false}, {"friction_block", "v_smooth", true}};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; ++i) {
        Pair pair = pair_of(subject_named(edges[i].problem).problem);
        for (size_t k = 0; k < sizeof shares / sizeof *shares; ++k) {
            draw(&pair, 1);
            const double edge = *subject_value(&pair.subject, edges[i].threshold) * (1.0 + shares[k]);
            *(edges[i].of_velocity ? pair.subject.v : pair.subject.x) = edge;
            place_law(&pair);
            for (LawKind kind = 0; kind < LAW_KINDS; ++kind)
                if (!words[kind] || law_lists(pair.law->provides, words[kind]))
                    check_kind(&pair, kind);
        }
    }
}

// The derivatives of the acceleration by x, then by v: [2 n][n].
static void differentiate(const Pair *pair, LawPlace *place, long double (*by)[LAW_DOFS])
{
    for (size_t j = 0; j < place->n; ++j) {
        law_derivative(pair->law, LAW_ACCELERATION, place, &place->x[j], by[j]);
        law_derivative(pair->law, LAW_ACCELERATION, place, &place->v[j], by[place->n + j]);
    }
}

// Adds how the derivatives depend on a number of the place, from a difference: a bound needs few digits.
static void add_dependence(const Pair *pair, LawPlace *place, LawNumber *input, const long double (*by)[LAW_DOFS],
                           long double (*condition)[LAW_DOFS])
{
    static const long double share = 0x1p-16L;
    long double              moved[2 * LAW_DOFS][LAW_DOFS];
    const LawNumber          before = *input;
    *input *= 1.0L + share;
    differentiate(pair, place, moved);
    *input = before;
    for (size_t j = 0; j < 2 * place->n; ++j)
        for (size_t i = 0; i < place->n; ++i)
            condition[j][i] += fabsl(moved[j][i] - by[j][i]) / share;
}

static void weigh_jacobian(const Pair *pair, LawPlace *place, const long double (*by)[LAW_DOFS],
                           long double (*condition)[LAW_DOFS])
{
    for (size_t j = 0; j < 2 * place->n; ++j)
        for (size_t i = 0; i < place->n; ++i)
            condition[j][i] = fabsl(by[j][i]);
    for (size_t k = 0; k < pair->law->parameter_count; ++k)
        if (!pair->law->parameters[k].choices && !pair->law->parameters[k].whole)
            add_dependence(pair, place, &place->parameters[k], by, condition);
    for (size_t k = 0; k < place->n; ++k) {
        add_dependence(pair, place, &place->x[k], by, condition);
        add_dependence(pair, place, &place->v[k], by, condition);
    }
}

static void check_jacobian(Pair *pair)
{
    const Subject *subject = &pair->subject;
    const size_t   n = pair->place.n;
    double         said[2][LAW_DOFS * LAW_DOFS];
    long double    by[2 * LAW_DOFS][LAW_DOFS], condition[2 * LAW_DOFS][LAW_DOFS];
    for (size_t i = 0; i < n * n; ++i)
        said[0][i] = said[1][i] = NAN;
    subject->problem->jacobian(subject->t, subject->x, subject->v, subject->params, said[0], said[1]);
    differentiate(pair, &pair->place, by);
    weigh_jacobian(pair, &pair->place, (const void *)by, condition);
    for (size_t i = 0; i < n; ++i) {
        long double largest = 0.0L;  // what the law itself rounds where terms of a row cancel
        for (size_t j = 0; j < 2 * n; ++j)
            largest = fmaxl(largest, condition[j][i]);
        for (size_t j = 0; j < 2 * n; ++j)
            subject_close(subject, j < n ? "dadx" : "dadv", i, said[j / n][i * n + j % n], (double)by[j][i],
                          ROUNDINGS * (double)(DBL_EPSILON * condition[j][i] + LDBL_EPSILON * largest));
    }
}

TEST(jacobians_are_those_of_the_laws)
{
    for (size_t i = 0; i < reference_problem_count; ++i) {
        Pair      pair = pair_of(reference_problems[i]);
        const int trials = reference_problems[i]->dofs > 4 ? 1 : TRIALS * count_variants(pair.subject.card);
        for (int trial = 1; trial <= trials; ++trial) {
            draw(&pair, trial);
            check_jacobian(&pair);
        }
    }
}

// Where there is a period, and where there is none.
TEST(periods_are_those_of_the_motions)
{
    static const double zetas[] = {0.0, 0.2, 0.9, 1.0, 1.5}, speeds[] = {0.0, -0.7, 1.4, 2.4};
    Pair pairs[] = {pair_of(subject_named("pendulum").problem), pair_of(subject_named("harmonic_oscillator").problem)};
    size_t numbers = 0;
    for (size_t i = 0; i < 2; ++i)
        for (size_t z = 0; z < sizeof zetas / sizeof *zetas; ++z)
            for (size_t s = 0; s < sizeof speeds / sizeof *speeds; ++s)
                for (int forcing = 0; forcing < 2; ++forcing) {
                    draw(&pairs[i], 1 + (int)s);
                    subject_set(&pairs[i].subject, "zeta", zetas[z]);
                    subject_set(&pairs[i].subject, "v0", speeds[s]);
                    subject_set(&pairs[i].subject, "forcing", forcing);
                    place_law(&pairs[i]);
                    check_kind(&pairs[i], LAW_PERIOD);
                    numbers += pairs[i].subject.problem->period(pairs[i].subject.params) > 0.0;
                }
    assert_int_equal(numbers, 3 + 12);  // an undamped swing, not over the top; an oscillator below zeta = 1
}

// The motion of the law from its start to t, and how it depends on the parameters. A step along the imaginary axis goes
// through the whole integration.
static void solve(Pair *pair, double t, double rate, long double *value, long double *condition)
{
    const size_t n = pair->place.n;
    for (size_t i = 0; i <= pair->law->parameter_count; ++i) {
        LawPlace  place = pair->place;
        LawNumber a[LAW_DOFS];
        if (i > 0)
            place.parameters[i - 1] += 0x1p-300L * I;
        law_begin(pair->law, &place);
        gauss_move(pair->law, LAW_ACCELERATION, t, rate, &place);
        for (size_t row = 0; row < 2 * n; ++row) {
            const LawNumber now = row < n ? place.x[row] : place.v[row - n];
            if (i == 0)
                value[row] = condition[row] = creall(now);
            else
                condition[row] += fabsl(creall(pair->place.parameters[i - 1]) * cimagl(now) / 0x1p-300L);
        }
        law_ask(pair->law, LAW_ACCELERATION, &place, a);
        for (size_t d = 0; i == 0 && d < n; ++d) {
            condition[d] = fabsl(value[d]) + t * fabsl(value[n + d]);
            condition[n + d] = fabsl(value[n + d]) + t * fabsl(creall(a[d]));
        }
    }
}

static void check_motion(Pair *pair, double t, double rate)
{
    const size_t n = pair->place.n;
    double       said[2 * LAW_DOFS];
    long double  value[2 * LAW_DOFS], condition[2 * LAW_DOFS];
    pair->subject.t = t;
    place_law(pair);
    pair->subject.problem->exact(t, pair->subject.params, said, said + n);
    solve(pair, t, rate, value, condition);
    for (size_t row = 0; row < 2 * n; ++row)
        subject_close(&pair->subject, row < n ? "exact x" : "exact v", row % n, said[row], (double)value[row],
                      ROUNDINGS * DBL_EPSILON * (double)condition[row]);
}

TEST(oscillators_move_as_their_equation_does)
{
    static const double zetas[] = {0.0, 1e-9, 0.1, 0.49999, 0.5, 0.95, 1.0, 1.5, 4.0};
    static const double offsets[] = {0.0, 1e-12, 1e-5, 0.4, 1.0};  // of the drive's frequency, from omega down to rest
    Pair                pair = pair_of(subject_named("harmonic_oscillator").problem);
    for (int forcing = 0; forcing < 2; ++forcing)
        for (size_t z = 0; z < sizeof zetas / sizeof *zetas; ++z)
            for (size_t o = 0; o < sizeof offsets / sizeof *offsets; ++o) {
                draw(&pair, 1);
                const double omega = *subject_value(&pair.subject, "omega");
                subject_set(&pair.subject, "zeta", zetas[z]);
                subject_set(&pair.subject, "forcing", forcing);
                subject_set(&pair.subject, "force", 1.7);
                subject_set(&pair.subject, "force_omega", omega * (1.0 - offsets[o]));
                check_motion(&pair, pair.subject.t, omega * (2.0 + 2.0 * zetas[z]));
            }
}

// The fast mode oscillates, and creeps where its dashpot is strong.
TEST(modes_move_as_their_equations_do)
{
    Pair pair = pair_of(subject_named("modal_oscillators").problem);
    for (int trial = 0; trial < TRIALS; ++trial) {
        draw(&pair, trial);
        subject_set(&pair.subject, "r_k", 0.02 * *subject_value(&pair.subject, "r_k"));
        if (trial % 4 == 3)
            subject_set(&pair.subject, "d2", 40.0 * *subject_value(&pair.subject, "m2"));
        check_motion(&pair, 0.3 * pair.subject.t, 60.0);
    }
}
