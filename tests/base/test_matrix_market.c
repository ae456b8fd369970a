// test_matrix_market -- matrices of Matrix Market files, and what is refused, at its line.
#include "base/matrix_market.h"

#include "support/test.h"

#define HEAD "%%MatrixMarket matrix "

TEST(matrices_are_read)
{
    const struct {
        const char *text;
        size_t      rows, columns;
        double      values[9];
    } cases[] = {
        {HEAD "coordinate real general\n2 3 2\n1 3 5\n2 1 -1e-3\n", 2, 3, {0, 0, 5, -1e-3, 0, 0}},
        {HEAD "coordinate integer symmetric\n% a note\n\n2 2 2\n1 1 4\n2 1 -3", 2, 2, {4, -3, -3, 0}},
        {HEAD "coordinate real skew-symmetric\n2 2 1\n2 1 7\n", 2, 2, {0, -7, 7, 0}},
        {HEAD "array real general\n2 2\n1\n2\n3\n4\n", 2, 2, {1, 3, 2, 4}},
        {HEAD "array real symmetric\r\n2 2\r\n1\r\n2\r\n3\r\n", 2, 2, {1, 2, 2, 3}},
        {"%%matrixmarket MATRIX Array Real Skew-Symmetric\n3 3\n1\n2\n3\n", 3, 3, {0, -1, -2, 1, 0, -3, 2, 3, 0}},
        {HEAD "coordinate real general\n1 1 0\n", 1, 1, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        MarketMatrix matrix;
        if (!matrix_market_read("m.mtx", cases[i].text, 32, &arena, &matrix, &err))
            fail_msg("case %zu: %s", i, err.message);
        assert_int_equal(matrix.rows, cases[i].rows);
        assert_int_equal(matrix.columns, cases[i].columns);
        for (size_t k = 0; k < matrix.rows * matrix.columns; ++k)
            assert_true(matrix.values[k] == cases[i].values[k]);
    }
}

TEST(what_is_wrong_is_said_at_its_line)
{
    const struct {
        const char *text, *message;
    } cases[] = {
        {"", "m.mtx:1: a Matrix Market file begins with '%%MatrixMarket matrix'"},
        {"3 3 1\n", "m.mtx:1: a Matrix Market file begins with"},
        {"%%MatrixMarket vector coordinate real general\n", "m.mtx:1: a Matrix Market file begins with"},
        {HEAD "dense real general\n", "m.mtx:1: the format 'dense' is neither coordinate nor array"},
        {HEAD "array complex general\n", "m.mtx:1: the entries are 'complex', only real and integer ones are read"},
        {HEAD "array real hermitian\n", "m.mtx:1: the symmetry 'hermitian' is none of"},
        {HEAD "array real general here\n", "m.mtx:1: 'here' is one word too many"},
        {HEAD "array real general\n% only this\n", "the file ends before the size"},
        {HEAD "array real general\n33 2\n",
         "m.mtx:2: the number of rows is 33, it must be a whole number from 1 to 32"},
        {HEAD "array real general\n2 0\n", "m.mtx:2: the number of columns is 0"},
        {HEAD "array real general\n2.5 2\n", "m.mtx:2: the number of rows is 2.5"},
        {HEAD "array real symmetric\n2 3\n", "a symmetric matrix has as many rows as columns"},
        {HEAD "coordinate real general\n2 2\n", "m.mtx:2: expected the number of entries, found ''"},
        {HEAD "coordinate real general\n2 2 2\n1 1 1\n", "the file ends after 1 of 2 entries"},
        {HEAD "coordinate real general\n2 2 1\n3 1 1\n",
         "m.mtx:3: the row is 3, it must be a whole number from 1 to 2"},
        {HEAD "coordinate real general\n2 2 1\n1 0 1\n", "m.mtx:3: the column is 0"},
        {HEAD "coordinate real general\n2 2 1\n1 1 nan\n", "m.mtx:3: expected the entry, found 'nan'"},
        {HEAD "coordinate real general\n2 2 1\n1 1 2 3\n", "m.mtx:3: '3' is one word too many"},
        {HEAD "coordinate real general\n2 2 2\n1 1 2\n\n1 1 3\n", "m.mtx:5: entry (1, 1) is there twice"},
        {HEAD "coordinate real symmetric\n2 2 1\n1 2 3\n", "m.mtx:3: entry (1, 2) is not below the diagonal"},
        {HEAD "coordinate real skew-symmetric\n2 2 1\n1 1 3\n", "m.mtx:3: entry (1, 1) is not below the diagonal"},
        {HEAD "coordinate real general\n2 2 1\n1 1 2\n2 2 2\n", "m.mtx:4: more lines than the size says"},
        {HEAD "array real general\n2 1\n1\n", "the file ends before entry (2, 1)"},
        {HEAD "array real general\n2 1\n1\nx\n", "m.mtx:4: expected an entry, found 'x'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        MarketMatrix matrix;
        if (matrix_market_read("m.mtx", cases[i].text, 32, &arena, &matrix, &err))
            fail_msg("case %zu is not refused", i);
        if (!strstr(err.message, cases[i].message))
            fail_msg("case %zu: '%s' does not say '%s'", i, err.message, cases[i].message);
        assert_int_equal(err.kind, ERROR_INPUT);
    }
}

// Files with bytes changed and dropped: read or refused.
TEST(damaged_files_are_refused)
{
    static const char alphabet[] = " \n\r%.0123456789-+eEabx";
    unsigned          seed = 3;
    size_t            refused = 0;
    for (int i = 0; i < 20000; ++i) {
        char         text[] = HEAD "coordinate real symmetric\n% note\n3 3 4\n1 1 2.5\n2 1 -1e-3\n3 2 4\n3 3 1\n";
        MarketMatrix matrix;
        for (int edits = 1 + i % 4; edits > 0; --edits) {
            seed = seed * 1664525U + 1013904223U;
            const size_t at = (seed >> 8) % strlen(text);
            if (seed % 3 == 0)
                memmove(text + at, text + at + 1, strlen(text + at));
            else
                text[at] = alphabet[(seed >> 4) % (sizeof alphabet - 1)];
        }
        if (!matrix_market_read("m.mtx", text, 32, &arena, &matrix, &err)) {
            ++refused;
            assert_int_equal(strncmp(err.message, "m.mtx:", 6), 0);
        }
    }
    assert_true(refused > 5000 && refused < 20000);
}
