// test_convention -- the parameters of one spectral radius at infinity, against what papers and manuals demand of them,
// against theory's matrices, and as `pendula show` prints them.
#include "analysis/linear/convention.h"
#include "support/built_in.h"
#include "support/closed_forms.h"
#include "base/yaml.h"
#include "catalog/catalog.h"

#include "support/program_case.h"

AROUND_ALL(make_place, remove_place)

// 20 radii from 0.05 to 1, or from 0.5 on.
enum { RADII = 20 };

static double radius_at(size_t i, double least)
{
    return least + (1.0 - least) * (double)(i + 1) / RADII;
}

static double quantity(const char *software, const char *name, double rho)
{
    for (size_t i = 0; i < convention_count; ++i)
        if (strcmp(conventions[i].software, software) == 0 && strcmp(conventions[i].quantity, name) == 0)
            return convention_value(&conventions[i], rho);
    fail_msg("%s has no %s", software, name);
    return (double)NAN;
}

static const double u = 0x1p-53;

// Chung and Hulbert: second order, unconditionally stable, and no more low-frequency damping than needed. PETSc's
// manual demands the same of its own four, OpenSees' manual computes two of its own from the others.
TEST(generalized_alpha_keeps_every_convention)
{
    static const char ch[] = "Chung and Hulbert 1993", petsc[] = "PETSc TSALPHA2",
                      opensees[] = "OpenSees GeneralizedAlpha";
    for (size_t i = 0; i <= RADII; ++i) {
        const double rho = (double)i / RADII;
        const double am = quantity(ch, "alpha_m", rho), af = quantity(ch, "alpha_f", rho),
                     beta = quantity(ch, "beta", rho), gamma = quantity(ch, "gamma", rho);
        assert_near(gamma, 0.5 - am + af, 4 * u);
        assert_near(beta, 0.25 * (1.0 - am + af) * (1.0 - am + af), 8 * u);
        assert_true(am <= af + 4 * u && af <= 0.5);
        assert_true(beta >= 0.25 + 0.5 * (af - am) - 4 * u);
        assert_near(am, 3.0 * af - 1.0, 8 * u);

        const double Am = quantity(petsc, "alpha_m", rho), Af = quantity(petsc, "alpha_f", rho);
        assert_near(Am, (2.0 - rho) / (1.0 + rho), 0);
        assert_near(Af, 1.0 / (1.0 + rho), 0);
        assert_near(quantity(petsc, "gamma", rho), 0.5 + Am - Af, 8 * u);
        assert_near(quantity(petsc, "beta", rho), 0.25 * (1.0 + Am - Af) * (1.0 + Am - Af), 16 * u);
        assert_true(Am >= Af - 4 * u && Af >= 0.5);
        assert_near(Am, 1.0 - am, 8 * u);
        assert_near(Af, 1.0 - af, 4 * u);
        assert_near(quantity(petsc, "radius", rho), rho, 0);

        assert_near(quantity(opensees, "alphaM", rho), Am, 0);
        assert_near(quantity(opensees, "alphaF", rho), Af, 0);
        assert_near(quantity(opensees, "gamma", rho), gamma, 0);
        assert_near(quantity(opensees, "beta", rho), beta, 0);
    }
}

TEST(hht_and_wbz_keep_theirs)
{
    static const char hht[] = "Hilber, Hughes, Taylor 1977", wbz[] = "Wood, Bossak, Zienkiewicz 1980";
    for (size_t i = 0; i < RADII; ++i) {
        const double rho = radius_at(i, 0.5), alpha = quantity(hht, "alpha", rho);
        const double beta = quantity(hht, "beta", rho), gamma = quantity(hht, "gamma", rho);
        assert_true(alpha >= -1.0 / 3.0 && alpha <= 0.0 && (alpha < 0.0 || !signbit(alpha)));
        assert_near(beta, 0.25 * (1.0 - alpha) * (1.0 - alpha), 8 * u);
        assert_near(gamma, 0.5 - alpha, 4 * u);
        const double theirs = quantity("OpenSees HHT", "alpha", rho);
        assert_true(theirs >= 2.0 / 3.0 && theirs <= 1.0);
        assert_near(theirs, 1.0 + alpha, 4 * u);
        assert_near(beta, 0.25 * (2.0 - theirs) * (2.0 - theirs), 8 * u);
        assert_near(gamma, 1.5 - theirs, 4 * u);
        assert_near(quantity("CalculiX *DYNAMIC", "ALPHA", rho), alpha, 0);
        assert_near(quantity("Chrono ChTimestepperHHT", "alpha", rho), alpha, 0);
    }
    for (size_t i = 0; i <= RADII; ++i) {
        const double rho = (double)i / RADII, alpha = quantity(wbz, "alpha", rho);
        assert_true(alpha >= -1.0 && alpha <= 0.0);
        assert_near(quantity(wbz, "beta", rho), 0.25 * (1.0 - alpha) * (1.0 - alpha), 8 * u);
        assert_near(quantity(wbz, "gamma", rho), 0.5 - alpha, 4 * u);
        assert_near(quantity("Kratos bossak", "damp_factor_m", rho), alpha, 0);
    }
}

// At infinity x = 0 at every step, so that Newmark's two formulas leave beta mu^2 + (1/2 + gamma - 2 beta) mu
// + 1/2 + beta - gamma = 0, and the force's interpolation leaves mu = -alpha_f/(1 - alpha_f).
static void check_infinity(double rho, double af, double beta, double gamma, double bound)
{
    assert_near((0.5 + gamma - 2.0 * beta) / beta, 2.0 * rho, bound);
    assert_near((0.5 + beta - gamma) / beta, rho * rho, bound);
    assert_true(af / (1.0 - af) <= rho + bound);
}

TEST(every_quadruple_has_the_radius)
{
    for (size_t i = 0; i <= RADII; ++i) {
        const double rho = (double)i / RADII, bound = 1e-14;
        check_infinity(rho, quantity("Chung and Hulbert 1993", "alpha_f", rho),
                       quantity("Chung and Hulbert 1993", "beta", rho),
                       quantity("Chung and Hulbert 1993", "gamma", rho), bound);
        check_infinity(rho, 1.0 - quantity("PETSc TSALPHA2", "alpha_f", rho), quantity("PETSc TSALPHA2", "beta", rho),
                       quantity("PETSc TSALPHA2", "gamma", rho), bound);
        check_infinity(rho, 0.0, quantity("Wood, Bossak, Zienkiewicz 1980", "beta", rho),
                       quantity("Wood, Bossak, Zienkiewicz 1980", "gamma", rho), bound);
        check_infinity(rho, 0.0, quantity("pendula", "beta", rho), quantity("pendula", "gamma", rho), bound);
        if (rho >= 0.5)
            check_infinity(rho, -quantity("Hilber, Hughes, Taylor 1977", "alpha", rho),
                           quantity("Hilber, Hughes, Taylor 1977", "beta", rho),
                           quantity("Hilber, Hughes, Taylor 1977", "gamma", rho), bound);
    }
}

// The matrix of a method at a radius and Omega = 1e8, with the value that the table has for its parameter.
static Matrix matrix_at(const Convention *convention, double rho)
{
    const double value = convention_value(convention, rho), tied[] = {0.25 * (value + 0.5) * (value + 0.5), value};
    const bool   newmark = strcmp(convention->method, "newmark") == 0;
    return theory_matrix(theory_named(convention->method), 1e8, 0.0, newmark ? tied : FIRST_ALONE(value));
}

// All three eigenvalues of generalized_alpha tend to -rho, and as Omega^(-2/3): a radius can tell rho to 1e-5 there.
// What the characteristic polynomial can tell is sharper.
static void check_triple(const Matrix *m, double rho)
{
    double trace = 0.0, minors = 0.0;
    for (size_t i = 0; i < 3; ++i) {
        const size_t j = (i + 1) % 3;
        trace += m->a[i][i];
        minors += m->a[i][i] * m->a[j][j] - m->a[i][j] * m->a[j][i];
    }
    assert_int_equal(m->n, 3);
    assert_near(trace, -3.0 * rho, 1e-12);
    assert_near(minors, 3.0 * rho * rho, 1e-12);
    assert_near(matrix_radius(*m), rho, 1e-4);
}

// Whether a row is the one that sets the radius of its method.
static bool sets_radius(const Convention *convention)
{
    return convention_find(convention->method) == convention;
}

TEST(theory_has_the_radius)
{
    for (size_t c = 0; c < convention_count; ++c)
        for (size_t i = 0; i < RADII && sets_radius(&conventions[c]); ++i) {
            const double rho = radius_at(i, convention_least(&conventions[c]));
            const Matrix m = matrix_at(&conventions[c], rho);
            if (strcmp(conventions[c].method, "generalized_alpha") == 0)
                check_triple(&m, rho);
            else
                assert_near(matrix_radius(m), rho, 1e-6);
        }
}

// The table has the methods whose one parameter moves their radius, and the values are the cards' to take.
TEST(the_catalog_and_the_table_agree)
{
    const Catalog *catalog = built_in();
    for (size_t c = 0; c < convention_count; ++c) {
        const Convention *convention = &conventions[c];
        const double      least = convention_least(convention);
        if (!sets_radius(convention))
            continue;
        const Card *card = catalog_find(catalog, CARD_METHOD, convention->method);
        assert_non_null(card);
        const CardParameter *parameter = built_in_parameter(card, convention->quantity);
        assert_string_equal(convention->software, "pendula");
        for (size_t i = 0; i <= RADII; ++i) {
            const double rho = least + (1.0 - least) * (double)i / RADII;
            const double value = convention_value(convention, rho);
            assert_true(value >= parameter->least && value <= parameter->most);
            assert_near(convention_radius(convention, value), rho, 1e-15);
        }
        assert_true(isnan(convention_value(convention, least - 0.01)) != 0);
    }
    const CardParameter *beta = built_in_parameter(catalog_find(catalog, CARD_METHOD, "newmark"), "beta");
    assert_true(quantity("pendula", "beta", 0.0) <= beta->most && quantity("pendula", "beta", 1.0) >= beta->least);
    for (size_t i = 0; i < catalog->card_count; ++i) {
        const Card   *card = &catalog->cards[i];
        const Theory *theory = card->kind == CARD_METHOD && !card->adaptive ? theory_named(card->name) : NULL;
        if (!theory || !theory->bounded || card->parameter_count == 0 ||
            (card->parameter_count > 1 && !card->parameters[1].derived))
            continue;
        const double low = card->parameters[0].least, high = card->parameters[0].most;
        if (theory_radius(theory, 0.0, FIRST_ALONE(low)) != theory_radius(theory, 0.0, FIRST_ALONE(high)) &&
            !convention_find(card->name))
            fail_msg("analysis/linear/convention.c lacks %s", card->name);
    }
}

TEST(only_hht_ends_at_one_half)
{
    for (size_t i = 0; i < convention_count; ++i) {
        const Convention *convention = &conventions[i];
        const bool        hht = strcmp(convention->method, "hht_alpha") == 0;
        assert_true(!isnan(convention_value(convention, 0.5)));
        assert_true((isnan(convention_value(convention, 0.49)) != 0) == hht);
        assert_int_equal(strcmp(convention_note(convention, 0.49), "exists for rho_inf from 1/2 on only") == 0, hht);
    }
    // A gamma that has 1/2 but for rounding.
    const double rho = convention_radius(convention_find("newmark"), nextafter(5.0 / 6.0, 1.0));
    assert_true(rho < 0.5 && rho > 0.5 - 1e-14);
    assert_near(convention_value(convention_find("hht_alpha"), rho), -1.0 / 3.0, u);
}

// The numbers of the closed forms at rho_inf = 0.6, d = 1/4, and the order of the methods.
TEST(the_table_is_printed)
{
    static const char *const lines[] = {
        "\ngeneralized_alpha\n  pendula                         rho_inf        0.6\n",
        "Chung and Hulbert 1993          alpha_m        0.125 ",
        "  alpha_f        0.375 ",
        "  beta           0.390625\n",
        "PETSc TSALPHA2                  radius         0.6 ",
        "  alpha_m        0.875 ",
        "  alpha_f        0.625 ",
        "OpenSees GeneralizedAlpha       alphaM         0.875 ",
        "OpenSees HHT                    alpha          0.75 ",
        "\nwbz_alpha\n  pendula                         alpha          -0.25\n",
        "\nnewmark\n  pendula                         gamma          0.75 ",
        "\ntheta1\n  pendula                         theta1         0.625 ",
        "\ntheta2\n  pendula                         theta          0.333333333333333\n",
        "\nbathe\n  pendula                         rho_inf        0.6\n"};
    Command     first = ENDED(0, "show", "generalized_alpha", "--rho-inf", "0.6");
    const char *rest = first.out;
    assert_int_equal(strncmp(rest, "generalized_alpha with a spectral radius at infinity of 0.6, ", 61), 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        assert_contains(rest, lines[i]);
        rest = strstr(rest, lines[i]) + 1;
    }
    assert_null(strstr(first.out, " \n"));

    Command second = ENDED(0, "show", "hht_alpha", "-p", "alpha=-0.1");
    assert_contains(second.out, "infinity of 0.818181818181818, and what has the same\n\nhht_alpha\n  pendula");
    assert_contains(second.out, "alpha          -0.1\n");
    assert_contains(second.out, "\n\ngeneralized_alpha\n");
    EXPECT(0, "alpha          -                     exists for rho_inf from 1/2 on only", "show", "theta2", "-p",
           "theta=1");
}

// The row of the object with that software and quantity.
static const YamlNode *find_row(const YamlNode *rows, const char *software, const char *name)
{
    for (size_t i = 0; i < rows->count; ++i)
        if (yaml_is_word(yaml_find(rows->items[i], "software"), software) &&
            yaml_is_word(yaml_find(rows->items[i], "quantity"), name))
            return rows->items[i];
    fail_msg("no row of %s, %s", software, name);
    return NULL;
}

// JSON as this project writes it is YAML.
TEST(the_object_reads_back)
{
    YamlNode  *root = NULL;
    YamlOrigin origin = {.name = "json"};
    double     number;
    Command    command = ENDED(0, "show", "theta2", "-p", "theta=0.6", "--json");
    assert_fine(yaml_read(command.out, strlen(command.out), &origin, &arena, &root, &err));
    const double rho = 3.0 * (1.0 - 0.6) / (3.0 + 0.6);
    assert_true(yaml_is_word(yaml_find(root, "method"), "theta2"));
    assert_true(yaml_number(yaml_find(root, "rho_inf"), "rho_inf", &number, &err));
    assert_near(number, rho, 2 * u);
    const YamlNode *rows = yaml_find(root, "conventions");
    assert_int_equal(rows->kind, YAML_SEQUENCE);
    assert_int_equal(rows->count, convention_count);
    assert_true(yaml_is_word(yaml_find(rows->items[0], "method"), "theta2"));
    const YamlNode *petsc = find_row(rows, "PETSc TSALPHA2", "alpha_m"), *hht = find_row(rows, "OpenSees HHT", "alpha");
    assert_true(yaml_number(yaml_find(petsc, "value"), "value", &number, &err));
    assert_near(number, (2.0 - rho) / (1.0 + rho), 8 * u);
    assert_string_equal(yaml_find(hht, "value")->text, "null");
}

TEST(what_has_no_answer_is_refused)
{
    EXPECT(2, "method 'rk4' is explicit: it has no spectral radius at infinity", "show", "rk4", "--rho-inf", "0.5");
    EXPECT(2, "method 'dopri5_adaptive' chooses its substeps", "show", "dopri5_adaptive", "--rho-inf", "0.5");
    EXPECT(2, "'trapezoidal' has no parameter for its spectral radius at infinity (1); these have: general", "show",
           "trapezoidal", "--rho-inf", "1");
    EXPECT(2, "'tr_bdf2' has no parameter", "show", "tr_bdf2", "-p", "gamma=0.5");
    EXPECT(2, "no method 'pendulum'", "show", "pendulum", "--rho-inf", "0.5");
    EXPECT(2, "no method 'thta2'; did you mean 'theta2'?", "show", "thta2", "--rho-inf", "0.5");
    EXPECT(2, "--rho-inf: 1.5 is out of range: bathe has it from 0 to 1", "show", "bathe", "--rho-inf", "1.5");
    EXPECT(2, "--rho-inf: 0.3 is out of range: hht_alpha has it from 0.5 to 1", "show", "hht_alpha", "--rho-inf",
           "0.3");
    EXPECT(2, "--rho-inf: 'nan' is not a number", "show", "bathe", "--rho-inf", "nan");
    EXPECT(2, "-p alpha: -0.5 is out of range: for hht_alpha it goes from -0.3333333333 to 0", "show", "hht_alpha",
           "-p", "alpha=-0.5");
    EXPECT(2, "-p gamma: 0.4 is out of range: for newmark it goes from 0.5 to 1.5", "show", "newmark", "-p",
           "gamma=0.4");
    EXPECT(2, "it is 'gamma' that sets the spectral radius at infinity of newmark", "show", "newmark", "-p",
           "beta=0.3");
    EXPECT(2, "--parameter theta: 'x' is not a number", "show", "theta2", "-p", "theta=x");
    EXPECT(2, "--parameter takes NAME=VALUE,..., got 'theta'", "show", "theta2", "-p", "theta");
    EXPECT(2, "--rho-inf and -p both set the radius", "show", "theta2", "-p", "theta=0", "--rho-inf", "1");
    EXPECT(2, "--parameter: 'theta' is given twice", "show", "theta2", "-p", "theta=0", "-p", "theta=1");
    EXPECT(2, "one -p at a time, got 'theta' and 'alpha'", "show", "theta2", "-p", "theta=0", "-p", "alpha=1");
    EXPECT(2, "--json goes with --rho-inf or -p", "show", "theta2", "--json");
}
