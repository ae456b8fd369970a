// test_pairs_command -- `pendula pairs`: its tables, files and pictures, and what it refuses.
#include "support/pairs_case.h"
#include "support/program_case.h"

AROUND_ALL(make_place, remove_place)

// theta of theta2 that damps like rho_inf as Omega -> 0: theta (3 + theta)/(4 (3 - theta)^2) = d^3/2, solved for theta.
static double closed_form(double rho_inf)
{
    const double d = (1.0 - rho_inf) / (1.0 + rho_inf), q = d * d * d;
    return 3.0 * (sqrt(1.0 + 16.0 * q) - 1.0 - 4.0 * q) / (2.0 * (1.0 - 2.0 * q));
}

enum { VALUES = 20 };

// A row for each value in the order given, a value that comes twice and those without an equivalent included.
TEST(one_row_per_value)
{
    double   values[VALUES];
    char     list[VALUES * 32] = "", header[sizeof PAIRS_COLUMNS + 32];
    uint64_t seed = 20181;
    size_t   none = 0;
    for (size_t i = 0, used = 0; i < VALUES; ++i) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        values[i] = i == 7 ? values[3] : i == 12 ? 0.05 : 0.001 * (double)((seed >> 33) % 1000);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.17g", i ? "," : "", values[i]);
    }
    Command command =
        ENDED(0, "pairs", "generalized_alpha", "theta2", "--values", list, "--problem", "none", "--format", "csv");
    char *rest = command.out, *line = strsep(&rest, "\n");
    snprintf(header, sizeof header, "rho_inf,theta,%s", PAIRS_COLUMNS);
    assert_string_equal(line, header);
    for (size_t i = 0; i < VALUES; ++i) {
        line = strsep(&rest, "\n");
        assert_non_null(line);
        const Row row = read_row(line);
        assert_int_equal(row.count, COLUMNS);
        assert_true(pairs_number(&row, FROM) == values[i]);
        if (values[i] < 0.11501) {
            ++none;
            assert_string_equal(row.fields[TO], "");
            assert_string_equal(row.fields[RESIDUAL], "");
            assert_true(strlen(row.fields[REASON]) > 10);
            continue;
        }
        assert_true(fabs(pairs_number(&row, TO) - closed_form(values[i])) <= 1e-10);
        assert_true(pairs_number(&row, RESIDUAL) <= 1e-10);
        assert_true(pairs_number(&row, LOW) <= pairs_number(&row, TO) &&
                    pairs_number(&row, TO) <= pairs_number(&row, HIGH));
        assert_string_equal(row.fields[ROOTS], "");
        assert_string_equal(row.fields[REASON], "");
    }
    assert_true(none >= 1 && none < VALUES);
    assert_non_null(rest);
    assert_string_equal(rest, "");
}

// Lists of several --values are one list; parameters of one name are told apart.
TEST(lists_add_up_and_names_differ)
{
    Command command = ENDED(0, "pairs", "bathe", "generalized_alpha", "--criterion", "high_frequency", "--values",
                            "0.5,0.25", "--values", "0.75", "--problem", "none", "--format", "csv");
    assert_int_equal(strncmp(command.out, "bathe.rho_inf,generalized_alpha.rho_inf,residual,", 49), 0);
    char        *rest = command.out;
    const double due[] = {0.5, 0.25, 0.75};
    strsep(&rest, "\n");
    for (size_t i = 0; i < 3; ++i) {
        const Row row = read_row(strsep(&rest, "\n"));
        assert_true(pairs_number(&row, FROM) == due[i]);
        assert_true(fabs(pairs_number(&row, TO) - due[i]) <= 1e-10);
    }
    assert_string_equal(rest, "");
}

TEST(text_says_what_is_equal_and_where)
{
    Command command = ENDED(0, "pairs", "generalized_alpha", "theta2", "--values", "0.05,0.6,0.9", "--problem", "none");
    assert_contains(command.out, "generalized_alpha, rho_inf");
    assert_contains(command.out, "Omega -> 0");
    assert_contains(command.out, " 0.07  unique\n");
    assert_contains(command.out, " 0.001  unique\n");
    assert_contains(command.out, "none (1)\n");
    assert_contains(command.out, "\n(1) ");
    assert_contains(command.out, "Equivalents exist for rho_inf from 0.115013 to 1.\n");
    size_t width = 0;
    for (const char *c = command.out; *c; ++c) {
        width = *c == '\n' ? 0 : width + 1;
        assert_true(width <= 110);
    }
    command = ENDED(0, "pairs", "newmark", "theta1", "--values", "0.6", "--problem", "none");
    assert_contains(command.out, "beta = (gamma + 1/2)^2/4");
    assert_null(strstr(command.out, "by eye"));
}

TEST(wrong_use_is_refused)
{
    static const struct {
        const char *words[8], *message;
    } cases[] = {{{NULL}, "which two methods"},
                 {{"theta2", NULL}, "which two methods"},
                 {{"theta1", "theta2", "bathe", NULL}, "'bathe'"},
                 {{"theta1", "thta2", NULL}, "did you mean 'theta2'"},
                 {{"theta1", "rk4", NULL}, "rk4"},
                 {{"theta1", "theta2", "--criterion", "radus", NULL}, "did you mean 'radius'"},
                 {{"theta1", "theta2", "--criterion", "radius", "--omega-h", "0", NULL}, "greater than 0"},
                 {{"theta1", "theta2", "--criterion", "radius", "--omega-h", "-1", NULL}, "greater than 0"},
                 {{"theta1", "theta2", "--criterion", "radius", "--band", "2,1", NULL}, "A < B"},
                 {{"theta1", "theta2", "--band", "0,1", NULL}, "greater than 0"},
                 {{"theta1", "theta2", "--band", "1,2", "--omega-h", "1", NULL}, "exclude each other"},
                 {{"theta1", "theta2", "--values", "0.6,,0.7", NULL}, "not a number"},
                 {{"theta1", "theta2", "--values", "0.4", NULL}, "0.4"},
                 {{"theta1", "theta2", "--range", "0,2", NULL}, "theta"},
                 {{"theta1", "theta2", "-p", "nu=2", NULL}, "nu"},
                 {{"theta1", "theta2", "--format", "xml", NULL}, "xml"},
                 {{"theta1", "theta2", "--pair", "0.6", NULL}, "--plot"},
                 {{"theta1", "theta2", "--plot", "a\nb", NULL}, "control character"},
                 {{"theta1", "theta2", "-d", "reference", NULL}, "reference"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char *words[12] = {"pairs", "--problem", "none"};
        memcpy(words + 3, cases[i].words, sizeof cases[i].words);
        expect_in(NULL, 2, cases[i].message, words);
    }
}

TEST(files_are_not_replaced_unasked)
{
    Command command = ENDED(0, "pairs", "theta1", "newmark", "--values", "0.6", "--problem", "none", "--format", "csv",
                            "-o", "table.csv");
    assert_string_equal(command.out, "");
    char *table = test_file(path_of("table.csv").text, NULL);
    assert_contains(table, "theta1,gamma,residual,");
    for (int i = 0; i < 3; ++i) {
        command = i < 2 ? PENDULA("pairs", "theta1", "newmark", "--problem", "none", "-o", "pairs.h5")
                        : PENDULA("pairs", "theta1", "newmark", "--problem", "none", "-o", "pairs.h5", "--force");
        assert_code(&command, i == 1 ? 3 : 0);
        if (i == 1)
            assert_contains(command.error, "--force");
        else
            assert_contains(command.out, "unique");
    }
    EXPECT(3, "", "pairs", "theta1", "newmark", "--problem", "none", "-o", "no/pairs.h5");
    command = ENDED(0, "info", "pairs.h5");
    assert_contains(command.out, "theta1: 21 values, 0.5 to 1");
    assert_contains(command.out, "root_count");
}

// Only what is measured needs a device.
TEST(a_missing_device_is_said)
{
    const Surroundings none = {.variable = "OCL_ICD_VENDORS", .value = "/nowhere"};
    Ending             ending = program_run_in(&none, WORDS("pairs", "theta1", "theta2", "--values", "0.5"));
    assert_code(&ending.command, 0);
    assert_contains(ending.command.error, "nothing is run");
    assert_contains(ending.command.out, "unique");
    ending = program_run_in(&none, WORDS("pairs", "theta1", "theta2", "--values", "0.5", "--problem", "none"));
    assert_code(&ending.command, 0);
    assert_string_equal(ending.command.error, "");
    expect_in(&none, 8, "", WORDS("pairs", "theta1", "theta2", "--criterion", "measured"));
}

TEST(pictures_show_curve_and_diamonds)
{
    need_gnuplot();
    Command command = ENDED(0, "pairs", "generalized_alpha", "theta2", "--criterion", "radius", "--omega-h", "2",
                            "--problem", "none", "--plot", "curve.png", "--pair", "0.61");
    assert_contains(command.error, "rho_inf = 0.6\n");
    assert_true(place_has("curve.png"));
    assert_true(place_has("curve.svg"));
    char *script = test_file(path_of("curve.gp").text, NULL);
    assert_contains(script, "$seen << END\n0.9 0.001\n0.6 0.07\n0.5 0.15\n0.3 0.45\nEND\n");
    assert_contains(script, "'by eye (Wu 2018)'");
    assert_contains(script, "'no equivalent'");
    assert_contains(script, "set arrow from first 2,");
    // Where both curves of the chosen pair cross the criterion's Omega they are the same.
    char  *rest = strstr(script, "$spectra << END\n");
    double before[5], row[5] = {0};
    assert_non_null(rest);
    rest = strchr(rest, '\n') + 1;
    bool crossed = false;
    for (size_t i = 0; strncmp(rest, "END", 3) != 0; rest = strchr(rest, '\n') + 1, ++i) {
        memcpy(before, row, sizeof row);
        assert_int_equal(sscanf(rest, "%lf %lf %lf %lf %lf", row, row + 1, row + 2, row + 3, row + 4), 5);
        if (i > 0 && before[0] <= 2.0 && row[0] > 2.0) {
            crossed = (before[1] - before[2]) * (row[1] - row[2]) < 0.0;
            assert_true(fabs(row[3] - row[4]) < 0.01);
        }
    }
    assert_true(crossed);
    // Without Wu's methods there are no diamonds.
    EXPECT(0, "", "pairs", "hht_alpha", "wbz_alpha", "--problem", "none", "--plot", "others");
    script = test_file(path_of("others.gp").text, NULL);
    assert_null(strstr(script, "by eye"));
}
