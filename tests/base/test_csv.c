// test_csv -- records of numbers: quotes, blanks, ends of lines, and what is refused, at its line and column.
#include "base/csv.h"

#include "support/command.h"

static char path[128];

static void write_file(const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

// Reads all records: their numbers one after the other, -1 where a column is passed over.
static bool read_all(const char *text, size_t length, size_t passed, double *numbers, size_t most, size_t *count)
{
    Csv  csv = {0};
    bool more = true;
    *count = 0;
    write_file(text, length);
    if (!csv_open(path, &csv, &err))
        return false;
    if (passed < csv.count)
        csv.passed[passed] = true;
    bool ok = true;
    for (size_t i = 0; ok && i < csv.count; ++i)
        ok = csv.passed[i] || csv_check_name(&csv, i, &err);
    while (ok && more) {
        ok = csv_next(&csv, &more, &err);
        for (size_t i = 0; ok && more && i < csv.count; ++i, ++*count)
            if (*count < most)
                numbers[*count] = isnan(csv.numbers[i]) ? -1.0 : csv.numbers[i];
    }
    csv_close(&csv);
    return ok;
}

TEST(records_are_read)
{
    const struct {
        const char *text;
        size_t      passed, count;
        double      numbers[6];
    } good[] = {{"a,b\n1,2\n3,4\n", 9, 4, {1, 2, 3, 4}},
                // Names of rows, as pandas and R write them.
                {",a,b\n0,1,2\n", 0, 3, {-1, 1, 2}},
                {"\"\",\"a\",\"b\"\n\"1\",1,2\n\"2\",3,4\n", 0, 6, {-1, 1, 2, -1, 3, 4}},
                {"a,b\r\n1,2\r\n3,4", 9, 4, {1, 2, 3, 4}},
                {"\xEF\xBB\xBF"
                 "a\n5\n",
                 9,
                 1,
                 {5}},
                {" a , \"b\" \n 1\t,\"2\" \n", 9, 2, {1, 2}},
                {"\"a,\"\"b\"\"\",c\n1e-3,-.5\n", 9, 2, {1e-3, -.5}},
                {"\"a\nb\",c\n1,2\n\n  \n\r\n", 9, 2, {1, 2}},
                {"a,b,c\n1,word,3\n4,,6\n", 1, 6, {1, -1, 3, 4, -1, 6}},
                {"a,b\n1.000000000000000000e+00,0.000000000000000000e+00\n", 9, 2, {1, 0}},
                {"a,b\n", 9, 0, {0}},
                {"a,b", 9, 0, {0}}};
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        double numbers[6];
        size_t count;
        if (!read_all(good[i].text, strlen(good[i].text), good[i].passed, numbers, 6, &count))
            fail_msg("case %zu: %s", i, err.message);
        assert_int_equal(count, good[i].count);
        for (size_t k = 0; k < count; ++k)
            assert_true(numbers[k] == good[i].numbers[k]);
    }
}

TEST(names_are_those_of_the_header)
{
    static const char text[] = "\"eps, or \"\"e\"\"\",k , g\n1,2,3\n";
    Csv               csv SCOPED(csv_close) = {0};
    write_file(text, strlen(text));
    assert_true(csv_open(path, &csv, &err));
    assert_int_equal(csv.count, 3);
    assert_string_equal(csv.names[0].text, "eps, or \"e\"");
    assert_string_equal(csv.names[1].text, "k");
    assert_int_equal(csv.names[2].column, 21);
}

TEST(wrong_files_are_refused_at_their_place)
{
    const struct {
        const char *text;
        size_t      length;  // 0: to the NUL
        const char *message;
    } bad[] = {{"", 0, ":1:1: the first line is empty: it must name the columns"},
               {"\n1\n", 0, ":1:1: the first line is empty"},
               {"a,,c\n1,2,3\n", 0, ":1:3: the column has no name: give it one, or"},
               {"a,\"\"\n1,2\n", 0, ":1:3: the column has no name"},
               {"a,b,a\n", 0, ":1:5: column 'a' is there twice"},
               {"a,b\n1,2\n3\n", 0, ":3:1: 1 fields, but there are 2 columns"},
               {"a,b\n1,2,3\n", 0, ":2:5: more fields than there are columns"},
               {"a,b\n1,x\n", 0,
                ":2:3: column 'b': 'x' is not a number that a double can hold; a list of columns without this one "
                "leaves it out"},
               {"\"a\nb\",c\n1,x\n", 0, ":3:3: column 'c': 'x' is not a number"},
               {"a,b\n1,nan\n", 0,
                ":2:3: column 'b': 'nan' is not a number that a double can hold; every row needs a number here"},
               {"a,b\n1e999,1\n", 0, ":2:1: column 'a': '1e999' is not a number that a double can hold"},
               {"a,b\n1 ,\" 2\"\n", 0, ":2:4: column 'b': ' 2' is not a number"},
               {"a,b\n1,\n", 0, ":2:3: column 'b' is empty here"},
               {"a;b\n1;2\n", 0,
                ":2:1: column 'a;b': '1;2' is not a number that a double can hold; commas separate the columns"},
               {"a,b\n1,2\n\n3,4\n", 0, ":3:1: the line is empty"},
               {"a,b\n1,\"2\n3,4\n", 0, ":2:3: the quote does not close"},
               {"a,b\n1,\"2\"3\n", 0, ":2:6: a comma or the end of the line is due behind the quote"},
               {"a\n1\0\n", 5, ":2:2: a NUL byte: this is not a text file"},
               {"a\n\"1\0\"\n", 7, ":2:1: the quote does not close"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        double numbers[6];
        size_t count;
        assert_refused(
            read_all(bad[i].text, bad[i].length ? bad[i].length : strlen(bad[i].text), 9, numbers, 6, &count),
            ERROR_INPUT, "");
        if (strncmp(err.message, path, strlen(path)) != 0 ||
            strncmp(err.message + strlen(path), bad[i].message, strlen(bad[i].message)) != 0)
            fail_msg("expected %s, got %s", bad[i].message, err.message);
    }
}

// A quote that is not closed takes no more memory than a line may have.
TEST(long_lines_are_refused)
{
    enum { LENGTH = 3 << 20 };
    char  *text = test_take(LENGTH, 1);
    double numbers[6];
    size_t count;
    memset(text, '1', LENGTH);
    memcpy(text, "a,b\n1,2\n\"", 9);
    assert_refused(read_all(text, LENGTH, 9, numbers, 6, &count), ERROR_INPUT, "");
    assert_string_equal(err.message + strlen(path), ":3:1: the line is longer than 1 MiB: does a quote close?");
    text[8] = '1';
    assert_refused(read_all(text, LENGTH, 9, numbers, 6, &count), ERROR_INPUT, "");
    assert_string_equal(err.message + strlen(path), ":3:1: the line is longer than 1 MiB: does a quote close?");
}

TEST(paths_that_are_no_files)
{
    Csv csv = {0};
    assert_refused(csv_open("/nowhere/samples.csv", &csv, &err), ERROR_IO, "");
    assert_string_equal(err.message, "/nowhere/samples.csv: cannot be opened: No such file or directory");
    assert_refused(csv_open("/", &csv, &err), ERROR_IO, "/: is not a file");
}

// Whatever bytes are put into a file, it is read or refused: the numbers of a record that is read are numbers.
TEST(any_bytes_are_read_or_refused)
{
    static const char text[] = "eps,\"k\",theta\r\n1e-3,0.5,.25\n\"2\",-1,3\n4 , 5,6.5e-2\n";
    static const char bytes[] = ",\"\n\r\t 019.e+-xn\0\xFF";
    uint32_t          seed = 1;
    for (int round = 0; round < 3000; ++round) {
        char   changed[sizeof text];
        double numbers[64];
        size_t count, length = sizeof text - 1;
        memcpy(changed, text, sizeof text);
        for (int k = 0; k < 1 + round % 4; ++k) {
            seed = seed * 1664525u + 1013904223u;
            changed[(seed >> 8) % length] = bytes[(seed >> 20) % (sizeof bytes - 1)];
        }
        seed = seed * 1664525u + 1013904223u;
        length = round % 3 == 0 ? (seed >> 8) % length : length;
        if (!read_all(changed, length, 9, numbers, 64, &count)) {
            assert_int_equal(err.kind, ERROR_INPUT);
            assert_int_equal(strncmp(err.message, path, strlen(path)), 0);
            continue;
        }
        for (size_t k = 0; k < count && k < 64; ++k)
            assert_true(isfinite(numbers[k]));
    }
}

static int set_up(void **state)
{
    make_place(state);
    snprintf(path, sizeof path, "%s/case.csv", place.path);
    return 0;
}

AROUND_ALL(set_up, remove_place)
