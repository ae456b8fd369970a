// test_store_faults -- failures to make a result file: each gives one line of message and leaves nothing half-written.
#include "store/header.h"
#include "support/store_case.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>

AROUND_EACH(set_up, tear_down)

TEST(second_writer_is_locked_out)
{
    Bench *bench = *state;
    pid_t  child = start_writer(bench, 3, false);
    expect_refusal(bench, STORE_NEW, ERROR_LOCKED, "being written by another process");
    expect_refusal(bench, STORE_RESUME, ERROR_LOCKED, "being written by another process");
    expect_refusal(bench, STORE_REPLACE, ERROR_LOCKED, "being written by another process");

    // HDF5 locks what it opens for writing exclusively, what it opens for reading shared.
    int file = open(bench->path, O_RDWR);
    assert_true(file >= 0);
    assert_int_equal(flock(file, LOCK_EX | LOCK_NB), -1);
    assert_int_equal(flock(file, LOCK_SH | LOCK_NB), 0);
    kill(child, SIGKILL);
    assert_false(child_succeeded(child));

    // The dead process holds no lock; but a program that has the file open for writing keeps us out.
    assert_int_equal(flock(file, LOCK_EX | LOCK_NB), 0);
    expect_refusal(bench, STORE_RESUME, ERROR_LOCKED, "open for writing in another program");
    close(file);
    write_whole(bench, STORE_RESUME);
    assert_false(is_there(bench, ".lock"));
}

TEST(existing_file_is_refused_or_replaced)
{
    Bench *bench = *state;
    undisturbed(bench);
    write_bytes(bench->path, "precious", 8);
    expect_refusal(bench, STORE_NEW, ERROR_IO, "exists already");
    expect_bytes(bench, "precious", 8);
    write_whole(bench, STORE_REPLACE);
    expect_undisturbed(bench);
}

TEST(what_is_not_published_leaves_nothing)
{
    Bench *bench = *state;
    Store *store;
    for (int i = 0; i < 2; ++i) {
        assert_true(store_prepare(bench->path, &bench->plan, sources, i ? STORE_REPLACE : STORE_NEW, &store, &err));
        assert_true(is_there(bench, ".tmp"));
        store_close(store);
        if (i == 0)
            expect_nothing_left(bench);
        write_bytes(bench->path, "precious", 8);
    }
    expect_bytes(bench, "precious", 8);
    assert_false(is_there(bench, ".tmp"));
    assert_false(is_there(bench, ".lock"));
}

static void expect_nothing_beside(const Bench *bench)
{
    assert_true(is_there(bench, ""));
    assert_false(is_there(bench, ".tmp"));
    assert_false(is_there(bench, ".lock"));
}

static void touch(const Bench *bench, const char *ending)
{
    char path[160];
    snprintf(path, sizeof path, "%s%s", bench->path, ending);
    write_bytes(path, "rest", 4);
}

// What a killed process left beside a file goes when the file is resumed, be it complete or not; not what a process
// that lives is making.
TEST(leftovers_are_removed)
{
    Bench *bench = *state;
    Store *store, *other;
    store = open_store(bench, STORE_NEW);
    assert_true(compute_rest(store, &bench->plan, 2));
    store_close(store);
    touch(bench, ".tmp");
    store = open_store(bench, STORE_RESUME);
    assert_false(is_there(bench, ".tmp"));
    store_close(store);

    write_whole(bench, STORE_RESUME);
    const char *const endings[] = {".tmp", ".lock"};
    for (int i = 0; i < 2; i++) {
        touch(bench, endings[i]);
        store = open_store(bench, STORE_RESUME);
        store_close(store);
        expect_nothing_beside(bench);
    }
    assert_true(store_prepare(bench->path, &bench->plan, sources, STORE_REPLACE, &other, &err));
    store = open_store(bench, STORE_RESUME);
    store_close(store);
    assert_true(is_there(bench, ".tmp") && is_there(bench, ".lock"));
    assert_true(store_publish(other, &err));
    store_close(other);
    expect_nothing_beside(bench);
}

TEST(other_sweep_is_refused)
{
    Bench *bench = *state;
    size_t count;
    write_whole(bench, STORE_NEW);
    char *before = test_file(bench->path, &count);

    bench->plan.fingerprint++;
    expect_refusal(bench, STORE_RESUME, ERROR_INPUT, "the kernels have changed");
    bench->plan.numbers++;
    expect_refusal(bench, STORE_RESUME, ERROR_INPUT,
                   "its numbers are of version 2, those of this program of version 3; the program that began it");
    bench->plan.computed_by = plan_reference;
    expect_refusal(bench, STORE_RESUME, ERROR_INPUT,
                   "computed by kernels, not by reference, and a file holds results of one of them; a device "
                   "continues it, --force replaces it");
    make_plan(&bench->plan);
    bench->plan.fingerprint++;
    bench->plan.settings = "problem: toy\nstep: [0.5, 0.125]\nend: 2\n";
    expect_refusal(bench, STORE_RESUME, ERROR_INPUT,
                   "of another sweep: step at index 1 is 0.25 in the file, 0.125 in the sweep");
    bench->plan.settings = "problem: toy\nstep: [0.5, 0.25]\nend: 2\nprecision: single\n";
    expect_refusal(bench, STORE_RESUME, ERROR_INPUT, "of another sweep: 'precision' is only in the sweep");
    make_plan(&bench->plan);

    // The same fingerprint with another layout cannot come from this program, but from a damaged file.
    Dim shorter = {.name = "point", .count = 6, .together = true};
    bench->plan.groups[1].dims = &shorter;
    expect_refusal(bench, STORE_RESUME, ERROR_INPUT, "group 'zip': dataset 'point': damaged: wrong shape");
    make_plan(&bench->plan);
    bench->plan.groups[2].variables[6].type = TYPE_F64;
    expect_refusal(bench, STORE_RESUME, ERROR_INPUT, "group 'plain': dataset 'v': damaged: wrong type");
    make_plan(&bench->plan);
    bench->plan.groups[0].label = "grit";
    expect_refusal(bench, STORE_RESUME, ERROR_INPUT, "group 'grit': missing, or cannot be read");
    make_plan(&bench->plan);

    Store            *store;
    const char *const changed[] = {sources[0], "kernel void other() {}\n", sources[2]};
    assert_refused(store_open(bench->path, &bench->plan, changed, STORE_RESUME, &store, &err), ERROR_INPUT,
                   "group 'zip': the composed kernel has changed");
    expect_bytes(bench, before, count);
}

TEST(truncated_or_foreign_file_is_refused)
{
    Bench *bench = *state;
    undisturbed(bench);
    const char  *whole = bench->wanted;
    const size_t count = bench->wanted_count;
    // Each byte of HDF5's signature, then some sixty places.
    for (size_t cut = 0; cut < count; cut += cut < 8 ? 1 : 1 + count / 60) {
        write_bytes(bench->path, whole, cut);
        expect_refusal(bench, STORE_RESUME, ERROR_INPUT, "not a result file, or damaged");
        expect_bytes(bench, whole, cut);
    }
    write_bytes(bench->path, whole, count - 1);
    expect_refusal(bench, STORE_RESUME, ERROR_INPUT, "not a result file, or damaged");
    write_bytes(bench->path, "title: a sweep file\n", 20);
    expect_refusal(bench, STORE_RESUME, ERROR_INPUT, "not a result file, but text");
}

static bool is_data(const Layout *layout, uint64_t place)
{
    for (size_t i = 0; i < layout->section_count; i++)
        for (size_t k = 0; k < layout->sections[i].dataset_count; k++) {
            const Dataset *data = &layout->sections[i].datasets[k];
            uint64_t       bytes = layout_dataset_count(data) * header_type_bytes(data, layout->sections[i].group);
            if (layout_is_data(data) && place >= data->offset && place - data->offset < bytes)
                return true;
        }
    return false;
}

// Tries to resume or to read in a child, which a crash or an endless loop in HDF5 would not outlive.
static bool opens(const Bench *bench, bool reading)
{
    int   status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        Store *store = NULL;
        signal(SIGSEGV, SIG_DFL);
        alarm(60);
        bool opened =
            reading ? read_all(bench) : store_open(bench->path, &bench->plan, sources, STORE_RESUME, &store, &err);
        store_close(store);
        _exit(opened                                                                                    ? 0
              : err.kind == ERROR_INPUT && strstr(err.message, "--force") && !strchr(err.message, '\n') ? 1
                                                                                                        : 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 2)
        fail_msg("status %x", (unsigned)status);
    return WEXITSTATUS(status) == 0;
}

// Every damaged bit of the header is found, and none crashes the program; damage to data is for verification to find.
TEST(flipped_bits_are_found)
{
    Bench   *bench = *state;
    Layout   layout SCOPED(layout_free);
    size_t   count;
    uint64_t random = 12345;
    write_whole(bench, STORE_NEW);
    char *whole = test_file(bench->path, &count);
    int   file = open(bench->path, O_RDONLY);
    assert_true(layout_make(&bench->plan, &layout, &err));
    const char *advice;
    assert_true(header_check(bench->path, file, &bench->plan, sources, &layout, &advice, &err));
    close(file);
    for (int round = 0; round < 150; round++) {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        size_t place = (size_t)(random >> 33) % count;
        char   bit = (char)(1 << (round % 8));
        whole[place] = (char)(whole[place] ^ bit);
        write_bytes(bench->path, whole, count);
        whole[place] = (char)(whole[place] ^ bit);
        for (int reading = 0; reading < 2; reading++)
            if (opens(bench, reading) != is_data(&layout, place))
                fail_msg("bit %d of byte %zu, %s", round % 8, place, reading ? "read" : "resumed");
    }
}

TEST(paths_that_cannot_be_files)
{
    Bench *bench = *state;
    Bench  other = *bench;
    snprintf(other.path, sizeof other.path, "%s", bench->directory);
    expect_refusal(&other, STORE_NEW, ERROR_IO, "is a directory");
    expect_refusal(&other, STORE_REPLACE, ERROR_IO, "is a directory");
    expect_refusal(&other, STORE_RESUME, ERROR_IO, "is a directory");
    snprintf(other.path, sizeof other.path, "/dev/null");
    expect_refusal(&other, STORE_REPLACE, ERROR_IO, "is not a regular file");
    snprintf(other.path, sizeof other.path, "%s/no/such/place.h5", bench->directory);
    expect_refusal(&other, STORE_NEW, ERROR_IO, "No such file or directory");
    assert_int_equal(symlink("nowhere", bench->path), 0);
    expect_refusal(bench, STORE_NEW, ERROR_IO, "is a broken link");
}

TEST(unwritable_directory)
{
    Bench *bench = *state;
    assert_int_equal(chmod(bench->directory, 0555), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(1);
        expect_refusal(bench, STORE_NEW, ERROR_IO, "Permission denied");
        expect_nothing_left(bench);
        _exit(0);
    }
    assert_true(child_succeeded(child));
    assert_int_equal(chmod(bench->directory, 0755), 0);
}

// In a child, because limits cannot be raised again and HDF5 keeps what it could not write.
static bool refused_for_size(const Bench *bench, rlim_t limit)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        Store *store;
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, limit}) != 0)
            _exit(2);
        if (store_open(bench->path, &bench->plan, sources, STORE_NEW, &store, &err))
            _exit(3);
        bool told = err.kind == ERROR_IO && !strchr(err.message, '\n') && strstr(err.message, bench->path);
        _exit(told ? 0 : 4);
    }
    return child_succeeded(child);
}

TEST(no_room_leaves_nothing)
{
    Bench *bench = *state;
    undisturbed(bench);
    const size_t count = bench->wanted_count;
    for (size_t limit = 0; limit < count; limit += 512) {
        if (!refused_for_size(bench, limit))
            fail_msg("not refused at a limit of %zu bytes", limit);
        expect_nothing_left(bench);
    }
    // While it builds the header, HDF5 may reach a little beyond the file's final end.
    assert_false(refused_for_size(bench, count + 65536));
    remove_files(bench);
}

// A file system of `bytes` bytes, mounted where no other process sees it. False where that is not permitted.
static bool mount_small(const char *directory, size_t bytes)
{
    char options[64];
    snprintf(options, sizeof options, "size=%zu", bytes);
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("pendula", directory, "tmpfs", 0, options) == 0;
}

TEST(full_disk_leaves_nothing)
{
    Bench *bench = *state;
    undisturbed(bench);
    const size_t count = bench->wanted_count;
    for (size_t bytes = 4096; bytes < count; bytes += 4096) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            if (!mount_small(bench->directory, bytes))
                _exit(77);
            Store *store;
            bool   opened = store_open(bench->path, &bench->plan, sources, STORE_NEW, &store, &err);
            expect_nothing_left(bench);
            // What HDF5 could not write is known by its errno too; what statvfs() shows is refused before.
            _exit(!opened && err.kind == ERROR_IO && (err.code == ENOSPC || strstr(err.message, "are free")) ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
            skip();
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            fail_msg("file system of %zu bytes: status %x", bytes, (unsigned)status);
    }
}

// A write that fails later is reported with the file's name and the reason; its blocks stay undone, and the run can be
// resumed.
TEST(failed_write_is_told)
{
    Bench *bench = *state;
    undisturbed(bench);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        Store *store = open_store(bench, STORE_NEW);
        assert_true(compute_rest(store, &bench->plan, 2));
        signal(SIGXFSZ, SIG_IGN);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, 4096}), 0);
        assert_refused(compute_rest(store, &bench->plan, UINT64_MAX), ERROR_IO, bench->path);
        assert_non_null(strstr(err.message, "File too large"));
        assert_null(store_take(store, &bench->plan.groups[0], 4, 4, &err));
        assert_false(store_finish(store, &err));
        assert_false(store_done(store, 2));
        store_close(store);
        _exit(0);
    }
    assert_true(child_succeeded(child));
    Store *store = open_store(bench, STORE_RESUME);
    assert_int_equal(store_reused(store), 2);
    store_close(store);
    write_whole(bench, STORE_RESUME);
    expect_undisturbed(bench);
}

TEST(only_whole_blocks_are_written)
{
    Bench       *bench = *state;
    const Group *group = &bench->plan.groups[0];
    Store       *store = open_store(bench, STORE_NEW);
    for (int i = 0; i < 2 * 3; i++) {  // more often than there are slots: a refused batch gives its slot back
        Batch    batch = batch_make(group, 1, 1);
        Results *results = store_take(store, group, 8, 8, &err);
        assert_non_null(results);
        batch.first_point += i % 2 == 0;
        batch.slot_count += i % 2 == 1;
        assert_refused(store_write(store, &batch, results, &err), ERROR_INTERNAL, "");
    }
    store_give_back(store, store_take(store, group, 8, 8, &err));
    assert_true(store_finish(store, &err));
    assert_false(store_done(store, 1));
    store_close(store);
}
