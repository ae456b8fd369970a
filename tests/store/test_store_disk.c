// test_store_disk -- result files under several names, on disks that fail and in folders that cannot be written.
#include "store/output.h"
#include "support/store_case.h"

#include <sys/syscall.h>

AROUND_EACH(set_up, tear_down)

// A second name of a file that is being written lets no second writer in, be it a symbolic or a hard link.
TEST(another_name_is_locked_too)
{
    Bench *bench = *state;
    Bench  soft = *bench, hard = *bench;
    undisturbed(bench);
    snprintf(soft.path, sizeof soft.path, "%s/soft.h5", bench->directory);
    snprintf(hard.path, sizeof hard.path, "%s/hard.h5", bench->directory);
    pid_t child = start_writer(bench, 3, false);
    assert_int_equal(symlink("toy.h5", soft.path), 0);
    assert_int_equal(link(bench->path, hard.path), 0);
    expect_refusal(&soft, STORE_RESUME, ERROR_LOCKED, "being written by another process");
    expect_refusal(&soft, STORE_REPLACE, ERROR_LOCKED, "being written by another process");
    expect_refusal(&hard, STORE_RESUME, ERROR_LOCKED, "being written by another process");
    kill(child, SIGKILL);
    assert_false(child_succeeded(child));

    // The link stays a link, and what is beside a file is beside the one that it leads to.
    struct stat info;
    write_whole(&soft, STORE_RESUME);
    expect_undisturbed(bench);
    write_whole(&soft, STORE_REPLACE);
    expect_undisturbed(bench);
    assert_int_equal(lstat(soft.path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_false(is_there(&soft, ".lock"));
    remove_files(&soft);
    remove_files(&hard);
}

// The log goes to a file of its own: neither where a link leads, nor into a pipe that nobody reads.
TEST(the_log_is_a_file)
{
    Bench *bench = *state;
    size_t count;
    char   log[160], victim[160];
    snprintf(log, sizeof log, "%s.log", bench->path);
    snprintf(victim, sizeof victim, "%s/victim", bench->directory);
    write_bytes(victim, "precious", 8);
    Store *store = open_store(bench, STORE_NEW);
    assert_int_equal(symlink("victim", log), 0);
    assert_refused(store_log(store, "{}", &err), ERROR_IO, "toy.h5.log: cannot be written: it is a symbolic link");
    test_file(victim, &count);
    assert_int_equal(count, 8);
    unlink(victim);
    unlink(log);
    assert_int_equal(mkfifo(log, 0600), 0);
    assert_false(store_log(store, "{}", &err));
    assert_non_null(strstr(err.message, "it is a pipe"));
    store_close(store);
}

// A complete file in a folder that cannot be written is complete; an incomplete one cannot be continued there.
TEST(complete_file_needs_no_writing)
{
    Bench *bench = *state;
    for (int complete = 0; complete < 2; complete++) {
        pid_t writer = complete ? 0 : start_writer(bench, 3, false);
        if (complete)
            write_whole(bench, STORE_RESUME);
        else
            kill(writer, SIGKILL);
        assert_true(complete || !child_succeeded(writer));
        assert_int_equal(chmod(bench->path, 0444), 0);
        assert_int_equal(chmod(bench->directory, 0555), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            Store *store;
            if (geteuid() == 0 && setuid(65534) != 0)
                _exit(1);
            if (!complete)
                expect_refusal(bench, STORE_RESUME, ERROR_IO, "Permission denied");
            if (complete) {
                store = open_store(bench, STORE_RESUME);
                assert_int_equal(store_reused(store), bench->plan.block_count);
                store_close(store);
            }
            _exit(0);
        }
        assert_true(child_succeeded(child));
        assert_int_equal(chmod(bench->directory, 0755), 0);
        assert_int_equal(chmod(bench->path, 0644), 0);
    }
}

// Fails the read numbered `failing` from 0 on, for good: a disk that begins to break.
static int failing_read = -1, reads;

ssize_t pread(int file, void *bytes, size_t count, off_t offset)
{
    if (failing_read >= 0 && reads++ >= failing_read) {
        errno = EIO;
        return -1;
    }
    return (ssize_t)syscall(SYS_pread64, file, bytes, count, offset);
}

ssize_t pread64(int file, void *bytes, size_t count, off_t offset)
{
    return pread(file, bytes, count, offset);
}

// Whichever read fails, readers and a resumed run report a disk that failed, not a damaged file.
TEST(failed_reads_are_told)
{
    Bench *bench = *state;
    write_whole(bench, STORE_NEW);
    for (int resume = 0; resume < 2; resume++) {
        bool fine = false;
        int  tried = 0;
        for (; !fine; tried++) {
            Store *store = NULL;
            reads = 0;
            failing_read = tried;
            fine =
                resume ? store_open(bench->path, &bench->plan, sources, STORE_RESUME, &store, &err) : read_all(bench);
            failing_read = -1;
            store_close(store);
            if (!fine && (err.kind != ERROR_IO || err.code != EIO || !strstr(err.message, "Input/output error") ||
                          !strstr(err.message, "toy.h5") || strstr(err.message, "damaged")))
                fail_msg("read %d: kind %d, '%s'", tried, (int)err.kind, err.message);
        }
        assert_true(tried > 20);
    }
}

// The message of a full or failing disk says how to go on; that of another error stays as it is.
TEST(the_way_on_is_told)
{
    errno = ENOSPC;
    assert_false(output_fail(&err, "toy.h5", "cannot be written"));
    assert_false(output_advise(&err, "--resume goes on"));
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message,
                        "toy.h5: cannot be written: No space left on device; make room, and --resume goes on");
    errno = EIO;
    output_fail(&err, "toy.h5", "cannot be synced");
    output_advise(&err, "--resume goes on");
    assert_string_equal(err.message,
                        "toy.h5: cannot be synced: Input/output error; when the disk works again, --resume goes on");
    errno = EACCES;
    output_fail(&err, "toy.h5", "cannot be opened");
    output_advise(&err, "--resume goes on");
    assert_string_equal(err.message, "toy.h5: cannot be opened: Permission denied");
}
