// test_pareto -- `pendula pareto`: fronts against brute force, and its output, pictures and refusals.
#include "store/points.h"
#include "base/yaml.h"

#include "support/program_case.h"

enum { MOST_ROWS = 4000, VALUES = 4, PROBLEM_COLUMNS = 2, COLUMNS = 6 };

// What points of these tests differ by, those of the problem first.
static const char *const column_names[COLUMNS] = {"omega", "zeta", "step", "rho_inf", "theta", "tolerance"};

typedef struct Row {
    char   label[40];
    double columns[COLUMNS];  // NaN where there is none
    double values[VALUES];    // 0 where there are fewer
    bool   fine;
} Row;

typedef struct Table {
    Row    rows[MOST_ROWS];
    size_t count;
    bool   shown[COLUMNS];  // csv: the columns it has
} Table;

// Undamped oscillators that end after three of their periods, so that error_final is what the decay has done.
static const char grid[] = "problem: harmonic_oscillator\n"
                           "parameters: {omega: [1, 4], zeta: [0, 0.2]}\n"
                           "methods:\n"
                           "  - generalized_alpha: {rho_inf: [0.3, 0.6, 0.9]}\n"
                           "  - theta2: {theta: [0, 0.25, 0.5, 1]}\n"
                           "  - {label: coarse, theta2: {theta: 0.5}, newton: {tolerance: [1.0e-2, 1.0e-9]}}\n"
                           "step: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]\n"
                           "end: 6\n"
                           "metrics: [status, updates, error_final, energy_drift, period, period_error]\n";
static const char zip[] = "problem: harmonic_oscillator\n"
                          "design: zip\n"
                          "parameters: {omega: [1, 2, 1, 2, 1, 2, 1, 2]}\n"
                          "methods: [{theta2: {theta: [0, 0, 0.3, 0.3, 0.6, 0.6, 1, 1]}}, rk4]\n"
                          "step: [0.1, 0.1, 0.2, 0.2, 0.05, 0.05, 0.1, 0.1]\n"
                          "end: 4\n";
// The same method twice: equal points stay together.
static const char twins[] = "problem: pendulum\n"
                            "methods: [{label: one, theta2: {theta: [0, 0.5]}}, {label: two, theta2: {theta: [0, "
                            "0.5]}}]\n"
                            "step: [0.05, 0.1]\n"
                            "end: 4\n"
                            "metrics: [status, updates, error_final]\n";
// One update is never enough.
static const char failing[] = "problem: pendulum\n"
                              "parameters: {x0: [0.5, 2]}\n"
                              "methods: [{label: fails, theta2: {theta: [0, 1]}, newton: {tolerance: 0, max_updates: "
                              "1, floor_guard: false}, substeps: {max_depth: 0}}, bathe]\n"
                              "step: [0.05, 0.1]\n"
                              "end: 1\n"
                              "metrics: [status, updates, error_final]\n";
// A radius and an angle at the end.
static const char polar[] = "problem: elastic_pendulum_polar\n"
                            "parameters: {eps: 0.1}\n"
                            "methods: [{theta2: {theta: [0, 0.25, 0.5, 1]}}]\n"
                            "step: [0.02, 0.05, 0.1, 0.2]\n"
                            "end: 3\n"
                            "metrics: [status, updates, x_final, v_final]\n";
static const char mixed[] = "problem: pendulum\n"
                            "methods: [theta2, rk4, {dopri5_adaptive: {rtol: [1.0e-3, 1.0e-6]}}]\n"
                            "step: [0.05, 0.1]\n"
                            "end: 2\n"
                            "newton: {jacobian: central}\n"
                            "metrics: [status, updates, evaluations, failed_solves, error_final]\n";
static const char many[] = "problem: harmonic_oscillator\n"
                           "parameters: {omega: {linear: [1, 2, 13]}}\n"
                           "methods: [rk4, theta2]\n"
                           "step: [0.1, 0.2]\n"
                           "end: 1\n"
                           "metrics: [status, updates, error_final]\n";
// The end is the product of step and steps.
static const char ends[] = "problem: harmonic_oscillator\n"
                           "methods: [theta2]\n"
                           "step: [0.1, 0.05]\n"
                           "steps: [20, 40]\n"
                           "metrics: [status, updates, error_final]\n";

// Nothing that the program takes for an error by itself.
static const char driftless[] = "problem: pendulum\n"
                                "methods: [theta2]\n"
                                "step: 0.1\n"
                                "end: 1\n"
                                "metrics: [status, updates]\n";

static int make_files(void **state)
{
    static const struct {
        const char *name, *text, *device;
    } sweeps[] = {
        {"grid", grid, "reference"},       {"zip", zip, "cpu"},           {"twins", twins, "reference"},
        {"failing", failing, "reference"}, {"mixed", mixed, "reference"}, {"many", many, "reference"},
        {"ends", ends, "reference"},       {"polar", polar, "reference"}, {"driftless", driftless, "reference"}};
    make_place(state);
    for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; ++i)
        make_result(sweeps[i].name, sweeps[i].text, sweeps[i].device);
    return 0;
}

AROUND_ALL(make_files, remove_place)

// A metric, or of a variable with a number for each of two degrees of freedom the first, or the second where its name
// ends with [1], [theta] or [v_theta].
static double *read_numbers(const StoreFile *file, const StoreGroup *group, const char *name)
{
    char        stem[64];
    const char *bracket = strchr(name, '[');
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, "["), name);
    const StoreVariable *variable = store_read_variable(group, stem);
    assert_non_null(variable);
    double *numbers = test_take((size_t)variable->count, sizeof *numbers);
    assert_true(store_read_numbers(file, group, variable, NULL, NULL, numbers, &err));
    const bool second = bracket && (strcmp(bracket, "[1]") == 0 || strstr(bracket, "theta]"));
    for (uint64_t i = 0; bracket && i < variable->count / 2; ++i)
        numbers[i] = numbers[2 * i + second];
    return numbers;
}

// The value of an axis or, where that is none, of the attribute; NaN where the group has neither.
static double read_column(const Points *points, const char *name, uint64_t point)
{
    const bool newton = strcmp(name, "tolerance") == 0;
    double     value = (double)NAN;
    bool       found = false;
    for (size_t a = 0; a < points->axis_count; ++a)
        if (strcmp(points->axes[a].name, name) == 0)
            return points_axis_value(points, a, point);
    assert_true(
        store_read_number(points->file, points->group, newton ? "newton.tolerance" : name, &value, &found, &err));
    return value;
}

// Every point of a file, with the metrics of these names; "abs:" as in the program.
static Table *read_points(const char *name, const char *const *metrics)
{
    StoreFile file SCOPED(store_read_close) = {0};
    Table    *table = test_take(1, sizeof *table);
    assert_true(store_read_open(path_of(name).text, &file, &err));
    for (size_t g = 0; g < file.group_count; ++g) {
        const StoreGroup *group = &file.groups[g];
        Points            points SCOPED(points_close) = {0};
        double           *numbers[VALUES] = {0}, *status = read_numbers(&file, group, "status");
        assert_true(points_open(&file, group, &points, &err));
        for (size_t k = 0; metrics[k]; ++k)
            numbers[k] = read_numbers(&file, group, metrics[k] + (strncmp(metrics[k], "abs:", 4) == 0 ? 4 : 0));
        for (uint64_t p = 0; p < points.count; ++p) {
            assert_true(table->count < MOST_ROWS);
            Row *row = &table->rows[table->count++];
            snprintf(row->label, sizeof row->label, "%s", group->label);
            for (size_t c = 0; c < COLUMNS; ++c)
                row->columns[c] = read_column(&points, column_names[c], p);
            row->fine = status[p] == (double)STATUS_OK;
            for (size_t k = 0; metrics[k]; ++k) {
                row->values[k] = strncmp(metrics[k], "abs:", 4) == 0 ? fabs(numbers[k][p]) : numbers[k][p];
                row->fine = row->fine && isfinite(row->values[k]);
            }
        }
    }
    return table;
}

static bool same(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static bool beats(const double *a, const double *b)
{
    bool better = false;
    for (size_t i = 0; i < VALUES; ++i) {
        if (a[i] > b[i])
            return false;
        better = better || a[i] < b[i];
    }
    return better;
}

// Whether no other fine row of the same problem dominates.
static bool is_on_front(const Table *table, const Row *row)
{
    if (!row->fine)
        return false;
    for (size_t i = 0; i < table->count; ++i)
        if (table->rows[i].fine && same(table->rows[i].columns, row->columns, PROBLEM_COLUMNS) &&
            beats(table->rows[i].values, row->values))
            return false;
    return true;
}

// The table that csv holds. The first objectives of its columns are the values.
static Table *read_csv(char *csv, const char *const *metrics)
{
    Table *table = test_take(1, sizeof *table);
    char  *rest = csv, *line = strsep(&rest, "\n"), *field;
    int    columns[32], values[32];
    size_t count = 0;
    assert_int_equal(strncmp(line, "label,method,", 13), 0);
    assert_string_equal(strrchr(line, ','), ",knee");
    for (; (field = strsep(&line, ",")) != NULL; ++count) {
        assert_true(count < 32);
        columns[count] = values[count] = -1;
        for (int c = 0; c < COLUMNS; ++c)
            if (strcmp(field, column_names[c]) == 0)
                table->shown[columns[count] = c] = true;
        for (int k = 0; metrics[k]; ++k)
            if (strcmp(field, metrics[k]) == 0)
                values[count] = k;
    }
    while ((line = strsep(&rest, "\n")) != NULL && *line) {
        Row   *row = &table->rows[table->count++];
        size_t i = 0;
        for (size_t c = 0; c < COLUMNS; ++c)
            row->columns[c] = (double)NAN;
        for (; (field = strsep(&line, ",")) != NULL; ++i) {
            const double number = *field ? strtod(field, NULL) : (double)NAN;
            assert_true(i < count);
            if (i == 0)
                snprintf(row->label, sizeof row->label, "%s", field);
            if (columns[i] >= 0)
                row->columns[columns[i]] = number;
            if (values[i] >= 0)
                row->values[values[i]] = number;
        }
        assert_int_equal(i, count);
    }
    return table;
}

static size_t count_equal(const Table *table, const Row *row)
{
    size_t found = 0;
    for (size_t i = 0; i < table->count; ++i)
        found += strcmp(table->rows[i].label, row->label) == 0 && same(table->rows[i].columns, row->columns, COLUMNS) &&
                 same(table->rows[i].values, row->values, VALUES);
    return found;
}

// The rows of csv are those of the table that brute force finds, sorted by problem and then by the first objective.
// What is the same everywhere is not a column of csv.
static void expect_front(Table *all, const Table *front)
{
    size_t expected = 0;
    for (size_t i = 0; i < all->count; ++i)
        for (size_t c = 0; c < COLUMNS; ++c)
            all->rows[i].columns[c] = front->shown[c] ? all->rows[i].columns[c] : (double)NAN;
    for (size_t i = 0; i < all->count; ++i) {
        const bool on_front = is_on_front(all, &all->rows[i]);
        expected += on_front;
        assert_int_equal(count_equal(front, &all->rows[i]), on_front ? count_equal(all, &all->rows[i]) : 0);
    }
    assert_true(expected > 1);
    assert_int_equal(front->count, expected);
    for (size_t i = 1; i < front->count; ++i) {
        const Row *before = &front->rows[i - 1], *row = &front->rows[i];
        int        order = 0;
        for (size_t c = 0; c < PROBLEM_COLUMNS && order == 0; ++c)
            order = (before->columns[c] > row->columns[c]) - (before->columns[c] < row->columns[c]);
        assert_true(order < 0 || (order == 0 && before->values[0] <= row->values[0]));
    }
}

static Table *ask(const char *const *words, const char *const *metrics)
{
    const char *all[COMMAND_WORDS] = {PENDULA_PROGRAM, "pareto"};
    size_t      count = 2;
    for (size_t i = 0; words[i]; ++i)
        all[count++] = words[i];
    all[count++] = "--format";
    all[count++] = "csv";
    Command command = command_ended(0, all);
    Table  *table = read_csv(command.out, metrics);
    return table;
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(fronts_are_those_of_brute_force)
{
    static const struct {
        const char *words[8], *metrics[5], *label;
        double      omega, rho_inf;  // 0: any
    } cases[] = {
        {.words = {"grid.h5"}, .metrics = {"updates", "error_final"}},
        {.words = {"twins.h5"}, .metrics = {"updates", "error_final"}},
        {.words = {"zip.h5", "--method", "theta2"}, .metrics = {"updates", "error_final"}, .label = "theta2"},
        {.words = {"zip.h5", "--cost", "evaluations"}, .metrics = {"evaluations", "error_final"}},
        {.words = {"zip.h5", "--cost", "steps", "--error", "error_max"}, .metrics = {"steps", "error_max"}},
        {.words = {"grid.h5", "--error", "abs:period_error"}, .metrics = {"updates", "abs:period_error"}},
        {.words = {"grid.h5", "--error", "error_final", "--error", "energy_drift"},
         .metrics = {"updates", "error_final", "energy_drift"}},
        {.words = {"grid.h5", "--error", "period_error", "--error", "energy_drift", "--error", "error_final"},
         .metrics = {"updates", "period_error", "energy_drift", "error_final"}},
        {.words = {"polar.h5", "--error", "abs:x_final[theta]"}, .metrics = {"updates", "abs:x_final[theta]"}},
        {.words = {"polar.h5", "--error", "x_final[r]"}, .metrics = {"updates", "x_final[r]"}},
        {.words = {"polar.h5", "--error", "abs:v_final[v_theta]", "--error", "abs:x_final[1]"},
         .metrics = {"updates", "abs:v_final[v_theta]", "abs:x_final[1]"}},
        {.words = {"grid.h5", "--at", "omega=3", "--at", "rho_inf=0.5"},
         .metrics = {"updates", "error_final"},
         .omega = 4,
         .rho_inf = 0.6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Table *all = read_points(cases[i].words[0], cases[i].metrics), *front = ask(cases[i].words, cases[i].metrics);
        for (size_t k = 0; k < all->count; ++k) {
            Row *row = &all->rows[k];
            if ((cases[i].label && strcmp(row->label, cases[i].label) != 0) ||
                (cases[i].omega > 0 && row->columns[0] != cases[i].omega) ||
                (cases[i].rho_inf > 0 && !isnan(row->columns[3]) && row->columns[3] != cases[i].rho_inf))
                row->fine = false;
        }
        expect_front(all, front);
    }
}

// A period needs two crossings, which omega = 1 does not make in six seconds.
TEST(points_without_a_number_are_counted)
{
    Command command = ENDED(0, "pareto", "grid.h5", "--error", "period");
    assert_contains(command.out, "theta2: ");
    assert_contains(command.out, "of 96 points on a front; left out: 48 with an objective that is no finite number");
    assert_contains(command.error, "cost: updates, by default");
}

TEST(failed_groups_are_on_no_front)
{
    Command command = ENDED(0, "pareto", "failing.h5");
    assert_contains(command.out, "fails: 0 of 8 points on a front; left out: 8 newton_failed\n");
    assert_contains(command.out, "never on a front: fails\n");
    command = ENDED(0, "pareto", "failing.h5", "--method", "fails", "--format", "csv");
    assert_string_equal(command.out, "label,method,x0,step,theta,updates,error_final,knee\n");
    command = ENDED(0, "pareto", "failing.h5", "--over", "worst");
    assert_contains(command.out,
                    "fails: 0 of 4 decisions on the front; left out: 4 that fail too often; of its points: 8 "
                    "newton_failed\n");
}

TEST(nearest_values_are_told)
{
    Command command = PENDULA("pareto", "grid.h5", "--at", "omega=3", "--at", "zeta=0.2");
    assert_contains(command.error, "--at omega=3: the nearest value is 4\n");
    assert_null(strstr(command.error, "--at zeta"));
}

static int ascending(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

// The median, or the maximum, of a number over the points of a row's decision.
static double judge(const Table *all, const Row *row, size_t value, bool worst)
{
    double numbers[4];
    size_t count = 0;
    for (size_t k = 0; k < all->count; ++k) {
        const Row *other = &all->rows[k];
        if (strcmp(other->label, row->label) != 0 ||
            !same(other->columns + PROBLEM_COLUMNS, row->columns + PROBLEM_COLUMNS, COLUMNS - PROBLEM_COLUMNS))
            continue;
        assert_true(other->fine && count < 4);
        numbers[count++] = other->values[value];
    }
    assert_int_equal(count, 4);
    qsort(numbers, 4, sizeof *numbers, ascending);
    return worst ? numbers[3] : numbers[1] + 0.5 * (numbers[2] - numbers[1]);
}

// Each decision of the grid is tried on four problems, of which the first stands for all in the table.
TEST(decisions_are_judged_over_problems)
{
    static const char *const metrics[] = {"updates", "error_final", NULL};
    for (int worst = 0; worst < 2; ++worst) {
        Table *all = read_points("grid.h5", metrics), *judged = test_take(1, sizeof *judged);
        Table *front = ask(WORDS("grid.h5", "--over", worst ? "worst" : "median"), metrics);
        for (size_t i = 0; i < all->count; ++i) {
            Row *row = &judged->rows[judged->count];
            *row = all->rows[i];
            for (size_t k = 0; k < 2; ++k)
                row->values[k] = judge(all, row, k, worst);
            judged->count += row->columns[0] == 1.0 && row->columns[1] == 0.0;
        }
        expect_front(judged, front);
    }
}

// Runs that end at different times solve different problems: 20 and 40 steps of 0.1 and of 0.05 end at 1, 2 and 4.
TEST(ends_are_problems)
{
    Command command = ENDED(0, "pareto", "ends.h5", "--format", "csv");
    assert_contains(command.out, "label,method,end,step,steps,updates,error_final,knee\n");
    assert_contains(command.out, "\ntheta2,theta2,1,0.05,20,");
    assert_contains(command.out, "\ntheta2,theta2,2,0.1,20,");
    assert_contains(command.out, "\ntheta2,theta2,2,0.05,40,");
    assert_contains(command.out, "\ntheta2,theta2,4,0.1,40,");
}

// Every row of csv is there in json.
TEST(json_is_well_formed)
{
    static const char *const metrics[] = {"updates", "error_final", NULL};
    const YamlOrigin         origin = {.name = "json"};
    YamlNode                *root = NULL;
    Command                  command = PENDULA("pareto", "grid.h5", "--format", "json");
    Table                   *front = ask(WORDS("grid.h5"), metrics);
    assert_code(&command, 0);
    assert_true(yaml_read(command.out, strlen(command.out), &origin, &arena, &root, &err));
    const YamlNode *rows = yaml_find(root, "front"), *groups = yaml_find(root, "groups");
    assert_int_equal(rows->count, front->count);
    for (size_t i = 0; i < rows->count; ++i) {
        const YamlNode *row = rows->items[i];
        double          omega = 0.0, error = 0.0;
        assert_true(yaml_is_word(yaml_find(row, "label"), front->rows[i].label));
        assert_true(yaml_number(yaml_find(yaml_find(row, "problem"), "omega"), "omega", &omega, &err));
        assert_true(yaml_number(yaml_find(yaml_find(row, "objectives"), "error_final"), "error", &error, &err));
        assert_true(omega == front->rows[i].columns[0] && error == front->rows[i].values[1]);
    }
    assert_int_equal(groups->count, 3);
    assert_true(yaml_is_word(yaml_find(groups->items[1], "points"), "96"));
}

TEST(what_cannot_be_compared_is_refused)
{
    static const struct {
        const char *words[10], *message;
        int         code;
    } cases[] = {
        {{NULL}, "which result file?", 2},
        {{"grid.h5", "--cost", "update"},
         "group 'generalized_alpha': no metric 'update'; there are updates, error_final, energy_drift, period, "
         "period_error; did you mean 'updates'?",
         2},
        {{"grid.h5", "--cost", "status"}, "no metric 'status'", 2},
        {{"driftless.h5"}, "no metric 'error_final'; there is updates, chosen by --error", 2},
        {{"grid.h5", "--cost", "evaluations"}, "no metric 'evaluations'; there are updates", 2},
        {{"mixed.h5", "--cost", "updates"}, "group 'rk4' is explicit and makes none", 2},
        {{"mixed.h5", "--method", "rk4", "--cost", "failed_solves"}, "take --cost evaluations", 2},
        {{"mixed.h5", "--cost", "steps"}, "chooses substeps of its own", 2},
        {{"grid.h5", "--method", "theta"},
         "no group 'theta'; there are generalized_alpha, theta2, coarse; did you mean 'theta2'?",
         2},
        {{"grid.h5", "--at", "omga=1"}, "did you mean 'omega'?", 2},
        {{"grid.h5", "--at", "omega"}, "--at takes NAME=VALUE,..., got 'omega'", 2},
        {{"grid.h5", "--at", "omega=x"}, "--at omega: 'x' is not a number", 2},
        {{"grid.h5", "--at", "omega=1", "--at", "omega=2"}, "--at: 'omega' is given twice", 2},
        {{"mixed.h5", "--at", "x0=1", "--cost", "updates", "--method", "theta2", "--error", "updates"},
         "'updates' is given twice",
         2},
        {{"grid.h5", "--over", "mean"}, "--over takes median or worst", 2},
        {{"grid.h5", "--format", "xml"}, "--format takes text, csv or json", 2},
        {{"many.h5", "--plot", "many", "--cost", "steps"},
         "13 problems, and a picture has room for 12; choose some with "
         "--at, or sum up with --over",
         2},
        {{"failing.h5", "--method", "fails", "--plot", "none"}, "nothing to draw", 2},
        {{"grid.h5", "--plot", ".png"}, "the name of a picture is empty", 2},
        {{"grid.h5", "-o", "nowhere/front.csv"}, "cannot be written", 3},
        {{"nowhere.h5"}, "nowhere.h5", 3},
        {{"grid.yaml"}, "not a result file", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char *words[12] = {PENDULA_PROGRAM, "pareto"};
        memcpy(words + 2, cases[i].words, sizeof cases[i].words);
        Command command = command_ended(cases[i].code, words);
        assert_contains(command.error, cases[i].message);
        assert_true(strlen(command.error) > 0 && command.error[strlen(command.error) - 1] == '\n');
    }
}

// Without --cost a file with explicit methods is compared by evaluations: rk4 makes four a step.
TEST(explicit_methods_cost_evaluations)
{
    Command command = ENDED(0, "pareto", "mixed.h5", "--method", "rk4", "--method", "theta2", "--format", "csv");
    assert_contains(command.error, "cost: evaluations of the acceleration, since some methods have no updates");
    assert_contains(command.out, "label,method,step,evaluations,error_final,knee\nrk4,rk4,0.1,80,");
    assert_contains(command.out, "\nrk4,rk4,0.05,160,");
}

TEST(fronts_are_drawn)
{
    static const char *const files[] = {"pair.png", "pair.svg", "pair.gp"};
    need_gnuplot();
    Command command = ENDED(0, "pareto", "grid.h5", "--plot", "pair.png", "-o", "pair.txt");
    assert_contains(command.error, "pair.png, pair.svg; script pair.gp");
    assert_string_equal(command.out, "");
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i)
        assert_true(place_has(files[i]));
    assert_true(place_has("pair.txt"));
    char *script = test_file(path_of("pair.gp").text, NULL);
    assert_contains(script, "set title 'omega = 4, zeta = 0.2'");
    assert_contains(script, "title 'coarse'");
    EXPECT(0, "", "pareto", "grid.h5", "--error", "error_final", "--error", "energy_drift", "--over", "median",
           "--plot", "three.svg");
}
