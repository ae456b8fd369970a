// data.h -- the data that a sweep compares with (`compare:`), rows among those of its tables.
//
// The prologue has DATA_HEAD, the number of the head among the numbers of all tables (host/catalog/curve.h), DATA_COUNT
// and DATA_WIDTH, the numbers of a row: time, value and what a table has besides.

enum { DATA_TIME, DATA_VALUE };

// A number of row k; behind the last row it is infinite.
static real data_at(const Params *p, whole k, int column)
{
    global const SCALAR *rows = p->curves + (SCALAR_WHOLE)p->curves[DATA_HEAD];
    SCALAR_WHOLE         each[LANES];
    SCALAR               numbers[LANES];
    spread_whole(k, each);
    for (int lane = 0; lane < LANES; ++lane)
        numbers[lane] = each[lane] < DATA_COUNT ? rows[each[lane] * DATA_WIDTH + column] : (SCALAR)INFINITY;
    return collect(numbers);
}
