// curve.h -- tables of the sweep file as functions: TABLE(name, x) is the value of a table at x, TABLE_SLOPE(name, x)
// its derivative there; of a map TABLE(name, x, y), and TABLE_SLOPE_2(name, x, y) its derivative by y.
//
// The rows of a record of a table lie in one piece of memory, a row to a sample, behind the heads of all records
// (host/catalog/curve.h). The prologue defines a function for each table behind this file, with the ways between and
// outside of samples as constants. At a sample the derivative is that of the piece that begins there.
#define TABLE(name, ...) table_##name(p, __VA_ARGS__)
#define TABLE_SLOPE(name, ...) table_slope_##name(p, __VA_ARGS__)
#define TABLE_SLOPE_2(name, ...) table_slope_2_##name(p, __VA_ARGS__)

enum { CURVE_LINEAR, CURVE_CUBIC, CURVE_HOLD, CURVE_NEXT };
enum { CURVE_REFUSE, CURVE_ZERO, CURVE_END };

// A record: its rows, and how one of them is found.
typedef struct Curve {
    global const SCALAR *rows;
    SCALAR_WHOLE         width, last;      // numbers of a row, and the last row at which a piece begins
    SCALAR               lowest, highest;  // arguments within
    SCALAR               per_unit;         // cells per unit of the argument
    global const SCALAR *cells;            // the row that each cell's arguments come after; NULL: cells are pieces
} Curve;

enum { CURVE_HEAD = 6 };

static Curve curve_find(global const SCALAR *curves, SCALAR_WHOLE first, SCALAR record, SCALAR_WHOLE width)
{
    global const SCALAR *head = curves + first + CURVE_HEAD * (SCALAR_WHOLE)record;
    const Curve          curve = {curves + (SCALAR_WHOLE)head[0],
                                  width,
                                  (SCALAR_WHOLE)head[1] - 2,
                                  head[2],
                                  head[3],
                                  head[4],
                         head[5] > 0 ? curves + (SCALAR_WHOLE)head[5] : 0};
    return curve;
}

// The row of the last sample at or before x that a piece begins at.
static global const SCALAR *curve_row(const Curve *curve, SCALAR x)
{
    global const SCALAR *rows = curve->rows;
    const SCALAR_WHOLE   width = curve->width, last = curve->last;
    const SCALAR         at = (x - rows[0]) * curve->per_unit;
    SCALAR_WHOLE         i = at > 0 ? at < (SCALAR)last ? (SCALAR_WHOLE)at : last : 0;
    if (!curve->cells) {
        // Rounding or a piece of another length: a branch, since nothing then waits for the samples that it compares.
        if (UNLIKELY(i > 0 && x < rows[i * width]))
            i -= 1;
        else if (UNLIKELY(i < last && x >= rows[(i + 1) * width]))
            i += 1;
        return rows + i * width;
    }
    SCALAR_WHOLE end = (SCALAR_WHOLE)curve->cells[i + 1] + 1;
    i = (SCALAR_WHOLE)curve->cells[i];
    while (end - i > 1) {
        const SCALAR_WHOLE middle = i + (end - i) / 2;
        if (x >= rows[middle * width])
            i = middle;
        else
            end = middle;
    }
    return rows + i * width;
}

static SCALAR curve_inside(global const SCALAR *row, SCALAR_WHOLE width, int between, int slope, SCALAR x)
{
    const SCALAR s = x - row[0];
    if (between == CURVE_LINEAR)
        return slope ? row[2] : row[1] + s * row[2];
    if (between == CURVE_CUBIC)
        return slope ? row[2] + s * (2 * row[3] + s * (3 * row[4])) : row[1] + s * (row[2] + s * (row[3] + s * row[4]));
    if (slope)
        return 0;
    if (between == CURVE_HOLD)
        return x >= row[width] ? row[width + 1] : row[1];
    return x > row[0] ? row[width + 1] : row[1];
}

static SCALAR curve_one(const Curve *curve, int between, int outside, int slope, SCALAR x)
{
    if (x >= curve->lowest && x <= curve->highest)
        return curve_inside(curve_row(curve, x), curve->width, between, slope, x);
    if (outside == CURVE_REFUSE || x != x)
        return (SCALAR)NAN;
    if (outside == CURVE_ZERO || slope)
        return 0;
    return x < curve->lowest ? curve->rows[1] : curve->rows[(curve->last + 1) * curve->width + 1];
}

// Each lane has its own argument or record. Called, not inlined, where it is rare.
#if LANES > 1
__attribute__((noinline)) static real curve_lanes(global const SCALAR *curves, SCALAR_WHOLE first, real record,
                                                  int between, int outside, SCALAR_WHOLE width, int slope, real x)
{
    SCALAR each[LANES], records[LANES], values[LANES];
    spread(x, each);
    spread(record, records);
    Curve curve = curve_find(curves, first, records[0], width);
    values[0] = curve_one(&curve, between, outside, slope, each[0]);
    for (int lane = 1; lane < LANES; ++lane) {
        // Neighbours mostly have their record, or their argument, in common.
        const bool other = records[lane] != records[lane - 1];
        if (other)
            curve = curve_find(curves, first, records[lane], width);
        values[lane] = other || each[lane] != each[lane - 1] ? curve_one(&curve, between, outside, slope, each[lane])
                                                             : values[lane - 1];
    }
    return collect(values);
}
#endif

// The value at x of a record, or with `slope` the derivative. Lanes have a time in common where they have a step in
// common.
//   first   number of the table's first head
//   record  a whole number
__attribute__((always_inline)) static inline real curve_value(global const SCALAR *curves, SCALAR_WHOLE first,
                                                              real record, int between, int outside, SCALAR_WHOLE width,
                                                              int slope, real x)
{
    SCALAR each[LANES], records[LANES];
    spread(x, each);
    spread(record, records);
#if LANES > 1
    if (!all_lanes((x == (real)(each[0])) & (record == (real)(records[0]))))
        return curve_lanes(curves, first, record, between, outside, width, slope, x);
#endif
    const Curve curve = curve_find(curves, first, records[0], width);
    return (real)(curve_one(&curve, between, outside, slope, each[0]));
}

// A map: record 0 has its first argument's abscissae, and record 1 + i the values over the second at abscissa i.
// Between two of them the value is on the straight line.
//   slope  0: the value; 1, 2: the derivative by x, by y
static SCALAR curve_map_one(global const SCALAR *curves, SCALAR_WHOLE first, int outside, int slope, SCALAR x, SCALAR y)
{
    enum { WIDTH = 3 };
    const Curve axis = curve_find(curves, first, 0, WIDTH);
    if (!(x >= axis.lowest && x <= axis.highest)) {
        if (outside == CURVE_REFUSE || x != x || y != y)
            return (SCALAR)NAN;
        if (outside == CURVE_ZERO || slope == 1)
            return 0;
        x = x < axis.lowest ? axis.rows[0] : axis.rows[(axis.last + 1) * WIDTH];
    }
    global const SCALAR *row = curve_row(&axis, x);
    const SCALAR         record = (SCALAR)((row - axis.rows) / WIDTH + 1);
    const Curve  low = curve_find(curves, first, record, WIDTH), high = curve_find(curves, first, record + 1, WIDTH);
    const SCALAR a = curve_one(&low, CURVE_LINEAR, outside, slope == 2, y),
                 b = curve_one(&high, CURVE_LINEAR, outside, slope == 2, y);
    return slope == 1 ? (b - a) * row[2] : a + (x - row[0]) * row[2] * (b - a);
}

static real curve_map(global const SCALAR *curves, SCALAR_WHOLE first, int outside, int slope, real x, real y)
{
    SCALAR each[LANES], others[LANES];
    spread(x, each);
    spread(y, others);
    for (int lane = 0; lane < LANES; ++lane)
        each[lane] = curve_map_one(curves, first, outside, slope, each[lane], others[lane]);
    return collect(each);
}
