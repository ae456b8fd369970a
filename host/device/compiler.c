// compiler -- a compiler is found in PATH or beside Python's package, and run on files of the process's private folder.
#include "device/compiler.h"

#include "base/child.h"
#include "base/file.h"
#include "device/driver.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 1 << 16, MOST_WORDS = 48, MOST_LIBRARY = 1 << 26 };

// The compiler of a sanitized program: its libraries are sanitized too.
#if defined __SANITIZE_ADDRESS__ || defined PENDULA_SANITIZED
#ifdef __clang__
static const char sanitized[] = "clang";
#else
static const char sanitized[] = "gcc";
#endif
#else
static const char sanitized[] = "";
#endif

// The value of PENDULA_CC; NULL: it is not set.
static const char *find_chosen(void)
{
    return getenv("PENDULA_CC");
}

const char *compiler_name(const char *compiler)
{
    const char *name = compiler ? compiler : find_chosen();
    return name ? name : "";
}

// Whether a compiler's name, without folders, begins with this one.
static bool is_named(const char *compiler, const char *begin)
{
    const char *name = compiler_name(compiler), *slash = strrchr(name, '/');
    return strncmp(slash ? slash + 1 : name, begin, strlen(begin)) == 0;
}

// Zig's program has clang inside, which its command `cc` runs.
static bool is_zig(const char *compiler)
{
    return is_named(compiler, "zig");
}

// The program that pip installs with `pendula[compiler]`: in the folder of packages whose package `pendula` has this
// library. To be freed. NULL: it is not there, or this code is not that library's.
static char *find_package(void)
{
    static const char own[] = "/pendula/libpendula.so", program[] = "/ziglang/zig";
    Dl_info           place = {0};
    Text              path = {0};
    const size_t      length = dladdr(own, &place) && place.dli_fname ? strlen(place.dli_fname) : 0;
    const size_t      before = length < sizeof own ? 0 : length - strlen(own);
    if (before > 0 && *place.dli_fname == '/' && strcmp(place.dli_fname + before, own) == 0)
        text_add(&path, "%.*s%s", (int)before, place.dli_fname, program);
    char *found = path.text && !path.failed && access(path.text, X_OK) == 0 ? realpath(path.text, NULL) : NULL;
    text_free(&path);
    return found;
}

// Where a compiler is, links followed; to be freed. NULL: it is not there.
static char *find_path(const char *compiler)
{
    const char *name = compiler_name(compiler), *folders = getenv("PATH");
    char       *found = NULL;
    if (*name == '/' && access(name, X_OK) == 0)
        return realpath(name, NULL);
    while (*name && folders && *folders && !found) {
        const size_t length = strcspn(folders, ":");
        Text         path = {0};
        text_add(&path, "%.*s/%s", (int)length, folders, name);
        // An empty folder, or a relative one, would be whatever folder the program is run in.
        if (*folders == '/' && !path.failed && access(path.text, X_OK) == 0)
            found = realpath(path.text, NULL);
        text_free(&path);
        folders += length + (folders[length] == ':');
    }
    return found || strcmp(name, "zig") != 0 ? found : find_package();
}

size_t compiler_list(const char *compilers[COMPILER_MOST])
{
    static const char *const ours[COMPILER_MOST] = {"clang", "gcc", "zig"};
    size_t                   count = 0;
    for (size_t i = 0; i < (find_chosen() ? 1 : COMPILER_MOST); ++i) {
        const char *compiler = find_chosen() ? NULL : ours[i];
        char       *path = find_path(compiler);
        if (path)
            compilers[count++] = compiler;
        free(path);
    }
    return count;
}

void compiler_describe(const char *compiler, Text *about)
{
    char       *path = find_path(compiler);
    struct stat file;
    struct tm   day;
    char        date[16] = "";
    if (path && stat(path, &file) == 0 && gmtime_r(&file.st_mtime, &day) && strftime(date, sizeof date, "%F", &day))
        text_add(about, "%s, %lld bytes of %s%s", path, (long long)file.st_size, date,
                 strcmp(sanitized, compiler_name(compiler)) == 0 ? ", sanitized" : "");
    free(path);
}

// Asks a compiler for the macros that it defines.
static bool defines_clang(const char *compiler)
{
    char       *place = find_path(compiler);
    const char *words[] = {compiler_name(compiler), "-dM", "-E", "-x", "c", "-", NULL};
    ChildTask   task = {.program = place, .arguments = (char *const *)words, .messages = MESSAGE_BYTES};
    ChildEnd    end = {0};
    Text        macros = {0};
    Error       err = {0};
    const bool  answered = place && child_run(&task, &end, &macros, &err) && !end.missing && end.status == 0;
    const bool  clang = answered && macros.length > 0 && strstr(macros.text, "__clang__");
    text_free(&macros);
    free(place);
    return clang;
}

bool compiler_has_vectors(const char *compiler)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static char           *asked;  // the last one whose name did not say what it is
    static bool            clang;
    if (is_named(compiler, "clang") || is_zig(compiler) || is_named(compiler, "gcc"))
        return !is_named(compiler, "gcc");
    pthread_mutex_lock(&mutex);
    if (!asked || strcmp(asked, compiler_name(compiler)) != 0) {
        clang = defines_clang(compiler);
        free(asked);
        asked = strdup(compiler_name(compiler));
    }
    const bool found = clang;
    pthread_mutex_unlock(&mutex);
    return found;
}

// Makes a file of the process's private folder and writes the bytes; its path, to be freed after unlink(), or NULL.
static char *make_file(const Text *bytes)
{
    Text path = {0};
    text_add(&path, "%s/native-XXXXXX", driver_folder());
    const int  file = path.failed ? -1 : mkostemp(path.text, O_CLOEXEC);
    const bool written = file >= 0 && file_write_open(file, bytes->length ? bytes->text : "", bytes->length);
    if (file >= 0 && !(close(file) == 0 && written)) {
        unlink(path.text);
        text_free(&path);
    }
    if (file < 0)
        text_free(&path);
    return path.text;
}

static void remove_file(char *path)
{
    if (path)
        unlink(path);
    free(path);
}

typedef struct Arguments {
    const char *list[MOST_WORDS + 1];  // NULL behind the last
    size_t      count;
} Arguments;

static void add_word(Arguments *words, const char *word)
{
    if (words->count < MOST_WORDS)
        words->list[words->count++] = word;
}

// Adds the compiler's arguments but for files; of OpenCL's options the definitions, and the others that have a meaning
// here.
//   options  cut at the spaces; the parts are borrowed
static void add_options(const char *compiler, char *options, Arguments *words)
{
    // The same numbers as OpenCL's: nothing contracted, nothing reassociated. errno is not set, which takes long.
    static const char *const always[] = {"-std=gnu17",      "-O3",          "-march=native", "-ffp-contract=off",
                                         "-fno-math-errno", "-fno-builtin", "-fPIC",         "-shared"};
    // Of all warnings one stays, as an error: a function that nothing declares. The compiler prints its line, a linker
    // its name alone. Without the last option but one gcc prints the line of a macro.
    static const char *const clangs[] = {"-Wno-everything", "-Werror=implicit-function-declaration"};
    static const char *const others[] = {
        "-Wno-discarded-qualifiers", "-Wno-incompatible-pointer-types", "-Wno-overflow",
        "-Wno-attributes",           "-ftrack-macro-expansion=0",       "-Werror=implicit-function-declaration"};
    // OpenCL C defines the left shift of a negative number.
    static const char *const sanitizers[] = {"-fsanitize=address,undefined", "-fno-sanitize=shift-base",
                                             "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"};
    char                    *rest = NULL;
    for (size_t i = 0; i < sizeof always / sizeof *always; ++i)
        add_word(words, always[i]);
    const bool clang = compiler_has_vectors(compiler);
    for (size_t i = 0; i < (clang ? sizeof clangs / sizeof *clangs : sizeof others / sizeof *others); ++i)
        add_word(words, clang ? clangs[i] : others[i]);
    // Sanitizers come with a library of their compiler's, of which there can be one in a process.
    for (size_t i = 0; strcmp(sanitized, compiler_name(compiler)) == 0 && i < sizeof sanitizers / sizeof *sanitizers;
         ++i)
        add_word(words, sanitizers[i]);
    for (char *word = strtok_r(options, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        if (strcmp(word, "-cl-opt-disable") == 0) {
            add_word(words, "-O1");
        } else if (strcmp(word, "-w") == 0) {
            continue;  // it would silence what is an error here
        } else if (strcmp(word, "-cl-single-precision-constant") != 0) {
            if (strncmp(word, "-cl", 3) != 0)
                add_word(words, word);
        } else if (compiler_has_vectors(compiler)) {
            add_word(words, "-Xclang");
            add_word(words, word);
        } else {
            add_word(words, "-fsingle-precision-constant");
        }
}

bool compiler_compile(const char *compiler, const char *options, const Text *text, Text *library, Text *messages)
{
    Arguments arguments = {0};
    ChildEnd  end = {0};
    Error     err = {0};
    Text      cache = {0};
    char     *own = strdup(options), *place = find_path(compiler);
    char     *from = text->failed ? NULL : make_file(text), *to = make_file(&(Text){0});
    bool      ok = own && place && from && to;
    if (ok) {
        const char *const files[] = {"-o", to, "-x", "c", from, "-lm"};
        add_word(&arguments, compiler_name(compiler));
        if (is_zig(compiler)) {
            // Else it keeps what it compiles, compiles a library that no kernel calls, and adds what debuggers need.
            text_add(&cache, "ZIG_GLOBAL_CACHE_DIR=%s/zig", driver_folder());
            add_word(&arguments, "cc");
            add_word(&arguments, "-nostdlib");
            add_word(&arguments, "-g0");
        }
        add_options(compiler, own, &arguments);
        for (size_t i = 0; i < sizeof files / sizeof *files; ++i)
            add_word(&arguments, files[i]);
        const ChildTask task = {.program = place,
                                .arguments = (char *const *)arguments.list,
                                .variable = cache.text,
                                .messages = MESSAGE_BYTES};
        ok = !cache.failed && child_run(&task, &end, messages, &err) && !end.missing && end.status == 0;
    }
    const int made = ok ? open(to, O_RDONLY | O_CLOEXEC) : -1;
    ok = made >= 0 && file_read_open(made, to, MOST_LIBRARY, library, &err);
    if (made >= 0)
        close(made);
    if (err.kind != ERROR_NONE)
        text_add(messages, "%s\n", err.message);
    else if (!ok && messages->length == 0)
        text_add(messages, "%s ended with status %d\n", compiler_name(compiler), end.status);
    remove_file(from);
    remove_file(to);
    text_free(&cache);
    free(place);
    free(own);
    return ok;
}

// Runs the compiled program; its messages take the place of the compiler's.
static bool run_program(char *path, CompilerTried *tried, Text *messages, Error *err)
{
    char *const     arguments[] = {path, NULL};
    const ChildTask task = {.program = path, .arguments = arguments, .messages = MESSAGE_BYTES};
    ChildEnd        end = {0};
    text_free(messages);
    tried->built = chmod(path, S_IRWXU) == 0 && child_run(&task, &end, messages, err) && !end.missing;
    tried->status = end.status;
    return tried->built || err->kind == ERROR_NONE;
}

bool compiler_try(const Text *text, CompilerTried *tried, Text *messages, Error *err)
{
    const char  *compilers[COMPILER_MOST];
    const size_t count = compiler_list(compilers);
    bool         ok = true;
    *tried = (CompilerTried){.compiler = count > 0};
    for (size_t i = count; ok && !tried->built && i-- > 0;) {
        // It has no sanitizers.
        if (is_zig(compilers[i]))
            continue;
        char       *from = make_file(text), *to = make_file(&(Text){0}), *place = find_path(compilers[i]);
        char *const arguments[] = {
            "cc", "-std=gnu17", "-g", "-O1", "-w", "-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-o", to,
            "-x", "c",          from, "-lm", NULL};
        const ChildTask task = {.program = place, .arguments = arguments, .messages = MESSAGE_BYTES};
        ChildEnd        end = {0};
        ok = (from && to && place) || fail(err, ERROR_IO, "%s: no room for what is compiled", driver_folder());
        ok = ok && child_run(&task, &end, messages, err);
        if (ok && !end.missing && end.status == 0)
            ok = run_program(to, tried, messages, err);
        remove_file(from);
        remove_file(to);
        free(place);
    }
    return ok;
}

void *compiler_load(const Text *library, Text *messages)
{
    char *path = make_file(library);
    void *loaded = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!loaded)
        text_add(messages, "%s\n", path ? dlerror() : "no room for what was compiled");
    // The message is kept until it is asked for again.
    if (!loaded)
        dlerror();
    remove_file(path);
    return loaded;
}
