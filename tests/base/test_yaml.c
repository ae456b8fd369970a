// test_yaml -- the YAML tree: numbers, places of nodes, refusals.
#include "base/suggest.h"
#include "base/text.h"
#include "base/yaml.h"

#include "support/test.h"

#include <float.h>

static const YamlOrigin file_origin = {.name = "a.yaml"};
static const YamlOrigin override_origin = {.name = "newton.mode", .override = true};
static const YamlOrigin card_origin = {.name = "a.cl", .column_offset = 4};

TEST(numbers_are_decimal)
{
    const struct {
        const char *text;
        double      value;
    } good[] = {{"0", 0},         {"1", 1},       {"-1", -1},
                {"+1", 1},        {"1e-5", 1e-5}, {"1.0e-5", 1e-5},
                {".5", .5},       {"-.5e+1", -5}, {"1.", 1},
                {"0.1", 0.1},     {"1E3", 1e3},   {"0e99999", 0},
                {"1e308", 1e308}, {"-0", 0},      {"4.9e-324", 4.9406564584124654e-324},
                {"0.0", 0},       {"10", 10},     {"1.7976931348623157e308", DBL_MAX}};
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        double value = NAN;
        if (!yaml_parse_number(good[i].text, &value) || value != good[i].value)
            fail_msg("'%s' gives %g", good[i].text, value);
    }
    const char *const bad[] = {"",         "0x1", "010",  "1_000", "1:30", "inf",  ".inf",  "nan",    ".nan",   "-inf",
                               "1e",       "e5",  ".",    "-",     "+",    "1e+",  "1 ",    " 1",     "--1",    "1,5",
                               "1d3",      "00",  "00.5", "1e1.5", "0o7",  "0b1",  "1e999", "-1e999", "1e-999", "1f",
                               "infinity", ".e1", "+-1",  "1__0",  "NaN",  "true", "1.5.2", "0x1p3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        double value = 7;
        if (yaml_parse_number(bad[i], &value))
            fail_msg("'%s' passes as the number %g", bad[i], value);
        assert_true(value == 7);
    }
}

static YamlNode *read_fine(const char *text, const YamlOrigin *origin)
{
    YamlNode *root = NULL;
    assert_fine(yaml_read(text, strlen(text), origin, &arena, &root, &err));
    return root;
}

TEST(nodes_know_their_place)
{
    YamlNode *root =
        read_fine("a: 1\nb: [x, 'y', \"z\"]\nc:\n  d: {e: }\n# \303\251\n\303\251: \"\303\251\" \n", &file_origin);
    assert_int_equal(root->kind, YAML_MAPPING);
    assert_int_equal(root->count, 4);
    const YamlNode *b = yaml_find(root, "b");
    assert_int_equal(b->kind, YAML_SEQUENCE);
    assert_int_equal(b->count, 3);
    assert_false(b->block);
    assert_true(root->block);
    assert_int_equal(b->items[1]->line, 2);
    assert_int_equal(b->items[1]->column, 8);
    assert_false(b->items[0]->quoted);
    assert_true(b->items[1]->quoted && b->items[2]->quoted);
    const YamlNode *e = yaml_find(yaml_find(yaml_find(root, "c"), "d"), "e");
    assert_true(yaml_is_null(e));
    assert_int_equal(e->line, 4);
    // Columns count characters, not bytes.
    assert_int_equal(yaml_find(root, "\303\251")->column, 4);
    assert_null(yaml_find(root, "missing"));
    assert_null(yaml_find(NULL, "a"));

    assert_false(yaml_fail(b->items[1], &err, "it is %d", 7));
    assert_string_equal(err.message, "a.yaml:2:8: it is 7");
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(yaml_place(b->items[1], &arena, &err), "a.yaml:2:8");

    const YamlNode *card = read_fine("title: x\n", &card_origin);
    yaml_fail(yaml_find(card, "title"), &err, "no");
    assert_string_equal(err.message, "a.cl:1:12: no");

    const YamlNode *value = read_fine("fast", &override_origin);
    yaml_fail(value, &err, "no");
    assert_string_equal(err.message, "-s newton.mode: no");
    assert_int_equal(err.kind, ERROR_USAGE);

    // A key that is absent has no place.
    assert_false(yaml_fail(yaml_find(card, "missing"), &err, "no"));
    assert_string_equal(err.message, "no");
    assert_int_equal(err.kind, ERROR_INPUT);
}

TEST(messages_are_one_line)
{
    YamlNode *node = read_fine("\"a\\nb\\tc\\e\"", &file_origin);
    double    value;
    assert_false(yaml_number(node, "end", &value, &err));
    assert_string_equal(err.message, "a.yaml:1:1: end: expected a number, found the text 'a?b?c?'");
}

TEST(values_have_one_type)
{
    static const char *const words[] = {"robust", "paper"};
    YamlNode   *root = read_fine("n: 2.5\nw: 3\nt: true\ny: yes\nq: '1'\nl: [1]\nm: {}\nz:\np: paper\n", &file_origin);
    double      number = 0;
    int64_t     whole = 0;
    bool        truth = false;
    size_t      index = 9;
    const char *text = NULL;
    assert_true(yaml_number(yaml_find(root, "n"), "n", &number, &err) && number == 2.5);
    assert_true(yaml_whole(yaml_find(root, "w"), "w", 3, 3, &whole, &err) && whole == 3);
    assert_false(yaml_whole(yaml_find(root, "w"), "w", 4, 9, &whole, &err));
    assert_string_equal(err.message, "a.yaml:2:4: w: 3 is not between 4 and 9");
    assert_false(yaml_whole(yaml_find(root, "n"), "n", 0, 9, &whole, &err));
    assert_string_equal(err.message, "a.yaml:1:4: n: expected a whole number, found '2.5'");
    assert_true(yaml_truth(yaml_find(root, "t"), "t", &truth, &err) && truth);
    assert_false(yaml_truth(yaml_find(root, "y"), "y", &truth, &err));
    assert_false(yaml_number(yaml_find(root, "q"), "q", &number, &err));
    assert_false(yaml_number(yaml_find(root, "l"), "l", &number, &err));
    assert_string_equal(err.message, "a.yaml:6:4: l: expected a number, found a list");
    assert_false(yaml_text(yaml_find(root, "m"), "m", &text, &err));
    assert_false(yaml_text(yaml_find(root, "z"), "z", &text, &err));
    assert_string_equal(err.message, "a.yaml:8:3: z: expected text, found nothing");
    assert_true(yaml_choice(yaml_find(root, "p"), "p", words, 2, &index, &err) && index == 1);
    assert_false(yaml_choice(yaml_find(root, "y"), "y", words, 2, &index, &err));
    assert_string_equal(err.message, "a.yaml:4:4: y: expected robust or paper, found 'yes'");
    assert_true(yaml_is_mapping(yaml_find(root, "m"), "m", &err) && !yaml_is_mapping(root->items[0], "n", &err));
    assert_true(yaml_is_sequence(yaml_find(root, "l"), "l", &err) && !yaml_is_sequence(root, "all", &err));
}

static void refuse(const char *text, size_t length, const char *message)
{
    YamlNode *root = NULL;
    if (yaml_read(text, length, &file_origin, &arena, &root, &err))
        fail_msg("not refused: %s", message);
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.message, message);
}

TEST(surprising_yaml_is_refused)
{
    const struct {
        const char *text, *message;
    } cases[] = {
        {"a: &x 1\nb: *x\n", "a.yaml:1:4: anchors (&) and aliases (*) are not allowed: write the value out"},
        {"b: *x\n", "a.yaml:1:4: anchors (&) and aliases (*) are not allowed: write the value out"},
        {"a: &x [1]\n", "a.yaml:1:4: anchors (&) and aliases (*) are not allowed: write the value out"},
        {"&x {a: 1}\n", "a.yaml:1:1: anchors (&) and aliases (*) are not allowed: write the value out"},
        {"a: !!str 1\n", "a.yaml:1:4: tags (!) are not allowed: leave it out"},
        {"a: ! 1\n", "a.yaml:1:4: tags (!) are not allowed: leave it out"},
        {"a: !!set {b}\n", "a.yaml:1:4: tags (!) are not allowed: leave it out"},
        {"a: 1\nb: 2\na: 3\n", "a.yaml:3:1: key 'a' is given twice, first in line 1"},
        {"a: 1\n'a': 3\n", "a.yaml:2:1: key 'a' is given twice, first in line 1"},
        {"a: 1\n---\nb: 1\n", "a.yaml:2:1: a second document: one file is one document"},
        {"a: 1\n...\n---\n", "a.yaml:3:1: a second document: one file is one document"},
        {"? {a: 1}\n: 2\n", "a.yaml:1:3: a key must be a single word"},
        {"", "a.yaml: empty: there is nothing in it"},
        {"# only a comment\n", "a.yaml: empty: there is nothing in it"},
        {"a: \x01\n", "a.yaml:1:4: not a text file: byte 0x01 is a control character"},
        {"a: 1\nb: \xff\xfe\n", "a.yaml:2:4: not a text file: byte 0xff is not UTF-8"},
        {"a: \xc0\x80\n", "a.yaml:1:4: not a text file: byte 0xc0 is not UTF-8"},
        {"a: \xed\xa0\x80\n", "a.yaml:1:4: not a text file: byte 0xed is not UTF-8"},
        {"a: \xe2\x82", "a.yaml:1:4: not a text file: byte 0xe2 is not UTF-8"},
        {"a: \"\\0\"\n", "a.yaml:1:4: a text with a NUL character in it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        refuse(cases[i].text, strlen(cases[i].text), cases[i].message);
    refuse("a: 1\n\0b: 2\n", 11, "a.yaml:2:1: not a text file: byte 0x00 is a control character");
}

TEST(broken_yaml_is_refused_with_its_place)
{
    const char *const cases[] = {"a: [1, 2\n", "a: {b: 1\n", "a: 1\n b: 2\n", "a: 'x\n", "\ta: 1\n",
                                 "a: b: c\n",  "]",          "a: @x\n",       "%FOO"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        YamlNode *root = NULL;
        if (yaml_read(cases[i], strlen(cases[i]), &file_origin, &arena, &root, &err))
            fail_msg("not refused: %s", cases[i]);
        assert_int_equal(err.kind, ERROR_INPUT);
        unsigned line = 0, column = 0;
        if (sscanf(err.message, "a.yaml:%u:%u: not YAML: ", &line, &column) != 2 || line == 0 || column == 0)
            fail_msg("%s", err.message);
    }
}

TEST(depth_is_limited)
{
    const size_t depths[] = {32, 33, 5000, 500000};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; ++i) {
        YamlNode    *root = NULL;
        const size_t depth = depths[i];
        char        *text = test_take(2 * depth + 1, 1);
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        text[2 * depth] = '\0';
        const bool fine = yaml_read(text, 2 * depth, &file_origin, &arena, &root, &err);
        assert_int_equal(fine, depth <= 32);
        if (!fine)
            assert_string_equal(err.message, "a.yaml:1:33: nested deeper than 32");
    }
}

TEST(size_is_limited)
{
    char *text = test_take(YAML_LARGEST + 2, 1);
    memset(text, ' ', YAML_LARGEST + 1);
    text[0] = 'a';
    text[YAML_LARGEST + 1] = '\0';
    YamlNode *root = NULL;
    assert_true(yaml_read(text, YAML_LARGEST, &file_origin, &arena, &root, &err));
    assert_string_equal(root->text, "a");
    refuse(text, YAML_LARGEST + 1, "a.yaml: larger than 1048576 bytes");
}

// A hundred thousand keys are compared in the time of a sort, not each with each other.
TEST(many_keys_are_read)
{
    Text      text SCOPED(text_free) = {0};
    YamlNode *root = NULL;
    for (int i = 0; i < 100000; ++i)
        text_add(&text, "%x: 1\n", i);
    assert_true(yaml_read(text.text, text.length, &file_origin, &arena, &root, &err));
    assert_int_equal(root->count, 100000);
    text_add(&text, "abc: 2\n");
    assert_false(yaml_read(text.text, text.length, &file_origin, &arena, &root, &err));
    assert_string_equal(err.message, "a.yaml:100001:1: key 'abc' is given twice, first in line 2749");
}

TEST(keys_can_be_put)
{
    YamlNode *root = read_fine("a: 1\n", &file_origin);
    for (int i = 0; i < 20; ++i) {
        char key[16];
        snprintf(key, sizeof key, "k%d", i);
        assert_true(yaml_put(root, key, read_fine("5", &override_origin), &arena, &err));
    }
    assert_true(yaml_put(root, "a", read_fine("7", &override_origin), &arena, &err));
    assert_int_equal(root->count, 21);
    assert_string_equal(yaml_find(root, "a")->text, "7");
    assert_string_equal(yaml_find(root, "k19")->text, "5");
    static const char *const known[] = {"a"};
    assert_false(yaml_check_keys(root, "it", known, 1, &err));
    assert_string_equal(err.message, "-s newton.mode: unknown key 'k0' in it");
    assert_int_equal(err.kind, ERROR_USAGE);
}

static bool same_nodes(const YamlNode *a, const YamlNode *b)
{
    if (a->kind != b->kind || a->count != b->count)
        return false;
    if (a->kind == YAML_SCALAR)
        return yaml_is_null(a) ? yaml_is_null(b)
                               : !yaml_is_null(b) && strcmp(a->text, b->text) == 0 &&
                                     strcmp(yaml_describe(a), yaml_describe(b)) == 0;
    for (size_t i = 0; i < a->count; ++i)
        if ((a->kind == YAML_MAPPING && strcmp(a->keys[i]->text, b->keys[i]->text) != 0) ||
            !same_nodes(a->items[i], b->items[i]))
            return false;
    return true;
}

// A node that is written and read again is the same: numbers stay numbers, and text stays text.
TEST(written_nodes_read_back)
{
    const char *const texts[] = {"a: 1.0e-5\nb: [1, -2, +3, .5]\nc: {d: {}, e: []}\n",
                                 "a: two words, and {more}\nb: \"1\"\nc: 'true'\nd: true\n",
                                 "a:\nb: ~\nc: null\nd: 'null'\ne: ''\n",
                                 "a: |\n  two\n  lines\nb: \"tab\\tquote\\\" back\\\\\"\n",
                                 "'odd: key': it's\n./mine.cl: {theta: [0, 1]}\nd: '# no comment'\n",
                                 "a: [\"-w^2*x - 2*z*w*v_x\", '*a', '&a', '!t', '%', '@', '`']\n",
                                 "- plain\n- - nested\n  - 5\n- {k: v}\n",
                                 "a: \xc3\xa4\xe2\x82\xac\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        Text      out SCOPED(text_free) = {0};
        YamlNode *again = NULL, *root = read_fine(texts[i], &file_origin);
        yaml_write(root, &out);
        assert_true(text_check(&out, &err));
        assert_null(strchr(out.text, '\n'));
        if (!yaml_read(out.text, out.length, &file_origin, &arena, &again, &err) || !same_nodes(root, again))
            fail_msg("%s is written as %s: %s", texts[i], out.text, err.message);
    }
}

TEST(near_words_are_found)
{
    static const char *const names[] = {"step", "end", "tolerance", "theta2"};
    assert_string_equal(suggest("stpe", names, 4), "step");
    assert_string_equal(suggest("tol", names, 4), "tolerance");
    assert_string_equal(suggest("thetta2", names, 4), "theta2");
    assert_null(suggest("colour", names, 4));
    assert_int_equal(suggest_distance("kitten", "sitting"), 3);
    assert_int_equal(suggest_distance("", "abc"), 3);
}
