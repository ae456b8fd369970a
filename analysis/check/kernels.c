// kernels -- the file's kernels, built and run wherever that is possible, and compared bit by bit.
#include "analysis/check/check.h"
#include "analysis/check/lines.h"
#include "analysis/conform/points/bits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MANY = 16 };

// The results of the runs in one precision so far.
typedef struct Runs {
    const Group *group;
    Precision    precision;
    Results      first;  // of the first run that went
    char         first_where[320];
    bool         any;
    size_t       built, same, several;  // kernels; kernels with the first one's bits; kernels of several lanes
} Runs;

static const char *const precisions[] = {"double", "single"};

// The line that results of the file come from.
static size_t find_origin(const Check *check, const Variable *variable)
{
    static const char *const names[][2] = {{"acceleration", "rate"}, {"step", "trial"}, {"observe", "start"}};
    const char *const       *own = names[check->card.kind];
    size_t                   line = lines_function(&check->card, own[0]);
    if (check->card.kind == CARD_METRIC && line == 0)
        line = lines_function(&check->card, variable->name);
    line = line ? line : lines_function(&check->card, own[1]);
    return line ? line : 1;
}

static void compare(Check *check, Runs *runs, const Results *results, const char *where, const char *excuse)
{
    uint64_t differing = 0;
    double   most = 0.0;
    size_t   variable = 0, point = 0;
    for (size_t i = 0; i < runs->group->point_count; ++i) {
        size_t       v = 0;
        const double apart = bits_apart(runs->group, &runs->first, results, i, &v);
        differing += apart > 0.0;
        if (apart > most) {
            most = apart;
            variable = v;
            point = i;
        }
    }
    runs->same += differing == 0;
    const Variable *shown = &runs->group->variables[variable];
    if (differing > 0)
        findings_add(&check->findings, excuse ? FINDING_NOTE : FINDING_WRONG, find_origin(check, shown),
                     "results have other bits %s than %s: %llu of %llu points, '%s' is %.17g and not %.17g at point "
                     "%zu: %s",
                     where, runs->first_where, (unsigned long long)differing,
                     (unsigned long long)runs->group->point_count, shown->name,
                     results_value(results, variable, point, 0), results_value(&runs->first, variable, point, 0), point,
                     excuse ? excuse
                            : "each lane is a point of its own: what holds for one must not decide for the others "
                              "(choose(mask, a, b); under any_lane() only what the mask leaves alone)");
}

// Builds and runs the kernel of a group. A failure is a finding.
static bool run_kernel(Check *check, const Plan *plan, Device *device, int lanes, Runs *runs, Error *err)
{
    const RunOptions options = {.signals = check->signals};
    Engine           engine = {0};
    Results          results = {0};
    Error            refused = {0};
    char             where[320];
    ProgressCompile  compile = {.number = ++check->built, .count = check->builds};
    snprintf(where, sizeof where, "at %d %s in %s precision on %s", lanes, lanes == 1 ? "lane" : "lanes",
             precisions[runs->precision], device_info(device)->name);
    snprintf(compile.name, sizeof compile.name, "%.40s %.80s", runs->group->label, where);
    notice_begin(check->notice, 0, &compile);
    bool ok = engine_compose(&engine, plan, runs->group, &refused) && engine_build(&engine, device, lanes, &refused) &&
              engine_solve(&engine, check->signals, &refused) && engine_run_all(&engine, &options, &results, &refused);
    notice_end(check->notice, 0);
    if (ok) {
        ++runs->built;
        runs->several += lanes > 1;
        if (runs->any) {
            compare(check, runs, &results, where, device_arithmetic(device, runs->precision));
        } else {
            runs->first = results;
            results = (Results){0};
            runs->any = true;
            ++runs->same;
            snprintf(runs->first_where, sizeof runs->first_where, "%s", where);
        }
    } else if (refused.kind == ERROR_KERNEL) {
        check_messages(check, where, refused.message);
    } else if (refused.kind == ERROR_INPUT || refused.kind == ERROR_DEVICE) {
        check->broken = check->broken || refused.kind == ERROR_INPUT;
        findings_add(&check->findings, refused.kind == ERROR_INPUT ? FINDING_WRONG : FINDING_NOTE, 1, "%s: %s", where,
                     refused.message);
    }
    results_free(&results);
    engine_free(&engine);
    if (refused.kind == ERROR_INTERNAL || refused.kind == ERROR_STOPPED)
        *err = refused;
    return refused.kind != ERROR_INTERNAL && refused.kind != ERROR_STOPPED;
}

// For each result: the unwindowed one, then the results of the three windows.
static void check_windows(Check *check, const Runs *runs)
{
    const Card  *card = &check->card;
    const bool   window = card_takes(card, "window"), of = card_takes(card, "of");
    const size_t each = 1 + 3 * (size_t)window + (size_t)of, points = runs->group->point_count;
    size_t       alike = 0, numbers = 0;
    for (size_t r = 0; window && r < card->result_count; ++r) {
        const size_t v = 1 + r * each;
        for (size_t i = 0; i < points; ++i) {
            double plain = results_value(&runs->first, v, i, 0), all = results_value(&runs->first, v + 1, i, 0);
            ++numbers;
            alike += memcmp(results_at(&runs->first, v, i), results_at(&runs->first, v + 2, i), 8) == 0 &&
                     memcmp(results_at(&runs->first, v, i), results_at(&runs->first, v + 3, i), 8) == 0;
            if (!(plain == all || (isnan(plain) && isnan(all))))
                findings_add(&check->findings, FINDING_WRONG, find_origin(check, &runs->group->variables[v]),
                             "'%s' is %.17g in a window that holds every observation, %.17g without one: ask WITHIN(t) "
                             "in M(start) and M(observe) alike",
                             card->results[r].name, all, plain);
        }
    }
    if (numbers > 0 && alike == numbers)
        findings_add(&check->findings, FINDING_WRONG, lines_key(card, "options"),
                     "no result depends on the window: what is observed is kept where WITHIN(t) does not hold too");
    else if (numbers > 0)
        findings_add(
            &check->findings, FINDING_RIGHT, 0,
            "windows: one that holds everything changes nothing; early and late ones change %zu of %zu numbers",
            numbers - alike, numbers);
}

static void report(Check *check, const Runs *runs)
{
    if (runs->built > 0 && runs->same == runs->built && !check->broken)
        findings_add(&check->findings, FINDING_RIGHT, 0,
                     "kernels: '%s' in %s precision: %zu built and run, %zu of them of several lanes: the same bits",
                     runs->group->label, precisions[runs->precision], runs->built, runs->several);
    if (runs->built > 0 && runs->several == 0 && !check->broken)
        findings_add(&check->findings, FINDING_NOTE, 0,
                     "several lanes were not examined, where a branch on a number does not compile: no device here has "
                     "more than one; install clang or an OpenCL device");
}

// The numbers of lanes that a device's kernels are built for, at most two. Native kernels compile fast: one lane shows
// the faults of any number, and sixteen the faults of several.
static size_t find_lanes(const Device *device, Precision precision, int lanes[2])
{
    const DeviceInfo *info = device_info(device);
    const int         own = precision == PRECISION_SINGLE ? info->lanes_single : info->lanes_double;
    const bool        native = strcmp(info->platform, "native") == 0;
    size_t            count = 0;
    if (precision == PRECISION_DOUBLE && !info->fp64)
        return 0;
    if (native || own == 1)
        lanes[count++] = 1;
    if (info->vectors && (native || own > 1))
        lanes[count++] = native ? MANY : own;
    return count;
}

static bool run_group(Check *check, const Plan *plan, const Group *group, Error *err)
{
    Group quick = *group;
    Runs  runs = {.group = &quick, .precision = plan->precision};
    bool  ok = true;
    quick.hasty = true;
    for (size_t d = 0; ok && d < check->device_count; ++d) {
        int          lanes[2];
        const size_t count = find_lanes(check->devices[d], plan->precision, lanes);
        for (size_t i = 0; ok && i < count; ++i)
            ok = run_kernel(check, plan, check->devices[d], lanes[i], &runs, err);
    }
    report(check, &runs);
    if (ok && check->card.kind == CARD_METRIC && runs.any && !check->broken && plan->precision == PRECISION_DOUBLE)
        check_windows(check, &runs);
    results_free(&runs.first);
    return ok;
}

static bool run_precision(Check *check, Precision precision, Error *err)
{
    Spec  spec = {0};
    Plan  plan = {0};
    Text  text = {0};
    Error refused = {0};
    // Two degrees of freedom show more of a method than one.
    const int which = check->card.kind == CARD_METHOD ? 2 : 0;
    bool      ok = true;
    if (!check_sweep(check, which, precision, &text)) {
        findings_add(&check->findings, FINDING_WRONG, lines_key(&check->card, "needs"),
                     "no problem of the program provides what the card needs: a sweep has to name one that does");
    } else if (!text_check(&text, err)) {
        ok = false;
    } else if (!spec_read_text("check", text.text, NULL, 0, &spec, &refused) ||
               !plan_make(&spec, &check->catalog, &plan, &refused)) {
        findings_add(&check->findings, FINDING_WRONG, 1, "no sweep can have it: %s", refused.message);
        check->broken = true;
    }
    check->built = check->builds = 0;
    for (size_t d = 0; d < check->device_count; ++d) {
        int lanes[2];
        check->builds += plan.group_count * find_lanes(check->devices[d], precision, lanes);
    }
    for (size_t g = 0; ok && g < plan.group_count; ++g)
        ok = run_group(check, &plan, &plan.groups[g], err);
    plan_free(&plan);
    spec_free(&spec);
    text_free(&text);
    return ok;
}

bool check_kernels(Check *check, Error *err)
{
    return run_precision(check, PRECISION_DOUBLE, err) &&
           (check->broken || run_precision(check, PRECISION_SINGLE, err));
}
