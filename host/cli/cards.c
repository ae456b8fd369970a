// cards -- parameters as text and as JSON.
#include "cli/cards.h"

#include "base/json.h"

#include <math.h>

const OwnMetric own_metrics[OWN_METRICS] = {
    {"status", "1", "how the point ended"},
    {"x_final", "1", "coordinates at the end, one per degree of freedom"},
    {"v_final", "1", "velocities at the end, one per degree of freedom"},
};

const char *cards_kind(CardKind kind)
{
    return kind == CARD_PROBLEM ? "problem" : kind == CARD_METHOD ? "method" : "metric";
}

static void add_bound(Text *text, const char *closed, const char *open, double bound, bool is_open)
{
    if (!isfinite(bound))
        return;
    text_add(text, ", ");
    json_key(text, is_open ? open : closed);
    json_number(text, bound);
}

void cards_parameter_json(Text *text, const CardParameter *parameter)
{
    text_add(text, "{");
    json_key(text, "name");
    json_string(text, parameter->name);
    if (parameter->choice_count) {
        text_add(text, ", ");
        json_key(text, "default");
        json_string(text, parameter->choices[(size_t)parameter->initial]);
        text_add(text, ", ");
        json_key(text, "choices");
        for (size_t i = 0; i < parameter->choice_count; ++i) {
            text_add(text, i ? ", " : "[");
            json_string(text, parameter->choices[i]);
        }
        text_add(text, "]");
    } else {
        if (!isnan(parameter->initial)) {
            text_add(text, ", ");
            json_key(text, "default");
            json_number(text, parameter->initial);
        }
        text_add(text, ", ");
        json_key(text, "unit");
        json_string(text, parameter->unit);
        add_bound(text, "min", "above", parameter->least, parameter->least_open);
        add_bound(text, "max", "below", parameter->most, parameter->most_open);
    }
    text_add(text, ", ");
    json_key(text, "about");
    json_string(text, parameter->about);
    text_add(text, "}");
}

void cards_range(Text *text, const CardParameter *parameter)
{
    for (size_t i = 0; i < parameter->choice_count; ++i)
        text_add(text, "%s%s", i ? " | " : "", parameter->choices[i]);
    if (parameter->choice_count)
        return;
    text_add(text, "%s%g, %g%s", parameter->least_open || !isfinite(parameter->least) ? "(" : "[", parameter->least,
             parameter->most, parameter->most_open || !isfinite(parameter->most) ? ")" : "]");
}

void cards_default(Text *text, const CardParameter *parameter)
{
    if (parameter->choice_count)
        text_add(text, "%s", parameter->choices[(size_t)parameter->initial]);
    else if (isnan(parameter->initial))
        text_add(text, "none");
    else
        text_add(text, "%g", parameter->initial);
}
