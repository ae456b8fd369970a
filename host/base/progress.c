// progress -- the line that shows progress.
#include "base/progress.h"

#include "base/clock.h"
#include "base/text.h"

#include <string.h>
#include <unistd.h>

// Seconds between two writes on a terminal and in a log, and how long a run must have lasted before its rate means
// something.
static const double terminal_pause = 0.1, log_pause = 10.0, warm_up = 0.5;

bool progress_find_mode(const char *name, ProgressMode *mode)
{
    static const char *const names[] = {"auto", "plain", "none"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strcmp(name, names[i]) != 0)
            continue;
        *mode = (ProgressMode)i;
        return true;
    }
    return false;
}

void progress_line_begin(ProgressLine *line, ProgressMode mode, FILE *stream, uint64_t total_points,
                         uint64_t total_steps)
{
    *line = (ProgressLine){.stream = mode == PROGRESS_NONE ? NULL : stream,
                           .total_points = total_points,
                           .total_steps = total_steps,
                           .start = clock_seconds()};
    line->terminal = line->stream && mode == PROGRESS_AUTO && isatty(fileno(stream));
    // A log's first line comes after the first pause: a short run leaves only its last one.
    line->shown = line->terminal ? 0.0 : line->start;
}

void progress_line_resume(ProgressLine *line, uint64_t points, uint64_t steps)
{
    line->resumed_points = line->points = points;
    line->resumed_steps = line->steps = steps;
}

static Amount amount(double count)
{
    static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
    return text_amount(count, units);
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

// What is done of the work, and of that what is new: steps, or points where nothing steps.
typedef struct WorkDone {
    double total, done, fresh;
} WorkDone;

static WorkDone work_of(const ProgressLine *line)
{
    if (line->total_steps > 0)
        return (WorkDone){(double)line->total_steps, (double)line->steps, (double)(line->steps - line->resumed_steps)};
    return (WorkDone){(double)line->total_points, (double)line->points, (double)(line->points - line->resumed_points)};
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
                 amount(elapsed > 0.0 ? work.fresh / elapsed : 0.0).text, amount((double)line->failed).text);
    int          length = snprintf(text, size, "%5.1f%%  %s/%s points  %s points/s%s", 100.0 * part,
                                   amount((double)line->points).text, amount((double)line->total_points).text,
                                   amount(elapsed > 0.0 ? new_points / elapsed : 0.0).text, steps);
    const size_t used = length < 0 || (size_t)length >= size ? size - 1 : (size_t)length;
    if (last) {
        if (elapsed < 9.95)
            snprintf(duration, sizeof duration, "%.1fs", elapsed);
        else
            write_duration(duration, sizeof duration, elapsed);
        snprintf(text + used, size - used, "  in %s", duration);
    } else if (elapsed >= warm_up && work.fresh > 0.0 && work.total > work.done) {
        write_duration(duration, sizeof duration, (work.total - work.done) * elapsed / work.fresh);
        snprintf(text + used, size - used, "  %s left", duration);
    }
}

static void put(ProgressLine *line, const char *text, bool last)
{
    const int length = (int)strlen(text);
    // Blanks wipe what a longer line left behind.
    if (line->terminal)
        fprintf(line->stream, "\r%s%*s%s", text, line->width > length ? line->width - length : 0, "", last ? "\n" : "");
    else
        fprintf(line->stream, "%s\n", text);
    fflush(line->stream);
    line->width = length;
}

static void show(ProgressLine *line, double now, bool last)
{
    char text[160];
    write_line(line, now, last, text, sizeof text);
    put(line, text, last);
    line->shown = now;
}

void progress_line_say(ProgressLine *line, const char *text)
{
    if (line->stream)
        put(line, text, false);
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
        show(line, now, false);
}

void progress_line_end(ProgressLine *line)
{
    if (!line->stream)
        return;
    if (line->total_points > 0)
        show(line, clock_seconds(), true);
    else if (line->terminal && line->width > 0)
        put(line, "", true);
    line->stream = NULL;
}
