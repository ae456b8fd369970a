// kernel_case -- sweeps from text: composed, built and run, and what their results have to be.
#include "support/kernel_case.h"

static int open_named(const char *name, void **state)
{
    Device *device = NULL;
    if (!device_open(name, PRECISION_DOUBLE, &device, &err)) {
        print_error("%s\n", err.message);
        return -1;
    }
    *state = device;
    return 0;
}

int open_device(void **state)
{
    return open_named(NULL, state);
}

int open_native(void **state)
{
    return open_named("native", state);
}

int close_device(void **state)
{
    device_close(*state);
    return 0;
}

static void count_slice(UNUSED const Progress *progress, void *user)
{
    size_t *slices = user;
    ++*slices;
}

static void build_group(Ran *ran, Device *device, int lanes, size_t number)
{
    Engine      *engine = &ran->engines[number];
    const Group *group = &ran->made.plan.groups[number];
    if (!engine_compose(engine, &ran->made.plan, group, &err) || !engine_build(engine, device, lanes, &err))
        fail_msg("%s, %d lanes: %s", group->label, lanes, err.message);
}

// Runs a batch of a group into results of its own.
static void run_batch(Ran *ran, size_t number, const Batch *batch, Results *results, size_t *slices)
{
    const RunOptions options = {.progress = count_slice, .user = slices};
    *slices = 0;
    if (!results_make(batch->group, batch->point_count, batch->slot_count, results, &err) ||
        !engine_run(&ran->engines[number], batch, &options, results, &err))
        fail_msg("%s: %s", batch->group->label, err.message);
}

// Builds every group of a sweep, no more.
static void build_file(Ran *ran, Device *device, int lanes, const char *path)
{
    ran_free(ran);
    plan_from_file(&ran->made, path, NULL, 0);
    if (!ran->made.fine)
        fail_msg("%s", ran->made.err.message);
    assert_true(ran->made.plan.group_count <= MOST_GROUPS);
    for (size_t i = 0; i < ran->made.plan.group_count; ++i)
        build_group(ran, device, lanes, i);
}

void run_file(Ran *ran, Device *device, int lanes, const char *path)
{
    build_file(ran, device, lanes, path);
    for (size_t i = 0; i < ran->made.plan.group_count; ++i) {
        const Group *group = &ran->made.plan.groups[i];
        const Batch  all = batch_make(group, 0, group->block_count);
        if (!engine_solve(&ran->engines[i], NULL, &err))
            fail_msg("%s: %s", group->label, err.message);
        run_batch(ran, i, &all, &ran->results[i], &ran->slices[i]);
    }
}

void build_text(Ran *ran, Device *device, int lanes, const char *text)
{
    char path[64];
    write_file(path, text, strlen(text));
    build_file(ran, device, lanes, path);
    unlink(path);
}

void run_text(Ran *ran, Device *device, int lanes, const char *text)
{
    char path[64];
    write_file(path, text, strlen(text));
    run_file(ran, device, lanes, path);
    unlink(path);
}

void run_beside(Ran *ran, Device *device, int lanes, const char *name, const char *problem, const char *text)
{
    char        folder[] = "/tmp/pendula-kernel-XXXXXX", paths[2][96];
    const char *contents[] = {problem, text};
    assert_non_null(mkdtemp(folder));
    snprintf(paths[0], sizeof paths[0], "%s/%s.cl", folder, name);
    snprintf(paths[1], sizeof paths[1], "%s/sweep.yaml", folder);
    for (int i = 0; i < 2; ++i) {
        FILE *file = fopen(paths[i], "w");
        assert_non_null(file);
        assert_true(fputs(contents[i], file) >= 0 && fclose(file) == 0);
    }
    run_file(ran, device, lanes, paths[1]);
    unlink(paths[0]);
    unlink(paths[1]);
    rmdir(folder);
}

void ran_free(Ran *ran)
{
    for (size_t i = 0; i < ran->made.plan.group_count; ++i) {
        engine_free(&ran->engines[i]);
        results_free(&ran->results[i]);
    }
    made_free(&ran->made);
    memset(ran, 0, sizeof *ran);
}

const Group *group_at(const Ran *ran, size_t number)
{
    assert_true(number < ran->made.plan.group_count);
    return &ran->made.plan.groups[number];
}

size_t group_number(const Ran *ran, const char *label)
{
    for (size_t i = 0; i < ran->made.plan.group_count; ++i)
        if (strcmp(ran->made.plan.groups[i].label, label) == 0)
            return i;
    fail_msg("no group '%s'", label);
    return 0;
}

double element(const Ran *ran, size_t group, const char *name, size_t point, size_t i)
{
    const Variable *variable = find_variable(group_at(ran, group), name);
    if (!variable)
        fail_msg("group '%s' has no variable '%s'", group_at(ran, group)->label, name);
    return results_value(&ran->results[group], (size_t)(variable - group_at(ran, group)->variables), point, i);
}

double number(const Ran *ran, size_t group, const char *name, size_t point)
{
    return element(ran, group, name, point, 0);
}

void point_due(const Ran *ran, size_t group, size_t point, const Due *due)
{
    for (; due->name; ++due)
        test_due(number(ran, group, due->name, point), due);
}

void assert_all_ok(const Ran *ran)
{
    for (size_t g = 0; g < ran->made.plan.group_count; ++g)
        for (size_t p = 0; p < group_at(ran, g)->point_count; ++p)
            if (number(ran, g, "status", p) != STATUS_OK)
                fail_msg("group '%s' point %zu: %s", group_at(ran, g)->label, p,
                         plan_status_names[(size_t)number(ran, g, "status", p)]);
}

void run_ok(Ran *ran, Device *device, int lanes, const char *text)
{
    run_text(ran, device, lanes, text);
    assert_all_ok(ran);
}

void assert_same_row(const Results *a, size_t row_a, const Results *b, size_t row_b, size_t variable, const char *what)
{
    const Variable *v = &a->group->variables[variable];
    if (memcmp(results_at(a, variable, row_a), results_at(b, variable, row_b), v->width * group_type_bytes(v->type)) ==
        0)
        return;
    for (size_t i = 0; i < v->width; ++i) {
        const double left = results_value(a, variable, row_a, i), right = results_value(b, variable, row_b, i);
        if (memcmp(&left, &right, sizeof left) != 0)
            fail_msg("group '%s', %s[%zu][%zu]: %.17g, but %s %.17g", a->group->label, v->name, row_a, i, left, what,
                     right);
    }
}

void assert_same(const Ran *a, const Ran *b, const char *what)
{
    for (size_t g = 0; g < a->made.plan.group_count; ++g) {
        const Group *group = group_at(a, g);
        for (size_t v = 0; v < group->variable_count; ++v) {
            const size_t rows = group->variables[v].trajectory ? group->trajectory.slot_count : group->point_count;
            for (size_t row = 0; row < rows; ++row)
                assert_same_row(&a->results[g], row, &b->results[g], row, v, what);
        }
    }
}

void assert_same_alone(Ran *ran)
{
    for (size_t g = 0; g < ran->made.plan.group_count; ++g) {
        const Group *group = group_at(ran, g);
        for (uint64_t p = 0; p < group->point_count; ++p) {
            bool           selected = false;
            const uint64_t slot = group->trajectory.stored ? group_slot(group, p, &selected) : 0;
            const Batch    one = {
                   .group = group, .first_point = p, .point_count = 1, .first_slot = slot, .slot_count = selected};
            Results results SCOPED(results_free);
            size_t  slices;
            run_batch(ran, g, &one, &results, &slices);
            for (size_t v = 0; v < group->variable_count; ++v)
                if (!group->variables[v].trajectory)
                    assert_same_row(&ran->results[g], p, &results, 0, v, "alone");
                else if (selected)
                    assert_same_row(&ran->results[g], slot, &results, 0, v, "alone");
        }
    }
}

void add_list(Text *text, const char *lead, const double *values, size_t count)
{
    text_add(text, "%s: ", lead);
    for (size_t i = 0; i < count; ++i)
        text_add(text, "%s%.17g", i == 0 ? "[" : ", ", values[i]);
    text_add(text, "]");
}

void assert_counts(const Ran *ran, size_t group, size_t point, Counts expected)
{
    const struct {
        const char *name;
        double      value;
    } counts[] = {{"failed_solves", expected.failed}, {"substeps", expected.substeps},
                  {"updates", expected.updates},      {"residual_evaluations", expected.evaluations},
                  {"depth_max", expected.depth},      {"taken", expected.steps}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        if (number(ran, group, counts[i].name, point) != counts[i].value)
            fail_msg("group '%s', point %zu: %s is %.0f, not %.0f", group_at(ran, group)->label, point, counts[i].name,
                     number(ran, group, counts[i].name, point), counts[i].value);
}

bool chosen_has(const Chosen *chosen, const char *name)
{
    return chosen->name_count == 0 || card_lists(chosen->names, chosen->name_count, name);
}

int chosen_run(int argc, char **argv)
{
    Chosen chosen = {.names = (const char *const *)argv + 1, .name_count = (size_t)(argc > 1 ? argc - 1 : 0)};
    if (!device_open(NULL, PRECISION_DOUBLE, &chosen.device, &err)) {
        print_error("%s\n", err.message);
        return 1;
    }
    const int failed = test_run("tests", &chosen);
    device_close(chosen.device);
    return failed;
}
