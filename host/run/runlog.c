// runlog -- lines of a run's log.
#include "run/runlog.h"

#include "base/json.h"

#include <stdio.h>
#include <time.h>

static void add_device(Text *line, const Worker *worker)
{
    text_add(line, "\"device\": ");
    json_string(line, worker->name);
    if (!worker->device)
        return;
    text_add(line, ", \"driver\": ");
    json_string(line, device_info(worker->device)->driver);
    text_add(line, ", \"arithmetic\": ");
    json_string(line, worker->arithmetic ? worker->arithmetic : "kept");
}

void runlog_start(const Workers *workers)
{
    char              now[32];
    time_t            seconds = time(NULL);
    struct tm         parts;
    const Work       *work = workers->work;
    const RunRequest *request = work->request;
    const RunSummary *summary = work->monitor->summary;
    Text              line SCOPED(text_free) = {0};
    gmtime_r(&seconds, &parts);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &parts);
    text_add(&line, "{\"event\": \"start\", \"time\": \"%s\", ", now);
    if (work->ranks->count > 1)
        text_add(&line, "\"rank\": %d, \"ranks\": %d, ", work->ranks->index, work->ranks->count);
    if (workers->count == 1)
        add_device(&line, workers->list);
    for (size_t i = 0; workers->count > 1 && i < workers->count; ++i) {
        text_add(&line, i ? ", {" : "\"devices\": [{");
        add_device(&line, &workers->list[i]);
        text_add(&line, i + 1 < workers->count ? "}" : "}]");
    }
    if (summary->retry)
        text_add(&line, ", \"retry\": %u", summary->retry);
    for (size_t i = 0; i < request->reuse_count; ++i) {
        text_add(&line, i ? ", " : ", \"reuse\": [");
        json_string(&line, request->reuse[i]);
    }
    text_add(&line, "%s, \"blocks\": %llu, \"blocks_reused\": %llu, \"blocks_damaged\": %llu}",
             request->reuse_count ? "]" : "", (unsigned long long)summary->blocks,
             (unsigned long long)summary->blocks_reused, (unsigned long long)store_damaged(work->store));
    Error unsaid = {0};
    if (!line.failed && !store_log(work->store, line.text, &unsaid)) {
        within(&unsaid, "the run goes on without its log");
        monitor_say(unsaid.message, work->monitor);
    }
}

// Why the log cannot be written was said at the start.
static void add_line(const Workers *workers, Text *line)
{
    Error unsaid;
    if (!line->failed)
        store_log(workers->work->store, line->text, &unsaid);
    text_free(line);
}

bool runlog_lost(Workers *workers)
{
    for (size_t i = 0; i < workers->count; ++i) {
        Worker *worker = &workers->list[i];
        Text    line = {0};
        if (!worker->taker->lost || worker->logged)
            continue;
        worker->logged = true;
        text_add(&line, "{\"event\": \"lost\", ");
        add_device(&line, worker);
        text_add(&line, ", \"error\": ");
        json_string(&line, worker->err.message);
        text_add(&line, "}");
        add_line(workers, &line);
    }
    return true;
}

// Which blocks each device computed: of one alone, all.
static void add_shares(Workers *workers, Text *line)
{
    for (size_t i = 0; i < workers->count; ++i) {
        Worker *worker = &workers->list[i];
        workers_end_run(worker);
        text_add(line, i ? ", {\"device\": " : ", \"devices\": [{\"device\": ");
        json_string(line, worker->name);
        text_add(line,
                 ", \"blocks_computed\": %llu, \"points\": %llu, \"steps\": %llu, \"compute_seconds\": %.3f, "
                 "\"blocks\": [%s]}",
                 (unsigned long long)worker->blocks, (unsigned long long)worker->points,
                 (unsigned long long)worker->steps, worker->compute_seconds,
                 worker->runs.text ? worker->runs.text : "");
    }
    text_add(line, "]");
}

// The findings of trials of shapes.
static void add_trials(const Workers *workers, Text *line)
{
    size_t count = 0;
    for (size_t i = 0; i < workers->count; ++i)
        if (workers->list[i].trials.length > 0)
            text_add(line, "%s%s", count++ ? ", " : ", \"trials\": [", workers->list[i].trials.text);
    text_add(line, count ? "]" : "");
}

void runlog_end(Workers *workers, const char *event)
{
    const RunSummary *summary = workers->work->monitor->summary;
    Text              line = {0};
    text_add(&line,
             "{\"event\": \"%s\", \"seconds\": %.3f, \"compute_seconds\": %.3f, \"seconds_per_compute\": %.3f, "
             "\"lane_efficiency\": %.4f, \"blocks_computed\": %llu, \"points_copied\": %llu, \"steps\": %llu",
             event, summary->seconds, summary->compute_seconds,
             summary->compute_seconds > 0 ? summary->seconds / summary->compute_seconds : 0,
             run_lane_efficiency(summary), (unsigned long long)summary->blocks_computed,
             (unsigned long long)summary->points_copied, (unsigned long long)summary->steps);
    if (workers->count > 1)
        add_shares(workers, &line);
    add_trials(workers, &line);
    text_add(&line, "}");
    add_line(workers, &line);
}
