// command -- children of a test: their folder, their words, what they print and how they end.
#include "support/command.h"

Place place;

int make_place(UNUSED void **state)
{
    snprintf(place.path, sizeof place.path, "/tmp/pendula-cli-XXXXXX");
    assert_non_null(mkdtemp(place.path));
    return 0;
}

int remove_place(UNUSED void **state)
{
    char *words[] = {"rm", "-rf", place.path, NULL};
    pid_t child;
    assert_int_equal(posix_spawnp(&child, words[0], NULL, NULL, words, environ), 0);
    return wait_for_exit(child);
}

Path path_of(const char *name)
{
    Path path;
    snprintf(path.text, sizeof path.text, "%s/%s", place.path, name);
    return path;
}

void place_write(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name).text, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

bool place_has(const char *name)
{
    struct stat about;
    return lstat(path_of(name).text, &about) == 0;
}

int wait_for_exit(pid_t child)
{
    int state = 0;
    assert_int_equal(waitpid(child, &state, 0), child);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

Command command_run(const char *output, const char *const *words)
{
    posix_spawn_file_actions_t actions;
    char                       out[128], error[128], *arguments[COMMAND_WORDS] = {0};
    Command                    command = {0};
    pid_t                      child;
    for (size_t i = 0; words[i]; ++i) {
        assert_true(i + 1 < COMMAND_WORDS);
        arguments[i] = strdup(words[i]);
    }
    snprintf(out, sizeof out, "%s/.stdout-%d", place.path, (int)getpid());
    snprintf(error, sizeof error, "%s/.stderr-%d", place.path, (int)getpid());
    unlink(out);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (output && !*output)
        posix_spawn_file_actions_addclose(&actions, 1);
    else
        posix_spawn_file_actions_addopen(&actions, 1, output ? output : out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, place.path);
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

Command command_ended(int code, const char *const *words)
{
    const Command command = command_run(NULL, words);
    assert_code(&command, code);
    return command;
}

void make_result(const char *name, const char *sweep, const char *device)
{
    char yaml[64];
    snprintf(yaml, sizeof yaml, "%s.yaml", name);
    place_write(yaml, sweep);
    ENDED(0, "run", yaml, "-d", device, "--progress", "none");
}

bool have_gnuplot(void)
{
    const char *const words[] = {"sh", "-c", "command -v gnuplot", NULL};
    const bool        have = command_run("/dev/null", words).code == 0;
    if (!have)
        print_message("gnuplot is not installed: no pictures\n");
    return have;
}

void need_gnuplot(void)
{
    if (!have_gnuplot())
        skip();
}

void assert_png(const char *name)
{
    unsigned char head[8] = {0};
    FILE         *file = fopen(path_of(name).text, "rb");
    if (!file || fread(head, 1, 8, file) != 8 || memcmp(head, "\x89PNG\r\n\x1a\n", 8) != 0)
        fail_msg("%s is no PNG", name);
    fclose(file);
}

size_t count_in(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        ++count;
    return count;
}
