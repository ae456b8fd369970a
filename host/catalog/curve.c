// curve -- rows of tables, the spline among them, and the text around them.
#include "catalog/curve.h"

#include "base/scoped.h"

#include <math.h>
#include <stdlib.h>

const char *const curve_between_names[CURVE_BETWEEN_COUNT] = {"linear", "cubic", "hold", "next"};
const char *const curve_outside_names[CURVE_OUTSIDE_COUNT] = {"refuse", "zero", "hold"};

// Roundings that an argument may have met on its way to an end.
enum { END_ROUNDINGS = 16 };

size_t curve_least(CurveBetween between)
{
    return between == CURVE_CUBIC ? 4 : 2;
}

size_t curve_width(CurveBetween between)
{
    static const size_t widths[CURVE_BETWEEN_COUNT] = {3, 5, 2, 2};
    return widths[between];
}

// Pieces per unit where an argument's piece is found by its number, or the one beside it; else 0.
static double count_pieces(const Curve *curve)
{
    const double *samples = curve->samples, first = samples[0];
    const double  piece = (samples[2 * (curve->count - 1)] - first) / (double)(curve->count - 1);
    for (size_t i = 0; i < curve->count; ++i)
        if (!(fabs(samples[2 * i] - first - (double)i * piece) < 0.25 * piece))
            return 0.0;
    return isfinite(1.0 / piece) ? 1.0 / piece : 0.0;
}

void curve_measure(Curve *curve, double epsilon)
{
    const double first = curve->samples[0], last = curve->samples[2 * (curve->count - 1)];
    const double room = END_ROUNDINGS * epsilon * fmax(fabs(first), fabs(last));
    curve->lowest = first - room;
    curve->highest = last + room;
    curve->per_unit = count_pieces(curve);
}

// A row of the spline's equations: below and above stand beside the diagonal.
typedef struct SplineRow {
    long double below, diagonal, above, right;
} SplineRow;

// A piece's length and slope.
typedef struct SplinePiece {
    long double h, m;
} SplinePiece;

static SplinePiece piece_at(const double *samples, size_t i)
{
    const long double h = (long double)samples[2 * i + 2] - samples[2 * i];
    return (SplinePiece){h, ((long double)samples[2 * i + 3] - samples[2 * i + 1]) / h};
}

// Equation i of the derivatives at the samples: the second derivative is continuous, and at the second and the last but
// one sample the third (not-a-knot), as de Boor's A Practical Guide to Splines (1978), chapter IV, has it.
static SplineRow spline_row(const double *samples, size_t n, size_t i)
{
    const bool        last = i == n - 1;
    const SplinePiece a = piece_at(samples, i == 0 ? 0
                                            : last ? n - 2
                                                   : i - 1),
                      b = piece_at(samples, i == 0 ? 1
                                            : last ? n - 3
                                                   : i);
    const long double both = a.h + b.h;
    if (i > 0 && !last)
        return (SplineRow){b.h, 2.0L * both, a.h, 3.0L * (b.h * a.m + a.h * b.m)};
    const long double right = ((a.h + 2.0L * both) * b.h * a.m + a.h * a.h * b.m) / both;
    return last ? (SplineRow){both, b.h, 0.0L, right} : (SplineRow){0.0L, b.h, both, right};
}

// Solves for the derivatives at the samples, by elimination downwards.
static bool solve_spline(const Curve *curve, long double *d, Error *err)
{
    const size_t n = curve->count;
    long double *above SCOPED(scoped_free) = calloc(n, sizeof *above), before = 0.0L;
    if (!above)
        return fail(err, ERROR_INTERNAL, "out of memory for table '%s'", curve->name);
    for (size_t i = 0; i < n; ++i) {
        const SplineRow   row = spline_row(curve->samples, n, i);
        const long double pivot = row.diagonal - (i ? row.below * above[i - 1] : 0.0L);
        above[i] = row.above / pivot;
        before = d[i] = (row.right - row.below * before) / pivot;
    }
    for (size_t i = n - 1; i-- > 0;)
        d[i] -= above[i] * d[i + 1];
    return true;
}

// Beyond the last sample no piece begins: its row has the sample alone.
static bool add_cubic(const Curve *curve, double *row, Error *err)
{
    long double *d SCOPED(scoped_free) = calloc(curve->count, sizeof *d);
    if (!d)
        return fail(err, ERROR_INTERNAL, "out of memory for table '%s'", curve->name);
    if (!solve_spline(curve, d, err))
        return false;
    for (size_t i = 0; i < curve->count; ++i, row += curve_width(CURVE_CUBIC)) {
        row[2] = (double)d[i];
        if (i + 1 == curve->count)
            break;
        const SplinePiece piece = piece_at(curve->samples, i);
        const long double rest = (d[i] + d[i + 1] - 2.0L * piece.m) / piece.h;
        row[3] = (double)((piece.m - d[i]) / piece.h - rest);
        row[4] = (double)(rest / piece.h);
    }
    return true;
}

static bool add_rows(const Curve *curve, double *rows, Error *err)
{
    const size_t width = curve_width(curve->between);
    for (size_t i = 0; i < curve->count; ++i) {
        double *row = rows + i * width;
        row[0] = curve->samples[2 * i];
        row[1] = curve->samples[2 * i + 1];
        if (curve->between == CURVE_LINEAR && i + 1 < curve->count)
            row[2] = (double)piece_at(curve->samples, i).m;
    }
    return curve->between != CURVE_CUBIC || add_cubic(curve, rows, err);
}

bool curve_list(Curve *list, size_t count, Arena *arena, CurveSet *curves, Error *err)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; ++i) {
        list[i].first = all;
        all += (uint64_t)list[i].count * curve_width(list[i].between);
        if (all > CURVE_NUMBERS)
            return fail(err, ERROR_INPUT, "the tables have more than 2^30 numbers, use fewer samples");
    }
    double *numbers = arena_take(arena, (size_t)all, sizeof *numbers, err);
    bool    ok = numbers != NULL;
    for (size_t i = 0; ok && i < count; ++i)
        ok = add_rows(&list[i], numbers + list[i].first, err);
    *curves = (CurveSet){list, count, numbers, all};
    return ok;
}

static const char *const kernel_between[CURVE_BETWEEN_COUNT] = {"CURVE_LINEAR", "CURVE_CUBIC", "CURVE_HOLD",
                                                                "CURVE_NEXT"};
static const char *const kernel_outside[CURVE_OUTSIDE_COUNT] = {"CURVE_REFUSE", "CURVE_ZERO", "CURVE_END"};

// The function of a table, and with `slope` that of its derivative.
static void write_kernel_function(const Curve *curve, bool slope, Text *text)
{
    text_add(text,
             "static real table_%s%s(const Params *p, real x)\n{\n"
             "    const Curve curve = {%s, %s, %zu, %zu, (SCALAR)%.17e, (SCALAR)%.17e, (SCALAR)%.17e};\n"
             "    return curve_value(p->curves + %lluu, &curve, %d, x);\n}\n",
             slope ? "slope_" : "", curve->name, kernel_between[curve->between], kernel_outside[curve->outside],
             curve_width(curve->between), curve->count, curve->lowest, curve->highest, curve->per_unit,
             (unsigned long long)curve->first, slope);
}

void curve_write_kernel(const CurveSet *curves, Text *text)
{
    for (size_t i = 0; i < curves->count; ++i) {
        write_kernel_function(&curves->list[i], false, text);
        write_kernel_function(&curves->list[i], true, text);
    }
}

// Samples by bisection, and between them a convex combination or Hermite's polynomial: nothing is shared with the
// kernels but the samples and the spline's derivatives.
static const char c_functions[] =
    "#ifndef CALLED_OFF\n"
    "#define CALLED_OFF(y, size) (y)\n"
    "#endif\n"
    "#define TABLE(name, x) table_##name(p, x)\n"
    "#define TABLE_SLOPE(name, x) table_slope_##name(p, x)\n"
    "enum { CURVE_LINEAR, CURVE_CUBIC, CURVE_HOLD, CURVE_NEXT };\n"
    "static inline real curve_size(real a) { return a < 0 ? -a : a; }\n"
    "static inline long curve_piece(const double *rows, long width, long count, real x)\n"
    "{\n"
    "    long below = 0, above = count - 1;\n"
    "    while (above > below + 1) {\n"
    "        const long middle = below + (above - below) / 2;\n"
    "        *(rows[middle * width] <= x ? &below : &above) = middle;\n"
    "    }\n"
    "    return below;\n"
    "}\n"
    "static inline real curve_hermite(const double *a, const double *b, int slope, real x)\n"
    "{\n"
    "    const real h = (real)b[0] - a[0], s = (x - a[0]) / h, r = 1 - s, ya = a[1], yb = b[1], da = a[2], db = b[2];\n"
    "    const real size = 6 * (curve_size(ya) + curve_size(yb)) + 3 * h * (curve_size(da) + curve_size(db));\n"
    "    if (slope)\n"
    "        return CALLED_OFF(6 * s * r * (yb - ya) / h + r * (1 - 3 * s) * da + s * (3 * s - 2) * db, 2 * size / "
    "h);\n"
    "    return CALLED_OFF(r * r * ((1 + 2 * s) * ya + s * h * da) + s * s * ((3 - 2 * s) * yb - r * h * db), size);\n"
    "}\n"
    "static inline real curve_line(const double *a, const double *b, int slope, real x)\n"
    "{\n"
    "    const real h = (real)b[0] - a[0], ya = a[1], yb = b[1];\n"
    "    if (slope)\n"
    "        return CALLED_OFF((yb - ya) / h, curve_size(yb - ya) / h);\n"
    "    return CALLED_OFF((((real)b[0] - x) * ya + (x - a[0]) * yb) / h, curve_size(ya) + curve_size(yb));\n"
    "}\n"
    "static inline real curve_inside(const double *rows, long width, long count, int between, int slope, real x)\n"
    "{\n"
    "    const double *a = rows + width * curve_piece(rows, width, count, x), *b = a + width;\n"
    "    if (between == CURVE_LINEAR || between == CURVE_CUBIC)\n"
    "        return between == CURVE_LINEAR ? curve_line(a, b, slope, x) : curve_hermite(a, b, slope, x);\n"
    "    if (slope)\n"
    "        return 0;\n"
    "    return between == CURVE_HOLD ? (x < b[0] ? a[1] : b[1]) : (x > a[0] ? b[1] : a[1]);\n"
    "}\n";

static void write_c_function(const Curve *curve, bool slope, Text *text)
{
    const size_t width = curve_width(curve->between);
    text_add(text,
             "static inline real table_%s%s(const Params *p, real x)\n{\n"
             "    const double *rows = p->curves + %lluu;\n"
             "    if (x >= (real)%.17e && x <= (real)%.17e)\n"
             "        return curve_inside(rows, %zu, %zu, %s, %d, x);\n",
             slope ? "slope_" : "", curve->name, (unsigned long long)curve->first, curve->lowest, curve->highest, width,
             curve->count, kernel_between[curve->between], slope);
    if (curve->outside != CURVE_REFUSE)
        text_add(text, "    if (x == x)\n        return ");
    if (curve->outside == CURVE_ZERO || (curve->outside == CURVE_END && slope))
        text_add(text, "0;\n");
    else if (curve->outside == CURVE_END)
        text_add(text, "rows[x < rows[0] ? 1 : %zu];\n", width * (curve->count - 1) + 1);
    text_add(text, "    return NOT_A_NUMBER;\n}\n");
}

void curve_write_c(const CurveSet *curves, Text *text)
{
    text_add(text, "%s", c_functions);
    for (size_t i = 0; i < curves->count; ++i) {
        write_c_function(&curves->list[i], false, text);
        write_c_function(&curves->list[i], true, text);
    }
}
