// run_summary -- lines of a run's end, and counts of a file's statuses.
#include "cli/run_summary.h"

#include "base/json.h"
#include "store/points.h"
#include "store/verify.h"

#include <inttypes.h>
#include <string.h>

// Adds the name of a file as a shell takes it.
static void add_word(Text *text, const char *word)
{
    static const char plain[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.,:=+-/@%";
    const char       *before = *word == '-' ? "./" : "";
    if (strspn(word, plain) == strlen(word)) {
        text_add(text, "%s%s", before, word);
        return;
    }
    text_add(text, "'%s", before);
    for (const char *c = word; *c; ++c)
        text_add(text, *c == '\'' ? "'\\''" : "%c", *c);
    text_add(text, "'");
}

// Adds the commands that a person may want next. Failed or copied points are left out where none was computed.
static void add_next(Text *text, const RunSummary *summary, const RunSummaryOf *what)
{
    const bool failed = summary->by_status[STATUS_OK] < summary->points_computed;
    text_add(text, "  next: pendula info ");
    add_word(text, summary->output);
    text_add(text, failed ? " (where they failed)" : " (what is in it)");
    if (what->shards) {
        text_add(text, "; pendula merge -o FILE.h5 SHARD.h5..., once all %" PRIu64 " shards are there\n", what->shards);
        return;
    }
    text_add(text, "; pendula plot ");
    add_word(text, summary->output);
    text_add(text, " (pictures)\n");
}

// Adds how points ended, each way to fail with its percentage.
static void add_statuses(Text *text, const RunSummary *summary)
{
    for (int status = 0; status < STATUS_COUNT; ++status) {
        const uint64_t count = summary->by_status[status];
        const double   percent = 100.0 * (double)count / (double)summary->points_computed;
        if (count == 0)
            continue;
        text_add(text, "  %-16s %" PRIu64, plan_status_names[status], count);
        // Nearly all are not all.
        if (status != STATUS_OK)
            text_add(text, "  (%.3g %%)", count < summary->points_computed && percent > 99.9 ? 99.9 : percent);
        text_add(text, "\n");
    }
}

// Adds the number of computed points, the speed, and how they ended.
static void add_computed(Text *text, const RunSummary *summary)
{
    static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
    const double             compute = summary->compute_seconds;
    text_add(text, "%s: %" PRIu64 " points on %s in %.2f s", summary->output, summary->points_computed, summary->device,
             summary->seconds);
    if (compute >= 0.01)
        text_add(text, ", %s steps/s in %.2f s of computing (lane efficiency %.2f)",
                 text_amount((double)summary->steps / compute, units).text, compute, run_lane_efficiency(summary));
    text_add(text, "\n");
    add_statuses(text, summary);
}

static void add_text(const RunSummary *summary, const RunSummaryOf *what, Text *text)
{
    if (what->retried && summary->retry == 0) {
        text_add(text, "%s: no point ended so by other settings; nothing is computed again\n", summary->output);
        return;
    }
    if (summary->retry)
        text_add(text, "%s: retry %u: %" PRIu64 " points computed again, the others kept\n", summary->output,
                 summary->retry, summary->points_computed);
    else if (what->resumed)
        text_add(text,
                 "%s: %" PRIu64 " blocks reused, %" PRIu64 " computed; %" PRIu64 " points reused, %" PRIu64
                 " computed%s\n",
                 summary->output, summary->blocks_reused, summary->blocks_computed, summary->points_reused,
                 summary->points_computed, summary->blocks_computed ? "" : "; the file was complete");
    if (summary->points_copied > 0 && !summary->retry)
        text_add(text, "%s: %" PRIu64 " points copied from older files\n", summary->output, summary->points_copied);
    if (summary->points_computed > 0)
        add_computed(text, summary);
    add_next(text, summary, what);
}

static void add_object(const RunSummary *summary, Text *text)
{
    text_add(text, "{");
    json_member_string(text, "file", summary->output);
    json_member_string(text, "devices", summary->device);
    json_member_whole(text, "points", summary->points);
    json_member_whole(text, "points_reused", summary->points_reused);
    json_member_whole(text, "points_copied", summary->points_copied);
    json_member_whole(text, "points_computed", summary->points_computed);
    json_member_whole(text, "blocks", summary->blocks);
    json_member_whole(text, "blocks_reused", summary->blocks_reused);
    json_member_whole(text, "blocks_computed", summary->blocks_computed);
    json_member_whole(text, "retry", summary->retry);
    json_open(text, "status", "{");
    for (int status = 0; status < STATUS_COUNT; ++status)
        if (summary->by_status[status])
            json_member_whole(text, plan_status_names[status], summary->by_status[status]);
    text_add(text, "}");
    json_member_whole(text, "steps", summary->steps);
    json_member_number(text, "seconds", summary->seconds);
    json_member_number(text, "compute_seconds", summary->compute_seconds);
    json_member_number(text, "lane_efficiency", run_lane_efficiency(summary));
    text_add(text, "}\n");
}

void run_summary_add(const RunSummary *summary, const RunSummaryOf *what, SummaryForm form, Text *text)
{
    if (form == SUMMARY_TEXT)
        add_text(summary, what, text);
    else if (form == SUMMARY_JSON)
        add_object(summary, text);
}

bool run_summary_check(const char *path, FailOn rule, Error *err)
{
    StoreFile file SCOPED(store_read_close) = {0};
    uint64_t  ok = 0, failed = 0;
    if (rule == FAIL_ON_NOTHING)
        return true;
    if (!verify_open(path, &file, err))
        return false;
    for (size_t g = 0; g < file.group_count; ++g) {
        Points   points SCOPED(points_close) = {0};
        uint64_t counts[POINTS_COUNTS];
        if (!points_open_design(&file, &file.groups[g], &points, err) || !points_count(&points, counts, err))
            return false;
        for (int status = 0; status < POINTS_COUNTS; ++status)
            if (status != STATUS_NOT_RUN)
                *(status == STATUS_OK ? &ok : &failed) += counts[status];
    }
    return failed == 0 || (rule == FAIL_ON_ALL && ok > 0) ||
           fail(err, ERROR_FAILED, "%s: %" PRIu64 " of %" PRIu64 " points failed; the file is complete", path, failed,
                failed + ok);
}
