// test_cache -- the cache of compiled programs returns what was stored or nothing, and never stops a run.
#include "device/cache.h"

#include "support/program_case.h"

AROUND_ALL(make_place, remove_place)

static const char *const places[] = {"PENDULA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};

// Opens the directory of this name below the place; it must be good.
static Cache open_there(const char *name)
{
    Cache cache;
    char  notice[CACHE_NOTICE_SIZE];
    assert_int_equal(setenv("PENDULA_CACHE_DIR", path_of(name).text, 1), 0);
    cache_open(&cache, NULL, notice);
    assert_string_equal(notice, "");
    assert_true(cache.directory >= 0);
    return cache;
}

static Text text_of(const char *words)
{
    Text text = {0};
    text_add(&text, "%s", words);
    assert_false(text.failed);
    return text;
}

// Whether the cache gives back these bytes for a key; anything else than these or nothing stops the test.
static bool holds(const Cache *cache, const char *key_words, const void *bytes, size_t count)
{
    Text       key SCOPED(text_free) = text_of(key_words), binary SCOPED(text_free) = {0};
    const bool found = cache_read(cache, &key, &binary);
    if (found) {
        assert_int_equal(binary.length, count);
        assert_memory_equal(binary.text, bytes, count);
    } else {
        assert_int_equal(binary.length, 0);
    }
    return found;
}

static void put(const Cache *cache, const char *key_words, const void *bytes, size_t count)
{
    Text key SCOPED(text_free) = text_of(key_words);
    cache_write(cache, &key, bytes, count);
}

// Walks the entries of a directory: calls `use` with each path. Returns how many there are.
static size_t walk(const char *directory, void (*use)(const char *path))
{
    DIR                 *folder = opendir(path_of(directory).text);
    const struct dirent *entry;
    size_t               count = 0;
    assert_non_null(folder);
    while ((entry = readdir(folder)))
        if (entry->d_name[0] != '.') {
            char name[512];
            snprintf(name, sizeof name, "%s/%s", directory, entry->d_name);
            ++count;
            if (use)
                use(path_of(name).text);
        }
    closedir(folder);
    return count;
}

static char only_path[512];

static void keep_path(const char *path)
{
    snprintf(only_path, sizeof only_path, "%s", path);
}

// The path of a directory's only entry.
static const char *only_entry(const char *directory)
{
    assert_int_equal(walk(directory, keep_path), 1);
    return only_path;
}

static void keep_larger(const char *path)
{
    struct stat about, kept;
    assert_int_equal(stat(path, &about), 0);
    if (!*only_path || (stat(only_path, &kept) == 0 && about.st_size > kept.st_size))
        keep_path(path);
}

// The path of the program's entry, beside that of the device's arithmetic.
static const char *program_entry(const char *directory)
{
    *only_path = '\0';
    assert_int_equal(walk(directory, keep_larger), 2);
    return only_path;
}

static void write_file(const char *path, const char *bytes, size_t count)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, count), (ssize_t)count);
    close(file);
}

TEST(what_was_put_in_comes_out)
{
    static const char odd[] = "\0binary\xff, with\nanything";
    Cache             cache = open_there("deep/below/plain");
    struct stat       about;
    assert_false(holds(&cache, "key", odd, sizeof odd));
    put(&cache, "key", odd, sizeof odd);
    assert_true(holds(&cache, "key", odd, sizeof odd));
    assert_false(holds(&cache, "kex", odd, sizeof odd));
    assert_false(holds(&cache, "key ", odd, sizeof odd));
    assert_int_equal(stat(path_of("deep/below/plain").text, &about), 0);
    assert_int_equal(about.st_mode & 07777, 0700);
    assert_int_equal(stat(only_entry("deep/below/plain"), &about), 0);
    assert_int_equal(about.st_mode & 07777, 0600);
    put(&cache, "key", "other", 5);
    assert_true(holds(&cache, "key", "other", 5));
    put(&cache, "empty", "", 0);
    assert_true(holds(&cache, "empty", "", 0));
    cache_close(&cache);

    cache = open_there("deep/below/plain");
    assert_true(holds(&cache, "key", "other", 5));
    cache_close(&cache);
}

TEST(damage_is_noticed_and_repaired)
{
    static const char binary[] = "the binary, which is rather short";
    Cache             cache SCOPED(cache_close) = open_there("damage");
    size_t            count;
    put(&cache, "a key of some length", binary, sizeof binary);
    const char *path = only_entry("damage");
    char       *whole = test_file(path, &count), *changed = test_take(count + 1, 1);
    assert_true(count > sizeof binary + 20);
    for (size_t at = 0; at < count; ++at)
        for (int bit = 0; bit < 8; ++bit) {
            memcpy(changed, whole, count);
            changed[at] = (char)(changed[at] ^ (1 << bit));
            write_file(path, changed, count);
            assert_false(holds(&cache, "a key of some length", binary, sizeof binary));
        }
    for (size_t length = 0; length < count; ++length) {
        write_file(path, whole, length);
        assert_false(holds(&cache, "a key of some length", binary, sizeof binary));
    }
    memcpy(changed, whole, count);
    changed[count] = 0;
    write_file(path, changed, count + 1);
    assert_false(holds(&cache, "a key of some length", binary, sizeof binary));
    put(&cache, "a key of some length", binary, sizeof binary);
    assert_true(holds(&cache, "a key of some length", binary, sizeof binary));
}

// As if two keys had one hash: the entry of one under the name of the other, both of one length.
TEST(another_keys_entry_is_not_taken)
{
    Cache  cache SCOPED(cache_close) = open_there("collision");
    size_t count;
    put(&cache, "key A", "binary A", 8);
    const char *path = only_entry("collision");
    char       *of_a = test_file(path, &count);
    assert_int_equal(unlink(path), 0);
    put(&cache, "key B", "binary B", 8);
    path = only_entry("collision");
    write_file(path, of_a, count);
    assert_false(holds(&cache, "key B", "binary B", 8));
    assert_false(holds(&cache, "key A", "binary A", 8));
}

TEST(an_entry_that_is_no_private_file_is_not_taken)
{
    Cache cache SCOPED(cache_close) = open_there("entries");
    char  path[512];
    put(&cache, "key", "binary", 6);
    snprintf(path, sizeof path, "%s", only_entry("entries"));
    assert_int_equal(chmod(path, 0620), 0);
    assert_false(holds(&cache, "key", "binary", 6));
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(holds(&cache, "key", "binary", 6));
    assert_int_equal(rename(path, path_of("elsewhere").text), 0);
    assert_int_equal(symlink(path_of("elsewhere").text, path), 0);
    assert_false(holds(&cache, "key", "binary", 6));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(holds(&cache, "key", "binary", 6));
    put(&cache, "key", "binary", 6);
    assert_true(holds(&cache, "key", "binary", 6));
}

static void expect_refused(const char *name)
{
    Cache cache SCOPED(cache_close);
    char  notice[CACHE_NOTICE_SIZE];
    assert_int_equal(setenv("PENDULA_CACHE_DIR", path_of(name).text, 1), 0);
    cache_open(&cache, NULL, notice);
    assert_int_equal(cache.directory, -1);
    assert_contains(notice, "compiled kernels are not kept: '");
    assert_contains(notice, path_of(name).text);
    assert_false(holds(&cache, "key", "binary", 6));
    put(&cache, "key", "binary", 6);
    assert_int_equal(walk(name, NULL), 1);
}

TEST(directories_open_to_others_are_refused)
{
    Cache cache = open_there("open");
    put(&cache, "key", "binary", 6);
    cache_close(&cache);
    assert_int_equal(chmod(path_of("open").text, 0770), 0);
    expect_refused("open");
    assert_int_equal(chmod(path_of("open").text, 01707), 0);
    expect_refused("open");
    assert_int_equal(chmod(path_of("open").text, 0755), 0);
    cache = open_there("open");
    assert_true(holds(&cache, "key", "binary", 6));
    cache_close(&cache);
    if (geteuid() == 0) {
        assert_int_equal(chown(path_of("open").text, 65534, 65534), 0);
        expect_refused("open");
    }
}

static void expect_none(void)
{
    Cache cache SCOPED(cache_close);
    char  notice[CACHE_NOTICE_SIZE];
    cache_open(&cache, NULL, notice);
    assert_int_equal(cache.directory, -1);
    assert_string_equal(notice, "");
    assert_false(holds(&cache, "key", "binary", 6));
    put(&cache, "key", "binary", 6);
}

TEST(it_can_be_turned_off)
{
    assert_int_equal(setenv("PENDULA_CACHE_DIR", "none", 1), 0);
    expect_none();
    assert_int_equal(setenv("PENDULA_CACHE_DIR", "", 1), 0);
    expect_none();
    // Nor is there one where its directory cannot be.
    write_file(path_of("file").text, "text", 4);
    assert_int_equal(setenv("PENDULA_CACHE_DIR", path_of("file").text, 1), 0);
    expect_none();
    assert_int_equal(setenv("PENDULA_CACHE_DIR", path_of("file/below").text, 1), 0);
    expect_none();
}

static void expect_place(const char *directory)
{
    Cache cache SCOPED(cache_close);
    char  notice[CACHE_NOTICE_SIZE];
    cache_open(&cache, NULL, notice);
    assert_true(cache.directory >= 0);
    put(&cache, "key", "binary", 6);
    only_entry(directory);
}

TEST(it_is_found_where_caches_are)
{
    char *before[3];
    for (size_t i = 0; i < 3; ++i) {
        before[i] = getenv(places[i]) ? strdup(getenv(places[i])) : NULL;
        assert_int_equal(setenv(places[i], path_of(places[i]).text, 1), 0);
    }
    expect_place("PENDULA_CACHE_DIR");
    assert_int_equal(unsetenv("PENDULA_CACHE_DIR"), 0);
    expect_place("XDG_CACHE_HOME/pendula");
    assert_int_equal(setenv("XDG_CACHE_HOME", "relative", 1), 0);  // to be ignored, says its specification
    expect_place("HOME/.cache/pendula");
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    assert_int_equal(unsetenv("HOME"), 0);
    expect_none();
    for (size_t i = 0; i < 3; ++i) {
        if (before[i])
            assert_int_equal(setenv(places[i], before[i], 1), 0);
        free(before[i]);
    }
}

// In a child, since what it does to itself cannot be undone.
static void expect_child(bool (*works)(const Cache *cache), const Cache *cache)
{
    int         state = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(works(cache) ? 0 : 1);
    assert_int_equal(waitpid(child, &state, 0), child);
    assert_true(WIFEXITED(state) && WEXITSTATUS(state) == 0);
}

static bool reads_but_cannot_write(const Cache *cache)
{
    Text old = text_of("old"), new = text_of("new"), binary = {0};
    if (geteuid() == 0 && setuid(65534) != 0)
        return false;
    cache_write(cache, &new, "binary", 6);
    return cache_read(cache, &old, &binary) && !cache_read(cache, &new, &binary);
}

static bool has_no_room(const Cache *cache)
{
    const struct rlimit limit = {60, 60};
    Text new = text_of("new"), binary = {0};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return false;
    cache_write(cache, &new, "a binary of many bytes", 22);
    return !cache_read(cache, &new, &binary);
}

TEST(what_cannot_be_written_is_not_kept)
{
    Cache cache SCOPED(cache_close) = open_there("full");
    put(&cache, "old", "binary", 6);
    expect_child(has_no_room, &cache);
    assert_int_equal(walk("full", NULL), 1);
    assert_int_equal(chmod(path_of("full").text, 0500), 0);
    if (geteuid() == 0) {
        assert_int_equal(chmod(place.path, 0711), 0);
        assert_int_equal(chown(only_entry("full"), 65534, 65534), 0);
        assert_int_equal(chown(path_of("full").text, 65534, 65534), 0);
    }
    expect_child(reads_but_cannot_write, &cache);
    assert_int_equal(walk("full", NULL), 1);
    assert_int_equal(chmod(path_of("full").text, 0700), 0);
}

enum { WRITERS = 4, ROUNDS = 300, BINARY_BYTES = 30000 };

// Writes binaries that each consist of one byte, and reads what others wrote: always one binary, whole.
static bool writes_and_reads(const Cache *cache)
{
    char *binary = malloc(BINARY_BYTES);
    Text  key SCOPED(text_free) = text_of("shared");
    bool  good = binary != NULL;
    for (int i = 0; good && i < ROUNDS; ++i) {
        Text found SCOPED(text_free) = {0};
        memset(binary, (getpid() + i) & 0xff, BINARY_BYTES);
        cache_write(cache, &key, binary, BINARY_BYTES);
        good = cache_read(cache, &key, &found) && found.length == BINARY_BYTES &&
               memcmp(found.text, found.text + 1, BINARY_BYTES - 1) == 0;
    }
    free(binary);
    return good;
}

TEST(writers_at_once_do_not_mix)
{
    Cache cache SCOPED(cache_close) = open_there("shared");
    pid_t children[WRITERS];
    for (int i = 0; i < WRITERS; ++i) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            _exit(writes_and_reads(&cache) ? 0 : 1);
    }
    for (int i = 0; i < WRITERS; ++i)
        assert_int_equal(wait_for_exit(children[i]), 0);
    only_entry("shared");
}

static void set_age(const char *path)
{
    const struct timespec times[2] = {{.tv_sec = time(NULL) - 7200}, {.tv_sec = time(NULL) - 7200}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

TEST(the_least_recently_used_goes_first)
{
    static const char binary[1000];
    Cache             cache SCOPED(cache_close) = open_there("small");
    cache.limit = 3500;
    put(&cache, "one", binary, sizeof binary);
    walk("small", set_age);
    put(&cache, "two", binary, sizeof binary);
    put(&cache, "three", binary, sizeof binary);
    assert_true(holds(&cache, "two", binary, sizeof binary));
    walk("small", set_age);
    assert_true(holds(&cache, "one", binary, sizeof binary));  // used last now
    assert_true(holds(&cache, "three", binary, sizeof binary));
    put(&cache, "four", binary, sizeof binary);
    assert_int_equal(walk("small", NULL), 3);
    assert_false(holds(&cache, "two", binary, sizeof binary));
    assert_true(holds(&cache, "one", binary, sizeof binary));
    assert_true(holds(&cache, "three", binary, sizeof binary));
    assert_true(holds(&cache, "four", binary, sizeof binary));

    // What a killed writer left goes too; what is not the cache's stays, and what can never fit is not tried.
    write_file(path_of("small/left.1.tmp").text, "", 0);
    write_file(path_of("small/mine").text, binary, sizeof binary);
    set_age(path_of("small/left.1.tmp").text);
    cache.limit = 1500;
    put(&cache, "two", binary, sizeof binary);
    assert_int_equal(walk("small", NULL), 2);
    assert_true(holds(&cache, "two", binary, sizeof binary));
    cache.limit = 1000;
    put(&cache, "three", binary, sizeof binary);
    cache.limit = 1500;
    assert_false(holds(&cache, "three", binary, sizeof binary));
    assert_true(holds(&cache, "two", binary, sizeof binary));
}

static const char sweep[] = "problem: pendulum\n"
                            "parameters: {x0: [0.5, 1, 2]}\n"
                            "methods: [rk4]\n"
                            "step: 0.1\n"
                            "end: 10\n"
                            "metrics: [status, x_final]\n";

// Runs the sweep with the cache "run"; it must give the bytes of the first run. OpenCL's own cache is a new one.
static void run_with_cache(const char *output)
{
    static int number;
    char       name[32];
    Path       path;
    snprintf(name, sizeof name, "opencl-%d", ++number);
    path = path_of(name);
    assert_int_equal(mkdir(path.text, 0700), 0);
    assert_int_equal(setenv("PENDULA_CACHE_DIR", path_of("run").text, 1), 0);
    const Surroundings fresh = {.variable = "POCL_CACHE_DIR", .value = path.text};
    expect_in(&fresh, 0, "3 points on ", WORDS("run", "sweep.yaml", "-o", output, "--progress", "none"));
    expect_same_files("first.h5", output);
}

static bool is_new(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return time(NULL) - about.st_mtim.tv_sec < 3600;
}

TEST(runs_use_it_and_do_not_depend_on_it)
{
    size_t count, now, key_bytes;
    place_write("sweep.yaml", sweep);
    run_with_cache("first.h5");
    char path[512];
    snprintf(path, sizeof path, "%s", program_entry("run"));
    char *whole = test_file(path, &count);
    memcpy(&key_bytes, whole + 16, sizeof key_bytes);  // the key stands behind a header of 48 bytes
    assert_true(memmem(whole, count, "kernel __attribute__(", 21) != NULL);

    // Found and whole, it is marked as used and left as it is.
    set_age(path);
    run_with_cache("second.h5");
    assert_true(is_new(program_entry("run")));
    char *bytes = test_file(path, &now);
    assert_int_equal(now, count);
    assert_memory_equal(bytes, whole, count);

    // Damaged, it is made anew.
    char *changed = test_take(count, 1);
    memcpy(changed, whole, count);
    changed[count - 100] = (char)~changed[count - 100];
    write_file(path, changed, count);
    run_with_cache("third.h5");
    bytes = test_file(program_entry("run"), &now);
    assert_true(now != count || memcmp(bytes, changed, count) != 0);

    // Nor does it matter that the driver refuses what is in it.
    Text key SCOPED(text_free) = {0};
    text_add_bytes(&key, whole + 48, key_bytes);
    Cache cache SCOPED(cache_close) = open_there("run");
    cache_write(&cache, &key, "no binary of any driver's", 25);
    run_with_cache("fourth.h5");
    Text binary SCOPED(text_free) = {0};
    assert_true(cache_read(&cache, &key, &binary));
    assert_true(binary.length > 1000);
}

TEST(a_directory_open_to_others_is_told_once)
{
    place_write("sweep.yaml", sweep);
    assert_int_equal(mkdir(path_of("loose").text, 0700), 0);
    assert_int_equal(chmod(path_of("loose").text, 0777), 0);
    const Surroundings loose = {.variable = "PENDULA_CACHE_DIR", .value = path_of("loose").text};
    Ending ending = program_run_in(&loose, WORDS("run", "sweep.yaml", "-o", "loose.h5", "--progress", "none"));
    assert_code(&ending.command, 0);
    const char *told = strstr(ending.command.error, "compiled kernels are not kept: '");
    assert_non_null(told);
    assert_null(strstr(told + 1, "compiled kernels are not kept"));
    assert_int_equal(walk("loose", NULL), 0);
}
