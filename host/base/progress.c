// progress -- writes the line or the objects that show progress.
#include "base/progress.h"

#include "base/clock.h"
#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Seconds between two writes on a terminal and in a log, and how long a run must have lasted before its rate means
// something.
static const double terminal_pause = 0.1, log_pause = 10.0, warm_up = 0.5;

const char *const progress_modes[PROGRESS_MODES] = {
    [PROGRESS_AUTO] = "auto", [PROGRESS_PLAIN] = "plain", [PROGRESS_JSON] = "json", [PROGRESS_NONE] = "none"};

void progress_line_begin(ProgressLine *line, ProgressMode mode, FILE *stream, uint64_t total_points,
                         uint64_t total_steps)
{
    *line = (ProgressLine){.stream = mode == PROGRESS_NONE ? NULL : stream,
                           .json = mode == PROGRESS_JSON,
                           .total_points = total_points,
                           .total_steps = total_steps,
                           .start = clock_seconds()};
    line->terminal = line->stream && mode == PROGRESS_AUTO && isatty(fileno(stream));
    // A log's first line comes after the first pause: a short run leaves only its last one. The first object comes at
    // once, since a program wants to know how much there is.
    line->shown = line->terminal ? 0.0 : line->json ? line->start - log_pause : line->start;
}

void progress_line_resume(ProgressLine *line, uint64_t points, uint64_t steps)
{
    line->resumed_points = line->points = points;
    line->resumed_steps = line->steps = steps;
}

static void write_duration(char *text, size_t size, double seconds)
{
    const unsigned long long whole = seconds < 1e9 ? (unsigned long long)(seconds + 0.5) : 1000000000ULL;
    if (whole < 60)
        snprintf(text, size, "%llus", whole);
    else if (whole < 3600)
        snprintf(text, size, "%llum%02llus", whole / 60, whole % 60);
    else
        snprintf(text, size, "%lluh%02llum", whole / 3600, whole / 60 % 60);
}

// Work in total, done, and newly done: steps, or points where nothing steps.
typedef struct WorkDone {
    double total, done, fresh;
} WorkDone;

static WorkDone work_of(const ProgressLine *line)
{
    if (line->total_steps > 0)
        return (WorkDone){(double)line->total_steps, (double)line->steps, (double)(line->steps - line->resumed_steps)};
    return (WorkDone){(double)line->total_points, (double)line->points, (double)(line->points - line->resumed_points)};
}

// NaN where it is unknown.
static double seconds_left(const ProgressLine *line, double elapsed)
{
    const WorkDone work = work_of(line);
    if (elapsed < warm_up || work.fresh <= 0.0 || work.total <= work.done)
        return (double)NAN;
    return (work.total - work.done) * elapsed / work.fresh;
}

static void write_line(const ProgressLine *line, double now, bool last, char *text, size_t size)
{
    char           duration[24], steps[64] = "";
    const double   elapsed = now - line->start;
    const double   new_points = (double)(line->points - line->resumed_points);
    const WorkDone work = work_of(line);
    double         part = work.total > 0.0 ? work.done / work.total : 1.0;
    // Points that fail leave steps undone: all is done when all points are.
    if (line->points >= line->total_points)
        part = 1.0;
    else if (part > 0.999)
        part = 0.999;
    if (line->total_steps > 0)
        snprintf(steps, sizeof steps, "  %s steps/s  %s failed",
                 text_amount(elapsed > 0.0 ? work.fresh / elapsed : 0.0, NULL).text,
                 text_amount((double)line->failed, NULL).text);
    int length =
        snprintf(text, size, "%5.1f%%  %s/%s points  %s points/s%s", 100.0 * part,
                 text_amount((double)line->points, NULL).text, text_amount((double)line->total_points, NULL).text,
                 text_amount(elapsed > 0.0 ? new_points / elapsed : 0.0, NULL).text, steps);
    const size_t used = length < 0 || (size_t)length >= size ? size - 1 : (size_t)length;
    if (last) {
        if (elapsed < 9.95)
            snprintf(duration, sizeof duration, "%.1fs", elapsed);
        else
            write_duration(duration, sizeof duration, elapsed);
        snprintf(text + used, size - used, "  in %s", duration);
    } else if (isfinite(seconds_left(line, elapsed))) {
        write_duration(duration, sizeof duration, seconds_left(line, elapsed));
        snprintf(text + used, size - used, "  %s left", duration);
    }
}

// How many bytes of the text stand in one row of the terminal: a longer line would break, and could not be rewritten.
static int row_of(const ProgressLine *line, const char *text)
{
    struct winsize window = {0};
    int            length = (int)strlen(text);
    if (ioctl(fileno(line->stream), TIOCGWINSZ, &window) == 0 && window.ws_col > 0 && length >= window.ws_col)
        length = window.ws_col - 1;
    while (length > 0 && (text[length] & 0xc0) == 0x80)  // inside of a character
        --length;
    return length;
}

static void put(ProgressLine *line, const char *text, bool last)
{
    const int length = line->terminal && !last ? row_of(line, text) : (int)strlen(text);
    // Blanks wipe the rest of a longer line before.
    if (line->terminal)
        fprintf(line->stream, "\r%.*s%*s%s", length, text, line->width > length ? line->width - length : 0, "",
                last ? "\n" : "");
    else
        fprintf(line->stream, "%s\n", text);
    fflush(line->stream);
    line->width = length;
}

// Begins an object.
static void begin_object(const ProgressLine *line, const char *event, Text *text)
{
    text_add(text, "{\"event\": \"%s\"", event);
    json_member_string(text, "file", line->file && *line->file ? line->file : NULL);
}

// Writes an object as one line in one piece, so that output of other threads and processes does not come in between.
static void end_object(ProgressLine *line, Text *text)
{
    text_add(text, "}\n");
    if (!text->failed) {
        fwrite(text->text, 1, text->length, line->stream);
        fflush(line->stream);
    }
    text_free(text);
}

// A rate, to the digits that mean something; NaN is null.
static void add_rate(Text *text, const char *key, double rate)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.4g", rate);
    json_member_number(text, key, strtod(digits, NULL));
}

static void add_seconds(Text *text, const char *key, double seconds)
{
    json_member_number(text, key, round(1000.0 * seconds) / 1000.0);
}

// All keys are in every object: a program need not ask which there are.
static void write_object(ProgressLine *line, double now, const char *event)
{
    Text           text = {0};
    const double   elapsed = now - line->start;
    const bool     steps = line->total_steps > 0;
    const WorkDone work = work_of(line);
    begin_object(line, event, &text);
    json_member_whole(&text, "points", line->total_points);
    json_member_whole(&text, "points_done", line->points);
    if (steps)
        json_member_whole(&text, "points_failed", line->failed);
    else
        json_member_string(&text, "points_failed", NULL);
    add_rate(&text, "points_per_second", elapsed > 0.0 ? (double)(line->points - line->resumed_points) / elapsed : 0.0);
    add_rate(&text, "steps_per_second", !steps ? (double)NAN : elapsed > 0.0 ? work.fresh / elapsed : 0.0);
    add_seconds(&text, "seconds", elapsed);
    add_seconds(&text, "seconds_left", strcmp(event, "progress") == 0 ? seconds_left(line, elapsed) : (double)NAN);
    end_object(line, &text);
}

//   event  of the last state; NULL: there are more
static void show(ProgressLine *line, double now, const char *event)
{
    char text[160];
    line->shown = now;
    if (line->json) {
        write_object(line, now, event ? event : "progress");
        return;
    }
    write_line(line, now, event != NULL, text, sizeof text);
    put(line, text, event != NULL);
}

static void write_compile_object(ProgressLine *line, const ProgressCompile *compile)
{
    Text text = {0};
    begin_object(line, "compile", &text);
    json_member_whole(&text, "number", compile->number);
    json_member_whole(&text, "count", compile->count);
    json_member_string(&text, "group", compile->name);
    json_member_string(&text, "device", compile->device);
    json_member(&text, "first_launch");
    text_add(&text, compile->launch ? "true" : "false");
    end_object(line, &text);
}

void progress_line_compile(ProgressLine *line, const ProgressCompile *compile)
{
    Text text SCOPED(text_free) = {0};
    if (!line->stream)
        return;
    if (line->json) {
        write_compile_object(line, compile);
        return;
    }
    text_add(&text, "compiling %zu of %zu: %s%s%s%s", compile->number, compile->count, compile->name,
             compile->device ? " on " : "", compile->device ? compile->device : "",
             compile->launch ? ", at its first launch" : "");
    if (!text.failed)
        put(line, text.text, false);
}

void progress_line_update(ProgressLine *line, uint64_t points, uint64_t steps, uint64_t failed)
{
    if (!line->stream)
        return;
    const double now = clock_seconds();
    line->points = points;
    line->steps = steps;
    line->failed = failed;
    if (now - line->shown >= (line->terminal ? terminal_pause : log_pause))
        show(line, now, NULL);
}

void progress_line_count(uint64_t points, uint64_t total, void *line)
{
    ((ProgressLine *)line)->total_points = total;
    progress_line_update(line, points, 0, 0);
}

void progress_line_end(ProgressLine *line, const char *event)
{
    if (!line->stream)
        return;
    if (line->json ? event != NULL : line->total_points > 0)
        show(line, clock_seconds(), event ? event : "");
    else if (line->terminal && line->width > 0)
        put(line, "", true);
    line->stream = NULL;
}
