// output_name -- fills in the name of a result file, or makes one of the sweep's.
#include "run/output_name.h"

#include "base/utf8.h"
#include "plan/plan.h"
#include "store/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// A value becomes part of one name: it leads to no other folder, and steers no terminal.
static bool check_value(const char *key, const char *value, Error *err)
{
    const char *what = NULL;
    Text        shown SCOPED(text_free) = {0};
    utf8_show(&shown, value, false);
    if (!text_check(&shown, err))
        return false;
    if (!*value)
        what = "is empty";
    else if (strchr(value, '/'))
        what = "has a / in it";
    else if (strcmp(value, ".") == 0 || strcmp(value, "..") == 0)
        what = "is the name of a folder";
    else if (strcmp(shown.text, value) != 0)
        what = "has a control character in it";
    if (what)
        fail(err, ERROR_USAGE, "the value '%s' of %s %s, as no name of a file may: name another key", value, key, what);
    return !what;
}

// Adds the value of the key that ends at the next brace; `next` is moved behind it.
static bool add_value(const char **next, const Plan *plan, Arena *arena, Text *name, Error *err)
{
    const size_t length = strcspn(*next, "{}");
    const char  *value;
    if ((*next)[length] != '}' || length == 0)
        return fail(err, ERROR_USAGE, "%s; write {{ for a brace",
                    length == 0 ? "a { without a key" : "a { without its }");
    const char *key = arena_format(arena, err, "%.*s", (int)length, *next);
    *next += length + 1;
    if (!key || !effective_value(plan, key, arena, &value, err) || !check_value(key, value, err))
        return false;
    text_add(name, "%s", value);
    return true;
}

static bool fill(const char *pattern, const Plan *plan, Arena *arena, Text *name, Error *err)
{
    for (const char *next = pattern; *next;) {
        const size_t plain = strcspn(next, "{}");
        const char  *brace = next + plain;
        text_add_bytes(name, next, plain);
        next = brace + (*brace != '\0');
        if (*brace && *next == *brace) {
            text_add_bytes(name, brace, 1);
            ++next;
        } else if (*brace == '}') {
            return fail(err, ERROR_USAGE, "a } without its {; write }} for a brace");
        } else if (*brace && !add_value(&next, plan, arena, name, err)) {
            return false;
        }
    }
    return text_check(name, err);
}

static bool add_default(const RunRequest *request, Text *name, Error *err)
{
    const char *slash = strrchr(request->sweep, '/'), *last = slash ? slash + 1 : request->sweep,
               *dot = strrchr(last, '.');
    text_add_bytes(name, last, dot && dot > last ? (size_t)(dot - last) : strlen(last));
    if (request->shard_count)
        text_add(name, ".shard-%0*" PRIu64 "-of-%" PRIu64, snprintf(NULL, 0, "%" PRIu64, request->shard_count - 1),
                 request->shard, request->shard_count);
    text_add(name, ".h5");
    return text_check(name, err);
}

bool output_name_foresee(const RunRequest *request, Text *name, Error *err)
{
    if (!request->output)
        return add_default(request, name, err);
    text_add(name, "%s", strpbrk(request->output, "{}") ? "" : request->output);
    return text_check(name, err);
}

// Neither the result file nor a file beside it may be one that the run reads.
static bool check_output(const RunRequest *request, const Plan *plan, const char *output, Error *err)
{
    Outputs outputs = {0};
    for (size_t i = 0; plan_file(plan, i); ++i)
        outputs_keep(&outputs, plan_file(plan, i));
    for (size_t i = 0; i < request->reuse_count; ++i)
        outputs_keep(&outputs, request->reuse[i]);
    return output_check_inputs(output, true, &outputs, err);
}

bool output_name_choose(const RunRequest *request, const Plan *plan, RunSummary *summary, Error *err)
{
    Arena arena SCOPED(arena_free) = {0};
    Text  name SCOPED(text_free) = {0};
    bool  ok = request->output
                   ? fill(request->output, plan, &arena, &name, err) || within(err, "-o %.1000s", request->output)
                   : add_default(request, &name, err);
    snprintf(summary->output, sizeof summary->output, "%s", ok && name.text ? name.text : "");
    ok = ok && ((name.length > 0 && name.length < sizeof summary->output) ||
                fail(err, ERROR_USAGE, "output name is empty or too long"));
    return ok && check_output(request, plan, summary->output, err);
}
