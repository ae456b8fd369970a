// runlog -- lines of a run's log.
#include "run/runlog.h"

#include "base/json.h"
#include "run/workers.h"

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

void runlog_start(Sweep *sweep)
{
    char      now[32];
    time_t    seconds = time(NULL);
    struct tm parts;
    Text      line = {0};
    gmtime_r(&seconds, &parts);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &parts);
    text_add(&line, "{\"event\": \"start\", \"time\": \"%s\", ", now);
    if (is_shared(sweep))
        text_add(&line, "\"rank\": %d, \"ranks\": %d, ", sweep->ranks.index, sweep->ranks.count);
    if (sweep->worker_count == 1)
        add_device(&line, sweep->workers);
    for (size_t i = 0; sweep->worker_count > 1 && i < sweep->worker_count; ++i) {
        text_add(&line, i ? ", {" : "\"devices\": [{");
        add_device(&line, &sweep->workers[i]);
        text_add(&line, i + 1 < sweep->worker_count ? "}" : "}]");
    }
    if (sweep->summary->retry)
        text_add(&line, ", \"retry\": %u", sweep->summary->retry);
    for (size_t i = 0; i < sweep->request->reuse_count; ++i) {
        text_add(&line, i ? ", " : ", \"reuse\": [");
        json_string(&line, sweep->request->reuse[i]);
    }
    text_add(&line, "%s, \"blocks\": %llu, \"blocks_reused\": %llu, \"blocks_damaged\": %llu}",
             sweep->request->reuse_count ? "]" : "", (unsigned long long)sweep->summary->blocks,
             (unsigned long long)sweep->summary->blocks_reused, (unsigned long long)store_damaged(sweep->store));
    Error unsaid = {0};
    if (!line.failed && !store_log(sweep->store, line.text, &unsaid)) {
        within(&unsaid, "the run goes on without its log");
        sweep_say(unsaid.message, sweep);
    }
    text_free(&line);
}

// What kept the log from being written was said at the start.
static void add_line(Sweep *sweep, Text *line)
{
    Error unsaid;
    if (!line->failed)
        store_log(sweep->store, line->text, &unsaid);
    text_free(line);
}

bool runlog_lost(Sweep *sweep)
{
    for (size_t i = 0; i < sweep->worker_count; ++i) {
        const Worker *worker = &sweep->workers[i];
        Text          line = {0};
        if (!worker->lost || worker->logged)
            continue;
        sweep->workers[i].logged = true;
        text_add(&line, "{\"event\": \"lost\", ");
        add_device(&line, worker);
        text_add(&line, ", \"error\": ");
        json_string(&line, worker->err.message);
        text_add(&line, "}");
        add_line(sweep, &line);
    }
    return true;
}

// Which blocks each device computed: of one alone, all.
static void add_shares(Sweep *sweep, Text *line)
{
    for (size_t i = 0; i < sweep->worker_count; ++i) {
        Worker *worker = &sweep->workers[i];
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

// What trials of shapes have found.
static void add_trials(const Sweep *sweep, Text *line)
{
    size_t count = 0;
    for (size_t i = 0; i < sweep->worker_count; ++i)
        if (sweep->workers[i].trials.length > 0)
            text_add(line, "%s%s", count++ ? ", " : ", \"trials\": [", sweep->workers[i].trials.text);
    text_add(line, count ? "]" : "");
}

void runlog_end(Sweep *sweep, const char *event)
{
    const RunSummary *summary = sweep->summary;
    Text              line = {0};
    text_add(&line,
             "{\"event\": \"%s\", \"seconds\": %.3f, \"compute_seconds\": %.3f, \"seconds_per_compute\": %.3f, "
             "\"lane_efficiency\": %.4f, \"blocks_computed\": %llu, \"points_copied\": %llu, \"steps\": %llu",
             event, summary->seconds, summary->compute_seconds,
             summary->compute_seconds > 0 ? summary->seconds / summary->compute_seconds : 0,
             run_lane_efficiency(summary), (unsigned long long)summary->blocks_computed,
             (unsigned long long)summary->points_copied, (unsigned long long)summary->steps);
    if (sweep->worker_count > 1)
        add_shares(sweep, &line);
    add_trials(sweep, &line);
    text_add(&line, "}");
    add_line(sweep, &line);
}
