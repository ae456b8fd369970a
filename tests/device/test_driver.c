// test_driver -- the folder in which the driver compiles is private to a run, and nothing that lies in a cache harms
// one.
#include "support/program_case.h"

static const char sweep[] = "problem: pendulum\n"
                            "parameters: {x0: [0.5, 1, 2]}\n"
                            "methods: [rk4]\n"
                            "step: 0.1\n"
                            "end: 10\n"
                            "metrics: [status, x_final]\n";

enum { OTHER_USER = 65534 };

static void make_folder(const char *name, mode_t mode)
{
    assert_int_equal(mkdir(path_of(name).text, 0700), 0);
    assert_int_equal(chmod(path_of(name).text, mode), 0);
}

// Compilers and caches find no place but these.
static void surround(const char *home, const char *users, const char *temporary)
{
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    assert_int_equal(unsetenv("PENDULA_CACHE_DIR"), 0);
    assert_int_equal(home ? setenv("HOME", home, 1) : unsetenv("HOME"), 0);
    assert_int_equal(users ? setenv("POCL_CACHE_DIR", users, 1) : unsetenv("POCL_CACHE_DIR"), 0);
    assert_int_equal(setenv("TMPDIR", path_of(temporary).text, 1), 0);
}

static const char *const run_words[] = {"run", "sweep.yaml", "-o",         "out.h5", "-d",      "pthread",
                                        "-s",  "end=10",     "--progress", "none",   "--force", NULL};

// Runs the sweep, which must give the bytes that it always gives.
static void expect_run(const Surroundings *surroundings)
{
    Ending ending = program_run_in(surroundings, run_words);
    assert_code(&ending.command, 0);
    assert_contains(ending.command.out, "3 points on ");
    assert_string_equal(ending.command.error, "");
    expect_same_files("first.h5", "out.h5");
    drop_result("out.h5");
}

// Calls `use` with each file below a folder; returns how many there are.
static size_t walk(const char *path, void (*use)(const char *file))
{
    DIR                 *folder = opendir(path);
    const struct dirent *entry;
    size_t               count = 0;
    while (folder && (entry = readdir(folder))) {
        char        below[1024];
        struct stat about;
        snprintf(below, sizeof below, "%.700s/%s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || lstat(below, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode)) {
            count += walk(below, use);
            continue;
        }
        ++count;
        if (use)
            use(below);
    }
    if (folder)
        closedir(folder);
    return count;
}

static void expect_empty(const char *name)
{
    DIR                 *folder = opendir(path_of(name).text);
    const struct dirent *entry;
    assert_non_null(folder);
    while ((entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            fail_msg("%s/%s was left", name, entry->d_name);
    closedir(folder);
}

// Where a running child has mapped the kernel's library from.
static Path mapped_kernel(const Child *child)
{
    Path path = {{0}};
    char name[64], line[1024];
    snprintf(name, sizeof name, "/proc/%d/maps", (int)child->pid);
    while (!path.text[0] && child_runs(child)) {
        FILE *maps = fopen(name, "r");
        while (maps && fgets(line, sizeof line, maps)) {
            const char *at = strchr(line, '/');
            if (at && strstr(at, "/sweep.so"))
                snprintf(path.text, sizeof path.text, "%.*s", (int)strcspn(at, "\n"), at);
        }
        if (maps)
            fclose(maps);
        wait_seconds(0.02);
    }
    return path;
}

// Starts a run that does not end by itself, and says where its kernel's library comes from.
static Path endless_kernel(void)
{
    const Child child = child_start(NULL, WORDS("run", "sweep.yaml", "-o", "endless.h5", "-d", "pthread", "-s",
                                                "end=1e9", "--progress", "none", "--force"));
    const Path  path = mapped_kernel(&child);
    kill(child.pid, SIGINT);
    Ending ending = child_end(&child);
    assert_code(&ending.command, 75);
    assert_true(path.text[0] == '/');
    drop_result("endless.h5");
    return path;
}

static void expect_below(const Path *path, const char *folder)
{
    const Path wanted = path_of(folder);
    if (strncmp(path->text, wanted.text, strlen(wanted.text)) != 0)
        fail_msg("%s is not below %s", path->text, wanted.text);
}

TEST(without_a_home_a_run_compiles_in_a_folder_of_its_own)
{
    make_folder("alone", 0700);
    surround(NULL, NULL, "alone");
    const Path path = endless_kernel();
    expect_below(&path, "alone/pendula-driver-");
    expect_empty("alone");
    expect_run(NULL);
    expect_empty("alone");
}

TEST(a_home_that_cannot_be_written_is_no_matter)
{
    make_folder("unwritable", 0700);
    place_write("file", "");
    const char *const homes[] = {"/proc/nonexistent", path_of("file").text, path_of("file/below").text, ""};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; ++i) {
        surround(homes[i], NULL, "unwritable");
        EXPECT(0, "pthread", "list", "devices");
        expect_empty("unwritable");
    }
    expect_run(NULL);
    expect_empty("unwritable");
}

// A folder that others can change is passed by.
TEST(a_temporary_folder_of_others_is_not_used)
{
    make_folder("others", 0777);
    make_folder("others/sticky", 01777);
    surround(NULL, NULL, "others");
    // One build is enough for all of these.
    assert_int_equal(setenv("PENDULA_CACHE_DIR", path_of("common").text, 1), 0);
    Path path = endless_kernel();
    assert_null(strstr(path.text, path_of("others").text));
    // Nor one below it.
    assert_int_equal(setenv("TMPDIR", path_of("others/sticky").text, 1), 0);
    path = endless_kernel();
    assert_null(strstr(path.text, path_of("others").text));
    assert_int_equal(chmod(path_of("others").text, 01777), 0);
    path = endless_kernel();
    expect_below(&path, "others/sticky/pendula-driver-");
    expect_empty("others/sticky");
    if (geteuid() != 0) {
        print_message("skipped in part: only root can give a folder to another user\n");
        return;
    }
    // What another user made there is neither used nor removed.
    make_folder("others/sticky/pendula-driver-planted", 0755);
    assert_int_equal(chown(path_of("others/sticky/pendula-driver-planted").text, OTHER_USER, OTHER_USER), 0);
    expect_run(NULL);
    assert_true(place_has("others/sticky/pendula-driver-planted"));
    assert_int_equal(chown(path_of("others").text, OTHER_USER, OTHER_USER), 0);
    path = endless_kernel();
    assert_null(strstr(path.text, path_of("others").text));
}

static void expect_told(const char *folder)
{
    const size_t before = walk(path_of(folder).text, NULL);
    Ending       ending = program_run_in(NULL, run_words);
    assert_code(&ending.command, 0);
    assert_contains(ending.command.error, "compiled kernels are not kept: '");
    assert_contains(ending.command.error, path_of(folder).text);
    expect_same_files("first.h5", "out.h5");
    drop_result("out.h5");
    assert_int_equal(walk(path_of(folder).text, NULL), before);
}

// Whatever made them, files in a folder that the user names are used only where nobody else can have put them there.
TEST(a_folder_that_the_user_names_is_checked_too)
{
    make_folder("named", 0777);
    make_folder("named-temporary", 0700);
    surround(NULL, path_of("named").text, "named-temporary");
    expect_told("named");
    assert_int_equal(chmod(path_of("named").text, 0700), 0);
    assert_int_equal(symlink(path_of("named").text, path_of("link").text), 0);
    surround(NULL, path_of("link/").text, "named-temporary");
    expect_told("link");
    if (geteuid() == 0) {
        surround(NULL, path_of("named").text, "named-temporary");
        assert_int_equal(chown(path_of("named").text, OTHER_USER, OTHER_USER), 0);
        expect_told("named");
        assert_int_equal(chown(path_of("named").text, 0, 0), 0);
    } else {
        print_message("skipped in part: only root can give a folder to another user\n");
    }
    surround(NULL, path_of("named").text, "named-temporary");
    expect_run(NULL);
    assert_true(walk(path_of("named").text, NULL) > 0);
    expect_empty("named-temporary");
}

static char  *whole;
static size_t whole_count;
static Path   only;

static void remember(const char *file)
{
    struct stat about, kept;
    assert_true(strlen(file) < sizeof only.text);
    assert_int_equal(stat(file, &about), 0);
    if (!*only.text || (stat(only.text, &kept) == 0 && about.st_size >= kept.st_size))
        snprintf(only.text, sizeof only.text, "%s", file);
}

static void read_whole(void)
{
    whole = place_bytes(only.text + strlen(place.path) + 1, &whole_count);
}

// The files at which the walk is, cut off or changed at some place.
static size_t cut;
static bool   flip;

static void damage(const char *file)
{
    struct stat about;
    assert_int_equal(stat(file, &about), 0);
    const off_t at = about.st_size * (off_t)cut / 8;
    if (!flip) {
        assert_int_equal(truncate(file, at), 0);
        return;
    }
    FILE *opened = fopen(file, "r+b");
    char  byte = 0;
    assert_non_null(opened);
    if (about.st_size > 0) {
        assert_int_equal(fseeko(opened, at, SEEK_SET), 0);
        assert_int_equal(fread(&byte, 1, 1, opened), 1);
        byte = (char)~byte;
        assert_int_equal(fseeko(opened, at, SEEK_SET), 0);
        assert_int_equal(fwrite(&byte, 1, 1, opened), 1);
    }
    fclose(opened);
}

TEST(a_damaged_file_costs_a_rebuild_and_no_run)
{
    make_folder("damaged", 0700);
    make_folder("damaged/home", 0700);
    make_folder("damaged/named", 0700);
    make_folder("damaged/temporary", 0700);
    for (int named = 0; named < 2; ++named) {
        const Path below = path_of(named ? "damaged/named" : "damaged/home");
        surround(path_of("damaged/home").text, named ? path_of("damaged/named").text : NULL, "damaged/temporary");
        expect_run(NULL);
        assert_true(walk(below.text, remember) > 0);
        for (cut = named ? 7 : 0; cut < 8; cut += 3) {
            flip = cut == 6;
            walk(below.text, damage);
            expect_run(NULL);
        }
    }
    expect_empty("damaged/temporary");
}

static void set_age(const char *file)
{
    const struct timespec times[2] = {{.tv_sec = time(NULL) - 7200}, {.tv_sec = time(NULL) - 7200}};
    assert_int_equal(utimensat(AT_FDCWD, file, times, 0), 0);
}

// The second run finds its kernel: the entry is marked as used and left as it is.
TEST(what_was_compiled_is_kept)
{
    struct stat about;
    make_folder("kept", 0700);
    make_folder("kept/temporary", 0700);
    surround(path_of("kept").text, NULL, "kept/temporary");
    expect_run(NULL);
    // The program, and what is known of the device's arithmetic.
    only = (Path){{0}};
    assert_int_equal(walk(path_of("kept/.cache/pendula").text, remember), 2);
    read_whole();
    char        *before = whole;
    const size_t count = whole_count;
    set_age(only.text);
    expect_run(NULL);
    assert_int_equal(walk(path_of("kept").text, NULL), 2);
    assert_int_equal(stat(only.text, &about), 0);
    assert_true(time(NULL) - about.st_mtim.tv_sec < 3600);
    read_whole();
    assert_int_equal(whole_count, count);
    assert_memory_equal(whole, before, count);
    expect_empty("kept/temporary");

    // Other commands keep what they compile too.
    EXPECT(0, "omega_h", "spectrum", "rk4", "--zeta", "0", "--omega-h", "0.1", "-d", "pthread", "--format", "csv");
    assert_true(walk(path_of("kept").text, NULL) > 2);

    // Where the cache cannot be written it can be read; where settings cannot be looked for there are none.
    make_folder("locked", 0);
    assert_int_equal(setenv("XDG_CONFIG_HOME", path_of("locked").text, 1), 0);
    const Surroundings other = {.user = geteuid() == 0 ? OTHER_USER : 0};
    assert_int_equal(chmod(path_of("kept/.cache/pendula").text, 0500), 0);
    if (other.user) {
        assert_int_equal(chown(path_of("kept/.cache/pendula").text, OTHER_USER, OTHER_USER), 0);
        assert_int_equal(chmod(place.path, 0711), 0);
        assert_int_equal(chmod(path_of("kept").text, 0711), 0);
        assert_int_equal(chmod(path_of("kept/.cache").text, 0711), 0);
        assert_int_equal(chmod(path_of("kept/temporary").text, 01777), 0);
    }
    Ending ending = program_run_in(&other, WORDS("list", "devices"));
    assert_code(&ending.command, 0);
    assert_string_equal(ending.command.error, "");
}

TEST(a_run_killed_while_compiling_leaves_nothing_for_long)
{
    make_folder("killed", 0700);
    make_folder("killed/temporary", 0700);
    surround(path_of("killed").text, NULL, "killed/temporary");
    for (int i = 1; i <= 2; ++i) {
        const Child child = child_start(NULL, run_words);
        // Until the driver's folder is there, and then some files in it.
        while (child_runs(&child) && walk(path_of("killed/temporary").text, NULL) == 0)
            wait_seconds(0.005);
        wait_seconds(0.3 * i);
        kill(child.pid, SIGKILL);
        child_end(&child);
        drop_result("out.h5");
    }
    expect_run(NULL);
    expect_empty("killed/temporary");
}

TEST(runs_at_once_do_not_disturb_each_other)
{
    enum { RUNS = 3 };
    static const char *const names[RUNS] = {"a.h5", "b.h5", "c.h5"};
    Child                    children[RUNS];
    make_folder("shared", 0700);
    make_folder("shared/temporary", 0700);
    surround(path_of("shared").text, NULL, "shared/temporary");
    for (int i = 0; i < RUNS; ++i)
        children[i] = child_start(
            NULL, WORDS("run", "sweep.yaml", "-o", names[i], "-d", "pthread", "-s", "end=10", "--progress", "none"));
    for (int i = 0; i < RUNS; ++i) {
        Ending ending = child_end(&children[i]);
        assert_code(&ending.command, 0);
        expect_same_files("first.h5", names[i]);
    }
    assert_int_equal(walk(path_of("shared/.cache").text, NULL), 2);
    expect_empty("shared/temporary");
}

// The bytes that every run must give come from the first, with a cache of its own; where there is no PoCL there is
// nothing to test.
static int make_first(void **state)
{
    make_place(state);
    place_write("sweep.yaml", sweep);
    make_folder("first", 0700);
    make_folder("first/temporary", 0700);
    surround(path_of("first").text, NULL, "first/temporary");
    Ending     ending = program_run_in(NULL, run_words);
    const int  code = ending.command.code;
    const Path from = path_of("out.h5"), to = path_of("first.h5");
    if (code == 8) {
        print_message("skipped: no device of PoCL's (Debian: pocl-opencl-icd)\n");
        remove_place(state);
        exit(0);
    }
    assert_code(&ending.command, 0);
    assert_int_equal(rename(from.text, to.text), 0);
    drop_result("out.h5");
    return 0;
}

AROUND_ALL(make_first, remove_place)
