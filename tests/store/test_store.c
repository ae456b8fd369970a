// test_store -- result files: their contents, and bytes that do not depend on how a run went.
//
// With the arguments `write DIRECTORY` it makes the files that check_file.py reads with other HDF5 software.
#include "store/header.h"
#include "store/store_read.h"
#include "support/store_case.h"

#include <fcntl.h>
#include <zlib.h>

AROUND_EACH(set_up, tear_down)

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void expect_numbers(const StoreFile *file, const char *group, const char *name, size_t rank,
                           const char *const *dims, const double *wanted)
{
    const StoreGroup    *g = store_read_group(file, group);
    const StoreVariable *v = g ? store_read_variable(g, name) : NULL;
    if (!v)
        fail_msg("no %s/%s", group, name);
    assert_int_equal(v->rank, rank);
    for (size_t i = 0; i < rank; i++)
        assert_string_equal(v->dims[i], dims[i]);
    double *numbers = test_take(v->count, sizeof *numbers);
    assert_true(store_read_numbers(file, g, v, NULL, NULL, numbers, &err));
    for (uint64_t i = 0; i < v->count; i++)
        if (!same(numbers[i], wanted[i]))
            fail_msg("%s/%s [%d]: %g instead of %g", group, name, (int)i, numbers[i], wanted[i]);
}

// Every variable holds what was computed, row by row.
static void expect_group(const StoreFile *file, const Group *group)
{
    const StoreGroup *g = store_read_group(file, group->label);
    assert_non_null(g);
    for (size_t i = 0; i < group->variable_count; i++) {
        const Variable      *variable = &group->variables[i];
        const StoreVariable *v = store_read_variable(g, variable->name);
        assert_non_null(v);
        assert_string_equal(v->unit, variable->unit);
        uint64_t rows = variable->trajectory ? group->trajectory.slot_count : group->point_count;
        assert_int_equal(v->count, rows * variable->width);
        double *numbers = test_take(v->count, sizeof *numbers);
        assert_true(store_read_numbers(file, g, v, NULL, NULL, numbers, &err));
        for (uint64_t k = 0; k < v->count; k++)
            if (!same(numbers[k], expected(group, i, k / variable->width, k % variable->width)))
                fail_msg("%s/%s [%d]: %g", group->label, v->name, (int)k, numbers[k]);
    }
}

static void read_new(const Bench *bench, StoreFile *file)
{
    write_whole(bench, STORE_NEW);
    assert_fine(store_read_open(bench->path, file, &err));
}

static void expect_text(const StoreFile *file, const char *group, const char *attribute, const char *wanted)
{
    char *text;
    assert_true(store_read_text(file, group ? store_read_group(file, group) : NULL, attribute, &text, &err));
    if (!text)
        fail_msg("no attribute %s", attribute);
    assert_string_equal(text, wanted);
    free(text);
}

static void expect_setting(const StoreFile *file, const char *group, const char *attribute, bool there, double wanted)
{
    double number = 0;
    bool   found;
    assert_true(store_read_number(file, store_read_group(file, group), attribute, &number, &found, &err));
    assert_int_equal(found, there);
    if (there && number != wanted)
        fail_msg("%s is %g", attribute, number);
}

TEST(holds_what_was_written)
{
    Bench    *bench = *state;
    StoreFile file SCOPED(store_read_close) = {0};
    read_new(bench, &file);
    assert_int_equal(file.group_count, 3);
    assert_int_equal(file.block_count, 11);
    assert_int_equal(file.blocks_done, 11);
    for (size_t i = 0; i < 3; i++)
        expect_group(&file, &bench->plan.groups[i]);

    const double times[] = {0, 0.5, 1, 1.5, 2, NAN, NAN, NAN, NAN, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2};
    const double selected[] = {1e-3, 1e-1}, points[] = {1, 3, 5}, zip_times[] = {0, 1, 2}, dofs[] = {0, 1};
    expect_numbers(&file, "grid", "time", 2, (const char *[]){"step", "sample"}, times);
    expect_numbers(&file, "grid", "trajectory_eps", 1, (const char *[]){"trajectory_eps"}, selected);
    expect_numbers(&file, "grid", "eps", 1, (const char *[]){"eps"}, grid_eps);
    expect_numbers(&file, "grid", "dof", 1, (const char *[]){"dof"}, dofs);
    expect_numbers(&file, "zip", "trajectory_point", 1, (const char *[]){"trajectory_point"}, points);
    expect_numbers(&file, "zip", "rho", 1, (const char *[]){"point"}, zip_rho);
    expect_numbers(&file, "zip", "time", 1, (const char *[]){"sample"}, zip_times);

    const StoreVariable *x = store_read_variable(store_read_group(&file, "grid"), "x");
    const char *const    dims[] = {"step", "trajectory_eps", "rho", "sample", "dof"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(x->dims[i], dims[i]);
    double         part[3];
    const uint64_t start[] = {1, 1, 3, 2, 1}, count[] = {1, 1, 1, 3, 1};
    assert_true(store_read_numbers(&file, store_read_group(&file, "grid"), x, start, count, part, &err));
    for (size_t k = 0; k < 3; k++)  // slot (1, 1, 3) of (2, 2, 5), samples 2.., second dof
        assert_true(same(part[k], expected(&bench->plan.groups[0], 5, 18, (2 + k) * 2 + 1)));
}

static void expect_address(const StoreFile *file, const char *name, const char *variable, size_t component,
                           const char *unit)
{
    const StoreGroup    *group = store_read_group(file, "grid");
    size_t               found = 0;
    const StoreVariable *address = store_read_address(group, name, &found);
    if (!variable) {
        if (address)
            fail_msg("'%s' is found", name);
        return;
    }
    if (!address)
        fail_msg("'%s' is not found", name);
    assert_string_equal(address->name, variable);
    assert_true(found == component);
    assert_string_equal(store_read_unit(group, address, found), unit);
}

// A component is found by its number and by the name of its coordinate, or of the velocity.
TEST(names_components)
{
    Bench    *bench = *state;
    StoreFile file SCOPED(store_read_close) = {0};
    read_new(bench, &file);
    const StoreGroup *group = store_read_group(&file, "grid");
    assert_int_equal(group->dof_count, 2);
    assert_string_equal(group->dofs[0].name, "r");
    assert_string_equal(group->dofs[1].unit, "rad");
    assert_string_equal(group->dofs[1].velocity, "v_theta");
    assert_string_equal(group->dofs[0].velocity_unit, "m/s");
    expect_address(&file, "updates", "updates", SIZE_MAX, "1");
    expect_address(&file, "x_final", "x_final", SIZE_MAX, "");
    expect_address(&file, "x_final[0]", "x_final", 0, "m");
    expect_address(&file, "x_final[theta]", "x_final", 1, "rad");
    expect_address(&file, "v_final[theta]", "v_final", 1, "rad/s");
    expect_address(&file, "v_final[v_r]", "v_final", 0, "m/s");
    expect_address(&file, "v[1]", "v", 1, "rad/s");
    static const char *const wrong[] = {"x_final[2]",
                                        "x_final[thet]",
                                        "x_final[theta",
                                        "x_final[theta]]",
                                        "x_final[]",
                                        "x_final[",
                                        "x_fin[0]",
                                        "updates[0]",
                                        "",
                                        "[0]"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_address(&file, wrong[i], NULL, 0, NULL);
}

TEST(describes_itself)
{
    Bench    *bench = *state;
    StoreFile file SCOPED(store_read_close) = {0};
    read_new(bench, &file);
    expect_text(&file, NULL, "Conventions", "CF-1.10");
    expect_text(&file, NULL, "sweep", bench->plan.spec->text);
    expect_text(&file, NULL, "overrides", "");
    expect_text(&file, NULL, "computed_by", "kernels");
    expect_text(&file, NULL, "numbers", "2");
    expect_text(&file, NULL, "precision", "double");
    char *source = NULL;
    assert_true(store_read_source(&file, store_read_group(&file, "grid"), &source, &err));
    assert_string_equal(source, sources[0]);
    free(source);
    assert_null(store_read_variable(store_read_group(&file, "grid"), "source"));
    expect_text(&file, "zip", "design", "zip");
    expect_text(&file, "grid", "variant", "printed");
    expect_text(&file, "zip", "variant", "right");
    expect_text(&file, "grid", "newton.stencil", "cbrt");
    expect_text(&file, "grid", "newton.update", "full");
    expect_text(&file, "grid", "newton.guess", "last");
    expect_text(&file, "grid", "substeps.start", "theta1");
    expect_setting(&file, "grid", "eps", false, 0);
    expect_setting(&file, "plain", "eps", true, 1);
    expect_setting(&file, "grid", "k", true, 2.5);
    expect_setting(&file, "grid", "stepper.k", true, 7);
    expect_setting(&file, "grid", "newton.tolerance", true, 1e-8);
    expect_setting(&file, "grid", "step", false, 0);
    expect_setting(&file, "grid", "steps", false, 0);
    expect_setting(&file, "zip", "steps", true, 4);
    expect_setting(&file, "zip", "trajectory.every", true, 2);
    expect_setting(&file, "zip", "first_block", true, 8);
}

// The CRC in the journal is that of the block's part of each variable, in order, as it lies in the file.
TEST(checksums_cover_every_byte)
{
    Bench *bench = *state;
    Layout layout SCOPED(layout_free);
    size_t count;
    write_whole(bench, STORE_NEW);
    char *bytes = test_file(bench->path, &count);
    assert_true(layout_make(&bench->plan, &layout, &err));
    int         file = open(bench->path, O_RDONLY);
    const char *advice;
    assert_true(header_check(bench->path, file, &bench->plan, sources, &layout, &advice, &err));
    close(file);
    for (size_t i = 0; i < bench->plan.group_count; i++) {
        const Group *group = &bench->plan.groups[i];
        for (uint64_t block = 0; block < group->block_count; block++) {
            Batch    batch = batch_make(group, block, 1);
            uLong    crc = crc32(0, NULL, 0);
            uint32_t stored;
            for (size_t k = 0; k < group->variable_count; k++) {
                const Variable *v = &group->variables[k];
                size_t          row_bytes = v->width * group_type_bytes(v->type);
                uint64_t        first = v->trajectory ? batch.first_slot : batch.first_point;
                size_t          rows = v->trajectory ? batch.slot_count : batch.point_count;
                const char     *start = bytes + layout.sections[i].variables[k].offset + first * row_bytes;
                crc = crc32(crc, (const Bytef *)start, (uInt)(rows * row_bytes));
            }
            memcpy(&stored, bytes + layout.crc->offset + 4 * (group->first_block + block), 4);
            assert_int_equal(stored, crc);
            assert_int_equal(bytes[layout.done->offset + group->first_block + block], 1);
        }
    }
}

TEST(bytes_do_not_depend_on_batches_or_time)
{
    Bench *bench = *state;
    undisturbed(bench);
    sleep(1);  // a time stamp anywhere in the file would differ by now
    Store *store = open_store(bench, STORE_NEW);
    for (size_t i = bench->plan.group_count; i-- > 0;) {
        const Group *group = &bench->plan.groups[i];
        uint64_t     half = group->block_count / 2;
        assert_true(compute(store, group, half, group->block_count - half));
        if (half > 0)
            assert_true(compute(store, group, 0, half));
    }
    store_close(store);
    expect_undisturbed(bench);
}

TEST(resume_computes_the_rest)
{
    Bench *bench = *state;
    undisturbed(bench);
    for (uint64_t done = 0; done <= bench->plan.block_count; done++) {
        Store *store = open_store(bench, STORE_RESUME);  // starts the file, which is not there
        assert_int_equal(store_reused(store), 0);
        assert_true(compute_rest(store, &bench->plan, done));
        store_close(store);
        store = open_store(bench, STORE_RESUME);
        assert_int_equal(store_reused(store), done);
        for (uint64_t block = 0; block < bench->plan.block_count; block++)
            assert_int_equal(store_done(store, block), block < done);
        assert_true(compute_rest(store, &bench->plan, UINT64_MAX));
        store_close(store);
        expect_undisturbed(bench);
        remove_files(bench);
    }
}

TEST(killed_run_is_resumed)
{
    Bench *bench = *state;
    undisturbed(bench);
    for (uint64_t round = 0; round < 24; round++) {
        uint64_t done = round % 12 < bench->plan.block_count ? round % 12 : bench->plan.block_count;
        bool     go_on = round >= 12;
        pid_t    child = start_writer(bench, done, go_on);
        if (go_on)
            usleep((useconds_t)(round * 317));
        kill(child, SIGKILL);
        assert_false(child_succeeded(child));
        Store *store = open_store(bench, STORE_RESUME);
        if (go_on)
            assert_true(store_reused(store) >= done);
        else
            assert_int_equal(store_reused(store), done);
        store_close(store);
        write_whole(bench, STORE_RESUME);
        expect_undisturbed(bench);
        remove_files(bench);
    }
}

// Written blocks become done about once a second without anybody asking.
TEST(commits_by_itself)
{
    Bench *bench = *state;
    Store *store = open_store(bench, STORE_NEW);
    assert_true(compute(store, &bench->plan.groups[0], 0, 2));
    for (int i = 0; i < 100 && !store_done(store, 1); i++)
        usleep(100000);
    assert_true(store_done(store, 0) && store_done(store, 1));
    assert_false(store_done(store, 2));
    store_close(store);
}

TEST(log_stays_beside_the_file)
{
    Bench *bench = *state;
    char   name[160];
    undisturbed(bench);
    Store *store = open_store(bench, STORE_NEW);
    assert_true(store_log(store, "{\"event\": \"start\"}", &err));
    store_close(store);
    store = open_store(bench, STORE_RESUME);
    assert_true(store_log(store, "{\"event\": \"resume\"}", &err));
    store_close(store);
    write_whole(bench, STORE_RESUME);
    expect_undisturbed(bench);
    snprintf(name, sizeof name, "%s.log", bench->path);
    assert_string_equal(test_file(name, NULL), "{\"event\": \"start\"}\n{\"event\": \"resume\"}\n");
}

TEST(readers_tell_what_is_wrong)
{
    Bench    *bench = *state;
    StoreFile file = {0};
    assert_refused(store_read_open(bench->path, &file, &err), ERROR_IO, "");
    write_bytes(bench->path, "not HDF5", 8);
    assert_refused(store_read_open(bench->path, &file, &err), ERROR_INPUT, "");
    store_read_close(&file);
    unlink(bench->path);

    // A reader sees an unfinished file as it is.
    pid_t child = start_writer(bench, 3, false);
    assert_true(store_read_open(bench->path, &file, &err));
    assert_int_equal(file.blocks_done, 3);
    double               statuses[30];
    const StoreGroup    *group = store_read_group(&file, "grid");
    const StoreVariable *status = store_read_variable(group, "status");
    assert_true(store_read_numbers(&file, group, status, NULL, NULL, statuses, &err));
    for (size_t i = 0; i < 30; i++)
        assert_true(statuses[i] == (i < 12 ? (double)(1 + i % 6) : 0));
    assert_null(store_read_group(&file, "journal"));
    assert_null(store_read_variable(group, "nothing"));
    store_read_close(&file);
    kill(child, SIGKILL);
    assert_false(child_succeeded(child));
}

// The files that check_file.py opens: one complete, one with three blocks only.
static int write_samples(const char *directory)
{
    Bench bench;
    make_plan(&bench.plan);
    for (int i = 0; i < 2; i++) {
        Store *store;
        snprintf(bench.path, sizeof bench.path, "%s/%s.h5", directory, i ? "partial" : "complete");
        bool written = store_open(bench.path, &bench.plan, sources, STORE_REPLACE, &store, &err) &&
                       compute_rest(store, &bench.plan, i ? 3 : UINT64_MAX);
        store_close(store);
        if (!written) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "write") == 0)
        return write_samples(argv[2]);
    return test_run("store", NULL);
}
