// command -- children of a test: their folder, their words, what they print and how they end.
#include "support/command.h"

void place_make(Place *place)
{
    snprintf(place->path, sizeof place->path, "/tmp/pendula-cli-XXXXXX");
    assert_non_null(mkdtemp(place->path));
}

void place_write(const Place *place, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", place->path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

bool place_has(const Place *place, const char *name)
{
    char        path[512];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", place->path, name);
    return lstat(path, &about) == 0;
}

int wait_for_exit(pid_t child)
{
    int state = 0;
    assert_int_equal(waitpid(child, &state, 0), child);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

Command command_run(const Place *place, const char *output, const char *const *words)
{
    posix_spawn_file_actions_t actions;
    char                       out[128], error[128], *arguments[COMMAND_WORDS] = {0};
    Command                    command = {0};
    pid_t                      child;
    for (size_t i = 0; words[i]; ++i) {
        assert_true(i + 1 < COMMAND_WORDS);
        arguments[i] = strdup(words[i]);
    }
    snprintf(out, sizeof out, "%s/.stdout-%d", place->path, (int)getpid());
    snprintf(error, sizeof error, "%s/.stderr-%d", place->path, (int)getpid());
    unlink(out);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (output && !*output)
        posix_spawn_file_actions_addclose(&actions, 1);
    else
        posix_spawn_file_actions_addopen(&actions, 1, output ? output : out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, place->path);
    assert_int_equal(posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    command.code = wait_for_exit(child);
    command.out = output ? NULL : test_file(out, NULL);
    command.error = test_file(error, NULL);
    unlink(out);
    unlink(error);
    for (size_t i = 0; i < COMMAND_WORDS; ++i)
        free(arguments[i]);
    return command;
}

Command command_ended(const Place *place, int code, const char *const *words)
{
    const Command command = command_run(place, NULL, words);
    assert_code(&command, code);
    return command;
}

static const Place root = {"/tmp"};

void place_remove(const Place *place)
{
    command_run(&root, "/dev/null", (const char *const[]){"rm", "-rf", place->path, NULL});
}

bool have_gnuplot(void)
{
    const char *const words[] = {"sh", "-c", "command -v gnuplot", NULL};
    const bool        have = command_run(&root, "/dev/null", words).code == 0;
    if (!have)
        print_message("gnuplot is not installed: no pictures\n");
    return have;
}

void need_gnuplot(void)
{
    if (!have_gnuplot())
        skip();
}

size_t count_in(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        ++count;
    return count;
}
