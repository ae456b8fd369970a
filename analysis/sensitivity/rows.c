// rows -- compares rows with the orders that are known.
#include "analysis/sensitivity/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The correlation of independent columns is 0 give or take 1 / sqrt(n - 1): one that is beyond so many of these, and
// larger than this, is none of chance. Few rows say nothing.
static const double most_chance = 5.0, least_correlation = 0.1;
enum { LEAST_ROWS = 16, MOST_RANKED = 1 << 16 };

typedef struct RowTable {
    const double *const *columns;
    uint64_t             count;
    size_t               factors;
} RowTable;

static bool is_same(const RowTable *table, uint64_t a, uint64_t b, size_t factor)
{
    return table->columns[factor][a] == table->columns[factor][b];
}

uint64_t rows_find(const RowList *rows, uint64_t sample, size_t role)
{
    return rows->by_matrix ? rows->place[role] * rows->samples + sample : sample * rows->roles + rows->place[role];
}

// Whether a row has the numbers that its role asks for: of `from`, but one factor's of `other`.
static bool is_mixed(const RowTable *table, uint64_t row, uint64_t from, uint64_t other, size_t factor)
{
    for (size_t j = 0; j < table->factors; ++j)
        if (!is_same(table, row, j == factor ? other : from, j))
            return false;
    return true;
}

static bool is_sample(const RowTable *table, const RowList *rows, uint64_t sample)
{
    const uint64_t a = rows_find(rows, sample, 0), b = rows_find(rows, sample, 1);
    const size_t   d = table->factors;
    for (size_t role = 2; role < rows->roles; ++role) {
        const bool     from_a = role < 2 + d;
        const uint64_t row = rows_find(rows, sample, role);
        if (!is_mixed(table, row, from_a ? a : b, from_a ? b : a, (role - 2) % d))
            return false;
    }
    return true;
}

// A factor that is the same in A and B is none.
static bool differ(const RowTable *table, const RowList *rows)
{
    for (size_t j = 0; j < table->factors; ++j) {
        uint64_t sample = 0;
        while (sample < rows->samples && is_same(table, rows_find(rows, sample, 0), rows_find(rows, sample, 1), j))
            ++sample;
        if (sample == rows->samples)
            return false;
    }
    return true;
}

// An order of the roles: where A and B stand, and the first of AB and BA.
typedef struct RowOrder {
    bool by_matrix, second_order;
    int  a, b;  // -1: the last
    int  ab;
} RowOrder;

static bool is_saltelli(const RowTable *table, RowOrder order, RowList *rows)
{
    const size_t d = table->factors;
    rows->roles = order.second_order ? 2 * d + 2 : d + 2;
    rows->samples = table->count / rows->roles;
    rows->by_matrix = order.by_matrix;
    rows->second_order = order.second_order;
    if (rows->samples < 2 || rows->samples * rows->roles != table->count)
        return false;
    rows->place[0] = (size_t)order.a;
    rows->place[1] = order.b < 0 ? rows->roles - 1 : (size_t)order.b;
    for (size_t role = 2; role < rows->roles; ++role)
        rows->place[role] = (size_t)order.ab + role - 2;
    for (uint64_t sample = 0; sample < rows->samples; ++sample)
        if (!is_sample(table, rows, sample))
            return false;
    return differ(table, rows);
}

static bool find_saltelli(const RowTable *table, Arena *arena, RowList *rows, Error *err)
{
    static const RowOrder orders[] = {{false, false, 0, -1, 1}, {false, true, 0, -1, 1}, {false, false, 0, 1, 2},
                                      {false, true, 0, 1, 2},   {true, false, 0, 1, 2},  {true, true, 0, 1, 2},
                                      {true, false, 1, 0, 2}};
    rows->place = arena_take(arena, 2 * table->factors + 2, sizeof *rows->place, err);
    for (size_t i = 0; rows->place && i < sizeof orders / sizeof *orders && rows->kind == ROWS_OWN; ++i)
        if (is_saltelli(table, orders[i], rows))
            rows->kind = ROWS_SALTELLI;
    return rows->place != NULL;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The values that a column takes, ascending; `count` receives how many.
static void find_values(const double *column, uint64_t rows, double *values, size_t *count)
{
    memcpy(values, column, rows * sizeof *values);
    qsort(values, rows, sizeof *values, ascending);
    size_t kept = 0;
    for (uint64_t i = 0; i < rows; ++i)
        if (i == 0 || values[i] != values[kept - 1])
            values[kept++] = values[i];
    *count = kept;
}

static size_t find_value(const double *values, size_t count, double wanted)
{
    const double *found = bsearch(&wanted, values, count, sizeof *values, ascending);
    return found ? (size_t)(found - values) : 0;
}

// Whether the rows are all combinations of their factors' values, each of them once.
static bool find_grid(const RowTable *table, RowList *rows, Error *err)
{
    Arena          room = {0};
    double        *values = arena_take(&room, table->count, sizeof *values, err);
    uint64_t      *place = arena_take(&room, table->count, sizeof *place, err), product = 1;
    unsigned char *seen = arena_take(&room, table->count, sizeof *seen, err);
    const bool     ok = values && place && seen;
    bool           grid = ok;
    for (size_t j = 0; grid && j < table->factors; ++j) {
        size_t count;
        find_values(table->columns[j], table->count, values, &count);
        grid = count > 1 && product <= table->count / count;
        for (uint64_t i = 0; grid && i < table->count; ++i)
            place[i] += product * find_value(values, count, table->columns[j][i]);
        product *= count;
    }
    grid = grid && product == table->count;
    for (uint64_t i = 0; grid && i < table->count; ++i) {
        grid = seen[place[i]] == 0;
        seen[place[i]] = 1;
    }
    if (grid)
        rows->kind = ROWS_GRID;
    arena_free(&room);
    return ok;
}

static size_t count_moved(const RowTable *table, uint64_t a, uint64_t b)
{
    size_t moved = 0;
    for (size_t j = 0; j < table->factors; ++j)
        moved += !is_same(table, a, b, j);
    return moved;
}

// The difference between the largest and the least value of a column.
static double range_of(const double *column, uint64_t count)
{
    double least = column[0], most = column[0];
    for (uint64_t i = 1; i < count; ++i) {
        least = fmin(least, column[i]);
        most = fmax(most, column[i]);
    }
    return most - least;
}

// The factor by whose move alone a row comes of the one before it; the number of factors where there is none.
static size_t find_moved(const RowTable *table, uint64_t row)
{
    size_t moved = 0;
    while (moved < table->factors && is_same(table, row - 1, row, moved))
        ++moved;
    return moved < table->factors && is_mixed(table, row, row - 1, row, moved) ? moved : table->factors;
}

// Reads the moves of a trajectory; false where it does not move each factor once.
static bool read_trajectory(const RowTable *table, uint64_t first, const double *ranges, uint32_t *moved, double *steps)
{
    for (size_t s = 0; s < table->factors; ++s) {
        const uint64_t row = first + s + 1;
        const size_t   factor = find_moved(table, row);
        if (factor == table->factors)
            return false;
        for (size_t before = 0; before < s; ++before)
            if (moved[before] == factor)
                return false;
        moved[s] = (uint32_t)factor;
        steps[s] = (table->columns[factor][row] - table->columns[factor][row - 1]) / ranges[factor];
    }
    return true;
}

static bool find_morris(const RowTable *table, Arena *arena, RowList *rows, Error *err)
{
    const size_t   d = table->factors;
    const uint64_t samples = table->count / (d + 1);
    if (d < 2 || samples < 2 || samples * (d + 1) != table->count)
        return true;
    double   *ranges = arena_take(arena, d, sizeof *ranges, err);
    uint32_t *moved = arena_take(arena, samples * d, sizeof *moved, err);
    double   *steps = arena_take(arena, samples * d, sizeof *steps, err);
    if (!ranges || !moved || !steps)
        return false;
    for (size_t j = 0; j < d; ++j)
        ranges[j] = range_of(table->columns[j], table->count);
    for (uint64_t t = 0; t < samples; ++t)
        if (!read_trajectory(table, t * (d + 1), ranges, moved + t * d, steps + t * d))
            return true;
    *rows = (RowList){.kind = ROWS_MORRIS, .samples = samples, .roles = d + 1, .moved = moved, .steps = steps};
    return true;
}

bool rows_are_walks(const RowList *rows)
{
    enum { ONE_IN = 4 };
    const size_t d = rows->roles - 1;
    bool         orders = d < 2;
    for (size_t factor = 0; factor < d; ++factor) {
        double   first = (double)NAN;
        uint64_t same = 0;
        for (uint64_t i = 0; i < rows->samples * d; ++i) {
            orders = orders || rows->moved[i] != rows->moved[i % d];
            if (rows->moved[i] != factor)
                continue;
            if (isnan(first))
                first = fabs(rows->steps[i]);
            same += fabs(fabs(rows->steps[i]) - first) <= 1e-9 * first;
        }
        if (ONE_IN * same >= rows->samples)
            return false;
    }
    return orders;
}

// Around one point, or along paths that move a factor at a time.
static bool is_one_at_a_time(const RowTable *table)
{
    bool star = table->factors > 1 && table->count > 2, paths = table->factors > 1 && table->count > 2;
    for (uint64_t i = 1; i < table->count && (star || paths); ++i) {
        star = star && count_moved(table, 0, i) <= 1;
        paths = paths && (i % (table->factors + 1) == 0 || count_moved(table, i - 1, i) == 1);
    }
    return star || paths;
}

typedef struct RankedRow {
    double value;  // first, so that ascending() compares it
    size_t row;
} RankedRow;

// Ranks about their mean, equal values with their middle one, over the root of the sum of squares: the product of two
// columns is their correlation. At most MOST_RANKED rows, evenly chosen.
static void rank(const double *column, uint64_t stride, size_t count, RankedRow *ranked, double *ranks)
{
    double squares = 0.0;
    for (size_t i = 0; i < count; ++i)
        ranked[i] = (RankedRow){column[i * stride], i};
    qsort(ranked, count, sizeof *ranked, ascending);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && ranked[end].value == ranked[i].value;)
            ++end;
        for (size_t k = i; k < end; ++k)
            ranks[ranked[k].row] = 0.5 * (double)(i + end - 1) - 0.5 * (double)(count - 1);
    }
    for (size_t i = 0; i < count; ++i)
        squares += ranks[i] * ranks[i];
    for (size_t i = 0; squares > 0.0 && i < count; ++i)
        ranks[i] /= sqrt(squares);
}

// The two columns that are correlated the most, where that is more than chance.
static bool find_correlated(const RowTable *table, RowList *rows, Error *err)
{
    const uint64_t stride = (table->count - 1) / MOST_RANKED + 1;
    const size_t   n = (size_t)((table->count - 1) / stride + 1), d = table->factors;
    Arena          room = {0};
    RankedRow     *ranked = arena_take(&room, n, sizeof *ranked, err);
    double        *ranks = arena_take(&room, d * n, sizeof *ranks, err);
    const bool     ok = ranked && ranks;
    const double   chance = fmax(least_correlation, most_chance / sqrt((double)n));
    double         most = 0.0;
    for (size_t j = 0; ok && j < d; ++j)
        rank(table->columns[j], stride, n, ranked, ranks + j * n);
    for (size_t i = 0; ok && i < d; ++i)
        for (size_t j = i + 1; j < d; ++j) {
            double r = 0.0;
            for (size_t k = 0; k < n; ++k)
                r += ranks[i * n + k] * ranks[j * n + k];
            if (fabs(r) <= most)
                continue;
            most = fabs(r);
            rows->first = i;
            rows->second = j;
            rows->rank_correlation = r;
        }
    if (most > 1.0 - 1e-9 && n > 2)
        rows->kind = ROWS_TOGETHER;
    else if (most > chance && n >= LEAST_ROWS)
        rows->kind = ROWS_CORRELATED;
    arena_free(&room);
    return ok;
}

bool rows_recognise(const double *const *columns, uint64_t count, size_t factor_count, Arena *arena, RowList *rows,
                    Error *err)
{
    const RowTable table = {columns, count, factor_count};
    *rows = (RowList){0};
    if (count < 2 || factor_count == 0)
        return true;
    if (!find_saltelli(&table, arena, rows, err) || (rows->kind == ROWS_OWN && !find_grid(&table, rows, err)) ||
        (rows->kind == ROWS_OWN && !find_morris(&table, arena, rows, err)))
        return false;
    if (rows->kind == ROWS_OWN && is_one_at_a_time(&table))
        rows->kind = ROWS_ONE_AT_A_TIME;
    return rows->kind != ROWS_OWN || find_correlated(&table, rows, err);
}
