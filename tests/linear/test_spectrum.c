// test_spectrum -- `pendula spectrum` against closed forms: its output, its pictures, its refusals.
#include "analysis/linear/matrix.h"
#include "base/yaml.h"

#include "support/program_case.h"

AROUND_ALL(make_place, remove_place)

enum { OMEGA, ZETA, RADIUS, DAMPING, PERIOD, RADIUS_KERNEL, MOST_COLUMNS = 24, MOST_LINES = 2000, METHOD_SIZE = 32 };

// The rows of csv: numbers, NaN where a field is empty, and the method.
typedef struct Table {
    char   header[512];
    double numbers[MOST_LINES][MOST_COLUMNS];
    char   methods[MOST_LINES][METHOD_SIZE];
    size_t count;
} Table;

static double read_field(const char *field)
{
    return *field ? strtod(field, NULL) : (double)NAN;
}

// method_at: the column of the method.
static void read_table(char *csv, size_t method_at, Table *table)
{
    char *rest = csv, *line = strsep(&rest, "\n");
    memset(table, 0, sizeof *table);
    snprintf(table->header, sizeof table->header, "%s", line);
    while ((line = strsep(&rest, "\n")) != NULL && *line) {
        char *field;
        assert_true(table->count < MOST_LINES);
        for (size_t i = 0; (field = strsep(&line, ",")) != NULL; ++i) {
            assert_true(i < MOST_COLUMNS);
            if (i == method_at)
                snprintf(table->methods[table->count], METHOD_SIZE, "%s", field);
            else
                table->numbers[table->count][i] = read_field(field);
        }
        ++table->count;
    }
}

// Runs the program with these words and reads the csv.
static void run_table(const char *const *words, size_t method_at, Table *table)
{
    Ending ending = program_run_in(NULL, words);
    assert_code(&ending.command, 0);
    read_table(ending.command.out, method_at, table);
}

static const char header[] = "omega_h,zeta,radius,damping_ratio,period_error,radius_kernel";

// mu = (1 + i Omega)/(1 + Omega^2) of backward Euler, (1 + i Omega/2)/(1 - i Omega/2) of the trapezoidal rule.
TEST(test_closed_forms)
{
    Table *table = test_take(1, sizeof *table);
    run_table(
        WORDS("spectrum", "backward_euler", "trapezoidal", "--zeta", "0", "--omega-h", "1,0.1,20", "--format", "csv"),
        6, table);
    assert_string_equal(table->header, "omega_h,zeta,radius,damping_ratio,period_error,radius_kernel,method");
    assert_int_equal(table->count, 6);
    const double omegas[] = {1.0, 0.1, 20.0};
    for (size_t i = 0; i < 6; ++i) {
        const double *row = table->numbers[i], O = omegas[i % 3];
        const double  angle = i < 3 ? atan(O) : 2.0 * atan(0.5 * O);
        assert_string_equal(table->methods[i], i < 3 ? "backward_euler" : "trapezoidal");
        assert_near(row[OMEGA], O, 0);
        assert_near(row[ZETA], 0, 0);
        assert_near(row[RADIUS], i < 3 ? 1.0 / sqrt(1.0 + O * O) : 1.0, 1e-15);
        assert_near(row[DAMPING], i < 3 ? 0.5 * log(1.0 + O * O) / angle : 0.0, 1e-14);
        assert_near(row[PERIOD], O / angle - 1.0, 1e-13);
        assert_near(row[RADIUS_KERNEL], row[RADIUS], 1e-14);
    }
}

// d = (1 - rho)/(1 + rho); the errors of the limits are of the next order, Omega^2.
TEST(test_frequency_limits)
{
    Table       *table = test_take(1, sizeof *table);
    const double O = 0.02, theta = 0.3, close = 20.0 * O * O;
    run_table(
        WORDS("spectrum", "generalized_alpha", "-p", "rho_inf=0.2,0.6", "--omega-h", "0.02,1e6", "--format", "csv"), 6,
        table);
    assert_string_equal(table->header, "omega_h,zeta,radius,damping_ratio,period_error,radius_kernel,method,rho_inf");
    assert_int_equal(table->count, 4);
    for (size_t i = 0; i < 2; ++i) {
        const double *low = table->numbers[2 * i], *high = table->numbers[2 * i + 1];
        const double  rho = i ? 0.6 : 0.2, d = (1.0 - rho) / (1.0 + rho);
        assert_near(low[7], rho, 0);
        // xi is -ln|mu|/Omega there.
        assert_near(low[DAMPING] / (0.5 * d * d * d * O * O * O), 1.0, close);
        assert_near(low[PERIOD] / ((1.0 / 12.0 + 3.0 * d * d / 8.0) * O * O), 1.0, close);
        assert_near(high[RADIUS], rho, 1e-4);
        assert_near(high[RADIUS_KERNEL], rho, 1e-4);
    }
    run_table(WORDS("spectrum", "theta2", "-p", "theta2.theta=0.3", "--omega-h", "0.02,1e6", "--format", "csv"), 6,
              table);
    const double *low = table->numbers[0];
    assert_near(low[DAMPING] / (theta * (3.0 + theta) / (4.0 * (3.0 - theta) * (3.0 - theta)) * O * O * O), 1.0, close);
    assert_near(low[PERIOD] / ((3.0 + 5.0 * theta) / (12.0 * (3.0 - theta)) * O * O), 1.0, close);
    assert_near(table->numbers[1][RADIUS], 3.0 * (1.0 - theta) / (3.0 + theta), 1e-6);
}

// Every method there is, kernel beside theory.
TEST(test_all_methods)
{
    Table *table = test_take(1, sizeof *table);
    run_table(WORDS("spectrum", "all", "--zeta", "0,0.3", "--omega-h-log", "0.01,3,7", "--format", "csv"), 6, table);
    assert_int_equal(strncmp(table->header, header, strlen(header)), 0);
    assert_true(table->count >= 14 * 25);
    assert_int_equal(table->count % 14, 0);
    for (size_t i = 0; i < table->count; ++i) {
        const double *row = table->numbers[i];
        assert_near(row[OMEGA], 0.01 * pow(300.0, (double)(i % 7) / 6.0), 1e-13);
        assert_near(row[ZETA], i / 7 % 2 ? 0.3 : 0.0, 0);
        if (!(fabs(row[RADIUS_KERNEL] - row[RADIUS]) <= 1e-10 * fmax(1.0, row[RADIUS])))
            fail_msg("%s, Omega %g: radius %.17g, the kernel's %.17g", table->methods[i], row[OMEGA], row[RADIUS],
                     row[RADIUS_KERNEL]);
        assert_true(row[RADIUS] > 0.0);
    }
}

// Above critical damping there is no oscillation, hence no period: the fields are empty.
TEST(test_overdamped)
{
    EXPECT(0, "\n0.1,1.5,0.", "spectrum", "rk4", "--zeta", "1.5", "--omega-h", "0.1", "--format", "csv");
    EXPECT(0, ",,,0.", "spectrum", "rk4", "--zeta", "1.5", "--omega-h", "0.1", "--format", "csv");
    EXPECT(0, "\"damping_ratio\": null", "spectrum", "rk4", "--zeta", "1.5", "--omega-h", "0.1", "--format", "json");
}

TEST(test_limits)
{
    Table *table = test_take(1, sizeof *table);
    run_table(WORDS("spectrum", "symplectic_euler", "chung_lee", "bdf2", "--limits", "--zeta", "0,0.2,1.5", "--format",
                    "csv"),
              3, table);
    assert_string_equal(table->header, "zeta,critical,critical_kernel,method,beta");
    assert_int_equal(table->count, 9);
    for (size_t i = 0; i < 9; ++i) {
        const double *row = table->numbers[i], zeta = row[0], b = 4.0 * 28.0 / 27.0 - 3.0;
        assert_near(zeta, i % 3 == 0 ? 0.0 : i % 3 == 1 ? 0.2 : 1.5, 0);
        if (i >= 6) {
            assert_true(isinf(row[1]) && isinf(row[2]));
            continue;
        }
        const double due =
            i < 3 ? 2.0 * (sqrt(1.0 + zeta * zeta) - zeta) : 2.0 * (sqrt(4.0 * zeta * zeta + b) - 2.0 * zeta) / b;
        assert_near(row[1], due, 1e-13);
        assert_near(row[2], due, 1e-7);
    }
    // As text: stable at every step, and, undamped, at none.
    EXPECT(0, "\n              0       infinite       infinite\n", "spectrum", "bdf2", "--limits", "--zeta", "0");
    EXPECT(0, "\n              0              0              0\n", "spectrum", "explicit_euler", "--limits", "--zeta",
           "0");
    // |1 + z + z^2/2 + z^3/6 + z^4/24| is 1 at z = Omega (-0.2 + i sqrt(0.96)) for Omega = 2.94008766523.
    EXPECT(0, "\n0.2,2.940087665230", "spectrum", "rk4", "--limits", "--zeta", "0.2", "--format", "csv");
    EXPECT(0, "\"critical\": \"inf\", \"critical_kernel\": \"inf\"", "spectrum", "bdf2", "--limits", "--zeta", "0",
           "--format", "json");
}

TEST(test_text)
{
    Command command = ENDED(0, "spectrum", "newmark", "-p", "beta=0", "-p", "gamma=0.5");
    assert_contains(command.out, "newmark: beta = 0, gamma = 0.5");
    assert_contains(command.out, "radius_kernel");
    assert_contains(command.out, "by its card: infinite at 2 beta >= gamma >= 1/2");
    assert_contains(command.out, "           1.5              2              2");
}

// JSON as this project writes it is YAML.
TEST(test_json)
{
    YamlNode  *root = NULL;
    YamlOrigin origin = {.name = "json"};
    double     numbers[2];
    Ending ending = program_run_in(NULL, WORDS("spectrum", "theta1", "sofa_newmark", "-p", "theta1=0.5,1", "--omega-h",
                                               "1,2", "--format", "json", "-o", "rows.json"));
    assert_code(&ending.command, 0);
    assert_string_equal(ending.command.out, "");
    const char *text = test_file(path_of("rows.json").text, NULL);
    assert_fine(yaml_read(text, strlen(text), &origin, &arena, &root, &err));
    assert_int_equal(root->kind, YAML_SEQUENCE);
    assert_int_equal(root->count, 6);
    const YamlNode *row = root->items[2], *parameters = yaml_find(row, "parameters");
    assert_true(yaml_is_word(yaml_find(row, "method"), "theta1"));
    assert_true(yaml_number(yaml_find(row, "radius"), "radius", &numbers[0], &err));
    assert_true(yaml_number(yaml_find(parameters, "theta1"), "theta1", &numbers[1], &err));
    assert_near(numbers[0], sqrt(0.5), 1e-15);
    assert_near(numbers[1], 1.0, 0);
    assert_int_equal(yaml_find(root->items[4], "parameters")->count, 4);
}

static void check_picture(const char *stem)
{
    static const char *const endings[] = {"png", "svg", "gp"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        char   name[64];
        size_t length;
        snprintf(name, sizeof name, "%s.%s", stem, endings[i]);
        place_bytes(name, &length);
        assert_true(length > 1000);
        place_drop(name);
    }
}

TEST(test_pictures)
{
    need_gnuplot();
    EXPECT(0, "omega_h", "spectrum", "generalized_alpha", "explicit_euler", "--zeta", "0,0.1", "--format", "csv",
           "--plot", "curves.png");
    check_picture("curves");
    EXPECT(0, "zeta", "spectrum", "chung_lee", "-p", "beta=1,1.02", "bdf2", "--limits", "--format", "csv", "--plot",
           "limits");
    check_picture("limits");
    EXPECT(3, "cannot be written", "spectrum", "rk4", "--omega-h", "1", "--format", "csv", "-o", "rows.csv", "--plot",
           "nowhere/curves.svg");
}

TEST(test_errors)
{
    EXPECT(2, "which methods? Name some of `pendula list methods`, or `all`", "spectrum");
    EXPECT(2, "unknown method 'theta3'; did you mean 'theta", "spectrum", "theta3");
    EXPECT(2, "method 'dopri5_adaptive' chooses its substeps", "spectrum", "dopri5_adaptive");
    EXPECT(2, "did you mean 'rho_inf'?", "spectrum", "generalized_alpha", "-p", "rho=0.5");
    EXPECT(2, "-p rho_inf: 1.5 is too large, it must be at most 1", "spectrum", "generalized_alpha", "-p",
           "rho_inf=1.5");
    EXPECT(2, "-p gamma: 0 is too small, it must be greater than 0", "spectrum", "tr_bdf2", "-p", "gamma=0");
    EXPECT(2, "-p beta: 'x' is not a number", "spectrum", "newmark", "-p", "beta=0.25,x");
    EXPECT(2, "-p beta is given twice", "spectrum", "newmark", "-p", "beta=0.25", "-p", "beta=0.3");
    EXPECT(2, "none of the methods has this parameter", "spectrum", "newmark", "theta1", "-p", "rho_inf=1");
    EXPECT(2, "'theta1' is none of the methods given", "spectrum", "newmark", "-p", "theta1.theta1=1");
    EXPECT(2, "-p beta: expected NAME=VALUE", "spectrum", "newmark", "-p", "beta");
    EXPECT(2, "--zeta: -1 is too small", "spectrum", "rk4", "--zeta", "-1");
    EXPECT(2, "--omega-h: 0 is too small", "spectrum", "rk4", "--omega-h", "1,0");
    EXPECT(2, "--omega-h: '' is not a number", "spectrum", "rk4", "--omega-h", "1,,2");
    EXPECT(2, "--omega-h-log takes A,B,N", "spectrum", "rk4", "--omega-h-log", "1,0.1,5");
    EXPECT(2, "--omega-h-log takes A,B,N", "spectrum", "rk4", "--omega-h-log", "0.1,1");
    EXPECT(2, "--format takes text, csv or json", "spectrum", "rk4", "--format", "xml");
    EXPECT(2, "the reference has none", "spectrum", "rk4", "-d", "reference");
    EXPECT(8, "no such thing", "spectrum", "rk4", "-d", "no such thing");
    EXPECT(3, "'nowhere/rows.csv' cannot be written", "spectrum", "rk4", "--omega-h", "1", "-o", "nowhere/rows.csv");
    EXPECT(2, "the name of a picture is empty", "spectrum", "rk4", "--omega-h", "1", "-o", "rows.txt", "--plot",
           ".png");
    // A method's own setting goes before that of all.
    EXPECT(0, ",newmark,0.3,0.5\n", "spectrum", "newmark", "-p", "beta=0.25", "-p", "newmark.beta=0.3", "--omega-h",
           "1", "--format", "csv");
}

static Matrix square(double a, double b, double c, double d)
{
    return (Matrix){2, {{a, b}, {c, d}}};
}

TEST(test_matrices)
{
    const double c = cos(0.5), s = sin(0.5), large = 1.0 + 1e-9;
    const Mode   turn = matrix_mode(square(c, s, -s, c), 0.6), real = matrix_mode(square(2.0, 0.0, 0.0, -3.0), 1.0);
    assert_near(turn.radius, 1.0, 1e-15);
    assert_near(turn.damping_ratio, 0.0, 1e-15);
    assert_near(turn.period_error, 0.2, 1e-14);
    assert_near(real.radius, 3.0, 1e-15);
    assert_true(isnan(real.damping_ratio) && isnan(real.period_error));
    assert_true(isnan(matrix_mode(square((double)NAN, 0.0, 0.0, 1.0), 1.0).radius));
    // The pair of largest modulus, not the real eigenvalue that is larger.
    const Matrix three = {3, {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, -2.0}}};
    assert_near(matrix_mode(three, 0.5).radius, 2.0, 1e-15);
    assert_near(matrix_mode(three, 0.5).period_error, 0.0, 1e-14);

    assert_true(matrix_is_stable(square(c, s, -s, c), 1.0));
    assert_false(matrix_is_stable(square(large * c, large * s, -large * s, large * c), 1.0));
    assert_true(matrix_is_stable(square(large * c, large * s, -large * s, large * c), 20.0));
    // Eigenvalues -1 and -1, to which rounding does this.
    assert_true(matrix_is_stable(square(-1.0, 1.0, 1e-16, -1.0), 1.0));
    assert_false(matrix_is_stable(square(-1.0, 1.0, 1e-12, -1.0), 1.0));
    assert_false(matrix_is_stable(square((double)INFINITY, 0.0, 0.0, 0.0), 1.0));
}
