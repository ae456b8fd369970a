// certificates -- the checks of `pendula conform`, on a small sweep: each step certified, and the order of the file's
// method.
#include "analysis/check/check.h"
#include "analysis/check/lines.h"
#include "analysis/conform/conform.h"

#include <math.h>
#include <string.h>

// An order that is this much above the card's is a higher one.
static const double higher = 0.5;

static void add_order(Check *check, const Conformance *found)
{
    const OrderMeasured *order = &found->order;
    const char          *key = order->card == check->card.order          ? "order"
                               : order->card == check->card.order_damped ? "order_damped"
                                                                         : "order_driven";
    if (isnan(order->measured))
        findings_add(&check->findings, check->card.adaptive ? FINDING_NOTE : FINDING_WRONG,
                     lines_key(&check->card, key),
                     "the card says '%s: %d', and the errors of %s on '%s' fall with no order that could be measured%s",
                     key, order->card, order->quantity, found->group->problem->name,
                     check->card.adaptive ? ": its steps were halved" : ": correct the method");
    else if (!order_holds(order))
        findings_add(
            &check->findings, FINDING_WRONG, lines_key(&check->card, key),
            "the card says '%s: %d', and the errors of %s on '%s' fall with order %.3g (%llu of %llu points hold "
            "the card): correct the method, or the card",
            key, order->card, order->quantity, found->group->problem->name, order->measured,
            (unsigned long long)order->holding, (unsigned long long)order->points);
    else
        findings_add(&check->findings, FINDING_RIGHT, 0,
                     "order on '%s': at least %.3g measured, %d on the card, %llu points", found->group->problem->name,
                     order->measured, order->card, (unsigned long long)order->points);
    if (order_holds(order) && isfinite(order->measured) && order->measured > order->card + higher)
        findings_add(&check->findings, FINDING_NOTE, lines_key(&check->card, key),
                     "order %.3g is measured on '%s', which is more than the card says", order->measured,
                     found->group->problem->name);
}

static bool report(const Conformance *found, void *user, Error *err)
{
    Check           *check = user;
    const Certified *certified = &found->certified;
    (void)err;
    // The verdict on a method whose order is wrong has taken back its certificates.
    const bool steps = certified->certified == certified->substeps && certified->substeps > 0;
    if (found->ordered)
        add_order(check, found);
    if (!steps && !(found->by_order && !order_holds(&found->order))) {
        const size_t line =
            lines_function(&check->card, check->card.kind == CARD_PROBLEM ? check_motion(&check->card) : "step");
        findings_add(
            &check->findings, FINDING_WRONG, line ? line : 1,
            "%llu of %llu steps of %s on %s are not certified: %s, component %zu, is off by %.3g where %.3g is "
            "permitted (point %llu, step %lld)",
            (unsigned long long)(certified->substeps - certified->certified), (unsigned long long)certified->substeps,
            found->group->method->name, found->group->problem->name,
            certified->worst.equation ? certified->worst.equation : "a step", certified->worst.dof,
            certified->worst.difference, certified->worst.bound, (unsigned long long)certified->point,
            (long long)certified->step);
    } else if (steps) {
        findings_add(&check->findings, FINDING_RIGHT, 0,
                     "certificates: %llu steps of %s on %s, %.2g of a bound at most",
                     (unsigned long long)certified->substeps, found->group->method->name, found->group->problem->name,
                     certified->worst.share);
    }
    if (found->reference.certified != found->reference.substeps)
        findings_add(&check->findings, FINDING_WRONG, 1, "%llu of %llu steps of the reference are not certified",
                     (unsigned long long)(found->reference.substeps - found->reference.certified),
                     (unsigned long long)found->reference.substeps);
    return true;
}

static bool certify(Check *check, int which, Error *err)
{
    const char *const device = "native";
    Text              text = {0};
    size_t            failed;
    Error             refused = {0};
    if (!check_sweep(check, which, PRECISION_DOUBLE, &text))
        return true;
    const ConformRequest request = {.sweep = {.name = "check", .text = text.text},
                                    .devices = &device,
                                    .device_count = 1,
                                    .lanes = {.counts = {1}, .count = 1},
                                    .orders = check->card.kind == CARD_METHOD,
                                    .signals = check->signals,
                                    .notice = check->notice,
                                    .report = report,
                                    .user = check};
    bool                 ok = text_check(&text, err);
    if (ok && !conform_run(&request, &failed, &refused)) {
        ok = refused.kind != ERROR_STOPPED && refused.kind != ERROR_INTERNAL;
        if (ok)
            findings_add(&check->findings, FINDING_WRONG, 1, "cannot be certified: %s", refused.message);
        else
            *err = refused;
    }
    text_free(&text);
    return ok;
}

bool check_certificates(Check *check, Error *err)
{
    if (!check->native) {
        findings_add(&check->findings, FINDING_NOTE, 0,
                     "certificates: not examined: there is no C compiler on this machine; install gcc or clang");
        return true;
    }
    return certify(check, 0, err) &&
           (check->card.kind != CARD_METHOD || (certify(check, 1, err) && certify(check, 2, err)));
}
