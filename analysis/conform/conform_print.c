// conform_print -- the findings about a group, line by line.
#include "analysis/conform/conform_print.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *precision_of(const Conformance *c)
{
    return c->plan->precision == PRECISION_SINGLE ? "single" : "double";
}

static uint64_t whole_point(const Conformance *c, uint64_t point)
{
    return scope_point(c->scope, point);
}

// A point's number and its value on each axis.
static void add_point(Text *text, const Conformance *c, uint64_t point)
{
    text_add(text, "point %" PRIu64, point);
    for (size_t a = 0; a < c->group->axis_count; ++a)
        text_add(text, "%s%s = %.6g", a ? ", " : " (", c->group->axes[a].name, group_axis_value(c->group, a, point));
    text_add(text, c->group->axis_count ? ")" : "");
}

static void add_lanes(Text *text, const BitsDevice *device)
{
    text_add(text, "%s (%s", device->name, device->lanes.count == 1 ? "lane" : "lanes");
    for (size_t l = 0; l < device->lanes.count; ++l)
        text_add(text, "%s %d", l ? "," : "", device->lanes.counts[l]);
    text_add(text, ")");
}

static void add_bits(Text *text, const Conformance *c)
{
    const Bits *bits = c->bits;
    text_add(text, "  bits: %s on ", bits->same == bits->points ? "the same" : "NOT THE SAME");
    for (size_t d = 0; d < bits->device_count; ++d) {
        text_add(text, d ? ", " : "");
        add_lanes(text, &bits->devices[d]);
        if (bits->devices[d].differing)
            text_add(text, ": %" PRIu64 " points differ from the first", bits->devices[d].differing);
    }
    text_add(text, "\n");
    for (size_t d = 0; d < bits->device_count; ++d)
        if (bits->devices[d].arithmetic)
            text_add(text, "    %s: %s\n", bits->devices[d].name, bits->devices[d].arithmetic);
    if (bits->same < bits->points) {
        text_add(text, "    furthest apart, by %.3g ulp: ", bits->ulps);
        add_point(text, c, whole_point(c, bits->point));
        text_add(text, "\n");
    }
}

// A place within a step: 3/8, or nothing at its beginning.
static void add_place(Text *text, const Certified *certified)
{
    int64_t at = certified->index, whole = (int64_t)1 << MOST_DEPTH;
    text_add(text, ", step %" PRId64, certified->step);
    for (; at && at % 2 == 0; at /= 2)
        whole /= 2;
    if (at)
        text_add(text, " at %" PRId64 "/%" PRId64 " of it", at, whole);
}

// The largest share of a bound, and where that is.
//   wrong   it is above the bound, or may be
//   point   in the whole group
//   placed  the certificates of substeps that have it; NULL: it is a metric's
static void add_worst(Text *text, const Conformance *c, const CertificateShare *worst, bool wrong, uint64_t point,
                      const Certified *placed)
{
    const char *of = worst->derivative ? "derived by " : "", *name = worst->derivative ? worst->derivative : "",
               *colon = worst->derivative ? ": " : "";
    if (wrong)
        text_add(text, "    worst: %s%s%s%s, component %zu: ", of, name, colon, worst->equation, worst->dof);
    else
        text_add(text, "    at most %.3g of a bound: %s%s%s%s, ", worst->share, of, name, colon, worst->equation);
    if (wrong && isfinite(worst->share))
        text_add(text, "%.3g where %.3g is permitted, ", worst->difference, worst->bound);
    else if (wrong)
        text_add(text, "%.17g, ", worst->difference);
    add_point(text, c, point);
    if (placed)
        add_place(text, placed);
    text_add(text, "\n");
}

// The order of a method whose equations are not known.
static void add_order(Text *text, const Conformance *c)
{
    const OrderMeasured *order = &c->order;
    text_add(text, "  order: %s", order_holds(order) ? "" : "NOT THE CARD'S; ");
    if (isnan(order->measured))
        text_add(text, "that of %s does not settle", order->quantity);
    else if (isinf(order->measured))
        text_add(text, "errors are rounding at every step");
    else
        text_add(text, "%.3f measured for %s (finest step %.2g)", order->measured, order->quantity, order->step);
    text_add(text, ", %d on the card, at ", order->card);
    add_point(text, c, whole_point(c, order->point));
    text_add(text, "; %" PRIu64 " of %" PRIu64 " points reach it%s\n", order->holding, order->points,
             order_holds(order) ? "" : ": substeps are not certified");
}

static void add_steps(Text *text, const Conformance *c)
{
    const Certified *certified = &c->certified;
    if (c->by_order)
        add_order(text, c);
    if (c->by_order && !order_holds(&c->order))
        return;
    text_add(text, "  substeps: %" PRIu64 " of %" PRIu64 " certified on %s", certified->certified, certified->substeps,
             c->walked);
    if (certified->by_interval)
        text_add(text, "; of %" PRIu64 " the count is not the reference's, as rounding permits",
                 certified->by_interval);
    text_add(text, "\n");
    if (certified->worst.equation)
        add_worst(text, c, &certified->worst, certified->certified < certified->substeps,
                  whole_point(c, certified->point), certified);
}

// Metrics of which no formula is known, of a user's own files.
static bool is_unknown(const Group *group, size_t i)
{
    return !group->variables[i].trajectory && !measures_knows(group, &group->variables[i]);
}

static void add_unknown(Text *text, const Group *group)
{
    bool any = false;
    for (size_t i = 0; i < group->variable_count; ++i)
        if (is_unknown(group, i)) {
            text_add(text, any ? ", %s" : "    metrics without a formula, compared between devices only: %s",
                     group->variables[i].name);
            any = true;
        }
    text_add(text, any ? "\n" : "");
}

static void add_metrics(Text *text, const Conformance *c)
{
    const MeasuresCount *measured = &c->certified.measured;
    text_add(text, "  metrics: %" PRIu64 " of %" PRIu64 " certified", measured->certified, measured->metrics);
    if (measured->open)
        text_add(text, "; of %" PRIu64 " rounding leaves nothing to demand", measured->open);
    text_add(text, "\n");
    if (measured->metrics > 0 && measured->worst.equation)
        add_worst(text, c, &measured->worst, measured->certified < measured->metrics, whole_point(c, measured->point),
                  NULL);
    add_unknown(text, c->group);
}

static void add_apart(Text *text, const Conformance *c)
{
    const Apart *apart = &c->apart;
    if (apart->unreferenced.kind != ERROR_NONE) {
        text_add(text, "  beside the reference: not compared; %s\n", apart->unreferenced.message);
        return;
    }
    text_add(text,
             "  beside the reference (for information): of %" PRIu64 " points %" PRIu64
             " are sensitive to an ulp; the others part by up to %.3g ulp\n",
             apart->points, apart->sensitive, apart->ulps);
    if (apart->step == UINT64_MAX)
        return;
    text_add(text, "    first 1e-6 of a trajectory apart: after step %" PRIu64 ", ", apart->step);
    add_point(text, c, scope_point(c->compared, apart->step_point));
    text_add(text, "\n");
}

// The reference's own steps on the points that were compared with it, and the verdict on them.
static void add_reference(Text *text, const Conformance *c)
{
    const Certified     *reference = &c->reference;
    const MeasuresCount *measured = &reference->measured;
    const bool           wrong = reference->certified < reference->substeps;
    if (reference->substeps == 0)
        return;
    text_add(text,
             "  reference: %" PRIu64 " of %" PRIu64 " substeps and %" PRIu64 " of %" PRIu64 " metrics of %" PRIu64
             " points certified\n",
             reference->certified, reference->substeps, measured->certified, measured->metrics, c->compared->count);
    if (wrong)
        add_worst(text, c, &reference->worst, true, scope_point(c->compared, reference->point), reference);
    else if (measured->certified < measured->metrics)
        add_worst(text, c, &measured->worst, true, scope_point(c->compared, measured->point), NULL);
}

static void add_solver(Text *text, const Conformance *c)
{
    const SolverShare *solver = &c->solver;
    if (isnan(solver->share))
        return;
    text_add(text, "  solver: %s%.2g of the method's own error of a step, %c[%zu] at ",
             solver->share > SHARE_LARGE ? "" : "at most ", solver->share, solver->velocity ? 'v' : 'x', solver->dof);
    add_point(text, c, scope_point(c->compared, solver->point));
    text_add(text, "%s\n", solver->share > SHARE_LARGE ? ": a smaller newton.tolerance shows more of the method" : "");
}

void conform_print_text(const Conformance *c, Text *text)
{
    text_add(text, "%s: %s on %s, %s, %" PRIu64 " points", c->group->label, c->group->method->name,
             c->group->problem->name, precision_of(c), c->scope->count);
    if (c->scope->points)
        text_add(text, " of %" PRIu64, c->group->point_count);
    text_add(text, ", %" PRIu64 " steps", c->certified.steps);
    if (c->certified.counts > 0)
        text_add(text, ", counts of updates: %" PRIu64 " of %" PRIu64 " decided", c->certified.decided_counts,
                 c->certified.counts);
    text_add(text, ", %.1f s\n", c->seconds);
    add_bits(text, c);
    add_steps(text, c);
    add_metrics(text, c);
    add_reference(text, c);
    add_solver(text, c);
    add_apart(text, c);
    text_add(text, "  %s\n", c->passed ? "conforms" : "DOES NOT CONFORM");
}

static void add_devices(Table *json, const Bits *bits)
{
    table_open(json, "devices", "[");
    for (size_t d = 0; d < bits->device_count; ++d) {
        table_open(json, NULL, "{");
        table_word(json, "device", bits->devices[d].name);
        table_word(json, "arithmetic", bits->devices[d].arithmetic ? bits->devices[d].arithmetic : "kept");
        table_open(json, "lanes", "[");
        for (size_t l = 0; l < bits->devices[d].lanes.count; ++l)
            table_whole(json, NULL, bits->devices[d].lanes.counts[l]);
        table_close(json, "]");
        table_whole(json, "differing_points", (int64_t)bits->devices[d].differing);
        table_close(json, "}");
    }
    table_close(json, "]");
}

static void add_unknown_metrics(Table *json, const Group *group)
{
    table_open(json, "unknown_metrics", "[");
    for (size_t i = 0; i < group->variable_count; ++i)
        if (is_unknown(group, i))
            table_word(json, NULL, group->variables[i].name);
    table_close(json, "]");
}

void conform_print_json(const Conformance *c, Table *json)
{
    const Certified *certified = &c->certified;
    table_row(json);
    table_word(json, "label", c->group->label);
    table_word(json, "method", c->group->method->name);
    table_word(json, "problem", c->group->problem->name);
    table_word(json, "precision", precision_of(c));
    add_devices(json, c->bits);
    table_whole(json, "group_points", (int64_t)c->group->point_count);
    table_whole(json, "points", (int64_t)c->scope->count);
    table_whole(json, "steps", (int64_t)certified->steps);
    table_whole(json, "certified_steps", (int64_t)certified->certified_steps);
    table_whole(json, "substeps", (int64_t)certified->substeps);
    table_whole(json, "certified_substeps", (int64_t)certified->certified);
    table_whole(json, "open_counts", (int64_t)certified->by_interval);
    table_whole(json, "followed_counts", (int64_t)certified->counts);
    table_whole(json, "decided_counts", (int64_t)certified->decided_counts);
    table_whole(json, "metrics", (int64_t)certified->measured.metrics);
    table_whole(json, "certified_metrics", (int64_t)certified->measured.certified);
    table_whole(json, "open_metrics", (int64_t)certified->measured.open);
    table_number(json, "bit_equal", (double)c->bits->same / (double)c->bits->points);
    table_number(json, "worst_share", fmax(certified->worst.share, certified->measured.worst.share));
    table_word(json, "worst_equation", certified->worst.equation);
    table_whole(json, "worst_point", (int64_t)whole_point(c, certified->point));
    table_whole(json, "worst_step", certified->step);
    table_number(json, "worst_metric_share", certified->measured.worst.share);
    table_word(json, "worst_metric", certified->measured.worst.equation);
    table_whole(json, "worst_metric_point", (int64_t)whole_point(c, certified->measured.point));
    table_whole(json, "compared_points", (int64_t)c->apart.points);
    table_whole(json, "sensitive_points", (int64_t)c->apart.sensitive);
    table_number(json, "apart_ulps", c->apart.ulps);
    table_whole(json, "reference_substeps", (int64_t)c->reference.substeps);
    table_whole(json, "certified_reference_substeps", (int64_t)c->reference.certified);
    table_whole(json, "reference_metrics", (int64_t)c->reference.measured.metrics);
    table_whole(json, "certified_reference_metrics", (int64_t)c->reference.measured.certified);
    table_number(json, "solver_share", c->solver.share);
    table_word(json, "certified_by", c->by_order ? "order" : "equations");
    if (c->by_order) {
        table_number(json, "order_measured", c->order.measured);
        table_whole(json, "order_card", c->order.card);
        table_whole(json, "order_point", (int64_t)whole_point(c, c->order.point));
        table_whole(json, "order_points", (int64_t)c->order.points);
        table_whole(json, "order_holding", (int64_t)c->order.holding);
    }
    add_unknown_metrics(json, c->group);
    table_number(json, "seconds", c->seconds);
    table_truth(json, "passed", c->passed);
    table_end_row(json);
}

// Escapes the characters that XML gives a meaning, and characters that a terminal must not be shown.
static void add_escaped(Text *xml, const char *words)
{
    Text shown = {0};
    utf8_show(&shown, words, true);
    for (const char *s = shown.text; s && *s; ++s) {
        switch (*s) {
        case '&': text_add(xml, "&amp;"); break;
        case '<': text_add(xml, "&lt;"); break;
        case '>': text_add(xml, "&gt;"); break;
        case '"': text_add(xml, "&quot;"); break;
        default: text_add_bytes(xml, s, 1);
        }
    }
    text_free(&shown);
}

void conform_print_junit(const Conformance *c, Text *xml)
{
    Text said = {0};
    conform_print_text(c, &said);
    text_add(xml, "    <testcase classname=\"conform.");
    add_escaped(xml, c->group->problem->name);
    text_add(xml, "\" name=\"");
    add_escaped(xml, c->group->label);
    text_add(xml, "\" time=\"%.3f\">\n      <%s>", c->seconds, c->passed ? "system-out" : "failure");
    add_escaped(xml, said.text ? said.text : "");
    text_add(xml, "</%s>\n    </testcase>\n", c->passed ? "system-out" : "failure");
    text_free(&said);
}

void conform_print_junit_suite(const char *sweep, size_t groups, size_t failed, double seconds, const Text *cases,
                               Text *xml)
{
    text_add(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"");
    add_escaped(xml, sweep);
    text_add(xml, "\" tests=\"%zu\" failures=\"%zu\" time=\"%.3f\">\n", groups, failed, seconds);
    text_add_bytes(xml, cases->text ? cases->text : "", cases->length);
    text_add(xml, "  </testsuite>\n</testsuites>\n");
}
