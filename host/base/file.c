// file -- reads whole files, and knows which can be locked.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Until the end of the file, not until the size that stat() gives: a pipe has none.
bool file_read_open(int file, const char *path, size_t limit, Text *bytes, Error *err)
{
    char    piece[16384];
    ssize_t got;
    while ((got = read(file, piece, sizeof piece)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(err, ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
        text_add_bytes(bytes, piece, (size_t)got);
        if (bytes->length > limit)
            return fail(err, ERROR_INPUT, "%s: longer than %zu bytes", path, limit);
    }
    return text_check(bytes, err);
}

// Names of files that the process was given open: its standard input, or a shell's <(command).
static bool is_descriptor(const char *path)
{
    static const char *const names[] = {"/dev/stdin", "/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strncmp(path, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

bool file_read(const char *path, size_t limit, Arena *arena, char **text, size_t *length, Error *err)
{
    Text        bytes SCOPED(text_free) = {0};
    struct stat about;
    // Opened without O_NONBLOCK, a pipe would be waited for until somebody writes to it.
    const int file SCOPED(file_close) = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return fail(err, ERROR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    const bool known = fstat(file, &about) == 0;
    fcntl(file, F_SETFL, 0);
    if (known && S_ISDIR(about.st_mode))
        return fail(err, ERROR_IO, "%s: is a directory, not a file", path);
    if (known && S_ISFIFO(about.st_mode) && !is_descriptor(path))
        return fail(err, ERROR_IO, "%s: is a pipe, not a file; to read from one, redirect it and name /dev/stdin",
                    path);
    if (!file_read_open(file, path, limit, &bytes, err))
        return false;
    char *copy = arena_take(arena, bytes.length + 1, 1, err);
    if (!copy)
        return false;
    if (bytes.length > 0)
        memcpy(copy, bytes.text, bytes.length);
    *text = copy;
    if (length)
        *length = bytes.length;
    return true;
}

bool file_write_open(int file, const void *bytes, size_t count)
{
    const char *next = bytes;
    while (count > 0) {
        const ssize_t written = write(file, next, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        next += written;
        count -= (size_t)written;
    }
    return true;
}

void file_close(const int *file)
{
    if (*file >= 0)
        close(*file);
}

bool file_lacks_locks(int reason)
{
    return reason == ENOLCK || reason == ENOSYS || reason == EOPNOTSUPP;
}

int file_find_lack(const char *path)
{
    const int file SCOPED(file_close) = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    return file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0 && file_lacks_locks(errno) ? errno : 0;
}
