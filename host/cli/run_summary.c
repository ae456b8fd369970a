// run_summary -- lines of a run's end, and counts of a file's statuses.
#include "cli/run_summary.h"

#include "base/json.h"
#include "store/points.h"

#include <inttypes.h>

// What a person may want to see next.
static void add_next(Text *text, const RunSummary *summary)
{
    const bool failed = summary->by_status[STATUS_OK] < summary->points_computed - summary->points_copied;
    text_add(text,
             failed ? "  where they failed: pendula info %s; a picture: pendula plot %s\n"
                    : "  what is in it: pendula info %s; a picture: pendula plot %s\n",
             summary->output, summary->output);
}

static void add_text(const RunSummary *summary, bool resumed, bool retried, Text *text)
{
    if (retried && summary->retry == 0) {
        text_add(text, "%s: no point ended so; nothing is computed again\n", summary->output);
        return;
    }
    if (summary->retry)
        text_add(text, "%s: retry %u: %" PRIu64 " points computed again, the others kept\n", summary->output,
                 summary->retry, summary->points_computed);
    else if (resumed)
        text_add(text,
                 "%s: %" PRIu64 " blocks reused, %" PRIu64 " computed; %" PRIu64 " points reused, %" PRIu64
                 " computed\n",
                 summary->output, summary->blocks_reused, summary->blocks_computed, summary->points_reused,
                 summary->points_computed);
    if (summary->points_copied > 0 && !summary->retry)
        text_add(text, "%s: %" PRIu64 " points copied from older files\n", summary->output, summary->points_copied);
    if (summary->points_computed == 0)
        return;
    const double compute = summary->compute_seconds;
    text_add(text, "%s: %" PRIu64 " points on %s in %.2f s", summary->output, summary->points_computed, summary->device,
             summary->seconds);
    if (compute >= 0.01)
        text_add(text, ", %.2f x the %.2f s of computing (%.3g steps/s, lane efficiency %.2f)",
                 summary->seconds / compute, compute, (double)summary->steps / compute, run_lane_efficiency(summary));
    text_add(text, "\n");
    for (int status = 0; status < STATUS_COUNT; ++status)
        if (summary->by_status[status])
            text_add(text, "  %-16s %" PRIu64 "\n", plan_status_names[status], summary->by_status[status]);
    add_next(text, summary);
}

static void member_count(Text *text, const char *key, uint64_t count)
{
    json_member(text, key);
    text_add(text, "%" PRIu64, count);
}

static void member_number(Text *text, const char *key, double number)
{
    json_member(text, key);
    json_number(text, number);
}

static void add_object(const RunSummary *summary, Text *text)
{
    text_add(text, "{");
    json_member(text, "file");
    json_string(text, summary->output);
    json_member(text, "devices");
    json_string(text, summary->device);
    member_count(text, "points", summary->points);
    member_count(text, "points_reused", summary->points_reused);
    member_count(text, "points_copied", summary->points_copied);
    member_count(text, "points_computed", summary->points_computed);
    member_count(text, "blocks", summary->blocks);
    member_count(text, "blocks_reused", summary->blocks_reused);
    member_count(text, "blocks_computed", summary->blocks_computed);
    member_count(text, "retry", summary->retry);
    json_member(text, "status");
    text_add(text, "{");
    for (int status = 0; status < STATUS_COUNT; ++status)
        if (summary->by_status[status])
            member_count(text, plan_status_names[status], summary->by_status[status]);
    text_add(text, "}");
    member_count(text, "steps", summary->steps);
    member_number(text, "seconds", summary->seconds);
    member_number(text, "compute_seconds", summary->compute_seconds);
    member_number(text, "lane_efficiency", run_lane_efficiency(summary));
    text_add(text, "}\n");
}

void run_summary_add(const RunSummary *summary, bool resumed, bool retried, SummaryForm form, Text *text)
{
    if (form == SUMMARY_TEXT)
        add_text(summary, resumed, retried, text);
    else if (form == SUMMARY_JSON)
        add_object(summary, text);
}

bool run_summary_check(const char *path, FailOn rule, Error *err)
{
    StoreFile file = {0};
    uint64_t  ok = 0, failed = 0;
    if (rule == FAIL_ON_NOTHING)
        return true;
    bool read = store_read_open(path, &file, err);
    for (size_t g = 0; read && g < file.group_count; ++g) {
        Points   points;
        uint64_t counts[POINTS_COUNTS];
        read = points_open_design(&file, &file.groups[g], &points, err);
        if (!read)
            break;
        read = points_count(&points, counts, err);
        points_close(&points);
        for (int status = 0; read && status < POINTS_COUNTS; ++status)
            if (status != STATUS_NOT_RUN)
                *(status == STATUS_OK ? &ok : &failed) += counts[status];
    }
    store_read_close(&file);
    if (!read)
        return false;
    if (failed == 0 || (rule == FAIL_ON_ALL && ok > 0))
        return true;
    return fail(err, ERROR_FAILED, "%s: %" PRIu64 " of %" PRIu64 " points failed; the file is complete", path, failed,
                failed + ok);
}
