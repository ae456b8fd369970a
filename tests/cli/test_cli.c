// test_cli -- the commands as a user runs them: what they print, how they end, and what they refuse.
#include "base/json.h"
#include "base/progress.h"
#include "compose/compose.h"
#include "engine/notice.h"

#include "support/built_in.h"
#include "support/program_case.h"

static char sweep[] = "title: 'It''s a test'\n"
                      "problem: harmonic_oscillator\n"
                      "parameters: {omega: [1, 2, 3], zeta: {linear: [0, 0.4, 5]}}\n"
                      "methods: [theta2, rk4]\n"
                      "step: 0.1\n"
                      "end: 2\n"
                      "metrics: [status, updates, energy_ratio]\n"
                      "trajectory: {every: 5}\n";

static int make_sweep(void **state)
{
    make_place(state);
    place_write("sweep.yaml", sweep);
    return 0;
}

AROUND_ALL(make_sweep, remove_place)

// A reader of JSON that knows no more than whether a text is JSON. Each function returns what is behind, or NULL.
static const char *read_json(const char *s);

static const char *skip_blanks(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

static const char *read_json_string(const char *s)
{
    if (*s++ != '"')
        return NULL;
    for (; *s != '"'; ++s) {
        if ((unsigned char)*s < 0x20)
            return NULL;
        if (*s == '\\' && !strchr("\"\\/bfnrtu", *++s))
            return NULL;
    }
    return s + 1;
}

static const char *read_json_members(const char *s, char end, bool named)
{
    s = skip_blanks(s);
    if (*s == end)
        return s + 1;
    for (;;) {
        if (named) {
            s = read_json_string(skip_blanks(s));
            s = s ? skip_blanks(s) : NULL;
            if (!s || *s++ != ':')
                return NULL;
        }
        s = read_json(s);
        if (!s || (*s != ',' && *s != end))
            return NULL;
        if (*s++ == end)
            return s;
    }
}

static const char *read_json(const char *s)
{
    static const char *const words[] = {"true", "false", "null"};
    char                    *end;
    s = skip_blanks(s);
    if (*s == '{' || *s == '[')
        s = read_json_members(s + 1, *s == '{' ? '}' : ']', *s == '{');
    else if (*s == '"')
        s = read_json_string(s);
    else if (strchr("-0123456789", *s) && *s) {
        (void)strtod(s, &end);
        s = end;
    } else {
        for (size_t i = 0; i < 3; ++i)
            if (strncmp(s, words[i], strlen(words[i])) == 0)
                return skip_blanks(s + strlen(words[i]));
        return NULL;
    }
    return s ? skip_blanks(s) : NULL;
}

static bool is_json(const char *text)
{
    const char *end = read_json(text);
    return end && *end == '\0';
}

TEST(json_is_escaped)
{
    static const struct {
        const char *text, *json;
    } cases[] = {{"plain", "\"plain\""},
                 {"a\"b\\c", "\"a\\\"b\\\\c\""},
                 {"line\nnext\ttab\x01", "\"line\\nnext\\u0009tab\\u0001\""},
                 {"\xc3\xa9", "\"\xc3\xa9\""},
                 {"\xff\xc3", "\"\\ufffd\\ufffd\""},
                 {"\xc0\xaf", "\"\\ufffd\\ufffd\""},
                 {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
                 {NULL, "null"}};
    static const double numbers[] = {0.1, 1e-5, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.0, 123456789.0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Text text SCOPED(text_free) = {0};
        json_string(&text, cases[i].text);
        assert_string_equal(text.text, cases[i].json);
        assert_true(is_json(text.text));
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        Text text SCOPED(text_free) = {0};
        json_number(&text, numbers[i]);
        assert_true(strtod(text.text, NULL) == numbers[i]);
        assert_true(is_json(text.text));
    }
    Text text SCOPED(text_free) = {0};
    json_number(&text, (double)NAN);
    json_number(&text, (double)INFINITY);
    assert_string_equal(text.text, "nullnull");
    assert_false(is_json("[1, ]"));
    assert_false(is_json("{\"a\" 1}"));
}

TEST(usage_errors_are_2_and_one_line)
{
    static const struct {
        const char *words[7], *message;
    } cases[] = {{{"lst"}, "did you mean 'list'?"},
                 {{"xyzzy"}, "see `pendula --help`"},
                 {{"list"}, "which list? Name problems, methods, metrics or devices; see `pendula list --help`"},
                 {{"list", "problms"},
                  "list takes problems, methods, metrics or devices, got 'problms'; did you mean 'problems'? See"},
                 {{"list", "problems", "methods"}, "one list at a time"},
                 {{"list", "--jsn", "problems"}, "did you mean '--json'?"},
                 {{"list", "problems", "--json=yes"}, "takes no value"},
                 {{"list", "devices", "--markdown"}, "problems, methods or metrics"},
                 {{"show"}, "which name? See `pendula list problems`, methods or metrics"},
                 {{"show", "thta2"}, "did you mean 'theta2'?"},
                 {{"show", "a", "b"}, "one name at a time"},
                 {{"show", "theta2", "-s", "end=2"}, "-s goes with a sweep file (.yaml), 'theta2' is none"},
                 {{"show", "sweep.yaml", "-s", "end=-1"}, "-s end: "},
                 {{"source"}, "which sweep file"},
                 {{"source", "sweep.yaml", "--method", "nope"}, "there is theta2, rk4"},
                 {{"source", "sweep.yaml", "-s", "nonsense"}, "nonsense"},
                 {{"plan", "sweep.yaml", "-s"}, "needs a value"},
                 {{"plan", "-q", "sweep.yaml"}, "unknown option '-q'"},
                 {{"plan", "sweep.yaml", "-s", "end=-1"}, "end"},
                 {{"help", "spectrm"}, "unknown command 'spectrm'; did you mean 'spectrum'?"},
                 {{"help", "wholly"}, "unknown command 'wholly'; see `pendula --help`"},
                 {{"help", "rk4"}, "'rk4' is not a command; `pendula show rk4` prints its card"},
                 {{"help", "x_max"}, "'x_max' is not a command; `pendula show x_max` prints its card"},
                 {{"help", "methods"}, "'methods' is not a command; `pendula list methods` prints them"},
                 {{"help", "run", "sweep.yaml"}, "one command at a time"},
                 {{"info"}, "which result file"},
                 {{"plot", "a.h5", "b.h5"}, "one result file at a time"},
                 {{"plot", "a.h5", "--kind", "pie"}, "work-precision or phase, got 'pie'; see `pendula plot --help`"},
                 {{"run", "--progress=loud", "sweep.yaml"}, "auto, plain, json or none"},
                 {{"conform"}, "pendula conform --help"},
                 {{"replay", "--point", "1"}, "which result file?"},
                 {{"replay", "a.h5"}, "which point? --point N or --at NAME=VALUE,..."},
                 {{"replay", "a.h5", "--point", "-1"}, "--point takes a whole number, got '-1'"},
                 {{"replay", "a.h5", "--at", "eps"}, "--at takes NAME=VALUE,..., got 'eps'"},
                 {{"replay", "a.h5", "--point=1", "--at=eps=1"}, "--point and --at exclude each other"},
                 {{"replay", "a.h5", "--point=1", "--from=2"}, "--from and --to limit --trace"},
                 {{"replay", "a.h5", "--point=1", "--trace", "--from=2", "--to=1"}, "--from 2 lies behind --to 1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        expect_in(NULL, 2, cases[i].message, cases[i].words);
}

TEST(files_that_are_wrong_have_their_codes)
{
    static const struct {
        const char *command, *file;
        int         code;
    } cases[] = {{"plan", "missing.yaml", 3}, {"source", "/tmp", 3},     {"info", "missing.h5", 3},
                 {"info", "sweep.yaml", 4},   {"plot", "missing.h5", 3}, {"plot", "sweep.yaml", 4},
                 {"show", "./missing.cl", 3}, {"show", "./empty.cl", 4}, {"plan", "empty.yaml", 4},
                 {"source", "empty.yaml", 4}};
    place_write("empty.yaml", "");
    place_write("empty.cl", "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Command command = PENDULA(cases[i].command, cases[i].file);
        assert_code(&command, cases[i].code);
    }
}

TEST(help_tells_every_command)
{
    static const char *const names[] = {"run", "plan", "list", "show", "source", "info", "plot", "conform", "replay"};
    Command                  command = ENDED(0, "--help");
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char line[32];
        snprintf(line, sizeof line, "\n  %s ", names[i]);
        assert_contains(command.out, line);
        Command own = ENDED(0, names[i], "--help");
        snprintf(line, sizeof line, "Usage: pendula %s", names[i]);
        assert_contains(own.out, line);
        Command asked = ENDED(0, "help", names[i]);
        assert_string_equal(asked.out, own.out);
    }
    EXPECT(0, "\n  help [COMMAND] ", "help");
    command = ENDED(0, "--version");
    assert_int_equal(strncmp(command.out, "pendula ", 8), 0);
}

// As git and cargo do; still an error, for scripts.
TEST(without_a_command_all_are_listed_by_task)
{
    static const char *const parts[] = {"\nRun sweeps:\n  run SWEEP.yaml ",
                                        "\n  plan SWEEP.yaml ",
                                        "\nLook at results:\n  info ",
                                        "\n  plot FILE.h5 ",
                                        "\nDecide between methods, parameters and steps:\n",
                                        "\n  pareto FILE.h5 ",
                                        "\nCheck what was computed:\n",
                                        "\n  conform SWEEP.yaml ",
                                        "\n  list problems|methods",
                                        "\n  check FILE.cl|SWEEP.yaml",
                                        "\n  help [COMMAND] "};
    const char *const        words[] = {PENDULA_PROGRAM, NULL};
    Command                  command = command_run(NULL, words), help = PENDULA("--help");
    assert_code(&command, 2);
    assert_string_equal(command.out, help.out);
    assert_string_equal(command.error, "pendula: no command; name one, see `pendula --help`\n");
    const char *at = command.out;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (!(at = strstr(at, parts[i])))
            fail_msg("'%s' is not in its place in %s", parts[i], command.out);
        else
            at += strlen(parts[i]) - 2;
}

// Every card is listed, as text and as JSON, and can be shown.
TEST(cards_are_listed_and_shown)
{
    static const char *const whats[] = {"problems", "methods", "metrics"};
    const Catalog           *catalog = built_in();
    for (int kind = CARD_PROBLEM; kind <= CARD_METRIC; ++kind) {
        Command plain = PENDULA("list", whats[kind]), json = PENDULA("list", "--json", whats[kind]);
        size_t  expected = kind == CARD_METRIC ? 3 : 0;
        assert_code(&plain, 0);
        assert_code(&json, 0);
        assert_true(is_json(json.out));
        for (size_t i = 0; i < catalog->card_count; ++i) {
            const Card *card = &catalog->cards[i];
            char        name[128];
            if ((int)card->kind != kind)
                continue;
            expected += kind == CARD_METRIC ? card->result_count : 1;
            snprintf(name, sizeof name,
                     "{\"name\": \"%s\", \"title\": ", kind == CARD_METRIC ? card->results[0].name : card->name);
            assert_contains(json.out, name);
            assert_contains(plain.out, kind == CARD_METRIC ? card->results[0].name : card->name);
            Command shown = ENDED(0, "show", card->name);
            assert_contains(shown.out, card->title);
            for (size_t p = 0; p < card->parameter_count; ++p)
                assert_contains(shown.out, card->parameters[p].about);
            for (size_t r = 0; r < card->result_count; ++r)
                assert_contains(shown.out, card->results[r].about);
        }
        assert_int_equal(count_in(json.out, "\"title\": "), expected);
        assert_int_equal(count_in(json.out, "\"parameters\": ["), expected);
        if (kind != CARD_METRIC)
            assert_int_equal(count_in(json.out, kind == CARD_PROBLEM ? "\"dofs\": " : "\"order\": "), expected);
    }
}

TEST(a_result_and_a_file_are_shown)
{
    Command command = ENDED(0, "show", "decay_rate");
    assert_contains(command.out, "{decay_rate: {of: x0}}");
    assert_null(strstr(command.out, "period_error"));
    command = PENDULA("show", "status");
    assert_contains(command.out, "budget_exceeded");
    EXPECT(0, "Plane pendulum", "show", PENDULA_SOURCE_DIR "/kernels/problems/pendulum.cl");
    command = ENDED(0, "show", "sweep.yaml", "-s", "problem={stiffness: [omega], parameters: {omega: 9, zeta: 0}}");
    assert_contains(command.out, "omega: {default: 9");
    command = PENDULA("show", "theta1");
    assert_contains(command.out, "[0.5, 1]");
}

TEST(devices_are_listed)
{
    Command command = ENDED(0, "list", "devices", "--json");
    assert_true(is_json(command.out));
    assert_int_equal(count_in(command.out, "\"fp64\": "), count_in(command.out, "\"index\": "));
}

TEST(lost_output_is_3)
{
    static const char *const words[] = {PENDULA_PROGRAM, "list", "metrics", NULL};
    Command                  full = command_run("/dev/full", words), closed = command_run("", words);
    assert_code(&full, 3);
    assert_contains(full.error, "No space left");
    assert_code(&closed, 3);

    // A pipe whose reader is gone: an error with a message, not a death by SIGPIPE.
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(open("/dev/null", O_WRONLY), 2);
        execl(PENDULA_PROGRAM, PENDULA_PROGRAM, "list", "metrics", (char *)NULL);
        _exit(99);
    }
    close(ends[1]);
    assert_int_equal(wait_for_exit(child), 3);
}

// The source printed is the one compiled, letter by letter, behind comments with the build options.
TEST(source_is_the_composed_text)
{
    Catalog catalog SCOPED(catalog_free);
    Spec    spec SCOPED(spec_free);
    Plan    plan SCOPED(plan_free);
    Text    text;
    assert_true(catalog_read(&catalog, &err));
    assert_true(spec_read(path_of("sweep.yaml").text, NULL, 0, &spec, &err));
    assert_true(plan_make(&spec, &catalog, &plan, &err));
    Command both = ENDED(0, "source", "sweep.yaml");
    for (size_t g = 0; g < plan.group_count; ++g) {
        Command one = ENDED(0, "source", "sweep.yaml", "--method", plan.groups[g].label);
        assert_true(compose(&plan, &plan.groups[g], &text, &err));
        assert_non_null(strstr(both.out, text.text));
        const char *start = strstr(one.out, text.text);
        assert_non_null(start);
        assert_string_equal(start, text.text);
        assert_int_equal(strncmp(one.out, "// ", 3), 0);
        assert_true(strstr(one.out, "-D LANES=") < start || strstr(one.out, "no device here"));
        text_free(&text);
    }
}

TEST(plan_tells_and_writes_nothing)
{
    Command command = ENDED(0, "plan", "sweep.yaml", "--no-time");
    assert_contains(command.out, "omega             3 values: 1 .. 3");
    assert_contains(command.out, "15 points, 300 steps, 1 block");
    assert_contains(command.out, "15 trajectories of 5 samples");
    assert_contains(command.out, "total: 2 groups, 30 points, 600 steps, 2 blocks");
    assert_null(strstr(command.out, "time:"));
    EXPECT(0, "10 points, 300 steps", "plan", "sweep.yaml", "-s", "step=[0.1, 0.05]", "-s", "parameters.omega=2",
           "--no-time");
    command = ENDED(0, "plan", "sweep.yaml");
    assert_contains(command.out, " substeps and updates, estimated on ");
    assert_false(place_has("sweep.h5"));
    EXPECT(0, "time: not estimated: ", "plan", "sweep.yaml", "-d", "no such device");
}

TEST(info_tells_what_is_there)
{
    EXPECT(0, "", "run", "sweep.yaml", "-d", "reference", "--progress", "none");
    Command command = ENDED(0, "info", "sweep.h5");
    assert_contains(command.out, "It's a test");
    assert_contains(command.out, "blocks       2 of 2 done");
    assert_contains(command.out, "omega: 3 values, 1 to 3 rad/s");
    assert_contains(command.out, "15: 15 ok");
    assert_contains(command.out, "per point    status, updates, energy_ratio");
    assert_contains(command.out, "trajectories x, v");
}

static char said[4096];

static const char *progress_text(ProgressMode mode, double seconds_ago, const char *event)
{
    FILE        *stream = fmemopen(said, sizeof said, "w");
    ProgressLine line;
    progress_line_begin(&line, mode, stream, 2000, 1000000);
    progress_line_resume(&line, 1000, 0);
    line.start -= seconds_ago;
    line.shown -= seconds_ago;
    progress_line_update(&line, 1500, 500000, 3);
    progress_line_update(&line, 1600, 600000, 3);
    progress_line_end(&line, event);
    progress_line_end(&line, event);
    fclose(stream);
    return said;
}

TEST(progress_is_sparse_and_tells_rates)
{
    const char *text = progress_text(PROGRESS_NONE, 100, "done");
    assert_string_equal(text, "");
    // A log gets a line every ten seconds: one of the two updates, and the last state once.
    text = progress_text(PROGRESS_AUTO, 100, "done");
    assert_int_equal(count_in(text, "\n"), 2);
    assert_null(strchr(text, '\r'));
    assert_contains(text, " 50.0%  1.50k/2.00k points  5 points/s  5.00k steps/s  3 failed  1m40s left\n");
    assert_contains(text, " 60.0%  1.60k/2.00k points  6 points/s  6.00k steps/s  3 failed  in 1m40s\n");
    text = progress_text(PROGRESS_PLAIN, 1, "done");
    assert_int_equal(count_in(text, "\n"), 1);
    // On a terminal a text stands where the line was, and the line wipes it; with nothing to count it is wiped at the
    // end.
    FILE                 *stream = fmemopen(said, sizeof said, "w");
    ProgressLine          line;
    const ProgressCompile compile = {.number = 2, .count = 3, .name = "theta2"};
    for (uint64_t points = 0; points <= 10; points += 10) {
        progress_line_begin(&line, PROGRESS_PLAIN, stream, points, points);
        line.terminal = true;
        progress_line_compile(&line, &compile);
        progress_line_end(&line, "done");
    }
    fclose(stream);
    assert_int_equal(strncmp(text,
                             "\rcompiling 2 of 3: theta2\r                        \n"
                             "\rcompiling 2 of 3: theta2\r  0.0%",
                             83),
                     0);
    ProgressLine nothing = {0};
    progress_line_update(&nothing, 1, 1, 0);
    progress_line_compile(&nothing, &compile);
    progress_line_end(&nothing, "done");
}

// Objects come as rarely as lines, but for the first one, and each has the same keys.
TEST(progress_is_objects_for_programs)
{
    const char *text = progress_text(PROGRESS_JSON, 100, "stopped");
    assert_contains(
        text,
        "{\"event\": \"progress\", \"file\": null, \"points\": 2000, \"points_done\": 1500, \"points_failed\": 3, ");
    assert_contains(
        text,
        "}\n{\"event\": \"stopped\", \"file\": null, \"points\": 2000, \"points_done\": 1600, \"points_failed\": 3, ");
    assert_contains(text, "\"seconds_left\": null}\n");
    assert_int_equal(count_in(text, "\n"), 2);
    double points = 0, steps = 0, seconds = 0, left = 0;
    assert_int_equal(sscanf(strstr(text, "\"points_per_second\""),
                            "\"points_per_second\": %lf, \"steps_per_second\": %lf, \"seconds\": %lf, "
                            "\"seconds_left\": %lf",
                            &points, &steps, &seconds, &left),
                     4);
    assert_true(fabs(points - 5) < 0.1 && fabs(steps - 5000) < 100 && fabs(seconds - 100) < 2 && fabs(left - 100) < 2);
    text = progress_text(PROGRESS_JSON, 100, NULL);
    assert_int_equal(count_in(text, "\n"), 1);
    FILE                 *stream = fmemopen(said, sizeof said, "w");
    const ProgressCompile compile = {.number = 1, .count = 1, .name = "rk4", .device = "a \"b\"", .launch = true};
    ProgressLine          line;
    progress_line_begin(&line, PROGRESS_JSON, stream, 10, 0);
    line.file = "out.h5";
    progress_line_compile(&line, &compile);
    progress_line_update(&line, 0, 0, 0);
    progress_line_update(&line, 10, 0, 0);
    progress_line_end(&line, "done");
    fclose(stream);
    assert_int_equal(count_in(text, "\n"), 3);
    assert_contains(text, "{\"event\": \"compile\", \"file\": \"out.h5\", \"number\": 1, \"count\": 1, \"group\": "
                          "\"rk4\", \"device\": \"a \\\"b\\\"\", \"first_launch\": true}\n{\"event\": \"progress\"");
    assert_contains(text, "\"points_done\": 10, \"points_failed\": null, ");
    assert_contains(text, "\"steps_per_second\": null, ");
}

// Devices that compile side by side are said each by itself.
typedef struct Heard {
    pthread_mutex_t mutex;
    size_t          count;
    ProgressCompile compiles[8];
} Heard;

static void hear(const ProgressCompile *compile, void *user)
{
    Heard *heard = user;
    pthread_mutex_lock(&heard->mutex);
    if (heard->count < 8)
        heard->compiles[heard->count++] = *compile;
    pthread_mutex_unlock(&heard->mutex);
}

TEST(what_compiles_is_said_after_a_second)
{
    Heard                 heard = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    Notice               *notice = test_take(1, sizeof *notice);
    const ProgressCompile one = {.number = 1, .count = 3, .name = "one"},
                          two = {.number = 2, .count = 3, .name = "two"},
                          three = {.number = 3, .count = 3, .name = "three"};
    *notice = (Notice){.tell = hear, .user = &heard};
    notice_begin(notice, 0, &one);  // not started: nothing is heard
    notice_begin(NULL, 0, &one);
    notice_end(NULL, 0);
    assert_true(notice_start(notice, &err));
    notice_begin(notice, 0, &one);
    notice_begin(notice, 1, &two);
    notice_begin(notice, 2, &three);
    notice_end(notice, 2);
    sleep(2);
    notice_begin(notice, 2, &three);
    notice_end(notice, 0);
    notice_end(notice, 1);
    notice_end(notice, 2);
    notice_stop(notice);
    assert_int_equal(heard.count, 2);
    assert_string_equal(heard.compiles[0].name, "one");
    assert_string_equal(heard.compiles[1].name, "two");
}
