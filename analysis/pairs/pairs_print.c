// pairs_print -- one row per pair.
#include "analysis/pairs/pairs_print.h"

#include "analysis/pairs/by_eye.h"
#include "analysis/pairs/pairs_words.h"
#include "base/json.h"

#include <math.h>
#include <string.h>

// Reasons that are told, each once, below the table.
enum { MOST_NOTES = 6 };

static void print_csv(Text *text, const Pairs *pairs)
{
    text_add(text, "%s,%s", pairs->columns[PAIR_FROM], pairs->columns[PAIR_TO]);
    for (size_t k = 0; k < PAIRS_COLUMNS; ++k)
        text_add(text, "%s,%s", k == PAIRS_COLUMNS_FIRST ? ",roots,reason" : "", pairs_words_columns[k].name);
    text_add(text, "\n");
    for (size_t i = 0; i < pairs->count; ++i) {
        const Pair *pair = &pairs->pairs[i];
        format_number(text, pair->from);
        text_add(text, ",");
        format_number(text, pair->to);
        for (size_t k = 0; k < PAIRS_COLUMNS; ++k) {
            text_add(text, ",");
            if (k == PAIRS_COLUMNS_FIRST) {
                for (size_t r = 0; r < pair->root_count; ++r) {
                    text_add(text, "%s", r ? ";" : "");
                    format_number(text, pair->roots[r].at);
                }
                text_add(text, ",");
                format_field(text, pair->reason);
                text_add(text, ",");
            }
            format_number(text, pairs_words_number(pairs, pair, k));
        }
        text_add(text, "\n");
    }
}

static void add_text_member(Text *text, const char *key, const char *value)
{
    json_key(text, key);
    json_string(text, value);
    text_add(text, ", ");
}

static void add_number_member(Text *text, const char *key, double value)
{
    json_key(text, key);
    json_number(text, value);
    text_add(text, ", ");
}

// Two numbers; null where both are 0, which means that there are none.
static void add_two(Text *text, const char *key, const double *two)
{
    json_key(text, key);
    if (two[0] == 0.0 && two[1] == 0.0) {
        text_add(text, "null, ");
        return;
    }
    text_add(text, "[");
    json_number(text, two[0]);
    text_add(text, ", ");
    json_number(text, two[1]);
    text_add(text, "], ");
}

static void add_json_pair(Text *text, const Pairs *pairs, const Pair *pair)
{
    text_add(text, "{");
    add_number_member(text, pairs->columns[PAIR_FROM], pair->from);
    add_number_member(text, pairs->columns[PAIR_TO], pair->to);
    for (size_t k = 0; k < PAIRS_COLUMNS; ++k)
        add_number_member(text, pairs_words_columns[k].name, pairs_words_number(pairs, pair, k));
    json_key(text, "roots");
    for (size_t r = 0; r < pair->root_count; ++r) {
        text_add(text, "%s", r ? ", " : "[");
        json_number(text, pair->roots[r].at);
    }
    text_add(text, "%s], ", pair->root_count ? "" : "[");
    json_key(text, "reason");
    json_string(text, pair->reason);
    text_add(text, "}");
}

static void print_json(Text *text, const Pairs *pairs)
{
    text_add(text, "{");
    add_text_member(text, "from", pairs->families[PAIR_FROM].method->name);
    add_text_member(text, "to", pairs->families[PAIR_TO].method->name);
    add_text_member(text, "criterion", criterion_names[pairs->criterion]);
    add_text_member(text, "definition", criterion_about[pairs->criterion]);
    add_two(text, "omega_h", pairs->omega_h);
    add_two(text, "band", pairs->band);
    add_text_member(text, "problem", pairs->problem);
    add_text_member(text, "metric", pairs->metric);
    add_number_member(text, "step", pairs->step);
    add_number_member(text, "steps", pairs->steps);
    json_key(text, "columns");
    text_add(text, "[");
    json_string(text, pairs->columns[PAIR_FROM]);
    text_add(text, ", ");
    json_string(text, pairs->columns[PAIR_TO]);
    text_add(text, "], ");
    json_key(text, "ranges");
    for (size_t i = 0; i < pairs->range_count; ++i) {
        text_add(text, "%s[", i ? ", " : "[");
        json_number(text, pairs->ranges[i].low);
        text_add(text, ", ");
        json_number(text, pairs->ranges[i].high);
        text_add(text, "]");
    }
    text_add(text, "%s],\n  ", pairs->range_count ? "" : "[");
    json_key(text, "pairs");
    for (size_t i = 0; i < pairs->count; ++i) {
        text_add(text, "%s\n    ", i ? "," : "[");
        add_json_pair(text, pairs, &pairs->pairs[i]);
    }
    text_add(text, "%s]}\n", pairs->count ? "\n  " : "[");
}

// "FROM  generalized_alpha, rho_inf"
static void add_family(Text *text, const char *side, const Family *family)
{
    const Card *method = family->method;
    text_add(text, "%-6s %s, %s", side, method->name, family_parameter(family)->name);
    for (size_t i = 0; i < method->parameter_count; ++i) {
        const CardParameter *parameter = &method->parameters[i];
        if (i == family->tied)
            text_add(text, "; %s = (%s + 1/2)^2/4", parameter->name, family_parameter(family)->name);
        else if (i != family->free && parameter->choices)
            text_add(text, "; %s = %s", parameter->name, parameter->choices[(size_t)family->parameters[i]]);
        else if (i != family->free)
            text_add(text, "; %s = %.6g", parameter->name, family->parameters[i]);
    }
    text_add(text, "\n");
}

static void add_heading(Text *text, const Pairs *pairs)
{
    add_family(text, "FROM", &pairs->families[PAIR_FROM]);
    add_family(text, "TO", &pairs->families[PAIR_TO]);
    text_add(text, "%-6s ", "equal");
    pairs_words_equal(text, pairs);
    text_add(text, "\n");
    if (pairs->problem)
        text_add(text, "%-6s %s", "runs", pairs->problem);
    if (pairs->problem && isfinite(pairs->steps))
        text_add(text, ", %.0f steps of %.6g", pairs->steps, pairs->step);
    text_add(text, "%s", pairs->problem ? "\n" : "");
    if (isfinite(pairs->physical))
        text_add(text, "%-6s %.9g without numerical damping\n", "", pairs->physical);
    text_add(text, "\n");
}

// Columns of the table behind the parameters. Two of one kind stand below one heading; what has no numbers is left out.
typedef struct Shown {
    const char *above;  // NULL: below the heading of the column before
    const char *below;
    size_t      column;         // PAIRS_COLUMNS: the paper's value
    int         width, digits;  // significant ones; 0: a whole number
} Shown;

static const Shown shown[] = {{"", "residual", 0, 8, 2},
                              {"period error", "FROM", 3, 9, 3},
                              {NULL, "TO", 4, 8, 3},
                              {"radius at inf", "FROM", 5, 8, 3},
                              {NULL, "TO", 6, 7, 3},
                              {"updates", "FROM", 7, 8, 0},
                              {NULL, "TO", 8, 7, 0},
                              {"cost", "TO/FROM", 13, 8, 3},
                              {"by eye", "(Wu)", PAIRS_COLUMNS, 7, 3}};
enum { SHOWN = sizeof shown / sizeof *shown };

static double shown_number(const Pairs *pairs, const Pair *pair, const Shown *column)
{
    return column->column == PAIRS_COLUMNS ? by_eye_find(pairs, pair->from)
                                           : pairs_words_number(pairs, pair, column->column);
}

static bool has_numbers(const Pairs *pairs, const Shown *column)
{
    for (size_t i = 0; i < pairs->count; ++i)
        if (isfinite(shown_number(pairs, &pairs->pairs[i], column)))
            return true;
    return false;
}

static void find_shown(const Pairs *pairs, bool *use)
{
    for (size_t k = 0; k < SHOWN; ++k) {
        const bool two = k + 1 < SHOWN && !shown[k + 1].above;
        use[k] =
            shown[k].above ? has_numbers(pairs, &shown[k]) || (two && has_numbers(pairs, &shown[k + 1])) : use[k - 1];
    }
}

static void add_cell(Text *text, int width, int digits, double number)
{
    if (!isfinite(number))
        text_add(text, " %*s", width, "-");
    else if (digits == 0)
        text_add(text, " %*.0f", width, number);
    else
        text_add(text, " %*.*g", width, digits, number);
}

// Below the table, each once.
typedef struct Notes {
    const char *reasons[MOST_NOTES];
    size_t      count;
    bool        more;  // there was no room for one
} Notes;

// The number of a reason's note from 1 on, 0 where there is no room for it.
static size_t find_note(Notes *notes, const char *reason)
{
    for (size_t i = 0; i < notes->count; ++i)
        if (strcmp(notes->reasons[i], reason) == 0)
            return i + 1;
    notes->more = notes->more || notes->count == MOST_NOTES;
    if (notes->count == MOST_NOTES)
        return 0;
    notes->reasons[notes->count++] = reason;
    return notes->count;
}

static void add_remark(Text *text, const Pair *pair, Notes *notes)
{
    if (isnan(pair->to)) {
        const size_t note = find_note(notes, pair->reason);
        if (note)
            text_add(text, "  none (%zu)", note);
        else
            text_add(text, "  none");
        return;
    }
    text_add(text, pair->root_count ? "  also" : "  unique");
    for (size_t r = 0; r < pair->root_count; ++r)
        text_add(text, "%s %.6g", r ? "," : "", pair->roots[r].at);
}

static void add_table(Text *text, const Pairs *pairs, Notes *notes)
{
    const char *from = family_parameter(&pairs->families[PAIR_FROM])->name,
               *to = family_parameter(&pairs->families[PAIR_TO])->name;
    bool use[SHOWN];
    find_shown(pairs, use);
    text_add(text, " %9s %11s", "FROM", "TO");
    for (size_t k = 0; k < SHOWN; ++k)
        if (use[k] && shown[k].above)
            text_add(text, " %*s", shown[k].width + (k + 1 < SHOWN && !shown[k + 1].above ? shown[k + 1].width + 1 : 0),
                     shown[k].above);
    text_add(text, "\n %9s %11s", from, to);
    for (size_t k = 0; k < SHOWN; ++k)
        if (use[k])
            text_add(text, " %*s", shown[k].width, shown[k].below);
    text_add(text, "\n");
    for (size_t i = 0; i < pairs->count; ++i) {
        const Pair *pair = &pairs->pairs[i];
        add_cell(text, 9, 7, pair->from);
        add_cell(text, 11, 8, pair->to);
        for (size_t k = 0; k < SHOWN; ++k)
            if (use[k])
                add_cell(text, shown[k].width, shown[k].digits, shown_number(pairs, pair, &shown[k]));
        add_remark(text, pair, notes);
        text_add(text, "\n");
    }
}

static void print_text(Text *text, const Pairs *pairs)
{
    Notes       notes = {0};
    const char *from = family_parameter(&pairs->families[PAIR_FROM])->name;
    add_heading(text, pairs);
    add_table(text, pairs, &notes);
    text_add(text, "%s", notes.count || pairs->range_count ? "\n" : "");
    for (size_t i = 0; i < notes.count; ++i)
        text_add(text, "(%zu) %s\n", i + 1, notes.reasons[i]);
    text_add(text, "%s", notes.more ? "The other reasons are in csv and json.\n" : "");
    for (size_t i = 0; i < pairs->range_count; ++i) {
        if (i == 0)
            text_add(text, "Equivalents exist for %s", from);
        text_add(text, "%s from %.6g to %.6g", i ? " and" : "", pairs->ranges[i].low, pairs->ranges[i].high);
    }
    text_add(text, "%s", pairs->range_count ? ".\n" : "");
}

void pairs_print(Text *text, Format format, const Pairs *pairs)
{
    if (format == FORMAT_CSV)
        print_csv(text, pairs);
    else if (format == FORMAT_JSON)
        print_json(text, pairs);
    else
        print_text(text, pairs);
}
