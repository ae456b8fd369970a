// oracle_petsc -- the alpha family against PETSc's TSALPHA2, step by step on the pendulum.
//
// PETSc's alpha_m and alpha_f weigh the new state, ours the old one: theirs = 1 - ours. Its unknown is x_{n+1}, ours
// a_{n+1}, which is the same equation. What differs is a_0. We take the acceleration of the initial state. PETSc makes
// two half steps with weights 1, 1, 1, 1/2 and no acceleration before them, and takes a backward difference of their
// velocities, a_0 = c (-3 v_0 + 4 v_1 - v_2)/h. For velocities that grow linearly c = 1 would be right; how much it is
// in the PETSc at hand is measured below (2 in 3.18, which divides by the half step).
//
// The two are brought together in both ways. First PETSc has our start: while it takes its two half steps, which it
// announces as stages, it is given the equation a = a_0/c in place of the pendulum's. Then the kernels have PETSc's
// start: they are probed step by step from an a_0 that is found as PETSc does it.
#include <petscts.h>

#include "support/kernel_case.h"

enum { STEPS = 100, START_STAGES = 2, NEWTON_ITERATIONS = 6, MOST_TRAJECTORIES = 64 };

static const double h = 0.06;

// Rounding. PETSc's a_{n+1} = (x_{n+1} - x_n - h v_n)/(h^2 beta) + ..., of numbers about 2, is off by some
// 4 u/(h^2 beta), and v by gamma h times this: 12 u/h a step, as gamma/beta is at most 3 here. An error of v grows as
// the pendulum's period depends on its energy: linearly in time, hardly more than by half the time, so that x collects
// at most STEPS (12 u/h) (h STEPS/2), 7e-12.
static const double bound = STEPS * 12 * 0x1p-53 * 0.5 * STEPS;

// Weights as PETSc has them.
typedef struct Weights {
    double alpha_m, alpha_f, gamma, beta;
} Weights;

// A trajectory that PETSc computes.
typedef struct Swing {
    double  g, zeta, x0, v0;
    double  force, force_omega;  // force cos(force_omega t) is added to the acceleration
    bool    own_start;           // the start is PETSc's own
    double  start;               // else the acceleration while it starts
    int     stage;               // of all stages so far
    double *x, *v;               // [STEPS + 1] written
} Swing;

#define PETSC(call) assert_int_equal(call, 0)

static double acceleration(const Swing *s, double t, double x, double v)
{
    return -s->g * sin(x) - 2.0 * s->zeta * v + s->force * cos(s->force_omega * t);
}

static double value_of(Vec vector)
{
    const PetscInt first = 0;
    PetscScalar    value;
    PETSC(VecGetValues(vector, 1, &first, &value));
    return (double)PetscRealPart(value);
}

static void set_value(Vec vector, double value)
{
    PETSC(VecSetValue(vector, 0, value, INSERT_VALUES));
    PETSC(VecAssemblyBegin(vector));
    PETSC(VecAssemblyEnd(vector));
}

static bool starting(const Swing *s)
{
    return !s->own_start && s->stage <= START_STAGES;
}

static PetscErrorCode before_stage(TS ts, PetscReal time)
{
    Swing *s;
    (void)time;
    PETSC(TSGetApplicationContext(ts, &s));
    ++s->stage;
    return 0;
}

static PetscErrorCode residual(TS ts, PetscReal t, Vec x, Vec v, Vec a, Vec f, void *context)
{
    const Swing *s = context;
    (void)ts;
    set_value(f, value_of(a) - (starting(s) ? s->start : acceleration(s, t, value_of(x), value_of(v))));
    return 0;
}

static PetscErrorCode jacobian(TS ts, PetscReal t, Vec x, Vec v, Vec a, PetscReal shift_v, PetscReal shift_a, Mat J,
                               Mat P, void *context)
{
    const Swing *s = context;
    (void)ts, (void)t, (void)v, (void)a, (void)J;
    PETSC(MatSetValue(P, 0, 0, starting(s) ? shift_a : shift_a + 2.0 * s->zeta * shift_v + s->g * cos(value_of(x)),
                      INSERT_VALUES));
    PETSC(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
    PETSC(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
    return 0;
}

static PetscErrorCode keep(TS ts, PetscInt step, PetscReal t, Vec x, void *context)
{
    Swing *s = context;
    Vec    same, v;
    (void)t;
    assert_true(step >= 0 && step <= STEPS);
    PETSC(TS2GetSolution(ts, &same, &v));
    s->x[step] = value_of(x);
    s->v[step] = value_of(v);
    return 0;
}

// Newton's method always makes its six iterations, so that no tolerance of PETSc's takes part.
static void set_solver(TS ts)
{
    SNES           snes;
    SNESLineSearch search;
    KSP            solver;
    PC             factor;
    PETSC(TSGetSNES(ts, &snes));
    PETSC(SNESSetTolerances(snes, 0.0, 0.0, 0.0, NEWTON_ITERATIONS, PETSC_DEFAULT));
    PETSC(SNESSetConvergenceTest(snes, SNESConvergedSkip, NULL, NULL));
    PETSC(SNESGetLineSearch(snes, &search));
    PETSC(SNESLineSearchSetType(search, SNESLINESEARCHBASIC));
    PETSC(SNESGetKSP(snes, &solver));
    PETSC(KSPSetType(solver, KSPPREONLY));
    PETSC(KSPGetPC(solver, &factor));
    PETSC(PCSetType(factor, PCLU));
}

// radius: PETSc makes the weights of the generalized-alpha method from it, unless it is negative.
static void swing(Swing *s, double radius, Weights w)
{
    TS  ts;
    Vec x, v;
    Mat J;
    PETSC(VecCreateSeq(PETSC_COMM_SELF, 1, &x));
    PETSC(VecDuplicate(x, &v));
    PETSC(MatCreateSeqDense(PETSC_COMM_SELF, 1, 1, NULL, &J));
    set_value(x, s->x0);
    set_value(v, s->v0);
    s->stage = 0;
    PETSC(TSCreate(PETSC_COMM_SELF, &ts));
    PETSC(TSSetType(ts, TSALPHA2));
    if (radius >= 0.0)
        PETSC(TSAlpha2SetRadius(ts, radius));
    else
        PETSC(TSAlpha2SetParams(ts, w.alpha_m, w.alpha_f, w.gamma, w.beta));
    PETSC(TSSetApplicationContext(ts, s));
    PETSC(TSSetI2Function(ts, NULL, residual, s));
    PETSC(TSSetI2Jacobian(ts, J, J, jacobian, s));
    PETSC(TSSetPreStage(ts, before_stage));
    PETSC(TSMonitorSet(ts, keep, s, NULL));
    PETSC(TSSetTimeStep(ts, h));
    PETSC(TSSetMaxSteps(ts, STEPS));
    PETSC(TSSetMaxTime(ts, 2.0 * STEPS * h));
    PETSC(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_STEPOVER));
    set_solver(ts);
    PETSC(TS2SetSolution(ts, x, v));
    PETSC(TSSolve(ts, x));
    assert_int_equal(s->stage, START_STAGES + STEPS);
    PETSC(TSDestroy(&ts));
    PETSC(MatDestroy(&J));
    PETSC(VecDestroy(&v));
    PETSC(VecDestroy(&x));
}

// The factor c of the start: with x'' = 1 from rest the two half steps give c, and then v_1 = h (c + 1)/2 by the
// trapezoidal rule.
static double start_factor(void)
{
    double x[STEPS + 1], v[STEPS + 1];
    Swing  s = {.force = 1.0, .own_start = true, .x = x, .v = v};
    swing(&s, -1.0, (Weights){1.0, 1.0, 0.5, 0.25});
    return 2.0 * v[1] / h - 1.0;
}

// The weights of a method of the catalog, from its parameters: Chung and Hulbert's weigh the old state, PETSc's the new
// one; Newmark 1959; Hilber, Hughes and Taylor 1977; Wood, Bossak and Zienkiewicz 1980.
static Weights generalized_alpha(const double *p)
{
    return (Weights){1.0 - p[0], 1.0 - p[1], p[2], p[3]};
}

static Weights newmark(const double *p)
{
    return (Weights){1.0, 1.0, p[1], p[0]};
}

static Weights hht_alpha(const double *p)
{
    return (Weights){1.0, 1.0 + p[0], 0.5 - p[0], 0.25 * (1.0 - p[0]) * (1.0 - p[0])};
}

static Weights wbz_alpha(const double *p)
{
    return (Weights){1.0 - p[0], 1.0, 0.5 - p[0], 0.25 * (1.0 - p[0]) * (1.0 - p[0])};
}

enum { MEMBER_PARAMETERS = 4 };

typedef struct Member {
    const char *method, *parameters[MEMBER_PARAMETERS];
    Weights (*weigh)(const double *p);  // where the last parameter is not given, PETSc makes them from rho_inf
} Member;

static const Member members[] = {{"generalized_alpha", {"alpha_m", "alpha_f", "gamma", "beta"}, generalized_alpha},
                                 {"newmark", {"beta", "gamma"}, newmark},
                                 {"hht_alpha", {"alpha"}, hht_alpha},
                                 {"wbz_alpha", {"alpha"}, wbz_alpha}};

static double setting(const Card *card, const Quantity *values, const Group *group, const char *name, uint64_t point)
{
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (strcmp(card->parameters[i].name, name) == 0)
            return group_value(group, values[i], point);
    fail_msg("'%s' has no parameter '%s'", card->name, name);
    return NAN;
}

static double problem_setting(const Group *group, const char *name, uint64_t point)
{
    return setting(group->problem, group->problem_parameters, group, name, point);
}

static void swing_point(const Group *group, uint64_t point, Swing *s)
{
    const Member *member = NULL;
    double        p[MEMBER_PARAMETERS] = {0};
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i)
        if (strcmp(members[i].method, group->method->name) == 0)
            member = &members[i];
    assert_non_null(member);
    for (size_t i = 0; i < MEMBER_PARAMETERS && member->parameters[i]; ++i)
        p[i] = setting(group->method, group->method_parameters, group, member->parameters[i], point);
    if (isnan(p[MEMBER_PARAMETERS - 1]))
        swing(s, setting(group->method, group->method_parameters, group, "rho_inf", point), (Weights){0});
    else
        swing(s, -1.0, member->weigh(p));
}

// The larger of the two differences of states; fails where it exceeds the bound.
static double compare(const Group *group, uint64_t point, size_t step, double x, double v, const Swing *s)
{
    const double difference = fmax(fabs(x - s->x[step]), fabs(v - s->v[step]));
    if (!(difference <= bound))
        fail_msg("%s, point %llu, step %zu: x, v are %.17g, %.17g, PETSc's %.17g, %.17g", group->label,
                 (unsigned long long)point, step, x, v, s->x[step], s->v[step]);
    return difference;
}

static const char methods[] =
    "methods:\n"
    "  - generalized_alpha: {rho_inf: [0, 0.3, 0.6, 0.9, 1]}\n"
    "  - {label: given, generalized_alpha: {alpha_m: [-0.5, 0.1], alpha_f: [0.2, 0.3], gamma: 0.9, beta: [0.5, 0.7]}}\n"
    "  - {label: average, newmark: {beta: 0.25, gamma: 0.5}}\n"
    "  - {label: linear, newmark: {beta: 0.16666666666666666, gamma: 0.5}}\n"
    "  - {label: damped, newmark: {beta: 0.3025, gamma: 0.6}}\n"
    "  - hht_alpha: {alpha: [-0.41421, -0.3333333333333333, -0.3, -0.1, 0]}\n"
    "  - wbz_alpha: {alpha: [-0.6, -0.3, -0.1, 0]}\n"
    "step: 0.06\nsteps: 100\nnewton: {tolerance: 0}\nmetrics: [status]\ntrajectory: {every: 1, fields: [x, v]}\n";

// Whole runs of the kernels against PETSc with our start.
static void compare_runs(Device *device, const char *parameters, bool driven)
{
    const double factor = start_factor();
    double       x[STEPS + 1], v[STEPS + 1];
    char         text[2048];
    Ran          ran SCOPED(ran_free) = {0};
    snprintf(text, sizeof text, "problem: pendulum\nparameters: {x0: [1, 2], zeta: [0, 0.1]%s}\n%s", parameters,
             methods);
    run_text(&ran, device, 8, text);
    assert_all_ok(&ran);
    for (size_t g = 0; g < ran.made.plan.group_count; ++g) {
        const Group *group = group_at(&ran, g);
        double       worst = 0.0;
        for (uint64_t point = 0; point < group->point_count; ++point) {
            Swing s = {.g = problem_setting(group, "g", point),
                       .zeta = problem_setting(group, "zeta", point),
                       .x0 = problem_setting(group, "x0", point),
                       .v0 = problem_setting(group, "v0", point),
                       .force = driven ? problem_setting(group, "force", point) : 0.0,
                       .force_omega = driven ? problem_setting(group, "force_omega", point) : 0.0,
                       .x = x,
                       .v = v};
            s.start = acceleration(&s, 0.0, s.x0, s.v0) / factor;
            swing_point(group, point, &s);
            for (size_t n = 0; n <= STEPS; ++n)
                worst = fmax(worst, compare(group, point, n, element(&ran, g, "x", point, n),
                                            element(&ran, g, "v", point, n), &s));
        }
        print_message("our start%s, %-18s differs by %.1e\n", driven ? ", driven" : "", group->label, worst);
    }
}

TEST(test_pendulum)
{
    compare_runs(*state, "", false);
}

// The force is taken at alpha_f of the step.
TEST(test_driven_pendulum)
{
    compare_runs(*state, ", forcing: cosine, force: 0.5, force_omega: 1.7", true);
}

// One of PETSc's half steps: the new a solves a = acceleration(x + t v + t^2/2 a, v + t a). It contracts.
static void half_step(const Swing *s, double *x, double *v)
{
    const double t = 0.5 * h;
    double       a = 0.0;
    for (int i = 0; i < 60; ++i)
        a = acceleration(s, 0.0, *x + t * *v + 0.5 * t * t * a, *v + t * a);
    *x += t * *v + 0.5 * t * t * a;
    *v += t * a;
}

static double petsc_start(const Swing *s, double factor)
{
    double x = s->x0, v = s->v0, velocities[START_STAGES];
    for (int i = 0; i < START_STAGES; ++i) {
        half_step(s, &x, &v);
        velocities[i] = v;
    }
    return factor * (-3.0 * s->v0 + 4.0 * velocities[0] - velocities[1]) / h;
}

// The kernels, probed step by step from PETSc's a_0, against PETSc as it is. How far its own start is from ours is told
// as well.
static void probe_group(const Ran *ran, size_t number, double factor)
{
    const Group *group = group_at(ran, number);
    const size_t count = (size_t)group->point_count;
    double       x[MOST_TRAJECTORIES][STEPS + 1], v[MOST_TRAJECTORIES][STEPS + 1], rows[3 * MOST_TRAJECTORIES];
    Swing        swings[MOST_TRAJECTORIES];
    double       worst = 0.0, apart = 0.0;
    assert_true(count <= MOST_TRAJECTORIES);
    for (size_t i = 0; i < count; ++i) {
        swings[i] = (Swing){.g = problem_setting(group, "g", i),
                            .zeta = problem_setting(group, "zeta", i),
                            .x0 = problem_setting(group, "x0", i),
                            .v0 = problem_setting(group, "v0", i),
                            .own_start = true,
                            .x = x[i],
                            .v = v[i]};
        swing_point(group, i, &swings[i]);
        rows[i] = swings[i].x0;
        rows[count + i] = swings[i].v0;
        rows[2 * count + i] = petsc_start(&swings[i], factor);
    }
    for (size_t n = 1; n <= STEPS; ++n) {
        if (!program_probe(ran->engines[number].program, count, 3, rows, &err))
            fail_msg("%s: %s", group->label, err.message);
        for (size_t i = 0; i < count; ++i) {
            worst = fmax(worst, compare(group, i, n, rows[i], rows[count + i], &swings[i]));
            apart = fmax(apart, fabs(element(ran, number, "x", i, n) - x[i][n]));
        }
    }
    print_message("PETSc's start, %-18s differs by %.1e, and by %.1e from our start\n", group->label, worst, apart);
}

TEST(test_start_of_petsc)
{
    const double factor = start_factor();
    char         text[2048];
    Ran          ran SCOPED(ran_free) = {0};
    print_message("PETSc %d.%d.%d starts with %.15g times the difference quotient\n", PETSC_VERSION_MAJOR,
                  PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR, factor);
    snprintf(text, sizeof text, "problem: pendulum\nparameters: {x0: [1, 2], zeta: [0, 0.1]}\n%s", methods);
    run_text(&ran, *state, 8, text);
    for (size_t g = 0; g < ran.made.plan.group_count; ++g)
        probe_group(&ran, g, factor);
}

// PETSc takes no options from the user's files or environment.
static int open_both(void **state)
{
    char *words[] = {"oracle_petsc", "-skip_petscrc", "-no_signal_handler", NULL}, **arguments = words;
    int   count = 3;
    unsetenv("PETSC_OPTIONS");
    return PetscInitialize(&count, &arguments, NULL, NULL) == 0 ? open_device(state) : -1;
}

static int close_both(void **state)
{
    close_device(state);
    return PetscFinalize() == 0 ? 0 : -1;
}

AROUND_ALL(open_both, close_both)
