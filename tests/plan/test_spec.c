// test_spec -- sweep files that cannot be read, -s overrides, and every wrong sweep file of tests/wrong with its
// message.
#include "support/plan_from.h"
#include "base/text.h"

#include <glob.h>

static const char base[] = "problem: pendulum\n"
                           "methods: [rk4, {theta2: {theta: 0.5}}, theta2, {label: mine, generalized_alpha: }]\n"
                           "step: 0.1\n"
                           "end: 1\n"
                           "newton:\n";

static void refuse_file(const char *path, ErrorKind kind, const char *message)
{
    Spec spec;
    if (spec_read(path, NULL, 0, &spec, &err))
        fail_msg("%s is not refused", path);
    assert_int_equal(err.kind, kind);
    if (!strstr(err.message, message))
        fail_msg("'%s' does not say '%s'", err.message, message);
    assert_int_equal(strncmp(err.message, path, strlen(path)), 0);
    assert_null(strchr(err.message, '\n'));
    assert_null(spec.root);
}

TEST(unreadable_files_are_refused)
{
    refuse_file("/tmp/pendula-test-there-is-no-such-file.yaml", ERROR_IO, "cannot be opened: No such file");
    refuse_file("/tmp", ERROR_IO, "is a directory");
}

static void refuse_bytes(const char *bytes, size_t count, const char *message)
{
    char path[64];
    write_file(path, bytes, count);
    refuse_file(path, ERROR_INPUT, message);
    unlink(path);
}

TEST(files_that_are_no_sweep_are_refused)
{
    char elf[600] = "\177ELF\2\1\1";
    refuse_bytes("", 0, ": empty: there is nothing in it");
    refuse_bytes(elf, sizeof elf, ":1:1: not a text file: byte 0x7f is a control character");
    refuse_bytes("\211HDF\r\n\032\n", 8, ":1:1: not a text file: byte 0x89 is not UTF-8");
    refuse_bytes("problem: p\0x\n", 13, ":1:11: not a text file: byte 0x00 is a control character");
    refuse_bytes("\377\376p\0r\0", 6, ":1:1: not a text file: byte 0xff is not UTF-8");
    char *large = test_take(YAML_LARGEST + 1, 1);
    memset(large, '#', YAML_LARGEST + 1);
    refuse_bytes(large, YAML_LARGEST + 1, "longer than 1048576 bytes");
    memset(large, '[', 5000);
    refuse_bytes(large, 5000, ":1:33: nested deeper than 32");
    for (size_t i = 0; i < 5000; ++i)
        memcpy(large + 3 * i, "a: ", 3);
    refuse_bytes(large, 15000, ":1:5: not YAML");
    for (size_t i = 0; i < 300; ++i)
        memset(large + i * 1000, ' ', 1000);
    size_t used = 0;
    for (size_t i = 0; i < 300; ++i) {
        used += i;
        memcpy(large + used, "a:\n", 3);
        used += 3;
    }
    refuse_bytes(large, used, ":33:33: nested deeper than 32");
}

TEST(a_spec_keeps_what_was_given)
{
    PLAN(made, base, "end=2", "newton.mode=paper");
    assert_string_equal(made.spec.text, base);
    assert_string_equal(made.spec.path, made.path);
    assert_string_equal(made.spec.overrides, "end=2\nnewton.mode=paper\n");
    PLAN(plain, base);
    assert_string_equal(plain.spec.overrides, "");
}

TEST(overrides_replace_and_add)
{
    PLAN(made, base, "end=2", "parameters.x0={log: [0.1, 1, 3]}", "newton.mode=paper", "methods.theta2.theta=0.25",
         "methods.theta2_2.theta=[0.1, 0.2]", "methods.mine.rho_inf=0.8", "methods.mine.newton.tolerance=1e-3",
         "methods.mine.parameters.g=2", "methods.mine.substeps={max_depth: 3}", "metrics=[updates]", "end=4");
    const Group *rk4 = &made.plan.groups[0], *first = &made.plan.groups[1], *second = &made.plan.groups[2],
                *mine = &made.plan.groups[3];
    assert_int_equal(made.plan.group_count, 4);
    assert_true(rk4->end.value == 4.0);
    assert_int_equal(rk4->axis_count, 1);
    assert_string_equal(rk4->axes[0].name, "x0");
    assert_true(first->method_parameters[0].value == 0.25);
    assert_string_equal(second->label, "theta2_2");
    assert_int_equal(second->axes[1].count, 2);
    assert_true(mine->method_parameters[0].value == 0.8);
    assert_true(mine->newton.tolerance.value == 1e-3 && first->newton.tolerance.value == 1e-8);
    assert_false(mine->newton.floor_guard);
    assert_true(mine->problem_parameters[0].value == 2.0 && rk4->problem_parameters[0].value == 1.0);
    assert_int_equal(mine->substeps.max_depth, 3);
    assert_int_equal(rk4->variable_count, 2);

    PLAN(word, base, "methods.rk4.parameters.g=3");
    assert_true(word.plan.groups[0].problem_parameters[0].value == 3.0);
    PLAN(all, base, "methods=[{bdf2: {}}]");
    assert_int_equal(all.plan.group_count, 1);
    assert_string_equal(all.plan.groups[0].label, "bdf2");
}

TEST(wrong_overrides_name_their_key)
{
    const struct {
        const char *override, *message;
    } cases[] = {
        {"end", "-s end: expected KEY=VALUE"},
        {"=3", "-s =3: expected KEY=VALUE"},
        {"end=", "-s end: empty: there is nothing in it"},
        {"end=soon", "-s end: end: expected a number, found 'soon'"},
        {"end=-1", "-s end: end: -1 is too small, it must be greater than 0"},
        {"ned=3", "-s ned: unknown key 'ned' in the sweep file; did you mean 'end'?"},
        {"foo.bar=3", "-s foo.bar: unknown key 'foo' in the sweep file"},
        {"newton.tolarance=1", "-s newton.tolarance: unknown key 'tolarance' in newton; did you mean 'tolerance'?"},
        {"newton.mode=fast", "-s newton.mode: newton.mode: expected robust or paper, found 'fast'"},
        {"end.x=3", "-s end.x: 'end' has no keys: it is a number"},
        {"methods.x=3", "-s methods.x: name a key of 'x': methods.x.KEY"},
        {"methods.nobody.theta=3", "-s methods.nobody.theta: no method is labelled 'nobody'; the first label is 'rk4'"},
        {"methods.theta2.theta=3", "-s methods.theta2.theta: parameter 'theta': 3 is too large, it must be at most 1"},
        {"methods.theta2.thete=3", "-s methods.theta2.thete: theta2 has no parameter 'thete'; did you mean 'theta'?"},
        {"methods.theta2.newton.mode=x",
         "-s methods.theta2.newton.mode: newton.mode: expected robust or paper, found 'x'"},
        {"methods.theta2.label=time", "-s methods.theta2.label: label 'time': the name is reserved, choose another"},
        {"parameters.y0=1", "-s parameters.y0: pendulum has no parameter 'y0'; did you mean 'x0'?"},
        {"parameters.x0={log: [0, 1, 3]}", "-s parameters.x0: parameter 'x0': log needs a positive start, got 0"},
        {"parameters={x0: [1, 2",
         "-s parameters: not YAML: while parsing a flow sequence, did not find expected ',' or ']'"},
        {"parameters=x0: 1", "-s parameters: write the value with brackets: {key: value} or [value, value]"},
        {"steps=10", "-s steps: give exactly two of step, end and steps, not 3 of them"},
        {"problem=nothing_like_it", "-s problem: unknown problem 'nothing_like_it', see `pendula list problems`"},
        {"methods=[]", "-s methods: methods: the list is empty, name at least one method"},
        {"methods=[rk5]", "-s methods: unknown method 'rk5'; did you mean 'rk2'?"},
        {"a..b=1", "-s a..b: not a key: words with single dots between them"},
        {".=1", "-s .: not a key: words with single dots between them"},
        {"end=*x", "-s end: anchors (&) and aliases (*) are not allowed: write the value out"},
        {"end=!!int 3", "-s end: tags (!) are not allowed: leave it out"},
        {"end=\x01", "-s end: not a text file: byte 0x01 is a control character"},
        {"trajectory.where.x0=1", "-s trajectory.where.x0: trajectory: give 'every' (steps between samples), 'samples' "
                                  "(their number) or 'times'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Made made SCOPED(made_free);
        plan_from(&made, base, cases[i].override, (const char *)NULL);
        if (made.fine)
            fail_msg("-s %s is not refused", cases[i].override);
        assert_string_equal(made.err.message, cases[i].message);
        assert_int_equal(made.err.kind, ERROR_USAGE);
    }
}

// A sweep that the program writes itself takes the same overrides, and its own faults bear the name it was given.
TEST(a_text_takes_overrides_too)
{
    const char *const given[] = {"end=2", "methods.theta2_2.theta=0.25"}, *const wrong[] = {"newton.mode=fast"};
    Catalog catalog SCOPED(catalog_free) = {0};
    Spec    spec;
    Plan    plan = {0};
    read_catalog(&catalog);
    assert_true(spec_read_text("mine", base, given, 2, &spec, &err) && plan_make(&spec, &catalog, &plan, &err));
    assert_string_equal(spec.path, "mine");
    assert_string_equal(spec.text, base);
    assert_string_equal(spec.overrides, "end=2\nmethods.theta2_2.theta=0.25\n");
    assert_true(plan.groups[0].end.value == 2.0 && plan.groups[2].method_parameters[0].value == 0.25);
    plan_free(&plan);
    spec_free(&spec);

    assert_true(spec_read_text("mine", base, wrong, 1, &spec, &err));
    assert_refused(plan_make(&spec, &catalog, &plan, &err), ERROR_USAGE, "");
    assert_string_equal(err.message, "-s newton.mode: newton.mode: expected robust or paper, found 'fast'");
    spec_free(&spec);
    assert_refused(spec_read_text("mine", "ned: 1\n", NULL, 0, &spec, &err), ERROR_INPUT, "");
    assert_string_equal(err.message, "mine:1:1: unknown key 'ned' in the sweep file; did you mean 'end'?");
    assert_null(spec.root);
}

// A wrong value of the file stays the file's fault, whatever -s says elsewhere.
TEST(the_file_is_at_fault_where_it_is)
{
    Made made SCOPED(made_free);
    plan_from(&made, "problem: pendulum\nmethods: [rk4]\nstep: 0\nend: 1\n", "end=2", (const char *)NULL);
    assert_false(made.fine);
    assert_int_equal(made.err.kind, ERROR_INPUT);
    assert_non_null(strstr(made.err.message, ":3:7: step: 0 is too small"));
}

// The first line of each file says what becomes of it: `# expect KIND at LINE:COLUMN: text`, `at ...` only where there
// is a place.
static void check_wrong_file(const char *path)
{
    Made     made SCOPED(made_free);
    Text     place SCOPED(text_free) = {0};
    unsigned kind = 0, line = 0, column = 0;
    int      after = 0;
    plan_from_file(&made, path, NULL, 0);
    if (made.fine)
        fail_msg("%s is not refused", path);
    char *text = NULL;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t        room = 0;
    const ssize_t length = getline(&text, &room, file);
    fclose(file);
    assert_true(length > 0);
    text[strcspn(text, "\n")] = '\0';
    if (sscanf(text, "# expect %u at %u:%u: %n", &kind, &line, &column, &after) == 3)
        text_add(&place, "%s:%u:%u: ", path, line, column);
    else if (sscanf(text, "# expect %u: %n", &kind, &after) == 1)
        text_add(&place, "%s", "");
    else
        fail_msg("%s: the first line does not say what to expect", path);
    if (kind != (unsigned)made.err.kind || strncmp(made.err.message, place.text, place.length) != 0 ||
        !strstr(made.err.message, text + after) || strchr(made.err.message, '\n'))
        fail_msg("%s:\nexpected %u %s... %s\ngot      %u %s", path, kind, place.text, text + after,
                 (unsigned)made.err.kind, made.err.message);
    free(text);
}

TEST(wrong_files_are_refused)
{
    glob_t found;
    assert_int_equal(glob(PENDULA_SOURCE_DIR "/tests/wrong/*.yaml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 100);
    for (size_t i = 0; i < found.gl_pathc; ++i)
        check_wrong_file(found.gl_pathv[i]);
    globfree(&found);
}
