// directory -- checks of a folder and of all folders above it, and removal.
#include "base/directory.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { TRIES = 8 };

// In a user namespace files that belong to nobody inside, the root of the file system for one, have this owner.
static const uid_t unmapped_owner = 65534;

bool directory_ours_only(const struct stat *about)
{
    return about->st_uid == geteuid() && (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// A folder above: whoever can write to it can put another one in the place of ours. Our own group is a user's alone on
// systems that let it write by default.
static bool is_safe_parent(const struct stat *about)
{
    const uid_t me = geteuid(), owner = about->st_uid;
    const bool  trusted = owner == 0 || owner == me || (me != 0 && owner == unmapped_owner);
    const bool  shared =
        (about->st_mode & S_IWOTH) != 0 || ((about->st_mode & S_IWGRP) != 0 && about->st_gid != getegid());
    return trusted && (!shared || (about->st_mode & S_ISVTX) != 0);
}

bool directory_is_safe(int directory)
{
    struct stat about, above;
    int         at = fcntl(directory, F_DUPFD_CLOEXEC, 0);
    bool        safe = at >= 0 && fstat(at, &about) == 0 && is_safe_parent(&about);
    while (safe) {
        const int parent = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
        close(at);
        at = parent;
        safe = at >= 0 && fstat(at, &above) == 0 && is_safe_parent(&above);
        if (safe && above.st_ino == about.st_ino && above.st_dev == about.st_dev)
            break;
        about = above;
    }
    if (at >= 0)
        close(at);
    return safe;
}

// Makes a folder and its parents, as far as they are missing.
static void make(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

int directory_open(const char *path, bool *refused)
{
    Text        copy SCOPED(text_free) = {0};
    struct stat about;
    int         directory = -1;
    *refused = false;
    text_add(&copy, "%s", path);
    // A name with a slash behind it would be followed where it is a link.
    while (!copy.failed && copy.length > 1 && copy.text[copy.length - 1] == '/')
        copy.text[--copy.length] = '\0';
    if (!copy.failed && copy.length > 0) {
        make(copy.text);
        directory = open(copy.text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        *refused = directory < 0 && lstat(copy.text, &about) == 0 && S_ISLNK(about.st_mode);
    }
    if (directory >= 0 &&
        (fstat(directory, &about) != 0 || !directory_ours_only(&about) || !directory_is_safe(directory))) {
        *refused = true;
        close(directory);
        directory = -1;
    }
    return directory;
}

DIR *directory_list(int parent, const char *name)
{
    const int inside = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR      *list = inside >= 0 ? fdopendir(inside) : NULL;
    if (!list && inside >= 0)
        close(inside);
    return list;
}

void directory_remove(int parent, const char *name)
{
    DIR                 *folder = directory_list(parent, name);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            unlinkat(dirfd(folder), entry->d_name, 0) != 0)
            directory_remove(dirfd(folder), entry->d_name);
    if (folder)
        closedir(folder);
    unlinkat(parent, name, AT_REMOVEDIR);
}

// Another process may take the folder for one that was left, before it is locked, and remove it.
int directory_make_held(char *path)
{
    char *letters = path + strlen(path) - 6;
    for (int i = 0; i < TRIES; i++) {
        struct stat about;
        memcpy(letters, "XXXXXX", 6);
        if (!mkdtemp(path))
            return -1;
        const int held = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (held < 0)
            continue;
        // Where the file system has no locks nobody takes it for left either.
        flock(held, LOCK_EX);
        if (fstat(held, &about) == 0 && about.st_nlink > 0)
            return held;
        close(held);
    }
    errno = EAGAIN;
    return -1;
}

void directory_remove_left(int parent, const char *prefix)
{
    DIR                 *list = directory_list(parent, ".");
    const struct dirent *entry;
    struct stat          about;
    while (list && (entry = readdir(list))) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        const int left SCOPED(file_close) =
            openat(parent, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (left >= 0 && fstat(left, &about) == 0 && directory_ours_only(&about) && flock(left, LOCK_EX | LOCK_NB) == 0)
            directory_remove(parent, entry->d_name);
    }
    if (list)
        closedir(list);
}
