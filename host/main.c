// main -- finds the command, runs it, and makes the exit code; prints the Error, as no other file does.
#include "cli/command.h"
#include "cli/help.h"
#include "cli/version.h"
#include "base/utf8.h"
#include "device/apart.h"
#include "device/driver.h"
#include "terminal/settings_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Help is printed whatever the user's settings say.
static bool run_program(int argc, char **argv, SettingsFile *settings, Error *err)
{
    const char    *word = argc < 2 ? "--help" : argv[1];
    const Command *command = NULL;
    Text           text SCOPED(text_free) = {0};
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        version_print(&text);
    else if (strcmp(word, "--help") == 0 || strcmp(word, "-?") == 0)
        help_list(&text);
    else if (strcmp(word, apart_word) == 0)
        return apart_serve(err);
    else if (strcmp(word, "complete") == 0)
        return complete_command(argc - 1, argv + 1, err);
    else
        return command_find(word, &command, err) &&
               (command->function == help_command || command->function == doctor_command ||
                settings_file_apply(settings, err)) &&
               command->function(argc - 1, argv + 1, err);
    const bool printed = options_print(&text, err) && fflush(stdout) == 0;
    return printed && (argc >= 2 || fail(err, ERROR_USAGE, "no command; name one, see `pendula --help`"));
}

// Opens standard input, output and error where they are closed, the wrong way round: otherwise a result file could take
// the number and receive text for the screen. Writing then fails, as it should.
static void fill_standard_files(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(ERROR_IO);
}

static bool flush_output(Error *err)
{
    errno = 0;
    const bool broken = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !broken)
        return true;
    return fail(err, ERROR_IO, "standard output cannot be written: %s",
                errno ? strerror(errno) : "an earlier write failed");
}

// A kernel is compiled by this program itself, whatever name it was started by.
static void allow_processes(void)
{
    static char   path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0 && (size_t)length < sizeof path - 1)
        apart_allow(path);
}

int main(int argc, char **argv)
{
    Error        err = {0};
    SettingsFile settings = {0};
    fill_standard_files();
    // A closed pipe and a full quota are write errors with a message, not deaths.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    allow_processes();
    bool  ok = run_program(argc, argv, &settings, &err);
    Error output = {0};
    if (!ok)
        settings_file_explain(&settings, &err);
    settings_file_free(&settings);
    if (!flush_output(&output) && ok) {
        err = output;
        ok = false;
    }
    if (ok)
        return EXIT_SUCCESS;
    // Only the compiler's log has lines. Of several processes the one that failed first says why.
    Text shown = {0};
    utf8_show(&shown, err.message, err.kind == ERROR_KERNEL);
    if (err.message[0])
        fprintf(stderr, "pendula: %s\n", shown.text ? shown.text : "");
    text_free(&shown);
    if (err.kind == ERROR_STOPPED) {
        // A compiler may still be at work, and would crash when its libraries are taken down.
        driver_remove();
        _exit(ERROR_STOPPED);
    }
    return err.kind == ERROR_NONE ? ERROR_INTERNAL : (int)err.kind;
}
