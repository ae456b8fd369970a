// curve.h -- tables of the sweep file as functions: TABLE(name, x) is the value of a table at x, TABLE_SLOPE(name, x)
// its derivative there.
//
// The rows of a table lie in one piece of memory, a row to a sample (host/catalog/curve.h). The prologue defines a
// function for each table behind this file, with what is known of it as constants. At a sample the derivative is that
// of the piece that begins there.
#define TABLE(name, x) table_##name(p, (real)(x))
#define TABLE_SLOPE(name, x) table_slope_##name(p, (real)(x))

enum { CURVE_LINEAR, CURVE_CUBIC, CURVE_HOLD, CURVE_NEXT };
enum { CURVE_REFUSE, CURVE_ZERO, CURVE_END };

typedef struct Curve {
    int          between, outside;
    SCALAR_WHOLE width, count;     // numbers of a row, and rows
    SCALAR       lowest, highest;  // arguments within
    SCALAR       per_unit;         // pieces per unit of the argument, off by one at most; 0: uneven
} Curve;

// The row of the last sample at or before x that a piece begins at.
static global const SCALAR *curve_row(global const SCALAR *rows, const Curve *curve, SCALAR x)
{
    const SCALAR_WHOLE width = curve->width, last = curve->count - 2;
    SCALAR_WHOLE       i = 0, end = last + 1;
    if (curve->per_unit > 0) {
        const SCALAR at = (x - rows[0]) * curve->per_unit;
        i = at > 0 ? at < (SCALAR)last ? (SCALAR_WHOLE)at : last : 0;
        i -= i > 0 && x < rows[i * width];
        i += i < last && x >= rows[(i + 1) * width];
        return rows + i * width;
    }
    while (end - i > 1) {
        const SCALAR_WHOLE middle = i + (end - i) / 2;
        if (x >= rows[middle * width])
            i = middle;
        else
            end = middle;
    }
    return rows + i * width;
}

static SCALAR curve_inside(global const SCALAR *row, const Curve *curve, int slope, SCALAR x)
{
    const SCALAR s = x - row[0];
    if (curve->between == CURVE_LINEAR)
        return slope ? row[2] : row[1] + s * row[2];
    if (curve->between == CURVE_CUBIC)
        return slope ? row[2] + s * (2 * row[3] + s * (3 * row[4])) : row[1] + s * (row[2] + s * (row[3] + s * row[4]));
    if (slope)
        return 0;
    if (curve->between == CURVE_HOLD)
        return x >= row[curve->width] ? row[curve->width + 1] : row[1];
    return x > row[0] ? row[curve->width + 1] : row[1];
}

static SCALAR curve_one(global const SCALAR *rows, const Curve *curve, int slope, SCALAR x)
{
    if (x >= curve->lowest && x <= curve->highest)
        return curve_inside(curve_row(rows, curve, x), curve, slope, x);
    if (curve->outside == CURVE_REFUSE || x != x)
        return (SCALAR)NAN;
    if (curve->outside == CURVE_ZERO || slope)
        return 0;
    return x < curve->lowest ? rows[1] : rows[(curve->count - 1) * curve->width + 1];
}

// Lanes have a time in common where they have a step in common.
static real curve_value(global const SCALAR *rows, const Curve *curve, int slope, real x)
{
    SCALAR each[LANES];
    spread(x, each);
    if (LANES == 1 || all_lanes(x == (real)(each[0])))
        return (real)(curve_one(rows, curve, slope, each[0]));
    for (int lane = 0; lane < LANES; ++lane)
        each[lane] = curve_one(rows, curve, slope, each[lane]);
    return collect(each);
}
