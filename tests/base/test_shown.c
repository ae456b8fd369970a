// test_shown -- texts of users and files, printed so that they cannot steer the terminal or forge lines.
#include "base/utf8.h"
#include "support/program_case.h"

AROUND_ALL(make_place, remove_place)

static void expect_shown(const char *text, bool lines, const char *wanted)
{
    Text shown SCOPED(text_free) = {0};
    text_add(&shown, "%s", "");
    utf8_show(&shown, text, lines);
    assert_string_equal(shown.text, wanted);
}

TEST(what_steers_is_escaped)
{
    expect_shown("", false, "");
    expect_shown("pendule \xc3\xa9lastique, \xf0\x9f\x98\x80 \xe6\x8c\xaf", false,
                 "pendule \xc3\xa9lastique, \xf0\x9f\x98\x80 \xe6\x8c\xaf");
    expect_shown("a\x1b[31mb\x07\x7f", false, "a\\x1b[31mb\\x07\\x7f");
    expect_shown("one\ntwo\t\r", false, "one\\x0atwo\\x09\\x0d");
    expect_shown("one\ntwo\t\r", true, "one\ntwo\t\\x0d");
    expect_shown("\xc2\x80\xc2\x9b\xc2\xa0", true, "\\u0080\\u009b\xc2\xa0");
    expect_shown("\xe2\x80\xae"
                 "gpj.\xe2\x81\xa6",
                 true, "\\u202egpj.\\u2066");
    expect_shown("\xe2\x80\x8f\xd8\x9c\xe2\x80\xa8\xef\xbb\xbf", true, "\\u200f\\u061c\\u2028\\ufeff");
    expect_shown("\xff\xc3", true, "\\xff\\xc3");
}

// Stops the test if a text has a byte that steers a terminal, or one of the two characters beyond ASCII that are used
// here.
static void expect_harmless(const char *text)
{
    for (const char *c = text; *c; ++c)
        assert_true(*c == '\n' || (unsigned char)*c >= 0x20);
    assert_null(strstr(text, "\xe2\x80\xae"));
    assert_null(strstr(text, "\xc2\x9b"));
}

TEST(titles_and_paths_are_escaped)
{
    static const char name[] = "out\x1b[31m\xe2\x80\xae.h5";
    place_write("sweep.yaml", "title: \"red \\u009b31m, back \\u202E\"\nproblem: pendulum\nmethods: [rk4]\nstep: 0.1\n"
                              "steps: 5\nmetrics: [energy_drift]\n");
    const char *const *const good[] = {WORDS("run", "sweep.yaml", "-o", name, "-d", "reference", "--progress", "none"),
                                       WORDS("run", "sweep.yaml", "-o", name, "-d", "reference", "--resume"),
                                       WORDS("info", name), WORDS("plan", "sweep.yaml", "--no-time")};
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        Ending ending = program_run_in(NULL, good[i]);
        assert_code(&ending.command, 0);
        expect_harmless(ending.command.out);
        expect_harmless(ending.command.error);
        if (i < 2)
            assert_contains(ending.command.out, "out\\x1b[31m\\u202e.h5: 1 ");
        if (i == 2)
            assert_contains(ending.command.out, "title        red \\u009b31m, back \\u202e\n");
    }
    EXPECT(3, "pendula: out\\x1b[31m\\u202e.h5: exists already", "run", "sweep.yaml", "-o", name, "-d", "reference");
    EXPECT(3, "pendula: two\\x0alines\\x1b: ", "info", "two\nlines\x1b");
    drop_result(name);
}
