// test_plot -- pictures: no text can break out of a gnuplot script, and what is drawn is what the file holds.
#include "analysis/plot/figure.h"
#include "analysis/plot/plot.h"
#include "analysis/plot/plot_kind.h"

#include "support/program_case.h"

// Texts that would run a program, were they ever taken for anything but text.
static const char *const hostile[] = {
    "plain",
    "it's",
    "x'' = -x",
    "'leading and trailing'",
    "'''",
    "''''''''''",
    "' ; system('touch pwned') ; '",
    "''.system(\"touch pwned\").''",
    "'.system(\"touch pwned\").'",
    "a'''.system(\"touch pwned\").'''b",
    "a\\",
    "a\\'; system 'touch pwned'",
    "\\'.system(\"touch pwned\")",
    "`touch pwned`",
    "$(touch pwned)",
    "'`touch pwned`'",
    "\"`touch pwned`\"",
    "@touch @system",
    "# no comment",
    "END",
    "%s %n %d",
    "{/Symbol a}_b^c",
    "\xc3\xa9t\xc3\xa9",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static const char grid[] = "title: \"'; system('touch pwned'); x'' `touch pwned`\"\n"
                           "problem: harmonic_oscillator\n"
                           "parameters: {omega: {log: [1, 100, 3]}, zeta: [0, 0.1, 0.2, 0.3]}\n"
                           "methods: [theta2, {label: other, generalized_alpha: {rho_inf: [0.2, 0.6, 0.9]}}]\n"
                           "step: 0.1\n"
                           "end: 2\n"
                           "metrics: [status, updates, x_max]\n"
                           "trajectory: {every: 1, where: {zeta: [0, 0.1], rho_inf: 0.6}}\n";
static const char line[] = "problem: harmonic_oscillator\n"
                           "parameters: {omega: [1, 2, 3]}\n"
                           "methods: [rk4]\n"
                           "step: 0.1\n"
                           "end: 1\n"
                           "metrics: [status, x_max, error_max]\n";
static const char point[] = "problem: harmonic_oscillator\n"
                            "methods: [rk4]\n"
                            "step: 0.1\n"
                            "end: 1\n"
                            "metrics: [status]\n";
static const char paired[] = "problem: harmonic_oscillator\n"
                             "design: zip\n"
                             "parameters: {omega: [1, 2, 3], zeta: [0, 0.1, 0.2]}\n"
                             "methods: [theta2]\n"
                             "step: [0.1, 0.2, 0.05]\n"
                             "end: 1\n"
                             "metrics: [status, updates]\n"
                             "trajectory: {every: 1}\n";

static int make_files(void **state)
{
    make_place(state);
    make_result("grid", grid, "reference");
    make_result("line", line, "reference");
    make_result("point", point, "reference");
    make_result("paired", paired, "reference");
    return 0;
}

AROUND_ALL(make_files, remove_place)

// The text that gnuplot reads is the text that was quoted, and nothing else happens, on its own and inside a block.
TEST(quoted_text_is_only_text)
{
    bool missing;
    Text script SCOPED(text_free) = {0};
    need_gnuplot();
    text_add(&script, "set encoding utf8\nset print 'said.txt'\n");
    for (size_t i = 0; i < HOSTILE; ++i) {
        text_add(&script, "print ");
        gnuplot_quote(&script, hostile[i]);
        text_add(&script, "\n");
    }
    text_add(&script, "do for [i in 'once'] {\n");
    for (size_t i = 0; i < HOSTILE; ++i) {
        text_add(&script, "print ");
        gnuplot_quote(&script, hostile[i]);
        text_add(&script, "\nset title ");
        gnuplot_quote(&script, hostile[i]);
        text_add(&script, " noenhanced\n");
    }
    text_add(&script, "}\nset print\n");
    place_write("quotes.gp", script.text);
    const bool ran = gnuplot_run(place.path, "quotes.gp", "quotes.gp", &missing, &err);
    if (!ran)
        print_error("%s\n", err.message);
    assert_true(ran);
    char *said = test_file(path_of("said.txt").text, NULL), *rest = said;
    for (size_t i = 0; i < 2 * HOSTILE; ++i) {
        char *end = strchr(rest, '\n');
        assert_non_null(end);
        *end = '\0';
        assert_string_equal(rest, hostile[i % HOSTILE]);
        rest = end + 1;
    }
    assert_string_equal(rest, "");
    assert_false(place_has("pwned"));
}

TEST(quotes_leave_no_control_characters)
{
    static const struct {
        const char *text, *quoted;
    } cases[] = {{"a\nsystem 'x'\n", "'asystem ''x'''"},
                 {"a\r\t\x1b\x7f"
                  "b",
                  "'ab'"},
                 {"\xc2\x85|", "'|'"},
                 {"\xff\xfe"
                  "a",
                  "'a'"},
                 {"it's", "'it''s'"},
                 {"", "''"}};
    char big[1000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Text text SCOPED(text_free) = {0};
        gnuplot_quote(&text, cases[i].text);
        assert_string_equal(text.text, cases[i].quoted);
    }
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    Text text SCOPED(text_free) = {0};
    gnuplot_quote(&text, big);
    assert_int_equal(text.length, 2 + 120 + 4);
}

// Titles that would run programs, in a picture whose name would run one too.
TEST(pictures_run_nothing)
{
    need_gnuplot();
    Command command = ENDED(0, "plot", "grid.h5", "-o", "| touch pwned; it's `touch pwned`");
    assert_png("| touch pwned; it's `touch pwned`_map_updates_per_step.png");
    assert_png("| touch pwned; it's `touch pwned`_trajectory.png");
    assert_true(place_has("| touch pwned; it's `touch pwned`_map_updates_per_step.svg"));
    assert_true(place_has("| touch pwned; it's `touch pwned`_map_updates_per_step.gp"));
    assert_false(place_has("pwned"));
    assert_contains(command.out, "theta2: 12 of 12 points ok; updates per step ");
    assert_contains(command.out, "other: 36 of 36 points ok");
}

// The script can be run again where it lies.
TEST(scripts_run_again)
{
    need_gnuplot();
    ENDED(0, "plot", "grid.h5", "--kind", "map");
    assert_png("grid_map_updates_per_step.png");
    assert_false(place_has("grid_trajectory.png"));
    unlink(path_of("grid_map_updates_per_step.png").text);
    command_ended(0, (const char *const[]){"gnuplot", "grid_map_updates_per_step.gp", NULL});
    assert_png("grid_map_updates_per_step.png");
}

// Every cell of a map's data block has the metric's value of its point, in the file's order.
TEST(map_cells_hold_the_metric)
{
    need_gnuplot();
    EXPECT(0, "", "plot", "grid.h5", "--metric", "x_max", "--kind", "map", "-o", "cells");
    PlotFile          file SCOPED(plot_file_close) = {0};
    const Path        input = path_of("grid.h5");
    const PlotRequest request = {.path = input.text, .metric = "x_max"};
    assert_true(plot_file_open(&request, false, &file, &err));
    assert_true(plot_file_choose(&file, &request, PLOT_METRIC, &err));
    char *script = test_file(path_of("cells_map_x_max.gp").text, NULL);
    for (size_t g = 0; g < 2; ++g) {
        const Points *points = &file.groups[g].points;
        const size_t  fixed = points->axis_count - 2, middle = fixed ? points->axes[2].count / 2 : 0, cells = 12;
        double        values[64], cell[7];
        char          name[32];
        assert_true(
            store_read_numbers(&file.file, points->group, file.groups[g].metric.variable, NULL, NULL, values, &err));
        snprintf(name, sizeof name, "$ok%zu << END\n", g);
        const char *at = strstr(script, name);
        assert_non_null(at);
        at += strlen(name);
        for (size_t i = 0; i < cells; ++i) {
            int used = 0;
            assert_int_equal(sscanf(at, "%lf %lf %lf %lf %lf %lf %lf%n", cell, cell + 1, cell + 2, cell + 3, cell + 4,
                                    cell + 5, cell + 6, &used),
                             7);
            at += used;
            const double expected = values[fixed ? i * points->axes[2].count + middle : i];
            assert_true(fabs(cell[6] - expected) <= 1e-8 * fabs(expected));
            assert_true(fabs(cell[0] - points->axes[0].values[i / 4]) < 1e-6);
            assert_true(fabs(cell[1] - points->axes[1].values[i % 4]) < 1e-6);
            assert_true(cell[2] < cell[0] && cell[0] < cell[3] && cell[4] < cell[1] && cell[1] < cell[5]);
        }
        assert_int_equal(strncmp(at, "\nEND\n", 5), 0);
    }
}

TEST(each_file_gets_its_pictures)
{
    need_gnuplot();
    Command command = ENDED(0, "plot", "line.h5");
    assert_png("line_curves.png");
    assert_false(place_has("line_map_x_max.png"));
    command = ENDED(0, "plot", "paired.h5");
    assert_png("paired_curves.png");
    assert_png("paired_trajectory.png");
    assert_contains(command.out, "zeta = 0.1");
}

TEST(what_cannot_be_drawn_is_said)
{
    static const struct {
        const char *words[6], *message;
        int         code;
    } cases[] = {{{"point.h5"}, "nothing to draw", 2},
                 {{"line.h5", "--kind", "map"}, "no group has two axes", 2},
                 {{"line.h5", "--kind", "trajectory"}, "no trajectories are stored", 2},
                 {{"point.h5", "--kind", "curves"}, "no group has an axis", 2},
                 {{"grid.h5", "--metric", "x_mx"}, "did you mean 'x_max'?", 2},
                 {{"grid.h5", "--metric", "x"}, "no metric 'x'", 2},
                 {{"grid.h5", "-o", "a\nb"}, "control character", 2},
                 {{"grid.h5", "-o", ""}, "empty", 2},
                 {{"grid.h5", "-o", "no/such/folder/a"}, "cannot be written", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char *words[9] = {PENDULA_PROGRAM, "plot"};
        memcpy(words + 2, cases[i].words, sizeof cases[i].words);
        Command command = command_ended(cases[i].code, words);
        assert_contains(command.error, cases[i].message);
    }
}

TEST(a_missing_gnuplot_is_said)
{
    char       *before = strdup(getenv("PATH"));
    Text        said SCOPED(text_free) = {0};
    const Path  input = path_of("line.h5"), stem = path_of("missing");
    PlotRequest request = {.path = input.text, .stem = stem.text};
    setenv("PATH", place.path, 1);
    const bool drawn = plot_draw(&request, &said, &said, &err);
    setenv("PATH", before, 1);
    free(before);
    assert_false(drawn);
    assert_int_equal(err.kind, ERROR_IO);
    assert_contains(err.message, "gnuplot-nox");
    // The script alone is kept, to be run elsewhere.
    assert_true(place_has("missing_curves.gp"));
    assert_false(place_has("missing_curves.png"));
}

TEST(a_failing_gnuplot_is_said)
{
    bool missing;
    need_gnuplot();
    place_write("nonsense.gp", "set nonsense\n");
    assert_false(gnuplot_run(place.path, "nonsense.gp", "nonsense.gp", &missing, &err));
    assert_false(missing);
    assert_int_equal(err.kind, ERROR_IO);
    assert_contains(err.message, "line 1");
}

TEST(scales_follow_the_values)
{
    assert_true(figure_is_logarithmic((const double[]){1e-5, 1e-4, 1e-3}, 3));
    assert_true(figure_is_logarithmic((const double[]){0.01, 0.0125, 0.02, 0.025, 0.04, 0.05, 0.0625, 0.1}, 8));
    assert_false(figure_is_logarithmic((const double[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 10));
    assert_false(figure_is_logarithmic((const double[]){0, 1, 10, 100}, 4));
    assert_false(figure_is_logarithmic((const double[]){-1, -10, -100}, 3));
    assert_false(figure_is_logarithmic((const double[]){1, 2}, 2));
    assert_false(figure_is_logarithmic((const double[]){5}, 1));
}

// Points as they come by, and what the walk should have seen.
typedef struct Walk {
    uint64_t next, slabs;
    double   status_sum, metric_sum;
    bool     in_order;
} Walk;

static void walk_slab(uint64_t first, size_t count, double *const *numbers, void *user)
{
    Walk *walk = user;
    walk->in_order = walk->in_order && first == walk->next;
    walk->next = first + count;
    ++walk->slabs;
    for (size_t i = 0; i < count; ++i) {
        walk->status_sum += numbers[0][i];
        walk->metric_sum += numbers[1][i] * (double)(first + i);
    }
}

// A walk in several slabs sees every point once, in order, with its numbers.
TEST(a_scan_sees_every_point_once)
{
    StoreFile file SCOPED(store_read_close) = {0};
    Points    points SCOPED(points_close) = {0};
    Walk      walk = {.in_order = true};
    make_result("large",
                "problem: harmonic_oscillator\n"
                "parameters: {omega: {linear: [1, 2, 700]}, zeta: {linear: [0, 1, 11]}, x0: {linear: [1, 2, 100]}}\n"
                "methods: [rk4]\n"
                "step: 0.1\n"
                "steps: 1\n"
                "metrics: [status, x_max]\n",
                "reference");
    assert_true(store_read_open(path_of("large.h5").text, &file, &err));
    assert_true(points_open(&file, &file.groups[0], &points, &err));
    const StoreVariable *variables[2] = {points.status, store_read_variable(&file.groups[0], "x_max")};
    assert_true(points_scan(&points, variables, 2, walk_slab, &walk, &err));
    assert_true(walk.in_order);
    assert_true(walk.slabs > 2);
    assert_int_equal(walk.next, 770000);
    assert_true(walk.status_sum == 770000.0);
    // x_max is x0, the last axis, where the point moves inwards: it starts at rest.
    double expected = 0.0;
    for (uint64_t p = 0; p < points.count; ++p)
        expected += points_axis_value(&points, 2, p) * (double)p;
    assert_true(fabs(walk.metric_sum - expected) <= 1e-9 * expected);
    assert_true(points_steps(&points, 5) == 1.0);
}
