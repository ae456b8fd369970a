// output -- lock, space, name, and access by address.
#include "store/output.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

bool output_fail(Error *err, const char *path, const char *what)
{
    const int reason = errno;
    fail(err, ERROR_IO, "%s: %s: %s", path, what, strerror(reason));
    err->code = reason;
    return false;
}

bool output_advise(Error *err, const char *then)
{
    const Error why = *err;
    const bool  full = why.code == ENOSPC || why.code == EDQUOT;
    if (why.kind == ERROR_IO && (full || why.code == EIO))
        fail(err, ERROR_IO, "%.4000s; %s %s", why.message, full ? "make room, and" : "when the disk works again,",
             then);
    return false;
}

// A lock counts only while its file still has its name: the last holder removes the file before letting go.
static bool still_named(const char *path, int file)
{
    struct stat named, opened;
    return stat(path, &named) == 0 && fstat(file, &opened) == 0 && named.st_ino == opened.st_ino &&
           named.st_dev == opened.st_dev;
}

// Removes a lock file that nobody can lock.
static bool lack_lock(const char *path, const char *lock_path, bool needed, int reason, int *lock, Error *err)
{
    unlink(lock_path);
    *lock = -1;
    if (!needed)
        return true;
    fail(err, ERROR_IO, "%s: cannot be locked: %s", path, strerror(reason));
    err->code = reason;
    return false;
}

bool output_lock(const char *path, const char *lock_path, bool needed, int *lock, Error *err)
{
    for (;;) {
        int file = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0)
            return output_fail(err, lock_path, "cannot be written");
        if (flock(file, LOCK_EX | LOCK_NB) != 0) {
            int reason = errno;
            close(file);
            if (reason == EWOULDBLOCK)
                return fail(err, ERROR_LOCKED, "%s: being written by another process", path);
            if (file_lacks_locks(reason))
                return lack_lock(path, lock_path, needed, reason, lock, err);
            return fail(err, ERROR_IO, "%s: cannot be locked: %s", lock_path, strerror(reason));
        }
        if (still_named(lock_path, file)) {
            *lock = file;
            return true;
        }
        close(file);
    }
}

void output_unlock(const char *lock_path, int lock)
{
    if (lock < 0)
        return;
    unlink(lock_path);
    close(lock);
}

void output_tidy(const char *path, const char *lock_path, const char *temporary)
{
    Error unsaid;
    int   lock;
    if ((access(temporary, F_OK) == 0 || access(lock_path, F_OK) == 0) &&
        output_lock(path, lock_path, true, &lock, &unsaid)) {
        unlink(temporary);
        output_unlock(lock_path, lock);
    }
}

const char *output_name(const char *path, Arena *arena, Error *err)
{
    struct stat info;
    char *target SCOPED(scoped_free) = lstat(path, &info) == 0 && S_ISLNK(info.st_mode) ? realpath(path, NULL) : NULL;
    return arena_copy(arena, target ? target : path, err);
}

bool output_check_inputs(const char *path, bool retried, const Outputs *inputs, Error *err)
{
    static const char *const endings[] = {"", ".log", ".lock", ".tmp", ".retry"};
    const size_t             count = sizeof endings / sizeof *endings - !retried;
    bool                     ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        Text beside SCOPED(text_free) = {0};
        text_add(&beside, "%s%s", path, endings[i]);
        ok = text_check(&beside, err) && outputs_check_inputs(inputs, beside.text, err);
    }
    return ok;
}

bool output_exists(const char *path, bool *exists, Error *err)
{
    struct stat info;
    *exists = stat(path, &info) == 0;
    if (*exists && S_ISDIR(info.st_mode))
        return fail(err, ERROR_IO, "%s: is a directory", path);
    if (*exists && !S_ISREG(info.st_mode))
        return fail(err, ERROR_IO, "%s: is not a regular file", path);
    if (!*exists && (errno != ENOENT || lstat(path, &info) == 0))
        return fail(err, ERROR_IO, "%s: %s", path, errno == ENOENT ? "is a broken link" : strerror(errno));
    return true;
}

// The part of a path before its last '/', or ".".
typedef struct Folder {
    char path[PATH_MAX];
} Folder;

static Folder folder_of(const char *path)
{
    Folder      folder = {"."};
    const char *slash = strrchr(path, '/');
    if (slash)
        snprintf(folder.path, sizeof folder.path, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return folder;
}

// Bytes as "2.01 TB".
static Amount amount(double bytes)
{
    static const char *const units[] = {" bytes", " kB", " MB", " GB", " TB", " PB", " EB"};
    return text_amount(bytes, units);
}

bool output_room(const char *path, uint64_t bytes, Error *err)
{
    struct rlimit  limit;
    struct statvfs info;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur)
        return fail(err, ERROR_IO, "%s: needs %" PRIu64 " bytes (%s), but this process may write files of %s only",
                    path, bytes, amount((double)bytes).text, amount((double)limit.rlim_cur).text);
    const Folder folder = folder_of(path);
    if (access(folder.path, W_OK | X_OK) != 0)
        return fail(err, ERROR_IO, "%s: cannot be made in the folder '%s': %s", path, folder.path, strerror(errno));
    if (statvfs(folder.path, &info) == 0 && (double)info.f_bavail * (double)info.f_frsize < (double)bytes)
        return fail(err, ERROR_IO, "%s: needs %" PRIu64 " bytes (%s), but only %s are free in '%s'", path, bytes,
                    amount((double)bytes).text, amount((double)info.f_bavail * (double)info.f_frsize).text,
                    folder.path);
    return true;
}

// The lock file belongs to a name, and a file may have several: hard links. So its writer also holds one byte of the
// file itself, far behind its end, by a lock that no reader asks for. Where the file system takes both kinds of lock
// for one, as NFS does, it would keep readers out, and is given up.
static bool lock_itself(int file, const char *path, Error *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = INT64_MAX - 1, .l_len = 1};
    if (fcntl(file, F_OFD_SETLK, &lock) != 0)
        return (errno != EAGAIN && errno != EACCES) ||
               fail(err, ERROR_LOCKED, "%s: being written by another process", path);
    const int reader SCOPED(file_close) = open(path, O_RDONLY | O_CLOEXEC);
    if (reader >= 0 && flock(reader, LOCK_SH | LOCK_NB) != 0) {
        lock.l_type = F_UNLCK;
        fcntl(file, F_OFD_SETLK, &lock);
    }
    return true;
}

bool output_open(const char *path, bool writing, int *file, Error *err)
{
    int opened SCOPED(file_close) = open(path, (writing ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (opened < 0)
        return output_fail(err, path, writing ? "cannot be opened for writing" : "cannot be opened");
    if (flock(opened, LOCK_SH | LOCK_NB) != 0 && !file_lacks_locks(errno))
        return errno == EWOULDBLOCK ? fail(err, ERROR_LOCKED, "%s: open for writing in another program", path)
                                    : fail(err, ERROR_IO, "%s: cannot be locked: %s", path, strerror(errno));
    if (writing && !lock_itself(opened, path, err))
        return false;
    *file = opened;
    opened = -1;
    return true;
}

void output_note_locks(const char *path, Text *notes)
{
    const int lack = file_find_lack(path);
    if (lack)
        text_add(notes, "%s: cannot be locked (%s): nothing keeps another program from writing it meanwhile\n", path,
                 strerror(lack));
}

bool output_open_log(const char *path, int *file, Error *err)
{
    struct stat info;
    // Without O_NONBLOCK a pipe that nobody reads would be waited for.
    *file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (*file < 0)
        return fail(err, ERROR_IO, "%s: cannot be written: %s", path,
                    errno == ELOOP   ? "it is a symbolic link"
                    : errno == ENXIO ? "it is a pipe"
                                     : strerror(errno));
    if (fstat(*file, &info) == 0 && S_ISREG(info.st_mode))
        return true;
    close(*file);
    *file = -1;
    return fail(err, ERROR_IO, "%s: cannot be written: it is not a regular file", path);
}

void output_take_log(const char *from, const char *to)
{
    char      bytes[4096];
    Error     unsaid;
    const int in = open(from, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    int       out = -1;
    if (in >= 0 && output_open_log(to, &out, &unsaid))
        for (ssize_t got; (got = read(in, bytes, sizeof bytes)) > 0;)
            if (write(out, bytes, (size_t)got) != got)
                break;
    if (out >= 0)
        close(out);
    if (in >= 0) {
        close(in);
        unlink(from);
    }
}

static bool sync_folder(const char *path, Error *err)
{
    const Folder folder = folder_of(path);
    const int    file SCOPED(file_close) = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return (file >= 0 && fsync(file) == 0) || output_fail(err, folder.path, "cannot be synced");
}

bool output_fill(int file, const char *temporary, const char *path, Error *err)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return fail(err, ERROR_IO, "%s: %s", temporary, strerror(errno));
    return output_fill_range(file, path, 0, (uint64_t)info.st_size, err) && output_sync(file, temporary, err);
}

bool output_fill_range(int file, const char *path, uint64_t offset, uint64_t bytes, Error *err)
{
    int reason = bytes ? EINTR : 0;
    while (reason == EINTR)
        reason = posix_fallocate(file, (off_t)offset, (off_t)bytes);
    if (reason == 0)
        return true;
    char what[64];
    snprintf(what, sizeof what, "no room for its %s", amount((double)bytes).text);
    errno = reason;
    return output_fail(err, path, what);
}

bool output_sync(int file, const char *path, Error *err)
{
    return fsync(file) == 0 || output_fail(err, path, "cannot be synced");
}

bool output_settle(const char *temporary, const char *path, Error *err)
{
    if (rename(temporary, path) != 0)
        return output_fail(err, path, "its temporary file cannot be given its name");
    return sync_folder(path, err);
}

bool output_write(int file, const char *path, const void *bytes, size_t count, uint64_t offset, Error *err)
{
    const char *next = bytes;
    while (count > 0) {
        ssize_t written = pwrite(file, next, count, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0)
            return fail(err, ERROR_IO, "%s: cannot be written: no progress", path);
        if (written < 0)
            return output_fail(err, path, "cannot be written");
        next += written;
        offset += (uint64_t)written;
        count -= (size_t)written;
    }
    return true;
}

bool output_read(int file, const char *path, void *bytes, size_t count, uint64_t offset, Error *err)
{
    char *next = bytes;
    while (count > 0) {
        ssize_t got = pread(file, next, count, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return output_fail(err, path, "cannot be read");
        if (got == 0)
            return fail(err, ERROR_INPUT, "%s: damaged: it ends too early", path);
        next += got;
        offset += (uint64_t)got;
        count -= (size_t)got;
    }
    return true;
}
