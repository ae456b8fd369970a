// gnuplot -- quoting of text, and gnuplot as a child process.
#include "analysis/plot/figure.h"

#include "base/child.h"
#include "base/file.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_QUOTE = 120, MESSAGE_BYTES = (1 << 16) - 1, ENDING_BYTES = 32 };

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

// Where the line of a place begins and how long it is.
static char *line_around(char *message, char *place, size_t *length)
{
    char *line = place;
    while (line > message && line[-1] != '\n')
        --line;
    line += strspn(line, " \t\n^");
    *length = strcspn(line, "\n");
    return line;
}

// gnuplot's complaint is the line that names file and line, and is not a warning; the lines before it show the place.
static const char *find_complaint(char *message)
{
    static const char names[] = " line ", warns[] = "warning:";
    size_t            length = 0;
    char             *line = line_around(message, message, &length);
    for (char *place = strstr(message, names); place; place = strstr(place + 1, names)) {
        line = line_around(message, place, &length);
        if (!memmem(line, length, warns, sizeof warns - 1))
            break;
    }
    line[length] = '\0';
    return line;
}

static bool is_interrupted(const void *unused)
{
    (void)unused;
    return outputs_interrupted();
}

bool gnuplot_run(const char *folder, const char *name, const char *shown, bool *missing, Error *err)
{
    Text            script = {0}, messages = {0};
    ChildEnd        end = {0};
    char            program[] = "gnuplot", settings[] = "--default-settings";
    char           *arguments[] = {program, settings, NULL, NULL};
    const ChildTask task = {.program = program,
                            .arguments = arguments,
                            .folder = folder,
                            .messages = MESSAGE_BYTES,
                            .interrupted = is_interrupted};
    text_add(&script, "./%s", name);
    arguments[2] = script.text;
    bool ok = text_check(&script, err) && child_run(&task, &end, &messages, err) && text_check(&messages, err);
    *missing = ok && end.missing;
    if (*missing)
        ok = fail(err, ERROR_IO, "gnuplot %s; install the package gnuplot-nox, or run `gnuplot %s` elsewhere",
                  end.status ? "cannot be run" : "is not installed", shown);
    else if (ok && end.status != 0 && outputs_interrupted())
        ok = fail(err, ERROR_STOPPED, "stopped by a signal; '%s' is not drawn", shown);
    else if (ok && end.status != 0)
        ok = fail(err, ERROR_IO, "gnuplot failed on %s: %s", shown,
                  messages.length ? find_complaint(messages.text) : "no message");
    text_free(&script);
    text_free(&messages);
    return ok;
}

// The files that belong to a picture, in the order in which they get their names.
enum { FILES = 4, PART_SVG = 2 };
static const struct {
    const char *ending, *last;  // the last bytes of a whole file
    unsigned    format;         // 0: the script
} parts[FILES] = {{".gp", "", 0},
                  {".png", "IEND\xae\x42\x60\x82", FIGURE_PNG},
                  {".svg", "</svg>", FIGURE_SVG},
                  {".pdf", "%%EOF", FIGURE_PDF}};

unsigned gnuplot_formats(unsigned formats)
{
    return formats ? formats : FIGURE_PNG | FIGURE_SVG;
}

static bool is_made(size_t part, unsigned formats)
{
    return parts[part].format == 0 || (parts[part].format & gnuplot_formats(formats));
}

bool gnuplot_check(const Outputs *outputs, const char *stem, unsigned formats, Error *err)
{
    for (size_t i = 0; i < FILES; ++i) {
        Text path = {0};
        text_add(&path, "%s%s", stem, parts[i].ending);
        const bool ok = !is_made(i, formats) || (text_check(&path, err) && outputs_check(outputs, path.text, err));
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

bool gnuplot_draw(const Outputs *outputs, const char *stem, unsigned formats, const Text *script, Error *err)
{
    const char   *slash = strrchr(stem, '/'), *name = slash ? slash + 1 : stem;
    OutputsFolder folder = {0};
    Text          paths[FILES] = {0};
    bool          missing = false, ok = gnuplot_check(outputs, stem, formats, err) && outputs_open(stem, &folder, err);
    for (size_t i = 0; ok && i < FILES; ++i) {
        text_add(&paths[i], "%s%s", stem, parts[i].ending);
        ok = text_check(&paths[i], err);
    }
    const char *file = ok ? paths[0].text + (name - stem) : NULL;
    ok = ok && outputs_add(&folder, paths[0].text, script, err) &&
         gnuplot_run(folder.path.text, file, paths[0].text, &missing, err);
    for (size_t i = 1; ok && i < FILES; ++i)
        ok = !is_made(i, formats) || check_whole(&folder, name, i, paths[i].text, err);
    for (size_t i = 0; ok && i < FILES; ++i)
        ok = !is_made(i, formats) || outputs_settle(outputs, &folder, paths[i].text, err);
    // The script is of use elsewhere.
    Error other;
    if (missing)
        outputs_settle(outputs, &folder, paths[0].text, &other);
    outputs_close(&folder);
    for (size_t i = 0; i < FILES; ++i)
        text_free(&paths[i]);
    return ok;
}

bool gnuplot_draw_svg(const OutputsFolder *folder, const char *name, const Text *script, Text *svg, Error *err)
{
    enum { LARGEST = 1 << 28 };
    Text  file = {0}, path = {0};
    Arena arena = {0};
    char *text = NULL;
    bool  missing = false;
    text_add(&file, "%s.gp", name);
    text_add(&path, "%s%s.svg", folder->path.text, name);
    bool ok = text_check(&file, err) && text_check(&path, err) && outputs_add(folder, file.text, script, err) &&
              gnuplot_run(folder->path.text, file.text, file.text, &missing, err) &&
              check_whole(folder, name, PART_SVG, name, err) && file_read(path.text, LARGEST, &arena, &text, NULL, err);
    if (ok)
        text_add(svg, "%s", text);
    text_free(&file);
    text_free(&path);
    arena_free(&arena);
    return ok;
}
