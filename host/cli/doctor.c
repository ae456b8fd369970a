// doctor -- `pendula doctor`: what this machine has for runs, as a report of a bug needs it.
#include "base/directory.h"
#include "base/file.h"
#include "cli/version.h"
#include "device/cache.h"
#include "device/compiler.h"
#include "device/device.h"
#include "device/driver.h"
#include "terminal/commands.h"
#include "terminal/settings_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { LARGEST_ICD = 4096 };

const Usage doctor_command_usage = {
    .about = "Prints the version and the facts of its build, the machine, OpenCL's drivers and devices, C compilers, "
             "caches of compiled kernels, locks of result files in this folder, and where a sweep would run.",
    .notes =
        "Put all of it into a report of a bug. Exits with 8 where no device can run a sweep in double precision. No "
        "kernel is compiled."};

// A line of the report: a key, and a value that may be as long as it likes.
static void add_line(Text *text, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add_line(Text *text, const char *key, const char *format, ...)
{
    char    value[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    text_add(text, "%-15s %s\n", key, value);
}

static void add_machine(Text *text)
{
    static const char *const variables[] = {"PENDULA_DEVICE",   "PENDULA_CC",          "PENDULA_CACHE_DIR",
                                            "PENDULA_PROGRESS", "OCL_ICD_VENDORS",     "OCL_ICD_FILENAMES",
                                            "POCL_CACHE_DIR",   "CUDA_VISIBLE_DEVICES"};
    struct utsname           name;
    struct statvfs           space;
    char                     folder[1024];
    if (uname(&name) == 0)
        add_line(text, "system", "%s %s %s, %ld processors, %.1f GiB", name.sysname, name.release, name.machine,
                 sysconf(_SC_NPROCESSORS_ONLN),
                 (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / (1 << 30));
    if (getcwd(folder, sizeof folder) && statvfs(".", &space) == 0)
        add_line(text, "folder", "%s, %.1f GiB free%s", folder,
                 (double)space.f_bavail * (double)space.f_frsize / (1 << 30),
                 access(".", W_OK) == 0 ? "" : ", cannot be written");
    for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i)
        if (getenv(variables[i]))
            add_line(text, "environment", "%s=%s", variables[i], getenv(variables[i]));
}

static bool ends_with(const char *name, const char *ending)
{
    const size_t length = strlen(name), count = strlen(ending);
    return length > count && strcmp(name + length - count, ending) == 0;
}

// The files that name OpenCL's drivers, and the library in each.
static void add_drivers(Text *text)
{
    const char *set = getenv("OCL_ICD_VENDORS"), *folder = set && *set ? set : "/etc/OpenCL/vendors";
    DIR        *entries = directory_list(AT_FDCWD, folder);
    size_t      count = 0;
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        char  path[2048], *library = NULL;
        Arena arena SCOPED(arena_free) = {0};
        Error err = {0};
        if (!ends_with(entry->d_name, ".icd"))
            continue;
        ++count;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (file_read(path, LARGEST_ICD, &arena, &library, NULL, &err))
            add_line(text, "OpenCL driver", "%s: %.*s", path, (int)strcspn(library, "\r\n"), library);
        else
            add_line(text, "OpenCL driver", "%s", err.message);
    }
    if (entries)
        closedir(entries);
    if (count == 0)
        add_line(text, "OpenCL driver", "none: no file of the ending .icd in %s", folder);
}

static void add_devices(Text *text)
{
    DeviceInfo *infos SCOPED(scoped_free) = NULL;
    size_t      count = 0;
    Error       err = {0};
    char        key[32];
    if (!device_list(&infos, &count, &err))
        add_line(text, "devices", "%s", err.message);
    else if (count == 0)
        add_line(text, "devices", "none");
    for (size_t i = 0; i < count; ++i) {
        const DeviceInfo *info = &infos[i];
        snprintf(key, sizeof key, "device %zu", i);
        add_line(text, key, "%s, %s, %s, driver %s, %s", info->gpu ? "gpu" : "cpu", info->name, info->platform,
                 info->driver, info->version);
        add_line(text, "", "%s, %u compute units, %.1f GiB, lanes %d (single precision %d)",
                 info->fp64 ? "double and single precision" : "single precision only", info->compute_units,
                 (double)info->memory / (1 << 30), info->lanes_double, info->lanes_single);
    }
}

static void add_compilers(Text *text)
{
    const char  *compilers[COMPILER_MOST];
    const size_t count = compiler_list(compilers);
    for (size_t i = 0; i < count; ++i) {
        Text about SCOPED(text_free) = {0};
        compiler_describe(compilers[i], &about);
        add_line(text, "C compiler", "%s, %s", compiler_name(compilers[i]), about.text ? about.text : "");
    }
    if (count == 0)
        add_line(text, "C compiler", "none%s: the device `native` and certificates need clang or gcc",
                 getenv("PENDULA_CC") ? " by PENDULA_CC" : "");
}

// A folder of compiled kernels; one that is not there is made by the first run.
static void add_cache(Text *text, const char *key, const char *otherwise)
{
    Text        path SCOPED(text_free) = {0};
    struct stat about;
    uint64_t    bytes = 0;
    size_t      files = 0;
    bool        refused = false;
    cache_find(otherwise, &path);
    DIR *entries = path.text ? directory_list(AT_FDCWD, path.text) : NULL;
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;)
        if (fstatat(dirfd(entries), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode)) {
            bytes += (uint64_t)about.st_size;
            ++files;
        }
    if (!path.text) {
        add_line(text, key, "none");
    } else if (!entries) {
        add_line(text, key, "%s: %s", path.text, errno == ENOENT ? "not there yet" : strerror(errno));
    } else {
        const int opened = directory_open(path.text, &refused);
        add_line(text, key, "%s: %.1f MiB in %zu files, %s", path.text, (double)bytes / (1 << 20), files,
                 opened < 0                ? "not used: others can change it, or it cannot be opened"
                 : access(path.text, W_OK) ? "cannot be written"
                                           : "writable");
        file_close(&opened);
    }
    if (entries)
        closedir(entries);
}

// The locks of result files in this folder: a run holds its own, a killed one leaves its own behind.
static void add_locks(Text *text)
{
    DIR *entries = directory_list(AT_FDCWD, ".");
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        if (!ends_with(entry->d_name, ".h5.lock"))
            continue;
        const int  file SCOPED(file_close) = open(entry->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        const bool held = file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        add_line(text, "lock", "%s: %s", entry->d_name,
                 file < 0 ? strerror(errno)
                 : held   ? "held: a process writes the result file"
                          : "free: left by a process that was killed");
    }
    if (entries)
        closedir(entries);
    if (file_find_lack(".") != 0)
        add_line(text, "lock", "this file system has no locks: `run --no-lock` writes without");
}

// Says where a sweep of that precision would run. Errors: those of device_open() and device_choose().
static bool add_place(Text *text, Precision precision, Error *err)
{
    const char *key = precision == PRECISION_DOUBLE ? "would run" : "", *named = options_device(),
               *of = precision == PRECISION_DOUBLE ? "double precision" : "single precision";
    size_t  numbers[DEVICES_MOST], count = 1;
    Device *device = NULL;
    if (named && strcmp(named, "reference") == 0) {
        add_line(text, key, "%s on the reference", of);
        return true;
    }
    bool ok =
        named ? device_choose(named, precision, numbers, &count, err) : device_open(NULL, precision, &device, err);
    for (size_t i = 0; ok && i < count; ++i) {
        ok = device || device_open_number(numbers[i], &device, err);
        if (ok)
            add_line(text, i == 0 ? key : "", "%s on %s, %s", of, device_info(device)->name,
                     device_info(device)->platform);
        device_close(device);
        device = NULL;
    }
    if (!ok)
        add_line(text, key, "%s nowhere: %s", of, err->message);
    return ok;
}

static bool examine(void *arguments, Error *err)
{
    Text         text SCOPED(text_free) = {0};
    SettingsFile settings SCOPED(settings_file_free) = {0};
    Error        wrong = {0};
    (void)arguments;
    version_print(&text);
    add_machine(&text);
    if (!settings_file_apply(&settings, &wrong))
        add_line(&text, "settings file", "wrong: %s", wrong.message);
    // Before devices are opened, which make the folder.
    add_cache(&text, "cache", NULL);
    add_drivers(&text);
    add_devices(&text);
    add_compilers(&text);
    if (driver_users_folder())
        add_cache(&text, "cache of PoCL", driver_users_folder());
    add_locks(&text);
    const bool runs = add_place(&text, PRECISION_DOUBLE, err);
    wrong = (Error){0};
    add_place(&text, PRECISION_SINGLE, &wrong);
    Error printing = {0};
    if (options_print(&text, &printing))
        return runs;
    *err = printing;
    return false;
}

// It takes no option and no argument.
OPTIONS_COMMAND(doctor_command, char, doctor_command_usage, examine, 0)
