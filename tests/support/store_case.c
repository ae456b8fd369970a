// store_case -- the small plan, its numbers, and files that are written, read and removed.
#include "support/store_case.h"

const char *const sources[] = {"kernel void sweep_grid() {}\n", "kernel void sweep_zip() {}\n",
                               "kernel void sweep_plain() {} // \xc3\xa9t\xc3\xa9\n"};

static const char *const choices[] = {"right", "printed"};
static CardParameter     problem_parameters[] = {
        {.name = "eps", .unit = "1", .about = "stiffness", .initial = 1},
        {.name = "k", .unit = "N/m", .about = "spring", .initial = 2.5},
        {.name = "variant", .unit = "1", .about = "which equations", .choices = (const char **)choices, .choice_count = 2}};
static CardParameter     method_parameters[] = {{.name = "rho", .unit = "1", .about = "radius", .initial = 0.5},
                                                {.name = "k", .unit = "1", .about = "a rival's name", .initial = 7}};
static const char *const observer_options[] = {"of", "window"};
static const Card        problem = {
           .kind = CARD_PROBLEM, .name = "toy", .dofs = 2, .parameters = problem_parameters, .parameter_count = 3};
static const Card method = {.kind = CARD_METHOD,
                            .name = "stepper",
                            .unknown = UNKNOWN_VELOCITY,
                            .history = true,
                            .parameters = method_parameters,
                            .parameter_count = 2};
static const Card observer = {
    .kind = CARD_METRIC, .name = "oscillation", .option_count = 2, .options = (const char **)observer_options};

static const Dof coordinates[] = {{"r", "m", "v_r", "m/s"}, {"theta", "rad", "v_theta", "rad/s"}};

static double steps_h[] = {0.5, 0.25};
double        grid_eps[] = {1e-3, 1e-2, 1e-1};
static double grid_rho[] = {0.1, 0.3, 0.5, 0.7, 0.9};
static double zip_eps[] = {1, 2, 3, 4, 5, 6, 7};
double        zip_rho[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7};
static Axis   grid_axes[] = {
      {.name = "step", .unit = "s", .about = "step size", .role = AXIS_STEP, .values = steps_h, .count = 2, .dim = 0},
      {.name = "eps", .unit = "1", .about = "stiffness", .role = AXIS_PROBLEM, .values = grid_eps, .count = 3, .dim = 1},
      {.name = "rho", .unit = "1", .about = "radius", .role = AXIS_METHOD, .values = grid_rho, .count = 5, .dim = 2}};
static Dim  grid_dims[] = {{"step", 2, false}, {"eps", 3, false}, {"rho", 5, false}};
static Axis zip_axes[] = {
    {.name = "eps", .unit = "1", .about = "stiffness", .role = AXIS_PROBLEM, .values = zip_eps, .count = 7, .dim = 0},
    {.name = "rho", .unit = "1", .about = "radius", .role = AXIS_METHOD, .values = zip_rho, .count = 7, .dim = 0}};
static Dim    zip_dims[] = {{"point", 7, true}};
static size_t both[] = {0, 1}, ends[] = {0, 2}, five[] = {0, 1, 2, 3, 4}, odd[] = {1, 3, 5};

static MetricInstance instances[] = {{.card = &observer, .of = OBSERVED_X, .of_dof = 1, .from = 1, .to = INFINITY}};

enum { VARIABLES = 10 };

static void make_variables(Variable *variables, size_t samples)
{
    const Variable list[VARIABLES] = {
        {"status", "", "how the point ended", TYPE_I8, SOURCE_STATUS, 0, 0, 0, false, false, false, 1},
        {"updates", "1", "Newton updates", TYPE_I64, SOURCE_METRIC, 0, 0, 0, false, false, false, 1},
        {"decay_rate", "1/s", "decay", TYPE_F64, SOURCE_METRIC, 0, 1, 0, false, false, false, 1},
        {"x_final", "", "position at the end", TYPE_F64, SOURCE_X_FINAL, 0, 0, 0, false, true, false, 2},
        {"v_final", "", "velocity at the end", TYPE_F64, SOURCE_V_FINAL, 0, 0, 0, false, true, false, 2},
        {"x", "", "position", TYPE_F64, SOURCE_X, 0, 0, 0, true, true, false, 2 * samples},
        {"v", "", "velocity", TYPE_F32, SOURCE_V, 0, 0, 0, true, true, false, 2 * samples},
        {"energy", "J", "energy", TYPE_F64, SOURCE_ENERGY, 0, 0, 0, true, false, false, samples},
        {"updates_so_far", "1", "updates", TYPE_I32, SOURCE_UPDATES, 0, 0, 0, true, false, false, samples},
        {"depth_max", "1", "deepest level", TYPE_I32, SOURCE_METRIC, 0, 2, 0, false, false, false, 1}};
    memcpy(variables, list, sizeof list);
}

static Group base_group(const char *label, Variable *variables)
{
    static Quantity constants_p[] = {{1, -1}, {2.5, -1}, {1, -1}}, constants_m[] = {{0.5, -1}, {7, -1}};
    return (Group){.label = label,
                   .problem = &problem,
                   .dofs = 2,
                   .coordinates = coordinates,
                   .method = &method,
                   .point_count = 1,
                   .problem_parameters = constants_p,
                   .method_parameters = constants_m,
                   .step = {0.5, -1},
                   .end = {2, -1},
                   .step_given = true,
                   .end_given = true,
                   .newton = {true, true, true, JACOBIAN_CENTRAL, false, false, {1e-8, -1}, {50, -1}, NULL},
                   .substeps = {20, 200, false},
                   .instances = instances,
                   .instance_count = 1,
                   .variables = variables,
                   .variable_count = VARIABLES,
                   .block_count = 1,
                   .block_points = 4};
}

void make_plan(Plan *plan)
{
    static Variable variables[3][VARIABLES];
    static Group    groups[3];
    static Quantity grid_problem[] = {{0, 1}, {2.5, -1}, {1, -1}}, grid_method[] = {{0, 2}, {7, -1}};
    static Quantity zip_problem[] = {{0, 0}, {2.5, -1}, {0, -1}}, zip_method[] = {{0, 1}, {7, -1}};
    static size_t  *grid_selected[] = {both, ends, five}, *zip_selected[] = {odd};
    static size_t   grid_counts[] = {2, 2, 5}, zip_counts[] = {3};
    static Spec     spec = {.path = "toy.yaml", .text = "problem: toy # \xc3\xa9t\xc3\xa9\n", .overrides = ""};

    make_variables(variables[0], 9);  // end 2 at step 0.25 gives 8 steps; at 0.5 the last four samples stay unused
    groups[0] = base_group("grid", variables[0]);
    groups[0].axes = grid_axes;
    groups[0].axis_count = 3;
    groups[0].dims = grid_dims;
    groups[0].dim_count = 3;
    groups[0].step.axis = 0;
    groups[0].problem_parameters = grid_problem;
    groups[0].method_parameters = grid_method;
    groups[0].trajectory = (Trajectory){true, 1, 9, grid_selected, grid_counts, 20, NULL, false};
    groups[0].point_count = 30;
    groups[0].block_count = 8;

    make_variables(variables[1], 3);
    groups[1] = base_group("zip", variables[1]);
    groups[1].design = DESIGN_ZIP;
    groups[1].axes = zip_axes;
    groups[1].axis_count = 2;
    groups[1].dims = zip_dims;
    groups[1].dim_count = 1;
    groups[1].problem_parameters = zip_problem;
    groups[1].method_parameters = zip_method;
    groups[1].trajectory = (Trajectory){true, 2, 3, zip_selected, zip_counts, 3, NULL, false};
    groups[1].point_count = 7;
    groups[1].first_block = 8;
    groups[1].block_count = 2;

    make_variables(variables[2], 5);
    groups[2] = base_group("plain", variables[2]);
    groups[2].trajectory = (Trajectory){true, 1, 5, NULL, NULL, 1, NULL, false};
    groups[2].first_block = 10;

    *plan = (Plan){.spec = &spec,
                   .title = "A toy",
                   .problem = &problem,
                   .groups = groups,
                   .group_count = 3,
                   .point_count = 38,
                   .block_count = 11,
                   .data_bytes = 8192,
                   .fingerprint = 0x0123456789abcdefULL,
                   .computed_by = plan_kernels,
                   .numbers = PLAN_NUMBERS,
                   .settings = "problem: toy\nstep: [0.5, 0.25]\nend: 2\n"};
}

double expected(const Group *group, size_t variable, uint64_t row, size_t element)
{
    const Variable *v = &group->variables[variable];
    if (v->source == SOURCE_STATUS)
        return (double)(1 + row % 6);
    double value = (double)(group->first_block * 10000 + variable * 1000 + row * 20 + element);
    return v->type == TYPE_F64 && element == 0 && row % 5 == 4 ? (double)NAN : value;
}

static void fill(const Batch *batch, const Results *results)
{
    for (size_t i = 0; i < batch->group->variable_count; i++) {
        const Variable *v = &batch->group->variables[i];
        uint64_t        first = v->trajectory ? batch->first_slot : batch->first_point;
        size_t          count = v->trajectory ? batch->slot_count : batch->point_count;
        for (size_t row = 0; row < count; row++)
            for (size_t element = 0; element < v->width; element++)
                results_put(results, i, row, element, expected(batch->group, i, first + row, element));
    }
}

bool compute(Store *store, const Group *group, uint64_t block, uint64_t count)
{
    Batch    batch = batch_make(group, block, count);
    Results *results = store_take(store, group, batch.point_count, batch.slot_count, &err);
    if (!results)
        return false;
    fill(&batch, results);
    return store_write(store, &batch, results, &err);
}

bool compute_rest(Store *store, const Plan *plan, uint64_t most)
{
    for (size_t i = 0; i < plan->group_count; i++) {
        const Group *group = &plan->groups[i];
        for (uint64_t block = 0; block < group->block_count; block++) {
            if (store_done(store, group->first_block + block) || most == 0)
                continue;
            most--;
            if (!compute(store, group, block, 1))
                return false;
        }
    }
    return store_finish(store, &err);
}

Store *open_store(const Bench *bench, StoreMode mode)
{
    Store *store;
    assert_fine(store_open(bench->path, &bench->plan, sources, mode, &store, &err));
    return store;
}

void write_whole(const Bench *bench, StoreMode mode)
{
    Store *store = open_store(bench, mode);
    assert_fine(compute_rest(store, &bench->plan, UINT64_MAX));
    store_close(store);
}

void expect_refusal(const Bench *bench, StoreMode mode, ErrorKind kind, const char *words)
{
    Store *store;
    assert_refused(store_open(bench->path, &bench->plan, sources, mode, &store, &err), kind, words);
    assert_null(store);
    assert_null(strchr(err.message, '\n'));
}

void write_bytes(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

bool read_all(const Bench *bench)
{
    StoreFile file SCOPED(store_read_close) = {0};
    char     *text = NULL;
    bool      fine = store_read_open(bench->path, &file, &err) && store_read_text(&file, NULL, "sweep", &text, &err);
    free(text);
    for (size_t i = 0; fine && i < file.group_count; i++) {
        const StoreGroup *group = &file.groups[i];
        double            number;
        bool              found;
        fine = store_read_number(&file, group, "step", &number, &found, &err);
        for (size_t k = 0; fine && k < group->variable_count; k++) {
            double *numbers = test_take(group->variables[k].count + 1, sizeof *numbers);
            fine = store_read_numbers(&file, group, &group->variables[k], NULL, NULL, numbers, &err);
        }
    }
    return fine;
}

bool is_there(const Bench *bench, const char *ending)
{
    char        name[160];
    struct stat info;
    snprintf(name, sizeof name, "%s%s", bench->path, ending);
    return lstat(name, &info) == 0;
}

void expect_nothing_left(const Bench *bench)
{
    assert_false(is_there(bench, ""));
    assert_false(is_there(bench, ".tmp"));
    assert_false(is_there(bench, ".lock"));
}

void remove_files(const Bench *bench)
{
    static const char *const endings[] = {"", ".log", ".tmp", ".lock"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        char name[160];
        snprintf(name, sizeof name, "%s%s", bench->path, endings[i]);
        unlink(name);
    }
}

void undisturbed(Bench *bench)
{
    write_whole(bench, STORE_NEW);
    bench->wanted = test_file(bench->path, &bench->wanted_count);
    remove_files(bench);
}

void expect_undisturbed(const Bench *bench)
{
    expect_bytes(bench, bench->wanted, bench->wanted_count);
}

void expect_bytes(const Bench *bench, const char *wanted, size_t wanted_count)
{
    size_t count;
    char  *bytes = test_file(bench->path, &count);
    assert_int_equal(count, wanted_count);
    assert_memory_equal(bytes, wanted, count);
}

bool child_succeeded(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int set_up(void **state)
{
    Bench *bench = calloc(1, sizeof *bench);
    snprintf(bench->directory, sizeof bench->directory, "/tmp/pendula_store_XXXXXX");
    if (!mkdtemp(bench->directory))
        return -1;
    snprintf(bench->path, sizeof bench->path, "%s/toy.h5", bench->directory);
    make_plan(&bench->plan);
    *state = bench;
    return 0;
}

int tear_down(void **state)
{
    Bench *bench = *state;
    remove_files(bench);
    int removed = rmdir(bench->directory);
    free(bench);
    return removed;
}

pid_t start_writer(const Bench *bench, uint64_t done, bool go_on)
{
    int told[2];
    assert_int_equal(pipe(told), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        Store *store;
        bool   fine = store_open(bench->path, &bench->plan, sources, STORE_NEW, &store, &err) &&
                    compute_rest(store, &bench->plan, done);
        if (!fine || write(told[1], "!", 1) != 1)
            _exit(1);
        while (go_on)
            for (size_t i = 0; i < bench->plan.group_count; i++)
                for (uint64_t block = 0; block < bench->plan.groups[i].block_count; block++)
                    if (!compute(store, &bench->plan.groups[i], block, 1))
                        _exit(1);
        for (;;)
            pause();
    }
    char sign = 0;
    close(told[1]);
    assert_int_equal(read(told[0], &sign, 1), 1);
    close(told[0]);
    return child;
}
