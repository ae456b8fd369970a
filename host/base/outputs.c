// outputs -- checks of paths, private folders next to them, and renaming.
#include "base/outputs.h"

#include "base/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void outputs_keep(Outputs *outputs, const char *path)
{
    if (path && outputs->input_count < OUTPUTS_INPUTS)
        outputs->inputs[outputs->input_count++] = path;
}

bool outputs_check_inputs(const Outputs *outputs, const char *path, Error *err)
{
    struct stat output, input;
    if (stat(path, &output) != 0)
        return true;
    for (size_t i = 0; i < outputs->input_count; ++i)
        if (stat(outputs->inputs[i], &input) == 0 && input.st_dev == output.st_dev && input.st_ino == output.st_ino)
            return fail(err, ERROR_IO,
                        "'%.1000s' is a file that this command reads or has written; choose another name", path);
    return true;
}

static bool refuse(const char *path, int reason, Error *err)
{
    return fail(err, ERROR_IO, "'%.1000s' cannot be written: %s", path, strerror(reason));
}

bool outputs_check(const Outputs *outputs, const char *path, Error *err)
{
    struct stat about;
    if (strcmp(path, "-") == 0)
        return true;
    if (!*path || !*name_of(path))
        return fail(err, ERROR_IO, "'%.1000s' cannot be written: not the name of a file", path);
    if (!outputs_check_inputs(outputs, path, err))
        return false;
    if (stat(path, &about) != 0) {
        const int reason = errno;
        if (reason != ENOENT)
            return refuse(path, reason, err);
        if (lstat(path, &about) == 0)
            return fail(err, ERROR_IO, "'%.1000s' cannot be written: a broken link", path);
        Text folder SCOPED(text_free) = {0};
        text_add(&folder, "%.*s.", (int)(name_of(path) - path), path);
        return text_check(&folder, err) && (stat(folder.text, &about) == 0 || refuse(path, errno, err));
    }
    if (!S_ISREG(about.st_mode))
        return fail(err, ERROR_IO, "'%.1000s' cannot be written: %s; - is standard output", path,
                    S_ISDIR(about.st_mode) ? "a folder" : "not a regular file");
    return outputs->force || fail(err, ERROR_IO, "'%.1000s' exists already; --force replaces it", path);
}

bool outputs_interrupted(void)
{
    sigset_t waiting;
    return sigpending(&waiting) == 0 &&
           (sigismember(&waiting, SIGINT) || sigismember(&waiting, SIGTERM) || sigismember(&waiting, SIGHUP));
}

// Removes the leftovers of killed processes from a folder; "" is the current one.
static void remove_left(const char *place)
{
    const int folder = open(place && *place ? place : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    directory_remove_left(folder, ".pendula-");
    close(folder);
}

bool outputs_open(const char *path, OutputsFolder *folder, Error *err)
{
    sigset_t stopping;
    text_add(&folder->path, "%.*s", (int)(name_of(path) - path), path);
    remove_left(folder->path.text);
    text_add(&folder->path, ".pendula-XXXXXX");
    if (!text_check(&folder->path, err))
        return false;
    sigemptyset(&stopping);
    sigaddset(&stopping, SIGINT);
    sigaddset(&stopping, SIGTERM);
    sigaddset(&stopping, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &stopping, &folder->before);
    folder->held = directory_make_held(folder->path.text);
    folder->made = folder->held >= 0;
    if (!folder->made) {
        const int reason = errno;
        pthread_sigmask(SIG_SETMASK, &folder->before, NULL);
        return refuse(path, reason, err);
    }
    text_add(&folder->path, "/");
    return text_check(&folder->path, err);
}

static bool add(const OutputsFolder *folder, const char *path, const char *mode, const Text *text, Error *err)
{
    Text  inside SCOPED(text_free) = {0};
    FILE *file = NULL;
    text_add(&inside, "%s%s", folder->path.text, name_of(path));
    bool ok = text_check(&inside, err) && text_check(text, err);
    if (ok) {
        file = fopen(inside.text, mode);
        ok = file && (text->length == 0 || fwrite(text->text, 1, text->length, file) == text->length);
        ok = file && fclose(file) == 0 && ok;
        ok = ok || refuse(path, errno, err);
    }
    return ok;
}

bool outputs_add(const OutputsFolder *folder, const char *path, const Text *text, Error *err)
{
    return add(folder, path, "wxe", text, err);
}

bool outputs_append(const OutputsFolder *folder, const char *path, const Text *text, Error *err)
{
    return add(folder, path, "ae", text, err);
}

// Brings a file to the disk, so that its new name never stands for half of it. It takes over the permissions of the
// file that it replaces.
static bool sync_file(const char *inside, const char *path)
{
    struct stat old;
    const int   file = open(inside, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const bool  replaces = stat(path, &old) == 0;
    const bool  ok = file >= 0 && (!replaces || fchmod(file, old.st_mode & 0777) == 0) && fsync(file) == 0;
    const int   reason = errno;
    if (file >= 0)
        close(file);
    errno = reason;
    return ok;
}

// Where nothing may be replaced, a file that came meanwhile stays too; not every file system can say so.
static bool rename_to(const char *inside, const char *path, bool force)
{
    if (force)
        return rename(inside, path) == 0;
    if (renameat2(AT_FDCWD, inside, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return true;
    return (errno == EINVAL || errno == ENOSYS) && rename(inside, path) == 0;
}

bool outputs_settle(const Outputs *outputs, const OutputsFolder *folder, const char *path, Error *err)
{
    Text inside SCOPED(text_free) = {0};
    text_add(&inside, "%s%s", folder->path.text, name_of(path));
    bool ok = text_check(&inside, err) && outputs_check(outputs, path, err);
    return ok &&
           ((sync_file(inside.text, path) && rename_to(inside.text, path, outputs->force)) || refuse(path, errno, err));
}

void outputs_close(OutputsFolder *folder)
{
    if (folder->made) {
        directory_remove(AT_FDCWD, folder->path.text);
        close(folder->held);
        pthread_sigmask(SIG_SETMASK, &folder->before, NULL);
    }
    text_free(&folder->path);
    *folder = (OutputsFolder){0};
}

bool outputs_write(const Outputs *outputs, const char *path, const Text *text, Error *err)
{
    OutputsFolder folder SCOPED(outputs_close) = {0};
    if (!text_check(text, err) || !outputs_check(outputs, path, err))
        return false;
    if (strcmp(path, "-") == 0) {
        const bool written = text->length == 0 || fwrite(text->text, 1, text->length, stdout) == text->length;
        return (fflush(stdout) == 0 && written) ||
               fail(err, ERROR_IO, "standard output cannot be written: %s", strerror(errno));
    }
    return outputs_open(path, &folder, err) && outputs_add(&folder, path, text, err) &&
           outputs_settle(outputs, &folder, path, err);
}
