// curve -- rows of tables, the spline among them, and the text around them.
#include "catalog/curve.h"

#include "base/scoped.h"

#include <math.h>
#include <stdlib.h>

const char *const curve_between_names[CURVE_BETWEEN_COUNT] = {"linear", "cubic", "hold", "next"};
const char *const curve_outside_names[CURVE_OUTSIDE_COUNT] = {"refuse", "zero", "hold"};

// Roundings that an argument may have met on its way to an end.
enum { END_ROUNDINGS = 16 };

// Numbers of a head.
enum { HEAD = 6 };

size_t curve_least(CurveBetween between)
{
    return between == CURVE_CUBIC ? 4 : 2;
}

size_t curve_width(CurveBetween between)
{
    static const size_t widths[CURVE_BETWEEN_COUNT] = {3, 5, 2, 2};
    return widths[between];
}

// A record's samples, of which a row is x and y whatever stands before them.
typedef struct Samples {
    const double *xy;
    size_t        stride, count;
} Samples;

static Samples samples_of(const Curve *curve, const CurveRecord *record)
{
    return (Samples){curve->samples + record->first * curve->columns + curve->columns - 2, curve->columns,
                     record->count};
}

static double x_at(const Samples *samples, size_t i)
{
    return samples->xy[i * samples->stride];
}

static double y_at(const Samples *samples, size_t i)
{
    return samples->xy[i * samples->stride + 1];
}

// Cells are as long as the pieces are on average.
static void divide(const Samples *samples, CurveRecord *record)
{
    const double first = x_at(samples, 0),
                 piece = (x_at(samples, samples->count - 1) - first) / (double)(samples->count - 1);
    record->per_unit = isfinite(1.0 / piece) ? 1.0 / piece : 0.0;
    record->even = record->per_unit > 0.0;
    for (size_t i = 0; i < samples->count && record->even; ++i)
        record->even = fabs(x_at(samples, i) - first - (double)i * piece) < 0.25 * piece;
}

// The cell of an argument as kernels compute it: the same roundings, so that the cells of samples are in their order.
static size_t cell_of(const Samples *samples, const CurveRecord *record, bool single, double x)
{
    const double first = x_at(samples, 0);
    const double at =
        single ? (double)(((float)x - (float)first) * (float)record->per_unit) : (x - first) * record->per_unit;
    const size_t last = samples->count - 2;
    return at > 0.0 ? at < (double)last ? (size_t)at : last : 0;
}

// The last row of the cells before each cell, and behind all the last row of a piece.
static void add_cells(const Samples *samples, const CurveRecord *record, bool single, double *cells)
{
    size_t row = 0;
    for (size_t cell = 0; cell + 1 < samples->count; ++cell) {
        while (row + 2 < samples->count && cell_of(samples, record, single, x_at(samples, row + 1)) < cell)
            ++row;
        cells[cell] = (double)row;
    }
    cells[samples->count - 1] = (double)(samples->count - 2);
}

void curve_measure(Curve *curve, double epsilon)
{
    for (size_t i = 0; i < curve->record_count; ++i) {
        CurveRecord  *record = &curve->records[i];
        const Samples samples = samples_of(curve, record);
        const double  first = x_at(&samples, 0), last = x_at(&samples, samples.count - 1);
        const double  room = END_ROUNDINGS * epsilon * fmax(fabs(first), fabs(last));
        record->lowest = first - room;
        record->highest = last + room;
        divide(&samples, record);
    }
}

// A row of the spline's equations: below and above stand beside the diagonal.
typedef struct SplineRow {
    long double below, diagonal, above, right;
} SplineRow;

// A piece's length and slope.
typedef struct SplinePiece {
    long double h, m;
} SplinePiece;

static SplinePiece piece_at(const Samples *samples, size_t i)
{
    const long double h = (long double)x_at(samples, i + 1) - x_at(samples, i);
    return (SplinePiece){h, ((long double)y_at(samples, i + 1) - y_at(samples, i)) / h};
}

// Equation i of the derivatives at the samples: the second derivative is continuous, and at the second and the last but
// one sample the third (not-a-knot), as de Boor's A Practical Guide to Splines (1978), chapter IV, has it.
static SplineRow spline_row(const Samples *samples, size_t i)
{
    const size_t      n = samples->count;
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
static void solve_spline(const Samples *samples, long double *d, long double *above)
{
    const size_t n = samples->count;
    long double  before = 0.0L;
    for (size_t i = 0; i < n; ++i) {
        const SplineRow   row = spline_row(samples, i);
        const long double pivot = row.diagonal - (i ? row.below * above[i - 1] : 0.0L);
        above[i] = row.above / pivot;
        before = d[i] = (row.right - row.below * before) / pivot;
    }
    for (size_t i = n - 1; i-- > 0;)
        d[i] -= above[i] * d[i + 1];
}

// Beyond the last sample no piece begins: its row has the sample alone.
static bool add_cubic(const char *name, const Samples *samples, double *row, Error *err)
{
    const size_t n = samples->count;
    long double *d SCOPED(scoped_free) = calloc(2 * n, sizeof *d);
    if (!d)
        return fail(err, ERROR_INTERNAL, "out of memory for table '%s'", name);
    solve_spline(samples, d, d + n);
    for (size_t i = 0; i < n; ++i, row += curve_width(CURVE_CUBIC)) {
        row[2] = (double)d[i];
        if (i + 1 == n)
            break;
        const SplinePiece piece = piece_at(samples, i);
        const long double rest = (d[i] + d[i + 1] - 2.0L * piece.m) / piece.h;
        row[3] = (double)((piece.m - d[i]) / piece.h - rest);
        row[4] = (double)(rest / piece.h);
    }
    return true;
}

static bool add_rows(const Curve *curve, const CurveRecord *record, double *rows, Error *err)
{
    const size_t  width = curve_width(curve->between);
    const Samples samples = samples_of(curve, record);
    for (size_t i = 0; i < samples.count; ++i) {
        double *row = rows + i * width;
        row[0] = x_at(&samples, i);
        row[1] = y_at(&samples, i);
        if (curve->between == CURVE_LINEAR && i + 1 < samples.count)
            row[2] = (double)piece_at(&samples, i).m;
    }
    return curve->between != CURVE_CUBIC || add_cubic(curve->name, &samples, rows, err);
}

// The numbers of a record's rows and cells.
static uint64_t record_numbers(const Curve *curve, const CurveRecord *record)
{
    return (uint64_t)record->count * (curve_width(curve->between) + !record->even);
}

bool curve_list(Curve *list, size_t count, bool single, Arena *arena, CurveSet *curves, Error *err)
{
    const uint64_t most = single ? CURVE_NUMBERS_SINGLE : CURVE_NUMBERS;
    uint64_t       all = 0;
    for (size_t i = 0; i < count; ++i) {
        list[i].head = all;
        all += (uint64_t)list[i].record_count * HEAD;
    }
    uint64_t next = all;
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < list[i].record_count; ++k)
            all += record_numbers(&list[i], &list[i].records[k]);
    if (all > most)
        return fail(err, ERROR_INPUT, "the tables have more than %llu numbers, use fewer samples",
                    (unsigned long long)most);
    double *numbers = arena_take(arena, (size_t)all, sizeof *numbers, err);
    bool    ok = numbers != NULL;
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; ok && k < list[i].record_count; ++k) {
            const CurveRecord *record = &list[i].records[k];
            double            *head = numbers + list[i].head + k * HEAD;
            head[0] = (double)next;
            head[1] = (double)record->count;
            head[2] = record->lowest;
            head[3] = record->highest;
            head[4] = record->per_unit;
            ok = add_rows(&list[i], record, numbers + next, err);
            next += record_numbers(&list[i], record);
            if (record->even)
                continue;
            const Samples samples = samples_of(&list[i], record);
            head[5] = (double)(next - record->count);
            add_cells(&samples, record, single, numbers + next - record->count);
        }
    *curves = (CurveSet){list, count, numbers, all};
    return ok;
}

// The value between samples i and i + 1: a convex combination, or Hermite's polynomial with the spline's derivatives.
static long double inside_at(const Curve *curve, const Samples *samples, const double *rows, size_t i, long double x,
                             long double *size)
{
    const long double xa = x_at(samples, i), xb = x_at(samples, i + 1), ya = y_at(samples, i),
                      yb = y_at(samples, i + 1), h = xb - xa, s = (x - xa) / h, r = 1.0L - s;
    const size_t width = curve_width(curve->between);
    *size = fabsl(ya) + fabsl(yb);
    if (curve->between == CURVE_LINEAR)
        return ((xb - x) * ya + (x - xa) * yb) / h;
    if (curve->between == CURVE_HOLD)
        return x < xb ? ya : yb;
    if (curve->between == CURVE_NEXT)
        return x > xa ? yb : ya;
    const long double da = rows[i * width + 2], db = rows[(i + 1) * width + 2];
    *size = 6.0L * *size + 3.0L * h * (fabsl(da) + fabsl(db));
    return r * r * ((1.0L + 2.0L * s) * ya + s * h * da) + s * s * ((3.0L - 2.0L * s) * yb - r * h * db);
}

long double curve_at(const CurveSet *curves, size_t index, size_t record, long double x, long double *size)
{
    const Curve       *curve = &curves->list[index];
    const CurveRecord *part = &curve->records[record];
    const Samples      samples = samples_of(curve, part);
    const double      *rows = curves->numbers + (size_t)curves->numbers[curve->head + record * HEAD];
    size_t             below = 0, above = samples.count - 1;
    *size = 0.0L;
    if (!(x >= part->lowest && x <= part->highest))
        return curve->outside == CURVE_REFUSE || isnan(x) ? (long double)NAN
               : curve->outside == CURVE_ZERO             ? 0.0L
                                                          : y_at(&samples, x < part->lowest ? 0 : samples.count - 1);
    while (above > below + 1) {
        const size_t middle = below + (above - below) / 2;
        *(x_at(&samples, middle) <= x ? &below : &above) = middle;
    }
    return inside_at(curve, &samples, rows, below, x, size);
}

static const char *const kernel_between[CURVE_BETWEEN_COUNT] = {"CURVE_LINEAR", "CURVE_CUBIC", "CURVE_HOLD",
                                                                "CURVE_NEXT"};
static const char *const kernel_outside[CURVE_OUTSIDE_COUNT] = {"CURVE_REFUSE", "CURVE_ZERO", "CURVE_END"};

// The function of a table, and with `slope` that of its derivative.
static void write_function(const Curve *curve, bool slope, const char *before, Text *text)
{
    text_add(text,
             "%s real table_%s%s(const Params *p, real x)\n{\n"
             "    return curve_value(p->curves, %llu, %s%s, %s, %s, %zu, %d, x);\n}\n",
             before, slope ? "slope_" : "", curve->name, (unsigned long long)curve->head, curve->of ? "p->" : "",
             curve->of ? curve->of : "(real)(0)", kernel_between[curve->between], kernel_outside[curve->outside],
             curve_width(curve->between), slope);
}

// Those of a map: the value, and the derivatives by both arguments.
static void write_map(const Curve *curve, const char *before, Text *text)
{
    static const char *const names[] = {"", "slope_", "slope_2_"};
    for (int slope = 0; slope < 3; ++slope)
        text_add(text,
                 "%s real table_%s%s(const Params *p, real x, real y)\n{\n"
                 "    return curve_map(p->curves, %llu, %s, %d, x, y);\n}\n",
                 before, names[slope], curve->name, (unsigned long long)curve->head, kernel_outside[curve->outside],
                 slope);
}

static void write_functions(const CurveSet *curves, const char *before, Text *text)
{
    for (size_t i = 0; i < curves->count; ++i) {
        if (curves->list[i].map) {
            write_map(&curves->list[i], before, text);
            continue;
        }
        write_function(&curves->list[i], false, before, text);
        write_function(&curves->list[i], true, before, text);
    }
}

void curve_write_kernel(const CurveSet *curves, Text *text)
{
    write_functions(curves, "static", text);
}

// Samples by bisection, and between them a convex combination or Hermite's polynomial: nothing is shared with the
// kernels but the samples and the spline's derivatives.
static const char c_functions[] =
    "#ifndef CALLED_OFF\n"
    "#define CALLED_OFF(y, size) (y)\n"
    "#endif\n"
    "#define TABLE(name, ...) table_##name(p, __VA_ARGS__)\n"
    "#define TABLE_SLOPE(name, ...) table_slope_##name(p, __VA_ARGS__)\n"
    "#define TABLE_SLOPE_2(name, ...) table_slope_2_##name(p, __VA_ARGS__)\n"
    "enum { CURVE_LINEAR, CURVE_CUBIC, CURVE_HOLD, CURVE_NEXT };\n"
    "enum { CURVE_REFUSE, CURVE_ZERO, CURVE_END };\n"
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
    "}\n"
    "static inline real curve_value(const double *numbers, long first, real record, int between, int outside,\n"
    "                               long width, int slope, real x)\n"
    "{\n"
    "    const double *head = numbers + first + 6 * (long)(record + (real)0.5), *rows = numbers + (long)head[0];\n"
    "    const long    count = (long)head[1];\n"
    "    if (x >= (real)head[2] && x <= (real)head[3])\n"
    "        return curve_inside(rows, width, count, between, slope, x);\n"
    "    if (outside == CURVE_REFUSE || x != x)\n"
    "        return NOT_A_NUMBER;\n"
    "    return outside == CURVE_ZERO || slope ? 0 : rows[x < rows[0] ? 1 : width * (count - 1) + 1];\n"
    "}\n"
    "static inline real curve_map(const double *numbers, long first, int outside, int slope, real x, real y)\n"
    "{\n"
    "    const double *head = numbers + first, *rows = numbers + (long)head[0];\n"
    "    const long    count = (long)head[1];\n"
    "    if (!(x >= (real)head[2] && x <= (real)head[3])) {\n"
    "        if (outside == CURVE_REFUSE || x != x || y != y)\n"
    "            return NOT_A_NUMBER;\n"
    "        if (outside == CURVE_ZERO || slope == 1)\n"
    "            return 0;\n"
    "        x = x < rows[0] ? rows[0] : rows[3 * (count - 1)];\n"
    "    }\n"
    "    const long i = curve_piece(rows, 3, count, x);\n"
    "    const real below = rows[3 * i], above = rows[3 * i + 3], h = above - below;\n"
    "    const real a = curve_value(numbers, first, (real)(i + 1), CURVE_LINEAR, outside, 3, slope == 2, y);\n"
    "    const real b = curve_value(numbers, first, (real)(i + 2), CURVE_LINEAR, outside, 3, slope == 2, y);\n"
    "    if (slope == 1)\n"
    "        return CALLED_OFF((b - a) / h, (curve_size(a) + curve_size(b)) / h);\n"
    "    return CALLED_OFF(((above - x) * a + (x - below) * b) / h, curve_size(a) + curve_size(b));\n"
    "}\n";

void curve_write_c(const CurveSet *curves, Text *text)
{
    text_add(text, "%s", c_functions);
    write_functions(curves, "static inline", text);
}
