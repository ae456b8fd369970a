// test_parts -- functions of the kernels one by one, compiled as C: where whole runs would hide a wrong factor.
#include "catalog/catalog.h"
#include "device/library.h"
#include "reference/eigen.h"
#include "support/test.h"

#include <dlfcn.h>
#include <float.h>

// A method whose unknown is u = v and a force of magnitude s against it: f(u) = A u - B + q s sign(u). Where s is -1 or
// -2 it leads from u to another whole number instead, by a column of `leads`: the residual is the distance.
static const char settings[] =
    "#define LANES 1\n#define SINGLE 0\n#define LOCAL_SIZE 1\n"
    "#define IMPLICIT 1\n#define ADAPTIVE 0\n#define HISTORY 0\n"
    "#define STENCIL 0x1p-17\n#define FLOOR_GUARD 0\n#define JACOBIAN CENTRAL\n"
    "#define MODIFIED 0\n#define EXTRAPOLATED 0\n#define STAGES 1\n#define START START_THETA1\n"
    "#define RECORD_CONDITION 0\n#define RECORD_CONDITION_MEAN 0\n";
static const char problem[] =
    "\ntypedef struct Params { real s; } Params;\n"
    "typedef struct MethodParams { real none; } MethodParams;\n"
    "typedef struct State { real x[DOF], v[DOF], a[DOF]; } State;\n"
    "static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])\n"
    "{\n"
    "    const real leads[][2] = {{-5.0, -5.0}, {-9.0, -9.0}, {-9.0, -9.0}, {1.0, -5.0}, {-2.0, -9.0}, {2.0, 2.0},\n"
    "                             {1.0, -2.0}, {-1.0, 1.0}};\n"
    "    EACH_DOF(i)\n"
    "        a[i] = p->s < ZERO ? leads[(int)(v[i] + 5.5)][p->s < -1.5] : choose(v[i] > ZERO, -p->s, p->s);\n"
    "}\n"
    "static void masses(const Params *p, real mass[DOF]) { EACH_DOF(i) mass[i] = ONE; }\n";
static const char exports[] =
    "\nstatic real magnitude(real h, const State *s, const real u[DOF], int i) { return ONE; }\n"
    "int part_floor(const real *f, const real *u, const real *rows, const real *B, real cx, real tolerance)\n"
    "{\n"
    "    Stage          k = {.A = 2.0, .cx = cx};\n"
    "    const Settings set = {.tolerance = tolerance};\n"
    "    const Solve    of = {.k = &k, .set = &set};\n"
    "    Iteration      it;\n"
    "    real           J[DOF][DOF];\n"
    "    EACH_DOF(i) {\n"
    "        k.B[i] = B[i];\n"
    "        it.f[i] = f[i];\n"
    "        it.reach[i] = 0.0625;\n"
    "        EACH_DOF(j) J[i][j] = (i == j ? 0.25 : ZERO) - (j == 1 ? 0.125 * rows[i] : ZERO);\n"
    "    }\n"
    "    return at_floor(&of, &it, J, u) != 0;\n"
    "}\n"
    "#if RELATIVE\n"
    "int part_converged(const real *f, const real *scale, real tolerance)\n"
    "{\n"
    "    const Settings set = {.tolerance = tolerance};\n"
    "    const Solve    of = {.set = &set};\n"
    "    Iteration      it = {.unit = 0.5};\n"
    "    EACH_DOF(i) it.f[i] = f[i];\n"
    "    return rows_within(&of, &it, scale) != 0;\n"
    "}\n"
    "void part_sizes(real cx, real *first, real *rows, real *unknowns)\n"
    "{\n"
    "    const Stage k = {.cx = cx, .cv = 2.0, .X = {-0x1p30, 1.0, -3.0}, .V = {1.0, -1.0}};\n"
    "    const real  v_scale[DOF] = {16.0, 3.0}, u[DOF] = {4.0, -5.0, 0.0, -0x1p-500};\n"
    "    const Solve of = {.h = 0.375, .k = &k, .v_scale = v_scale};\n"
    "    Iteration   it = {.f = {1.0, -0x1p40}};\n"
    "    size_first(&of, &it);\n"
    "    size_unknowns(&of, u, v_scale, &it);\n"
    "    EACH_DOF(i) first[i] = it.reach[i] / STENCIL;\n"
    "    size_rows(&of, u, &it);\n"
    "    it.f[1] = ZERO;\n"
    "    size_unknowns(&of, u, it.scale, &it);\n"
    "    EACH_DOF(i) rows[i] = it.scale[i], unknowns[i] = it.reach[i] / STENCIL;\n"
    "}\n"
    "real part_size(real before, real first, real f)\n"
    "{\n"
    "    const real  v_scale[DOF] = {before, ZERO}, begin[DOF] = {first, ZERO}, now[DOF] = {f, ZERO};\n"
    "    const Solve of = {.h = 0.375, .v_scale = v_scale};\n"
    "    return newton_size(&of, begin, now);\n"
    "}\n"
    "#endif\n"
    "long part_updates(real s, real u, long most, real tolerance)\n"
    "{\n"
    "    const Params   p = {s};\n"
    "    const real     limit = as_real(most);\n"
    "    const Settings set = {.h = 1.0, .tolerance = tolerance, .max_updates = &limit};\n"
    "    const Stage    k = {.A = 1.0, .q = 1.0, .cv = 1.0};\n"
    "    const State    state = {.x = {0.0}};\n"
    "    Counters       n = {0};\n"
    "    Condition      condition;\n"
    "    const real     v_scale[DOF] = {0.0};\n"
    "    const Solve    of = {1.0, &state, &k, &p, 0, &set, &n, &condition, v_scale};\n"
    "    real           unknown[DOF];\n"
    "    EACH_DOF(i) unknown[i] = u;\n"
    "    const Solved   end = newton(&of, YES, unknown);\n"
    "    const whole    updates = n.updates + end.begun;\n"
    "    return end.accepted ? updates : -updates;\n"
    "}\n"
    "int part_solve(real A[DOF][DOF], real b[DOF], real size[DOF]) { return solve(A, b, size) == 0; }\n"
    "real part_condition(real A[DOF][DOF]) { return condition_number(A); }\n"
    "real part_norm(const real *x) { return norm(x); }\n"
    "int part_finite(const real *x) { return finite(x) != 0; }\n"
    "real part_sin(real x) { return real_sin(x); }\n"
    "real part_cos(real x) { return real_cos(x); }\n"
    "real part_both(real x) { real s, c; real_sincos(x, &s, &c); return s; }\n"
    "real part_slope(real x) { return real_sin_slope(x); }\n"
    "real part_shared(real x) { return sine_shared(x); }\n"
    "real part_exp(real x) { return real_exp(x); }\n"
    "real part_log(real x) { return real_log(x); }\n"
    "real part_atan2(real y, real x) { return real_atan2(y, x); }\n";

// From u = 0, where the objective is 1 and its terms are of size 3, a line that leads down by nothing; elsewhere the
// objective is 1 + s. With forces 1 and 2, of an extent 1 in a step 1/2.
static const char searching[] =
    "static real objective(real h, const real u[DOF], const State *s, const Stage *k, const Params *p,\n"
    "                      const MethodParams *m, real *size)\n"
    "{ *size = 3.0; return choose(u[0] == ZERO, ONE, ONE + p->s); }\n"
    "int part_search(real s)\n"
    "{\n"
    "    const Params p = {s};\n"
    "    const Stage  k = {.B = {-1.0, -2.0}};\n"
    "    const State  state = {.x = {0.0}};\n"
    "    const Solve  of = {.h = 0.5, .s = &state, .k = &k, .p = &p};\n"
    "    const real   f[DOF] = {1e-30, 1e-30};\n"
    "    real         d[DOF] = {-1e-30, -1e-30}, u[DOF] = {0.0, 0.0};\n"
    "    return search(&of, YES, f, d, u) != 0;\n"
    "}\n";

// What is rounded on the way to a position, of x = 2 and -4, v = -8 and 16, a = -128 and 64, and another acceleration
// u.
static const char rounding[] = "double part_magnitude(double h, const double *u, int i)\n"
                               "{\n"
                               "    const State s = {.x = {2.0, -4.0}, .v = {-8.0, 16.0}, .a = {-128.0, 64.0}};\n"
                               "    return magnitude(h, &s, u, i);\n"
                               "}\n";

typedef struct Parts {
    void *library;
    int (*at_floor)(const double *f, const double *u, const double *rows, const double *B, double cx, double tolerance);
    int (*converged)(const double *f, const double *scale, double tolerance);
    void (*sizes)(double cx, double *first, double *rows, double *unknowns);
    double (*size)(double before, double first, double f);
    long (*updates)(double s, double u, long most, double tolerance);
    int (*solve)(double *A, double *b, double *size);
    double (*condition)(double *A);
    double (*norm)(const double *x);
    int (*finite)(const double *x);
    int (*search)(double s);
} Parts;
static Parts two, four, scaled, scaled_accelerations, searched;  // by unknowns; RELATIVE; with a line search

// Adds a kernel file with those that it includes, each once.
static void add_file(Text *text, const char *path, Text *seen)
{
    char name[64];
    snprintf(name, sizeof name, "<%s>", path);
    if (seen->text && strstr(seen->text, name))
        return;
    text_add(seen, "%s", name);
    for (const char *line = catalog_file(path); line && *line;
         line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
        const int length = (int)strcspn(line, "\n");
        if (sscanf(line, "#include \"%63[^\"]\"", name) == 1)
            add_file(text, name, seen);
        else
            text_add(text, "%.*s\n", length, line);
    }
}

static void find(const Parts *parts, const char *name, void *function)
{
    void *symbol = dlsym(parts->library, name);
    assert_non_null(symbol);
    memcpy(function, &symbol, sizeof symbol);
}

static const char absolute[] = "#define RELATIVE 0\n#define UNKNOWN_IS_VELOCITY 1\n",
                  relative[] = "#define RELATIVE 1\n#define UNKNOWN_IS_VELOCITY 1\n",
                  accelerations[] = "#define RELATIVE 1\n#define UNKNOWN_IS_VELOCITY 0\n";

static void *load_file(int dofs, const char *solver, const char *rules, const char *file, const char *more,
                       const char *last)
{
    Text  text SCOPED(text_free) = {0}, seen SCOPED(text_free) = {0};
    void *library;
    text_add(&text, "#define DOF %d\n#define SOLVER %s\n%s%s", dofs, solver, rules, settings);
    add_file(&text, "native.h", &seen);
    add_file(&text, "real.h", &seen);
    text_add(&text, "%s", problem);
    add_file(&text, file, &seen);
    text_add(&text, "\n#undef static\n%s%s", more, last);
    assert_fine(library_load(&text, "", &library, &err));
    return library;
}

static void load(int dofs, const char *solver, const char *rules, Parts *parts)
{
    parts->library = load_file(dofs, solver, rules, "newton.h", exports, parts == &searched ? searching : "");
    find(parts, "part_floor", &parts->at_floor);
    if (parts == &scaled || parts == &scaled_accelerations) {
        find(parts, "part_converged", &parts->converged);
        find(parts, "part_sizes", &parts->sizes);
        find(parts, "part_size", &parts->size);
    }
    find(parts, "part_updates", &parts->updates);
    find(parts, "part_solve", &parts->solve);
    find(parts, "part_condition", &parts->condition);
    find(parts, "part_norm", &parts->norm);
    find(parts, "part_finite", &parts->finite);
    if (parts == &searched)
        find(parts, "part_search", &parts->search);
}

static int load_all(UNUSED void **state)
{
    load(2, "NEWTON", absolute, &two);
    load(4, "NEWTON", absolute, &four);
    load(4, "NEWTON", relative, &scaled);
    load(4, "NEWTON", accelerations, &scaled_accelerations);
    load(2, "LINE_SEARCH", absolute, &searched);
    return 0;
}

// 4 u (N_i X/cx + |u_i|), and |u_j| for X_j/cx and |B_i| beside them where the position stands still: to a millionth on
// either side. X is 1; the sum leaves out A.
TEST(the_floor_of_a_row)
{
    static const struct {
        double rows, u, other, B, cx, floor;
    } cases[] = {
        {8.0, 0.0, 9.0, 0.0, 0.25, 64.0 * DBL_EPSILON},  {8.0, -16.0, 9.0, 0.0, 0.25, 96.0 * DBL_EPSILON},
        {0.0, 1.0, 9.0, 1024.0, 1.0, 2.0 * DBL_EPSILON}, {8.0, 0.0, -4.0, -32.0, 0.0, 128.0 * DBL_EPSILON},
        {0.0, 3.0, 0.0, 5.0, 0.0, 16.0 * DBL_EPSILON},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double f[2] = {0.0, 0.0}, u[2] = {cases[i].u, cases[i].other}, rows[2] = {cases[i].rows, 0.0},
               B[2] = {cases[i].B, 0.0};
        f[0] = -0.999999 * cases[i].floor;
        assert_true(two.at_floor(f, u, rows, B, cases[i].cx, 0.0));
        f[0] = 1.000001 * cases[i].floor;
        assert_false(two.at_floor(f, u, rows, B, cases[i].cx, 0.0));
        // The tolerance holds for each row in its turn.
        assert_true(two.at_floor(f, u, rows, B, cases[i].cx, 1.1 * cases[i].floor));
        f[1] = 1.0;
        assert_false(two.at_floor(f, u, rows, B, cases[i].cx, 1.1 * cases[i].floor));
    }
}

// Of each row its own scale; the residual is turned into a velocity by half a second.
TEST(the_tolerance)
{
    const double scale[4] = {2.0, 1.0, 1.0, 1.0};
    assert_true(scaled.converged((double[4]){0.0}, scale, 0.0));
    assert_true(scaled.converged((double[]){4.0, -2.0, 0.0, 0.0}, scale, 1.0));
    assert_false(scaled.converged((double[]){4.0, -2.0 - 1e-15, 0.0, 0.0}, scale, 1.0));
    assert_false(scaled.converged((double[]){-4.0 - 2e-15, 0.0, 0.0, 0.0}, scale, 1.0));
    assert_false(scaled.converged((double[]){(double)NAN, 0.0, 0.0, 0.0}, scale, 1.0));
    assert_false(scaled.converged((double[]){0.0, 0.0, 0.0, (double)NAN}, scale, 1.0));
}

static double power_below(double x)
{
    return exp2(floor(log2(x)));
}

// The velocities kept are 16, 3, 0, 0, those asked for 2 (4, -5, 0, 0) + (1, -1, 0, 0); the first position is -2^30,
// the second residual -2^40. An acceleration is one in a step of 3/8.
TEST(sizes_of_components)
{
    const double part = 0x1p-17;
    for (int i = 0; i < 2; ++i)
        for (double cx = 0.0; cx < 1.0; cx += 0.75) {
            const Parts *parts = i ? &scaled_accelerations : &scaled;
            const double unit = i ? 0.375 : 1.0, weight = cx > 0.0 ? part * unit / power_below(cx) : 0.0;
            double       first[4], rows[4], unknowns[4];
            parts->sizes(cx, first, rows, unknowns);
            assert_true(first[0] == power_below(fmax(16.0, weight * 0x1p30)) / power_below(unit));
            assert_true(first[1] == power_below(part * unit * 0x1p40) / power_below(unit));
            assert_true(first[2] == power_below(fmax(weight * 3.0, 0x1p-700)) / power_below(unit));
            assert_true(first[3] == (i ? power_below(unit * 0x1p-500) : 0x1p-700) / power_below(unit));
            assert_true(rows[0] == 16.0 && rows[1] == 11.0 && rows[2] == 0.0 && rows[3] == 0x1p-499);
            assert_true(unknowns[0] == first[0] && unknowns[1] == 8.0 / power_below(unit) &&
                        unknowns[3] == 0x1p-499 / power_below(unit));
            // A residual is weighed by the velocity before, or by what it was at first, to a power of two.
            assert_true(parts->size(11.0, 64.0, 24.0) == 3.0 * unit);
            assert_true(parts->size(0.0, 64.0, 24.0) == unit * 24.0 / power_below(unit * 64.0));
            assert_true(parts->size(0.0, 0.0, 24.0) == 0.0);
        }
}

// |x| + h |v|, of an acceleration and (h^2/2) max(|a|, |u|), with h = 1/2.
TEST(what_is_rounded)
{
    static const char weights[] = "static Alpha alpha_weights(const MethodParams *m) { return (Alpha){0}; }\n";
    for (int i = 0; i < 2; ++i) {
        void *library = load_file(2, "NEWTON", i ? accelerations : relative, i ? "alpha.h" : "velocity.h", rounding,
                                  i ? weights : "");
        const Parts parts = {.library = library};
        double (*magnitude)(double h, const double *u, int i);
        find(&parts, "part_magnitude", &magnitude);
        assert_true(magnitude(0.5, (double[]){-96.0, -80.0}, 0) == (i ? 22.0 : 6.0));
        assert_true(magnitude(0.5, (double[]){-96.0, -80.0}, 1) == (i ? 22.0 : 12.0));
        dlclose(library);
    }
}

// With a stencil that is a power of 2 nothing is rounded. From u = 1 the residual is 2, -2, 2, ...: after the third
// update none was below the first, though none is above.
TEST(a_residual_that_stays)
{
    assert_int_equal(two.updates(1.0, 1.0, 50, 1e-8), -3);
    assert_int_equal(two.updates(1.0, 1.0, 2, 1e-8), -2);
    assert_int_equal(two.updates(1.0, 1.0, 50, 2.0), 1);
    assert_int_equal(two.updates(0.0, 1.0, 50, 1e-8), 1);
    // One below the first is enough, be it after the second update (2, 3, 1, 3) or after the first (2, 1, 3, 3).
    assert_int_equal(two.updates(-1.0, 0.0, 50, 1e-8), 4);
    assert_int_equal(two.updates(-2.0, 0.0, 50, 1e-8), 4);
}

// From u = 0 the differences are 2e308, more than there is: a pivot without end, which leaves u and the residual of
// 1e308 as they are. No update is made, though the residual is within the tolerance.
TEST(a_pivot_without_end)
{
    assert_int_equal(two.updates(1e308, 0.0, 50, 1.5e308), 0);
}

// 8 u (S + F X/h), of a search that can only rise: 8 u (3 + 3 / (1/2)).
TEST(room_for_rounding)
{
    assert_true(searched.search(-DBL_EPSILON));
    assert_true(searched.search(35.0 * DBL_EPSILON));
    assert_false(searched.search(37.0 * DBL_EPSILON));
}

TEST(elimination)
{
    double pivot[] = {1e-20, 1.0, 1.0, 1.0}, b[] = {1.0, 2.0}, size[] = {1.0, 1.0, 1.0, 1.0};
    assert_true(two.solve(pivot, b, size));
    assert_near(b[0], 1.0, 1e-15);
    assert_near(b[1], 1.0, 1e-15);
    double small[] = {1e-150, 0.0, 0.0, 1e-150}, c[] = {2e-150, 3e-150};
    assert_true(two.solve(small, c, size));
    assert_near(c[0], 2.0, 1e-15);
    assert_near(c[1], 3.0, 1e-15);
    double zero[] = {1.0, 2.0, 2.0, 4.0}, infinite[] = {1.0, (double)INFINITY, 2.0, 4.0},
           nothing[] = {(double)NAN, 0.0, 0.0, 1.0};
    assert_false(two.solve(zero, b, size));
    assert_false(two.solve(infinite, b, size));
    assert_false(two.solve(nothing, b, size));
    // Four rows that all must move: a permutation with a small number in each other place.
    double matrix[16], right[4], copy[16], solution[4] = {1.0, -2.0, 3.0, -4.0};
    for (int i = 0; i < 4; ++i) {
        right[i] = 0.0;
        for (int j = 0; j < 4; ++j) {
            copy[4 * i + j] = matrix[4 * i + j] = (i + 1) % 4 == j ? 5.0 : 1e-3 * (i + 2 * j);
            right[i] += matrix[4 * i + j] * solution[j];
        }
    }
    assert_true(four.solve(copy, right, size));
    for (int i = 0; i < 4; ++i)
        assert_near(right[i], solution[i], 1e-14);
}

// Each component in a unit of its own changes no bit, since rows are compared over their sizes: 2^a_i u_i for u_i.
TEST(elimination_has_no_unit)
{
    for (int i = 0; i < 64; ++i) {
        double matrix[16], other[16], right[4], moved[4], size[4], sizes[4];
        for (int j = 0; j < 4; ++j) {
            size[j] = exp2((double)((j * 5 + i) % 4));
            sizes[j] = ldexp(size[j], (i * (j + 3) * 7) % 121 - 60);
            right[j] = cos(1.0 + 5.0 * i + j);
            moved[j] = right[j] * (sizes[j] / size[j]);
        }
        for (int j = 0; j < 16; ++j) {
            matrix[j] = sin(1.0 + 7.0 * i + 3.0 * j);
            other[j] = matrix[j] * (sizes[j / 4] / size[j / 4]) / (sizes[j % 4] / size[j % 4]);
        }
        double unit[4];
        for (int j = 0; j < 4; ++j)
            unit[j] = sizes[j] / size[j];
        assert_true(scaled.solve(matrix, right, size) && scaled.solve(other, moved, sizes));
        for (int j = 0; j < 4; ++j)
            assert_true(moved[j] == right[j] * unit[j]);
    }
}

TEST(norms)
{
    assert_true(two.norm((double[]){-3.0, 2.0}) == 3.0 && two.norm((double[]){2.0, -3.0}) == 3.0);
    assert_true(two.finite((double[]){-DBL_MAX, DBL_MAX}));
    assert_false(two.finite((double[]){0.0, (double)INFINITY}));
    assert_false(two.finite((double[]){(double)NAN, 0.0}));
}

// Against LAPACK's singular values.
TEST(condition_numbers)
{
    for (int i = 0; i < 64; ++i) {
        double       matrix[16];
        const double spread = pow(10.0, i % 8 - 4);
        for (int j = 0; j < 16; ++j)
            matrix[j] = sin(1.0 + 7.0 * i + 3.0 * j) * (j % 5 == 0 ? spread : 1.0);
        const double of_two = eigen_condition(2, matrix), of_four = eigen_condition(4, matrix);
        assert_near(two.condition(matrix) / of_two, 1.0, 1e-14 * of_two + 1e-14);
        assert_near(four.condition(matrix) / of_four, 1.0, 1e-14 * of_four + 1e-14);
    }
    assert_true(isinf(two.condition((double[]){1.0, 2.0, 2.0, 4.0})));
}

typedef struct Accuracy {
    const char *name;
    long double (*exact)(long double);
    double ulps, lowest, highest;
} Accuracy;

// At places spread evenly, in the logarithm on both sides of 0, near 0, and next to multiples of a quarter turn.
TEST(functions)
{
    static const Accuracy all[] = {
        {"part_sin", sinl, 1.6, -1e6, 1e6},    {"part_cos", cosl, 1.6, -1e6, 1e6},
        {"part_both", sinl, 1.6, -1e6, 1e6},   {"part_slope", cosl, 1.7, -1e6, 1e6},
        {"part_shared", sinl, 1.6, -1e6, 1e6}, {"part_exp", expl, 1.2, -745.0, 709.0},
        {"part_log", logl, 1.2, 0.0, 1e3},
    };
    enum { PLACES = 20000 };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        double (*function)(double);
        find(&two, all[i].name, &function);
        for (int k = 1; k <= PLACES; ++k) {
            const double part = (double)k / PLACES, even = all[i].lowest + part * (all[i].highest - all[i].lowest),
                         steep = ldexp(1.0 + part, k % 600 - 300), near = 4.0 * part,
                         turn = (double)(1.57079632679489661923L * (long double)k * 997.0L);
            const double places[] = {even, all[i].lowest < 0.0 && k % 2 ? -steep : steep, near, turn};
            for (int place = 0; place < 4; ++place) {
                const double x = places[place];
                if (strcmp(all[i].name, "part_exp") == 0 && fabs(x) > 745.0)
                    continue;
                const long double exact = all[i].exact((long double)x);
                const double      ulp = fmax(nextafter(fabs((double)exact), INFINITY) - fabs((double)exact), 0x1p-1074),
                             off = (double)fabsl((long double)function(x) - exact) / ulp;
                if (!(off <= all[i].ulps))
                    fail_msg("%s(%.17g) is %.3g ulp off", all[i].name + 5, x, off);
            }
        }
    }
}

// A sine keeps the sign of zero, which argument reduction would lose.
TEST(sines_of_zero)
{
    static const char *const names[] = {"part_sin", "part_both", "part_shared"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        double (*function)(double);
        find(&two, names[i], &function);
        assert_true(function(-0.0) == 0.0 && signbit(function(-0.0)) && !signbit(function(0.0)));
    }
}

TEST(angles)
{
    double (*angle)(double, double);
    find(&two, "part_atan2", &angle);
    for (int k = 0; k < 20000; ++k) {
        const double      y = ldexp(sin(1.0 + k), k % 37 - 18), x = ldexp(cos(3.0 * k), k % 41 - 20);
        const long double exact = atan2l((long double)y, (long double)x);
        const double      ulp = nextafter(fabs((double)exact), INFINITY) - fabs((double)exact),
                     off = (double)fabsl((long double)angle(y, x) - exact) / ulp;
        if (!(off <= 1.6))
            fail_msg("atan2(%.17g, %.17g) is %.3g ulp off", y, x, off);
    }
    assert_true(angle(0.0, 0.0) == 0.0 && signbit(angle(-0.0, 1.0)) && angle(0.0, -0.0) == (double)M_PI);
}

static int unload_all(UNUSED void **state)
{
    dlclose(two.library);
    dlclose(four.library);
    dlclose(scaled.library);
    dlclose(scaled_accelerations.library);
    dlclose(searched.library);
    return 0;
}

AROUND_ALL(load_all, unload_all)
