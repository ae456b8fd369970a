// test_plot_fields -- pictures over time: every stored field, what the file's numbers become, and what is refused.
#include "store/store_read.h"

#include "support/program_case.h"

#include <glob.h>

enum { MOST_TAGS = 64, MOST_WORDS = 16, MOST_SAMPLES = 512 };

static const char *const fields[] = {"energy", "kinetic", "error", "fast", "slow", "condition", "updates", "x", "v"};
enum { FIELDS = sizeof fields / sizeof *fields };

// Every field there is, for two methods that share the axis of the step.
static const char all[] =
    "title: \"all fields & <everything>\"\n"
    "problem: modal_oscillators\n"
    "methods: [{theta2: {theta: [0.07]}}, rk4]\n"
    "step: [0.05, 0.1]\n"
    "end: 4\n"
    "metrics: [status]\n"
    "trajectory: {every: 1, fields: [energy, kinetic, error, fast, slow, condition, updates, x, v]}\n";
static const char few[] = "problem: harmonic_oscillator\n"
                          "parameters: {zeta: [0, 0.1, 0.2]}\n"
                          "methods: [rk4]\n"
                          "step: 0.1\n"
                          "end: 4\n"
                          "metrics: [status]\n"
                          "trajectory: {every: 1, fields: [x, condition]}\n";
static const char chains[] = "problem: spring_chain\n"
                             "methods: [{rk4: {}, parameters: {n: 2}}, {label: long, rk4: {}, parameters: {n: 8}}]\n"
                             "step: 0.1\n"
                             "end: 4\n"
                             "metrics: [status]\n"
                             "trajectory: {every: 1}\n";
static const char blown[] = "problem: harmonic_oscillator\n"
                            "parameters: {omega: 1000}\n"
                            "methods: [explicit_euler, backward_euler]\n"
                            "step: 1\n"
                            "end: 400\n"
                            "metrics: [status]\n"
                            "trajectory: {every: 1, fields: [x, energy, error]}\n";

static int make_files(void **state)
{
    make_place(state);
    make_result("all", all, "reference");
    make_result("few", few, "reference");
    make_result("chains", chains, "reference");
    make_result("blown", blown, "reference");
    return 0;
}

AROUND_ALL(make_files, remove_place)

// A file in the place, whole.
static char *read_file(const char *stem, const char *ending)
{
    char name[256];
    snprintf(name, sizeof name, "%s.%s", stem, ending);
    return test_file(path_of(name).text, NULL);
}

// Every tag that opens is closed by its own name, within one root, and text has no bare & or <.
static void assert_svg(const char *stem)
{
    char  *text = read_file(stem, "svg"), names[MOST_TAGS][32];
    size_t depth = 0, roots = 0;
    for (const char *at = text; *at; ++at) {
        if (*at == '&')
            assert_non_null(memchr(at, ';', 10));
        if (*at != '<')
            continue;
        const char  *end = strncmp(at, "<!--", 4) == 0 ? strstr(at, "-->") : strchr(at, '>');
        const bool   closes = at[1] == '/';
        const char  *name = at + 1 + closes;
        const size_t length = strcspn(name, " \t\r\n/>");
        assert_non_null(end);
        if (at[1] != '?' && at[1] != '!' && !closes && end[-1] != '/') {
            assert_true(depth < MOST_TAGS && length > 0 && length < sizeof names[0]);
            snprintf(names[depth], sizeof names[0], "%.*s", (int)length, name);
            roots += depth++ == 0;
        }
        if (closes) {
            assert_true(depth > 0);
            --depth;
            assert_true(strlen(names[depth]) == length && strncmp(names[depth], name, length) == 0);
        }
        at = end;
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
    assert_string_equal(names[0], "svg");
}

static void assert_picture(const char *stem)
{
    char name[256];
    snprintf(name, sizeof name, "%s.png", stem);
    assert_png(name);
    assert_svg(stem);
    char *script = read_file(stem, "gp");
    assert_contains(script, "set multiplot");
}

// Column `column` of data block $tNUMBER, from 0; returns how many rows it has.
static size_t read_block(const char *script, size_t number, size_t column, double values[MOST_SAMPLES])
{
    char   head[32];
    size_t count = 0;
    snprintf(head, sizeof head, "$t%zu << END\n", number);
    const char *at = strstr(script, head);
    assert_non_null(at);
    for (at += strlen(head); strncmp(at, "END\n", 4) != 0; at = strchr(at, '\n') + 1) {
        const char *cell = at;
        for (size_t i = 0; i < column; ++i)
            cell = strchr(cell, ' ') + 1;
        assert_true(count < MOST_SAMPLES);
        values[count++] = strtod(cell, NULL);
    }
    return count;
}

// The numbers that a script holds for one curve are those of the file: the first point of the first group.
static void assert_numbers(const char *field, const char *script)
{
    StoreFile file SCOPED(store_read_close) = {0};
    double    drawn[MOST_SAMPLES], numbers[MOST_SAMPLES];
    assert_true(store_read_open(path_of("all.h5").text, &file, &err));
    const char          *name = strcmp(field, "updates") == 0 ? "updates_so_far" : field;
    const StoreGroup    *group = store_read_group(&file, "theta2");
    const StoreVariable *variable = store_read_variable(group, name);
    assert_non_null(variable);
    const bool     per_dof = strcmp(variable->dims[variable->rank - 1], "dof") == 0;
    const uint64_t start[STORE_READ_RANK] = {0}, count[STORE_READ_RANK] = {1, 1, 81, 1};
    assert_int_equal(variable->rank, per_dof ? 4 : 3);
    assert_true(store_read_numbers(&file, group, variable, start, count, numbers, &err));
    assert_int_equal(read_block(script, 0, 1, drawn), 81);
    for (size_t i = 0; i < 81; ++i)
        if (isnan(numbers[i]))
            assert_true(isnan(drawn[i]));
        else
            assert_true(fabs(drawn[i] - numbers[i]) <= 1e-8 * fabs(numbers[i]));
}

TEST(every_field_is_drawn)
{
    need_gnuplot();
    for (size_t i = 0; i < FIELDS; ++i) {
        char    stem[32];
        Command command = ENDED(0, "plot", "all.h5", "--field", fields[i]);
        snprintf(stem, sizeof stem, "all_trajectory_%s", fields[i]);
        assert_contains(command.out, stem);
        assert_picture(stem);
        char *script = read_file(stem, "gp");
        assert_numbers(fields[i], script);
        // Two columns, for the steps; a panel for each coordinate.
        const size_t rows = fields[i][1] == '\0' ? 2 : 1;
        assert_int_equal(count_in(script, "set ylabel"), 2 * rows);
        assert_contains(script, "set title 'step = 0.05'");
        assert_contains(script, "set title 'step = 0.1'");
        assert_contains(script, "title 'theta2, theta = 0.07'");
    }
    assert_false(place_has("all_map_updates_per_step.png"));
    assert_false(place_has("all_trajectory.png"));
}

// Without --field: all fields in the file's order, as many as there is room for, above each other, one time below.
TEST(fields_stand_above_each_other)
{
    need_gnuplot();
    Command command = ENDED(0, "plot", "all.h5", "--kind", "trajectory");
    assert_picture("all_trajectory");
    assert_contains(command.out, "3 more coordinates and fields are not drawn");
    char *script = read_file("all_trajectory", "gp");
    assert_int_equal(count_in(script, "set ylabel"), 2 * 8);
    assert_int_equal(count_in(script, "set xlabel 'time [s]'"), 2);
    assert_true(strstr(script, "'energy'") < strstr(script, "'Newton updates so far'"));
    assert_contains(script, "set title 'step = 0.1'");
    command = ENDED(0, "plot", "all.h5", "--field", "v1", "--field", "x0", "-o", "two");
    assert_picture("two_trajectory_v1_x0");
    script = read_file("two_trajectory_v1_x0", "gp");
    assert_int_equal(count_in(script, "set ylabel"), 4);
    assert_true(strstr(script, "set ylabel 'v_q2 ") < strstr(script, "set ylabel 'q1 "));
    assert_contains(strstr(script, "set ylabel 'v_q2 "), "$t0 using 1:2");
    assert_contains(strstr(script, "set ylabel 'q1 "), "$t0 using 1:3");
}

// A lone group's values are lines. What has no number is left out, or refused where nothing else is asked for.
TEST(fields_without_numbers_are_left_out)
{
    need_gnuplot();
    ENDED(0, "plot", "few.h5", "--kind", "trajectory");
    char *script = read_file("few_trajectory", "gp");
    assert_int_equal(count_in(script, "set ylabel"), 1);
    assert_contains(script, "set title 'rk4'");
    assert_contains(script, "title 'zeta = 0.1'");
    EXPECT(2, "no number to draw", "plot", "few.h5", "--field", "condition");
    assert_false(place_has("few_trajectory_condition.gp"));
}

TEST(scales_and_times_are_chosen)
{
    static const struct {
        const char *words[8];
        bool        logarithmic;
        const char *range;
    } cases[] = {{{"--field", "error"}, true, "set xrange [0:4]"},
                 {{"--field", "error", "--scale", "linear"}, false, "set xrange [0:4]"},
                 {{"--field", "kinetic"}, false, "set xrange [0:4]"},
                 {{"--field", "kinetic", "--scale", "log"}, true, "set xrange [0:4]"},
                 {{"--field", "slow", "--from", "1", "--to", "3"}, false, "set xrange [1:3]"}};
    need_gnuplot();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char *words[15] = {PENDULA_PROGRAM, "plot", "all.h5", "--force", "-o", "scales"};
        char        stem[32];
        double      times[MOST_SAMPLES];
        memcpy(words + 6, cases[i].words, sizeof cases[i].words);
        command_ended(0, words);
        snprintf(stem, sizeof stem, "scales_trajectory_%s", cases[i].words[1]);
        char *script = read_file(stem, "gp");
        assert_int_equal(count_in(script, "\nset logscale y") > 0, cases[i].logarithmic);
        assert_contains(script, cases[i].range);
        const size_t count = read_block(script, 0, 0, times);
        assert_true(count == (i == 4 ? 41 : 81));
        assert_true(times[0] == (i == 4 ? 1.0 : 0.0) && fabs(times[count - 1] - (i == 4 ? 3.0 : 4.0)) < 1e-9);
    }
}

// Entries with different numbers of coordinates: who lacks one has no line for it.
TEST(entries_may_differ_in_coordinates)
{
    double values[MOST_SAMPLES];
    need_gnuplot();
    ENDED(0, "plot", "chains.h5", "--field", "x7");
    assert_picture("chains_trajectory_x7");
    char *script = read_file("chains_trajectory_x7", "gp");
    assert_int_equal(read_block(script, 0, 1, values), 41);
    assert_true(isnan(values[0]));
    assert_int_equal(read_block(script, 1, 1, values), 41);
    assert_true(fabs(values[0] - 0.1) < 1e-12);
    EXPECT(0, "x2 (none)", "plot", "chains.h5");
}

// Numbers up to the largest there are, and their logarithms.
TEST(a_run_that_blows_up_is_drawn)
{
    need_gnuplot();
    Command command = ENDED(0, "plot", "blown.h5");
    assert_picture("blown_trajectory");
    assert_contains(command.out, "(ended)");
}

TEST(what_cannot_be_drawn_is_said)
{
    static const struct {
        const char *words[7], *message;
    } cases[] = {{{"all.h5", "--field", "knetic"}, "did you mean 'kinetic'?"},
                 {{"few.h5", "--field", "knetic"}, "did you mean 'kinetic'?"},
                 {{"few.h5", "--field", "kinetic"}, "field 'kinetic' is not stored, only x, condition; add it to"},
                 {{"few.h5", "--field", "updates"}, "field 'updates' is not stored"},
                 {{"few.h5", "--field", "v0"}, "field 'v' is not stored"},
                 {{"few.h5", "--field", "x1"}, "no coordinate 'x1'; the last is x0"},
                 {{"all.h5", "--field", "x99999999999999999999"}, "the last is x1"},
                 {{"all.h5", "--field", "energy0"}, "no field 'energy0'; did you mean 'energy'?"},
                 {{"all.h5", "--field", "status"}, "no field 'status'"},
                 {{"all.h5", "--field", "time"}, "no field 'time'"},
                 {{"all.h5", "--field", ""}, "no field ''"},
                 {{"all.h5", "--field", "7"}, "no field '7'"},
                 {{"all.h5", "--field", "x", "--kind", "map"}, "--field is for trajectory, not for map"},
                 {{"all.h5", "--field", "x", "--metric", "status"},
                  "--metric is for map, curves, scatter, bifurcation, convergence, work-precision, not for trajectory"},
                 {{"all.h5", "--scale", "cubic"}, "--scale takes linear or log, got 'cubic'"},
                 {{"all.h5", "--from", "soon"}, "--from: 'soon' is not a number"},
                 {{"all.h5", "--to", "-1"}, "--to: -1 is too small, it must be at least 0"},
                 {{"all.h5", "--from", "3", "--to", "2"}, "the time from 3 to 2 is empty"},
                 {{"all.h5", "--from", "5"}, "trajectories end at 4 s"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char *words[11] = {PENDULA_PROGRAM, "plot", "--force"};
        memcpy(words + 3, cases[i].words, sizeof cases[i].words);
        Command command = command_ended(2, words);
        assert_contains(command.error, cases[i].message);
    }
}

// Splits "plot FILE --field x      what it shows" at its single spaces, up to the first that is none.
static size_t split(char *line, const char *words[MOST_WORDS])
{
    size_t count = 0;
    for (char *at = line; *at && *at != ' '; ++count) {
        char *end = at + strcspn(at, " ");
        assert_true(count < MOST_WORDS);
        words[count] = at;
        at = *end ? end + 1 : end;
        *end = '\0';
    }
    return count;
}

// Runs a command that a sweep file recommends, a sweep on the reference.
static void follow(const char *sweep, char *line)
{
    const char *given[MOST_WORDS], *words[MOST_WORDS + 8] = {PENDULA_PROGRAM};
    size_t      count = split(line, given), used = 1;
    assert_true(count >= 2);
    for (size_t i = 0; i < count; ++i)
        words[used++] = strstr(given[i], ".yaml") ? sweep : given[i];
    if (strcmp(given[0], "run") == 0) {
        words[used++] = "-d";
        words[used++] = "reference";
        words[used++] = "--progress";
        words[used++] = "none";
    }
    Command command = command_ended(0, words);
    for (char *at = command.out; strcmp(given[0], "plot") == 0 && (at = strstr(at, "; script ")); ++at) {
        char stem[128];
        assert_int_equal(sscanf(at, "; script %127[^\n]", stem), 1);
        stem[strlen(stem) - strlen(".gp")] = '\0';
        assert_picture(stem);
    }
}

// Every picture that a shipped sweep's comments tell to draw comes out. The main job has tests of its own.
TEST(shipped_figures_are_drawn)
{
    static const char prefix[] = "#   pendula ";
    glob_t            found;
    size_t            followed = 0;
    need_gnuplot();
    assert_int_equal(glob(PENDULA_SOURCE_DIR "/sweeps/*.yaml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; ++i) {
        if (strstr(found.gl_pathv[i], "quickstart"))
            continue;
        char *text = test_file(found.gl_pathv[i], NULL), *line = text;
        for (char *end = strchr(line, '\n'); end; line = end + 1, end = strchr(line, '\n')) {
            *end = '\0';
            if (strncmp(line, prefix, strlen(prefix)) != 0)
                continue;
            follow(found.gl_pathv[i], line + strlen(prefix));
            ++followed;
        }
    }
    globfree(&found);
    assert_true(followed >= 15);
}
