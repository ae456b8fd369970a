// retry -- statuses and earlier attempts are read from the file, a byte for each point.
#include "store/retry.h"

#include "store/damage.h"
#include "store/older.h"
#include "store/output.h"
#include "store/settings.h"
#include "store/store_read.h"

#include <stdlib.h>
#include <string.h>

bool retry_read(const char *text, unsigned *statuses)
{
    *statuses = 0;
    if (strcmp(text, "failed") == 0) {
        for (int s = STATUS_OK + 1; s < STATUS_COUNT; s++)
            *statuses |= 1U << s;
        return true;
    }
    while (*text) {
        const size_t length = strcspn(text, ",");
        int          found = STATUS_OK + 1;
        while (found < STATUS_COUNT &&
               (strncmp(plan_status_names[found], text, length) != 0 || strlen(plan_status_names[found]) != length))
            found++;
        if (found == STATUS_COUNT)
            return false;
        *statuses |= 1U << found;
        text += length + (text[length] == ',');
    }
    return *statuses != 0;
}

bool retry_adopt(const char *path, Plan *plan, Error *err)
{
    StoreFile file SCOPED(store_read_close) = {0};
    return store_read_open(path, &file, err) && older_read_history(&file, plan, err);
}

const char *retry_name(const char *path, Arena *arena, Error *err)
{
    const char *file = output_name(path, arena, err);
    return file ? arena_format(arena, err, "%s.retry", file) : NULL;
}

bool retry_settle(const char *name, const char *path, Error *err)
{
    Arena       arena SCOPED(arena_free) = {0};
    const char *file = output_name(path, &arena, err), *from = arena_format(&arena, err, "%s.log", name),
               *to = file ? arena_format(&arena, err, "%s.log", file) : NULL;
    // The log first: a retry that is killed behind the renaming is not gone on with.
    if (from && to)
        output_take_log(from, to);
    return from && to && output_settle(name, file, err);
}

// Whether a line of settings has rules that a retry may change.
static bool is_rule(const char *line)
{
    return strncmp(line, "    newton: ", 12) == 0 || strncmp(line, "    substeps: ", 14) == 0;
}

// Settings without the rules of a retry, or these alone, each with the label of its group.
static bool split_settings(const char *settings, bool rules, Text *out, Error *err)
{
    static const char label[] = "  - label: ";
    const char       *name = "";
    int               length = 0;
    while (*settings) {
        const size_t line = strcspn(settings, "\n");
        if (strncmp(settings, label, sizeof label - 1) == 0) {
            name = settings + sizeof label - 1;
            length = (int)(line - (sizeof label - 1));
        }
        if (rules && is_rule(settings))
            text_add(out, "; %.*s %.*s", length, name, (int)line - 4, settings + 4);
        else if (!rules && !is_rule(settings))
            text_add(out, "%.*s\n", (int)line, settings);
        settings += line + (settings[line] == '\n');
    }
    return text_check(out, err);
}

// Whether the plan has the settings of the file's last attempt: its rules, or all others.
//   difference  of others: the first
static bool compare_settings(const Older *older, const Plan *plan, bool rules, bool *same, Error *difference,
                             Error *err)
{
    const char *settings = older->origin.plan.settings;
    Text        old SCOPED(text_free) = {0}, new SCOPED(text_free) = {0};
    if (!split_settings(settings, rules, &old, err) || !split_settings(plan->settings, rules, &new, err))
        return false;
    *same = strcmp(old.text ? old.text : "", new.text ? new.text : "") == 0;
    if (!*same && !rules)
        settings_fail(old.text, new.text, difference);
    return true;
}

static bool check_settings(const Older *older, const Plan *plan, Error *err)
{
    bool  same;
    Error why;
    if (!compare_settings(older, plan, false, &same, &why, err))
        return false;
    if (!same)
        return fail(err, ERROR_INPUT, "%s: %.2000s; a retry may change `newton` and `substeps`, and nothing else",
                    older->path, why.message);
    return strcmp(older->origin.plan.computed_by, plan->computed_by) == 0 ||
           fail(err, ERROR_INPUT, "%s: computed by %s, and is retried by it too", older->path,
                older->origin.plan.computed_by);
}

static bool check_whole(const Older *older, Error *err)
{
    const uint64_t blocks = older->origin.plan.block_count;
    if (older->damaged > 0)
        return fail(err, ERROR_INPUT, "%s: %llu of its blocks are damaged; %s", older->path,
                    (unsigned long long)older->damaged,
                    older->origin.plan.history ? DAMAGE_ANEW : "--resume without --retry computes them anew");
    if (older->origin.plan.part)
        return fail(err, ERROR_INPUT, "%s: a shard; merge the shards and retry the whole", older->path);
    return older->blocks == blocks ||
           fail(err, ERROR_INCOMPLETE, "%s: %llu of %llu blocks are done; --resume without --retry completes it first",
                older->path, (unsigned long long)older->blocks, (unsigned long long)blocks);
}

// The retry's number: one more than the history has lines.
static unsigned number_of(const char *history)
{
    unsigned number = 1;
    for (const char *c = history; c && *c; c++)
        number += *c == '\n';
    return number;
}

// The points that a retry computes again.
typedef struct RetrySought {
    unsigned statuses;
    unsigned number;                // of the retry
    bool     same;                  // it has the rules of the last attempt, whose points would end the same
    uint64_t counts[STATUS_COUNT];  // of points that are computed again
    uint64_t left;                  // points that have such a status by the same rules
} RetrySought;

static bool find_attempts(const Older *older, size_t g, RetrySought *sought, unsigned char *attempts, Error *err)
{
    const Section *section = &older->layout.sections[g];
    const uint64_t count = section->group->point_count;
    unsigned char *status SCOPED(scoped_free) = malloc(count);
    bool           ok = (status || fail(err, ERROR_INTERNAL, "out of memory")) &&
              output_read(older->file, older->path, status, count, section->columns[0].offset, err);
    if (ok && older->origin.plan.history)
        ok = output_read(older->file, older->path, attempts, count, section->attempt->offset, err);
    for (uint64_t i = 0; ok && i < count; i++)
        if (status[i] < STATUS_COUNT && sought->statuses >> status[i] & 1U) {
            if (sought->same && attempts[i] + 1U == sought->number) {
                sought->left++;
                continue;
            }
            attempts[i] = (unsigned char)sought->number;
            sought->counts[status[i]]++;
        }
    return ok;
}

// "1: 23 newton_failed computed again; before: theta2 newton: {...}; theta2 substeps: {...}"
static bool write_history(const Older *older, unsigned number, const uint64_t counts[STATUS_COUNT], Plan *plan,
                          Error *err)
{
    Text line SCOPED(text_free) = {0}, rules SCOPED(text_free) = {0};
    text_add(&line, "%s%u:", older->origin.plan.history ? older->origin.plan.history : "", number);
    for (int s = 0; s < STATUS_COUNT; s++)
        if (counts[s])
            text_add(&line, " %llu %s", (unsigned long long)counts[s], plan_status_names[s]);
    bool ok = split_settings(older->origin.plan.settings, true, &rules, err);
    text_add(&line, " computed again; before: %s\n", rules.text ? rules.text + 2 : "");
    return ok && text_check(&line, err) && (plan->history = arena_format(&plan->arena, err, "%s", line.text));
}

static bool prepare(const Older *older, unsigned statuses, Plan *plan, uint64_t *points, Error *err)
{
    const char     *history = older->origin.plan.history;
    RetrySought     sought = {.statuses = statuses, .number = number_of(history)};
    unsigned char **attempts = arena_take(&plan->arena, plan->group_count, sizeof *attempts, err);
    bool            ok = attempts && check_settings(older, plan, err) && check_whole(older, err) &&
              compare_settings(older, plan, true, &sought.same, NULL, err) &&
              (sought.number < 128 || fail(err, ERROR_INPUT, "%s: was retried 127 times; that must do", older->path));
    for (size_t g = 0; ok && g < plan->group_count; g++)
        ok = (attempts[g] = arena_take(&plan->arena, plan->groups[g].point_count, 1, err)) &&
             find_attempts(older, g, &sought, attempts[g], err);
    plan->attempts = (const unsigned char *const *)attempts;
    plan->attempt = sought.number;
    *points = 0;
    for (int s = 0; s < STATUS_COUNT; s++)
        *points += sought.counts[s];
    if (ok && *points == 0 && sought.left > 0 && !history)
        ok =
            fail(err, ERROR_INPUT,
                 "%s: its failed points were computed by these `newton` and `substeps` settings; a retry changes some, "
                 "e.g. -s newton.max_updates=200",
                 older->path);
    return ok && write_history(older, sought.number, sought.counts, plan, err);
}

bool retry_prepare(const char *path, unsigned statuses, Plan *plan, uint64_t *points, Reuse **reuse, Error *err)
{
    *reuse = NULL;
    return reuse_open_kept(path, plan, reuse, err) && prepare(reuse_older(*reuse), statuses, plan, points, err);
}
