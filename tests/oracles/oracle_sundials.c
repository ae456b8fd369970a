// oracle_sundials -- every problem of the catalog, and the order of implicit methods on a stiff one, against SUNDIALS.
//
// CVODE and ARKODE solve at tolerances near rounding what the kernels integrate with fixed steps. The right-hand side
// is the problem's file compiled as C or, for the table of physics below, is written here once more. How far either
// side can be trusted is measured: by CVODE at ten times the tolerance, and by the kernel at twice the step.
#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "support/built_in.h"
#include "support/kernel_case.h"
#include "reference/problem.h"

#include <float.h>

AROUND_ALL(open_device, close_device)

enum { SAMPLES = 17, MOST_DOFS = 32, MOST_PARAMETERS = 32, TABLE = SAMPLES * MOST_DOFS };

#define SUNDIALS(call) assert_int_equal(call, 0)

// A problem as its group has it.
typedef struct Motion {
    const Card             *card;
    double                  values[MOST_PARAMETERS];  // in card order
    size_t                  dofs;
    const ReferenceProblem *file;  // the problem's file compiled as C
    void                   *params;
    void (*acceleration)(const struct Motion *m, double t, const double *x, const double *v, double *a);
} Motion;

// States at times k end/(SAMPLES - 1).
typedef struct Path {
    double x[TABLE], v[TABLE];
} Path;

typedef enum Sundials { SUNDIALS_ADAMS, SUNDIALS_IMPLICIT, SUNDIALS_EXPLICIT } Sundials;

static double of(const Motion *m, const char *name)
{
    for (size_t i = 0; i < m->card->parameter_count; ++i)
        if (strcmp(m->card->parameters[i].name, name) == 0)
            return m->values[i];
    fail_msg("'%s' has no parameter '%s'", m->card->name, name);
    return NAN;
}

// Whether a parameter with choices is that word.
static bool is(const Motion *m, const char *name, const char *word)
{
    for (size_t i = 0; i < m->card->parameter_count; ++i)
        if (strcmp(m->card->parameters[i].name, name) == 0)
            return strcmp(m->card->parameters[i].choices[(size_t)m->values[i]], word) == 0;
    fail_msg("'%s' has no parameter '%s'", m->card->name, name);
    return false;
}

static double forced(const Motion *m, double t)
{
    return is(m, "forcing", "cosine") ? of(m, "force") * cos(of(m, "force_omega") * t) : 0.0;
}

static void oscillator(const Motion *m, double t, const double *x, const double *v, double *a)
{
    const double omega = of(m, "omega");
    a[0] = forced(m, t) - omega * omega * x[0] - 2.0 * of(m, "zeta") * omega * v[0];
}

static void pendulum(const Motion *m, double t, const double *x, const double *v, double *a)
{
    a[0] = forced(m, t) - of(m, "g") * sin(x[0]) - 2.0 * of(m, "zeta") * v[0];
}

// The angle from where the pendulum hangs, at angle th from the first axis.
static double hanging(const Motion *m, double th)
{
    return is(m, "gravity", "minus_e2") ? th + 0.5 * acos(-1.0) : th;
}

// Wu 2018, eq. 15, with and without its errors.
static void elastic_polar(const Motion *m, UNUSED double t, const double *x, const double *v, double *a)
{
    const double r = x[0], th = x[1], psi = hanging(m, th), eps = of(m, "eps"), g = of(m, "g");
    const bool   printed = is(m, "variant", "printed");
    a[0] = (printed ? th * th / pow(r, 3.0) : r * v[1] * v[1]) - (r - 1.0) / (eps * eps) + g * cos(psi);
    a[1] = -g * sin(psi) / r - (printed ? 0.0 : 2.0 * v[0] * v[1] / r);
}

// Wu 2018, eq. 16: the printed gradient of the angle is (q2, q1)/|q|^2, and gravity is - g cos grad r + g r sin grad
// th.
static void elastic_cartesian(const Motion *m, UNUSED double t, const double *x, UNUSED const double *v, double *a)
{
    const double r = hypot(x[0], x[1]), psi = hanging(m, atan2(x[1], x[0])), eps = of(m, "eps"), g = of(m, "g");
    for (int i = 0; i < 2; ++i) {
        a[i] = -(r - 1.0) / (eps * eps) * x[i] / r;
        if (is(m, "variant", "printed"))
            a[i] += -g * cos(psi) * x[i] / r + g * sin(psi) * x[1 - i] / r;
    }
    if (is(m, "variant", "right") && is(m, "gravity", "e1"))
        a[0] += g;
    else if (is(m, "variant", "right"))
        a[1] -= g;
}

static void from_file(const Motion *m, double t, const double *x, const double *v, double *a)
{
    m->file->acceleration(t, x, v, m->params, a);
}

// Problems whose physics is written down a second time here. Others have that of their file.
static const struct {
    const char *problem;
    void (*acceleration)(const Motion *m, double t, const double *x, const double *v, double *a);
} physics[] = {{"harmonic_oscillator", oscillator},
               {"pendulum", pendulum},
               {"elastic_pendulum_polar", elastic_polar},
               {"elastic_pendulum_cartesian", elastic_cartesian}};

static void motion_make(const Ran *ran, Motion *m)
{
    const Group *group = group_at(ran, 0);
    *m = (Motion){.card = group->problem, .acceleration = from_file};
    m->dofs = find_variable(group, "x")->width / group->trajectory.sample_count;
    assert_true(m->dofs <= MOST_DOFS && group->problem->parameter_count <= MOST_PARAMETERS);
    for (size_t i = 0; i < group->problem->parameter_count; ++i)
        m->values[i] = group_value(group, group->problem_parameters[i], 0);
    for (size_t i = 0; i < reference_problem_count; ++i)
        if (strcmp(reference_problems[i]->name, m->card->name) == 0 && reference_problems[i]->dofs == m->dofs)
            m->file = reference_problems[i];
    if (!m->file)
        fail_msg("'%s' with %zu degrees of freedom is not compiled in as C", m->card->name, m->dofs);
    m->params = calloc(1, m->file->params_bytes + 1);
    assert_non_null(m->params);
    m->file->load(m->params, m->values);
    for (size_t i = 0; i < sizeof physics / sizeof *physics; ++i)
        if (strcmp(physics[i].problem, m->card->name) == 0)
            m->acceleration = physics[i].acceleration;
}

// y = [x, v]
static int slope(sunrealtype t, N_Vector y, N_Vector dy, void *motion)
{
    const Motion *m = motion;
    const double *state = N_VGetArrayPointer(y);
    double       *rate = N_VGetArrayPointer(dy);
    memcpy(rate, state + m->dofs, m->dofs * sizeof *rate);
    m->acceleration(m, t, state, state + m->dofs, rate + m->dofs);
    return 0;
}

static void keep(const Motion *m, const double *y, size_t sample, Path *path)
{
    memcpy(path->x + sample * m->dofs, y, m->dofs * sizeof *y);
    memcpy(path->v + sample * m->dofs, y + m->dofs, m->dofs * sizeof *y);
}

// CVODE, order up to 12.
static void *adams_make(Motion *m, N_Vector y, double tolerance, SUNMatrix A, SUNLinearSolver linear, SUNContext sun)
{
    void *solver = CVodeCreate(CV_ADAMS, sun);
    assert_non_null(solver);
    SUNDIALS(CVodeInit(solver, slope, 0.0, y));
    SUNDIALS(CVodeSStolerances(solver, tolerance, tolerance));
    SUNDIALS(CVodeSetUserData(solver, m));
    SUNDIALS(CVodeSetLinearSolver(solver, linear, A));
    SUNDIALS(CVodeSetMaxNumSteps(solver, 10000000));
    return solver;
}

// ARKODE: a singly diagonally implicit Runge-Kutta method of order 5, or an explicit one of order 8.
static void *runge_kutta_make(Motion *m, N_Vector y, double tolerance, SUNMatrix A, SUNLinearSolver linear,
                              bool implicit, SUNContext sun)
{
    void *solver = ARKStepCreate(implicit ? NULL : slope, implicit ? slope : NULL, 0.0, y, sun);
    assert_non_null(solver);
    SUNDIALS(ARKStepSetOrder(solver, implicit ? 5 : 8));
    SUNDIALS(ARKStepSStolerances(solver, tolerance, tolerance));
    SUNDIALS(ARKStepSetUserData(solver, m));
    SUNDIALS(ARKStepSetMaxNumSteps(solver, 10000000));
    if (implicit) {
        SUNDIALS(ARKStepSetLinearSolver(solver, linear, A));
        SUNDIALS(ARKStepSetNonlinConvCoef(solver, 1e-3));
    }
    return solver;
}

// The path from the state at t = 0. Steps end at the samples, so that nothing is interpolated.
static void solve(Motion *m, Sundials which, double tolerance, double end, const double *x0, const double *v0,
                  Path *path)
{
    const size_t size = 2 * m->dofs;
    SUNContext   sun;
    SUNDIALS(SUNContext_Create(0, &sun));
    N_Vector        y = N_VNew_Serial((sunindextype)size, sun);
    SUNMatrix       A = SUNDenseMatrix((sunindextype)size, (sunindextype)size, sun);
    SUNLinearSolver linear = SUNLinSol_Dense(y, A, sun);
    assert_true(y && A && linear);
    memcpy(N_VGetArrayPointer(y), x0, m->dofs * sizeof *x0);
    memcpy(N_VGetArrayPointer(y) + m->dofs, v0, m->dofs * sizeof *v0);
    keep(m, N_VGetArrayPointer(y), 0, path);
    void *solver = which == SUNDIALS_ADAMS
                       ? adams_make(m, y, tolerance, A, linear, sun)
                       : runge_kutta_make(m, y, tolerance, A, linear, which == SUNDIALS_IMPLICIT, sun);
    for (size_t k = 1; k < SAMPLES; ++k) {
        sunrealtype  t;
        const double until = end * (double)k / (SAMPLES - 1);
        if (which == SUNDIALS_ADAMS) {
            SUNDIALS(CVodeSetStopTime(solver, until));
            assert_true(CVode(solver, until, y, &t, CV_NORMAL) >= 0);
        } else {
            SUNDIALS(ARKStepSetStopTime(solver, until));
            assert_true(ARKStepEvolve(solver, until, y, &t, ARK_NORMAL) >= 0);
        }
        assert_near(t, until, 4 * DBL_EPSILON * end);
        keep(m, N_VGetArrayPointer(y), k, path);
    }
    if (which == SUNDIALS_ADAMS)
        CVodeFree(&solver);
    else
        ARKStepFree(&solver);
    SUNLinSolFree(linear);
    SUNMatDestroy(A);
    N_VDestroy(y);
    SUNContext_Free(&sun);
}

// The state of a first-order system stands in v, as its rate does in place of an acceleration.
static void kernel_path(const Ran *ran, size_t group, size_t point, size_t dofs, Path *path)
{
    const bool first = group_at(ran, group)->problem->first_order;
    for (size_t i = 0; i < SAMPLES * dofs; ++i) {
        path->x[i] = first ? 0.0 : element(ran, group, "x", point, i);
        path->v[i] = element(ran, group, first ? "x" : "v", point, i);
    }
}

static double largest(const double *values, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; i < count; ++i)
        most = fmax(most, fabs(values[i]));
    return most;
}

static double apart(const double *a, const double *b, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; i < count; ++i) {
        assert_true(a[i] - b[i] == a[i] - b[i]);  // no NaN
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

// Relative to the largest x and the largest v of the path.
static double distance(const Motion *m, const Path *a, const Path *b)
{
    const size_t count = SAMPLES * m->dofs;
    const double of_v = apart(a->v, b->v, count) / largest(b->v, count);
    return m->card->first_order ? of_v : fmax(apart(a->x, b->x, count) / largest(b->x, count), of_v);
}

// The problem's file and the physics here are the same along the path, but for rounding: of terms that cancel (the
// spring's are 1/eps^2 times some 2).
static void compare_files(const Motion *m, const Path *path, double end)
{
    for (size_t k = 0; k < SAMPLES; ++k) {
        const double *x = path->x + k * m->dofs, *v = path->v + k * m->dofs, t = end * (double)k / (SAMPLES - 1);
        double        here[MOST_DOFS], there[MOST_DOFS];
        m->acceleration(m, t, x, v, here);
        from_file(m, t, x, v, there);
        for (size_t i = 0; i < m->dofs; ++i)
            if (!(fabs(there[i] - here[i]) <= 1e-12 * fmax(1.0, largest(here, m->dofs))))
                fail_msg("%s at t = %g: acceleration %zu of its file is %.17g, here %.17g", m->card->name, t, i,
                         there[i], here[i]);
    }
}

enum { COARSE_STEPS = 65536 };

static const double end = 4.0;
static const double best = 1e-13;  // CVODE's tolerance, relative and absolute

// Nobody trusts an answer that is not this good: every problem must be solved to it by either side.
static const double worst_trusted = 1e-8;

// Runs rk4 with these parameters and compares it with CVODE.
static void compare_case(Device *device, const Card *card, const char *parameters)
{
    char   text[1024];
    Ran    ran SCOPED(ran_free) = {0};
    Motion m;
    Path   coarse, fine, loose, tight;
    snprintf(text, sizeof text,
             "{problem: %s, parameters: {%s}, methods: [rk4], end: %g, steps: [%d, %d], metrics: [status], "
             "trajectory: {samples: %d, fields: [x%s]}}",
             card->name, parameters, end, COARSE_STEPS, 2 * COARSE_STEPS, SAMPLES, card->first_order ? "" : ", v");
    run_text(&ran, device, 1, text);
    assert_all_ok(&ran);
    motion_make(&ran, &m);
    kernel_path(&ran, 0, 0, m.dofs, &coarse);
    kernel_path(&ran, 0, 1, m.dofs, &fine);

    // From the state that the file gives.
    double x0[MOST_DOFS], v0[MOST_DOFS];
    m.file->initial_state(m.params, x0, v0);
    if (card->first_order) {
        memcpy(v0, x0, sizeof v0);
        memset(x0, 0, sizeof x0);
    }
    solve(&m, SUNDIALS_ADAMS, 10.0 * best, end, x0, v0, &loose);
    solve(&m, SUNDIALS_ADAMS, best, end, x0, v0, &tight);
    compare_files(&m, &tight, end);

    // What either side is off by at most, as long as it converges at all; and rounding, a few units a step.
    const double of_solver = distance(&m, &loose, &tight), of_step = distance(&m, &coarse, &fine);
    const double rounding = 2.0 * COARSE_STEPS * 2.0 * DBL_EPSILON, bound = of_solver + of_step + rounding;
    const double found = distance(&m, &fine, &tight);
    print_message("%-26s %-38s differs by %.1e, bound %.1e (CVODE %.1e, step %.1e)\n", card->name, parameters, found,
                  bound, of_solver, of_step);
    assert_true(of_solver <= worst_trusted && of_step <= worst_trusted);
    assert_true(found <= bound);
    free(m.params);
}

// With the card's parameters, but for eps, which would make the problem stiff, and with every word of every choice.
static void compare_problem(Device *device, const Card *card)
{
    bool stiff = false, force = false;
    for (size_t i = 0; i < card->parameter_count; ++i) {
        stiff = stiff || strcmp(card->parameters[i].name, "eps") == 0;
        force = force || strcmp(card->parameters[i].name, "force") == 0;
    }
    const char *common = stiff ? "eps: 0.1" : "";
    compare_case(device, card, common);
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const CardParameter *p = &card->parameters[i];
        for (size_t word = 0; word < p->choice_count; ++word) {
            char text[256];
            if (word == (size_t)p->initial)
                continue;
            snprintf(text, sizeof text, "%s%s%s: %s%s", common, stiff ? ", " : "", p->name, p->choices[word],
                     force ? ", force: 0.5" : "");
            compare_case(device, card, text);
        }
    }
}

TEST(test_every_problem)
{
    for (const Card *card = NULL; (card = built_in_next(CARD_PROBLEM, card)) != NULL;)
        compare_problem(*state, card);
}

enum { REFINEMENTS = 3, STIFF_DOFS = 2 };

// Errors of each coordinate and each velocity of a path.
static void coordinate_errors(const Path *found, const Path *exact, double errors[2 * STIFF_DOFS])
{
    memset(errors, 0, 2 * STIFF_DOFS * sizeof *errors);
    for (size_t k = 0; k < SAMPLES; ++k)
        for (size_t j = 0; j < STIFF_DOFS; ++j) {
            const size_t i = k * STIFF_DOFS + j;
            errors[j] = fmax(errors[j], fabs(found->x[i] - exact->x[i]));
            errors[STIFF_DOFS + j] = fmax(errors[STIFF_DOFS + j], fabs(found->v[i] - exact->v[i]));
        }
}

// The elastic pendulum at eps = 1e-2, where the length swings a hundred times faster than the angle: halving the step
// divides every error against ARKODE by 2^order. ARKODE's own error is what its two methods differ by.
TEST(test_order_on_the_stiff_pendulum)
{
    static const double      until = 2.0;
    static const char *const names[2 * STIFF_DOFS] = {"r", "th", "r'", "th'"};
    Ran                      ran SCOPED(ran_free) = {0};
    Motion                   m;
    Path                     exact, other, found;
    double                   unsure[2 * STIFF_DOFS], errors[REFINEMENTS][2 * STIFF_DOFS];
    run_text(&ran, *state, 8,
             "{problem: elastic_pendulum_polar, parameters: {eps: 1.0e-2}, methods: [theta2, generalized_alpha], "
             "end: 2, steps: [8192, 16384, 32768], newton: {tolerance: 0}, metrics: [status], "
             "trajectory: {samples: 17, fields: [x, v]}}");
    assert_all_ok(&ran);
    motion_make(&ran, &m);
    assert_int_equal(m.dofs, STIFF_DOFS);
    const double x0[] = {1.0 + 1e-2, 0.25 * acos(-1.0)}, v0[] = {sqrt(0.5), -sqrt(0.5)};
    solve(&m, SUNDIALS_IMPLICIT, 1e-11, until, x0, v0, &exact);
    solve(&m, SUNDIALS_EXPLICIT, 1e-12, until, x0, v0, &other);
    coordinate_errors(&other, &exact, unsure);
    for (size_t g = 0; g < ran.made.plan.group_count; ++g) {
        const Card *method = group_at(&ran, g)->method;
        for (size_t i = 0; i < REFINEMENTS; ++i) {
            kernel_path(&ran, g, i, STIFF_DOFS, &found);
            coordinate_errors(&found, &other, errors[i]);
        }
        for (size_t i = 0; i < 2 * STIFF_DOFS; ++i) {
            const double *coarse = errors[REFINEMENTS - 2], *fine = errors[REFINEMENTS - 1];
            const double  order = log2(coarse[i] / fine[i]);
            print_message("%-18s %-3s error %.2e, order %.3f (from %.3f), ARKODE's methods differ by %.0e\n",
                          method->name, names[i], fine[i], order, log2(errors[0][i] / coarse[i]), unsure[i]);
            assert_true(unsure[i] < 0.01 * fine[i]);
            assert_near(order, method->order, 0.1);
        }
    }
    free(m.params);
}
