// main -- finds the command, runs it, and makes the exit code; prints the Error, as no other file does.
#include "terminal/commands.h"
#include "analysis/linear/convention.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "device/driver.h"
#include "terminal/settings_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The purpose of a command. A list of commands begins a part with each.
typedef enum Task { TASK_RUN, TASK_LOOK, TASK_DECIDE, TASK_CHECK, TASK_OWN, TASK_HELP, TASK_COUNT } Task;

static const char *const tasks[TASK_COUNT] = {"Run sweeps",
                                              "Look at results",
                                              "Decide between methods, parameters and steps",
                                              "Check what was computed",
                                              "See what there is, and add problems, methods and metrics of your own",
                                              "Help"};

typedef struct Command {
    Task        task;
    const char *name;
    bool (*function)(int argc, char **argv, Error *err);
    const char *arguments, *about;
} Command;

static bool help_command(int argc, char **argv, Error *err);

static bool show_with_conventions(int argc, char **argv, Error *err)
{
    return show_command(argc, argv, convention_print, err);
}

static const Command commands[] = {
    {TASK_RUN, "run", run_command, "SWEEP.yaml", "runs a sweep into a result file"},
    {TASK_RUN, "plan", plan_command, "SWEEP.yaml",
     "prints what a sweep would compute, and how long it would take; writes nothing"},
    {TASK_RUN, "merge", merge_command, "-o FILE.h5 SHARD.h5...", "puts the shards of a sweep together"},
    {TASK_RUN, "bench", bench_command, "[SWEEP.yaml...]",
     "measures devices, beside plain C loops of the same algorithms"},
    {TASK_LOOK, "info", info_command, "FILE.h5", "prints what is in a result file"},
    {TASK_LOOK, "plot", plot_command, "FILE.h5", "draws a result file"},
    {TASK_LOOK, "report", report_command, "FILE.h5", "writes a page of HTML about a result file"},
    {TASK_LOOK, "export", export_command, "FILE.h5", "writes the points of a group as CSV"},
    {TASK_LOOK, "diff", diff_command, "A.h5 B.h5", "compares two result files: settings, and points that both have"},
    {TASK_LOOK, "pack", pack_command, "FILE.h5 -o PACKED.h5",
     "makes a compressed copy of a result file, and the way back"},
    {TASK_DECIDE, "pareto", pareto_command, "FILE.h5",
     "finds the methods and parameters that no other dominates in cost and error"},
    {TASK_DECIDE, "sensitivity", sensitivity_command, "FILE.h5",
     "finds which factors each metric depends on, and how far"},
    {TASK_DECIDE, "distribution", distribution_command, "FILE.h5",
     "finds how each metric is distributed: quantiles, probabilities of exceeding a value, intervals"},
    {TASK_DECIDE, "predict", predict_command, "FILE.h5",
     "predicts a metric where no point was computed, with its error"},
    {TASK_DECIDE, "refine", refine_command, "SWEEP.yaml",
     "finds where points begin to fail or a metric crosses a value"},
    {TASK_DECIDE, "advise", advise_command, "SWEEP.yaml",
     "finds which method and which step take least work for an error"},
    {TASK_DECIDE, "spectrum", linear_command, "METHOD...",
     "prints numerical damping, period error and the stability limit of methods"},
    {TASK_DECIDE, "pairs", pairs_command, "FROM TO", "finds parameters with which two methods damp alike"},
    {TASK_CHECK, "verify", verify_command, "FILE.h5", "checks a result file: whether points are damaged or missing"},
    {TASK_CHECK, "conform", conform_command, "SWEEP.yaml", "compares devices and the CPU reference on a sweep"},
    {TASK_CHECK, "replay", replay_command, "FILE.h5", "runs one point again, and says where kernel and reference part"},
    {TASK_CHECK, "claims", claims_command, "", "measures what the documents state, and says what is reproduced"},
    {TASK_OWN, "list", list_command, "problems|methods|metrics|devices", "lists what there is"},
    {TASK_OWN, "show", show_with_conventions, "NAME", "shows the card of a problem, a method or a metric"},
    {TASK_OWN, "source", source_command, "SWEEP.yaml", "prints the kernels of a sweep, as compiled"},
    {TASK_OWN, "new", new_command, "problem|method|metric NAME", "writes a kernel file to begin with"},
    {TASK_OWN, "check", check_command, "FILE.cl", "examines a kernel file, and says what is wrong in which line"},
    {TASK_HELP, "help", help_command, "COMMAND", "prints the options of a command"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(void)
{
    printf("Usage: pendula COMMAND [OPTION...] [ARGUMENT...]\n"
           "Parameter sweeps of small mechanical systems on OpenCL devices.\n\n");
    for (size_t i = 0; i < COMMANDS; ++i) {
        if (i == 0 || commands[i].task != commands[i - 1].task)
            printf("%s%s:\n", i == 0 ? "" : "\n", tasks[commands[i].task]);
        const int length = printf("  %s %s", commands[i].name, commands[i].arguments);
        // A long usage gets a line to itself.
        printf("%s%*s%s\n", length > 24 ? "\n" : "", length > 24 || length < 0 ? 26 : 26 - length, "",
               commands[i].about);
    }
    printf("\n`pendula COMMAND --help` prints the options of a command too, `pendula --version` the version.\n");
}

static bool find_command(const char *name, const Command **found, Error *err)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; ++i) {
        names[i] = commands[i].name;
        if (strcmp(name, names[i]) == 0) {
            *found = &commands[i];
            return true;
        }
    }
    return fail(err, ERROR_USAGE, "unknown command '%.100s'", name) ||
           suggest_add(err, suggest(name, names, COMMANDS), "; see `pendula --help`");
}

// The help of one command, or that of the program.
static bool help_command(int argc, char **argv, Error *err)
{
    static char    option[] = "--help";
    const Command *command = NULL;
    if (argc > 2)
        return fail(err, ERROR_USAGE, "one command at a time, got '%.100s' and '%.100s'", argv[1], argv[2]);
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_help();
        return true;
    }
    char *words[] = {argv[1], option, NULL};
    return find_command(argv[1], &command, err) && command->function(2, words, err);
}

// Help is printed whatever the user's settings say.
static bool run_program(int argc, char **argv, SettingsFile *settings, Error *err)
{
    const Command *command = NULL;
    if (argc < 2) {
        print_help();
        fflush(stdout);
        return fail(err, ERROR_USAGE, "no command; name one, see `pendula --help`");
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0) {
        print_help();
        return true;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("pendula %s\n", PENDULA_VERSION);
        return true;
    }
    return find_command(argv[1], &command, err) &&
           (command->function == help_command || settings_file_apply(settings, err)) &&
           command->function(argc - 1, argv + 1, err);
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

int main(int argc, char **argv)
{
    Error        err = {0};
    SettingsFile settings = {0};
    fill_standard_files();
    // A closed pipe and a full quota are write errors with a message, not deaths.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
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
