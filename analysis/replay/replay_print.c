// replay_print -- the summary of a replayed point: a dozen lines, or an object.
#include "analysis/replay/replay.h"

#include <math.h>

static const TableColumn lines[] = {{.name = "key", .width = 12, .left = true},
                                    {.name = "value", .gap = 1, .left = true}};

static bool is_whole(const Variable *variable)
{
    return variable->type == TYPE_I8 || variable->type == TYPE_I32 || variable->type == TYPE_I64;
}

// How two results of the point compare.
typedef struct Difference {
    size_t      total, same;
    double      largest;  // relative, of numbers that are not whole
    const char *name;     // of which variable
} Difference;

static double relative(double a, double b)
{
    if (isnan(a) && isnan(b))
        return 0.0;
    const double size = fmax(fabs(a), fabs(b));
    return a == b ? 0.0 : isfinite(a - b) ? fabs(a - b) / size : (double)INFINITY;
}

// Whether a side's result can be compared with the file's.
static bool is_compared(const Replay *replay, size_t v, bool reference)
{
    return replay_has(replay, v) && (!reference || reference_computes(&replay->group, v));
}

static Difference difference_of(const Replay *replay, const Results *results, bool reference)
{
    const Group *group = &replay->group;
    Difference   difference = {0};
    for (size_t v = 0; v < group->variable_count; ++v) {
        const Variable *variable = &group->variables[v];
        if (!is_compared(replay, v, reference))
            continue;
        ++difference.total;
        difference.same += replay_same(replay, results, &replay->stored, v);
        for (size_t i = 0; !is_whole(variable) && i < variable->width; ++i) {
            const double apart = relative(results_value(results, v, 0, i), results_value(&replay->stored, v, 0, i));
            if (apart > difference.largest) {
                difference.largest = apart;
                difference.name = variable->name;
            }
        }
    }
    return difference;
}

// The whole numbers in which a side's results are not the file's.
static void add_whole_differences(Text *text, const Replay *replay, const Results *results, bool reference)
{
    const Group *group = &replay->group;
    size_t       count = 0;
    for (size_t v = 0; v < group->variable_count; ++v) {
        const Variable *variable = &group->variables[v];
        if (!is_compared(replay, v, reference) || !is_whole(variable) || variable->source == SOURCE_STATUS ||
            replay_same(replay, results, &replay->stored, v))
            continue;
        text_add(text, "%s%s %.17g and not %.17g", count++ ? ", " : "; ", variable->name,
                 results_value(results, v, 0, 0), results_value(&replay->stored, v, 0, 0));
    }
}

// The point's end as the file has it. NULL: not a status, in a damaged file.
static const char *stored_status(const Replay *replay)
{
    const double status = results_value(&replay->stored, 0, 0, 0);
    return status >= 0 && status < STATUS_COUNT ? plan_status_names[(size_t)status] : NULL;
}

static void describe_side(Text *text, const Replay *replay, const ReplayTrail *trail)
{
    const bool reference = trail == &replay->reference;
    if (!trail->ran) {
        text_add(text, "did not run: %s", trail->missing.text ? trail->missing.text : "");
        return;
    }
    const Difference difference = difference_of(replay, &trail->results, reference);
    text_add(text, "%s", plan_status_names[trail->status]);
    if (!reference)
        text_add(text, " on %s", replay->device);
    if (!replay_is_stored(replay))
        return;
    if (difference.same == difference.total) {
        text_add(text, "; all %zu results have the file's bits", difference.total);
        return;
    }
    text_add(text, "; %zu of %zu results have the file's bits", difference.same, difference.total);
    add_whole_differences(text, replay, &trail->results, reference);
    if (difference.name)
        text_add(text, "; real numbers differ by up to %.2g of their size (%s)", difference.largest, difference.name);
}

static void describe_point(Text *text, const Replay *replay)
{
    const Group *group = &replay->group;
    for (size_t a = 0; a < group->axis_count; ++a)
        text_add(text, "%s%s = %.10g", a ? ", " : "", group->axes[a].name, group->axes[a].values[0]);
    if (group->axis_count == 0)
        text_add(text, "the group has no axes");
}

static void add_counts(Text *text, const char *name, const ReplayTrail *trail)
{
    text_add(text, "%s%s %" PRIu64 " steps, %zu substeps tried, %" PRIu64 " rejected, %" PRIu64 " updates",
             text->length ? "; " : "", name, trail->steps, trail->count - 1, trail->rejected, trail->updates);
}

static void describe_counts(Text *text, const Replay *replay)
{
    const ReplayTrail *kernel = &replay->kernel, *reference = &replay->reference;
    if (kernel->ran && reference->ran && kernel->steps == reference->steps && kernel->count == reference->count &&
        kernel->rejected == reference->rejected && kernel->updates == reference->updates) {
        add_counts(text, "both", kernel);
        return;
    }
    if (kernel->ran)
        add_counts(text, "kernel", kernel);
    if (reference->ran)
        add_counts(text, "reference", reference);
}

static void add_place(Text *text, const ReplayTry *try)
{
    if (try->h > 0.0)
        text_add(text, "step %" PRId64 ", t = %.10g to %.10g", try->step, try->t, try->t + try->h);
    else
        text_add(text, "t = %.10g", try->t);
}

static void add_share(Text *text, const CertificateShare *share)
{
    text_add(text, "%.3g of its bound in %s, component %zu", share->share, share->equation, share->dof);
}

static void describe_bits(Text *text, const Replay *replay)
{
    if (replay->parted == SIZE_MAX) {
        text_add(text, "the same in all %zu substeps", replay->row_count - 1);
        return;
    }
    const ReplayRow *row = &replay->rows[replay->parted];
    text_add(text, "part at ");
    add_place(text, row->kernel);
    text_add(text, ": %s differs by %.3g ulp%s", row->where, row->apart, row->apart == 1.0 ? "" : "s");
    if (row->kernel->judged && row->kernel->share.equation) {
        text_add(text, "; the kernel's substep uses ");
        add_share(text, &row->kernel->share);
    }
}

// The last two residuals of a solve that was seen, by the number of updates that one side made.
typedef struct Seen {
    uint64_t at, solve;
    double   residual;
} Seen;

static void see_residual(const NewtonSight *sight, void *user)
{
    Seen *seen = user;
    seen->solve += sight->update == 0;
    if (sight->update == seen->at && seen->solve == 1)
        seen->residual = sight->residual;
}

// Why a count of updates differs: the residuals after as many updates as the side with fewer made.
static void add_residuals(Text *text, const Replay *replay, const ReplayRow *row)
{
    const uint64_t fewer =
        row->kernel->updates < row->reference->updates ? row->kernel->updates : row->reference->updates;
    Seen              kernel = {.at = fewer, .residual = NAN}, reference = kernel;
    const ReplaySolve again = replay_solve(replay, &replay->kernel, (size_t)(row->kernel - replay->kernel.tries),
                                           &(NewtonWatch){see_residual, &kernel});
    replay_solve(replay, &replay->reference, (size_t)(row->reference - replay->reference.tries),
                 &(NewtonWatch){see_residual, &reference});
    if (replay->group.method->stages <= 1)
        text_add(text,
                 "; after update %" PRIu64
                 " the residual is %.4g from the kernel's state and %.4g from the reference's, "
                 "the tolerance %.4g",
                 fewer, kernel.residual, reference.residual, replay->rules.tolerance);
    if (again.updates == row->kernel->updates && again.accepted == row->kernel->accepted)
        text_add(text, "; from the kernel's state the reference decides as the kernel");
    else
        text_add(text,
                 "; from the kernel's state too the reference decides otherwise: rounding inside the substep does");
}

static void describe_decisions(Text *text, const Replay *replay)
{
    if (replay->decided == SIZE_MAX) {
        text_add(text, "the same in all %zu substeps", replay->row_count - 1);
        return;
    }
    const ReplayRow *row = &replay->rows[replay->decided];
    const ReplayTry *kernel = row->kernel, *reference = row->reference;
    text_add(text, "differ first at ");
    add_place(text, kernel ? kernel : reference);
    if (!kernel || !reference) {
        text_add(text, ": only the %s tried it", kernel ? "kernel" : "reference");
        return;
    }
    text_add(text, ": kernel %s after %" PRIu64 ", reference %s after %" PRIu64 " updates", kernel->end,
             kernel->updates, reference->end, reference->updates);
    if (replay->origin.plan.precision == PRECISION_SINGLE)
        text_add(text, "; the reference computes in double");
    if (row > replay->rows && !isnan(row[-1].apart))
        text_add(text, "; their states were %.3g ulps apart", row[-1].apart);
    if (replay->group.method->adaptive) {
        const ReplaySolve again = replay_solve(replay, &replay->kernel, (size_t)(kernel - replay->kernel.tries), NULL);
        text_add(text, "; the error over what is permitted is %.17g from the kernel's state, %.17g in the reference",
                 again.error, reference->error);
    } else if (kernel->h > 0.0) {
        add_residuals(text, replay, row);
    }
}

static void describe_shift(Text *text, const Replay *replay)
{
    const ReplayShift *shift = &replay->shift;
    if (!replay->reference.ran) {
        text_add(text, "not known without the reference");
        return;
    }
    if (shift->deciding)
        text_add(text,
                 "sensitive: %" PRIu64 " of %d runs of the reference that begin 1 to %d ulps away decide "
                 "otherwise, first at step %" PRId64 ", t = %.10g",
                 shift->deciding, 2 * REPLAY_SHIFTS, REPLAY_SHIFTS, shift->step, shift->step_time);
    else if (shift->close)
        text_add(text, "sensitive: a decision of the reference is as near as rounding moves it");
    else
        text_add(text, "not sensitive: %d runs of the reference that begin 1 to %d ulps away decide the same",
                 2 * REPLAY_SHIFTS, REPLAY_SHIFTS);
    if (replay->reference.status == STATUS_OK)
        text_add(text, "; an ulp of the beginning becomes up to %.3g at the end", shift->spread);
}

static void describe_certificates(Text *text, const Replay *replay)
{
    if (replay->uncertified.length) {
        text_add(text, "left out: %s", replay->uncertified.text);
        return;
    }
    if (!replay->worst) {
        text_add(text, "none: no kernel ran");
        return;
    }
    // The beginning is tried by nobody, and judged all the same; a state that is not finite is not judged.
    text_add(text, "%" PRIu64 " of %" PRIu64 " hold", replay->certified, replay->judged);
    if (replay->judged < replay->kernel.count)
        text_add(text, ", %" PRIu64 " not judged", replay->kernel.count - replay->judged);
    if (!replay->worst->share.equation) {
        text_add(text, "; no equation is off at all");
        return;
    }
    text_add(text, "; the largest uses ");
    add_share(text, &replay->worst->share);
    text_add(text, ": %.3g of %.3g, at ", replay->worst->share.difference, replay->worst->share.bound);
    add_place(text, replay->worst);
}

static void describe_results(Text *text, const Replay *replay)
{
    const MeasuresCount *measured = &replay->measured;
    if (measured->metrics == 0) {
        text_add(text, "not judged");
        return;
    }
    text_add(text, "%" PRIu64 " of the kernel's %" PRIu64 " follow from the states of its walk", measured->certified,
             measured->metrics);
    if (measured->worst.equation)
        text_add(text, "; the largest uses %.3g of its bound in %s", measured->worst.share, measured->worst.equation);
}

static void add_line(Table *table, const char *key, Text *value)
{
    table_row(table);
    table_word(table, "key", key);
    table_word(table, "value", value->text ? value->text : "");
    table_end_row(table);
    table->text->failed = table->text->failed || value->failed;
    text_free(value);
}

static void describe_sweep(Text *text, const Replay *replay)
{
    const Group *group = &replay->group;
    text_add(text, "%s on %s, %s, %" PRIu64 " steps of %.10g", group->method->name, group->problem->name,
             replay->origin.plan.precision == PRECISION_SINGLE ? "single" : "double", group_steps(group, 0),
             group_step(group, 0));
}

static void describe_stored(Text *text, const Replay *replay)
{
    const char *status = stored_status(replay);
    text_add(text, "%s, computed by %s%s", status ? status : "a status that does not exist",
             replay->origin.plan.computed_by,
             replay->origin.same ? "" : " of another version, whose numbers may be others");
}

static void print_lines(Table *table, const Replay *replay)
{
    static const struct {
        const char *key;
        void (*describe)(Text *text, const Replay *replay);
    } facts[] = {{"at", describe_point},       {"sweep", describe_sweep},
                 {"file", describe_stored},    {"counts", describe_counts},
                 {"bits", describe_bits},      {"decisions", describe_decisions},
                 {"an ulp", describe_shift},   {"certificates", describe_certificates},
                 {"results", describe_results}};
    const bool both = replay->kernel.ran && replay->reference.ran;
    Text       value = {0};
    text_add(&value, "%" PRIu64 " of %" PRIu64 " in group %s of %s", replay->point, replay->whole->point_count,
             replay->whole->label, replay->file.path);
    add_line(table, "point", &value);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i) {
        if (facts[i].describe == describe_counts) {
            describe_side(&value, replay, &replay->kernel);
            add_line(table, "kernel", &value);
            describe_side(&value, replay, &replay->reference);
            add_line(table, "reference", &value);
        }
        if (!both && (facts[i].describe == describe_bits || facts[i].describe == describe_decisions))
            continue;
        facts[i].describe(&value, replay);
        add_line(table, facts[i].key, &value);
    }
}

static void print_side(Table *table, const Replay *replay, const ReplayTrail *trail)
{
    const bool       reference = trail == &replay->reference;
    const Group     *group = &replay->group;
    const Difference difference = trail->ran ? difference_of(replay, &trail->results, reference) : (Difference){0};
    table_open(table, reference ? "reference" : "kernel", "{");
    table_truth(table, "ran", trail->ran);
    if (trail->ran) {
        table_word(table, "status", plan_status_names[trail->status]);
        table_whole(table, "steps", (int64_t)trail->steps);
        table_whole(table, "substeps", (int64_t)trail->count - 1);
        table_whole(table, "rejected", (int64_t)trail->rejected);
        table_whole(table, "updates", (int64_t)trail->updates);
        table_truth(table, "same_as_file", difference.same == difference.total);
        table_open(table, "differing", "[");
        for (size_t v = 0; v < group->variable_count; ++v)
            if (is_compared(replay, v, reference) && !replay_same(replay, &trail->results, &replay->stored, v))
                table_word(table, NULL, group->variables[v].name);
        table_close(table, "]");
    } else {
        table_word(table, "missing", trail->missing.text);
    }
    table_close(table, "}");
}

static void print_row(Table *table, const char *name, const Replay *replay, size_t at)
{
    if (at == SIZE_MAX) {
        table_word(table, name, NULL);
        return;
    }
    const ReplayRow *row = &replay->rows[at];
    const ReplayTry *try = row->kernel ? row->kernel : row->reference;
    table_open(table, name, "{");
    table_whole(table, "step", try->step);
    table_number(table, "t", try->t);
    table_number(table, "h", try->h);
    table_word(table, "kernel", row->kernel ? row->kernel->end : NULL);
    table_word(table, "reference", row->reference ? row->reference->end : NULL);
    table_number(table, "ulps", row->apart);
    table_close(table, "}");
}

static void print_object(Table *table, const Replay *replay)
{
    const Group *group = &replay->group;
    table_row(table);
    table_word(table, "file", replay->file.path);
    table_word(table, "label", group->label);
    table_whole(table, "point", (int64_t)replay->point);
    table_open(table, "parameters", "{");
    for (size_t a = 0; a < group->axis_count; ++a)
        table_number(table, group->axes[a].name, group->axes[a].values[0]);
    table_close(table, "}");
    table_word(table, "method", group->method->name);
    table_word(table, "problem", group->problem->name);
    table_word(table, "status", stored_status(replay));
    table_word(table, "computed_by", replay->origin.plan.computed_by);
    table_truth(table, "same_version", replay->origin.same);
    table_word(table, "device", *replay->device ? replay->device : NULL);
    print_side(table, replay, &replay->kernel);
    print_side(table, replay, &replay->reference);
    print_row(table, "first_bits", replay, replay->parted);
    print_row(table, "first_decision", replay, replay->decided);
    if (replay->reference.ran) {
        table_truth(table, "sensitive", replay->shift.deciding > 0 || replay->shift.close);
        table_number(table, "spread", replay->shift.spread);
    }
    table_whole(table, "judged", (int64_t)replay->judged);
    table_whole(table, "certified", (int64_t)replay->certified);
    table_whole(table, "metrics", (int64_t)replay->measured.metrics);
    table_whole(table, "certified_metrics", (int64_t)replay->measured.certified);
    if (replay->worst) {
        table_number(table, "worst_share", replay->worst->share.share);
        table_word(table, "worst_equation", replay->worst->share.equation);
        table_whole(table, "worst_step", replay->worst->step);
    }
    table_end_row(table);
}

void replay_print(Text *text, Format format, const Replay *replay)
{
    Table table = {TABLE(text, format, lines)};
    if (format == FORMAT_JSON)
        table = (Table){.text = text, .format = format};
    table_begin(&table);
    if (format == FORMAT_JSON)
        print_object(&table, replay);
    else
        print_lines(&table, replay);
    table_end(&table);
}
