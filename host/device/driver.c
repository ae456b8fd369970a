// driver -- makes PoCL's folder, and packs and unpacks the files in it.
#include "device/driver.h"

#include "base/directory.h"
#include "base/file.h"
#include "device/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

// Room for a compiler's temporary files, and the longest path PoCL can add to: its own are at most 1024 long.
enum { LEAST_ROOM = 32 << 20, LONGEST_PLACE = 512 };
// More than any program's file; a longer one is not kept.
static const size_t file_limit = (size_t)64 << 20;
static const char   prefix[] = "pendula-driver-";

// PoCL reads the name of its folder once, for the process. So this is the process's too.
static struct {
    pid_t process;                   // that made it; 0: it is not made
    int   parent, directory;         // open descriptors; the second holds the lock that says it is in use
    char  path[LONGEST_PLACE + 32];  // absolute
    char *users;                     // POCL_CACHE_DIR before, or NULL
} folder;

const char *driver_folder(void)
{
    return folder.path;
}

const char *driver_users_folder(void)
{
    return folder.users;
}

// A forked child must not remove the folder that its parent uses.
void driver_remove(void)
{
    if (folder.process == getpid())
        directory_remove(folder.parent, strrchr(folder.path, '/') + 1);
}

static bool make_at(const char *path)
{
    char          *place = path && *path ? realpath(path, NULL) : NULL;
    int            parent = -1;
    bool           made = false;
    struct statvfs about;
    if (place && strlen(place) <= LONGEST_PLACE)
        parent = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // Code is run from there, and the compiler needs room.
    if (parent >= 0 && directory_is_safe(parent) && fstatvfs(parent, &about) == 0 && (about.f_flag & ST_NOEXEC) == 0 &&
        (uint64_t)about.f_bavail * about.f_frsize >= LEAST_ROOM) {
        directory_remove_left(parent, prefix);
        snprintf(folder.path, sizeof folder.path, "%s/%sXXXXXX", place, prefix);
        folder.directory = directory_make_held(folder.path);
        made = folder.directory >= 0;
    }
    if (made)
        folder.parent = parent;
    else if (parent >= 0)
        close(parent);
    free(place);
    return made;
}

bool driver_prepare(Error *err)
{
    const char *users = getenv("POCL_CACHE_DIR");
    Text        cache = {0};
    if (folder.process != 0)
        return true;
    cache_find(users, &cache);
    const bool made = make_at(getenv("TMPDIR")) || make_at("/tmp") || make_at("/var/tmp") || make_at(cache.text);
    text_free(&cache);
    if (!made)
        return fail(err, ERROR_IO,
                    "no place for compiled kernels: set TMPDIR to a folder with %d MB of room, from which programs may "
                    "be run, and which nobody else can exchange",
                    LEAST_ROOM >> 20);
    folder.process = getpid();
    folder.users = users ? strdup(users) : NULL;
    atexit(driver_remove);
    return setenv("POCL_CACHE_DIR", folder.path, 1) == 0 || fail(err, ERROR_INTERNAL, "out of memory");
}

// Whether `lines` has this line.
static bool has_line(const Text *lines, const char *line)
{
    const size_t length = strlen(line);
    const char  *found = lines && lines->text ? strstr(lines->text, line) : NULL;
    for (; found; found = strstr(found + 1, line))
        if ((found == lines->text || found[-1] == '\n') && found[length] == '\n')
            return true;
    return false;
}

static void add_line(Text *lines, const char *line)
{
    if (!has_line(lines, line))
        text_add(lines, "%s\n", line);
}

// The next entry of a folder that is not hidden, or NULL.
static const char *next_entry(DIR *list)
{
    const struct dirent *entry;
    while (list && (entry = readdir(list)))
        if (entry->d_name[0] != '.')
            return entry->d_name;
    return NULL;
}

// Programs lie two deep.
void driver_list(const Text *known, Text *folders)
{
    DIR        *outer = directory_list(folder.directory, ".");
    const char *first, *second;
    while ((first = next_entry(outer))) {
        DIR *inner = directory_list(folder.directory, first);
        while ((second = next_entry(inner))) {
            char name[2 * NAME_MAX + 2];
            snprintf(name, sizeof name, "%s/%s", first, second);
            if (!has_line(known, name))
                add_line(folders, name);
        }
        if (inner)
            closedir(inner);
    }
    if (outer)
        closedir(outer);
}

// Header before a file's name and its bytes.
typedef struct FileHeader {
    uint64_t name_bytes, bytes;
    uint32_t mode, spare;
} FileHeader;

static bool pack_file(int file, const char *name, const struct stat *about, Text *packed)
{
    Text       bytes = {0};
    Error      unsaid;
    const bool read = file_read_open(file, name, file_limit, &bytes, &unsaid);
    if (read) {
        const FileHeader header = {
            .name_bytes = strlen(name), .bytes = bytes.length, .mode = (uint32_t)about->st_mode & 0700};
        text_add_bytes(packed, (const char *)&header, sizeof header);
        text_add_bytes(packed, name, header.name_bytes);
        text_add_bytes(packed, bytes.length ? bytes.text : "", bytes.length);
    }
    text_free(&bytes);
    return read && !packed->failed;
}

// Packs a path below the driver's folder: a file, or all files of a folder.
static bool pack(const char *name, Text *packed)
{
    struct stat about;
    const char *entry;
    bool        ok = true;
    const int   found = openat(folder.directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (found < 0)
        return false;
    if (fstat(found, &about) == 0 && S_ISREG(about.st_mode)) {
        ok = pack_file(found, name, &about, packed);
    } else if (S_ISDIR(about.st_mode)) {
        DIR *list = directory_list(found, ".");
        while (ok && (entry = next_entry(list))) {
            Text below = {0};
            text_add(&below, "%s/%s", name, entry);
            ok = !below.failed && pack(below.text, packed);
            text_free(&below);
        }
        if (list)
            closedir(list);
    }
    close(found);
    return ok;
}

bool driver_pack(const Text *folders, Text *packed)
{
    bool ok = true;
    for (const char *line = folders->text; ok && line && *line; line = strchr(line, '\n') + 1) {
        Text name = {0};
        text_add_bytes(&name, line, (size_t)(strchr(line, '\n') - line));
        ok = !name.failed && pack(name.text, packed);
        text_free(&name);
    }
    return ok && packed->length > 0;
}

// Makes the folders above a file and notes the program's, the second.
static void make_above(char *name, Text *folders)
{
    int depth = 0;
    for (char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdirat(folder.directory, name, 0700);
        if (++depth == 2)
            add_line(folders, name);
        *slash = '/';
    }
}

// A file that is there is left alone: it was put there by this process, and its code may be running.
static bool unpack_file(const char *name, const FileHeader *header, const char *bytes)
{
    const int file =
        openat(folder.directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, header->mode & 0700);
    if (file < 0)
        return errno == EEXIST;
    bool written = file_write_open(file, bytes, (size_t)header->bytes);
    written = close(file) == 0 && written;
    if (!written)
        unlinkat(folder.directory, name, 0);
    return written;
}

bool driver_unpack(const Text *packed, Text *folders)
{
    const char *next = packed->text;
    size_t      left = packed->length;
    bool        ok = left > 0;
    while (ok && left > 0) {
        FileHeader header = {0};
        Text       name = {0};
        ok = left >= sizeof header;
        if (ok) {
            memcpy(&header, next, sizeof header);
            left -= sizeof header;
            next += sizeof header;
            ok = header.name_bytes <= left && header.bytes <= left - header.name_bytes;
        }
        if (ok) {
            text_add_bytes(&name, next, (size_t)header.name_bytes);
            ok = name.length > 0 && !name.failed && name.text[0] != '/' && !strstr(name.text, "..");
        }
        if (ok) {
            make_above(name.text, folders);
            ok = unpack_file(name.text, &header, next + header.name_bytes);
            left -= header.name_bytes + header.bytes;
            next += header.name_bytes + header.bytes;
        }
        text_free(&name);
    }
    return ok && !folders->failed;
}
