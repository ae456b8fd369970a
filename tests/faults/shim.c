// shim -- stands between a program and its C library (LD_PRELOAD): kills it, lets an operation fail, or records all.
//
// An operation opens or changes a file of the current folder or below: its path is a relative one. Operations are
// numbered from 1.
//   PENDULA_FAULT=KIND:N     what happens to operation N
//       kill      the process is killed before it
//       half      the process is killed when it is half done; where it cannot be, right behind it
//       eio       it fails with EIO
//       enospc    it and all later ones that need space fail with ENOSPC; of a write half of the bytes are written
//       record    nothing
//   PENDULA_FAULT_RECORD=FILE    gets a record of each operation, and of those that failed here: a line
//       "OPERATION INODE OFFSET BYTES FLAGS PATH[ TO]" and, of what was written, the bytes
//   PENDULA_FAULT_LOCKS=N        the file system has no locks: flock() fails with errno N
//   PENDULA_FAULT_CLOCK=N        the monotonic clock runs N times as fast, so that what a program does once a second
//                                it does more often
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILES = 1024, PATH_SIZE = 128 };

typedef enum FaultKind { FAULT_RECORD, FAULT_KILL, FAULT_HALF, FAULT_EIO, FAULT_ENOSPC } FaultKind;

// What an operation is to do.
typedef enum Verdict { VERDICT_DO, VERDICT_HALF, VERDICT_FAIL } Verdict;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FaultKind       kind;
static long            at, operations;
static long            haste;  // of the clock; 0: none
static struct timespec start;
static int             record = -1;
static char            paths[MOST_FILES][PATH_SIZE];  // of open files; "" of those elsewhere

// The C library's own function of a name.
static void *find(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        fprintf(stderr, "shim: %s is not found\n", name);
        abort();
    }
    return function;
}

#define REAL(name) ((__typeof__(&(name)))(size_t)find(#name))

__attribute__((constructor)) static void begin(void)
{
    static const char *const kinds[] = {"record", "kill", "half", "eio", "enospc"};
    const char              *fault = getenv("PENDULA_FAULT"), *file = getenv("PENDULA_FAULT_RECORD");
    const char              *colon = fault ? strchr(fault, ':') : NULL;
    for (int i = 0; colon && i < (int)(sizeof kinds / sizeof *kinds); i++)
        if (strncmp(fault, kinds[i], (size_t)(colon - fault)) == 0)
            kind = (FaultKind)i;
    at = colon ? strtol(colon + 1, NULL, 10) : 0;
    if (file)
        record = REAL(open)(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const char *clock = getenv("PENDULA_FAULT_CLOCK");
    REAL(clock_gettime)(CLOCK_MONOTONIC, &start);
    haste = clock ? strtol(clock, NULL, 10) : 0;
    // Programs that this one starts run without the shim.
    unsetenv("LD_PRELOAD");
}

static bool is_ours(const char *path)
{
    return path[0] != '/' && (at > 0 || record >= 0);
}

static const char *path_of(int file)
{
    return file >= 0 && file < MOST_FILES && paths[file][0] ? paths[file] : NULL;
}

static void note(int file, const char *path)
{
    if (file >= 0 && file < MOST_FILES)
        snprintf(paths[file], PATH_SIZE, "%s", path);
}

static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

static void put(const void *bytes, size_t count)
{
    if (record >= 0 && REAL(write)(record, bytes, count) != (ssize_t)count)
        abort();
}

// Writes a record, and of what was written the bytes.
static void tell(const char *name, int file, off_t offset, size_t count, int flags, const char *path, const void *bytes)
{
    char        line[3 * PATH_SIZE];
    struct stat info = {0};
    const int   reason = errno;
    if (file >= 0)
        fstat(file, &info);
    put(line, (size_t)snprintf(line, sizeof line, "%s %lu %lld %zu %d %s\n", name, (unsigned long)info.st_ino,
                               (long long)offset, count, flags, path));
    if (bytes)
        put(bytes, count);
    errno = reason;
}

// Takes the mutex, counts the operation, and says what it is to do. `space`: whether it needs space on the disk.
static Verdict enter(const char *name, const char *path, bool space)
{
    pthread_mutex_lock(&mutex);
    const long number = ++operations;
    if (kind == FAULT_KILL && number == at)
        die();
    const bool fails = (kind == FAULT_EIO && number == at) || (kind == FAULT_ENOSPC && number >= at && space);
    if (fails)
        tell(name, -1, number, 0, kind == FAULT_EIO ? EIO : ENOSPC, path, NULL);
    if (fails && kind == FAULT_ENOSPC && number == at)
        return VERDICT_HALF;
    errno = fails ? (kind == FAULT_EIO ? EIO : ENOSPC) : errno;
    return fails ? VERDICT_FAIL : kind == FAULT_HALF && number == at ? VERDICT_HALF : VERDICT_DO;
}

// Ends an operation; where the process was to be killed inside it, here.
static void leave(Verdict verdict)
{
    if (verdict == VERDICT_HALF && kind == FAULT_HALF)
        die();
    pthread_mutex_unlock(&mutex);
}

// An operation that cannot be half done fails instead.
static bool refused(Verdict verdict)
{
    if (verdict == VERDICT_HALF && kind == FAULT_ENOSPC)
        errno = ENOSPC;
    return verdict == VERDICT_FAIL || (verdict == VERDICT_HALF && kind == FAULT_ENOSPC);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const int done = REAL(clock_gettime)(clock, time);
    if (done == 0 && clock == CLOCK_MONOTONIC && haste > 0) {
        const long second = 1000000000,
                   passed =
                       haste * ((time->tv_sec - start.tv_sec) * second + time->tv_nsec - start.tv_nsec) + start.tv_nsec;
        time->tv_sec = start.tv_sec + passed / second;
        time->tv_nsec = passed % second;
    }
    return done;
}

int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    if (!is_ours(path)) {
        const int file = REAL(open)(path, flags, mode);
        note(file, "");
        return file;
    }
    const Verdict verdict = enter("open", path, flags & O_CREAT);
    const int     file = refused(verdict) ? -1 : REAL(open)(path, flags, mode);
    if (file >= 0) {
        note(file, path);
        tell("open", file, 0, 0, flags & (O_CREAT | O_TRUNC), path, NULL);
    }
    leave(verdict);
    return file;
}

int close(int file)
{
    note(file, "");
    return REAL(close)(file);
}

// `offset` is negative where the file's own is meant.
static ssize_t write_some(int file, const void *bytes, size_t count, off_t offset)
{
    const char   *path = path_of(file);
    const Verdict verdict = path ? enter("write", path, true) : VERDICT_DO;
    const size_t  some = verdict == VERDICT_HALF ? (count + 1) / 2 : count;
    ssize_t       written = -1;
    if (verdict != VERDICT_FAIL)
        written = offset < 0 ? REAL(write)(file, bytes, some) : REAL(pwrite)(file, bytes, some, offset);
    if (path && written > 0)
        tell("write", file, offset < 0 ? lseek(file, 0, SEEK_CUR) - written : offset, (size_t)written, 0, path, bytes);
    if (path)
        leave(verdict);
    return written;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
    return write_some(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count)
{
    return write_some(file, bytes, count, -1);
}

// What was copied is recorded as if it were written.
ssize_t copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset, size_t count, unsigned flags)
{
    const char *path = path_of(to);
    if (!path || !to_offset)
        return REAL(copy_file_range)(from, from_offset, to, to_offset, count, flags);
    const off_t   offset = *to_offset;
    const Verdict verdict = enter("copy_file_range", path, true);
    ssize_t       copied = -1;
    if (verdict != VERDICT_FAIL)
        copied = REAL(copy_file_range)(from, from_offset, to, to_offset,
                                       verdict == VERDICT_HALF ? (count + 1) / 2 : count, flags);
    char *bytes = copied > 0 && record >= 0 ? malloc((size_t)copied) : NULL;
    if (bytes && pread(to, bytes, (size_t)copied, offset) == copied)
        tell("write", to, offset, (size_t)copied, 0, path, bytes);
    free(bytes);
    leave(verdict);
    return copied;
}

int ftruncate(int file, off_t length)
{
    const char *path = path_of(file);
    if (!path)
        return REAL(ftruncate)(file, length);
    const Verdict verdict = enter("ftruncate", path, true);
    const int     done = refused(verdict) ? -1 : REAL(ftruncate)(file, length);
    if (done == 0)
        tell("ftruncate", file, length, 0, 0, path, NULL);
    leave(verdict);
    return done;
}

int posix_fallocate(int file, off_t offset, off_t length)
{
    const char *path = path_of(file);
    if (!path)
        return REAL(posix_fallocate)(file, offset, length);
    const Verdict verdict = enter("fallocate", path, true);
    if (refused(verdict)) {
        const int reason = errno;
        leave(verdict);
        return reason;
    }
    const int failed = REAL(posix_fallocate)(file, offset, verdict == VERDICT_HALF && length > 1 ? length / 2 : length);
    if (!failed)
        tell("fallocate", file, offset + length, 0, 0, path, NULL);
    leave(verdict);
    return failed;
}

static int sync_file(int file, const char *name, int (*sync)(int file))
{
    const char *path = path_of(file);
    if (!path)
        return sync(file);
    const Verdict verdict = enter(name, path, true);
    const int     done = refused(verdict) ? -1 : sync(file);
    if (done == 0)
        tell("sync", file, 0, 0, 0, path, NULL);
    leave(verdict);
    return done;
}

int fsync(int file)
{
    return sync_file(file, "fsync", REAL(fsync));
}

int fdatasync(int file)
{
    return sync_file(file, "fdatasync", REAL(fdatasync));
}

// Of a change of names: from one to another, or of one alone.
typedef int (*Renaming)(const char *from, const char *to);
typedef int (*Removing)(const char *path);

static int change_name(const char *name, const char *from, const char *to, Renaming to_other, Removing alone)
{
    if (!is_ours(from))
        return to ? to_other(from, to) : alone(from);
    char both[2 * PATH_SIZE];
    snprintf(both, sizeof both, "%.127s%s%.127s", from, to ? " " : "", to ? to : "");
    const Verdict verdict = enter(name, both, to != NULL);
    const int     done = refused(verdict) ? -1 : to ? to_other(from, to) : alone(from);
    if (done == 0)
        tell(name, -1, 0, 0, 0, both, NULL);
    leave(verdict);
    return done;
}

int rename(const char *from, const char *to)
{
    return change_name("rename", from, to, REAL(rename), NULL);
}

int link(const char *from, const char *to)
{
    return change_name("link", from, to, REAL(link), NULL);
}

int unlink(const char *path)
{
    return change_name("unlink", path, NULL, NULL, REAL(unlink));
}

int flock(int file, int operation)
{
    const char *reason = getenv("PENDULA_FAULT_LOCKS");
    if (!reason)
        return REAL(flock)(file, operation);
    errno = (int)strtol(reason, NULL, 10);
    return -1;
}
