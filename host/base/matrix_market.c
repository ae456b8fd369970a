// matrix_market -- reads the header, the size and the entries of a Matrix Market file.
#include "base/matrix_market.h"
#include "base/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_WORD = 64 };

typedef enum Symmetry { GENERAL, SYMMETRIC, SKEW } Symmetry;

typedef struct MarketReader {
    const char *path, *at;
    size_t      line;  // of the last text read, from 1
    Error      *err;
} MarketReader;

#define WRONG(reader, ...) wrong(reader, arena_format(arena, (reader)->err, __VA_ARGS__))

static bool wrong(const MarketReader *reader, const char *what)
{
    return what && fail(reader->err, ERROR_INPUT, "%s:%zu: %s", reader->path, reader->line, what);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// Goes to the next line that holds anything, comments left out. False at the end of the file.
static bool next_line(MarketReader *reader)
{
    for (;;) {
        while (is_space(*reader->at))
            ++reader->at;
        if (*reader->at == '\0')
            return false;
        if (*reader->at != '\n' && *reader->at != '%')
            return true;
        reader->at += strcspn(reader->at, "\n");
        if (*reader->at == '\n') {
            ++reader->at;
            ++reader->line;
        }
    }
}

// The next word of the line; "" at its end.
static bool read_word(MarketReader *reader, char word[LONGEST_WORD], Arena *arena)
{
    while (is_space(*reader->at))
        ++reader->at;
    const size_t length = strcspn(reader->at, " \t\r\n");
    if (length >= LONGEST_WORD)
        return WRONG(reader, "'%.20s...' is neither a word nor a number", reader->at);
    memcpy(word, reader->at, length);
    word[length] = '\0';
    reader->at += length;
    return true;
}

static bool read_number(MarketReader *reader, const char *what, double *value, Arena *arena)
{
    char word[LONGEST_WORD];
    if (!read_word(reader, word, arena))
        return false;
    return yaml_parse_number(word, value) || WRONG(reader, "expected %s, found '%s'", what, word);
}

static bool read_index(MarketReader *reader, const char *what, size_t least, size_t most, size_t *index, Arena *arena)
{
    double value;
    if (!read_number(reader, what, &value, arena))
        return false;
    if (value != floor(value) || value < (double)least || value > (double)most)
        return WRONG(reader, "%s is %.10g, it must be a whole number from %zu to %zu", what, value, least, most);
    *index = (size_t)value;
    return true;
}

static bool end_line(MarketReader *reader, Arena *arena)
{
    char word[LONGEST_WORD];
    return read_word(reader, word, arena) && (word[0] == '\0' || WRONG(reader, "'%s' is one word too many", word));
}

// `%%MatrixMarket matrix coordinate|array real|integer general|symmetric|skew-symmetric`
static bool read_header(MarketReader *reader, bool *coordinate, Symmetry *symmetry, Arena *arena)
{
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric"};
    char                     words[5][LONGEST_WORD];
    for (size_t i = 0; i < 5; ++i)
        if (!read_word(reader, words[i], arena))
            return false;
    if (strcasecmp(words[0], "%%MatrixMarket") != 0 || strcasecmp(words[1], "matrix") != 0)
        return WRONG(reader, "a Matrix Market file begins with '%%%%MatrixMarket matrix'");
    *coordinate = strcasecmp(words[2], "coordinate") == 0;
    if (!*coordinate && strcasecmp(words[2], "array") != 0)
        return WRONG(reader, "the format '%s' is neither coordinate nor array", words[2]);
    if (strcasecmp(words[3], "real") != 0 && strcasecmp(words[3], "integer") != 0)
        return WRONG(reader, "the entries are '%s', only real and integer ones are read", words[3]);
    for (size_t i = 0; i < 3; ++i)
        if (strcasecmp(words[4], symmetries[i]) == 0) {
            *symmetry = (Symmetry)i;
            return end_line(reader, arena);
        }
    return WRONG(reader, "the symmetry '%s' is none of general, symmetric, skew-symmetric", words[4]);
}

// An entry and, of a symmetric matrix, its mirror image.
static void put(MarketMatrix *matrix, Symmetry symmetry, size_t i, size_t j, double value)
{
    matrix->values[i * matrix->columns + j] = value;
    if (symmetry != GENERAL && i != j)
        matrix->values[j * matrix->columns + i] = symmetry == SKEW ? -value : value;
}

static bool read_entries(MarketReader *reader, MarketMatrix *matrix, Symmetry symmetry, size_t count, Arena *arena)
{
    bool *there = arena_take(arena, matrix->rows * matrix->columns, sizeof *there, reader->err);
    if (!there)
        return false;
    for (size_t k = 0; k < count; ++k) {
        size_t i, j;
        double value;
        if (!next_line(reader))
            return WRONG(reader, "the file ends after %zu of %zu entries", k, count);
        if (!read_index(reader, "the row", 1, matrix->rows, &i, arena) ||
            !read_index(reader, "the column", 1, matrix->columns, &j, arena) ||
            !read_number(reader, "the entry", &value, arena) || !end_line(reader, arena))
            return false;
        if (symmetry != GENERAL && (i < j || (symmetry == SKEW && i == j)))
            return WRONG(reader,
                         "entry (%zu, %zu) is not below the diagonal, where a %ssymmetric matrix has all of them", i, j,
                         symmetry == SKEW ? "skew-" : "");
        if (there[(i - 1) * matrix->columns + j - 1])
            return WRONG(reader, "entry (%zu, %zu) is there twice", i, j);
        there[(i - 1) * matrix->columns + j - 1] = true;
        put(matrix, symmetry, i - 1, j - 1, value);
    }
    return true;
}

// All entries, or of a symmetric matrix the lower triangle, column after column.
static bool read_array(MarketReader *reader, MarketMatrix *matrix, Symmetry symmetry, Arena *arena)
{
    for (size_t j = 0; j < matrix->columns; ++j)
        for (size_t i = symmetry == GENERAL ? 0 : symmetry == SYMMETRIC ? j : j + 1; i < matrix->rows; ++i) {
            double value;
            if (!next_line(reader))
                return WRONG(reader, "the file ends before entry (%zu, %zu)", i + 1, j + 1);
            if (!read_number(reader, "an entry", &value, arena) || !end_line(reader, arena))
                return false;
            put(matrix, symmetry, i, j, value);
        }
    return true;
}

bool matrix_market_read(const char *path, const char *text, size_t most, Arena *arena, MarketMatrix *matrix, Error *err)
{
    MarketReader reader = {.path = path, .at = text, .line = 1, .err = err};
    bool         coordinate = false;
    Symmetry     symmetry = GENERAL;
    size_t       count = 0;
    *matrix = (MarketMatrix){0};
    if (!read_header(&reader, &coordinate, &symmetry, arena))
        return false;
    if (!next_line(&reader))
        return wrong(&reader, "the file ends before the size");
    if (!read_index(&reader, "the number of rows", 1, most, &matrix->rows, arena) ||
        !read_index(&reader, "the number of columns", 1, most, &matrix->columns, arena) ||
        (coordinate && !read_index(&reader, "the number of entries", 0, most * most, &count, arena)) ||
        !end_line(&reader, arena))
        return false;
    if (symmetry != GENERAL && matrix->rows != matrix->columns)
        return wrong(&reader, "a symmetric matrix has as many rows as columns");
    matrix->values = arena_take(arena, matrix->rows * matrix->columns, sizeof *matrix->values, err);
    if (!matrix->values || !(coordinate ? read_entries(&reader, matrix, symmetry, count, arena)
                                        : read_array(&reader, matrix, symmetry, arena)))
        return false;
    return !next_line(&reader) || wrong(&reader, "more lines than the size says");
}
