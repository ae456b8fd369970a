// test_linear -- the kernels' dense solve and condition number against LAPACK, and condition numbers in closed form.
#include "support/kernel_case.h"
#include "support/opencl_case.h"

#include <float.h>
#include <lapacke.h>

AROUND_ALL(open_device, close_device)

enum { MOST_DOFS = 8, SYSTEMS = 4096, WIDTHS = 2 };

static const int    lane_counts[WIDTHS] = {1, 8};
static const double unit_roundoff = 0x1p-53;

// How the matrix of a system is made; kinds change from lane to lane, so that lanes pivot differently.
typedef enum Kind {
    KIND_RANDOM,
    KIND_ROWS_SCALED,     // each row times a power of two
    KIND_COLUMNS_SCALED,  // each column times a power of two
    KIND_ZERO_PIVOT,      // zero above and on the diagonal's first places: every pivot has to be fetched
    KIND_GRADED,          // singular values from 1 down to 2^-30
    KIND_NEAR_IDENTITY,   // what Newton has at small steps
    KIND_SINGULAR,        // exactly, in arithmetic without rounding
    KIND_NOT_FINITE,      // an infinity or a NaN
    KIND_COUNT
} Kind;

static const char source[] =
    "#include \"real.h\"\n"
    "#include \"linear.h\"\n"
    "kernel void run(global const SCALAR *A, global const SCALAR *b, global SCALAR *out, ulong count)\n"
    "{\n"
    "    const size_t at = get_global_id(0) * LANES;\n"
    "    real J[DOF][DOF], y[DOF];\n"
    "    for (int i = 0; i < DOF; ++i) {\n"
    "        y[i] = load(b + i * count + at);\n"
    "        for (int j = 0; j < DOF; ++j)\n"
    "            J[i][j] = load(A + (i * DOF + j) * count + at);\n"
    "    }\n"
    "    save(out + DOF * count + at, condition_number(J));\n"
    "    save(out + (DOF + 1) * count + at, choose(solve(J, y, 0), ZERO + 1.0, ZERO));\n"
    "    for (int i = 0; i < DOF; ++i)\n"
    "        save(out + i * count + at, y[i]);\n"
    "}\n";

// The systems of one size, rows of [SYSTEMS] as the kernels keep them, and what came out at each lane count.
typedef struct Bench {
    int     n;
    double *A, *b;        // [n * n][SYSTEMS], [n][SYSTEMS]
    double *out[WIDTHS];  // [n + 2][SYSTEMS]: y, condition number, singular
} Bench;

static Kind kind_of(size_t system)
{
    return (Kind)((system + system / KIND_COUNT) % KIND_COUNT);
}

static double *entry(const Bench *bench, size_t system, int i, int j)
{
    return &bench->A[(size_t)(i * bench->n + j) * SYSTEMS + system];
}

static void copy_matrix(const Bench *bench, size_t system, double *A)
{
    for (int i = 0; i < bench->n; ++i)
        for (int j = 0; j < bench->n; ++j)
            A[i * bench->n + j] = *entry(bench, system, i, j);
}

static void scale(const Bench *bench, size_t system, bool rows, uint64_t *seed)
{
    for (int i = 0; i < bench->n; ++i) {
        const double factor = ldexp(1.0, (int)opencl_case_uniform(seed, -40.0, 40.0));
        for (int j = 0; j < bench->n; ++j)
            *(rows ? entry(bench, system, i, j) : entry(bench, system, j, i)) *= factor;
    }
}

// Q1 diag Q2 with Q from reflections: its singular values are known to rounding.
static void make_graded(const Bench *bench, size_t system, uint64_t *seed)
{
    const int n = bench->n;
    double    reflector[2][MOST_DOFS];
    for (int k = 0; k < 2; ++k) {
        double square = 0.0;
        for (int i = 0; i < n; ++i) {
            reflector[k][i] = opencl_case_uniform(seed, -1.0, 1.0);
            square += reflector[k][i] * reflector[k][i];
        }
        for (int i = 0; i < n; ++i)
            reflector[k][i] *= sqrt(2.0 / square);
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k)
                sum += ((i == k) - reflector[0][i] * reflector[0][k]) * ldexp(1.0, -30 * k / (n > 1 ? n - 1 : 1)) *
                       ((k == j) - reflector[1][k] * reflector[1][j]);
            *entry(bench, system, i, j) = sum;
        }
}

static void make_zero_pivot(const Bench *bench, size_t system)
{
    // The last row is the only one with something in column 0, the one above it in column 1, and so on.
    for (int i = 0; i < bench->n - 1; ++i)
        for (int j = 0; j < bench->n - 1 - i; ++j)
            *entry(bench, system, i, j) = 0.0;
}

// Triangular, but for the order of its rows, so that elimination does not round: with a zero row, a zero column, or a
// column twice the one before it.
static void make_singular(const Bench *bench, size_t system, uint64_t *seed)
{
    const int n = bench->n, at = n > 1 ? (int)(opencl_case_bits(seed) % (uint64_t)(n - 1)) : 0,
              way = (int)(opencl_case_bits(seed) % 3);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            *entry(bench, system, n - 1 - i, j) = i == j ? 3.0 : i < j ? opencl_case_uniform(seed, -1.0, 1.0) : 0.0;
    for (int i = 0; i < n; ++i) {
        if (way == 0 || n == 1)
            *entry(bench, system, i, at) = 0.0;
        else if (way == 1)
            *entry(bench, system, at, i) = 0.0;
        else
            *entry(bench, system, i, at + 1) = 2.0 * *entry(bench, system, i, at);
    }
}

static void make_system(const Bench *bench, size_t system, uint64_t *seed)
{
    const int n = bench->n;
    for (int i = 0; i < n; ++i) {
        bench->b[(size_t)i * SYSTEMS + system] = opencl_case_uniform(seed, -1.0, 1.0);
        for (int j = 0; j < n; ++j)
            *entry(bench, system, i, j) = opencl_case_uniform(seed, -1.0, 1.0);
    }
    switch (kind_of(system)) {
    case KIND_ROWS_SCALED: scale(bench, system, true, seed); break;
    case KIND_COLUMNS_SCALED: scale(bench, system, false, seed); break;
    case KIND_ZERO_PIVOT: make_zero_pivot(bench, system); break;
    case KIND_GRADED: make_graded(bench, system, seed); break;
    case KIND_NEAR_IDENTITY:
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                *entry(bench, system, i, j) = (i == j) + 1e-3 * *entry(bench, system, i, j);
        break;
    case KIND_SINGULAR: make_singular(bench, system, seed); break;
    case KIND_NOT_FINITE:
        *entry(bench, system, (int)(opencl_case_bits(seed) % (uint64_t)n),
               (int)(opencl_case_bits(seed) % (uint64_t)n)) =
            opencl_case_bits(seed) & 1 ? (double)NAN : (double)INFINITY;
        break;
    default: break;
    }
}

static void compute(const Bench *bench, cl_context context, cl_device_id device, int width)
{
    const size_t n = (size_t)bench->n, row = SYSTEMS * sizeof(double);
    cl_int       codes[5];
    cl_mem       A = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * n * row, bench->A, &codes[0]);
    cl_mem       b = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * row, bench->b, &codes[1]);
    cl_mem       out = clCreateBuffer(context, 0, (n + 2) * row, NULL, &codes[2]);
    char         options[64];
    snprintf(options, sizeof options, "-D LANES=%d -D SINGLE=0 -D DOF=%d", lane_counts[width], bench->n);
    cl_program       program = opencl_case_build(context, device, source, options);
    cl_kernel        kernel = clCreateKernel(program, "run", &codes[3]);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &codes[4]);
    const cl_ulong   count = SYSTEMS;
    const size_t     items = SYSTEMS / (size_t)lane_counts[width], group = 16;
    for (int i = 0; i < 5; ++i)
        assert_int_equal(codes[i], CL_SUCCESS);
    clSetKernelArg(kernel, 0, sizeof A, &A);
    clSetKernelArg(kernel, 1, sizeof b, &b);
    clSetKernelArg(kernel, 2, sizeof out, &out);
    clSetKernelArg(kernel, 3, sizeof count, &count);
    assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, (n + 2) * row, bench->out[width], 0, NULL, NULL),
                     CL_SUCCESS);
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(out);
    clReleaseMemObject(b);
    clReleaseMemObject(A);
}

static double *numbers(size_t rows)
{
    return test_take(rows * SYSTEMS, sizeof(double));
}

static void bench_make(Bench *bench, int n)
{
    uint64_t     seed = 2024u + (uint64_t)n;
    const size_t rows = (size_t)n;
    *bench = (Bench){.n = n, .A = numbers(rows * rows), .b = numbers(rows)};
    for (size_t system = 0; system < SYSTEMS; ++system)
        make_system(bench, system, &seed);
    cl_context         context;
    const cl_device_id device = opencl_case_open(&context);
    for (int w = 0; w < WIDTHS; ++w) {
        bench->out[w] = numbers(rows + 2);
        compute(bench, context, device, w);
    }
    clReleaseContext(context);
}

static double out_at(const Bench *bench, size_t row, size_t system)
{
    return bench->out[0][row * SYSTEMS + system];
}

static bool sound(Kind kind)
{
    return kind != KIND_SINGULAR && kind != KIND_NOT_FINITE;
}

// max_i |b - A y|_i / (|L||U||y|)_i in units of roundoff, with the factors that LAPACK finds; Gaussian elimination is
// backward stable row by row in this sense, however badly the matrix is scaled (Higham, theorem 9.4).
static double backward_error(const Bench *bench, size_t system, const double *y)
{
    const int  n = bench->n;
    double     A[MOST_DOFS * MOST_DOFS], LU[MOST_DOFS * MOST_DOFS], worst = 0.0;
    lapack_int pivots[MOST_DOFS];
    int        row_of[MOST_DOFS];
    copy_matrix(bench, system, A);
    copy_matrix(bench, system, LU);
    assert_int_equal(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, LU, n, pivots), 0);
    for (int i = 0; i < n; ++i)
        row_of[i] = i;
    for (int i = 0; i < n; ++i) {
        const int other = (int)pivots[i] - 1, kept = row_of[i];
        row_of[i] = row_of[other];
        row_of[other] = kept;
    }
    for (int i = 0; i < n; ++i) {
        long double residual = bench->b[(size_t)row_of[i] * SYSTEMS + system], size = 0.0L;
        for (int j = 0; j < n; ++j) {
            residual -= (long double)A[row_of[i] * n + j] * y[j];
            for (int k = 0; k <= i && k <= j; ++k)
                size += fabsl((k == i ? 1.0L : (long double)LU[i * n + k]) * LU[k * n + j] * y[j]);
        }
        const double error = (double)(fabsl(residual) / size) / unit_roundoff;
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

static double lapack_error(const Bench *bench, size_t system)
{
    double     A[MOST_DOFS * MOST_DOFS], y[MOST_DOFS];
    lapack_int pivots[MOST_DOFS];
    copy_matrix(bench, system, A);
    for (int i = 0; i < bench->n; ++i)
        y[i] = bench->b[(size_t)i * SYSTEMS + system];
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, bench->n, 1, A, bench->n, pivots, y, 1), 0);
    return backward_error(bench, system, y);
}

// Each entry of A takes at most n roundings on the way to its factor, two of them for the reciprocal pivot, and the
// substitutions n + 2 more each.
static void check_solutions(const Bench *bench)
{
    const int n = bench->n;
    double    worst = 0.0, lapack = 0.0;
    for (size_t system = 0; system < SYSTEMS; ++system) {
        double y[MOST_DOFS];
        if (!sound(kind_of(system)))
            continue;
        for (int i = 0; i < n; ++i)
            y[i] = out_at(bench, (size_t)i, system);
        const double error = backward_error(bench, system, y);
        if (!(error <= 3.0 * n + 4.0))
            fail_msg("%d unknowns, kind %d, system %zu: backward error %g u", n, (int)kind_of(system), system, error);
        worst = fmax(worst, error);
        lapack = fmax(lapack, lapack_error(bench, system));
    }
    print_message("%d unknowns: backward error at most %.2f u, LAPACK's %.2f u\n", n, worst, lapack);
    assert_true(lapack <= 3.0 * n + 4.0);
    assert_true(worst <= 2.0 * lapack + 2.0);
}

static void check_flags(const Bench *bench)
{
    for (size_t system = 0; system < SYSTEMS; ++system) {
        const bool flagged = out_at(bench, (size_t)bench->n + 1, system) != 0.0;
        if (flagged == sound(kind_of(system)))
            fail_msg("%d unknowns, kind %d, system %zu is%s flagged", bench->n, (int)kind_of(system), system,
                     flagged ? "" : " not");
    }
}

// What rounding may do to sigma_max/sigma_min = c, relatively: a few units times c, both in LAPACK and here. The closed
// form of two unknowns takes c - 1/c from the square root of a difference, which costs half the digits where c is
// near 1.
static double condition_bound(int n, double c)
{
    const double u = unit_roundoff;
    if (n != 2)
        return 4.0 * n * u * c;
    const double sum = c + 1.0 / c, gap = fmax(c - 1.0 / c, sqrt(16.0 * u) * sum);
    return 8.0 * u * c + 8.0 * u * sum * sum / (gap * c);
}

static void check_conditions(const Bench *bench)
{
    const int n = bench->n;
    double    worst = 0.0;
    for (size_t system = 0; system < SYSTEMS; ++system) {
        double       A[MOST_DOFS * MOST_DOFS], sigma[MOST_DOFS], rest[MOST_DOFS], none;
        const double found = out_at(bench, (size_t)n, system);
        if (!sound(kind_of(system)))
            continue;
        copy_matrix(bench, system, A);
        assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', n, n, A, n, sigma, &none, 1, &none, 1, rest), 0);
        const double c = sigma[0] / sigma[n - 1], bound = condition_bound(n, c);
        // Where the smallest singular value is rounding, both say no more than "very large".
        if (!(c < 1e12) ? !(found > 1e11) : !(fabs(found / c - 1.0) <= bound))
            fail_msg("%d unknowns, kind %d, system %zu: condition number %.17g, LAPACK's %.17g", n,
                     (int)kind_of(system), system, found, c);
        if (c < 1e12)
            worst = fmax(worst, fabs(found / c - 1.0) / bound);
    }
    print_message("%d unknowns: condition numbers differ by at most %.2f of the bound\n", n, worst);
}

static void check_widths_agree(const Bench *bench)
{
    for (size_t i = 0; i < (size_t)(bench->n + 2) * SYSTEMS; ++i) {
        const double one = bench->out[0][i], other = bench->out[1][i];
        if (memcmp(&one, &other, sizeof one) != 0 && !(isnan(one) && isnan(other)))
            fail_msg("%d unknowns, row %zu, system %zu: %a at %d lane, %a at %d lanes", bench->n, i / SYSTEMS,
                     i % SYSTEMS, one, lane_counts[0], other, lane_counts[1]);
    }
}

TEST(test_solve_and_condition_number)
{
    const int sizes[] = {1, 2, 3, 4, MOST_DOFS};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        Bench bench;
        bench_make(&bench, sizes[i]);
        check_flags(&bench);
        check_solutions(&bench);
        check_conditions(&bench);
        check_widths_agree(&bench);
    }
}

// Two modes of unit mass, one of stiffness 1/eps^2, the other free: Newton's matrix is diagonal and its condition
// number is 1 + (1 - af) beta h^2/((1 - am) eps^2) or 1 + c^2/eps^2 with c = h (1/2 + theta/6), in the first step of
// theta2 h (1/2 + theta/50).
static double closed_form(const Ran *ran, size_t group, size_t point, bool first)
{
    const Group *g = group_at(ran, group);
    const double h = group_step(g, point), stiffness = group_value(g, g->problem_parameters[5], point);
    const double parameter = group_value(g, g->method_parameters[0], point);
    assert_string_equal(g->problem->parameters[5].name, "k2");
    if (strcmp(g->method->name, "generalized_alpha") == 0) {
        const double am = (2.0 * parameter - 1.0) / (parameter + 1.0), af = parameter / (parameter + 1.0);
        return 1.0 + (1.0 - af) * 0.25 * (1.0 - am + af) * (1.0 - am + af) / (1.0 - am) * h * h * stiffness;
    }
    const double c = h * (0.5 + parameter / (first ? 50.0 : 6.0));
    return 1.0 + c * c * stiffness;
}

// How far rounding may move it, relatively; in a difference matrix also the residual's 4 u stiffness |x| against its
// difference. Where the velocity is small, a difference moves the position by 2^-34 of itself, or half as much.
static double condition_error(const Ran *ran, size_t group, size_t point)
{
    const Group *g = group_at(ran, group);
    const double c = closed_form(ran, group, point, true), difference = 8.0 * unit_roundoff / 0x1p-34 * (c - 1.0) / c;
    return condition_bound(2, c) + (g->newton.jacobian == JACOBIAN_ANALYTIC ? 0.0 : difference);
}

TEST(test_condition_numbers_of_one_stiff_mode)
{
    RUN_OK(ran, *state, 8,
           "problem: modal_oscillators\n"
           "parameters: {k1: 0, k2: [1.0e+2, 1.0e+4, 1.0e+6, 1.0e+8], v01: 1}\n"
           "methods:\n"
           "  - generalized_alpha: {rho_inf: [0.6, 0, 1]}\n"
           "  - theta2: {theta: [0.07, 0, 1]}\n"
           "  - {label: alpha_analytic, generalized_alpha: {rho_inf: [0.6, 0, 1]}, newton: {jacobian: analytic}}\n"
           "  - {label: theta_analytic, theta2: {theta: [0.07, 0, 1]}, newton: {jacobian: analytic}}\n"
           "newton: {jacobian: central}\n"
           "step: [0.05, 0.002]\n"
           "steps: 5\n"
           "metrics: [status, condition_max, condition_last, condition_mean]\n"
           "trajectory: {every: 1, fields: [condition]}\n");
    for (size_t g = 0; g < ran.made.plan.group_count; ++g) {
        for (size_t p = 0; p < group_at(&ran, g)->point_count; ++p) {
            const double bound = condition_error(&ran, g, p);
            const double first = closed_form(&ran, g, p, true), last = closed_form(&ran, g, p, false);
            assert_near(number(&ran, g, "condition_last", p), last, bound * last);
            assert_near(number(&ran, g, "condition_max", p), fmax(first, last), bound * last);
            assert_near(number(&ran, g, "condition_mean", p), pow(first * pow(last, 4.0), 0.2), bound * last);
            assert_true(isnan(element(&ran, g, "condition", p, 0)));
            assert_near(element(&ran, g, "condition", p, 1), first, bound * first);
            assert_near(element(&ran, g, "condition", p, 5), last, bound * last);
        }
    }
    // h = 0.05, eps = 1e-3: the points with step 0, k2 2, parameter 0.
    assert_near(number(&ran, 0, "condition_last", 2 * 3), 698.5, 0.05);
    assert_near(number(&ran, 1, "condition_last", 2 * 3), 655.507, 0.0005);
}
