// program_case -- the program as a child: started, watched, waited for, its files compared.
#include "support/program_case.h"

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

void wait_seconds(double seconds)
{
    const struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

static bool open_as(const char *path, int flags, int number)
{
    const int file = open(path, flags, 0600);
    return file >= 0 && dup2(file, number) == number;
}

// The child's side of child_start(); does not return. terminal: where stderr goes, or -1.
static void become(const Child *child, const Surroundings *surroundings, int terminal, char **arguments)
{
    const struct rlimit limit = {surroundings->file_bytes, surroundings->file_bytes};
    // Another user may have no way to the folder that the program lies in.
    const int program = open(arguments[0], O_PATH | O_CLOEXEC);
    // A child outlives no test that stops half-way.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (chdir(place.path) != 0 || !open_as("/dev/null", O_RDONLY, 0) ||
        !open_as(child->out, O_WRONLY | O_CREAT | O_TRUNC, 1) ||
        !open_as(child->error, O_WRONLY | O_CREAT | O_TRUNC, 2) || (terminal >= 0 && dup2(terminal, 2) != 2) ||
        (surroundings->variable && setenv(surroundings->variable, surroundings->value, 1) != 0) ||
        (surroundings->file_bytes && setrlimit(RLIMIT_FSIZE, &limit) != 0) ||
        (surroundings->user && setuid(surroundings->user) != 0))
        _exit(126);
    fexecve(program, arguments, environ);
    _exit(127);
}

Child child_start_on(const Surroundings *surroundings, int terminal, const char *const *words)
{
    static const Surroundings plain = {0};
    static int                count;
    Child                     child = {.begin = seconds_now()};
    char                     *arguments[COMMAND_WORDS] = {(char *)PENDULA_PROGRAM};
    for (size_t i = 0; words[i]; ++i) {
        assert_true(i + 2 < COMMAND_WORDS);
        arguments[i + 1] = (char *)words[i];
    }
    ++count;
    snprintf(child.out, sizeof child.out, "%s/.out-%d", place.path, count);
    snprintf(child.error, sizeof child.error, "%s/.error-%d", place.path, count);
    child.pid = fork();
    assert_true(child.pid >= 0);
    if (child.pid == 0)
        become(&child, surroundings ? surroundings : &plain, terminal, arguments);
    return child;
}

Child child_start(const Surroundings *surroundings, const char *const *words)
{
    return child_start_on(surroundings, -1, words);
}

bool child_runs(const Child *child)
{
    siginfo_t info = {0};
    assert_int_equal(waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT), 0);
    return info.si_pid == 0;
}

Ending child_end(const Child *child)
{
    Ending        ending = {0};
    struct rusage usage;
    int           state = 0;
    assert_int_equal(wait4(child->pid, &state, 0, &usage), child->pid);
    ending.command.code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    ending.command.out = test_file(child->out, NULL);
    ending.command.error = test_file(child->error, NULL);
    ending.seconds = seconds_now() - child->begin;
    ending.busy = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    ending.memory_kib = usage.ru_maxrss;
    unlink(child->out);
    unlink(child->error);
    return ending;
}

Ending program_run_in(const Surroundings *surroundings, const char *const *words)
{
    const Child child = child_start(surroundings, words);
    return child_end(&child);
}

void expect_in(const Surroundings *surroundings, int code, const char *part, const char *const *words)
{
    Ending ending = program_run_in(surroundings, words);
    assert_code(&ending.command, code);
    assert_contains(code ? ending.command.error : ending.command.out, part);
    if (code) {
        const char *error = ending.command.error;
        assert_int_equal(strncmp(error, "pendula: ", 9), 0);
        assert_ptr_equal(strchr(error, '\n'), error + strlen(error) - 1);
        assert_string_equal(ending.command.out, "");
    }
}

size_t place_count(const char *prefix)
{
    DIR                 *folder = opendir(place.path);
    const struct dirent *entry;
    size_t               count = 0;
    assert_non_null(folder);
    while ((entry = readdir(folder)))
        count += entry->d_name[0] != '.' && strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    closedir(folder);
    return count;
}

char *place_bytes(const char *name, size_t *count)
{
    return test_file(path_of(name).text, count);
}

void expect_same_files(const char *one, const char *two)
{
    size_t count[2];
    char  *bytes[2] = {place_bytes(one, &count[0]), place_bytes(two, &count[1])};
    size_t at = 0;
    while (at < count[0] && at < count[1] && bytes[0][at] == bytes[1][at])
        ++at;
    if (at < count[0] || at < count[1])
        fail_msg("%s (%zu bytes) and %s (%zu bytes) differ at byte %zu", one, count[0], two, count[1], at);
}

void place_drop(const char *name)
{
    unlink(path_of(name).text);
}

void drop_result(const char *name)
{
    static const char *const endings[] = {"", ".log", ".lock", ".tmp"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        char file[128];
        snprintf(file, sizeof file, "%s%s", name, endings[i]);
        place_drop(file);
    }
}
