// gnuplot -- quoting of text, and gnuplot as a child process.
#include "analysis/plot/figure.h"

#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { LONGEST_QUOTE = 120, MESSAGE_BYTES = 2048, POLL_MILLISECONDS = 200, ENDING_BYTES = 32 };

// One character inside single quotes. gnuplot takes a doubled quote for a quote only behind a character that is none;
// elsewhere the string is closed, a quote in double quotes joined to it, and opened again.
static void add_character(Text *script, const char *character, size_t length, bool behind_plain)
{
    if (*character != '\'')
        text_add_bytes(script, character, length);
    else
        text_add(script, behind_plain ? "''" : "'.\"'\".'");
}

static bool is_control(const char *character, size_t length)
{
    // U+0080 to U+009F are control characters too.
    return (*character > 0 && *character < 0x20) || *character == 0x7f ||
           (length == 2 && *character == '\xc2' && (unsigned char)character[1] < 0xa0);
}

void gnuplot_quote(Text *script, const char *text)
{
    size_t characters = 0;
    bool   behind_plain = false;
    text_add(script, "'");
    text = text ? text : "";
    while (*text && characters < LONGEST_QUOTE) {
        const size_t length = utf8_length(text);
        if (length > 0 && !is_control(text, length)) {
            add_character(script, text, length, behind_plain);
            behind_plain = *text != '\'';
            ++characters;
        }
        text += length ? length : 1;
    }
    text_add(script, *text ? " ...'" : "'");
}

// The bytes of a line: all that is left, or up to the last space within the width.
static size_t line_bytes(const char *text, size_t width, bool last)
{
    size_t bytes = 0, space = 0;
    for (size_t characters = 0; text[bytes]; ++characters) {
        const size_t length = utf8_length(text + bytes);
        if (characters == width)
            return space && !last ? space : bytes;
        space = text[bytes] == ' ' ? bytes : space;
        bytes += length ? length : 1;
    }
    return bytes;
}

size_t gnuplot_quote_lines(Text *script, const char *text, size_t width, size_t most)
{
    size_t lines = 0;
    text = text ? text : "";
    width = width < LONGEST_QUOTE ? width : LONGEST_QUOTE;
    do {
        const bool   last = lines + 1 == most;
        const size_t whole = line_bytes(text, width, last),
                     bytes = last && text[whole] ? line_bytes(text, width > 4 ? width - 4 : 1, true) : whole;
        Text line = {0};
        text_add(&line, "%.*s%s", (int)bytes, text, last && text[whole] ? " ..." : "");
        text_add(script, lines++ ? ".\"\\n\"." : "");
        gnuplot_quote(script, line.text);
        text_free(&line);
        text += bytes;
        text += strspn(text, " ");
    } while (*text && lines < most);
    return lines;
}

void gnuplot_label(Text *script, const char *command, const char *name, const char *unit)
{
    Text label = {0};
    text_add(&label, *unit && strcmp(unit, "1") != 0 ? "%s [%s]" : "%s", name ? name : "", unit);
    text_add(script, "%s", command);
    gnuplot_quote(script, label.text);
    text_add(script, " noenhanced");
    text_free(&label);
}

void gnuplot_quote_name(Text *script, const char *name, const char *ending)
{
    // It begins with a dot, so that gnuplot does not take a leading | for a program to run.
    text_add(script, "'./");
    for (size_t i = 0; name[i]; ++i)
        add_character(script, name + i, 1, i == 0 || name[i - 1] != '\'');
    text_add(script, "%s'", ending);
}

void gnuplot_number(Text *script, double number)
{
    if (isfinite(number))
        text_add(script, "%.9g", number);
    else
        text_add(script, "NaN");
}

void gnuplot_numbers(Text *script, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        text_add(script, "%s", i ? " " : "");
        gnuplot_number(script, numbers[i]);
    }
    text_add(script, "\n");
}

// Starts gnuplot in the script's folder, its messages going into the pipe.
static int start(const char *folder, char *script, int messages, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t          attributes;
    sigset_t                   defaults;
    char                      *arguments[] = {"gnuplot", "--default-settings", script, NULL};
    int                        code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        // The program ignores SIGPIPE, and the signals that stop it wait; gnuplot shall do neither.
        sigemptyset(&defaults);
        code = posix_spawnattr_setsigmask(&attributes, &defaults);
        sigaddset(&defaults, SIGPIPE);
        code = code ? code : posix_spawnattr_setsigdefault(&attributes, &defaults);
        code = code ? code : posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        code = code ? code : posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        code = code ? code : posix_spawn_file_actions_adddup2(&actions, messages, STDOUT_FILENO);
        code = code ? code : posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
        code = code ? code : posix_spawn_file_actions_addchdir_np(&actions, folder);
        code = code ? code : posix_spawnp(child, "gnuplot", &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

// Reads to the end, so that the child never waits for us; keeps the first bytes. A signal that waits for us ends it.
static void read_messages(int from, pid_t child, char message[MESSAGE_BYTES])
{
    char          buffer[512];
    size_t        kept = 0;
    struct pollfd pipe = {.fd = from, .events = POLLIN};
    for (;;) {
        if (poll(&pipe, 1, POLL_MILLISECONDS) == 0) {
            if (outputs_interrupted())
                kill(child, SIGTERM);
            continue;
        }
        const ssize_t count = read(from, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        for (ssize_t i = 0; i < count && kept < MESSAGE_BYTES - 1; ++i)
            message[kept++] = buffer[i];
    }
    message[kept] = '\0';
}

// gnuplot's complaint is the line that names file and line; what comes before it shows the place.
static const char *find_complaint(char *message)
{
    char *line = strstr(message, " line ");
    if (!line)
        line = message;
    while (line > message && line[-1] != '\n')
        --line;
    line += strspn(line, " \t\n^");
    line[strcspn(line, "\n")] = '\0';
    return line;
}

static bool wait_for(pid_t child, char *message, const char *shown, bool *missing, Error *err)
{
    int   state = 0;
    pid_t ended;
    do
        ended = waitpid(child, &state, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        return fail(err, ERROR_INTERNAL, "gnuplot was lost: %s", strerror(errno));
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
        return true;
    *missing = WIFEXITED(state) && WEXITSTATUS(state) == 127;
    if (*missing)
        return fail(err, ERROR_IO,
                    "gnuplot cannot be run; install the package gnuplot-nox, or run `gnuplot %s` elsewhere", shown);
    if (outputs_interrupted())
        return fail(err, ERROR_STOPPED, "stopped by a signal; '%s' is not drawn", shown);
    return fail(err, ERROR_IO, "gnuplot failed on %s: %s", shown, *message ? find_complaint(message) : "no message");
}

bool gnuplot_run(const char *folder, const char *name, const char *shown, bool *missing, Error *err)
{
    int   ends[2] = {-1, -1}, code = 0;
    char  message[MESSAGE_BYTES] = "";
    pid_t child = 0;
    Text  script = {0};
    *missing = false;
    text_add(&script, "./%s", name);
    bool ok = text_check(&script, err);
    if (ok && pipe2(ends, O_CLOEXEC) != 0)
        ok = fail(err, ERROR_INTERNAL, "no pipe: %s", strerror(errno));
    if (ok) {
        code = start(folder, script.text, ends[1], &child);
        close(ends[1]);
        *missing = code == ENOENT;
    }
    if (*missing)
        ok = fail(err, ERROR_IO,
                  "gnuplot is not installed; install the package gnuplot-nox, or run `gnuplot %s` elsewhere", shown);
    else if (code != 0)
        ok = fail(err, ERROR_IO, "gnuplot cannot be started: %s", strerror(code));
    if (ok) {
        read_messages(ends[0], child, message);
        ok = wait_for(child, message, shown, missing, err);
    }
    if (ends[0] >= 0)
        close(ends[0]);
    text_free(&script);
    return ok;
}

// The three files that belong to a picture, in the order in which they get their names.
static const struct {
    const char *ending, *last;  // what stands at the end of a file that is whole
} parts[GNUPLOT_FILES] = {{".gp", ""}, {".png", "IEND\xae\x42\x60\x82"}, {".svg", "</svg>"}};

bool gnuplot_check(const Outputs *outputs, const char *stem, Error *err)
{
    for (size_t i = 0; i < GNUPLOT_FILES; ++i) {
        Text path = {0};
        text_add(&path, "%s%s", stem, parts[i].ending);
        const bool ok = text_check(&path, err) && outputs_check(outputs, path.text, err);
        text_free(&path);
        if (!ok)
            return false;
    }
    return true;
}

// gnuplot ends with success also where the disk was full.
static bool check_whole(const OutputsFolder *folder, const char *name, size_t part, const char *shown, Error *err)
{
    char end[ENDING_BYTES + 1] = "";
    Text path = {0};
    text_add(&path, "%s%s%s", folder->path.text, name, parts[part].ending);
    FILE        *file = path.failed ? NULL : fopen(path.text, "re");
    const bool   read = file && (fseek(file, -ENDING_BYTES, SEEK_END) == 0 || fseek(file, 0, SEEK_SET) == 0);
    const size_t count = read ? fread(end, 1, ENDING_BYTES, file) : 0;
    if (file)
        fclose(file);
    text_free(&path);
    return (read && memmem(end, count, parts[part].last, strlen(parts[part].last))) ||
           fail(err, ERROR_IO, "'%s' cannot be written: gnuplot left it incomplete; is there room?", shown);
}

bool gnuplot_draw(const Outputs *outputs, const char *stem, const Text *script, Error *err)
{
    const char   *slash = strrchr(stem, '/'), *name = slash ? slash + 1 : stem;
    OutputsFolder folder = {0};
    Text          paths[GNUPLOT_FILES] = {0};
    bool          missing = false, ok = gnuplot_check(outputs, stem, err) && outputs_open(stem, &folder, err);
    for (size_t i = 0; ok && i < GNUPLOT_FILES; ++i) {
        text_add(&paths[i], "%s%s", stem, parts[i].ending);
        ok = text_check(&paths[i], err);
    }
    const char *file = ok ? paths[0].text + (name - stem) : NULL;
    ok = ok && outputs_add(&folder, paths[0].text, script, err) &&
         gnuplot_run(folder.path.text, file, paths[0].text, &missing, err);
    for (size_t i = 1; ok && i < GNUPLOT_FILES; ++i)
        ok = check_whole(&folder, name, i, paths[i].text, err);
    for (size_t i = 0; ok && i < GNUPLOT_FILES; ++i)
        ok = outputs_settle(outputs, &folder, paths[i].text, err);
    // The script is of use elsewhere.
    Error other;
    if (missing)
        outputs_settle(outputs, &folder, paths[0].text, &other);
    outputs_close(&folder);
    for (size_t i = 0; i < GNUPLOT_FILES; ++i)
        text_free(&paths[i]);
    return ok;
}
