// child -- starts a program, reads its output, waits for its end.
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { POLL_MILLISECONDS = 200, NOT_FOUND = 127 };

// The environment with a variable more, NULL last; to be freed. NULL: out of memory.
static char **add_variable(char *variable)
{
    size_t count = 0;
    while (environ && environ[count])
        ++count;
    char **all = calloc(count + 2, sizeof *all);
    for (size_t i = 0; all && i < count; ++i)
        all[i] = environ[i];
    if (all)
        all[count] = variable;
    return all;
}

// Starts it with its messages going into the pipe; a code of errno.
static int start(const ChildTask *task, int messages, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t          attributes;
    sigset_t                   defaults;
    char                     **own = task->variable ? add_variable(task->variable) : NULL;
    int                        code = task->variable && !own ? ENOMEM : posix_spawn_file_actions_init(&actions);
    if (code != 0) {
        free(own);
        return code;
    }
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        // This process ignores SIGPIPE, and signals that stop it wait; the child shall do neither.
        sigemptyset(&defaults);
        code = posix_spawnattr_setsigmask(&attributes, &defaults);
        sigaddset(&defaults, SIGPIPE);
        code = code ? code : posix_spawnattr_setsigdefault(&attributes, &defaults);
        code = code ? code : posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        code = code              ? code
               : task->input > 0 ? posix_spawn_file_actions_adddup2(&actions, task->input, STDIN_FILENO)
                                 : posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        code = code ? code : posix_spawn_file_actions_adddup2(&actions, messages, STDOUT_FILENO);
        code = code ? code : posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
        code = code ? code : posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
        if (code == 0 && task->folder)
            code = posix_spawn_file_actions_addchdir_np(&actions, task->folder);
        code = code ? code
                    : posix_spawnp(child, task->program, &actions, &attributes, task->arguments, own ? own : environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    free(own);
    return code;
}

// Reads to the end, so that the child never waits for us; keeps the first bytes.
static void read_messages(const ChildTask *task, int from, pid_t child, Text *messages)
{
    char          buffer[512];
    struct pollfd pipe = {.fd = from, .events = POLLIN};
    for (;;) {
        if (poll(&pipe, 1, POLL_MILLISECONDS) == 0) {
            if (task->interrupted && task->interrupted(task->user))
                kill(child, SIGTERM);
            continue;
        }
        const ssize_t count = read(from, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return;
        const size_t room = messages->length < task->messages ? task->messages - messages->length : 0;
        text_add_bytes(messages, buffer, (size_t)count < room ? (size_t)count : room);
    }
}

bool child_run(const ChildTask *task, ChildEnd *end, Text *messages, Error *err)
{
    int   ends[2], state = 0;
    pid_t child = 0, ended;
    *end = (ChildEnd){0};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(err, ERROR_INTERNAL, "no pipe: %s", strerror(errno));
    const int code = start(task, ends[1], &child);
    close(ends[1]);
    if (code == 0)
        read_messages(task, ends[0], child, messages);
    close(ends[0]);
    end->missing = code == ENOENT;
    if (code != 0)
        return end->missing || fail(err, ERROR_IO, "%s cannot be started: %s", task->program, strerror(code));
    do
        ended = waitpid(child, &state, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        return fail(err, ERROR_INTERNAL, "%s was lost: %s", task->program, strerror(errno));
    end->status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    end->missing = end->status == NOT_FOUND;
    return true;
}
